# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""CPython as a server, with the protocol of tree_main.cc (the grammar is that of the Python that runs this).

`dump` prints what `ast.dump` of Python 3.13 prints, in every version, and faster.
"""
import ast
import sys
import warnings

ATTRIBUTES = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def dump(root, places):
    out = []
    fields_of = {}

    def known(node):
        kind = type(node)
        if kind not in fields_of:
            optional = {f for f in kind._fields if getattr(kind, f, ...) is None}
            if sys.version_info < (3, 9):  # which fields may be None is not told; a constant's value is the one that must not
                optional = set(kind._fields) - ({"value"} if kind is ast.Constant else set())
            lists = {f for f in kind._fields if f != "value"}
            fields_of[kind] = [(f, f in optional, f in lists) for f in kind._fields], bool(kind._attributes)
        return fields_of[kind]

    # What is still to be printed, the next at the end: texts, and nodes.
    work = [root]
    while work:
        item = work.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        fields, has_places = known(item)
        parts = [type(item).__name__ + "("]
        first = True
        for name, optional, may_be_list in fields:
            value = getattr(item, name, None)
            if (value is None and optional) or (may_be_list and value == []):
                continue
            parts.append(name + "=" if first else ", " + name + "=")
            first = False
            if isinstance(value, ast.AST):
                parts.append(value)
            elif isinstance(value, list):
                parts.append("[")
                for i, element in enumerate(value):
                    if i:
                        parts.append(", ")
                    parts.append(element if isinstance(element, ast.AST) else repr(element))
                parts.append("]")
            else:
                parts.append(repr(value))
        if places and has_places:
            numbers = ", ".join(f"{a}={getattr(item, a)}" for a in ATTRIBUTES if getattr(item, a, None) is not None)
            parts.append(numbers if first else ", " + numbers)
        parts.append(")")
        work.extend(reversed(parts))
    return "".join(out)


def answer(mode, text):
    try:
        if mode == "verdict":
            compile(text, "text", "exec", dont_inherit=True)
            return True, ""
        return True, dump(ast.parse(text), mode == "places")
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as problem:
        return False, f"{type(problem).__name__}: {problem}"


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(5000)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        _, mode, size = line.split()
        good, text = answer(mode.decode(), requests.read(int(size)))
        data = text.encode("utf-8", "surrogatepass")
        answers.write(b"%s %d\n" % (b"ok" if good else b"error", len(data)) + data)
        answers.flush()


if __name__ == "__main__":
    main()
