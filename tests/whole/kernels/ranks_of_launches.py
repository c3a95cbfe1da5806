# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The rank of an array is that of the launch, where constants that exclude each other choose what it is used for."""

import cuda.tile as ct
import torch


def by_column(array):
    return ct.load(array, 0, 8).reshape((1, 8))


@ct.kernel
def add(x, bias, out, KIND: ct.Constant[int], WIDE: ct.Constant[bool]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, 8))
    if KIND == 1:  # one number a row
        t = t + ct.load(bias, row, 1).reshape((1, 1))
    elif KIND == 2:
        t = t + ct.load(bias, (row, 0), (1, 8))
    elif KIND == 3:
        t = t + by_column(bias)
    if WIDE:
        ct.store(out, (0, row, 0), t.reshape((1, 1, 8)))
    else:
        ct.store(out, (row, 0), t)


def cases():
    x = torch.randn(3, 7)
    biases = (torch.zeros(0), torch.randn(3), torch.randn(7, 3).T, torch.randn(14)[::2])
    for kind, bias in enumerate(biases):
        for wide in (False, True):
            out = torch.zeros(1, 3, 7) if wide else torch.zeros(3, 7)
            ct.launch(torch.cuda.current_stream(), (3,), add, (x, bias, out, kind, wide))
            expected = x + (0, bias[:, None] if kind == 1 else 0, bias, bias)[kind] if kind else x
            yield f"{kind} {wide}", out, expected.reshape(out.shape)
