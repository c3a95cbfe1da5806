# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Host calls whose results are compared with those of the original kernels, as oracle.emulator runs them.

For the open modules that oracle.operators has no formula for.  A case returns (what, result) pairs.
"""

import torch

from oracle.operators import HALF_AND_FULL, Check

CHECKS = []
_TOLERANCE = {torch.float32: 1e-4, torch.float16: 1e-2}


def check(module, dtypes=HALF_AND_FULL, **tolerance):
    given = {getattr(torch, name): value for name, value in tolerance.items()}

    def register(cases):
        CHECKS.append(Check(module, dtypes, _TOLERANCE | given, cases))
        return cases

    return register


def integers(*values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype)


def named(**results):
    return list(results.items())


def with_gradients(function, *inputs):
    inputs = [x.requires_grad_() for x in inputs]
    outputs = function(*inputs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    torch.autograd.backward(outputs, [torch.ones_like(o) * (0.5 + i) for i, o in enumerate(outputs)])
    results = [(f"output {i}", o.detach()) for i, o in enumerate(outputs)]
    return results + [(f"gradient {i}", x.grad) for i, x in enumerate(inputs)]


@check("ops/cutile/attention_variant")
def attention_variant(m, t):
    def call(layout="bnsd", length=70, keys=70, out_dim=32, **options):
        batch, heads = 2, 4
        place = (lambda n, s, d: (batch, n, s, d)) if layout == "bnsd" else (lambda n, s, d: (n, s, batch, d))
        q, k, v = t(*place(heads, length, 32)), t(*place(2, keys, 32)), t(*place(2, keys, out_dim))
        options = {name: make() if callable(make) else make for name, make in options.items()}
        tiles = dict(TILE_M=32, TILE_N=32)
        return named(attention=m.fmha_variant_cutile(q, k, v, layout=layout, kernel_configs=tiles, **options))

    for layout in ("bnsd", "nsbd"):
        variants = {
            "causal": {},
            "longer keys": dict(keys=100),
            "not causal": dict(is_causal=False, keys=100),
            "lengths": dict(q_lens=lambda: integers(70, 33), kv_lens=lambda: integers(70, 50), is_causal=False),
            "window": dict(window_size=16),
            "two-sided window": dict(window_size=16, is_causal=False),
            "wide output": dict(out_dim=64),
            "random mask": dict(random_mask=lambda: (t(2, 4, 70, 70) > 1).to(torch.int8)),
            "vector bias": dict(bias_type="vector", bias=lambda: t(2, 4, 1, 70)),
            "matrix bias": dict(bias_type="matrix", bias=lambda: t(2, 4, 70, 70)),
            "alibi": dict(bias_type="alibi", bias=lambda: t(4)),
        }
        for name, options in variants.items():
            yield f"{layout} {name}", lambda layout=layout, o=options: call(layout, **o)


@check("ops/cutile/attention_varlen")
def attention_varlen(m, t):
    for length, key_heads in ((64, 4), (70, 2)):
        for causal in (True, False):
            for lengths in (None, (length, length // 2)):

                def call(length=length, key_heads=key_heads, causal=causal, lengths=lengths):
                    q, k, v = t(2, 4, length, 32), t(2, key_heads, length, 32), t(2, key_heads, length, 32)
                    given = integers(*lengths) if lengths else None
                    out = m.tile_fmha_varlen(
                        q, k, v, is_causal=causal, q_lens=given, kv_lens=given, kernel_configs=dict(TILE_M=32, TILE_N=32)
                    )
                    return named(attention=out)

                yield f"{length} {key_heads} causal {causal:d} {lengths}", call


@check("ops/cutile/chunk_gated_delta_rule", (torch.float32,), float32=5e-3)  # products rounded to tf32, which Triton has no dtype for
def chunk_gated_delta_rule(m, t):
    for length, chunk, key, value in ((64, 16, 32, 32), (40, 16, 16, 24)):
        for state in (False, True):

            def call(n=length, c=chunk, k=key, v=value, state=state):
                out, final = m.chunk_gated_delta_rule(
                    t(1, n, 2, k), t(1, n, 2, k, scale=0.2), t(1, n, 2, v), -t(1, n, 2).abs(), t(1, n, 2).sigmoid(), chunk_size=c,
                    initial_state=t(1, 2, k, v) if state else None, output_final_state=state, use_qk_l2norm_in_kernel=state,
                )  # fmt: skip
                return named(output=out) + (named(final=final) if state else [])

            yield f"{length} by {chunk}, state {state:d}", call


@check("ops/cutile/fp8_quantization_matmul", (torch.float32,))
def fp8_quantization_matmul(m, t):
    def call(rows, columns, inner, **options):
        x, y = t(rows, inner).to(torch.float8_e4m3fn), t(columns, inner).to(torch.float8_e4m3fn)
        scales = t(rows, -(-inner // 128)).abs(), t(-(-columns // 128), -(-inner // 128)).abs()
        return named(product=m.w8a8_block_fp8_matmul(x, y, *scales, use_tma=True, **options))

    yield "divides", lambda: call(64, 128, 256, output_dtype=torch.float32)
    yield "ragged", lambda: call(50, 100, 200, output_dtype=torch.float16)


@check("ops/cutile/linear_gluact_linear", float32=2e-3)  # float32 is multiplied as tf32 at last
def linear_gluact_linear(m, t):
    for act in ("silu", "relu", "gelu", "gelu-tanh"):
        yield act, lambda act=act: named(output=m.linear_gluact_linear(t(40, 33), t(50, 33), t(50, 33), t(20, 50), act))


@check("ops/cutile/mamba2", (torch.float32,), float32=1e-3)
def mamba2(m, t):
    def arguments(tokens, heads, groups, state):
        x, b, c = t(1, tokens, heads, 16), t(1, tokens, groups, state), t(1, tokens, groups, state)
        return x, -t(heads).abs(), b, c, t(heads), t(1, tokens, heads).sigmoid(), t(1, heads, 16, state)

    for tokens, chunk, heads, groups, state in ((128, 64, 4, 2, 32), (64, 32, 4, 4, 16)):

        def forward(s=(tokens, heads, groups, state), chunk=chunk):
            out, final = m.mamba2_chunk_forward(*arguments(*s), chunk_size=chunk)
            return named(output=out, final=final)

        def backward(s=(tokens, heads, groups, state), chunk=chunk):
            gradients = m.mamba2_chunk_backward(*arguments(*s), t(1, s[0], s[1], 16), t(1, s[1], 16, s[3]), chunk_size=chunk)
            return [(f"gradient {i}", g) for i, g in enumerate(gradients)]

        yield f"forward by {chunk}", forward
        yield f"backward by {chunk}", backward


@check("ops/cutile/mla_decoding")
def mla_decoding(m, t):
    for heads, length in ((16, 128), (20, 100)):

        def call(h=heads, n=length):
            out, sums = m.mla_decoding(t(2, h, 64), t(2, h, 16), t(2, n, 64), t(2, n, 16), None)
            return named(output=out, sums=sums)

        yield f"{heads} heads, {length}", call


@check("ops/cutile/mla_decoding_split_kv")
def mla_decoding_split_kv(m, t):
    for heads, length in ((16, 256), (20, 300)):
        yield (
            f"{heads} heads, {length}",
            lambda h=heads, n=length: named(
                output=m.mla_decoding_split_kv(t(2, h, 64), t(2, h, 16), t(2, n, 64), t(2, n, 16), None, 128)
            ),
        )


@check("ops/cutile/moe")
def moe(m, t):
    for tokens, inner, columns, weighted in ((12, 64, 32, True), (7, 33, 50, False)):

        def call(tokens=tokens, inner=inner, columns=columns, weighted=weighted, experts=4, top=2, tile=16):
            chosen = [[i % experts, (i * 3 + 1) % experts] for i in range(tokens)]
            order, of_block = [], []
            for expert in range(experts):
                mine = [i * top + j for i in range(tokens) for j in range(top) if chosen[i][j] == expert]
                mine += [tokens * top] * (-len(mine) % tile)  # a token that does not exist
                order += mine
                of_block += [expert] * (len(mine) // tile)
            out = torch.zeros(tokens, top, columns, dtype=t.dtype)
            m.invoke_fused_moe_kernel(
                t(tokens, inner), t(experts, columns, inner), out, None, None, t(tokens, top).abs(), integers(*chosen),
                integers(*order), integers(*of_block), integers(len(order)), weighted, top,
                dict(TILE_SIZE_M=tile, TILE_SIZE_N=16, TILE_SIZE_K=32, GROUP_SIZE_M=2), None, False,
            )  # fmt: skip
            return named(output=out)

        yield f"{tokens} tokens", call


@check("ops/cutile/moe_actgrad_bwd")
def moe_actgrad_bwd(m, t):
    for act in ("swiglu", "geglu", "reglu", "silu", "relu", "gelu", "relu_sq"):

        def call(act=act, tokens=30, inner=48, hidden=40, experts=3):
            gated = 2 if act in ("swiglu", "geglu", "reglu") else 1
            dh, prime, ds = (
                torch.zeros(tokens, inner * gated).to(t.dtype),
                torch.zeros(tokens, inner).to(t.dtype),
                torch.zeros(tokens),
            )
            shuffle = torch.arange(tokens, dtype=torch.int32).flip(0)
            m.moe_actgrad_bwd(
                t(tokens, hidden), t(tokens, inner * gated), t(experts, inner, hidden), dh, ds, None, None, prime,
                t(tokens, dtype=torch.float32).abs(), integers(0, 7, 7, tokens), shuffle, shuffle, act,
                kernel_configs=dict(BLOCK_M=16, BLOCK_N=16, BLOCK_K=32),
            )  # fmt: skip
            return named(dh=dh, prime=prime, ds=ds)

        yield act, call


@check("suites/unsloth/cutile/cross_entropy_loss")
def cross_entropy_loss(m, t):
    for rows, vocabulary in ((3, 100), (2, 70000)):
        for softcap, scale in ((0, 0), (30.0, 0), (0, 0.5)):
            yield (
                f"{vocabulary} {softcap} {scale}",
                lambda r=rows, v=vocabulary, c=softcap, s=scale: with_gradients(
                    lambda x: m.cross_entropy_loss(x, integers(*range(5, 4 + r), -100, dtype=torch.int64)[None], c, s),
                    t(1, r, v),
                ),
            )


@check("suites/unsloth/cutile/geglu")
def geglu(m, t):
    for kind in ("exact", "approx"):
        yield f"{kind} forward", lambda f=f"geglu_{kind}_forward": named(out=getattr(m, f)(t(2, 7, 50), t(2, 7, 50)))
        yield (
            f"{kind} backward",
            lambda f=f"geglu_{kind}_backward": [
                (f"{i}", x) for i, x in enumerate(getattr(m, f)(t(14, 50), t(14, 50), t(14, 50)))
            ],
        )


@check("suites/unsloth/cutile/swiglu")
def swiglu(m, t):
    yield "forward", lambda: named(out=m.swiglu_fg(t(2, 7, 50), t(2, 7, 50)))
    yield "backward", lambda: [(f"{i}", x) for i, x in enumerate(m.swiglu_bwd(t(14, 50), t(14, 50), t(14, 50)))]


@check("suites/unsloth/cutile/layernorm")
def layernorm(m, t):
    def call(shape):
        w, b = t(shape[-1]), t(shape[-1])
        return with_gradients(lambda x: m.layernorm(x, w, b), t(*shape))

    for shape in ((2, 4, 64), (1, 7, 50)):
        yield f"{shape}", lambda s=shape: call(s)


@check("suites/unsloth/cutile/rms_layernorm")
def rms_layernorm(m, t):
    def call(shape, gemma):
        w = t(shape[-1])
        return with_gradients(lambda x: m.rms_layernorm(x, w, gemma=gemma), t(*shape))

    for shape in ((2, 4, 64), (1, 7, 50)):
        for gemma in (False, True):
            yield f"{shape} {gemma:d}", lambda s=shape, g=gemma: call(s, g)


@check("suites/unsloth/cutile/rope_embedding")
def rope_embedding(m, t):
    def tables(length, dim):
        angle = t(length, dim // 2, dtype=torch.float32)
        return angle.cos().to(t.dtype), angle.sin().to(t.dtype)

    for length, dim in ((8, 32), (7, 24)):
        yield (
            f"q {length} {dim}",
            lambda n=length, d=dim: with_gradients(lambda q, tables=tables(n, d): m.rope_embedding(q, *tables), t(2, n, 3, d)),
        )
        for indices in (False, True):
            yield f"qk {length} {dim} {indices:d}", lambda n=length, d=dim, i=indices: with_gradients(
                lambda q, k, tables=tables(n, d): m.rope_embedding_qk(
                    q, k, *tables, torch.arange(2 * n, dtype=torch.int32).flip(0).reshape(2, n) % n if i else None
                ),
                t(2, 4, n, d), t(2, 2, n, d),
            )  # fmt: skip


@check("suites/flashinfer/cutile/fmha_prefill_bsr")
def fmha_prefill(m, t):
    for dim, out_dim in ((32, 32), (48, 32)):
        for scheduler in (True, False):
            for causal in (True, False):
                options = dict(is_causal=causal, use_lpt_scheduler=scheduler)

                def ragged(dim=dim, out_dim=out_dim, options=options):
                    q, k, v = t(120, 4, dim), t(120, 2, dim), t(120, 2, out_dim)
                    lengths, offsets = integers(70, 50), integers(0, 70, 120)
                    out, sums = m.prefill_attention_kv_ragged(
                        q, k, v, lengths, lengths, offsets, None, 0.2, 1.0, 2, 70, **options
                    )
                    return named(output=out, sums=sums)

                def paged(dim=dim, out_dim=out_dim, options=options):
                    q, k, v = t(120, 4, dim), t(8, 32, 2, dim), t(8, 32, 2, out_dim)
                    lengths, offsets, table = integers(70, 50), integers(0, 70, 120), integers([5, 0, 3], [7, 1, 2])
                    out, sums = m.prefill_attention_kv_paged(
                        q, k, v, lengths, lengths, offsets, table, 0.2, 1.0, 2, 70, **options
                    )
                    return named(output=out, sums=sums)

                yield f"ragged {dim} {scheduler:d}{causal:d}", ragged
                yield f"paged {dim} {scheduler:d}{causal:d}", paged


@check("suites/flashinfer/cutile/gemm/gemm_alpha_beta")
def gemm_alpha_beta(m, t):
    for ta, tb, alpha, beta in ((False, True, 1.0, 0.0), (True, False, 0.5, 2.0), (False, False, 1.0, 1.0)):
        for rows, inner, columns in ((128, 64, 128), (70, 33, 50)):
            yield (
                f"{rows} {ta:d}{tb:d} {alpha} {beta}",
                lambda r=rows, k=inner, n=columns, a=ta, b=tb, x=alpha, y=beta: named(
                    product=m.gemm_alpha_beta(t(k, r) if a else t(r, k), t(n, k) if b else t(k, n), t(r, n), a, b, x, y)
                ),
            )


@check("suites/flashinfer/cutile/gemm/masked_bmm")
def masked_bmm(m, t):
    def call(rows, inner, columns, ta, tb):
        masks = integers(rows, rows // 2, 1)
        a, b = t(3, inner, rows) if ta else t(3, rows, inner), t(3, columns, inner) if tb else t(3, inner, columns)
        product = m.masked_bmm(a, b, masks, ta, tb)
        return [(f"batch {i}", product[i, : int(masks[i])]) for i in range(3)]

    for ta, tb in ((False, False), (True, False), (False, True)):
        for size in ((128, 64, 128), (70, 33, 50)):
            yield f"{size} {ta:d}{tb:d}", lambda s=size, a=ta, b=tb: call(*s, a, b)


@check("suites/flashinfer/cutile/gemm/ragged_bmm")
def ragged_bmm(m, t):
    for tb in (False, True):
        for inner, columns in ((64, 128), (33, 50)):
            yield (
                f"{inner}x{columns} {tb:d}",
                lambda k=inner, n=columns, b=tb: named(
                    product=m.ragged_bmm(
                        t(200, k), t(3, n, k) if b else t(3, k, n), integers(0, 70, 71, 200), 129, transpose_b=b
                    )
                ),
            )
    exchanged = dict(BLOCK_M=64, BLOCK_N=32, BLOCK_K=32, swap_ab=True)
    for tb in (False, True):
        yield (
            f"exchanged {tb:d}",
            lambda b=tb: named(
                product=m.ragged_bmm(
                    t(200, 33), t(3, 50, 33) if b else t(3, 33, 50), integers(0, 70, 71, 200), 129, transpose_b=b,
                    kernel_configs=exchanged,
                )
            ),
        )  # fmt: skip


@check("suites/flashinfer/cutile/gemm/ragged_block_scaled_bmm", (torch.float32,))
def ragged_block_scaled_bmm(m, t):
    def call(scaled, first=50, **options):
        x, y = t(70, 256).to(torch.float8_e4m3fn), t(2, 128, 256).to(torch.float8_e4m3fn)
        scale = t(70, 2).abs() if scaled else None
        return named(
            product=m.ragged_block_scaled_bmm(x, y, scale, t(2, 1, 2).abs(), integers(0, first, 70), max(first, 70 - first), **options)
        )

    for scaled in (True, False):
        yield f"scaled {scaled:d}", lambda scaled=scaled: call(scaled)
    exchanged = dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=128, swap_ab=True)
    yield "halves of one size", lambda: call(True, 35)
    yield "exchanged", lambda: call(True, kernel_configs=exchanged)


@check("suites/flashinfer/cutile/rope_quantize_fp8", (torch.float16,))
def rope_quantize_fp8(m, t):
    for tokens, heads in ((8, 4), (5, 3)):

        def call(n=tokens, h=heads):
            results = m.rope_quantize_fp8(
                t(n, h, 64), t(n, 64), t(n, h, 512), t(n, 512), t(64, 64, dtype=torch.float32), integers(*range(n)), is_neox=False
            )
            return [(f"output {i}", result.float()) for i, result in enumerate(results)]

        yield f"latent {tokens}", call


@check("suites/flashinfer/cutile/per_token_group_quant_8bit")
def per_token_group_quant(m, t):
    for group in (32, 24):
        for columns in (False, True):

            def call(group=group, columns=columns):
                q, scales = m.per_token_group_quant_8bit(
                    t(7, group * 3), group, dst_dtype=torch.int8, column_major_scales=columns
                )
                return named(quantised=q, scales=scales)

            yield f"{group} columns {columns:d}", call
