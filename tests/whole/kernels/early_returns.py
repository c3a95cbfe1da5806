# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A helper returns where a constant says so; what it returns elsewhere may be of another dtype or shape."""

import cuda.tile as ct
import torch


def scaled(t, TWICE):
    if TWICE:
        return t * 2.0
    return t * 3.0


def rounded(t, MODE):
    if MODE == 0:
        return t.astype(ct.float16)

    # the sum keeps its axis
    if MODE == 1:
        return ct.sum(t, axis=0, keepdims=True)
    if MODE == 2:
        whole = t * 2.0
        return whole.astype(ct.int32)
    return t


def both(t, SWAP):
    if SWAP:
        return t.astype(ct.int32), t
    return t, t.astype(ct.int32)


def signed(t, n, NARROW):
    if NARROW:
        if n > 0:
            return t.astype(ct.float16)
        return -t.astype(ct.float16)
    return t


@ct.kernel
def scale(x, out, N: ct.Constant[int], TWICE: ct.Constant[bool]):
    ct.store(out, (0,), scaled(ct.load(x, (0,), (N,)).astype(ct.float32), TWICE))


@ct.kernel
def round_by_mode(x, out, N: ct.Constant[int], MODE: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(out, (0,), (rounded(t, MODE) + t * 0.0).astype(out.dtype))


@ct.kernel
def return_both(x, out, N: ct.Constant[int], SWAP: ct.Constant[bool]):
    first, second = both(ct.load(x, (0,), (N,)), SWAP)
    ct.store(out, (0,), (first * 10 + second).astype(out.dtype))


@ct.kernel
def sign(x, out, n, N: ct.Constant[int], NARROW: ct.Constant[bool]):
    ct.store(out, (0,), signed(ct.load(x, (0,), (N,)), n, NARROW).astype(out.dtype))


def cases():
    stream = torch.cuda.current_stream()
    x, out = torch.tensor([1.25, -2.5, 3.0001, 0.0, 5.5, -0.75, 2.0, 1.0]), torch.zeros(8)
    whole = x.trunc()
    for flag in (True, False):
        ct.launch(stream, (1,), scale, (x, out, 8, flag))
        yield f"scaled {flag}", out, x * (2 if flag else 3)
        ct.launch(stream, (1,), return_both, (x, out, 8, flag))
        yield f"both {flag}", out, whole * 10 + x if flag else x * 10 + whole
        for n in (1, -1):
            ct.launch(stream, (1,), sign, (x, out, n, 8, flag))
            yield f"sign {flag} {n}", out, x.half().float() * n if flag else x
    for mode, expected in enumerate((x.half().float(), x.sum().expand(8), (x * 2).trunc(), x)):
        ct.launch(stream, (1,), round_by_mode, (x, out, 8, mode))
        yield f"mode {mode}", out, expected
