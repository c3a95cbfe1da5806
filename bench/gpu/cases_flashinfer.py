# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The suite flashinfer."""

import math

import torch
from cases_attention import attention, log_sum_exp
from cases_products import mnk, spread
from operators import HALVES, B, S, operator, rows_columns

# The flashinfer suite

operator(
    "flashinfer gemm_alpha_beta",
    "suites.flashinfer.cutile.gemm.gemm_alpha_beta",
    mnk((512, 512, 512), (300, 520, 1000), (2048, 2048, 1024)),
    lambda x, m, n, k: {"a": x.randn(m, k), "b": x.randn(n, k), "c": x.randn(m, n)},
    lambda c, i: (c.flashinfer.gemm_alpha_beta(i["a"], i["b"], i["c"], False, True, 1.5, 2.0),),
    lambda i: (1.5 * i["a"] @ i["b"].t() + 2 * i["c"],),
    HALVES,
    inplace=True,
)


def _masked_inputs(x, q, m, n, k):
    return {
        "a": x.randn(q, m, k),
        "b": x.randn(q, k, n),
        "mask": torch.tensor([(m * (j + 1)) // q - (j % 2) * 3 for j in range(q)], device="cuda", dtype=torch.int32),
    }


def _only_masked(c, i):
    for group, rows in enumerate(i["mask"].tolist()):
        c[group, rows:] = 0
    return (c,)


operator(
    "flashinfer masked_bmm",
    "suites.flashinfer.cutile.gemm.masked_bmm",
    tuple({"q": q} | s for q, s in zip((4, 3, 6), mnk((256, 256, 512), (200, 328, 520), (1024, 1024, 1024)))),
    _masked_inputs,
    lambda c, i: _only_masked(c.flashinfer.masked_bmm(i["a"], i["b"], i["mask"], False, False), i),
    lambda i: _only_masked(torch.bmm(i["a"], i["b"]), i),
    HALVES,
)


def _segments(sizes):
    return torch.tensor([0, *sizes], device="cuda").cumsum(0).to(torch.int32)


def _by_segment(i, product):
    ends = i["at"].tolist()
    return (torch.cat([product(q, slice(a, b)) for q, (a, b) in enumerate(zip(ends, ends[1:]))]),)


operator(
    "flashinfer ragged_bmm",
    "suites.flashinfer.cutile.gemm.ragged_bmm",
    (
        {"sizes": (128, 256, 128), "n": 256, "k": 256},
        {"sizes": (128, 384, 256), "n": 200, "k": 328},
        {"sizes": (512, 1024, 256, 768), "n": 1024, "k": 1024},
    ),
    lambda x, sizes, n, k: {
        "a": x.randn(sum(sizes), k),
        "b": x.randn(len(sizes), n, k),
        "at": _segments(sizes),
        "most": max(sizes),
    },
    lambda c, i: (
        c.flashinfer.ragged_bmm(i["a"], i["b"], i["at"], i["most"], None, transpose_a=False, transpose_b=True),
    ),
    lambda i: _by_segment(i, lambda q, s: i["a"][s] @ i["b"][q].t()),
    HALVES,
)


def _block_scaled_reference(i):
    """With 256 rows a segment or more the original takes 256 columns at a time on sm_90 and scales all by the first 128's factor."""
    wide = len(i["a"]) >= 256 * len(i["b"]) and torch.cuda.get_device_capability() == (9, 0)
    factors = i["bs"][:, ::2].repeat_interleave(2, 1)[:, : i["bs"].shape[1]] if wide else i["bs"]
    return _by_segment(
        i,
        lambda q, s: (
            (i["a"][s] * spread(i["as"][s], 128, None, i["a"].shape[1]))
            @ (i["b"][q] * spread(factors[q], 128, *i["b"].shape[1:])).t()
        ),
    )


operator(
    "flashinfer ragged_block_scaled_bmm",
    "suites.flashinfer.cutile.gemm.ragged_block_scaled_bmm",
    (
        {"sizes": (128, 128), "n": 256, "k": 256},
        {"sizes": (128, 128, 128), "n": 384, "k": 640},
        {"sizes": (512, 512, 512, 512), "n": 2048, "k": 2048},
    ),
    lambda x, sizes, n, k: {
        "a": x.randn(sum(sizes), k, scale=8).to(torch.float8_e4m3fn),
        "b": x.randn(len(sizes), n, k, scale=8).to(torch.float8_e4m3fn),
        "as": x.rand(sum(sizes), k // 128, dtype=S, high=0.01),
        "bs": x.rand(len(sizes), n // 128, k // 128, dtype=S, high=0.01),
        "at": _segments(sizes),
        "most": max(sizes),
    },
    lambda c, i: (
        c.flashinfer.ragged_block_scaled_bmm(
            i["a"], i["b"], i["as"], i["bs"], i["at"], i["most"], None, transpose_a=False, transpose_b=True, out_dtype=B
        ),
    ),
    _block_scaled_reference,
    (B,),
)

for name, dtype, transposed in (("fp8", torch.float8_e4m3fn, False), ("int8", torch.int8, True)):
    operator(
        "flashinfer per_token_group_quant " + name,
        "suites.flashinfer.cutile.per_token_group_quant_8bit",
        rows_columns((512, 2048), (513, 1920), (4096, 4096)),
        lambda x, m, n: {"x": x.randn(m, n)},
        lambda c, i, d=dtype, t=transposed: tuple(
            c.flashinfer.per_token_group_quant_8bit(i["x"], 128, dst_dtype=d, column_major_scales=t)
        ),
    )


def _rope_fp8(c, i):
    q, k = torch.empty_like(i["q"], dtype=i["to"]), torch.empty_like(i["k"], dtype=i["to"])
    c.flashinfer.rope_quantize_fp8(
        i["q"][..., :64],
        i["k"][..., :64],
        i["q"][..., 64:],
        i["k"][..., 64:],
        i["table"],
        i["at"],
        is_neox=False,
        q_rope_out=q[..., :64],
        k_rope_out=k[..., :64],
        q_nope_out=q[..., 64:],
        k_nope_out=k[..., 64:],
        quant_scale_q=1.0,
        quant_scale_kv=1.0,
    )
    return q, k


operator(
    "flashinfer rope_quantize_fp8",
    "suites.flashinfer.cutile.rope_quantize_fp8",
    ({"tokens": 128}, {"tokens": 19}, {"tokens": 1024}),
    lambda x, tokens: {
        "q": x.randn(tokens, 16, 576),
        "k": x.randn(tokens, 576),
        "table": x.rand(4096, 64, dtype=S, low=-1),
        "at": torch.arange(tokens, device="cuda"),
        "to": torch.float8_e4m3fn,
    },
    _rope_fp8,
    None,
    HALVES,
)


def _prefill_inputs(x, lengths, heads, kv, dim=128, page=None):
    at = torch.tensor([0, *lengths], device="cuda").cumsum(0)
    inputs = {
        "q": x.randn(sum(lengths), heads, dim),
        "lengths": torch.tensor(lengths, device="cuda", dtype=torch.int32).view(-1, 1, 1, 1),
        "at": at,
        "most": max(lengths),
        "pages": None,
    }
    if page is None:
        return inputs | {"k": x.randn(sum(lengths), kv, dim), "v": x.randn(sum(lengths), kv, dim)}
    each = -(-max(lengths) // page)
    table = torch.arange(each * len(lengths), device="cuda", dtype=torch.int32).view(len(lengths), each)
    pool = lambda: x.randn(each * len(lengths), kv, page, dim).transpose(1, 2)
    return inputs | {"k": pool(), "v": pool(), "pages": table}


def _prefill_reference(i):
    q, v = i["q"], i["v"]
    outputs, sums, ends = [], [], i["at"].tolist()
    for b, (s, e) in enumerate(zip(ends, ends[1:])):
        k, w = (
            (i["k"][s:e], v[s:e])
            if i["pages"] is None
            else (i[n][i["pages"][b].long()].flatten(0, 1)[: e - s] for n in ("k", "v"))
        )
        one = {
            "q": q[s:e].transpose(0, 1).unsqueeze(0),
            "k": k.transpose(0, 1).unsqueeze(0),
            "v": w.transpose(0, 1).unsqueeze(0),
            "causal": True,
        }
        outputs.append(attention(one)[0].transpose(0, 1))
        sums.append(log_sum_exp(one)[0].transpose(0, 1))
    return torch.cat(outputs), torch.cat(sums)


for name, page, lpt in (
    ("ragged", None, True),
    ("paged", 128, True),
    ("ragged grid", None, False),
    ("paged grid", 128, False),
):
    operator(
        f"flashinfer prefill {name}",
        "suites.flashinfer.cutile.fmha_prefill_bsr",
        tuple(
            {"lengths": l, "heads": h, "kv": k, "page": page}
            for l, h, k in (((256, 512), 16, 2), ((100, 333, 7), 16, 4), ((1024, 2048, 512), 32, 4))
        ),
        _prefill_inputs,
        lambda c, i, n=name.split()[0], lpt=lpt: tuple(
            getattr(c.module("suites.flashinfer.cutile.fmha_prefill_bsr"), "prefill_attention_kv_" + n)(
                i["q"],
                i["k"],
                i["v"],
                i["lengths"],
                i["lengths"],
                i["at"],
                i["pages"],
                1 / math.sqrt(i["q"].shape[-1]),
                1.0,
                len(i["lengths"]),
                i["most"],
                use_lpt_scheduler=lpt,
            )
        ),
        _prefill_reference,
        HALVES,
    )
