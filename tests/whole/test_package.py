# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package, as it is installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import tilewright
from oracle import tool

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "convert.schema.json").read_text())
SOFTMAX = (ROOT / "examples" / "softmax_cutile.py").read_text()


def test_convert_gives_the_text_and_the_entry_that_the_command_gives(tmp_path):
    (tmp_path / "x.py").write_text(SOFTMAX)
    result = tilewright.convert(SOFTMAX, path="x.py")
    text = result.pop("text")
    assert text == tool.run("convert", "-", input=SOFTMAX).stdout
    jsonschema.validate({"version": tilewright.__version__, "files": [result]}, SCHEMA)
    document = json.loads(tool.run("convert", "x.py", "--format", "json", cwd=tmp_path).stdout)
    assert document["files"][0] | {"output": None} == result


def test_convert_takes_bytes_and_refuses_with_diagnostics_not_exceptions():
    result = tilewright.convert(b"x = '\xff'\n")
    assert (result["status"], result["text"]) == ("refused", None)
    assert result["diagnostics"][0]["code"] == "TW002"


def test_what_is_no_text_is_told_as_python_does():
    with pytest.raises(TypeError, match="a text is str or bytes, not bytearray"):
        tilewright.convert(bytearray(b"x = 1"))
    with pytest.raises(UnicodeEncodeError, match="surrogates"):
        tilewright.convert("x = '\ud800'")


def test_wrong_choices_are_value_errors():
    with pytest.raises(ValueError, match="numerics are `strict`, `default` or `fast`, not `loose`"):
        tilewright.convert(SOFTMAX, numerics="loose")
    with pytest.raises(TypeError):
        tilewright.convert(SOFTMAX, "x.py", "strict")


def test_module_runs_the_executable():
    done = subprocess.run([sys.executable, "-m", "tilewright", "--version"], capture_output=True, text=True, cwd=os.sep)
    assert done.stdout == f"tilewright {tilewright.version()}\n"
    assert done.returncode == 0
