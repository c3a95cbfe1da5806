# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrences over a sequence, calculated chunk by chunk; the references go step by step."""

import math

import torch
from operators import B, S, operator

# Mamba 2: state ← exp(a·dt)·state + dt·x⊗b, output = state·c + d·x


def _mamba_inputs(x, batch, tokens, heads, groups, head, state, chunk):
    return {
        "x": x.randn(batch, tokens, heads, head),
        "a": x.rand(heads, dtype=S, low=-1.0, high=-0.1),
        "b": x.randn(batch, tokens, groups, state, scale=0.3),
        "c": x.randn(batch, tokens, groups, state, scale=0.3),
        "d": x.randn(heads, dtype=S),
        "dt": x.rand(batch, tokens, heads, dtype=S, low=0.01, high=0.2),
        "init": x.randn(batch, heads, head, state, dtype=S),
        "dout": x.randn(batch, tokens, heads, head),
        "dfinal": x.randn(batch, heads, head, state, dtype=S),
        "chunk": chunk,
    }


_mamba_arguments = ("x", "a", "b", "c", "d", "dt", "init")


def _mamba(x, a, b, c, d, dt, state):
    each = x.shape[2] // b.shape[2]
    b, c = b.repeat_interleave(each, 2), c.repeat_interleave(each, 2)
    decay, outputs = torch.exp(a * dt), []
    for t in range(x.shape[1]):
        state = decay[:, t, :, None, None] * state + (dt[:, t, :, None] * x[:, t]).unsqueeze(-1) * b[:, t].unsqueeze(-2)
        outputs.append((state @ c[:, t].unsqueeze(-1)).squeeze(-1) + d[:, None] * x[:, t])
    return torch.stack(outputs, 1), state


def _mamba_gradients(i):
    inputs = [i[n].detach().requires_grad_() for n in _mamba_arguments]
    with torch.enable_grad():
        return torch.autograd.grad(_mamba(*inputs), inputs, (i["dout"], i["dfinal"]))


_mamba_shapes = lambda *shapes: tuple(
    dict(zip(("batch", "tokens", "heads", "groups", "head", "state", "chunk"), s)) for s in shapes
)
operator(
    "mamba2 forward",
    "ops.cutile.mamba2",
    _mamba_shapes((2, 512, 16, 2, 64, 128, 64), (1, 384, 8, 8, 32, 64, 128), (2, 2048, 32, 4, 64, 128, 64)),
    _mamba_inputs,
    lambda c, i: tuple(
        c.module("ops.cutile.mamba2").mamba2_chunk_forward(*(i[n] for n in _mamba_arguments), chunk_size=i["chunk"])
    ),
    lambda i: _mamba(*(i[n] for n in _mamba_arguments)),
    (B, S),
)
operator(
    "mamba2 backward",
    "ops.cutile.mamba2",
    _mamba_shapes((2, 256, 16, 2, 64, 128, 64), (1, 384, 8, 8, 32, 64, 128), (2, 1024, 16, 4, 64, 128, 64)),
    _mamba_inputs,
    lambda c, i: tuple(
        c.module("ops.cutile.mamba2").mamba2_chunk_backward(
            *(i[n] for n in _mamba_arguments), i["dout"], i["dfinal"], chunk_size=i["chunk"]
        )
    ),
    _mamba_gradients,
    (B, S),
)

# The gated delta rule with keys of length 1 (longer ones let the state grow without bound): state ← exp(g)·state, then state += k⊗(beta·(v − k·state)), output = q·state/√K


def _delta_inputs(x, batch, tokens, heads, key, value, chunk, state=False):
    return {
        "q": x.randn(batch, tokens, heads, key),
        "k": torch.nn.functional.normalize(x.randn(batch, tokens, heads, key), dim=-1),
        "v": x.randn(batch, tokens, heads, value),
        "g": x.rand(batch, tokens, heads, dtype=S, low=-0.2),
        "beta": x.rand(batch, tokens, heads, low=0.1),
        "init": x.randn(batch, heads, key, value, dtype=S) if state else None,
        "chunk": chunk,
        "state": state,
    }


def _delta(c, i):
    out, final = c.module("ops.cutile.chunk_gated_delta_rule").chunk_gated_delta_rule(
        i["q"],
        i["k"],
        i["v"],
        i["g"],
        i["beta"],
        chunk_size=i["chunk"],
        initial_state=i["init"],
        output_final_state=i["state"],
        use_qk_l2norm_in_kernel=i["state"],
    )
    return (out, final) if i["state"] else (out,)


def _delta_reference(i):
    unit = lambda x: x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + 1e-6)
    q, k, v = (unit(i["q"]), unit(i["k"]), i["v"]) if i["state"] else (i["q"], i["k"], i["v"])
    state = i["init"] if i["state"] else q.new_zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3])
    outputs = []
    for t in range(q.shape[1]):
        state = state * i["g"][:, t].exp()[..., None, None]
        change = i["beta"][:, t].unsqueeze(-1) * (v[:, t] - (k[:, t].unsqueeze(-2) @ state).squeeze(-2))
        state = state + k[:, t].unsqueeze(-1) * change.unsqueeze(-2)
        outputs.append((q[:, t].unsqueeze(-2) @ state).squeeze(-2) / math.sqrt(q.shape[-1]))
    out = torch.stack(outputs, 1)
    return (out, state) if i["state"] else (out,)


for suffix, more in (("", {}), (" with state and norm", {"state": True})):
    operator(
        "chunk_gated_delta_rule" + suffix,
        "ops.cutile.chunk_gated_delta_rule",
        tuple(
            dict(zip(("batch", "tokens", "heads", "key", "value", "chunk"), s)) | more
            for s in ((2, 256, 4, 64, 64, 64), (1, 100, 3, 128, 96, 32), (2, 1024, 8, 128, 128, 64))
        ),
        _delta_inputs,
        _delta,
        _delta_reference,
        (B, S),
    )
