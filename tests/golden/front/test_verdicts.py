# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Some hundred bodies of a kernel (verdicts.txt), accepted or refused by us as by NVIDIA's own front end, which runs here too."""

import importlib.util
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cuda.tile as ct
import pytest
from cuda.tile import compilation

from oracle import tool

HEAD = '''\
import math
import operator
from enum import Enum

import cuda.tile as ct

GI = 5
GF = 0.5
GT = (1, 2.0)
GL = [1, 2]


class E(Enum):
    A = 1


class NT:
    pass


def helper(a, w=2):
    return a * w


def two(a):
    return a, a + 1


def early(a):
    if a > 3:
        return a
    return a + 1


def early_mixed(a):
    if a > 3:
        return a
    return a * 1.0


def early_none(a):
    if a > 3:
        return a


@ct.kernel
def k2(x):
    pass


@ct.kernel
def k(x, y, z, b16, u, n, f, p, N: ct.Constant[int]):
'''

ARRAYS = {"x": ("float32", 2), "y": ("float32", 1), "z": ("float16", 1), "b16": ("bfloat16", 1), "u": ("int32", 1)}
NUMBERS = {"n": ("int", 4), "f": ("float", 1.5), "p": ("bool", True), "N": ("int", 16)}


def _launch():
    arrays = [
        dict(name=name, kind="array", constant=False, dtype=dtype, shape=[64] * rank, stride=[64, 1][-rank:]) for name, (dtype, rank) in ARRAYS.items()
    ]
    numbers = [dict(name=name, kind=kind, value=value, constant=name == "N") for name, (kind, value) in NUMBERS.items()]
    return dict(kernel="k", arguments=arrays + numbers)


def _signature():
    arrays = [
        compilation.ArrayConstraint(getattr(ct, dtype), rank, index_dtype=ct.int32, stride_lower_bound_incl=1, alias_groups=(), may_alias_internally=False)
        for dtype, rank in ARRAYS.values()
    ]
    scalars = [compilation.ScalarConstraint(dtype) for dtype in (ct.int32, ct.float32, ct.bool_)]
    convention = compilation.CallingConvention.cutile_python_v1()
    return compilation.KernelSignature([*arrays, *scalars, compilation.ConstantConstraint(16)], convention)


def _bodies():
    text = (Path(__file__).parent / "verdicts.txt").read_text()
    for body in text.split("---\n")[1:]:
        first, _, rest = body.partition("\n")
        yield (rest, first[2:]) if first in ("# launch", "# ours", "# dead") else (body, "same")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """(path, body, why the verdicts differ)"""
    folder = tmp_path_factory.mktemp("bodies")
    found = []
    for i, (body, why) in enumerate(_bodies()):
        path = folder / f"body_{i}.py"
        path.write_text(HEAD + "".join(f"    {line}\n" for line in body.rstrip("\n").split("\n")))
        found.append((path, body, why))
    return found


@pytest.fixture(scope="module")
def theirs(sources):
    """body → "" or what they say"""
    verdicts = {}
    for path, body, _ in sources:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            compilation.export_kernel(module.k, [_signature()], io.BytesIO(), gpu_code="sm_90", output_format="tileir_bytecode")
            verdicts[body] = ""
        except Exception as error:  # noqa: BLE001  theirs are of many kinds
            verdicts[body] = f"{type(error).__name__}: {error}"
    return verdicts


@pytest.fixture(scope="module")
def ours(sources, tmp_path_factory):
    launch = tmp_path_factory.mktemp("launch") / "launch.json"
    launch.write_text(json.dumps(_launch()))

    def verdict(source):
        done = tool.run("dump", source[0], "--stage", "ir", "--specialize", launch)
        assert done.returncode in (0, 1, 2), f"{source[1]}\n{done.stderr}"
        refused = done.returncode != 0 or "unsupported" in done.stdout
        return source[1], done.stderr or "refused" if refused else ""

    with ThreadPoolExecutor() as pool:
        return dict(pool.map(verdict, sources))


@pytest.fixture(scope="module")
def places(sources, tmp_path_factory):
    """body → (code, line, first column, column after) of our first error or note of a dead branch, if converting says one"""
    out = tmp_path_factory.mktemp("places") / "out.py"

    def place(source):
        done = tool.run("convert", source[0], "-o", out.with_stem(source[0].stem), "--format", "json")
        said = [d for d in json.loads(done.stdout)["files"][0]["diagnostics"] if d["severity"] == "error" or d["code"] == "TW160"]
        if not said:
            return source[1], None
        span = said[0]["span"]
        return source[1], (said[0]["code"], span["start"]["line"], span["start"]["column"], span["end"]["column"])

    with ThreadPoolExecutor() as pool:
        return dict(pool.map(place, sources))


def test_a_refusal_points_into_the_place_that_nvidia_names(sources, theirs, places):
    """… in the same line, at it or at a part of it.  Constructs of several lines have no columns to compare."""
    outside, compared = {}, 0
    for _, body, why in sources:
        theirs_at = re.search(r", line (\d+), col (\d+)-(\d+)", theirs[body])
        in_helper = places[body] and places[body][1] <= HEAD.count("\n")  # where NVIDIA names the call
        if why != "same" or not theirs_at or not places[body] or in_helper:
            continue
        line, first, last = map(int, theirs_at.groups())
        compared += 1
        if not (places[body][1] == line and first <= places[body][2] and places[body][3] <= last + 1):
            outside[body] = (theirs_at[0], places[body])
    assert not outside
    assert compared > 250


def test_what_nvidia_refuses_is_refused(sources, theirs, ours):
    accepted = {body: theirs[body] for _, body, why in sources if why not in ("launch", "dead") and theirs[body] and not ours[body]}
    assert not accepted


def test_what_nvidia_accepts_is_accepted(sources, theirs, ours):
    refused = {body: ours[body] for _, body, why in sources if why != "ours" and not theirs[body] and ours[body]}
    assert not refused


def test_the_exceptions_are_still_exceptions(sources, theirs, ours):
    gone = [body for _, body, why in sources if why != "same" and bool(theirs[body]) == bool(ours[body])]
    assert not gone


def test_both_verdicts_are_frequent(theirs):
    refused = sum(bool(text) for text in theirs.values())
    assert refused > 150
    assert len(theirs) - refused > 150
