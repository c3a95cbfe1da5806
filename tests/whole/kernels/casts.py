# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Conversions: toward zero from floats, by value to bool, wrapping between integers."""

import cuda.tile as ct
import torch


@ct.kernel
def convert(x, integers, narrow, flags, halves, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    ct.store(integers, (0,), t.astype(ct.int32))
    ct.store(narrow, (0,), ct.astype(t.astype(ct.int32) * 100, ct.int8))
    ct.store(flags, (0,), t.astype(ct.bool_))
    ct.store(halves, (0,), ct.astype(t, halves.dtype))


@ct.kernel
def reinterpret(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), ct.bitcast(ct.load(x, (0,), (N,)), ct.int32))


def cases():
    x = torch.tensor([1.9, -1.9, 0.0, 2.5, -0.5, 100.0, 3.0, 0.25])
    outs = [torch.zeros(8, dtype=dtype) for dtype in (torch.int32, torch.int8, torch.bool, torch.float16)]
    ct.launch(torch.cuda.current_stream(), (1,), convert, (x, *outs, 8))
    yield "integers", outs[0], x.to(torch.int32)
    yield "narrow", outs[1], (x.to(torch.int32) * 100).to(torch.int8)
    yield "flags", outs[2], x != 0
    yield "halves", outs[3], x.half()
    out = torch.zeros(8, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (1,), reinterpret, (x, out, 8))
    yield "bits", out, x.view(torch.int32)
