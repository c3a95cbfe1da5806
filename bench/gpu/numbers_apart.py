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
    result = {"ulp_max": int(ulp.max()), "differing": float(((ulp > 0) | lost).double().mean()), "max": largest,
              "relative": float(difference.norm() / norm) if norm > 0 else float(largest > 0), "nan": int(lost.sum()) + int(infinite.sum())}
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
