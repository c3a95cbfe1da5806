# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a tile load gives outside of the array is the padding that was asked for."""

import cuda.tile as ct
import torch

ConstInt = ct.Constant[int]


@ct.kernel
def pad_kernel(x, zero, negative_zero, nan, infinity, negative_infinity, TILE: ConstInt):
    i = ct.bid(0)
    ct.store(zero, (i,), ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.ZERO))
    ct.store(negative_zero, (i,), ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.NEG_ZERO))
    ct.store(nan, (i,), ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.NAN))
    ct.store(infinity, (i,), ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.POS_INF))
    ct.store(negative_infinity, (i,), ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.NEG_INF))


def cases():
    for dtype in (torch.float32, torch.float16):
        x = torch.randn(20).to(dtype)
        outputs = [torch.zeros(32, dtype=dtype) for _ in range(5)]
        ct.launch(torch.cuda.current_stream(), (2,), pad_kernel, (x, *outputs, 16))
        for pad, out in zip((0.0, -0.0, float("nan"), float("inf"), float("-inf")), outputs):
            expected = torch.full((32,), pad, dtype=dtype)
            expected[:20] = x
            yield f"{pad} {dtype}", out, expected
        yield "the sign of zero", torch.signbit(outputs[1][20:]), torch.ones(12, dtype=torch.bool)
