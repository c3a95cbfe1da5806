# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What the public operators must calculate: host calls on small random tensors and the same in torch, in float64.

A check yields named cases for one dtype; a case returns (what, actual, expected) triples.  Sizes are those that tiles divide and
those that they do not, one row, strided inputs; each launch stays below a hundred programs or so.
"""

import math
from dataclasses import dataclass
from typing import Callable

import torch
import torch.nn.functional as F

HALF_AND_FULL = (torch.float32, torch.float16)


@dataclass(frozen=True)
class Check:
    module: str
    dtypes: tuple
    tolerance: dict  # dtype → relative to the size of the expected values
    cases: Callable


CHECKS = []
_TOLERANCE = {torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 2e-2}


def check(module, dtypes=HALF_AND_FULL, **tolerance):
    given = {getattr(torch, name): value for name, value in tolerance.items()}

    def register(cases):
        CHECKS.append(Check(module, dtypes, _TOLERANCE | given, cases))
        return cases

    return register


class Random:
    def __init__(self, dtype):
        self.dtype = dtype
        self.generator = torch.Generator().manual_seed(1)

    def __call__(self, *shape, dtype=None, scale=1.0):
        return (torch.randn(shape, generator=self.generator) * scale).to(dtype or self.dtype)


def f64(*tensors):
    wide = [tensor.detach().to(torch.float64) for tensor in tensors]
    return wide[0] if len(wide) == 1 else wide


def difference(actual, expected, tolerance):
    """None, or what is wrong."""
    if tuple(actual.shape) != tuple(expected.shape):
        return f"shape {tuple(actual.shape)}, expected {tuple(expected.shape)}"
    actual, expected = f64(actual), f64(expected)
    if expected.numel() == 0:
        return None
    finite = expected.isfinite()
    if not torch.equal(actual.isfinite(), finite) or not torch.equal(
        actual[~finite].nan_to_num(), expected[~finite].nan_to_num()
    ):
        return (
            f"{int((actual.isfinite() != finite).sum())} of {expected.numel()} elements are finite in one and not in the other"
        )
    actual, expected = actual.where(finite, 0.0), expected.where(finite, 0.0)
    limit = tolerance * (expected.abs() + expected.square().mean().sqrt())
    error = (actual - expected).abs()
    if not (error > limit).any():
        return None
    worst = int((error - limit).argmax())
    place = tuple(int(i) for i in torch.unravel_index(torch.tensor(worst), expected.shape))
    return (
        f"{int((error > limit).sum())} of {expected.numel()} elements differ, worst at {place}: "
        f"{actual[place].item():.7g}, expected {expected[place].item():.7g}"
    )


def gradients(function, inputs, seed):
    """Outputs and gradients of a differentiable call, flat, for the output gradient `seed`."""
    inputs = [x.detach().clone().requires_grad_() for x in inputs]
    output = function(*inputs)
    torch.autograd.backward(output, seed.to(output.dtype))
    return [output.detach(), *(x.grad for x in inputs)]


def compare_gradients(function, reference, inputs, seed):
    actual = gradients(function, inputs, seed)
    expected = gradients(reference, f64(*inputs) if len(inputs) > 1 else [f64(*inputs)], f64(seed))
    names = ["output", *(f"gradient {i}" for i in range(len(inputs)))]
    return list(zip(names, actual, expected))


# ops/cutile


@check("ops/cutile/bmm")
def bmm(m, t):
    for name, shape in (("divides", (2, 128, 128, 128)), ("ragged", (3, 70, 33, 50)), ("one row", (1, 1, 5, 1))):
        b, rows, inner, columns = shape
        for ta in (False, True):
            for tb in (False, True):

                def call(ta=ta, tb=tb, b=b, rows=rows, inner=inner, columns=columns):
                    x, y = t(b, rows, inner), t(b, inner, columns)
                    given = x.mT.contiguous() if ta else x, y.mT.contiguous() if tb else y
                    return [("product", m.bmm(*given, transpose_a=ta, transpose_b=tb), f64(x) @ f64(y))]

                yield f"{name} {ta:d}{tb:d}", call
        yield (
            f"{name}, one tile each, strided",
            lambda b=b, r=rows, k=inner, n=columns: [
                ("product", m.bmm(x := t(b, k, r).mT, y := t(b, n, k).mT, static_persistent=False), f64(x) @ f64(y))
            ],
        )


@check("ops/cutile/matmul", float32=2e-3)  # float32 is multiplied as tf32
def matmul(m, t):
    for name, (rows, inner, columns) in (("divides", (256, 128, 128)), ("ragged", (70, 33, 50)), ("one row", (1, 5, 3))):
        yield name, lambda r=rows, k=inner, n=columns: [("product", m.matmul(x := t(r, k), y := t(k, n)), f64(x) @ f64(y))]
        yield (
            f"{name} strided",
            lambda r=rows, k=inner, n=columns: [("product", m.matmul(x := t(k, r).mT, y := t(n, k).mT), f64(x) @ f64(y))],
        )
        for ta in (False, True):
            for tb in (False, True):

                def call(ta=ta, tb=tb, rows=rows, inner=inner, columns=columns):
                    x, y = t(rows, inner), t(inner, columns)
                    given = x.mT.contiguous() if ta else x, y.mT.contiguous() if tb else y
                    return [("product", m.matmul(*given, trans_a=ta, trans_b=tb, static_persistent=True), f64(x) @ f64(y))]

                yield f"{name} persistent {ta:d}{tb:d}", call


@check("ops/cutile/softmax")
def softmax(m, t):
    variants = {
        "rows": {},
        "tma": dict(use_tma=True),
        "chunked": dict(use_chunked=True),
        "multi wave": dict(use_multi_wave=True),
    }
    for variant, options in variants.items():
        for shape in ((8, 64), (7, 50), (1, 3), (2, 9000)):
            if shape[1] < 9000 or variant == "chunked":
                yield (
                    f"{variant} {shape}",
                    lambda s=shape, o=options: [("softmax", m.softmax(x := t(*s, scale=3.0), **o), f64(x).softmax(-1))],
                )
        # every other column: of a transposed array the operator would return a copy that it never filled
        yield f"{variant} strided", lambda o=options: [("softmax", m.softmax(x := t(7, 100)[:, ::2], **o), f64(x).softmax(-1))]


def _rms_norm(x, w, eps=1e-5, offset=0.0):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * (w + offset)


@check("ops/cutile/rms_norm")
def rms_norm(m, t):
    for mode in ("static_persistent", "multi_wave_reload", "multi_wave_cached"):
        for shape in ((16, 64), (7, 50), (1, 3), (2, 3, 33), (2, 3000)):
            for offset in (0.0, 1.0):
                yield (
                    f"{mode} {shape} + {offset}",
                    lambda mode=mode, s=shape, o=offset: [
                        (
                            "normalised",
                            m.rms_norm(x := t(*s), None, w := t(s[-1]), 1e-5, mode=mode, offset=o),
                            _rms_norm(*f64(x, w), offset=o),
                        )
                    ],
                )
        yield (
            f"{mode} strided",
            lambda mode=mode: [
                ("normalised", m.rms_norm(x := t(50, 7).mT, None, w := t(50), 1e-5, mode=mode), _rms_norm(*f64(x, w)))
            ],
        )
    for shape in ((16, 64), (7, 50), (1, 3)):
        yield (
            f"backward {shape}",
            lambda s=shape: compare_gradients(lambda x, w: m.rms_norm(x, None, w, 1e-5), _rms_norm, [t(*s), t(s[-1])], t(*s)),
        )


@check("ops/cutile/layer_norm")
def layer_norm(m, t):
    for shape in ((2, 32, 64), (3, 50, 20), (1, 5, 16), (4, 64, 1), (3, 50, 1), (3, 50, 3), (1, 1, 1)):

        def call(shape=shape, strided=False, shift=0.5):
            x = t(*reversed(shape)).permute(2, 1, 0) if strided else t(*shape)
            w, b = t(shape[1]), t(shape[1])
            actual = m.layer_norm(x, 1, 2, w, b, 1e-5, shift)
            x, w, b = f64(x, w, b)
            centred = x - x.mean(1, keepdim=True)
            normal = centred * torch.rsqrt(centred.square().mean(1, keepdim=True) + 1e-5)
            return [("normalised", actual, normal * (w[:, None] + shift) + b[:, None])]

        yield f"{shape}", call
        yield f"{shape} strided", lambda call=call: call(strided=True)


@check("ops/cutile/layer_norm_legacy")
def layer_norm_legacy(m, t):
    def expected(x, w, b, shift=0.0):
        x, w, b = f64(x, w, b)
        return F.layer_norm(x, x.shape[-1:], w + shift, b, 1e-5)

    for shape in ((8, 64), (7, 50), (1, 9), (2, 3, 33)):
        yield (
            f"{shape}",
            lambda s=shape: [
                (
                    "normalised",
                    m.layer_norm_legacy(x := t(*s), None, w := t(s[-1]), b := t(s[-1]), 1e-5, 0.5),
                    expected(x, w, b, 0.5),
                )
            ],
        )


@check("ops/cutile/layer_norm_legacy", (torch.bfloat16,))  # stores bfloat16 whatever the array holds
def persistent_layer_norm(m, t):
    def call(shape, given):
        x, w, b = t(*shape), t(shape[-1]), t(shape[-1])
        mean, variance = f64(x).mean(-1), f64(x).var(-1, correction=0)
        statistics = (mean.float(), (variance + 1e-5).rsqrt().float()) if given else ()
        y, mean_out, rstd_out, *_ = m.persistent_layer_norm(x, None, w, b, 1e-5, *statistics)
        expected = F.layer_norm(f64(x), (shape[-1],), f64(w), f64(b), 1e-5)
        return [("normalised", y, expected), ("mean", mean_out, mean), ("deviation", rstd_out, (variance + 1e-5).rsqrt())]

    for shape in ((64, 64), (7, 50), (1, 9)):
        yield f"{shape}", lambda s=shape: call(s, False)
        yield f"{shape}, statistics given", lambda s=shape: call(s, True)


@check("ops/cutile/silu_and_mul")
def silu_and_mul(m, t):
    def expected(x):
        a, b = x.chunk(2, -1)
        return F.silu(a) * b

    for shape in ((8, 64), (7, 50), (1, 6), (2, 3, 20)):
        yield f"forward {shape}", lambda s=shape: [("activated", m.silu_and_mul(x := t(*s)), expected(f64(x)))]
        yield f"backward {shape}", lambda s=shape: compare_gradients(m.silu_and_mul, expected, [t(*s)], t(*s[:-1], s[-1] // 2))
    yield "strided", lambda: [("activated", m.silu_and_mul(x := t(50, 7).mT), expected(f64(x)))]

    def into_a_given_array():
        x, out = t(7, 50), t(7, 25)
        returned = m.silu_and_mul(x, out)
        return [("given", out, expected(f64(x))), ("returned", returned, expected(f64(x)))]

    yield "into a given array", into_a_given_array


@check("ops/cutile/swiglu")
def swiglu(m, t):
    for shape in ((2, 4, 64), (1, 7, 50), (1, 1, 33)):
        yield f"{shape}", lambda s=shape: compare_gradients(m.swiglu, lambda a, b: F.silu(a) * b, [t(*s), t(*s)], t(*s))


@check("ops/cutile/rope")
def rope(m, t):
    def rotate(x, cos, sin, dim):
        turned, kept = x[..., :dim], x[..., dim:]
        half = torch.cat((-turned[..., dim // 2 :], turned[..., : dim // 2]), -1)
        return torch.cat((turned * cos + half * sin, kept), -1)

    def call(batches, shape, key_heads, factor):
        batch, heads, length, dim = shape
        rotated = int(dim * factor)
        q, k = t(batch, heads, length, dim), t(batch, key_heads, length, dim)
        angle = t(batches, length, rotated // 2, dtype=torch.float32).repeat(1, 1, 2)
        cos, sin = angle.cos().to(t.dtype), angle.sin().to(t.dtype)
        expected = [rotate(f64(x), f64(cos)[:, None], f64(sin)[:, None], rotated) for x in (q, k)]
        actual = m.apply_rope_base(q, k, cos, sin, partial_rotary_factor=factor)
        return [("queries", actual[0], expected[0]), ("keys", actual[1], expected[1])]

    for shape, key_heads in (((2, 4, 8, 32), 2), ((1, 3, 5, 16), 1), ((1, 1, 1, 4), 1)):
        for factor in (1.0, 0.5):
            yield f"{shape} {factor}", lambda s=shape, k=key_heads, f=factor: call(1, s, k, f)
        yield f"{shape}, a table per batch", lambda s=shape, k=key_heads: call(s[0], s, k, 1.0)


@check("ops/cutile/dropout")
def dropout(m, t):
    def mask(count, seed, p):
        """The operator's own hash of the element number, in wrapping 32-bit arithmetic."""
        wrap = lambda x: ((x + 2**31) % 2**32) - 2**31  # noqa: E731
        mixed = wrap((seed * 2654435761) % 2**32)
        h = wrap(torch.arange(count) * 1103515245 + mixed)
        h = h ^ (h >> 16)
        h = h ^ wrap(h << 8)
        h = h ^ (h >> 4)
        return ((h & 0x7FFFFFFF).to(torch.float32) / 2147483647.0) > p

    def call(shape, seed, p, inplace=False):
        x = t(*shape)
        given = f64(x)
        scale = torch.tensor(1.0 / (1.0 - p)).to(t.dtype).to(torch.float64) if p < 1 else 0.0
        expected = torch.where(mask(given.numel(), seed, p).reshape(shape), given * scale, 0.0)
        return [("kept", m.dropout(x, seed, p, inplace=inplace), expected)]

    for shape in ((4, 1024), (33, 7), (1,)):
        for p in (0.0, 0.3, 0.9, 1.0):
            yield f"{shape} {p}", lambda s=shape, p=p: call(s, 7, p)
    yield "in place", lambda: call((1000,), 2**40 + 12345, 0.5, True)
    yield "evaluation", lambda: [("copied", m.dropout(x := t(33, 7), 1, training=False), f64(x))]


@check("ops/cutile/transpose", float32=0.0, float16=0.0)
def transpose(m, t):
    for shape in ((128, 64), (100, 70), (1, 5), (1, 1)):
        yield f"{shape}", lambda s=shape: [("transposed", m.transpose(x := t(*s)), f64(x).mT)]
        yield f"{shape} strided", lambda s=shape: [("transposed", m.transpose(x := t(*s).mT), f64(x).mT)]
    yield "gradient", lambda: compare_gradients(m.transpose, lambda x: x.mT, [t(100, 70)], t(70, 100))


@check("ops/cutile/splitk_reduce")
def splitk_reduce(m, t):
    def call(splits, dim):
        parts, sums = t(2, 3, splits, dim), t(2, 3, splits, dtype=torch.float32)
        weight = torch.exp2(f64(sums))
        expected = (f64(parts) * weight[..., None]).sum(2) / weight.sum(2)[..., None]
        return [("reduced", m.splitk_reduce(parts, sums, torch.empty(2, 3, dim, dtype=t.dtype), splits * 128), expected)]

    for splits, dim in ((4, 64), (3, 80), (1, 200), (16, 64), (20, 33)):
        yield f"{splits} of {dim}", lambda n=splits, d=dim: call(n, d)


@check("ops/cutile/group_gemm")
def group_gemm(m, t):
    def call(sizes, transposed):
        a = [t(rows, inner) for rows, inner, _ in sizes]
        b = [t(inner, columns) for _, inner, columns in sizes]
        products = m.group_gemm(a, [y.mT.contiguous() if transposed else y for y in b], transpose_b=transposed)
        return [(f"product {i}", c, f64(x) @ f64(y)) for i, (c, x, y) in enumerate(zip(products, a, b))]

    for transposed in (False, True):
        yield f"divides {transposed:d}", lambda tb=transposed: call([(128, 128, 128), (256, 128, 128)], tb)
        yield f"ragged {transposed:d}", lambda tb=transposed: call([(70, 33, 150), (1, 5, 3), (130, 40, 20)], tb)


def _attention(q, k, v, causal=False, scale=None, start=None):
    """Query i sits at key position i + start; by default the queries are the last ones."""
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.mT * (scale or 1 / math.sqrt(q.shape[-1]))
    if causal:
        start = k.shape[2] - q.shape[2] if start is None else start
        places = torch.arange(q.shape[2])[:, None] + start
        scores = scores.masked_fill(torch.arange(k.shape[2]) > places, -math.inf)
    return scores.softmax(-1) @ v


@check("ops/cutile/flash_decode")
def flash_decode(m, t):
    for heads, key_heads, length, dim, split in (
        (8, 2, 256, 64, None),
        (3, 1, 100, 32, None),
        (8, 8, 300, 64, 128),
        (16, 1, 1, 16, None),
    ):
        yield (
            f"{heads}/{key_heads} heads, {length}x{dim} by {split}",
            lambda h=heads, g=key_heads, n=length, d=dim, s=split: [
                (
                    "attention",
                    m.fmha_decode(q := t(2, h, 1, d), k := t(2, g, n, d), v := t(2, g, n, d), None, s),
                    _attention(*f64(q, k, v)),
                )
            ],
        )


@check("ops/cutile/mla")
def mla(m, t):
    def call(heads, key_heads, length, dim, extra):
        q, k, v = t(1, heads, length, dim), t(1, key_heads, length, dim), t(1, key_heads, length, dim)
        qpe, kpe = t(1, heads, length, extra), t(1, 1, length, extra)
        actual = m.tile_mla(q, k, v, qpe, kpe, True, None)
        whole_q = torch.cat(f64(q, qpe), -1)
        whole_k = torch.cat((f64(k), f64(kpe).expand(1, key_heads, length, extra)), -1)
        return [("attention", actual, _attention(whole_q, whole_k, f64(v), causal=True))]

    for heads, key_heads, length in ((2, 2, 128), (4, 2, 100), (1, 1, 1)):
        yield f"{heads}/{key_heads} heads, {length}", lambda h=heads, g=key_heads, n=length: call(h, g, n, 32, 16)


@check("ops/cutile/attention")
def attention(m, t):
    for heads, key_heads, length, keys, dim in (
        (2, 2, 256, 256, 64),
        (4, 2, 100, 100, 32),
        (2, 1, 30, 300, 64),
        (1, 1, 1, 1, 16),
    ):
        for causal in (True, False):
            yield (
                f"{heads}/{key_heads} heads, {length}x{keys}, causal {causal:d}",
                lambda h=heads, g=key_heads, n=length, k=keys, d=dim, c=causal: [
                    (
                        "attention",
                        m.tile_fmha(q := t(2, h, n, d), x := t(2, g, k, d), v := t(2, g, k, d), is_causal=c),
                        _attention(*f64(q, x, v), c),
                    )
                ],
            )
    for heads, key_heads, length, dim in ((2, 2, 128, 64), (4, 2, 50, 32)):
        for causal in (True, False):
            yield f"backward {heads}/{key_heads} heads, {length}, causal {causal:d}", lambda h=heads, g=key_heads, n=length, d=dim, c=causal: (
                compare_gradients(
                    lambda q, k, v: m.tile_fmha_with_backward(q, k, v, is_causal=c),
                    lambda q, k, v: _attention(q, k, v, c),
                    [t(1, h, n, d), t(1, g, n, d), t(1, g, n, d)], t(1, h, n, d),
                )
            )  # fmt: skip
    yield (
        "strided",
        lambda: [
            (
                "attention",
                m.tile_fmha(q := t(1, 64, 2, 32).transpose(1, 2), k := t(1, 64, 2, 32).transpose(1, 2), k),
                _attention(*f64(q, k, k), True),
            )
        ],
    )


@check("ops/cutile/activation/relu")
def relu(m, t):
    for shape in ((4, 1024), (33, 7), (1,)):
        yield f"{shape}", lambda s=shape: [("activated", m.relu(x := t(*s)), f64(x).relu())]


def _tanh_cdf(x):
    return 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


class _Gelu(torch.autograd.Function):
    """x Φ(x) with Φ by tanh, and the derivative that belongs to the true Φ: what the operator does for approximate="none"."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * _tanh_cdf(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (_tanh_cdf(x) + x * torch.exp(-x * x / 2) / math.sqrt(2 * math.pi))


def _gelu(approximate):
    return _Gelu.apply if approximate == "none" else lambda x: F.gelu(x, approximate="tanh")


@check("ops/cutile/activation/gelu", float16=8e-3)
def gelu(m, t):
    for approximate in ("none", "tanh"):
        for shape in ((4, 1024), (33, 7), (1,)):
            yield (
                f"{approximate} {shape}",
                lambda s=shape, a=approximate: compare_gradients(lambda x: m.gelu(x, a), _gelu(a), [t(*s)], t(*s)),
            )


@check("ops/cutile/activation/geglu", float16=8e-3)
def geglu(m, t):
    for approximate in ("none", "tanh"):
        for shape, dim in (((8, 256), -1), ((33, 14), -1), ((10, 7), 0), ((1, 2), -1)):

            def expected(x, dim=dim, approximate=approximate):
                a, b = x.chunk(2, dim)
                return a * _gelu(approximate)(b)

            def call(shape=shape, dim=dim, approximate=approximate, expected=expected):
                half = list(shape)
                half[dim] //= 2
                return compare_gradients(lambda x: m.geglu(x, dim, approximate), expected, [t(*shape)], t(*half))

            yield f"{approximate} {shape} along {dim}", call
