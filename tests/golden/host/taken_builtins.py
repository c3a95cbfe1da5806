# A file that calls something else `max` keeps its kernels; `min` is cuTile's here, and `sum` a name inside of a function.
import cuda.tile as ct
import torch
from cuda.tile import min


def max(a, b):
    return a if a > b else b


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), min(ct.load(x, (ct.bid(0),), (N,))))


def scale(x, y):
    sum = max(x.shape[0], 1)
    ct.launch(torch.cuda.current_stream(), (sum,), scale_kernel, (x, y, 128))
# ---- becomes ----
# A file that calls something else `max` keeps its kernels; `min` is cuTile's here, and `sum` a name inside of a function.
import cuda.tile as ct
import torch
from cuda.tile import min


def max(a, b):
    return a if a > b else b


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), min(ct.load(x, (ct.bid(0),), (N,))))


def scale(x, y):
    sum = max(x.shape[0], 1)
    ct.launch(torch.cuda.current_stream(), (sum,), scale_kernel, (x, y, 128))
# ---- says ----
# 7:5 TW266 error: `max` means something else in this file
# 12:5 TW258 error: kernel `scale_kernel` stays cuTile, because host code that may need it does (line 7: this stays, and may need it)
