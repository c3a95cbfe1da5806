# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`-x` keeps the dtype of a number; of a bool it is an int32."""

import cuda.tile as ct
import torch


@ct.kernel
def negate(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), -ct.load(x, (0,), (N,)))


@ct.kernel
def negate_bools(x, out, N: ct.Constant[int]):
    positive = ct.load(x, (0,), (N,)) > 0
    ct.store(out, (0,), -positive)
    ct.store(out, (1,), 2 * -positive)


@ct.kernel
def negate_and_divide(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), -ct.load(x, (0,), (N,)) // 2)


@ct.kernel
def negate_scalar(out, n):
    ct.store(out, 0, -n)


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.int8, torch.int32, torch.int64):
        x = torch.tensor([1, -2, 0, torch.iinfo(dtype).max], dtype=dtype)
        out = torch.zeros_like(x)
        ct.launch(stream, (1,), negate, (x, out, 4))
        yield f"{dtype}", out, -x
        ct.launch(stream, (1,), negate_and_divide, (x, out, 4))
        yield f"{dtype} halved", out, -x // 2
    for dtype in (torch.float16, torch.float32):
        x = torch.tensor([1.5, -2.0, 0.0, -0.0], dtype=dtype)
        out = torch.zeros_like(x)
        ct.launch(stream, (1,), negate, (x, out, 4))
        yield f"{dtype}", out, -x
    x, out = torch.tensor([1, -2, 0, 3], dtype=torch.int32), torch.zeros(8, dtype=torch.int32)
    ct.launch(stream, (1,), negate_bools, (x, out, 4))
    yield "bools", out, torch.tensor([-1, 0, 0, -1, -2, 0, 0, -2])
    for n in (3, 1, -2.5):
        out = torch.zeros(1, dtype=torch.float32)
        ct.launch(stream, (1,), negate_scalar, (out, n))
        yield f"the scalar {n}", out, torch.tensor([-n], dtype=torch.float32)
    out = torch.zeros(1, dtype=torch.int32)
    ct.launch(stream, (1,), negate_scalar, (out, 2**24 + 1))
    yield "a scalar that float32 has not", out, torch.tensor([-(2**24) - 1])
