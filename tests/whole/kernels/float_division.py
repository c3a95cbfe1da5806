# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Float `/`, `//` and `%`: the last two floor like Python."""

import cuda.tile as ct
import torch


@ct.kernel
def divide(x, y, quotient, floored, remainder, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(quotient, (0,), a / b)
    ct.store(floored, (0,), a // b)
    ct.store(remainder, (0,), a % b)


@ct.kernel
def divide_integers(x, y, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (N,)) / ct.load(y, (0,), (N,)))


def cases():
    x = torch.tensor([7.5, -7.5, 7.5, -7.5, 1.0, -0.25, 3.0, 100.0])
    y = torch.tensor([2.0, 2.0, -2.0, -2.0, 3.0, 5.0, 0.5, -7.0])
    outs = [torch.zeros(8) for _ in range(3)]
    ct.launch(torch.cuda.current_stream(), (1,), divide, (x, y, *outs, 8))
    yield "quotient", outs[0], x.double() / y.double()
    yield "floored", outs[1], torch.floor(x / y)
    yield "remainder", outs[2], torch.remainder(x, y)
    x, y, out = torch.tensor([7, -7, 1, 5], dtype=torch.int32), torch.tensor([2, 2, 3, -4], dtype=torch.int32), torch.zeros(4)
    ct.launch(torch.cuda.current_stream(), (1,), divide_integers, (x, y, out, 4))
    yield "integers", out, x.double() / y.double()
