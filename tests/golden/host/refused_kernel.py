# A refused kernel stays, with the host code that launches it and the names that it needs; others are converted.
# refused: refused_kernel
import cuda.tile as ct
import torch

ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]


def tile_of(x, N):
    """Both kernels call it."""
    return ct.load(x, (ct.bid(0),), (N,))


@ct.kernel
def refused_kernel(x, y, N: ConstInt):
    ct.store(y, (ct.bid(0),), tile_of(x, N))


@ct.kernel
def scale_kernel(x, y, N: ConstInt, FLAG: ConstBool):
    ct.store(y, (ct.bid(0),), tile_of(x, N))


def run_refused(x, y):
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), 128),), refused_kernel, (x, y, 128))


def run_scale(x, y):
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), 128),), scale_kernel, (x, y, 128, True))
# ---- becomes ----
# A refused kernel stays, with the host code that launches it and the names that it needs; others are converted.
# refused: refused_kernel
import cuda.tile as ct
import torch
import triton
import triton.language as tl

ConstInt = ct.Constant[int]


def tile_of(x, N):
    """Both kernels call it."""
    return ct.load(x, (ct.bid(0),), (N,))


@triton.jit
def tile_of_triton(x, N):
    tl.device_print("")


@ct.kernel
def refused_kernel(x, y, N: ConstInt):
    ct.store(y, (ct.bid(0),), tile_of(x, N))


@triton.jit
def scale_kernel(x, y, N, FLAG):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N, FLAG):
    scale_kernel[grid](x, y, N, FLAG)


def run_refused(x, y):
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), 128),), refused_kernel, (x, y, 128))


def run_scale(x, y):
    launch_scale_kernel((triton.cdiv(x.numel(), 128),), x, y, 128, True)
# ---- says ----
