# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Integer `//` and `%` floor, cdiv rounds up, for all signs."""

import cuda.tile as ct
import torch


@ct.kernel
def divide(x, y, quotient, remainder, ceiling, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(quotient, (0,), a // b)
    ct.store(remainder, (0,), a % b)
    ct.store(ceiling, (0,), ct.cdiv(a, b))


@ct.kernel
def divide_by_constants(x, out, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), (a // 4).reshape((1, N)))
    ct.store(out, (1, 0), (a % 4).reshape((1, N)))
    ct.store(out, (2, 0), (a // -3).reshape((1, N)))
    ct.store(out, (3, 0), (a % -3).reshape((1, N)))
    ct.store(out, (4, 0), (ct.cdiv(a, 4)).reshape((1, N)))
    ct.store(out, (5, 0), (17 // a).reshape((1, N)))


@ct.kernel
def divide_scalars(out, n: int):
    i = ct.bid(0) - 8
    ct.store(out, (ct.bid(0), 0), i // n)
    ct.store(out, (ct.bid(0), 1), i % n)
    ct.store(out, (ct.bid(0), 2), ct.cdiv(i, n))
    ct.store(out, (ct.bid(0), 3), (i - 3) // 8)


@ct.kernel
def divide_constants(out, A: ct.Constant[int], B: ct.Constant[int]):
    ct.static_assert(ct.cdiv(A, B) == -(-A // B))
    ct.store(out, (0,), ct.cdiv(A, B))
    ct.store(out, (1,), ct.cdiv(A + 1, -3))
    ct.store(out, (2,), ct.cdiv(A + 1, 4))
    ct.store(out, (3,), A // B + A % B)


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.int32, torch.int64, torch.int8):
        x = torch.tensor([7, -7, 7, -7, 0, 1, -1, 100], dtype=dtype)
        y = torch.tensor([2, 2, -2, -2, 3, 5, 5, -7], dtype=dtype)
        outs = [torch.zeros(8, dtype=dtype) for _ in range(3)]
        ct.launch(stream, (1,), divide, (x, y, *outs, 8))
        yield f"quotient {dtype}", outs[0], torch.div(x, y, rounding_mode="floor")
        yield f"remainder {dtype}", outs[1], torch.remainder(x, y)
        yield f"ceiling {dtype}", outs[2], -torch.div(-x, y, rounding_mode="floor")
    x = torch.tensor([7, -7, 9, -1, 4, 1, -100, 100], dtype=torch.int32)
    out = torch.zeros(6, 8, dtype=torch.int32)
    ct.launch(stream, (1,), divide_by_constants, (x, out, 8))
    floor = lambda a, b: torch.div(torch.as_tensor(a), b, rounding_mode="floor")
    expected = [floor(x, 4), x % 4, floor(x, -3), torch.remainder(x, -3), -floor(-x, 4), floor(17, x)]
    yield "constants", out, torch.stack(expected)
    for n in (3, -3, 1):
        out = torch.zeros(16, 4, dtype=torch.int32)
        ct.launch(stream, (16,), divide_scalars, (out, n))
        i = torch.arange(16) - 8
        yield f"scalars {n}", out, torch.stack([floor(i, n), torch.remainder(i, n), -floor(-i, n), floor(i - 3, 8)], 1)
    for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (-1, -1), (0, 5)):
        out = torch.zeros(4, dtype=torch.int32)
        ct.launch(stream, (1,), divide_constants, (out, a, b))
        expected = [-(-a // b), -(-(a + 1) // -3), -(-(a + 1) // 4), a // b + a % b]
        yield f"constants {a} {b}", out, torch.tensor(expected, dtype=torch.int32)
