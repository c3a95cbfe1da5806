# A launch of a kernel by its name calls the kernel's launch function; the current stream needs no words.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x):
    y = torch.empty_like(x)
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), 128),), scale_kernel, (x, y, 128))
    return y
# ---- becomes ----
# A launch of a kernel by its name calls the kernel's launch function; the current stream needs no words.
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def scale(x):
    y = torch.empty_like(x)
    launch_scale_kernel((triton.cdiv(x.numel(), 128),), x, y, 128)
    return y
# ---- says ----
