# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The document of --format json: its schema, and what it says about places."""

import json
from pathlib import Path

import jsonschema
import pytest
from oracle import tool

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "convert.schema.json").read_text())
SOFTMAX = (ROOT / "examples" / "softmax_cutile.py").read_text()


def document(*words, **options):
    done = tool.run("convert", *words, "--format", "json", **options)
    parsed = json.loads(done.stdout)
    jsonschema.validate(parsed, SCHEMA, jsonschema.Draft202012Validator)
    return parsed, done


def test_schema_itself_is_valid():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_version_is_the_tool_s():
    parsed, _ = document(ROOT / "examples" / "softmax_cutile.py", "--check")
    assert parsed["version"] == tool.run("--version").stdout.split()[1]


def test_each_kind_of_file_fits_the_schema(tmp_path):
    contents = {
        "converted.py": SOFTMAX,
        "host.py": "x = 1\n",
        "broken.py": "def f(:\n",
        "refused.py": SOFTMAX.replace("ct.bid(0)", "ct.bid(7)"),
        "latin.py": "x = '\xe9'\n".encode("latin-1"),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    parsed, done = document(*contents, "missing.py", "-o", "out/", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == ""
    files = {file["path"]: file for file in parsed["files"]}
    assert list(files) == [*contents, "missing.py"]
    assert {name: file["status"] for name, file in files.items()} == {
        "converted.py": "converted", "host.py": "unchanged", "broken.py": "refused", "refused.py": "refused", "latin.py": "refused",
        "missing.py": "refused",
    }  # fmt: skip
    assert {name: file["output"] for name, file in files.items() if file["output"]} == {"converted.py": "out/converted.py"}
    line = SOFTMAX[: SOFTMAX.index("def softmax_kernel")].count("\n") + 1
    assert files["converted.py"]["kernels"] == [{"name": "softmax_kernel", "status": "converted", "line": line}]
    assert files["missing.py"]["diagnostics"][0]["span"] is None


def test_places_are_lines_code_points_and_bytes(tmp_path):
    path = tmp_path / "x.py"
    text = "a = 1\r\nb = '漢字é' $ 2\n"
    path.write_bytes(text.encode())
    parsed, _ = document(path)
    (diagnostic,) = parsed["files"][0]["diagnostics"]
    start = diagnostic["span"]["start"]
    assert start == {"line": 2, "column": text.split("\n")[1].index("$") + 1, "offset": text.encode().index(b"$")}
    assert diagnostic["span"]["end"]["offset"] == start["offset"] + 1


def test_document_and_text_tell_the_same(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX.replace("ct.bid(0)", "ct.bid(7)"))
    parsed, done = document(path)
    text = tool.run("convert", path)
    assert done.returncode == text.returncode == 1
    for diagnostic in parsed["files"][0]["diagnostics"]:
        assert f"{diagnostic['severity']}[{diagnostic['code']}]: {diagnostic['message']}" in text.stderr
        start = diagnostic["span"]["start"]
        assert f"{path}:{start['line']}:{start['column']}" in text.stderr


def test_standard_input_needs_an_output(tmp_path):
    done = tool.run("convert", "-", "--format", "json", input=SOFTMAX)
    assert done.returncode == 2
    assert "`-o PATH` takes the result" in done.stderr
    parsed, _ = document("-", "-o", tmp_path / "out.py", input=SOFTMAX)
    assert parsed["files"][0]["path"] == "<stdin>"
    assert "import triton" in (tmp_path / "out.py").read_text()


@pytest.mark.parametrize("name", ["attention", "bmm", "softmax"])
def test_every_bundled_example_is_converted(tmp_path, name):
    parsed, done = document(ROOT / "examples" / f"{name}_cutile.py", "-o", tmp_path / "out.py")
    assert done.returncode == 0
    assert parsed["files"][0]["status"] == "converted"
