# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Converted operators calculate what torch calculates: their own host code, on CPU tensors, in Triton's interpreter."""

import pytest

from oracle import second_opinions, tool
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
        return tool.outcomes(done), done.stderr[-4000:]

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


OPINIONS = sorted({check.module for check in second_opinions.CHECKS})


@pytest.fixture(scope="module")
def compared(request, converted, tmp_path_factory):
    """module → (outcomes, the worker's last words): the converted module against the emulated original."""
    selected = {item.callspec.params.get("module") for item in request.session.items if hasattr(item, "callspec")}
    directory = tmp_path_factory.mktemp("opinions")

    def run(module):
        kept = directory / (module.replace("/", "_") + ".pt")
        emulated = tool.worker("interpret", "--engine", "emulated", "--save", kept, module)
        done = tool.worker("interpret", "--engine", "triton", "--against", kept, *tool.overlay(converted), module)
        return tool.outcomes(emulated), tool.outcomes(done), done.stderr[-4000:]

    modules = [module for module in OPINIONS if module in selected and converted[module].status in ("converted", "partly")]
    return dict(zip(modules, tool.parallel(run, modules)))


@pytest.mark.parametrize("module", OPINIONS)
def test_converted_module_agrees_with_the_emulated_original(compared, converted, module):
    if module not in compared:
        pytest.skip("refused")
    wanted, found, log = compared[module]
    assert wanted and not [text for text in wanted.values() if text]
    assert found.keys() == wanted.keys(), log
    wrong = {case: text for case, text in found.items() if text}
    assert not wrong, "\n".join(f"{case}: {text}" for case, text in wrong.items())


# Halves at offsets that nothing is known of; elements sent out of bounds; tiles of a loop whose numbers are taken apart, and
# those of segments that begin where the data says.
BARRIERS = {
    "ops/cutile/activation/geglu": 1,
    "ops/cutile/layer_norm": 2,
    "suites/flashinfer/cutile/gemm/gemm_alpha_beta": 2,
    "suites/flashinfer/cutile/gemm/ragged_block_scaled_bmm": 3,
    "suites/flashinfer/cutile/gemm/ragged_bmm": 2,
}


def test_threads_of_operators_wait_only_where_it_cannot_be_known_that_they_need_not(converted):
    found = {module: file.path.read_text().count("tl.debug_barrier()") for module, file in converted.items()}
    assert {module: barriers for module, barriers in found.items() if barriers} == BARRIERS
