# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels on the CPU, by Tilewright's reference interpreter: exactly what their operations say, watched while they run.

    tilewright.interpret(softmax_kernel, (rows,), (x, y, 1024))       numpy arrays or CPU tensors; nothing is copied

    with tilewright.on_cpu():                                         an unchanged program: its ct.launch(…) runs here
        test_softmax()
"""

import contextlib
import functools
import gc
import linecache
import os

from tilewright._ext import Runnable

_MOST_BLOCKS = (2**24 - 1, 65535, 65535)  # along each axis of a grid, as in cuTile


class KernelError(RuntimeError):
    """A kernel that cannot be launched, or that went wrong while it ran. `diagnostics` are those of `convert --format json`."""

    def __init__(self, text, diagnostics):
        super().__init__(text.rstrip())
        self.diagnostics = diagnostics


def interpret(kernel, grid, arguments, *, numbers="ieee", races=False, threads=0, iterations=1 << 22):
    """Runs a cuTile kernel for every block of a grid, on all cores.

    kernel      a function decorated with `ct.kernel`, or its undecorated function; it is read from the text of its file
    grid        one to three numbers of blocks
    arguments   as for `ct.launch`: arrays (numpy, or torch tensors on the CPU), lists of arrays, numbers
    numbers     "ieee", or "poison": elements without a meaning (undetermined padding …) are followed until they count
    races       look for elements that one block writes and another one touches, without atomics; on one thread
    threads     0 for all cores; the result does not depend on it
    iterations  of one `while` loop, before it counts as endless

    Raises KernelError with the place, the block and the lane of what went wrong.
    """
    function = getattr(kernel, "_pyfunc", kernel)
    code = function.__code__
    blocks = _grid(grid)
    wrong = _file(code.co_filename).launch(
        function.__name__, code.co_firstlineno, [_argument(value) for value in arguments], blocks,
        constants=_numbers(function), numbers=numbers, races=races, threads=threads, iterations=iterations,
    )  # fmt: skip
    if wrong is not None:
        raise KernelError(*wrong)


@contextlib.contextmanager
def on_cpu(**options):
    """While it lasts, `ct.launch` runs kernels by `interpret`, with these options; streams do not matter.

    `cuda.tile.tune.exhaustive_search` takes the first of its configurations.
    """
    import cuda.tile
    import cuda.tile.tune

    def launch(stream, grid, kernel, kernel_args, /, **_):
        interpret(kernel, grid, kernel_args, **options)

    def exhaustive_search(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **_):
        first = cuda.tile.tune.Measurement(config=next(iter(search_space)), mean_us=1.0, num_samples=1, error_margin_us=0.0)
        return cuda.tile.tune.TuningResult(best=first, successes=(first,), failures=())

    with contextlib.ExitStack() as undo:
        _replace(cuda.tile.launch, launch, undo)
        _replace(cuda.tile.tune.exhaustive_search, exhaustive_search, undo)
        yield


def _replace(function, other, undo):
    """In every module that has imported it."""
    for names in gc.get_referrers(function):
        if isinstance(names, dict) and "__name__" in names:
            for name in [name for name, value in names.items() if value is function]:
                names[name] = other
                undo.callback(names.__setitem__, name, function)


def _grid(grid):
    blocks = tuple(int(extent) for extent in grid)
    if not 1 <= len(blocks) <= 3 or any(not 0 <= extent <= most for extent, most in zip(blocks, _MOST_BLOCKS)):
        raise ValueError(f"a grid has one to three axes of at most {_MOST_BLOCKS} blocks, not {grid}")
    return [*blocks, 1, 1][:3]


def _file(path):
    """The file, read anew if it has changed."""
    try:
        status = os.stat(path)
        return _read(path, (status.st_mtime_ns, status.st_size))
    except OSError:
        text = "".join(linecache.getlines(path))  # a cell of a notebook
        return _read_text(path, text)


@functools.lru_cache(maxsize=256)
def _read(path, _):
    with open(path, "rb") as file:
        return Runnable(path, file.read())


@functools.lru_cache(maxsize=256)
def _read_text(path, text):
    return Runnable(path, text)


def _numbers(function):
    """Module-level numbers: their values may come from code that is not read."""
    return {name: value for name, value in function.__globals__.items() if type(value) in (bool, int, float)}


def _argument(value):
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"an integer argument of 64 bits, not {value}")
        return value if type(value) is bool else int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, list):
        return _arrays(value)
    if hasattr(value, "data_ptr") or hasattr(value, "__array_interface__"):
        return _array(value)
    return None


def _arrays(values):
    """A list of arrays, which a kernel sees with one dtype and one rank."""
    arrays = [_array(value) for value in values]
    kinds = [(dtype, len(shape)) for _, dtype, shape, _ in arrays]
    for number, (dtype, rank) in enumerate(kinds):
        if (dtype, rank) != kinds[0]:
            first = "{} of rank {}".format(*kinds[0])
            raise TypeError(f"item {number} of a list of arrays is {dtype} of rank {rank}, and the first item {first}")
    return arrays


def _array(value):
    """(address, dtype, shape, strides in elements) of a numpy array or a CPU tensor."""
    if hasattr(value, "data_ptr"):
        return _tensor(value)
    if not hasattr(value, "__array_interface__"):
        raise TypeError(f"{type(value).__name__} is no array that the interpreter can read")
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
    if str(value.layout) != "torch.strided" or value.is_conj() or value.is_neg():
        raise TypeError("a tensor that is sparse, or a view that negates or conjugates: make it a dense one first")
    device = value.untyped_storage().device  # where its elements are, whatever a program that fakes a GPU has it say
    if device.type != "cpu":
        raise TypeError(f"a tensor on {device}: the interpreter reads those on the CPU")
    return value.data_ptr(), str(value.dtype).removeprefix("torch."), list(value.shape), list(value.stride())
