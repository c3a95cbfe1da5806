# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Several copies of the package tilegym in one process: as installed, and with converted modules in place of its own.

TileGym keeps one registry of implementations per process, and its modules import one another by absolute name. To run the
original of an operator beside its conversion, on the same inputs and interleaved in time, each copy is imported afresh with
its own registry, and `sys.modules` holds a copy's modules only while that copy runs.

    original, strict = Copy("original"), Copy("strict", converted="…/strict")
    with strict: y = strict.ops.softmax(x)

A converted tree mirrors the package: `<tree>/tilegym/ops/cutile/softmax.py` stands in for `tilegym.ops.cutile.softmax`.
"""

import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path

from converted import file_of

# Kept unseen, so that a converter can be examined on code that its authors never read: never imported here.
HELD_BACK = tuple(
    [
        f"tilegym.ops.cutile.{m}"
        for m in (
            "attention_sink",
            "attention_sink_decode",
            "gemma_attention",
            "gemma_attention_decode",
            "recurrent_gated_delta_rule",
            "moe_align_block",
            "experimental",
        )
    ]
    + [
        "tilegym.suites.liger",
        "tilegym.suites.unsloth.cutile.grouped_gemm",
        "tilegym.suites.unsloth.cutile.fp8",
        "tilegym.suites.flashinfer.cutile.fmha_decode_bsr",
    ]
)


UNUSED = ("tilegym.ops.triton", "tilegym.ops.tilecpp", "tilegym.ops.cutile_rs")  # other back ends of the same operators


def held_back(name):
    return any(name == h or name.startswith(h + ".") for h in HELD_BACK + UNUSED)


class _Hollow(types.ModuleType):
    """Has every attribute; calling one says why it is not there."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def missing(*_, **__):
            raise NotImplementedError(f"{self.__name__}.{name} is left out of this run")

        return missing


class _HollowLoader(importlib.abc.Loader):
    def create_module(self, spec):
        return _Hollow(spec.name)

    def exec_module(self, module):
        pass


class _ConvertedLoader(importlib.machinery.SourceFileLoader):
    """Runs converted text; if it cannot be imported, notes why and, where wanted, runs the original, so that one such module
    does not take the others' results with it."""

    def __init__(self, name, file, finder, original):
        super().__init__(name, str(file))
        self.finder, self.original = finder, original

    def exec_module(self, module):
        try:
            super().exec_module(module)
        except Exception as error:
            self.finder.broken[self.name] = error
            if not self.finder.fall_back:
                raise
            self.finder.used.pop(self.name)
            spec = self.original(self.name)
            for name in [n for n in vars(module) if not n.startswith("__")]:
                delattr(module, name)
            module.__file__, module.__loader__, module.__spec__ = spec.origin, spec.loader, spec
            spec.loader.exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Puts hollow modules where held-back ones are, and converted ones where the tree has them (all, or those of `only`)."""

    def __init__(self, converted=None, only=None, fall_back=True):
        self.converted = Path(converted).resolve() if converted else None
        self.only, self.fall_back = only, fall_back
        self.used, self.broken = {}, {}  # name → file, name → what its import raised

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("tilegym."):
            return None
        if held_back(name):
            return importlib.machinery.ModuleSpec(name, _HollowLoader(), is_package=True)
        file = file_of(self.converted, name) if self.converted and (self.only is None or name in self.only) else None
        if not file:
            return None
        self.used[name] = str(file)
        original = functools.partial(importlib.machinery.PathFinder.find_spec, path=path)
        return importlib.util.spec_from_file_location(name, file, loader=_ConvertedLoader(name, file, self, original))


# The configuration search ---------------------------------------------------------------------------------------------


@dataclass
class Search:
    """What became of the searches; the comparison steers the next ones."""

    begin: int = 0  # the configuration to try first, in every search
    wanted: list = field(default_factory=list)  # those to try first, one a search, before `begin` counts
    chosen: list = field(default_factory=list)  # (copy, index of the configuration, its text), one per search
    trying: tuple | None = None  # (index, number of configurations) that the last search tried last


search = Search()


def lost():
    """Whether the GPU's context is gone, after which nothing in this process runs."""
    import torch

    try:
        torch.cuda.synchronize()
        return False
    except Exception:
        return True


def _first_that_runs(copy, function):
    """The search `function` over one configuration at a time until one runs: a comparison wants the same one on both sides, and
    time."""

    @functools.wraps(function)
    def first(search_space, *args, **kwargs):
        space, errors = list(search_space), []
        begin = search.wanted.pop(0) if search.wanted else search.begin
        order = list(range(len(space)))
        for index in order[begin:] + order[:begin] if begin < len(space) else order:
            search.trying = index, len(space)
            try:
                result = function([space[index]], *args, **kwargs)
            except Exception as error:
                if lost():
                    raise
                errors.append(error)
                continue
            search.chosen.append((copy, index, str(space[index])))
            return result
        raise errors[0] if errors else ValueError("Search space is empty.")

    return first


def _launch_once(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
    """cuTile's exhaustive_search over one configuration without its timing: one launch."""
    import cuda.tile as ct
    from cuda.tile.tune import Measurement, TuningResult

    (config,) = search_space
    base = kernel if hasattr(kernel, "replace_hints") else kernel(config)
    ct.launch(stream, grid_fn(config), base.replace_hints(**(hints_fn(config) if hints_fn else {})), args_fn(config))
    best = Measurement(config=config, mean_us=1.0, num_samples=1, error_margin_us=0.0)
    return TuningResult(best=best, successes=(best,), failures=())


@functools.cache
def cap_searches():
    """Once per process, before tilegym is imported: cuTile's search takes the first configuration that runs, what Triton's
    searches time takes no time, and a compilation may take as long as it needs (many processes share the machine's cores)."""
    import cuda.tile as ct
    import triton.testing
    from cuda.tile import tune

    def once(call, *_, quantiles=None, **__):
        call()
        return [1.0] * len(quantiles) if quantiles else 1.0

    triton.testing.do_bench = once
    tune.exhaustive_search = _first_that_runs("original", _launch_once)
    patient = ct.compiler_timeout
    ct.compiler_timeout = lambda seconds: patient(max(seconds, 300))


def _equal_time(function):
    """What a converted search measured, with the time levelled, so that a choice between two searches is the same too."""

    def levelled(*args, **kwargs):
        result = function(*args, **kwargs)
        with contextlib.suppress(Exception):
            object.__setattr__(result.best, "mean_us", 1.0)
        return result

    return functools.wraps(function)(levelled)


def cap_converted_search(copy, module):
    """The same for the search function that a converted module brings along."""
    for name, value in list(vars(module).items()):
        if not inspect.isfunction(value) or value.__module__ != module.__name__:
            continue
        if next(iter(inspect.signature(value).parameters), None) == "search_space":
            setattr(module, name, _first_that_runs(copy, _equal_time(value)))


# Copies -----------------------------------------------------------------------------------------------------------------

_PACKAGES = ("tilegym.ops", "tilegym.suites.unsloth", "tilegym.suites.flashinfer")


def _mine(name):
    return name == "tilegym" or name.startswith("tilegym.")


def prepare(searching="first", transformers=False):
    """Environment of every run here: no tuning, no slow optional import."""
    if not transformers:
        sys.modules.setdefault("transformers", None)  # tilegym only asks whether it is there; seconds of imports
    os.environ.setdefault("DISABLE_FALLBACK", "1")  # an operator without an implementation is an error, not torch
    if searching == "first":
        os.environ["TILEGYM_DISABLE_AUTOTUNE"] = "1"
        cap_searches()


class Copy:
    def __init__(self, name, converted=None, only=None, searching="first"):
        self.name, self.finder = name, Finder(converted, only)
        self._outside, self._depth, self._modules = {}, 0, {}
        with self:
            for package in _PACKAGES:
                importlib.import_module(package)
            if converted and searching == "first":
                for module in self.finder.used:
                    if module in sys.modules:
                        cap_converted_search(name, sys.modules[module])

    def __enter__(self):
        self._depth += 1
        if self._depth == 1:
            self._outside = {n: sys.modules.pop(n) for n in list(sys.modules) if _mine(n)}
            sys.modules.update(self._modules)
            sys.meta_path.insert(0, self.finder)
        return self

    def __exit__(self, *_):
        self._depth -= 1
        if self._depth == 0:
            sys.meta_path.remove(self.finder)
            self._modules = {n: sys.modules.pop(n) for n in list(sys.modules) if _mine(n)}
            sys.modules.update(self._outside)

    def module(self, name):
        """A module of this copy, by its name below tilegym."""
        with self:
            return importlib.import_module("tilegym." + name)

    @property
    def ops(self):
        return self.module("ops")

    @property
    def unsloth(self):
        return self.module("suites.unsloth.ops")

    @property
    def flashinfer(self):
        return self.module("suites.flashinfer.ops")
