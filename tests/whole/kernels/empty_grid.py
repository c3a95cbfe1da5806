# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A grid with a zero launches nothing."""

import cuda.tile as ct
import torch


@ct.kernel
def touch(out):
    ct.scatter(out, ct.bid(0), 1.0)


def cases():
    for grid in ((0,), (4, 0), (0, 1, 1)):
        out = torch.zeros(4)
        ct.launch(torch.cuda.current_stream(), grid, touch, (out,))
        yield f"{grid}", out, torch.zeros(4)
