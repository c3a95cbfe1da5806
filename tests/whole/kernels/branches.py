# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Run-time branches, early return, and variables that both branches set."""

import cuda.tile as ct
import torch


@ct.kernel
def decide(x, out, n: int, N: ct.Constant[int]):
    b = ct.bid(0)
    t = ct.load(x, (b,), (N,))
    if b >= n:
        return
    if b % 3 == 0:
        t = t + 1.0
        scale = 2.0
    elif b % 3 == 1:
        t = -t
        scale = 3.0
    else:
        scale = 4.0
    if b > 0 and b < 4 or b == 5:
        scale = scale * 10.0
    ct.store(out, (b,), t * scale)


def cases():
    x, out = torch.randn(7 * 4), torch.zeros(7 * 4)
    ct.launch(torch.cuda.current_stream(), (7,), decide, (x, out, 6, 4))
    expected = torch.zeros(7, 4)
    for b, t in enumerate(x.reshape(7, 4)[:6]):
        t, scale = ((t + 1, 2.0), (-t, 3.0), (t, 4.0))[b % 3]
        expected[b] = t * (scale * 10 if 0 < b < 4 or b == 5 else scale)
    yield "all", out, expected.reshape(-1)
