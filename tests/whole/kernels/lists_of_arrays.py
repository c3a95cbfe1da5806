# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A list of arrays is indexed at run time."""

import cuda.tile as ct
import torch


@ct.kernel
def scale_all(xs, outs, T: ct.Constant[int]):
    results = outs
    for g in range(len(results)):
        x, out = xs[g], results[g]
        for i in range(ct.num_tiles(x, 0, (T, T))):
            ct.store(out, (i, 0), ct.load(x, (i, 0), (T, T), padding_mode=ct.PaddingMode.ZERO) * 2.0)


def cases():
    xs = [torch.randn(rows, columns) for rows, columns in ((10, 8), (3, 5), (1, 1))]
    outs = [torch.zeros_like(x) for x in xs]
    ct.launch(torch.cuda.current_stream(), (1,), scale_all, (xs, outs, 8))
    for i, (x, out) in enumerate(zip(xs, outs)):
        yield f"{i}", out, x * 2
