# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs in Triton, one for each thing that the interpreter has to do as Triton says; what each is launched with.

As a program: runs all of them by Triton's own interpreter and by tilewright.interpret and prints, as JSON, how far each result of the
latter is from the former, in units of the largest element. Triton has to be imported with TRITON_INTERPRET=1.
"""

import copy
import json

import numpy as np
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def masked(x, y, out, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    a = tl.load(x + at, mask=inside, other=0.0)
    b = tl.load(y + at, mask=inside, other=1.0)
    tl.store(out + at, a * factor + tl.where(b > a, b, 2.0), mask=inside)


@triton.jit
def walked(x, out, rows, columns, stride, BLOCK: tl.constexpr):
    x += tl.program_id(0) * stride
    total = tl.zeros((BLOCK,), tl.float32)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < columns, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(total, axis=0))


@triton.jit
def blocks(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    for _ in range(0, tl.cdiv(N, BN)):
        tile = tl.load(source, boundary_check=(0, 1), padding_option="zero")
        tl.store(target, tile + 1, boundary_check=(0, 1))
        source = tl.advance(source, (0, BN))
        target = tl.advance(target, (0, BN))


@triton.jit
def descriptors(given, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    made = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    row = tl.program_id(0) * BM
    made.store([row, 0], given.load([row, 0]) * 2)


@triton.jit
def add_pairs(a, b, c, d):
    return a + c, b * d


@triton.jit
def larger(a, i, b, k):
    first = (a > b) | ((a == b) & (i < k))
    return tl.where(first, a, b), tl.where(first, i, k)


@triton.jit
def by_functions(x, out, at, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    sums, products = tl.associative_scan((a, a), 0, add_pairs)
    most, where = tl.reduce((a, lanes), 0, larger)
    tl.store(out + lanes, sums + products)
    tl.store(at, where)
    tl.store(out + BLOCK, most)


@triton.jit
def shapes(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    even, odd = tl.split(tl.reshape(a, (BLOCK // 2, 2)))
    turned = tl.trans(tl.join(odd, even))
    tl.store(out + lanes, tl.reshape(turned, (BLOCK,)) + tl.interleave(even, odd))


@triton.jit
def reductions(x, out, wide, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes[:, None] * BLOCK + lanes[None, :])
    tl.store(out + lanes, tl.max(a, axis=1) - tl.min(a, axis=0))
    tl.store(wide + lanes, tl.argmax(a, axis=1) + tl.argmin(a, axis=0))
    tl.store(out + BLOCK + lanes, tl.cumsum(tl.max(a, axis=0), 0))


@triton.jit
def integers(x, y, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    b = tl.load(y + lanes)
    tl.store(out + lanes, a // b)
    tl.store(out + BLOCK + lanes, a % b)
    tl.store(out + 2 * BLOCK + lanes, (a << 3) ^ (a >> 2) | ~b)
    tl.store(out + 3 * BLOCK + lanes, tl.xor_sum(a, 0) + tl.minimum(a, b) * tl.maximum(a, b))


@triton.jit
def updates(x, sums, most, seen, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + tl.program_id(0) * BLOCK + lanes)
    tl.atomic_add(sums + lanes % 4, a)
    tl.atomic_max(most, tl.max(a, axis=0))
    tl.atomic_or(seen, 1 << tl.program_id(0))


@triton.jit
def control(x, out, n, BLOCK: tl.constexpr, MODE: tl.constexpr):
    if tl.program_id(0) >= n:
        return
    i = 0
    total = tl.load(x)
    while total < 10:
        total = total * 2 + 1
        i += 1
    if MODE == "count":
        tl.store(out + tl.program_id(0), i)
    else:
        for k in tl.static_range(BLOCK):
            total += k
        tl.store(out + tl.program_id(0), total)


@triton.jit
def product(x, y, out, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.arange(0, BM)
    columns = tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(x + rows[:, None] * K + (k + inner)[None, :])
        b = tl.load(y + (k + inner)[:, None] * BN + columns[None, :])
        total = tl.dot(a, b, total, input_precision="ieee")
    tl.store(out + rows[:, None] * BN + columns[None, :], total)


@triton.jit
def random_numbers(out, seed, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.rand(seed, lanes))
    tl.store(out + BLOCK + lanes, tl.randn(seed, lanes + 7))


@triton.jit
def elementwise(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes).to(tl.float32)
    b = tl.exp(-tl.abs(a)) + tl.sigmoid(a) + tl.sqrt(tl.abs(a)) + tl.log(tl.abs(a) + 1) + tl.cos(a) * tl.sin(a) + tl.erf(a)
    tl.store(out + lanes, b + tl.floor(a) + tl.ceil(a) + tl.fma(a, a, 1.0) + tl.math.rsqrt(tl.abs(a) + 1))


class Rng:
    def __init__(self, dtype):
        self.generator = np.random.default_rng(7)
        self.dtype = dtype

    def floats(self, *shape):
        return torch.from_numpy(self.generator.normal(size=shape)).to(self.dtype)

    def integers(self, low, high, *shape):
        return torch.from_numpy(self.generator.integers(low, high, size=shape)).to(torch.int32)

    def empty(self, *shape, dtype=None):
        return torch.zeros(shape, dtype=dtype or self.dtype)


# name → (kernel, grid, arguments by name)
def cases(rng):
    f, e = rng.floats, rng.empty
    described = TensorDescriptor.from_tensor(f(20, 16), [8, 16])
    signed = rng.integers(-99, 99, 32)
    divisors = torch.where(rng.integers(0, 2, 32) > 0, rng.integers(1, 9, 32), -rng.integers(1, 9, 32))
    return {
        "masked": (masked, (4,), dict(x=f(100), y=f(100), out=e(100), n=100, factor=2.0, BLOCK=32)),
        "walked": (walked, (5,), dict(x=f(5, 70), out=e(5), rows=5, columns=67, stride=70, BLOCK=16)),
        "blocks": (blocks, (3,), dict(x=f(20, 21), out=e(20, 21), M=20, N=21, BM=8, BN=8)),
        "descriptors": (descriptors, (3,), dict(given=described, out=e(20, 16), M=20, N=16, BM=8, BN=16)),
        "by_functions": (by_functions, (1,), dict(x=f(16), out=e(17), at=e(1, dtype=torch.int32), BLOCK=16)),
        "shapes": (shapes, (1,), dict(x=f(32), out=e(32), BLOCK=32)),
        "reductions": (reductions, (1,), dict(x=f(16, 16), out=e(32), wide=e(16, dtype=torch.int32), BLOCK=16)),
        "integers": (integers, (1,), dict(x=signed, y=divisors, out=e(128, dtype=torch.int32), BLOCK=32)),
        "updates": (
            updates, (3,),
            dict(x=rng.integers(0, 50, 48), sums=e(4, dtype=torch.int32), most=e(1, dtype=torch.int32),
                 seen=e(1, dtype=torch.int32), BLOCK=16),
        ),
        "control count": (control, (4,), dict(x=torch.ones(1, dtype=rng.dtype), out=e(4), n=3, BLOCK=4, MODE="count")),
        "control sum": (control, (4,), dict(x=torch.ones(1, dtype=rng.dtype), out=e(4), n=3, BLOCK=4, MODE="sum")),
        "product": (product, (1,), dict(x=f(16, 64), y=f(64, 16), out=e(16, 16), K=64, BM=16, BN=16, BK=32)),
        "random_numbers": (random_numbers, (1,), dict(out=e(64, dtype=torch.float32), seed=12345, BLOCK=32)),
        "elementwise": (elementwise, (1,), dict(x=f(64), out=e(64), BLOCK=64)),
    }  # fmt: skip


def tensors(arguments):
    return {name: getattr(value, "base", value) for name, value in arguments.items() if not isinstance(value, (int, float, str))}


def distance(theirs, ours):
    theirs, ours = theirs.double(), ours.double()
    return ((theirs - ours).abs().max() / theirs.abs().max().clamp(min=1)).item()


def main():
    import tilewright

    out = {}
    for dtype in (torch.float32, torch.float16):
        for name, (kernel, grid, arguments) in cases(Rng(dtype)).items():
            mine = copy.deepcopy(arguments)
            kernel[grid](**arguments)
            tilewright.interpret(kernel, grid, mine)
            theirs, ours = tensors(arguments), tensors(mine)
            out[f"{name} {dtype}"] = max(distance(theirs[at], ours[at]) for at in theirs)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
