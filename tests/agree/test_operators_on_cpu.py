# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The interpreter on the open operators, their own host code unchanged: against float64 torch, and against the emulator."""

from oracle import operators, second_opinions, tool

_SAMPLE = ["ops/cutile/softmax", "ops/cutile/matmul", "ops/cutile/attention", "ops/cutile/layer_norm", "ops/cutile/dropout"]


def run(modules, *arguments):
    """(case → what is wrong or None, the workers' last words)"""
    chunks = [modules[start::2] for start in range(2) if modules[start::2]]
    found, log = {}, ""
    for done in tool.parallel(lambda chunk: tool.worker("interpret", *arguments, *chunk), chunks):
        found.update(tool.outcomes(done))
        log += done.stderr[-4000:]
    return found, log


def test_operators_give_torchs_results(full):
    modules = sorted({check.module for check in operators.CHECKS})
    found, log = run(modules if full else _SAMPLE, "--engine", "interpreted")
    assert found, log
    assert not {case: text for case, text in found.items() if text}


def test_operators_give_the_emulators_results(full, tmp_path):
    modules = sorted({check.module for check in second_opinions.CHECKS})
    for module in modules if full else modules[::8]:
        kept = tmp_path / "results.pt"
        wanted = tool.outcomes(tool.worker("interpret", "--engine", "emulated", "--save", kept, module))
        done = tool.worker("interpret", "--engine", "interpreted", "--against", kept, module)
        found = tool.outcomes(done)
        assert wanted and found.keys() == wanted.keys(), done.stderr[-4000:]
        assert not {case: text for case, text in found.items() if text}
