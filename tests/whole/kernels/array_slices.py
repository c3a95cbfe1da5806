# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A slice of an array is an array with its own extent."""

import cuda.tile as ct
import torch


@ct.kernel
def segments(x, bounds, out, T: ct.Constant[int]):
    b = ct.bid(0)
    start, stop = ct.gather(bounds, b), ct.gather(bounds, b + 1)
    part, result = x.slice(axis=0, start=start, stop=stop), out.slice(0, start, stop)
    for i in range(ct.cdiv(stop - start, T)):
        tile = ct.load(part, (i, 0), (T, T), padding_mode=ct.PaddingMode.ZERO)
        ct.store(result, (i, 0), tile + ct.sum(tile, axis=0, keepdims=True))


def cases():
    x, out = torch.randn(20, 4), torch.zeros(20, 4)
    bounds = torch.tensor([0, 3, 3, 13, 20], dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (4,), segments, (x, bounds, out, 4))
    expected = torch.zeros(20, 4)
    for start, stop in zip(bounds[:-1], bounds[1:]):
        for low in range(start, stop, 4):
            high = min(low + 4, stop)
            expected[low:high] = x[low:high] + x[low:high].sum(0)
    yield "segments", out, expected
