# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels on the CPU, by Tilewright's reference interpreter: exactly what their operations say, watched while they run.

    tilewright.interpret(softmax_kernel, (rows,), (x, y, 1024))       numpy arrays or CPU tensors; nothing is copied

    with tilewright.on_cpu():                                         an unchanged program: its ct.launch(…) runs here
        test_softmax()
"""

import contextlib
import enum
import gc
import importlib.util
import itertools
import linecache
import os
import sys
import types

from tilewright import triton_kernels
from tilewright._ext import MOST_PROGRAMS, Runnable
from tilewright.algebra import need_numpy, run_of
from tilewright.shared import Shared
from tilewright.unwritten import marked

_DEEPEST = 32  # of tuples in tuples that device code is told of
_MOST_BLOCKS = {"cutile": MOST_PROGRAMS, "triton": (2**31 - 1, 65535, 65535)}  # along each axis of a grid


class KernelError(RuntimeError):
    """A kernel that cannot be launched, or that went wrong while it ran. `diagnostics` are those of `convert --format json`."""

    def __init__(self, text, diagnostics):
        super().__init__(text.rstrip())
        self.diagnostics = diagnostics


class NotApplicable(KernelError):
    """A launch of which the number system `algebra` cannot say what it calculates."""


_NOT_APPLICABLE = {"TW413", "TW414"}


def interpret(
    kernel, grid, arguments, *, numbers="ieee", uninitialized=(), seed=0, races=False, threads=0, iterations=1 << 22,
    trace=0, block=(0, 0, 0),
):  # fmt: skip
    """Runs a kernel of cuTile or Triton for every block of a grid, on all cores.

    kernel      a function decorated with `ct.kernel`, or its undecorated function, or one with `triton.jit`; it is read from the
                text of its file
    grid        one to three numbers of blocks; of Triton also a function of the arguments by name
    arguments   as for `ct.launch`: arrays (numpy, or torch tensors on the CPU), lists of arrays, numbers. Of Triton: all that the
                kernel has parameters for, in their order, or a dict by name in which those with a default may be left out
    numbers     "ieee"; "poison": elements without a meaning (undetermined padding …) are followed until they count;
                "algebra": so are they there, floats are real numbers, and the arrays stay as they are: what they would have become
                is returned, for tilewright.algebra.compare
    uninitialized  of the arguments, arrays that nothing has written: what a kernel reads there has no meaning
    seed        of the fields in which `algebra` calculates
    races       look for elements that one block writes and another one touches, without atomics; on one thread
    threads     0 for all cores; the result does not depend on it
    iterations  of one `while` loop, before it counts as endless
    trace       a line of the kernel's file: the tiles that get a name or are stored there are printed, as `block` sees them

    Raises KernelError with the place, the block and the lane of what went wrong, and NotApplicable where `algebra` does not know a
    number that counts.
    """
    function, dialect, texts = getattr(kernel, "_pyfunc", kernel), "cutile", {}
    if jitted := triton_kernels.function_of(kernel):
        function, dialect = jitted, "triton"
        arguments, by_name = triton_kernels.bound(kernel, arguments)
        grid = grid(by_name) if callable(grid) else grid
        plain = {name: triton_kernels.plain(value) for name, value in by_name.items()}
        texts = {name: value for name, value in plain.items() if isinstance(value, str)}
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"a kernel is a function, not {_kind(kernel)}")
    blocks = _grid(grid, dialect)
    _check("threads", threads, least=0)
    _check("iterations", iterations, least=1)
    if not isinstance(races, bool):
        raise TypeError(f"races is True or False, not {races!r}")
    if not isinstance(numbers, str):
        raise TypeError(f"numbers names a number system, as `ieee` does; it is not {numbers!r}")
    _check("seed", seed, least=0)
    _check("trace", trace, least=0)
    if trace >= 2**32:
        raise ValueError(f"the kernel's file has no line {trace}")
    traced_block = _grid(block, dialect, "a block", 0)
    if any(traced_block) and not trace:
        raise ValueError("block says which block is traced, and needs trace=LINE")
    if numbers == "algebra":
        need_numpy()
        seed %= 2**64
    memory = _Memory(uninitialized)
    take = _argument if dialect == "cutile" else _argument_of_triton
    values = [take(value, memory) for value in arguments]
    options = {
        "races": races, "threads": min(threads, 2**16), "iterations": min(iterations, 2**63 - 1),
        "line": trace, "program": traced_block,
    }  # fmt: skip
    runnable, arrays = _readable(function, dialect, texts), None
    if numbers == "algebra" and dialect == "triton":
        raise NotApplicable("`algebra` does not know the memory that pointers reach", [])
    if numbers == "algebra":
        wrong, traced, arrays = runnable.launch_in_algebra(values, blocks, seed=seed, **options)
    else:
        wrong, traced = runnable.launch(values, blocks, numbers=numbers, **options)
    if traced:
        print(traced, end="")
    elif trace and wrong is None:
        print(f"nothing is calculated on line {trace} by block {tuple(traced_block)}")
    if wrong is not None:
        applies = {diagnostic["code"] for diagnostic in wrong[1]}.isdisjoint(_NOT_APPLICABLE)
        raise (KernelError if applies else NotApplicable)(*wrong)
    return None if arrays is None else run_of(arrays, values, seed)


@contextlib.contextmanager
def on_cpu(*, capability=(10, 0), **options):
    """While it lasts, `ct.launch` runs kernels by `interpret`, with these options; streams do not matter.

    torch finds a GPU of that compute capability: what a program puts on `cuda` is there as far as the program can tell, and is
    calculated with on the CPU. `tilewright.cuda_on_cpu` says what of a GPU is not there. It holds for the thread that enters it and
    for those that are started while it lasts; threads may enter and leave in any order.

    In the number system `poison`, what `torch.empty` and its kin make is uninitialized until a kernel or torch writes there.

    `cuda.tile.tune.exhaustive_search` takes the first of its configurations.

    `pytest -p tilewright.pytest_on_cpu` runs tests inside of it, and collects them there.
    """
    if options.get("numbers") == "algebra":
        raise ValueError("a program goes on with what a launch writes, and in `algebra` a launch writes nothing: call interpret")
    with _launches.entered(options), contextlib.ExitStack() as inside:
        if importlib.util.find_spec("torch"):
            from tilewright import cuda_on_cpu

            inside.enter_context(cuda_on_cpu.gpu(capability))
            if options.get("numbers") == "poison":
                inside.enter_context(cuda_on_cpu.unwritten_memory())
        yield


class _InPlaceOfTheirs:
    """Functions that are names of no module: `_replace` would find them there."""

    @staticmethod
    def launch(stream, grid, kernel, kernel_args, /, **_):
        interpret(kernel, grid, kernel_args, **_launches.options)

    @staticmethod
    def exhaustive_search(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
        from cuda.tile.tune import Measurement, TuningResult

        first = Measurement(config=next(iter(search_space)), mean_us=1.0, num_samples=1, error_margin_us=0.0)
        return TuningResult(best=first, successes=(first,), failures=())


def _install(undo):
    import cuda.tile
    import cuda.tile.tune

    for module, name in ((cuda.tile, "launch"), (cuda.tile.tune, "exhaustive_search")):
        theirs, ours = getattr(module, name), getattr(_InPlaceOfTheirs, name)
        _replace(theirs, ours)
        undo.callback(_replace, ours, theirs)


_launches = Shared("tilewright.on_cpu", _install)


def _replace(function, other):
    """In every module that has imported it, as the collector knows: `from cuda.tile import launch` has made a name of its own.

    What holds the function but is no module is left alone: a default of a parameter, a variable of a function, an attribute.
    """
    for names in gc.get_referrers(function):
        if isinstance(names, dict) and "__name__" in names:
            for name in [name for name, value in names.items() if value is function]:
                names[name] = other


def _kind(value):
    return type(value).__name__


def _check(name, number, least):
    if type(number) is not int:
        raise TypeError(f"{name} is an int, not {number!r}")
    if number < least:
        raise ValueError(f"{name} is at least {least}, not {number}")


def _grid(grid, dialect, what="a grid", missing=1):
    if not isinstance(grid, (tuple, list)) or not all(isinstance(extent, int) for extent in grid):
        raise TypeError(f"{what} is a tuple of ints, not {grid!r}")
    if len(grid) > 3 or any(not 0 <= extent <= most for extent, most in zip(grid, _MOST_BLOCKS[dialect])):
        raise ValueError(f"{what} has up to three axes of at most {_MOST_BLOCKS[dialect]} blocks, not {grid}")
    return [*map(int, grid), missing, missing, missing][:3]


class _Names:
    """What names are now: those of modules, by file, and those of the functions around a function, by its number."""

    def __init__(self, function):
        self._modules = {function.__code__.co_filename: function.__globals__}
        self._functions = [function]

    def __call__(self, where, name):
        """As `Runnable` asks it: `where` is a path or a number."""
        if isinstance(where, int):
            value = _enclosing(self._functions[where], name)
            return value if value is NotImplemented else self._told(value)
        if where not in self._modules:
            self._modules[where] = self._found(os.path.realpath(where))
        names = self._modules[where]
        return NotImplemented if names is None else self._told(names.get(name))

    def _told(self, value, depth=0):
        value = triton_kernels.plain(value)
        kind = type(value)
        if kind in (bool, int, float):
            return value
        if kind is str:
            return value if value.encode(errors="ignore").decode() == value else None  # no surrogates
        if kind is tuple:
            return [self._told(item, depth + 1) for item in value] if depth < _DEEPEST else None
        if dotted := _library_name(value):
            return "library", dotted
        value = triton_kernels.function_of(value) or value
        if isinstance(value, types.FunctionType):
            return "function", value.__name__, self._line(value.__code__), self._number(value)
        return None

    def _line(self, code):
        return code.co_firstlineno if code.co_filename == self._functions[0].__code__.co_filename else 0

    def _number(self, function):
        for number, known in enumerate(self._functions):
            if known is function:
                return number
        self._functions.append(function)
        return len(self._functions) - 1

    def _found(self, path):
        """What is imported by a module that is known already comes first: two modules may have one file."""
        known = [names for names in self._modules.values() if names is not None]
        for names in itertools.chain(*map(_used_by, known), map(vars, _modules())):
            file = names.get("__file__")
            if isinstance(file, str) and os.path.basename(file) == os.path.basename(path) and os.path.realpath(file) == path:
                return names
        return None


def _modules():
    return [module for module in list(sys.modules.values()) if isinstance(module, types.ModuleType)]


def _used_by(names):
    """The names of modules that have functions in this one, or are in it."""
    for value in list(names.values()):
        if isinstance(value, types.FunctionType):
            yield value.__globals__
        elif isinstance(value, types.ModuleType):
            yield vars(value)


def _enclosing(function, name):
    """A variable of the functions around this one; NotImplemented if it reads none of that name."""
    variables = function.__code__.co_freevars
    if name not in variables:
        return NotImplemented
    try:
        return function.__closure__[variables.index(name)].cell_contents
    except ValueError:  # not bound yet
        return None


def _library_name(value):
    """cuda.tile, cuda.tile.float16, cuda.tile.PaddingMode.ZERO, cuda.tile.load, torch.float16; None of what is the user's."""
    kind = type(value)
    if isinstance(value, types.ModuleType):
        return value.__name__
    if (kind.__module__, kind.__name__) == ("torch", "dtype"):
        return str(value)
    if kind.__module__.startswith("cuda.tile"):
        if kind.__name__ == "DType":
            return f"cuda.tile.{value.name}"
        if isinstance(value, enum.Enum):
            return f"cuda.tile.{kind.__name__}.{value.name}"
    if name := triton_kernels.library_name(value):
        return name
    if (getattr(value, "__module__", None) or "").startswith("cuda.tile"):
        name = f"{getattr(value, '__name__', '')}"
        return f"cuda.tile.{name}" if getattr(sys.modules["cuda.tile"], name, None) is value else None
    return None


class _Reading:
    """A kernel's file and those that it imports from, as they were read, with the values that names had."""

    def __init__(self, function, dialect, texts):
        path, names, self._values = function.__code__.co_filename, _Names(function), {}

        def ask(where, name):
            value = names(where, name)
            self._values[where, name] = repr(value)  # 1, 1.0 and True differ, and a NaN is itself
            return value

        text = _text(path)
        if text == "":
            raise OSError(f"the text of `{function.__name__}` is not at hand: {path} is no file")
        self.runnable = Runnable(path, text, function.__name__, function.__code__.co_firstlineno, ask, dialect, texts)
        self._stamps = {path: _stamp(path) for path in self.runnable.paths}

    def is_current(self, function):
        names = _Names(function)
        return all(_stamp(path) == stamp for path, stamp in self._stamps.items()) and all(
            repr(names(*asked)) == value for asked, value in self._values.items()
        )


_MOST_READINGS = 256
_readings = {}  # by path, line and texts; the last one of each


def _readable(function, dialect, texts):
    """The kernel, read anew if its file, what it imports or what it takes from Python has changed."""
    place = function.__code__.co_filename, function.__code__.co_firstlineno, *sorted(texts.items())
    reading = _readings.get(place)
    if reading is None or not reading.is_current(function):
        _readings.pop(place, None)
        reading = _Reading(function, dialect, texts)
        if len(_readings) >= _MOST_READINGS:
            _readings.pop(next(iter(_readings)), None)
        _readings[place] = reading
    return reading.runnable


def _text(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return "".join(linecache.getlines(path))  # a cell of a notebook


def _stamp(path):
    try:
        status = os.stat(path)
        return status.st_mtime_ns, status.st_size, status.st_ino
    except OSError:
        return "".join(linecache.getlines(path))


class _Memory:
    """What of it nothing has written: that of arrays of one launch, and that of tensors under `on_cpu`."""

    def __init__(self, uninitialized):
        if not isinstance(uninitialized, (list, tuple)):
            raise TypeError(f"uninitialized is a list of arrays, not {_kind(uninitialized)}")
        for value in uninitialized:
            _array(value, None)  # raises where it is none
        self._marks = marked(uninitialized)
        self._watch = sys.modules.get("tilewright.cuda_on_cpu")

    def beside(self, value, address):
        """Where the marks of that address of an array are; 0 if all of the array is written."""
        for marks in self._marks:
            if marks.holds(address):
                return marks.beside(address)
        marks = self._watch.unwritten(value) if self._watch and hasattr(value, "untyped_storage") else None
        return marks.beside(address) if marks and marks.holds(address) else 0


def _argument(value, memory):
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"an integer argument of 64 bits, not {value}")
        return value if type(value) is bool else int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, list):
        return _arrays(value, memory)
    if hasattr(value, "data_ptr") or hasattr(value, "__array_interface__"):
        return _array(value, memory)
    return None


def _argument_of_triton(value, memory):
    value = triton_kernels.plain(value)
    if isinstance(value, str):
        return value
    if dtype := triton_kernels.dtype_name(value):
        return "dtype", dtype
    if triton_kernels.is_descriptor(value):
        address, dtype, _, _, *rest = _array(value.base, memory)
        array = address, dtype, list(value.shape), list(value.strides), *rest
        return "descriptor", array, list(value.block_shape), getattr(value, "padding", "zero")
    if value is None or isinstance(value, (int, float)) or hasattr(value, "data_ptr") or hasattr(value, "__array_interface__"):
        return _argument(value, memory)
    raise TypeError(f"{_kind(value)} is no argument of a kernel that the interpreter can read")


def _arrays(values, memory):
    """A list of arrays, which a kernel sees with one dtype and one rank."""
    arrays = [_array(value, memory) for value in values]
    kinds = [(dtype, len(shape)) for _, dtype, shape, *_ in arrays]
    for number, (dtype, rank) in enumerate(kinds):
        if (dtype, rank) != kinds[0]:
            first = "{} of rank {}".format(*kinds[0])
            raise TypeError(f"item {number} of a list of arrays is {dtype} of rank {rank}, and the first item {first}")
    return arrays


def _array(value, memory):
    """(address, dtype, shape, strides in elements, address of its marks) of a numpy array or a CPU tensor."""
    address, *layout = _tensor(value) if hasattr(value, "data_ptr") else _numpy_array(value)
    return address, *layout, memory.beside(value, address) if memory else 0


def _numpy_array(value):
    if not hasattr(value, "__array_interface__"):
        raise TypeError(f"{_kind(value)} is no array that the interpreter can read")
    if not hasattr(value, "__setitem__"):
        raise TypeError(f"a numpy scalar, {_kind(value)}: pass a number of Python's, or an array")
    if not value.dtype.isnative:
        raise TypeError(f"an array of {value.dtype}, whose bytes are in another order than this machine's")
    if not value.flags.writeable:
        raise ValueError("an array that is read-only: a kernel may write to every array, so pass a copy")
    size = value.dtype.itemsize
    if any(step % size for step in value.strides):
        raise ValueError("an array whose strides are no multiples of its elements")
    address = value.__array_interface__["data"][0]
    return address, value.dtype.name, list(value.shape), [step // size for step in value.strides]


def _tensor(value):
    import torch

    with torch._C.DisableTorchFunction():  # what it is, whatever a program that fakes a GPU has it say
        if str(value.layout) != "torch.strided" or value.is_conj() or value.is_neg():
            raise TypeError("a tensor that is sparse, or a view that negates or conjugates: make it a dense one first")
        if value.device.type != "cpu":
            raise TypeError(f"a tensor on {value.device}: the interpreter reads those on the CPU")
        return value.data_ptr(), str(value.dtype).removeprefix("torch."), list(value.shape), list(value.stride())
