# The block of a dropped `with` moves out, comments and nested blocks too.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y, other):
    with ct.compiler_timeout(10):  # seconds
        # before
        for _ in range(2):
            with ct.compiler_timeout(5):
                ct.launch(
                    torch.cuda.current_stream(),
                    (1,),
                    scale_kernel,
                    (x.contiguous().view(-1), y.contiguous().view(-1), other.size_of_a_tile),
                )
                run_something(
                    x,
                    y,
                )

        # at the end
    with ct.compiler_timeout(1): print("one line")
    return y
# ---- becomes ----
# The block of a dropped `with` moves out, comments and nested blocks too.
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def run(x, y, other):
    # seconds
    # before
    for _ in range(2):
        launch_scale_kernel(
            (1,), x.contiguous().view(-1), y.contiguous().view(-1), other.size_of_a_tile
        )
        run_something(
            x,
            y,
        )

    # at the end
    print("one line")
    return y
# ---- says ----
# 12:10 TW261 note: the limit on compile time is dropped: Triton has none
# 15:18 TW261 note: the limit on compile time is dropped: Triton has none
# 28:10 TW261 note: the limit on compile time is dropped: Triton has none
