# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The line of one operation taken apart: names of operands, attributes, types.

Every word of the line must be asked for: what is left over is an attribute whose meaning nobody gave, and an error.
"""

import re
from dataclasses import dataclass

from oracle.tile_ir_eval.formats import Unknown, format_of

_NAME = re.compile(r"%[\w$.\-]+(?:#\d+)?")
_IGNORED = re.compile(r"\boptimization_hints ?= ?<(?:[^<>]|<[^<>]*>)*>|\btoken ?= ?%[\w$.\-]+(?:#\d+)?")


@dataclass(frozen=True)
class Tile:
    element: str
    shape: tuple

    format = property(lambda self: format_of(self.element))


@dataclass(frozen=True)
class View:
    """A partition of a tensor view; the tensor's own type says nothing that its value does not."""

    tile: tuple
    padding: str  # "" is undetermined
    axes: tuple  # of the tensor, for each of the tile
    element: str


def split(text, separator=","):
    """At separators outside of all brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}" and text[place - 1 : place + 1] != "->")
        if depth == 0 and text.startswith(separator, place):
            parts.append(text[start:place].strip())
            start = place + len(separator)
    return [*parts, text[start:].strip()]


def type_of(text):
    """Tile, View, or None for a token or a tensor view."""
    if match := re.fullmatch(r"tile<((?:\d+x)*)(ptr<\w+>|\w+)>", text):
        return Tile(match[2], tuple(map(int, re.findall(r"\d+", match[1]))))
    if match := re.fullmatch(
        r"partition_view<tile=\(([\dx]*)\)(?:, padding_value = (\w+))?, tensor_view<([^,>]*)(?:, strides=\[[^\]]*\])?>"
        r"(?:, dim_map=\[([\d, ]*)\])?>",
        text,
    ):
        tile = tuple(map(int, re.findall(r"\d+", match[1])))
        axes = tuple(map(int, match[4].split(","))) if match[4] else tuple(range(len(tile)))
        return View(tile, match[2] or "", axes, match[3].rpartition("x")[2])
    if text == "token" or text.startswith("tensor_view<"):
        return None
    raise Unknown(f"type {text}")


class Line:
    """What is left to be read of one operation."""

    def __init__(self, operation):
        self.name, self.results, self.regions = operation.name, operation.results, operation.regions
        head, *types = split(_IGNORED.sub("", operation.rest), " : ")
        self.rest = head.removesuffix("{")
        self.types = " : ".join(types).removesuffix("{").strip()

    def take(self, pattern, default=None):
        """The first group of what a pattern finds, or all of it; it is gone then."""
        match = re.search(pattern, self.rest)
        if not match:
            return default
        self.rest = self.rest[: match.start()] + " " + self.rest[match.end() :]
        return match[1] if match.re.groups else match[0]

    def operands(self):
        names = _NAME.findall(self.rest)
        self.rest = _NAME.sub(" ", self.rest)
        return names

    def flag(self, word):
        return self.take(rf"(?<![\w%.])\b{word}\b(?![\w=<])") is not None

    def result_types(self):
        """Of what is a tile; the operands' where no other ones are printed."""
        texts = split(self.types, "->")
        return [type for type in map(type_of, split(texts[-1].strip("() "))) if type is not None] if self.types else []

    def operand_types(self):
        return [type_of(text) for text in split(split(self.types, "->")[0])]

    def done(self):
        if left := re.sub(r"[\s,:\[\]]", "", self.rest):
            raise Unknown(f"`{left}` of {self.name}")
