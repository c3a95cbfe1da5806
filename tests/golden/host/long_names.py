# A line that a longer name makes too long is laid out again.
import cuda.tile as ct
import torch


@ct.kernel
def _a_kernel_with_a_rather_long_name(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y, hints):
    prepare_everything_for_this_kernel(_a_kernel_with_a_rather_long_name, x.contiguous(), hints)
    chosen_kernel = cached_hints(_a_kernel_with_a_rather_long_name, **hints) if hints else default_k
    ct.launch(torch.cuda.current_stream(), (1,), chosen_kernel, (x, y, 128))
# ---- becomes ----
# A line that a longer name makes too long is laid out again.
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
def _a_kernel_with_a_rather_long_name(x, y, N):
    tl.device_print("")


@Launcher
def launch_a_kernel_with_a_rather_long_name(grid, x, y, N, num_warps=None):
    _a_kernel_with_a_rather_long_name[grid](x, y, N)


def run(x, y, hints):
    prepare_everything_for_this_kernel(
        launch_a_kernel_with_a_rather_long_name, x.contiguous(), hints
    )
    chosen_kernel = (
        cached_hints(launch_a_kernel_with_a_rather_long_name, **hints) if hints else default_k
    )
    chosen_kernel((1,), x, y, 128)
# ---- says ----
