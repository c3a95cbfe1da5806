# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Triton is read as Triton's own code generator reads it."""

import json
from pathlib import Path

import pytest

import triton_kernels
from oracle import tool, ttir

KERNELS = Path(triton_kernels.__file__)
TYPES = {"*fp16": "float16", "*bf16": "bfloat16", "*fp32": "float32", "*i32": "int32", "*i64": "int64"}


def argument(signature, constants, name):
    if name in constants:
        value = constants[name]
        if value is None:
            return dict(kind="none")
        kind = {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]
        return dict(kind=kind, value=value)
    text = signature[name]
    if text in TYPES:
        return dict(kind="array", dtype=TYPES[text], shape=[1024], stride=[1])
    if text.startswith("fp"):
        return dict(kind="float", value=1.5)
    return dict(kind="int", value=2**40 if text == "i64" else 1000)


def test_reads_every_kernel_of_the_file():
    done = tool.run("dump", KERNELS, "--stage", "ir")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\nkernel @") + done.stdout.startswith("kernel @") == 6


@pytest.mark.parametrize("number", range(len(triton_kernels.LAUNCHES)))
def test_memory_and_products_have_the_types_that_triton_gives_them(number, tmp_path):
    kernel, signature, constants = triton_kernels.LAUNCHES[number]
    arguments = [argument(signature, constants, name) for name in kernel.arg_names]
    launch = tmp_path / "launch.json"
    launch.write_text(json.dumps(dict(kernel=kernel.__name__, arguments=arguments)))
    done = tool.run("dump", KERNELS, "--stage", "ir", "--specialize", launch, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert ttir.ours(json.loads(done.stdout)) == ttir.places(ttir.ttir(kernel, signature, constants))
