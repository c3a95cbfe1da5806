# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""int8 and uint8 multiply in any pairing, whether an array, the kernel or a constant decides; their products are added in int32."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    acc = ct.zeros((M, N), dtype=ct.int32)
    for k in range(ct.num_tiles(x, axis=1, shape=(M, K))):
        a = ct.load(x, (0, k), (M, K), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(y, (k, 0), (K, N), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(out, (0, 0), acc)


@ct.kernel
def multiply_batches(x, y, out, B: ct.Constant[int], N: ct.Constant[int]):
    a, b = ct.load(x, (0, 0, 0), (B, N, N)), ct.load(y, (0, 0, 0), (B, N, N))
    ct.store(out, (0, 0, 0), ct.mma(a, b, ct.full((B, N, N), 1, ct.int32)))


@ct.kernel
def multiply_thin(x, y, out):
    a, b = ct.load(x, (0, 0), (16, 16)), ct.load(y, (0, 0), (16, 16))
    ct.store(out, (0, 0), ct.mma(a, b, ct.full((16, 16), 2**24 + 1, ct.int32)))


@ct.kernel
def multiply_signed(x, y, out, N: ct.Constant[int]):
    """No other dtype is possible here."""
    a = ct.load(x, (0, 0), (N, N)).astype(ct.int8)
    b = ct.load(y, (0, 0), (N, N)).astype(ct.int8)
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((N, N), ct.int32)))


@ct.kernel
def multiply_chosen(x, y, out, N: ct.Constant[int], UNSIGNED: ct.Constant[bool]):
    dtype = ct.uint8 if UNSIGNED else ct.int8
    a = ct.load(x, (0, 0), (N, N)).astype(dtype)
    b = ct.load(y, (0, 0), (N, N)).astype(ct.uint8)
    ct.store(out, (0, 0), ct.mma(a, b, ct.zeros((N, N), ct.int32)))


def cases():
    stream = torch.cuda.current_stream()
    any_int8 = torch.randint(-128, 128, (2, 32, 70)).to(torch.int8)
    any_uint8 = torch.randint(0, 256, (2, 32, 70)).to(torch.uint8)
    for x in (any_int8, any_uint8):
        for y in (any_int8, any_uint8):
            pair = f"{x.dtype} by {y.dtype}"
            z = y.transpose(1, 2)
            out = torch.zeros(32, 32, dtype=torch.int32)
            ct.launch(stream, (1,), multiply, (x[0], z[1], out, 32, 32, 32))
            yield pair, out, (x[0].long() @ z[1].long()).int()
            ct.launch(stream, (1,), multiply_thin, (x[0], z[1], out))
            yield f"thin {pair}", out[:16, :16], (x[0, :16, :16].long() @ z[1, :16, :16].long() + 2**24 + 1).int()
            outs = torch.zeros(2, 32, 32, dtype=torch.int32)
            ct.launch(stream, (1,), multiply_batches, (x, z, outs, 2, 32))
            yield f"batches of {pair}", outs, (x[:, :, :32].long() @ z[:, :32].long() + 1).int()
    x, y, out = any_int8[0], any_int8[1].T, torch.zeros(32, 32, dtype=torch.int32)
    ct.launch(stream, (1,), multiply_signed, (x, y, out, 32))
    yield "signed", out, (x[:, :32].long() @ y[:32].long()).int()
    for unsigned, dtype in ((True, torch.uint8), (False, torch.int8)):
        ct.launch(stream, (1,), multiply_chosen, (x, y, out, 32, unsigned))
        yield f"chosen {dtype}", out, (x[:, :32].to(dtype).long() @ y[:32].to(torch.uint8).long()).int()
