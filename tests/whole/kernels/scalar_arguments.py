# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers as arguments, the values that a compiler might treat specially among them."""

import cuda.tile as ct
import torch


@ct.kernel
def scalars(out, i: int, f: float, b: bool, n, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    value = lanes * i + n
    if b:
        value = -value
    ct.scatter(out, lanes, value * f)


@ct.kernel
def named_once(out, n, N: ct.Constant[int]):
    n = n + 1
    ct.store(out, (0,), ct.full((N,), n, ct.int32))


@ct.kernel
def counted_down(out, n, N: ct.Constant[int]):
    steps = 0
    while n > 0:
        steps += n
        n = n - 1
    ct.store(out, (0,), ct.full((N,), steps, ct.int32))


@ct.kernel
def moved(out, n, N: ct.Constant[int]):
    for i in range(3):
        n = n + i
    if ct.bid(0) == 0:
        n = n * 2
    ct.store(out, (0,), ct.full((N,), n, ct.int32))


def halvings(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count


@ct.kernel
def halved(out, x, n, N: ct.Constant[int]):
    ct.store(out, (0,), ct.full((N,), halvings(n) * 100 + halvings(x.shape[0]) * 10 + halvings(8), ct.int32))


def cases():
    for i, f, b, n in ((1, 1.0, True, 0), (16, 0.5, False, 1), (-3, 1e-3, True, 32), (0, 0.0, False, 2**31 - 1)):
        out = torch.zeros(8)
        ct.launch(torch.cuda.current_stream(), (1,), scalars, (out, i, f, b, n, 8))
        value = ((torch.arange(8) * i + n + 2**31) % 2**32 - 2**31).float() * (-1 if b else 1)
        yield f"{i} {f} {b} {n}", out, value * f
    for n in (1, 3, 16):
        x, out = torch.zeros(n), torch.zeros(8, dtype=torch.int32)
        halvings_of = n.bit_length() - 1
        ct.launch(torch.cuda.current_stream(), (1,), named_once, (out, n, 8))
        yield f"named once {n}", out, torch.full_like(out, n + 1)
        ct.launch(torch.cuda.current_stream(), (1,), counted_down, (out, n, 8))
        yield f"counted down {n}", out, torch.full_like(out, n * (n + 1) // 2)
        ct.launch(torch.cuda.current_stream(), (1,), moved, (out, n, 8))
        yield f"moved {n}", out, torch.full_like(out, (n + 3) * 2)
        ct.launch(torch.cuda.current_stream(), (1,), halved, (out, x, n, 8))
        yield f"halved {n}", out, torch.full_like(out, halvings_of * 110 + 3)
