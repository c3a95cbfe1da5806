# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A gather outside of the array, also below zero, gives the padding value; a mask switches lanes off."""

import cuda.tile as ct
import torch


@ct.kernel
def gather_kernel(x, indices, plain, padded, masked, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    places = ct.gather(indices, lanes)
    ct.scatter(plain, lanes, ct.gather(x, places))
    ct.scatter(padded, lanes, ct.gather(x, (places,), padding_value=-7.5))
    ct.scatter(masked, lanes, ct.gather(x, places, mask=lanes % 2 == 0, padding_value=3))


@ct.kernel
def gather_inside(x, out, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    ct.scatter(out, lanes, ct.gather(x, N - 1 - lanes, check_bounds=False), check_bounds=False)


def cases():
    x = torch.randn(10)
    indices = torch.tensor([0, 9, 10, -1, -10, 5, 2**31 - 1, -(2**31)], dtype=torch.int32)
    outs = [torch.zeros(8) for _ in range(3)]
    ct.launch(torch.cuda.current_stream(), (1,), gather_kernel, (x, indices, *outs, 8))
    inside = (indices >= 0) & (indices < 10)
    value = x[torch.where(inside, indices, 0).long()]
    even = torch.arange(8) % 2 == 0
    yield "plain", outs[0], torch.where(inside, value, 0.0)
    yield "padded", outs[1], torch.where(inside, value, -7.5)
    yield "masked", outs[2], torch.where(inside & even, value, 3.0)
    x, out = torch.randn(16), torch.zeros(16)
    ct.launch(torch.cuda.current_stream(), (1,), gather_inside, (x, out, 16))
    yield "inside", out, x.flip(0)
