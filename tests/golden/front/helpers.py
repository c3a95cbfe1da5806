# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct

FACTOR = 3.0


def scale(x, factor=2.0, *, shift=0):
    '''x * factor + shift'''
    return x * factor + shift


def both(x, y):
    return scale(x), scale(y, FACTOR, shift=1)


def store(array, index, tile, mode=None):
    ct.store(array, index, tile)


def pick(x, SMALL):
    if SMALL:
        return x.astype(ct.float16)
    return x.astype(ct.float32)


def sign(n):
    if n > 0:
        return 1
    if n < 0:
        return -1
    return 0


def padded(array, i, N, mode):
    return ct.load(array, i, N, padding_mode=mode)


def apply(function, x):
    return function(x)


@ct.kernel
def results(x, y, N: ct.Constant[int]):
    a, b = both(ct.load(x, 0, N), ct.load(y, 0, N))
    pair = both(a, 1)
    store(x, 0, a.astype(x.dtype))
    store(y, 0, b.astype(y.dtype))
    store(y, sign(pair[1]), pair[0].astype(y.dtype), mode="plain")


@ct.kernel
def one_instance_for_equal_types(x, N: ct.Constant[int]):
    a = scale(ct.load(x, 0, N))
    b = scale(ct.load(x, 1, N))
    ct.store(x, 0, (a + b).astype(x.dtype))


@ct.kernel
def erased(x, N: ct.Constant[int]):
    t = padded(x, 0, N, ct.PaddingMode.ZERO) + padded(x, 1, N, ct.PaddingMode.NAN)
    ct.store(x, 0, apply(ct.exp, t).astype(x.dtype))


@ct.kernel
def several_returns(x, SMALL: ct.Constant[bool], N: ct.Constant[int]):
    ct.store(x, 0, pick(ct.load(x, 0, N), SMALL).astype(x.dtype))
# ---- reads ----
# helper @scale {
#   param tile x = %x: tile<elem(0), [N]>
#   param constant factor = %factor: const<float, 2.0>
#   param constant shift = %shift: const<int, 0>
#   returns tile<adapt(elem(0), float), [N]>
#   body {
#     mark
#     %0: tile<adapt(elem(0), float), [N]> = cast %x [dtype=adapt(elem(0), float), implicit=true]
#     %1: tile<adapt(elem(0), float), [N]> = mul %0, %factor [dtype=adapt(elem(0), float), spelling=operator]
#     %2: tile<adapt(elem(0), float), [N]> = add %1, %shift [dtype=adapt(elem(0), float), spelling=operator]
#     return %2
#   }
# }
#
# helper @scale.2 instance 1 {
#   param tile x = %x: tile<elem(1), [N]>
#   param constant factor = %factor: const<float, 3.0>
#   param constant shift = %shift: const<int, 1>
#   returns tile<adapt(elem(1), float), [N]>
#   body {
#     mark
#     %0: tile<adapt(elem(1), float), [N]> = cast %x [dtype=adapt(elem(1), float), implicit=true]
#     %1: tile<adapt(elem(1), float), [N]> = mul %0, %factor [dtype=adapt(elem(1), float), spelling=operator]
#     %2: tile<adapt(elem(1), float), [N]> = add %1, %shift [dtype=adapt(elem(1), float), spelling=operator]
#     return %2
#   }
# }
#
# helper @both {
#   param tile x = %x: tile<elem(0), [N]>
#   param tile y = %y: tile<elem(1), [N]>
#   returns tile<adapt(elem(0), float), [N]>, tile<adapt(elem(1), float), [N]>
#   body {
#     %0: const<float, 2.0> = literal [literal=2.0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: tile<adapt(elem(0), float), [N]> = call %x, %0, %1 [function=@scale]
#     %3: const<float, 3.0> = symbol [name="FACTOR"]
#     %4: const<int, 1> = literal [literal=1]
#     %5: tile<adapt(elem(1), float), [N]> = call %y, %3, %4 [function=@scale.2]
#     return %2, %5
#   }
# }
#
# helper @scale.3 instance 2 {
#   param tile x = %x: tile<adapt(elem(0), float), [N]>
#   param constant factor = %factor: const<float, 2.0>
#   param constant shift = %shift: const<int, 0>
#   returns tile<adapt(elem(0), float), [N]>
#   body {
#     mark
#     %0: tile<adapt(elem(0), float), [N]> = mul %x, %factor [dtype=adapt(elem(0), float), spelling=operator]
#     %1: tile<adapt(elem(0), float), [N]> = add %0, %shift [dtype=adapt(elem(0), float), spelling=operator]
#     return %1
#   }
# }
#
# helper @scale.4 instance 3 {
#   param constant x = %x: const<int, 1>
#   param constant factor = %factor: const<float, 3.0>
#   param constant shift = %shift: const<int, 1>
#   returns const<float, 4.0>
#   body {
#     mark
#     %0: const<float, 3.0> = mul %x, %factor [spelling=operator]
#     %1: const<float, 4.0> = add %0, %shift [spelling=operator]
#     return %1
#   }
# }
#
# helper @both.2 instance 1 {
#   param tile x = %x: tile<adapt(elem(0), float), [N]>
#   param constant y = %y: const<int, 1>
#   returns tile<adapt(elem(0), float), [N]>, const<float, 4.0>
#   body {
#     %0: const<float, 2.0> = literal [literal=2.0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: tile<adapt(elem(0), float), [N]> = call %x, %0, %1 [function=@scale.3]
#     %3: const<float, 3.0> = symbol [name="FACTOR"]
#     %4: const<int, 1> = literal [literal=1]
#     %5: const<float, 4.0> = call %y, %3, %4 [function=@scale.4]
#     return %2, %5
#   }
# }
#
# helper @store {
#   param array array = %array: array<elem(0), 1>
#   param constant index = %index: const<int, 0>
#   param tile tile = %tile: tile<elem(0), [N]>
#   param erased mode
#   body {
#     store_tile %array, %index, %tile [rank=1]
#   }
# }
#
# helper @store.2 instance 1 {
#   param array array = %array: array<elem(1), 1>
#   param constant index = %index: const<int, 0>
#   param tile tile = %tile: tile<elem(1), [N]>
#   param erased mode
#   body {
#     store_tile %array, %index, %tile [rank=1]
#   }
# }
#
# helper @sign {
#   param constant n = %n: const<float, 4.0>
#   returns const<int, 1>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<bool, True> = gt %n, %0 [spelling=operator]
#     mark
#     %2: const<int, 1> = literal [literal=1]
#     return %2
#   }
# }
#
# helper @store.3 instance 2 {
#   param array array = %array: array<elem(1), 1>
#   param constant index = %index: const<int, 1>
#   param tile tile = %tile: tile<elem(1), [N]>
#   param erased mode
#   body {
#     store_tile %array, %index, %tile [rank=1]
#   }
# }
#
# kernel @results {
#   param array x = %x: array<elem(0), 1>
#   param array y = %y: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#     %2: const<int, 0> = literal [literal=0]
#     %3: tile<elem(1), [N]> = load_tile %y, %2, %N [rank=1]
#     %a: tile<adapt(elem(0), float), [N]>, %b: tile<adapt(elem(1), float), [N]> = call %1, %3 [function=@both]
#     %4: const<int, 1> = literal [literal=1]
#     %5: tile<adapt(elem(0), float), [N]>, %6: const<float, 4.0> = call %a, %4 [function=@both.2]
#     mark
#     %7: const<int, 0> = literal [literal=0]
#     %8: tile<elem(0), [N]> = cast %a [dtype=elem(0), spelling=method]
#     call %x, %7, %8 [function=@store]
#     %9: const<int, 0> = literal [literal=0]
#     %10: tile<elem(1), [N]> = cast %b [dtype=elem(1), spelling=method]
#     call %y, %9, %10 [function=@store.2]
#     %11: const<int, 1> = call %6 [function=@sign]
#     %12: tile<elem(1), [N]> = cast %5 [dtype=elem(1), spelling=method]
#     call %y, %11, %12 [function=@store.3]
#   }
# }
#
# kernel @one_instance_for_equal_types {
#   param array x = %x: array<elem(0), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<elem(0), [N]> = load_tile %x, %0, %N [rank=1]
#     %2: const<float, 2.0> = literal [literal=2.0]
#     %3: const<int, 0> = literal [literal=0]
#     %a: tile<adapt(elem(0), float), [N]> = call %1, %2, %3 [function=@scale]
#     %4: const<int, 1> = literal [literal=1]
#     %5: tile<elem(0), [N]> = load_tile %x, %4, %N [rank=1]
#     %6: const<float, 2.0> = literal [literal=2.0]
#     %7: const<int, 0> = literal [literal=0]
#     %b: tile<adapt(elem(0), float), [N]> = call %5, %6, %7 [function=@scale]
#     %8: const<int, 0> = literal [literal=0]
#     %9: tile<adapt(elem(0), float), [N]> = add %a, %b [dtype=adapt(elem(0), float), spelling=operator]
#     %10: tile<elem(0), [N]> = cast %9 [dtype=elem(0), spelling=method]
#     store_tile %x, %8, %10 [rank=1]
#   }
# }
#
# helper @padded {
#   param array array = %array: array<elem(0), 1>
#   param constant i = %i: const<int, 0>
#   param constant N = %N: const<int, N>
#   param erased mode
#   returns tile<elem(0), [N]>
#   body {
#     %0: tile<elem(0), [N]> = load_tile %array, %i, %N [padding=zero, rank=1]
#     return %0
#   }
# }
#
# helper @padded.2 instance 1 {
#   param array array = %array: array<elem(0), 1>
#   param constant i = %i: const<int, 1>
#   param constant N = %N: const<int, N>
#   param erased mode
#   returns tile<elem(0), [N]>
#   body {
#     %0: tile<elem(0), [N]> = load_tile %array, %i, %N [padding=nan, rank=1]
#     return %0
#   }
# }
#
# helper @apply {
#   param erased function
#   param tile x = %x: tile<elem(0), [N]>
#   returns tile<float_of(elem(0)), [N]>
#   body {
#     %0: tile<float_of(elem(0)), [N]> = cast %x [dtype=float_of(elem(0)), implicit=true]
#     %1: tile<float_of(elem(0)), [N]> = exp %0 [dtype=float_of(elem(0))]
#     return %1
#   }
# }
#
# kernel @erased {
#   param array x = %x: array<elem(0), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<elem(0), [N]> = call %x, %0, %N [function=@padded]
#     %2: const<int, 1> = literal [literal=1]
#     %3: tile<elem(0), [N]> = call %x, %2, %N [function=@padded.2]
#     %t: tile<elem(0), [N]> = add %1, %3 [dtype=elem(0), spelling=operator]
#     %4: const<int, 0> = literal [literal=0]
#     %5: tile<float_of(elem(0)), [N]> = call %t [function=@apply]
#     %6: tile<elem(0), [N]> = cast %5 [dtype=elem(0), spelling=method]
#     store_tile %x, %4, %6 [rank=1]
#   }
# }
#
# helper @pick {
#   param tile x = %x: tile<elem(0), [N]>
#   param constant SMALL = %SMALL: const<bool, SMALL>
#   returns tile<select((SMALL), float16, float32), [N]>
#   body {
#     if %SMALL {
#       %0: tile<float16, [N]> = cast %x [dtype=float16, spelling=method]
#       return %0
#     } {
#     }
#     %1: tile<float32, [N]> = cast %x [dtype=float32, spelling=method]
#     return %1
#   }
# }
#
# kernel @several_returns {
#   param array x = %x: array<elem(0), 1>
#   param constant SMALL = %SMALL: const<bool, SMALL>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %2: tile<elem(0), [N]> = load_tile %x, %1, %N [rank=1]
#     %3: tile<select((SMALL), float16, float32), [N]> = call %2, %SMALL [function=@pick]
#     %4: tile<elem(0), [N]> = cast %3 [dtype=elem(0), spelling=method]
#     store_tile %x, %0, %4 [rank=1]
#   }
# }
# ---- says ----
