# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of ours, one behaviour a file: converted, run in Triton's interpreter, compared with the values that the file expects."""

import re
from pathlib import Path

import pytest

from oracle import tool

FILES = sorted((Path(__file__).parent / "kernels").glob("*.py"))


def outcomes(engine, files):
    """file name → ({case: what is wrong}, the worker's last words)"""
    chunks = [files[start::2] for start in range(2) if files[start::2]]
    found, log = {}, ""
    for done in tool.parallel(lambda chunk: tool.worker("kernels", "--engine", engine, *chunk), chunks):
        log += done.stderr[-4000:]
        for case, wrong in tool.outcomes(done).items():
            name, _, case = case.partition(": ")
            found.setdefault(name, {})[case] = wrong
    return found, log


def assert_right(found, log, name):
    cases = found.get(name, {})
    assert "reaches its end" in cases, log
    wrong = {case: text for case, text in cases.items() if text}
    assert not wrong, "\n".join(f"{case}: {text}" for case, text in wrong.items())
    assert len(cases) > 1, "a file without cases"


@pytest.fixture(scope="module")
def converted_kernels(tmp_path_factory):
    directory = tmp_path_factory.mktemp("kernels")
    return {file.stem: tool.convert(file, directory / file.name) for file in FILES}


@pytest.fixture(scope="module")
def interpreted(request, converted_kernels):
    selected = {item.callspec.params.get("name") for item in request.session.items if hasattr(item, "callspec")}
    return outcomes("triton", [file.path for name, file in converted_kernels.items() if name in selected])


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_kernel_is_converted_and_right(interpreted, converted_kernels, name):
    file = converted_kernels[name]
    assert file.status == "converted", "\n".join(d["message"] for d in file.diagnostics if d["severity"] == "error")
    assert_right(*interpreted, name)


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_threads_wait_where_the_file_says_and_nowhere_else(converted_kernels, name):
    text = converted_kernels[name].path.read_text()
    assert text.count("# waits") == text.count("tl.debug_barrier()")
    assert not re.search(r"debug_barrier(?:(?!# waits).)*debug_barrier", text, re.S)


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_launches_that_are_refused_are_noted_and_no_others(converted_kernels, name):
    file = converted_kernels[name]
    for code, error in ("TW226", "TypeError"), ("TW227", "ValueError"):
        noted = [d["message"].replace("`", "").split(": ")[-1] for d in file.diagnostics if d["code"] == code]
        raised = re.findall(rf'raise {error}\(\s*f?"\w+: (.*?)(?:"$|, not \{{|")', file.path.read_text(), re.M)
        assert sorted(noted) == sorted(raised)


def test_the_expected_values_are_those_of_cutile():
    """… as the emulator has them, which knows nothing of the converter."""
    found, log = outcomes("emulated", FILES)
    for file in FILES:
        assert_right(found, log, file.stem)


def test_the_interpreter_gives_the_expected_values():
    found, log = outcomes("interpreted", FILES)
    for file in FILES:
        assert_right(found, log, file.stem)
