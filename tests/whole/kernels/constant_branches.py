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
def ended(x, out, N: ct.Constant[int], SKIP: ct.Constant[bool]):
    if SKIP:
        return
    else:
        i = ct.bid(0) * 2
        ct.store(out, (i,), ct.load(x, (i,), (N,)))
    for j in range(1, 2):
        ct.store(out, (i + j,), ct.load(x, (i,), (N,)) + ct.load(x, (i + j,), (N,)))


def cases():
    for skip in (True, False):
        x, out = torch.randn(16), torch.zeros(16)
        ct.launch(torch.cuda.current_stream(), (2,), ended, (x, out, 4, skip))
        parts = x.reshape(2, 2, 4)
        expected = torch.stack((parts[:, 0], parts[:, 0] + parts[:, 1]), 1).reshape(16)
        yield f"skips {skip}", out, torch.zeros(16) if skip else expected
    for n, mode, wide in ((8, 0, False), (16, 0, True), (8, 1, False)):
        x, out = torch.randn(n).half(), torch.zeros(n)
        ct.launch(torch.cuda.current_stream(), (1,), pruned, (x, out, n, mode, wide))
        yield f"{n} {mode} {wide}", out, (x + 1 if mode == 0 else x * 2).float()
