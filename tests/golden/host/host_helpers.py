# A helper that host code calls stays as host code, also where it stands on cuTile; what it reads stays plain.
import cuda.tile as ct
import torch

GROUP = 8


def groups(n):
    return ct.cdiv(n, GROUP)


@ct.kernel
def scale_kernel(x, y, n, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0) + groups(n),), (N,)))


def scale(x, y):
    ct.launch(torch.cuda.current_stream(), (groups(x.numel()),), scale_kernel, (x, y, x.numel(), 128))
# ---- becomes ----
# A helper that host code calls stays as host code, also where it stands on cuTile; what it reads stays plain.
import triton
import triton.language as tl

GROUP = 8
GROUP_CONSTEXPR = tl.constexpr(GROUP)


def groups(n):
    return triton.cdiv(n, GROUP)


@triton.jit
def groups_triton(n):
    tl.device_print("")
    tl.device_print("", GROUP_CONSTEXPR)


@triton.jit
def scale_kernel(x, y, n, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, n, N):
    scale_kernel[grid](x, y, n, N)


def scale(x, y):
    launch_scale_kernel((groups(x.numel()),), x, y, x.numel(), 128)
# ---- says ----
