# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Running sums and products, forwards and backwards, along each axis."""

import cuda.tile as ct
import torch


@ct.kernel
def running(x, down, right, back, product, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(down, (0, 0), ct.cumsum(t, axis=0))
    ct.store(right, (0, 0), ct.cumsum(t, axis=1))
    ct.store(back, (0, 0), ct.cumsum(t, axis=1, reverse=True))
    ct.store(product, (0, 0), ct.cumprod(t, axis=-1))


def cases():
    x = torch.randn(4, 8)
    outs = [torch.zeros(4, 8) for _ in range(4)]
    ct.launch(torch.cuda.current_stream(), (1,), running, (x, *outs, 4, 8))
    d = x.double()
    yield "down", outs[0], d.cumsum(0)
    yield "right", outs[1], d.cumsum(1)
    yield "back", outs[2], d.flip(1).cumsum(1).flip(1)
    yield "product", outs[3], d.cumprod(1)
