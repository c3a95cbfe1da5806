# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The public kernels that we test on: modules of the installed package tilegym, imported one by one.

The package's own __init__ files import everything.  Here its folders are empty packages, so that a test pays for what it uses and
nothing runs that is kept unseen; and a module may be overlaid by another file, which is how a converted module takes the place of
the original among its untouched neighbours.
"""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

ROOT = Path(importlib.util.find_spec("tilegym").submodule_search_locations[0])

_UNSEEN = {
    "ops/cutile": {
        "attention_sink", "attention_sink_decode", "gemma_attention", "gemma_attention_decode",
        "recurrent_gated_delta_rule", "moe_align_block",
    },
    "suites/unsloth/cutile": {"grouped_gemm", "fp8"},
    "suites/flashinfer/cutile": {"fmha_decode_bsr"},
}  # fmt: skip
_OPEN = [
    "ops/cutile",
    "ops/cutile/activation",
    "suites/unsloth/cutile",
    "suites/flashinfer/cutile",
    "suites/flashinfer/cutile/gemm",
]
_UNSEEN_PACKAGES = ("tilegym.suites.liger", "tilegym.ops.cutile.experimental")
_PACKAGES = {
    "tilegym", "tilegym.ops", "tilegym.suites", "tilegym.suites.unsloth", "tilegym.suites.flashinfer",
    *("tilegym." + folder.replace("/", ".") for folder in _OPEN),
}  # fmt: skip


def module_name(path):
    return ".".join(("tilegym", *Path(path).relative_to(ROOT).with_suffix("").parts))


def path_of(name):
    """`ops/cutile/bmm` → the installed file."""
    return ROOT / f"{name}.py"


def open_files():
    """Every file that may be read, in order; the two without kernels (utils, ct_ops) included."""
    for folder in _OPEN:
        for path in sorted((ROOT / folder).glob("*.py")):
            if path.stem != "__init__" and path.stem not in _UNSEEN.get(folder, ()):
                yield path


class _EmptyPackage:
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        pass


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module into a namespace that already holds some names."""

    def __init__(self, name, path, names):
        super().__init__(name, path)
        self.names = names

    def exec_module(self, module):
        vars(module).update(self.names)
        super().exec_module(module)


class _Finder:
    def __init__(self, overlay, kernel_globals):
        self.overlay, self.kernel_globals = overlay, kernel_globals
        self.unseen = {
            "tilegym." + folder.replace("/", ".") + "." + stem for folder, stems in _UNSEEN.items() for stem in stems
        }

    def find_spec(self, name, path=None, target=None):
        if name in self.unseen or name.startswith(_UNSEEN_PACKAGES):
            raise ImportError(f"{name} is kept unseen")
        if name in self.overlay:
            return importlib.util.spec_from_file_location(name, self.overlay[name])
        if name in _PACKAGES:
            spec = importlib.machinery.ModuleSpec(name, _EmptyPackage(), is_package=True)
            spec.submodule_search_locations = [str(ROOT.joinpath(*name.split(".")[1:]))]
            return spec
        if self.kernel_globals and name.rpartition(".")[0] in _PACKAGES:
            file = ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py")
            if file.exists():
                loader = Loader(name, str(file), self.kernel_globals)
                return importlib.util.spec_from_file_location(name, file, loader=loader)
        return None


def install(overlay=None, kernel_globals=None):
    """Make the open modules importable.  `overlay`: module name → file that takes its place; `kernel_globals`: names that the
    modules find in their namespace."""
    assert "tilegym" not in sys.modules, "too late: tilegym is imported"
    sys.meta_path.insert(0, _Finder(dict(overlay or {}), kernel_globals))
