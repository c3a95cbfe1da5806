# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Converted kernels compile with the oldest and the newest Triton that they are for.

tools/check puts these beside the environment's own, into folders named after their version.
"""

import os
import pickle
import sys
from pathlib import Path

import pytest
from oracle import tool

MODULES = ("ops/cutile/softmax", "ops/cutile/bmm", "ops/cutile/silu_and_mul", "ops/cutile/layer_norm_legacy", "ops/cutile/dropout")
KERNELS = ("atomic_sums", "branches", "integer_division", "padding_modes", "reductions", "scans", "shapes", "unary_maths")
HERE = Path(__file__).parent


def environment(version):
    folder = Path(sys.prefix, f"triton-{version}")
    if not folder.exists():
        pytest.skip(f"Triton {version} is not installed in {folder.name}")
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(HERE.parent)))}


@pytest.mark.parametrize("version", ["3.4.0", "3.9.0"])
def test_converted_modules_compile(converted, tmp_path, version):
    out = tmp_path / "launches.pickle"
    overlay = tool.overlay({module: converted[module] for module in MODULES})
    done = tool.worker("record", *MODULES, "--arch", "sm_90", "--sample", "0/4", "--out", out, *overlay, environment=environment(version))
    assert done.returncode == 0, done.stderr[-4000:]
    found = pickle.loads(out.read_bytes())
    launches = [launch for launch in found["launches"] if launch.language == "triton"]
    assert not found["failures"]
    assert len({launch.kernel for launch in launches}) >= len(MODULES)
    assert not {launch.kernel: launch.error for launch in launches if launch.error}


@pytest.mark.parametrize("version", ["3.4.0", "3.9.0"])
def test_our_kernels_compile(tmp_path, version):
    files = [tool.convert(HERE.parent / f"whole/kernels/{name}.py", tmp_path / f"{name}.py").path for name in KERNELS]
    out = tmp_path / "launches.pickle"
    done = tool.worker("record_kernels", "--arch", "sm_90", "--out", out, *files, environment=environment(version))
    assert done.returncode == 0, done.stderr[-4000:]
    found = pickle.loads(out.read_bytes())
    launches = [launch for launch in found["launches"] if launch.language == "triton"]
    assert not found["failures"]
    assert len(launches) >= len(KERNELS)
    assert not {launch.kernel: launch.error for launch in launches if launch.error}
