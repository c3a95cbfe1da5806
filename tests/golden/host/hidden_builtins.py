# refused: halve_kernel
# `max` is cuTile's here and would stay so for the kernel that is not converted: a launch function could not call Python's.
import cuda.tile as ct
import torch
from cuda.tile import max


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), max(ct.load(x, (ct.bid(0),), (N,)), 0, keepdims=True))


@ct.kernel
def halve_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), max(ct.load(x, (ct.bid(0),), (N,)), 0, keepdims=True))


def scale(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))


def halve(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), halve_kernel, (x, y, 128))
# ---- becomes ----
# refused: halve_kernel
# `max` is cuTile's here and would stay so for the kernel that is not converted: a launch function could not call Python's.
import cuda.tile as ct
import torch
from cuda.tile import max


@ct.kernel
def scale_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), max(ct.load(x, (ct.bid(0),), (N,)), 0, keepdims=True))


@ct.kernel
def halve_kernel(x, y, N: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), max(ct.load(x, (ct.bid(0),), (N,)), 0, keepdims=True))


def scale(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), scale_kernel, (x, y, 128))


def halve(x, y):
    ct.launch(torch.cuda.current_stream(), (1,), halve_kernel, (x, y, 128))
# ---- says ----
# 9:5 TW258 error: kernel `scale_kernel` stays cuTile, because host code that may need it does (line 5: this stays, and may need it)
