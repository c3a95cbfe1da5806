# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs made files: by real cuTile or Triton on a GPU, by Tilewright's interpreter or Triton's on a CPU.

A side is `original`, a level of numerics (`strict`, `default`), `plain` (Triton by hand) or `interpreted`. A row is an operation on a side: the bits of its
result, or why there is none. A batch that fails is taken apart into its operations; what ends a process costs only itself.
"""

import base64
import concurrent.futures
import contextlib
import faulthandler
import importlib.util
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import warnings
import zlib
from pathlib import Path

from numerics.inputs import fingerprint, tensor, torch_dtype
from numerics.operations import operations

_SECONDS = 100  # of one task
_HERE = Path(__file__).parent
_TESTS = _HERE.parents[2] / "tests"


def packed(data):
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpacked(text):
    return zlib.decompress(base64.b64decode(text))


# In a worker's process ----------------------------------------------------------------------------------------------------


def _module(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _results(run, found):
    """Bytes of the result of each operation, all of which one launch computes."""
    import torch

    inputs = [tensor(kind, dtype, "cuda") for kind, dtype in found[0].inputs]
    outs = []
    for operation in found:
        size = torch.empty(operation.shape, dtype=torch_dtype(operation.result)).nbytes
        flat = torch.full((size,), operation.filled, dtype=torch.uint8, device="cuda")
        outs.append(flat.view(torch_dtype(operation.result)).view(operation.shape))
    run(*inputs, *outs)
    torch.cuda.synchronize()
    return [out.reshape(-1).view(torch.uint8).cpu().numpy().tobytes() for out in outs]


def _around(side, on_cpu):
    """What stands in for a GPU, if anything does."""
    if side == "interpreted":
        sys.path.insert(0, str(_TESTS))
        from oracle.fake_gpu import fake_cutile_driver, fake_torch_cuda

        fake_cutile_driver()
        fake_torch_cuda("sm_90", 4)
        import tilewright

        return tilewright.on_cpu()
    if on_cpu:
        sys.path.insert(0, str(_TESTS))
        os.environ["TRITON_INTERPRET"] = "1"
        from oracle import interpreter
        from oracle.fake_gpu import FakeCuda, fake_torch_cuda

        interpreter.mend()
        fake_torch_cuda("sm_90", 4)
        return FakeCuda()
    return contextlib.nullcontext()


def _is_lost():
    """A GPU whose context an error has ended answers nothing more."""
    import torch

    try:
        torch.zeros(1, device="cuda").cpu()
        return False
    except Exception:
        return True


def _said(error):
    """An error without the folders of the machine."""
    return re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", f"{type(error).__name__}: {error}").strip()[:600]


def work(side, folder, on_cpu):
    """Takes tasks from standard input, a line each, and answers each with rows and a line {"done": true}."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print belongs to the log
    faulthandler.enable()
    warnings.simplefilter("ignore")
    known = {operation.key: operation for operation in operations()}
    with _around(side, on_cpu):
        for line in sys.stdin:
            task = json.loads(line)
            faulthandler.dump_traceback_later(_SECONDS, exit=True)
            found = [known[key] for key in task["keys"]]
            try:
                results = _results(getattr(_module(folder / f"{task['file']}.py"), f"run_{task['kernel']}"), found)
                rows = [{"key": operation.key, "fed": fingerprint(operation.inputs), "bits": packed(result)} for operation, result in zip(found, results)]
            except Exception as error:
                said = _said(error)
                rows = [{"key": operation.key, "error": said} for operation in found]
                if side != "interpreted" and not on_cpu and _is_lost():
                    answers.write(json.dumps({"lost": said}) + "\n")
                    answers.flush()
                    os._exit(1)
            faulthandler.cancel_dump_traceback_later()
            for row in rows:
                answers.write(json.dumps({"side": side} | row) + "\n")
            answers.write('{"done": true}\n')
            answers.flush()


# In the process that hands out tasks --------------------------------------------------------------------------------------


class _Worker:
    def __init__(self, command, log):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)

    def rows(self, task):
        """(the rows of a task, None) or, where the process has ended, ([], why)."""
        rows = []
        try:
            self._process.stdin.write(json.dumps(task) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return [], "the process has ended"
        for line in self._process.stdout:
            row = json.loads(line)
            if "done" in row:
                return rows, None
            if "lost" in row:
                self.end()
                return [], row["lost"]
            rows.append(row)
        return [], f"the process ended with status {self._process.wait()}"

    def end(self):
        self._process.stdin.close()
        self._process.wait()


def _tasks(index, side, only):
    for name, told in index["files"].items():
        if only and not any(part in name for part in only):
            continue
        keys = _keys(told, side)
        if side == "interpreted":
            yield from _apart(name, keys)
        elif keys:
            yield {"file": name, "kernel": "batch", "keys": keys}


def _keys(told, side):
    """The operations of a file on a side."""
    if side == "plain":
        return told.get("plain", [])
    return told["operations"] if side in ("original", "interpreted", *told["levels"]) else []


def _apart(name, keys):
    return [{"file": name, "kernel": f"one_{n}", "keys": [key]} for n, key in enumerate(keys)]


def run(made, side, out, jobs, only=(), on_cpu=False, deadline=float("inf")):
    """Appends rows to the file `out`, as they come; returns how many have results and how many errors.

    After `deadline`, by time.monotonic, nothing more is begun.
    """
    index = json.loads((made / "index.json").read_text())
    tasks = queue.Queue()
    for task in _tasks(index, side, only):
        tasks.put(task)
    folder = made / ("original" if side in ("original", "interpreted") else side)
    command = [sys.executable, str(_HERE), "work", "--side", side, "--made", str(folder), *["--on-cpu"] * on_cpu]
    counts, lock = [0, 0], threading.Lock()

    def write(found):
        with lock:
            for row in found:
                counts["error" in row] += 1
                rows.write(json.dumps(row) + "\n")
            rows.flush()

    def serve():
        worker = None
        while time.monotonic() < deadline:
            try:
                task = tasks.get_nowait()
            except queue.Empty:
                break
            worker = worker or _Worker(command, log)
            found, why = worker.rows(task)
            if why:
                worker = None
                found = [{"side": side, "key": key, "error": why} for key in task["keys"]]
            keys = _keys(index["files"][task["file"]], side)
            if task["kernel"] == "batch" and len(keys) > 1 and any("error" in row for row in found):
                for part in _apart(task["file"], keys):
                    tasks.put(part)
            else:
                write(found)
        if worker:
            worker.end()

    with out.open("a") as rows, out.with_suffix(".log").open("a") as log, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(serve) for _ in range(jobs)]:
            done.result()
    return tuple(counts)
