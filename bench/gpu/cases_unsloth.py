# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The suite unsloth."""

import torch
from cases_rows import ROWS, normed, rms
from operators import F, S, operator, reference_with_gradients, with_gradients

# The unsloth suite

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
    operator(
        "unsloth " + forward,
        module,
        ROWS,
        _flat,
        lambda c, i, n=forward: (getattr(c.unsloth, n)(i["e"].unsqueeze(0), i["g"].unsqueeze(0)),),
        lambda i, f=f: ((f(i["e"]) * i["g"]).unsqueeze(0),),
    )
    operator(
        "unsloth " + backward,
        module,
        ROWS,
        _flat,
        lambda c, i, n=backward: tuple(getattr(c.unsloth, n)(i["dw"], i["e"], i["g"])),
        _gate_backward(f),
        inplace=True,
    )

operator(
    "unsloth layernorm",
    "suites.unsloth.cutile.layernorm",
    ROWS,
    normed,
    with_gradients(lambda c, i: c.unsloth.layernorm(i["x"], i["w"], i["b"], 1e-6), ("x",)),
    reference_with_gradients(lambda i: F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-6), ("x",)),
)
for gemma in (False, True):
    operator(
        "unsloth rms_layernorm" + (" gemma" if gemma else ""),
        "suites.unsloth.cutile.rms_layernorm",
        ROWS,
        normed,
        with_gradients(lambda c, i, g=gemma: c.unsloth.rms_layernorm(i["x"], i["w"], 1e-6, gemma=g), ("x",)),
        reference_with_gradients(lambda i, g=gemma: rms(i | {"w": i["w"] + (1 if g else 0)}, 1e-6), ("x",)),
    )


def _unsloth_rotate(t, cos, sin):
    half = t.shape[-1] // 2
    a, b = t[..., :half], t[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def _angles(x, seq, dim):
    angle = x.rand(seq, dim // 2, dtype=S, high=6.28)
    return {"cos": angle.cos().to(x.dtype), "sin": angle.sin().to(x.dtype)}


_rope_shapes = tuple(
    dict(zip(("batch", "heads", "kv", "seq", "dim"), s))
    for s in ((2, 8, 8, 128, 64), (1, 6, 2, 77, 96), (2, 32, 8, 1024, 128))
)
operator(
    "unsloth rope_embedding",
    "suites.unsloth.cutile.rope_embedding",
    _rope_shapes,
    lambda x, batch, heads, kv, seq, dim: (
        {"q": x.randn(batch, seq, heads, dim), "dy": x.randn(batch, seq, heads, dim)} | _angles(x, seq, dim)
    ),
    with_gradients(lambda c, i: c.unsloth.rope_embedding(i["q"], i["cos"], i["sin"]), ("q",)),
    reference_with_gradients(lambda i: _unsloth_rotate(i["q"], i["cos"].unsqueeze(1), i["sin"].unsqueeze(1)), ("q",)),
    inplace=True,
)
operator(
    "unsloth rope_embedding_qk",
    "suites.unsloth.cutile.rope_embedding",
    _rope_shapes,
    lambda x, batch, heads, kv, seq, dim: (
        {
            "q": x.randn(batch, heads, seq, dim),
            "k": x.randn(batch, kv, seq, dim),
            "dy": (x.randn(batch, heads, seq, dim), x.randn(batch, kv, seq, dim)),
        }
        | _angles(x, seq, dim)
    ),
    with_gradients(lambda c, i: c.unsloth.rope_embedding_qk(i["q"], i["k"], i["cos"], i["sin"]), ("q", "k")),
    reference_with_gradients(
        lambda i: tuple(_unsloth_rotate(i[n], i["cos"], i["sin"]) for n in ("q", "k")), ("q", "k")
    ),
    inplace=True,
)


def _loss(i):
    logits = i["x"] * i["scaling"] if i["scaling"] else i["x"]
    logits = i["cap"] * torch.tanh(logits / i["cap"]) if i["cap"] else logits
    return (
        F.cross_entropy(logits.flatten(0, 1), i["labels"].flatten(), ignore_index=-100, reduction="sum")
        / (i["labels"] != -100).sum()
    )


def _loss_inputs(x, seq, vocab, cap=0, scaling=0):
    labels = x.randint(vocab, 2, seq)
    labels[0, :4] = -100
    return {
        "x": x.randn(2, seq, vocab),
        "labels": labels,
        "cap": cap,
        "scaling": scaling,
        "dy": x.rand(1, dtype=S, low=1, high=2).squeeze(0),
    }


for suffix, more in (("", {}), (" softcapped", {"cap": 30.0}), (" scaled", {"scaling": 0.5})):
    operator(
        "unsloth cross_entropy" + suffix,
        "suites.unsloth.cutile.cross_entropy_loss",
        tuple({"seq": s, "vocab": v} | more for s, v in ((64, 4096), (33, 32003), (16, 128256))),
        _loss_inputs,
        with_gradients(lambda c, i: c.unsloth.cross_entropy_loss(i["x"], i["labels"], i["cap"], i["scaling"]), ("x",)),
        reference_with_gradients(_loss, ("x",)),
    )
