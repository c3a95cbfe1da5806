# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what was found: docs/numerics.md and a results file."""

import itertools
import json
import math

from numerics import accuracy
from numerics.inputs import ALL, COUNT, EDGES
from numerics.joined import values
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
otherwise. Integers, conversions, exact arithmetic and such sums must be *equal bit by bit* (any NaN equals any other); elementary functions within
{bounded} ulp, approximate ones within the ulp that the row says.

A cell: `=` the conversion, at both levels, and the interpreter equal cuTile; a number is the largest distance in ulp that is within the promise;
`T` the conversion or `I` the interpreter differs, with the number of elements; `D` only the conversion at `default` differs; `r` Tilewright refuses to convert it, `R` its
launch with this dtype; `c` cuTile's compiler refuses it; `–` its front end does; `!` what ran ended with an error. A blank: not asked.
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


def _spoken(one, side, sides):
    fed, got = one.example(side)
    given = ", ".join(f"{name} = {_number(value)}" for name, value in fed.items())
    results = ", ".join(f"{told} {_number(got[each])}" for each, told in sides.items() if each in got)
    distance = one.apart(side)
    of = f"{distance.differing} of {distance.count}" + ("" if math.isinf(distance.ulp) else f", at most {_ulp(distance.ulp)} ulp")
    return f"{of}; {given + ': ' if given else ''}{results}"


_TOLD = {"original": "cuTile", "strict": "converted", "default": "converted at default", "plain": "plain Triton", "interpreted": "interpreter"}


def _differences(found, side, sides):
    """A line for each operation on which a side is not as near to cuTile as promised; dtypes that differ share it."""
    lines = {}
    for one in found:
        if one.agrees(side) is False:
            lines.setdefault((one.operation.group, one.operation.name), []).append(one)
    for (group, name), ones in lines.items():
        dtypes = ", ".join(one.operation.dtype.rstrip("_") for one in ones)
        yield f"* {group}: `{name}` of {dtypes}: {_spoken(ones[0], side, {each: _TOLD[each] for each in sides})}"


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


def text(machines, found):
    gpus = [machine for machine in machines if machine.get("gpu")]
    told = "; ".join(
        f"{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}, Triton {machine['triton']}, cuTile {machine['cuda-tile']}, {machine['date']}, commit {machine['commit']}"
        for machine in gpus[-1:]
    )
    parts = [_HEAD.format(machines=told or "No GPU has run this.", edges=EDGES, count=COUNT, bounded=f"{BOUNDED:.0f}")]
    parts.append("## In short\n\n" + "\n".join(_counts(found)) + "\n")
    groups = list(dict.fromkeys(one.operation.group for one in found))
    for group in groups:
        if group != "Open points":
            parts.append(f"## {group}\n\n{_table([one for one in found if one.operation.group == group])}\n")
    closed = [one for one in found if one.operation.group != "Open points"]
    for title, side, others in (
        ("Where a conversion differs from cuTile", "strict", ("original", "strict", "interpreted")),
        ("Where the interpreter differs from cuTile", "interpreted", ("original", "interpreted", "strict")),
        ("Where the dialects differ", "plain", ("original", "plain", "strict")),
    ):
        lines = list(_differences(closed, side, others))
        parts.append(f"## {title}\n\n" + ("\n".join(lines) or "Nowhere.") + "\n")
    parts.append(f"## Accuracy\n\nThe largest error in ulp, of arguments whose exact result is a normal number of the dtype.\n\n{_accuracy(closed)}\n")
    refused = [f"* {one.operation.group}: `{one.operation.name}` of {one.operation.dtype}: {_reason(one.errors['original'])}" for one in closed if "original" in one.errors]
    parts.append("## What cuTile's front end takes and its compiler or the GPU does not\n\n" + ("\n".join(refused) or "Nothing.") + "\n")
    parts.append(_OPEN + "\n".join(_open_points(found)))
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
