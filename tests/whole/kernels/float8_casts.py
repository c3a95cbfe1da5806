# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Conversions of float8 to every dtype keep each number, infinity and NaN; conversions to float8 saturate and round once."""

import cuda.tile as ct
import torch


@ct.kernel
def widen(x, half, brain, single, double, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(half, (0,), t.astype(ct.float16))
    ct.store(brain, (0,), t.astype(ct.bfloat16))
    ct.store(single, (0,), t.astype(ct.float32))
    ct.store(double, (0,), t.astype(ct.float64))


@ct.kernel
def count(x, small, whole, long, flags, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(small, (0,), t.astype(ct.int8))
    ct.store(whole, (0,), t.astype(ct.int32))
    ct.store(long, (0,), t.astype(ct.int64))
    ct.store(flags, (0,), t.astype(ct.bool_))


@ct.kernel
def narrow(x, four, five, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(four, (0,), t.astype(ct.float8_e4m3fn))
    ct.store(five, (0,), t.astype(ct.float8_e5m2))


def saturated(x, dtype):
    largest = torch.finfo(dtype).max
    return torch.where(x != x, x, x.clamp(-largest, largest)).to(torch.float32).to(dtype)


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float8_e5m2, torch.float8_e4m3fn):
        x = torch.arange(256, dtype=torch.int32).to(torch.uint8).view(dtype)
        outs = [torch.zeros(256, dtype=out) for out in (torch.float16, torch.bfloat16, torch.float32, torch.float64)]
        ct.launch(stream, (1,), widen, (x, *outs, 256))
        for out in outs:
            yield f"{dtype} to {out.dtype}", out, x.float().to(out.dtype)
        x = torch.tensor([0.0, 1.5, -2.75, 100.0, -100.0, 3.0, 0.5, 0.0]).to(dtype)
        outs = [torch.zeros(8, dtype=out) for out in (torch.int8, torch.int32, torch.int64, torch.bool)]
        ct.launch(stream, (1,), count, (x, *outs, 8))
        yield f"{dtype} to int8", outs[0], x.float().to(torch.int8)
        yield f"{dtype} to int32", outs[1], x.float().to(torch.int32)
        yield f"{dtype} to int64", outs[2], x.float().to(torch.int64)
        yield f"{dtype} to bool", outs[3], x.float() != 0
    numbers = [0, 1, 3, 17, 19, 100, 127, 0, 1, 2, 5, 9, 11, 13, 64, 96]
    for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.float64, torch.float16, torch.float32):
        x = torch.tensor(numbers).to(dtype)
        four, five = torch.zeros(16, dtype=torch.float8_e4m3fn), torch.zeros(16, dtype=torch.float8_e5m2)
        ct.launch(stream, (1,), narrow, (x, four, five, 16))
        yield f"{dtype} to float8_e4m3fn", four.float(), saturated(x, torch.float8_e4m3fn).float()
        yield f"{dtype} to float8_e5m2", five.float(), saturated(x, torch.float8_e5m2).float()
    large = torch.tensor([1000, -1000, 70000, -70000, 30000, 2**30, -(2**30), 0], dtype=torch.int32)
    four, five = torch.zeros(8, dtype=torch.float8_e4m3fn), torch.zeros(8, dtype=torch.float8_e5m2)
    ct.launch(stream, (1,), narrow, (large, four, five, 8))
    yield "saturated, float8_e4m3fn", four.float(), saturated(large, torch.float8_e4m3fn).float()
    yield "saturated, float8_e5m2", five.float(), saturated(large, torch.float8_e5m2).float()
