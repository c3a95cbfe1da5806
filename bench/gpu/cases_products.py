# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of matrices."""

import torch
from operators import B, F, H, S, operator


def mnk(*triples, **more):
    return tuple({"m": m, "n": n, "k": k} | more for m, n, k in triples)


def _batched(x, q=4, m=0, n=0, k=0, ta=False, tb=False):
    return {
        "a": x.randn(q, *((k, m) if ta else (m, k))),
        "b": x.randn(q, *((n, k) if tb else (k, n))),
        "ta": ta,
        "tb": tb,
    }


def _bmm_reference(i):
    a, b = i["a"], i["b"]
    return (torch.bmm(a.transpose(1, 2) if i["ta"] else a, b.transpose(1, 2) if i["tb"] else b),)


_bmm_shapes = mnk((256, 256, 512), (200, 333, 511), (1024, 1024, 1024))
for suffix, ta, tb in (("", False, False), (" TN", True, False), (" NT", False, True)):
    operator(
        "bmm persistent" + suffix,
        "ops.cutile.bmm",
        tuple(s | {"ta": ta, "tb": tb} for s in _bmm_shapes),
        _batched,
        lambda c, i: (c.ops.bmm(i["a"], i["b"], transpose_a=i["ta"], transpose_b=i["tb"], static_persistent=True),),
        _bmm_reference,
    )
operator(
    "bmm",
    "ops.cutile.bmm",
    _bmm_shapes,
    _batched,
    lambda c, i: (c.ops.bmm(i["a"], i["b"], static_persistent=False),),
    _bmm_reference,
)

_mm_shapes = mnk((512, 512, 512), (300, 515, 1000), (2048, 2048, 1024))
_pair = lambda x, m, n, k: {"a": x.randn(m, k), "b": x.randn(k, n)}
_mm_reference = lambda i: (i["a"] @ i["b"],)
for name, persistent in (("matmul", False), ("matmul persistent", True)):
    operator(
        name,
        "ops.cutile.matmul",
        _mm_shapes,
        _pair,
        lambda c, i, persistent=persistent: (c.ops.matmul(i["a"], i["b"], static_persistent=persistent, use_tma=True),),
        _mm_reference,
    )

for suffix, tb in (("", False), (" NT", True)):
    operator(
        "group_gemm" + suffix,
        "ops.cutile.group_gemm",
        (
            {"sizes": ((256, 256, 256), (512, 256, 128), (128, 512, 256))},
            {"sizes": ((100, 200, 300), (65, 33, 129), (256, 7, 64))},
            {"sizes": ((1024, 1024, 1024), (2048, 512, 1024), (512, 2048, 512), (256, 256, 4096))},
        ),
        lambda x, sizes, tb=tb: {
            "a": [x.randn(m, k) for m, n, k in sizes],
            "b": [x.randn(*((n, k) if tb else (k, n))) for m, n, k in sizes],
        },
        lambda c, i, tb=tb: tuple(c.ops.group_gemm(i["a"], i["b"], transpose_b=tb)),
        lambda i, tb=tb: tuple(a @ (b.t() if tb else b) for a, b in zip(i["a"], i["b"])),
    )

# Two products and a gate between them. The weights are scaled so that every stage has values of size one.
_gates = {"silu": F.silu, "gelu-tanh": lambda x: F.gelu(x, approximate="tanh")}
for act in _gates:
    operator(
        "linear_gluact_linear " + act,
        "ops.cutile.linear_gluact_linear",
        mnk((256, 768, 512), (100, 300, 72), (2048, 2048, 1024)),
        lambda x, m, n, k: {
            "x": x.randn(m, k),
            "act": x.randn(n, k, scale=k**-0.5),
            "noact": x.randn(n, k, scale=k**-0.5),
            "w2": x.randn(k, n, scale=n**-0.5),
        },
        lambda c, i, act=act: (
            c.module("ops.cutile.linear_gluact_linear").linear_gluact_linear(
                i["x"], i["act"], i["noact"], i["w2"], act
            ),
        ),
        lambda i, act=act: ((_gates[act](i["x"] @ i["act"].t()) * (i["x"] @ i["noact"].t())) @ i["w2"].t(),),
    )

# The output's dtype is the case's; a tail of the inner dimension needs the path without TMA, the only one that pads with zero.
FP8 = torch.float8_e4m3fn


def spread(scale, block, rows, columns):
    """One scale for each block, as a factor for each element."""
    return (
        scale.repeat_interleave(block, -1)[..., :columns]
        if rows is None
        else scale.repeat_interleave(block, -2)[..., :rows, :].repeat_interleave(block, -1)[..., :columns]
    )


def _w8a8_inputs(x, m, n, k):
    blocks = lambda size: -(-size // 128)
    return {
        "a": x.randn(m, k, scale=8).to(FP8),
        "b": x.randn(n, k, scale=8).to(FP8),
        "as": x.rand(m, blocks(k), dtype=S, high=0.01),
        "bs": x.rand(blocks(n), blocks(k), dtype=S, high=0.01),
        "out": x.dtype,
    }


for name, tma, shapes in (
    ("gather", False, ((256, 384, 512), (100, 300, 200), (1024, 2048, 2048))),
    ("tma", True, ((256, 384, 512), (100, 300, 256), (1024, 2048, 2048))),
):
    operator(
        "fp8_quantization_matmul " + name,
        "ops.cutile.fp8_quantization_matmul",
        mnk(*shapes),
        _w8a8_inputs,
        lambda c, i, tma=tma: (
            c.module("ops.cutile.fp8_quantization_matmul").w8a8_block_fp8_matmul(
                i["a"], i["b"], i["as"], i["bs"], output_dtype=i["out"], use_tma=tma
            ),
        ),
        lambda i: (
            (i["a"] * spread(i["as"], 128, None, i["a"].shape[1])) @ (i["b"] * spread(i["bs"], 128, *i["b"].shape)).t(),
        ),
        (H, B, S),
    )
