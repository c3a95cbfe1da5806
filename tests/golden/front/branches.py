# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def at_compile_time(x, N: ct.Constant[int]):
    # known here: one branch is left
    if 1 + 1 == 2:
        a = 1
    else:
        a = ct.no_such_function()
    # known at the launch: both branches are left
    if N > 16:
        b = a + N
    else:
        b = a
    ct.store(x, 0, b)


@ct.kernel
def at_run_time(x, n: int, f: float):
    t = ct.load(x, 0, 16)
    if n > 0:
        t = t * 2.0
    elif f > 0 and n < -1:
        t = -t
    else:
        return
    ct.store(x, 0, t)


@ct.kernel
def correlated(x, bias, HAS_BIAS: ct.Constant[bool], N: ct.Constant[int]):
    # what one branch assigns is there for another one of the same condition
    if HAS_BIAS:
        b = ct.load(bias, 0, N)
    t = ct.load(x, 0, N)
    if HAS_BIAS:
        t = t + b
    ct.store(x, 0, t)


@ct.kernel
def by_dtype(x, N: ct.Constant[int]):
    # a condition on a dtype is one of the launch, and so is the dtype of what it leaves
    t = ct.load(x, 0, N)
    if x.dtype == ct.float32:
        t = t.astype(ct.tfloat32)
    acc = ct.mma(t.reshape((1, N)), t.reshape((N, 1)), ct.zeros((1, 1), ct.float32))
    ct.store(x, 0, acc.reshape((1,)).astype(x.dtype))


@ct.kernel
def a_row_or_a_tile(x, CAUSAL: ct.Constant[bool], N: ct.Constant[int]):
    # an extent that is 1 in some launches, as broadcasting allows
    columns = ct.arange(N, dtype=ct.int32)[None, :]
    seen = columns < 3
    if CAUSAL:
        seen = seen & (columns <= ct.arange(N, dtype=ct.int32)[:, None])
    ct.store(x, (0, 0), ct.where(seen, ct.load(x, (0, 0), (N, N)), 0.0))


@ct.kernel
def read_twice(x, ONE: ct.Constant[bool], N: ct.Constant[int]):
    # ranks that differ: what follows is read for each side
    if ONE:
        t = ct.load(x, 0, N)
    else:
        t = ct.load(x, 0, N)[:, None]
    s = t * 2
    ct.store(x, 0, s.reshape((N,)))


@ct.kernel
def returns_early(x, SKIP: ct.Constant[bool], n: int):
    if SKIP:
        return
    if n == 0:
        return
    ct.store(x, 0, n)


@ct.kernel
def dead(x, SIGMOID: ct.Constant[int], N: ct.Constant[int]):
    # cuTile refuses the launches that would take this branch, so it says so and the rest is converted
    t = ct.load(x, 0, N)
    if SIGMOID:
        t = ct.sigmoid(t)
    ct.store(x, 0, t)


@ct.kernel
def dead_in_lines(x, SIGMOID: ct.Constant[int], N: ct.Constant[int]):
    # the words about the branch are one line
    t = ct.load(x, 0, N)
    if SIGMOID:
        ct.static_assert("\d" == (
            "x"
        ))
    ct.store(x, 0, t)
# ---- reads ----
# kernel @at_compile_time {
#   param array x = %x: array<elem(0), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 1> = literal [literal=1]
#     %1: const<int, 1> = literal [literal=1]
#     %2: const<int, 2> = add %0, %1 [spelling=operator]
#     %3: const<int, 2> = literal [literal=2]
#     %4: const<bool, True> = eq %2, %3 [spelling=operator]
#     mark
#     %a: const<int, 1> = literal [literal=1]
#     %5: const<int, 16> = literal [literal=16]
#     %6: const<bool, (N > 16)> = gt %N, %5 [spelling=operator]
#     if %6 {
#       %7: const<int, N + 1> = add %a, %N [spelling=operator]
#       set %7 [var=$b]
#     } {
#       set %a [var=$b]
#     }
#     %8: const<int, 0> = literal [literal=0]
#     %9: const<int, N + 1 if N > 16 else 1> = get [var=$b]
#     store_tile %x, %8, %9 [rank=1]
#   }
# }
#
# kernel @at_run_time {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   param scalar f = %f: tile<float32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = literal [literal=16]
#     %2: tile<elem(0), [16]> = load_tile %x, %0, %1 [rank=1]
#     set %2 [var=$t]
#     %3: const<int, 0> = literal [literal=0]
#     %4: tile<bool_, []> = gt %n, %3 [dtype=int32, spelling=operator]
#     if %4 {
#       %5: tile<elem(0), [16]> = get [var=$t]
#       %6: const<float, 2.0> = literal [literal=2.0]
#       %7: tile<adapt(elem(0), float), [16]> = cast %5 [dtype=adapt(elem(0), float), implicit=true]
#       %8: tile<adapt(elem(0), float), [16]> = mul %7, %6 [dtype=adapt(elem(0), float), spelling=operator]
#       set %8 [var=$t]
#     } {
#       %9: const<int, 0> = literal [literal=0]
#       %10: tile<bool_, []> = gt %f, %9 [dtype=float32, spelling=operator]
#       %11: tile<bool_, []> = and_then %10 {
#         %12: const<int, 1> = literal [literal=1]
#         %13: const<int, -1> = neg %12
#         %14: tile<bool_, []> = lt %n, %13 [dtype=int32, spelling=operator]
#         yield %14
#       }
#       if %11 {
#         %15: tile<elem(0), [16]> = get [var=$t]
#         %16: tile<count_of(elem(0)), [16]> = cast %15 [dtype=count_of(elem(0)), implicit=true]
#         %17: tile<count_of(elem(0)), [16]> = neg %16 [dtype=count_of(elem(0))]
#         set %17 [var=$t]
#       } {
#         return
#       }
#     }
#     %18: const<int, 0> = literal [literal=0]
#     %19: tile<adapt(elem(0), float), [16]> = get [var=$t]
#     %20: tile<elem(0), [16]> = cast %19 [dtype=elem(0), implicit=true]
#     store_tile %x, %18, %20 [rank=1]
#   }
# }
#
# kernel @correlated {
#   param array x = %x: array<elem(0), 1>
#   param array bias = %bias: array<elem(1), 1>
#   param constant HAS_BIAS = %HAS_BIAS: const<bool, HAS_BIAS>
#   param constant N = %N: const<int, N>
#   body {
#     if %HAS_BIAS {
#       %0: const<int, 0> = literal [literal=0]
#       %1: tile<elem(1), [N]> = load_tile %bias, %0, %N [rank=1]
#       set %1 [var=$b]
#     } {
#     }
#     %2: const<int, 0> = literal [literal=0]
#     %3: tile<elem(0), [N]> = load_tile %x, %2, %N [rank=1]
#     set %3 [var=$t]
#     if %HAS_BIAS {
#       %4: tile<elem(0), [N]> = get [var=$t]
#       %5: tile<elem(1), [N]> = get [var=$b]
#       %6: tile<promote(elem(0), elem(1)), [N]> = cast %4 [dtype=promote(elem(0), elem(1)), implicit=true]
#       %7: tile<promote(elem(0), elem(1)), [N]> = cast %5 [dtype=promote(elem(0), elem(1)), implicit=true]
#       %8: tile<promote(elem(0), elem(1)), [N]> = add %6, %7 [dtype=promote(elem(0), elem(1)), spelling=operator]
#       set %8 [var=$t]
#     } {
#     }
#     %9: const<int, 0> = literal [literal=0]
#     %10: tile<select((HAS_BIAS), promote(elem(0), elem(1)), elem(0)), [N]> = get [var=$t]
#     %11: tile<elem(0), [N]> = cast %10 [dtype=elem(0), implicit=true]
#     store_tile %x, %9, %11 [rank=1]
#   }
# }
#
# kernel @by_dtype {
#   param array x = %x: array<elem(0), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#     set %1 [var=$t]
#     %2: dtype<elem(0)> = dtype_of %x
#     %3: dtype<float32> = dtype
#     %4: const<bool, "elem(0) == float32"> = eq %2, %3
#     if %4 {
#       %5: tile<elem(0), [N]> = get [var=$t]
#       %6: tile<tfloat32, [N]> = cast %5 [dtype=tfloat32, spelling=method]
#       set %6 [var=$t]
#     } {
#     }
#     %7: tile<select(("elem(0) == float32"), tfloat32, elem(0)), [N]> = get [var=$t]
#     %8: const<int, 1> = literal [literal=1]
#     %9: tile<select(("elem(0) == float32"), tfloat32, elem(0)), [1, N]> = reshape %7, %8, %N [spelling=method]
#     %10: tile<select(("elem(0) == float32"), tfloat32, elem(0)), [N]> = get [var=$t]
#     %11: const<int, 1> = literal [literal=1]
#     %12: tile<select(("elem(0) == float32"), tfloat32, elem(0)), [N, 1]> = reshape %10, %N, %11 [spelling=method]
#     %13: const<int, 1> = literal [literal=1]
#     %14: const<int, 1> = literal [literal=1]
#     %15: const<int, 0> = literal [literal=0]
#     %16: tile<float32, [1, 1]> = full %13, %14, %15 [dtype=float32, rank=2, spelling=zeros]
#     %acc: tile<float32, [1, 1]> = dot %9, %12, %16
#     %17: const<int, 0> = literal [literal=0]
#     %18: const<int, 1> = literal [literal=1]
#     %19: tile<float32, [1]> = reshape %acc, %18 [spelling=method]
#     %20: tile<elem(0), [1]> = cast %19 [dtype=elem(0), spelling=method]
#     store_tile %x, %17, %20 [rank=1]
#   }
# }
#
# kernel @a_row_or_a_tile {
#   param array x = %x: array<elem(0), 2>
#   param constant CAUSAL = %CAUSAL: const<bool, CAUSAL>
#   param constant N = %N: const<int, N>
#   body {
#     %0: tile<int32, [N]> = iota %N [dtype=int32]
#     %columns: tile<int32, [1, N]> = expand_dims %0 [axes=(0), spelling=newaxis]
#     %1: const<int, 3> = literal [literal=3]
#     %2: tile<bool_, [1, N]> = lt %columns, %1 [dtype=int32, spelling=operator]
#     set %2 [var=$seen]
#     if %CAUSAL {
#       %3: tile<bool_, [1, N]> = get [var=$seen]
#       %4: tile<int32, [N]> = iota %N [dtype=int32]
#       %5: tile<int32, [N, 1]> = expand_dims %4 [axes=(1), spelling=newaxis]
#       %6: tile<bool_, [N, N]> = le %columns, %5 [dtype=int32, spelling=operator]
#       %7: tile<bool_, [N, N]> = bit_and %3, %6 [dtype=bool_, spelling=operator]
#       set %7 [var=$seen]
#     } {
#     }
#     %8: const<int, 0> = literal [literal=0]
#     %9: const<int, 0> = literal [literal=0]
#     %10: tile<bool_, [N if CAUSAL else 1, N]> = get [var=$seen]
#     %11: const<int, 0> = literal [literal=0]
#     %12: const<int, 0> = literal [literal=0]
#     %13: tile<elem(0), [N, N]> = load_tile %x, %11, %12, %N, %N [rank=2]
#     %14: const<float, 0.0> = literal [literal=0.0]
#     %15: tile<adapt(elem(0), float), [N, N]> = cast %13 [dtype=adapt(elem(0), float), implicit=true]
#     %16: tile<adapt(elem(0), float), [N, N]> = where %10, %15, %14 [dtype=adapt(elem(0), float)]
#     %17: tile<elem(0), [N, N]> = cast %16 [dtype=elem(0), implicit=true]
#     store_tile %x, %8, %9, %17 [rank=2]
#   }
# }
#
# kernel @read_twice {
#   param array x = %x: array<elem(0), 1>
#   param constant ONE = %ONE: const<bool, ONE>
#   param constant N = %N: const<int, N>
#   body {
#     if %ONE [spelling=split] {
#       mark
#       %0: const<int, 0> = literal [literal=0]
#       %1: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#       set %1 [var=$t]
#       %2: tile<elem(0), [N]> = get [var=$t]
#       %3: const<int, 2> = literal [literal=2]
#       %4: tile<adapt(elem(0), int), [N]> = cast %2 [dtype=adapt(elem(0), int), implicit=true]
#       %5: tile<adapt(elem(0), int), [N]> = mul %4, %3 [dtype=adapt(elem(0), int), spelling=operator]
#       set %5 [var=$s]
#       %6: const<int, 0> = literal [literal=0]
#       %7: tile<adapt(elem(0), int), [N]> = get [var=$s]
#       %8: tile<adapt(elem(0), int), [N]> = reshape %7, %N [spelling=method]
#       %9: tile<elem(0), [N]> = cast %8 [dtype=elem(0), implicit=true]
#       store_tile %x, %6, %9 [rank=1]
#     } {
#       mark
#       %10: const<int, 0> = literal [literal=0]
#       %11: tile<elem(0), [N]> = load_tile %x, %10, %N [rank=1]
#       %12: tile<elem(0), [N, 1]> = expand_dims %11 [axes=(1), spelling=newaxis]
#       set %12 [var=$t]
#       %13: tile<elem(0), [N, 1]> = get [var=$t]
#       %14: const<int, 2> = literal [literal=2]
#       %15: tile<adapt(elem(0), int), [N, 1]> = cast %13 [dtype=adapt(elem(0), int), implicit=true]
#       %16: tile<adapt(elem(0), int), [N, 1]> = mul %15, %14 [dtype=adapt(elem(0), int), spelling=operator]
#       set %16 [var=$s]
#       %17: const<int, 0> = literal [literal=0]
#       %18: tile<adapt(elem(0), int), [N, 1]> = get [var=$s]
#       %19: tile<adapt(elem(0), int), [N]> = reshape %18, %N [spelling=method]
#       %20: tile<elem(0), [N]> = cast %19 [dtype=elem(0), implicit=true]
#       store_tile %x, %17, %20 [rank=1]
#     }
#   }
# }
#
# kernel @returns_early {
#   param array x = %x: array<elem(0), 1>
#   param constant SKIP = %SKIP: const<bool, SKIP>
#   param scalar n = %n: tile<int32, []>
#   body {
#     if %SKIP {
#       return
#     } {
#     }
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<bool_, []> = eq %n, %0 [dtype=int32, spelling=operator]
#     if %1 {
#       return
#     } {
#     }
#     %2: const<int, 0> = literal [literal=0]
#     %3: tile<elem(0), []> = cast %n [dtype=elem(0), implicit=true]
#     store_tile %x, %2, %3 [rank=1]
#   }
# }
#
# kernel @dead {
#   param array x = %x: array<elem(0), 1>
#   param constant SIGMOID = %SIGMOID: const<int, SIGMOID>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#     if %SIGMOID {
#       unsupported [text="`cuda.tile` has no `sigmoid`"]
#     } {
#     }
#     %1: const<int, 0> = literal [literal=0]
#     store_tile %x, %1, %t [rank=1]
#   }
# }
#
# kernel @dead_in_lines {
#   param array x = %x: array<elem(0), 1>
#   param constant SIGMOID = %SIGMOID: const<int, SIGMOID>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#     if %SIGMOID {
#       unsupported [text="the static assertion `\"\\d\" == ( \"x\" )` does not hold"]
#     } {
#     }
#     %1: const<int, 0> = literal [literal=0]
#     store_tile %x, %1, %t [rank=1]
#   }
# }
# ---- says ----
# 90:13 TW160 note: this branch does not compile and is taken by no launch that works: `cuda.tile` has no `sigmoid`
# 99:9 TW160 note: this branch does not compile and is taken by no launch that works: the static assertion `"\d" == ( "x" )` does not hold
