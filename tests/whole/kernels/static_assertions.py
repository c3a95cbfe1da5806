# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`ct.static_assert` holds for the launches that a kernel is made for, and stops the others."""

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


def refuses(*arguments):
    try:
        ct.launch(torch.cuda.current_stream(), (1,), scale, arguments)
    except Exception:
        return True
    return False


def cases():
    x, out = torch.arange(4.0), torch.zeros(4)
    ct.launch(torch.cuda.current_stream(), (1,), scale, (x, out, 4, 3, False))
    yield "scaled", out, x * 3
    ct.launch(torch.cuda.current_stream(), (1,), scale, (x, out, 4, 2, True))
    yield "copied", out, x
    broken = [(x, out, 4, 1, True), (x, out.half(), 4, 3, False), (x, out, 1, 0, False), (x, out, 4, 4, False)]
    yield "broken", torch.tensor([refuses(*arguments) for arguments in broken]), torch.ones(4, dtype=torch.bool)
