# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Helpers of other modules of the package: their Triton text comes along, with the constants that they read."""

import os
import subprocess
import sys

import pytest

from oracle import tool

HELPERS = '''
"""Helpers of both sides."""

import math

import cuda.tile as ct

SCALE = 2.0
ROOT = math.sqrt(16.0)
QUARTER = SCALE / (4.0 * SCALE)
LATE = round(SCALE)


def tripled(x):
    """Three times x."""
    return x + doubled(x)


def doubled(x):
    return x * SCALE


def rooted(x):
    return ct.maximum(x, ROOT) * QUARTER


def late(x):
    return x * LATE


def thirds(x):
    return x // 3


def size_for(n):
    return 1 << (n - 1).bit_length()
'''

OPERATORS = '''
import cuda.tile as ct
import torch

from . import helpers
from .helpers import size_for
from .helpers import tripled  # three times

SCALE = 7.0


@ct.kernel
def triple_kernel(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), tripled(ct.load(x, (i,), (SIZE,), padding_mode=ct.PaddingMode.ZERO)))


@ct.kernel
def root_kernel(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), helpers.rooted(ct.load(x, (i,), (SIZE,), padding_mode=ct.PaddingMode.ZERO)) * SCALE)


def run(kernel, x):
    y = torch.empty_like(x)
    size = size_for(x.numel())
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y, size))
    return y


def triple(x):
    return run(triple_kernel, x)


def root(x):
    return run(root_kernel, x)
'''

LATE = '''
import cuda.tile as ct
import torch

from .helpers import late


@ct.kernel
def late_kernel(x, y):
    ct.store(y, (0,), late(ct.load(x, (0,), (8,))))


def run(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), late_kernel, (x, y))
'''


THIRDS = LATE.replace("late", "thirds")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("package") / "operators"
    directory.mkdir()
    for name, text in {"__init__": "", "helpers": HELPERS, "operators": OPERATORS, "late": LATE, "thirds": THIRDS}.items():
        (directory / f"{name}.py").write_text(text)
    return directory


@pytest.fixture(scope="module")
def converted(package):
    file = tool.convert(package / "operators.py", package / "operators_triton.py")
    assert file.status == "converted", file.diagnostics
    return file.path.read_text()


def test_a_helper_comes_before_the_first_kernel_that_calls_it(converted):
    order = ["def doubled(x):", "def tripled(x):", "def triple_kernel(", "def rooted(x):", "def root_kernel("]
    assert [converted.count(text) for text in order] == [1] * len(order)
    places = [converted.index(text) for text in order]
    assert places == sorted(places)


def test_an_import_that_the_host_reads_stays_and_others_go(converted):
    assert "from .helpers import size_for\n" in converted
    assert "tripled  # three times" not in converted and "from . import helpers" not in converted


def test_constants_come_along_under_names_that_are_free(converted):
    assert "\nROOT = tl.constexpr(math.sqrt(16.0))\n" in converted and "\nimport math\n" in converted
    assert "\nQUARTER = tl.constexpr(2.0 / (4.0 * 2.0))\n" in converted
    assert "\nSCALE = tl.constexpr(7.0)\n" in converted  # the file's own
    assert "\nSCALE_2 = tl.constexpr(2.0)\n" in converted  # the helper's


def test_the_converted_file_runs_in_its_package(converted, package):
    program = (
        "import torch; from operators.operators_triton import root, triple; x = torch.arange(5.0); "
        "print(torch.equal(triple(x), 3 * x), torch.equal(root(x), x.clamp(min=4) / 4 * 7))"
    )
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=package.parent, env=environment)
    if "cuda" in done.stderr and "helpers.py" in done.stderr:
        pytest.skip("the package's helper module needs cuTile")
    assert done.stdout == "True True\n", done.stderr[-4000:]


def test_what_a_helper_of_another_file_calls_comes_along(package):
    text = tool.convert(package / "thirds.py", package / "thirds_triton.py").path.read_text()
    assert text.count("any_floor_div(x, 3)") == text.count("\n\n\n@triton.jit\ndef any_floor_div(x, y):") == 1


def test_a_constant_that_is_no_plain_text_keeps_the_kernel(package):
    file = tool.convert(package / "late.py", package / "late_triton.py")
    assert file.status == "refused"
    assert {"TW152", "TW259"} & {d["code"] for d in file.diagnostics}
