# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays need not be contiguous: transposed, sliced, and repeated by a stride of zero."""

import cuda.tile as ct
import torch


@ct.kernel
def add(x, y, out, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    a = ct.load(x, (i, j), (TM, TN), padding_mode=ct.PaddingMode.ZERO)
    b = ct.load(y, (i, j), (TM, TN), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i, j), a + b)


@ct.kernel
def add_elements(x, y, out, N: ct.Constant[int]):
    i = ct.bid(0)
    lanes = ct.arange(N, dtype=ct.int32)
    ct.scatter(out, (i, lanes), ct.gather(x, (i, lanes)) + ct.gather(y, (i, lanes)))


def cases():
    layouts = {
        "contiguous": lambda: torch.randn(10, 13),
        "transposed": lambda: torch.randn(13, 10).mT,
        "sliced": lambda: torch.randn(20, 30)[3:13, 2:28:2],
        "repeated": lambda: torch.randn(13).expand(10, 13),
    }
    for name, make in layouts.items():
        for other, make_other in layouts.items():
            x, y, out = make(), make_other(), torch.zeros(13, 10).mT
            ct.launch(torch.cuda.current_stream(), (3, 2), add, (x, y, out, 4, 8))
            yield f"tiles {name} {other}", out, x + y
            out = torch.zeros(40, 13)[::4]
            ct.launch(torch.cuda.current_stream(), (10,), add_elements, (x, y, out, 16))
            yield f"elements {name} {other}", out, x + y
