# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""How far two tensors are apart: in units of the last place, relatively, and against float64."""

import torch

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def ordered(x):
    """Each value's place among all values of its dtype, as int64: neighbours differ by one, and -0 equals +0."""
    bits = x.contiguous().view(_BITS[x.element_size()]).long()
    if not x.is_floating_point():
        return bits
    least = -(1 << (8 * x.element_size() - 1))
    return torch.where(bits < 0, least - bits, bits)


def eps(dtype):
    return torch.finfo(dtype).eps


def apart(a, b):
    """Of a (the original) and b; None where a number makes no sense."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return {"mismatch": f"{list(a.shape)} {a.dtype} against {list(b.shape)} {b.dtype}"}
    if a.numel() == 0:
        return {"ulp_max": 0, "differing": 0.0, "relative": 0.0, "max": 0.0, "scaled_max": 0.0, "nan": 0}
    x, y = a.double(), b.double()
    lost = torch.isnan(x) != torch.isnan(y)
    both = ~(torch.isnan(x) | torch.isnan(y))
    infinite = both & (torch.isinf(x) | torch.isinf(y)) & (x != y)
    fine = both & ~infinite & ~torch.isinf(x)
    difference = torch.where(fine, (x - y).abs(), 0)
    ulp = torch.where(both, (ordered(a) - ordered(b)).abs(), 0)
    norm = torch.where(fine, x, 0).norm()
    rms = norm / max(int(fine.sum()), 1) ** 0.5
    largest = float(difference.max())
    result = {
        "ulp_max": int(ulp.max()),
        "differing": float(((ulp > 0) | lost).double().mean()),
        "max": largest,
        "relative": float(difference.norm() / norm) if norm > 0 else float(largest > 0),
        "nan": int(lost.sum()) + int(infinite.sum()),
    }
    if a.is_floating_point():
        result["ulp_999"] = int(torch.kthvalue(ulp.flatten(), max(1, int(0.999 * ulp.numel()))).values)
        result["scaled_max"] = largest / (eps(a.dtype) * float(rms)) if rms > 0 else float(largest > 0)
    return result


def from_exact(a, exact):
    """‖a − exact‖ / ‖exact‖ with the reference in float64; NaN counts as infinitely far."""
    x, y = a.double(), exact.double()
    if x.shape != y.shape:
        return None
    fine = torch.isfinite(y)
    if torch.isnan(x[fine]).any():
        return float("inf")
    norm = y[fine].norm()
    return float((x[fine] - y[fine]).norm() / norm) if norm > 0 else float((x[fine] - y[fine]).norm())


def worst(many):
    """One row out of several tensors' rows: the largest of each number."""
    result = {}
    for one in many:
        for name, value in one.items():
            if value is not None and (name not in result or value > result[name]):
                result[name] = value
    return result


def place(a, b):
    """Where b is worst, and the box of all that is off by more than rounding: [[first, last] per axis]; None if nothing is."""
    if a.shape != b.shape or a.dtype != b.dtype or a.numel() == 0:
        return None
    x, y = a.double(), b.double()
    lost = torch.isfinite(x) != torch.isfinite(y)
    difference = torch.nan_to_num(torch.where(lost | (x == y), 0, (x - y).abs()), nan=0.0, posinf=0.0, neginf=0.0)
    size = x[torch.isfinite(x)].abs()
    step = eps(a.dtype) if a.is_floating_point() else 0
    rms = float(size.square().mean().sqrt()) if size.numel() else 0.0
    off = lost | (difference > 8 * step * torch.clamp(torch.nan_to_num(x).abs(), min=rms)) if step else difference > 1
    count = int(off.sum())
    if not count:
        return None
    index = int(torch.where(lost, torch.inf, torch.where(off, difference, 0)).flatten().argmax())
    at = [int(i) for i in torch.unravel_index(torch.tensor(index), a.shape)]
    spots = off.nonzero()
    box = [[int(v), int(w)] for v, w in zip(spots.min(0).values, spots.max(0).values)]
    return {
        "count": count,
        "of": a.numel(),
        "at": at,
        "original": float(x.flatten()[index]),
        "converted": float(y.flatten()[index]),
        "box": box,
    }


def close(row, dtype, far_original=None, far_converted=None):
    """Whether a row of `apart` is what rounding alone explains: within a few steps of the dtype in norm, or as near to the exact
    result as the original is."""
    if row.get("nan") or "mismatch" in row:
        return False
    if not dtype.is_floating_point:
        return row["max"] <= 1
    if row["relative"] <= (16 if dtype == torch.float32 else 1) * eps(dtype):
        return True
    return (
        far_original is not None and far_converted is not None and far_converted <= 1.5 * far_original + eps(dtype) / 4
    )
