# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""An array that a constant switches off may be of any rank in the launches that do not use it."""

import cuda.tile as ct
import torch


@ct.kernel
def scale(x, factors, bias, out, N: ct.Constant[int], SCALED: ct.Constant[bool], BIASED: ct.Constant[bool]):
    row = ct.load(x, (ct.bid(0), 0), (1, N))
    if SCALED:
        row = row * ct.load(factors, (ct.bid(0), 0), (1, N))
    if BIASED:
        row = row + ct.load(bias, 0, N)
    ct.store(out, (ct.bid(0), 0), row)


def cases():
    x, factors, bias = torch.randn(3, 8), torch.randn(3, 8), torch.randn(8)
    for scaled in (False, True):
        for biased in (False, True):
            out = torch.zeros(3, 8)
            given = factors if scaled else torch.zeros(1), bias if biased else x
            ct.launch(torch.cuda.current_stream(), (3,), scale, (x, *given, out, 8, scaled, biased))
            yield f"{scaled} {biased}", out, (x * factors if scaled else x) + (bias if biased else 0)
