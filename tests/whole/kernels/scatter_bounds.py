# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A scatter drops what lies outside, also below zero, and what the mask switches off."""

import cuda.tile as ct
import torch


@ct.kernel
def scatter_kernel(x, indices, plain, masked, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    places, values = ct.gather(indices, lanes), ct.gather(x, lanes)
    ct.scatter(plain, places, values)
    ct.scatter(masked, places, values, mask=lanes < 4)
    # waits
    ct.scatter(masked, 9, 5)


def cases():
    x = torch.randn(8)
    indices = torch.tensor([0, 3, 10, -1, 7, 5, 2**31 - 1, -10], dtype=torch.int32)
    plain, masked = torch.zeros(10), torch.zeros(10)
    ct.launch(torch.cuda.current_stream(), (1,), scatter_kernel, (x, indices, plain, masked, 8))
    expected = torch.zeros(10)
    expected[[0, 3, 7, 5]] = x[[0, 1, 4, 5]]
    yield "plain", plain, expected
    expected = torch.zeros(10)
    expected[[0, 3, 9]] = torch.tensor([x[0], x[1], 5.0])
    yield "masked", masked, expected
