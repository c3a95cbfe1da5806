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

    def __init__(self, path: str, text: str | bytes) -> None: ...
    def launch(
        self,
        kernel: str,
        line: int,
        arguments: list[Any],
        grid: list[int],
        *,
        constants: dict[str, bool | int | float],
        numbers: str,
        races: bool,
        threads: int,
        iterations: int,
    ) -> tuple[str, list[dict[str, Any]]] | None: ...
