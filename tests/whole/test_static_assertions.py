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
    assert len(found) == 3 and not any(found.values()), (found, done.stderr[-2000:])
