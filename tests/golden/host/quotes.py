# New text has the quotes of the file.
import cuda.tile as ct
import torch
from cuda.tile.tune import exhaustive_search

__all__ = ['scale', 'scale_kernel']


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x, y):
    result = exhaustive_search([64, 128], torch.cuda.current_stream(), lambda n: (1,), scale_kernel, lambda n: (x, y, n), quiet=True)
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, result.best.config))
# ---- becomes ----
# New text has the quotes of the file.
from types import SimpleNamespace

import torch
import triton
import triton.language as tl

__all__ = ['scale', 'scale_kernel']


class Launcher:
    """A kernel as a value: called with a grid and the kernel's arguments."""

    def __init__(self, function, **hints):
        self.function = function
        self.hints = hints

    def __call__(self, grid, *args):
        self.function(grid, *args, num_warps=self.hints.get('num_worker_warps'))

    def replace_hints(self, **hints):
        """The same kernel with other hints: num_worker_warps becomes num_warps, others have no effect."""
        return Launcher(self.function, **{**self.hints, **hints})


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


@Launcher
def launch_scale_kernel(grid, x, y, N, num_warps=None):
    scale_kernel[grid](x, y, N)


def exhaustive_search(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, *, quiet=False):
    """Times the kernel with every configuration; the result's `best.config` is the fastest one."""
    if len(search_space) == 0:
        raise ValueError('Search space is empty.')
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
        raise ValueError(f'No valid config found in search space.\nConfig: {config}\n{error.__name__}: {message}')
    best = min(successes, key=lambda success: success.mean_us)
    if not quiet:
        print(f'{len(successes)} succeeded, {len(failures)} failed, best: {best.config} ({best.mean_us:.1f} us)')
    return SimpleNamespace(best=best, successes=successes, failures=failures)


def scale(x, y):
    result = exhaustive_search(
        [64, 128],
        torch.cuda.current_stream(),
        lambda n: (1,),
        launch_scale_kernel,
        lambda n: (x, y, n),
        quiet=True,
    )
    launch_scale_kernel((1,), x, y, result.best.config)
# ---- says ----
