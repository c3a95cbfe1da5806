# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`order` names, for each axis of the tile, the axis of the array."""

import cuda.tile as ct
import torch


@ct.kernel
def transpose_by_order(x, by_pair, by_letter, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(by_pair, (j, i), ct.load(x, (j, i), (TN, TM), order=(1, 0), padding_mode=ct.PaddingMode.ZERO))
    ct.store(by_letter, (j, i), ct.load(x, (j, i), (TN, TM), order="F", padding_mode=ct.PaddingMode.ZERO))


@ct.kernel
def swap_inner(x, out, T: ct.Constant[int]):
    b = ct.bid(0)
    tile = ct.load(x, (b, 0, 1), (1, 2 * T, T), order=(0, 2, 1), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (b, 0, 1), tile)


@ct.kernel
def store_by_order(x, out, T: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (i, j), ct.load(x, (i, j), (T, 2 * T), padding_mode=ct.PaddingMode.ZERO), order=(1, 0))


def cases():
    x = torch.randn(20, 30)
    outs = torch.zeros(30, 20), torch.zeros(30, 20)
    ct.launch(torch.cuda.current_stream(), (3, 2), transpose_by_order, (x, *outs, 8, 16))
    yield "pair", outs[0], x.mT
    yield "letter", outs[1], x.mT
    x, out = torch.randn(2, 10, 6), torch.zeros(2, 6, 10)
    ct.launch(torch.cuda.current_stream(), (2,), swap_inner, (x, out, 4))
    expected = torch.zeros(2, 6, 10)
    expected[:, :, 4:8] = x.mT[:, :, 4:8]
    yield "inner axes", out, expected
    x, out = torch.randn(10, 20), torch.zeros(20, 10)
    ct.launch(torch.cuda.current_stream(), (3, 3), store_by_order, (x, out, 4))
    yield "store", out, x.mT
