# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the checks of oracle.operators on a CPU and prints one JSON object a line: {"case", "wrong"} (null, or what is wrong).

    python -m oracle.interpret --engine emulated [MODULE …]                    the originals, by oracle.emulator
    python -m oracle.interpret --engine triton --overlay MODULE=FILE … [MODULE …]    converted modules, by Triton's interpreter
"""

import argparse
import importlib
import json
import logging
import os
import re
import sys
import time
import traceback
import warnings

from oracle import tilegym_files

PROCESSORS = 4  # a small machine keeps persistent grids small


def prepare(engine, arch, overlay):
    os.environ["TILEGYM_DISABLE_AUTOTUNE"] = "1"
    if engine == "triton":
        os.environ["TRITON_INTERPRET"] = "1"
    from oracle.fake_gpu import fake_cutile_driver, fake_torch_cuda

    fake_cutile_driver()
    if engine == "emulated":
        from oracle import emulator

        emulator.install()
        tilegym_files.install(kernel_globals=emulator.kernel_globals())
    else:
        tilegym_files.install({tilegym_files.module_name(tilegym_files.path_of(k)): v for k, v in overlay.items()})
    fake_torch_cuda(arch, PROCESSORS)


def cases(modules):
    """(case id, module, dtype, tolerance, call) for every check of these modules."""
    from oracle.operators import CHECKS, Random

    for check in CHECKS:
        if modules and check.module not in modules:
            continue
        module = importlib.import_module(tilegym_files.module_name(tilegym_files.path_of(check.module)))
        for dtype in check.dtypes:
            for name, call in check.cases(module, Random(dtype)):
                yield f"{check.module}: {name}, {str(dtype).removeprefix('torch.')}", check.tolerance[dtype], call


def run(call, tolerance):
    from oracle.operators import difference

    try:
        wrong = [f"{what}: {text}" for what, actual, expected in call() if (text := difference(actual, expected, tolerance))]
    except Exception:
        return traceback.format_exc(limit=-6)
    return "; ".join(wrong) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--engine", choices=("emulated", "triton"), required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--overlay", action="append", default=[], metavar="MODULE=FILE")
    parser.add_argument("--match", default="", help="a regular expression that case ids must contain")
    arguments = parser.parse_args()
    prepare(arguments.engine, arguments.arch, dict(pair.split("=", 1) for pair in arguments.overlay))
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    from oracle.fake_gpu import FakeCuda

    with FakeCuda():
        for case, tolerance, call in cases(set(arguments.modules)):
            if re.search(arguments.match, case):
                start = time.perf_counter()
                wrong = run(call, tolerance)
                print(json.dumps(dict(case=case, wrong=wrong, seconds=round(time.perf_counter() - start, 3))))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
