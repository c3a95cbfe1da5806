# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""tools/new_rule, in a copy of the repository's outline."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oracle import tool

ROOT = Path(__file__).parents[2]
FAMILIES = ("memory", "layout", "loop", "math", "launch", "safety")


@pytest.fixture
def new_rule(tmp_path):
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/new_rule", tmp_path / "tools")
    shutil.copytree(ROOT / "src/rules", tmp_path / "src/rules")

    def run(*arguments):
        return subprocess.run([sys.executable, tmp_path / "tools/new_rule", *arguments], capture_output=True, text=True)

    return run


def files_of(tmp_path):
    return {path.relative_to(tmp_path): path.read_bytes() for path in (tmp_path / "src").rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [(), ("memory",), ("memory", "a-b", "c-d"), ("nothing/redundant-mask",), ("memory/Redundant-mask",), ("memory/mask",),
     ("memory/redundant_mask",), ("memory/../../escape-now",), ("math/natural-quotient",), ("memory/natural-quotient",)],
)  # fmt: skip
def test_what_is_no_new_rule_writes_nothing(new_rule, tmp_path, arguments):
    before = files_of(tmp_path)
    done = new_rule(*arguments)
    assert done.returncode in (1, 2)
    assert done.stderr and "Traceback" not in done.stderr
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("family", FAMILIES)
def test_a_new_rule_is_two_files_that_compile(new_rule, tmp_path, family):
    before = files_of(tmp_path)
    done = new_rule(f"{family}/very-new-thing")
    assert done.returncode == 0, done.stderr
    code, page = (tmp_path / f"src/rules/{family}/very_new_thing{suffix}" for suffix in (".cc", ".md"))
    assert files_of(tmp_path).keys() - before.keys() == {code.relative_to(tmp_path), page.relative_to(tmp_path)}
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-I", ROOT / "src"]
    done = subprocess.run([compiler, *flags, code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_page_has_the_headings_that_the_build_asks_for(new_rule, tmp_path):
    assert new_rule("math", "very-new-thing").returncode == 0
    page = (tmp_path / "src/rules/math/very_new_thing.md").read_text()
    headings = re.search(r'foreach\(heading (.*)\)\n', (ROOT / "cmake/rules.cmake").read_text())[1]
    for heading in re.findall(r'"(.*?)"', headings):
        assert heading.replace("\\n", "\n").replace("${name}", "very-new-thing") in page


def test_the_examples_of_the_page_are_cutile_and_expect_what_the_rule_does_not_say_yet(new_rule, tmp_path):
    assert new_rule("memory/very-new-thing").returncode == 0
    page = (tmp_path / "src/rules/memory/very_new_thing.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert ["# expect: very-new-thing" in example for example in examples] == [True, False]
    for number, example in enumerate(examples):
        source = tmp_path / f"example_{number}.py"
        source.write_text(example)
        assert tool.convert(source, tmp_path / f"converted_{number}.py").status == "converted"
