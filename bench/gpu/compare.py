#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Original under real cuTile and converted under Triton, on the same random inputs, on one GPU.

    bench/gpu/compare.py --out results.jsonl [--levels strict,default] [--jobs 12] [--deadline 500]
    bench/gpu/compare.py --out results.jsonl --time [--levels default]          # one process at a time, interleaved

Without --levels only the original runs, beside float64. Each operator has three shapes (dividing, ragged, larger) and the
dtypes take turns. A module's operators share a process; what kills it is recorded as crashed and the rest goes on in a fresh
one. Rows are appended at once, and a second run with the same --out continues. The configuration search takes the first
configuration that runs, on both sides; outputs are poisoned before each call, so that what is not written shows as NaN.

A row: operator, shape, dtype, level, status (compared, done, not converted, failed, crashed), and of the worst output
ulp_max, ulp_999 (99.9 % are within), max, relative (of norms), scaled_max (largest difference over eps·rms of the original),
differing (share of values), nan (NaN or infinity on one side only), ref_original and ref_converted (norm of the error against
float64, relative), repeat_ulp (the original run twice), and the configurations that the searches took.
"""
import argparse
import faulthandler
import json
import os
import signal
import statistics
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
import rows

POISONED = 86


# One process: some operators of one module ---------------------------------------------------------------------------


def spoken(shape):
    return " ".join(f"{k}{'×'.join(map(str, v)) if isinstance(v, tuple) and not isinstance(v[0], tuple) else v}" for k, v in shape.items())


def cases(operators, index=0):
    """(operator, kind, shape, dtype) with the dtypes in rotation, so that every shape kind meets every dtype somewhere."""
    for number, operator in enumerate(operators, index):
        for turn, (kind, shape) in enumerate(zip(("dividing", "ragged", "larger"), operator.shapes)):
            yield operator, kind, shape, operator.dtypes[(number + turn) % len(operator.dtypes)]


def short(dtype):
    return {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32"}[str(dtype).removeprefix("torch.")]


class Worker:
    def __init__(self, plan):
        self.plan = plan
        if plan["recorder"]:
            sys.path.insert(0, plan["recorder"])
            import recorder
            self.recorder = recorder.Recorder(cubin=False)
            self.recorder.__enter__()
        import copies
        import torch
        self.copies, self.torch = copies, torch
        copies.prepare(plan["search"])
        self.original = copies.Copy("original", search=plan["search"])
        self.converted, self.manifest = {}, {}
        for level in plan["levels"]:
            tree = Path(plan["converted"], level)
            self.converted[level] = copies.Copy(level, converted=tree, search=plan["search"])
            with open(tree / "manifest.json") as manifest:
                self.manifest[level] = json.load(manifest)["modules"]

    def note(self, **event):
        with open(self.plan["results"], "a") as out:
            out.write(json.dumps(event) + "\n")

    def inputs(self, operator, shape, dtype):
        import operators
        seed = sum(map(ord, operator.name + spoken(shape)))
        self.torch.manual_seed(seed)
        generator = None if self.plan["recorder"] else self.torch.Generator("cuda").manual_seed(seed)
        return operator.make(operators.Maker(dtype, generator), **shape)

    def each(self, value, change):
        if isinstance(value, self.torch.Tensor):
            return change(value)
        if isinstance(value, dict):
            return {k: self.each(v, change) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.each(v, change) for v in value)
        return value

    def poison(self):
        """Leave NaN in the memory that the allocator hands out next."""
        if not self.plan["recorder"]:
            blocks = [self.torch.full((size,), 255, dtype=self.torch.uint8, device="cuda") for size in (1 << 20, 1 << 20, 1 << 28)]
            del blocks

    def run(self, copy, operator, inputs):
        inputs = self.each(inputs, lambda t: t.clone(memory_format=self.torch.preserve_format))
        self.poison()
        before = len(self.copies.chosen)
        with copy, self.torch.no_grad():
            outputs = operator.call(copy, inputs)
        self.torch.cuda.synchronize()
        return tuple(o.detach() for o in outputs), [f"{i}: {c}" for _, i, c in self.copies.chosen[before:]]

    def exact(self, operator, inputs):
        if operator.reference is None or self.plan["recorder"]:
            return None
        with self.torch.no_grad():
            double = self.each(inputs, lambda t: t.double() if t.is_floating_point() else t.clone())
            return tuple(t.detach() for t in operator.reference(double))

    def compare(self, row, operator, shape, dtype, levels):
        import numbers_apart as apart
        inputs = self.inputs(operator, shape, dtype)
        try:
            original, config = self.run(self.original, operator, inputs)
            again, _ = self.run(self.original, operator, inputs)
        except Exception as error:
            self.end(row, [{"level": level, "status": "failed", "message": f"original: {type(error).__name__}: {error}"[:600]} for level in levels], error)
            return
        common = {"config_original": config, "repeat_ulp": apart.worst(apart.apart(a, b) for a, b in zip(original, again)).get("ulp_max")}
        try:
            exact = self.exact(operator, inputs)
        except self.torch.cuda.OutOfMemoryError:
            exact = None
        far = lambda outputs: None if exact is None else apart.worst({"x": apart.from_exact(o, e)} for o, e in zip(outputs, exact)).get("x")
        common["ref_original"] = far(original)
        for level in levels:
            if level == "original":
                self.end(row, [common | {"level": level, "status": "done"}])
                continue
            how = self.manifest[level].get("tilegym." + operator.module, {})
            if "tilegym." + operator.module not in self.converted[level].finder.used:
                self.end(row, [common | {"level": level, "status": "not converted", "message": f"{how.get('status', '?')}: {'; '.join(how.get('refusals', []))}"[:400]}])
                continue
            try:
                outputs, config = self.run(self.converted[level], operator, inputs)
            except Exception as error:
                self.end(row, [common | {"level": level, "status": "failed", "message": f"{type(error).__name__}: {error}"[:600]}], error)
                continue
            found = [apart.apart(a, b) for a, b in zip(original, outputs)]
            wrong = [f["mismatch"] for f in found if "mismatch" in f] or (["number of outputs"] if len(original) != len(outputs) else [])
            note = [how["status"]] if how.get("status") == "partly" else []
            note += ["other configuration"] if [c.split(": ")[0] for c in config] != [c.split(": ")[0] for c in common["config_original"]] else []
            numbers = apart.worst({k: v for k, v in f.items() if k != "mismatch"} for f in found)
            note += [f"{numbers['nan']} NaN or infinite"] if numbers.get("nan") else []
            self.end(row, [common | numbers | {"level": level, "status": "failed" if wrong else "compared", "message": "; ".join(wrong), "outputs": found,
                                               "ref_converted": far(outputs), "config_converted": config, "note": ", ".join(note)}])

    def time(self, row, operator, shape, dtype, levels):
        """Interleaved medians: each call after clearing the L2 cache, between two events; ABBA, five rounds."""
        inputs = self.inputs(operator, shape, dtype)
        torch = self.torch
        flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        def sample(copy, count):
            spans = []
            with copy, torch.no_grad():
                for _ in range(count):
                    flush.zero_()
                    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                    begin.record()
                    operator.call(copy, inputs)
                    end.record()
                    spans.append((begin, end))
            torch.cuda.synchronize()
            return [1000 * b.elapsed_time(e) for b, e in spans]
        def host(copy):
            with copy, torch.no_grad():
                torch.cuda.synchronize()
                begin = time.perf_counter()
                for _ in range(20):
                    operator.call(copy, inputs)
                spent = time.perf_counter() - begin
                torch.cuda.synchronize()
            return spent / 20 * 1e6
        for level in levels:
            if level == "original" or "tilegym." + operator.module not in self.converted[level].finder.used:
                self.end(row, [{"level": level, "status": "not converted"}])
                continue
            try:
                pair = (self.original, self.converted[level])
                for copy in pair:
                    sample(copy, 3)
                count = max(5, min(40, int(10_000 / max(statistics.median(sample(self.original, 3)), 1))))
                ratios, times, same = [], ([], []), []
                for _ in range(5):
                    a, b, b2, a2 = (sample(c, count) for c in (*pair, *reversed(pair)))
                    ratios.append(statistics.median(a + a2) / statistics.median(b + b2))
                    same.append(statistics.median(a) / statistics.median(a2))
                    times[0].extend(a + a2)
                    times[1].extend(b + b2)
                self.end(row, [{"level": level, "status": "timed", "original_us": statistics.median(times[0]), "converted_us": statistics.median(times[1]),
                                "ratio": statistics.median(ratios), "ratios": ratios, "aa": statistics.median(same),
                                "launch_original_us": host(pair[0]), "launch_converted_us": host(pair[1])}])
            except Exception as error:
                self.end(row, [{"level": level, "status": "failed", "message": f"{type(error).__name__}: {error}"[:400]}], error)

    def end(self, row, results, error=None):
        for result in results:
            self.note(row=row | result)
        if error is not None and not self.plan["recorder"]:
            try:
                self.torch.cuda.synchronize()
                self.torch.ones(8, device="cuda").sum().item()
            except Exception:
                self.note(poisoned=row | {"level": results[-1]["level"]})
                os._exit(POISONED)

    def work(self):
        import operators
        names = list(operators.OPERATORS)
        log = os.fdopen(os.dup(2), "w")
        for name in self.plan["operators"]:
            for operator, kind, shape, dtype in cases([operators.OPERATORS[name]], names.index(name)):
                row = {"kind": self.plan["kind"], "operator": name, "module": operator.module, "shape": f"{kind}: {spoken(shape)}", "dtype": short(dtype)}
                key = [name, row["shape"]]
                levels = [level for level in (self.plan["levels"] or ["original"]) if [*key, level] not in self.plan["done"]]
                if not levels:
                    continue
                self.note(start=row, levels=levels)
                faulthandler.dump_traceback_later(self.plan["seconds"], exit=True, file=log)
                try:
                    (self.time if self.plan["kind"] == "time" else self.compare)(row, operator, shape, dtype, levels)
                except Exception as error:
                    self.end(row, [{"level": level, "status": "failed", "message": f"harness: {type(error).__name__}: {error}"[:600]} for level in levels], error)
                faulthandler.cancel_dump_traceback_later()
                if not self.plan["recorder"]:
                    self.torch.cuda.empty_cache()
        self.note(end=True)


# The parent ---------------------------------------------------------------------------------------------------------------


class Runner:
    def __init__(self, args):
        self.args, self.end, self.lock = args, time.time() + args.deadline, threading.Lock()
        self.kind = "time" if args.time else "compare"
        self.levels = [level for level in args.levels.split(",") if level]
        self.file = rows.File(args.out, key=("kind", "operator", "shape", "level"))

    def group(self, names):
        for _ in range(self.args.restarts):
            if time.time() > self.end - 10:
                return "out of time"
            finished, problem = self.process(names)
            if finished:
                return problem
        return "too many restarts"

    def process(self, names):
        args = self.args
        with tempfile.TemporaryDirectory(prefix="compare") as folder:
            events = Path(folder, "events.jsonl")
            events.touch()
            done = [[r["operator"], r["shape"], r["level"]] for r in self.file.rows if r.get("kind") == self.kind]
            plan = {"kind": self.kind, "operators": names, "levels": self.levels, "converted": str(args.converted), "results": str(events),
                    "done": done, "search": args.search, "seconds": args.seconds, "recorder": args.recorder}
            Path(folder, "plan.json").write_text(json.dumps(plan))
            log = open(Path(folder, "log"), "w")
            child = subprocess.Popen([sys.executable, __file__, "--worker", str(Path(folder, "plan.json"))], stdout=log, stderr=subprocess.STDOUT,
                                     start_new_session=True, cwd=folder)
            try:
                status = child.wait(timeout=max(1, self.end - time.time()))
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                status = None
            return self.collect(events, status, Path(folder, "log").read_text(errors="replace"))

    def collect(self, events, status, log):
        started, levels, ended, any_row = None, [], False, False
        for line in events.read_text().splitlines():
            event = json.loads(line)
            if "start" in event:
                started, levels = event["start"], event["levels"]
            elif "row" in event:
                any_row = True
                self.file.add(event["row"])
                levels = [level for level in levels if level != event["row"]["level"]]
            elif "end" in event:
                ended = True
        if ended:
            return True, ""
        if status is None:
            return True, "out of time"
        if status == POISONED:
            return False, ""
        if started and levels:
            # The levels of a case run one after the other: the first without a row is the one that was running.
            self.file.add(started | {"level": levels[0], "status": "crashed", "message": f"exit {status}: {log.strip()[-500:]}"})
            return False, ""
        if any_row or started:
            return False, ""
        return True, f"did not start: exit {status}: {log.strip()[-700:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    parser.add_argument("--levels", default="", help="levels of the converted tree, with commas; none: the original alone")
    parser.add_argument("--converted", default=ROOT / ".gpu/converted", type=lambda p: Path(p).resolve())
    parser.add_argument("--only", default="", help="operators (or beginnings of their names), with commas")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=int, default=120, help="one case")
    parser.add_argument("--deadline", type=int, default=540, help="seconds for everything")
    parser.add_argument("--restarts", type=int, default=12)
    parser.add_argument("--search", default="first", choices=("first", "full"))
    parser.add_argument("--recorder", help="without a GPU: the folder of recorder.py; nothing is computed")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        Worker(json.loads(Path(args.worker).read_text())).work()
        return
    import operators
    wanted = [n for n in operators.OPERATORS if not args.only or any(n.startswith(o) for o in args.only.split(","))]
    groups = {}
    for name in wanted:
        groups.setdefault(operators.OPERATORS[name].module, []).append(name)
    runner = Runner(args)
    runner.file.head(rows.machine(gpu=not args.recorder) | {"kind": runner.kind, "levels": args.levels, "search": args.search})
    began = time.time()

    def one(names):
        try:
            how = runner.group(names)
        except Exception as error:
            how = f"harness: {error!r}"
        print(f"[{time.time() - began:5.0f} s] {', '.join(names)}{': ' + how if how else ''}", flush=True)

    order = sorted(groups.values(), key=lambda names: -sum(len(operators.OPERATORS[n].shapes) * (3 if "bmm" in n or "attention" in n or "prefill" in n else 1) for n in names))
    with ThreadPoolExecutor(1 if args.time else args.jobs) as pool:
        list(pool.map(one, order))
    import report
    print(report.timed(runner.file.rows) if args.time else report.compared(runner.file.rows))


if __name__ == "__main__":
    main()
