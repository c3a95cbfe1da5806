# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what was found: docs/numerics.md and a results file."""

import itertools
import json
import math
import re

from numerics import accuracy, reasons
from numerics.inputs import ALL, BYTE_FLOATS, COUNT, EDGES, FLOATS, SIGNED, UNSIGNED, values
from numerics.operations import BOUNDED

_HEAD = """<!-- Written by `bench/gpu/numerics join`; change that, not this. -->

# Numbers

What single operations give on edge values: by real cuTile on a GPU, by the Triton that Tilewright converts them to (`--numerics
strict` and `default`), by Triton's own operation of the same name (*plain*), and by Tilewright's interpreter on a CPU. Nothing here is
an opinion: every cell comes from running the operation, and `bench/gpu/numerics` repeats it.

{machines}

## Method

An operation of two operands sees all pairs of {edges} edge values of its dtype: both zeros, the smallest and largest denormal, the smallest normal and
the largest number, infinities, NaN, halves, the neighbours of integers' limits. One of one operand sees {count} numbers, among them all places at
which conversions change and arbitrary bits. Sums and products are of numbers for which every order gives the same bits, unless the row says
otherwise. Integers, conversions, exact arithmetic and such sums must be *equal bit by bit* (any NaN equals any other). Elementary functions must be
as near to cuTile as two results with its own largest error can be from each other (twice that error, rounded up: *Accuracy*), 1 ulp in float16 and
bfloat16; approximate ones within {bounded} ulp or, for `exp` and `tanh`, 64 and 4096.

A cell: `=` the conversion, at both levels, and the interpreter equal cuTile; a number is the largest distance in ulp that is within the promise;
`T` the conversion or `I` the interpreter differs, with the number of elements; `D` only the conversion at `default` differs; `r` Tilewright refuses to convert it, `R` its
launch with this dtype; `c` cuTile's compiler refuses it; `–` its front end does; `!` what ran ended with an error; `?` no result yet of these
inputs and this conversion. A blank: not asked.
"""

_UNDEFINED = """## Undefined, and what was seen

Division by zero, the smallest integer by -1, shifts by a negative number or by all bits and more, numbers that an integer cannot hold: neither
dialect says what these give, and no table above counts them. This is what was seen on this machine; a program must not rely on it.

"""

_ACCURACY = """## Accuracy

The largest error in ulp, of arguments whose exact result is a normal number of the dtype. The bounds above were set by what cuTile shows here.

"""

_OPEN = """## Points that documentation leaves open

"""


def _number(value):
    if isinstance(value, list):
        runs = [(text, len(list(group))) for text, group in itertools.groupby(map(_number, value))]
        told = [text if count == 1 else f"{count} times {text}" for text, count in runs]
        return "(" + ", ".join(told[:6]) + (", …)" if len(told) > 6 else ")")
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else {math.inf: "inf", -math.inf: "-inf"}.get(value, "NaN")
    return str(value)


def _ulp(distance):
    return "∞" if math.isinf(distance) else f"{distance:.0f}"


def cell(one):
    """What a table says of an operation with a dtype."""
    if one.not_cutile:
        return "–"
    if "original" in one.errors:
        return "c" if "Compiler" in one.errors["original"] else "!"
    if "original" not in one.results:
        return "?"
    parts = []
    if one.refused:
        parts.append("r")
    elif "strict" in one.errors:
        parts.append("R" if "must be" in one.errors["strict"] or "cannot be" in one.errors["strict"] else "T!")
    elif "strict" not in one.results:
        parts.append("T?")
    for letter, side in (("T", "strict"), ("D", "default"), ("I", "interpreted")):
        distance = one.apart(side)
        if distance is None or distance.same or letter == "D" and one.results["default"] == one.results.get("strict"):
            continue
        if distance.within(one.operation.within):
            parts.append(f"{letter}{_ulp(distance.ulp)}")
        else:
            parts.append(f"**{letter}** {distance.differing}")
    if "interpreted" in one.errors and not one.refused:
        parts.append("I!")
    elif "interpreted" not in one.results and not one.refused:
        parts.append("I?")
    return " ".join(parts) or "="


def _table(found):
    dtypes = [dtype for dtype in (*ALL, "tfloat32") if any(one.operation.dtype == dtype for one in found)]
    names = list(dict.fromkeys(one.operation.name for one in found))
    cells = {(one.operation.name, one.operation.dtype): cell(one) for one in found}
    lines = [f"| | {' | '.join(dtype.rstrip('_').removeprefix('float8_') for dtype in dtypes)} |", "|---" * (len(dtypes) + 1) + "|"]
    for name in names:
        told = name.replace("|", "\\|")
        lines.append(f"| {told} | {' | '.join(cells.get((name, dtype), '') for dtype in dtypes)} |")
    return "\n".join(lines)


def _spoken(one, distance, sides):
    fed, got = one.example(distance)
    given = ", ".join(f"{name} = {_number(value)}" for name, value in fed.items())
    results = ", ".join(f"{told} {_number(got[each])}" for each, told in sides.items() if each in got)
    of = f"{distance.differing} of {distance.count}" + ("" if math.isinf(distance.ulp) else f", at most {_ulp(distance.ulp)} ulp")
    return f"{of}; {given + ': ' if given else ''}{results}"


_TOLD = {"original": "cuTile", "strict": "converted", "default": "converted at default", "plain": "plain Triton", "interpreted": "interpreter"}


_CLASSES = (("bool_",), SIGNED, UNSIGNED, (*FLOATS, "tfloat32"), BYTE_FLOATS)


def _alike(found):
    """Lists of what shares its group, its name and the class of its dtype."""
    lists = {}
    for one in found:
        kind = next(number for number, dtypes in enumerate(_CLASSES) if one.operation.dtype in dtypes)
        lists.setdefault((one.operation.group, one.operation.name), {}).setdefault(kind, []).append(one)
    return [ones for by_class in lists.values() for ones in by_class.values()]


def _dtypes(ones):
    return ", ".join(one.operation.dtype.rstrip("_") for one in ones)


def _line(ones, distances, sides, why=""):
    worst = max(ones, key=lambda one: distances[one.operation.key].ulp)
    operation = ones[0].operation
    spoken = _spoken(worst, distances[worst.operation.key], {each: _TOLD[each] for each in sides})
    of = "" if worst.operation.dtype == _dtypes(ones) else f" ({worst.operation.dtype.rstrip('_')})"
    return f"* {operation.group}: `{operation.name}` of {_dtypes(ones)}: {spoken}{of}.{' ' + why if why else ''}"


def _differences(found, side, sides):
    """A line for each operation and class of dtypes on which a side is not as near to cuTile as promised."""
    for ones in _alike(one for one in found if one.agrees(side) is False):
        why = reasons.why(ones[0], side) if side in ("strict", "interpreted") else ""
        if side == "strict":
            why = f"{why} {_told(ones[0])}".strip()
        yield _line(ones, {one.operation.key: one.apart(side) for one in ones}, sides, why)


def _told(one):
    """What the tool itself says of such a conversion."""
    codes = {level: " and ".join(sorted(codes)) for level, codes in one.notes.items()}
    if not codes:
        return "The tool does not say so."
    if len(set(codes.values())) == 1 and len(codes) > 1:
        return f"The tool says so: {codes['strict']}."
    return f"The tool says so: {', '.join(f'{said} at `{level}`' for level, said in codes.items())}."


def _seen_where_undefined(found):
    """A line for each operation and class of dtypes on which what nobody defines was seen to differ."""
    sides = ("strict", "plain", "interpreted")

    def differs(one):
        return [side for side in sides if (distance := one.apart_where_undefined(side)) and not distance.same]

    for ones in _alike(one for one in found if differs(one)):
        side = differs(ones[0])[0]
        ones = [one for one in ones if side in differs(one)]
        distances = {one.operation.key: one.apart_where_undefined(side) for one in ones}
        yield _line(ones, distances, ("original", *sides))


def _reason(error):
    """The line of an error that says what is wrong."""
    first, *others = error.splitlines()
    return (others[0] if others and "Return code" in first else first)[:200]


def _spoken_result(one, side):
    if side in one.errors:
        return _reason(one.errors[side])
    if side not in one.results:
        return f"refused ({one.refused.split(':')[0]})" if one.refused and side != "original" else "no result"
    got = [_number(value) for value in values(one.results[side], one.operation.result)]
    return " ".join(got[:24]) + (" …" if len(got) > 24 else "")


def _open_points(found):
    for question in dict.fromkeys(one.operation.question for one in found if one.operation.question):
        yield f"### {question[0].upper()}{question[1:]}\n"
        if question in reasons.ANSWERS:
            yield f"{reasons.ANSWERS[question]}\n"
        for one in found:
            if one.operation.question == question:
                yield f"* `{one.operation.name}` of {one.operation.dtype}: `{one.operation.body.splitlines()[0]}`"
                for side in ("original", "strict", "interpreted"):
                    yield f"  - {_TOLD[side]}: `{_spoken_result(one, side)}`"
        yield ""


def _accuracy(found):
    """A table of the largest errors of elementary functions and approximations."""
    sides = ("original", "strict", "plain", "interpreted")
    lines = ["| | dtype | " + " | ".join(_TOLD[side] for side in sides) + " | cuTile's worst argument |", "|---" * (len(sides) + 3) + "|"]
    for one in found:
        if accuracy.is_known(one.operation) and "original" in one.results:
            errors = accuracy.errors(one)
            cells = [f"{errors[side][0]:.2f}" if side in errors else "" for side in sides]
            where = ", ".join(map(_number, errors["original"][1]))
            lines.append(f"| {one.operation.name} | {one.operation.dtype} | {' | '.join(cells)} | {where} |")
    return "\n".join(lines)


def _counts(found):
    asked = [one for one in found if "original" in one.results and one.operation.group != "Open points"]
    for side in ("strict", "default", "plain", "interpreted"):
        ran = [one for one in asked if side in one.results]
        same = sum(one.apart(side).same for one in ran)
        near = sum(not one.apart(side).same and one.agrees(side) for one in ran)
        yield f"* {_TOLD[side]}: {len(ran)} operations, {same} equal bit by bit, {near} within their bound, {len(ran) - same - near} not."


def _machine(machines):
    """The GPU that gave the newest results."""
    gpus = [machine for machine in machines if machine.get("gpu")]
    if not gpus:
        return "No GPU has run this."
    last = gpus[-1]
    return (
        f"{last['gpu']}, driver {last['driver']}, torch {last['torch']}, Triton {last['triton']}, cuTile {last['cuda-tile']}, "
        f"{last['date'].split()[0]}, commit {last['commit']}"
    )


def _refusals(found):
    """What cuTile's compiler says, once for all operations and dtypes of which it says it."""
    said = {}
    for one in found:
        if "original" in one.errors:
            text = re.sub(r"tile<\d+x\w+>", "tile<…>", re.sub(r"got 'i\d+'", "got an integer", _reason(one.errors["original"])))
            said.setdefault((one.operation.group, re.sub(r"'cuda_tile\.\w+' op", "the operation:", text)), {}).setdefault(one.operation.name, []).append(one)
    for (group, text), names in said.items():
        told = {}
        for name, ones in names.items():
            told.setdefault(_dtypes(ones), []).append(f"`{name}`")
        operations = "; ".join(f"{', '.join(names)} of {dtypes}" for dtypes, names in told.items())
        yield f"* {group}: {operations}: {text}"


def text(machines, found):
    parts = [_HEAD.format(machines=_machine(machines), edges=EDGES, count=COUNT, bounded=f"{BOUNDED:.0f}")]
    parts.append("## In short\n\n" + "\n".join(_counts(found)) + "\n")
    closed = [one for one in found if one.operation.group != "Open points"]
    for group in dict.fromkeys(one.operation.group for one in closed):
        parts.append(f"## {group}\n\n{_table([one for one in closed if one.operation.group == group])}\n")
    for title, side, others in (
        ("Where a conversion differs from cuTile", "strict", ("original", "strict", "interpreted")),
        ("Where the interpreter differs from cuTile", "interpreted", ("original", "interpreted", "strict")),
        ("Where the dialects differ", "plain", ("original", "plain", "strict")),
    ):
        parts.append(f"## {title}\n\n" + ("\n".join(_differences(closed, side, others)) or "Nowhere.") + "\n")
    parts.append(_UNDEFINED + ("\n".join(_seen_where_undefined(closed)) or "Nothing.") + "\n")
    parts.append(f"{_ACCURACY}{_accuracy(closed)}\n")
    parts.append("## What cuTile's front end takes and its compiler or the GPU does not\n\n" + ("\n".join(_refusals(closed)) or "Nothing.") + "\n")
    parts.append(_OPEN + "\n".join([*reasons.GENERAL, "", *_open_points(found)]))
    return "\n".join(parts).rstrip() + "\n"


def write(all_joined, page, results):
    """Either file may be None."""
    machines, found = all_joined
    if page:
        page.write_text(text(machines, found))
    if results:
        lines = [{"machine": machine} for machine in machines] + [one.row() for one in found if not one.not_cutile]
        results.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for line in _counts(found):
        print(line)
