# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of the launch that look like integers in the text and are floats."""

import cuda.tile as ct
import torch


# called as cuTile's, and something else
def store(out, value):
    ct.store(out, (0,), ct.full((1,), ct.astype(value, ct.int32), ct.float32))


def cdiv(a, b):
    return a / b


def put_last(a, b, value, out):
    ct.store(out, (0,), ct.full((1,), ct.astype(value, ct.int32), ct.float32))
    for i in range(a):
        ct.store(out, (1,), ct.full((1,), 1.0, ct.float32))


# an integer in one call and a float in the other
def put(out, value, TIMES):
    if TIMES:
        for i in range(value):
            ct.store(out, (i,), ct.full((1,), 1.0, ct.float32))
    else:
        ct.store(out, (3,), ct.full((1,), ct.astype(value, ct.int32), ct.float32))


@ct.kernel
def own_store(out, value):
    store(out, value)


@ct.kernel
def own_cdiv(out, a, b):
    ct.store(out, (0,), ct.full((1,), cdiv(a, b), ct.float32))


@ct.kernel
def spread(out, value):
    pair = (1, 2)
    put_last(*pair, value, out)


@ct.kernel
def both_ways(out, n, s):
    put(out, n, True)
    # waits
    put(out, s, False)


@ct.kernel
def bound_again(out, a, b):
    for i in range(a):
        ct.store(out, (i,), ct.full((1,), 1.0, ct.float32))
    a = b
    # waits
    ct.store(out, (3,), ct.full((1,), ct.astype(a, ct.int32), ct.float32))


def cases():
    def launched(kernel, *numbers):
        out = torch.zeros(4)
        ct.launch(torch.cuda.current_stream(), (1,), kernel, (out, *numbers))
        return out

    yield "a helper called as a function of cuTile", launched(own_store, 2.5), torch.tensor([2.0, 0, 0, 0])
    yield "another one", launched(own_cdiv, 2.5, 2.0), torch.tensor([1.25, 0, 0, 0])
    yield "behind what is spread", launched(spread, 2.5), torch.tensor([2.0, 1, 0, 0])
    yield "an integer here, a float there", launched(both_ways, 2, 2.5), torch.tensor([1.0, 1, 0, 2])
    yield "a parameter that is bound again", launched(bound_again, 2, 2.5), torch.tensor([1.0, 1, 0, 2])
