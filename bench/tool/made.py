# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Python files of any length, one shape each: what grows in one may cost nothing in another."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "import cuda.tile as ct\nimport torch\n"
COPY = """

@ct.kernel
def copy(X, Y, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(Y, index=(i,), tile=ct.load(X, index=(i,), shape=(N,)))
"""


def examples(lines):
    """Our examples' kernels and hosts over and over, each time under another name."""
    sources = [(ROOT / "examples" / f"{name}_cutile.py").read_text() for name in ("softmax", "bmm", "attention")]
    names = set(re.findall(r"^(?:def )(\w+)", "\n".join(sources), re.M))
    head = "import math\n\nimport cuda.tile as ct\nimport torch\n\nConstInt = ct.Constant[int]\nConstBool = ct.Constant[bool]\nLOG2E = 1.4426950408889634\n"
    parts, count = [head], head.count("\n")
    bodies = [source[min(source.index("\n@ct.kernel"), source.index("\ndef ")) :] for source in sources]
    for copy in range(10**9):
        body = re.sub(rf"\b({'|'.join(names)})\b", rf"\g<1>_{copy}", bodies[copy % len(bodies)])
        parts.append("\n" + body)
        count += body.count("\n") + 1
        if count >= lines:
            return "".join(parts)


def kernels(lines):
    """Small kernels, each with a host function."""
    return HEAD + "".join(
        COPY.replace("copy", f"copy_{k}") + f"\n\ndef host_{k}(x, y):\n    ct.launch(torch.cuda.current_stream(), (1,), copy_{k}, (x, y, 128))\n" for k in range(lines // 11)
    )


def body(lines):
    """One kernel, one block: loads, sums and stores."""
    steps = "".join(
        f"    x_{k} = ct.load(X, index=(i + {k},), shape=(N,))\n    total = total + x_{k} * {k}.0\n    ct.store(Y, index=(i,), tile=total)\n" for k in range(lines // 3)
    )
    return HEAD + "\n\n@ct.kernel\ndef kernel(X, Y, N: ct.Constant[int]):\n    i = ct.bid(0)\n    total = ct.zeros((N,), ct.float32)\n" + steps + launched("kernel")


def branches(lines):
    """One kernel of loops and branches that assign the same names."""
    steps = "".join(
        f"    for j in range({k}, m):\n        x = ct.load(X, index=(j,), shape=(N,))\n        if j > i:\n            total = total + x\n            best = best + {k}\n"
        "        total = total * 2.0\n"
        for k in range(lines // 6)
    )
    head = "\n\n@ct.kernel\ndef kernel(X, Y, m, N: ct.Constant[int]):\n    i = ct.bid(0)\n    total = ct.zeros((N,), ct.float32)\n    best = 0\n"
    return HEAD + head + steps + "    ct.store(Y, index=(i,), tile=total + best)\n" + launched("kernel", "x, y, 7, 128")


def helpers(lines):
    """One kernel that calls helper after helper."""
    made = "".join(f"\n\ndef helper_{k}(x, scale):\n    y = x * scale\n    return y + {k}.0\n" for k in range(lines // 6))
    calls = "".join(f"    x = helper_{k}(x, {k}.0)\n" for k in range(lines // 6))
    head = "\n\n@ct.kernel\ndef kernel(X, Y, N: ct.Constant[int]):\n    x = ct.load(X, index=(ct.bid(0),), shape=(N,))\n"
    return HEAD + made + head + calls + "    ct.store(Y, index=(0,), tile=x)\n" + launched("kernel")


def hosts(lines):
    """One kernel, many host functions that launch it."""
    return HEAD + COPY + "".join(
        f"\n\ndef host_{k}(x, size):\n    y = torch.empty_like(x)\n    ct.launch(torch.cuda.current_stream(), (ct.cdiv(size, {k + 1}), 1, 1), copy, (x, y, {1 << k % 10}))\n"
        "    return y\n"
        for k in range(lines // 6)
    )


def launches(lines):
    """One host function with launch after launch."""
    steps = "".join(
        f"    y_{k} = torch.empty_like(x)\n    ct.launch(stream, (ct.cdiv(x.shape[0], {k + 1}),), copy, (x, y_{k}, 128))\n    x = y_{k} + {k}\n" for k in range(lines // 3)
    )
    return HEAD + COPY + "\n\ndef host(x):\n    stream = torch.cuda.current_stream()\n" + steps + "    return x\n"


def launched(kernel, arguments="x, y, 128"):
    return f"\n\ndef host(x, y):\n    ct.launch(torch.cuda.current_stream(), (1,), {kernel}, ({arguments}))\n"


SHAPES = {shape.__name__: shape for shape in (examples, kernels, body, branches, helpers, hosts, launches)}
