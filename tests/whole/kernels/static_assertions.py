# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`ct.static_assert` holds for the launches that a kernel is made for; tests/whole/test_static_assertions.py has the others."""

import cuda.tile as ct
import torch


def halves(t, N: ct.Constant[int]):
    ct.static_assert(N % 2 == 0, 'no "halves" of \\')
    return t


def even(N):
    ct.static_assert(N % 2 == 0)
    return N


@ct.kernel
def called(out, WAY: ct.Constant[int], N: ct.Constant[int]):
    # of constants, whose calls are for what they assert
    if WAY == 0:
        even(N)
    if WAY == 1:
        ct.store(out, (1,), ct.full((1,), even(N) if N > 2 else 2, out.dtype))
    if WAY == 2 and even(N) > 2:
        ct.store(out, (2,), ct.full((1,), N, out.dtype))
    if WAY == 3:
        ct.store(out, (3,), ct.full((0 * even(N) + 1,), N, out.dtype))
    if WAY == 4:
        last = even(even(N) + N) - N
        ct.store(out, (0,), ct.full((1,), last, out.dtype))


@ct.kernel
def scale(x, out, N: ct.Constant[int], FACTOR: ct.Constant[int], WIDE: ct.Constant[bool]):
    # twice as many
    ct.static_assert(N == 2 * FACTOR or not WIDE, f"not {FACTOR}")
    ct.static_assert(x.dtype == out.dtype)
    ct.static_assert(N > 1)  # more than one
    for i in range(FACTOR):
        ct.static_assert(FACTOR < N, "too many")
        if WIDE:
            ct.static_assert(FACTOR == 2, "two")
            continue
        ct.store(out, (0,), halves(ct.load(x, (0,), (N,)), N) * FACTOR)
    if not WIDE:
        return
    ct.store(out, (0,), ct.load(x, (0,), (N,)))  # waits


def cases():
    x, out = torch.arange(4.0), torch.zeros(4)
    ct.launch(torch.cuda.current_stream(), (1,), scale, (x, out, 4, 3, False))
    yield "scaled", out, x * 3
    ct.launch(torch.cuda.current_stream(), (1,), scale, (x, out, 4, 2, True))
    yield "copied", out, x
    out = torch.zeros(4)
    for way in range(5):
        ct.launch(torch.cuda.current_stream(), (1,), called, (out, way, 4))
    yield "called", out, torch.tensor([4.0, 4, 4, 4])
