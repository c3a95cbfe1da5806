# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Products of tiles that are kept or calculated, of whose depth shared memory may hold only a part; all sums are exact."""

import cuda.tile as ct
import torch


@ct.kernel
def multiply_kept(x, y, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    a = ct.load(x, (0, 0), (M, K), padding_mode=ct.PaddingMode.ZERO)
    for j in range(ct.num_tiles(y, axis=1, shape=(K, N))):
        b = ct.load(y, (0, j), (K, N), padding_mode=ct.PaddingMode.ZERO)
        ct.store(out, (0, j), ct.mma(a, b, ct.full((M, N), 1.0, ct.float32)).astype(out.dtype))


def weighted(x, y, z, acc, j, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    a = ct.load(x, (0, 0), (M, K), padding_mode=ct.PaddingMode.ZERO)
    b = ct.load(y, (0, j), (K, N), padding_mode=ct.PaddingMode.ZERO)
    weights = ct.matmul(a, b).astype(z.dtype)
    c = ct.load(z, (j, 0), (N, K), padding_mode=ct.PaddingMode.ZERO)
    return ct.mma(weights, c, acc)


@ct.kernel
def weigh(x, y, z, out, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    acc = ct.zeros((M, K), ct.float32)
    for j in range(ct.num_tiles(y, axis=1, shape=(K, N))):
        acc = weighted(x, y, z, acc, j, M, N, K)
    ct.store(out, (0, 0), acc.astype(out.dtype))


def cases():
    stream = torch.cuda.current_stream()

    def small(*shape):
        return torch.randint(-2, 3, shape).to(dtype)

    for dtype in (torch.float32, torch.float16):
        x, y, out = small(16, 64), small(64, 48), torch.zeros(16, 48)
        ct.launch(stream, (1,), multiply_kept, (x, y, out, 16, 16, 64))
        yield f"{dtype} of small tiles", out, x.float() @ y.float() + 1, 0.0
        x, y, z, out = small(16, 32), small(32, 128), small(128, 32), torch.zeros(16, 32)
        ct.launch(stream, (1,), weigh, (x, y, z, out, 16, 64, 32))
        yield f"{dtype} of a product", out, x.float() @ y.float() @ z.float(), 0.0
    # Two tiles of 64 KiB, while an RTX 50 has 99.
    x, y, out = small(128, 256), small(256, 128), torch.zeros(128, 128)
    ct.launch(stream, (1,), multiply_kept, (x, y, out, 128, 128, 256))
    yield f"{dtype} of large tiles", out, x.float() @ y.float() + 1, 0.0
