# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of any power of two, also below what tensor cores take."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (M, K)), ct.load(y, (0, 0), (K, N))
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((M, N), ct.float32)))


@ct.kernel
def multiply_thin(x, y, out):
    a, b = ct.load(x, (0, 0), (16, 4)), ct.load(y, (0, 0), (4, 16))
    ct.store(out, (0, 0), ct.mma(a, b, ct.ones((16, 16), ct.float32)))


@ct.kernel
def multiply_numbers(x, y, out):
    a, b = ct.load(x, (0, 0), (1, 1)), ct.load(y, (0, 0), (1, 1))
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((1, 1), ct.float32)))


@ct.kernel
def combine(weights, rows, out, K: ct.Constant[int], N: ct.Constant[int]):
    w = ct.reshape(ct.load(weights, (0,), (K,)), (1, K))
    ct.store(out, (0, 0), ct.mma(w, ct.load(rows, (0, 0), (K, N)), ct.zeros((1, N), ct.float32)))


def cases():
    for m, n, k in ((1, 16, 16), (16, 1, 32), (2, 2, 16), (1, 1, 16)):
        x, y, out = torch.randn(m, k), torch.randn(k, n), torch.zeros(m, n)
        ct.launch(torch.cuda.current_stream(), (1,), multiply, (x, y, out, m, n, k))
        yield f"{m}x{n}x{k}", out, x.double() @ y.double(), 1e-6
    for dtype in (torch.float32, torch.float16):
        x, y, out = torch.randn(16, 4).to(dtype), torch.randn(4, 16).to(dtype), torch.zeros(16, 16)
        ct.launch(torch.cuda.current_stream(), (1,), multiply_thin, (x, y, out))
        yield f"thin {dtype}", out, x.double() @ y.double() + 1, 1e-6
    for k in (2, 8, 64):
        x, y, out = torch.randn(k), torch.randn(k, 32), torch.zeros(1, 32)
        ct.launch(torch.cuda.current_stream(), (1,), combine, (x, y, out, k, 32))
        yield f"combine {k}", out, (x.double() @ y.double())[None], 1e-6
    x, y, out = torch.randn(1, 1), torch.randn(1, 1), torch.zeros(1, 1)
    ct.launch(torch.cuda.current_stream(), (1,), multiply_numbers, (x, y, out))
    yield "numbers", out, x.double() * y.double(), 1e-6
