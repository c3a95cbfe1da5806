# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A part that a constant switches off makes no sense without it: its tile would be empty."""

import cuda.tile as ct
import torch


@ct.kernel
def add_parts(x, out, MAIN: ct.Constant[int], REST: ct.Constant[int]):
    total = ct.sum(ct.load(x, (ct.bid(0), 0), (1, MAIN), padding_mode=ct.PaddingMode.ZERO))
    if REST > 0:
        total = total + ct.sum(ct.load(x, (ct.bid(0), MAIN // REST), (1, REST), padding_mode=ct.PaddingMode.ZERO))
    for _ in range(2):
        if REST > 0:
            total = total + ct.sum(ct.load(x, (ct.bid(0), MAIN // REST), (1, REST), padding_mode=ct.PaddingMode.ZERO))
    ct.scatter(out, ct.bid(0), total)


def cases():
    x = torch.randn(3, 12)
    for main, rest in ((8, 4), (16, 0)):
        out = torch.zeros(3)
        ct.launch(torch.cuda.current_stream(), (3,), add_parts, (x, out, main, rest))
        yield f"{main} and {rest}", out, x[:, :main].sum(1) + 3 * x[:, main : main + rest].sum(1), 1e-5
