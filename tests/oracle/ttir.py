# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What Triton's own code generator makes of a kernel, before any optimisation: the judge of what we read.

The types of loads, stores, atomics, dots and reductions are compared: `tensor<128x64xf16>` is `tile<float16, [128, 64]>`.
"""

import collections
import re

NAMES = {
    "i1": "bool_", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "f16": "float16", "bf16": "bfloat16",
    "f32": "float32", "f64": "float64", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2",
}  # fmt: skip


def ttir(kernel, signature, constants, arch=90):
    """The module of a jitted function, as text.  signature: parameter → "*fp16", "i32", "fp32" …; constants: parameter → value."""
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    signature = {name: signature.get(name, "constexpr") for name in kernel.arg_names}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    target = GPUTarget("cuda", arch, 32)
    backend = triton.compiler.make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    return str(source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context))


def _type(text):
    """`tensor<16x16xf16>` or `f32` as our text says it; signs are not in MLIR's types, so integers are signed here."""
    shape = []
    if found := re.fullmatch(r"tensor<((?:\d+x)*)(.+)>", text):
        shape = [int(extent) for extent in found[1].split("x") if extent]
        text = found[2]
    return f"tile<{NAMES.get(text, text)}, {shape}>"


def places(text):
    """(op, type) → how often, of what touches memory, of products and reductions; `text` is a module whose functions are inlined or not."""
    found = collections.Counter()
    for line in text.splitlines():
        if match := re.search(r"tt\.load .* : (\S+)(?: loc| ->|$)", line):
            pointer = match[1]
            element = re.sub(r"!tt\.ptr<([^<>]+)>", r"\1", pointer)
            found["load", _type(element)] += 1
        elif match := re.search(r"tt\.store .* : (\S+?)(?: loc|$)", line):
            found["store", _type(re.sub(r"!tt\.ptr<([^<>]+)>", r"\1", match[1]))] += 1
        elif match := re.search(r"tt\.dot .* -> (tensor<\S+>)", line):
            found["dot", _type(match[1])] += 1
    return found


SIGNED = {"uint8": "int8", "uint16": "int16", "uint32": "int32", "uint64": "int64"}


def ours(rows):
    """The same of the rows of `tilewright dump --stage ir --specialize … --format json`."""
    found = collections.Counter()
    for row in rows:
        if row["op"] == "ptr_load":
            kind, text = "load", row["type"]
        elif row["op"] == "ptr_store":
            kind, text = "store", re.sub(r"tile<ptr\((.*?)\),", r"tile<\1,", row["operands"][0])
        elif row["op"] == "dot":
            kind, text = "dot", row["type"]
        else:
            continue
        for unsigned, signed in SIGNED.items():
            text = text.replace(f"<{unsigned},", f"<{signed},")
        # Triton reads and writes bools as bytes.
        if kind != "dot":
            text = text.replace("<bool_,", "<int8,")
        found[kind, text] += 1
    return found
