# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Results files: one line of JSON per row, appended at once, read back to resume. The first line says which machine."""

import datetime
import importlib.metadata
import json
import math
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class File:
    """Rows, appended as they come; the last one of a kind counts (`newest`)."""

    def __init__(self, path):
        self.path, self.lock = Path(path), threading.Lock()
        self.heads, self.rows = read(path) if self.path.exists() else ([], [])

    def head(self, head):
        self.heads.append(head)
        self._write({"machine": head})

    def add(self, row):
        with self.lock:
            self.rows.append(row)
            self._write(row)

    def _write(self, row):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a") as out:
            out.write(json.dumps(_plain(row)) + "\n")


def _plain(value):
    """JSON knows no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


KEYS = {
    "compare": ("kind", "operator", "shape", "level"),
    "time": ("kind", "operator", "shape", "level"),
    "test": ("variant", "operator", "test"),
}


def newest(rows, *more):
    """The last row of each case (and of each value of the fields `more`), in the order of the first."""
    found = {}
    for row in rows:
        key = KEYS.get(row.get("kind", "test"), KEYS["test"]) + more
        found[tuple(str(row.get(k, "")) for k in key)] = row
    return list(found.values())


def read(*paths):
    """(machines, rows) of results files; half a line, left by a killed process, is passed over."""
    heads, rows = [], []
    for path in paths:
        for line in Path(path).read_text().splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            (heads if "machine" in row else rows).append(row.get("machine", row))
    return heads, rows


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def machine(gpu=True):
    head = {p: version(p) for p in ("torch", "triton", "cuda-tile", "tilegym")}
    head["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
    commit = ROOT / ".gpu/commit"
    head["commit"] = (
        commit.read_text().strip()
        if commit.exists()
        else _run("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    )
    if gpu:
        head["gpu"], _, head["driver"] = _run(
            "nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"
        ).partition(", ")
    return head


def _run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
