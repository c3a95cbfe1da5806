# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Names that the author chose keep their meaning beside those that a conversion brings along."""

import ast

import pytest
from oracle import tool

KERNEL = '''
import cuda.tile as ct


def true_div(a, b):
    return a - b


def padded(rows):
    return rows + 1


@ct.kernel
def scale({first}, y, T: ct.Constant[int]):
    tile = ct.load({first}, (ct.bid(0),), (T,))
    ct.store(y, (ct.bid(0),), tile / tile)


def launch(stream, x, y):
    ct.launch(stream, (padded(1),), scale, (x, y, 8))
'''


def converted(tmp_path, text):
    source, target = tmp_path / "file.py", tmp_path / "file_triton.py"
    source.write_text(text)
    return tool.convert(source, target), target


def test_parameters_with_ordinary_names_stay(tmp_path):
    for name in ("grid", "values", "pid", "offs_m", "num_warps"):
        result, target = converted(tmp_path, KERNEL.format(first=name))
        assert result.status == "converted"
        compile(target.read_text(), str(target), "exec")


@pytest.mark.parametrize("name", ["torch", "triton", "min", "scale"])
def test_parameters_that_hide_what_the_launch_needs_are_refused(tmp_path, name):
    result, _ = converted(tmp_path, KERNEL.format(first=name))
    assert result.status == "refused"
    assert "TW209" in [diagnostic["code"] for diagnostic in result.diagnostics]


def test_functions_of_the_author_are_defined_once(tmp_path):
    result, target = converted(tmp_path, KERNEL.format(first="x"))
    assert result.status == "converted"
    functions = [node.name for node in ast.parse(target.read_text()).body if isinstance(node, ast.FunctionDef)]
    assert len(functions) == len(set(functions))
    assert {"true_div", "padded"} < set(functions)
    assert "true_div_2(tile, tile)" in target.read_text()


NAMESAKES = '''
import cuda.tile as ct

{before}
    @ct.kernel
    def copy(x, y):
        ct.store(y, (0,), ct.load(x, (0,), (8,)))
{between}
    @ct.kernel
    def copy(x, y):
        ct.store(y, (0,), ct.load(x, (1,), (8,)))


def launch(stream, x, y):
    ct.launch(stream, (1,), copy, (x, y))
'''


def test_kernels_of_one_name_in_two_branches_are_converted(tmp_path):
    for before, between in (("if True:", "else:"), ("try:", "except ImportError:")):
        result, _ = converted(tmp_path, NAMESAKES.format(before=before, between=between))
        assert result.status == "converted"


def test_kernels_of_one_name_are_refused(tmp_path):
    result, _ = converted(tmp_path, NAMESAKES.format(before="if True:", between="    first = copy"))
    assert result.status == "refused"
    assert {diagnostic["code"] for diagnostic in result.diagnostics} == {"TW267"}
