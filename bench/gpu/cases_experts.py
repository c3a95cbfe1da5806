# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Mixtures of experts."""

import torch
from operators import HALVES, F, S, operator


def _fused_inputs(x, tokens, experts, inner, columns, top=2, tile=64, weighted=True):
    """Tokens sorted by expert, each expert's share padded to whole tiles with a token that does not exist."""
    chosen = x.randint(experts, tokens, top)
    flat, missing = chosen.flatten().tolist(), tokens * top
    order, of_tile = [], []
    for expert in range(experts):
        mine = [j for j, e in enumerate(flat) if e == expert]
        mine += [missing] * (-len(mine) % tile)
        order += mine
        of_tile += [expert] * (len(mine) // tile)
    used = len(order)
    order += [missing] * tile  # a tile that nobody asked for
    integers = lambda values: torch.tensor(values, device="cuda", dtype=torch.int32)
    return {
        "a": x.randn(tokens, inner),
        "b": x.randn(experts, columns, inner, scale=inner**-0.5),
        "c": x.full(tokens, top, columns),
        "chosen": chosen,
        "weights": x.rand(tokens, top, low=0.1),
        "order": integers(order),
        "of_tile": integers([*of_tile, 0]),
        "used": integers([used]),
        "weighted": weighted,
        "config": {"TILE_SIZE_M": tile, "TILE_SIZE_N": 64, "TILE_SIZE_K": 32, "GROUP_SIZE_M": 8},
    }


def _fused(c, i):
    c.module("ops.cutile.moe").invoke_fused_moe_kernel(
        i["a"],
        i["b"],
        i["c"],
        None,
        None,
        i["weights"],
        i["chosen"].int(),
        i["order"],
        i["of_tile"],
        i["used"],
        i["weighted"],
        i["chosen"].shape[1],
        i["config"],
        None,
        False,
    )
    return (i["c"],)


def _fused_reference(i):
    of_expert = torch.einsum("tk,enk->ten", i["a"], i["b"])
    out = of_expert.gather(1, i["chosen"].long().unsqueeze(-1).expand(-1, -1, of_expert.shape[-1]))
    return (out * i["weights"].unsqueeze(-1) if i["weighted"] else out,)


operator(
    "moe",
    "ops.cutile.moe",
    tuple(
        dict(zip(("tokens", "experts", "inner", "columns", "weighted"), s))
        for s in ((128, 8, 256, 512, True), (37, 5, 224, 300, False), (1024, 16, 1024, 2048, True))
    ),
    _fused_inputs,
    _fused,
    _fused_reference,
    HALVES,
    inplace=True,
)


_acts = {
    "swiglu": F.silu,
    "geglu": F.gelu,
    "reglu": F.relu,
    "silu": F.silu,
    "relu": F.relu,
    "gelu": F.gelu,
    "relu_sq": lambda x: F.relu(x) ** 2,
}
_gated = ("swiglu", "geglu", "reglu")


def _gradient_inputs(x, sizes, inner, hidden, act):
    rows, width = sum(sizes), inner * (2 if act in _gated else 1)
    shuffled = x.permutation(rows)
    return {
        "dout": x.randn(rows, hidden),
        "h": x.randn(rows, width),
        "w2": x.randn(len(sizes), inner, hidden, scale=hidden**-0.5),
        "dh": x.full(rows, width),
        "ds": x.full(rows, dtype=S, value=0.0),
        "prime": x.full(rows, inner),
        "scores": x.rand(rows, dtype=S, low=0.1),
        "act": act,
        "most": max(sizes),
        "at": torch.tensor([0, *sizes], device="cuda").cumsum(0).to(torch.int32),
        "from": shuffled.int(),
        "to": shuffled.flip(0).int(),
    }


def _gradient(c, i):
    c.module("ops.cutile.moe_actgrad_bwd").moe_actgrad_bwd(
        i["dout"],
        i["h"],
        i["w2"],
        i["dh"],
        i["ds"],
        None,
        None,
        i["prime"],
        i["scores"],
        i["at"],
        i["from"],
        i["to"],
        i["act"],
        i["most"],
    )
    return i["dh"], i["prime"], i["ds"]


def _gradient_reference(i):
    ends = i["at"].tolist()
    dy = torch.cat([i["dout"][i["from"].long()[a:b]] @ w.t() for a, b, w in zip(ends, ends[1:], i["w2"])])
    scores = i["scores"][i["to"].long()].unsqueeze(-1)
    h = i["h"].detach().requires_grad_()
    with torch.enable_grad():
        if i["act"] in _gated:
            gate, up = h.chunk(2, -1)
            y = _acts[i["act"]](gate) * up
        else:
            y = _acts[i["act"]](h)
        (dh,) = torch.autograd.grad(y, h, dy)
    y = y.detach()
    return dh * scores, y * scores, (dy * y).sum(-1)


for act in ("swiglu", "geglu", "relu_sq"):
    operator(
        "moe_actgrad_bwd " + act,
        "ops.cutile.moe_actgrad_bwd",
        tuple(
            dict(zip(("sizes", "inner", "hidden"), s)) | {"act": act}
            for s in (
                ((128, 256, 128, 384), 256, 512),
                ((50, 0, 93, 57), 192, 200),
                ((512, 1024, 256, 768), 1024, 1024),
            )
        ),
        _gradient_inputs,
        _gradient,
        _gradient_reference,
        HALVES,
        inplace=True,
    )
