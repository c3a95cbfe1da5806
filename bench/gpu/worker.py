# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""One process of the comparison: it takes cases from its input, one line of JSON each, and answers with events, likewise.

    {"operator": …, "turn": 0, "levels": […], "begin": 0, "original": true}
    {"ready": …} once; then per case {"phase": level}, {"row": …} for each level, and {"done": true}, or {"lost": level} and the end

Importing torch and the copies of the package takes longer than most cases, so a process serves many. Whatever goes wrong in
one case is a row of that case; an illegal access takes the process along, and the parent starts a fresh one.
"""

import faulthandler
import json
import os
import statistics
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

LOST = 86  # exit status: the GPU's context is gone


def spoken(shape):
    return " ".join(
        f"{k}{'×'.join(map(str, v)) if isinstance(v, tuple) and not isinstance(v[0], tuple) else v}"
        for k, v in shape.items()
    )


def short(dtype):
    name = str(dtype).removeprefix("torch.")
    return {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32"}.get(name, name)


def case_of(operators, name, turn):
    """(operator, shape, dtype, the row's first fields): the dtypes take turns, so that every kind of shape meets every dtype."""
    operator = operators[name]
    shape, dtype = operator.shapes[turn], operator.dtypes[(zlib.crc32(name.encode()) + turn) % len(operator.dtypes)]
    kind = ("dividing", "ragged", "larger")[turn]
    return (
        operator,
        shape,
        dtype,
        {"operator": name, "module": operator.module, "shape": f"{kind}: {spoken(shape)}", "dtype": short(dtype)},
    )


class Worker:
    def __init__(self, plan, events, log):
        self.plan, self.events, self.log = plan, events, log
        self.rehearsal = plan["rehearse"]
        if self.rehearsal:
            sys.path.insert(0, plan["rehearse"])
            from oracle.recorder import Recorder

            self.recorder = Recorder("sm_90")
            self.recorder.__enter__()
        import cases
        import converted
        import copies
        import numbers_apart
        import torch
        import watch

        self.cases, self.copies, self.apart, self.torch, self.watch = cases, copies, numbers_apart, torch, watch
        if plan["kind"] == "compare":
            watch.install()
        copies.prepare(plan["search"])
        self.original = copies.Copy("original", searching=plan["search"])
        self.trees = {level: Path(plan["converted"], level) for level in plan["levels"]}
        self.converted = {
            level: copies.Copy(level, converted=tree, searching=plan["search"]) for level, tree in self.trees.items()
        }
        self.manifest = {level: converted.manifest(tree) for level, tree in self.trees.items()}
        self.ended = {}  # the case's rows by their text
        self.identity = lambda level, module: (
            converted.identity(self.trees[level], [f"tilegym.{module}"]) if level in self.trees else ""
        )

    def send(self, **event):
        self.events.write(json.dumps(event) + "\n")
        self.events.flush()

    def explained(self, error):
        package = Path(self.original.module("ops").__file__).resolve().parents[1]
        folders = [str(folder) for folder in (*self.trees.values(), package)]
        return self.watch.explained(error, folders, (self.log, self.since))

    def inputs(self, operator, shape, dtype):
        seed = sum(map(ord, operator.name + spoken(shape)))
        self.torch.manual_seed(seed)
        generator = None if self.rehearsal else self.torch.Generator("cuda").manual_seed(seed)
        return operator.make(self.cases.Maker(dtype, generator), **shape)

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
        if not self.rehearsal:
            blocks = [
                self.torch.full((size,), 255, dtype=self.torch.uint8, device="cuda")
                for size in (1 << 20, 1 << 20, 1 << 28)
            ]
            del blocks

    def run(self, copy, operator, inputs):
        """(outputs, what is worth noting about the run)"""
        inputs = self.each(inputs, lambda t: t.clone(memory_format=self.torch.preserve_format))
        self.poison()
        search = self.copies.search
        search.chosen.clear()
        since, began = len(self.watch.launched), time.time()
        if self.rehearsal:
            self.recorder._seen.clear()
        with copy, self.torch.no_grad():
            outputs = operator.call(copy, inputs)
        self.torch.cuda.synchronize()
        if self.rehearsal and (
            errors := [
                f"{launch.kernel}: {launch.error}"
                for launch in self.recorder.launches
                if launch.error and not launch.searched
            ]
        ):
            raise RuntimeError(errors[0])
        search.wanted.clear()
        seen = {
            "kernels": self.watch.names(since),
            "config": [f"{i}: {c}" for _, i, c in search.chosen],
            "seconds": round(time.time() - began, 2),
        }
        return tuple(o.detach() for o in outputs), seen

    def exact(self, operator, inputs):
        if operator.reference is None or self.rehearsal:
            return None
        try:
            with self.torch.no_grad():
                double = self.each(inputs, lambda t: t.double() if t.is_floating_point() else t.clone())
                return tuple(t.detach() for t in operator.reference(double))
        except self.torch.cuda.OutOfMemoryError:
            return None

    # Comparing ----------------------------------------------------------------------------------------------------------

    def compare(self, row, operator, shape, dtype, levels, with_original):
        inputs, apart = self.inputs(operator, shape, dtype), self.apart
        exact = self.exact(operator, inputs)
        far = lambda outputs: None if exact is None else [apart.from_exact(o, e) for o, e in zip(outputs, exact)]
        worst = lambda distances: max((d for d in distances or () if d is not None), default=None)
        original, common, firsts, far_original = None, {}, [], None
        ended = self.ended = {}
        if with_original:
            self.send(phase="original")
            try:
                original, seen = self.run(self.original, operator, inputs)
                firsts = [i for _, i, _ in self.copies.search.chosen]
                again = original if self.rehearsal else self.run(self.original, operator, inputs)[0]
                far_original = far(original)
                common = {
                    "config_original": seen["config"],
                    "ref_original": worst(far_original),
                    "seconds_original": seen["seconds"],
                    "repeat_ulp": apart.worst(apart.apart(a, b) for a, b in zip(original, again)).get("ulp_max"),
                }
                self.end(row | common | {"level": "original", "status": "done", "kernels_original": seen["kernels"]})
            except Exception as error:
                self.failed(row | {"level": "original", "searched": self.copies.search.trying}, error)
        for level in levels:
            self.send(phase=level)
            where = row | common | {"level": level, "text": self.identity(level, operator.module)}
            if where["text"] and where["text"] in ended:  # the levels often read the same
                self.end(ended[where["text"]] | {"level": level})
                continue
            copy, name = self.converted[level], f"tilegym.{operator.module}"
            how = self.manifest[level].get(name, {})
            if name in copy.finder.broken:
                self.end(
                    where
                    | {"status": "failed"}
                    | {
                        k: v if k != "message" else f"import: {v}"
                        for k, v in self.explained(copy.finder.broken[name]).items()
                    }
                )
                continue
            if name not in copy.finder.used:
                self.end(
                    where
                    | {
                        "status": "not converted",
                        "message": f"{how.get('status', '?')}: {'; '.join(how.get('refusals', []))}"[:400],
                    }
                )
                continue
            try:
                self.copies.search.wanted[:] = firsts
                outputs, seen = self.run(copy, operator, inputs)
            except Exception as error:
                self.failed(where, error)
                continue
            kernels = seen["kernels"]
            where |= {
                "kernels": kernels.get("triton", []),
                "left": kernels.get("cutile", []),
                "config_converted": seen["config"],
                "seconds_converted": seen["seconds"],
            }
            if not where["kernels"]:
                self.end(
                    where
                    | {
                        "status": "not converted",
                        "message": f"{how.get('status', '?')}: only cuTile's kernels ran: {', '.join(where['left'])}; "
                        f"{'; '.join(how.get('refusals', []))}"[:400],
                    }
                )
                continue
            if self.rehearsal:
                self.end(where | {"status": "rehearsed", "message": ""})
                continue
            far_converted = far(outputs)
            where |= {"ref_converted": worst(far_converted)}
            if original is None:
                near = exact is not None and all(
                    d is not None and d <= 4 * apart.eps(o.dtype)
                    for d, o in zip(far_converted, outputs)
                    if o.is_floating_point()
                )
                self.end(
                    where
                    | {
                        "status": "alone",
                        "close": near if exact is not None else None,
                        "message": "the original does not run here",
                    }
                )
                continue
            found = [apart.apart(a, b) for a, b in zip(original, outputs)]
            wrong = [f["mismatch"] for f in found if "mismatch" in f] or (
                ["number of outputs"] if len(original) != len(outputs) else []
            )
            numbers = apart.worst({k: v for k, v in f.items() if k != "mismatch"} for f in found)
            near = not wrong and all(
                apart.close(f, o.dtype, *(d[n] if d else None for d in (far_original, far_converted)))
                for n, (f, o) in enumerate(zip(found, original))
            )
            places = [
                place | {"output": n} for n, (a, b) in enumerate(zip(original, outputs)) if (place := apart.place(a, b))
            ]
            note = (
                ["other configuration"]
                if [c.split(": ")[0] for c in seen["config"]] != [c.split(": ")[0] for c in common["config_original"]]
                else []
            )
            note += [f"{numbers['nan']} NaN or infinite"] if numbers.get("nan") else []
            self.end(
                where
                | numbers
                | {
                    "status": "failed" if wrong else "compared",
                    "close": near,
                    "message": "; ".join(wrong),
                    "outputs": found,
                    "places": places,
                    "note": ", ".join(note),
                }
            )

    def failed(self, where, error):
        gone = self.copies.lost() and not self.rehearsal
        self.end(where | {"status": "failed", "lost": gone} | self.explained(error))
        if gone:
            self.send(lost=where["level"])
            os._exit(LOST)

    def end(self, row):
        self.send(row=row)
        if row.get("text"):
            self.ended[row["text"]] = row

    # Timing -------------------------------------------------------------------------------------------------------------

    def time(self, row, operator, shape, dtype, levels, _):
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
            self.send(phase=level)
            where = row | {"level": level, "text": self.identity(level, operator.module)}
            if "tilegym." + operator.module not in self.converted[level].finder.used:
                self.end(where | {"status": "not converted"})
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
                self.end(
                    where
                    | {
                        "status": "timed",
                        "original_us": statistics.median(times[0]),
                        "converted_us": statistics.median(times[1]),
                        "ratio": statistics.median(ratios),
                        "ratios": ratios,
                        "aa": statistics.median(same),
                        "launch_original_us": host(pair[0]),
                        "launch_converted_us": host(pair[1]),
                    }
                )
            except Exception as error:
                self.failed(where, error)

    # The loop -----------------------------------------------------------------------------------------------------------

    def case(self, task):
        operator, shape, dtype, row = case_of(self.cases.OPERATORS, task["operator"], task["turn"])
        row = {"kind": self.plan["kind"]} | row
        self.since = os.path.getsize(self.log)
        search = self.copies.search
        search.begin, search.trying = task["begin"], None
        search.wanted.clear()
        faulthandler.dump_traceback_later(self.plan["seconds"], exit=True, file=sys.stderr)
        try:
            (self.time if self.plan["kind"] == "time" else self.compare)(
                row, operator, shape, dtype, task["levels"], task["original"]
            )
        except Exception as error:
            said = self.explained(error)
            for level in task["levels"] or ["original"]:
                self.end(
                    row
                    | {"level": level, "text": self.identity(level, operator.module), "status": "failed"}
                    | said
                    | {"message": f"harness: {said['message']}"}
                )
        faulthandler.cancel_dump_traceback_later()
        if not self.rehearsal:
            self.torch.cuda.empty_cache()
        self.send(done=True)


def main():
    plan = json.loads(Path(sys.argv[1]).read_text())
    events = os.fdopen(os.dup(1), "w")
    faulthandler.enable()
    sys.dont_write_bytecode = True  # the converted tree travels
    os.dup2(2, 1)  # what libraries print belongs to the log
    worker = Worker(plan, events, sys.argv[2])
    worker.send(
        ready={
            level: {name: str(error)[:200] for name, error in copy.finder.broken.items()}
            for level, copy in worker.converted.items()
        }
    )
    for line in sys.stdin:
        worker.case(json.loads(line))


if __name__ == "__main__":
    main()
