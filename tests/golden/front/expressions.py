# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def conditions(x, n: int, m: int, EVEN: ct.Constant[bool], N: ct.Constant[int]):
    a = 0 < n < m < N
    b = n and m or not a
    c = n if a else m
    d = 0 if N == 1 else n
    e = EVEN or (not EVEN and N > 3)
    f = x.dtype in (ct.float16, ct.bfloat16) and x.dtype != ct.float16
    g = None is None and x is not None
    h = (1, n) == (1, m)
    if (EVEN or N == 4) and n >= m:
        ct.store(x, c, d)
    if b or h:
        ct.store(x, 0, 1 if e else 2)
    if f and g:
        ct.store(x, 1, 3)
# ---- reads ----
# kernel @conditions {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   param scalar m = %m: tile<int32, []>
#   param constant EVEN = %EVEN: const<bool, EVEN>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<bool_, []> = lt %0, %n [dtype=int32, spelling=operator]
#     %a: tile<bool_, []> = and_then %1 {
#       %2: tile<bool_, []> = lt %n, %m [dtype=int32, spelling=operator]
#       %3: tile<bool_, []> = and_then %2 {
#         %4: tile<bool_, []> = lt %m, %N [dtype=int32, spelling=operator]
#         yield %4
#       }
#       yield %3
#     }
#     %5: tile<bool_, []> = cast %n [dtype=bool_, implicit=true]
#     %6: tile<bool_, []> = and_then %5 {
#       %7: tile<bool_, []> = cast %m [dtype=bool_, implicit=true]
#       yield %7
#     }
#     %b: tile<bool_, []> = or_else %6 {
#       %8: tile<bool_, []> = not %a
#       yield %8
#     }
#     %c: tile<int32, []> = ternary %a {
#       yield %n
#     } {
#       yield %m
#     }
#     %9: const<int, 1> = literal [literal=1]
#     %10: const<bool, (1 == N)> = eq %N, %9 [spelling=operator]
#     %d: tile<int32, []> = ternary %10 {
#       %11: const<int, 0> = literal [literal=0]
#       yield %11
#     } {
#       yield %n
#     }
#     %e: const<bool, (EVEN or N > 3)> = or_else %EVEN {
#       %12: const<bool, (not EVEN)> = not %EVEN
#       %13: const<int, 3> = literal [literal=3]
#       %14: const<bool, (N > 3)> = gt %N, %13 [spelling=operator]
#       yield %14
#     }
#     %15: dtype<elem(0)> = dtype_of %x
#     %16: dtype<float16> = dtype
#     %17: dtype<bfloat16> = dtype
#     %18: const<bool, "elem(0) == float16"> = eq %15, %16
#     %19: const<bool, "elem(0) == bfloat16"> = eq %15, %17
#     %20: const<bool, ("elem(0) == float16" or "elem(0) == bfloat16")> = bit_or %18, %19
#     %f: const<bool, (("elem(0) == float16" or "elem(0) == bfloat16") and not "elem(0) == float16")> = and_then %20 {
#       %21: dtype<elem(0)> = dtype_of %x
#       %22: dtype<float16> = dtype
#       %23: const<bool, (not "elem(0) == float16")> = ne %21, %22
#       yield %23
#     }
#     %g: const<bool, True> = literal [literal=True]
#     %24: const<int, 1> = literal [literal=1]
#     %25: const<int, 1> = literal [literal=1]
#     %26: const<bool, True> = eq %24, %25 [spelling=operator]
#     %h: tile<bool_, []> = eq %n, %m [dtype=int32, spelling=operator]
#     %27: const<bool, (EVEN or 4 == N)> = or_else %EVEN {
#       %28: const<int, 4> = literal [literal=4]
#       %29: const<bool, (4 == N)> = eq %N, %28 [spelling=operator]
#       yield %29
#     }
#     %30: tile<bool_, []> = and_then %27 {
#       %31: tile<bool_, []> = ge %n, %m [dtype=int32, spelling=operator]
#       yield %31
#     }
#     if %30 {
#       %32: tile<elem(0), []> = cast %d [dtype=elem(0), implicit=true]
#       store_tile %x, %c, %32 [rank=1]
#     } {
#     }
#     %33: tile<bool_, []> = or_else %b {
#       yield %h
#     }
#     if %33 {
#       %34: const<int, 0> = literal [literal=0]
#       %35: const<int, 1 if EVEN or N > 3 else 2> = ternary %e {
#         %36: const<int, 1> = literal [literal=1]
#         yield %36
#       } {
#         %37: const<int, 2> = literal [literal=2]
#         yield %37
#       }
#       store_tile %x, %34, %35 [rank=1]
#     } {
#     }
#     %38: const<bool, (("elem(0) == float16" or "elem(0) == bfloat16") and not "elem(0) == float16")> = and_then %f {
#       yield %g
#     }
#     if %38 {
#       %39: const<int, 1> = literal [literal=1]
#       %40: const<int, 3> = literal [literal=3]
#       store_tile %x, %39, %40 [rank=1]
#     } {
#     }
#   }
# }
# ---- says ----
