# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a case of the comparison is: how to call an operator, at which shapes, and what float64 says. The cases_*.py hold them.

A case is written once and runs on any copy of the package (copies.py): `call(copy, inputs)` gives a tuple of tensors, and so
does `reference(inputs)` on the inputs in float64. Shapes come in three kinds: dividing the tiles, ragged, and larger. Values
are random, never zeros or ones, and small enough that nothing overflows fp16.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

F = torch.nn.functional
H, B, S = torch.float16, torch.bfloat16, torch.float32
FLOATS, HALVES = (H, B, S), (H, B)


@dataclass
class Operator:
    name: str
    module: str  # below tilegym; what is converted
    shapes: tuple  # keyword arguments of make: dividing, ragged, larger
    make: Callable  # (Maker, **shape) → inputs
    call: Callable  # (copy, inputs) → tensors
    reference: Callable | None
    dtypes: tuple = FLOATS
    inplace: bool = False  # the call writes its inputs


OPERATORS = {}
KINDS = ("dividing", "ragged", "larger")


class Maker:
    """Random tensors of one dtype on the GPU."""

    def __init__(self, dtype, generator):
        self.dtype, self.generator = dtype, generator

    def randn(self, *shape, dtype=None, scale=1.0):
        return (torch.randn(*shape, device="cuda", generator=self.generator) * scale).to(dtype or self.dtype)

    def rand(self, *shape, dtype=None, low=0.0, high=1.0):
        return (torch.rand(*shape, device="cuda", generator=self.generator) * (high - low) + low).to(
            dtype or self.dtype
        )

    def randint(self, high, *shape, dtype=torch.int64):
        return torch.randint(high, shape, device="cuda", generator=self.generator, dtype=dtype)

    def full(self, *shape, dtype=None, value=math.nan):
        return torch.full(shape, value, device="cuda", dtype=dtype or self.dtype)

    def permutation(self, count):
        return torch.randperm(count, device="cuda", generator=self.generator)


def operator(name, module, shapes, make, call, reference=None, dtypes=FLOATS, inplace=False):
    OPERATORS[name] = Operator(name, module, tuple(shapes), make, call, reference, dtypes, inplace)


def rows_columns(*pairs):
    return tuple({"m": m, "n": n} for m, n in pairs)


def tensors(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def with_gradients(function, names):
    """The outputs of `function(copy, inputs)` and the gradients of `names`, for the output gradient inputs["dy"]."""

    def call(copy, inputs):
        inputs = inputs | {n: inputs[n].detach().requires_grad_() for n in names}
        with torch.enable_grad():
            outputs = tensors(function(copy, inputs))
            gradients = torch.autograd.grad(outputs, [inputs[n] for n in names], tensors(inputs["dy"]))
        return tuple(o.detach() for o in outputs) + gradients

    return call


def reference_with_gradients(function, names):
    call = with_gradients(lambda _, inputs: function(inputs), names)
    return lambda inputs: call(None, inputs)
