# Calls are broken into lines as black does it; comments stay with their arguments, except the stream's.
import cuda.tile as ct
import torch


@ct.kernel
def add_kernel(first_operand, second_operand, result, first_scale: float, second_scale: float, N: ct.Constant[int]):
    ct.store(result, (ct.bid(0),), ct.load(first_operand, (ct.bid(0),), (N,)))


def add(first_operand, second_operand, result, grid):
    ct.launch(
        torch.cuda.current_stream(),
        grid,
        add_kernel,
        (first_operand, second_operand, result, 1.0, 2.0, 128),
    )
    ct.launch(
        torch.cuda.current_stream(),
        grid,
        add_kernel,
        (first_operand.contiguous(), second_operand.contiguous(), result.contiguous(), 1.0, 2.0, 128),
    )
    ct.launch(
        torch.cuda.current_stream(),  # wherever the caller is
        # one program for 128 elements
        grid,
        add_kernel,
        (
            first_operand,  # read
            second_operand,
            # written
            result,
            1.0,
            2.0,
            128,
            # nothing more
        ),
    )
    ct.launch(torch.cuda.current_stream(), grid, add_kernel, (first_operand, second_operand, result, *scales(
        first_operand,
        second_operand,
    ), 128))
# ---- becomes ----
# Calls are broken into lines as black does it; comments stay with their arguments, except the stream's.
import triton
import triton.language as tl


@triton.jit
def add_kernel(first_operand, second_operand, result, first_scale, second_scale, N):
    tl.device_print("")


def launch_add_kernel(grid, first_operand, second_operand, result, first_scale, second_scale, N):
    add_kernel[grid](first_operand, second_operand, result, first_scale, second_scale, N)


def add(first_operand, second_operand, result, grid):
    launch_add_kernel(grid, first_operand, second_operand, result, 1.0, 2.0, 128)
    launch_add_kernel(
        grid,
        first_operand.contiguous(),
        second_operand.contiguous(),
        result.contiguous(),
        1.0,
        2.0,
        128,
    )
    launch_add_kernel(
        # one program for 128 elements
        grid,
        first_operand,  # read
        second_operand,
        # written
        result,
        1.0,
        2.0,
        128,
        # nothing more
    )
    launch_add_kernel(
        grid,
        first_operand,
        second_operand,
        result,
        *scales(
            first_operand,
            second_operand,
        ),
        128,
    )
# ---- says ----
