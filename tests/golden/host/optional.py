# An import that may fail, and kernels under a condition.
import torch

try:
    import cuda.tile as ct

    HAS_CUTILE = True
except ImportError:
    HAS_CUTILE = False

if HAS_CUTILE:

    @ct.kernel
    def scale_kernel(x, y, N: ct.Constant[int]):
        ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))

    def scale(x, y):
        ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
# ---- becomes ----
# An import that may fail, and kernels under a condition.
try:
    import triton
    import triton.language as tl

    HAS_CUTILE = True
except ImportError:
    HAS_CUTILE = False

if HAS_CUTILE:

    @triton.jit
    def scale_kernel(x, y, N):
        tl.device_print("")

    def launch_scale_kernel(grid, x, y, N):
        scale_kernel[grid](x, y, N)

    def scale(x, y):
        launch_scale_kernel((1,), x, y, 128)
# ---- says ----
