# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Words, help and exit statuses of the command line."""

import re
import subprocess
from pathlib import Path

import pytest
from oracle import tool

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "words, message",
    [
        (["convrt"], "unknown command `convrt`; did you mean `convert`?"),
        (["convert"], "missing argument FILE|DIR…"),
        (["convert", "--ouput", "x", "a.py"], "unknown option `--ouput`; did you mean `--output`?"),
        (["convert", "-z", "a.py"], "unknown option `-z`"),
        (["convert", "a.py", "-o"], "`-o` needs a value: --output PATH"),
        (["convert", "a.py", "--numerics", "loose"], "`--numerics` is one of `strict`, `default` or `fast`, not `loose`"),
        (["convert", "a.py", "--check=yes"], "`--check` takes no value"),
        (["convert", "a.py", "--jobs", "0"], "`--jobs` is a number from 1 to 1024, not `0`"),
        (["convert", "a.py", "--gpu", "sm_90,h100"], "`--gpu`: GPUs have names like `sm_80` or `sm_120`, not `h100`"),
        (["convert", "a.py", "--in-place", "-o", "x"], "`--output` and `--in-place` name different places"),
        (["convert", "a.py", "--format", "json", "--diff"], "`--format json` and `--diff` both want standard output"),
        (["convert", "a.py", "--format", "json", "-o", "-"], "`--format json` and `-o -` both want standard output"),
        (["convert", "a.py", "--fast-launch"], "unknown option `--fast-launch`"),
        (["convert", "a.py", "--no-autotune"], "unknown option `--no-autotune`"),
        (["convert", "-", "a.py"], "`-` stands for standard input and comes alone"),
        (["convert", "-", "--in-place"], "standard input cannot be changed in place"),
        (["explain", "TW001", "TW002"], "unexpected argument `TW002`"),
        (["explain", "TW999"], "no diagnostic has the code `TW999`"),
        (["dump", __file__, "--stage", "ir", "--specialize", "/dev/null"], "`/dev/null`: "),
        (["dump", __file__, "--stage", "ir", "--specialize", ""], "cannot read"),
        (["completion", "powershell"], "`completion` knows `bash`, `zsh`, `fish` and `markdown`, not `powershell`"),
    ],
)
def test_wrong_usage_says_what_is_wrong_and_ends_with_2(tmp_path, words, message):
    done = tool.run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"tilewright: {message}")


def test_no_command_at_all_shows_the_help_and_ends_with_2():
    done = tool.run()
    assert done.returncode == 2
    assert "usage: tilewright COMMAND" in done.stderr


def test_version_is_that_of_the_package():
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    assert tool.run("--version").stdout == f"tilewright {version}\n"


def test_help_names_every_command_and_every_command_has_help():
    listed = tool.run("--help").stdout
    commands = sorted(path.stem for path in (ROOT / "src" / "cli" / "commands").glob("*.cc"))
    assert "convert" in commands
    for command in commands:
        assert re.search(rf"^  {command} ", listed, re.M)
        done = tool.run(command, "--help")
        assert done.returncode == 0
        assert f"usage: tilewright {command}" in done.stdout


def test_explain_prints_the_page_of_a_code_in_any_case():
    page = (ROOT / "docs" / "codes" / "TW080.md").read_text()
    assert tool.run("explain", "TW080").stdout == page
    assert tool.run("explain", "tw080").stdout == page


def rule_pages():
    return {path.stem.replace("_", "-"): path.read_text() for path in (ROOT / "src" / "rules").glob("*/*.md")}


def test_explain_prints_the_page_of_a_rule():
    pages = rule_pages()
    assert pages
    for name, page in pages.items():
        assert tool.run("explain", name).stdout == page


def test_explain_lists_every_page_with_its_title():
    codes = {path.stem: path.read_text() for path in (ROOT / "docs" / "codes").glob("TW*.md")}
    pages = sorted(codes.items()) + sorted(rule_pages().items())
    lines = [f"{name}  {page.split(chr(10), 1)[0].removeprefix(f'# {name}: ')}\n" for name, page in pages]
    assert tool.run("explain").stdout == "".join(lines)


def test_bash_completes_commands_options_and_choices(tmp_path):
    script = tmp_path / "completion.bash"
    script.write_text(tool.run("completion", "bash").stdout)

    def complete(*words):
        line = " ".join(f'"{word}"' for word in words)
        program = f'source {script}; COMP_WORDS=(tilewright {line}); COMP_CWORD={len(words)}; _tilewright; echo "${{COMPREPLY[@]}}"'
        return subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert complete("con") == ["convert"]
    assert complete("convert", "--num") == ["--numerics"]
    assert complete("convert", "--numerics", "") == ["strict", "default", "fast"]


def test_reference_in_docs_is_what_the_tables_say():
    assert tool.run("completion", "markdown").stdout == (ROOT / "docs" / "cli.md").read_text()


@pytest.mark.parametrize("words", [["--help"], ["explain"], ["completion", "fish"]])
def test_a_full_disk_is_trouble(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([tool.executable(), *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "tilewright: cannot write to standard output: No space left on device\n"
