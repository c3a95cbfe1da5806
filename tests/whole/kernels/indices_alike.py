# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Two indices of one access that are the same op on the same tile, but for an axis, an order or a direction."""

import cuda.tile as ct
import torch


@ct.kernel
def gather_across(x, out, T: ct.Constant[int]):
    i = ct.arange(T, dtype=ct.int32)
    ct.store(out, (0, 0), ct.gather(x, (i[:, None], i[None, :])))


@ct.kernel
def scatter_across(out, T: ct.Constant[int]):
    i = ct.arange(T, dtype=ct.int32)
    ct.scatter(out, (i[:, None], i[None, :]), i[None, :] * 1.0)


@ct.kernel
def scatter_triangles(out, T: ct.Constant[int]):
    i = ct.arange(T, dtype=ct.int32)
    ct.scatter(out, (i[:, None], i[None, :]), 2.0, mask=i[:, None] <= i[None, :])
    # waits
    ct.scatter(out, (i[:, None], i[None, :]), 3.0, mask=i[:, None] > i[None, :], check_bounds=False)


@ct.kernel
def add_across(out, T: ct.Constant[int]):
    i = ct.arange(T, dtype=ct.int32)
    ct.atomic_add(out, (i[:, None], i[None, :]), 1.0)
    ct.atomic_add(out, (i[:, None], 0), 1.0)


def put(out, rows, columns, value):
    ct.scatter(out, (rows, columns), value)


def take(x, i):
    return ct.gather(x, (i[:, None], i[None, :]))


@ct.kernel
def across_in_helpers(x, out):
    i = ct.arange(4, dtype=ct.int32)
    put(out, i[:, None], i[None, :], 4.0)
    # waits
    put(out, i[:, None], i[:, None] + 1, 5.0)
    ct.store(x, (0, 0), take(x, i) * 2)


@ct.kernel
def gather_by_shapes(x, squares, sums, extremes):
    t = ct.arange(8, dtype=ct.int32).reshape((2, 4))
    s = ct.arange(16, dtype=ct.int32).reshape((4, 4))
    ct.store(squares, (0, 0), ct.gather(x, (ct.permute(s, (0, 1)), ct.permute(s, (1, 0)))))
    ct.store(squares, (1, 0), ct.gather(x, (s, s.transpose())))
    ct.store(sums, (0, 0), ct.gather(x, (ct.cumsum(t, 1), ct.cumsum(t, 1, reverse=True))))
    ct.store(sums, (1, 0), ct.gather(x, (ct.cumsum(t, 1), ct.cumsum(t, 0))))
    ct.store(extremes, (0, 0), ct.gather(x, (ct.max(s, 1), ct.max(s, 0)))[None, :])
    ct.store(extremes, (1, 0), ct.gather(x, (ct.max(s, 1), ct.min(s, 1)))[None, :])


def cases():
    stream = torch.cuda.current_stream()
    x, out = torch.arange(20.0).reshape(4, 5), torch.zeros(4, 4)
    ct.launch(stream, (1,), gather_across, (x, out, 4))
    yield "gathered", out, x[:, :4]
    out = torch.zeros(3, 3)
    ct.launch(stream, (1,), scatter_across, (out, 4))
    yield "scattered", out, torch.arange(3.0).expand(3, 3)
    out = torch.zeros(4, 4)
    ct.launch(stream, (1,), scatter_triangles, (out, 4))
    yield "triangles", out, torch.full((4, 4), 2.0) + torch.ones(4, 4).tril(-1)
    out = torch.zeros(5, 5)
    ct.launch(stream, (1,), add_across, (out, 4))
    expected = torch.zeros(5, 5)
    expected[:4, :4] = 1
    expected[:4, 0] += 1
    yield "added", out, expected
    x, out = torch.arange(25.0).reshape(5, 5), torch.zeros(5, 5)
    expected, doubled = torch.zeros(5, 5), x.clone()
    ct.launch(stream, (1,), across_in_helpers, (x, out))
    expected[:4, :4] = 4
    expected[range(4), range(1, 5)] = 5
    doubled[:4, :4] *= 2
    yield "scattered in a helper", out, expected
    yield "gathered in a helper", x, doubled
    x = torch.arange(1600.0).reshape(40, 40)
    squares, sums, extremes = torch.zeros(8, 4), torch.zeros(4, 4), torch.zeros(2, 4)
    ct.launch(stream, (1,), gather_by_shapes, (x, squares, sums, extremes))
    t, s = torch.arange(8).reshape(2, 4), torch.arange(16).reshape(4, 4)
    yield "permuted", squares[:4], x[s, s.T]
    yield "transposed", squares[4:], x[s, s.T]
    yield "summed from both ends", sums[:2], x[t.cumsum(1), t.flip(1).cumsum(1).flip(1)]
    yield "summed on both axes", sums[2:], x[t.cumsum(1), t.cumsum(0)]
    yield "largest of both axes", extremes[0], x[s.amax(1), s.amax(0)]
    yield "largest and least", extremes[1], x[s.amax(1), s.amin(1)]
