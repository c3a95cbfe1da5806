# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import math

import cuda.tile as ct
import torch

LOG2_E = 1.0 / math.log(2)
WIDTH = 4 * (2 + 2)
HALF = torch.float16
ZERO = ct.PaddingMode.ZERO
LIMITS = (0.0, math.inf)
DEBUG = False


@ct.kernel
def named(x, out, N: ct.Constant[int]):
    # constants of the module keep their names and are calculated with
    t = ct.load(x, 0, WIDTH, padding_mode=ZERO).astype(HALF)
    t = ct.minimum(t * LOG2_E, LIMITS[1])
    half = N // 2
    whole = half * 2 + 1
    ct.store(out, whole, t)
    if DEBUG:
        ct.nothing_of_the_kind()


@ct.kernel
def folded(out):
    a = -7 // 2 + -7 % 3
    b = 7 / 2
    c = ct.cdiv(7, 2) + min(1, 2) + abs(-3)
    d = ct.int8(300) + int(2.7)
    e = 2**-1 if 3 in (1, 2) else float("-inf")
    ct.store(out, a, b + c + d + e + math.pi)
# ---- reads ----
# kernel @named {
#   param array x = %x: array<elem(0), 1>
#   param array out = %out: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = symbol [name="WIDTH"]
#     %2: tile<elem(0), [16]> = load_tile %x, %0, %1 [padding=zero, rank=1]
#     %3: tile<float16, [16]> = cast %2 [dtype=float16, spelling=method]
#     set %3 [var=$t]
#     %4: tile<float16, [16]> = get [var=$t]
#     %5: const<float, 1.4426950408889634> = symbol [name="LOG2_E"]
#     %6: tile<float16, [16]> = mul %4, %5 [dtype=float16, spelling=operator]
#     %7: const<float, inf> = literal [literal=inf]
#     %8: tile<float16, [16]> = min %6, %7 [dtype=float16]
#     set %8 [var=$t]
#     %9: const<int, 2> = literal [literal=2]
#     %half: const<int, N // 2> = floor_div %N, %9 [spelling=operator]
#     %10: const<int, 2> = literal [literal=2]
#     %11: const<int, 2 * (N // 2)> = mul %half, %10 [spelling=operator]
#     %12: const<int, 1> = literal [literal=1]
#     %whole: const<int, 2 * (N // 2) + 1> = add %11, %12 [spelling=operator]
#     %13: tile<float16, [16]> = get [var=$t]
#     %14: tile<elem(1), [16]> = cast %13 [dtype=elem(1), implicit=true]
#     store_tile %out, %whole, %14 [rank=1]
#     mark
#   }
# }
#
# kernel @folded {
#   param array out = %out: array<elem(0), 1>
#   body {
#     %0: const<int, 7> = literal [literal=7]
#     %1: const<int, -7> = neg %0
#     %2: const<int, 2> = literal [literal=2]
#     %3: const<int, -4> = floor_div %1, %2 [spelling=operator]
#     %4: const<int, 7> = literal [literal=7]
#     %5: const<int, -7> = neg %4
#     %6: const<int, 3> = literal [literal=3]
#     %7: const<int, 2> = floor_mod %5, %6 [spelling=operator]
#     %a: const<int, -2> = add %3, %7 [spelling=operator]
#     %8: const<int, 7> = literal [literal=7]
#     %9: const<int, 2> = literal [literal=2]
#     %b: const<float, 3.5> = true_div %8, %9 [spelling=operator]
#     %10: const<int, 7> = literal [literal=7]
#     %11: const<int, 2> = literal [literal=2]
#     %12: const<int, 4> = ceil_div %10, %11
#     %13: const<int, 1> = literal [literal=1]
#     %14: const<int, 2> = literal [literal=2]
#     %15: const<int, 1> = min %13, %14 [spelling=builtin]
#     %16: const<int, 5> = add %12, %15 [spelling=operator]
#     %17: const<int, 3> = literal [literal=3]
#     %18: const<int, -3> = neg %17
#     %19: const<int, 3> = abs %18
#     %c: const<int, 8> = add %16, %19 [spelling=operator]
#     %20: const<int, 300> = literal [literal=300]
#     %21: strict<int8, int, 44> = cast %20 [dtype=int8, spelling=constructor]
#     %22: const<int, 2> = literal [literal=2]
#     %d: strict<int8, int, 46> = add %21, %22 [dtype=int8, spelling=operator]
#     %23: const<int, 3> = literal [literal=3]
#     %24: const<int, 1> = literal [literal=1]
#     %25: const<int, 2> = literal [literal=2]
#     %26: const<bool, False> = eq %23, %24 [spelling=operator]
#     %27: const<bool, False> = eq %23, %25 [spelling=operator]
#     %28: const<bool, False> = bit_or %26, %27
#     %e: const<float, -inf> = literal [literal=-inf]
#     %29: const<float, 11.5> = add %b, %c [spelling=operator]
#     %30: strict<float32, float, 57.5> = add %29, %d [dtype=float32, spelling=operator]
#     %31: strict<float32, float, -inf> = add %30, %e [dtype=float32, spelling=operator]
#     %32: const<float, 3.141592653589793> = literal [literal=3.141592653589793]
#     %33: strict<float32, float, -inf> = add %31, %32 [dtype=float32, spelling=operator]
#     store_tile %out, %a, %33 [rank=1]
#   }
# }
# ---- says ----
