# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Integer arrays are padded with zero too."""

import cuda.tile as ct
import torch


@ct.kernel
def pad_integers(x, out, TILE: ct.Constant[int]):
    tile = ct.load(x, index=(0, 0), shape=(TILE, TILE), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, index=(0, 0), tile=tile)


def cases():
    for dtype in (torch.int32, torch.int8, torch.int64, torch.uint8):
        x = torch.arange(1, 16, dtype=dtype).reshape(3, 5)
        out = torch.full((8, 8), 7, dtype=dtype)
        ct.launch(torch.cuda.current_stream(), (1,), pad_integers, (x, out, 8))
        expected = torch.zeros((8, 8), dtype=dtype)
        expected[:3, :5] = x
        yield f"{dtype}", out, expected
