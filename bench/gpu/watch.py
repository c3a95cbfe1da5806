# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Which kernels a call launches, in which of the two languages, and what exactly failed.

Without it a result says little: a module that converted partly may answer with cuTile's kernels alone, an illegal access shows
up wherever the host next waits, and Triton wraps the line at fault in several exceptions.
"""

import functools
import linecache
import os
import sys
import traceback

launched = []  # (language, kernel), in order
trace = sys.stderr  # where each launch is announced: the last one shows in the log of a process that hung or died
_current = []  # the launch under way, or the one that failed


def _watched(language, name, launch):
    """Launch, and wait for the kernel, so that a fault is its own."""
    import torch

    _current[:] = [(language, name)]
    print(f"launch {language} {name}", file=trace, flush=True)
    result = launch()
    torch.cuda.synchronize()
    launched.append((language, name))
    _current.clear()
    return result


@functools.cache
def install():
    """Once per process, before host code is imported."""
    import cuda.tile as ct
    from triton.runtime.jit import JITFunction

    run, launch = JITFunction.run, ct.launch

    def watched_run(kernel, *args, **kwargs):
        return _watched("triton", kernel.fn.__name__, lambda: run(kernel, *args, **kwargs))

    def watched_launch(stream, grid, kernel, *args, **kwargs):
        name = getattr(getattr(kernel, "_pyfunc", None), "__name__", str(kernel))
        return _watched("cutile", name, lambda: launch(stream, grid, kernel, *args, **kwargs))

    JITFunction.run, ct.launch = watched_run, watched_launch


def names(since=0):
    """Language → the kernels launched since, each once, in order of the first launch."""
    found = {}
    for language, name in dict.fromkeys(launched[since:]):
        found.setdefault(language, []).append(name)
    return found


def _chain(error):
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return seen


def _first_lines(text, count=3, width=300):
    lines = [line.strip() for line in str(text).strip().splitlines() if line.strip()]
    kept = lines[:count] + ([lines[-1]] if len(lines) > count else [])
    return " | ".join(kept)[:width]


def explained(error, folders=(), log=None):
    """What an exception says, for a row: "error" (its type), "kernel", "place" (the line at fault) and a "message" of one line.

    `folders` hold the host code that is worth naming as a place; `log` is a file and an offset: what compilers wrote since.
    """
    chain = _chain(error)
    result = {"error": type(chain[0]).__name__}
    if _current:
        result["kernel"] = ":".join(_current[0])
    compilation = [e for e in chain if getattr(e, "node", None) is not None and hasattr(e, "error_message")]
    if compilation:
        inner = compilation[-1]
        lines = [
            (e.src or "").splitlines()[e.node.lineno - 1 : e.node.lineno] for e in compilation
        ]  # of the kernel, of what it calls, …
        result["place"] = " → ".join(dict.fromkeys(line[0].strip() for line in lines if line))
        cause = chain[chain.index(inner) + 1] if chain.index(inner) + 1 < len(chain) else None
        text = _first_lines(inner.error_message or (f"{type(cause).__name__}: {cause}" if cause else inner))
    else:
        frames = [
            f
            for f in traceback.extract_tb(chain[-1].__traceback__) + traceback.extract_tb(error.__traceback__)
            if any(f.filename.startswith(str(folder)) for folder in folders)
        ]
        if frames:
            last = frames[-1]
            result["place"] = (
                f"{os.path.basename(last.filename)}:{last.lineno}: {linecache.getline(last.filename, last.lineno).strip()}"
            )
        text = _first_lines(chain[0])
        if len(chain) > 1 and str(chain[-1]) not in text:
            text += f" (from {type(chain[-1]).__name__}: {_first_lines(chain[-1], 2, 200)})"
    if log and (said := _said(*log)):
        text += f" [{said}]"
    where = f" at `{result['place']}`" if result.get("place") else ""
    result["message"] = f"{result['error']}{' in ' + result['kernel'] if 'kernel' in result else ''}: {text}{where}"[
        :900
    ]
    return result


def _said(file, since):
    """What a compiler printed as an error: MLIR's passes say it there and raise without it."""
    try:
        with open(file, errors="replace") as text:
            text.seek(since)
            lines = [line.strip() for line in text if "error:" in line]
    except OSError:
        return ""
    return " | ".join(dict.fromkeys(line[-200:] for line in lines[:3]))


def last_words(log):
    """What the log of a process that ended says: the last launch, the last lines, the innermost frames."""
    lines = [line for line in log.splitlines() if line.strip()]
    frames = [line.strip() for line in lines if line.startswith("  File")]
    launches = [line for line in lines if line.startswith("launch ")]
    other = [line for line in lines if not line.startswith(("launch ", "  File", "Extension modules"))]
    return " | ".join([*launches[-1:], *other[-6:], *frames[:3]])[-900:]
