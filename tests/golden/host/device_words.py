# Device operations in a function that launches are a mistake of the file, named where they stand.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
    return ct.exp(y)
# ---- becomes ----
# Device operations in a function that launches are a mistake of the file, named where they stand.
import cuda.tile as ct
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def run(x, y):
    launch_scale_kernel((1,), x, y, 128)
    return ct.exp(y)
# ---- says ----
# 13:12 TW250 error: `ct.exp` has no counterpart in Triton's host code
