# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


@ct.kernel
def memory(x, v, n, f: float, p: bool):
    ct.load(x, 0, (16, 16))
    ct.load(x, (0, 0), 16)
    ct.load(x, (0.0, 0), (16, 16))
    ct.load(v, 0, n)
    ct.load(v, 0, 24)
    ct.load(v, 0, 0)


@ct.kernel
def options(x, n: int, p: bool):
    ct.load(x, (0, 0), (16, 16), order="K")
    ct.load(x, (0, 0), (16, 16), order=(1, 1))
    ct.load(x, (0, 0), (16, 16), padding_mode="zero")
    ct.load(x, (0, 0), (16, 16), latency=11)
    ct.load(x, (0, 0), (16, 16), latency=n)
    ct.load(x, (0, 0), (16, 16), check_bounds=p)
    ct.load(x, (0, 0), (16, 16), memory_order=ct.MemoryOrder.ACQUIRE)
    ct.load(x, (0, 0), (16, 16), "F")
    ct.load(array=x, index=(0, 0), shape=(16, 16))
    ct.load(x, (0, 0))


@ct.kernel
def stores(x, y, n: int):
    h = ct.zeros((16,), ct.float16)
    i = ct.arange(16, dtype=ct.int32)
    ct.store(x, (0, 0), h)
    ct.scatter(y, i, ct.zeros((8,), ct.float32))
    ct.gather(y, i.astype(ct.float32))
    ct.gather(y, i, mask=i)
    ct.gather(n, i)


@ct.kernel
def dtypes(x, n: int, f: float):
    h = ct.load(x, 0, 16).astype(ct.float16)
    b = ct.load(x, 0, 16).astype(ct.bfloat16)
    e = ct.load(x, 0, 16).astype(ct.float8_e4m3fn)
    h + b
    ct.uint32(n) + n
    (h > 0) + (h > 1)
    e * 2.0
    h & 1
    n << True
    ~h
    ct.int32(n) + 2**40


@ct.kernel
def functions(x, n: int, f: float):
    h = ct.zeros((16,), ct.float16)
    ct.floor(n)
    ct.truediv(h, 2, rounding_mode=ct.RoundingMode.APPROX)
    ct.exp(f, rounding_mode=ct.RoundingMode.RN)
    ct.log(-1)
    ct.int32(n) ** 2
    ct.bitcast(h, ct.int32)
    int(n)
    1 // 0
    ct.astype(f, ct.bfloat16, rounding_mode=ct.RoundingMode.RZ)


@ct.kernel
def shapes(x):
    t = ct.zeros((4, 8), ct.float32)
    t + ct.zeros((4,), ct.float32)
    t.reshape((4, 4))
    t.reshape(32)
    t.item()
    ct.sum(t, axis=2)
    ct.sum(t, (0, 0))
    ct.sum(t, 0, True)
    ct.transpose(t, 0)
    t.permute((1,))


@ct.kernel
def nested_shapes(x):
    t = ct.zeros((4, 8), ct.float32)
    t.reshape(((), 4))
    t.reshape(((4, 8), 1))
    ct.zeros(((4, 8),), ct.float32)
    ct.arange((4,), dtype=ct.int32)
    ct.arange((), dtype=ct.int32)


@ct.kernel
def more_shapes(x):
    t = ct.zeros((4, 8), ct.float32)
    t[0]
    t[:, :, None, :]
    ct.cat((t, t, t), 0)
    ct.cat((t, ct.zeros((8, 4), ct.float32)), 0)
    ct.extract(t, (0, 2), (4, 4))
    ct.broadcast_to(t, (4, 16))
    ct.arange(8)
    ct.bid(3)
    ct.zeros((4,), "float32")
    (1, 2) * 2


@ct.kernel
def products(x):
    h = ct.zeros((16, 16), ct.float16)
    b = ct.zeros((16, 16), ct.bfloat16)
    f = ct.zeros((16, 16), ct.float32)
    ct.mma(h, b, f)
    ct.mma(b, b, b)
    ct.mma(f, ct.zeros((8, 16), ct.float32), f)
    ct.mma(f, f, ct.zeros((16, 8), ct.float32))
    ct.mma(f, f, 0.0)
    ct.matmul(1.0, f)


@ct.kernel
def none(x, n: int):
    n == None
    n is n
    not None
    ct.static_assert(n > 0)
    ct.static_assert(1 == 2)


@ct.kernel
def array_and_number(x):
    ct.load(x, 0, 16)
    ct.store(x, 0, x + 1)


@ct.kernel
def two_ranks(x, y, z, a, A: ct.Constant[bool], B: ct.Constant[bool], N: ct.Constant[int]):
    if A:
        ct.store(x, (0, 0), 1)
        tall(z)
    if B:
        ct.store(x, 0, 1)
    if A and N == 1:
        ct.store(y, (0, 0), 1)
    elif A:
        ct.store(y, 0, 1)
        ct.store(z, 0, 1)
    if N > 0:
        ct.store(a, 0, a.ndim)
    else:
        ct.store(a, (0, 0), 1)


def tall(array):
    ct.store(array, (0, 0), 1)


# as many axes as there can be, and one more
AXES = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
)
MORE = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
)
EXTENTS = (
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1,
)


@ct.kernel
def too_many_axes(x, y, z, w, i: int):
    ct.load(x, MORE, EXTENTS)
    ct.zeros(EXTENTS, ct.float32)
    y.shape[32]
    z.slice(axis=32, start=0, stop=i)
    ct.zeros((1,), ct.float32).reshape(EXTENTS)
    ct.store(w, AXES, 1.0)


@ct.kernel
def too_many_names(x):
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32 = x.shape


@ct.kernel
def second_name(x, y, c: int, C: ct.Constant[bool]):
    a = 100 if C else c
    b = a
    ct.store(y, 0, ct.load(x, 0, 16) * b)
# ---- reads ----
# ---- says ----
# 9:19 TW118 error: the shape has 2 elements, but `x` has rank 1
# 10:16 TW118 error: the index has 2 elements, but `x` has rank 1
# 11:16 TW118 error: the index has 2 elements, but `x` has rank 1
# 12:19 TW116 error: an extent must be a constant integer, but this is known only at run time (annotate the parameter: `n: ct.Constant[int]`)
# 13:19 TW117 error: extent 24 is not a power of two
# 14:19 TW117 error: extent 0 is not positive
# 19:40 TW115 error: the order must be "C", "F" or a permutation, but this is the string "K"
# 20:44 TW119 error: axis 1 stands twice in the order
# 21:47 TW115 error: the padding mode must be a PaddingMode, but this is the string "zero"
# 22:42 TW139 error: `latency` must be between 1 and 10, but is 11
# 23:42 TW116 error: the latency must be a constant integer, but this is known only at run time (annotate the parameter: `n: ct.Constant[int]`)
# 24:47 TW116 error: `check_bounds` must be a constant bool, but this is known only at run time
# 25:47 TW144 error: this memory order needs a memory scope
# 26:34 TW114 error: `load` does not take so many positional arguments
# 27:19 TW114 error: `load` does not take `array` as a keyword, it is positional only
# 28:5 TW113 error: `load` needs an argument for `shape`
# 35:25 TW118 error: the shape of the tile has 1 elements, but the array has rank 2 (reshape the tile)
# 36:22 TW125 error: shapes (16,) and (8,) cannot be broadcast
# 37:18 TW115 error: the index must be an integer, but this is a tile of float32 with shape (16,)
# 38:26 TW115 error: the mask must be a bool, but this is a tile of int32 with shape (16,) (compare it: `mask != 0`)
# 47:5 TW121 error: float16 and bfloat16 have no common dtype (convert one of them: `.astype(…)`)
# 48:5 TW121 error: uint32 and int32 have no common dtype (convert one of them: `.astype(…)`)
# 49:5 TW122 error: `+` of two bools (use `&`, `|` or `^`, or convert to int)
# 50:5 TW123 error: cannot calculate `*` in float8_e4m3fn (convert it first: `.astype(ct.float32)`)
# 51:5 TW124 error: `&` needs integers or bools
# 52:5 TW124 error: `<<` needs integers, a bool is none
# 53:5 TW124 error: `~` needs an integer or a bool
# 54:5 TW128 error: the constant 1099511627776 is out of range of int32 (make it of another dtype: `ct.int64(…)`)
# 60:5 TW126 error: `floor` needs a float, but this is int32
# 61:36 TW127 error: `RoundingMode.APPROX` cannot be used with float16 (it is only for float32)
# 62:29 TW127 error: `exp` cannot be used with RoundingMode.RN
# 63:5 TW141 error: `log` is not defined for -1
# 64:5 TW126 error: `**` needs a float base or exponent, but this is int32 (cuTile cannot compile it either: multiply, or convert to a float)
# 65:5 TW138 error: float16 has 16 bits, int32 has 32
# 66:5 TW116 error: the argument of `int` must be a constant, but this is known only at run time (use `.astype(…)`)
# 67:5 TW141 error: division by zero
# 68:45 TW155 error: a conversion with RoundingMode.RZ has no equivalent in Triton
# 74:5 TW125 error: shapes (4, 8) and (4,) cannot be broadcast
# 75:15 TW133 error: cannot reshape (4, 8) to (4, 4)
# 76:15 TW115 error: the shape must be a tuple, but this is the constant 32 (write `((a, b))`: one tuple)
# 77:5 TW133 error: cannot reshape (4, 8) to one element (take one element with `ct.extract`)
# 78:20 TW119 error: axis 2 is out of range for rank 2
# 79:15 TW119 error: axis 0 is reduced twice
# 80:18 TW114 error: `sum` does not take so many positional arguments
# 81:5 TW119 error: `transpose` needs both axes or none
# 82:15 TW118 error: the permutation has 1 elements, but the tile has rank 2
# 88:16 TW115 error: an extent must be a constant integer, but this is a tuple
# 89:16 TW115 error: an extent must be a constant integer, but this is a tuple
# 90:15 TW115 error: an extent must be a constant integer, but this is a tuple
# 91:15 TW115 error: an extent must be a constant integer, but this is a tuple
# 92:15 TW115 error: an extent must be a constant integer, but this is a tuple
# 98:5 TW136 error: a tile cannot be indexed (use `ct.extract` or `.item()`)
# 99:5 TW136 error: there are more `:` than the tile has axes (use `ct.extract` or `.item()`)
# 100:12 TW142 error: `cat` takes one or two tiles, not 3
# 101:12 TW142 error: shapes (4, 8) and (8, 4) differ beside the axis
# 102:19 TW143 error: index 2 is outside of the tile
# 103:24 TW125 error: shapes (4, 16) and (4, 8) cannot be broadcast
# 104:5 TW113 error: `arange` needs an argument for `dtype`
# 105:12 TW119 error: the axis of the grid must be 0, 1 or 2, but is 3
# 106:20 TW115 error: the argument `dtype` must be a dtype, but this is the string "float32"
# 107:5 TW135 error: `*` is not defined for a tuple and the constant 2
# 115:5 TW132 error: `mma` has no form for float16 and bfloat16 (convert one of them: `.astype(…)`)
# 116:18 TW132 error: a product of bfloat16 cannot be accumulated in bfloat16
# 117:5 TW132 error: the inner extents of (16, 16) and (8, 16) differ
# 118:18 TW132 error: the accumulator has shape (16, 8), the product (16, 16)
# 119:18 TW132 error: the accumulator has shape (), the product (16, 16)
# 120:5 TW132 error: a scalar has no matrix product; use `*`
# 125:5 TW134 error: `==` is not defined for None (use `is None`)
# 126:5 TW134 error: `is` is only for None (compare with `==`)
# 127:5 TW134 error: `not` is not defined for None
# 128:22 TW116 error: the condition of `static_assert` must be a constant bool, but this is known only at run time
# 129:5 TW145 error: the static assertion `1 == 2` does not hold
# 135:20 TW115 error: an operand of `+` must be a tile or a number, but this is an array
# 144:21 TW163 error: the array `x` is used with different ranks
# 149:21 TW163 error: the array `z` is used with different ranks
# 151:24 TW163 error: the array `a` is used with different ranks (a rank that the launch decides is known only where a constant condition and an index say it)
# 176:16 TW119 error: arrays and tiles have at most 32 axes, not 33
# 176:22 TW119 error: arrays and tiles have at most 32 axes, not 33
# 177:14 TW119 error: arrays and tiles have at most 32 axes, not 33
# 178:5 TW119 error: arrays and tiles have at most 32 axes, not 33
# 179:5 TW119 error: arrays and tiles have at most 32 axes, not 33
# 180:40 TW119 error: arrays and tiles have at most 32 axes, not 33
# 186:5 TW119 error: arrays and tiles have at most 32 axes, not 33
# 193:20 TW164 error: `ct.load(x, 0, 16) * b` is a plain Python number in some launches and a typed one in others (give it a dtype where it is a constant: `ct.float32(…)`)
