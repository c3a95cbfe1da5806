# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the drivers under a recorder and prints what was launched.

    python -m oracle.record [MODULE …] [--arch sm_90] [--tune first|all] [--out FILE.pickle] [--overlay MODULE=FILE …]

The file holds {"launches": [Launch, …], "failures": {case: text}}; without --out a summary is printed.
"""

import argparse
import importlib
import logging
import pickle
import sys
import traceback
import warnings

from oracle import tilegym_files
from oracle.launches import DRIVERS, Tensors
from oracle.recorder import Recorder


def _calls(driver, module, sample, counter):
    """(dtype, name, call): every call at every dtype, or of the sample k/n every n-th call, dtypes in rotation."""
    for index, dtype in enumerate(driver.dtypes):
        for number, (name, call) in enumerate(driver.calls(module, Tensors(dtype))):
            if sample is None:
                yield dtype, name, call
            elif (number + counter) % sample[1] == sample[0] and (number + counter) // sample[1] % len(driver.dtypes) == index:
                yield dtype, name, call


def _end_searches_early(overlay, recorder):
    """Converted modules have a search of their own; those imported so far end it with the first configuration that will do."""
    for module in overlay:
        loaded = sys.modules.get(tilegym_files.module_name(tilegym_files.path_of(module)))
        if hasattr(loaded, "exhaustive_search"):
            loaded.exhaustive_search = recorder.search_triton


def run(modules, arch="sm_90", tune="first", overlay=None, sample=None):
    """Call the drivers of these modules (all if empty).  → (launches, {case: failure})"""
    tilegym_files.install({tilegym_files.module_name(tilegym_files.path_of(k)): v for k, v in (overlay or {}).items()})
    failures = {}
    logging.disable(logging.WARNING)
    with Recorder(arch, tune) as recorder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, driver in enumerate(DRIVERS):
            if modules and driver.module not in modules:
                continue
            name = tilegym_files.module_name(tilegym_files.path_of(driver.module))
            try:
                module = importlib.import_module(name)
                if tune == "first":
                    _end_searches_early(overlay or {}, recorder)
            except Exception:
                failures[driver.module] = traceback.format_exc(limit=-3)
                continue
            for dtype, call_name, call in _calls(driver, module, sample, place):
                recorder.case = f"{driver.module}: {call_name}, {str(dtype).removeprefix('torch.')}"
                try:
                    call()
                except Exception:
                    failures[recorder.case] = traceback.format_exc(limit=-4)
    return recorder.launches, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--tune", default="first", choices=("first", "all"))
    parser.add_argument("--sample", metavar="K/N", help="every N-th call, from the K-th")
    parser.add_argument("--out")
    parser.add_argument("--overlay", action="append", default=[], metavar="MODULE=FILE")
    arguments = parser.parse_args()
    overlay = dict(pair.split("=", 1) for pair in arguments.overlay)
    sample = tuple(map(int, arguments.sample.split("/"))) if arguments.sample else None
    launches, failures = run(set(arguments.modules), arguments.arch, arguments.tune, overlay, sample)
    if arguments.out:
        with open(arguments.out, "wb") as file:
            pickle.dump(dict(launches=launches, failures=failures), file)
        return
    for launch in launches:
        print(f"{launch.kernel:45} {launch.case:70} {launch.error.splitlines()[0] if launch.error else 'ok'}")
    for case, failure in failures.items():
        print(f"FAILED {case}\n{failure}")
    print(f"{len(launches)} launches of {len({(l.file, l.line) for l in launches})} kernels, {len(failures)} calls failed")


if __name__ == "__main__":
    main()
