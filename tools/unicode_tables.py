#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes src/syntax/unicode_tables.inc from the character database of the running Python (the newest at hand is right).

Ranges are pairs of first and last code point. Names are not stored: a name's 40-bit hash stands for it, with the code point in
the low 24 bits; `named_character` of src/syntax/unicode.cc hashes alike. Names that follow a rule (Hangul, ideographs) are left out.
"""
import pathlib
import re
import sys
import unicodedata

OUT = pathlib.Path(__file__).parent.parent / "src" / "syntax" / "unicode_tables.inc"
LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)


def ranges(predicate):
    found = []
    for c in range(LAST):
        if not predicate(chr(c)):
            continue
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return [tuple(r) for r in found]


def hash_name(name):
    """FNV-1a, 64 bits, folded to 40."""
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (h ^ (h >> 40)) & 0xFFFFFFFFFF


def names():
    rows = {}
    for c in range(LAST):
        name = unicodedata.name(chr(c), None)
        if name and not name.startswith(("CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE ")):
            rows[hash_name(name)] = c
    # Aliases are not listed by unicodedata; those of control characters have no other name. Look each candidate up.
    for alias, c in aliases():
        rows.setdefault(hash_name(alias), c)
    return [h << 24 | c for h, c in sorted(rows.items())]


ALIASES = """
NULL NUL; START OF HEADING; SOH; START OF TEXT; STX; END OF TEXT; ETX; END OF TRANSMISSION; EOT; ENQUIRY; ENQ; ACKNOWLEDGE; ACK;
ALERT; BEL; BACKSPACE; BS; CHARACTER TABULATION; HORIZONTAL TABULATION; HT; TAB; LINE FEED; NEW LINE; END OF LINE; LF; NL; EOL;
LINE TABULATION; VERTICAL TABULATION; VT; FORM FEED; FF; CARRIAGE RETURN; CR; SHIFT OUT; LOCKING-SHIFT ONE; SO; SHIFT IN;
LOCKING-SHIFT ZERO; SI; DATA LINK ESCAPE; DLE; DEVICE CONTROL ONE; DC1; DEVICE CONTROL TWO; DC2; DEVICE CONTROL THREE; DC3;
DEVICE CONTROL FOUR; DC4; NEGATIVE ACKNOWLEDGE; NAK; SYNCHRONOUS IDLE; SYN; END OF TRANSMISSION BLOCK; ETB; CANCEL; CAN;
END OF MEDIUM; EOM; EM; SUBSTITUTE; SUB; ESCAPE; ESC; INFORMATION SEPARATOR FOUR; FILE SEPARATOR; FS; INFORMATION SEPARATOR THREE;
GROUP SEPARATOR; GS; INFORMATION SEPARATOR TWO; RECORD SEPARATOR; RS; INFORMATION SEPARATOR ONE; UNIT SEPARATOR; US; SP; DELETE; DEL;
PADDING CHARACTER; PAD; HIGH OCTET PRESET; HOP; BREAK PERMITTED HERE; BPH; NO BREAK HERE; NBH; INDEX; IND; NEXT LINE; NEL;
START OF SELECTED AREA; SSA; END OF SELECTED AREA; ESA; CHARACTER TABULATION SET; HORIZONTAL TABULATION SET; HTS;
CHARACTER TABULATION WITH JUSTIFICATION; HORIZONTAL TABULATION WITH JUSTIFICATION; HTJ; LINE TABULATION SET; VERTICAL TABULATION SET;
VTS; PARTIAL LINE FORWARD; PARTIAL LINE DOWN; PLD; PARTIAL LINE BACKWARD; PARTIAL LINE UP; PLU; REVERSE LINE FEED; REVERSE INDEX; RI;
SINGLE SHIFT TWO; SINGLE-SHIFT-2; SS2; SINGLE SHIFT THREE; SINGLE-SHIFT-3; SS3; DEVICE CONTROL STRING; DCS; PRIVATE USE ONE;
PRIVATE USE-1; PU1; PRIVATE USE TWO; PRIVATE USE-2; PU2; SET TRANSMIT STATE; STS; CANCEL CHARACTER; CCH; MESSAGE WAITING; MW;
START OF GUARDED AREA; START OF PROTECTED AREA; SPA; END OF GUARDED AREA; END OF PROTECTED AREA; EPA; START OF STRING; SOS;
SINGLE GRAPHIC CHARACTER INTRODUCER; SGC; SINGLE CHARACTER INTRODUCER; SCI; CONTROL SEQUENCE INTRODUCER; CSI; STRING TERMINATOR; ST;
OPERATING SYSTEM COMMAND; OSC; PRIVACY MESSAGE; PM; APPLICATION PROGRAM COMMAND; APC; NBSP; SHY; NULL; NUL; CGJ; ZWSP; ZWNJ; ZWJ;
LRM; RLM; LRE; RLE; PDF; LRO; RLO; NNBSP; MMSP; WJ; LRI; RLI; FSI; PDI; BYTE ORDER MARK; BOM; ZWNBSP; ALM; MVS; FVS1; FVS2; FVS3; FVS4;
LATIN CAPITAL LETTER GHA; LATIN SMALL LETTER GHA; WEIERSTRASS ELLIPTIC FUNCTION; MICR ON US SYMBOL; MICR DASH SYMBOL;
KANNADA LETTER LLLA; LAO LETTER FO FON; LAO LETTER FO FAY; LAO LETTER RO; LAO LETTER LO; TIBETAN MARK BKA- SHOG GI MGO RGYAN;
YI SYLLABLE ITERATION MARK; PRESENTATION FORM FOR VERTICAL RIGHT WHITE LENTICULAR BRACKET; LEFTWARDS TRIANGLE-HEADED ARROW WITH
DOUBLE VERTICAL STROKE; BYZANTINE MUSICAL SYMBOL FTHORA SKLIRON CHROMA VASIS
"""


def aliases():
    candidates = {" ".join(a.split()) for a in ALIASES.replace("\n", " ").split(";")}
    candidates |= {f"VS{i}" for i in range(1, 257)}
    for alias in sorted(candidates):
        try:
            c = unicodedata.lookup(alias)
        except KeyError:
            continue
        if len(c) == 1:
            yield alias, ord(c)


def decompositions():
    """Full compatibility decompositions of single characters; Hangul follows a rule."""
    rows = []
    for c in range(LAST):
        if c in SURROGATES or 0xAC00 <= c <= 0xD7A3:
            continue
        full = unicodedata.normalize("NFKD", chr(c))
        if full != chr(c):
            rows.append((c, [ord(x) for x in full]))
    return rows


def compositions():
    rows = []
    for c in range(LAST):
        parts = unicodedata.decomposition(chr(c)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            a, b = (int(p, 16) for p in parts)
            if unicodedata.normalize("NFC", chr(a) + chr(b)) == chr(c):
                rows.append((a, b, c))
    return sorted(rows)


def classes():
    """Canonical combining classes as (first, last, class)."""
    rows = []
    for c in range(LAST):
        k = unicodedata.combining(chr(c))
        if not k:
            continue
        if rows and rows[-1][1] == c - 1 and rows[-1][2] == k:
            rows[-1][1] = c
        else:
            rows.append([c, c, k])
    return [tuple(r) for r in rows]


def wrap(items):
    out, line = [], ""
    for item in items:
        if len(line) + len(item) + 2 > 126:
            out.append(line)
            line = ""
        line += item + ","
    return "\n".join(out + [line])


def main():
    start = ranges(str.isidentifier)
    part = ranges(lambda c: ("a" + c).isidentifier())
    hidden = ranges(lambda c: not c.isprintable())
    pool, index, decomposed = [], {}, []
    for c, full in decompositions():
        key = tuple(full)
        if key not in index:
            index[key] = len(pool)
            pool += full
        decomposed.append((c, index[key], len(full)))
    text = [
        "// SPDX-FileCopyrightText: The Tilewright Authors",
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Generated by tools/unicode_tables.py from Unicode {unicodedata.unidata_version}; do not edit.",
    ]

    def table(kind, name, rows):
        body = wrap("{" + ",".join(hex(x) if x > 9 else str(x) for x in row) + "}" if isinstance(row, tuple) else hex(row) for row in rows)
        text.append(f"static constexpr {kind} {name}[] = {{\n{body}\n}};")

    table("Range", "identifier_start", start)
    table("Range", "identifier_part", part)
    table("Range", "unprintable", hidden)
    table("Decomposition", "decompositions", decomposed)
    table("char32_t", "decomposed", pool)
    table("Composition", "compositions", compositions())
    table("CombiningRange", "combining_classes", classes())
    table("uint64_t", "names", names())
    content = "\n".join(text) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if OUT.read_text() == content else f"{OUT.name} is stale: run tools/unicode_tables.py")
    OUT.write_text(content)


if __name__ == "__main__":
    main()
