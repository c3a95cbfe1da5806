# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of any power of two, also below what tensor cores take."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    a, b = ct.load(x, (0, 0), (M, K)), ct.load(y, (0, 0), (K, N))
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((M, N), ct.float32)))


def cases():
    for m, n, k in ((1, 16, 16), (2, 2, 1), (16, 1, 32), (16, 16, 4), (1, 1, 1)):
        x, y, out = torch.randn(m, k), torch.randn(k, n), torch.zeros(m, n)
        ct.launch(torch.cuda.current_stream(), (1,), multiply, (x, y, out, m, n, k))
        yield f"{m}x{n}x{k}", out, x.double() @ y.double(), 1e-6
