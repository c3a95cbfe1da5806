# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Triton's interpreter, mended where it departs from a GPU.

Version 3.6 passes float arguments on as Python's (a launch makes float32 of them), fails on bools, says of a comparison of scalars
that it is what was compared, and takes NaN for the larger and the smaller of two numbers.
"""

import numpy as np


def mend():
    import triton.language as tl
    from triton.runtime import interpreter

    convert = interpreter._implicit_cvt

    def argument(value):
        for kind, dtype, type in ((bool, np.bool_, tl.int1), (float, np.float32, tl.float32)):
            if isinstance(value, kind):
                return tl.tensor(interpreter.TensorHandle(np.array([value], dtype=dtype), type), type)
        return convert(value)

    interpreter._implicit_cvt = argument
    builder = interpreter.InterpreterBuilder
    for name in dir(builder):
        if name.startswith(("create_icmp", "create_fcmp")):
            setattr(builder, name, _bool(getattr(builder, name), interpreter.TensorHandle, tl.int1))
    builder.create_minnumf = lambda self, x, y: self.binary_op(x, y, np.fmin)
    builder.create_maxnumf = lambda self, x, y: self.binary_op(x, y, np.fmax)


def _bool(compare, handle, type):
    return lambda self, x, y: handle(compare(self, x, y).data, type)
