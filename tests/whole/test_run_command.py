# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`tilewright run`, and what is traced of a line."""

import json
import re

import numpy as np
import pytest
import tilewright
from oracle import tool

_KERNELS = """import cuda.tile as ct


@ct.kernel
def rows(x, out, N: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, N))
    total = ct.full((1, 1), 0, ct.int32)
    for j in range(2):
        total = total + ct.sum(t, 1, keepdims=True)
    ct.store(out, (i, 0), total)
"""
_NAMED, _LOOP, _STORED = 7, 10, 11  # lines


def array(dtype, *shape):
    strides = [int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    return {"kind": "array", "dtype": dtype, "shape": list(shape), "stride": strides}


@pytest.fixture
def run(tmp_path):
    """Words behind the file → (exit status, standard output, standard error)"""
    (tmp_path / "kernels.py").write_text(_KERNELS)
    launch = {"kernel": "rows", "arguments": [array("int32", 3, 10), array("int32", 3, 1), {"kind": "int", "value": 16}]}

    def run(*words, kernel="::rows", launch=launch):
        (tmp_path / "launch.json").write_text(json.dumps(launch))
        done = tool.run("run", f"{tmp_path}/kernels.py{kernel}", "--launch", tmp_path / "launch.json", *words)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(_KERNELS)
    names = {"__file__": str(path)}
    exec(compile(_KERNELS, path, "exec"), names)
    return names["rows"]


def numbers(text):
    return [int(number) for number in re.findall(r"-?\d+", text)]


def test_arrays_are_made_alike_each_time_and_printed_as_they_are_afterwards(run):
    status, text, trouble = run("--grid", "3")
    assert (status, trouble) == (0, "")
    x, out = re.fullmatch(r"x: int32 \(3, 10\), from 0 to 9, mean [\d.]+\n(.*)out: int32 \(3, 1\), .*?\n(.*)", text, re.S).groups()
    assert x.count("…") == 3 and len(x.splitlines()) == 3
    assert len(numbers(out)) == 3 and all(number % 2 == 0 for number in numbers(out))
    assert run("--grid", "3", kernel="") == (status, text, trouble)
    assert run("--grid", "3", "--seed", "1")[1] != text


def test_a_line_is_traced_for_one_program(run):
    _, text, _ = run("--grid", "3", "--program", "2", "--trace", _NAMED, "--numbers", "poison", kernel="")
    assert text == ""  # the padding that has no meaning is stored
    status, text, _ = run("--grid", "3", "--program", "2", "--trace", _LOOP)
    first, second = re.findall(r"^total: int32 \(1, 1\)\n\[\[(\d+)\]\]$", text, re.M)
    assert status == 0 and int(second) == 2 * int(first)


def test_what_has_no_meaning_is_shown_as_that(run, kernel, capsys):
    status, _, trouble = run("--numbers", "poison", "--trace", _NAMED)
    assert status == 1 and "TW404" in trouble
    x, out = np.arange(30, dtype=np.int32).reshape(3, 10), np.zeros((3, 1), np.int32)
    with pytest.raises(tilewright.KernelError, match="TW404"):
        tilewright.interpret(kernel, (3,), (x, out, 16), numbers="poison", trace=_NAMED, block=(1,), threads=1)
    assert capsys.readouterr().out == ""  # block 0 went wrong before
    with pytest.raises(tilewright.KernelError, match="TW404"):
        tilewright.interpret(kernel, (3,), (x, out, 16), numbers="poison", trace=_NAMED)
    assert capsys.readouterr().out == (
        "t: int32 (1, 16), from 0 to 9, mean 4.5, 6 without a meaning\n[[0, 1, 2, …, ?, ?, ?]]\n"
    )


def test_a_line_is_traced_in_python_too(kernel, capsys):
    x, out = np.arange(30, dtype=np.int32).reshape(3, 10), np.zeros((3, 1), np.int32)
    tilewright.interpret(kernel, (3,), (x, out, 16))
    assert capsys.readouterr().out == ""
    tilewright.interpret(kernel, (3,), (x, out, 16), trace=_STORED, block=(2,))
    assert capsys.readouterr().out == f"stored in out: int32 (1, 1)\n[[{2 * sum(range(20, 30))}]]\n"
    for line in (4000, 10**30):
        with pytest.raises(ValueError, match=f"the kernel's file has no line {line}$"):
            tilewright.interpret(kernel, (3,), (x, out, 16), trace=line)


def test_a_line_on_which_a_block_calculates_nothing_is_told(kernel, capsys):
    x, out = np.arange(30, dtype=np.int32).reshape(3, 10), np.zeros((3, 1), np.int32)
    tilewright.interpret(kernel, (3,), (x, out, 16), trace=2)
    assert capsys.readouterr().out == "nothing is calculated on line 2 by block (0, 0, 0)\n"
    tilewright.interpret(kernel, (3,), (x, out, 16), trace=_NAMED, block=(3,))
    assert capsys.readouterr().out == f"nothing is calculated on line {_NAMED} by block (3, 0, 0)\n"
    with pytest.raises(ValueError, match="needs trace=LINE"):
        tilewright.interpret(kernel, (3,), (x, out, 16), block=(1,))


@pytest.mark.parametrize(
    "words, launch, message",
    [
        (["--trace", "0"], {}, "`--trace` is the number of a line from 1 to 2147483647, not `0`"),
        (["--trace", "400"], {}, "the file has no line 400"),
        (["--grid", "1,2,3,4"], {}, "`--grid` is one to three numbers, as in `4,2`, each from 0 to 2147483647, not `1,2,3,4`"),
        (["--grid", "2147483647,2147483647,4"], {}, "a grid has at most 16777215,65535,65535 programs, not `2147483647,2147483647,4`"),
        (["--seed", "2147483648"], {}, "`--seed` is a number from 0 to 2147483647, not `2147483648`"),
        (["--trace", str(2**31)], {}, "`--trace` is the number of a line from 1 to 2147483647, not `2147483648`"),
        (["--program", "1"], {}, "`--program` says which program is traced, and needs `--trace LINE`"),
        (["--program", "1,3", "--trace", "7", "--grid", "2,3"], {}, "which has 2,3,1 programs, not `1,3,0`"),
        (["--trace", "2"], {}, "nothing is calculated on line 2 by `rows`"),
        (["--launch", ""], {}, "`run` needs `--launch LAUNCH.json`"),
        ([], {"kernel": "rows"}, "expected an object with `kernel` and `arguments`"),
        ([], {"arguments": [array("float32", 1 << 20, 1 << 20)]}, "argument 0: an array of more than a GiB is not made"),
        ([], {"arguments": [array("float32", -4, 4)]}, "argument 0: an extent is negative"),
    ],
)
def test_what_cannot_be_run_is_told(run, words, launch, message):
    numbers = [array("int32", 3, 1), {"kind": "int", "value": 16}]
    whole = {"kernel": "rows", "arguments": [array("int32", 3, 10), *numbers]}
    if "arguments" in launch:
        launch = {"kernel": "rows", "arguments": [*launch["arguments"], *numbers]}
    status, text, trouble = run(*words, launch=launch or whole)
    assert status in (1, 2) and text == "" and message in trouble


def test_a_kernel_that_is_not_there_is_told(run):
    assert run(kernel="::columns") == (2, "", "tilewright: there is no kernel `columns`\n")


_REFUSED = """import cuda.tile as ct


@ct.kernel
def right(x):
    t = ct.load(x, (0,), (4,))
    if x.shape[0] > 100:
        t = t + 1
    ct.store(x, (0,), t)


@ct.kernel
def refused(x):
    t = ct.no_such_function(x)


@ct.kernel
def refused_too(x):
    t = ct.nor_this(x)
"""


@pytest.fixture
def run_of_three(tmp_path):
    """The kernel and words behind it → (exit status, standard output, standard error)"""
    (tmp_path / "kernels.py").write_text(_REFUSED)
    (tmp_path / "launch.json").write_text(json.dumps({"kernel": "right", "arguments": [array("float32", 4)]}))

    def run(kernel, *words):
        done = tool.run("run", f"{tmp_path}/kernels.py::{kernel}", "--launch", tmp_path / "launch.json", *words)
        return done.returncode, done.stdout, done.stderr

    return run


def test_a_kernel_that_is_refused_is_told_without_what_others_are_refused_for(run_of_three):
    assert run_of_three("right")[::2] == (0, "")
    status, text, trouble = run_of_three("refused")
    assert (status, text) == (1, "") and "no_such_function" in trouble and "nor_this" not in trouble
    assert run_of_three("wrong") == (2, "", "tilewright: there is no kernel `wrong`\n")


def test_a_branch_that_is_not_taken_is_told_and_no_mistake(run_of_three):
    status, text, trouble = run_of_three("right", "--trace", "8")
    assert status == 0 and text.startswith("x: float32 (4,)")
    assert trouble == "tilewright: nothing is calculated on line 8 by program (0, 0, 0)\n"
    assert run_of_three("right", "--trace", "14") == (2, "", "tilewright: nothing is calculated on line 14 by `right`\n")


def test_a_number_that_float64_does_not_have_is_told(tmp_path, run_of_three):
    (tmp_path / "launch.json").write_text('{"kernel": "right", "arguments": [{"kind": "float", "value": 1e400}]}')
    assert run_of_three("right") == (2, "", "tilewright: `1e400` is larger than any float64\n")
