# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The host calls of oracle.operators and oracle.second_opinions in three hands that share nothing but the kernels' text.

    python -m oracle.judge --save FILE [MODULE …]        each launch by NVIDIA's front end and the evaluator of its Tile IR, and by
                                                         Tilewright's interpreter on a copy of the same arrays
    python -m oracle.judge --against FILE --overlay MODULE=FILE … [MODULE …]    converted modules, by Triton's interpreter: what
                                                         each call returns, and what it returned in the evaluator's hands

Prints one JSON object a line: {"case", "wrong"} (null, or what is wrong), and for a launch, or a result of the second kind,
{"kernel", "case_of", "ulps", "allowed"}: how far its arrays are apart at most.

What is allowed.  A program that rounds no float must give the same bits, and so must every array of integers.  Otherwise the three
may contract a product and a sum or not, and sum in any order: an error of a few units in the last place of what was summed, more
after a matrix product, whose exponential may follow.  Where a program rounds to fewer bits than its results have, a value near the
middle of two may fall to either side, so the unit is that of the coarsest rounding.

Undetermined padding is zero in all hands.  Where results differ if it is NaN, and a tile that lies outside altogether as well, the
interpreter must say so in the number system `poison`, and nowhere else.
"""

import argparse
import functools
import importlib
import json
import logging
import math
import time
import traceback
import warnings
import zlib
from dataclasses import dataclass

from oracle import interpret, tilegym_files, ulps

_SINGLE = 2.0**-23
_POISON = "TW404"  # the diagnostic of a value without a meaning that counts
_FUNCTIONS, _PRODUCTS, _COARSE = 16, 128, 4  # ulps: of float32 without matrix products, with them, and of coarser floats


@dataclass(frozen=True)
class Rounding:
    """What of a program decides how far two of its results may be apart."""

    epsilon: float = 0.0
    multiplies: bool = False

    def __or__(self, other):
        return Rounding(max(self.epsilon, other.epsilon), self.multiplies or other.multiplies)

    def allowed(self, dtype):
        if not dtype.is_floating_point or self.epsilon == 0:
            return 0
        if self.epsilon > _SINGLE:
            return _COARSE
        return _PRODUCTS if self.multiplies else _FUNCTIONS


@dataclass
class Apart:
    """The worst of some arrays, by what is allowed; and what is wrong with those that are farther apart than that."""

    ulps: float = 0.0
    allowed: int = 0
    wrong: tuple = ()

    def add(self, what, actual, expected, rounding):
        found = ulps.apart(actual, expected, rounding.epsilon)
        if not found:
            return
        allowed = rounding.allowed(expected.dtype)
        if found["ulps"] >= self.ulps:
            self.ulps, self.allowed = found["ulps"], allowed
        if found["ulps"] > allowed or allowed == 0:  # zeros of two signs are no ulp apart
            text = "{elements} of {of} elements differ, at {place} by {ulps:.4g} ulps: {actual:.9g}, expected {expected:.9g}"
            self.wrong += (f"{what}: {text.format(**found)}, allowed {allowed}",)


def _copied(arguments):
    """The arguments with arrays of their own; arrays that share memory share it again."""
    import torch

    memories = {}

    def copy(value):
        if isinstance(value, torch.Tensor):
            whole = value.detach().untyped_storage()
            if whole.data_ptr() not in memories:
                memories[whole.data_ptr()] = whole.clone()
            fresh = memories[whole.data_ptr()]
            return torch.empty(0, dtype=value.dtype).set_(fresh, value.storage_offset(), value.shape, value.stride())
        return type(value)(map(copy, value)) if isinstance(value, (list, tuple)) else value

    return [copy(value) for value in arguments]


def _arrays(arguments, names):
    import torch

    for name, value in zip(names, arguments):
        if isinstance(value, torch.Tensor):
            yield name, value.detach()
        elif isinstance(value, (list, tuple)):
            yield from _arrays(value, [f"{name}[{place}]" for place in range(len(value))])


class TwoHands:
    """In place of ct.launch: interprets a copy of the arrays, evaluates, and compares; host code goes on with what was evaluated."""

    def __init__(self):
        self.launches = []  # (kernel, Apart, Rounding), in order

    def __call__(self, stream, grid, kernel, arguments, /, **_):
        import tilewright
        import torch

        from oracle.tile_ir_eval import launch

        name, names = kernel._pyfunc.__qualname__, list(kernel._annotated_function.pysig.parameters)
        apart = Apart()
        with torch._C.DisableTorchFunction(), torch.no_grad():
            interpreted, poisoned, spoiled = _copied(arguments), _copied(arguments), _copied(arguments)
            tilewright.interpret(kernel, grid, interpreted)
            found = _meets_poison(kernel, grid, poisoned)
        program, memory = launch.launch(grid, kernel, arguments)
        rounding, expected = Rounding(program.epsilon, program.multiplies), False
        if memory.is_guessed:
            launch.launch(grid, kernel, spoiled, leftover=math.nan)
        with torch._C.DisableTorchFunction(), torch.no_grad():
            for (array, theirs), (_, ours), (_, spoilt) in zip(*(_arrays(x, names) for x in (arguments, interpreted, spoiled))):
                apart.add(f"{array} of {name}", ours, theirs, rounding)
                expected |= memory.is_guessed and ulps.apart(spoilt, theirs) is not None
        if expected != found:
            apart.wrong += (f"{name}: results {'' if expected else 'do not '}depend on what nothing determines",)
        self.launches.append((name, apart, rounding))


def _meets_poison(kernel, grid, arguments):
    import tilewright

    try:
        tilewright.interpret(kernel, grid, arguments, numbers="poison")
    except tilewright.KernelError as error:
        if {diagnostic["code"] for diagnostic in error.diagnostics} != {_POISON}:
            raise
        return True
    return False


def _told(case, kernel, apart):
    print(json.dumps(dict(kernel=kernel, case_of=case, ulps=apart.ulps, allowed=apart.allowed)), flush=True)


def _returned(call):
    return {what: actual.detach().clone() for what, actual, *_ in call()}


def judge_originals(cases, save):
    import tilewright  # noqa: F401  before tensors claim to be on a GPU

    interpret.prepare("interpreted", "sm_90", {})
    import torch

    from oracle.fake_gpu import FakeCuda
    from oracle.tile_ir_eval import launch

    kept, hands = {}, TwoHands()
    launch.take_launches(hands)
    with FakeCuda():
        for case, call in cases():
            hands.launches, start = [], time.perf_counter()
            try:
                results, wrong = _returned(call), None
                rounding = functools.reduce(lambda x, y: x | y, (rounding for *_, rounding in hands.launches), Rounding())
                kept[case] = results, rounding.epsilon, rounding.multiplies
            except Exception:
                wrong = traceback.format_exc(limit=-6)
            for kernel, apart, _ in hands.launches:
                _told(case, kernel, apart)
            wrong = wrong or "; ".join(text for _, apart, _ in hands.launches for text in apart.wrong) or None
            print(json.dumps(dict(case=case, wrong=wrong, seconds=round(time.perf_counter() - start, 3))), flush=True)
    torch.save(kept, save)


def judge_converted(cases, against, overlay):
    interpret.prepare("triton", "sm_90", overlay)
    import torch

    from oracle.fake_gpu import FakeCuda

    kept = torch.load(against)
    with FakeCuda():
        for case, call in cases():
            if case not in kept or case.split(":")[0] not in overlay:
                continue
            apart, start = Apart(), time.perf_counter()
            results, epsilon, _ = kept[case]
            try:
                found, wrong = _returned(call), None
            except Exception:
                found, wrong = {}, traceback.format_exc(limit=-6)
            if not wrong and found.keys() != results.keys():
                wrong = f"returns {sorted(found)}, expected {sorted(results)}"
            with torch._C.DisableTorchFunction():
                for what, actual in found.items() if not wrong else ():
                    apart.add(what, actual, results[what], Rounding(epsilon, multiplies=True))  # tanh of Triton is a polynomial
            _told(case, "", apart)
            wrong = wrong or "; ".join(apart.wrong) or None
            print(json.dumps(dict(case=case, wrong=wrong, seconds=round(time.perf_counter() - start, 3))), flush=True)


def _calls(check, few, dtypes):
    """(case id, random numbers, call); of `few` the last one of those whose names begin with the same word."""
    import torch

    from oracle.operators import Random

    chosen = {}
    module = importlib.import_module(tilegym_files.module_name(tilegym_files.path_of(check.module)))
    if few:
        dtypes = check.dtypes[:1]
    else:
        dtypes = dict.fromkeys((*check.dtypes, *(dtypes if torch.float16 in check.dtypes else ())))
    for dtype in dtypes:
        random = Random(dtype)
        for number, (name, call) in enumerate(check.cases(module, random)):
            case = f"{check.module}: {name}, {str(dtype).removeprefix('torch.')}"
            chosen[name.split()[0] if few else (dtype, number)] = case, random, call
    return chosen.values()


def select(modules, few, dtypes):
    """(case id, call), drawing the numbers that oracle.interpret draws."""
    import torch

    from oracle import operators, second_opinions

    for check in operators.CHECKS + second_opinions.CHECKS:
        if not modules or check.module in modules:
            for case, random, call in _calls(check, few, [getattr(torch, name) for name in dtypes]):
                random.generator.manual_seed(zlib.crc32(case.encode()))
                yield case, call


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--against", metavar="FILE")
    parser.add_argument("--overlay", action="append", default=[], metavar="MODULE=FILE")
    parser.add_argument("--dtype", action="append", default=[], metavar="NAME", help="also, where float16 is checked: bfloat16 …")
    parser.add_argument("--few", action="store_true", help="one call of each kind, in one dtype")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    cases = functools.partial(select, set(arguments.modules), arguments.few, arguments.dtype)
    if arguments.against:
        judge_converted(cases, arguments.against, dict(pair.split("=", 1) for pair in arguments.overlay))
    else:
        judge_originals(cases, arguments.save)


if __name__ == "__main__":
    main()
