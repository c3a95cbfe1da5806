# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Maximum and minimum of a tile ignore NaN."""

import cuda.tile as ct
import torch


@ct.kernel
def extremes(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), ct.max(t).reshape((1,)))
    ct.store(out, (1,), ct.min(t).reshape((1,)))


def cases():
    x, out = torch.tensor([1.0, float("nan"), -3.0, 2.0]), torch.zeros(2)
    ct.launch(torch.cuda.current_stream(), (1,), extremes, (x, out, 4))
    yield "ignored", out, torch.tensor([2.0, -3.0])
