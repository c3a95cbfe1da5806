# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The Tilewright compiler for Python callers.

    import tilewright
    result = tilewright.convert(open("bmm.py").read(), path="bmm.py")
    result["status"], result["text"], result["diagnostics"]
"""

from tilewright._ext import convert, version

__version__ = version()
__all__ = ["convert", "version"]
