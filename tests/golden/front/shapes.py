# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct
import numpy as np


@ct.kernel
def shapes(x, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    a = t.reshape((N * M,)).reshape((M, -1)).reshape((-1,))
    b = ct.reshape(t, (1, M, 1, N))
    c = t.permute((1, 0)) + ct.transpose(t) + t.transpose(0, -1)
    d = ct.sum(t, axis=1)[:, None] + ct.sum(t, 0)[None] + ct.expand_dims(ct.sum(t, 0), 0) + ct.max(t, 1)[..., np.newaxis]
    ct.store(x, (0, 0), c + d)


@ct.kernel
def pieces(x, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    m, n = t.shape
    a = ct.extract(t, (0, 1), (m // 2, N))
    b = ct.cat((a, a), 0) + ct.broadcast_to(ct.full((1, n), 1, t.dtype), (M, n))
    c = t.extract((0, 0), ()) + ct.broadcast_to(2.0, (4,))
    ct.store(x, (t.ndim, 0), b)
    ct.store(x, (0, 0), ct.sum(c))


@ct.kernel
def created(x, n: int, N: ct.Constant[int]):
    a = ct.arange(N, dtype=ct.float32) + ct.arange(N, dtype=ct.int32, start=n, step=2)
    b = ct.zeros(N, x.dtype) + ct.ones((N,), dtype=ct.int32) + ct.full((), 1.5, ct.float16)
    ct.store(x, 0, (a + b).astype(x.dtype))
# ---- reads ----
# kernel @shapes {
#   param array x = %x: array<elem(0), 2>
#   param constant M = %M: const<int, M>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [M, N]> = load_tile %x, %0, %1, %M, %N [rank=2]
#     %2: const<int, M * N> = mul %N, %M [spelling=operator]
#     %3: tile<elem(0), [M * N]> = reshape %t, %2 [spelling=method]
#     %4: const<int, 1> = literal [literal=1]
#     %5: const<int, -1> = neg %4
#     %6: const<int, M * N> = tile_dim %3
#     %7: const<int, N> = floor_div %6, %M
#     %8: tile<elem(0), [M, N]> = reshape %3, %M, %7 [spelling=method]
#     %9: const<int, 1> = literal [literal=1]
#     %10: const<int, -1> = neg %9
#     %11: const<int, M> = tile_dim %8
#     %12: const<int, N> = tile_dim %8 [axis=1]
#     %13: const<int, M * N> = mul %11, %12
#     %a: tile<elem(0), [M * N]> = reshape %8, %13 [spelling=method]
#     %14: const<int, 1> = literal [literal=1]
#     %15: const<int, 1> = literal [literal=1]
#     %b: tile<elem(0), [1, M, 1, N]> = reshape %t, %14, %M, %15, %N
#     %16: tile<elem(0), [N, M]> = permute %t [axes=(1, 0), spelling=method]
#     %17: tile<elem(0), [N, M]> = permute %t [axes=(1, 0), spelling=transpose]
#     %18: tile<elem(0), [N, M]> = add %16, %17 [dtype=elem(0), spelling=operator]
#     %19: const<int, 1> = literal [literal=1]
#     %20: const<int, -1> = neg %19
#     %21: tile<elem(0), [N, M]> = permute %t [axes=(1, 0), spelling=transpose]
#     %c: tile<elem(0), [N, M]> = add %18, %21 [dtype=elem(0), spelling=operator]
#     %22: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %23: tile<count_of(elem(0)), [M]> = reduce %22 [axes=(1)]
#     %24: tile<count_of(elem(0)), [M, 1]> = expand_dims %23 [axes=(1), spelling=newaxis]
#     %25: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %26: tile<count_of(elem(0)), [N]> = reduce %25 [axes=(0)]
#     %27: tile<count_of(elem(0)), [1, N]> = expand_dims %26 [axes=(0), spelling=newaxis]
#     %28: tile<count_of(elem(0)), [M, N]> = add %24, %27 [dtype=count_of(elem(0)), spelling=operator]
#     %29: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %30: tile<count_of(elem(0)), [N]> = reduce %29 [axes=(0)]
#     %31: tile<count_of(elem(0)), [1, N]> = expand_dims %30 [axes=(0)]
#     %32: tile<count_of(elem(0)), [M, N]> = add %28, %31 [dtype=count_of(elem(0)), spelling=operator]
#     %33: tile<count_of(elem(0)), [M, N]> = cast %t [dtype=count_of(elem(0)), implicit=true]
#     %34: tile<count_of(elem(0)), [M]> = reduce %33 [reduction=max, axes=(1)]
#     %35: tile<count_of(elem(0)), [M, 1]> = expand_dims %34 [axes=(1), spelling=newaxis]
#     %d: tile<count_of(elem(0)), [M, N]> = add %32, %35 [dtype=count_of(elem(0)), spelling=operator]
#     %36: const<int, 0> = literal [literal=0]
#     %37: const<int, 0> = literal [literal=0]
#     %38: tile<promote(count_of(elem(0)), elem(0)), [N, M]> = cast %c [dtype=promote(count_of(elem(0)), elem(0)), implicit=true]
#     %39: tile<promote(count_of(elem(0)), elem(0)), [M, N]> = cast %d [dtype=promote(count_of(elem(0)), elem(0)), implicit=true]
#     %40: tile<promote(count_of(elem(0)), elem(0)), [N, M]> = add %38, %39 [dtype=promote(count_of(elem(0)), elem(0)), spelling=operator]
#     %41: tile<elem(0), [N, M]> = cast %40 [dtype=elem(0), implicit=true]
#     store_tile %x, %36, %37, %41 [rank=2]
#   }
# }
#
# kernel @pieces {
#   param array x = %x: array<elem(0), 2>
#   param constant M = %M: const<int, M>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [M, N]> = load_tile %x, %0, %1, %M, %N [rank=2]
#     %m: const<int, M> = tile_dim %t
#     %n: const<int, N> = tile_dim %t [axis=1]
#     %2: const<int, 0> = literal [literal=0]
#     %3: const<int, 1> = literal [literal=1]
#     %4: const<int, 2> = literal [literal=2]
#     %5: const<int, M // 2> = floor_div %m, %4 [spelling=operator]
#     %a: tile<elem(0), [M // 2, N]> = extract %t, %2, %3, %5, %N [rank=2]
#     %6: tile<elem(0), [2 * (M // 2), N]> = cat %a, %a
#     %7: const<int, 1> = literal [literal=1]
#     %8: const<int, 1> = literal [literal=1]
#     %9: tile<elem(0), [1, N]> = full %7, %n, %8 [dtype=elem(0), rank=2, spelling=full]
#     %10: tile<elem(0), [M, N]> = broadcast %9, %M, %n
#     %b: tile<elem(0), [2 * (M // 2), N]> = add %6, %10 [dtype=elem(0), spelling=operator]
#     %11: const<int, 0> = literal [literal=0]
#     %12: const<int, 0> = literal [literal=0]
#     %13: const<int, 1> = literal [literal=1]
#     %14: const<int, 1> = literal [literal=1]
#     %15: tile<elem(0), []> = extract %t, %11, %12, %13, %14 [rank=2]
#     %16: const<float, 2.0> = literal [literal=2.0]
#     %17: const<int, 4> = literal [literal=4]
#     %18: tile<float32, []> = full %16 [dtype=float32, implicit=true]
#     %19: tile<float32, [4]> = broadcast %18, %17
#     %20: tile<promote(elem(0), float32), []> = cast %15 [dtype=promote(elem(0), float32), implicit=true]
#     %21: tile<promote(elem(0), float32), [4]> = cast %19 [dtype=promote(elem(0), float32), implicit=true]
#     %c: tile<promote(elem(0), float32), [4]> = add %20, %21 [dtype=promote(elem(0), float32), spelling=operator]
#     %22: const<int, 2> = literal [literal=2]
#     %23: const<int, 0> = literal [literal=0]
#     store_tile %x, %22, %23, %b [rank=2]
#     %24: const<int, 0> = literal [literal=0]
#     %25: const<int, 0> = literal [literal=0]
#     %26: tile<promote(elem(0), float32), []> = reduce %c [axes=(0), all_axes=true]
#     %27: tile<elem(0), []> = cast %26 [dtype=elem(0), implicit=true]
#     store_tile %x, %24, %25, %27 [rank=2]
#   }
# }
#
# kernel @created {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   param constant N = %N: const<int, N>
#   body {
#     %0: tile<float32, [N]> = iota %N [dtype=float32]
#     %1: const<int, 2> = literal [literal=2]
#     %2: tile<int32, [N]> = iota %N [dtype=int32]
#     %3: tile<int32, [N]> = mul %2, %1 [dtype=int32]
#     %4: tile<int32, []> = cast %n [dtype=int32]
#     %5: tile<int32, [N]> = add %3, %4 [dtype=int32]
#     %6: tile<float32, [N]> = cast %5 [dtype=float32, implicit=true]
#     %a: tile<float32, [N]> = add %0, %6 [dtype=float32, spelling=operator]
#     %7: const<int, 0> = literal [literal=0]
#     %8: tile<elem(0), [N]> = full %N, %7 [dtype=elem(0), rank=1, spelling=zeros]
#     %9: const<int, 1> = literal [literal=1]
#     %10: tile<int32, [N]> = full %N, %9 [dtype=int32, rank=1, spelling=ones]
#     %11: tile<promote(elem(0), int32), [N]> = cast %8 [dtype=promote(elem(0), int32), implicit=true]
#     %12: tile<promote(elem(0), int32), [N]> = cast %10 [dtype=promote(elem(0), int32), implicit=true]
#     %13: tile<promote(elem(0), int32), [N]> = add %11, %12 [dtype=promote(elem(0), int32), spelling=operator]
#     %14: const<float, 1.5> = literal [literal=1.5]
#     %15: strict<float16, float, 1.5> = cast %14 [dtype=float16, spelling=full]
#     %16: tile<promote(promote(elem(0), int32), float16), [N]> = cast %13 [dtype=promote(promote(elem(0), int32), float16), implicit=true]
#     %b: tile<promote(promote(elem(0), int32), float16), [N]> = add %16, %15 [dtype=promote(promote(elem(0), int32), float16), spelling=operator]
#     %17: const<int, 0> = literal [literal=0]
#     %18: tile<promote(promote(promote(elem(0), int32), float16), float32), [N]> = cast %a [dtype=promote(promote(promote(elem(0), int32), float16), float32), implicit=true]
#     %19: tile<promote(promote(promote(elem(0), int32), float16), float32), [N]> = cast %b [dtype=promote(promote(promote(elem(0), int32), float16), float32), implicit=true]
#     %20: tile<promote(promote(promote(elem(0), int32), float16), float32), [N]> = add %18, %19 [dtype=promote(promote(promote(elem(0), int32), float16), float32), spelling=operator]
#     %21: tile<elem(0), [N]> = cast %20 [dtype=elem(0), spelling=method]
#     store_tile %x, %17, %21 [rank=1]
#   }
# }
# ---- says ----
