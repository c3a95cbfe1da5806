# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def reductions(x, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    a = ct.sum(t) + ct.prod(t, axis=(0, -1)) + ct.max(t, 1, keepdims=True) + ct.min(t, axis=0, propagate_nan=True)
    b = ct.argmax(t, axis=-1) + ct.argmin(t)
    c = ct.sum(t > 0, 1) + ct.cumsum(b, reverse=True)
    d = ct.cumprod(t, axis=1) + ct.sum(t, 0, keepdims=True, flush_to_zero=False)
    ct.store(x, (0, 0), (a + d + (b + c)[:, None]).astype(x.dtype))


@ct.kernel
def products(x, y, z, M: ct.Constant[int], N: ct.Constant[int]):
    a = ct.load(x, (0, 0), (M, N))
    b = ct.load(y, (0, 0), (N, M))
    acc = ct.zeros((M, M), ct.float32)
    acc = ct.mma(a, b, acc)
    c = a @ b
    v = ct.load(z, 0, N)
    ct.store(z, 0, a @ v)
    ct.store(z, 1, ct.matmul(v, b))
    ct.store(z, 2, (v @ v).reshape((1,)))
    ct.store(x, (0, 0), (acc + c).astype(x.dtype))
# ---- reads ----
# kernel @reductions {
#   param array x = %x: array<elem(0), 2>
#   param constant M = %M: const<int, M>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [M, N]> = load_tile %x, %0, %1, %M, %N [rank=2]
#     %2: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %3: tile<count_of(elem(0)), []> = reduce %2 [axes=(0, 1), all_axes=true]
#     %4: const<int, 1> = literal [literal=1]
#     %5: const<int, -1> = neg %4
#     %6: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %7: tile<count_of(elem(0)), []> = reduce %6 [reduction=prod, axes=(0, 1)]
#     %8: tile<count_of(elem(0)), []> = add %3, %7 [dtype=count_of(elem(0)), spelling=operator]
#     %9: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %10: tile<count_of(elem(0)), [M, 1]> = reduce %9 [reduction=max, axes=(1), keep_dims=true]
#     %11: tile<count_of(elem(0)), [M, 1]> = add %8, %10 [dtype=count_of(elem(0)), spelling=operator]
#     %12: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %13: tile<count_of(elem(0)), [N]> = reduce %12 [nan=propagate, reduction=min, axes=(0)]
#     %a: tile<count_of(elem(0)), [M, N]> = add %11, %13 [dtype=count_of(elem(0)), spelling=operator]
#     %14: const<int, 1> = literal [literal=1]
#     %15: const<int, -1> = neg %14
#     %16: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %17: tile<int32, [M]> = reduce %16 [reduction=argmax, axes=(1)]
#     %18: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %19: tile<int32, []> = reduce %18 [reduction=argmin, axes=(0, 1), all_axes=true]
#     %b: tile<int32, [M]> = add %17, %19 [dtype=int32, spelling=operator]
#     %20: const<int, 0> = literal [literal=0]
#     %21: tile<adapt(elem(0), int), [M, N]> = cast %t [dtype=adapt(elem(0), int), implicit=true]
#     %22: tile<bool_, [M, N]> = gt %21, %20 [dtype=adapt(elem(0), int), spelling=operator]
#     %23: tile<int32, [M, N]> = cast %22 [dtype=int32, implicit=true]
#     %24: tile<int32, [M]> = reduce %23 [axes=(1)]
#     %25: tile<int32, [M]> = scan %b [reverse=true]
#     %c: tile<int32, [M]> = add %24, %25 [dtype=int32, spelling=operator]
#     %26: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %27: tile<count_of(elem(0)), [M, N]> = scan %26 [reduction=prod, axis=1]
#     %28: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %29: tile<count_of(elem(0)), [1, N]> = reduce %28 [axes=(0), keep_dims=true]
#     %d: tile<count_of(elem(0)), [M, N]> = add %27, %29 [dtype=count_of(elem(0)), spelling=operator]
#     %30: const<int, 0> = literal [literal=0]
#     %31: const<int, 0> = literal [literal=0]
#     %32: tile<count_of(elem(0)), [M, N]> = add %a, %d [dtype=count_of(elem(0)), spelling=operator]
#     %33: tile<int32, [M]> = add %b, %c [dtype=int32, spelling=operator]
#     %34: tile<int32, [M, 1]> = expand_dims %33 [axes=(1), spelling=newaxis]
#     %35: tile<promote(count_of(elem(0)), int32), [M, N]> = cast %32 [dtype=promote(count_of(elem(0)), int32), implicit=true]
#     %36: tile<promote(count_of(elem(0)), int32), [M, 1]> = cast %34 [dtype=promote(count_of(elem(0)), int32), implicit=true]
#     %37: tile<promote(count_of(elem(0)), int32), [M, N]> = add %35, %36 [dtype=promote(count_of(elem(0)), int32), spelling=operator]
#     %38: tile<elem(0), [M, N]> = cast %37 [dtype=elem(0), spelling=method]
#     store_tile %x, %30, %31, %38 [rank=2]
#   }
# }
#
# kernel @products {
#   param array x = %x: array<elem(0), 2>
#   param array y = %y: array<elem(1), 2>
#   param array z = %z: array<elem(2), 1>
#   param constant M = %M: const<int, M>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %a: tile<elem(0), [M, N]> = load_tile %x, %0, %1, %M, %N [rank=2]
#     %2: const<int, 0> = literal [literal=0]
#     %3: const<int, 0> = literal [literal=0]
#     %b: tile<elem(1), [N, M]> = load_tile %y, %2, %3, %N, %M [rank=2]
#     %4: const<int, 0> = literal [literal=0]
#     %5: tile<float32, [M, M]> = full %M, %M, %4 [dtype=float32, rank=2, spelling=zeros]
#     set %5 [var=$acc]
#     %6: tile<float32, [M, M]> = get [var=$acc]
#     %7: tile<float32, [M, M]> = dot %a, %b, %6
#     set %7 [var=$acc]
#     %8: tile<promote(elem(0), elem(1)), [M, N]> = cast %a [dtype=promote(elem(0), elem(1)), implicit=true]
#     %9: tile<promote(elem(0), elem(1)), [N, M]> = cast %b [dtype=promote(elem(0), elem(1)), implicit=true]
#     %10: tile<accumulator(promote(elem(0), elem(1))), [M, M]> = dot %8, %9 [spelling=operator]
#     %c: tile<promote(elem(0), elem(1)), [M, M]> = cast %10 [dtype=promote(elem(0), elem(1))]
#     %11: const<int, 0> = literal [literal=0]
#     %v: tile<elem(2), [N]> = load_tile %z, %11, %N [rank=1]
#     %12: const<int, 0> = literal [literal=0]
#     %13: tile<promote(elem(0), elem(2)), [M, N]> = cast %a [dtype=promote(elem(0), elem(2)), implicit=true]
#     %14: tile<promote(elem(0), elem(2)), [N]> = cast %v [dtype=promote(elem(0), elem(2)), implicit=true]
#     %15: tile<promote(elem(0), elem(2)), [N, 1]> = expand_dims %14 [axes=(1)]
#     %16: tile<accumulator(promote(elem(0), elem(2))), [M, 1]> = dot %13, %15 [spelling=operator]
#     %17: const<int, M> = tile_dim %16
#     %18: tile<accumulator(promote(elem(0), elem(2))), [M]> = reshape %16, %17
#     %19: tile<promote(elem(0), elem(2)), [M]> = cast %18 [dtype=promote(elem(0), elem(2))]
#     %20: tile<elem(2), [M]> = cast %19 [dtype=elem(2), implicit=true]
#     store_tile %z, %12, %20 [rank=1]
#     %21: const<int, 1> = literal [literal=1]
#     %22: tile<promote(elem(1), elem(2)), [N]> = cast %v [dtype=promote(elem(1), elem(2)), implicit=true]
#     %23: tile<promote(elem(1), elem(2)), [N, M]> = cast %b [dtype=promote(elem(1), elem(2)), implicit=true]
#     %24: tile<promote(elem(1), elem(2)), [1, N]> = expand_dims %22 [axes=(0)]
#     %25: tile<accumulator(promote(elem(1), elem(2))), [1, M]> = dot %24, %23
#     %26: const<int, M> = tile_dim %25 [axis=1]
#     %27: tile<accumulator(promote(elem(1), elem(2))), [M]> = reshape %25, %26
#     %28: tile<promote(elem(1), elem(2)), [M]> = cast %27 [dtype=promote(elem(1), elem(2))]
#     %29: tile<elem(2), [M]> = cast %28 [dtype=elem(2), implicit=true]
#     store_tile %z, %21, %29 [rank=1]
#     %30: const<int, 2> = literal [literal=2]
#     %31: tile<elem(2), [1, N]> = expand_dims %v [axes=(0)]
#     %32: tile<elem(2), [N, 1]> = expand_dims %v [axes=(1)]
#     %33: tile<accumulator(elem(2)), [1, 1]> = dot %31, %32 [spelling=operator]
#     %34: tile<accumulator(elem(2)), []> = reshape %33
#     %35: tile<elem(2), []> = cast %34 [dtype=elem(2)]
#     %36: const<int, 1> = literal [literal=1]
#     %37: tile<elem(2), [1]> = reshape %35, %36 [spelling=method]
#     store_tile %z, %30, %37 [rank=1]
#     %38: const<int, 0> = literal [literal=0]
#     %39: const<int, 0> = literal [literal=0]
#     %40: tile<float32, [M, M]> = get [var=$acc]
#     %41: tile<promote(promote(elem(0), elem(1)), float32), [M, M]> = cast %40 [dtype=promote(promote(elem(0), elem(1)), float32), implicit=true]
#     %42: tile<promote(promote(elem(0), elem(1)), float32), [M, M]> = cast %c [dtype=promote(promote(elem(0), elem(1)), float32), implicit=true]
#     %43: tile<promote(promote(elem(0), elem(1)), float32), [M, M]> = add %41, %42 [dtype=promote(promote(elem(0), elem(1)), float32), spelling=operator]
#     %44: tile<elem(0), [M, M]> = cast %43 [dtype=elem(0), spelling=method]
#     store_tile %x, %38, %39, %44 [rank=2]
#   }
# }
# ---- says ----
