# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The same operations as one would write them in Triton by hand, with its operation of the same name.

Beside the conversions these show where the dialects differ: what a conversion has to spell out. An operation for which Triton has
no name, or none for its dtype, has no such text.
"""

import re

from numerics.inputs import BYTE_FLOATS, FLOATS, SHAPES

_HEAD = '"""Made by bench/gpu/numerics."""\n\nimport triton\nimport triton.language as tl\n'
_NAMES = {"bool_": "int1", "float8_e4m3fn": "float8e4nv", "float8_e5m2": "float8e5"}
_TILES, _ARRAYS = "abc", "xyz"
_GROUPS = ("Arithmetic", "Unary", "Comparisons", "Promotions", "Elementary functions", "Conversions", "Bits", "Reductions", "Scans", "Products")

_SPELLINGS = (
    (r"ct\.(minimum|maximum)\(a, b, propagate_nan=True\)", r"tl.\1(a, b, propagate_nan=tl.PropagateNan.ALL)"),
    (r"ct\.(minimum|maximum|where)\(", r"tl.\1("),
    (r"ct\.cdiv\(", "tl.cdiv("),
    (r"^abs\(a\)", "tl.abs(a)"),
    (r"ct\.(exp|exp2|log|log2|sin|cos|rsqrt|sqrt|floor|ceil)\(", r"tl.math.\1("),
    (r"ct\.isnan\(a\)", "a != a"),
    (r"a\.astype\(ct\.(\w+)\)", lambda match: f"a.to(tl.{_NAMES.get(match[1], match[1])})"),
    (r"ct\.bitcast\(a, ct\.(\w+)\)", lambda match: f"a.to(tl.{_NAMES.get(match[1], match[1])}, bitcast=True)"),
    (r"ct\.(sum|max|min|argmax|argmin|cumsum|cumprod)\(", r"tl.\1("),
    (r"ct\.mma\(a, b, ct\.zeros\(\(16, 16\), ct\.(\w+)\)\)", r"tl.dot(a, b, out_dtype=tl.\1)"),
)  # fmt: skip


def spelled(operation):
    """The operation in Triton's words, or None."""
    of_dtype = operation.dtype
    if operation.group not in _GROUPS or "{r}" in operation.body or operation.definitions or "reshape" in operation.body:
        return None
    if operation.group == "Elementary functions" and of_dtype not in ("float32", "float64"):
        return None
    if of_dtype in BYTE_FLOATS and operation.group in ("Unary", "Comparisons"):
        return None
    if of_dtype in ("float16", "bfloat16") and re.search(r"floor|ceil", operation.body):
        return None
    if of_dtype == "tfloat32" or "tfloat32" in operation.body or "**" in operation.body:
        return None
    if operation.body == "+a" or of_dtype == "uint8" and operation.group == "Products" or "with" in operation.name:
        return None
    if operation.group == "Reductions" and "propagate_nan" in operation.body:
        return None
    if of_dtype in FLOATS and "//" in operation.body:
        return None
    ends = {dtype for _, dtype in operation.inputs} | {operation.result}
    if operation.group == "Conversions" and ends & set(BYTE_FLOATS) and not ends <= {*FLOATS, *BYTE_FLOATS}:
        return None
    body = operation.body
    for pattern, spelling in _SPELLINGS:
        body = re.sub(pattern, spelling, body)
    return None if "ct." in body else body


def _offsets(shape):
    if len(shape) == 1:
        return f"tl.arange(0, {shape[0]})"
    return f"(tl.arange(0, {shape[0]})[:, None] * {shape[1]} + tl.arange(0, {shape[1]})[None, :])"


def _kernel(name, inputs, written):
    arrays = _ARRAYS[: len(inputs)]
    names = [*arrays, *(array for array, _ in written)]
    lines = [f"@triton.jit\ndef {name}({', '.join(names)}):"]
    for tile, array, (kind, _) in zip(_TILES, arrays, inputs):
        lines.append(f"    {tile} = tl.load({array} + {_offsets(SHAPES[kind])})")
    for array, operation in written:
        lines.append(f"    tl.store({array} + {_offsets(operation.shape)}, {spelled(operation)})")
    lines += ["", "", f"def run_{name}({', '.join(names)}):", f"    {name}[(1,)]({', '.join(names)})"]
    return "\n".join(lines) + "\n"


def text_of(batch):
    """A file like made.text_of, of operations that have a spelling."""
    kernels = [("batch", [(f"r{n}", operation) for n, operation in enumerate(batch)])]
    kernels += [(f"one_{n}", [("r", operation)]) for n, operation in enumerate(batch)]
    return "\n\n".join([_HEAD, *(_kernel(name, batch[0].inputs, written) for name, written in kernels)])
