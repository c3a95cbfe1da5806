# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Constants have the values that NVIDIA's front end calculates: rounded to their dtype after each operation, integers wrapped."""

import importlib.util
import io
import math
import re
import struct

import cuda.tile as ct
import pytest
from cuda.tile import compilation

from oracle import tile_ir, tool

EXPRESSIONS = """
0.1 + 0.2
2 ** 0.5
ct.exp(0.1)
ct.float32(0.1)
ct.float32(16777217)
ct.float32(1e39)
ct.float64(0.1)
ct.float64(3)
ct.float64(16777217)
ct.float64(0) + 0.1
ct.float16(0.1)
ct.float16(-0.0)
ct.float16(1e-8)
ct.float16(2049)
ct.float16(2051)
ct.float16(65519.9)
ct.float16(70000)
ct.bfloat16(0.1)
ct.bfloat16(3.4e38)
ct.tfloat32(0.1)
ct.tfloat32(3.4e38)
ct.float8_e4m3fn(0.1)
ct.float8_e4m3fn(464)
ct.float8_e4m3fn(465)
ct.float8_e5m2(0.1)
ct.float8_e5m2(61439)
ct.float8_e5m2(61440)
ct.float16(0.1) + 0.1
ct.float16(0.1) % 0.03
ct.float16(0.1) * ct.float32(0.1)
ct.float16(0.1) + ct.int32(3)
ct.float16(65504) + 65504
ct.float16(1) / 3
1 / ct.float16(3)
ct.float16(7) // 2
ct.float16(2) ** 0.5
ct.float16(1) * True
-ct.float16(0.1)
abs(ct.float16(-0.1))
ct.exp(ct.float16(0.1))
ct.exp(ct.int32(1))
ct.sqrt(ct.float16(2))
ct.floor(ct.float16(2.5))
ct.float16(ct.exp(0.1))
max(ct.float16(0.1), 0.1)
ct.maximum(ct.float16(0.1), 0.1)
ct.float16(0.1).astype(ct.float32)
ct.astype(0.1, ct.float16)
ct.float16(ct.float32(0.1))
ct.bfloat16(ct.float16(0.1))
float(ct.float16(0.1))
int(ct.float16(2.7))
bool(ct.float16(0.1))
ct.float32(0.1) * 0.1
ct.float32(0.1) + ct.float32(0.2)
ct.bfloat16(0.1) + ct.float32(0.2)
1 if ct.float16(0.1) == 0.1 else 2
1 if ct.float16(0.1) == ct.float32(0.1) else 2
1 if ct.float16(0.1) < 0.1 else 2
1 if ct.uint8(255) + 1 == 0 else 2
ct.uint8(300) + 1
ct.uint8(255) + 1
ct.uint8(255) + ct.uint8(1)
ct.uint8(3) - 5
ct.uint8(3) << 7
ct.uint8(3) * 0.1
-ct.uint8(3)
~ct.uint8(3)
ct.int8(200)
ct.int8(300.7)
ct.uint8(-1.5)
ct.uint32(-1)
ct.int8(100) * 100
ct.int8(100) / 3
ct.int8(-128) // ct.int8(-1)
abs(ct.int8(-128))
ct.int8(3) ** 2
ct.int8(3) ** 0.5
ct.cdiv(ct.int8(100), 3)
ct.int32(2**31 - 1) + 1
ct.int32(3e9)
ct.int32(3) / 2
ct.int32(7) % 4
ct.int64(2**40) + 1
1.0 * ct.int32(3)
ct.bool_(3) + ct.int32(1)
""".strip().split("\n")

HEAD = "import cuda.tile as ct\n"
KERNEL = """
@ct.kernel
def k{number}(out):
    value = {expression}
    ct.store(out, 0, ct.astype(value, ct.float64))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("constants") / "constants.py"
    path.write_text(HEAD + "".join(KERNEL.format(number=i, expression=text) for i, text in enumerate(EXPRESSIONS)))
    return path


@pytest.fixture(scope="module")
def ours(source):
    """What each kernel stores: the last constant of a dtype in its body."""
    done = tool.run("dump", source, "--stage", "ir")
    kernels = re.findall(r"^kernel @k(\d+) .*?^}", done.stdout, re.M | re.S)
    bodies = re.split(r"^kernel @k\d+ ", done.stdout, flags=re.M)[1:]
    return {int(name): float(re.findall(r"strict<float64, \w+, ([^>]+)>", body)[-1]) for name, body in zip(kernels, bodies)}


def theirs(kernel):
    array = compilation.ArrayConstraint(
        ct.float64, 1, index_dtype=ct.int32, stride_lower_bound_incl=1, alias_groups=(), may_alias_internally=False
    )
    signature = compilation.KernelSignature([array], compilation.CallingConvention.cutile_python_v1())
    out = io.BytesIO()
    compilation.export_kernel(kernel, [signature], out, gpu_code="sm_90", output_format="tileir_bytecode")
    (text,) = re.findall(r"constant <f64: ([^>]+)>", tile_ir.text(out.getvalue(), positions=False))
    return struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text.startswith("0x") else float(text)


def test_every_kernel_is_read(ours):
    assert sorted(ours) == list(range(len(EXPRESSIONS)))


@pytest.fixture(scope="module")
def module(source):
    specification = importlib.util.spec_from_file_location("constants", source)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_a_constant_is_that_of_nvidia(module, ours, number):
    expected, found = theirs(getattr(module, f"k{number}")), ours[number]
    assert found == expected and math.copysign(1, found) == math.copysign(1, expected) or math.isnan(found) and math.isnan(expected)
