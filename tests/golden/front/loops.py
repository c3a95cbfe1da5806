# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import math

import cuda.tile as ct


@ct.kernel
def ranges(x, n: int):
    for i in range(n):
        ct.store(x, i, i)
    for j in range(1, n):
        ct.store(x, j, j)
    for j in range(ct.bid(0), n, ct.num_blocks(0)):
        ct.store(x, j, j)


@ct.kernel
def carried(x, n: int, N: ct.Constant[int]):
    # what a loop changes is a variable and no constant any more
    acc = ct.zeros((N,), ct.float32)
    top = -math.inf
    steps = 0
    for i in range(n):
        t = ct.load(x, i, N).astype(ct.float32)
        acc = acc + t
        top = max(top, ct.max(t))
        steps += 1
    ct.store(x, 0, (acc * top * steps).astype(x.dtype))


@ct.kernel
def jumps(x, n: int):
    i = 0
    while i < n:
        i = i + 1
        if i == 3:
            continue
        if i == 5:
            break
        ct.store(x, i, 1.0)
    for k in range(n):
        if k == i:
            return
    while True:
        found = i
        break
    ct.store(x, found, 2.0)


@ct.kernel
def changed_target(x, n: int):
    for i in range(n):
        i = i * 2
        ct.store(x, i, 1.0)


@ct.kernel
def never(x):
    while False:
        ct.nothing()
    ct.store(x, 0, 1.0)
# ---- reads ----
# kernel @ranges {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 1> = literal [literal=1]
#     for %0, %n, %1 [spelling=stop] (%i: tile<int32, []>) {
#       %2: tile<elem(0), []> = cast %i [dtype=elem(0), implicit=true]
#       store_tile %x, %i, %2 [rank=1]
#     }
#     %3: const<int, 1> = literal [literal=1]
#     %4: const<int, 1> = literal [literal=1]
#     for %3, %n, %4 [spelling=start_stop] (%j: tile<int32, []>) {
#       %5: tile<elem(0), []> = cast %j [dtype=elem(0), implicit=true]
#       store_tile %x, %j, %5 [rank=1]
#     }
#     %6: tile<int32, []> = program_id
#     %7: tile<int32, []> = num_programs
#     for %6, %n, %7 [spelling=start_stop_step] (%j.2: tile<int32, []>) {
#       %8: tile<elem(0), []> = cast %j.2 [dtype=elem(0), implicit=true]
#       store_tile %x, %j.2, %8 [rank=1]
#     }
#   }
# }
#
# kernel @carried {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<float32, [N]> = full %N, %0 [dtype=float32, rank=1, spelling=zeros]
#     set %1 [var=$acc]
#     %2: const<float, inf> = literal [literal=inf]
#     %3: const<float, -inf> = neg %2
#     set %3 [var=$top]
#     %4: const<int, 0> = literal [literal=0]
#     set %4 [var=$steps]
#     %5: const<int, 0> = literal [literal=0]
#     %6: const<int, 1> = literal [literal=1]
#     for %5, %n, %6 [spelling=stop] (%i: tile<int32, []>) {
#       %7: tile<elem(0), [N]> = load_tile %x, %i, %N [rank=1]
#       %t: tile<float32, [N]> = cast %7 [dtype=float32, spelling=method]
#       %8: tile<float32, [N]> = get [var=$acc]
#       %9: tile<float32, [N]> = add %8, %t [dtype=float32, spelling=operator]
#       set %9 [var=$acc]
#       %10: tile<float32, []> = get [var=$top]
#       %11: tile<float32, []> = reduce %t [reduction=max, axes=(0), all_axes=true]
#       %12: tile<float32, []> = max %10, %11 [dtype=float32, spelling=builtin]
#       set %12 [var=$top]
#       %13: tile<int32, []> = get [var=$steps]
#       %14: const<int, 1> = literal [literal=1]
#       %15: tile<int32, []> = add %13, %14 [dtype=int32, spelling=operator]
#       set %15 [var=$steps]
#     }
#     %16: const<int, 0> = literal [literal=0]
#     %17: tile<float32, [N]> = get [var=$acc]
#     %18: tile<float32, []> = get [var=$top]
#     %19: tile<float32, [N]> = mul %17, %18 [dtype=float32, spelling=operator]
#     %20: tile<int32, []> = get [var=$steps]
#     %21: tile<float32, []> = cast %20 [dtype=float32, implicit=true]
#     %22: tile<float32, [N]> = mul %19, %21 [dtype=float32, spelling=operator]
#     %23: tile<elem(0), [N]> = cast %22 [dtype=elem(0), spelling=method]
#     store_tile %x, %16, %23 [rank=1]
#   }
# }
#
# kernel @jumps {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     set %0 [var=$i]
#     while {
#       %1: tile<int32, []> = get [var=$i]
#       %2: tile<bool_, []> = lt %1, %n [dtype=int32, spelling=operator]
#       yield %2
#     } {
#       %3: tile<int32, []> = get [var=$i]
#       %4: const<int, 1> = literal [literal=1]
#       %5: tile<int32, []> = add %3, %4 [dtype=int32, spelling=operator]
#       set %5 [var=$i]
#       %6: tile<int32, []> = get [var=$i]
#       %7: const<int, 3> = literal [literal=3]
#       %8: tile<bool_, []> = eq %6, %7 [dtype=int32, spelling=operator]
#       if %8 {
#         continue
#       } {
#       }
#       %9: tile<int32, []> = get [var=$i]
#       %10: const<int, 5> = literal [literal=5]
#       %11: tile<bool_, []> = eq %9, %10 [dtype=int32, spelling=operator]
#       if %11 {
#         break
#       } {
#       }
#       %12: tile<int32, []> = get [var=$i]
#       %13: const<float, 1.0> = literal [literal=1.0]
#       store_tile %x, %12, %13 [rank=1]
#     }
#     %14: const<int, 0> = literal [literal=0]
#     %15: const<int, 1> = literal [literal=1]
#     for %14, %n, %15 [spelling=stop] (%k: tile<int32, []>) {
#       %16: tile<int32, []> = get [var=$i]
#       %17: tile<bool_, []> = eq %k, %16 [dtype=int32, spelling=operator]
#       if %17 {
#         return
#       } {
#       }
#     }
#     while {
#       %18: const<bool, True> = literal [literal=True]
#       yield %18
#     } {
#       %19: tile<int32, []> = get [var=$i]
#       set %19 [var=$found]
#       break
#     }
#     %20: tile<int32, []> = get [var=$found]
#     %21: const<float, 2.0> = literal [literal=2.0]
#     store_tile %x, %20, %21 [rank=1]
#   }
# }
#
# kernel @changed_target {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 1> = literal [literal=1]
#     for %0, %n, %1 [spelling=stop] (%2: tile<int32, []>) {
#       set %2 [var=$i, spelling=target]
#       %3: tile<int32, []> = get [var=$i]
#       %4: const<int, 2> = literal [literal=2]
#       %5: tile<int32, []> = mul %3, %4 [dtype=int32, spelling=operator]
#       set %5 [var=$i]
#       %6: tile<int32, []> = get [var=$i]
#       %7: const<float, 1.0> = literal [literal=1.0]
#       store_tile %x, %6, %7 [rank=1]
#     }
#   }
# }
#
# kernel @never {
#   param array x = %x: array<elem(0), 1>
#   body {
#     mark
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<float, 1.0> = literal [literal=1.0]
#     store_tile %x, %0, %1 [rank=1]
#   }
# }
# ---- says ----
