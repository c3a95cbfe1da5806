# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Loops inside of loops that can be left, and induction variables that mean something else in the body or behind it."""

import cuda.tile as ct
import torch


@ct.kernel
def counted(out, n: int):
    s = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            s += 1
        if s > 8:
            break
    ct.scatter(out, 0, s)


@ct.kernel
def endless(out, n: int):
    s = 0
    for _ in range(n):
        if s > 100:
            break
        while True:
            s += 3
            if s % 7 == 0:
                break
        for _ in range(2):
            if s % 2 == 0:
                break
            s += 1
    ct.scatter(out, 0, s)


@ct.kernel
def returning(out, n: int):
    s = 0
    for i in range(n):
        for j in range(n):
            if j > 3:
                return
            s += i + j
        s += 100
    ct.scatter(out, 0, s)


@ct.kernel
def flags_of_the_author(out, n: int):
    done, skip, s = n + 1, n, 0
    for i in range(n):
        if i > 3:
            if n > 8:
                continue
            s += 1
        s += i * done + skip
        if s > 40:
            break
    ct.scatter(out, 0, s + done)


@ct.kernel
def assigned(out, n: int):
    s = 2
    for i in range(n):
        s += i
        if s == 5:
            continue
        if s > 40:
            i = 7
            s += i
            break
        i = i * 2
        s += i
    ct.scatter(out, 0, s)


@ct.kernel
def carried(out, n: int):
    i = n * 2
    s = 0
    for i in range(1, i, 2):
        s += i
        if s > 20:
            break
    ct.scatter(out, 0, s * 100 + i)


@ct.kernel
def bounds(out, n: int):
    m = n * 2
    s = 0
    for i in range(m):
        m = i * 3
        s += m
        if s > 40:
            break
    ct.scatter(out, 0, s)


@ct.kernel
def one_name(out, n: int):
    s = 0
    for i in range(n):
        for i in range(i, n):
            s += i
            if s > 30:
                break
        s += i
        if s > 60:
            break
    for i in range(n):
        for i in range(i, n):
            s += i
        s += i
    for i in range(n):
        s += i
        if s > 200:
            break
    ct.scatter(out, 0, s)


EXPECTED = {
    "counted": (counted, (0, 1, 6, 10, 10)),
    "endless": (endless, (0, 22, 50, 78, 106)),
    "returning": (returning, (0, 100, 318, 0, 0)),
    "flags_of_the_author": (flags_of_the_author, (1, 3, 25, 62, 67)),
    "assigned": (assigned, (2, 2, 11, 32, 60)),
    "carried": (carried, (0, 101, 905, 2509, 2509)),
    "bounds": (bounds, (0, 3, 45, 45, 45)),
    "one_name": (one_name, (0, 0, 31, 120, 376)),
}


def cases():
    for name, (kernel, expected) in EXPECTED.items():
        for n, number in zip((0, 1, 3, 5, 9), expected):
            out = torch.zeros(1, dtype=torch.int32)
            ct.launch(torch.cuda.current_stream(), (1,), kernel, (out, n))
            yield f"{name} {n}", out, torch.tensor([number])
