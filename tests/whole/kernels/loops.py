# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Ranges with run-time bounds, while, break and continue; what a loop carries."""

import cuda.tile as ct
import torch


@ct.kernel
def sums(x, out, start: int, stop: int, step: int):
    total, count = 0.0, 0
    for i in range(start, stop, step):
        total += ct.gather(x, i)
        count += 1
    ct.scatter(out, 0, total)
    ct.scatter(out, 1, count)


@ct.kernel
def jumps(x, out, n: int):
    total = 0.0
    for i in range(n):
        value = ct.gather(x, i)
        if value < 0:
            continue
        total = total + value
    ct.scatter(out, 0, total)
    i = 0
    while True:
        if i >= n or ct.gather(x, i) > 1.0:
            break
        i += 1
    ct.scatter(out, 1, i)
    k = n
    while k > 1:
        k = k // 2
    ct.scatter(out, 2, k)


@ct.kernel
def swap(out, n: int):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    ct.scatter(out, 0, a)
    ct.scatter(out, 1, b)


@ct.kernel
def nested(out, n: int):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    ct.scatter(out, 0, total)


@ct.kernel
def long_range(x, out):
    start = ct.gather(x, 0).astype(ct.int64)
    for i in range(start, start + 3):
        ct.scatter(out, i % 8, i)


def cases():
    stream = torch.cuda.current_stream()
    x = torch.randn(20)
    for start, stop, step in ((0, 20, 1), (3, 17, 4), (5, 5, 1), (7, 2, 3)):
        out = torch.zeros(2)
        ct.launch(stream, (1,), sums, (x, out, start, stop, step))
        yield f"range {start} {stop} {step}", out, torch.tensor([x[start:stop:step].sum(), len(range(start, stop, step))])
    out = torch.zeros(3)
    ct.launch(stream, (1,), jumps, (x, out, 20))
    first = next((i for i in range(20) if x[i] > 1.0), 20)
    yield "jumps", out, torch.tensor([x.relu().sum(), first, 1])
    out = torch.zeros(2, dtype=torch.int32)
    ct.launch(stream, (1,), swap, (out, 10))
    yield "swap", out, torch.tensor([55, 89])
    out = torch.zeros(1, dtype=torch.int32)
    ct.launch(stream, (1,), nested, (out, 6))
    yield "nested", out, torch.tensor([sum(i * j for i in range(6) for j in range(i))])
    out = torch.zeros(8, dtype=torch.int64)
    ct.launch(stream, (1,), long_range, (torch.tensor([2**32 + 5]), out))
    yield "int64 bounds", out, torch.tensor([0] * 5 + [2**32 + 5, 2**32 + 6, 2**32 + 7])
