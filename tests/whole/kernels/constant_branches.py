# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A branch under a constant condition is compiled only if it is taken."""

import cuda.tile as ct
import torch

MODE_ADD = 0
MODE_SCALE = 1


@ct.kernel
def pruned(x, out, N: ct.Constant[int], MODE: ct.Constant[int], WIDE: ct.Constant[bool]):
    t = ct.load(x, (0,), (N,))
    if MODE == MODE_ADD:
        y = t + 1.0
    elif MODE == MODE_SCALE and not WIDE:
        y = t * 2.0
    else:
        y = ct.no_such_function(t)
    if WIDE:
        y = y.astype(ct.float32)
    if N > 8:
        y = y.reshape((2, N // 2)).reshape((N,))
    ct.store(out, (0,), y.astype(out.dtype))


@ct.kernel
def ended(x, out, sums, N: ct.Constant[int], SKIP: ct.Constant[bool]):
    if SKIP:
        return
    else:
        i = ct.bid(0) * 2
        ct.store(out, (i,), ct.load(x, (i,), (N,)))
    for j in range(1, 2):
        ct.store(sums, (i + j,), ct.load(x, (i,), (N,)) + ct.load(x, (i + j,), (N,)))


def cases():
    for skip in (True, False):
        x, out, sums = torch.randn(16), torch.zeros(16), torch.zeros(16)
        ct.launch(torch.cuda.current_stream(), (2,), ended, (x, out, sums, 4, skip))
        first, second = x.reshape(2, 2, 4).unbind(1)
        none = torch.zeros(2, 4)
        yield f"skips {skip}: first", out, none.repeat(1, 2).reshape(16) if skip else torch.cat((first, none), 1).reshape(16)
        yield f"skips {skip}: sums", sums, none.repeat(1, 2).reshape(16) if skip else torch.cat((none, first + second), 1).reshape(16)
    for n, mode, wide in ((8, 0, False), (16, 0, True), (8, 1, False)):
        x, out = torch.randn(n).half(), torch.zeros(n)
        ct.launch(torch.cuda.current_stream(), (1,), pruned, (x, out, n, mode, wide))
        yield f"{n} {mode} {wide}", out, (x + 1 if mode == 0 else x * 2).float()
