# A launch that can't be read stays, with the kernels that may come to it; `launch` handed on keeps all of them.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def free_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y, stream):
    arguments = (stream, (1,), scale_kernel, (x, y, 128))
    ct.launch(*arguments)
    ct.launch(stream, (1,), free_kernel, (x, y, 128))
# ---- becomes ----
# A launch that can't be read stays, with the kernels that may come to it; `launch` handed on keeps all of them.
import cuda.tile as ct
import torch
import triton
import triton.language as tl


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@triton.jit
def free_kernel(x, y, N):
    tl.device_print("")


def launch_free_kernel(grid, x, y, N):
    free_kernel[grid](x, y, N)


def run(x, y, stream):
    arguments = (stream, (1,), scale_kernel, (x, y, 128))
    ct.launch(*arguments)
    with torch.cuda.stream(stream):
        launch_free_kernel((1,), x, y, 128)
# ---- says ----
# 7:5 TW258 error: kernel `scale_kernel` stays cuTile, because host code that may need it does (line 18: this stays, and may need it)
# 18:15 TW252 error: this launch can't be rewritten: its arguments are hidden in `*`
