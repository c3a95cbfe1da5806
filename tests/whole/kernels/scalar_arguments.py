# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers as arguments, the values that a compiler might treat specially among them."""

import cuda.tile as ct
import torch


@ct.kernel
def scalars(out, i: int, f: float, b: bool, n, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    value = lanes * i + n
    if b:
        value = -value
    ct.scatter(out, lanes, value * f)


def cases():
    for i, f, b, n in ((1, 1.0, True, 0), (16, 0.5, False, 1), (-3, 1e-3, True, 32), (0, 0.0, False, 2**31 - 1)):
        out = torch.zeros(8)
        ct.launch(torch.cuda.current_stream(), (1,), scalars, (out, i, f, b, n, 8))
        value = ((torch.arange(8) * i + n + 2**31) % 2**32 - 2**31).float() * (-1 if b else 1)
        yield f"{i} {f} {b} {n}", out, value * f
