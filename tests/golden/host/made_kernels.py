# `ct.kernel` as a function makes another kernel: of a kernel's function, or of a plain one.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def plain(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


plain_kernel = ct.kernel(plain)
wide_kernel = ct.kernel(plain, num_ctas=2, occupancy=1)
again_kernel = ct.kernel(occupancy=4)(scale_kernel._pyfunc)


def retuned(occupancy):
    return ct.kernel(
        scale_kernel._pyfunc,
        occupancy=occupancy,
    )


def run(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), plain_kernel, (x, y, 128))
    ct.launch(torch.cuda.current_stream(), (1,), retuned(2), (x, y, 128))
# ---- becomes ----
# `ct.kernel` as a function makes another kernel: of a kernel's function, or of a plain one.
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
def plain(x, y, N):
    tl.device_print("")


@Launcher
def launch_plain(grid, x, y, N, num_warps=None):
    plain[grid](x, y, N)


plain_kernel = launch_plain
wide_kernel = launch_plain.replace_hints(num_ctas=2, occupancy=1)
again_kernel = launch_scale_kernel.replace_hints(occupancy=4)


def retuned(occupancy):
    return launch_scale_kernel.replace_hints(occupancy=occupancy)


def run(x, y):
    plain_kernel((1,), x, y, 128)
    retuned(2)((1,), x, y, 128)
# ---- says ----
