#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Results files as Markdown tables.

    bench/gpu/report.py bench/results/NAME.jsonl…
"""
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
    rows = [r for r in rows if "test" in r]
    variants = ordered(r["variant"] for r in rows)
    outcomes = {(r["variant"], r["operator"], r["test"]): r for r in rows}

    def count(variant, operator):
        own = [r["outcome"] for r in rows if r["variant"] == variant and r["operator"] == operator]
        bad = own.count("failed") + own.count("crashed")
        text = f"{own.count('passed')} / {bad}"
        return text + (f" ({own.count('crashed')} crashed)" if "crashed" in own else "") + (
            f", {own.count('skipped')} skipped" if "skipped" in own else "") if own else "–"

    operators = sorted(ordered(r["operator"] for r in rows))
    lines = [[o, *[count(v, o) for v in variants]] for o in operators]
    total = []
    for v in variants:
        own = [r["outcome"] for r in rows if r["variant"] == v]
        total.append(f"{own.count('passed')} / {own.count('failed') + own.count('crashed')}")
    text = table(["operator", *[f"{v}: passed / failed" for v in variants]], [*lines, ["all", *total]])
    failing = []
    for v in variants:
        for r in rows:
            if r["variant"] == v and r["outcome"] in ("failed", "crashed"):
                first = outcomes.get(("original", r["operator"], r["test"]))
                also = "" if v == "original" else " (the original too)" if first and first["outcome"] in ("failed", "crashed") else ""
                failing.append(f"- {v}{also} {r['test'].removeprefix('tests/')}: {r['outcome']}: {' '.join(r['message'].split())[:220]}")
    return text + ("\n\nFailing:\n\n" + "\n".join(failing) if failing else "")


def number(value, form="{:.2g}"):
    return "–" if value is None else form.format(value)


def compared(rows):
    """One line per case and level: how far the conversion is from the original, and each from float64."""
    lines, bad = [], []
    for r in rows:
        if r.get("kind") != "compare":
            continue
        name = [r["operator"], r["shape"], r["dtype"], r["level"]]
        if r["status"] != "compared":
            if r["level"] != "original" or r["status"] != "done":
                bad.append(f"- {' '.join(name)}: {r['status']}: {' '.join(str(r.get('message', '')).split())[:300]}")
            if r.get("ref_original") is None:
                continue
        lines.append([*name, number(r.get("ulp_max"), "{:.0f}"), number(r.get("scaled_max")), number(r.get("relative")),
                      number(r.get("differing"), "{:.2%}"), number(r.get("ref_original")), number(r.get("ref_converted")),
                      number(r.get("repeat_ulp"), "{:.0f}"), r.get("note", "")])
    text = table(["operator", "shape", "dtype", "level", "max ulp", "max / rms (eps)", "‖a-b‖/‖a‖", "differing", "original to fp64",
                  "converted to fp64", "original twice (ulp)", "note"], lines)
    return text + ("\n\nNot compared:\n\n" + "\n".join(bad) if bad else "")


def timed(rows):
    lines = [[r["operator"], r["shape"], r["dtype"], r["level"], number(r["original_us"], "{:.1f}"), number(r["converted_us"], "{:.1f}"),
              number(r["ratio"], "{:.3f}"), number(r.get("aa"), "{:.3f}"), number(r.get("launch_original_us"), "{:.0f}"),
              number(r.get("launch_converted_us"), "{:.0f}")] for r in rows if r.get("kind") == "time" and r.get("ratio")]
    return table(["operator", "shape", "dtype", "level", "cuTile µs", "Triton µs", "cuTile / Triton", "A/A", "host µs, cuTile",
                  "host µs, Triton"], lines) if lines else ""


def main():
    heads, rows = results.read(*sys.argv[1:])
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
