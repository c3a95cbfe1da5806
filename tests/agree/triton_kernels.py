# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of the kinds that people write, each with launches: what is passed for pointers and numbers, and the constants."""

import triton
import triton.language as tl


@triton.jit
def _scaled(x, scale):
    return x * scale


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, scale, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    y = tl.load(y_ptr + offs, mask=mask, other=0.0)
    tl.store(out_ptr + offs, _scaled(x + y, scale), mask=mask)


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACT: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if ACT == "relu":
        acc = tl.where(acc > 0, acc, 0.0)
    c = acc.to(c_ptr.dtype.element_ty)
    tl.store(c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn, c,
             mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


@triton.jit
def softmax_kernel(out, inp, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(inp + row * stride + cols, mask=cols < n_cols, other=-float("inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    num = tl.exp(x)
    tl.store(out + row * stride + cols, num / tl.sum(num, axis=0), mask=cols < n_cols)


@triton.jit
def bias_kernel(x_ptr, bias_ptr, out_ptr, n, HAS_BIAS: tl.constexpr, EPS: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n).to(tl.float32)
    if HAS_BIAS:
        x += tl.load(bias_ptr + offs, mask=offs < n)
    var = tl.sum(x * x, axis=0) / n
    r = 1 / tl.sqrt(var + EPS)
    if bias_ptr is not None:
        x = x * r
    tl.store(out_ptr + offs, x, mask=offs < n)


@triton.jit
def desc_kernel(d, o_ptr, n, BM: tl.constexpr, BN: tl.constexpr):
    pid = tl.program_id(0)
    x = d.load([pid * BM, 0])
    out = tl.make_tensor_descriptor(o_ptr, shape=[n, BN], strides=[BN, 1], block_shape=[BM, BN])
    out.store([pid * BM, 0], x)


@triton.jit
def _comb(a, b):
    return a * b


@triton.jit
def scan_kernel(p, q, B: tl.constexpr):
    o = tl.arange(0, B)
    x = tl.load(p + o)
    y = tl.associative_scan(x, 0, _comb)
    v, i = tl.max(x, 0, return_indices=True)
    tl.store(q + o, y + v + i)
    tl.atomic_add(q, tl.sum(x))
    for j in tl.static_range(3):
        tl.store(q + j, j)


# (kernel, {parameter: signature}, {constant: value})
LAUNCHES = [
    (add_kernel, dict(x_ptr="*fp16", y_ptr="*fp16", out_ptr="*fp16", n="i32", scale="fp32"), dict(BLOCK=128)),
    (add_kernel, dict(x_ptr="*bf16", y_ptr="*fp32", out_ptr="*fp16", n="i64", scale="i32"), dict(BLOCK=64)),
    (
        matmul_kernel,
        dict(a_ptr="*fp16", b_ptr="*fp16", c_ptr="*fp16", M="i32", N="i32", K="i32", stride_am="i32", stride_ak="i32",
             stride_bk="i32", stride_bn="i32", stride_cm="i32", stride_cn="i32"),
        dict(BLOCK_M=64, BLOCK_N=32, BLOCK_K=16, ACT="relu"),
    ),
    (softmax_kernel, dict(out="*bf16", inp="*fp16", stride="i32", n_cols="i32"), dict(BLOCK=256)),
    (bias_kernel, dict(x_ptr="*fp32", bias_ptr="*fp16", out_ptr="*bf16", n="i32"), dict(HAS_BIAS=True, EPS=1e-6, BLOCK=64)),
    (bias_kernel, dict(x_ptr="*fp16", out_ptr="*fp16", n="i32"), dict(bias_ptr=None, HAS_BIAS=False, EPS=1e-6, BLOCK=64)),
    (scan_kernel, dict(p="*fp32", q="*fp32"), dict(B=64)),
]  # fmt: skip
