#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Gathers in `.gpu/` what a GPU machine without network needs: TileGym's tests, and its modules converted here.

    bench/gpu/pack.py [--tilewright build/…/tilewright] [--tests REPOSITORY.git] [--levels strict,default] [--results FOLDER]

`.gpu/converted/<level>/tilegym/…` mirrors the installed package; `.gpu/converted/<level>/manifest.json` says how each module
converted. `.gpu/kernels` has the kernel files of tests/whole, for kernels.py. The conversion is done here and travels as text: the machine with the GPU then needs no build. cuTile itself is
packed separately (`.gpu/cutile.txz`), once. --results takes over what a run left: its rows go on in the next one, and of the
originals' machine code as much goes along as there is room for, what took longest to compile first. Nothing of this is committed.
"""

import argparse
import contextlib
import importlib.util
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from copies import held_back

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / ".gpu"
CARRIED = 62 << 20  # bytes that the GPU machine takes along, with a little room left


def modules():
    """(module, file) of every open cuTile module of the installed tilegym; the package is not imported."""
    package = Path(importlib.util.find_spec("tilegym").submodule_search_locations[0])
    found = []
    for folder in ("ops/cutile", "suites/unsloth/cutile", "suites/flashinfer/cutile"):
        for file in sorted((package / folder).rglob("*.py")):
            name = ".".join(("tilegym", *file.relative_to(package).with_suffix("").parts))
            if file.name != "__init__.py" and not held_back(name):
                found.append((name, file))
    return found


def convert(tilewright, level, extra, name, file):
    target = (OUT / "converted" / level).joinpath(*name.split(".")).with_suffix(".py")
    target.parent.mkdir(parents=True, exist_ok=True)
    entry = {"exit": None, "status": "failed", "kernels": [], "refusals": []}
    try:
        run = subprocess.run(
            [tilewright, "convert", str(file), "-o", str(target), "--numerics", level, "--format", "json", *extra],
            capture_output=True,
            text=True,
            timeout=20,
        )
        entry["exit"] = run.returncode
        (document,) = json.loads(run.stdout)["files"]
        entry["status"] = document["status"]
        entry["kernels"] = [{"name": k["name"], "status": k["status"]} for k in document["kernels"]]
        entry["refusals"] = [
            f"{d['code']}: {d['message']}" for d in document["diagnostics"] if d["severity"] == "error"
        ]
    except subprocess.TimeoutExpired:
        entry["refusals"] = ["the converter did not end"]
    except (ValueError, KeyError, TypeError):
        entry["refusals"] = [(run.stdout + run.stderr).strip()[-600:]]
    if target.exists():
        try:
            compile(target.read_text(), str(target), "exec")
        except SyntaxError as error:
            entry["refusals"].append(f"the result is no Python: {error}")
    if not target.exists() or entry["status"] in ("refused", "unchanged", "failed"):
        target.unlink(missing_ok=True)  # the original stays in place
    return name, entry


def cache(archive, room):
    """Repack cuTile's compilation cache, without the entries that are cheap to have again, until it fits."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "xf", str(archive), "-C", folder], check=True)
        with contextlib.closing(sqlite3.connect(Path(folder, "cache.db"), isolation_level=None)) as database:
            entries = database.execute("select key, length(blob), metadata from cache").fetchall()
            seconds = {key: json.loads(data or "{}").get("compilation_time_seconds") or 0 for key, _, data in entries}
            entries = sorted(((size, key) for key, size, _ in entries), key=lambda entry: seconds[entry[1]] / entry[0])
            while True:
                database.execute("vacuum")
                subprocess.run(f"tar c cache.db | xz -9 >'{OUT}/cutile-cache.txz'", shell=True, check=True, cwd=folder)
                size = (OUT / "cutile-cache.txz").stat().st_size
                kept = sum(seconds[key] for _, key in entries)
                print(
                    f"cache: {len(entries)} kernels, {kept:.0f} of {sum(seconds.values()):.0f} s of compilation, {size / 2**20:.1f} MiB"
                )
                if size <= room or not entries:
                    return
                drop = max(1, int(len(entries) * (1 - room / size)))
                database.executemany("delete from cache where key = ?", [(key,) for _, key in entries[:drop]])
                entries = entries[drop:]


def packed_size():
    """What travels: .gpu and the repository's own files."""
    files = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True).stdout.split("\n")
    return sum((ROOT / f).stat().st_size for f in files if f and (ROOT / f).is_file()) + sum(
        f.stat().st_size for f in OUT.rglob("*") if f.is_file()
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tilewright", help="the executable; without it nothing is converted")
    parser.add_argument("--levels", default="strict,default")
    parser.add_argument("--tests", help="a git directory of TileGym's repository; its tests are packed")
    parser.add_argument("--results", type=Path, help="the folder with the files that a run left")
    parser.add_argument("--extra", default="", help="further arguments for convert, in one string")
    args = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    if args.tests:
        target = OUT / "tests"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        paths = [
            "tests/__init__.py",
            "tests/common.py",
            "tests/config.py",
            "tests/conftest.py",
            "tests/test_utils",
            "tests/ops",
            "tests/suites",
        ]
        archive = subprocess.run(
            ["git", f"--git-dir={args.tests}", "archive", "HEAD", *paths], check=True, capture_output=True
        )
        subprocess.run(["tar", "x", "-C", str(target)], input=archive.stdout, check=True)
        shutil.rmtree(target / "tests/suites/liger", ignore_errors=True)
        (target / "pytest.ini").write_text("[pytest]\n")  # so that pytest looks no further up
        print(f"tests: {sum(1 for _ in target.rglob('test_*.py'))} files")
    if args.tilewright:
        commit = subprocess.run(
            ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
        ).stdout.strip()
        for level in args.levels.split(","):
            shutil.rmtree(OUT / "converted" / level, ignore_errors=True)
            with ThreadPoolExecutor() as pool:
                done = dict(pool.map(lambda m: convert(args.tilewright, level, args.extra.split(), *m), modules()))
            manifest = {"commit": commit, "level": level, "modules": done}
            (OUT / "converted" / level / "manifest.json").write_text(json.dumps(manifest, indent=1))
            counts = {}
            for entry in done.values():
                counts[entry["status"]] = counts.get(entry["status"], 0) + 1
            kernels = [k["status"] for e in done.values() for k in e["kernels"]]
            print(f"{level}: {counts}; kernels {kernels.count('converted')} of {len(kernels)} converted")
        shutil.rmtree(OUT / "kernels", ignore_errors=True)
        (OUT / "kernels").mkdir()
        for file in sorted((ROOT / "tests" / "whole" / "kernels").glob("*.py")):
            subprocess.run([args.tilewright, "convert", str(file), "-o", str(OUT / "kernels" / file.name)], capture_output=True)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    (OUT / "commit").write_text(commit.stdout.strip() + "\n")
    if args.results:
        (OUT / "resume").mkdir(exist_ok=True)
        for file in args.results.glob("*.jsonl"):
            shutil.copy(file, OUT / "resume")
            (OUT / "resume" / file.name).chmod(0o644)
        (OUT / "cutile-cache.txz").unlink(missing_ok=True)
        if (args.results / "cutile-cache.txz").exists():
            cache(args.results / "cutile-cache.txz", CARRIED - packed_size())
    print(f"{packed_size() / 2**20:.1f} of {CARRIED / 2**20:.0f} MiB travel")


if __name__ == "__main__":
    main()
