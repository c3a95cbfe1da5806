# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Expressions as long or as deep as nobody writes them."""

import pytest
from oracle import tool

KERNEL = """
import cuda.tile as ct


@ct.kernel
def k(x, out, N: ct.Constant[int]):
    a = ct.load(x, (0,), (N,))
    ct.store(out, (0,), {})
"""


@pytest.fixture
def converted(tmp_path):
    def convert(expression):
        source = tmp_path / "file.py"
        source.write_text(KERNEL.format(expression))
        return tool.convert(source, tmp_path / "file_triton.py")

    return convert


def nested(function, depth):
    return f"{function}(" * depth + "a" + ")" * depth


def test_a_chain_of_250_operators_is_converted(converted):
    assert converted(" + ".join(["a"] * 251)).status == "converted"


def test_a_longer_chain_is_refused_as_triton_cannot_descend_into_it(converted):
    (error,) = [d for d in converted(" + ".join(["a"] * 252)).diagnostics if d["severity"] == "error"]
    assert error["code"] == "TW158"


@pytest.mark.parametrize("expression", [nested("ct.exp", 60), "1.0 / (" * 60 + "a" + ")" * 60])
def test_what_is_nested_is_printed_once_a_level(converted, expression):
    result = converted(expression)
    assert result.status == "converted"
    assert len(result.path.read_text()) < 100_000
