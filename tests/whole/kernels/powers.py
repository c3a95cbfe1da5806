# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A power is rounded once, to the dtype in which it is calculated."""

import cuda.tile as ct
import torch


@ct.kernel
def of_any(x, squares, cubes, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(squares, (0,), t**2)
    ct.store(cubes, (0,), t**3)


@ct.kernel
def of_halves(x, squares, cubes, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,)).astype(ct.float16)
    ct.store(squares, (0,), t**2)
    ct.store(cubes, (0,), t**3)


@ct.kernel
def of_integers(x, squares, cubes, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,)).astype(ct.int32)
    ct.store(squares, (0,), t**2.0)
    ct.store(cubes, (0,), t**3.0)


@ct.kernel
def of_pairs(x, y, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (N,)) ** ct.load(y, (0,), (N,)))


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        x = (torch.arange(64) * 0.171 - 3).to(dtype)
        wide = x.double()
        squares, cubes = torch.zeros_like(x), torch.zeros_like(x)
        ct.launch(stream, (1,), of_any, (x, squares, cubes, 64))
        bound = 0.0 if dtype.itemsize < 4 else 1e-6
        yield f"cubes of {dtype}", cubes, (wide**3).to(dtype), bound
        if dtype != torch.bfloat16:  # which Triton's interpreter cannot multiply
            yield f"squares of {dtype}", squares, (wide**2).to(dtype), bound
    x = (torch.arange(64) * 0.171 - 3).to(torch.float16)
    squares, cubes = torch.zeros_like(x), torch.zeros_like(x)
    ct.launch(stream, (1,), of_halves, (x.float(), squares, cubes, 64))
    yield "squares of halves", squares, (x.double() ** 2).half(), 0.0
    yield "cubes of halves", cubes, (x.double() ** 3).half(), 0.0
    x = torch.arange(64) * 1000
    squares, cubes = torch.zeros(64), torch.zeros(64)
    ct.launch(stream, (1,), of_integers, (x.float(), squares, cubes, 64))
    yield "squares of integers", squares, (x.double() ** 2).float(), 1e-6
    yield "cubes of integers", cubes, (x.double() ** 3).float(), 1e-6
    inf, nan = float("inf"), float("nan")
    edges = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, -2.5, inf, -inf, nan, 7.0])
    x, y = edges.repeat_interleave(16), edges.repeat(16)
    out = torch.zeros(256)
    ct.launch(stream, (1,), of_pairs, (x, y, out, 256))
    yield "powers of edges", out, torch.pow(x, y), 1e-6
    yield "signs of powers of edges", torch.signbit(out) & ~out.isnan(), torch.signbit(torch.pow(x, y)) & ~out.isnan()
