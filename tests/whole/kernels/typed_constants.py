# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Constants of a dtype are rounded to it, and wrapped, after each operation; and they are values of that dtype where they meet others."""

import cuda.tile as ct
import torch


def pick(x, SMALL):
    if SMALL:
        return ct.astype(x, ct.float16)
    else:
        return ct.astype(x, ct.float32)


@ct.kernel
def write(out, n: int, SCALE: ct.Constant[float], SMALL: ct.Constant[bool]):
    tenth = ct.astype(0.1, ct.float16)
    ct.store(out, 0, tenth)
    ct.store(out, 1, tenth * 3)
    ct.store(out, 2, tenth + n)
    ct.store(out, 3, pick(0.1, SMALL))
    ct.store(out, 4, ct.astype(250, ct.uint8) + 10)
    ct.store(out, 5, ct.astype(100, ct.int8) + ct.astype(n, ct.int8))
    ct.store(out, 6, ct.astype(SCALE, ct.float16) * 3)
    ct.store(out, 7, 1 if tenth == 0.1 else 2)
    product = ct.astype(1.001, ct.float16)
    for _ in range(n):
        product = product * 1.5
    ct.store(out, 8, product)
    if SMALL:
        either = ct.astype(2049, ct.float16)
    else:
        either = ct.astype(n, ct.float16)
    ct.store(out, 9, either * 3)
    ct.store(out, 10, tenth if n > 1 else ct.astype(n, ct.float16))
    count = ct.astype(2**20, ct.int64)
    for _ in range(n):
        count = count * 2**20
    ct.store(out, 11, count // 2**40)


def half(x):
    return torch.tensor(x, dtype=torch.float16)


def expected(n, scale, small):
    product = half(1.001)
    for _ in range(n):
        product = product * 1.5
    yield from (half(0.1), half(0.1) * 3, half(0.1) + half(n), half(0.1) if small else 0.1, 4, (100 + n + 128) % 256 - 128)
    yield from (half(scale) * 3, 1, product, (half(2049) if small else half(n)) * 3, half(0.1) if n > 1 else half(n), 2 ** (20 * n - 20))


@ct.kernel
def wrap(out, n: int):
    ct.store(out, 0, ct.astype(100, ct.int8) + ct.astype(n, ct.int8))
    ct.store(out, 1, ct.astype(250, ct.uint8) + ct.astype(n, ct.uint8))


def cases():
    for n in (1, 2):
        for small in (False, True):
            out = torch.zeros(12)
            ct.launch(torch.cuda.current_stream(), (1,), write, (out, n, 0.3, small))
            yield f"{n} {small}", out, torch.tensor([float(x) for x in expected(n, 0.3, small)])
    out = torch.zeros(2)
    ct.launch(torch.cuda.current_stream(), (1,), wrap, (out, 90))
    yield "wrapped", out, torch.tensor([-66.0, 84.0])
