# What has no counterpart is named where it stands, and stays.
import cuda.tile as ct
import torch
from elsewhere import other_kernel


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def exported_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def raw_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y, launch_arguments):
    print(ct.__version__, ct.PaddingMode.ZERO)
    ct.compilation.export_kernel(exported_kernel, [])
    make_something(raw_kernel._pyfunc)
    ct.launch(torch.cuda.current_stream(), (1,), other_kernel, (x, y))
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))


def run_foreign(kernel, x, y):
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y))
# ---- becomes ----
# What has no counterpart is named where it stands, and stays.
import cuda.tile as ct
import torch
import triton
import triton.language as tl
from elsewhere import other_kernel


@triton.jit
def scale_kernel(x, y, N):
    tl.device_print("")


def launch_scale_kernel(grid, x, y, N):
    scale_kernel[grid](x, y, N)


@ct.kernel
def exported_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


@ct.kernel
def raw_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def run(x, y, launch_arguments):
    print(ct.__version__, ct.PaddingMode.ZERO)
    ct.compilation.export_kernel(exported_kernel, [])
    make_something(raw_kernel._pyfunc)
    ct.launch(torch.cuda.current_stream(), (1,), other_kernel, (x, y))
    launch_scale_kernel((1,), x, y, 128)


def run_foreign(kernel, x, y):
    ct.launch(torch.cuda.current_stream(), (1,), kernel, (x, y))
# ---- says ----
# 13:5 TW258 error: kernel `exported_kernel` stays cuTile, because host code that may need it does (line 24: this stays, and may need it)
# 18:5 TW258 error: kernel `raw_kernel` stays cuTile, because host code that may need it does (line 25: this stays, and may need it)
# 23:11 TW250 error: `ct.__version__` has no counterpart in Triton's host code
# 23:27 TW250 error: `ct.PaddingMode.ZERO` has no counterpart in Triton's host code
# 24:5 TW250 error: `ct.compilation.export_kernel` has no counterpart in Triton's host code
# 25:20 TW256 error: the Python function of a kernel is used other than in `ct.kernel(…)`
# 26:50 TW254 error: `other_kernel` is imported, and is no kernel of this file (convert the file that has it, and import its launch function)
# 31:50 TW254 error: no kernel of this file comes to `kernel` (let it be the launch function of a converted kernel, and call it with the grid and the arguments)
