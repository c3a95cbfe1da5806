#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""TileGym's own tests of each operator: the original under cuTile, and converted modules in place of the originals.

    bench/gpu/tilegym_tests.py --out results.jsonl [--variants original,strict] [--jobs 16] [--limit 8] [--deadline 500]

An operator is a group of test files and runs in a process of its own, several at a time on one GPU. A test that kills the
process (an illegal access, a hang) is recorded as crashed and the rest of its group goes on in a fresh one. Rows are appended
as they come; a second run with the same --out continues where the first stopped, and a test that ran with the same converted
text does not run again. Each row: variant, operator, test, text (identity of the converted text), outcome (passed, failed,
skipped, crashed, not converted), seconds, message, kernels (converted ones that ran), left (cuTile's that still ran).
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

# operator: (test files, modules that they exercise)
OPS = {
    name: ([f"ops/test_{name}.py"], [f"ops.cutile.{name}"])
    for name in (
        "bmm",
        "matmul",
        "softmax",
        "layer_norm_legacy",
        "rope",
        "dropout",
        "splitk_reduce",
        "group_gemm",
        "mla",
        "mla_decoding",
        "mla_decoding_split_kv",
        "chunk_gated_delta_rule",
    )
}
OPS |= {
    "attention": (["ops/test_attention.py"], ["ops.cutile.attention"]),
    "attention backward": (["ops/experimental/test_attention_backward.py"], ["ops.cutile.attention"]),
    "rms_norm": (["ops/test_rms_norm.py", "ops/experimental/test_rmsnorm_backward.py"], ["ops.cutile.rms_norm"]),
    "silu_and_mul": (["ops/test_silu_and_mul.py"], ["ops.cutile.silu_and_mul"]),
    "swiglu": (
        ["ops/test_swiglu.py", "ops/experimental/test_fused_swiglu_backward.py"],
        ["ops.cutile.swiglu", "ops.cutile.silu_and_mul"],
    ),
    "flash_decode": (["ops/test_flash_decode.py"], ["ops.cutile.flash_decode", "ops.cutile.splitk_reduce"]),
    "activation": (
        ["ops/activation/test_geglu.py", "ops/activation/test_gelu.py", "ops/activation/test_relu.py"],
        ["ops.cutile.activation.geglu", "ops.cutile.activation.gelu", "ops.cutile.activation.relu"],
    ),
}
OPS |= {
    f"unsloth {name}": ([f"suites/unsloth/test_{name}.py"], [f"suites.unsloth.cutile.{name}"])
    for name in ("cross_entropy_loss", "geglu", "layernorm", "rms_layernorm", "rope_embedding", "swiglu")
}
OPS |= {
    f"flashinfer {name}": ([f"suites/flashinfer/test_{file}.py"], [f"suites.flashinfer.cutile.{module}"])
    for name, file, module in (
        ("prefill", "flashinfer_attention", "fmha_prefill_bsr"),
        ("gemm_alpha_beta", "flashinfer_gemm_alpha_beta", "gemm.gemm_alpha_beta"),
        ("masked_bmm", "flashinfer_masked_bmm", "gemm.masked_bmm"),
        ("ragged_bmm", "flashinfer_ragged_bmm", "gemm.ragged_bmm"),
        ("ragged_block_scaled_bmm", "flashinfer_ragged_block_scaled_bmm", "gemm.ragged_block_scaled_bmm"),
        ("quant_8bit", "per_token_group_quant_8bit", "per_token_group_quant_8bit"),
        ("rope_quantize_fp8", "rope_quantize_fp8", "rope_quantize_fp8"),
    )
}
# The slowest to compile first, so that they do not end up alone at the end.
SLOW = (
    "bmm",
    "flashinfer masked_bmm",
    "matmul",
    "attention backward",
    "flashinfer prefill",
    "chunk_gated_delta_rule",
    "flashinfer gemm_alpha_beta",
    "attention",
    "mla",
    "rms_norm",
    "layer_norm_legacy",
)


class Runner:
    def __init__(self, args):
        self.args, self.end = args, time.time() + args.deadline
        self.file = rows.File(args.out)
        self.running, self.lock = set(), threading.Lock()
        self.variants = args.variants.split(",")
        self.finished = {(v, o): threading.Event() for v in self.variants for o in OPS}
        self.manifests = {
            v: converted.manifest(Path(args.converted, v)) for v in args.variants.split(",") if v != "original"
        }

    def identity(self, variant, operator):
        names = [f"tilegym.{m}" for m in OPS[operator][1]]
        return "" if variant == "original" else converted.identity(Path(self.args.converted, variant).resolve(), names)

    def same(self, variant, operator):
        """An earlier variant that reads the same."""
        text = self.identity(variant, operator)
        earlier = self.variants[: self.variants.index(variant)] if text else ()
        return next((other for other in earlier if self.identity(other, operator) == text), None)

    def copied(self, row, other):
        """The rows of another variant that reads the same, once it is done."""
        self.finished[other, row["operator"]].wait()
        for r in list(self.file.rows):
            if (r["variant"], r["operator"], r.get("text", "")) == (other, row["operator"], row["text"]):
                self.file.add(r | row)
        return f"reads as {other}"

    def operator(self, variant, operator):
        """Run a group until all its tests have a result; answer how it went."""
        files, modules = OPS[operator]
        names = [f"tilegym.{m}" for m in modules]
        tree = Path(self.args.converted, variant).resolve()
        text = self.identity(variant, operator)
        row = {"variant": variant, "operator": operator} | ({"text": text} if text else {})
        if variant != "original" and not text:
            how = [self.manifests[variant].get(name, {}) for name in names]
            if not any(
                r["variant"] == variant and r["operator"] == operator and r["outcome"] == "not converted"
                for r in self.file.rows
            ):
                self.file.add(
                    row
                    | {
                        "test": "(conversion)",
                        "outcome": "not converted",
                        "seconds": 0,
                        "message": "; ".join(
                            f"{h.get('status', '?')}: {'; '.join(h.get('refusals', []))}" for h in how
                        )[:400],
                    }
                )
            return "not converted"
        only = sorted(set().union(*(converted.closure(str(tree), name) for name in names))) if text else None
        again = set(self.args.again.split(",")) - {""}
        mine = [
            r
            for r in self.file.rows
            if r["variant"] == variant and r["operator"] == operator and r.get("text", "") == text
        ]
        if any(r["outcome"] == "ended" and r["limit"] >= self.args.limit for r in mine) and not any(
            r["outcome"] in again for r in mine
        ):
            return "done before"
        if same := self.same(variant, operator):
            return self.copied(row, same)
        for _ in range(self.args.restarts):
            if time.time() > self.end - 15:
                return "out of time"
            done = {
                r["test"]: r["outcome"]
                for r in self.file.rows
                if r["variant"] == variant
                and r["operator"] == operator
                and r.get("text", "") == text
                and r["outcome"] not in again
            }
            again = set()
            finished, problem = self.process(row, files, only, tree if text else None, done)
            if finished:
                return problem
        return "too many restarts"

    def process(self, row, files, only, tree, done):
        args = self.args
        with tempfile.TemporaryDirectory(prefix="tilegym-tests") as folder:
            events = Path(folder, "events.jsonl")
            events.touch()
            log = Path(folder, "log")
            log.touch()
            plan = {
                "converted": str(tree) if tree else None,
                "only": only,
                "results": str(events),
                "limit": args.limit,
                "seconds": args.seconds,
                "done": done,
                "search": args.search,
                "transformers": row["operator"] in ("rope", "chunk_gated_delta_rule"),
                "rehearse": args.rehearse,
                "log": str(log),
            }
            env = os.environ | {
                "TILEWRIGHT_TESTS": json.dumps(plan),
                "PYTHONDONTWRITEBYTECODE": "1",
                "QUIET": "1",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "PYTHONPATH": f"{HERE}:{os.environ.get('PYTHONPATH', '')}",
            }
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "pytest_copies",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:faulthandler",
                "-qq",
                "--no-header",
                "--tb=short",
                *[f"tests/{f}" for f in files],
            ]
            if args.rehearse:
                command += ["--arch", "sm90"]
            child = subprocess.Popen(
                command,
                cwd=args.tests,
                env=env,
                stdout=open(log, "a"),
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            with self.lock:
                self.running.add(child)
            try:
                status = child.wait(timeout=max(1, self.end - time.time()))
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                status = None
            with self.lock:
                self.running.discard(child)
            return self.collect(row, events, status, log.read_text(errors="replace"))

    def collect(self, row, events, status, log):
        """Take over what the process noted; (finished, problem)."""
        started, ended, collected, problem = None, False, None, ""
        for line in events.read_text().splitlines():
            event = json.loads(line)
            if "collected" in event:
                collected = event
            elif "uncollected" in event:
                problem = f"not collected: {event['uncollected']}: {event['message']}"
            elif "start" in event:
                started = event["start"]
            elif "test" in event:
                self.file.add(row | event)
                started = None
            elif "end" in event:
                ended = True
        if ended:
            if collected is None or problem:
                self.file.add(
                    row
                    | {
                        "test": "(collection)",
                        "outcome": "failed",
                        "seconds": 0,
                        "message": problem or log.strip()[-600:],
                    }
                )
            self.file.add(row | {"test": "(end)", "outcome": "ended", "limit": self.args.limit})
            return True, problem
        if status is None:  # the deadline; a later run takes these up again
            return True, "out of time"
        if started:
            self.file.add(
                row
                | {
                    "test": started,
                    "outcome": "crashed",
                    "seconds": None,
                    "message": f"exit {status}: {last_words(log)}",
                }
            )
            return False, ""
        if any("test" in json.loads(line) for line in events.read_text().splitlines()):
            return False, ""  # crashed, and noted by the process itself
        self.file.add(
            row
            | {"test": "(start)", "outcome": "crashed", "seconds": None, "message": f"exit {status}: {last_words(log)}"}
        )
        return True, "did not start"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--variants", default="original", help="original and levels of the converted tree, with commas")
    parser.add_argument("--converted", default=ROOT / ".gpu/converted")
    parser.add_argument("--tests", default=ROOT / ".gpu/tests")
    parser.add_argument("--only", default="", help="operators, with commas")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--limit", type=int, default=8, help="parameter sets of one test function")
    parser.add_argument("--seconds", type=int, default=90, help="one test")
    parser.add_argument("--deadline", type=int, default=540, help="seconds for everything")
    parser.add_argument("--restarts", type=int, default=12, help="processes of one operator")
    parser.add_argument("--search", default="first", choices=("first", "full"))
    parser.add_argument(
        "--again", default="", help="outcomes whose tests run again though their text has a row, with commas"
    )
    parser.add_argument(
        "--rehearse",
        action="store_const",
        const=str(ROOT / "tests"),
        default="",
        help="without a GPU: tests run on fake tensors and mostly fail",
    )
    args = parser.parse_args()
    runner = Runner(args)
    runner.file.head(
        rows.machine(gpu=not args.rehearse) | {"kind": "tilegym tests", "limit": args.limit, "search": args.search}
    )
    wanted = [o for o in args.only.split(",") if o] or sorted(
        OPS, key=lambda o: SLOW.index(o) if o in SLOW else len(SLOW)
    )
    work = [(v, o) for o in wanted for v in args.variants.split(",")]
    work.sort(key=lambda item: runner.same(*item) is not None)  # those only wait for others
    began = time.time()

    def one(item):
        try:
            how = runner.operator(*item)
        except Exception as error:
            how = f"harness: {error!r}"
        finally:
            runner.finished[item].set()
        print(f"[{time.time() - began:5.0f} s] {item[0]:9} {item[1]}{': ' + how if how else ''}", flush=True)

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, work))
    import report

    print(report.tests(runner.file.rows))


if __name__ == "__main__":
    main()
