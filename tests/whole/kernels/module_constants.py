# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Constants, aliases of annotations, dtypes and modes that live at module level."""

import math

import cuda.tile as ct
import torch
from cuda.tile import PaddingMode
from cuda.tile import RoundingMode as RMd

ConstInt = ct.Constant[int]
LOG2_E = 1.0 / math.log(2)
ZERO = PaddingMode.ZERO
DTYPE = ct.float32
LIMITS = (-1.0, 1.0)


@ct.kernel
def use_constants(x, out, N: ConstInt):
    t = ct.load(x, (0,), (N,), padding_mode=ZERO).astype(DTYPE)
    t = ct.minimum(ct.maximum(t, LIMITS[0]), LIMITS[1])
    t = ct.exp2(t * LOG2_E)
    ct.store(out, (0,), ct.truediv(t, math.pi, rounding_mode=RMd.FULL))


def cases():
    x, out = torch.randn(13).half(), torch.zeros(16)
    ct.launch(torch.cuda.current_stream(), (1,), use_constants, (x, out, 16))
    padded = torch.zeros(16, dtype=torch.float64)
    padded[:13] = x
    yield "all", out, padded.clamp(-1, 1).exp() / math.pi, 1e-6
