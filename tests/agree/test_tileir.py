# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What we read is what NVIDIA reads: our program of a kernel, specialised to a real launch, against the real front end's Tile IR.

Every kernel of the open files that we convert, at launches of its real host code, and every kernel of ours.  CI takes two launches
a kernel, --full all of them.
"""

import collections
import copy
import json
import pickle
from pathlib import Path

import pytest

from oracle import tile_ir, tilegym_files, tool
from oracle.agreement import compare

KERNEL_FILES = sorted((Path(__file__).parents[1] / "whole/kernels").glob("*.py"))
MODULES = [str(path.relative_to(tilegym_files.ROOT).with_suffix("")) for path in tilegym_files.open_files()]


def _recorded(path, *arguments):
    done = tool.worker(*arguments, "--out", path)
    assert done.returncode == 0, done.stderr[-4000:]
    return pickle.loads(path.read_bytes())


@pytest.fixture(scope="session")
def public(tmp_path_factory):
    return _recorded(tmp_path_factory.mktemp("recorded") / "public.pickle", "record")


@pytest.fixture(scope="session")
def own(tmp_path_factory):
    return _recorded(tmp_path_factory.mktemp("recorded") / "own.pickle", "record_kernels", *KERNEL_FILES)


def few_a_kernel(launches, count):
    """The first and the last ones of each kernel: they differ in dtype and in how the sizes divide."""
    by_kernel = collections.defaultdict(list)
    for launch in launches:
        by_kernel[launch.file, launch.line].append(launch)
    for group in by_kernel.values():
        half = (count + 1) // 2
        yield from group if len(group) <= count else group[:half] + group[-(count - half) :]


def rows_of(launch, directory):
    """Our reading: the rows of `dump`, for the kernel and the arguments of this launch."""
    specification = directory / "launch.json"
    specification.write_text(json.dumps(dict(kernel=launch.kernel, arguments=launch.arguments)))
    done = tool.run("dump", launch.file, "--stage", "ir", "--specialize", specification, "--format", "json")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def disagreements(launches, directory):
    """(places compared, texts)"""
    places, texts = 0, []
    for launch in launches:
        result = compare(tile_ir.read(launch.bytecode), rows_of(launch, directory))
        places += result.places
        texts += [f"{launch.kernel} ({launch.case}): {mismatch}" for mismatch in result.mismatches]
    return places, texts


def test_every_public_kernel_is_launched(public):
    assert not public["failures"]
    assert not [launch.case for launch in public["launches"] if launch.error]
    launched = {(launch.file, launch.kernel) for launch in public["launches"]}
    assert len(launched) == 84


@pytest.mark.parametrize("module", MODULES)
def test_public_kernels_are_read_as_nvidia_reads_them(public, converted, full, module, tmp_path, record_property):
    path = str(tilegym_files.path_of(module))
    done = {name for name, status in converted[module].kernels.items() if status == "converted"}
    launches = [launch for launch in public["launches"] if launch.file == path and launch.kernel in done]
    places, texts = disagreements(launches if full else list(few_a_kernel(launches, 2)), tmp_path)
    record_property("places", places)
    assert not texts, "\n".join(texts)
    assert places or not done


def test_cutile_accepts_every_kernel_of_ours(own):
    assert not own["failures"]
    assert not [f"{launch.kernel}: {launch.error}" for launch in own["launches"] if launch.error]


@pytest.mark.parametrize("name", [file.stem for file in KERNEL_FILES])
def test_our_kernels_are_read_as_nvidia_reads_them(own, full, name, tmp_path):
    launches = [launch for launch in own["launches"] if launch.case == name]
    assert launches
    places, texts = disagreements(launches if full else list(few_a_kernel(launches, 2)), tmp_path)
    assert not texts, "\n".join(texts)
    assert places


PLANTED = {
    "wrong padding": ("load_tile", lambda row: row["attrs"].update(padding="nan")),
    "forgotten approximation": ("exp", lambda row: row["attrs"].update(rounding="default")),
    "forgotten flush": ("true_div", lambda row: row["attrs"].update(flush="keep")),
    "wrong axis": ("reduce", lambda row: row["attrs"].update(axes=[0])),
    "wrong reduction": ("reduce", lambda row: row["attrs"].update(reduction="min")),
    "wrong dtype": ("sub", lambda row: row.update(type=row["type"].replace("float32", "float16"))),
    "lost operation": ("cast", lambda row: row.update(op="copy")),
    "lost store": ("store_tile", lambda row: row.update(op="mark")),
}


@pytest.mark.parametrize("error", PLANTED)
def test_a_planted_error_is_found(public, tmp_path, error):
    launch = next(launch for launch in public["launches"] if launch.kernel == "_softmax_kernel_tma")
    theirs, rows = tile_ir.read(launch.bytecode), rows_of(launch, tmp_path)
    op, spoil = PLANTED[error]
    planted = copy.deepcopy(rows)
    row = next(row for row in planted if row["op"] == op)
    spoil(row)
    found = compare(theirs, planted).mismatches
    assert [mismatch.place for mismatch in found] == [(row["file"], row["line"], row["column"])]
