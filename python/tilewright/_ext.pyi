from collections.abc import Callable
from typing import Any

MOST_PROGRAMS: tuple[int, int, int]  # along each axis of a grid of cuTile's

def version() -> str: ...
def convert(
    text: str | bytes,
    path: str = "<text>",
    *,
    numerics: str = "default",
    line_width: int = 100,
) -> dict[str, Any]:
    """Converts one cuTile file. Nothing is written, and nothing read but modules of its package that it imports helpers from.

    Returns the file's entry of `tilewright convert --format json` (docs/convert.schema.json) with one more key, `text`: the
    converted file, or None where nothing could be converted.
    """

class Runnable:
    """A kernel of a file, which the interpreter runs; tilewright.interpreter wraps it."""

    def __init__(self, path: str, text: str | bytes, kernel: str, line: int, names: Callable[[str | int, str], Any], dialect: str = "cutile",
        texts: dict[str, str] = {},
    ) -> None:
        """The function of this name that begins, decorators included, at this line; of "cutile" or of "triton". `texts` are passed to
        parameters of these names by all launches.

        `names(path, name)` is what the module of a file has under a name now; NotImplemented where there is no such module.
        `names(number, name)` is what a function reads under a name of the functions around it, 0 being the kernel; NotImplemented
        where it reads none. What is: a number, a text, a list of such, ("library", "cuda.tile.float16"), None for anything else, or
        ("function", its name, its line in the kernel's file or 0, its number).
        """

    @property
    def paths(self) -> list[str]:
        """Of the files that were read."""

    def launch(
        self,
        arguments: list[Any],
        grid: list[int],  # three extents
        *,
        numbers: str,
        races: bool,
        threads: int,
        iterations: int,
        line: int,
        program: list[int],
    ) -> tuple[tuple[str, list[dict[str, Any]]] | None, str]:
        """What went wrong, and the text of what that program of the grid calculates on that line of the file (0 for none)."""
    def launch_in_algebra(
        self,
        arguments: list[Any],
        grid: list[int],
        *,
        seed: int,
        races: bool,
        threads: int,
        iterations: int,
        line: int,
        program: list[int],
    ) -> tuple[tuple[str, list[dict[str, Any]]] | None, str, list[list[tuple[bytes, bytes, bytes, bytes]]]]:
        """As of `launch`, and for each argument what its arrays would have become: numbers, values, errors, elements."""
