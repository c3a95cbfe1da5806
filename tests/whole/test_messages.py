# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a message says of a place, in the author's words."""

import re

import pytest
from oracle import tool

HEAD = "import cuda.tile as ct\nimport torch\n\n\n"

NAMED = '''
def weigh(a, b, n):
    return ct.exp(a * b + n).astype(ct.float32)


@ct.kernel
def scale(x, y, out, n, T: ct.Constant[int]):
    a, b = ct.load(x, (0,), (T,)), ct.load(y, (0,), (T,))
    ct.store(out, (0,), weigh(a, b, n))
'''


@pytest.fixture
def errors(tmp_path):
    def found(text):
        source = tmp_path / "file.py"
        source.write_text(HEAD + text)
        return [d for d in tool.convert(source, tmp_path / "file_triton.py").diagnostics if d["severity"] == "error"]

    return found


def test_a_dtype_that_can_be_written_is_no_trouble(errors):
    assert not errors(NAMED.replace("a * b + n", "(a * b).astype(ct.float32) + n"))


def test_a_dtype_that_cannot_be_written_is_told_by_the_names_that_it_follows_from(errors):
    (error,) = errors(NAMED)
    assert error["code"] == "TW202"
    assert "`a`, `b` and `n`" in error["message"]
    assert "astype" in error["notes"][0]["message"]


def test_a_dtype_that_triton_has_not_is_named(errors):
    (error,) = errors(NAMED.replace("a * b + n", "a").replace("ct.load(x, (0,), (T,))", "ct.load(x, (0,), (T,)).astype(ct.float8_e8m0fnu)"))
    assert re.search(r"float8_e8m0fnu", error["message"])


def test_no_message_speaks_of_dtypes_in_the_words_of_the_compiler(errors):
    for text in (NAMED, NAMED.replace("ct.exp", "ct.sqrt"), NAMED.replace("a * b + n", "ct.maximum(a, b) + n")):
        assert not [e for e in errors(text) if re.search(r"promote|elem\(|arg\(|float_of|adapt", str(e))]
