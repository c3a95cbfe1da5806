# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Attention."""

import math

import torch
from operators import HALVES, S, operator, reference_with_gradients, with_gradients

# Attention


def _qkv(x, batch, heads, kv, seq, dim, causal=True, seq_kv=None):
    return {
        "q": x.randn(batch, heads, seq, dim),
        "k": x.randn(batch, kv, seq_kv or seq, dim),
        "v": x.randn(batch, kv, seq_kv or seq, dim),
        "dy": x.randn(batch, heads, seq, dim),
        "causal": causal,
    }


def _scores(i, scale):
    group = i["q"].shape[1] // i["k"].shape[1]
    scores = i["q"] @ i["k"].repeat_interleave(group, 1).transpose(2, 3) * scale
    if i["causal"]:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), float("-inf"))
    return scores, i["v"].repeat_interleave(group, 1)


def attention(i):
    scores, v = _scores(i, 1 / math.sqrt(i["q"].shape[-1]))
    return torch.softmax(scores, -1) @ v


def log_sum_exp(i):
    return torch.logsumexp(_scores(i, 1 / math.sqrt(i["q"].shape[-1]))[0], -1)


def attention_shapes(*shapes, **more):
    return tuple(dict(zip(("batch", "heads", "kv", "seq", "dim"), s)) | more for s in shapes)


_attention_cases = ((2, 4, 4, 512, 64), (1, 8, 2, 333, 128), (2, 16, 4, 2048, 128))
for causal in (True, False):
    word = "causal" if causal else "full"
    shapes = attention_shapes(*_attention_cases, causal=causal)
    operator(
        f"attention {word}",
        "ops.cutile.attention",
        shapes,
        _qkv,
        lambda c, i: (c.ops.attn_interface.fmha_interface(i["q"], i["k"], i["v"], is_causal=i["causal"]),),
        lambda i: (attention(i),),
        HALVES,
    )
    operator(
        f"attention {word} lse",
        "ops.cutile.attention",
        shapes,
        _qkv,
        lambda c, i: tuple(
            c.module("ops.cutile.attention").fmha_forward_with_lse(
                i["q"], i["k"], i["v"], 1 / math.sqrt(i["q"].shape[-1]), i["causal"]
            )
        ),
        None,
        HALVES,
    )
    operator(
        f"attention {word} backward",
        "ops.cutile.attention",
        attention_shapes((2, 4, 4, 256, 64), (1, 8, 2, 333, 128), (2, 8, 2, 1024, 128), causal=causal),
        _qkv,
        with_gradients(
            lambda c, i: c.module("ops.cutile.attention").tile_fmha_with_backward(
                i["q"], i["k"], i["v"], is_causal=i["causal"]
            ),
            ("q", "k", "v"),
        ),
        reference_with_gradients(attention, ("q", "k", "v")),
        HALVES,
    )

operator(
    "flash_decode",
    "ops.cutile.flash_decode",
    tuple(
        dict(zip(("batch", "heads", "kv", "seq_kv", "dim"), s)) | {"seq": 1, "causal": False}
        for s in ((2, 32, 8, 1024, 64), (1, 12, 4, 777, 128), (4, 32, 4, 8192, 128))
    ),
    _qkv,
    lambda c, i: (c.ops.fmha_decode(i["q"], i["k"], i["v"], 1 / math.sqrt(i["q"].shape[-1])),),
    lambda i: (attention(i),),
    HALVES,
)
operator(
    "splitk_reduce",
    "ops.cutile.splitk_reduce",
    tuple(
        dict(zip(("batch", "heads", "splits", "dim"), s)) for s in ((2, 16, 8, 128), (1, 12, 5, 96), (4, 32, 64, 512))
    ),
    lambda x, batch, heads, splits, dim: {
        "o": x.randn(batch, heads, splits, dim),
        "lse": x.randn(batch, heads, splits, dtype=S) * 2 + 5,
        "out": x.randn(batch, heads, dim),
    },
    lambda c, i: (c.ops.splitk_reduce(i["o"], i["lse"], torch.empty_like(i["out"]), i["o"].shape[2] * 128),),
    lambda i: ((torch.softmax(i["lse"] * math.log(2), -1).unsqueeze(-1) * i["o"]).sum(2),),
    HALVES,
)


def _mla_inputs(x, batch, heads, kv, seq, dim=128, pe=64):
    return {
        "q": x.randn(batch, heads, seq, dim, scale=0.3),
        "k": x.randn(batch, kv, seq, dim, scale=0.3),
        "v": x.randn(batch, kv, seq, dim, scale=0.3),
        "qpe": x.randn(batch, heads, seq, pe, scale=0.3),
        "kpe": x.randn(batch, 1, seq, pe, scale=0.3),
        "causal": True,
    }


def _mla(i):
    group, heads = i["q"].shape[1] // i["k"].shape[1], i["q"].shape[1]
    joined = {
        "q": torch.cat([i["q"], i["qpe"]], -1),
        "k": torch.cat([i["k"].repeat_interleave(group, 1), i["kpe"].expand(-1, heads, -1, -1)], -1),
        "v": i["v"].repeat_interleave(group, 1),
        "causal": True,
    }
    return (attention(joined),)


operator(
    "mla",
    "ops.cutile.mla",
    tuple(dict(zip(("batch", "heads", "kv", "seq"), s)) for s in ((1, 8, 8, 512), (2, 8, 2, 333), (2, 16, 16, 2048))),
    _mla_inputs,
    lambda c, i: (c.ops.mla_interface(i["q"], i["k"], i["v"], i["qpe"], i["kpe"], True, 1 / math.sqrt(192)),),
    _mla,
    HALVES,
)

# Variants: layouts, windows, biases, random masks, lengths ----------------------------------------------------------------


def _lengths(most, batch):
    return torch.tensor([most - 37 * (j % 2) - 11 * (j // 2) for j in range(batch)], device="cuda", dtype=torch.int32)


def _variant_inputs(
    x,
    batch,
    heads,
    kv,
    seq,
    dim,
    keys=None,
    out=None,
    layout="bnsd",
    causal=True,
    window=0,
    bias=None,
    random=False,
    lengths=False,
):
    keys = keys or seq
    place = (lambda n, s, d: (batch, n, s, d)) if layout == "bnsd" else (lambda n, s, d: (n, s, batch, d))
    biases = {None: None, "vector": (batch, heads, 1, keys), "matrix": (batch, heads, seq, keys), "alibi": (heads,)}[
        bias
    ]
    return {
        "q": x.randn(*place(heads, seq, dim)),
        "k": x.randn(*place(kv, keys, dim)),
        "v": x.randn(*place(kv, keys, out or dim)),
        "layout": layout,
        "causal": causal,
        "window": window,
        "kind": bias,
        "bias": None if bias is None else x.rand(*biases, high=0.2) if bias == "alibi" else x.randn(*biases),
        "random": (x.rand(batch, heads, seq, keys, dtype=S) < 0.2).to(torch.int8) if random else None,
        "q_lens": _lengths(seq, batch) if lengths else None,
        "kv_lens": _lengths(keys, batch) if lengths else None,
    }


def _only_valid(out, i):
    """Rows past a sequence's length hold what nobody promised."""
    if i["q_lens"] is not None:
        for b, rows in enumerate(i["q_lens"].tolist()):
            (out[b, :, rows:] if i["layout"] == "bnsd" else out[:, rows:, b]).zero_()
    return (out,)


def _variant_reference(i):
    q, k, v = (t if i["layout"] == "bnsd" else t.permute(2, 0, 1, 3) for t in (i["q"], i["k"], i["v"]))
    k, v = (t.repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (k, v))
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    rows, keys = (
        torch.arange(q.shape[2], device=q.device).view(1, -1, 1),
        torch.arange(k.shape[2], device=q.device).view(1, 1, -1),
    )
    of = lambda lengths, most: (
        torch.full((q.shape[0],), most, device=q.device) if lengths is None else lengths.long()
    ).view(-1, 1, 1)
    q_len, kv_len = of(i["q_lens"], q.shape[2]), of(i["kv_lens"], k.shape[2])
    at = rows + kv_len - q_len  # the key that a row stands at
    if i["kind"] in ("vector", "matrix"):
        scores = scores + i["bias"]
    elif i["kind"] == "alibi":
        scores = scores - i["bias"].view(1, -1, 1, 1) * (at - keys).abs().unsqueeze(1)
    hidden = (keys >= kv_len) | (keys > at if i["causal"] else False)
    if i["window"]:
        hidden = hidden | ((keys - at).abs() > i["window"])
    hidden = hidden.unsqueeze(1)
    if i["random"] is not None:
        hidden = hidden | (i["random"] != 0)
    out = torch.softmax(scores.masked_fill(hidden, -1e9), -1) @ v
    return _only_valid((out if i["layout"] == "bnsd" else out.permute(1, 2, 0, 3)).contiguous(), i)


def _variant(c, i):
    return _only_valid(
        c.module("ops.cutile.attention_variant").fmha_variant_cutile(
            i["q"],
            i["k"],
            i["v"],
            is_causal=i["causal"],
            q_lens=i["q_lens"],
            kv_lens=i["kv_lens"],
            bias_type=i["kind"],
            bias=i["bias"],
            window_size=i["window"],
            random_mask=i["random"],
            layout=i["layout"],
        ),
        i,
    )


_variant_cases = ((2, 4, 4, 512, 64), (1, 8, 2, 333, 128), (2, 8, 2, 1024, 128))
for name, more in (
    ("causal", {}),
    ("two-sided window", {"window": 64, "causal": False}),
    ("matrix bias, random mask", {"bias": "matrix", "random": True, "causal": False}),
    ("alibi", {"bias": "alibi"}),
    ("lengths, vector bias", {"bias": "vector", "lengths": True, "causal": False}),
):
    operator(
        "attention_variant " + name,
        "ops.cutile.attention_variant",
        attention_shapes(*_variant_cases, **more),
        _variant_inputs,
        _variant,
        _variant_reference,
        HALVES,
    )
# In the layout nsbd the original takes the tile's sizes for keys and features in the wrong order: it is right for one tile of keys only.
operator(
    "attention_variant nsbd",
    "ops.cutile.attention_variant",
    attention_shapes(
        (2, 4, 4, 128, 128), (1, 8, 2, 77, 128), (4, 16, 4, 128, 128), layout="nsbd", bias="matrix", causal=True
    ),
    _variant_inputs,
    _variant,
    _variant_reference,
    HALVES,
)
operator(
    "attention_variant longer keys, wide output",
    "ops.cutile.attention_variant",
    tuple(
        s | {"keys": k, "out": 128, "causal": c}
        for s, k, c in zip(
            attention_shapes((2, 4, 4, 256, 64), (1, 8, 2, 133, 64), (2, 8, 2, 1024, 64)),
            (512, 333, 2048),
            (True, False, True),
        )
    ),
    _variant_inputs,
    _variant,
    _variant_reference,
    HALVES,
)


def _varlen(c, i):
    return _only_valid(
        c.module("ops.cutile.attention_varlen").tile_fmha_varlen(
            i["q"], i["k"], i["v"], is_causal=i["causal"], q_lens=i["q_lens"], kv_lens=i["kv_lens"]
        ),
        i,
    )


# Without lengths nothing masks the keys that are not there, so only causal rows are defined where the tiles do not divide them.
for name, more in (
    ("causal", {}),
    ("lengths", {"lengths": True, "causal": False}),
    ("causal lengths", {"lengths": True}),
):
    operator(
        "attention_varlen " + name,
        "ops.cutile.attention_varlen",
        attention_shapes(*_variant_cases, **more),
        _variant_inputs,
        _varlen,
        _variant_reference,
        HALVES,
    )

# Latent attention, decoding -----------------------------------------------------------------------------------------------


def _latent_inputs(x, batch, heads, keys, dim=512, pe=64, split=None):
    return {
        "q": x.randn(batch, heads, dim, scale=0.3),
        "qpe": x.randn(batch, heads, pe, scale=0.3),
        "kv": x.randn(batch, keys, dim),
        "kpe": x.randn(batch, keys, pe),
        "split": split,
    }


def _latent(i):
    """The output, and each row's log2 of the sum of exponentials."""
    scores = (i["q"] @ i["kv"].transpose(1, 2) + i["qpe"] @ i["kpe"].transpose(1, 2)) / math.sqrt(
        i["q"].shape[-1] + i["qpe"].shape[-1]
    )
    return torch.softmax(scores, -1) @ i["kv"], torch.logsumexp(scores, -1) / math.log(2)


_latent_shapes = tuple(dict(zip(("batch", "heads", "keys"), s)) for s in ((2, 128, 1024), (1, 24, 777), (4, 128, 4096)))
operator(
    "mla_decoding",
    "ops.cutile.mla_decoding",
    _latent_shapes,
    _latent_inputs,
    lambda c, i: tuple(c.module("ops.cutile.mla_decoding").mla_decoding(i["q"], i["qpe"], i["kv"], i["kpe"], None)),
    _latent,
    HALVES,
)
operator(
    "mla_decoding_split_kv",
    "ops.cutile.mla_decoding_split_kv",
    tuple(s | {"split": n} for s, n in zip(_latent_shapes, (None, 256, None))),
    _latent_inputs,
    lambda c, i: (
        c.module("ops.cutile.mla_decoding_split_kv").mla_decoding_split_kv(
            i["q"], i["qpe"], i["kv"], i["kpe"], None, i["split"]
        ),
    ),
    lambda i: _latent(i)[:1],
    HALVES,
)
