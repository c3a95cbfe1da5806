# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Indices of a gather or scatter broadcast against each other, scalars among them."""

import cuda.tile as ct
import torch


@ct.kernel
def gather_block(x, out, row: int, T: ct.Constant[int]):
    rows = ct.arange(T, dtype=ct.int32)[:, None]
    columns = ct.arange(2 * T, dtype=ct.int32)[None, :]
    ct.scatter(out, (rows, columns), ct.gather(x, (rows + row, columns, 1), padding_value=9.0))


@ct.kernel
def gather_row(x, out, T: ct.Constant[int]):
    row = ct.bid(0)
    columns = ct.arange(T, dtype=ct.int32)
    ct.scatter(out, (row, columns), ct.gather(x, (row, columns)))


@ct.kernel
def gather_scalar(x, out):
    i = ct.bid(0)
    ct.scatter(out, i, ct.gather(x, (i, 2)) * 2.0)


def cases():
    x, out = torch.randn(6, 5, 3), torch.zeros(4, 8)
    ct.launch(torch.cuda.current_stream(), (1,), gather_block, (x, out, 3, 4))
    expected = torch.full((4, 8), 9.0)
    expected[:3, :5] = x[3:, :, 1]
    yield "block", out, expected
    x, out = torch.randn(7, 13), torch.zeros(7, 13)
    ct.launch(torch.cuda.current_stream(), (7,), gather_row, (x, out, 16))
    yield "row", out, x
    out = torch.zeros(7)
    ct.launch(torch.cuda.current_stream(), (7,), gather_scalar, (x, out))
    yield "scalar", out, x[:, 2] * 2
