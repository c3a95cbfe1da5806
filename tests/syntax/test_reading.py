# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""CPython judges our parser: the same trees, the same verdicts.

The newest CPython at hand decides (pyeryx brings 3.14 as WebAssembly); the snippets and the table of versions ask all of them.
"""
import random
import re
import subprocess

import edits
import judge
import pytest

SHOWN = 10  # disagreements, at most


def report(disagreements):
    assert not disagreements, f"{len(disagreements)} disagreements\n" + "\n".join(disagreements[:SHOWN])


def test_trees_of_libraries_are_those_of_ast(full):
    minor = judge.newest()
    files = judge.corpus(minor)
    assert len(files) > 500
    if not full:
        files = random.Random(1).sample(files, 400)
    wrong = []
    with judge.Pair(minor) as pair:
        for path in files:
            if found := pair.disagreement(path.read_bytes()):
                wrong.append(f"{path}: {found}")
    report(wrong)


def test_verdicts_on_random_edits_are_those_of_compile(full):
    minor = judge.newest()
    files = random.Random(2).sample(judge.corpus(minor), 500)
    texts = [text for text in (path.read_bytes() for path in files) if 0 < len(text) < 200_000]
    editor = edits.Editor(texts, seed=3)
    wrong, refused, asked = [], 0, 20_000 if full else 2_000
    with judge.Pair(minor) as pair:
        while asked:
            text = editor.next()
            try:
                text.decode()
            except UnicodeDecodeError:
                continue  # CPython looks at some bytes only; see the next test
            asked -= 1
            refused += not pair.ask("verdict", text)[0][0]
            if found := pair.disagreement(text):
                wrong.append(f"{text!r}\n  {found}")
    report(wrong)
    assert refused > 500  # the edits do break files


def test_files_that_are_not_utf8_are_refused_wherever_the_byte_stands():
    ours = judge.our_server(judge.NEWEST)
    for text in (b"x = '\xff'\n", b"# \xff\n", b"x\xff = 1\n", b"\xff", b"x = 1\n\n\xc3", b"x = 1  # \xed\xa0\x80\n"):
        ours.send("verdict", text)
        good, message = ours.receive()
        assert not good and b"TW002" in message, text
    ours.close()


@pytest.mark.parametrize("minor", judge.pythons())
def test_snippets_read_as_in_every_python_at_hand(minor):
    wrong = []
    with judge.Pair(minor) as pair:
        for text in judge.snippets():
            if found := pair.disagreement(text):
                wrong.append(f"{text!r}: {found}")
    # Two we leave: 3.8's older parser let `(x) := 1` pass, and 3.12.1 stumbled over its own tree.
    report([line for line in wrong if not line.startswith(("b'((x) := 1)'", "b'x = f\"{a:{b=}}\"'"))])


def test_each_version_accepts_what_it_brought():
    rows = [line.split(" ", 1) for line in (judge.HERE / "versions.txt").read_text().split("\n") if line]
    assert len(rows) > 100
    wrong = []
    for i, minor in enumerate(range(judge.OLDEST, judge.NEWEST + 1)):
        ours = judge.our_server(minor)
        for accepted, snippet in rows:
            ours.send("verdict", judge.read_line(snippet))
            good, message = ours.receive()
            if good != (accepted[i] == "y"):
                wrong.append(f"3.{minor}: {snippet!r}: {message.decode()}")
        ours.close()
    report(wrong)


@pytest.mark.parametrize("minor", judge.pythons())
def test_the_table_of_versions_is_true(minor):
    rows = [line.split(" ", 1) for line in (judge.HERE / "versions.txt").read_text().split("\n") if line]
    theirs = judge.Server(judge.pythons()[minor], minor)
    wrong = []
    for accepted, snippet in rows:
        theirs.send("verdict", judge.read_line(snippet))
        if theirs.receive()[0] != (accepted[minor - judge.OLDEST] == "y"):
            wrong.append(snippet)
    theirs.close()
    report(wrong)


def nested(line, levels):
    return "".join(" " * i + line + "\n" for i in range(levels)) + " " * levels + "pass\n"


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("(" * 200 + "x" + ")" * 200, "(" * 201 + "x" + ")" * 201),
        ("[" * 200 + "x" + "]" * 200, "[" * 100_000),
        ("{0:" * 200 + "x" + "}" * 200, "{0:" * 201 + "x" + "}" * 201),
        ("f(" * 200 + "x" + ")" * 200, "f(" * 201 + "x" + ")" * 201),
        (nested("if x:", 99), nested("if x:", 100)),
        (nested("while x:", 20), nested("while x:", 22)),
        (nested("with x:", 20), nested("with x:", 22)),
        ("lambda: " * 999 + "x", "lambda: " * 100_000 + "x"),
        ("-" * 2900 + "x", "-" * 100_000 + "x"),
        ("not " * 2900 + "x", "not " * 100_000 + "x"),
        ("x ** " * 2900 + "x", "x ** " * 100_000 + "x"),
        ("x if y else " * 2900 + "x", "x if y else " * 100_000 + "x"),
    ],
)
def test_python_s_limits_of_nesting_are_ours(right, wrong):
    """Just inside they are read, past them there is a diagnostic; where memory alone sets Python's limit, far inside and far past."""
    ours = judge.our_server(judge.newest())
    theirs = judge.Server(judge.pythons()[judge.newest()], judge.newest())
    for server in (ours, theirs):
        server.send("verdict", right.encode())
        assert server.receive()[0]
        server.send("verdict", wrong.encode())
        good, message = server.receive()
        assert not good
        assert server is theirs or b"TW008" in message
        server.close()


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "a + " * 100_000 + "a",
        "x = " + "a and b or " * 100_000 + "a",
        "x = " + "a < " * 100_000 + "a",
        "x = a" + ".b" * 100_000,
        "x = a" + "()" * 100_000,
        "x = a" + "[0]" * 100_000,
        "x = a" + ".b(c)[0]" * 50_000,
        "if a:\n  b\n" + "elif a:\n  b\n" * 100_000,
        "x = " + "y = " * 100_000 + "z",
        "x = [" + "a, " * 100_000 + "]",
        "x = 'a'" + " 'b'" * 100_000,
        "x = '" + "\\n" * 1_000_000 + "'",
        "\n" * 1_000_000,
        "# comment\n" * 200_000,
        "x = 1; " * 100_000,
    ],
)  # fmt: skip
def test_long_chains_are_read_and_printed_without_recursion(text):
    ours = judge.our_server(judge.NEWEST)
    for mode in ("verdict", "places"):
        ours.send(mode, text.encode())
        assert ours.receive()[0]
    ours.close()


def test_the_character_tables_are_those_of_the_unicode_that_they_name():
    tables = (judge.ROOT / "src/syntax/unicode_tables.inc").read_text()
    named = re.search(r"from Unicode ([\d.]+)", tables)[1]
    for command in judge.pythons().values():
        version = subprocess.run([command[0], "-c", "import unicodedata; print(unicodedata.unidata_version)"], text=True, capture_output=True).stdout
        if version.strip() == named:
            done = subprocess.run([command[0], judge.ROOT / "tools/unicode_tables.py", "--check"], text=True, capture_output=True)
            assert done.returncode == 0, done.stderr
            return
    pytest.skip(f"no Python here knows Unicode {named}")
