# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def once(x):
    # a name that is assigned once is a value
    i = ct.bid(0)
    t = ct.load(x, i, 16)
    same = t
    ct.store(x, i, same)


@ct.kernel
def again(x, n: int):
    # a name that is assigned again is a variable, a parameter too
    n = n + 1
    t = ct.load(x, n, 16)
    t = t * 2
    ct.store(x, n, t)


@ct.kernel
def together(x):
    a, b = ct.bid(0), ct.bid(1)
    a, b = b, a
    (c, (d, e)) = (a, (b, 1))
    f = g = c + d + e
    f += g
    ct.store(x, f, 0)


@ct.kernel
def nothing(x):
    '''Only comments and a docstring.'''
    pass
    pair = (1, 2)
    mode = ct.PaddingMode.ZERO
    a: int
    b: int = 3
    ct.store(x, pair[b - 2], 0)


@ct.kernel
def only_here(x, n: int):
    # assigned once, but not on the way to every read
    if n > 0:
        t = 1
    else:
        t = 2
    ct.store(x, 0, t)


@ct.kernel
def second_names(x):
    # what a name is given has a name already, which is known once the whole is read
    if True:
        t = ct.load(x, 0, 16)
    else:
        t = 1
    same = t
    ct.store(x, 0, same + t)
    for j in range(4):
        at = j
        ct.store(x, at, same)
# ---- reads ----
# kernel @once {
#   param array x = %x: array<elem(0), 1>
#   body {
#     %i: tile<int32, []> = program_id
#     %0: const<int, 16> = literal [literal=16]
#     %t: tile<elem(0), [16]> = load_tile %x, %i, %0 [rank=1]
#     %same: tile<elem(0), [16]> = copy %t
#     store_tile %x, %i, %same [rank=1]
#   }
# }
#
# kernel @again {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     set %n [var=$n, spelling=parameter]
#     %0: tile<int32, []> = get [var=$n]
#     %1: const<int, 1> = literal [literal=1]
#     %2: tile<int32, []> = add %0, %1 [dtype=int32, spelling=operator]
#     set %2 [var=$n]
#     %3: tile<int32, []> = get [var=$n]
#     %4: const<int, 16> = literal [literal=16]
#     %5: tile<elem(0), [16]> = load_tile %x, %3, %4 [rank=1]
#     set %5 [var=$t]
#     %6: tile<elem(0), [16]> = get [var=$t]
#     %7: const<int, 2> = literal [literal=2]
#     %8: tile<adapt(elem(0), int), [16]> = cast %6 [dtype=adapt(elem(0), int), implicit=true]
#     %9: tile<adapt(elem(0), int), [16]> = mul %8, %7 [dtype=adapt(elem(0), int), spelling=operator]
#     set %9 [var=$t]
#     %10: tile<int32, []> = get [var=$n]
#     %11: tile<adapt(elem(0), int), [16]> = get [var=$t]
#     %12: tile<elem(0), [16]> = cast %11 [dtype=elem(0), implicit=true]
#     store_tile %x, %10, %12 [rank=1]
#   }
# }
#
# kernel @together {
#   param array x = %x: array<elem(0), 1>
#   body {
#     %0: tile<int32, []> = program_id
#     %1: tile<int32, []> = program_id [axis=1]
#     set %0, %1 [vars=($a, $b)]
#     %2: tile<int32, []> = get [var=$b]
#     %3: tile<int32, []> = get [var=$a]
#     set %2, %3 [vars=($a, $b)]
#     %c: tile<int32, []> = get [var=$a]
#     %d: tile<int32, []> = get [var=$b]
#     %e: const<int, 1> = literal [literal=1]
#     %4: tile<int32, []> = add %c, %d [dtype=int32, spelling=operator]
#     %g: tile<int32, []> = add %4, %e [dtype=int32, spelling=operator]
#     set %g [var=$f]
#     %5: tile<int32, []> = get [var=$f]
#     %6: tile<int32, []> = add %5, %g [dtype=int32, spelling=operator]
#     set %6 [var=$f]
#     %7: tile<int32, []> = get [var=$f]
#     %8: const<int, 0> = literal [literal=0]
#     store_tile %x, %7, %8 [rank=1]
#   }
# }
#
# kernel @nothing {
#   param array x = %x: array<elem(0), 1>
#   body {
#     mark
#     mark
#     %0: const<int, 2> = literal [literal=2]
#     mark
#     mark
#     mark
#     %b: const<int, 3> = literal [literal=3]
#     %1: const<int, 2> = literal [literal=2]
#     %2: const<int, 1> = sub %b, %1 [spelling=operator]
#     %3: const<int, 0> = literal [literal=0]
#     store_tile %x, %0, %3 [rank=1]
#   }
# }
#
# kernel @only_here {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: tile<bool_, []> = gt %n, %0 [dtype=int32, spelling=operator]
#     if %1 {
#       %2: const<int, 1> = literal [literal=1]
#       set %2 [var=$t]
#     } {
#       %3: const<int, 2> = literal [literal=2]
#       set %3 [var=$t]
#     }
#     %4: const<int, 0> = literal [literal=0]
#     %5: tile<int32, []> = get [var=$t]
#     %6: tile<elem(0), []> = cast %5 [dtype=elem(0), implicit=true]
#     store_tile %x, %4, %6 [rank=1]
#   }
# }
#
# kernel @second_names {
#   param array x = %x: array<elem(0), 1>
#   body {
#     mark
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = literal [literal=16]
#     %t: tile<elem(0), [16]> = load_tile %x, %0, %1 [rank=1]
#     %same: tile<elem(0), [16]> = copy %t
#     %2: const<int, 0> = literal [literal=0]
#     %3: tile<elem(0), [16]> = add %same, %t [dtype=elem(0), spelling=operator]
#     store_tile %x, %2, %3 [rank=1]
#     %4: const<int, 4> = literal [literal=4]
#     %5: const<int, 0> = literal [literal=0]
#     %6: const<int, 1> = literal [literal=1]
#     for %5, %4, %6 [spelling=stop] (%j: tile<int32, []>) {
#       %at: tile<int32, []> = copy %j
#       store_tile %x, %at, %same [rank=1]
#     }
#   }
# }
# ---- says ----
