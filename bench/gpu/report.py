#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Results files as Markdown tables.

    bench/gpu/report.py bench/results/NAME.jsonl… [--tidy NEW.jsonl]

--tidy also writes the machines and the newest row of each case to a file, for bench/results.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import rows as results


def table(head, lines):
    cells = [head, *[[str(c) for c in line] for line in lines]]
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    show = lambda line: "| " + " | ".join(c.ljust(w) for c, w in zip(line, widths)) + " |"
    return "\n".join([show(cells[0]), "|" + "|".join("-" * (w + 2) for w in widths) + "|", *map(show, cells[1:])])


def ordered(values):
    return list(dict.fromkeys(values))


def tests(rows):
    """Operator, and passed/failed/crashed of each variant; then what failed in one and not in the other, or in both."""
    rows = [r for r in results.newest(rows) if "test" in r and r["outcome"] != "ended"]
    for operator, variant in {
        (r["operator"], r["variant"]) for r in rows if r["outcome"] == "not converted"
    }:  # unless it is by now
        if any(r["outcome"] != "not converted" for r in rows if (r["operator"], r["variant"]) == (operator, variant)):
            rows = [
                r for r in rows if (r["operator"], r["variant"], r["outcome"]) != (operator, variant, "not converted")
            ]
    variants = sorted(ordered(r["variant"] for r in rows), key=lambda v: v != "original")

    def count(variant, operator):
        group = [r for r in rows if r["variant"] == variant and r["operator"] == operator]
        own = [r["outcome"] for r in group]
        if own == ["not converted"]:
            return "not converted"
        alone = sum(r["outcome"] == "passed" and r.get("kernels") == [] for r in group)
        bad = own.count("failed") + own.count("crashed")
        text = f"{own.count('passed')} / {bad}"
        return (
            text
            + (f" ({own.count('crashed')} crashed)" if "crashed" in own else "")
            + (f", {own.count('skipped')} skipped" if "skipped" in own else "")
            + (f", {alone} by cuTile alone" if alone else "")
            if own
            else "–"
        )

    operators = sorted(ordered(r["operator"] for r in rows))
    lines = [[o, *[count(v, o) for v in variants]] for o in operators]
    total = []
    for v in variants:
        own = [r["outcome"] for r in rows if r["variant"] == v]
        total.append(f"{own.count('passed')} / {own.count('failed') + own.count('crashed')}")
    text = table(["operator", *[f"{v}: passed / failed" for v in variants]], [*lines, ["all", *total]])
    failed = [r for v in variants for r in rows if r["variant"] == v and r["outcome"] in ("failed", "crashed")]
    line = lambda r: (
        f"- {r['variant']} {r['test'].removeprefix('tests/')}: {r['outcome']}: {' '.join(r['message'].split())[:500]}"
    )
    known = {(r["operator"], r["test"]) for r in failed if r["variant"] == "original"}
    for title, of in (
        (
            "Fails where the original passes",
            [r for r in failed if r["variant"] != "original" and (r["operator"], r["test"]) not in known],
        ),
        (
            "Fails as the original does",
            [r for r in failed if r["variant"] != "original" and (r["operator"], r["test"]) in known],
        ),
        ("The original fails", [r for r in failed if r["variant"] == "original"]),
        ("Not converted", [r for r in rows if r["outcome"] == "not converted"]),
    ):
        if of:
            text += f"\n\n{title}:\n\n" + "\n".join(map(line, of))
    return text


def number(value, form="{:.2g}"):
    return "–" if value is None else value if isinstance(value, str) else form.format(value)


def verdict(row):
    """A compared row in a word."""
    if row["status"] not in ("compared", "alone"):
        return row["status"]
    word = (
        "same bits"
        if row.get("ulp_max") == 0 and not row.get("nan")
        else "close"
        if row.get("close")
        else "FAR"
        if row.get("close") is False
        else "?"
    )
    return word if row["status"] == "compared" else f"alone: {word}"


def _fault(r):
    """Why a row is no good, in a line."""
    parts = [" ".join(str(r.get("message", "")).split())[:400]]
    for place in r.get("places", [])[:2]:
        box = "×".join(f"{first}–{last}" for first, last in place["box"])
        parts.append(
            f"output {place['output']}: {place['count']} of {place['of']} off, in {box}, worst at {place['at']}: {number(place['original'], '{:.6g}')} against "
            f"{number(place['converted'], '{:.6g}')}"
        )
    if r.get("kernels"):
        parts.append(f"ran {', '.join(r['kernels'])}")
    return "; ".join(p for p in parts if p)


def compared(rows):
    """Counts a level; one line per case and level: how far the conversion is from the original, and each from float64; and
    what went wrong."""
    rows = [r for r in results.newest(rows) if r.get("kind") == "compare"]
    levels = [level for level in ordered(r["level"] for r in rows) if level != "original"]
    words = (
        "same bits",
        "close",
        "FAR",
        "alone: close",
        "alone: FAR",
        "alone: ?",
        "not converted",
        "failed",
        "crashed",
        *(["rehearsed"] if any(r["status"] == "rehearsed" for r in rows) else []),
    )
    counts = [
        [level, *[sum(verdict(r) == word for r in rows if r["level"] == level) for word in words]] for level in levels
    ]
    lines, bad = [], []
    for r in rows:
        name = [r["operator"], r["shape"], r["dtype"], r["level"]]
        word = verdict(r)
        if word in ("FAR", "alone: FAR", "failed", "crashed") or r["level"] == "original" and r["status"] != "done":
            bad.append(f"- {word}: {' '.join(name)}: {_fault(r)}")
        if r["status"] in ("compared", "alone") or r["level"] == "original" and not levels and r["status"] == "done":
            note = ", ".join(
                n
                for n in (r.get("note", ""), f"kernels {', '.join(r['left'])} are cuTile's" if r.get("left") else "")
                if n
            )
            lines.append(
                [
                    *name,
                    word,
                    number(r.get("ulp_max"), "{:.0f}"),
                    number(r.get("scaled_max")),
                    number(r.get("relative")),
                    number(r.get("differing"), "{:.2%}"),
                    number(r.get("ref_original")),
                    number(r.get("ref_converted")),
                    number(r.get("repeat_ulp"), "{:.0f}"),
                    note,
                ]
            )
    text = table(["level", *words], counts) + "\n\n" if counts else ""
    text += table(
        [
            "operator",
            "shape",
            "dtype",
            "level",
            "verdict",
            "max ulp",
            "max / rms (eps)",
            "‖a-b‖/‖a‖",
            "differing",
            "original to fp64",
            "converted to fp64",
            "original twice (ulp)",
            "note",
        ],
        lines,
    )
    missing = {}
    for r in rows:
        if r["status"] == "not converted":
            missing.setdefault((r["module"], r["level"], " ".join(r.get("message", "").split())[:300]), []).append(
                r["operator"]
            )
    text += "\n\nWrong or not run:\n\n" + "\n".join(bad) if bad else ""
    text += (
        "\n\nNot converted:\n\n"
        + "\n".join(
            f"- {m} ({level}; {', '.join(ordered(names))}): {why}" for (m, level, why), names in missing.items()
        )
        if missing
        else ""
    )
    return text


def timed(rows):
    lines = [
        [
            r["operator"],
            r["shape"],
            r["dtype"],
            r["level"],
            number(r["original_us"], "{:.1f}"),
            number(r["converted_us"], "{:.1f}"),
            number(r["ratio"], "{:.3f}"),
            number(r.get("aa"), "{:.3f}"),
            number(r.get("launch_original_us"), "{:.0f}"),
            number(r.get("launch_converted_us"), "{:.0f}"),
        ]
        for r in results.newest(rows)
        if r.get("kind") == "time" and r.get("ratio")
    ]
    return (
        table(
            [
                "operator",
                "shape",
                "dtype",
                "level",
                "cuTile µs",
                "Triton µs",
                "cuTile / Triton",
                "A/A",
                "host µs, cuTile",
                "host µs, Triton",
            ],
            lines,
        )
        if lines
        else ""
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--tidy")
    args = parser.parse_args()
    heads, rows = results.read(*args.files)
    if args.tidy:
        lines = [{"machine": head} for head in heads] + [r for r in results.newest(rows) if r.get("outcome") != "ended"]
        Path(args.tidy).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    for head in heads[:1] + heads[1:][-1:]:
        print(", ".join(f"{k} {v}" for k, v in head.items() if v), "\n")
    if any("test" in r for r in rows):
        print(tests(rows), "\n")
    if any(r.get("kind") == "compare" for r in rows):
        print(compared(rows), "\n")
    if text := timed(rows):
        print(text)


if __name__ == "__main__":
    main()
