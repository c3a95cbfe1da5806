# A stream that is provably the current one is dropped, with a variable that nothing else reads; any other one is kept.
import cuda.tile as ct
import torch


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def current(x, y, grid):
    stream = torch.cuda.current_stream()
    with torch.no_grad():
        ct.launch(stream, grid, scale_kernel, (x, y, 128))


def current_and_read(x, y, grid):
    stream = torch.cuda.current_stream()
    ct.launch(stream, grid, scale_kernel, (x, y, 128))
    stream.synchronize()


def of_a_device(x, y, grid):
    ct.launch(torch.cuda.current_stream(x.device), grid, scale_kernel, (x, y, 128))


def given(stream, x, y, grid):
    ct.launch(stream, grid, scale_kernel, (x, y, 128))
    return ct.launch(stream, grid, scale_kernel, (x, y, 128))


def handle(stream: int, x, y, grid):
    ct.launch(stream, grid, scale_kernel, (x, y, 128))
    ct.launch(0, grid, scale_kernel, (x, y, 128))
    ct.launch(torch.cuda.current_stream().cuda_stream, grid, scale_kernel, (x, y, 128))


def switched(side, x, y, grid):
    stream = torch.cuda.current_stream()
    with torch.cuda.stream(side):
        ct.launch(stream, grid, scale_kernel, (x, y, 128))


def switched_by_call(side, x, y, grid):
    stream = torch.cuda.current_stream()
    torch.cuda.set_stream(side)
    ct.launch(stream, grid, scale_kernel, (x, y, 128))


def later(x, y, grid):
    stream = torch.cuda.current_stream()
    return lambda: ct.launch(stream, grid, scale_kernel, (x, y, 128))


def generator(x, y, grid):
    stream = torch.cuda.current_stream()
    yield x
    ct.launch(stream, grid, scale_kernel, (x, y, 128))


def in_one_line(stream, x, y, grid):
    if x.numel(): ct.launch(stream, grid, scale_kernel, (x, y, 128))
# ---- becomes ----
# A stream that is provably the current one is dropped, with a variable that nothing else reads; any other one is kept.
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


def current(x, y, grid):
    with torch.no_grad():
        launch_scale_kernel(grid, x, y, 128)


def current_and_read(x, y, grid):
    stream = torch.cuda.current_stream()
    launch_scale_kernel(grid, x, y, 128)
    stream.synchronize()


def of_a_device(x, y, grid):
    with torch.cuda.device(x.device):
        launch_scale_kernel(grid, x, y, 128)


def given(stream, x, y, grid):
    with torch.cuda.stream(stream):
        launch_scale_kernel(grid, x, y, 128)
    with torch.cuda.stream(stream):
        return launch_scale_kernel(grid, x, y, 128)


def handle(stream: int, x, y, grid):
    with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
        launch_scale_kernel(grid, x, y, 128)
    with torch.cuda.stream(torch.cuda.default_stream()):
        launch_scale_kernel(grid, x, y, 128)
    launch_scale_kernel(grid, x, y, 128)


def switched(side, x, y, grid):
    stream = torch.cuda.current_stream()
    with torch.cuda.stream(side):
        with torch.cuda.stream(stream):
            launch_scale_kernel(grid, x, y, 128)


def switched_by_call(side, x, y, grid):
    stream = torch.cuda.current_stream()
    torch.cuda.set_stream(side)
    with torch.cuda.stream(stream):
        launch_scale_kernel(grid, x, y, 128)


def launch_on(stream, kernel, grid, *args):
    with torch.cuda.stream(stream):
        kernel(grid, *args)


def later(x, y, grid):
    stream = torch.cuda.current_stream()
    return lambda: launch_on(stream, launch_scale_kernel, grid, x, y, 128)


def generator(x, y, grid):
    stream = torch.cuda.current_stream()
    yield x
    with torch.cuda.stream(stream):
        launch_scale_kernel(grid, x, y, 128)


def in_one_line(stream, x, y, grid):
    if x.numel(): launch_on(stream, launch_scale_kernel, grid, x, y, 128)
# ---- says ----
