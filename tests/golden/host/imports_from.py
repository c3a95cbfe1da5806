# Names imported one by one go one by one; what only device code needed goes too.
import math
import os

import torch
from cuda.tile import (
    Constant,
    RoundingMode as RMd,
    bid,
    cdiv,
    kernel,
    launch,
    load,
    store,
)
from mypackage import Registry  # used below
from mypackage import unused_before

registry = Registry(os.getcwd())


@kernel
def scale_kernel(x, y, N: Constant[int]):
    store(y, (bid(0),), load(x, (bid(0),), (N,)) * math.pi)


def scale(x, y):
    launch(torch.cuda.current_stream(), (cdiv(x.numel(), 128),), scale_kernel, (x, y, 128))
# ---- becomes ----
# Names imported one by one go one by one; what only device code needed goes too.
import os

import triton
import triton.language as tl
from mypackage import Registry  # used below
from mypackage import unused_before

registry = Registry(os.getcwd())


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def scale(x, y):
    launch_scale_kernel((triton.cdiv(x.numel(), 128),), x, y, 128)
# ---- says ----
