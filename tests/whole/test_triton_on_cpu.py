# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""tilewright.interpret of kernels in Triton: as Triton's own interpreter, and as arithmetic where that one is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tilewright
import torch
import triton
import triton.language as tl
from oracle import triton_programs

import oracle

FOLDER = Path(oracle.__file__).parent
TF32 = 2.0**-10


@triton.jit
def scaled(x, out, n, factor, BLOCK: tl.constexpr = 16):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)


@triton.jit
def unmasked(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at))


@triton.jit
def unfilled(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n))


@triton.jit
def crossed(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(tl.where(at < 4, x, y) + at))


@triton.jit
def dotted(x, y, out, PRECISION: tl.constexpr):
    at = tl.arange(0, 16)
    both = at[:, None] * 16 + at[None, :]
    tl.store(out + both, tl.dot(tl.load(x + both), tl.load(y + both), input_precision=PRECISION))


@triton.jit
def optional(x, bias, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a = tl.load(x + at)
    if bias is not None:
        a += tl.load(bias + at)
    tl.store(out + at, a)


@pytest.fixture(scope="module")
def distances():
    done = subprocess.run(
        [sys.executable, FOLDER / "triton_programs.py"], capture_output=True, text=True,
        env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("name", triton_programs.cases(triton_programs.Rng(torch.float32)))
def test_programs_compute_what_triton_s_interpreter_says(distances, name, dtype):
    assert distances[f"{name} {dtype}"] < 1e-6


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_numbers_of_a_launch_are_float32_and_results_are_rounded_once(dtype):
    x = torch.randn(50).to(dtype)
    out = torch.zeros_like(x)
    tilewright.interpret(scaled, (4,), (x, out, 50, 1.1, 16))
    factor = torch.tensor(1.1, dtype=torch.float32)
    wide = torch.promote_types(dtype, torch.float32)
    assert torch.equal(out, (x.to(wide) * factor.to(wide)).to(dtype))


def test_arguments_may_be_named_left_to_their_defaults_and_asked_by_the_grid():
    x, out = torch.ones(40), torch.zeros(40)
    tilewright.interpret(
        scaled, lambda all: (triton.cdiv(all["n"], all["BLOCK"]),), dict(x=x, out=out, n=40, factor=3, num_warps=4)
    )
    assert torch.equal(out, x * 3)


def test_an_argument_that_the_kernel_does_not_have_is_no_argument():
    with pytest.raises(TypeError, match="no parameter `y`"):
        tilewright.interpret(scaled, (1,), dict(x=torch.ones(4), y=1))
    with pytest.raises(TypeError, match="`factor` gets no value"):
        tilewright.interpret(scaled, (1,), (torch.ones(4), torch.ones(4), 4))


def test_configurations_and_heuristics_say_constants():
    tuned = triton.autotune(configs=[triton.Config({"BLOCK": 8}), triton.Config({"BLOCK": 16})], key=["n"])(scaled)
    decided = triton.heuristics({"BLOCK": lambda all: triton.next_power_of_2(all["n"])})(scaled)
    x = torch.randn(20)
    for kernel, programs in ((tuned, 3), (decided, 1)):
        out = torch.zeros(20)
        tilewright.interpret(kernel, (programs,), dict(x=x, out=out, n=20, factor=2))
        assert torch.equal(out, 2 * x)


def test_what_is_not_passed_is_not_read():
    x = torch.randn(8)
    for bias in (None, torch.randn(8)):
        out = torch.zeros(8)
        tilewright.interpret(optional, (1,), (x, bias, out, 8))
        assert torch.equal(out, x if bias is None else x + bias)


def test_a_lane_without_a_mask_outside_of_its_tensor_is_told():
    with pytest.raises(tilewright.KernelError, match=r"TW402.*outside of the memory of `x`: at element 10"):
        tilewright.interpret(unmasked, (1,), (torch.ones(10), torch.ones(16), 16))
    # Whatever lies behind it is not the tensor's.
    both = torch.ones(32)
    with pytest.raises(tilewright.KernelError, match=r"TW402.*`x`: at element 10"):
        tilewright.interpret(unmasked, (1,), (both[:10], both[16:], 16))


def test_a_pointer_of_two_tensors_reaches_both():
    x, y, out = torch.ones(4), torch.full((8,), 2.0), torch.zeros(8)
    tilewright.interpret(crossed, (1,), (x, y, out, 8))
    assert out.tolist() == [1.0] * 4 + [2.0] * 4


def test_lanes_that_nothing_fills_have_no_meaning_where_that_is_asked():
    out = torch.zeros(8)
    tilewright.interpret(unfilled, (1,), (torch.ones(8), out, 5, 8))
    assert out.tolist() == [1.0] * 5 + [0.0] * 3
    with pytest.raises(tilewright.KernelError, match="TW404.*is stored"):
        tilewright.interpret(unfilled, (1,), (torch.ones(8), torch.zeros(8), 5, 8), numbers="poison")


@pytest.mark.parametrize(
    ("precision", "least", "most"),
    [("ieee", 0.0, 1e-6), ("tf32", 1e-5, 4 * TF32), ("tf32x3", 0.0, 1e-5), ("bf16x3", 0.0, 1e-3), ("bf16x6", 0.0, 1e-5)],
)
def test_products_of_float32_are_as_precise_as_the_program_says(precision, least, most):
    x, y, out = torch.randn(16, 16), torch.randn(16, 16), torch.zeros(16, 16)
    tilewright.interpret(dotted, (1,), (x, y, out, precision))
    exact = x.double() @ y.double()
    error = ((out - exact).abs().max() / (x.abs().double() @ y.abs().double()).max()).item()
    assert least <= error <= most
