# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Statements that assign several names and read what one of them was before."""

import cuda.tile as ct
import torch


@ct.kernel
def first_of_two(out, n: int):
    a = n
    if n > 1:
        a, c = a - 1, a + 5
        a = a * c
    ct.scatter(out, 0, a)


@ct.kernel
def first_of_three(out, n: int):
    a = n + 1
    a, c, d = a - 1, a + 5, a
    b = a
    a = a * 3
    ct.scatter(out, 0, a + b * 10 + c * 100 + d * 1000)


@ct.kernel
def old_value_first(out, n: int):
    a = n + 1
    c, a = a, a - 1
    d, a = (a, 2), a * 3
    ct.scatter(out, 0, c * 100 + a * 10 + d[0])


@ct.kernel
def in_a_loop(out, n: int):
    a, s = n + 1, 0
    while a < 40:
        a, c = a + 1, a * 2
        s += c
        a = a + c
    ct.scatter(out, 0, a * 100 + s)


def sum_less_product(a, b):
    a, c = a + b, a * b
    a = a - c
    return a


@ct.kernel
def in_a_helper(out, n: int):
    a, b = sum_less_product(n, 3), 1
    a, b, c = a * 2, a + 3, sum_less_product(a, b)
    ct.scatter(out, 0, a + b * 10 + c * 100)


EXPECTED = {
    "first_of_two": (first_of_two, (0, 1, 16, 40)),
    "first_of_three": (first_of_three, (1600, 2713, 4939, 7165)),
    "old_value_first": (old_value_first, (100, 231, 493, 755)),
    "in_a_loop": (in_a_loop, (4036, 6762, 4034, 5850)),
    "in_a_helper": (in_a_helper, (166, 142, 94, 46)),
}


def cases():
    for name, (kernel, expected) in EXPECTED.items():
        for n, number in zip((0, 1, 3, 5), expected):
            out = torch.zeros(1, dtype=torch.int32)
            ct.launch(torch.cuda.current_stream(), (1,), kernel, (out, n))
            yield f"{name} {n}", out, torch.tensor([number])
