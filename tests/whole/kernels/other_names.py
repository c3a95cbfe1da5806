# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The module and its functions may be imported under any name."""

import cuda.tile as tile
import torch
from cuda.tile import Constant, bid, kernel, launch, load
from cuda.tile import store as put


@kernel
def renamed(x, out, N: Constant[int]):
    i = bid(0)
    put(out, (i,), tile.exp(load(x, (i,), (N,))))


def cases():
    x, out = torch.randn(10), torch.zeros(10)
    launch(torch.cuda.current_stream(), (tile.cdiv(10, 4),), renamed, (x, out, 4))
    yield "all", out, x.double().exp()
