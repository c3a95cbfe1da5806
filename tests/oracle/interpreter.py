# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Triton's interpreter, mended where it departs from a GPU.

Version 3.6 passes float arguments on as Python's (a launch makes float32 of them), fails on bools, says of a comparison of scalars
that it is what was compared, takes NaN for the larger and the smaller of two numbers, multiplies in full where tf32 is asked for,
and truncates to bfloat16.
"""

import numpy as np
import torch

_FLOATS = {
    "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
    "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2,
}  # fmt: skip
_BITS = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}


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
    interpreter._convert_float = _converted
    builder = interpreter.InterpreterBuilder
    for name in dir(builder):
        if name.startswith(("create_icmp", "create_fcmp")):
            setattr(builder, name, _bool(getattr(builder, name), interpreter.TensorHandle, tl.int1))
    dot = builder.create_dot

    def truncated(tensor):
        return interpreter.TensorHandle((tensor.data.view(np.int32) & ~0x1FFF).view(np.float32), tensor.dtype)

    def create_dot(self, a, b, d, input_precision, max_num_imprecise_acc):
        if str(input_precision).endswith("TF32") and a.data.dtype == b.data.dtype == np.float32:
            a, b = truncated(a), truncated(b)
        return dot(self, a, b, d, input_precision, max_num_imprecise_acc)

    builder.create_dot = create_dot
    builder.create_minnumf = lambda self, x, y: self.binary_op(x, y, np.fmin)
    builder.create_maxnumf = lambda self, x, y: self.binary_op(x, y, np.fmax)


def _bool(compare, handle, type):
    return lambda self, x, y: handle(compare(self, x, y).data, type)


def _converted(data, source, target, _):
    """As bits; to the nearest even, to the largest number of a float of 8 bits where a GPU saturates."""
    bits = torch.from_numpy(data.copy().view(f"i{data.itemsize}" if data.itemsize > 1 else "u1"))
    value, limit = bits.view(_FLOATS[source.name]).to(torch.float64), torch.finfo(_FLOATS[target.name]).max
    if target.primitive_bitwidth == 8:
        value = value.clamp(-limit, limit)
    return value.to(_FLOATS[target.name]).view(_BITS[target.primitive_bitwidth]).numpy()
