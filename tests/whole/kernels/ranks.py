# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of rank 0 to 5, and tiles of rank 0."""

import cuda.tile as ct
import torch


@ct.kernel
def rank0(x, y, out):
    ct.scatter(out, (), ct.gather(x, ()) + ct.gather(y, ()))


@ct.kernel
def element(x, out, i: int, j: int):
    ct.store(out, (j, i), ct.load(x, (i, j), ()))
    # waits
    ct.store(out, (i, j), 2.0)


@ct.kernel
def rank1(x, out):
    ct.store(out, ct.bid(0), ct.load(x, ct.bid(0), 8) + 1.0)


@ct.kernel
def rank3(x, out):
    index = (ct.bid(2), ct.bid(1), ct.bid(0))
    ct.store(out, index, ct.load(x, index, (1, 4, 8)) + 1.0)


@ct.kernel
def rank4(x, out):
    b = ct.bid(0)
    ct.store(out, (b // 3, b % 3, 0, 0), ct.load(x, (b // 3, b % 3, 0, 0), (1, 1, 4, 8)) + 1.0)


@ct.kernel
def rank5(x, out):
    b = ct.bid(0)
    tile = ct.load(x, (b // 3, b % 3, 0, 0, 1), (1, 1, 2, 4, 4))
    ct.store(out, (b // 3, b % 3, 0, 0, 1), tile + 1.0)


def cases():
    stream = torch.cuda.current_stream()
    out = torch.zeros(())
    ct.launch(stream, (1,), rank0, (torch.tensor(1.5), torch.tensor(2.0), out))
    yield "0", out, torch.tensor(3.5)
    x, out = torch.randn(4, 4), torch.zeros(4, 4)
    ct.launch(stream, (1,), element, (x, out, 3, 1))
    expected = torch.zeros(4, 4)
    expected[1, 3], expected[3, 1] = x[3, 1], 2.0
    yield "elements", out, expected
    x, out = torch.randn(20), torch.zeros(20)
    ct.launch(stream, (3,), rank1, (x, out))
    yield "1", out, x + 1
    x, out = torch.randn(2, 6, 10), torch.zeros(2, 6, 10)
    ct.launch(stream, (2, 2, 2), rank3, (x, out))
    yield "3", out, x + 1
    x, out = torch.randn(2, 3, 3, 5), torch.zeros(2, 3, 3, 5)
    ct.launch(stream, (6,), rank4, (x, out))
    yield "4", out, x + 1
    x, out = torch.randn(2, 3, 2, 3, 7), torch.zeros(2, 3, 2, 3, 7)
    ct.launch(stream, (6,), rank5, (x, out))
    expected = torch.zeros_like(x)
    expected[..., 4:] = x[..., 4:] + 1
    yield "5", out, expected
