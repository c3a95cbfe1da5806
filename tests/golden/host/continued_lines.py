# A logical line ends where its newline is, which may be behind a backslash and an empty line.
import cuda.tile as ct\

import torch

WIDTH = 16\

@ct.kernel
def scale(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)) * WIDTH)


def run(x, y, stream):
    ct.launch(torch.cuda.current_stream(), (4,), scale, (x, y, 128))\

    ct.launch(stream, (4,), scale, (x, y, 128))\

    return y
# ---- becomes ----
# A logical line ends where its newline is, which may be behind a backslash and an empty line.
import triton
import triton.language as tl
import torch

WIDTH = tl.constexpr(16)\

@triton.jit
def scale(x, y, N):
    tl.device_print("")
    tl.device_print("", WIDTH)


def launch_scale(grid, x, y, N):
    scale[grid](x, y, N)


def run(x, y, stream):
    launch_scale((4,), x, y, 128)\

    with torch.cuda.stream(stream):
        launch_scale((4,), x, y, 128)\

    return y
# ---- says ----
