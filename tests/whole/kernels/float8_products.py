# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of float8, in a kernel for any dtype, in one for float8 alone, and in a helper that has no name for the depth."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    acc = ct.zeros((M, N), dtype=ct.float32)
    for k in range(ct.num_tiles(x, axis=1, shape=(M, K))):
        a = ct.load(x, (0, k), (M, K), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(y, (0, k), (N, K), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(out, (0, 0), acc)


@ct.kernel
def multiply_as_float8(x, y, out, N: ct.Constant[int]):
    a = ct.load(x, (0, 0), (N, 256)).astype(ct.float8_e5m2)
    b = ct.load(y, (0, 0), (N, 256)).astype(ct.float8_e5m2)
    ct.store(out, (0, 0), ct.mma(a, ct.transpose(b), ct.full((N, N), 1.0, ct.float32)))


def product(a, b, acc):
    return ct.mma(a, b, acc)


@ct.kernel
def multiply_by_helper(x, y, out, N: ct.Constant[int], K: ct.Constant[int]):
    a = ct.load(x, (0, 0), (N, K))
    b = ct.transpose(ct.load(y, (0, 0), (N, K)))
    ct.store(out, (0, 0), product(a, b, ct.full((N, N), 1.0, ct.float32)))


@ct.kernel
def scale_and_multiply(x, y, out, N: ct.Constant[int]):
    """What is calculated with is no float8."""
    a, b = ct.load(x, (0, 0), (N, N)), ct.load(y, (0, 0), (N, N))
    ct.store(out, (0, 0), ct.mma(a * 2, b, ct.zeros((N, N), ct.float32)))


def cases():
    stream = torch.cuda.current_stream()
    x, y, out = torch.randn(128, 300), torch.randn(128, 300), torch.zeros(128, 128)
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float16):
        a, b = x.to(dtype), y.to(dtype)
        expected = a.double() @ b.double().T
        ct.launch(stream, (1,), multiply, (a, b, out, 128, 128, 64))
        yield f"{dtype}", out, expected, 1e-6
        expected = a[:, :128].double() @ b[:, :128].double().T + 1
        ct.launch(stream, (1,), multiply_by_helper, (a, b, out, 128, 128))
        yield f"by a helper, {dtype}", out, expected, 1e-6
    ct.launch(stream, (1,), multiply_as_float8, (x, y, out, 128))
    expected = x[:, :256].to(torch.float8_e5m2).double() @ y[:, :256].to(torch.float8_e5m2).double().T + 1
    yield "converted", out, expected, 1e-6
    ct.launch(stream, (1,), scale_and_multiply, (x.half(), y.half(), out, 128))
    yield "scaled", out, (x[:, :128].half() * 2).double() @ y[:, :128].half()[:128].double(), 1e-6
