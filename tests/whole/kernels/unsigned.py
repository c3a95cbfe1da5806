# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Unsigned integers leave remainders, compare and shift as such; a negative number wraps."""

import cuda.tile as ct
import torch


@ct.kernel
def unsigned(x, out, flags, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), (a ^ 3).reshape((1, N)))
    ct.store(out, (1, 0), (a % 7).reshape((1, N)))
    ct.store(out, (2, 0), (a >> 1).reshape((1, N)))
    ct.store(out, (3, 0), (a + 100).reshape((1, N)))
    ct.store(flags, (0,), a > 127)


@ct.kernel
def fill(small, large, N: ct.Constant[int]):
    ct.store(small, (0,), ct.full((N,), -1, ct.uint8))
    ct.store(large, (0,), ct.full((N,), -3, ct.uint32).astype(ct.int64))


def cases():
    x = torch.tensor([0, 1, 100, 127, 128, 200, 254, 255], dtype=torch.uint8)
    out, flags = torch.zeros(4, 8, dtype=torch.uint8), torch.zeros(8, dtype=torch.bool)
    ct.launch(torch.cuda.current_stream(), (1,), unsigned, (x, out, flags, 8))
    yield "bytes", out, torch.stack([x ^ 3, x % 7, x >> 1, x + 100])
    yield "compare", flags, x > 127
    small, large = torch.zeros(4, dtype=torch.uint8), torch.zeros(4, dtype=torch.int64)
    ct.launch(torch.cuda.current_stream(), (1,), fill, (small, large, 4))
    yield "negative", large, torch.full((4,), 2**32 - 3)
    yield "negative byte", small, torch.full((4,), 255, dtype=torch.uint8)
