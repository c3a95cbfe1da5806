# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What NVIDIA's front end decided, operation by operation: Tile IR bytecode → text → Operation with its regions (parse), or a list
of Op, each at its place in the source (read).

tileirdisasm prints one operation a line, with types and attributes spelled out and the source position of each (the innermost
one outside cuda.tile itself, whose own methods are inlined Python): line from 1, column from 0 in UTF-8 bytes of the start of
the expression.  Plumbing (constants, assumptions, views, tokens, reshapes and broadcasts) is left out of what read gives.
"""

import importlib.util
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
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


@dataclass
class Region:
    arguments: list = field(default_factory=list)  # names of values, where the region's own first line lists them
    operations: list = field(default_factory=list)


@dataclass
class Operation:
    results: list  # names of values: %3, or %for#0 and %for#1
    name: str
    rest: str  # operands, attributes and types, as printed
    location: str  # "" where positions were not asked for
    regions: list = field(default_factory=list)


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


_RESULTS = re.compile(r"((?:%[^\s,]+(?:, )?)+) = ")


def _operation(line, location):
    """None for a line that is no operation."""
    results = []
    if named := _RESULTS.match(line):
        line = line[named.end() :]
        for name in named[1].split(", "):
            name, _, count = name.partition(":")
            results += [f"{name}#{place}" for place in range(int(count))] if count else [name]
    match = re.match(r"(\w+)\b(.*)$", line)
    return match and Operation(results, match[1], match[2], location)


def parse(module):
    """Text of a module → the Operation of its entry."""
    entry, opened = None, []  # of the operations whose regions have not ended, the innermost is the last
    for line in module.split("\n#")[0].splitlines():
        line, location = line.strip(), ""
        if match := re.search(r" loc\((#loc\d*)\)$", line):
            location, line = match[1], line[: match.start()]
        if line.startswith("("):  # the arguments of a reduction's region
            opened[-1].regions[-1].arguments = re.findall(r"%[^\s:]+", line)
        elif line.startswith("}"):  # only here is the position of the operation that opened it
            if opened:
                opened[-1].location = location or opened[-1].location
                if "else" in line:
                    opened[-1].regions.append(Region())
                else:
                    opened.pop()
        elif operation := _operation(line, location):
            if opened:
                opened[-1].regions[-1].operations.append(operation)
            entry = entry or operation
            if line.endswith("{") or operation.name in ("reduce", "scan"):
                operation.regions.append(Region())
                opened.append(operation)
    return entry


def _rows(operations, places, keep_plumbing, depth=0):
    for operation in operations:
        name, rest = operation.name, operation.rest
        head, _, types = rest.rpartition(" : ") if " : " in rest else (rest, "", "")
        if name in ("reduce", "scan"):
            head, types = rest, rest.rpartition("] : ")[2].strip()
        if keep_plumbing or name not in PLUMBING:
            attributes = _ATTRIBUTES.findall(head + (" " + types if "view" in name else ""))
            operands, _, result = types.rpartition("->")
            if name.startswith(("store", "atomic")) or name == "print_tko":
                result = operands
            result = re.sub(r"iter_values.*", "", result.strip(" {")).replace(", token", "").strip()
            place = places.get(operation.location, ("", 0, 0))
            yield Op(*place, name, tuple(attributes), result, operands.strip(), depth)
        for region in operation.regions:
            yield from _rows(region.operations, places, keep_plumbing, depth + 1)


def read(bytecode, keep_plumbing=False):
    module = text(bytecode)
    (body,) = parse(module).regions
    return list(_rows(body.operations, _positions(module), keep_plumbing))
