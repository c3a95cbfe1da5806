# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Records the launches of real host code, cuTile's and Triton's, and compiles each of them with the real compilers.

    with Recorder("sm_90") as recorder:
        import kernels                      # inside: what was bound before the recorder keeps the real launch
        kernels.softmax(x)                  # host code as it stands, on CPU tensors
    for launch in recorder.launches: ...

Nothing is computed, outputs hold garbage.  What is genuine: cuTile's derivation of the signature and its front end, Triton's
binder, its compiler and ptxas.  A search over configurations ends with the first that compiles and fits, or, with
tune="all", visits every one.
"""

import collections
import functools
import inspect
import re
import types
import warnings
from dataclasses import dataclass, field

import torch

from oracle.fake_gpu import SHARED_MEMORY, FakeCuda, fake_cutile_driver, fake_torch_cuda, fake_triton_driver


@dataclass
class Launch:
    language: str  # "cutile" or "triton"
    kernel: str
    file: str
    line: int
    grid: tuple
    arguments: list = field(default_factory=list)  # of dicts, see describe()
    hints: dict = field(default_factory=dict)
    symbol: str = ""  # equal iff the compiler would not compile again
    case: str = ""  # Recorder.case at the first launch
    launches: int = 1
    searched: bool = False  # only a search launched it, over configurations or for what fits
    bytecode: bytes = b""  # Tile IR
    shared: int = 0  # bytes of shared memory that Triton asks for
    instructions: collections.Counter = field(default_factory=collections.Counter)  # of the PTX, by name
    reorders: bool = False  # what is reduced together with its places is in any order, as Triton's passes have it
    error: str = ""
    too_large: bool = False  # for the GPU's shared memory: the error is what Triton's loader raises, and host code may catch it


def describe(value):
    """One launch argument as data.  A tensor is known by its type and layout: nothing in a kernel's reading depends on more."""
    if isinstance(value, torch.Tensor):
        return dict(
            kind="array", dtype=str(value.dtype).removeprefix("torch."), shape=list(value.shape), stride=list(value.stride())
        )
    if isinstance(value, bool):
        return dict(kind="bool", value=value)
    if isinstance(value, int):
        return dict(kind="int", value=int(value))
    if isinstance(value, float):
        return dict(kind="float", value=value)
    if isinstance(value, (list, tuple)):
        return dict(kind=type(value).__name__, items=[describe(item) for item in value])
    return dict(kind="other", text=repr(value))


def _is_constant(annotation):
    """A parameter, or every part of a tuple parameter, is ct.Constant."""
    parts = getattr(annotation, "items", None) or ([annotation.each] if hasattr(annotation, "each") else None)
    return annotation.constant if parts is None else all(map(_is_constant, parts))


class Recorder:
    def __init__(self, arch="sm_90", tune="first"):
        self.arch, self.tune, self.case = arch, tune, ""
        self._seen, self._searching = {}, False
        self._fits = False  # a launch has compiled and fits since the last ordinary launch

    @property
    def launches(self):
        return list(self._seen.values())

    def __enter__(self):
        _install()
        fake_torch_cuda(self.arch)
        fake_triton_driver(self.arch, self._benchmark)
        _active.append(self)
        self._mode = FakeCuda()
        self._mode.__enter__()
        return self

    def __exit__(self, *exc):
        self._mode.__exit__(None, None, None)
        _active.remove(self)

    def _record(self, key, make):
        if key not in self._seen:
            self._seen[key] = make()
            self._seen[key].case, self._seen[key].launches, self._seen[key].searched = self.case, 0, True
        launch = self._seen[key]
        launch.launches += 1
        launch.searched &= self._searching or launch.too_large
        return launch

    # cuTile

    def launch_cutile(self, grid, kernel, arguments):
        from cuda.tile._cext import CallingConvention, get_parameter_constraints_from_pyargs
        from cuda.tile.compilation import KernelSignature

        constraints = get_parameter_constraints_from_pyargs(kernel, tuple(arguments), CallingConvention.cutile_python_v2())
        try:  # the lowest calling convention that will do, as cuTile itself
            signature = KernelSignature(constraints, CallingConvention.cutile_python_v1())
        except ValueError:
            signature = KernelSignature(constraints, CallingConvention.cutile_python_v2())
        signature = signature.with_mangled_symbol(kernel._pyfunc.__name__)
        hints = {name: str(value) for name, value in vars(kernel._compiler_options).items() if value is not None}
        key = (kernel._pyfunc.__code__, signature.symbol, str(hints))
        return self._record(key, lambda: self._compile_cutile(grid, kernel, arguments, signature, hints))

    def _compile_cutile(self, grid, kernel, arguments, signature, hints):
        from cuda.tile._compile import compile_tile

        function, annotated = kernel._pyfunc, kernel._annotated_function
        described = [
            dict(name=name, constant=_is_constant(annotation), **describe(value))
            for name, annotation, value in zip(annotated.pysig.parameters, annotated.parameter_annotations, arguments)
        ]
        launch = Launch("cutile", function.__qualname__, function.__code__.co_filename, function.__code__.co_firstlineno,
                        tuple(grid), described, hints, signature.symbol)  # fmt: skip
        with warnings.catch_warnings(), torch._C.DisableTorchFunction():
            warnings.simplefilter("ignore")
            try:
                compiled = compile_tile(
                    annotated, [signature], sm_arch=self.arch, compiler_options=kernel._compiler_options,
                    return_bytecode=True, return_final_ir=False, return_cubin=False,
                )  # fmt: skip
                launch.bytecode = bytes(compiled.bytecode)
            except Exception as error:
                launch.error = f"{type(error).__name__}: {error}"
        return launch

    def search_cutile(self, search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
        from cuda.tile.tune import Measurement, TuningResult

        successes, failures = [], []
        for config in search_space:
            hinted = kernel if hasattr(kernel, "replace_hints") else kernel(config)
            hinted = hinted.replace_hints(**(hints_fn(config) if hints_fn else {}))
            self._searching = True
            launch = self.launch_cutile(grid_fn(config), hinted, args_fn(config))
            self._searching = False
            if launch.error:
                failures.append((config, RuntimeError, launch.error))
            else:
                successes.append(Measurement(config=config, mean_us=1.0, num_samples=5, error_margin_us=0.0))
            if successes and self.tune == "first":
                break
        if not successes:
            raise ValueError(f"no configuration compiles: {failures[0][2] if failures else 'empty search space'}")
        return TuningResult(best=successes[0], successes=tuple(successes), failures=tuple(failures))

    # Triton

    def launch_triton(self, run, kernel, arguments, grid, keywords):
        from triton.runtime.errors import OutOfResources

        function, compiled, error = kernel.fn, None, None
        try:
            compiled = run(kernel, *arguments, grid=grid, warmup=True, **keywords)
        except Exception as raised:
            error = raised
        key = (function.__code__, compiled.hash if compiled else f"{type(error).__name__}: {error}")

        def make():
            launch = Launch("triton", function.__qualname__, function.__code__.co_filename, function.__code__.co_firstlineno,
                            grid if isinstance(grid, tuple) else ())  # fmt: skip
            if compiled is None:
                launch.error = key[1]
                return launch
            launch.symbol, launch.shared = compiled.hash, compiled.metadata.shared
            launch.instructions.update(re.findall(r"^\s*(?:@\S+\s+)?([a-z]\w*(?:[.:]+\w+)*)\s", compiled.asm["ptx"], re.M))
            reordered = re.findall(r"(%\w+) = tt\.reshape .*allow_reorder", compiled.asm["ttir"])
            launch.reorders = any(re.search(rf'"tt\.reduce"\({value}, ', compiled.asm["ttir"]) for value in reordered)
            launch.hints = {name: getattr(compiled.metadata, name) for name in ("num_warps", "num_stages", "num_ctas")}
            if launch.shared > SHARED_MEMORY[self.arch]:
                launch.error = f"needs {launch.shared} bytes of shared memory, {self.arch} has {SHARED_MEMORY[self.arch]}"
                launch.too_large = True
            return launch

        launch = self._record(key, make)
        if compiled is None:
            raise error
        if launch.too_large:
            raise OutOfResources(launch.shared, SHARED_MEMORY[self.arch], "shared memory")
        self._fits = not launch.error
        return compiled

    def search_triton(self, search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
        """What a converted file has of cuTile's search, ended by the first configuration that compiles and fits."""
        failures = []
        for config in search_space:
            hinted = kernel if hasattr(kernel, "replace_hints") else kernel(config)
            hinted = hinted.replace_hints(**(hints_fn(config) if hints_fn else {}))
            self._searching = True
            try:
                hinted(grid_fn(config), *args_fn(config))
            except Exception as error:
                failures.append((config, type(error), str(error)))
                continue
            finally:
                self._searching = False
            best = types.SimpleNamespace(config=config, mean_us=1.0)
            return types.SimpleNamespace(best=best, successes=[best], failures=failures)
        raise ValueError(f"no configuration compiles: {failures[0][2] if failures else 'empty search space'}")

    def _benchmark(self, call, quantiles=None, **_):
        """Triton's do_bench: no time is taken; after the first configuration that fits the rest only seems slower."""
        seconds = 2.0
        if not self._fits or self.tune == "all":
            self._searching = True
            try:
                call()
                seconds = 1.0
            finally:
                self._searching = False
        return [seconds] * len(quantiles) if quantiles else seconds


_active = []  # the innermost Recorder takes the launches


@functools.cache
def _install():
    """Redirect the launches of both languages, once in a process."""
    fake_cutile_driver()
    import cuda.tile
    import cuda.tile.tune
    import triton.testing
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    search = inspect.signature(cuda.tile.tune.exhaustive_search)
    cuda.tile.launch = lambda stream, grid, kernel, arguments, /, **_: (
        _active[-1].launch_cutile(grid, kernel, arguments),
        None,
    )[1]
    cuda.tile.tune.exhaustive_search = lambda *args, **kwargs: _active[-1].search_cutile(
        **search.bind(*args, **kwargs).arguments
    )

    run, tune = JITFunction.run, Autotuner.run

    def launch(kernel, *args, grid, warmup=False, **kwargs):
        return _active[-1].launch_triton(run, kernel, args, grid, kwargs)

    def tuned_launch(tuner, *args, **kwargs):
        _active[-1]._fits = False
        return tune(tuner, *args, **kwargs)

    JITFunction.run = launch
    Autotuner.run = tuned_launch
    triton.testing.do_bench = lambda fn, *args, quantiles=None, **kwargs: _active[-1]._benchmark(fn, quantiles)
