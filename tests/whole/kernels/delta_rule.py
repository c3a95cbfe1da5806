# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A recurrent state that steps through time."""

import cuda.tile as ct
import torch


def l2norm(x, eps):
    return x * ct.rsqrt(ct.sum(x * x) + eps)


@ct.kernel
def delta_kernel(
    q,
    k,
    v,
    g,
    beta,
    out,
    state_in,
    state_out,
    scale: float,
    T,
    K: ct.Constant[int],
    V: ct.Constant[int],
    HAS_STATE: ct.Constant[bool],
    NORM: ct.Constant[bool],
):
    b, h, i_v = ct.bid(0), ct.bid(1), ct.bid(2)
    if HAS_STATE:
        state = (
            ct.load(state_in, (b, h, 0, i_v), (1, 1, K, V), padding_mode=ct.PaddingMode.ZERO)
            .reshape((K, V))
            .astype(ct.float32)
        )
    else:
        state = ct.zeros((K, V), dtype=ct.float32)
    for t in range(T):
        q_t = ct.load(q, (b, t, h, 0), (1, 1, 1, K), padding_mode=ct.PaddingMode.ZERO).reshape((K,)).astype(ct.float32)
        k_t = ct.load(k, (b, t, h, 0), (1, 1, 1, K), padding_mode=ct.PaddingMode.ZERO).reshape((K,)).astype(ct.float32)
        v_t = (
            ct.load(v, (b, t, h, i_v), (1, 1, 1, V), padding_mode=ct.PaddingMode.ZERO).reshape((V,)).astype(ct.float32)
        )
        if NORM:
            q_t = l2norm(q_t, 1e-6)
            k_t = l2norm(k_t, 1e-6)
        q_t = q_t * scale
        g_t = ct.load(g, (b, t, h), (1, 1, 1)).item().astype(ct.float32)
        beta_t = ct.load(beta, (b, t, h), (1, 1, 1)).item().astype(ct.float32)
        state *= ct.exp(g_t)
        kv = ct.sum(state * k_t[:, None], axis=0)
        delta = (v_t - kv) * beta_t
        state += k_t[:, None] * delta[None, :]
        o = ct.sum(state * q_t[:, None], axis=0)
        ct.store(out, (b, t, h, i_v), o.reshape((1, 1, 1, V)).astype(out.dtype))
    ct.store(state_out, (b, h, 0, i_v), state.reshape((1, 1, K, V)).astype(state_out.dtype))


def reference(q, k, v, g, beta, state, scale, norm):
    q, k, v, g, beta = (x.double() for x in (q, k, v, g, beta))
    if norm:
        q = q * (q.square().sum(-1, keepdim=True) + 1e-6).rsqrt()
        k = k * (k.square().sum(-1, keepdim=True) + 1e-6).rsqrt()
    outs = []
    state = state.double().clone()
    for t in range(q.shape[1]):
        state = state * g[:, t].exp()[..., None, None]
        kv = (state * k[:, t, :, :, None]).sum(-2)
        delta = (v[:, t] - kv) * beta[:, t, :, None]
        state = state + k[:, t, :, :, None] * delta[:, :, None]
        outs.append((state * (q[:, t] * scale)[..., None]).sum(-2))
    return torch.stack(outs, 1), state


def cases():
    for dtype in (torch.float32, torch.float16):
        for has, norm in ((False, True), (True, False), (True, True)):
            B, T, H, K, V = 2, 6, 2, 12, 20
            q, k, v = (torch.randn(B, T, H, n).to(dtype) * 0.3 for n in (K, K, V))
            g, beta = -torch.rand(B, T, H), torch.rand(B, T, H).to(dtype)
            s0 = torch.randn(B, H, K, V) * 0.3 if has else torch.zeros(B, H, K, V)
            out, s1 = torch.zeros(B, T, H, V, dtype=dtype), torch.zeros(B, H, K, V)
            ct.launch(
                torch.cuda.current_stream(),
                (B, H, ct.cdiv(V, 8)),
                delta_kernel,
                (q, k, v, g, beta, out, s0, s1, 0.5, T, 16, 8, has, norm),
            )
            a, b = reference(q, k, v, g, beta, s0, 0.5, norm)
            yield f"out {dtype} {has} {norm}", out, a, 1e-5 if dtype == torch.float32 else 3e-3
            yield f"state {dtype} {has} {norm}", s1, b, 1e-5
