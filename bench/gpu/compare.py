#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Original under real cuTile and converted under Triton, on the same random inputs, on one GPU.

    bench/gpu/compare.py --out results.jsonl [--levels strict,default] [--jobs 16] [--deadline 500]
    bench/gpu/compare.py --out results.jsonl --time [--levels default]          # one process at a time, interleaved

Without --levels only the original runs, beside float64. Each operator has three shapes (dividing, ragged, larger) and the
dtypes take turns. Several processes take the cases from one queue, the slow ones first; a process that a case brings down is
replaced. Rows are appended at once, and a second run with the same --out continues: a case whose converted text has a row is
not run again (--again failed,crashed: unless it ended so). The configuration search takes the first configuration that runs,
the same on both sides; outputs are poisoned before each call, so that what is not written shows as NaN.

If the original brings its process down, the case is repeated from the search's next configuration; if it has no other, the
conversion runs alone and is measured against float64.

A row: operator, module, shape, dtype, level, text (identity of the converted text), status (compared, alone, done, not
converted, failed, crashed), kernels (converted ones that ran), left (cuTile's that still ran), and of the worst output
ulp_max, ulp_999 (99.9 % are within), max, relative (of norms), scaled_max (largest difference over eps·rms of the original),
differing (share of values), nan (NaN or infinity on one side only), close (what rounding explains), places (where not),
ref_original and ref_converted (norm of the error against float64, relative), repeat_ulp (the original run twice), and the
configurations that the searches took. A failed row says error, kernel, place and message.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import converted
import rows
from watch import last_words
from worker import case_of

# Seconds that a case of the module takes, seen on an H200; cases without a row so far are put in order by it.
SLOW = {
    "ops.cutile.attention": 12,
    "ops.cutile.mamba2": 12,
    "suites.flashinfer.cutile.fmha_prefill_bsr": 8,
    "ops.cutile.bmm": 6,
    "ops.cutile.chunk_gated_delta_rule": 6,
    "ops.cutile.mla": 5,
    "ops.cutile.attention_variant": 5,
    "suites.flashinfer.cutile.gemm.gemm_alpha_beta": 4,
    "ops.cutile.group_gemm": 4,
    "ops.cutile.moe_actgrad_bwd": 4,
    "ops.cutile.rms_norm": 3,
    "ops.cutile.linear_gluact_linear": 3,
    "ops.cutile.attention_varlen": 3,
}


class Process:
    """A worker, and the conversation with it."""

    def __init__(self, plan, folder):
        self.log = Path(tempfile.mkstemp(suffix=".log", dir=folder)[1])
        file = self.log.with_suffix(".json")
        file.write_text(json.dumps(plan))
        self.child = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py"), str(file), str(self.log)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=open(self.log, "w"),
            text=True,
            start_new_session=True,
            cwd=folder,
        )
        self.events = iter(self.child.stdout.readline, "")

    def ask(self, task):
        """The events of one case; they end early if the process does."""
        self.said = self.log.stat().st_size
        try:
            self.child.stdin.write(json.dumps(task) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            return
        for line in self.events:
            event = json.loads(line)
            yield event
            if "done" in event:
                return

    def tail(self, since=0):
        return last_words(self.log.read_text(errors="replace")[since:])

    def kill(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return self.child.wait()


class Runner:
    def __init__(self, args, operators):
        self.args, self.operators, self.end, self.lock = args, operators, time.time() + args.deadline, threading.Lock()
        self.kind = "time" if args.time else "compare"
        self.levels = [level for level in args.levels.split(",") if level]
        self.file = rows.File(args.out)
        self.processes, self.problem = set(), ""
        self.plan = {
            "kind": self.kind,
            "levels": self.levels,
            "converted": str(args.converted),
            "search": args.search,
            "seconds": args.seconds,
            "rehearse": args.rehearse,
        }
        self.left, self.greeted = 0, False

    def identity(self, level, module):
        return converted.identity(Path(self.args.converted, level), [f"tilegym.{module}"])

    def tasks(self, wanted):
        """What is left to do, the slow cases first."""
        again = set(self.args.again.split(","))
        mine = [row for row in self.file.rows if row.get("kind") == self.kind]
        done = {}
        for row in rows.newest(mine, "text"):
            if row["status"] not in again:
                at, text = (row["operator"], row["shape"]), row.get("text", "")
                done[(*at, row["level"], text)] = done[(*at, text)] = row
        originals = {(r["operator"], r["shape"]): r for r in rows.newest(mine) if r["level"] == "original"}
        tasks = []
        for name in wanted:
            for turn in range(len(self.operators[name].shapes)):
                operator, _, _, row = case_of(self.operators, name, turn)
                levels = []
                for level in self.levels:
                    text = self.identity(level, operator.module)
                    if (name, row["shape"], level, text) in done:
                        continue
                    same = done.get((name, row["shape"], text)) if text else None
                    if same:  # another level reads the same
                        self.file.add(same | {"level": level})
                    else:
                        levels.append(level)
                first = originals.get((name, row["shape"]), {})
                if not levels and (self.levels or first and first["status"] not in again):
                    continue
                tasks.append(
                    {
                        "operator": name,
                        "turn": turn,
                        "levels": levels,
                        "begin": first.get("begin", 0),
                        "original": not first.get("final"),
                        "cost": max(SLOW.get(operator.module, 1), first.get("seconds_original", 0)),
                    }
                )
        return sorted(tasks, key=lambda task: (-task["cost"], task["operator"], task["turn"]))

    def run(self, tasks):
        self.queue, self.left = tasks, len(tasks)
        print(f"{len(tasks)} cases", flush=True)
        with tempfile.TemporaryDirectory(prefix="compare") as folder:
            watchdog = threading.Timer(max(1, self.end - time.time()), self.stop)
            watchdog.start()
            with ThreadPoolExecutor(self.args.jobs) as pool:
                list(pool.map(lambda _: self.serve(folder), range(min(self.args.jobs, max(1, len(tasks))))))
            watchdog.cancel()
        if self.problem or self.left:
            print(f"{self.left} cases left. {self.problem}", flush=True)

    def stop(self):
        with self.lock:
            self.problem = self.problem or "Out of time."
            self.queue = []
            for process in self.processes:
                process.kill()

    def take(self):
        with self.lock:
            return self.queue.pop(0) if self.queue else None

    def serve(self, folder):
        """One process after the other, until nothing is left to do."""
        process = None
        while task := self.take():
            if process is None and (process := self.started(folder)) is None:
                return
            if not self.case(process, task):
                process.kill()
                process = None
        if process is not None:
            process.child.stdin.close()
            try:
                process.child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()

    def started(self, folder):
        process = Process(self.plan, folder)
        with self.lock:
            self.processes.add(process)
        hello = next(process.events, None)
        if hello is None:
            process.kill()
            with self.lock:
                self.problem = self.problem or f"A process did not start: {process.tail()}"
                self.queue = []
            return None
        with self.lock:
            if not self.greeted:
                self.greeted = True
                for level, broken in json.loads(hello)["ready"].items():
                    for name, why in broken.items():
                        print(f"{level}: {name} cannot be imported: {why}", flush=True)
        return process

    def case(self, process, task):
        """Whether the process lives on. A case that ended it is taken up again where it ended."""
        operator, _, _, row = case_of(self.operators, task["operator"], task["turn"])
        row = {"kind": self.kind} | row
        phase, ended, began = None, set(), time.time()
        for event in process.ask(task):
            if "phase" in event:
                phase = event["phase"]
            elif "row" in event:
                self.add(event["row"], task)
                ended.add(event["row"]["level"])
            elif "done" in event:
                with self.lock:
                    self.left -= 1
                if self.args.verbose or time.time() - began > 30:
                    print(f"  {task['operator']}, {row['shape']}: {time.time() - began:.0f} s", flush=True)
                return True
        with self.lock:
            if self.problem.startswith("Out of time"):
                return False
        phase = phase or "original"
        if phase not in ended:
            status = process.kill()
            why = (
                f"took more than {self.args.seconds} s"
                if "Timeout (" in process.tail(process.said)
                else f"exit {status}"
            )
            self.add(
                row
                | {
                    "level": phase,
                    "text": self.identity(phase, operator.module) if phase in self.levels else "",
                    "status": "crashed",
                    "message": f"{why}: {process.tail(process.said)}",
                },
                task,
            )
        last = next(
            r
            for r in reversed(self.file.rows)
            if (r.get("operator"), r.get("shape"), r.get("level")) == (row["operator"], row["shape"], phase)
        )
        rest = task | {"levels": [], "tries": task.get("tries", 0) + 1}
        for level in task["levels"]:
            if level in ended or level == phase:
                continue
            if rest["tries"] > 6 or phase in self.levels and last["text"] == self.identity(level, operator.module):
                self.add(last | {"level": level}, task)  # it reads the same, and would end so too
            else:
                rest["levels"].append(level)
        if phase == "original":
            searched = last.get("searched")
            if searched and task["begin"] + 1 < min(searched[1], 3):
                rest["begin"] = task["begin"] + 1
            else:
                rest["original"] = False
                self.add(last | {"status": "failed", "final": True}, rest)
        with self.lock:
            if rest["levels"] or phase == "original" and rest["original"] and rest["tries"] <= 6:
                self.queue.insert(0, rest)
            else:
                self.left -= 1
        return False

    def add(self, row, task):
        self.file.add(row | ({"begin": task["begin"]} if task["begin"] else {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument(
        "--levels", default="", help="levels of the converted tree, with commas; none: the original alone"
    )
    parser.add_argument("--converted", default=ROOT / ".gpu/converted", type=lambda p: Path(p).resolve())
    parser.add_argument("--only", default="", help="operators (or beginnings of their names), with commas")
    parser.add_argument("--shapes", default="", help="kinds of shapes, with commas")
    parser.add_argument(
        "--again", default="", help="statuses whose cases run again though their text has a row, with commas"
    )
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=120, help="one case")
    parser.add_argument("--deadline", type=int, default=540, help="seconds for everything")
    parser.add_argument("--search", default="first", choices=("first", "full"))
    parser.add_argument("--verbose", action="store_true", help="say when each case is done")
    parser.add_argument(
        "--rehearse",
        action="store_const",
        const=str(ROOT / "tests"),
        default="",
        help="without a GPU: launches are compiled, nothing is computed",
    )
    args = parser.parse_args()
    import cases

    wanted = [n for n in cases.OPERATORS if not args.only or any(n.startswith(o) for o in args.only.split(","))]
    args.jobs = 1 if args.time else args.jobs
    runner = Runner(args, cases.OPERATORS)
    tasks = [
        task for task in runner.tasks(wanted) if not args.shapes or cases.KINDS[task["turn"]] in args.shapes.split(",")
    ]
    runner.file.head(
        rows.machine(gpu=not args.rehearse) | {"kind": runner.kind, "levels": args.levels, "search": args.search}
    )
    began = time.time()
    runner.run(tasks)
    print(f"{time.time() - began:.0f} s")
    import report

    print(report.timed(runner.file.rows) if args.time else report.compared(runner.file.rows))


if __name__ == "__main__":
    main()
