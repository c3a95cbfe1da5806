# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Launches that break a `ct.static_assert`, in the original and in the converted file."""

from pathlib import Path

import pytest

from oracle import tool

LAUNCHES = """

def refuses(*arguments, kernel=scale):
    try:
        ct.launch(torch.cuda.current_stream(), (1,), kernel, arguments)
    except Exception:
        return True
    return False


def cases():
    x, out = torch.arange(4.0), torch.zeros(4)
    kept = [(x, out, 4, 3, False), (x, out, 4, 2, True)]
    broken = [(x, out, 4, 1, True), (x, out.half(), 4, 3, False), (x, out, 1, 0, False), (x, out, 4, 4, False)]
    yield "kept", torch.tensor([refuses(*arguments) for arguments in kept]), torch.zeros(2, dtype=torch.bool)
    yield "broken", torch.tensor([refuses(*arguments) for arguments in broken]), torch.ones(4, dtype=torch.bool)
    for number, what in ((2, "even"), (3, "odd")):
        found = [refuses(out, way, number, kernel=called) for way in range(5)]
        yield what, torch.tensor(found), torch.full((5,), what == "odd")
"""


@pytest.mark.parametrize("engine", ["emulated", "interpreted", "triton"])
def test_launches_that_break_a_static_assertion_are_refused_and_no_others(tmp_path, engine):
    kernels = (Path(__file__).parent / "kernels" / "static_assertions.py").read_text()
    source, target = tmp_path / "static_assertions.py", tmp_path / "converted.py"
    source.write_text(kernels[: kernels.index("def cases")] + LAUNCHES)
    assert tool.convert(source, target).status == "converted"
    done = tool.worker("kernels", "--engine", engine, target if engine == "triton" else source)
    found = tool.outcomes(done)
    assert len(found) == 5 and not any(found.values()), (found, done.stderr[-2000:])


WORDS = '''
import cuda.tile as ct
import torch


@ct.kernel
def fill(out, N: ct.Constant[int]):
    ct.static_assert(N > 1, "no \\"words\\" for é, ∞ and \\\\")
    ct.static_assert(N > 2, "half of a pair: \\ud800")
    ct.static_assert(N > 3, "two\\u2028lines")
    ct.static_assert(N > 4, "two\\nlines")
    ct.static_assert(N > 5, "rubbed out\\x7f")
    ct.store(out, (0,), ct.full((1,), N, ct.int32))


def run(out):
    ct.launch(torch.cuda.current_stream(), (1,), fill, (out, 8))
'''


def test_the_words_of_an_assertion_are_kept_if_they_are_a_line_that_can_be_read(tmp_path):
    source, target = tmp_path / "words.py", tmp_path / "converted.py"
    source.write_text(WORDS, encoding="utf-8")
    assert tool.convert(source, target).status == "converted"
    asserted = [line.strip() for line in target.read_text(encoding="utf-8").splitlines() if "static_assert" in line]
    assert asserted[0] == r'tl.static_assert(N > 1, "no \"words\" for é, ∞ and \\")'
    assert asserted[1:] == [f"tl.static_assert(N > {least})" for least in (2, 3, 4, 5)]
