# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Converted host code at work: launches through values, hints, searches, streams, in Triton's interpreter on a CPU."""

import ast
import json
import os
import subprocess
import sys

import pytest

from oracle import tool

ORIGINAL = '''
import math
from dataclasses import dataclass

import cuda.tile as ct
import torch
from cuda.tile import RoundingMode as RMd
from cuda.tile.tune import exhaustive_search

ConstInt = ct.Constant[int]
FACTOR = 2.0
OFFSET = math.sqrt(9.0)


def next_size(n):
    return 1 << (n - 1).bit_length()


@ct.kernel(occupancy=4)
def scale_kernel(x, y, SIZE: ConstInt):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,), padding_mode=ct.PaddingMode.ZERO) * FACTOR)


@ct.kernel
def _shift_kernel(x, y, SIZE: ConstInt):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,), padding_mode=ct.PaddingMode.ZERO) + OFFSET)


@ct.kernel
def half_kernel(x, y, SIZE: ConstInt):
    i = ct.bid(0)
    ct.store(y, (i,), ct.truediv(ct.load(x, (i,), (SIZE,), padding_mode=ct.PaddingMode.ZERO), 2.0, rounding_mode=RMd.FULL))


@ct.kernel
def fill_each(xs, SIZE: ConstInt):
    for i in range(len(xs)):
        ct.store(xs[i], (0,), ct.full((SIZE,), 2, xs[i].dtype))


KERNELS = {"scale": scale_kernel, "shift": _shift_kernel}
_hinted = {}


@dataclass
class Entry:
    kernel: ct.kernel


def with_hints(kernel: ct.kernel, **hints) -> ct.kernel:
    assert isinstance(kernel, ct.kernel)
    key = (id(kernel), tuple(sorted(hints.items())))
    if key not in _hinted:
        _hinted[key] = Entry(kernel.replace_hints(**hints))
    return _hinted[key].kernel


def grid_of(x, size):
    return (ct.cdiv(x.numel(), size),)


def half(x):
    y = torch.empty_like(x)
    ct.launch(torch.cuda.current_stream(), grid_of(x, 8), half_kernel, (x, y, 8))
    return y


def run(name, x, size=8, stream=None, **hints):
    y = torch.empty_like(x)
    kernel = with_hints(KERNELS[name], **hints) if hints else KERNELS[name]
    arguments = (x, y)
    ct.launch(stream, grid_of(x, size), kernel, (*arguments, next_size(size)))
    return y


def filled(*xs):
    ct.launch(torch.cuda.current_stream(), (1,), fill_each, (list(xs), 8))
    return xs


def later(x, stream):
    y = torch.empty_like(x)
    return y, lambda: ct.launch(stream, grid_of(x, 8), scale_kernel, (x, y, 8))


def remade(x):
    y = torch.empty_like(x)
    kernel = ct.kernel(scale_kernel._pyfunc, num_ctas=ct.ByTarget(sm_90=2, default=1), num_worker_warps=8)
    ct.launch(torch.cuda.current_stream(), grid_of(x, 8), kernel, (x, y, 8))
    return y, kernel


def search(x, sizes, quiet=True):
    y = torch.empty_like(x)

    def args_fn(size):
        if size < 0:
            raise RuntimeError("negative size")
        return x, y, size

    with ct.compiler_timeout(5):
        return exhaustive_search(sizes, None, lambda size: grid_of(x, abs(size)), scale_kernel, args_fn, lambda size: {"occupancy": 2}, quiet=quiet)


def search_kernels(x, names):
    y = torch.empty_like(x)
    return exhaustive_search(names, None, lambda name: grid_of(x, 8), lambda name: KERNELS[name], lambda name: (x, y, 8), quiet=True), y
'''

CHECKS = '''
import json, sys, torch
sys.path.insert(0, sys.argv[1])
import converted as module

x = torch.arange(13, dtype=torch.float32)
outcomes = {}

def check(name, holds):
    outcomes[name] = bool(holds)

def raises(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"

check("a plain launch", torch.equal(module.half(x), x / 2))
check("a launch of a value", torch.equal(module.run("scale", x), x * 2) and torch.equal(module.run("shift", x), x + 3))
check("a kernel with hints", torch.equal(module.run("scale", x, occupancy=2), x * 2))
module.run("scale", x, occupancy=2)
check("hinted kernels are found by identity", len(module._hinted) == 1)
arrays = module.filled(torch.zeros(5), torch.zeros(11)[::2])
check("a list of arrays", all(torch.equal(one, torch.full_like(one, 2)) for one in arrays))
unlike = [(torch.zeros(5), torch.zeros(5).int()), (torch.zeros(5), torch.zeros(5, 5)), (torch.zeros(5, 5), torch.zeros(5, 5)), ()]
refusal = "TypeError: a list needs arrays of 1 dimensions, all of one dtype and on one device"
check("a list of arrays that are not alike is refused", all(raises(lambda: module.filled(*xs)) == refusal for xs in unlike))
eight_bits = [torch.float8_e4m3fn, torch.float8_e5m2, torch.bool, torch.uint8, torch.int8]
names = [str(module.triton_dtype(torch.zeros(1).to(dtype))) for dtype in eight_bits]
check("dtypes of elements", names == ["fp8e4nv", "fp8e5", "int1", "uint8", "int8"])
y, launch = module.later(x, None)
launch()
check("a launch in a lambda", torch.equal(y, x * 2))
y, kernel = module.remade(x)
check("a kernel made anew", torch.equal(y, x * 2) and kernel.hints["num_worker_warps"] == 8 and kernel.hints["num_ctas"] == 1)
check("hints add up", kernel.replace_hints(occupancy=3).hints == {**kernel.hints, "occupancy": 3})
found = module.search(x, [-1, 16, 8])
check("a search takes the first that runs", found.best.config == 16)
check("a search keeps what failed", found.failures == [(-1, RuntimeError, "negative size")])
check("a search keeps what ran", [one.config for one in found.successes] == [16] and found.best.mean_us >= 0)
check("a search of nothing", raises(lambda: module.search(x, [])) == "ValueError: Search space is empty.")
check("a search without success", "negative size" in raises(lambda: module.search(x, [-1])))
result, y = module.search_kernels(x, ["shift", "scale"])
check("a search over kernels", result.best.config == "shift" and torch.equal(y, x + 3))

# As on a GPU, but for the clock: the second of three is the fastest.
import triton
times = iter([0.3, 0.1, 0.2])
def do_bench(run):
    run()
    return next(times)
triton.knobs.runtime.interpret, triton.testing.do_bench = False, do_bench
found = module.search(x, [16, 8, 32])
check("a search with a clock", found.best.config == 8 and [round(one.mean_us) for one in found.successes] == [300, 100, 200])
print(json.dumps(outcomes))
'''

NAMES = [line.split('"')[1] for line in CHECKS.splitlines() if line.startswith("check(")]


@pytest.fixture(scope="module")
def converted_host(tmp_path_factory):
    directory = tmp_path_factory.mktemp("host")
    original = directory / "original.py"
    original.write_text(ORIGINAL)
    (directory / "out").mkdir()
    return tool.convert(original, directory / "out" / "converted.py")


@pytest.fixture(scope="module")
def outcomes(converted_host):
    done = subprocess.run(
        [sys.executable, "-c", CHECKS, str(converted_host.path.parent)],
        capture_output=True, text=True, env={**os.environ, "TRITON_INTERPRET": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_converted_host_code_does(outcomes, name):
    assert outcomes[name]


def test_nothing_of_cutile_is_left(converted_host):
    assert converted_host.status == "converted", converted_host.diagnostics
    imported = set()
    for node in ast.walk(ast.parse(converted_host.path.read_text())):
        if isinstance(node, ast.Import):
            imported.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported == {"math", "dataclasses", "types", "torch", "triton"}


def test_a_search_says_what_it_found(converted_host):
    program = f"import sys, torch; sys.path.insert(0, {str(converted_host.path.parent)!r}); import converted; converted.search(torch.ones(4), [8], quiet=False)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "TRITON_INTERPRET": "1"})
    assert done.stdout.startswith("1 succeeded, 0 failed, best: 8"), done.stderr[-4000:]
