# A file that calls something else `tl` keeps its kernels.
import cuda.tile as ct
import torch
import timeline as tl


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x, y):
    with tl.span("scale"):
        ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
# ---- becomes ----
# A file that calls something else `tl` keeps its kernels.
import cuda.tile as ct
import torch
import timeline as tl


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)))


def scale(x, y):
    with tl.span("scale"):
        ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))
# ---- says ----
# 4:8 TW266 error: `tl` means something else in this file
# 8:5 TW258 error: kernel `scale_kernel` stays cuTile, because host code that may need it does (line 4: this stays, and may need it)
