# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A zero of the author's has his sign, in every dtype."""

import cuda.tile as ct
import torch

ZERO = -0.0


@ct.kernel
def make(x, out):
    i = ct.arange(4, dtype=ct.int32)
    z = ct.full((4,), -0.0, ct.float32)
    ct.store(out, (0,), z)
    ct.store(out, (1,), ct.where(i > 1, -0.0, z + 1.0))
    ct.store(out, (2,), ct.gather(x, i + 2, padding_value=-0.0))
    ct.store(out, (3,), ct.maximum(z, -0.0))
    ct.store(out, (4,), ct.load(x, (0,), (4,)).astype(ct.float32) * -0.0)
    ct.scatter(out, i + 20, -0.0)
    ct.store(out, (6,), z + -0.0)
    ct.store(out, (7,), ct.load(x, (1,), (4,), padding_mode=ct.PaddingMode.NEG_ZERO))
    ct.store(out, (8,), z / 1.0)
    ct.store(out, (9,), -0.0 / (z + 1.0))
    ct.store(out, (10,), ct.full((4,), 0.0, ct.float32))
    ct.store(out, (11,), z + 0.0)


def times(z, t):
    return z * t


@ct.kernel
def carry(x, out, n):
    t = ct.load(x, (0,), (4,))
    m = -0.0
    for _ in range(n):
        m = m * 1.0
    ct.store(out, (0,), ct.full((4,), m, ct.float32))
    if n > 1:
        w = -0.0
    else:
        w = 1.0
    ct.store(out, (1,), ct.full((4,), w, ct.float32))
    y = -0.0 if n > 1 else 2.0
    ct.store(out, (2,), ct.full((4,), y, ct.float32))
    z = ZERO
    ct.store(out, (3,), times(z, t))
    s = -0.0
    while n > 0:
        s = s * 1.0
        n = n - 1
    ct.store(out, (4,), ct.broadcast_to(s, (4,)))


@ct.kernel
def add_to_halves(x, out):
    t = ct.load(x, (0,), (4,)).astype(ct.float16)
    ct.store(out, (0,), t * 0.0 * -0.0)
    ct.store(out, (1,), ct.where(t > 0, -0.0, t))
    ct.store(out, (2,), ct.full((4,), -0.0, ct.float16))
    ct.store(out, (3,), ct.full((4,), -0.0, ct.float16) + -0.0)


def cases():
    stream = torch.cuda.current_stream()
    negative = [True] * 4
    positive = [False] * 4
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor([1.0, 2.0, 0.0, 5.0], dtype=torch.float32 if dtype == torch.float32 else torch.float16)
        out = torch.ones(48, dtype=dtype)
        ct.launch(stream, (1,), make, (x, out))
        signs = [negative, [False, False, True, True], [False, False, True, True], *[negative] * 7, positive, positive]
        yield f"{dtype} signs", torch.signbit(out), torch.tensor(signs).flatten()
        yield f"{dtype} zeros", out[:4] == 0, torch.ones(4, dtype=torch.bool)
        yield f"{dtype} padding", out[28:32] == 0, torch.ones(4, dtype=torch.bool)
    x, out = torch.tensor([1.0, 2.0, 3.0, 5.0]), torch.ones(16, dtype=torch.float16)
    ct.launch(stream, (1,), add_to_halves, (x, out))
    yield "halves", torch.signbit(out), torch.ones(16, dtype=torch.bool)
    x, out = torch.tensor([1.0, 2.0, 3.0, 5.0]), torch.ones(20)
    ct.launch(stream, (1,), carry, (x, out, 2))
    yield "carried", torch.signbit(out), torch.ones(20, dtype=torch.bool)
