# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Comparisons with NaN are false, but for `!=`."""

import cuda.tile as ct
import torch


@ct.kernel
def compare(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(out, (0, 0), (a == b).reshape((1, N)))
    ct.store(out, (1, 0), (a != b).reshape((1, N)))
    ct.store(out, (2, 0), (a < b).reshape((1, N)))
    ct.store(out, (3, 0), ct.less_equal(a, b).reshape((1, N)))
    ct.store(out, (4, 0), (a > 0).reshape((1, N)))
    ct.store(out, (5, 0), (0 >= a).reshape((1, N)))
    ct.store(out, (6, 0), ct.isnan(a).reshape((1, N)))


def cases():
    x = torch.tensor([1.0, 2.0, float("nan"), -1.0, 0.0, float("inf"), float("nan"), -0.0])
    y = torch.tensor([1.0, 3.0, 1.0, float("nan"), -0.0, float("inf"), float("nan"), 1.0])
    out = torch.zeros(7, 8, dtype=torch.bool)
    ct.launch(torch.cuda.current_stream(), (1,), compare, (x, y, out, 8))
    yield "all", out, torch.stack([x == y, x != y, x < y, x <= y, x > 0, x <= 0, x.isnan()])
