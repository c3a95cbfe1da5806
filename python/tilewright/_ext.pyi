from collections.abc import Callable
from typing import Any

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
    """A file whose kernels the interpreter runs; tilewright.interpreter wraps it."""

    def __init__(self, path: str, text: str | bytes, names: Callable[[str, str], Any]) -> None:
        """`names(path, name)` is what the module of a file has under a name now; NotImplemented where there is no such module.

        A number, a text, a list of such, ("library", "cuda.tile.float16"), ("function", its name), None for anything else.
        """

    @property
    def paths(self) -> list[str]:
        """Of the files that were read."""

    def launch(
        self,
        kernel: str,
        line: int,
        arguments: list[Any],
        grid: list[int],  # three extents
        *,
        numbers: str,
        races: bool,
        threads: int,
        iterations: int,
    ) -> tuple[str, list[dict[str, Any]]] | None: ...
