# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`ct.static_assert` holds for the launches that a kernel is made for; tests/whole/test_static_assertions.py has the others."""

import cuda.tile as ct
import torch


def halves(t, N: ct.Constant[int]):
    ct.static_assert(N % 2 == 0, 'no "halves" of \\')
    return t


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
