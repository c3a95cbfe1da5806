# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Results of all sides put side by side and compared: bit by bit, NaN equal to NaN, and in ulp where they are not the same."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numerics.inputs import FORMATS, data, fingerprint, values
from numerics.operations import operations
from numerics.run import unpacked
from numerics.undefined import undefined

SIDES = ("original", "strict", "default", "plain", "interpreted")
_UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def _ordered(bits, dtype):
    """(for each number its place among all of the dtype, whether it is NaN)"""
    width, exponent, mantissa = FORMATS[dtype]
    raw = np.frombuffer(bits, _UNSIGNED[width]).astype(object if width == 64 else np.int64)
    magnitude = raw & ((1 << (width - 1)) - 1)
    highest = ((1 << exponent) - 1) << mantissa
    nan = magnitude == (1 << (width - 1)) - 1 if dtype == "float8_e4m3fn" else magnitude > highest
    return np.where(raw >> (width - 1) != 0, -magnitude, magnitude), nan.astype(bool)


@dataclass
class Apart:
    """How far two results are from each other."""

    differing: int = 0
    count: int = 0
    ulp: float = 0.0  # the largest distance of two numbers; infinite if one of them is NaN, or of integers
    worst: int = 0  # where

    @property
    def same(self):
        return self.differing == 0

    def within(self, bound):
        return self.ulp <= bound


def apart(one, other, dtype, asked=None):
    """Of two results as bytes, of all elements or of those for which `asked` is true; zeros of different sign are different, one ulp apart."""
    asked = True if asked is None else asked
    if dtype not in FORMATS:
        width = 8 if dtype == "bool_" else int(dtype.strip("uint"))
        one, other = (np.frombuffer(bits, _UNSIGNED[width]) for bits in (one, other))
        places = np.flatnonzero((one != other) & asked)
        return Apart(len(places), len(one), float("inf") if len(places) else 0.0, int(places[0]) if len(places) else 0)
    (left, left_nan), (right, right_nan) = _ordered(one, dtype), _ordered(other, dtype)
    raw = [np.frombuffer(bits, _UNSIGNED[FORMATS[dtype][0]]) for bits in (one, other)]
    different = (raw[0] != raw[1]) & ~(left_nan & right_nan) & asked
    distance = np.abs(left - right).astype(float)
    distance[different & (distance == 0)] = 1.0  # zeros
    distance[left_nan != right_nan] = np.inf
    distance[~different] = 0
    worst = int(distance.argmax()) if len(distance) else 0
    return Apart(int(different.sum()), len(left), float(distance.max(initial=0)), worst)


@dataclass
class Joined:
    """An operation with what each side made of it."""

    operation: object
    results: dict = field(default_factory=dict)  # side → bytes
    errors: dict = field(default_factory=dict)  # side → text
    notes: dict = field(default_factory=dict)  # level → codes of what Tilewright says of its conversion
    refused: str = ""  # why Tilewright does not convert it
    not_cutile: str = ""  # why NVIDIA's front end refuses it

    def apart(self, side, other="original"):
        """None where one of the two has no result."""
        if side not in self.results or other not in self.results:
            return None
        if (side, other) not in self._distances:
            asked = None if self._undefined is None else ~self._undefined
            self._distances[side, other] = apart(self.results[other], self.results[side], self.operation.result, asked)
        return self._distances[side, other]

    def apart_where_undefined(self, side):
        """As `apart` from cuTile, of the elements whose result neither dialect defines."""
        if self._undefined is None or side not in self.results or "original" not in self.results:
            return None
        return apart(self.results["original"], self.results[side], self.operation.result, self._undefined)

    @cached_property
    def _distances(self):
        return {}

    @cached_property
    def _undefined(self):
        return undefined(self.operation)

    def agrees(self, side):
        """Whether a side is as near to cuTile as the operation promises; None if that cannot be said."""
        distance = self.apart(side)
        return None if distance is None else distance.within(self.operation.within)

    def example(self, distance):
        """The place where a side is farthest from cuTile: ({name of the input: number}, {side: number})."""
        place, count = distance.worst, distance.count
        fed = {}
        for name, (kind, dtype) in zip("xyz", self.operation.inputs):
            given = values(data(kind, dtype), dtype)
            if len(given) == count:
                fed[name] = given[place]
            elif kind in ("rows", "factors", "drawn_rows", "long_rows"):  # 64 of them make one number, or as many
                row = place if count == len(given) // 64 else place // 64
                fed[name] = given[64 * row : 64 * row + 64]
        return fed, {side: values(bits, self.operation.result)[place] for side, bits in self.results.items()}

    def row(self):
        """The operation as a line of a results file."""
        operation = self.operation
        found = {"kind": "numerics", "group": operation.group, "operation": operation.name, "dtype": operation.dtype, "result": operation.result}
        found["sha"] = {side: hashlib.sha256(bits).hexdigest()[:16] for side, bits in self.results.items()}
        for side in SIDES[1:]:
            if distance := self.apart(side):
                found[side] = {"differing": distance.differing, "of": distance.count, "ulp": distance.ulp if distance.ulp != float("inf") else "inf"}
        if self.errors:
            found["errors"] = self.errors
        if self.notes:
            found["notes"] = self.notes
        if self.refused:
            found["refused"] = self.refused
        return found


def joined(files, made):
    """(machines, [Joined]) of results files and of the folder that was made."""
    index = json.loads((made / "index.json").read_text())
    machines, rows = [], {}
    for file in files:
        for line in file.read_text().splitlines():
            row = json.loads(line)
            if "machine" in row:
                machines.append(row["machine"])
            else:
                rows[row["key"], row["side"]] = row  # the newest counts
    found, all_operations = [], operations()
    fed = {inputs: fingerprint(inputs) for inputs in {operation.inputs for operation in all_operations}}
    for operation in all_operations:
        refused, not_cutile = (index[f"refused by {who}"].get(operation.key, "") for who in ("Tilewright", "cuTile"))
        one = Joined(operation, notes=index.get("notes", {}).get(operation.key, {}), refused=refused, not_cutile=not_cutile)
        for side in SIDES:
            row = rows.get((operation.key, side), {})
            if row.get("fed", fed[operation.inputs]) != fed[operation.inputs]:
                continue  # of other inputs than these
            if "bits" in row:
                one.results[side] = unpacked(row["bits"])
            elif "error" in row:
                one.errors[side] = row["error"]
        if "default" not in one.results and "strict" in one.results:
            one.results["default"] = one.results["strict"]  # the two read the same
        found.append(one)
    return machines, found
