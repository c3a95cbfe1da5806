# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Shifts of integers of any width: the width that a count has to fit is that of what is shifted."""

import cuda.tile as ct
import torch


@ct.kernel
def shift_by_constants(x, left, right, out_of_range, N: ct.Constant[int], COUNT: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(left, (0,), a << COUNT)
    ct.store(right, (0,), a >> COUNT)
    ct.store(out_of_range, (0,), (a << 70) + (a >> 70))


@ct.kernel
def shift_by_tiles(x, counts, left, right, N: ct.Constant[int]):
    a, count = ct.load(x, (0,), (N,)), ct.load(counts, (0,), (N,))
    ct.store(left, (0,), a << count)
    ct.store(right, (0,), a >> count)


@ct.kernel
def shift_constants(counts, left, right, N: ct.Constant[int]):
    count = ct.load(counts, (0,), (N,))
    ct.store(left, (0,), 3 << count)
    ct.store(right, (0,), 100 >> count)


@ct.kernel
def shift_wider(x, left, N: ct.Constant[int]):
    """What leaves the integers that are shifted is lost, whatever is added to them."""
    ct.store(left, (0,), (ct.load(x, (0,), (N,)) << 5) + ct.zeros((N,), dtype=ct.int64))


@ct.kernel
def shift_narrow(x, left, N: ct.Constant[int], COUNT: ct.Constant[int]):
    narrow = ct.load(x, (0,), (N,)).astype(ct.int8)
    ct.store(left, (0,), (narrow << COUNT) + ct.zeros((N,), dtype=ct.int64))


@ct.kernel
def shift_scalars(out, n, count):
    ct.store(out, 0, n << count)
    ct.store(out, 1, n >> count)


def cases():
    stream = torch.cuda.current_stream()
    for dtype, count in ((torch.int64, 40), (torch.int32, 20), (torch.int16, 9), (torch.int8, 5), (torch.uint8, 5)):
        high = torch.iinfo(dtype).max
        x = torch.tensor([1, 100, 5, 7, high, high - 2, 0, 3], dtype=dtype)
        if dtype.is_signed:
            x[1::2] *= -1
        left, right, neither = (torch.zeros_like(x) for _ in range(3))
        ct.launch(stream, (1,), shift_by_constants, (x, left, right, neither, 8, count))
        yield f"left, {dtype}", left, x << count
        yield f"right, {dtype}", right, x >> count
        bits = torch.iinfo(dtype).bits
        signs = x >> (bits - 1) if dtype.is_signed else torch.zeros_like(x)
        yield f"too far, {dtype}", neither, signs
        counts = torch.tensor([0, 1, 2, 3, bits - 1, bits, bits + 1, 100], dtype=dtype)
        far = counts >= bits
        left, right = torch.zeros_like(x), torch.zeros_like(x)
        ct.launch(stream, (1,), shift_by_tiles, (x, counts, left, right, 8))
        clamped = counts.clamp(max=bits - 1)
        yield f"left by a tile, {dtype}", left, torch.where(far, 0, x << clamped)
        yield f"right by a tile, {dtype}", right, torch.where(far, signs, x >> clamped)
        left, right = torch.zeros_like(x), torch.zeros_like(x)
        ct.launch(stream, (1,), shift_constants, (counts, left, right, 8))
        yield f"constants, {dtype}", left, torch.where(far, 0, torch.full_like(x, 3) << clamped)
        yield f"a constant to the right, {dtype}", right, torch.full_like(x, 100) >> clamped
        if dtype.is_signed:
            left = torch.zeros(8, dtype=torch.int64)
            ct.launch(stream, (1,), shift_wider, (x, left, 8))
            yield f"in their own width, {dtype}", left, (x << 5).long()
    x = torch.tensor([1.0, 100.0, -5.0, 7.0])
    for count in (5, 9):
        left = torch.zeros(4, dtype=torch.int64)
        ct.launch(stream, (1,), shift_narrow, (x, left, 4, count))
        yield f"narrow by {count}", left, (x.char() << count).long() if count < 8 else torch.zeros(4)
    for n, count in ((5, 2), (-5, 1), (1, 31), (1, 32), (-7, 40)):
        out = torch.zeros(2, dtype=torch.int32)
        ct.launch(stream, (1,), shift_scalars, (out, n, count))
        wrapped = (n << count) % 2**32 if count < 32 else 0
        yield f"{n} by {count}", out, torch.tensor([wrapped - 2**32 if wrapped >= 2**31 else wrapped, n >> min(count, 31)])
