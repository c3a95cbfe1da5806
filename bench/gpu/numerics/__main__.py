# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Single operations on edge values: real cuTile, Triton and Tilewright's interpreter, bit by bit.

    python3 bench/gpu/numerics make --tilewright build/…/tilewright              here: fills .gpu/numerics and packs it
    python3 bench/gpu/numerics run --sides interpreted --out FILE                here
    python3 bench/gpu/numerics run --sides original,strict,default,plain --out FILE    on the GPU, after `. bench/gpu/setup.sh`
    python3 bench/gpu/numerics join FILE… --page docs/numerics.md --results bench/results/h200-numerics.jsonl

operations.py has the list of operations, inputs.py what they are fed with, made.py how files are made of them, run.py how these
run, joined.py compares and page.py writes.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[0] = str(Path(__file__).parents[1])
MADE = ROOT / ".gpu" / "numerics"
PACKED = ROOT / ".gpu" / "numerics.txz"


def make(args):
    from numerics.made import make

    start = time.monotonic()
    index = make(args.made, args.tilewright)
    files = index["files"].values()
    subprocess.run(["tar", "cJf", str(PACKED), "-C", str(args.made.parent), args.made.name], check=True)
    print(
        f"{sum(len(file['operations']) for file in files)} operations in {len(files)} files, {sum(len(file['levels']) for file in files)} conversions; "
        f"{len(index['refused by cuTile'])} refused by cuTile, {len(index['refused by Tilewright'])} by Tilewright; "
        f"{PACKED.stat().st_size >> 10} KiB; {time.monotonic() - start:.0f} s"
    )
    for name, file in index["files"].items():
        for wrong in file.get("wrong", ()):
            print(f"{name}: {wrong}")


def run(args):
    from rows import machine
    from numerics.run import run

    if not (args.made / "index.json").exists() and PACKED.exists():
        args.made.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "xJf", str(PACKED), "-C", str(args.made.parent)], check=True)
    on_gpu = not args.on_cpu and args.sides != "interpreted"
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with args.out.open("a") as out:
        out.write(json.dumps({"machine": machine(gpu=on_gpu) | {"kind": "numerics", "sides": args.sides}}) + "\n")
    only, end = tuple(filter(None, args.only.split(","))), time.monotonic() + args.deadline
    for side in args.sides.split(","):
        start = time.monotonic()
        results, errors = run(args.made, side, args.out, args.jobs, only, args.on_cpu, end)
        print(f"{side}: {results} results, {errors} errors, {time.monotonic() - start:.0f} s", flush=True)


def work(args):
    from numerics.run import work

    work(args.side, args.made, args.on_cpu)


def join(args):
    from numerics.joined import joined
    from numerics.page import write

    write(joined(args.files, args.made), args.page, args.results)


def main():
    parser = argparse.ArgumentParser(prog="numerics", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("make")
    made.add_argument("--tilewright", required=True)
    ran = commands.add_parser("run")
    ran.add_argument("--sides", default="original,strict,default,plain")
    ran.add_argument("--out", type=Path, required=True)
    ran.add_argument("--jobs", type=int, default=14)
    ran.add_argument("--deadline", type=float, default=480, help="seconds after which nothing more is begun")
    ran.add_argument("--only", default="", help="parts of file names, with commas")
    ran.add_argument("--on-cpu", action="store_true", help="Triton's interpreter stands in for the GPU")
    working = commands.add_parser("work")
    working.add_argument("--side", required=True)
    working.add_argument("--on-cpu", action="store_true")
    joining = commands.add_parser("join")
    joining.add_argument("files", nargs="+", type=Path)
    joining.add_argument("--page", type=Path)
    joining.add_argument("--results", type=Path)
    for command in (made, ran, working, joining):
        command.add_argument("--made", type=Path, default=MADE)
    args = parser.parse_args()
    args.made = args.made.resolve()
    {"make": make, "run": run, "work": work, "join": join}[args.command](args)


if __name__ == "__main__":
    main()
