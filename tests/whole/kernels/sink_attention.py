# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Attention with a sink per head, a sliding window, grouped queries, soft caps."""

import math

import cuda.tile as ct
import torch

INV_LOG_2 = 1.0 / math.log(2)
ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]


@ct.kernel(occupancy=ct.ByTarget(sm_100=2))
def attention_kernel(
    Q,
    K,
    V,
    Sinks,
    Out,
    LSE,
    qk_scale: float,
    softcap: float,
    H: ConstInt,
    TILE_M: ConstInt,
    TILE_N: ConstInt,
    TILE_D: ConstInt,
    GROUP: ConstInt,
    WINDOW: ConstInt,
    HAS_SINK: ConstBool,
    HAS_CAP: ConstBool,
):
    bid_x = ct.bid(0)
    bid_y = ct.bid(1)
    batch = bid_y // H
    head = bid_y % H
    kv_head = head // GROUP
    offs_m = bid_x * TILE_M + ct.arange(TILE_M, dtype=ct.int32)
    offs_n = ct.arange(TILE_N, dtype=ct.int32)
    q = ct.load(Q, index=(batch, head, bid_x, 0), shape=(1, 1, TILE_M, TILE_D), padding_mode=ct.PaddingMode.ZERO)
    q = q.reshape((TILE_M, TILE_D))
    m_i = ct.full((TILE_M, 1), -math.inf, dtype=ct.float32)
    l_i = ct.full((TILE_M, 1), 0.0, dtype=ct.float32)
    acc = ct.zeros((TILE_M, TILE_D), dtype=ct.float32)
    if HAS_SINK:
        sink = ct.gather(Sinks, head).astype(ct.float32)
        m_i = ct.full((TILE_M, 1), sink * INV_LOG_2, dtype=ct.float32)
        l_i = ct.full((TILE_M, 1), 1.0, dtype=ct.float32)
    n_kv = K.shape[2]
    stop = ct.cdiv(min(n_kv, (bid_x + 1) * TILE_M), TILE_N)
    start = 0
    if WINDOW > 0:
        start = max(0, bid_x * TILE_M - WINDOW + 1) // TILE_N
    for j in range(start, stop):
        k = ct.load(K, (batch, kv_head, 0, j), (1, 1, TILE_D, TILE_N), order=(0, 1, 3, 2), latency=2).reshape(
            (TILE_D, TILE_N)
        )
        s = ct.mma(q, k, ct.full((TILE_M, TILE_N), 0.0, dtype=ct.float32))
        if HAS_CAP:
            s = softcap * ct.tanh(s * qk_scale / softcap) * INV_LOG_2
        else:
            s = s * (qk_scale * INV_LOG_2)
        cols = j * TILE_N + offs_n
        mask = (offs_m[:, None] >= cols[None, :]) & (cols < n_kv)[None, :]
        if WINDOW > 0:
            mask = mask & (offs_m[:, None] - cols[None, :] < WINDOW)
        s = ct.where(mask, s, -math.inf)
        m_new = max(m_i, ct.max(s, axis=1, keepdims=True))
        m_safe = ct.where(m_new == -math.inf, 0.0, m_new)
        p = ct.exp2(s - m_safe, flush_to_zero=True)
        alpha = ct.exp2(m_i - m_safe)
        l_i = l_i * alpha + ct.sum(p, axis=1, keepdims=True)
        acc = acc * alpha
        v = ct.load(
            V, (batch, kv_head, j, 0), (1, 1, TILE_N, TILE_D), padding_mode=ct.PaddingMode.ZERO, latency=4
        ).reshape((TILE_N, TILE_D))
        acc = ct.mma(p.astype(Q.dtype), v, acc)
        m_i = m_new
    acc = ct.truediv(acc, l_i, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(Out, (batch, head, bid_x, 0), acc.reshape((1, 1, TILE_M, TILE_D)).astype(Out.dtype))
    lse = (m_i + ct.log2(l_i)).reshape((1, 1, TILE_M))
    ct.store(LSE, (batch, head, bid_x), lse)


def reference(q, k, v, sinks, scale, cap, window):
    g = q.shape[1] // k.shape[1]
    k, v = k.double().repeat_interleave(g, 1), v.double().repeat_interleave(g, 1)
    s = q.double() @ k.mT * scale
    if cap:
        s = cap * torch.tanh(s / cap)
    i, j = torch.arange(q.shape[2])[:, None], torch.arange(k.shape[2])[None]
    ok = i >= j
    if window:
        ok = ok & (i - j < window)
    s = s.masked_fill(~ok, -math.inf)
    if sinks is not None:
        s = torch.cat([s, sinks.double()[None, :, None, None].expand(*s.shape[:3], 1)], -1)
    p = s.softmax(-1)
    lse = torch.logsumexp(s, -1) / math.log(2)
    return p[..., : k.shape[2]] @ v, lse


def cases():
    for dtype in (torch.float32, torch.float16):
        for sink, cap, window in ((True, 0, 0), (False, 3.0, 0), (True, 2.0, 20), (False, 0, 7)):
            q, k, v = (
                torch.randn(2, 4, 50, 16).to(dtype),
                torch.randn(2, 2, 50, 16).to(dtype),
                torch.randn(2, 2, 50, 16).to(dtype),
            )
            sinks = torch.randn(4)
            out, lse = torch.zeros_like(q), torch.zeros(2, 4, 50)
            ct.launch(
                torch.cuda.current_stream(),
                (ct.cdiv(50, 16), 8, 1),
                attention_kernel,
                (q, k, v, sinks, out, lse, 0.25, float(cap or 1), 4, 16, 16, 16, 2, window, sink, bool(cap)),
            )
            want, want_lse = reference(q, k, v, sinks if sink else None, 0.25, cap, window)
            yield f"out {dtype} {sink} {cap} {window}", out, want, 1e-5 if dtype == torch.float32 else 5e-3
            yield f"lse {dtype} {sink} {cap} {window}", lse, want_lse, 1e-5 if dtype == torch.float32 else 5e-3
