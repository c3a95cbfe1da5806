# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A product has its operands' dtype, whatever takes it: bytes are cut off, halves are rounded."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply_bytes(x, y, out, narrow, N: ct.Constant[int]):
    whole = ct.load(x, (0, 0), (N, N)).astype(ct.int32)
    a, b = ct.astype(whole, ct.int8), ct.astype(ct.load(y, (0, 0), (N, N)), ct.int8)
    ct.store(out, (0, 0), a @ b)
    ct.store(out, (1, 0), ct.where(whole > 0, a @ b, whole))
    ct.store(out, (2, 0), ct.astype((a @ b) > whole, ct.int32))
    ct.store(out, (3, 0), max(a @ b, whole))
    ct.store(out, (4, 0), ct.matmul(a, b) + whole)
    ct.store(out, (5, 0), ct.sum(ct.matmul(a, b), 0, keepdims=True) + whole)
    ct.store(narrow, (0, 0), a @ b)


@ct.kernel
def multiply_as_they_are(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (N, N)), ct.load(y, (0, 0), (N, N))
    ct.store(out, (0, 0), a @ b)
    ct.store(out, (1, 0), (a @ b) + ct.zeros((N, N), ct.float32))


@ct.kernel
def multiply_halves(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (N, N)).astype(ct.float16), ct.load(y, (0, 0), (N, N)).astype(ct.float16)
    ct.store(out, (0, 0), a @ b)
    ct.store(out, (1, 0), ct.where(ct.load(x, (0, 0), (N, N)) > 0, a @ b, 0.0) + ct.zeros((N, N), ct.float32))


def cases():
    stream = torch.cuda.current_stream()
    x, y = (torch.randint(-50, 50, (32, 32), dtype=torch.int32) for _ in range(2))
    out, narrow = torch.zeros(6 * 32, 32, dtype=torch.int32), torch.zeros(32, 32, dtype=torch.int8)
    ct.launch(stream, (1,), multiply_bytes, (x, y, out, narrow, 32))
    product = (x @ y).to(torch.int8)
    wide = product.int()
    assert (wide != x @ y).any()
    column = product.sum(0, keepdim=True, dtype=torch.int8).int()
    results = dict(stored=wide, chosen=torch.where(x > 0, wide, x), compared=(wide > x).int(), larger=torch.maximum(wide, x))
    results.update(added=wide + x, summed=column + x)
    for i, (name, expected) in enumerate(results.items()):
        yield name, out[i * 32 : i * 32 + 32], expected
    yield "into bytes", narrow, product
    for dtype in (torch.float16, torch.float32):
        x, y, out = torch.randn(32, 32).to(dtype), torch.randn(32, 32).to(dtype), torch.zeros(64, 32)
        ct.launch(stream, (1,), multiply_as_they_are, (x, y, out, 32))
        yield f"{dtype}", out, (x.double() @ y.double()).repeat(2, 1), 2e-2 if dtype == torch.float16 else 2e-6
        yield f"{dtype} holds it", out, out.to(dtype), 0.0
    x, y, out = torch.randn(32, 32), torch.randn(32, 32), torch.zeros(64, 32)
    ct.launch(stream, (1,), multiply_halves, (x, y, out, 32))
    product = x.half().double() @ y.half().double()
    yield "halves", out, torch.cat([product, torch.where(x > 0, product, 0.0)]), 2e-2
    yield "halves hold them", out, out.half(), 0.0
