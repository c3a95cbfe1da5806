# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""One kernel serves callers of several dtypes."""

import cuda.tile as ct
import torch


@ct.kernel
def double_kernel(x, out, N: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (N,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i,), t + t)


@ct.kernel
def normalise(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
    ct.store(out, (0,), (t / ct.sum(t)).astype(x.dtype))


def cases():
    for dtype in (torch.float32, torch.float16, torch.int32, torch.int8, torch.float64):
        x = (torch.randn(13) * 10).to(dtype)
        out = torch.zeros(13, dtype=dtype)
        ct.launch(torch.cuda.current_stream(), (2,), double_kernel, (x, out, 8))
        yield f"double {dtype}", out, x + x
    for dtype in (torch.float32, torch.float16):
        x, out = torch.rand(13).to(dtype), torch.zeros(13, dtype=dtype)
        ct.launch(torch.cuda.current_stream(), (1,), normalise, (x, out, 16))
        yield f"normalise {dtype}", out, x.double() / x.double().sum()
