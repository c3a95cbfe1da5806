# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Exact comparison of two programs: what they calculate as real numbers, told apart without a tolerance.

    first = tilewright.interpret(split_sum, (4,), (x, out), numbers="algebra")
    second = tilewright.interpret(plain_sum, (1,), (x, out), numbers="algebra")
    tilewright.algebra.compare(first, second)         # Comparison(verdict="equal", …)

Floats are the real numbers that they are; sums in another order, split reductions and softmax with another maximum give equal numbers, and
a mask that is off by one does not. Rounding, overflow and conversions between floats are not there: `ieee` knows of those. What cannot
be told is "not applicable", never "equal". docs/interpreter.md says what is behind it.
"""

import importlib.util
from dataclasses import dataclass

EQUAL, DIFFERENT, NOT_APPLICABLE = "equal", "different", "not applicable"


@dataclass(frozen=True)
class Reals:
    """Of an array of floats."""

    numbers: object  # uint64, shape (*shape, 2): residues in two fields; 2**64 - 1, - 2 and - 3 for NaN, infinity, -infinity
    values: object  # float64: about where each number lies
    errors: object  # float64: it is no further from there


@dataclass(frozen=True)
class Run:
    """What a launch leaves in those of its arguments that are arrays: Reals, a numpy array of integers or bools, or a list of such."""

    arrays: tuple
    seed: int  # modulo 2**64


@dataclass(frozen=True)
class Comparison:
    verdict: str
    reason: str = ""
    place: tuple = ()  # the array, the item of a list, the index of the element that the reason is about


def compare(first, second):
    """Whether two runs leave the same numbers in all of their arrays; or two Reals or arrays of integers of such runs."""
    if isinstance(first, Run) and isinstance(second, Run):
        if first.seed != second.seed:
            raise ValueError(f"runs in different fields: their seeds are {first.seed} and {second.seed}")
        first, second = first.arrays, second.arrays
    found = list(_compared(first, second, ()))
    for verdict in (DIFFERENT, NOT_APPLICABLE):
        for comparison in found:
            if comparison.verdict == verdict:
                return comparison
    return Comparison(EQUAL)


def _compared(first, second, place):
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        if len(first) != len(second):
            raise ValueError(f"{len(first)} arrays and {len(second)}")
        for number, pair in enumerate(zip(first, second)):
            yield from _compared(*pair, (*place, number))
    elif isinstance(first, Reals) and isinstance(second, Reals):
        yield _reals(first, second, place)
    elif hasattr(first, "dtype") and hasattr(second, "dtype"):
        _check_shapes(first, second)
        yield _found(first != second, DIFFERENT, place, lambda at: f"{first[at]} and {second[at]}")
    else:
        raise TypeError(f"floats are compared with floats and integers with integers, not {_kind(first)} with {_kind(second)}")


def _reals(first, second, place):
    import numpy

    _check_shapes(first.values, second.values)
    apart = (first.numbers != second.numbers).any(-1)
    finite = numpy.isfinite(first.values) & numpy.isfinite(second.values)
    with numpy.errstate(invalid="ignore"):
        far = numpy.abs(first.values - second.values) > 1.0001 * (first.errors + second.errors)
    told = _found(
        apart & (far | ~finite), DIFFERENT, place, lambda at: f"about {first.values[at]:.17g} and {second.values[at]:.17g}"
    )
    if told.verdict == DIFFERENT:
        return told
    return _found(
        apart, NOT_APPLICABLE, place,
        lambda at: "two numbers that are not known to be equal, and differ by less than float64 tells: both are about "
        f"{first.values[at]:.17g}. Constants that were rounded, or an identity of a function that is none of a field",
    )  # fmt: skip


def _found(wrong, verdict, place, reason):
    import numpy

    where = numpy.argwhere(wrong)
    if not len(where):
        return Comparison(EQUAL)
    at = tuple(int(index) for index in where[0])
    return Comparison(verdict, reason(at), (*place, at))


def _check_shapes(first, second):
    if first.shape != second.shape:
        raise ValueError(f"arrays of shapes {first.shape} and {second.shape}")


def _kind(value):
    return type(value).__name__


def need_numpy():
    if importlib.util.find_spec("numpy") is None:
        raise ModuleNotFoundError("the number system `algebra` returns arrays of numpy, which is not installed", name="numpy")


def run_of(results, arguments, seed):
    """A Run of what the interpreter returns for each argument; `arguments` as it was given them, arrays as tuples."""
    pairs = [pair for pair in zip(results, arguments) if isinstance(pair[1], (list, tuple))]
    return Run(tuple(_of_argument(*pair) for pair in pairs), seed)


def _of_argument(arrays, argument):
    if isinstance(argument, list):
        return [_array(*pair) for pair in zip(arrays, argument)]
    return _array(arrays[0], argument)


def _array(content, argument):
    import numpy

    (numbers, values, errors, elements), (_, dtype, shape, *_) = content, argument
    if dtype.startswith(("float", "bfloat")):
        return Reals(
            numpy.frombuffer(numbers, numpy.uint64).reshape(*shape, 2),
            numpy.frombuffer(values).reshape(shape),
            numpy.frombuffer(errors).reshape(shape),
        )
    return numpy.frombuffer(elements, dtype).reshape(shape)
