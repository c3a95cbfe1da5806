# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def tiles(x, v, N: ct.Constant[int], LATENCY: ct.Constant[int]):
    a = ct.load(x, index=(ct.bid(0), 0), shape=(N, 16), order=(1, 0), padding_mode=ZERO, latency=LATENCY, allow_tma=False)
    b = ct.load(x, (0, ct.bid(0)), (16, N), order="F")
    c = ct.load(v, 3, N, check_bounds=False)
    one = ct.load(x, (0, 1), ())
    ct.store(x, (0, 0), a + b + c[:, None] + one, order=(-1, 0))
    ct.store(v, (ct.num_tiles(x, 1, (N, 16)), ), 1)
    ct.store(v, 0, c, latency=2)


@ct.kernel
def elements(x, v, N: ct.Constant[int], M: ct.Constant[int]):
    rows = ct.arange(N, dtype=ct.int32)
    edge = N != M
    a = ct.gather(x, (rows[:, None], rows), check_bounds=edge, padding_value=-1.0)
    b = ct.gather(v, rows, mask=rows < M, check_bounds=False)
    c = ct.gather(v, (2,)).item()
    ct.scatter(x, (rows, 0), b, mask=rows > 2)
    ct.scatter(x, (rows[:, None], rows), a + c)


@ct.kernel
def parts(x, n: int, N: ct.Constant[int]):
    part = x.slice(axis=1, start=n, stop=n + N)
    ct.store(part, (0, 0), ct.load(part, (0, 1), (1, N)))


@ct.kernel
def atomics(x, n, lock, N: ct.Constant[int]):
    old = ct.atomic_add(x, ct.arange(N, dtype=ct.int32), 1.0)
    while ct.atomic_cas(lock, n, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) != 0:
        pass
    ct.atomic_max(lock, (n,), 3, memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.SYS)
    ct.atomic_xchg(lock, n, 0, memory_order=ct.MemoryOrder.RELEASE)
    ct.scatter(x, 0, old.reshape((1, N)).astype(x.dtype).reshape((N,)).item() if N == 1 else 0.0)


@ct.kernel
def views(x, N: ct.Constant[int]):
    view = x.tiled_view((1, N), padding_mode=ZERO)
    t = view.load((0, view.num_tiles(1) - 1))
    view.store((0, 0), t)
    view.store((0, 1), 1.0)
    view.atomic_store_add((0, 2), t)


@ct.kernel
def scattered_rows(x, pages, N: ct.Constant[int]):
    rows = ct.gather(pages, ct.arange(4, dtype=ct.int32))
    t = ct.load_advanced_indexing(x, (rows, ct.Slice(8, N)), padding_mode=ZERO)
    ct.store_advanced_indexing(x, (rows, ct.Slice(0, N)), t)
# ---- reads ----
# kernel @tiles {
#   param array x = %x: array<elem(0), 2>
#   param array v = %v: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   param constant LATENCY = %LATENCY: const<int, LATENCY>
#   body {
#     %0: tile<int32, []> = program_id
#     %1: const<int, 0> = literal [literal=0]
#     %2: const<int, 16> = literal [literal=16]
#     %3: const<bool, False> = literal [literal=False]
#     %a: tile<elem(0), [N, 16]> = load_tile %x, %0, %1, %N, %2 [padding=zero, order=(1, 0), rank=2, latency=%LATENCY, allow_tma=%3]
#     %4: const<int, 0> = literal [literal=0]
#     %5: tile<int32, []> = program_id
#     %6: const<int, 16> = literal [literal=16]
#     %b: tile<elem(0), [16, N]> = load_tile %x, %4, %5, %6, %N [order=(1, 0), rank=2]
#     %7: const<int, 3> = literal [literal=3]
#     %c: tile<elem(1), [N]> = load_tile %v, %7, %N [bounds=never, rank=1]
#     %8: const<int, 0> = literal [literal=0]
#     %9: const<int, 1> = literal [literal=1]
#     %10: const<int, 1> = literal [literal=1]
#     %11: const<int, 1> = literal [literal=1]
#     %one: tile<elem(0), []> = load_tile %x, %8, %9, %10, %11 [rank=2]
#     %12: const<int, 0> = literal [literal=0]
#     %13: const<int, 0> = literal [literal=0]
#     %14: tile<elem(0), [N, 16]> = add %a, %b [dtype=elem(0), spelling=operator]
#     %15: tile<elem(1), [N, 1]> = expand_dims %c [axes=(1), spelling=newaxis]
#     %16: tile<promote(elem(0), elem(1)), [N, 16]> = cast %14 [dtype=promote(elem(0), elem(1)), implicit=true]
#     %17: tile<promote(elem(0), elem(1)), [N, 1]> = cast %15 [dtype=promote(elem(0), elem(1)), implicit=true]
#     %18: tile<promote(elem(0), elem(1)), [N, 16]> = add %16, %17 [dtype=promote(elem(0), elem(1)), spelling=operator]
#     %19: tile<promote(elem(0), elem(1)), []> = cast %one [dtype=promote(elem(0), elem(1)), implicit=true]
#     %20: tile<promote(elem(0), elem(1)), [N, 16]> = add %18, %19 [dtype=promote(elem(0), elem(1)), spelling=operator]
#     %21: const<int, 1> = literal [literal=1]
#     %22: const<int, -1> = neg %21
#     %23: tile<elem(0), [N, 16]> = cast %20 [dtype=elem(0), implicit=true]
#     store_tile %x, %12, %13, %23 [order=(1, 0), rank=2]
#     %24: const<int, 16> = literal [literal=16]
#     %25: tile<int32, []> = num_tiles %x, %N, %24 [axis=1, rank=2]
#     %26: const<int, 1> = literal [literal=1]
#     store_tile %v, %25, %26 [rank=1]
#     %27: const<int, 0> = literal [literal=0]
#     %28: const<int, 2> = literal [literal=2]
#     store_tile %v, %27, %c [rank=1, latency=%28]
#   }
# }
#
# kernel @elements {
#   param array x = %x: array<elem(0), 2>
#   param array v = %v: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   param constant M = %M: const<int, M>
#   body {
#     %rows: tile<int32, [N]> = iota %N [dtype=int32]
#     %edge: const<bool, (M != N)> = ne %N, %M [spelling=operator]
#     %0: tile<int32, [N, 1]> = expand_dims %rows [axes=(1), spelling=newaxis]
#     %1: const<float, 1.0> = literal [literal=1.0]
#     %2: const<float, -1.0> = neg %1
#     %a: tile<elem(0), [N, N]> = gather %x, %0, %rows, %2 [bounds_if=%edge, rank=2, has_padding=true]
#     %3: tile<bool_, [N]> = lt %rows, %M [dtype=int32, spelling=operator]
#     %b: tile<elem(1), [N]> = gather %v, %rows, %3 [bounds=never, rank=1, has_mask=true]
#     %4: const<int, 2> = literal [literal=2]
#     %c: tile<elem(1), []> = gather %v, %4 [rank=1]
#     %5: const<int, 0> = literal [literal=0]
#     %6: const<int, 2> = literal [literal=2]
#     %7: tile<bool_, [N]> = gt %rows, %6 [dtype=int32, spelling=operator]
#     %8: tile<elem(0), [N]> = cast %b [dtype=elem(0), implicit=true]
#     scatter %x, %rows, %5, %8, %7 [rank=2, has_mask=true]
#     %9: tile<int32, [N, 1]> = expand_dims %rows [axes=(1), spelling=newaxis]
#     %10: tile<promote(elem(0), elem(1)), [N, N]> = cast %a [dtype=promote(elem(0), elem(1)), implicit=true]
#     %11: tile<promote(elem(0), elem(1)), []> = cast %c [dtype=promote(elem(0), elem(1)), implicit=true]
#     %12: tile<promote(elem(0), elem(1)), [N, N]> = add %10, %11 [dtype=promote(elem(0), elem(1)), spelling=operator]
#     %13: tile<elem(0), [N, N]> = cast %12 [dtype=elem(0), implicit=true]
#     scatter %x, %9, %rows, %13 [rank=2]
#   }
# }
#
# kernel @parts {
#   param array x = %x: array<elem(0), 2>
#   param scalar n = %n: tile<int32, []>
#   param constant N = %N: const<int, N>
#   body {
#     %0: tile<int32, []> = add %n, %N [dtype=int32, spelling=operator]
#     %part: array<elem(0), 2> = array_slice %x, %n, %0 [axis=1]
#     %1: const<int, 0> = literal [literal=0]
#     %2: const<int, 0> = literal [literal=0]
#     %3: const<int, 0> = literal [literal=0]
#     %4: const<int, 1> = literal [literal=1]
#     %5: const<int, 1> = literal [literal=1]
#     %6: tile<elem(0), [1, N]> = load_tile %part, %3, %4, %5, %N [rank=2]
#     store_tile %part, %1, %2, %6 [rank=2]
#   }
# }
#
# kernel @atomics {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   param array lock = %lock: array<elem(2), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: tile<int32, [N]> = iota %N [dtype=int32]
#     %1: const<float, 1.0> = literal [literal=1.0]
#     %old: tile<elem(0), [N]> = atomic_rmw %x, %0, %1 [order_of_memory=acq_rel, scope=device, rank=1]
#     while {
#       %2: const<int, 0> = literal [literal=0]
#       %3: const<int, 1> = literal [literal=1]
#       %4: tile<elem(2), []> = atomic_cas %lock, %n, %2, %3 [order_of_memory=acquire, scope=device, rank=1]
#       %5: const<int, 0> = literal [literal=0]
#       %6: tile<adapt(elem(2), int), []> = cast %4 [dtype=adapt(elem(2), int), implicit=true]
#       %7: tile<bool_, []> = ne %6, %5 [dtype=adapt(elem(2), int), spelling=operator]
#       yield %7
#     } {
#       mark
#     }
#     %8: const<int, 3> = literal [literal=3]
#     %9: tile<elem(2), []> = atomic_rmw %lock, %n, %8 [atomic=max, order_of_memory=relaxed, scope=sys, rank=1]
#     %10: const<int, 0> = literal [literal=0]
#     %11: tile<elem(2), []> = atomic_rmw %lock, %n, %10 [atomic=exchange, order_of_memory=release, scope=device, rank=1]
#     %12: const<int, 0> = literal [literal=0]
#     %13: const<int, 1> = literal [literal=1]
#     %14: const<bool, (1 == N)> = eq %N, %13 [spelling=operator]
#     %15: tile<select((1 == N), elem(0), float32), []> = ternary %14 {
#       %16: const<int, 1> = literal [literal=1]
#       %17: tile<elem(0), [1, N]> = reshape %old, %16, %N [spelling=method]
#       %18: tile<elem(0), [1, N]> = cast %17 [dtype=elem(0), spelling=method]
#       %19: tile<elem(0), [N]> = reshape %18, %N [spelling=method]
#       %20: tile<elem(0), []> = reshape %19 [spelling=item]
#       yield %20
#     } {
#       %21: const<float, 0.0> = literal [literal=0.0]
#       %22: tile<float32, []> = full %21 [dtype=float32, implicit=true]
#       yield %22
#     }
#     %23: tile<elem(0), []> = cast %15 [dtype=elem(0), implicit=true]
#     scatter %x, %12, %23 [rank=1]
#   }
# }
#
# kernel @views {
#   param array x = %x: array<elem(0), 2>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 1> = literal [literal=1]
#     mark
#     %1: const<int, 0> = literal [literal=0]
#     %2: tile<int32, []> = num_tiles %x, %0, %N [axis=1, rank=2]
#     %3: const<int, 1> = literal [literal=1]
#     %4: tile<int32, []> = sub %2, %3 [dtype=int32, spelling=operator]
#     %t: tile<elem(0), [1, N]> = load_tile %x, %1, %4, %0, %N [padding=zero, rank=2]
#     %5: const<int, 0> = literal [literal=0]
#     %6: const<int, 0> = literal [literal=0]
#     store_tile %x, %5, %6, %t [rank=2]
#     %7: const<int, 0> = literal [literal=0]
#     %8: const<int, 1> = literal [literal=1]
#     %9: const<float, 1.0> = literal [literal=1.0]
#     %10: tile<elem(0), [1, N]> = full %0, %N, %9 [dtype=elem(0), rank=2]
#     store_tile %x, %7, %8, %10 [rank=2]
#     %11: const<int, 0> = literal [literal=0]
#     %12: const<int, 2> = literal [literal=2]
#     %13: const<int, 2 * N> = mul %12, %N
#     %14: tile<int32, [N]> = iota %N [dtype=int32]
#     %15: tile<int32, [N]> = add %13, %14 [dtype=int32]
#     %16: tile<int32, [1, N]> = expand_dims %15 [axes=(0), spelling=newaxis]
#     %17: tile<elem(0), [1, N]> = atomic_rmw %x, %11, %16, %t [order_of_memory=relaxed, scope=device, rank=2]
#   }
# }
#
# kernel @scattered_rows {
#   param array x = %x: array<elem(0), 2>
#   param array pages = %pages: array<elem(1), 1>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 4> = literal [literal=4]
#     %1: tile<int32, [4]> = iota %0 [dtype=int32]
#     %rows: tile<elem(1), [4]> = gather %pages, %1 [rank=1]
#     %2: const<int, 8> = literal [literal=8]
#     %3: tile<elem(1), [4, 1]> = expand_dims %rows [axes=(1), spelling=newaxis]
#     %4: tile<int32, [N]> = iota %N [dtype=int32]
#     %5: tile<int32, [N]> = add %2, %4 [dtype=int32]
#     %6: tile<int32, [1, N]> = expand_dims %5 [axes=(0), spelling=newaxis]
#     %t: tile<elem(0), [4, N]> = gather %x, %3, %6 [rank=2]
#     %7: const<int, 0> = literal [literal=0]
#     %8: tile<elem(1), [4, 1]> = expand_dims %rows [axes=(1), spelling=newaxis]
#     %9: tile<int32, [N]> = iota %N [dtype=int32]
#     %10: tile<int32, [N]> = add %7, %9 [dtype=int32]
#     %11: tile<int32, [1, N]> = expand_dims %10 [axes=(0), spelling=newaxis]
#     scatter %x, %8, %11, %t [rank=2]
#   }
# }
# ---- says ----
