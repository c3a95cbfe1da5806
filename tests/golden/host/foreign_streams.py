# Streams of other packages than torch keep their launch, and the kernel with it.
import cuda.tile as ct
import cupy as cp


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def shift_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def free_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x, y):
    ct.launch(cp.cuda.get_current_stream(), (1,), scale_kernel, (x, y, 128))


def shift(x, y):
    stream = cp.cuda.get_current_stream()
    ct.launch(stream, (1,), shift_kernel, (x, y, 128))


def free(x, y, stream):
    ct.launch(stream, (1,), free_kernel, (x, y, 128))
# ---- becomes ----
# Streams of other packages than torch keep their launch, and the kernel with it.
import cuda.tile as ct
import cupy as cp
import torch
import triton
import triton.language as tl


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def shift_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@triton.jit
def free_kernel(x, y, N):
    tl.device_print("")


def launch_free_kernel(grid, x, y, N):
    free_kernel[grid](x, y, N)


def scale(x, y):
    ct.launch(cp.cuda.get_current_stream(), (1,), scale_kernel, (x, y, 128))


def shift(x, y):
    stream = cp.cuda.get_current_stream()
    ct.launch(stream, (1,), shift_kernel, (x, y, 128))


def free(x, y, stream):
    with torch.cuda.stream(stream):
        launch_free_kernel((1,), x, y, 128)
# ---- says ----
# 7:5 TW258 error: kernel `scale_kernel` stays cuTile, because host code that may need it does (line 22: this stays, and may need it)
# 12:5 TW258 error: kernel `shift_kernel` stays cuTile, because host code that may need it does (line 27: this stays, and may need it)
# 22:15 TW257 error: a stream of cupy is not one of torch's
# 27:15 TW257 error: a stream of cupy is not one of torch's
