# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Results files: one line of JSON per row, appended at once, read back to resume. The first line says which machine."""
import datetime
import importlib.metadata
import json
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class File:
    """Rows with a key; a row that is there already is not added again."""

    def __init__(self, path, key):
        self.path, self.key, self.lock = Path(path), key, threading.Lock()
        self.heads, self.rows = read(path) if self.path.exists() else ([], [])
        self.keys = {self.of(r) for r in self.rows}

    def of(self, row):
        return tuple(str(row.get(k)) for k in self.key)

    def head(self, head):
        self.heads.append(head)
        self._write({"machine": head})

    def add(self, row):
        with self.lock:
            if self.of(row) in self.keys:
                return
            self.keys.add(self.of(row))
            self.rows.append(row)
            self._write(row)

    def _write(self, row):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a") as out:
            out.write(json.dumps(row) + "\n")


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
    head["commit"] = commit.read_text().strip() if commit.exists() else _run("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    if gpu:
        head["gpu"], _, head["driver"] = _run("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").partition(", ")
    return head


def _run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
