# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""How far two arrays are apart, in units in the last place of their dtype."""

import torch

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def apart(actual, expected, epsilon=0.0):
    """None if they are the same to the bit (NaNs are one), or {"ulps", "elements", "of", "place", "actual", "expected"}.

    An ulp is that of the expected element, or of the root mean square of all of them where that is larger: what cancels out in a sum
    leaves errors of the size of what was summed.  It is of the elements' own dtype, or of one whose numbers after 1 are `epsilon` apart
    if that is coarser.  Of integers it is 1.  What is finite in one and not in the other is infinitely far.
    """
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return dict(
            ulps=float("inf"), elements=0, of=0, place=[], actual=f"{actual.dtype} {list(actual.shape)}",
            expected=f"{expected.dtype} {list(expected.shape)}",
        )  # fmt: skip
    bits = _BITS[actual.element_size()]
    same = actual.contiguous().view(bits) == expected.contiguous().view(bits)
    x, y = actual.to(torch.float64), expected.to(torch.float64)
    same |= x.isnan() & y.isnan()
    if bool(same.all()):
        return None
    difference = (x - y).abs()
    if expected.dtype.is_floating_point:
        finite = y[y.isfinite()]
        information = torch.finfo(expected.dtype)
        size = torch.maximum(y.abs(), finite.square().mean().sqrt() if finite.numel() else y.new_zeros(()))
        size = size.clamp(min=information.tiny, max=information.max)
        unit = torch.exp2(size.log2().floor()) * max(information.eps, epsilon)
        difference = (difference / unit).nan_to_num(nan=float("inf"), posinf=float("inf"))
    difference = difference.masked_fill(same, 0.0)
    worst = int(difference.argmax())
    place = [int(i) for i in torch.unravel_index(torch.tensor(worst), expected.shape)]
    return dict(
        ulps=float(difference.reshape(-1)[worst]), elements=int((~same).sum()), of=same.numel(), place=place,
        actual=float(x.reshape(-1)[worst]), expected=float(y.reshape(-1)[worst]),
    )  # fmt: skip
