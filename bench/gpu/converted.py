# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A tree of converted modules: which text an operator runs, and how each module converted.

A tree mirrors the package: `<tree>/tilegym/ops/cutile/softmax.py`; `<tree>/manifest.json` says how each module converted.
A result is known by the text that gave it (`identity`), so that after a change of the converter only what reads differently
has to run again.
"""

import ast
import functools
import hashlib
import json
from pathlib import Path


def file_of(tree, name):
    """The converted text of a module, by its full name; None where the original is in use."""
    file = Path(tree).joinpath(*name.split(".")).with_suffix(".py")
    return file if file.is_file() else None


def _imported(name, text):
    """Modules that a module may import, by full name (some of them are only names in modules)."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = name.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@functools.cache
def closure(tree, name):
    """The module and the converted modules that it draws on, sorted."""
    found, pending = {}, [name]
    while pending:
        name = pending.pop()
        if name not in found and (file := file_of(tree, name)):
            found[name] = file.read_bytes()
            pending += _imported(name, found[name])
    return dict(sorted(found.items()))


def identity(tree, names):
    """A short name of the converted text behind these modules; "" if none of them is converted."""
    parts = [part for name in names for part in closure(str(tree), name).items()]
    digest = hashlib.sha256(b"\0".join(name.encode() + b"\0" + text for name, text in sorted(set(parts))))
    return digest.hexdigest()[:12] if parts else ""


def manifest(tree):
    """Module (full name) → how it converted."""
    file = Path(tree, "manifest.json")
    return json.loads(file.read_text())["modules"] if file.exists() else {}
