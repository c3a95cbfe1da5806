# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Atomic additions from many programs add up."""

import cuda.tile as ct
import torch


@ct.kernel
def count(x, out, N: ct.Constant[int]):
    lanes = ct.bid(0) * N + ct.arange(N, dtype=ct.int32)
    ct.atomic_add(out, ct.gather(x, lanes), 1)


@ct.kernel
def add_up(x, out, N: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (N,), padding_mode=ct.PaddingMode.ZERO)
    ct.atomic_add(out, 0, ct.sum(t), memory_order=ct.MemoryOrder.RELAXED)


def cases():
    x, out = torch.randint(0, 5, (32,), dtype=torch.int32), torch.zeros(5, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (4,), count, (x, out, 8))
    yield "counts", out, torch.bincount(x, minlength=5)
    x, out = torch.randn(30), torch.zeros(1)
    ct.launch(torch.cuda.current_stream(), (4,), add_up, (x, out, 8))
    yield "sum", out, x.double().sum().reshape(1)
