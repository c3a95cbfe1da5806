# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Converted operators calculate what torch calculates: their own host code, on CPU tensors, in Triton's interpreter."""

import json

import pytest
from oracle import tool
from oracle.operators import CHECKS, Random


def _cases():
    for check in CHECKS:
        for dtype in check.dtypes:
            for name, _ in check.cases(None, Random(dtype)):
                yield check.module, f"{check.module}: {name}, {str(dtype).removeprefix('torch.')}"


CASES = list(_cases())


def outcomes(engine, modules, *arguments):
    """Case → what is wrong, or None.  A worker that dies leaves its last cases without an outcome."""

    def run(module):
        done = tool.worker("interpret", "--engine", engine, *arguments, module)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line["case"]: line["wrong"] for line in lines}, done.stderr[-4000:]

    found, logs = {}, {}
    for module, (cases, log) in zip(modules, tool.parallel(run, modules)):
        found.update(cases)
        logs[module] = log
    return found, logs


def _selected_modules(request):
    selected = {item.callspec.params.get("module") for item in request.session.items if hasattr(item, "callspec")}
    return [module for module in dict.fromkeys(module for module, _ in CASES) if module in selected]


@pytest.fixture(scope="module")
def interpreted(request, converted):
    return outcomes("triton", _selected_modules(request), *tool.overlay(converted))


@pytest.mark.parametrize("module, case", CASES, ids=[case for _, case in CASES])
def test_converted_operator_gives_torchs_result(interpreted, converted, module, case):
    if converted[module].status == "refused":
        pytest.skip("refused")
    found, logs = interpreted
    assert case in found, f"no outcome; the worker's last words:\n{logs[module]}"
    assert found[case] is None, found[case]


def test_references_agree_with_the_original_kernels(full):
    """The expected values themselves, checked against the originals run by the emulator."""
    modules = [check.module for check in CHECKS] if full else ["ops/cutile/softmax", "ops/cutile/dropout", "ops/cutile/rope"]
    found, logs = outcomes("emulated", list(dict.fromkeys(modules)))
    assert found, logs
    wrong = {case: text for case, text in found.items() if text}
    assert not wrong
