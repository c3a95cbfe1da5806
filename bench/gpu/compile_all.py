#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles what converted modules launch, for every GPU: the whole matrix of tests/agree/test_compile.py on a machine of many cores.

    bench/gpu/compile_all.py --converted FOLDER --out FILE [--archs sm_80,sm_90,sm_100,sm_120] [--only MODULE,…] [--deadline SECONDS]

FOLDER mirrors the package (`ops/cutile/bmm.py`), as `tilewright convert` writes it.  No GPU is used.  Each process takes a share
of one module's calls for one GPU, at every dtype; searches end with the first configuration that compiles and fits.  A row counts
what one module gave for one GPU: kernels, launches that Triton compiled differently, those that fit, and what went wrong.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

SHARES = 5  # of one module's calls


def converted_in(folder):
    """Module → file, of what the drivers call."""
    from oracle.launches import DRIVERS

    files = {driver.module: Path(folder) / f"{driver.module}.py" for driver in DRIVERS}
    return {module: file for module, file in files.items() if file.exists()}


def share(module, arch, folder, number):
    """What one process does: one line of JSON on standard output."""
    from oracle import record
    from oracle.launches import Tensors

    def calls(driver, loaded, *_):
        every = ((dtype, name, call) for dtype in driver.dtypes for name, call in driver.calls(loaded, Tensors(dtype)))
        return (call for place, call in enumerate(every) if place % SHARES == number)

    record._calls = calls
    launches, failures = record.run({module}, arch, "first", converted_in(folder))
    rows = [
        {"kernel": launch.kernel, "symbol": launch.symbol or launch.error, "searched": launch.searched, "shared": launch.shared,
         "case": launch.case, "error": launch.error[:300]}
        for launch in launches
        if launch.language == "triton"
    ]  # fmt: skip
    print(json.dumps({"launches": rows, "failures": {case: text.strip().splitlines()[-1][:300] for case, text in failures.items()}}))


def counted(module, arch, shares):
    kinds = {}
    for launch in (launch for one in shares for launch in one["launches"]):
        known = kinds.setdefault((launch["kernel"], launch["symbol"]), launch)
        known["searched"] &= launch["searched"]
    launched = [launch for launch in kinds.values() if not launch["searched"]]
    wrong = collections.Counter(f"{launch['kernel']}: {launch['error']}" for launch in launched if launch["error"])
    wrong.update(f"{case}: {text}" for one in shares for case, text in one["failures"].items())
    return {"kind": "compiled", "module": module, "arch": arch, "kernels": len({launch["kernel"] for launch in kinds.values()}),
            "launches": len(launched), "fit": sum(not launch["error"] for launch in launched),
            "shared_max": max((launch["shared"] for launch in launched), default=0), "wrong": sorted(wrong)}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--converted", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--archs", default="sm_80,sm_90,sm_100,sm_120")
    parser.add_argument("--only", default="", help="modules, with commas")
    parser.add_argument("--deadline", type=float, default=3600, help="seconds after which nothing more is begun")
    parser.add_argument("--share", nargs=4, metavar=("MODULE", "ARCH", "FOLDER", "NUMBER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.share:
        module, arch, folder, number = arguments.share
        return share(module, arch, folder, int(number))

    import torch
    import triton

    wanted = set(filter(None, arguments.only.split(",")))
    modules = [module for module in converted_in(arguments.converted) if not wanted or module in wanted]
    begin = time.time()
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}

    def run(task):
        module, arch, number = task
        left = arguments.deadline - (time.time() - begin)
        words = [sys.executable, __file__, "--share", module, arch, str(arguments.converted), str(number)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=max(left, 1))
            return json.loads(done.stdout.splitlines()[-1])
        except subprocess.TimeoutExpired:
            return {"launches": [], "failures": {module: "not compiled within the time"}}
        except (IndexError, ValueError):
            return {"launches": [], "failures": {module: done.stderr[-300:]}}

    tasks = [(module, arch, number) for module in modules for arch in arguments.archs.split(",") for number in range(SHARES)]
    found = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for task, result in zip(tasks, pool.map(run, tasks)):
            found[task[:2]].append(result)
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(begin))
    machine = {"torch": torch.__version__.split("+")[0], "triton": triton.__version__, "date": date, "cores": os.cpu_count(), "kind": "compiled"}
    with arguments.out.open("w") as out:
        for row in [{"machine": machine}, *(counted(*place, shares) for place, shares in found.items())]:
            out.write(json.dumps(row) + "\n")
    for arch in arguments.archs.split(","):
        rows = [counted(*place, shares) for place, shares in found.items() if place[1] == arch]
        print(arch, *(f"{sum(row[key] for row in rows)} {key}" for key in ("kernels", "launches", "fit")), f"{sum(len(row['wrong']) for row in rows)} wrong")


if __name__ == "__main__":
    main()
