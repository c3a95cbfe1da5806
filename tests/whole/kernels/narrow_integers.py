# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Into small integers, integers and bools keep their low bits and floats saturate, whatever the launch brings; a NaN is 0 in 64 bits too."""

import cuda.tile as ct
import torch


@ct.kernel
def narrow(x, signed, unsigned, short, wide, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(signed, (0,), t.astype(ct.int8))
    ct.store(unsigned, (0,), t.astype(ct.uint8))
    ct.store(short, (0,), t.astype(ct.int16))
    ct.store(wide, (0,), t.astype(ct.int64))


def as_byte(n):
    return ct.astype(n, ct.int8)


@ct.kernel
def narrow_number(n, out):
    ct.store(out, (0,), ct.full((1,), as_byte(n), ct.int8))


def cases():
    stream = torch.cuda.current_stream()
    dtypes = (torch.int8, torch.uint8, torch.int16, torch.int64)

    def narrowed(x):
        outs = [torch.zeros(8, dtype=dtype) for dtype in dtypes]
        ct.launch(stream, (1,), narrow, (x, *outs, 8))
        return zip(dtypes, outs)

    integers = torch.tensor([0, 1, -1, 127, 128, -129, 40000, 100000])
    for dtype in (torch.int64, torch.int32, torch.int16, torch.uint8, torch.bool):
        x = integers.to(dtype)
        for to, out in narrowed(x):
            yield f"{dtype} to {to}", out, x.to(to)
    floats = torch.tensor([0.0, 1.9, -1.9, 127.5, 300.0, -300.0, 40000.0, -40000.0])
    for dtype in (torch.float32, torch.float16):
        x = floats.to(dtype)
        for to, out in narrowed(x):
            ends = torch.iinfo(to)
            yield f"{dtype} to {to}", out, x.double().trunc().clamp(ends.min, ends.max).to(to)
        *_, (_, wide) = narrowed(torch.full((8,), float("nan"), dtype=dtype))
        yield f"NaN of {dtype}", wide, torch.zeros(8, dtype=torch.int64)
    for number, expected in ((300, 44), (300.0, 127), (-2.5, -2)):
        out = torch.zeros(1, dtype=torch.int8)
        ct.launch(stream, (1,), narrow_number, (number, out))
        yield f"number {number}", out, torch.tensor([expected], dtype=torch.int8)
