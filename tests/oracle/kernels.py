# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases() of kernel files and prints one JSON object a line: {"case", "wrong"} (null, or what is wrong).

    python -m oracle.kernels --engine emulated|evaluated|interpreted|triton FILE …

A kernel file is a whole cuTile program; its cases() launches the kernels and yields (name, actual, expected), with a tolerance
as fourth where the default for the dtype will not do.  The original runs on the emulator, in Tilewright's interpreter, or in the
evaluator of the Tile IR that NVIDIA's front end makes of it, where each launch is a case too: it is interpreted beside it.  The
converted file runs in Triton's interpreter.
"""

import argparse
import contextlib
import importlib.util
import json
import os
import traceback
import warnings
from pathlib import Path

from oracle import interpreter

_TOLERANCE = {"float32": 2e-6, "float16": 2e-3, "bfloat16": 1e-2}


def tolerance_of(actual, given=None):
    """What the case says, or what holds for the dtype."""
    return _TOLERANCE.get(str(actual.dtype).removeprefix("torch."), 0.0) if given is None else given


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--engine", choices=("emulated", "evaluated", "interpreted", "triton"), required=True)
    parser.add_argument("--arch", default="sm_90")
    arguments = parser.parse_args()
    if arguments.engine == "triton":
        os.environ["TRITON_INTERPRET"] = "1"
        interpreter.mend()
    import torch

    from oracle.fake_gpu import FakeCuda, fake_cutile_driver, fake_torch_cuda
    from oracle.operators import difference
    from oracle.tilegym_files import Loader

    names, runs, hands = {}, contextlib.nullcontext, None
    if arguments.engine == "emulated":
        fake_cutile_driver()
        from oracle import emulator

        emulator.install()
        names = emulator.kernel_globals()
    if arguments.engine == "evaluated":
        fake_cutile_driver()
        import tilewright  # noqa: F401  before tensors claim to be on a GPU

        from oracle import judge
        from oracle.tile_ir_eval import launch

        hands = judge.TwoHands()
        launch.take_launches(hands)
    if arguments.engine == "interpreted":
        fake_cutile_driver()
        import tilewright

        runs = tilewright.on_cpu
    fake_torch_cuda(arguments.arch, 4)
    warnings.simplefilter("ignore")
    for file in arguments.files:
        torch.manual_seed(0)
        with FakeCuda(), runs():
            try:
                spec = importlib.util.spec_from_file_location(file.stem, file, loader=Loader(file.stem, str(file), names))
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                for name, actual, expected, *tolerance in module.cases():
                    report(file, name, difference(actual, expected, tolerance_of(actual, *tolerance)))
                report(file, "reaches its end", None)
            except Exception:
                report(file, "reaches its end", traceback.format_exc(limit=-6))
        if hands:
            for number, (kernel, apart, _) in enumerate(hands.launches):
                report(file, f"launch {number} of {kernel}", "; ".join(apart.wrong) or None)
            hands.launches = []


def report(file, name, wrong):
    print(json.dumps(dict(case=f"{file.stem}: {name}", wrong=wrong, seconds=0)), flush=True)


if __name__ == "__main__":
    main()
