# Other decorators of a kernel go, and the comments between stay.
import cuda.tile as ct
import torch
from mypackage import experimental, registered


# about the kernel
@experimental
# about its hints
@ct.kernel(occupancy=4)  # four
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@registered("scale")
def scale(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
# ---- becomes ----
# Other decorators of a kernel go, and the comments between stay.
import triton
import triton.language as tl
from mypackage import registered


# about the kernel
# about its hints
# four
@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


@registered("scale")
def scale(x, y):
    launch_scale_kernel((1,), x, y, 128)
# ---- says ----
# 8:2 TW260 note: decorator `experimental` of kernel `scale_kernel` is dropped: there is no cuTile kernel left for it
