# A kernel may be any expression, and so may the tuple of arguments; then the kernel is a value, with a small class around it.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel(occupancy=2)
def shift_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


KERNELS = {"scale": scale_kernel, "shift": shift_kernel}


def run(name, x, y, grid, more=()):
    args = (x, y, 128)
    ct.launch(torch.cuda.current_stream(), grid, KERNELS[name], args)
    ct.launch(torch.cuda.current_stream(), grid, scale_kernel if x.is_cuda else shift_kernel, args)
    ct.launch(torch.cuda.current_stream(), grid, KERNELS.get(name), (x, y) + (128,))
    ct.launch(torch.cuda.current_stream(), grid, KERNELS.get(name), (x, *more))
    ct.launch(torch.cuda.current_stream(), grid, scale_kernel, arguments_of(x, y))
# ---- becomes ----
# A kernel may be any expression, and so may the tuple of arguments; then the kernel is a value, with a small class around it.
import triton
import triton.language as tl


class Launcher:
    """A kernel as a value: called with a grid and the kernel's arguments."""

    def __init__(self, function, **hints):
        self.function = function
        self.hints = hints

    def __call__(self, grid, *args):
        self.function(grid, *args, num_warps=self.hints.get("num_worker_warps"))

    def replace_hints(self, **hints):
        """The same kernel with other hints: num_worker_warps becomes num_warps, others have no effect."""
        return Launcher(self.function, **{**self.hints, **hints})


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


@Launcher
def launch_scale_kernel(grid, x, y, N, num_warps=None):
    scale_kernel[grid](x, y, N)


@triton.jit
def shift_kernel(x, y, N):
    tl.device_print("")


@Launcher
def launch_shift_kernel(grid, x, y, N, num_warps=None):
    shift_kernel[grid](x, y, N)


KERNELS = {"scale": launch_scale_kernel, "shift": launch_shift_kernel}


def run(name, x, y, grid, more=()):
    args = (x, y, 128)
    KERNELS[name](grid, *args)
    (launch_scale_kernel if x.is_cuda else launch_shift_kernel)(grid, *args)
    KERNELS.get(name)(grid, *((x, y) + (128,)))
    KERNELS.get(name)(grid, x, *more)
    launch_scale_kernel(grid, *arguments_of(x, y))
# ---- says ----
