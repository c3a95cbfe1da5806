# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Input and surroundings that nobody wishes for: the right exit status, a clear message, nothing damaged."""

import json
import os
import random
import resource
import subprocess
from pathlib import Path

import pytest
from oracle import tool

ROOT = Path(__file__).parents[2]
SOFTMAX = (ROOT / "examples" / "softmax_cutile.py").read_text()
OLD = "# what was here before\n"


def convert(path, *words, **options):
    """Converts beside an older result; a result that was not replaced must be whole."""
    result = path.with_name(f"{path.stem}_triton.py")
    result.write_text(OLD)
    done = tool.run("convert", path, *words, **options)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2)
    if done.returncode != 0:
        assert result.read_text() == OLD
    assert [p.name for p in path.parent.iterdir() if p not in (path, result)] == []
    return done


@pytest.mark.parametrize(
    "content, code",
    [
        (b"import cuda.tile as ct\nx = '\xff\xfe'\n", "TW002"),
        (SOFTMAX.encode("utf-16"), "TW002"),
        (b"\x00" * 100, "TW002"),
        (random.Random(1).randbytes(4096), "TW0"),
        (b"def f(x, y", "TW004"),
        (SOFTMAX[: SOFTMAX.index("keepdims")].encode(), "TW004"),
        (b"(" * 100_000, "TW00"),
        (b"x = " + b"-" * 100_000 + b"1\n", "TW00"),
        ("\n".join("  " * i + "if x:" for i in range(200)).encode(), "TW00"),
    ],
    ids=["not UTF-8", "UTF-16", "null bytes", "noise", "half a function", "half a kernel", "brackets", "signs", "indentation"],
)
def test_text_that_is_no_python_is_refused_with_a_code(tmp_path, content, code):
    path = tmp_path / "x.py"
    path.write_bytes(content)
    done = convert(path)
    assert done.returncode == 1
    assert f"error[{code}" in done.stderr
    assert f"{path}:" in done.stderr


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"# only a comment", b"import math\n", b"import cuda.tile as ct\n"])
def test_file_without_kernels_is_left_alone(tmp_path, content):
    path = tmp_path / "x.py"
    path.write_bytes(content)
    done = convert(path)
    assert done.returncode == 0
    assert done.stderr == f"{path}: no cuTile kernels\n"
    assert path.with_name("x_triton.py").read_text() == OLD
    assert tool.run("convert", path, "-o", "-").stdout.encode() == content


def test_kernel_that_shadows_ct_is_not_taken_for_something_else(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX.replace("    columns = ct.arange", "    ct = output\n    columns = ct.arange"))
    done = convert(path)
    assert done.returncode == 1
    assert "has no attribute `arange`" in done.stderr


def test_file_of_50_mb_is_refused_at_once_and_in_little_memory(tmp_path):
    path = tmp_path / "x.py"
    path.write_bytes((SOFTMAX.encode() * (50_000_000 // len(SOFTMAX) + 1))[:50_000_000])
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))  # noqa: E731
    done = convert(path, timeout=10, preexec_fn=limit if "asan" not in os.environ.get("TILEWRIGHT", "") else None)
    assert done.returncode == 2
    assert done.stderr == f"error[TW080]: cannot read `{path}`: it is larger than 32 MiB\n"


def test_endless_input_is_refused():
    done = tool.run("convert", "/dev/zero", "-o", "-", timeout=20)
    assert done.returncode == 2
    assert "it is larger than 32 MiB" in done.stderr


def test_missing_file_is_trouble_and_the_others_are_converted(tmp_path):
    (tmp_path / "x.py").write_text(SOFTMAX)
    done = tool.run("convert", tmp_path / "missing.py", tmp_path / "x.py")
    assert done.returncode == 2
    assert f"error[TW080]: cannot read `{tmp_path}/missing.py`: No such file or directory" in done.stderr
    assert (tmp_path / "x_triton.py").exists()


def without_rights(*words):
    """Runs the tool as a user whom the rights of files concern, also where the tests run as root."""
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] if os.geteuid() == 0 else []
    return subprocess.run([*drop, str(tool.executable()), *map(str, words)], capture_output=True, text=True)


@pytest.fixture
def open_path(tmp_path, monkeypatch):
    """tmp_path, and a copy of the tool, where every user may go."""
    for folder in [tmp_path, *list(tmp_path.parents)[:3]]:
        if os.access(folder, os.W_OK) and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o755)
    copy = tmp_path / "bin" / "tilewright"
    copy.parent.mkdir()
    copy.write_bytes(Path(tool.executable()).read_bytes())
    copy.chmod(0o755)
    monkeypatch.setattr(tool, "executable", lambda: copy)
    return tmp_path


def test_folder_without_rights_is_trouble_and_the_rest_is_read(open_path):
    closed = open_path / "pkg" / "closed"
    closed.mkdir(parents=True)
    (open_path / "pkg" / "host.py").write_text("x = 1\n")
    closed.chmod(0)
    done = without_rights("convert", open_path / "pkg", "--check")
    closed.chmod(0o755)
    assert done.returncode == 2
    assert f"error[TW080]: cannot read `{closed}`: Permission denied" in done.stderr
    assert f"{open_path}/pkg/host.py: no cuTile kernels" in done.stderr


def test_file_without_rights_is_trouble(open_path):
    path = open_path / "x.py"
    path.write_text(SOFTMAX)
    path.chmod(0)
    done = without_rights("convert", path)
    assert done.returncode == 2
    assert f"error[TW080]: cannot read `{path}`: Permission denied" in done.stderr


def test_output_that_cannot_be_written_is_trouble_and_stays_as_it_is(open_path):
    path = open_path / "x.py"
    path.write_text(SOFTMAX)
    (open_path / "x_triton.py").write_text(OLD)
    open_path.chmod(0o555)
    done = without_rights("convert", path)
    open_path.chmod(0o755)
    assert done.returncode == 2
    assert f"error[TW081]: cannot write `{open_path}/x_triton.py`: Permission denied" in done.stderr
    assert (open_path / "x_triton.py").read_text() == OLD


def test_full_disk_damages_no_result(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # noqa: E731
    (tmp_path / "x_triton.py").write_text(OLD)
    done = subprocess.run(["sh", "-c", f"trap '' XFSZ; exec {tool.executable()} convert {path}"], capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 2
    assert f"error[TW081]: cannot write `{tmp_path}/x_triton.py`: File too large" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.py", "x_triton.py"]
    assert (tmp_path / "x_triton.py").read_text() == OLD


def test_result_where_a_folder_is_cannot_be_written(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX)
    (tmp_path / "x_triton.py").mkdir()
    done = tool.run("convert", path)
    assert done.returncode == 2
    assert f"error[TW081]: cannot write `{tmp_path}/x_triton.py`: Is a directory" in done.stderr


def test_devices_are_written_into_and_never_replaced(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX)
    assert tool.run("convert", path, "-o", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()


def test_link_to_a_result_stays_a_link(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOFTMAX)
    (tmp_path / "real.py").write_text(OLD)
    (tmp_path / "x_triton.py").symlink_to("real.py")
    assert tool.run("convert", path).returncode == 0
    assert (tmp_path / "x_triton.py").is_symlink()
    assert "import triton" in (tmp_path / "real.py").read_text()


def test_ring_of_links_is_not_followed(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "again").symlink_to(tmp_path / "pkg")
    (tmp_path / "pkg" / "host.py").write_text("x = 1\n")
    (tmp_path / "pkg" / "gone.py").symlink_to("nowhere.py")
    done = tool.run("convert", tmp_path / "pkg", "--format", "json", timeout=10)
    assert [file["path"] for file in json.loads(done.stdout)["files"]] == [f"{tmp_path}/pkg/host.py"]


def test_name_that_is_no_utf8_still_gives_a_valid_document(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.py"
    Path(os.fsdecode(path)).write_text("x = (\n")
    done = subprocess.run([tool.executable(), "convert", path, "--format", "json"], capture_output=True)
    assert done.returncode == 1
    assert json.loads(done.stdout.decode())["files"][0]["path"].endswith("/\ufffd.py")


def test_style_that_cannot_be_read_is_a_warning(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.ruff\n")
    (tmp_path / "x.py").write_text("x = 1\n")
    done = tool.run("convert", "x.py", "-o", "-", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "x = 1\n")
    assert "warning[TW082]: cannot read `" in done.stderr
    assert "pyproject.toml`: line 1: expected `]`" in done.stderr
