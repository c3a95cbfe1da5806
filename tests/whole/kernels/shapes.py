# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Reshape, permute, transpose, new axes, broadcast, cat and extract move elements and change none."""

import cuda.tile as ct
import torch


@ct.kernel
def move(x, out, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(out, (0, 0, 0), t.reshape((N, M)).reshape((1, M, -1)))
    ct.store(out, (1, 0, 0), ct.transpose(t).reshape((1, M, N)))
    ct.store(out, (2, 0, 0), t.transpose().permute((1, 0))[None, :, :])
    ct.store(out, (3, 0, 0), ct.expand_dims(t, 0))
    ct.store(out, (4, 0, 0), ct.broadcast_to(ct.load(x, (1, 0), (1, N)), (M, N)).reshape((1, M, N)))
    half = ct.extract(t, (0, 1), (M, N // 2))
    ct.store(out, (5, 0, 0), ct.cat((half, half), 1).reshape((1, M, N)))
    ct.store(out, (6, 0, 0), (t[:, :, None] + ct.zeros((M, N, 1), ct.float32)).reshape((1, M, N)))


@ct.kernel
def outer(x, y, out, N: ct.Constant[int]):
    a, b = ct.load(x, (0,), (N,)), ct.load(y, (0,), (N,))
    ct.store(out, (0, 0), a[:, None] * b[None, :] + a)


def cases():
    x, out = torch.randn(4, 8), torch.zeros(7, 4, 8)
    ct.launch(torch.cuda.current_stream(), (1,), move, (x, out, 4, 8))
    yield "reshape", out[0], x
    yield "transpose", out[1], x.mT.reshape(4, 8)
    yield "permute", out[2], x
    yield "new axis", out[3], x
    yield "broadcast", out[4], x[1].expand(4, 8)
    yield "cat and extract", out[5], torch.cat((x[:, 4:], x[:, 4:]), 1)
    yield "trailing axis", out[6], x
    x, y, out = torch.randn(8), torch.randn(8), torch.zeros(8, 8)
    ct.launch(torch.cuda.current_stream(), (1,), outer, (x, y, out, 8))
    yield "outer", out, x[:, None] * y + x
