# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Half precision rounds after every operation."""

import cuda.tile as ct
import torch


@ct.kernel
def polynomial(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    squares = t * t
    cubes = squares * t
    ct.store(out, (0,), (cubes / 3.0 - squares) / (t + 10.0))


@ct.kernel
def accumulate(x, out, N: ct.Constant[int]):
    total = ct.zeros((N,), dtype=ct.float16)
    for i in range(50):
        total = total + ct.load(x, (i,), (N,))
    ct.store(out, (0,), total)


def cases():
    x = torch.randn(64).half()
    out = torch.zeros(64).half()
    ct.launch(torch.cuda.current_stream(), (1,), polynomial, (x, out, 64))
    squares = x * x
    yield "polynomial", out, (squares * x / 3 - squares) / (x + 10), 2e-3  # a product may be fused with the difference
    x, out = torch.rand(50 * 8).half() * 100, torch.zeros(8).half()
    ct.launch(torch.cuda.current_stream(), (1,), accumulate, (x, out, 8))
    total = torch.zeros(8).half()
    for part in x.reshape(50, 8):
        total = total + part
    yield "accumulate", out, total, 0.0
