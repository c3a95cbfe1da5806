# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""argmax and argmin give the first place of the extreme, as int32; NaN is behind all numbers, infinities too, or before them."""

import cuda.tile as ct
import torch


@ct.kernel
def places(x, most, least, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(most, (0,), ct.argmax(t, axis=1))
    ct.store(least, (0, 0), ct.argmin(t, axis=1, keepdims=True))


@ct.kernel
def places_of_nan(x, most, least, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(most, (0,), ct.argmax(t, axis=1, propagate_nan=True))
    ct.store(least, (0, 0), ct.argmin(t, axis=1, keepdims=True, propagate_nan=True))


@ct.kernel
def place_in_all(x, out, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(out, (0,), ct.argmax(t).reshape((1,)))
    ct.store(out, (1,), ct.argmin(t).reshape((1,)))


@ct.kernel
def place_in_reshaped(x, out, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N)).reshape((M * N,))
    ct.store(out, (0,), ct.argmax(t, axis=0).reshape((1,)))
    ct.store(out, (1,), ct.argmin(t, axis=0, keepdims=True))


def cases():
    x = torch.tensor([[1.0, 5.0, 5.0, 0.0], [2.0, 2.0, 2.0, 2.0], [-1.0, -2.0, -3.0, -4.0], [0.0, 0.0, 1.0, 1.0]])
    most, least = torch.zeros(4, dtype=torch.int32), torch.zeros(4, 1, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (1,), places, (x, most, least, 4, 4))
    yield "most", most, torch.tensor([1, 0, 0, 2])
    yield "least", least, torch.tensor([[3], [0], [3], [0]])
    nan, inf = float("nan"), float("inf")
    x = torch.tensor([[3.0, 1.0, nan, 2.0], [nan, 1.0, 3.0, nan], [nan, nan, nan, nan], [-1.0, nan, -3.0, -4.0]])
    edges = torch.tensor([[nan, -inf, -inf, nan], [nan, inf, inf, nan], [-0.0, 0.0, -0.0, nan], [-inf, -3e38, 3e38, inf]])
    all_places = torch.zeros(2, dtype=torch.int32)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        ct.launch(torch.cuda.current_stream(), (1,), places, (x.to(dtype), most, least, 4, 4))
        yield f"most of NaN, {dtype}", most.clone(), torch.tensor([0, 2, 0, 0])
        yield f"least of NaN, {dtype}", least.clone(), torch.tensor([[1], [1], [0], [3]])
        ct.launch(torch.cuda.current_stream(), (1,), places, (edges.to(dtype), most, least, 4, 4))
        yield f"most of edges, {dtype}", most.clone(), torch.tensor([1, 1, 0, 2 if dtype == torch.float16 else 3])
        yield f"least of edges, {dtype}", least.clone(), torch.tensor([[1], [1], [0], [0]])
        ct.launch(torch.cuda.current_stream(), (1,), places_of_nan, (edges.to(dtype), most, least, 4, 4))
        yield f"NaN first, most of edges, {dtype}", most.clone(), torch.tensor([0, 0, 3, 2 if dtype == torch.float16 else 3])
        yield f"NaN first, least of edges, {dtype}", least.clone(), torch.tensor([[0], [0], [3], [0]])
        ct.launch(torch.cuda.current_stream(), (1,), place_in_all, (edges.to(dtype), all_places, 4, 4))
        yield f"in all, {dtype}", all_places.clone(), torch.tensor([5, 1])
    whole = torch.tensor([[3, 1, 3, 2], [-(2**31), 0, 2**31 - 1, 0], [0, 0, 0, 0], [1, 2, 3, 4]], dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (1,), places, (whole, most, least, 4, 4))
    yield "most of integers", most.clone(), torch.tensor([0, 2, 0, 3])
    yield "least of integers", least.clone(), torch.tensor([[1], [0], [0], [0]])
    for dtype in (torch.int32, torch.int64, torch.int8):
        for kernel in (place_in_all, place_in_reshaped):
            ties = torch.zeros(16, 64, dtype=dtype)
            ties[5], ties[8, 63], ties[7, 30], ties[9, 3] = -9, -9, 9, 9
            ct.launch(torch.cuda.current_stream(), (1,), kernel, (ties, all_places, 16, 64))
            yield f"ties in all, {dtype}, {'all axes' if kernel is place_in_all else 'reshaped'}", all_places.clone(), torch.tensor([478, 320])
