# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What NVIDIA's front end decided, operation by operation: Tile IR bytecode → a list of Op, each at its place in the source.

tileirdisasm prints one operation a line, with types and attributes spelled out and the source position of each (the innermost
one outside cuda.tile itself, whose own methods are inlined Python): line from 1, column from 0 in UTF-8 bytes of the start of
the expression.  Plumbing (constants, assumptions, views, tokens, reshapes and broadcasts) is left out.
"""

import importlib.util
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

PLUMBING = {
    "assume", "constant", "reshape", "broadcast", "make_token", "make_tensor_view", "make_partition_view", "join_tokens",
    "yield", "continue", "break", "return", "entry", "module",
}  # fmt: skip

_ATTRIBUTES = re.compile(
    r"rounding<\w+>|flush_to_zero|propagate_nan|unsigned|signed|overflow<[\w, ]+>"
    r"|\b(?:less|greater)_than(?:_or_equal)?\b|\bnot_equal\b|\bequal\b|\bordered\b|\bunordered\b"
    r"|dim=\d+|reverse=\w+|identities=\[[^\]]*\]|padding_value = \w+|(?<= )\[\d[\d, ]*\]|dim = \d+"
    r"|\b(?:weak|relaxed|acquire|release|acq_rel)\b|\b(?:tl_blk|device|sys)\b"
    r"|\b(?:add|addf|and|or|xor|max|min|umax|umin|xchg)\b(?=,| token| :)|\bmode = \w+|allow_tma = \w+|latency = \d+"
)


@dataclass(frozen=True)
class Op:
    file: str
    line: int
    column: int
    name: str
    attributes: tuple
    type: str  # of the result; of the value for stores and atomics
    operands: str
    depth: int


def text(bytecode, positions=True):
    """MLIR-like text of a Tile IR module."""
    tool = Path(importlib.util.find_spec("nvidia.cu13").submodule_search_locations[0]) / "bin/tileirdisasm"
    with tempfile.NamedTemporaryFile(suffix=".tileirbc") as file:
        file.write(bytecode)
        file.flush()
        run = subprocess.run([tool, *["-g"] * positions, file.name], capture_output=True, text=True, check=True)
    return run.stdout


def _positions(module):
    """Location name → (file, line, column)."""
    definitions = dict(re.findall(r"^(#loc\d*) = (.*)$", module, re.MULTILINE))

    def frames(name):
        definition = definitions.get(name, "")
        if match := re.match(r'loc\("([^"]*)":(\d+):(\d+)\)', definition):
            return [(match[1], int(match[2]), int(match[3]))]
        return [frame for inner in re.findall(r"#loc\d*", definition) for frame in frames(inner)]

    places = {}
    for name in definitions:
        if found := frames(name):
            places[name] = next((frame for frame in found if "/cuda/tile/" not in frame[0]), found[0])
    return places


def read(bytecode, keep_plumbing=False):
    module = text(bytecode)
    places = _positions(module)
    rows, regions = [], []  # rows are lists until their place is known; a region's first line lacks it
    for line in module.split("\n#")[0].splitlines()[1:]:
        line = line.strip()
        location = None
        if match := re.search(r" loc\((#loc\d*)\)$", line):
            location, line = match[1], line[: match.start()]
        if line.startswith("("):  # the arguments of a reduction's region
            continue
        if line.startswith("}"):  # a region ends: its opener gets the position
            if regions:
                row = regions[-1] if "else" in line else regions.pop()
                if row is not None and location in places:
                    row[:3] = places[location]
            continue
        match = re.match(r"(?:%\S+(?:, %\S+)* = )?(\w+)\b(.*)$", line)
        if not match:
            continue
        name, rest = match[1], match[2]
        head, _, types = rest.rpartition(" : ") if " : " in rest else (rest, "", "")
        has_region = line.endswith("{")
        if name in ("reduce", "scan"):
            head, types, has_region = rest, rest.rpartition("] : ")[2].strip(), True
        keep = keep_plumbing or name not in PLUMBING
        if keep:
            attributes = _ATTRIBUTES.findall(head + (" " + types if "view" in name else ""))
            operands, _, result = types.rpartition("->")
            if name.startswith(("store", "atomic")) or name == "print_tko":
                result = operands
            result = re.sub(r"iter_values.*", "", result.strip(" {")).replace(", token", "").strip()
            place = places.get(location, ("", 0, 0))
            rows.append([*place, name, tuple(attributes), result, operands.strip(), len(regions)])
        if has_region:
            regions.append(rows[-1] if keep else None)
    return [Op(*row) for row in rows]
