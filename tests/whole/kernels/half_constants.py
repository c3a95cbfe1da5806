# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A number that meets halves is one of them, and so is a quotient before it is floored."""

import cuda.tile as ct
import torch

STEP = 0.3


@ct.kernel
def divide_as_they_are(x, out, N: ct.Constant[int], S: ct.Constant[float]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), t / 0.3)
    ct.store(out, (1,), 0.1 / t)
    ct.store(out, (2,), t // 0.3)
    ct.store(out, (3,), t % 0.3)
    ct.store(out, (4,), ct.truediv(t, STEP))
    ct.store(out, (5,), t / S)
    ct.store(out, (6,), t % 0.25)
    ct.store(out, (7,), t * 0.3)
    ct.store(out, (8,), t**0.3)


@ct.kernel
def divide_halves(x, y, out, N: ct.Constant[int]):
    t, u = ct.load(x, (0,), (N,)).astype(ct.float16), ct.load(y, (0,), (N,)).astype(ct.float16)
    whole = ct.load(x, (0,), (N,)).astype(ct.int32) * 2049
    ct.store(out, (0,), t / 0.3)
    ct.store(out, (1,), t // 0.3)
    ct.store(out, (2,), t % 0.3)
    ct.store(out, (3,), t // u)
    ct.store(out, (4,), t % u)
    ct.store(out, (5,), whole / t)
    ct.store(out, (6,), t // 3.0)


@ct.kernel
def divide_one_by_the_other(x, y, out, N: ct.Constant[int]):
    t, u = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(out, (0,), t // u)
    ct.store(out, (1,), t % u)


def floored(x, y):
    """The quotient is a half before it is floored."""
    return torch.floor((x.double() / y.double()).to(x.dtype).double())


def cases():
    stream = torch.cuda.current_stream()
    numbers = torch.tensor([64.0, 1.0, 0.3, 0.1, 33.0, 100.0, 7.0, 0.2])
    others = torch.tensor([0.3, 0.3, 0.1, 0.7, 0.3, 0.1, 1.1, 0.1])
    for dtype in (torch.float16, torch.float32):
        x, y, out = numbers.to(dtype), others.to(dtype), torch.zeros(9 * 8, dtype=dtype)
        third, tenth = (torch.tensor(c).to(dtype).double() for c in (0.3, 0.1))
        ct.launch(stream, (1,), divide_as_they_are, (x, out, 8, 0.3))
        wide = x.double()
        names = ["/", "reflected /", "//", "%", "truediv", "/ a constant of the launch", "% an exact number", "*"]
        results = [wide / third, tenth / wide, floored(x, third.to(dtype)), wide % third, wide / third, wide / third, wide % 0.25, wide * third]
        for i, (name, result) in enumerate(zip(names, results)):
            yield f"{dtype} {name}", out[i * 8 : i * 8 + 8], result.to(dtype), 0.0
        yield f"{dtype} **", out[64:], (wide**third).to(dtype)
        out = torch.zeros(16, dtype=dtype)
        ct.launch(stream, (1,), divide_one_by_the_other, (x, y, out, 8))
        yield f"{dtype} by each other", out, torch.cat([floored(x, y).to(dtype), (wide % y.double()).to(dtype)]), 0.0
    x, y, out = numbers, others, torch.zeros(7 * 8)
    ct.launch(stream, (1,), divide_halves, (x, y, out, 8))
    t, u, third = x.half(), y.half(), torch.tensor(0.3).half()
    whole = (x.int() * 2049).half()
    results = [t / third, floored(t, third), t.double() % third.double(), floored(t, u), t.double() % u.double(), whole / t, floored(t, torch.tensor(3.0).half())]
    yield "halves", out, torch.cat([result.half().float() for result in results]), 0.0
