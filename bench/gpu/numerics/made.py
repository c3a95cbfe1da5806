# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes cuTile files: the operations that share inputs, in batches of one kernel, and each in a kernel of its own beside them.

NVIDIA's front end says which operations there are, and Tilewright which of them it converts: a batch has operations of one kind.
"""

import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path

from numerics import plain
from numerics.inputs import SHAPES
from numerics.operations import operations, slug

_OF_A_BATCH = 12
_TILES, _ARRAYS = "abc", "xyz"
_OF_LAUNCHES = ("TW226", "TW227")  # notes on what a launch will refuse, not on what a kernel gives
_HEAD = '"""Made by bench/gpu/numerics."""\n\nimport cuda.tile as ct\nimport torch\n'


def _is_tile(shape):
    return all(extent & (extent - 1) == 0 for extent in shape)


def _kernel(name, inputs, written):
    """A kernel that loads its inputs whole, and `written`: (name of an array, operation)."""
    arrays = _ARRAYS[: len(inputs)]
    lines = [f"@ct.kernel\ndef {name}({', '.join([*arrays, *(array for array, _ in written)])}):"]
    used = " ".join(operation.body for _, operation in written)
    for tile, array, (kind, _) in zip(_TILES, arrays, inputs):
        shape = SHAPES[kind]
        if _is_tile(shape) and _names(used, tile):
            lines.append(f"    {tile} = ct.load({array}, {(0,) * len(shape)}, {shape})")
    for array, operation in written:
        body = operation.body
        if "{r}" in body:
            lines.append("    " + body.replace("{r}", array))
        else:
            lines.append(f"    ct.store({array}, {(0,) * len(operation.shape)}, {body})")
    return "\n".join(lines) + "\n"


def _names(text, name):
    return re.search(rf"(?<![\w.]){name}\b", text)


def _launch(name, inputs, written):
    arguments = [*_ARRAYS[: len(inputs)], *(array for array, _ in written)]
    return (
        f"def run_{name}({', '.join(arguments)}):\n"
        f"    ct.launch(torch.cuda.current_stream(), (1,), {name}, ({', '.join(arguments)},))\n"
    )


def text_of(batch):
    """A file: `batch`, all of the operations in one kernel, and `one_N` for each of them."""
    inputs, parts = batch[0].inputs, [_HEAD]
    parts += sorted({operation.definitions for operation in batch if operation.definitions})
    kernels = [("batch", [(f"r{n}", operation) for n, operation in enumerate(batch)])]
    kernels += [(f"one_{n}", [("r", operation)]) for n, operation in enumerate(batch)]
    for name, written in kernels:
        parts += [_kernel(name, inputs, written), _launch(name, inputs, written)]
    return "\n\n".join(parts)


def _probe_text(found):
    """Every operation in a kernel of its own, in one file."""
    parts = [_HEAD, *sorted({operation.definitions for operation in found if operation.definitions})]
    for n, operation in enumerate(found):
        parts += [_kernel(f"one_{n}", operation.inputs, [("r", operation)]), _launch(f"one_{n}", operation.inputs, [("r", operation)])]
    return "\n\n".join(parts)


def refused_by_cutile(found, folder):
    """{key: what NVIDIA's front end says} of the operations that it refuses."""
    import importlib.util

    import cuda.tile as ct
    from cuda.tile._compile import compile_tile
    from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature

    file = Path(folder, "probe.py")
    file.write_text(_probe_text(found))
    spec = importlib.util.spec_from_file_location("probe", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    refused = {}
    for n, operation in enumerate(found):
        arrays = [*operation.inputs, (operation.shape, operation.result)]
        constraints = [
            ArrayConstraint(
                getattr(ct, dtype), len(SHAPES.get(kind, kind)), index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                may_alias_internally=False,
            )
            for kind, dtype in arrays
        ]  # fmt: skip
        signature = KernelSignature(constraints, CallingConvention.cutile_python_v1()).with_mangled_symbol(f"one_{n}")
        kernel = getattr(module, f"one_{n}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile_tile(
                    kernel._annotated_function, [signature], sm_arch="sm_90", compiler_options=kernel._compiler_options,
                    return_bytecode=True, return_final_ir=False, return_cubin=False,
                )  # fmt: skip
        except Exception as error:
            refused[operation.key] = f"{type(error).__name__}: {error}".splitlines()[0]
    return refused


def _converted(tilewright, level, file, target):
    """(status by kernel, diagnostics by line)"""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [tilewright, "convert", str(file), "-o", str(target), "--numerics", level, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    (document,) = json.loads(done.stdout)["files"]
    return document["kernels"], document["diagnostics"]


def said_by_tilewright(found, tilewright, folder, levels):
    """({key: code and message} of what it does not convert, {key: {level: codes of notes}})"""
    file = Path(folder, "probe.py")
    file.write_text(_probe_text(found))
    names = {f"one_{n}": operation.key for n, operation in enumerate(found)}
    refused, notes = {}, {}
    for level in levels:
        kernels, diagnostics = _converted(tilewright, level, file, Path(folder, "probe_converted.py"))
        lines = sorted((kernel["line"], kernel["name"]) for kernel in kernels)
        converted = {kernel["name"] for kernel in kernels if kernel["status"] == "converted"}
        refused |= {names[name]: refused.get(names[name], "") for name in names.keys() - converted}
        for told in diagnostics:
            owner = [name for line, name in lines if line <= told["span"]["start"]["line"]][-1:]
            key = names.get(owner[0]) if owner else None
            if key and told["severity"] == "error":
                refused[key] = refused.get(key) or f"{told['code']}: {told['message']}"
            elif key and told["severity"] == "note" and told["code"] not in _OF_LAUNCHES:
                codes = notes.setdefault(key, {}).setdefault(level, [])
                codes.extend({told["code"]} - set(codes))
    return refused, notes


def batches(found, converts):
    """Lists of operations that share their inputs, and either all convert or none does."""
    groups = {}
    for operation in found:
        groups.setdefault((operation.group, operation.inputs, operation.key in converts), []).append(operation)
    for group in groups.values():
        size = 1 if group[0].group == "Open points" else _OF_A_BATCH
        for start in range(0, len(group), size):
            yield group[start : start + size]


def make(out, tilewright, levels=("strict", "default"), found=None):
    """Fills a folder: original/NAME.py, LEVEL/NAME.py, plain/NAME.py and index.json; returns what the index says."""
    found = found or operations()
    shutil.rmtree(out, ignore_errors=True)
    (out / "original").mkdir(parents=True)
    refused = refused_by_cutile(found, out)
    found = [operation for operation in found if operation.key not in refused]
    left, notes = said_by_tilewright(found, tilewright, out, levels)
    converts = {operation.key for operation in found} - left.keys()
    for file in out.glob("probe*"):
        file.unlink()
    index = {"refused by cuTile": refused, "refused by Tilewright": left, "notes": notes, "files": {}}
    for number, batch in enumerate(batches(found, converts)):
        name = f"{slug(batch[0].group)}_{batch[0].dtype}_{number:03}"
        file = out / "original" / f"{name}.py"
        file.write_text(text_of(batch))
        told = {"operations": [operation.key for operation in batch], "levels": []}
        texts = []
        for level in levels if batch[0].key in converts else ():
            target = out / level / f"{name}.py"
            kernels, diagnostics = _converted(tilewright, level, file, target)
            errors = [told for told in diagnostics if told["severity"] == "error"]
            if any(kernel["status"] != "converted" for kernel in kernels) or errors:
                told.setdefault("wrong", []).append(f"{level}: {errors[0]['code'] if errors else ''} {errors[0]['message'] if errors else ''}")
            if target.read_text() in texts:
                target.unlink()
            else:
                texts.append(target.read_text())
                told["levels"].append(level)
        spelled = [operation for operation in batch if plain.spelled(operation)]
        if spelled:
            (out / "plain").mkdir(exist_ok=True)
            (out / "plain" / f"{name}.py").write_text(plain.text_of(spelled))
            told["plain"] = [operation.key for operation in spelled]
        index["files"][name] = told
    (out / "index.json").write_text(json.dumps(index, indent=1))
    return index
