# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A float32 that becomes a tf32 is rounded to the nearest one, ties to even; what is no float32 stays what it is."""

import cuda.tile as ct
import numpy as np
import torch


@ct.kernel
def convert(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (N,)).astype(ct.tfloat32).astype(ct.float32))


@ct.kernel
def convert_float32_only(x, out, N: ct.Constant[int]):
    dtype = ct.tfloat32 if x.dtype == ct.float32 else x.dtype
    ct.store(out, (0,), ct.load(x, (0,), (N,)).astype(dtype).astype(x.dtype))


@ct.kernel
def convert_if_asked(x, out, N: ct.Constant[int], ROUND: ct.Constant[bool]):
    dtype = ct.tfloat32 if ROUND else ct.float32
    ct.store(out, (0,), ct.load(x, (0,), (N,)).astype(dtype).astype(ct.float32))


@ct.kernel
def multiply(x, y, out, N: ct.Constant[int]):
    dtype = ct.tfloat32 if x.dtype == ct.float32 else x.dtype
    a = ct.load(x, (0, 0), (N, N)).astype(dtype)
    b = ct.load(y, (0, 0), (N, N)).astype(dtype)
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((N, N), ct.float32)))


def rounded(x):
    """By its bits: the two neighbours that tf32 has, the nearer one, of two equally near ones the even one."""
    bits = x.numpy().view(np.uint32).astype(np.uint64)
    down, rest = bits & ~np.uint64(0x1FFF), bits & np.uint64(0x1FFF)
    up = (rest > 0x1000) | ((rest == 0x1000) & (down >> np.uint64(13) & np.uint64(1) == 1))
    return torch.from_numpy((down + up * np.uint64(0x2000)).astype(np.uint32).view(np.float32).copy())


def numbers():
    """Every kind of float32 but NaN: random bits, ties, zeros, denormals, the largest ones, infinities."""
    bits = np.random.default_rng(0).integers(0, 2**32, 4096, dtype=np.uint32)
    bits[::4] = bits[::4] & 0xFFFFE000 | 0x1000
    bits[1:64:4] &= 0x807FFFFF
    bits[2:8] = 0x00000000, 0x80000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    bits[nan] &= 0xBFFFFFFF
    return torch.from_numpy(bits.view(np.float32).copy())


def cases():
    stream = torch.cuda.current_stream()
    x = numbers()
    nans = torch.tensor([0x7F800001, 0x7FFFFFFF, -1, -0x7FFFFF, 0x7FC00000], dtype=torch.int32).view(torch.float32)
    x[-len(nans) :] = 0.0
    out = torch.zeros_like(x)
    ct.launch(stream, (1,), convert, (x, out, 4096))
    yield "bits", out.view(torch.int32), rounded(x).view(torch.int32)
    for kind in (torch.float16, torch.bfloat16, torch.float32):
        y = x.to(kind)
        out = torch.zeros_like(y)
        ct.launch(stream, (1,), convert_float32_only, (y, out, 4096))
        yield f"of any dtype, {kind}", out, rounded(x) if kind == torch.float32 else y, 0.0
    for asked in (False, True):
        out = torch.zeros_like(x)
        ct.launch(stream, (1,), convert_if_asked, (x, out, 4096, asked))
        yield f"asked for: {asked}", out.view(torch.int32), (rounded(x) if asked else x).view(torch.int32)
    x[-len(nans) :] = nans
    ct.launch(stream, (1,), convert, (x, out, 4096))
    yield "NaN stays NaN", out.isnan(), x.isnan()

    x, y, out = torch.randn(32, 32), torch.randn(32, 32), torch.zeros(32, 32)
    ct.launch(stream, (1,), multiply, (x, y, out, 32))
    yield "product", out, rounded(x).double() @ rounded(y).double(), 1e-6
    ct.launch(stream, (1,), multiply, (x.half(), y.half(), out, 32))
    yield "product of float16", out, x.half().double() @ y.half().double(), 1e-6
