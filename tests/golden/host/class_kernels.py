# A kernel of a class stays, and so does a launch that may get it; nothing else is said of that launch.
# refused: scale_kernel
import cuda.tile as ct
import torch


class Scale:
    @ct.kernel
    def scale_kernel(x, y, N: ct.Constant[int]):
        ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))

    def run(self, x, y):
        ct.launch(torch.cuda.current_stream(), (1,), Scale.scale_kernel, (x, y, 128))


@ct.kernel
def free_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), free_kernel, (x, y, 128))
# ---- becomes ----
# A kernel of a class stays, and so does a launch that may get it; nothing else is said of that launch.
# refused: scale_kernel
import cuda.tile as ct
import torch
import triton
import triton.language as tl


class Scale:
    @ct.kernel
    def scale_kernel(x, y, N: ct.Constant[int]):
        ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))

    def run(self, x, y):
        ct.launch(torch.cuda.current_stream(), (1,), Scale.scale_kernel, (x, y, 128))


@triton.jit
def free_kernel(x, y, N):
    tl.device_print("")


def launch_free_kernel(grid, x, y, N):
    free_kernel[grid](x, y, N)


def run(x, y):
    launch_free_kernel((1,), x, y, 128)
# ---- says ----
