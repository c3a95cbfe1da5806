# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""where chooses lane by lane; a ternary chooses by a scalar, at compile time if it can."""

import cuda.tile as ct
import torch


@ct.kernel
def choose(x, out, n: int, N: ct.Constant[int], FLAG: ct.Constant[bool]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), ct.where(t > 0, t, 0.0).reshape((1, N)))
    ct.store(out, (1, 0), ct.where(ct.arange(N, dtype=ct.int32) < n, 1.0, -1.0).reshape((1, N)))
    scale = 2.0 if FLAG else 3.0
    shift = n if n > 3 else -n
    ct.store(out, (2, 0), (t * scale + shift).reshape((1, N)))
    ct.store(out, (3, 0), (ct.where(n > 3, t, -t)).reshape((1, N)))


def cases():
    for n, flag in ((2, True), (5, False)):
        x, out = torch.randn(8), torch.zeros(4, 8)
        ct.launch(torch.cuda.current_stream(), (1,), choose, (x, out, n, 8, flag))
        steps = torch.where(torch.arange(8) < n, 1.0, -1.0)
        mixed = x * (2.0 if flag else 3.0) + (n if n > 3 else -n)
        yield f"{n}", out, torch.stack([x.relu(), steps, mixed, x if n > 3 else -x])
