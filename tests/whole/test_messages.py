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


ORDERED = '''
@ct.kernel
def copy(x, y):
    tile = ct.load(x, (ct.bid(0),), (16,), {load})
    ct.store(y, (ct.bid(0),), tile, {store})
'''
AT = "memory_order=ct.MemoryOrder.{}, memory_scope=ct.MemoryScope.DEVICE"


def test_relaxed_loads_are_volatile_and_relaxed_stores_plain(tmp_path):
    source = tmp_path / "file.py"
    source.write_text(HEAD + ORDERED.format(load=AT.format("RELAXED"), store=AT.format("RELAXED")))
    text = tool.convert(source, tmp_path / "file_triton.py").path.read_text()
    assert text.count("volatile=True") == 1
    assert "tl.store(y + " in text


def test_loads_that_acquire_and_stores_that_release_are_refused_at_their_place(errors):
    (load,) = errors(ORDERED.format(load=AT.format("ACQUIRE"), store=""))
    assert load["message"].startswith("`load` with memory_order=ACQUIRE has no counterpart in Triton")
    (store,) = errors(ORDERED.format(load="", store=AT.format("RELEASE")))
    assert store["message"].startswith("`store` with memory_order=RELEASE has no counterpart in Triton")
    assert store["code"] == load["code"] == "TW201"
