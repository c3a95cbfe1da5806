#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The cases of tests/whole/kernels on a GPU: the originals under real cuTile and what was converted under Triton.

    bench/gpu/kernels.py --out FILE [--only NAME,…] [--jobs N] [--deadline SECONDS]

bench/gpu/pack.py has converted the files into .gpu/kernels.  A row is a file and a side: how many cases gave the expected values,
and of the others what was wrong.  Expected values come from arithmetic and from torch, so that both sides may be right or wrong.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ORIGINALS = ROOT / "tests" / "whole" / "kernels"
CONVERTED = ROOT / ".gpu" / "kernels"
_SECONDS = 150  # of one file
sys.path.insert(0, str(ROOT / "tests"))


def run_cases(file):
    """What the process of one file does: a line of JSON for each case."""
    import torch
    from oracle.kernels import tolerance_of
    from oracle.operators import difference

    torch.manual_seed(0)
    torch.set_default_device("cuda")
    try:
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, actual, expected, *tolerance in module.cases():
            print(json.dumps({"case": name, "wrong": difference(actual.cpu(), expected.cpu(), tolerance_of(actual, *tolerance))}), flush=True)
        print(json.dumps({"case": "reaches its end", "wrong": None}), flush=True)
    except Exception as error:  # without its traceback, which names the machine's folders
        print(json.dumps({"case": "reaches its end", "wrong": f"{type(error).__name__}: {error}"}), flush=True)


def row_of(side, file):
    try:
        done = subprocess.run([sys.executable, __file__, "--one", str(file)], capture_output=True, text=True, timeout=_SECONDS)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if not lines or lines[-1]["case"] != "reaches its end":
            lines.append({"case": "reaches its end", "wrong": f"exit status {done.returncode}"})
    except subprocess.TimeoutExpired:
        lines = [{"case": "reaches its end", "wrong": f"took more than {_SECONDS} s"}]
    wrong = {line["case"]: line["wrong"] for line in lines if line["wrong"]}
    text = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return {"kind": "kernels", "file": file.stem, "side": side, "text": text, "right": len(lines) - len(wrong), "wrong": wrong}


def machine():
    import torch
    import triton

    commit = (ROOT / ".gpu" / "commit").read_text().strip()
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
    return {"kind": "kernels", "gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__, "commit": commit, "date": date}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="a file of results to append to")
    parser.add_argument("--only", default="", help="files, without suffix, with commas")
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--deadline", type=float, default=480, help="seconds after which nothing more is begun")
    parser.add_argument("--one", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        run_cases(args.one)
        return
    only = set(filter(None, args.only.split(",")))
    sides = {"original": ORIGINALS, "converted": CONVERTED}
    work = [(side, file) for side, folder in sides.items() for file in sorted(folder.glob("*.py")) if not only or file.stem in only]
    start = time.monotonic()

    def row(item):
        return row_of(*item) if time.monotonic() - start < args.deadline else None

    with args.out.open("a") as out, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        out.write(json.dumps({"machine": machine()}) + "\n")
        totals = dict.fromkeys(sides, (0, 0))
        for made in filter(None, pool.map(row, work)):
            out.write(json.dumps(made) + "\n")
            right, wrong = totals[made["side"]]
            totals[made["side"]] = right + made["right"], wrong + len(made["wrong"])
            for case, what in made["wrong"].items():
                print(f"{made['side']} {made['file']}: {case}: {what[:170]}", flush=True)
    for side, (right, wrong) in totals.items():
        print(f"{side}: {right} cases right, {wrong} not")


if __name__ == "__main__":
    main()
