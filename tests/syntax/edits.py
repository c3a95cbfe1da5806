# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Random edits of Python files, the same ones for the same seed.

Half of them change characters, half whole tokens; most are of the kind that people and broken tools make (a line lost or doubled,
an indentation off, a bracket gone, a word for another), and about half of the results are still Python.
"""
import random
import re

TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\*\*|//|[-+*/%@&|^<>=!:]=|->|<<|>>|\.\.\.|\"\"\"|'''|[^\s\w]|\n[ \t]*|[ \t]+")
WORDS = b"""
( ) [ ] { } , : ; . ... -> @ = := ! + - * / // % ** << >> & | ^ ~ < > <= >= == != += -= *= ''' \"\"\" ' " \\ # $ ?
False None True and as assert async await break class continue def del elif else except finally for from global if import in is
lambda nonlocal not or pass raise return try while with yield match case type _ print self x __debug__ __class__
0 1 0x 1_000 1e5 1j 0777 1__0 f"{x}" f'{x!r:>{w}}' rb'' u"" b'a' f"{ r"\\n" *= if x else lambda: (yield) *a, *x **k async\\ for
""".split() + [b"\n", b"\n    ", b"\n\t", b"\n        ", b" ", b"    ", b"\t", b"\r\n", b"\r", b"\x0c", b"\\\n", b"async for ", b"await ", b"yield ",
               b"not in ", b"is not ", b"except* ", b"global x\n", b"nonlocal x\n", b"from __future__ import annotations\n", b"t\"{x}\"",
               "é".encode(), "€".encode(), b"\xff", b"\x00", b"\xef\xbb\xbf"]  # fmt: skip


class Editor:
    def __init__(self, texts, seed):
        self.texts = texts
        self.random = random.Random(seed)

    def next(self):
        text = self.excerpt(self.random.choice(self.texts))
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            text = self.edit(text)
        return text

    def excerpt(self, text):
        """Some top-level stretch of a file, so that a verdict is about little text."""
        if len(text) < 3000:
            return text
        starts = [m.start() for m in re.finditer(rb"(?m)^(?=[^\s#)\]}'\"])", text)] or [0]
        begin = self.random.choice(starts)
        ends = [s for s in starts if s > begin + 500] or [len(text)]
        return text[begin:ends[0]]

    def edit(self, text):
        r = self.random
        tokens = [m.span() for m in TOKEN.finditer(text)]
        if not tokens:
            return r.choice(WORDS)
        begin, end = r.choice(tokens)
        other = text[slice(*r.choice(tokens))]
        lines = text.split(b"\n")
        line = r.randrange(len(lines))
        kind = r.randrange(14)
        if kind == 0:
            return text[:begin] + text[end:]
        if kind == 1:
            return text[:begin] + r.choice(WORDS) + text[end:]
        if kind == 2:
            return text[:begin] + other + text[end:]
        if kind == 3:
            return text[:begin] + r.choice(WORDS) + text[begin:]
        if kind == 4:
            return text[:end] + b" " + r.choice(WORDS) + b" " + text[end:]
        if kind == 5:
            return text[:begin] + other + text[begin:]
        if kind == 6:
            at = r.randrange(len(text))
            return text[:at] + text[at + r.randint(1, 3):]
        if kind == 7:
            at = r.randrange(len(text))
            return text[:at] + bytes([r.choice((r.randrange(32, 127), r.randrange(256)))]) + text[at:]
        if kind == 8:
            del lines[line]
        elif kind == 9:
            lines.insert(line, lines[line])
        elif kind == 10:
            lines[line] = b" " * r.choice((1, 2, 4, 8)) + lines[line]
        elif kind == 11:
            lines[line] = lines[line][r.choice((1, 2, 4)):]
        elif kind == 12:
            other_line = r.randrange(len(lines))
            lines[line], lines[other_line] = lines[other_line], lines[line]
        else:
            lines[line] = lines[line].rstrip() + b" " + r.choice((b"\\", b":", b"# note", b"if x", b"for x in y", b"; pass"))
        return b"\n".join(lines)
