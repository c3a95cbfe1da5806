# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Losses over long rows: cross entropy with ignored labels and smoothing, divergences, gradients in place."""

import math

import cuda.tile as ct
import torch


@ct.kernel
def cross_entropy(
    X,
    Y,
    loss,
    z_loss,
    n_cols: int,
    ignore: int,
    smoothing: float,
    lse_scale: float,
    n_valid: int,
    BLOCK: ct.Constant[int],
    HAS_GRAD: ct.Constant[bool],
    REDUCTION: ct.Constant[int],
):
    row = ct.bid(0)
    y = ct.gather(Y, row)
    lanes = ct.arange(BLOCK, dtype=ct.int32)
    if y == ignore:
        for i in range(0, n_cols, BLOCK):
            offs = i + lanes
            ct.scatter(X, (row, offs), 0.0)
        return
    m, d = -math.inf, 0.0
    total = 0.0
    eps = smoothing / n_cols
    x_y = ct.gather(X, (row, y)).astype(ct.float32)
    for i in range(0, n_cols, BLOCK):
        offs = i + lanes
        x = ct.gather(X, (row, offs), padding_value=-math.inf).astype(ct.float32)
        top = ct.max(x)
        if smoothing > 0:
            total += ct.sum(ct.where(offs < n_cols, -eps * x, 0.0))
        m_new = ct.maximum(m, top)
        d = d * ct.exp(m - m_new) + ct.sum(ct.exp(x - m_new))
        m = m_new
    lse = m + ct.log(d)
    if HAS_GRAD:
        # waits
        for i in range(0, n_cols, BLOCK):
            offs = i + lanes
            x = ct.gather(X, (row, offs), padding_value=-math.inf).astype(ct.float32)
            p = ct.exp(x - m) / d
            grad = p + 2 * lse_scale * lse * p - eps
            grad = ct.where(offs == y, grad - (1 - smoothing), grad)
            if REDUCTION == 1:
                grad = grad / n_valid
            ct.scatter(X, (row, offs), grad.astype(X.dtype))
    value = lse - x_y
    if smoothing > 0:
        value = value * (1 - smoothing) + (total + smoothing * lse)
    z = lse_scale * lse * lse
    value += z
    if REDUCTION == 1:
        value = value / n_valid
        z = z / n_valid
    ct.scatter(loss, row, value)
    ct.scatter(z_loss, row, z)


@ct.kernel
def jsd(X, Y, loss, dX, beta: ct.Constant[float], n: int, BLOCK: ct.Constant[int]):
    row = ct.bid(0)
    lanes = ct.arange(BLOCK, dtype=ct.int32)
    for i in range(ct.cdiv(n, BLOCK)):
        x = ct.load(X, (row, i), (1, BLOCK), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        y = ct.load(Y, (row, i), (1, BLOCK), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        if beta == 0.0:
            top = ct.max(y)
            q = ct.exp(y - top) * ct.exp(top)
            value = q * (y - x)
            grad = -q
        elif beta == 1.0:
            p = ct.exp(x)
            value = p * (x - y)
            grad = value + p
        else:
            p, q = ct.exp(x), ct.exp(y)
            bp, bq = beta * p, (1 - beta) * q
            mix = bp + bq
            log_mix = ct.log(mix)
            value = bp * x + bq * y - mix * log_mix
            grad = bp * (x - log_mix)
        inside = (i * BLOCK + lanes < n)[None, :]
        ct.store(loss, (row, i), ct.where(inside, value, 0.0))
        ct.store(dX, (row, i), ct.where(inside, grad, 0.0).astype(dX.dtype))


def cases():
    for dtype in (torch.float32, torch.float16):
        for smoothing, scale, reduction in ((0.0, 0.0, 0), (0.1, 0.0, 1), (0.2, 0.01, 1)):
            x = (torch.randn(5, 37) * 2).to(dtype)
            y = torch.tensor([3, 36, -100, 0, 17])
            valid = 4
            d = x.double().requires_grad_()
            lse = torch.logsumexp(d, -1)
            each = torch.nn.functional.cross_entropy(
                d, y, ignore_index=-100, label_smoothing=smoothing, reduction="none"
            )
            z = scale * lse.square() * (y != -100)
            want = (each + z) / (valid if reduction else 1)
            (grad,) = torch.autograd.grad(want.sum(), d)
            loss, zl = torch.zeros(5), torch.zeros(5)
            ct.launch(
                torch.cuda.current_stream(),
                (5,),
                cross_entropy,
                (x, y, loss, zl, 37, -100, smoothing, scale, valid, 16, True, reduction),
            )
            tol = 1e-5 if dtype == torch.float32 else 5e-3
            yield f"loss {dtype} {smoothing} {scale}", loss, want.detach(), tol
            yield f"gradient {dtype} {smoothing} {scale}", x, grad, tol
        for beta in (0.0, 1.0, 0.3):
            x, y = torch.randn(3, 20).log_softmax(-1).to(dtype), torch.randn(3, 20).log_softmax(-1).to(dtype)
            loss, dx = torch.zeros(3, 20), torch.zeros(3, 20, dtype=dtype)
            ct.launch(torch.cuda.current_stream(), (3,), jsd, (x, y, loss, dx, beta, 20, 16))
            a, b = x.double(), y.double()
            if beta == 0:
                want = b.exp() * (b - a)
            elif beta == 1:
                want = a.exp() * (a - b)
            else:
                m = beta * a.exp() + (1 - beta) * b.exp()
                want = beta * a.exp() * a + (1 - beta) * b.exp() * b - m * m.log()
            yield f"jsd {dtype} {beta}", loss, want, 1e-5
