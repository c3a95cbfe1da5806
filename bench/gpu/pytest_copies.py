# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin: TileGym's own tests, against the package as installed or with converted modules in its place.

tilegym_tests.py starts pytest with it and tells it what to do in TILEWRIGHT_TESTS (JSON):

    converted   the converted tree, or null for the original
    only        the modules to take from it, or null for all
    results     a file; one line of JSON per event is appended at once, so that a crash loses nothing
    limit       how many parameter sets of one test function are run, spread evenly; those that skip do not count
    transformers  whether the tests need that package (its import takes seconds)
    seconds     what one test may take before the process ends itself
    done        results that are there already: test id to outcome
    search      "first": the configuration search takes the first configuration that runs; "full": as shipped
    log         where this process's output goes
"""

import faulthandler
import json
import os
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import copies
import watch

LOST = 86  # exit status: the CUDA context is gone, start a fresh process
plan = json.loads(os.environ["TILEWRIGHT_TESTS"])
finder = copies.Finder(plan["converted"], set(plan["only"]) if plan["only"] else None, fall_back=False)
began = {}
stderr = os.fdopen(os.dup(2), "w")  # pytest captures the other one


def note(**event):
    with open(plan["results"], "a") as out:
        out.write(json.dumps(event) + "\n")


def pytest_load_initial_conftests(early_config):
    if plan["rehearse"]:  # a machine without a GPU: launches are compiled, nothing is computed
        sys.path.insert(0, plan["rehearse"])
        from oracle.recorder import Recorder

        Recorder("sm_90").__enter__()
    watch.trace = stderr
    watch.install()
    sys.meta_path.insert(0, finder)
    copies.prepare(plan["search"], plan["transformers"])


def cap(module):
    if module in sys.modules and not getattr(sys.modules[module], "_search_capped", False):
        sys.modules[module]._search_capped = True
        copies.cap_converted_search("converted", sys.modules[module])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if plan["search"] == "first":
        for module in list(finder.used):
            cap(module)
    wanted, functions = [], {}
    for item in items:
        params = getattr(item, "callspec", None)
        backend = [params.params[k] for k in ("backend", "framework") if k in params.params] if params else []
        name = item.nodeid.split("[")[0]
        if "perf" in item.name or "Decode" in name and "flashinfer" in name or any(b != "cutile" for b in backend):
            continue
        functions.setdefault(name, []).append(item)
    for same in functions.values():
        order = sorted(range(len(same)), key=lambda i: i * 0.6180339887 % 1)  # any first part is spread evenly
        wanted += [same[i] for i in order]
    items[:] = [item for item in wanted if item.nodeid not in plan["done"]]
    note(collected=len(items), of=len(wanted))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Enough of this function: pass over the rest, and take down what the last one left up for this one."""
    function = item.nodeid.split("[")[0]
    ran = [test for test, outcome in plan["done"].items() if test.split("[")[0] == function and outcome != "skipped"]
    if len(ran) < plan["limit"]:
        return None
    item.session._setupstate.teardown_exact(nextitem)
    return True


def pytest_collectreport(report):
    if report.failed or report.skipped:
        note(uncollected=report.nodeid, message=tail(report.longrepr))


def pytest_runtest_logstart(nodeid, location):
    began[nodeid] = time.time(), len(watch.launched), os.path.getsize(plan["log"])
    note(start=nodeid)
    faulthandler.dump_traceback_later(plan["seconds"], exit=True, file=stderr)


def tail(longrepr):
    if isinstance(longrepr, tuple):
        return str(longrepr[2])[:200]
    crash = getattr(longrepr, "reprcrash", None)
    text = crash.message if crash else str(longrepr or "")
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return " | ".join(lines[:3] + lines[-1:] if len(lines) > 4 else lines)[:400]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" or report.outcome != "passed" and report.when == "setup":
        start, launches, offset = began[item.nodeid]
        kernels = watch.names(launches)
        row = {
            "test": item.nodeid,
            "outcome": report.outcome,
            "seconds": round(time.time() - start, 2),
            "message": "" if report.passed else tail(report.longrepr),
        }
        row |= {"kernels": kernels.get("triton", []), "left": kernels.get("cutile", [])} if plan["converted"] else {}
        if report.failed:
            if call.excinfo and not isinstance(call.excinfo.value, AssertionError):
                row |= watch.explained(
                    call.excinfo.value, [plan["converted"]] if plan["converted"] else [], (plan["log"], offset)
                )
            if copies.lost():
                note(**row | {"outcome": "crashed"})
                os._exit(LOST)
        plan["done"][item.nodeid] = report.outcome
        note(**row)


def pytest_runtest_logfinish(nodeid, location):
    faulthandler.cancel_dump_traceback_later()


def pytest_sessionfinish(session, exitstatus):
    note(
        end=int(exitstatus),
        converted=sorted(finder.used),
        broken={n: f"{type(e).__name__}: {e}"[:300] for n, e in finder.broken.items()},
    )
