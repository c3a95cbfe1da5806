# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the checks of oracle.operators on a CPU and prints one JSON object a line: {"case", "wrong"} (null, or what is wrong).

    python -m oracle.interpret --engine emulated [MODULE …]                    the originals, by oracle.emulator
    python -m oracle.interpret --engine interpreted [MODULE …]                 the originals, by Tilewright's interpreter
    python -m oracle.interpret --engine triton --overlay MODULE=FILE … [MODULE …]    converted modules, by Triton's interpreter

With --save FILE the cases are those of oracle.second_opinions and their results are kept; --against FILE compares with them.
"""

import argparse
import contextlib
import importlib
import json
import logging
import os
import re
import time
import traceback
import warnings
import zlib

from oracle import interpreter, tilegym_files

PROCESSORS = 4  # a small machine keeps persistent grids small


def prepare(engine, arch, overlay):
    os.environ["TILEGYM_DISABLE_AUTOTUNE"] = "1"
    if engine == "triton":
        os.environ["TRITON_INTERPRET"] = "1"
        interpreter.mend()
    from oracle.fake_gpu import fake_cutile_driver, fake_torch_cuda

    fake_cutile_driver()
    if engine == "interpreted":
        tilegym_files.install()
    elif engine == "emulated":
        from oracle import emulator

        emulator.install()
        tilegym_files.install(kernel_globals=emulator.kernel_globals())
    else:
        tilegym_files.install({tilegym_files.module_name(tilegym_files.path_of(k)): v for k, v in overlay.items()})
    fake_torch_cuda(arch, PROCESSORS)


def cases(checks, modules):
    """(case id, tolerance, call) for every check of these modules."""
    from oracle.operators import Random

    for check in checks:
        if modules and check.module not in modules:
            continue
        module = importlib.import_module(tilegym_files.module_name(tilegym_files.path_of(check.module)))
        for dtype in check.dtypes:
            random = Random(dtype)
            for name, call in check.cases(module, random):
                case = f"{check.module}: {name}, {str(dtype).removeprefix('torch.')}"
                random.generator.manual_seed(zlib.crc32(case.encode()))
                yield case, check.tolerance[dtype], call


def run(call, tolerance, expected=None):
    """(what is wrong or None, the results of the call)"""
    from oracle.operators import difference

    try:
        results = call()
    except Exception:
        return traceback.format_exc(limit=-6), None
    if expected is not None:
        results = [(*result, expected[result[0]]) for result in results]
    wrong = [
        f"{what}: {text}" for what, actual, *wanted in results if wanted and (text := difference(actual, *wanted, tolerance))
    ]
    return "; ".join(wrong) or None, {what: actual.detach().clone() for what, actual, *_ in results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--engine", choices=("emulated", "interpreted", "triton"), required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--overlay", action="append", default=[], metavar="MODULE=FILE")
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--against", metavar="FILE")
    parser.add_argument("--match", default="", help="a regular expression that case ids must contain")
    arguments = parser.parse_args()
    prepare(arguments.engine, arguments.arch, dict(pair.split("=", 1) for pair in arguments.overlay))
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    import torch

    from oracle import operators, second_opinions
    from oracle.fake_gpu import FakeCuda

    opinions = arguments.save or arguments.against
    expected = torch.load(arguments.against) if arguments.against else {}
    results = {}
    runs = contextlib.nullcontext
    if arguments.engine == "interpreted":
        import tilewright

        runs = tilewright.on_cpu
    with FakeCuda(), runs():
        for case, tolerance, call in cases((second_opinions if opinions else operators).CHECKS, set(arguments.modules)):
            if re.search(arguments.match, case) and not (arguments.against and case not in expected):
                start = time.perf_counter()
                wrong, results[case] = run(call, tolerance, expected.get(case))
                print(json.dumps(dict(case=case, wrong=wrong, seconds=round(time.perf_counter() - start, 3))), flush=True)
    if arguments.save:
        torch.save({case: result for case, result in results.items() if result is not None}, arguments.save)


if __name__ == "__main__":
    main()
