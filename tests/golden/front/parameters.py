# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import math
from typing import Annotated

import cuda.tile as ct
import torch

ConstInt = ct.Constant[int]
OFF = False
Flag = ct.Constant[bool]


@ct.kernel
def kinds(x: torch.Tensor, rows, eps, n, scale: float, count: int, flag: bool, N: ConstInt, EVEN: "Flag", RATIO: ct.Constant[float], unused):
    # an array is what is loaded from, its rank is the index; `n` is a bound, so it is an integer; of `eps` nothing is known
    for i in range(n):
        t = ct.load(x, (i, 0), (1, N)) * eps * scale * RATIO
        if EVEN and flag:
            ct.scatter(rows, count, ct.sum(t))


@ct.kernel
def shapes(a, b, c, wide: ct.IndexedWithInt64, big: ct.ScalarInt64):
    # the rank from unpacking, from an index of the shape, through a helper
    m, n = a.shape
    ct.store(b, (0, 0, 0), m + n)
    through(c, m)
    ct.store(wide, wide.shape[0] - 1, big)


def through(array, value):
    ct.scatter(array, (0, value, 0, 0), 1.0)


@ct.kernel
def lists(arrays, n):
    last = len(arrays) - 1
    array = arrays[last]
    ct.store(array, (0, n), ct.zeros((4, 4), array.dtype))


@ct.kernel(occupancy=2, num_ctas=ct.ByTarget(sm_100=2))
def hints(x, /, y, *, N: ct.Constant[int]):
    ct.store(x, 0, ct.load(y, 0, N))


@ct.kernel
def ranks(x, y, out, KIND: ct.Constant[int], WIDE: ct.Constant[bool]):
    # one for each constant that excludes the others
    if KIND == 1:
        v = ct.load(x, ct.bid(0), 16)
    elif KIND == 2:
        v = ct.load(x, (ct.bid(0), 0), (1, 16)).reshape((16,))
    else:
        v = ct.zeros((16,), x.dtype)
    if WIDE:
        m, n = y.shape
        row(out, v)
    else:
        m = y.shape[0]
        ct.scatter(y, m, 1)
        ct.store(out, 0, v)


def row(array, value):
    ct.store(array, (0, 0), value.reshape((1, 16)))


@ct.kernel
def integers(x, out, rows, batch, scale, offset, width: int):
    # what bounds a loop is calculated from integers; what stands where no launch gets to makes none
    total = rows * batch
    last = total - ct.minimum(offset, 4)
    copied = width
    for i in range(ct.bid(0), last):
        ct.store(out, (i,), ct.load(x, (i,), (16,)) * scale + copied)
    if OFF:
        for i in range(scale):
            ct.store(out, (i,), ct.load(x, (i, 0), (16, 1)))
# ---- reads ----
# kernel @kinds {
#   param array x = %x: array<elem(0), 2>
#   param array rows = %rows: array<elem(1), 1>
#   param scalar eps = %eps: tile<arg(2), []>
#   param scalar n = %n: tile<int32, []>
#   param scalar scale = %scale: tile<float32, []>
#   param scalar count = %count: tile<int32, []>
#   param scalar flag = %flag: tile<bool_, []>
#   param constant N = %N: const<int, N>
#   param constant EVEN = %EVEN: const<bool, EVEN>
#   param constant RATIO = %RATIO: const<float, RATIO>
#   param unused unused
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 1> = literal [literal=1]
#     for %0, %n, %1 [spelling=stop] (%i: tile<int32, []>) {
#       %2: const<int, 0> = literal [literal=0]
#       %3: const<int, 1> = literal [literal=1]
#       %4: tile<elem(0), [1, N]> = load_tile %x, %i, %2, %3, %N [rank=2]
#       %5: tile<promote(arg(2), elem(0)), [1, N]> = cast %4 [dtype=promote(arg(2), elem(0)), implicit=true]
#       %6: tile<promote(arg(2), elem(0)), []> = cast %eps [dtype=promote(arg(2), elem(0)), implicit=true]
#       %7: tile<promote(arg(2), elem(0)), [1, N]> = mul %5, %6 [dtype=promote(arg(2), elem(0)), spelling=operator]
#       %8: tile<promote(promote(arg(2), elem(0)), float32), [1, N]> = cast %7 [dtype=promote(promote(arg(2), elem(0)), float32), implicit=true]
#       %9: tile<promote(promote(arg(2), elem(0)), float32), []> = cast %scale [dtype=promote(promote(arg(2), elem(0)), float32), implicit=true]
#       %10: tile<promote(promote(arg(2), elem(0)), float32), [1, N]> = mul %8, %9 [dtype=promote(promote(arg(2), elem(0)), float32), spelling=operator]
#       %t: tile<promote(promote(arg(2), elem(0)), float32), [1, N]> = mul %10, %RATIO [dtype=promote(promote(arg(2), elem(0)), float32), spelling=operator]
#       %11: tile<bool_, []> = and_then %EVEN {
#         yield %flag
#       }
#       if %11 {
#         %12: tile<promote(promote(arg(2), elem(0)), float32), []> = reduce %t [axes=(0, 1), all_axes=true]
#         %13: tile<elem(1), []> = cast %12 [dtype=elem(1), implicit=true]
#         scatter %rows, %count, %13 [rank=1]
#       } {
#       }
#     }
#   }
# }
#
# helper @through {
#   param array array = %array: array<elem(2), 4>
#   param scalar value = %value: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: const<int, 0> = literal [literal=0]
#     %3: const<float, 1.0> = literal [literal=1.0]
#     scatter %array, %0, %value, %1, %2, %3 [rank=4]
#   }
# }
#
# kernel @shapes {
#   param array a = %a: array<elem(0), 2>
#   param array b = %b: array<elem(1), 3>
#   param array c = %c: array<elem(2), 4>
#   param array wide = %wide: array<elem(3), 1> int64
#   param scalar big = %big: tile<int64, []>
#   body {
#     %m: tile<int32, []> = array_dim %a [rank=2]
#     %n: tile<int32, []> = array_dim %a [axis=1, rank=2]
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: const<int, 0> = literal [literal=0]
#     %3: tile<int32, []> = add %m, %n [dtype=int32, spelling=operator]
#     %4: tile<elem(1), []> = cast %3 [dtype=elem(1), implicit=true]
#     store_tile %b, %0, %1, %2, %4 [rank=3]
#     call %c, %m [function=@through]
#     %5: tile<int64, []> = array_dim %wide
#     %6: const<int, 1> = literal [literal=1]
#     %7: tile<int64, []> = sub %5, %6 [dtype=int64, spelling=operator]
#     %8: tile<elem(3), []> = cast %big [dtype=elem(3), implicit=true]
#     store_tile %wide, %7, %8 [rank=1]
#   }
# }
#
# kernel @lists {
#   param array_list arrays = %arrays: array_list<elem(0), 2>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: tile<int32, []> = list_len %arrays
#     %1: const<int, 1> = literal [literal=1]
#     %last: tile<int32, []> = sub %0, %1 [dtype=int32, spelling=operator]
#     %array: array<elem(0), 2> = list_item %arrays, %last
#     %2: const<int, 0> = literal [literal=0]
#     %3: const<int, 4> = literal [literal=4]
#     %4: const<int, 4> = literal [literal=4]
#     %5: const<int, 0> = literal [literal=0]
#     %6: tile<elem(0), [4, 4]> = full %3, %4, %5 [dtype=elem(0), rank=2, spelling=zeros]
#     store_tile %array, %2, %n, %6 [rank=2]
#   }
# }
#
# kernel @hints {
#   hint occupancy "2"
#   hint num_ctas "ct.ByTarget(sm_100=2)"
#   param array x = %x: array<elem(0), 1>
#   param array y = %y: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: tile<elem(1), [N]> = load_tile %y, %1, %N [rank=1]
#     %3: tile<elem(0), [N]> = cast %2 [dtype=elem(0), implicit=true]
#     store_tile %x, %0, %3 [rank=1]
#   }
# }
#
# helper @row {
#   param array array = %array: array<elem(2), ?>
#   param tile value = %value: tile<elem(0), [16]>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: const<int, 1> = literal [literal=1]
#     %3: const<int, 16> = literal [literal=16]
#     %4: tile<elem(0), [1, 16]> = reshape %value, %2, %3 [spelling=method]
#     %5: tile<elem(2), [1, 16]> = cast %4 [dtype=elem(2), implicit=true]
#     store_tile %array, %0, %1, %5 [rank=2]
#   }
# }
#
# kernel @ranks {
#   param array x = %x: array<elem(0), ?>
#   param array y = %y: array<elem(1), ?>
#   param array out = %out: array<elem(2), ?>
#   param constant KIND = %KIND: const<int, KIND>
#   param constant WIDE = %WIDE: const<bool, WIDE>
#   body {
#     %0: const<int, 1> = literal [literal=1]
#     %1: const<bool, (1 == KIND)> = eq %KIND, %0 [spelling=operator]
#     if %1 {
#       %2: tile<int32, []> = program_id
#       %3: const<int, 16> = literal [literal=16]
#       %4: tile<elem(0), [16]> = load_tile %x, %2, %3 [rank=1]
#       set %4 [var=$v]
#     } {
#       %5: const<int, 2> = literal [literal=2]
#       %6: const<bool, (2 == KIND)> = eq %KIND, %5 [spelling=operator]
#       if %6 {
#         %7: tile<int32, []> = program_id
#         %8: const<int, 0> = literal [literal=0]
#         %9: const<int, 1> = literal [literal=1]
#         %10: const<int, 16> = literal [literal=16]
#         %11: tile<elem(0), [1, 16]> = load_tile %x, %7, %8, %9, %10 [rank=2]
#         %12: const<int, 16> = literal [literal=16]
#         %13: tile<elem(0), [16]> = reshape %11, %12 [spelling=method]
#         set %13 [var=$v]
#       } {
#         %14: const<int, 16> = literal [literal=16]
#         %15: const<int, 0> = literal [literal=0]
#         %16: tile<elem(0), [16]> = full %14, %15 [dtype=elem(0), rank=1, spelling=zeros]
#         set %16 [var=$v]
#       }
#     }
#     if %WIDE {
#       %17: tile<int32, []> = array_dim %y [rank=2]
#       %n: tile<int32, []> = array_dim %y [axis=1, rank=2]
#       set %17 [var=$m]
#       %18: tile<elem(0), [16]> = get [var=$v]
#       call %out, %18 [function=@row]
#     } {
#       %19: tile<int32, []> = array_dim %y
#       set %19 [var=$m]
#       %20: tile<int32, []> = get [var=$m]
#       %21: const<int, 1> = literal [literal=1]
#       scatter %y, %20, %21 [rank=1]
#       %22: const<int, 0> = literal [literal=0]
#       %23: tile<elem(0), [16]> = get [var=$v]
#       %24: tile<elem(2), [16]> = cast %23 [dtype=elem(2), implicit=true]
#       store_tile %out, %22, %24 [rank=1]
#     }
#   }
# }
#
# kernel @integers {
#   param array x = %x: array<elem(0), 1>
#   param array out = %out: array<elem(1), 1>
#   param scalar rows = %rows: tile<int32, []>
#   param scalar batch = %batch: tile<int32, []>
#   param scalar scale = %scale: tile<arg(4), []>
#   param scalar offset = %offset: tile<int32, []>
#   param scalar width = %width: tile<int32, []>
#   body {
#     %total: tile<int32, []> = mul %rows, %batch [dtype=int32, spelling=operator]
#     %0: const<int, 4> = literal [literal=4]
#     %1: tile<int32, []> = min %offset, %0 [dtype=int32]
#     %last: tile<int32, []> = sub %total, %1 [dtype=int32, spelling=operator]
#     %copied: tile<int32, []> = copy %width
#     %2: tile<int32, []> = program_id
#     %3: const<int, 1> = literal [literal=1]
#     for %2, %last, %3 [spelling=start_stop] (%i: tile<int32, []>) {
#       %4: const<int, 16> = literal [literal=16]
#       %5: tile<elem(0), [16]> = load_tile %x, %i, %4 [rank=1]
#       %6: tile<promote(arg(4), elem(0)), [16]> = cast %5 [dtype=promote(arg(4), elem(0)), implicit=true]
#       %7: tile<promote(arg(4), elem(0)), []> = cast %scale [dtype=promote(arg(4), elem(0)), implicit=true]
#       %8: tile<promote(arg(4), elem(0)), [16]> = mul %6, %7 [dtype=promote(arg(4), elem(0)), spelling=operator]
#       %9: tile<promote(promote(arg(4), elem(0)), int32), [16]> = cast %8 [dtype=promote(promote(arg(4), elem(0)), int32), implicit=true]
#       %10: tile<promote(promote(arg(4), elem(0)), int32), []> = cast %copied [dtype=promote(promote(arg(4), elem(0)), int32), implicit=true]
#       %11: tile<promote(promote(arg(4), elem(0)), int32), [16]> = add %9, %10 [dtype=promote(promote(arg(4), elem(0)), int32), spelling=operator]
#       %12: tile<elem(1), [16]> = cast %11 [dtype=elem(1), implicit=true]
#       store_tile %out, %i, %12 [rank=1]
#     }
#     mark
#   }
# }
# ---- says ----
