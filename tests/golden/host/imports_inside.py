# An import inside of a function is as good; an empty block gets `pass`.
import torch


def make():
    import cuda.tile as ct

    @ct.kernel
    def scale_kernel(x, y, N: ct.Constant[int]):
        ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))

    def scale(x, y):
        from cuda.tile import launch

        launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))

    return scale
# ---- becomes ----
# An import inside of a function is as good; an empty block gets `pass`.
import triton
import triton.language as tl


def make():
    @triton.jit
    def scale_kernel(x, y, N):
        tl.device_print("")

    def launch_scale_kernel(grid, x, y, N):
        scale_kernel[grid](x, y, N)

    def scale(x, y):
        launch_scale_kernel((1,), x, y, 128)

    return scale
# ---- says ----
