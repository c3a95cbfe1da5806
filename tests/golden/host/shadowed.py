# Names that only look like cuTile's or a kernel's are left alone.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def helper(ct, scale_kernel):
    ct.launch(scale_kernel)
    return [scale_kernel for scale_kernel in (1, 2)]


class Module:
    scale_kernel = None

    def run(self, x, y):
        ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
        return self.scale_kernel


def collides(x):
    launch_scale_kernel = 1
    return launch_scale_kernel
# ---- becomes ----
# Names that only look like cuTile's or a kernel's are left alone.
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel_2(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def helper(ct, scale_kernel):
    ct.launch(scale_kernel)
    return [scale_kernel for scale_kernel in (1, 2)]


class Module:
    scale_kernel = None

    def run(self, x, y):
        launch_scale_kernel_2((1,), x, y, 128)
        return self.scale_kernel


def collides(x):
    launch_scale_kernel = 1
    return launch_scale_kernel
# ---- says ----
