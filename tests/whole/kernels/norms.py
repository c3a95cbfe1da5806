# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Norms with partial sums across programs, groups, and a lock."""

import cuda.tile as ct
import torch


@ct.kernel
def group_norm(
    X,
    Y,
    W,
    B,
    Mean,
    Rstd,
    hidden: int,
    channels_per_group: ct.Constant[int],
    groups: int,
    eps: float,
    BLOCK: ct.Constant[int],
):
    b, g = ct.bid(0), ct.bid(1)
    lanes = ct.arange(BLOCK, dtype=ct.int32)
    s, sq = 0.0, 0.0
    n = hidden * channels_per_group
    for i in range(0, n, BLOCK):
        x = ct.gather(X, (b, g, i + lanes)).astype(ct.float32)
        s += ct.sum(x)
        sq += ct.sum(x * x)
    mean = s / n
    var = sq / n - mean * mean
    rstd = ct.rsqrt(var + eps)
    for c in range(channels_per_group):
        channel = g * channels_per_group + c
        w, bias = ct.gather(W, channel), ct.gather(B, channel)
        for i in range(0, hidden, BLOCK):
            offs = i + lanes
            x = ct.gather(X, (b, g, c * hidden + offs), mask=offs < hidden).astype(ct.float32)
            y = (x - mean) * rstd * w + bias
            ct.scatter(Y, (b, g, c * hidden + offs), y.astype(Y.dtype), mask=offs < hidden)
    ct.scatter(Mean, (b, g), mean)
    ct.scatter(Rstd, (b, g), rstd)


@ct.kernel
def rows_backward(X, W, dY, dX, DW, Rstd, n_rows: int, N: ct.Constant[int], PROGRAMS: ct.Constant[int]):
    pid = ct.bid(0)
    w = ct.load(W, (0,), (N,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
    dw = ct.zeros((N,), dtype=ct.float32)
    for row in range(pid, n_rows, PROGRAMS):
        x = ct.load(X, (row, 0), (1, N), padding_mode=ct.PaddingMode.ZERO).reshape((N,)).astype(ct.float32)
        dy = ct.load(dY, (row, 0), (1, N), padding_mode=ct.PaddingMode.ZERO).reshape((N,)).astype(ct.float32)
        rstd = ct.gather(Rstd, row)
        m = dy * w
        dx = rstd * m - rstd * rstd * rstd * (1 / X.shape[1]) * ct.sum(m * x) * x
        dw += dy * x * rstd
        ct.store(dX, (row, 0), dx.reshape((1, N)).astype(dX.dtype))
    ct.store(DW, (pid, 0), dw.reshape((1, N)))


@ct.kernel
def locked_sum(x, partial, lock, count, N: ct.Constant[int], GROUPS: ct.Constant[int]):
    row = ct.bid(0)
    group = row % GROUPS
    t = ct.load(x, (row, 0), (1, N), padding_mode=ct.PaddingMode.ZERO)
    while ct.atomic_cas(lock, group, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:
        pass
    seen = ct.gather(count, group)
    if seen == 0:
        # waits
        ct.atomic_xchg(count, group, 1)
    else:
        t = t + ct.load(partial, (group, 0), (1, N))
    ct.store(partial, (group, 0), t)
    # waits
    ct.atomic_xchg(lock, group, 0, memory_order=ct.MemoryOrder.RELEASE)


def cases():
    stream = torch.cuda.current_stream()
    for dtype in (torch.float32, torch.float16):
        x = torch.randn(2, 3, 2 * 10).to(dtype)
        w, b = torch.randn(6), torch.randn(6)
        y, mean, rstd = torch.zeros_like(x), torch.zeros(2, 3), torch.zeros(2, 3)
        ct.launch(stream, (2, 3), group_norm, (x, y, w, b, mean, rstd, 10, 2, 3, 1e-5, 8))
        want = torch.nn.functional.group_norm(x.double().reshape(2, 6, 10), 3, w.double(), b.double()).reshape(2, 3, 20)
        tol = 1e-5 if dtype == torch.float32 else 3e-3
        yield f"group {dtype}", y, want, tol
        x, w, dy = torch.randn(7, 12).to(dtype), torch.randn(12).to(dtype), torch.randn(7, 12).to(dtype)
        d, v = x.double().requires_grad_(), w.double().requires_grad_()
        rstd = (d.square().mean(-1) + 1e-6).rsqrt()
        gx, gw = torch.autograd.grad((d * rstd[:, None] * v * dy.double()).sum(), (d, v))
        dx, dw = torch.zeros_like(x), torch.zeros(3, 12)
        ct.launch(stream, (3,), rows_backward, (x, w, dy, dx, dw, rstd.detach().float(), 7, 16, 3))
        yield f"dx {dtype}", dx, gx, tol
        yield f"dw {dtype}", dw.sum(0), gw, 1e-5
    x, partial, lock, count = (
        torch.randn(9, 6),
        torch.zeros(2, 6),
        torch.zeros(2, dtype=torch.int32),
        torch.zeros(2, dtype=torch.int32),
    )
    ct.launch(stream, (9,), locked_sum, (x, partial, lock, count, 8, 2))
    yield "locked", partial, torch.stack([x[0::2].sum(0), x[1::2].sum(0)]), 1e-5
