# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of a grid of three axes, and a persistent loop over tiles."""

import cuda.tile as ct
import torch


@ct.kernel
def where_am_i(out):
    i, j, k = ct.bid(0), ct.bid(1), ct.bid(2)
    n = (k * ct.num_blocks(1) + j) * ct.num_blocks(0) + i
    ct.scatter(out, (k, j, i), n)


@ct.kernel
def persistent(x, out, N: ct.Constant[int]):
    for i in range(ct.bid(0), ct.cdiv(x.shape[0], N), ct.num_blocks(0)):
        ct.store(out, (i,), ct.load(x, (i,), (N,)) * 2.0)


def cases():
    out = torch.zeros(2, 3, 4, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (4, 3, 2), where_am_i, (out,))
    yield "places", out, torch.arange(24).reshape(2, 3, 4)
    for programs in (1, 3, 50):
        x, out = torch.randn(50), torch.zeros(50)
        ct.launch(torch.cuda.current_stream(), (programs,), persistent, (x, out, 8))
        yield f"persistent {programs}", out, x * 2
