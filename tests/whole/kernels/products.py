# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""mma accumulates in the accumulator; float32 stays float32; leading axes are batches; norms of products."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    acc = ct.zeros((M, N), dtype=ct.float32)
    for k in range(ct.num_tiles(x, axis=1, shape=(M, K))):
        a = ct.load(x, (0, k), (M, K), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(y, (k, 0), (K, N), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(out, (0, 0), acc.astype(out.dtype))


@ct.kernel
def multiply_batches(x, y, out, B: ct.Constant[int], N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0, 0), (B, N, N)), ct.load(y, (0, 0, 0), (B, N, N))
    ct.store(out, (0, 0, 0), ct.mma(a, b, ct.full((B, N, N), 1.0, ct.float32)))


@ct.kernel
def norm_of_product(x, y, out, N: ct.Constant[int]):
    product = ct.mma(ct.load(x, (0, 0), (N, N)), ct.load(y, (0, 0), (N, N)), ct.zeros((N, N), ct.float32))
    columns = ct.zeros((N,), ct.float32)
    for _ in range(2):
        columns += ct.sum(product, axis=0)
    total = ct.sum(columns / 2, axis=0)
    ct.store(out, 0, ct.max(ct.sum(ct.abs(product), axis=1), axis=0))
    ct.store(out, 1, total)


def cases():
    stream = torch.cuda.current_stream()
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float16, 1e-3)):
        x, y = torch.randn(16, 50).to(dtype), torch.randn(50, 16).to(dtype)
        out = torch.zeros(16, 16, dtype=dtype)
        ct.launch(stream, (1,), multiply, (x, y, out, 16, 16, 32))
        yield f"{dtype}", out, x.double() @ y.double(), tolerance
    x, y, out = torch.randn(2, 16, 16).half(), torch.randn(2, 16, 16).half(), torch.zeros(2, 16, 16)
    ct.launch(stream, (1,), multiply_batches, (x, y, out, 2, 16))
    yield "batches", out, x.double() @ y.double() + 1, 1e-6
    x, y, out = torch.randn(64, 64).half(), torch.randn(64, 64).half(), torch.zeros(2)
    ct.launch(stream, (1,), norm_of_product, (x, y, out, 64))
    product = x.double() @ y.double()
    yield "norm", out, torch.stack([product.abs().sum(1).max(), product.sum()]), 1e-4
