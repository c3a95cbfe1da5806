# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Which files are read and written, by which name, and that the result does not depend on how it was asked for."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from oracle import tilegym_files, tool

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*_cutile.py"))
SOFTMAX = (ROOT / "examples" / "softmax_cutile.py").read_text()
HOST_ONLY = "import math\n\nprint(math.pi)\n"
# Refused whatever is supported: real cuTile refuses it too.
REFUSED = SOFTMAX.replace("ct.bid(0)", "ct.bid(7)")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pkg" / "deep").mkdir(parents=True)
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "softmax.py").write_text(SOFTMAX)
    (tmp_path / "pkg" / "deep" / "softmax.py").write_text(SOFTMAX)
    (tmp_path / "pkg" / "host.py").write_text(HOST_ONLY)
    (tmp_path / "pkg" / "notes.txt").write_text("import cuda.tile as ct\n")
    for skipped in (".venv", "__pycache__"):
        (tmp_path / "pkg" / skipped).mkdir()
        (tmp_path / "pkg" / skipped / "softmax.py").write_text(SOFTMAX)
    return tmp_path


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def new_files(folder, before):
    return sorted(set(tree(folder)) - set(before))


def helpers(count):
    """A file of helpers and a kernel that calls them all."""
    each = (
        "\n\ndef helper_{0}(x):  # number {0}\n    '''Words.'''\n    # doubles\n    y = x * 2.0  # twice\n\n    return y + x * y - 1.0\n"
    )
    made = "".join(each.format(number) for number in range(count))
    calls = "".join(f"    x = helper_{number}(x)\n" for number in range(count))
    load = "    x = ct.load(X, index=(ct.bid(0),), shape=(N,))\n"
    store = "    ct.store(Y, index=(ct.bid(0),), tile=x)\n"
    launch = "\n\ndef host(x, y):\n    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y, 128))\n"
    kernel = "\n\n@ct.kernel\ndef kernel(X, Y, N: ct.Constant[int]):\n"
    return "import cuda.tile as ct\nimport torch\n" + made + kernel + load + calls + store + launch


def test_a_long_file_is_converted_as_a_short_one(tmp_path):
    """The trees of long files are not kept while their functions are printed."""
    texts = {}
    for count in 2, 9000:
        text = helpers(count)
        assert (len(text) > 1 << 20) == (count > 2)
        (tmp_path / "file.py").write_text(text)
        assert tool.run("convert", "file.py", cwd=tmp_path).returncode == 0
        texts[count] = (tmp_path / "file_triton.py").read_text().split("\n\n\n")
    start, first, _, *rest = texts[2]
    assert "# number 0" in first and "# doubles" in first and "# twice" in first
    same = [first.replace("helper_0", f"helper_{number}").replace("number 0", f"number {number}") for number in range(9000)]
    assert texts[9000][: 9000 + 1] == [start, *same]
    assert texts[9000][9000 + 2 :] == rest[1:]  # behind the kernel


def test_result_goes_beside_the_input(folder):
    before = tree(folder)
    done = tool.run("convert", "pkg/softmax.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert "pkg/softmax.py: converted to pkg/softmax_triton.py (1 kernel)\n" in done.stderr
    assert new_files(folder, before) == ["pkg/softmax_triton.py"]
    assert "import triton" in (folder / "pkg/softmax_triton.py").read_text()
    assert {name: data for name, data in tree(folder).items() if name in before} == before


def test_every_way_to_name_the_output_gives_the_same_bytes(folder):
    expected = tool.run("convert", "pkg/softmax.py", "-o", "-", cwd=folder).stdout
    assert "@triton.jit" in expected
    assert tool.run("convert", "-", cwd=folder, input=SOFTMAX).stdout == expected
    tool.run("convert", "pkg/softmax.py", "-o", "one.py", cwd=folder)
    assert (folder / "one.py").read_text() == expected
    tool.run("convert", "pkg/softmax.py", "-o", "new/", cwd=folder)
    assert (folder / "new/softmax.py").read_text() == expected
    tool.run("convert", "pkg/softmax.py", "--in-place", cwd=folder)
    assert (folder / "pkg/softmax.py").read_text() == expected


def test_folder_is_mirrored_with_the_files_that_have_no_kernels(folder):
    before = tree(folder)
    done = tool.run("convert", "pkg", "-o", "out", cwd=folder)
    assert done.returncode == 0
    assert new_files(folder, before) == ["out/__init__.py", "out/deep/softmax.py", "out/host.py", "out/softmax.py"]
    assert (folder / "out/host.py").read_text() == HOST_ONLY


def test_folder_without_output_gets_results_only_where_kernels_are(folder):
    before = tree(folder)
    assert tool.run("convert", "pkg", cwd=folder).returncode == 0
    assert new_files(folder, before) == ["pkg/deep/softmax_triton.py", "pkg/softmax_triton.py"]
    # and a second run converts no results
    assert tool.run("convert", "pkg", cwd=folder).returncode == 0
    assert new_files(folder, before) == ["pkg/deep/softmax_triton.py", "pkg/softmax_triton.py"]


def test_output_folder_inside_the_input_is_not_converted_again(folder):
    for _ in range(2):
        assert tool.run("convert", "pkg", "-o", "pkg/out", cwd=folder).returncode == 0
    assert not (folder / "pkg/out/out").exists()


def test_an_input_is_never_overwritten_by_accident(folder):
    before = tree(folder)
    done = tool.run("convert", "pkg/softmax.py", "-o", "pkg/../pkg/softmax.py", cwd=folder)
    assert done.returncode == 2
    assert "is an input; `--in-place` changes files where they are" in done.stderr
    assert tree(folder) == before


def test_two_results_never_share_a_place(folder):
    done = tool.run("convert", "pkg/softmax.py", "pkg/deep/softmax.py", "-o", "out/", cwd=folder)
    assert done.returncode == 2
    assert "would both be written to `out/softmax.py`" in done.stderr
    assert not (folder / "out").exists()


def test_several_files_need_a_folder(folder):
    done = tool.run("convert", "pkg", "-o", "-", cwd=folder)
    assert (done.returncode, done.stderr) == (2, "tilewright: standard output takes the result of one file\n")
    done = tool.run("convert", "pkg", "-o", "pkg/host.py", cwd=folder)
    assert done.returncode == 2
    assert "`pkg/host.py` is a file" in done.stderr


def test_file_that_is_named_twice_is_converted_once(folder):
    done = tool.run("convert", "pkg/softmax.py", "pkg", "./pkg/softmax.py", "--format", "json", cwd=folder)
    paths = [file["path"] for file in json.loads(done.stdout)["files"]]
    assert paths == ["pkg/softmax.py", "pkg/__init__.py", "pkg/deep/softmax.py", "pkg/host.py"]


def test_check_writes_nothing_and_tells_stale_results(folder):
    before = tree(folder)
    assert tool.run("convert", "pkg/softmax.py", "--check", cwd=folder).returncode == 1
    assert tree(folder) == before
    tool.run("convert", "pkg/softmax.py", cwd=folder)
    assert tool.run("convert", "pkg/softmax.py", "--check", cwd=folder).returncode == 0
    (folder / "pkg/softmax_triton.py").write_text("stale")
    assert tool.run("convert", "pkg/softmax.py", "--check", cwd=folder).returncode == 1
    assert (folder / "pkg/softmax_triton.py").read_text() == "stale"
    assert tool.run("convert", "pkg/host.py", "--check", cwd=folder).returncode == 0


def test_diff_writes_nothing_and_patch_makes_the_result_of_it(folder):
    before = tree(folder)
    done = tool.run("convert", "pkg/softmax.py", "--diff", cwd=folder)
    assert done.returncode == 1
    assert tree(folder) == before
    assert done.stdout.startswith("--- pkg/softmax.py\n+++ pkg/softmax_triton.py\n@@ ")
    subprocess.run(["patch", "-s", "pkg/softmax.py"], input=done.stdout, text=True, check=True, cwd=folder)
    assert (folder / "pkg/softmax.py").read_text() == tool.run("convert", "-", input=SOFTMAX).stdout
    done = tool.run("convert", "pkg/host.py", "--diff", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")


def test_result_that_is_up_to_date_is_not_touched(folder):
    tool.run("convert", "pkg/softmax.py", cwd=folder)
    result = folder / "pkg/softmax_triton.py"
    os.utime(result, (1, 1))
    tool.run("convert", "pkg/softmax.py", cwd=folder)
    assert result.stat().st_mtime == 1


def test_rights_of_a_file_survive_conversion_in_place(folder):
    path = folder / "pkg/softmax.py"
    path.chmod(0o750)
    tool.run("convert", path, "--in-place")
    assert path.stat().st_mode & 0o777 == 0o750
    assert "import triton" in path.read_text()


def test_refused_file_writes_nothing_and_ends_with_1(folder):
    (folder / "refused.py").write_text(REFUSED)
    (folder / "refused_triton.py").write_text("by hand\n")
    done = tool.run("convert", "refused.py", cwd=folder)
    assert done.returncode == 1
    assert "refused.py: refused" in done.stderr
    assert "error[TW" in done.stderr
    assert (folder / "refused_triton.py").read_text() == "by hand\n"


def test_worst_file_decides_the_exit_status(folder):
    (folder / "refused.py").write_text(REFUSED)
    assert tool.run("convert", "refused.py", "pkg/softmax.py", cwd=folder).returncode == 1
    assert tool.run("convert", "refused.py", "pkg/softmax.py", "missing.py", cwd=folder).returncode == 2
    assert (folder / "pkg/softmax_triton.py").exists()


def many(folder, count=40):
    for i in range(count):
        path = folder / "many" / f"d{i % 3}" / f"k{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text([EXAMPLES[0].read_text(), SOFTMAX, HOST_ONLY, "def broken(:\n", REFUSED][i % 5])


def test_same_input_gives_the_same_bytes_with_any_number_of_jobs_and_twice(folder):
    many(folder)
    seen = set()
    for jobs in ([], [], ["--jobs", "1"], ["--jobs", "1"], ["--jobs", "7"]):
        out = folder / "out"
        done = tool.run("convert", "many", "-o", out, *jobs, cwd=folder)
        document = tool.run("convert", "many", "-o", out, "--format", "json", *jobs, cwd=folder)
        seen.add((done.returncode, done.stderr, document.stdout, json.dumps({k: v.decode() for k, v in tree(out).items()})))
        subprocess.run(["rm", "-r", out], check=True)
    assert len(seen) == 1
    assert next(iter(seen))[0] == 1


def test_open_files_give_the_same_bytes_with_one_core_and_with_all_and_twice():
    files = list(tilegym_files.open_files())
    seen = set()
    for jobs in ([], [], ["--jobs", "1"], ["--jobs", "1"], ["--jobs", "7"]):
        done = tool.run("convert", *files, "--diff", *jobs)
        document = tool.run("convert", *files, "--check", "--format", "json", *jobs)
        seen.add((done.returncode, done.stdout, done.stderr, document.stdout))
    assert len(seen) == 1
    assert next(iter(seen))[1].count("+@triton.jit") > len(files)


def on_terminal(*words, environment=None, cwd=None):
    """What a terminal on standard error gets to see."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen([tool.executable(), *map(str, words)], stdout=subprocess.DEVNULL, stderr=secondary, cwd=cwd,
                               env={"PATH": os.environ["PATH"], "TERM": "xterm", **(environment or {})})  # fmt: skip
    os.close(secondary)
    seen = b""
    while True:
        try:
            chunk = os.read(primary, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    os.close(primary)
    process.wait()
    return seen


def test_colour_only_on_a_terminal_that_wants_it(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def f(:\n")
    assert b"\x1b[1;31merror" in on_terminal("convert", path)
    assert b"\x1b" not in on_terminal("convert", path, environment={"NO_COLOR": "1"})
    assert b"\x1b" in on_terminal("convert", path, environment={"NO_COLOR": ""})
    assert b"\x1b" not in on_terminal("convert", path, environment={"TERM": "dumb"})
    assert "\x1b" not in tool.run("convert", path).stderr


def test_progress_is_shown_on_a_terminal_when_it_takes_long(tmp_path):
    os.mkfifo(tmp_path / "slow.py")
    writer = subprocess.Popen(["sh", "-c", f"sleep 1.6; cat {ROOT / 'examples' / 'softmax_cutile.py'} > {tmp_path / 'slow.py'}"])
    seen = on_terminal("convert", tmp_path / "slow.py", "-o", tmp_path / "out.py")
    writer.wait()
    assert b"\r0 of 1 file" in seen
    assert b"\r\x1b[K" in seen
    (tmp_path / "fast.py").write_text(HOST_ONLY)
    assert b"of 1 file" not in on_terminal("convert", tmp_path / "fast.py")
