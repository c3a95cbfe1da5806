# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of a dtype that a constant of the launch, or the array that takes them, decides."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, N: ct.Constant[int], WIDE: ct.Constant[bool]):
    dtype = ct.float32 if WIDE else ct.float16
    a = ct.load(x, (0, 0), (N, N)).astype(dtype)
    b = ct.load(y, (0, 0), (N, N)).astype(dtype)
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((N, N), ct.float32)).astype(out.dtype))


@ct.kernel
def multiply_in_its_own(x, y, out, N: ct.Constant[int], WIDE: ct.Constant[bool]):
    dtype = ct.float64 if WIDE else ct.float16
    a = ct.load(x, (0, 0), (N, N)).astype(dtype)
    b = ct.load(y, (0, 0), (N, N)).astype(dtype)
    ct.store(out, (0, 0), (a @ b).astype(out.dtype))


@ct.kernel
def multiply_floats_or_bytes(x, y, out, N: ct.Constant[int], FLOATS: ct.Constant[bool]):
    dtype = ct.float16 if FLOATS else ct.int8
    acc = ct.ones((N, N), ct.float32 if FLOATS else ct.int32)
    a = ct.load(x, (0, 0), (N, N)).astype(dtype)
    b = ct.load(y, (0, 0), (N, N)).astype(dtype)
    ct.store(out, (0, 0), ct.mma(a, b, acc).astype(out.dtype))


@ct.kernel
def multiply_as_the_result(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (N, N)), ct.load(y, (0, 0), (N, N))
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((N, N), out.dtype)))


@ct.kernel
def multiply_as_they_are(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (N, N)), ct.load(y, (0, 0), (N, N)).astype(x.dtype)
    ct.store(out, (0, 0), (a @ b).astype(out.dtype))


def cases():
    stream = torch.cuda.current_stream()
    x, y, out = torch.randn(32, 32), torch.randn(32, 32), torch.zeros(32, 32, dtype=torch.float64)

    def product(dtype):
        return x.to(dtype).double() @ y.to(dtype).double()

    for wide, dtype in ((True, torch.float32), (False, torch.float16)):
        ct.launch(stream, (1,), multiply, (x, y, out, 32, wide))
        yield f"{dtype}", out, product(dtype), 1e-6
    for wide, dtype, tolerance in ((True, torch.float64, 1e-12), (False, torch.float16, 2e-2)):
        ct.launch(stream, (1,), multiply_in_its_own, (x, y, out, 32, wide))
        yield f"in {dtype}", out, product(dtype), tolerance
    for floats, dtype in ((True, torch.float16), (False, torch.int8)):
        ct.launch(stream, (1,), multiply_floats_or_bytes, (x * 9, y * 9, out, 32, floats))
        yield f"floats or bytes: {dtype}", out, (x * 9).to(dtype).double() @ (y * 9).to(dtype).double() + 1, 1e-6
    for dtype, tolerance in ((torch.float16, 2e-2), (torch.float32, 1e-6), (torch.float64, 1e-12)):
        result = torch.zeros(32, 32, dtype=dtype)
        ct.launch(stream, (1,), multiply_as_the_result, (x.to(dtype), y.to(dtype), result, 32))
        yield f"as the result: {dtype}", result, product(dtype), tolerance
        ct.launch(stream, (1,), multiply_as_they_are, (x.to(dtype), y.to(dtype), out, 32))
        yield f"as they are: {dtype}", out, product(dtype), tolerance
