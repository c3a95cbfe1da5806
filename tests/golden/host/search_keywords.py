# The search accepts the keywords that are used, and says when one has no effect; it may be reached through the module.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x, y, sizes):
    with torch.no_grad(), ct.compiler_timeout(5):
        best = ct.tune.exhaustive_search(sizes, torch.cuda.current_stream(), grid_of, scale_kernel, args_of, flush_l2=False).best
    return best.config
# ---- becomes ----
# The search accepts the keywords that are used, and says when one has no effect; it may be reached through the module.
from types import SimpleNamespace

import torch
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


def exhaustive_search(
    search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, *, quiet=False, flush_l2=None
):
    """Times the kernel with every configuration; the result's `best.config` is the fastest one."""
    if len(search_space) == 0:
        raise ValueError("Search space is empty.")
    successes, failures = [], []
    for config in search_space:
        tuned = kernel if isinstance(kernel, Launcher) else kernel(config)
        if hints_fn is not None:
            tuned = tuned.replace_hints(**hints_fn(config))
        grid = grid_fn(config)
        mean_us = 0.0
        try:
            args = args_fn(config)
            with torch.cuda.stream(stream):
                tuned(grid, *args)
                if not triton.knobs.runtime.interpret:
                    mean_us = 1000 * triton.testing.do_bench(lambda: tuned(grid, *args))
        except Exception as error:
            failures.append((config, type(error), str(error)))
            continue
        successes.append(SimpleNamespace(config=config, mean_us=mean_us))
        if triton.knobs.runtime.interpret:
            break
    if not successes:
        config, error, message = failures[0]
        raise ValueError(f"No valid config found in search space.\nConfig: {config}\n{error.__name__}: {message}")
    best = min(successes, key=lambda success: success.mean_us)
    if not quiet:
        print(f"{len(successes)} succeeded, {len(failures)} failed, best: {best.config} ({best.mean_us:.1f} us)")
    return SimpleNamespace(best=best, successes=successes, failures=failures)


def scale(x, y, sizes):
    with torch.no_grad():
        best = exhaustive_search(sizes, torch.cuda.current_stream(), grid_of, launch_scale_kernel, args_of, flush_l2=False).best
    return best.config
# ---- says ----
# 12:27 TW261 note: the limit on compile time is dropped: Triton has none
# 13:110 TW264 note: `flush_l2` has no effect on the search that the output holds
