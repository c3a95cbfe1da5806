# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`-x` of a zero has the other sign, wherever that can be seen."""

import cuda.tile as ct
import torch


@ct.kernel
def negate(x, out, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), -(t * 0))
    ct.store(out, (1,), 1 / -t)
    ct.store(out, (2,), ct.where(t == 0, -t, 1))
    ct.store(out, (3,), -t + -t)


def turned(t):
    return -t


@ct.kernel
def negate_in_a_loop(x, out, n: int, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    for _ in range(n):
        t = -t
    ct.store(out, (0,), t)
    ct.store(out, (1,), turned(t))


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float16, torch.float32):
        x = torch.tensor([0.0, -0.0, 1.5, -2.0], dtype=dtype)
        out = torch.zeros(16, dtype=dtype)
        ct.launch(stream, (1,), negate, (x, out, 4))
        expected = torch.cat([-(x * 0), 1 / -x, torch.where(x == 0, -x, torch.ones_like(x)), -x - x])
        yield f"{dtype}", out, expected
        yield f"signs of {dtype}", torch.signbit(out), torch.signbit(expected)
        for n in (2, 3):
            ct.launch(stream, (1,), negate_in_a_loop, (x, out, n, 4))
            expected = torch.cat([x if n == 2 else -x, -x if n == 2 else x])
            yield f"signs of {dtype}, {n} times", torch.signbit(out[:8]), torch.signbit(expected)
