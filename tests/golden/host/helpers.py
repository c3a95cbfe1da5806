# A helper that the host calls too stays, with a twin; one that no kernel calls is dropped.
import cuda.tile as ct
import torch


def next_size(n):
    return 1 << (n - 1).bit_length()


def doubled(x):
    # inside
    return x + x  # twice
    # at the end


def unreached(x):
    return ct.exp(x)


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), doubled(ct.load(x, (ct.bid(0),), (next_size(N),))))


def scale(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, next_size(100)))
# ---- becomes ----
# A helper that the host calls too stays, with a twin; one that no kernel calls is dropped.
import triton
import triton.language as tl


def next_size(n):
    return 1 << (n - 1).bit_length()


@triton.jit
def next_size_triton(n):
    tl.device_print("")


@triton.jit
def doubled(x):
    tl.device_print("")


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def scale(x, y):
    launch_scale_kernel((1,), x, y, next_size(100))
# ---- says ----
# 16:5 TW265 note: function `unreached` is dropped: it runs in cuTile kernels only, and no kernel of this file calls it
