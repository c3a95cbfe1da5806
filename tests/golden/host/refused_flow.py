# Kernels that may come to one launch stay together; the others don't mind.
# refused: refused_kernel
import cuda.tile as ct
import torch

_cache = {}


@ct.kernel
def refused_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def meets_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def free_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def tuned(kernel, key):
    if key not in _cache:
        _cache[key] = kernel.replace_hints(occupancy=2)
    return _cache[key]


def run(x, y, fast):
    kernel = tuned(meets_kernel if fast else refused_kernel, x.shape)
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y, 128))


def run_free(x, y):
    kernel = free_kernel.replace_hints(occupancy=2)
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y, 128))
# ---- becomes ----
# Kernels that may come to one launch stay together; the others don't mind.
# refused: refused_kernel
import cuda.tile as ct
import torch
import triton
import triton.language as tl

_cache = {}


@ct.kernel
def refused_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def meets_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


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
def free_kernel(x, y, N):
    tl.device_print("")


@Launcher
def launch_free_kernel(grid, x, y, N, num_warps=None):
    free_kernel[grid](x, y, N)


def tuned(kernel, key):
    if key not in _cache:
        _cache[key] = kernel.replace_hints(occupancy=2)
    return _cache[key]


def run(x, y, fast):
    kernel = tuned(meets_kernel if fast else refused_kernel, x.shape)
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y, 128))


def run_free(x, y):
    kernel = launch_free_kernel.replace_hints(occupancy=2)
    kernel((1,), x, y, 128)
# ---- says ----
# 15:5 TW253 error: kernel `meets_kernel` stays cuTile, because a launch may get it or `refused_kernel`
