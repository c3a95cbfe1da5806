# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Extents, strides, rank and dtype of an array are values of the kernel."""

import cuda.tile as ct
import torch


@ct.kernel
def properties(x, out):
    ct.scatter(out, 0, x.shape[0])
    ct.scatter(out, 1, x.shape[1])
    ct.scatter(out, 2, x.strides[0])
    ct.scatter(out, 3, x.strides[1])
    ct.scatter(out, 4, x.ndim)
    ct.scatter(out, 5, ct.num_tiles(x, axis=0, shape=(4, 8)))
    ct.scatter(out, 6, ct.num_tiles(x, axis=1, shape=(4, 8)))
    ct.scatter(out, 7, ct.num_tiles(x, 0, (4, 8), order=(1, 0)))
    if x.dtype == ct.float16:
        ct.scatter(out, 8, 16)
    else:
        ct.scatter(out, 8, 32)


def cases():
    for x in (torch.zeros(10, 17), torch.zeros(17, 10).mT.half(), torch.zeros(20, 34)[::2, ::2]):
        out = torch.zeros(9, dtype=torch.int32)
        ct.launch(torch.cuda.current_stream(), (1,), properties, (x, out))
        tiles = [-(-10 // 4), -(-17 // 8), -(-17 // 4)]
        yield (
            f"{x.stride()} {x.dtype}",
            out,
            torch.tensor([10, 17, *x.stride(), 2, *tiles, 16 if x.dtype == torch.float16 else 32]),
        )
