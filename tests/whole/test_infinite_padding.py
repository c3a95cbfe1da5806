# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Infinite padding of float8_e5m2, which Triton would round to the largest number: the interpreter has it, a launch refuses it."""

import pytest

from oracle import tool

PADDED = """
import cuda.tile as ct
import torch


@ct.kernel
def pad(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (N,), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32))


def cases():
    for dtype in (torch.float16, torch.float8_e5m2):
        x, out = torch.tensor([1.0, 2.0, 3.0]).to(dtype), torch.zeros(4)
        try:
            ct.launch(torch.cuda.current_stream(), (1,), pad, (x, out, 4))
        except TypeError as error:
            assert "cannot be float8_e5m2" in str(error) and dtype == torch.float8_e5m2
            out[:] = -1.0
        yield f"{dtype}", out, torch.tensor([1.0, 2.0, 3.0, -float("inf")])
"""


@pytest.mark.parametrize("engine, wrong", [("interpreted", []), ("triton", ["torch.float8_e5m2"])])
def test_infinite_padding_is_infinite_or_refused(tmp_path, engine, wrong):
    source, target = tmp_path / "padded.py", tmp_path / "converted.py"
    source.write_text(PADDED)
    assert tool.run("convert", source, "-o", target).returncode == 0
    found = tool.outcomes(tool.worker("kernels", "--engine", engine, source if engine == "interpreted" else target))
    assert len(found) == 3 and [case.rpartition(": ")[2] for case, text in found.items() if text] == wrong
