# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def meets(h, i, f: float, n: int, N: ct.Constant[int]):
    # a plain number takes the dtype of what it meets, a typed one does not
    t = ct.load(h, 0, N)
    k = ct.load(i, 0, N)
    a = t * 2.0 + 1
    b = t * f
    c = k + n
    d = k / 2 + t / 2
    e = (t > 0) & (k != 3)
    ct.store(h, 0, ct.where(e, a + b + c, d).astype(h.dtype))


@ct.kernel
def known(x, y, n: int):
    a = ct.load(x, 0, 16).astype(ct.float16)
    b = ct.load(y, 0, 16).astype(ct.int32)
    ct.store(x, 0, a * 0.5 + b // 3 - b % n + a ** 2 + (b << 2 >> 1 | 1 ^ n & 7) + ~b - -a)
    ct.store(x, 1, ct.cdiv(b, 4) + divmod(b, 3)[0] + abs(b) + (b > 0) * 1.5 + max(a, 0) + min(b, n))
    ct.store(y, 0, not b)


@ct.kernel
def functions(x):
    t = ct.load(x, 0, 16).astype(ct.float32)
    a = ct.truediv(t, 3, rounding_mode=ct.RoundingMode.APPROX, flush_to_zero=True)
    b = ct.add(t, 1.0, rounding_mode=ct.RoundingMode.RZ)
    c = ct.maximum(t, b, propagate_nan=True)
    d = ct.exp(t, rounding_mode=ct.RoundingMode.APPROX) + ct.exp2(t, flush_to_zero=True) + ct.sqrt(t) + ct.rsqrt(t) + ct.tanh(t)
    e = ct.floor(t) + ct.ceil(t) + ct.log(t) + ct.log2(t) + ct.sin(t) + ct.cos(t) + ct.atan2(t, 1.0) + ct.pow(t, 2)
    f = ct.where(ct.isnan(t), 0.0, ct.negative(t))
    g = ct.greater_equal(t, 0.0) & ct.bitwise_not(ct.less(t, 2.0)) | (ct.bitcast(t, ct.uint32) >> 31 == 1)
    ct.store(x, 0, ct.where(g, a + b + c + d + e + f, ct.exp(ct.bid(0))))


@ct.kernel
def conversions(x, n: int):
    ct.store(x, 0, ct.full((16,), n, ct.float32))
    ct.store(x, 1, ct.load(x, 0, 16).astype(ct.int8) + ct.astype(n, ct.int8) + ct.uint8(1).astype(ct.int8))
    ct.store(x, 2, ct.bool_(n) & bool(n) | (ct.float16(0.1) > 0))
# ---- reads ----
# kernel @meets {
#   param array h = %h: array<elem(0), 1>
#   param array i = %i: array<elem(1), 1>
#   param scalar f = %f: tile<float32, []>
#   param scalar n = %n: tile<int32, []>
#   param constant N = %N: const<int, N>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %t: tile<elem(0), [N]> = load_tile %h, %0, %N [rank=1]
#     %1: const<int, 0> = literal [literal=0]
#     %k: tile<elem(1), [N]> = load_tile %i, %1, %N [rank=1]
#     %2: const<float, 2.0> = literal [literal=2.0]
#     %3: tile<adapt(elem(0), float), [N]> = cast %t [dtype=adapt(elem(0), float), implicit=true]
#     %4: tile<adapt(elem(0), float), [N]> = mul %3, %2 [dtype=adapt(elem(0), float), spelling=operator]
#     %5: const<int, 1> = literal [literal=1]
#     %a: tile<adapt(elem(0), float), [N]> = add %4, %5 [dtype=adapt(elem(0), float), spelling=operator]
#     %6: tile<promote(elem(0), float32), [N]> = cast %t [dtype=promote(elem(0), float32), implicit=true]
#     %7: tile<promote(elem(0), float32), []> = cast %f [dtype=promote(elem(0), float32), implicit=true]
#     %b: tile<promote(elem(0), float32), [N]> = mul %6, %7 [dtype=promote(elem(0), float32), spelling=operator]
#     %8: tile<promote(elem(1), int32), [N]> = cast %k [dtype=promote(elem(1), int32), implicit=true]
#     %9: tile<promote(elem(1), int32), []> = cast %n [dtype=promote(elem(1), int32), implicit=true]
#     %c: tile<promote(elem(1), int32), [N]> = add %8, %9 [dtype=promote(elem(1), int32), spelling=operator]
#     %10: const<int, 2> = literal [literal=2]
#     %11: tile<float_of(adapt(elem(1), int)), [N]> = cast %k [dtype=float_of(adapt(elem(1), int)), implicit=true]
#     %12: tile<float_of(adapt(elem(1), int)), [N]> = true_div %11, %10 [dtype=float_of(adapt(elem(1), int)), spelling=operator]
#     %13: const<int, 2> = literal [literal=2]
#     %14: tile<float_of(adapt(elem(0), int)), [N]> = cast %t [dtype=float_of(adapt(elem(0), int)), implicit=true]
#     %15: tile<float_of(adapt(elem(0), int)), [N]> = true_div %14, %13 [dtype=float_of(adapt(elem(0), int)), spelling=operator]
#     %16: tile<promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), [N]> = cast %12 [dtype=promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), implicit=true]
#     %17: tile<promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), [N]> = cast %15 [dtype=promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), implicit=true]
#     %d: tile<promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), [N]> = add %16, %17 [dtype=promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), spelling=operator]
#     %18: const<int, 0> = literal [literal=0]
#     %19: tile<adapt(elem(0), int), [N]> = cast %t [dtype=adapt(elem(0), int), implicit=true]
#     %20: tile<bool_, [N]> = gt %19, %18 [dtype=adapt(elem(0), int), spelling=operator]
#     %21: const<int, 3> = literal [literal=3]
#     %22: tile<adapt(elem(1), int), [N]> = cast %k [dtype=adapt(elem(1), int), implicit=true]
#     %23: tile<bool_, [N]> = ne %22, %21 [dtype=adapt(elem(1), int), spelling=operator]
#     %e: tile<bool_, [N]> = bit_and %20, %23 [dtype=bool_, spelling=operator]
#     %24: const<int, 0> = literal [literal=0]
#     %25: tile<promote(adapt(elem(0), float), promote(elem(0), float32)), [N]> = cast %a [dtype=promote(adapt(elem(0), float), promote(elem(0), float32)), implicit=true]
#     %26: tile<promote(adapt(elem(0), float), promote(elem(0), float32)), [N]> = cast %b [dtype=promote(adapt(elem(0), float), promote(elem(0), float32)), implicit=true]
#     %27: tile<promote(adapt(elem(0), float), promote(elem(0), float32)), [N]> = add %25, %26 [dtype=promote(adapt(elem(0), float), promote(elem(0), float32)), spelling=operator]
#     %28: tile<promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), [N]> = cast %27 [dtype=promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), implicit=true]
#     %29: tile<promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), [N]> = cast %c [dtype=promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), implicit=true]
#     %30: tile<promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), [N]> = add %28, %29 [dtype=promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)), spelling=operator]
#     %31: tile<promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32))), [N]> = cast %30 [dtype=promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32))), implicit=true]
#     %32: tile<promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32))), [N]> = cast %d [dtype=promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32))), implicit=true]
#     %33: tile<promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32))), [N]> = where %e, %31, %32 [dtype=promote(promote(float_of(adapt(elem(0), int)), float_of(adapt(elem(1), int))), promote(promote(adapt(elem(0), float), promote(elem(0), float32)), promote(elem(1), int32)))]
#     %34: tile<elem(0), [N]> = cast %33 [dtype=elem(0), spelling=method]
#     store_tile %h, %24, %34 [rank=1]
#   }
# }
#
# kernel @known {
#   param array x = %x: array<elem(0), 1>
#   param array y = %y: array<elem(1), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = literal [literal=16]
#     %2: tile<elem(0), [16]> = load_tile %x, %0, %1 [rank=1]
#     %a: tile<float16, [16]> = cast %2 [dtype=float16, spelling=method]
#     %3: const<int, 0> = literal [literal=0]
#     %4: const<int, 16> = literal [literal=16]
#     %5: tile<elem(1), [16]> = load_tile %y, %3, %4 [rank=1]
#     %b: tile<int32, [16]> = cast %5 [dtype=int32, spelling=method]
#     %6: const<int, 0> = literal [literal=0]
#     %7: const<float, 0.5> = literal [literal=0.5]
#     %8: tile<float16, [16]> = mul %a, %7 [dtype=float16, spelling=operator]
#     %9: const<int, 3> = literal [literal=3]
#     %10: tile<int32, [16]> = floor_div %b, %9 [dtype=int32, spelling=operator]
#     %11: tile<float16, [16]> = cast %10 [dtype=float16, implicit=true]
#     %12: tile<float16, [16]> = add %8, %11 [dtype=float16, spelling=operator]
#     %13: tile<int32, [16]> = floor_mod %b, %n [dtype=int32, spelling=operator]
#     %14: tile<float16, [16]> = cast %13 [dtype=float16, implicit=true]
#     %15: tile<float16, [16]> = sub %12, %14 [dtype=float16, spelling=operator]
#     %16: const<int, 2> = literal [literal=2]
#     %17: tile<float16, [16]> = pow %a, %16 [dtype=float16, spelling=operator]
#     %18: tile<float16, [16]> = add %15, %17 [dtype=float16, spelling=operator]
#     %19: const<int, 2> = literal [literal=2]
#     %20: tile<int32, [16]> = shl %b, %19 [dtype=int32, spelling=operator]
#     %21: const<int, 1> = literal [literal=1]
#     %22: tile<int32, [16]> = shr %20, %21 [dtype=int32, spelling=operator]
#     %23: const<int, 1> = literal [literal=1]
#     %24: const<int, 7> = literal [literal=7]
#     %25: tile<int32, []> = bit_and %n, %24 [dtype=int32, spelling=operator]
#     %26: tile<int32, []> = bit_xor %23, %25 [dtype=int32, spelling=operator]
#     %27: tile<int32, [16]> = bit_or %22, %26 [dtype=int32, spelling=operator]
#     %28: tile<float16, [16]> = cast %27 [dtype=float16, implicit=true]
#     %29: tile<float16, [16]> = add %18, %28 [dtype=float16, spelling=operator]
#     %30: tile<int32, [16]> = bit_not %b [dtype=int32]
#     %31: tile<float16, [16]> = cast %30 [dtype=float16, implicit=true]
#     %32: tile<float16, [16]> = add %29, %31 [dtype=float16, spelling=operator]
#     %33: tile<float16, [16]> = neg %a [dtype=float16]
#     %34: tile<float16, [16]> = sub %32, %33 [dtype=float16, spelling=operator]
#     %35: tile<elem(0), [16]> = cast %34 [dtype=elem(0), implicit=true]
#     store_tile %x, %6, %35 [rank=1]
#     %36: const<int, 1> = literal [literal=1]
#     %37: const<int, 4> = literal [literal=4]
#     %38: tile<int32, [16]> = ceil_div %b, %37 [dtype=int32]
#     %39: const<int, 3> = literal [literal=3]
#     %40: tile<int32, [16]> = floor_div %b, %39 [dtype=int32]
#     %41: tile<int32, [16]> = floor_mod %b, %39 [dtype=int32]
#     %42: tile<int32, [16]> = add %38, %40 [dtype=int32, spelling=operator]
#     %43: tile<int32, [16]> = abs %b [dtype=int32]
#     %44: tile<int32, [16]> = add %42, %43 [dtype=int32, spelling=operator]
#     %45: const<int, 0> = literal [literal=0]
#     %46: tile<bool_, [16]> = gt %b, %45 [dtype=int32, spelling=operator]
#     %47: const<float, 1.5> = literal [literal=1.5]
#     %48: tile<float32, [16]> = cast %46 [dtype=float32, implicit=true]
#     %49: tile<float32, [16]> = mul %48, %47 [dtype=float32, spelling=operator]
#     %50: tile<float32, [16]> = cast %44 [dtype=float32, implicit=true]
#     %51: tile<float32, [16]> = add %50, %49 [dtype=float32, spelling=operator]
#     %52: const<int, 0> = literal [literal=0]
#     %53: tile<float16, [16]> = max %a, %52 [dtype=float16, spelling=builtin]
#     %54: tile<float32, [16]> = cast %53 [dtype=float32, implicit=true]
#     %55: tile<float32, [16]> = add %51, %54 [dtype=float32, spelling=operator]
#     %56: tile<int32, [16]> = min %b, %n [dtype=int32, spelling=builtin]
#     %57: tile<float32, [16]> = cast %56 [dtype=float32, implicit=true]
#     %58: tile<float32, [16]> = add %55, %57 [dtype=float32, spelling=operator]
#     %59: tile<elem(0), [16]> = cast %58 [dtype=elem(0), implicit=true]
#     store_tile %x, %36, %59 [rank=1]
#     %60: const<int, 0> = literal [literal=0]
#     %61: tile<bool_, [16]> = not %b
#     %62: tile<elem(1), [16]> = cast %61 [dtype=elem(1), implicit=true]
#     store_tile %y, %60, %62 [rank=1]
#   }
# }
#
# kernel @functions {
#   param array x = %x: array<elem(0), 1>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = literal [literal=16]
#     %2: tile<elem(0), [16]> = load_tile %x, %0, %1 [rank=1]
#     %t: tile<float32, [16]> = cast %2 [dtype=float32, spelling=method]
#     %3: const<int, 3> = literal [literal=3]
#     %a: tile<float32, [16]> = true_div %t, %3 [dtype=float32, rounding=approx, flush=to_zero]
#     %4: const<float, 1.0> = literal [literal=1.0]
#     %b: tile<float32, [16]> = add %t, %4 [dtype=float32, rounding=zero]
#     %c: tile<float32, [16]> = max %t, %b [dtype=float32, nan=propagate]
#     %5: tile<float32, [16]> = exp %t [dtype=float32, rounding=approx]
#     %6: tile<float32, [16]> = exp2 %t [dtype=float32, flush=to_zero]
#     %7: tile<float32, [16]> = add %5, %6 [dtype=float32, spelling=operator]
#     %8: tile<float32, [16]> = sqrt %t [dtype=float32]
#     %9: tile<float32, [16]> = add %7, %8 [dtype=float32, spelling=operator]
#     %10: tile<float32, [16]> = rsqrt %t [dtype=float32]
#     %11: tile<float32, [16]> = add %9, %10 [dtype=float32, spelling=operator]
#     %12: tile<float32, [16]> = tanh %t [dtype=float32]
#     %d: tile<float32, [16]> = add %11, %12 [dtype=float32, spelling=operator]
#     %13: tile<float32, [16]> = floor %t [dtype=float32]
#     %14: tile<float32, [16]> = ceil %t [dtype=float32]
#     %15: tile<float32, [16]> = add %13, %14 [dtype=float32, spelling=operator]
#     %16: tile<float32, [16]> = log %t [dtype=float32]
#     %17: tile<float32, [16]> = add %15, %16 [dtype=float32, spelling=operator]
#     %18: tile<float32, [16]> = log2 %t [dtype=float32]
#     %19: tile<float32, [16]> = add %17, %18 [dtype=float32, spelling=operator]
#     %20: tile<float32, [16]> = sin %t [dtype=float32]
#     %21: tile<float32, [16]> = add %19, %20 [dtype=float32, spelling=operator]
#     %22: tile<float32, [16]> = cos %t [dtype=float32]
#     %23: tile<float32, [16]> = add %21, %22 [dtype=float32, spelling=operator]
#     %24: const<float, 1.0> = literal [literal=1.0]
#     %25: tile<float32, [16]> = atan2 %t, %24 [dtype=float32]
#     %26: tile<float32, [16]> = add %23, %25 [dtype=float32, spelling=operator]
#     %27: const<int, 2> = literal [literal=2]
#     %28: tile<float32, [16]> = pow %t, %27 [dtype=float32]
#     %e: tile<float32, [16]> = add %26, %28 [dtype=float32, spelling=operator]
#     %29: tile<bool_, [16]> = isnan %t [dtype=float32]
#     %30: const<float, 0.0> = literal [literal=0.0]
#     %31: tile<float32, [16]> = neg %t [dtype=float32]
#     %f: tile<float32, [16]> = where %29, %30, %31 [dtype=float32]
#     %32: const<float, 0.0> = literal [literal=0.0]
#     %33: tile<bool_, [16]> = ge %t, %32 [dtype=float32, spelling=operator]
#     %34: const<float, 2.0> = literal [literal=2.0]
#     %35: tile<bool_, [16]> = lt %t, %34 [dtype=float32, spelling=operator]
#     %36: tile<bool_, [16]> = bit_not %35 [dtype=bool_]
#     %37: tile<bool_, [16]> = bit_and %33, %36 [dtype=bool_, spelling=operator]
#     %38: tile<uint32, [16]> = bitcast %t [dtype=uint32]
#     %39: const<int, 31> = literal [literal=31]
#     %40: tile<uint32, [16]> = shr %38, %39 [dtype=uint32, spelling=operator]
#     %41: const<int, 1> = literal [literal=1]
#     %42: tile<bool_, [16]> = eq %40, %41 [dtype=uint32, spelling=operator]
#     %g: tile<bool_, [16]> = bit_or %37, %42 [dtype=bool_, spelling=operator]
#     %43: const<int, 0> = literal [literal=0]
#     %44: tile<float32, [16]> = add %a, %b [dtype=float32, spelling=operator]
#     %45: tile<float32, [16]> = add %44, %c [dtype=float32, spelling=operator]
#     %46: tile<float32, [16]> = add %45, %d [dtype=float32, spelling=operator]
#     %47: tile<float32, [16]> = add %46, %e [dtype=float32, spelling=operator]
#     %48: tile<float32, [16]> = add %47, %f [dtype=float32, spelling=operator]
#     %49: tile<int32, []> = program_id
#     %50: tile<float32, []> = cast %49 [dtype=float32, implicit=true]
#     %51: tile<float32, []> = exp %50 [dtype=float32]
#     %52: tile<float32, [16]> = where %g, %48, %51 [dtype=float32]
#     %53: tile<elem(0), [16]> = cast %52 [dtype=elem(0), implicit=true]
#     store_tile %x, %43, %53 [rank=1]
#   }
# }
#
# kernel @conversions {
#   param array x = %x: array<elem(0), 1>
#   param scalar n = %n: tile<int32, []>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<int, 16> = literal [literal=16]
#     %2: tile<float32, []> = cast %n [dtype=float32, implicit=true]
#     %3: tile<float32, [16]> = full %1, %2 [dtype=float32, rank=1, spelling=full]
#     %4: tile<elem(0), [16]> = cast %3 [dtype=elem(0), implicit=true]
#     store_tile %x, %0, %4 [rank=1]
#     %5: const<int, 1> = literal [literal=1]
#     %6: const<int, 0> = literal [literal=0]
#     %7: const<int, 16> = literal [literal=16]
#     %8: tile<elem(0), [16]> = load_tile %x, %6, %7 [rank=1]
#     %9: tile<int8, [16]> = cast %8 [dtype=int8, spelling=method]
#     %10: tile<int8, []> = cast %n [dtype=int8]
#     %11: tile<int8, [16]> = add %9, %10 [dtype=int8, spelling=operator]
#     %12: const<int, 1> = literal [literal=1]
#     %13: strict<uint8, int, 1> = cast %12 [dtype=uint8, spelling=constructor]
#     %14: strict<int8, int, 1> = cast %13 [dtype=int8, spelling=method]
#     %15: tile<int8, [16]> = add %11, %14 [dtype=int8, spelling=operator]
#     %16: tile<elem(0), [16]> = cast %15 [dtype=elem(0), implicit=true]
#     store_tile %x, %5, %16 [rank=1]
#     %17: const<int, 2> = literal [literal=2]
#     %18: tile<bool_, []> = cast %n [dtype=bool_, spelling=constructor]
#     %19: tile<bool_, []> = cast %n [dtype=bool_, spelling=bool]
#     %20: tile<bool_, []> = bit_and %18, %19 [dtype=bool_, spelling=operator]
#     %21: const<float, 0.1> = literal [literal=0.1]
#     %22: strict<float16, float, 0.0999755859375> = cast %21 [dtype=float16, spelling=constructor]
#     %23: const<int, 0> = literal [literal=0]
#     %24: const<bool, True> = gt %22, %23 [dtype=float16, spelling=operator]
#     %25: tile<bool_, []> = bit_or %20, %24 [dtype=bool_, spelling=operator]
#     %26: tile<elem(0), []> = cast %25 [dtype=elem(0), implicit=true]
#     store_tile %x, %17, %26 [rank=1]
#   }
# }
# ---- says ----
