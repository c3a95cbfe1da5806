#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""cuTile's own tests, from a checkout of its repository, on the CPU: python tests/oracle/conformance.py CHECKOUT [FILE…]

Each file of tests is run by a pytest of its own under `tilewright.on_cpu`. A test counts if it launches a kernel. It has passed; or
its kernel is refused with a code, by cuTile too where the test wants an error; or cuTile alone refuses it; or it has failed: in an
assertion, of a value or of what cuTile's compiler was asked, or otherwise. Their tests and what is made of them stay where they are; the results name tests and say no more.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SECONDS = 60  # for one test
KINDS = ("passed", "refused by both", "refused", "refused by cuTile", "assertion", "failed", "too long", "skipped", "no launch")


# As a plugin of pytest


class TooLong(BaseException):
    pass


class Watch:
    """What becomes of each test, as lines of JSON."""

    def __init__(self, path):
        self._file = open(path, "w")
        self._launches = 0
        self._refusals = []
        self._wanted = 0  # of the refusals

    def count_launches(self):
        import cuda.tile
        import tilewright

        launch = cuda.tile.launch

        def counted(*args, **kwargs):
            self._launches += 1
            try:
                return launch(*args, **kwargs)
            except tilewright.KernelError as error:
                self._refusals.append(error)
                raise

        cuda.tile.launch = counted

    def want_refusals(self):
        """A test that wants an error of cuTile's gets one of ours."""
        import tilewright

        raises = pytest.raises
        watch = self

        class Raises:
            def __init__(self, *args, **kwargs):
                self._raises = raises(*args, **kwargs)

            def __enter__(self):
                self._info = self._raises.__enter__()
                return self._info

            def __exit__(self, kind, error, trace):
                if kind is None or not issubclass(kind, tilewright.KernelError):
                    return self._raises.__exit__(kind, error, trace)
                watch._wanted += 1
                self._info.fill_unfilled((kind, error, trace))
                return True

        pytest.raises = Raises

    def pytest_runtest_setup(self):
        self._launches, self._refusals, self._wanted = 0, [], 0

    def pytest_runtest_makereport(self, item, call):
        if call.when == "call" or call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception):
            self._tell(item.nodeid, *self._outcome(call.excinfo))

    def pytest_collectreport(self, report):
        if report.failed:
            self._tell(report.nodeid, "failed", f"not collected: {report.longreprtext.strip().splitlines()[-1]}")

    def _outcome(self, raised):
        if raised is not None and raised.errisinstance((pytest.skip.Exception, pytest.xfail.Exception)):
            return "skipped", ""
        said = f"{raised.typename}: {raised.value}".splitlines()[0] if raised is not None else ""
        if not self._launches:
            return "no launch", said
        if raised is None:
            return ("refused by both", _reason(self._refusals[0])) if self._wanted else ("passed", "")
        if len(self._refusals) > self._wanted:
            return "refused", _reason(self._refusals[-1])
        if "DID NOT RAISE" in said:
            return "refused by cuTile", said
        kind = "too long" if raised.errisinstance(TooLong) else "assertion" if raised.errisinstance(AssertionError) else "failed"
        return kind, said

    def _tell(self, test, kind, reason):
        print(json.dumps({"test": test, "kind": kind, "reason": reason}), file=self._file, flush=True)


def _reason(error):
    """A code and its sentence, without the names of the test."""
    diagnostic = error.diagnostics[0]
    return f"{diagnostic['code']} " + re.sub(r"\d+", "N", re.sub(r"`(?!ct\.)[^`]*`", "`…`", diagnostic["message"]))


def _stand_in_for_a_driver():
    """What these tests ask of cuTile's own functions when they are collected."""
    from cuda.tile import _cext, _compile

    _cext.get_compute_capability = lambda *_: (10, 0)
    _compile.get_sm_arch = lambda *_: "sm_100"


def _limit(item):
    def ring(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)


class _HooksOfPytestBenchmark:
    """Their conftest has them; the measurements themselves are not run."""

    def pytest_benchmark_update_machine_info(self, config, machine_info):
        pass

    def pytest_benchmark_update_json(self, config, benchmarks, output_json):
        pass


def pytest_addhooks(pluginmanager):
    if not pluginmanager.hasplugin("benchmark"):
        pluginmanager.add_hookspecs(_HooksOfPytestBenchmark)


def pytest_load_initial_conftests():
    _stand_in_for_a_driver()


def pytest_configure(config):
    watch = Watch(os.environ["CONFORMANCE_RESULTS"])
    watch.count_launches()
    watch.want_refusals()
    config.pluginmanager.register(watch)


def pytest_runtest_call(item):
    _limit(item)


def pytest_runtest_teardown():
    signal.alarm(0)


# As a program


def run(file, seconds):
    """The results of one file of tests."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.jsonl")
        here = Path(__file__).resolve()
        environment = {
            **os.environ,
            "CONFORMANCE_RESULTS": str(results),
            "PYTHONPATH": os.pathsep.join([str(here.parent), os.environ.get("PYTHONPATH", "")]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "pytest", "-q", "--tb=native", "-o", "addopts=", "-p", "no:cacheprovider"]
        command += ["-p", "tilewright.pytest_on_cpu", "-p", here.stem, str(file)]
        said = ""
        try:
            done = subprocess.run(command, env=environment, cwd=file.parent, capture_output=True, text=True, timeout=seconds)
            said = (done.stdout + done.stderr)[-2000:] if done.returncode not in (0, 1, 5) else ""
        except subprocess.TimeoutExpired:
            said = f"ended after {seconds} s"
        found = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        if said:
            found.append({"test": file.name, "kind": "failed", "reason": said.strip().rpartition("\n")[2]})
        return found


def summary(results):
    kinds = collections.Counter(result["kind"] for result in results)
    launching = sum(count for kind, count in kinds.items() if kind not in ("skipped", "no launch"))
    yield f"{len(results)} tests, {launching} launch a kernel"
    yield from (f"{kinds[kind]:6}  {kind}" for kind in KINDS if kinds[kind])
    for kind in KINDS:
        reasons = collections.Counter(result["reason"] for result in results if result["kind"] == kind and result["reason"])
        if reasons:
            yield f"\n{kind}:"
            yield from (f"{count:6}  {reason}" for reason, count in reasons.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("files", nargs="*", help="of its folder test; all of them otherwise")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=1200, help="for one file")
    parser.add_argument("-o", "--output", type=Path, help="results of all tests are added to it, as lines of JSON")
    arguments = parser.parse_args()
    folder = arguments.checkout.resolve() / "test"
    files = [folder / name for name in arguments.files] or sorted(folder.glob("test_*.py"))
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for file, found in zip(files, pool.map(lambda file: run(file, arguments.seconds), files)):
            kinds = collections.Counter(result["kind"] for result in found)
            print(f"{file.name:45}", ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind]), flush=True)
            results += found
            if arguments.output:
                with open(arguments.output, "a") as file:
                    file.writelines(json.dumps(result) + "\n" for result in found)
    print("", *summary(results), sep="\n")


if __name__ == "__main__":
    main()
