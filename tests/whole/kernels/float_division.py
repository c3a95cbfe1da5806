# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Float `/`, `//` and `%`: the last two floor like Python."""

import cuda.tile as ct
import torch


@ct.kernel
def divide(x, y, quotient, floored, remainder, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(quotient, (0,), a / b)
    ct.store(floored, (0,), a // b)
    ct.store(remainder, (0,), a % b)


@ct.kernel
def divide_integers(x, y, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (N,)) / ct.load(y, (0,), (N,)))


@ct.kernel
def divide_by_constants(x, floored, remainder, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(floored, (0, 0), (a // 3).reshape((1, N)))
    ct.store(floored, (1, 0), (7 // a).reshape((1, N)))
    ct.store(remainder, (0, 0), (a % 3).reshape((1, N)))
    ct.store(remainder, (1, 0), (7 % a).reshape((1, N)))


@ct.kernel
def quotients_of_constants(x, out, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(out, (0, 0), (a / 3).reshape((1, N)))
    ct.store(out, (1, 0), (a / 0.3).reshape((1, N)))
    ct.store(out, (2, 0), (3.5 / a).reshape((1, N)))


@ct.kernel
def divide_scalars(out, f):
    ct.store(out, 0, f // 2)
    ct.store(out, 1, f % 2)


@ct.kernel
def divide_elements(x, out):
    a = ct.load(x, (ct.bid(0),), ())
    ct.store(out, (ct.bid(0), 0), a // 2)
    ct.store(out, (ct.bid(0), 1), a % 2)


def cases():
    x = torch.tensor([7.5, -7.5, 7.5, -7.5, 1.0, -0.25, 3.0, 100.0])
    y = torch.tensor([2.0, 2.0, -2.0, -2.0, 3.0, 5.0, 0.5, -7.0])
    outs = [torch.zeros(8) for _ in range(3)]
    ct.launch(torch.cuda.current_stream(), (1,), divide, (x, y, *outs, 8))
    yield "quotient", outs[0], x.double() / y.double()
    yield "floored", outs[1], torch.floor(x / y)
    yield "remainder", outs[2], torch.remainder(x, y)
    x, y = torch.tensor([5.0, -5.0, 5.0, -5.0, 0.0, -0.0, 3.0, -3.0]), torch.tensor([2.5, 2.5, -2.5, -2.5, 1.0, 1.0, -1.0, 1.0])
    ct.launch(torch.cuda.current_stream(), (1,), divide, (x, y, *outs, 8))
    yield "sign of no remainder", torch.signbit(outs[2]), torch.signbit(x)
    x, y, out = torch.tensor([7, -7, 1, 5], dtype=torch.int32), torch.tensor([2, 2, 3, -4], dtype=torch.int32), torch.zeros(4)
    ct.launch(torch.cuda.current_stream(), (1,), divide_integers, (x, y, out, 4))
    yield "integers", out, x.double() / y.double()
    for dtype in (torch.float32, torch.int32):
        x = torch.tensor([7.5, -7.5, 1.0, -1.25, 3.0, 100.0, 2.5, -8.0]).to(dtype)
        floored, remainder = torch.zeros(2, 8, dtype=dtype), torch.zeros(2, 8, dtype=dtype)
        ct.launch(torch.cuda.current_stream(), (1,), divide_by_constants, (x, floored, remainder, 8))
        yield f"{dtype} floored by a constant", floored, torch.stack([x // 3, 7 // x])
        yield f"{dtype} remainder of a constant", remainder, torch.stack([x % 3, torch.remainder(torch.tensor(7, dtype=dtype), x)])
        out = torch.zeros(8, 2, dtype=dtype)
        ct.launch(torch.cuda.current_stream(), (8,), divide_elements, (x, out))
        yield f"{dtype} elements", out, torch.stack([x // 2, x % 2], 1)
    for f in (-7.5, 3.0, 5, -5, 1):
        out = torch.zeros(2)
        ct.launch(torch.cuda.current_stream(), (1,), divide_scalars, (out, f))
        yield f"the scalar {f}", out, torch.tensor([f // 2, f % 2], dtype=torch.float32)
    for dtype in (torch.float16, torch.float32, torch.int8, torch.int32):
        x, out = torch.tensor([7, -7, 1, -1, 3, 100, 2, -8]).to(dtype), torch.zeros(3, 8)
        ct.launch(torch.cuda.current_stream(), (1,), quotients_of_constants, (x, out, 8))
        own = dtype if dtype.is_floating_point else torch.float32
        three, tenths, rest = (torch.tensor(number).to(own).double() for number in (3, 0.3, 3.5))
        yield f"quotients of {dtype}", out, torch.stack([x / three, x / tenths, rest / x]).to(own).float()
    nan, inf = float("nan"), float("inf")
    x = torch.tensor([-0.0, 0.0, -6.0, 6.0, inf, -inf, inf, 1.0])
    y = torch.tensor([2.0, -2.0, 3.0, -3.0, inf, -inf, 2.0, inf])
    outs = [torch.zeros(8) for _ in range(3)]
    ct.launch(torch.cuda.current_stream(), (1,), divide, (x, y, *outs, 8))
    yield "remainders of edges", outs[2], torch.tensor([-0.0, 0.0, -0.0, 0.0, nan, nan, nan, 1.0])
    yield "remainders that are zero have the sign of x", torch.signbit(outs[2][:4]), torch.signbit(x[:4])
