# Aliases of cuTile objects go, with a comment that they have for themselves; constants of device code become constexpr.
import math

import cuda.tile as ct
import torch

# Types of parameters
ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]

PAD_ZERO = ct.PaddingMode.ZERO
LOG2E = 1.0 / math.log(2)  # device only
TILE: int = 128
SIZES = (64, 128)
# of both
LN2, LN10 = math.log(2), math.log(10)
EPS = 1e-6
ACC = ct.float32


@ct.kernel
def scale_kernel(x, y, N: ConstInt, FLAG: ConstBool):
    t = ct.load(x, (ct.bid(0),), (N,), padding_mode=PAD_ZERO).astype(ACC) * LOG2E * LN2 + EPS + TILE
    ct.store(y, (ct.bid(0),), t)


def scale(x, y):
    print(EPS, SIZES)
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128, True))
# ---- becomes ----
# Aliases of cuTile objects go, with a comment that they have for themselves; constants of device code become constexpr.
import math

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.0 / math.log(2))  # device only
TILE = tl.constexpr(128)
SIZES = (64, 128)
# of both
LN2, LN10 = math.log(2), math.log(10)
LN2_CONSTEXPR = tl.constexpr(LN2)
EPS = 1e-6
EPS_CONSTEXPR = tl.constexpr(EPS)


@triton.jit
def scale_kernel(x, y, N, FLAG):
    tl.device_print("")
    tl.device_print("", EPS_CONSTEXPR)
    tl.device_print("", LN2_CONSTEXPR)
    tl.device_print("", LOG2E)
    tl.device_print("", TILE)


def launch_scale_kernel(grid, x, y, N, FLAG):
    scale_kernel[grid](x, y, N, FLAG)


def scale(x, y):
    print(EPS, SIZES)
    launch_scale_kernel((1,), x, y, 128, True)
# ---- says ----
