from typing import Any

def version() -> str: ...
def convert(
    text: str | bytes,
    path: str = "<text>",
    *,
    numerics: str = "default",
    gpus: list[str] = ...,
    autotune: bool = True,
    line_width: int = 100,
) -> dict[str, Any]:
    """Converts one cuTile file; nothing is read or written.

    Returns the file's entry of `tilewright convert --format json` (docs/convert.schema.json) with one more key, `text`: the
    converted file, or None where nothing could be converted.
    """
