# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The tool under test, and what it makes of the open files."""

import functools
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from oracle import tilegym_files

REPOSITORY = Path(__file__).parents[2]


@functools.cache
def executable():
    """$TILEWRIGHT, else the newest build of this checkout, else the one on PATH."""
    if given := os.environ.get("TILEWRIGHT"):
        return Path(given).resolve()
    builds = [*REPOSITORY.glob("build*/tilewright"), *REPOSITORY.glob("build*/*/tilewright")]
    builds = [build for build in builds if os.access(build, os.X_OK) and build.is_file()]
    if builds:
        return max(builds, key=lambda build: build.stat().st_mtime)
    if found := shutil.which("tilewright"):
        return Path(found)
    raise FileNotFoundError("no tilewright: build it, install it, or set TILEWRIGHT")


def run(*arguments, **options):
    return subprocess.run([str(executable()), *map(str, arguments)], capture_output=True, text=True, **options)


@dataclass(frozen=True)
class Converted:
    path: Path  # of the result; the original if nothing was written
    status: str  # converted, partly, refused or unchanged
    kernels: dict  # name → status
    diagnostics: list
    exit_status: int


def convert(source, output):
    """Convert one file; a result that is no valid document is a bug of the tool."""
    done = run("convert", source, "-o", output, "--format", "json")
    try:
        (file,) = json.loads(done.stdout)["files"]
    except (ValueError, KeyError) as error:
        raise AssertionError(
            f"exit status {done.returncode} on {source}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        ) from error
    kernels = {kernel["name"]: kernel["status"] for kernel in file["kernels"]}
    written = Path(output) if Path(output).exists() else Path(source)
    return Converted(written, file["status"], kernels, file["diagnostics"], done.returncode)


def convert_open_files(directory):
    """module (`ops/cutile/bmm`) → Converted, for every open file."""
    result = {}
    for path in tilegym_files.open_files():
        module = str(path.relative_to(tilegym_files.ROOT).with_suffix(""))
        output = directory / f"{module}.py"
        output.parent.mkdir(parents=True, exist_ok=True)
        result[module] = convert(path, output)
    return result


def overlay(converted):
    """Command-line arguments that put converted files in place of the originals."""
    changed = {module: file.path for module, file in converted.items() if file.status in ("converted", "partly")}
    return [argument for module, path in changed.items() for argument in ("--overlay", f"{module}={path}")]


def worker(program, *arguments, environment=None, timeout=3600):
    """Run a program of the oracle package in a process of its own (the fakes and Triton's target last as long as that)."""
    paths = os.pathsep.join(filter(None, (str(REPOSITORY / "tests"), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths, **(environment or {})}
    return subprocess.run(
        [sys.executable, "-m", f"oracle.{program}", *map(str, arguments)],
        capture_output=True, text=True, env=environment, timeout=timeout,
    )  # fmt: skip


def outcomes(done):
    """Case → what is wrong, or None, of a worker that prints one JSON object a line; host code may print as well."""
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"case"')]
    return {line["case"]: line["wrong"] for line in lines}


def parallel(function, items):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))
