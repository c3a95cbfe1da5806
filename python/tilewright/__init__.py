# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The Tilewright compiler for Python callers.

    import tilewright
    result = tilewright.convert(open("bmm.py").read(), path="bmm.py")
    result["status"], result["text"], result["diagnostics"]

    tilewright.interpret(kernel, grid, arguments)      # tilewright.interpreter says more
"""

from tilewright import algebra
from tilewright._ext import convert, version
from tilewright.interpreter import KernelError, NotApplicable, interpret, on_cpu

__version__ = version()
__all__ = ["KernelError", "NotApplicable", "algebra", "convert", "interpret", "on_cpu", "version"]
