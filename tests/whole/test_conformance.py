# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""oracle.conformance tells what becomes of tests that launch kernels."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "oracle" / "conformance.py"
TESTS = """
import cuda.tile as ct
import pytest
import torch

def run(kernel, *arguments):
    ct.launch(torch.cuda.current_stream(), (1,), kernel, arguments)

@pytest.mark.parametrize("by, wanted", [(2, 2.0), (3, 2.0)])
def test_value(by, wanted):
    @ct.kernel
    def kernel(x):
        ct.store(x, (0,), ct.load(x, (0,), (4,)) * by)
    x = torch.ones(4, device="cuda")
    run(kernel, x)
    assert x.tolist() == [wanted] * 4

def test_refused():
    @ct.kernel
    def kernel(x):
        ct.no_such_function(x)
    run(kernel, torch.ones(4, device="cuda"))

@pytest.mark.parametrize("index", [(0, 0), (0,)])
def test_error(index):
    @ct.kernel
    def kernel(x):
        ct.load(x, index, (4,))
    with pytest.raises(TypeError, match="rank") as caught:
        run(kernel, torch.ones(4, device="cuda"))
    assert caught.value

def test_nothing():
    assert torch.cuda.is_available()

@pytest.mark.skip
def test_skipped():
    pass
"""


def test_what_becomes_of_each_test_is_told(tmp_path):
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "test_some.py").write_text(textwrap.dedent(TESTS))
    results = tmp_path / "results.jsonl"
    command = [sys.executable, PROGRAM, tmp_path, "-o", results]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kinds = {(result := json.loads(line))["test"].partition("::")[2]: result["kind"] for line in results.read_text().splitlines()}
    assert kinds == {
        "test_value[2-2.0]": "passed",
        "test_value[3-2.0]": "assertion",
        "test_refused": "refused",
        "test_error[index0]": "refused by both",
        "test_error[index1]": "refused by cuTile",
        "test_nothing": "no launch",
        "test_skipped": "skipped",
    }
    assert "7 tests, 5 launch a kernel" in done.stdout
