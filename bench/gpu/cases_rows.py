# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Operators on rows: norms, softmax, gates, activations, rotary embedding."""

import torch
from operators import B, F, S, operator, reference_with_gradients, rows_columns, with_gradients

# Rows

ROWS = rows_columns((512, 1024), (257, 1000), (4096, 4096))
for mode in ("gather", "tma", "chunked", "multi_wave"):
    flags = {} if mode == "gather" else {"use_" + mode: True}
    operator(
        "softmax " + mode,
        "ops.cutile.softmax",
        ROWS if mode != "chunked" else rows_columns((256, 16384), (65, 20001), (1024, 32768)),
        lambda x, m, n: {"x": x.randn(m, n, scale=2)},
        lambda c, i, flags=flags: (c.ops.softmax(i["x"], **flags),),
        lambda i: (torch.softmax(i["x"], -1),),
    )


def rms(i, eps=1e-5):
    x, w = i["x"], i["w"]
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


normed = lambda x, m, n: {"x": x.randn(m, n), "w": x.rand(n, low=0.5, high=1.5), "b": x.randn(n), "dy": x.randn(m, n)}
for mode in ("static_persistent", "multi_wave_reload", "multi_wave_cached"):
    operator(
        "rms_norm " + mode,
        "ops.cutile.rms_norm",
        ROWS,
        normed,
        lambda c, i, mode=mode: (c.ops.rms_norm(i["x"], (i["x"].shape[-1],), i["w"], 1e-5, mode=mode),),
        lambda i: (rms(i),),
    )
operator(
    "rms_norm backward",
    "ops.cutile.rms_norm",
    ROWS,
    normed,
    with_gradients(lambda c, i: c.ops.rms_norm(i["x"], (i["x"].shape[-1],), i["w"], 1e-5), ("x", "w")),
    reference_with_gradients(rms, ("x", "w")),
)

operator(
    "layer_norm columns",
    "ops.cutile.layer_norm",
    ({"n": 8, "c": 256, "w": 64}, {"n": 5, "c": 100, "w": 49}, {"n": 64, "c": 512, "w": 256}),
    lambda x, n, c, w: {"x": x.randn(n, c, w), "w": x.rand(c, low=0.5, high=1.5), "b": x.randn(c)},
    lambda c, i: (c.ops.layer_norm(i["x"], 1, 2, i["w"], i["b"], 1e-5),),
    lambda i: (F.layer_norm(i["x"].transpose(1, 2), i["w"].shape, i["w"], i["b"], 1e-5).transpose(1, 2),),
)
operator(
    "layer_norm rows",
    "ops.cutile.layer_norm",
    ROWS,
    normed,
    lambda c, i: (c.ops.layer_norm(i["x"], 1, 2, i["w"], i["b"], 1e-5, 1.0),),
    lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"] + 1, i["b"], 1e-5),),
)
operator(
    "layer_norm_legacy",
    "ops.cutile.layer_norm_legacy",
    ROWS,
    normed,
    lambda c, i: (c.ops.layer_norm_legacy(i["x"], i["w"].shape, i["w"], i["b"], 1e-5),),
    lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5),),
)


def _mean_rstd(x, eps):
    return x.mean(-1), torch.rsqrt(x.var(-1, unbiased=False) + eps)


operator(
    "persistent_layer_norm",
    "ops.cutile.layer_norm_legacy",
    ROWS,
    normed,
    lambda c, i: tuple(c.ops.persistent_layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5)[:3]),
    lambda i: (F.layer_norm(i["x"], i["w"].shape, i["w"], i["b"], 1e-5), *_mean_rstd(i["x"], 1e-5)),
    (B, S),
)  # cuTile itself refuses fp16: the kernel stores bf16

# Gates, activations, elementwise

half = lambda x: x.shape[-1] // 2
_silu_mul = lambda i: (F.silu(i["x"][..., : half(i["x"])]) * i["x"][..., half(i["x"]) :],)
_wide = lambda x, m, n: {"x": x.randn(m, 2 * n), "dy": x.randn(m, n)}
operator("silu_and_mul", "ops.cutile.silu_and_mul", ROWS, _wide, lambda c, i: (c.ops.silu_and_mul(i["x"]),), _silu_mul)
operator(
    "silu_and_mul backward",
    "ops.cutile.silu_and_mul",
    ROWS,
    _wide,
    with_gradients(lambda c, i: c.ops.silu_and_mul(i["x"]), ("x",)),
    reference_with_gradients(lambda i: _silu_mul(i), ("x",)),
)

_two = lambda x, m, n: {"a": x.randn(m, n), "b": x.randn(m, n), "dy": x.randn(m, n)}
operator(
    "swiglu",
    "ops.cutile.swiglu",
    ROWS,
    _two,
    lambda c, i: (c.ops.get_swiglu()(i["a"], i["b"]),),
    lambda i: (F.silu(i["a"]) * i["b"],),
)
operator(
    "swiglu backward",
    "ops.cutile.swiglu",
    ROWS,
    _two,
    with_gradients(lambda c, i: c.ops.get_swiglu()(i["a"], i["b"]), ("a", "b")),
    reference_with_gradients(lambda i: F.silu(i["a"]) * i["b"], ("a", "b")),
)

for approximate in ("none", "tanh"):
    operator(
        f"gelu {approximate}",
        "ops.cutile.activation.gelu",
        ROWS,
        lambda x, m, n: {"x": x.randn(m, n, scale=2), "dy": x.randn(m, n)},
        with_gradients(lambda c, i, a=approximate: c.ops.activation.gelu(i["x"], a), ("x",)),
        reference_with_gradients(lambda i, a=approximate: F.gelu(i["x"], approximate=a), ("x",)),
    )
    operator(
        f"geglu {approximate}",
        "ops.cutile.activation.geglu",
        ROWS,
        _wide,
        with_gradients(lambda c, i, a=approximate: c.ops.activation.geglu(i["x"], -1, a), ("x",)),
        reference_with_gradients(
            lambda i, a=approximate: i["x"][..., : half(i["x"])] * F.gelu(i["x"][..., half(i["x"]) :], approximate=a),
            ("x",),
        ),
    )
operator(
    "relu",
    "ops.cutile.activation.relu",
    ROWS,
    lambda x, m, n: {"x": x.randn(m, n)},
    lambda c, i: (c.ops.activation.relu(i["x"]),),
    lambda i: (F.relu(i["x"]),),
)
operator(
    "dropout",
    "ops.cutile.dropout",
    ROWS,
    lambda x, m, n: {"x": x.randn(m, n)},
    lambda c, i: (c.ops.dropout(i["x"], 11, 0.3),),
)
operator(
    "transpose",
    "ops.cutile.transpose",
    ROWS,
    lambda x, m, n: {"x": x.randn(m, n)},
    lambda c, i: (c.ops.transpose(i["x"]),),
    lambda i: (i["x"].t(),),
)

# Rotary embedding


def _rope_inputs(x, batch, heads, kv, seq, dim, part=1.0):
    rope = int(dim * part)
    angle = x.rand(1, seq, rope // 2, dtype=S, high=6.28)
    angle = torch.cat([angle, angle], -1)
    return {
        "q": x.randn(batch, heads, seq, dim),
        "k": x.randn(batch, kv, seq, dim),
        "cos": angle.cos().to(x.dtype),
        "sin": angle.sin().to(x.dtype),
        "part": part,
    }


def _rotate(t, cos, sin):
    """As the kernel does it: in tiles of a power of two, so that its halves are the dimension's only if they are one too."""
    half = 1 << (cos.shape[-1] // 2 - 1).bit_length()
    wide = lambda x, size: F.pad(x, (0, max(0, size - x.shape[-1])))[..., :size]
    a, b = wide(t, 2 * half).split(half, -1)
    cos, sin = wide(cos, half).unsqueeze(1), wide(sin, half).unsqueeze(1)
    turned = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)[..., : t.shape[-1]]
    return torch.cat([turned, t[..., turned.shape[-1] :]], -1)


for name, part in (("rope", 1.0), ("rope partial", 0.5)):
    operator(
        name,
        "ops.cutile.rope",
        tuple(
            {"batch": b, "heads": h, "kv": k, "seq": s, "dim": d, "part": part}
            for b, h, k, s, d in ((2, 8, 8, 128, 64), (1, 6, 2, 77, 96), (2, 32, 8, 1024, 128))
        ),
        _rope_inputs,
        lambda c, i: tuple(c.ops.apply_rope_base(i["q"], i["k"], i["cos"], i["sin"], partial_rotary_factor=i["part"])),
        lambda i: (_rotate(i["q"], i["cos"], i["sin"]), _rotate(i["k"], i["cos"], i["sin"])),
        inplace=True,
    )
