# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Launches whose products need more shared memory than the GPU has: what is tried, what is refused, and that sums stay the same."""

import ast
from pathlib import Path

import pytest
import torch
import triton

from oracle import tool

KERNELS = Path(__file__).parent / "kernels"
TRIED = "[(num_stages, 1), (1, 1), (1, 2), (1, 4), (1, 8)]"


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return tool.convert(KERNELS / "kept_operands.py", tmp_path_factory.mktemp("kept") / "kept_operands.py").path.read_text()


@pytest.fixture
def launch_in_parts(text):
    used = [node for node in ast.parse(text).body if ast.unparse(node).startswith(("def launch_in_parts(", "launch_failures = "))]
    names = {"torch": torch, "triton": triton}
    exec(compile(ast.Module(used, []), "launch_in_parts", "exec"), names)
    return names["launch_in_parts"]


class Kernel:
    """Takes what `needed` says of (stages, parts) of a memory of 100 bytes."""

    __name__ = "k"

    def __init__(self, needed, what="shared memory"):
        self.needed, self.what, self.tried = needed, what, []

    def __getitem__(self, grid):
        return self.run

    def run(self, *args, num_stages, **options):
        self.tried.append((num_stages, *args))
        if (needed := self.needed(num_stages, args[-1])) > 100:
            raise triton.OutOfResources(needed, 100, self.what)


def test_products_of_tiles_that_are_loaded_for_them_are_plain(tmp_path):
    text = tool.convert(KERNELS / "products.py", tmp_path / "products.py").path.read_text()
    assert "tl.dot(" in text
    assert "multiply[grid](" in text
    assert "parts" not in text.lower()


def test_a_launch_that_fits_is_made_once_as_it_is(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 100)
    launch_in_parts(kernel, (1,), "x", "y", products=[(16, 16)], num_stages=3, num_warps=4)
    assert kernel.tried == [(3, "x", "y", 1)]


def test_a_pipeline_is_given_up_before_products_are_taken_in_parts(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 60 * stages)
    launch_in_parts(kernel, (1,), "x", products=[(16, 16)], num_stages=2)
    assert kernel.tried == [(2, "x", 1), (1, "x", 1)]


def test_products_are_taken_in_as_few_parts_as_fit(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 300 // parts)
    launch_in_parts(kernel, (1,), "x", products=[(16, 16)], num_stages=1)
    assert kernel.tried == [(1, "x", 1), (1, "x", 2), (1, "x", 4)]


def test_what_did_not_fit_is_tried_again_for_other_products_options_and_arrays_alone(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 300 // parts)
    launch_in_parts(kernel, (1,), torch.zeros(1), products=[(16, 16)], num_stages=1, num_warps=4)
    kernel.tried.clear()
    launch_in_parts(kernel, (2,), torch.ones(3), products=[(16, 16)], num_stages=1, num_warps=4)
    assert [parts for *_, parts in kernel.tried] == [4]
    for array, products, options in (
        (torch.zeros(1), [(16, 32)], {"num_warps": 4}),
        (torch.zeros(1), [(16, 16)], {"num_warps": 8}),
        (torch.zeros(1).half(), [(16, 16)], {"num_warps": 4}),
    ):
        kernel.tried.clear()
        launch_in_parts(kernel, (1,), array, products=products, num_stages=1, **options)
        assert [parts for *_, parts in kernel.tried] == [1, 2, 4]


def test_what_does_not_fit_at_all_is_refused_by_name_shapes_and_bytes(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 200)
    with pytest.raises(ValueError, match="^k: products of 256x128 and 256x64 need 200 bytes of shared memory, the GPU has 100$"):
        launch_in_parts(kernel, (1,), "x", products=[(256, 128), (256, 64), (256, 128)])
    with pytest.raises(ValueError, match="^k: products of 256x128"):
        launch_in_parts(kernel, (1,), "x", products=[(256, 128), (256, 64), (256, 128)])


def test_another_shortage_is_for_triton_to_report(launch_in_parts):
    kernel = Kernel(lambda stages, parts: 200, "tensor memory")
    with pytest.raises(triton.OutOfResources):
        launch_in_parts(kernel, (1,), "x", products=[(16, 16)])
    assert len(kernel.tried) == 1


def test_products_in_parts_are_the_same_sums(text, tmp_path):
    assert text.count(TRIED) == 1
    files = [tmp_path / f"in_{parts}_parts.py" for parts in (1, 2, 4, 8)]
    for file in files:
        file.write_text(text.replace(TRIED, f"[(1, {file.stem.split('_')[1]})]"))
    done = tool.worker("kernels", "--engine", "triton", *files)
    found = tool.outcomes(done)
    assert len(found) == 4 * 6, done.stderr[-4000:]
    assert not {case: wrong for case, wrong in found.items() if wrong}
