# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Our parser and CPython side by side, each a server in a process of its own (tree_main.cc, reference.py, reference_wasm.py)."""
import functools
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
OLDEST, NEWEST = 8, 14  # the minor versions whose grammar we know


class Server:
    def __init__(self, command, minor):
        self.minor = minor
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, mode, text):
        self.process.stdin.write(b"%d %s %d\n" % (self.minor, mode.encode(), len(text)) + text)
        self.process.stdin.flush()

    def receive(self):
        head = self.process.stdout.readline().split()
        assert head, f"the server has ended: {self.process.args}"
        return head[0] == b"ok", self.process.stdout.read(int(head[1]))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def our_server(minor):
    found = [os.environ["TILEWRIGHT_TREE"]] if "TILEWRIGHT_TREE" in os.environ else glob.glob(str(ROOT / "build/**/tilewright_tree"), recursive=True)
    assert found, "build the parser's server first: cmake --build build/dev --target tilewright_tree"
    return Server([max(found, key=os.path.getmtime)], minor)


@functools.cache
def pythons():
    """Minor version → the command of its server, for every CPython on this machine whose grammar we know."""
    names = [sys.executable]
    names += [shutil.which(f"python3.{minor}") for minor in range(OLDEST, NEWEST + 1)]
    pyenv = os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv"
    names += sorted(glob.glob(f"{pyenv}/versions/3.*/bin/python3"))
    found = {}
    with_wasm = None
    for name in dict.fromkeys(filter(None, names)):
        ask = "import sys, importlib.util as u; print(sys.implementation.name, sys.version_info[1], bool(u.find_spec('eryx')))"
        done = subprocess.run([name, "-c", ask], text=True, capture_output=True)
        if done.returncode != 0 or not done.stdout.startswith("cpython"):
            continue
        _, minor, wasm = done.stdout.split()
        found.setdefault(int(minor), [name, HERE / "reference.py"])
        if wasm == "True" and int(minor) >= 12:
            with_wasm = name
    if with_wasm:
        found.setdefault(14, [with_wasm, HERE / "reference_wasm.py"])
    return {minor: found[minor] for minor in sorted(found) if OLDEST <= minor <= NEWEST}


def newest():
    """The newest CPython that runs as a program of this machine (WebAssembly is ten times slower)."""
    return max(minor for minor, command in pythons().items() if command[1].name == "reference.py")


class Pair:
    """Asks both, at the same time."""

    def __init__(self, minor):
        self.minor = minor
        self.ours, self.reference = our_server(minor), Server(pythons()[minor], minor)

    def ask(self, mode, text):
        self.ours.send(mode, text)
        self.reference.send(mode, text)
        return self.ours.receive(), self.reference.receive()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ours.close()
        self.reference.close()

    def tree_mode(self):
        """Before 3.12 CPython gave wrong places inside f-strings, before 3.9 it had other nodes in an index."""
        return "places" if self.minor >= 12 else "tree" if self.minor >= 9 else None

    def disagreement(self, text):
        """A line for each thing about which we disagree with CPython; empty if there is none."""
        ours, theirs = self.ask("verdict", text)
        if ours[0] != theirs[0]:
            if not ours[0] and b"is not supported: save the file as UTF-8" in ours[1]:
                return ""  # CPython reads many encodings, we read three
            return f"{'accepted' if ours[0] else 'refused'} by us, not by Python 3.{self.minor}: {(ours[1] or theirs[1]).decode(errors='replace')[:300]}"
        if not ours[0] or not self.tree_mode():
            return ""
        ours, theirs = self.ask(self.tree_mode(), text)
        if ours == theirs or not theirs[0]:
            return ""
        if self.minor == 12 and theirs[1].count(b"Constant(value=''") > ours[1].count(b"Constant(value=''"):
            return ""  # early 3.12 left empty texts in format specs
        if same_but_for_unicode(ours[1], theirs[1]):
            return ""
        a, b = ours[1], theirs[1]
        at = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
        return f"another tree than Python 3.{self.minor}:\n    ours   {a[max(0, at - 100):at + 60]}\n    theirs {b[max(0, at - 100):at + 60]}"


def same_but_for_unicode(a, b):
    """Whether a character is printable depends on the version of Unicode, and so does whether repr shows it or its number."""

    def plain(dump):
        text = dump.decode("utf-8", "surrogatepass")
        return "".join(c if c < "\x7f" else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text)

    return plain(a) == plain(b)


def read_line(line):
    """A line of snippets.txt or versions.txt as the program that it stands for."""
    return re.sub("⟦([0-9A-F]+)⟧", lambda match: chr(int(match[1], 16)), line.replace("⏎", "\n")).encode()


def snippets():
    return [read_line(line) for line in (HERE / "snippets.txt").read_text().split("\n") if line]


def corpus(minor):
    """The standard library of that Python with its tests, and what of torch, triton and tilegym is installed."""
    python = pythons()[minor][0]
    ask = "import sysconfig; print(sysconfig.get_path('stdlib'))"
    folders = [subprocess.run([python, "-c", ask], text=True, capture_output=True, check=True).stdout.strip()]
    for name in ("torch", "triton"):
        spec = importlib.util.find_spec(name)
        folders += spec.submodule_search_locations if spec else []
    files = []
    for folder in folders:
        files += sorted(pathlib.Path(folder).rglob("*.py"))
    files = [path for path in files if "site-packages" not in path.parts or any(name in path.parts for name in ("torch", "triton"))]
    if importlib.util.find_spec("tilegym"):
        from oracle import tilegym_files

        files += tilegym_files.open_files()
    return [path for path in files if path.is_file() and path.stat().st_size < 4_000_000]
