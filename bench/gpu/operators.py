# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The operators that are compared: how to call each, at which shapes, and what float64 says.

A case is written once and runs on any copy of the package (copies.py): `call(copy, inputs)` gives a tuple of tensors, and so
does `reference(inputs)` on the inputs in float64. Shapes come in three kinds: dividing the tiles, ragged, and larger. Values
are random, never zeros or ones, and small enough that nothing overflows fp16.
"""
import math
from dataclasses import dataclass
from typing import Callable

import torch

F = torch.nn.functional
H, B, S = torch.float16, torch.bfloat16, torch.float32
FLOATS, HALVES = (H, B, S), (H, B)


@dataclass
class Operator:
    name: str
    module: str                     # below tilegym; what is converted
    shapes: tuple                   # keyword arguments of make: dividing, ragged, larger
    make: Callable                  # (Maker, **shape) → inputs
    call: Callable                  # (copy, inputs) → tensors
    reference: Callable | None
    dtypes: tuple = FLOATS
    inplace: bool = False           # the call writes its inputs


OPERATORS = {}
KINDS = ("dividing", "ragged", "larger")


class Maker:
    """Random tensors of one dtype on the GPU."""

    def __init__(self, dtype, generator):
        self.dtype, self.generator = dtype, generator

    def randn(self, *shape, dtype=None, scale=1.0):
        return (torch.randn(*shape, device="cuda", generator=self.generator) * scale).to(dtype or self.dtype)

    def rand(self, *shape, dtype=None, low=0.0, high=1.0):
        return (torch.rand(*shape, device="cuda", generator=self.generator) * (high - low) + low).to(dtype or self.dtype)

    def randint(self, high, *shape, dtype=torch.int64):
        return torch.randint(high, shape, device="cuda", generator=self.generator, dtype=dtype)


def operator(name, module, shapes, make, call, reference=None, dtypes=FLOATS, inplace=False):
    OPERATORS[name] = Operator(name, module, tuple(shapes), make, call, reference, dtypes, inplace)


def rows_columns(*pairs):
    return tuple({"m": m, "n": n} for m, n in pairs)


def tensors(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def with_gradients(function, names):
    """The outputs of `function(copy, inputs)` and the gradients of `names`, for the output gradient inputs["dy"]."""
    def call(copy, inputs):
        inputs = inputs | {n: inputs[n].detach().requires_grad_() for n in names}
        with torch.enable_grad():
            outputs = tensors(function(copy, inputs))
            gradients = torch.autograd.grad(outputs, [inputs[n] for n in names], tensors(inputs["dy"]))
        return tuple(o.detach() for o in outputs) + gradients
    return call


def reference_with_gradients(function, names):
    call = with_gradients(lambda _, inputs: function(inputs), names)
    return lambda inputs: call(None, inputs)


# Matrix products -------------------------------------------------------------------------------------------------------

def _mnk(*triples, **more):
    return tuple({"m": m, "n": n, "k": k} | more for m, n, k in triples)


def _batched(x, q=4, m=0, n=0, k=0, ta=False, tb=False):
    return {"a": x.randn(q, *((k, m) if ta else (m, k))), "b": x.randn(q, *((n, k) if tb else (k, n))), "ta": ta, "tb": tb}


def _bmm_reference(i):
    a, b = i["a"], i["b"]
    return (torch.bmm(a.transpose(1, 2) if i["ta"] else a, b.transpose(1, 2) if i["tb"] else b),)


_bmm_shapes = _mnk((256, 256, 512), (200, 333, 511), (1024, 1024, 1024))
for suffix, ta, tb in (("", False, False), (" TN", True, False), (" NT", False, True)):
    operator("bmm persistent" + suffix, "ops.cutile.bmm", tuple(s | {"ta": ta, "tb": tb} for s in _bmm_shapes), _batched,
             lambda c, i: (c.ops.bmm(i["a"], i["b"], transpose_a=i["ta"], transpose_b=i["tb"], static_persistent=True),), _bmm_reference)
operator("bmm", "ops.cutile.bmm", _bmm_shapes, _batched,
         lambda c, i: (c.ops.bmm(i["a"], i["b"], static_persistent=False),), _bmm_reference)

_mm_shapes = _mnk((512, 512, 512), (300, 515, 1000), (2048, 2048, 1024))
_pair = lambda x, m, n, k: {"a": x.randn(m, k), "b": x.randn(k, n)}
_mm_reference = lambda i: (i["a"] @ i["b"],)
for name, persistent in (("matmul", False), ("matmul persistent", True)):
    operator(name, "ops.cutile.matmul", _mm_shapes, _pair,
             lambda c, i, persistent=persistent: (c.ops.matmul(i["a"], i["b"], static_persistent=persistent, use_tma=True),), _mm_reference)

for suffix, tb in (("", False), (" NT", True)):
    operator("group_gemm" + suffix, "ops.cutile.group_gemm",
             ({"sizes": ((256, 256, 256), (512, 256, 128), (128, 512, 256))}, {"sizes": ((100, 200, 300), (65, 33, 129), (256, 7, 64))},
              {"sizes": ((1024, 1024, 1024), (2048, 512, 1024), (512, 2048, 512), (256, 256, 4096))}),
             lambda x, sizes, tb=tb: {"a": [x.randn(m, k) for m, n, k in sizes], "b": [x.randn(*((n, k) if tb else (k, n))) for m, n, k in sizes]},
             lambda c, i, tb=tb: tuple(c.ops.group_gemm(i["a"], i["b"], transpose_b=tb)),
             lambda i, tb=tb: tuple(a @ (b.t() if tb else b) for a, b in zip(i["a"], i["b"])))

# Rows -----------------------------------------------------------------------------------------------------------------

_rows = rows_columns((512, 1024), (257, 1000), (4096, 4096))
for mode in ("gather", "tma", "chunked", "multi_wave"):
    flags = {} if mode == "gather" else {"use_" + mode: True}
    operator("softmax " + mode, "ops.cutile.softmax", _rows if mode != "chunked" else rows_columns((256, 16384), (65, 20001), (1024, 32768)),
             lambda x, m, n: {"x": x.randn(m, n, scale=2)}, lambda c, i, flags=flags: (c.ops.softmax(i["x"], **flags),),
             lambda i: (torch.softmax(i["x"], -1),))


def _rms(i, eps=1e-5):
    x, w = i["x"], i["w"]
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


_norm = lambda x, m, n: {"x": x.randn(m, n), "w": x.rand(n, low=0.5, high=1.5), "b": x.randn(n), "dy": x.randn(m, n)}
for mode in ("static_persistent", "multi_wave_reload", "multi_wave_cached"):
    operator("rms_norm " + mode, "ops.cutile.rms_norm", _rows, _norm,
             lambda c, i, mode=mode: (c.ops.rms_norm(i["x"], (i["x"].shape[-1],), i["w"], 1e-5, mode=mode),), lambda i: (_rms(i),))
operator("rms_norm backward", "ops.cutile.rms_norm", _rows, _norm,
         with_gradients(lambda c, i: c.ops.rms_norm(i["x"], (i["x"].shape[-1],), i["w"], 1e-5), ("x", "w")),
         reference_with_gradients(_rms, ("x", "w")))

operator("layer_norm columns", "ops.cutile.layer_norm", ({"n": 8, "c": 256, "w": 64}, {"n": 5, "c": 100, "w": 49}, {"n": 64, "c": 512, "w": 256}),
         lambda x, n, c, w: {"x": x.randn(n, c, w), "w": x.rand(c, low=0.5, high=1.5), "b": x.randn(c)},
         lambda c, i: (c.ops.layer_norm(i["x"], 1, 2, i["w"], i["b"], 1e-5),),
         lambda i: (F.layer_norm(i["x"].transpose(1, 2), i["w"].shape, i["w"], i["b"], 1e-5).transpose(1, 2),))
operator("layer_norm rows", "ops.cutile.layer_norm", _rows, _norm, lambda c, i: (c.ops.layer_norm(i["x"], 1, 2, i["w"], i["b"], 1e-5, 1.0),),
         lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"] + 1, i["b"], 1e-5),))
operator("layer_norm_legacy", "ops.cutile.layer_norm_legacy", _rows, _norm,
         lambda c, i: (c.ops.layer_norm_legacy(i["x"], i["w"].shape, i["w"], i["b"], 1e-5),),
         lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5),))


def _mean_rstd(x, eps):
    return x.mean(-1), torch.rsqrt(x.var(-1, unbiased=False) + eps)


operator("persistent_layer_norm", "ops.cutile.layer_norm_legacy", _rows, _norm,
         lambda c, i: tuple(c.ops.persistent_layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5)[:3]),
         lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5), *_mean_rstd(i["x"], 1e-5)), (B, S))      # cuTile itself refuses fp16: the kernel stores bf16

# Gates, activations, elementwise ----------------------------------------------------------------------------------------

_half = lambda x: x.shape[-1] // 2
_silu_mul = lambda i: (F.silu(i["x"][..., :_half(i["x"])]) * i["x"][..., _half(i["x"]):],)
_wide = lambda x, m, n: {"x": x.randn(m, 2 * n), "dy": x.randn(m, n)}
operator("silu_and_mul", "ops.cutile.silu_and_mul", _rows, _wide, lambda c, i: (c.ops.silu_and_mul(i["x"]),), _silu_mul)
operator("silu_and_mul backward", "ops.cutile.silu_and_mul", _rows, _wide, with_gradients(lambda c, i: c.ops.silu_and_mul(i["x"]), ("x",)),
         reference_with_gradients(lambda i: _silu_mul(i), ("x",)))

_two = lambda x, m, n: {"a": x.randn(m, n), "b": x.randn(m, n), "dy": x.randn(m, n)}
operator("swiglu", "ops.cutile.swiglu", _rows, _two, lambda c, i: (c.ops.get_swiglu()(i["a"], i["b"]),), lambda i: (F.silu(i["a"]) * i["b"],))
operator("swiglu backward", "ops.cutile.swiglu", _rows, _two, with_gradients(lambda c, i: c.ops.get_swiglu()(i["a"], i["b"]), ("a", "b")),
         reference_with_gradients(lambda i: F.silu(i["a"]) * i["b"], ("a", "b")))

for approximate in ("none", "tanh"):
    operator(f"gelu {approximate}", "ops.cutile.activation.gelu", _rows, lambda x, m, n: {"x": x.randn(m, n, scale=2), "dy": x.randn(m, n)},
             with_gradients(lambda c, i, a=approximate: c.ops.activation.gelu(i["x"], a), ("x",)),
             reference_with_gradients(lambda i, a=approximate: F.gelu(i["x"], approximate=a), ("x",)))
    operator(f"geglu {approximate}", "ops.cutile.activation.geglu", _rows, _wide,
             with_gradients(lambda c, i, a=approximate: c.ops.activation.geglu(i["x"], -1, a), ("x",)),
             reference_with_gradients(lambda i, a=approximate: i["x"][..., :_half(i["x"])] * F.gelu(i["x"][..., _half(i["x"]):], approximate=a), ("x",)))
operator("relu", "ops.cutile.activation.relu", _rows, lambda x, m, n: {"x": x.randn(m, n)}, lambda c, i: (c.ops.activation.relu(i["x"]),), lambda i: (F.relu(i["x"]),))
operator("dropout", "ops.cutile.dropout", _rows, lambda x, m, n: {"x": x.randn(m, n)}, lambda c, i: (c.ops.dropout(i["x"], 11, 0.3),))
operator("transpose", "ops.cutile.transpose", _rows, lambda x, m, n: {"x": x.randn(m, n)}, lambda c, i: (c.ops.transpose(i["x"]),), lambda i: (i["x"].t(),))

# Rotary embedding ---------------------------------------------------------------------------------------------------------


def _rope_inputs(x, batch, heads, kv, seq, dim, part=1.0):
    rope = int(dim * part)
    angle = x.rand(1, seq, rope // 2, dtype=S, high=6.28)
    angle = torch.cat([angle, angle], -1)
    return {"q": x.randn(batch, heads, seq, dim), "k": x.randn(batch, kv, seq, dim), "cos": angle.cos().to(x.dtype),
            "sin": angle.sin().to(x.dtype), "part": part}


def _rotate(t, cos, sin):
    d = cos.shape[-1]
    r, rest = t[..., :d], t[..., d:]
    turned = torch.cat([-r[..., d // 2:], r[..., :d // 2]], -1)
    return torch.cat([r * cos.unsqueeze(1) + turned * sin.unsqueeze(1), rest], -1)


for name, part in (("rope", 1.0), ("rope partial", 0.5)):
    operator(name, "ops.cutile.rope", tuple({"batch": b, "heads": h, "kv": k, "seq": s, "dim": d, "part": part} for b, h, k, s, d in
             ((2, 8, 8, 128, 64), (1, 6, 2, 77, 96), (2, 32, 8, 1024, 128))), _rope_inputs,
             lambda c, i: tuple(c.ops.apply_rope_base(i["q"], i["k"], i["cos"], i["sin"], partial_rotary_factor=i["part"])),
             lambda i: (_rotate(i["q"], i["cos"], i["sin"]), _rotate(i["k"], i["cos"], i["sin"])), inplace=True)

# Attention ---------------------------------------------------------------------------------------------------------------


def _qkv(x, batch, heads, kv, seq, dim, causal=True, seq_kv=None):
    return {"q": x.randn(batch, heads, seq, dim), "k": x.randn(batch, kv, seq_kv or seq, dim), "v": x.randn(batch, kv, seq_kv or seq, dim),
            "dy": x.randn(batch, heads, seq, dim), "causal": causal}


def _scores(i, scale):
    group = i["q"].shape[1] // i["k"].shape[1]
    scores = i["q"] @ i["k"].repeat_interleave(group, 1).transpose(2, 3) * scale
    if i["causal"]:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), float("-inf"))
    return scores, i["v"].repeat_interleave(group, 1)


def _attention(i):
    scores, v = _scores(i, 1 / math.sqrt(i["q"].shape[-1]))
    return torch.softmax(scores, -1) @ v


def _attention_shapes(*shapes, **more):
    return tuple(dict(zip(("batch", "heads", "kv", "seq", "dim"), s)) | more for s in shapes)


_attention_cases = ((2, 4, 4, 512, 64), (1, 8, 2, 333, 128), (2, 16, 4, 2048, 128))
for causal in (True, False):
    word = "causal" if causal else "full"
    shapes = _attention_shapes(*_attention_cases, causal=causal)
    operator(f"attention {word}", "ops.cutile.attention", shapes, _qkv,
             lambda c, i: (c.ops.attn_interface.fmha_interface(i["q"], i["k"], i["v"], is_causal=i["causal"]),), lambda i: (_attention(i),), HALVES)
    operator(f"attention {word} lse", "ops.cutile.attention", shapes, _qkv,
             lambda c, i: tuple(c.module("ops.cutile.attention").fmha_forward_with_lse(i["q"], i["k"], i["v"], 1 / math.sqrt(i["q"].shape[-1]), i["causal"])),
             None, HALVES)
    operator(f"attention {word} backward", "ops.cutile.attention", _attention_shapes((2, 4, 4, 256, 64), (1, 8, 2, 333, 128), (2, 8, 2, 1024, 128), causal=causal), _qkv,
             with_gradients(lambda c, i: c.module("ops.cutile.attention").tile_fmha_with_backward(i["q"], i["k"], i["v"], is_causal=i["causal"]), ("q", "k", "v")),
             reference_with_gradients(_attention, ("q", "k", "v")), HALVES)

operator("flash_decode", "ops.cutile.flash_decode", tuple(dict(zip(("batch", "heads", "kv", "seq_kv", "dim"), s)) | {"seq": 1, "causal": False} for s in
         ((2, 32, 8, 1024, 64), (1, 12, 4, 777, 128), (4, 32, 4, 8192, 128))), _qkv,
         lambda c, i: (c.ops.fmha_decode(i["q"], i["k"], i["v"], 1 / math.sqrt(i["q"].shape[-1])),), lambda i: (_attention(i),), HALVES)
operator("splitk_reduce", "ops.cutile.splitk_reduce", tuple(dict(zip(("batch", "heads", "splits", "dim"), s)) for s in ((2, 16, 8, 128), (1, 12, 5, 96), (4, 32, 64, 512))),
         lambda x, batch, heads, splits, dim: {"o": x.randn(batch, heads, splits, dim), "lse": x.randn(batch, heads, splits, dtype=S) * 2 + 5, "out": x.randn(batch, heads, dim)},
         lambda c, i: (c.ops.splitk_reduce(i["o"], i["lse"], torch.empty_like(i["out"]), i["o"].shape[2] * 128),),
         lambda i: ((torch.softmax(i["lse"] * math.log(2), -1).unsqueeze(-1) * i["o"]).sum(2),), HALVES)


def _mla_inputs(x, batch, heads, kv, seq, dim=128, pe=64):
    return {"q": x.randn(batch, heads, seq, dim, scale=0.3), "k": x.randn(batch, kv, seq, dim, scale=0.3), "v": x.randn(batch, kv, seq, dim, scale=0.3),
            "qpe": x.randn(batch, heads, seq, pe, scale=0.3), "kpe": x.randn(batch, 1, seq, pe, scale=0.3), "causal": True}


def _mla(i):
    group, heads = i["q"].shape[1] // i["k"].shape[1], i["q"].shape[1]
    joined = {"q": torch.cat([i["q"], i["qpe"]], -1), "k": torch.cat([i["k"].repeat_interleave(group, 1), i["kpe"].expand(-1, heads, -1, -1)], -1),
              "v": i["v"].repeat_interleave(group, 1), "causal": True}
    return (_attention(joined),)


operator("mla", "ops.cutile.mla", tuple(dict(zip(("batch", "heads", "kv", "seq"), s)) for s in ((1, 8, 8, 512), (2, 8, 2, 333), (2, 16, 16, 2048))), _mla_inputs,
         lambda c, i: (c.ops.mla_interface(i["q"], i["k"], i["v"], i["qpe"], i["kpe"], True, 1 / math.sqrt(192)),), _mla, HALVES)

# The unsloth suite --------------------------------------------------------------------------------------------------------

_flat = lambda x, m, n: {"dw": x.randn(m, n), "e": x.randn(m, n), "g": x.randn(m, n)}


def _gate_backward(f):
    """h, DW·f(e), and the gradient of e, as the backward kernels leave them in their three inputs."""
    def reference(i):
        e = i["e"].detach().requires_grad_()
        with torch.enable_grad():
            value = f(e)
            (slope,) = torch.autograd.grad(value.sum(), e)
        return value.detach() * i["g"], i["dw"] * value.detach(), i["dw"] * i["g"] * slope
    return reference


for name, f in (("geglu_exact", F.gelu), ("geglu_approx", lambda e: F.gelu(e, approximate="tanh")), ("swiglu", F.silu)):
    forward, backward = ("swiglu_fg", "swiglu_bwd") if name == "swiglu" else (name + "_forward", name + "_backward")
    module = "suites.unsloth.cutile." + ("swiglu" if name == "swiglu" else "geglu")
    operator("unsloth " + forward, module, _rows, _flat, lambda c, i, n=forward: (getattr(c.unsloth, n)(i["e"].unsqueeze(0), i["g"].unsqueeze(0)),),
             lambda i, f=f: ((f(i["e"]) * i["g"]).unsqueeze(0),))
    operator("unsloth " + backward, module, _rows, _flat, lambda c, i, n=backward: tuple(getattr(c.unsloth, n)(i["dw"], i["e"], i["g"])),
             _gate_backward(f), inplace=True)

operator("unsloth layernorm", "suites.unsloth.cutile.layernorm", _rows, _norm, with_gradients(lambda c, i: c.unsloth.layernorm(i["x"], i["w"], i["b"], 1e-6), ("x",)),
         reference_with_gradients(lambda i: F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-6), ("x",)))
for gemma in (False, True):
    operator("unsloth rms_layernorm" + (" gemma" if gemma else ""), "suites.unsloth.cutile.rms_layernorm", _rows, _norm,
             with_gradients(lambda c, i, g=gemma: c.unsloth.rms_layernorm(i["x"], i["w"], 1e-6, gemma=g), ("x",)),
             reference_with_gradients(lambda i, g=gemma: _rms(i | {"w": i["w"] + (1 if g else 0)}, 1e-6), ("x",)))


def _unsloth_rotate(t, cos, sin):
    half = t.shape[-1] // 2
    a, b = t[..., :half], t[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def _angles(x, seq, dim):
    angle = x.rand(seq, dim // 2, dtype=S, high=6.28)
    return {"cos": angle.cos().to(x.dtype), "sin": angle.sin().to(x.dtype)}


_rope_shapes = tuple(dict(zip(("batch", "heads", "kv", "seq", "dim"), s)) for s in ((2, 8, 8, 128, 64), (1, 6, 2, 77, 96), (2, 32, 8, 1024, 128)))
operator("unsloth rope_embedding", "suites.unsloth.cutile.rope_embedding", _rope_shapes,
         lambda x, batch, heads, kv, seq, dim: {"q": x.randn(batch, seq, heads, dim), "dy": x.randn(batch, seq, heads, dim)} | _angles(x, seq, dim),
         with_gradients(lambda c, i: c.unsloth.rope_embedding(i["q"], i["cos"], i["sin"]), ("q",)),
         reference_with_gradients(lambda i: _unsloth_rotate(i["q"], i["cos"].unsqueeze(1), i["sin"].unsqueeze(1)), ("q",)), inplace=True)
operator("unsloth rope_embedding_qk", "suites.unsloth.cutile.rope_embedding", _rope_shapes,
         lambda x, batch, heads, kv, seq, dim: {"q": x.randn(batch, heads, seq, dim), "k": x.randn(batch, kv, seq, dim),
                                                "dy": (x.randn(batch, heads, seq, dim), x.randn(batch, kv, seq, dim))} | _angles(x, seq, dim),
         with_gradients(lambda c, i: c.unsloth.rope_embedding_qk(i["q"], i["k"], i["cos"], i["sin"]), ("q", "k")),
         reference_with_gradients(lambda i: tuple(_unsloth_rotate(i[n], i["cos"], i["sin"]) for n in ("q", "k")), ("q", "k")), inplace=True)


def _loss(i):
    logits = i["x"] * i["scaling"] if i["scaling"] else i["x"]
    logits = i["cap"] * torch.tanh(logits / i["cap"]) if i["cap"] else logits
    return F.cross_entropy(logits.flatten(0, 1), i["labels"].flatten(), ignore_index=-100, reduction="sum") / (i["labels"] != -100).sum()


def _loss_inputs(x, seq, vocab, cap=0, scaling=0):
    labels = x.randint(vocab, 2, seq)
    labels[0, :4] = -100
    return {"x": x.randn(2, seq, vocab), "labels": labels, "cap": cap, "scaling": scaling, "dy": x.rand(1, dtype=S, low=1, high=2).squeeze(0)}


for suffix, more in (("", {}), (" softcapped", {"cap": 30.0}), (" scaled", {"scaling": 0.5})):
    operator("unsloth cross_entropy" + suffix, "suites.unsloth.cutile.cross_entropy_loss",
             tuple({"seq": s, "vocab": v} | more for s, v in ((64, 4096), (33, 32003), (16, 128256))), _loss_inputs,
             with_gradients(lambda c, i: c.unsloth.cross_entropy_loss(i["x"], i["labels"], i["cap"], i["scaling"]), ("x",)),
             reference_with_gradients(_loss, ("x",)))

# The flashinfer suite -----------------------------------------------------------------------------------------------------

operator("flashinfer gemm_alpha_beta", "suites.flashinfer.cutile.gemm.gemm_alpha_beta", _mnk((512, 512, 512), (300, 520, 1000), (2048, 2048, 1024)),
         lambda x, m, n, k: {"a": x.randn(m, k), "b": x.randn(n, k), "c": x.randn(m, n)},
         lambda c, i: (c.flashinfer.gemm_alpha_beta(i["a"], i["b"], i["c"], False, True, 1.5, 2.0),), lambda i: (1.5 * i["a"] @ i["b"].t() + 2 * i["c"],), HALVES, inplace=True)


def _masked_inputs(x, q, m, n, k):
    return {"a": x.randn(q, m, k), "b": x.randn(q, k, n), "mask": torch.tensor([(m * (j + 1)) // q - (j % 2) * 3 for j in range(q)], device="cuda", dtype=torch.int32)}


def _only_masked(c, i):
    for group, rows in enumerate(i["mask"].tolist()):
        c[group, rows:] = 0
    return (c,)


operator("flashinfer masked_bmm", "suites.flashinfer.cutile.gemm.masked_bmm", tuple({"q": q} | s for q, s in zip((4, 3, 6), _mnk((256, 256, 512), (200, 328, 520), (1024, 1024, 1024)))),
         _masked_inputs, lambda c, i: _only_masked(c.flashinfer.masked_bmm(i["a"], i["b"], i["mask"], False, False), i), lambda i: _only_masked(torch.bmm(i["a"], i["b"]), i), HALVES)


def _segments(sizes):
    return torch.tensor([0, *sizes], device="cuda").cumsum(0).to(torch.int32)


def _by_segment(i, product):
    ends = i["at"].tolist()
    return (torch.cat([product(q, slice(a, b)) for q, (a, b) in enumerate(zip(ends, ends[1:]))]),)


operator("flashinfer ragged_bmm", "suites.flashinfer.cutile.gemm.ragged_bmm",
         ({"sizes": (128, 256, 128), "n": 256, "k": 256}, {"sizes": (128, 384, 256), "n": 200, "k": 328}, {"sizes": (512, 1024, 256, 768), "n": 1024, "k": 1024}),
         lambda x, sizes, n, k: {"a": x.randn(sum(sizes), k), "b": x.randn(len(sizes), n, k), "at": _segments(sizes), "most": max(sizes)},
         lambda c, i: (c.flashinfer.ragged_bmm(i["a"], i["b"], i["at"], i["most"], None, transpose_a=False, transpose_b=True),),
         lambda i: _by_segment(i, lambda q, s: i["a"][s] @ i["b"][q].t()), HALVES)


def _spread(scale, block, rows, columns):
    return scale.repeat_interleave(block, -1)[..., :columns] if rows is None else scale.repeat_interleave(block, -2)[..., :rows, :].repeat_interleave(block, -1)[..., :columns]


operator("flashinfer ragged_block_scaled_bmm", "suites.flashinfer.cutile.gemm.ragged_block_scaled_bmm",
         ({"sizes": (128, 128), "n": 256, "k": 256}, {"sizes": (128, 128, 128), "n": 384, "k": 640}, {"sizes": (512, 512, 512, 512), "n": 2048, "k": 2048}),
         lambda x, sizes, n, k: {"a": x.randn(sum(sizes), k, scale=8).to(torch.float8_e4m3fn), "b": x.randn(len(sizes), n, k, scale=8).to(torch.float8_e4m3fn),
                                 "as": x.rand(sum(sizes), k // 128, dtype=S, high=0.01), "bs": x.rand(len(sizes), n // 128, k // 128, dtype=S, high=0.01),
                                 "at": _segments(sizes), "most": max(sizes)},
         lambda c, i: (c.flashinfer.ragged_block_scaled_bmm(i["a"], i["b"], i["as"], i["bs"], i["at"], i["most"], None, transpose_a=False, transpose_b=True, out_dtype=B),),
         lambda i: _by_segment(i, lambda q, s: (i["a"][s] * _spread(i["as"][s], 128, None, i["a"].shape[1])) @ (i["b"][q] * _spread(i["bs"][q], 128, *i["b"].shape[1:])).t()), (B,))

for name, dtype, transposed in (("fp8", torch.float8_e4m3fn, False), ("int8", torch.int8, True)):
    operator("flashinfer per_token_group_quant " + name, "suites.flashinfer.cutile.per_token_group_quant_8bit", rows_columns((512, 2048), (513, 1920), (4096, 4096)),
             lambda x, m, n: {"x": x.randn(m, n)}, lambda c, i, d=dtype, t=transposed: tuple(c.flashinfer.per_token_group_quant_8bit(i["x"], 128, dst_dtype=d, column_major_scales=t)))


def _rope_fp8(c, i):
    q, k = torch.empty_like(i["q"], dtype=i["to"]), torch.empty_like(i["k"], dtype=i["to"])
    c.flashinfer.rope_quantize_fp8(i["q"][..., :64], i["k"][..., :64], i["q"][..., 64:], i["k"][..., 64:], i["table"], i["at"], is_neox=False,
                                   q_rope_out=q[..., :64], k_rope_out=k[..., :64], q_nope_out=q[..., 64:], k_nope_out=k[..., 64:], quant_scale_q=1.0, quant_scale_kv=1.0)
    return q, k


operator("flashinfer rope_quantize_fp8", "suites.flashinfer.cutile.rope_quantize_fp8", ({"tokens": 128}, {"tokens": 19}, {"tokens": 1024}),
         lambda x, tokens: {"q": x.randn(tokens, 16, 576), "k": x.randn(tokens, 576), "table": x.rand(4096, 64, dtype=S, low=-1), "at": torch.arange(tokens, device="cuda"),
                            "to": torch.float8_e4m3fn}, _rope_fp8, None, HALVES)


def _prefill_inputs(x, lengths, heads, kv, dim=128, page=None):
    at = torch.tensor([0, *lengths], device="cuda").cumsum(0)
    inputs = {"q": x.randn(sum(lengths), heads, dim), "lengths": torch.tensor(lengths, device="cuda", dtype=torch.int32).view(-1, 1, 1, 1), "at": at,
              "most": max(lengths), "pages": None}
    if page is None:
        return inputs | {"k": x.randn(sum(lengths), kv, dim), "v": x.randn(sum(lengths), kv, dim)}
    each = -(-max(lengths) // page)
    table = torch.arange(each * len(lengths), device="cuda", dtype=torch.int32).view(len(lengths), each)
    pool = lambda: x.randn(each * len(lengths), kv, page, dim).transpose(1, 2)
    return inputs | {"k": pool(), "v": pool(), "pages": table}


def _prefill_reference(i):
    q, v = i["q"], i["v"]
    outputs, ends = [], i["at"].tolist()
    for b, (s, e) in enumerate(zip(ends, ends[1:])):
        k, w = (i["k"][s:e], v[s:e]) if i["pages"] is None else (i[n][i["pages"][b].long()].flatten(0, 1)[:e - s] for n in ("k", "v"))
        one = {"q": q[s:e].transpose(0, 1).unsqueeze(0), "k": k.transpose(0, 1).unsqueeze(0), "v": w.transpose(0, 1).unsqueeze(0), "causal": True}
        outputs.append(_attention(one)[0].transpose(0, 1))
    return (torch.cat(outputs),)


for name, page, lpt in (("ragged", None, True), ("paged", 128, True), ("ragged grid", None, False), ("paged grid", 128, False)):
    operator(f"flashinfer prefill {name}", "suites.flashinfer.cutile.fmha_prefill_bsr", tuple({"lengths": l, "heads": h, "kv": k, "page": page} for l, h, k in
             (((256, 512), 16, 2), ((100, 333, 7), 16, 4), ((1024, 2048, 512), 32, 4))), _prefill_inputs,
             lambda c, i, n=name.split()[0], lpt=lpt: tuple(getattr(c.module("suites.flashinfer.cutile.fmha_prefill_bsr"), "prefill_attention_kv_" + n)(
                 i["q"], i["k"], i["v"], i["lengths"], i["lengths"], i["at"], i["pages"], 1 / math.sqrt(i["q"].shape[-1]), 1.0, len(i["lengths"]), i["most"],
                 use_lpt_scheduler=lpt)), _prefill_reference, HALVES)
