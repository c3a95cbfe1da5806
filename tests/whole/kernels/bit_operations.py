# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""And, or, xor, not and shifts; integers wrap."""

import cuda.tile as ct
import torch


@ct.kernel
def bits(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(out, (0, 0), (a & b).reshape((1, N)))
    ct.store(out, (1, 0), (a | 12).reshape((1, N)))
    ct.store(out, (2, 0), ct.bitwise_xor(a, b).reshape((1, N)))
    ct.store(out, (3, 0), (~a).reshape((1, N)))
    ct.store(out, (4, 0), (a << 3).reshape((1, N)))
    ct.store(out, (5, 0), (a >> 2).reshape((1, N)))
    ct.store(out, (6, 0), (a * 1103515245 + b).reshape((1, N)))


@ct.kernel
def logic(x, out, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    inside = (a > 2) & (a < 6) | (a == 0)
    ct.store(out, (0,), inside)
    ct.store(out, (1,), ct.bitwise_not(inside))


def cases():
    x = torch.tensor([5, -5, 0, 2**31 - 1, -(2**31), 1, 255, -256], dtype=torch.int32)
    y = torch.tensor([3, 7, -1, 1, 1, 2, 15, 16], dtype=torch.int32)
    out = torch.zeros(7, 8, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (1,), bits, (x, y, out, 8))
    yield "integers", out, torch.stack([x & y, x | 12, x ^ y, ~x, x << 3, x >> 2, x * 1103515245 + y])
    x, out = torch.arange(8, dtype=torch.int32), torch.zeros(16, dtype=torch.bool)
    ct.launch(torch.cuda.current_stream(), (1,), logic, (x, out, 8))
    inside = (x > 2) & (x < 6) | (x == 0)
    yield "bools", out, torch.cat([inside, ~inside])
