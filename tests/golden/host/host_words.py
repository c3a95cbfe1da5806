# Dtypes, kernels as a type, exceptions and hints by target have counterparts.
import cuda.tile as ct
import torch

DTYPES = {torch.float16: ct.float16, torch.bool: ct.bool_}


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def choose(kernel: ct.kernel, dtype: ct.DType = ct.float32) -> "ct.kernel":
    if not isinstance(kernel, ct.kernel):
        raise TypeError(kernel)
    return kernel.replace_hints(num_worker_warps=ct.ByTarget(sm_90=8, default=4))


def run(x, y):
    try:
        ct.launch(torch.cuda.current_stream(), (1,), choose(scale_kernel), (x, y, 128), programmatic_dependent_launch=True)
    except (ct.TileCompilerTimeoutError, ct.TileError) as error:
        print(error, DTYPES)
# ---- becomes ----
# Dtypes, kernels as a type, exceptions and hints by target have counterparts.
import torch
import triton
import triton.language as tl

DTYPES = {torch.float16: torch.float16, torch.bool: torch.bool}


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


def by_target(default=None, **values):
    """The value for the current GPU, such as sm_90=2, or else the default."""
    if not torch.cuda.is_available():
        return default
    major, minor = torch.cuda.get_device_capability()
    return values.get(f"sm_{major}{minor}", default)


def choose(kernel: Launcher, dtype: torch.dtype = torch.float32) -> "Launcher":
    if not isinstance(kernel, Launcher):
        raise TypeError(kernel)
    return kernel.replace_hints(num_worker_warps=by_target(sm_90=8, default=4))


def run(x, y):
    try:
        choose(launch_scale_kernel)((1,), x, y, 128)
    except (TimeoutError, triton.TritonError) as error:
        print(error, DTYPES)
# ---- says ----
# 21:89 TW262 note: `programmatic_dependent_launch` is dropped
# 22:13 TW263 note: `TileCompilerTimeoutError` becomes `TimeoutError`
# 22:42 TW263 note: `TileError` becomes `triton.TritonError`
