# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Calls of the open modules' public host functions, so that every kernel in them is launched as real programs launch it.

A driver yields named calls for one dtype; sizes come in pairs, one that the tiles divide and one that they do not.  Tensors hold
nothing of meaning (the launches are recorded or compiled, never run) unless the host code reads them.
"""

from dataclasses import dataclass
from typing import Callable

import torch

HALF = (torch.float16, torch.bfloat16)
FLOATS = (*HALF, torch.float32)


@dataclass(frozen=True)
class Driver:
    module: str  # path below the package, without suffix
    dtypes: tuple
    calls: Callable  # (module, Tensors) → iterable of (name, call)


DRIVERS = []


def driver(module, dtypes=FLOATS):
    def register(calls):
        DRIVERS.append(Driver(module, dtypes, calls))
        return calls

    return register


class Tensors:
    """t(2, 3) is an array of the driver's dtype; t.f32(2, 3), t.i32(2, 3) … are arrays of a fixed one."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, *shape, dtype=None, grad=False):
        return torch.empty(shape, dtype=dtype or self.dtype).requires_grad_(grad)

    def f32(self, *shape):
        return self(*shape, dtype=torch.float32)

    def i8(self, *shape):
        return torch.zeros(shape, dtype=torch.int8)

    def i32(self, *shape):
        return torch.zeros(shape, dtype=torch.int32)

    def i64(self, *shape):
        return torch.zeros(shape, dtype=torch.int64)


def backward(output):
    outputs = output if isinstance(output, tuple) else (output,)
    torch.autograd.backward(outputs, [torch.empty_like(o) for o in outputs])


# ops/cutile


@driver("ops/cutile/bmm")
def bmm(m, t):
    yield "nn", lambda: m.bmm(t(4, 512, 256), t(4, 256, 1024))
    yield "nn ragged", lambda: m.bmm(t(3, 250, 100), t(3, 100, 70))
    yield "tn", lambda: m.bmm(t(4, 256, 512), t(4, 256, 1024), transpose_a=True)
    yield "nt", lambda: m.bmm(t(4, 512, 256), t(4, 1024, 256), transpose_b=True)
    yield "tt ragged", lambda: m.bmm(t(1, 100, 250), t(1, 70, 100), transpose_a=True, transpose_b=True)
    yield "one tile each", lambda: m.bmm(t(4, 512, 256), t(4, 256, 1024), static_persistent=False)
    yield "one tile each, strided", lambda: m.bmm(t(4, 100, 250).mT, t(4, 70, 100).mT, static_persistent=False)


@driver("ops/cutile/matmul")
def matmul(m, t):
    yield "plain", lambda: m.matmul(t(1024, 512), t(512, 768))
    yield "plain ragged", lambda: m.matmul(t(1000, 70), t(70, 300))
    yield "plain strided", lambda: m.matmul(t(70, 1000).mT, t(300, 70).mT)
    for ta in (False, True):
        for tb in (False, True):
            for size in ((1024, 512, 768), (1000, 70, 300)):
                rows, inner, columns = size
                a = (inner, rows) if ta else (rows, inner)
                b = (columns, inner) if tb else (inner, columns)
                yield (
                    f"persistent {size} {ta:d}{tb:d}",
                    lambda a=a, b=b, ta=ta, tb=tb: m.matmul(t(*a), t(*b), trans_a=ta, trans_b=tb, static_persistent=True),
                )


@driver("ops/cutile/softmax")
def softmax(m, t):
    for shape in ((4096, 1024), (77, 1000), (1, 3), (600, 8192)):
        yield f"rows {shape}", lambda shape=shape: m.softmax(t(*shape))
        yield f"tma {shape}", lambda shape=shape: m.softmax(t(*shape), use_tma=True)
        yield f"multi wave {shape}", lambda shape=shape: m.softmax(t(*shape), use_multi_wave=True)
    for shape in ((64, 32768), (3, 20000)):
        yield f"chunked {shape}", lambda shape=shape: m.softmax(t(*shape), use_chunked=True)
    yield "strided", lambda: m.softmax(t(1024, 512).mT)


@driver("ops/cutile/rms_norm")
def rms_norm(m, t):
    for mode in ("static_persistent", "multi_wave_reload", "multi_wave_cached"):
        for rows, columns in ((1024, 4096), (37, 1000), (2048, 768)):
            for offset in (0.0, 1.0):
                yield (
                    f"{mode} {rows}x{columns}+{offset}",
                    lambda mode=mode, r=rows, c=columns, o=offset: m.rms_norm(t(r, c), None, t(c), 1e-5, mode=mode, offset=o),
                )
    for rows, columns in ((1024, 4096), (37, 1000)):
        yield f"backward {rows}x{columns}", lambda r=rows, c=columns: m.rms_norm_backward(t(r, c), t(r, c), t(c), t.f32(r))


@driver("ops/cutile/layer_norm")
def layer_norm(m, t):
    for shape in ((8, 32, 1024), (2, 200, 100), (3, 5, 16)):
        yield f"tiles {shape}", lambda s=shape: m.layer_norm(t(*s), 1, 2, t(s[1]), t(s[1]), 1e-5, 1.0)
    for shape in ((64, 1024, 1), (5, 100, 1), (5, 100, 4), (5, 64, 7)):
        yield f"gather {shape}", lambda s=shape: m.layer_norm(t(*s), 1, 2, t(s[1]), t(s[1]), 1e-5)


@driver("ops/cutile/layer_norm_legacy")
def layer_norm_legacy(m, t):
    for rows, columns in ((512, 1024), (37, 1000), (4, 9)):
        yield f"rows {rows}x{columns}", lambda r=rows, c=columns: m.layer_norm_legacy(t(r, c), None, t(c), t(c), 1e-5, 0.5)


@driver("ops/cutile/layer_norm_legacy", (torch.bfloat16,))  # the kernel stores bfloat16 whatever the array holds
def persistent_layer_norm(m, t):
    for rows, columns in ((4096, 1024), (37, 1000)):
        yield f"persistent {rows}x{columns}", lambda r=rows, c=columns: m.persistent_layer_norm(t(r, c), None, t(c), t(c), 1e-5)
        yield (
            f"persistent, statistics given {rows}x{columns}",
            lambda r=rows, c=columns: m.persistent_layer_norm(t(r, c), None, t(c), t(c), 1e-5, t.f32(r), t.f32(r)),
        )


@driver("ops/cutile/silu_and_mul")
def silu_and_mul(m, t):
    for shape in ((128, 4096), (2, 7, 2000)):
        yield f"forward {shape}", lambda s=shape: m.silu_and_mul(t(*s))
        yield f"backward {shape}", lambda s=shape: backward(m.silu_and_mul(t(*s, grad=True)))


@driver("ops/cutile/swiglu")
def swiglu(m, t):
    for shape in ((2, 64, 4096), (1, 7, 1000)):
        yield f"forward {shape}", lambda s=shape: m.swiglu(t(*s), t(*s))
        yield f"backward {shape}", lambda s=shape: backward(m.swiglu(t(*s, grad=True), t(*s, grad=True)))


@driver("ops/cutile/rope")
def rope(m, t):
    for heads, key_heads, length, dim in ((32, 8, 512, 128), (6, 3, 77, 80)):
        q, k = (2, heads, length, dim), (2, key_heads, length, dim)
        yield f"full {q}", lambda q=q, k=k, n=length, d=dim: m.apply_rope_base(t(*q), t(*k), t(1, n, d), t(1, n, d))
        yield (
            f"a table per batch {q}",
            lambda q=q, k=k, n=length, d=dim: m.apply_rope_base(t(*q), t(*k), t.f32(2, n, d), t.f32(2, n, d)),
        )
        yield (
            f"partial {q}",
            lambda q=q, k=k, n=length, d=dim: m.apply_rope_base(
                t(*q), t(*k), t(1, n, d // 4), t(1, n, d // 4), partial_rotary_factor=0.25
            ),
        )


@driver("ops/cutile/dropout")
def dropout(m, t):
    yield "training", lambda: m.dropout(t(1024, 1024), 7, 0.3)
    yield "training ragged", lambda: m.dropout(t(1000), 7, 0.3)
    yield "evaluation", lambda: m.dropout(t(1000), 7, 0.3, training=False)
    yield "in place", lambda: m.dropout(t(1000), 2**63 + 5, 0.9, inplace=True)


@driver("ops/cutile/transpose")
def transpose(m, t):
    for shape in ((1024, 512), (100, 70), (1, 5), (4096, 4096)):
        yield f"{shape}", lambda s=shape: m.transpose(t(*s))
    yield "strided", lambda: m.transpose(t(100, 70).mT)


@driver("ops/cutile/splitk_reduce")
def splitk_reduce(m, t):
    for splits, dim in ((16, 128), (3, 80), (1, 256), (40, 64)):
        yield f"{splits} of {dim}", lambda n=splits, d=dim: m.splitk_reduce(t(2, 4, n, d), t.f32(2, 4, n), t(2, 4, d), n * 128)


@driver("ops/cutile/group_gemm")
def group_gemm(m, t):
    sizes = ((256, 128, 512), (100, 70, 300), (1, 64, 64))
    for transposed in (False, True):
        yield (
            f"transposed {transposed:d}",
            lambda tb=transposed: m.group_gemm(
                [t(rows, k) for rows, k, _ in sizes], [t(n, k) if tb else t(k, n) for _, k, n in sizes], transpose_b=tb
            ),
        )


@driver("ops/cutile/flash_decode")
def flash_decode(m, t):
    for heads, key_heads, length, dim in ((32, 8, 4096, 128), (4, 4, 1000, 64), (6, 2, 100, 96)):
        yield (
            f"{heads}/{key_heads} heads, {length}x{dim}",
            lambda h=heads, k=key_heads, n=length, d=dim: m.fmha_decode(t(2, h, 1, d), t(2, k, n, d), t(2, k, n, d), None),
        )
    yield "given splits", lambda: m.fmha_decode(t(1, 16, 1, 128), t(1, 1, 600, 128), t(1, 1, 600, 128), 0.1, 256)


@driver("ops/cutile/mla")
def mla(m, t):
    for heads, key_heads, length in ((16, 16, 1024), (8, 2, 200)):
        yield (
            f"{heads}/{key_heads} heads, {length}",
            lambda h=heads, k=key_heads, n=length: m.tile_mla(
                t(2, h, n, 128), t(2, k, n, 128), t(2, k, n, 128), t(2, h, n, 64), t(2, 1, n, 64), True, None
            ),
        )


@driver("ops/cutile/attention")
def attention(m, t):
    for heads, key_heads, length, keys, dim in ((8, 8, 1024, 1024, 128), (8, 2, 250, 250, 64), (4, 4, 100, 300, 128)):
        q, k = (2, heads, length, dim), (2, key_heads, keys, dim)
        for causal in (True, False):
            yield f"{q} {k} causal {causal:d}", lambda q=q, k=k, c=causal: m.tile_fmha(t(*q), t(*k), t(*k), is_causal=c)
    for heads, key_heads, length, dim in ((8, 8, 1024, 128), (8, 2, 250, 64)):
        q, k = (2, heads, length, dim), (2, key_heads, length, dim)
        for causal in (True, False):
            yield (
                f"backward {q} {k} causal {causal:d}",
                lambda q=q, k=k, c=causal: backward(
                    m.tile_fmha_with_backward(t(*q, grad=True), t(*k, grad=True), t(*k, grad=True), is_causal=c)
                ),
            )


@driver("ops/cutile/attention_variant", HALF)
def attention_variant(m, t):
    def call(layout="bnsd", length=512, keys=512, out_dim=64, **options):
        batch, heads = 2, 4
        place = (lambda n, s, d: (batch, n, s, d)) if layout == "bnsd" else (lambda n, s, d: (n, s, batch, d))
        q, k, v = t(*place(heads, length, 64)), t(*place(2, keys, 64)), t(*place(2, keys, out_dim))
        return m.fmha_variant_cutile(q, k, v, layout=layout, **options)

    for layout in ("bnsd", "nsbd"):
        yield f"{layout} causal", lambda layout=layout: call(layout)
        yield f"{layout} ragged", lambda layout=layout: call(layout, 100, 200, is_causal=False)
        yield f"{layout} lengths", lambda layout=layout: call(layout, q_lens=t.i32(2), kv_lens=t.i32(2), is_causal=False)
        yield f"{layout} window", lambda layout=layout: call(layout, window_size=64)
        yield f"{layout} two-sided window", lambda layout=layout: call(layout, window_size=64, is_causal=False)
        yield f"{layout} wide output", lambda layout=layout: call(layout, out_dim=128)
        yield f"{layout} random mask", lambda layout=layout: call(layout, random_mask=t.i8(2, 4, 512, 512))
        for bias, shape in (("vector", (2, 4, 1, 512)), ("matrix", (2, 4, 512, 512)), ("alibi", (4,))):
            yield f"{layout} {bias} bias", lambda layout=layout, b=bias, s=shape: call(layout, bias_type=b, bias=t(*s))


@driver("ops/cutile/attention_varlen", HALF)
def attention_varlen(m, t):
    for length, key_heads in ((1024, 4), (250, 2)):
        q, k = (2, 4, length, 64), (2, key_heads, length, 64)
        yield f"plain {length}", lambda q=q, k=k: m.tile_fmha_varlen(t(*q), t(*k), t(*k))
        yield (
            f"lengths {length}",
            lambda q=q, k=k: m.tile_fmha_varlen(t(*q), t(*k), t(*k), is_causal=False, q_lens=t.i32(2), kv_lens=t.i32(2)),
        )


@driver("ops/cutile/chunk_gated_delta_rule")
def chunk_gated_delta_rule(m, t):
    for length, chunk, key, value in ((256, 64, 128, 128), (100, 32, 64, 48)):
        for state in (False, True):
            yield f"{length}/{chunk} state {state:d}", lambda n=length, c=chunk, k=key, v=value, s=state: m.chunk_gated_delta_rule(
                t(2, n, 4, k), t(2, n, 4, k), t(2, n, 4, v), t.f32(2, n, 4), t(2, n, 4), chunk_size=c,
                initial_state=t.f32(2, 4, k, v) if s else None, output_final_state=s, use_qk_l2norm_in_kernel=s,
            )  # fmt: skip


@driver("ops/cutile/fp8_quantization_matmul", (torch.float8_e4m3fn,))
def fp8_quantization_matmul(m, t):
    for out in FLOATS:
        for use_tma in (False, True):
            yield (
                f"{out} tma {use_tma:d}",
                lambda out=out, tma=use_tma: m.w8a8_block_fp8_matmul(
                    t(256, 512), t(384, 512), t.f32(256, 4), t.f32(3, 4), output_dtype=out, use_tma=tma
                ),
            )
    yield "ragged", lambda: m.w8a8_block_fp8_matmul(t(100, 200), t(300, 200), t.f32(100, 2), t.f32(3, 2))


# float32 products of these tiles become more than a megabyte of straight code, minutes and gigabytes for ptxas.
@driver("ops/cutile/linear_gluact_linear", HALF)
def linear_gluact_linear(m, t):
    for act in ("silu", "relu", "gelu", "gelu-tanh"):
        for rows, inner, hidden in ((256, 512, 768), (100, 70, 300)):
            yield (
                f"{act} {rows}",
                lambda act=act, r=rows, k=inner, h=hidden: m.linear_gluact_linear(t(r, k), t(h, k), t(h, k), t(k, h), act),
            )


@driver("ops/cutile/mamba2", (torch.bfloat16, torch.float32))
def mamba2(m, t):
    def arguments(tokens, heads, groups, state):
        x, b, c = t(2, tokens, heads, 64), t(2, tokens, groups, state), t(2, tokens, groups, state)
        return x, t.f32(heads), b, c, t.f32(heads), t.f32(2, tokens, heads), t.f32(2, heads, 64, state)

    for tokens, chunk, heads, groups, state in ((512, 64, 16, 2, 128), (256, 128, 8, 8, 64)):
        shape = (tokens, heads, groups, state)
        yield f"forward {shape} by {chunk}", lambda s=shape, c=chunk: m.mamba2_chunk_forward(*arguments(*s), chunk_size=c)
        yield (
            f"backward {shape} by {chunk}",
            lambda s=shape, c=chunk: m.mamba2_chunk_backward(
                *arguments(*s), t(2, s[0], s[1], 64), t.f32(2, s[1], 64, s[3]), chunk_size=c
            ),
        )


@driver("ops/cutile/mla_decoding", HALF)
def mla_decoding(m, t):
    for heads, length in ((128, 1024), (16, 1000)):
        yield (
            f"{heads} heads, {length}",
            lambda h=heads, n=length: m.mla_decoding(t(2, h, 512), t(2, h, 64), t(2, n, 512), t(2, n, 64), None),
        )


@driver("ops/cutile/mla_decoding_split_kv", HALF)
def mla_decoding_split_kv(m, t):
    for heads, length, split in ((128, 4096, None), (16, 1000, 256)):
        yield (
            f"{heads} heads, {length}",
            lambda h=heads, n=length, s=split: m.mla_decoding_split_kv(
                t(2, h, 512), t(2, h, 64), t(2, n, 512), t(2, n, 64), None, s
            ),
        )


@driver("ops/cutile/moe", HALF)
def moe(m, t):
    for tokens, inner, columns, weighted in ((64, 256, 512, True), (37, 200, 300, False)):

        def call(tokens=tokens, inner=inner, columns=columns, weighted=weighted):
            experts, top = 8, 2
            padded = tokens * top + experts * 64
            return m.invoke_fused_moe_kernel(
                t(tokens, inner), t(experts, columns, inner), t(tokens, top, columns), None, None, t(tokens, top),
                t.i32(tokens, top), t.i32(padded), t.i32(padded // 64 + 1), t.i32(1), weighted, top,
                dict(TILE_SIZE_M=64, TILE_SIZE_N=64, TILE_SIZE_K=32, GROUP_SIZE_M=8), None, False,
            )  # fmt: skip

        yield f"{tokens} tokens", call


@driver("ops/cutile/moe_actgrad_bwd", HALF)
def moe_actgrad_bwd(m, t):
    for act in ("swiglu", "geglu", "reglu", "silu", "relu", "gelu", "relu_sq"):

        def call(act=act, tokens=200, inner=192, hidden=256, experts=4):
            gated = act in ("swiglu", "geglu", "reglu")
            m.moe_actgrad_bwd(
                t(tokens, hidden), t(tokens, inner * (2 if gated else 1)), t(experts, inner, hidden),
                t(tokens, inner * (2 if gated else 1)), t.f32(tokens), None, None, t(tokens, inner), t.f32(tokens),
                t.i32(experts + 1), t.i32(tokens), t.i32(tokens), act, 64,
            )  # fmt: skip

        yield act, call


@driver("ops/cutile/activation/relu")
def relu(m, t):
    yield "aligned", lambda: m.relu(t(1024, 256))
    yield "ragged", lambda: m.relu(t(33, 7))


@driver("ops/cutile/activation/gelu")
def gelu(m, t):
    for approximate in ("none", "tanh"):
        for shape in ((1024, 256), (33, 7)):
            yield f"forward {approximate} {shape}", lambda s=shape, a=approximate: m.gelu(t(*s), a)
            yield f"backward {approximate} {shape}", lambda s=shape, a=approximate: backward(m.gelu(t(*s, grad=True), a))


@driver("ops/cutile/activation/geglu")
def geglu(m, t):
    for approximate in ("none", "tanh"):
        for shape in ((1024, 256), (33, 14)):
            yield f"forward {approximate} {shape}", lambda s=shape, a=approximate: m.geglu(t(*s), -1, a)
            yield f"backward {approximate} {shape}", lambda s=shape, a=approximate: backward(m.geglu(t(*s, grad=True), -1, a))
    yield "first dimension", lambda: m.geglu(t(10, 64), 0)


# suites/unsloth


@driver("suites/unsloth/cutile/cross_entropy_loss")
def cross_entropy_loss(m, t):
    for vocabulary in (32000, 128256):
        for softcap, scale in ((0, 0), (30.0, 0), (0, 0.5), (30.0, 0.5)):
            yield (
                f"{vocabulary} {softcap} {scale}",
                lambda v=vocabulary, c=softcap, s=scale: backward(
                    m.cross_entropy_loss(t(1, 4, v, grad=True), t.i64(1, 4), c, s)
                ),
            )


def _elementwise(names):
    def calls(m, t):
        for name, operands in names.items():
            for shape in ((2, 64, 1024), (1, 7, 1000)):
                yield f"{name} {shape}", lambda f=name, n=operands, s=shape: getattr(m, f)(*(t(*s) for _ in range(n)))

    return calls


driver("suites/unsloth/cutile/geglu")(
    _elementwise({"geglu_exact_forward": 2, "geglu_exact_backward": 3, "geglu_approx_forward": 2, "geglu_approx_backward": 3})
)
driver("suites/unsloth/cutile/swiglu")(_elementwise({"swiglu_fg": 2, "swiglu_bwd": 3}))


@driver("suites/unsloth/cutile/layernorm")
def unsloth_layernorm(m, t):
    for shape in ((2, 64, 1024), (1, 7, 1000)):
        yield f"{shape}", lambda s=shape: backward(m.layernorm(t(*s, grad=True), t(s[-1]), t(s[-1])))


@driver("suites/unsloth/cutile/rms_layernorm")
def unsloth_rms_layernorm(m, t):
    for shape in ((2, 64, 1024), (1, 7, 1000)):
        for gemma in (False, True):
            yield f"{shape} {gemma:d}", lambda s=shape, g=gemma: backward(m.rms_layernorm(t(*s, grad=True), t(s[-1]), gemma=g))


@driver("suites/unsloth/cutile/rope_embedding")
def rope_embedding(m, t):
    for length, heads, dim in ((64, 8, 128), (7, 3, 80)):
        yield (
            f"q {heads}x{dim}",
            lambda n=length, h=heads, d=dim: backward(m.rope_embedding(t(2, n, h, d, grad=True), t(n, d // 2), t(n, d // 2))),
        )
        for indices in (False, True):
            yield (
                f"qk {heads}x{dim} {indices:d}",
                lambda n=length, h=heads, d=dim, i=indices: backward(
                    m.rope_embedding_qk(
                        t(2, h, n, d, grad=True),
                        t(2, 2, n, d, grad=True),
                        t(n, d // 2),
                        t(n, d // 2),
                        t.i32(2, n) if i else None,
                    )
                ),
            )


# suites/flashinfer


@driver("suites/flashinfer/cutile/fmha_prefill_bsr", HALF)
def fmha_prefill(m, t):
    for dim, out_dim, longest in ((128, 128, 256), (192, 128, 200)):
        for scheduler in (True, False):
            for causal in (True, False):
                lengths, offsets = t.i32(2), t.i32(3)
                options = dict(is_causal=causal, use_lpt_scheduler=scheduler)
                yield (
                    f"paged {dim} {scheduler:d}{causal:d}",
                    lambda d=dim, o=out_dim, n=longest, x=options: m.prefill_attention_kv_paged(
                        t(2 * n, 8, d),
                        t(16, 64, 2, d),
                        t(16, 64, 2, o),
                        lengths,
                        lengths,
                        offsets,
                        t.i32(2, 8),
                        0.1,
                        1.0,
                        2,
                        n,
                        **x,
                    ),
                )
                yield (
                    f"ragged {dim} {scheduler:d}{causal:d}",
                    lambda d=dim, o=out_dim, n=longest, x=options: m.prefill_attention_kv_ragged(
                        t(2 * n, 8, d), t(2 * n, 2, d), t(2 * n, 2, o), lengths, lengths, offsets, None, 0.1, 1.0, 2, n, **x
                    ),
                )


@driver("suites/flashinfer/cutile/gemm/gemm_alpha_beta", HALF)
def gemm_alpha_beta(m, t):
    for ta, tb, alpha, beta in ((False, True, 1.0, 0.0), (True, False, 0.5, 2.0), (False, False, 1.0, 1.0)):
        for rows, inner, columns in ((512, 256, 768), (100, 72, 300)):
            yield (
                f"{rows} {ta:d}{tb:d} {alpha} {beta}",
                lambda r=rows, k=inner, n=columns, a=ta, b=tb, x=alpha, y=beta: m.gemm_alpha_beta(
                    t(k, r) if a else t(r, k), t(n, k) if b else t(k, n), t(r, n), a, b, x, y
                ),
            )


@driver("suites/flashinfer/cutile/gemm/masked_bmm", HALF)
def masked_bmm(m, t):
    for ta, tb in ((False, False), (True, False), (False, True)):
        for rows, inner, columns in ((256, 128, 512), (100, 72, 300)):
            yield (
                f"{rows} {ta:d}{tb:d}",
                lambda r=rows, k=inner, n=columns, a=ta, b=tb: m.masked_bmm(
                    t(4, k, r) if a else t(4, r, k), t(4, n, k) if b else t(4, k, n), t.i32(4), a, b
                ),
            )


@driver("suites/flashinfer/cutile/gemm/ragged_bmm", HALF)
def ragged_bmm(m, t):
    for tb in (False, True):
        for rows, inner, columns in ((1024, 128, 512), (300, 72, 300)):
            yield (
                f"{rows} {tb:d}",
                lambda r=rows, k=inner, n=columns, b=tb: m.ragged_bmm(
                    t(r, k), t(4, n, k) if b else t(4, k, n), t.i32(5), r // 4, transpose_b=b
                ),
            )


@driver("suites/flashinfer/cutile/gemm/ragged_block_scaled_bmm", (torch.float8_e4m3fn,))
def ragged_block_scaled_bmm(m, t):
    for scaled in (True, False):
        yield (
            f"scaled {scaled:d}",
            lambda s=scaled: m.ragged_block_scaled_bmm(
                t(512, 512), t(4, 256, 512), t.f32(512, 4) if s else None, t.f32(4, 2, 4), t.i32(5), 128
            ),
        )


@driver("suites/flashinfer/cutile/per_token_group_quant_8bit")
def per_token_group_quant(m, t):
    for group in (128, 96):
        for to in (torch.float8_e4m3fn, torch.int8):
            yield f"{group} {to}", lambda g=group, to=to: m.per_token_group_quant_8bit(t(64, g * 8), g, dst_dtype=to)
            yield (
                f"columns {group} {to}",
                lambda g=group, to=to: m.per_token_group_quant_8bit(t(37, g * 8), g, dst_dtype=to, column_major_scales=True),
            )
    yield (
        "powers of two",
        lambda: m.per_token_group_quant_8bit(
            t(37, 1024), 128, column_major_scales=True, scale_tma_aligned=True, scale_ue8m0=True
        ),
    )


@driver("suites/flashinfer/cutile/rope_quantize_fp8", HALF)
def rope_quantize_fp8(m, t):
    for tokens, heads in ((512, 16), (37, 3)):
        yield (
            f"latent {tokens}",
            lambda n=tokens, h=heads: m.rope_quantize_fp8(
                t(n, h, 64), t(n, 64), t(n, h, 512), t(n, 512), t.f32(4096, 64), t.i32(n), is_neox=False
            ),
        )
