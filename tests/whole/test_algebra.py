# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The number system `algebra`: programs that calculate the same real numbers are equal without a tolerance, others are not."""

import importlib.util
import itertools
import textwrap

import numpy as np
import pytest
import tilewright
import torch
from tilewright import algebra

_PREFIX = "import math\n\nimport cuda.tile as ct\n\nConstInt = ct.Constant[int]\nLOG2E = 1.4426950408889634\nZERO = ct.PaddingMode.ZERO\n"


@pytest.fixture
def load(tmp_path):
    """Text of one kernel → the kernel."""
    numbers = itertools.count()

    def load(text):
        name = f"kernels_{next(numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(_PREFIX + textwrap.dedent(text))
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return next(value for value in vars(module).values() if type(value).__module__.startswith("cuda.tile._execution"))

    return load


def run(kernel, grid, arguments, **options):
    return tilewright.interpret(kernel, grid, arguments, numbers="algebra", **options)


def randn(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def verdict(*runs):
    return algebra.compare(*runs).verdict


SUM = """
@ct.kernel
def whole(x, out):
    t = ct.load(x, (0,), (128,), padding_mode=ZERO)
    ct.store(out, (0,), ct.sum(t))
"""
SUM_OF_PARTS = """
@ct.kernel
def parts(x, out):
    total = ct.full((), 0.0, ct.float32)
    parts = ct.cdiv(x.shape[0], 16)
    for j in range(parts):
        total += ct.sum(ct.load(x, (parts - 1 - j,), (16,), padding_mode=ZERO))
    ct.store(out, (0,), total)
"""
SUM_BY_ATOMICS = """
@ct.kernel
def atomics(x, out):
    ct.atomic_add(out, 0, ct.sum(ct.load(x, (ct.bid(0),), (8,), padding_mode=ZERO)))
"""
SUM_AS_PRODUCT = """
@ct.kernel
def product(x, out):
    t = ct.reshape(ct.load(x, (0,), (128,), padding_mode=ZERO), (8, 16))
    s = ct.mma(t, ct.full((16, 1), 1.0, ct.float32), ct.full((8, 1), 0.0, ct.float32))
    ct.store(out, (0,), ct.max(ct.where(ct.arange(8, dtype=ct.int32)[:, None] == 7, ct.cumsum(s, 0), -math.inf)))
"""
MATMUL = """
@ct.kernel
def plain(a, b, c, M: ConstInt, N: ConstInt, K: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.full((M, N), 0.0, ct.float32)
    for k in range(ct.cdiv(a.shape[1], K)):
        x = ct.load(a, (i, k), (M, K), padding_mode=ZERO)
        y = ct.load(b, (k, j), (K, N), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (i, j), ct.astype(acc, c.dtype))
"""
SPLIT_MATMUL = """
@ct.kernel
def split(a, b, c, M: ConstInt, N: ConstInt, K: ConstInt, SPLITS: ConstInt):
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.full((M, N), 0.0, ct.float32)
    for k in range(part, ct.cdiv(a.shape[1], K), SPLITS):
        x = ct.load(a, (i, k), (M, K), padding_mode=ZERO)
        y = ct.load(b, (k, j), (K, N), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    rows = i * M + ct.arange(M, dtype=ct.int32)
    columns = j * N + ct.arange(N, dtype=ct.int32)
    ct.atomic_add(c, (rows[:, None], columns[None, :]), acc)
"""
SOFTMAX = """
@ct.kernel
def softmax(x, out, scale, N: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, N), padding_mode=ct.PaddingMode.NEG_INF) * scale
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(out, (i, 0), e / ct.sum(e, 1, keepdims=True))
"""
SOFTMAX_OF_TWO = """
@ct.kernel
def softmax(x, out, scale, N: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, N), padding_mode=ct.PaddingMode.NEG_INF)
    m = ct.max(t, 1, keepdims=True) * (scale * LOG2E)
    e = ct.exp2(t * (scale * LOG2E) - m)
    ct.store(out, (i, 0), e * (1.0 / ct.sum(e, 1, keepdims=True)))
"""
ONLINE_SOFTMAX = """
@ct.kernel
def online(x, out, scale, N: ConstInt):
    i = ct.bid(0)
    m = ct.full((1, 1), -math.inf, ct.float32)
    total = ct.full((1, 1), 0.0, ct.float32)
    for j in range(ct.cdiv(x.shape[1], N)):
        t = ct.load(x, (i, j), (1, N), padding_mode=ct.PaddingMode.NEG_INF) * scale
        new = ct.maximum(m, ct.max(t, 1, keepdims=True))
        total = total * ct.exp(m - new) + ct.sum(ct.exp(t - new), 1, keepdims=True)
        m = new
    for j in range(ct.cdiv(x.shape[1], N)):
        t = ct.load(x, (i, j), (1, N), padding_mode=ct.PaddingMode.NEG_INF) * scale
        ct.store(out, (i, j), ct.exp(t - m) / total)
"""
LAYER_NORM = """
@ct.kernel
def norm(x, w, out, N: ConstInt):
    i = ct.bid(0)
    n = x.shape[1]
    t = ct.load(x, (i, 0), (1, N), padding_mode=ZERO)
    inside = ct.arange(N, dtype=ct.int32)[None, :] < n
    mean = ct.sum(t, 1, keepdims=True) / n
    d = ct.where(inside, t - mean, 0.0)
    variance = ct.sum(d * d, 1, keepdims=True) / n
    ct.store(out, (i, 0), d * ct.rsqrt(variance + 1e-5) * ct.load(w, (0,), (N,), padding_mode=ZERO)[None, :])
"""
LAYER_NORM_IN_ONE_PASS = """
@ct.kernel
def norm(x, w, out, N: ConstInt):
    i = ct.bid(0)
    n = x.shape[1]
    t = ct.load(x, (i, 0), (1, N), padding_mode=ZERO)
    mean = ct.sum(t, 1, keepdims=True) * (1.0 / n)
    variance = ct.sum(t * t, 1, keepdims=True) / n - mean * mean
    y = (t - mean) / ct.sqrt(variance + 1e-5)
    ct.store(out, (i, 0), y * ct.load(w, (0,), (N,), padding_mode=ZERO)[None, :])
"""


def softmax_of(kernel, tile, rows=4, columns=100, **options):
    x = randn(rows, columns)
    return run(kernel, (rows,), (x, np.zeros_like(x), 0.3, tile), **options)


def matmul_of(kernel, grid, *tiles, dtype=np.float32):
    a, b = randn(40, 50).astype(dtype), randn(50, 24, seed=1).astype(dtype)
    return run(kernel, grid, (a, b, np.zeros((40, 24), dtype), *tiles))


def norm_of(kernel):
    x, w = randn(3, 100), randn(100, seed=1)
    return run(kernel, (3,), (x, w, np.zeros_like(x), 128))


def test_sums_are_equal_in_any_order(load):
    x = randn(100)
    whole = run(load(SUM), (1,), (x, np.zeros(1, np.float32)))
    for text, grid in ((SUM_OF_PARTS, 1), (SUM_BY_ATOMICS, 13), (SUM_AS_PRODUCT, 1)):
        other = run(load(text), (grid,), (x, np.zeros(1, np.float32)))
        assert algebra.compare(whole, other) == algebra.Comparison("equal")
    rounded = np.zeros(1, np.float32), np.zeros(1, np.float32)
    tilewright.interpret(load(SUM), (1,), (x, rounded[0]))
    tilewright.interpret(load(SUM_OF_PARTS), (1,), (x, rounded[1]))
    assert rounded[0] != rounded[1]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_product_is_equal_whatever_its_tiles_and_however_it_is_split(load, dtype):
    plain = matmul_of(load(MATMUL), (3, 2), 16, 16, 16, dtype=dtype)
    assert verdict(plain, matmul_of(load(MATMUL), (5, 1), 8, 32, 64, dtype=dtype)) == "equal"
    if dtype == np.float32:
        assert verdict(plain, matmul_of(load(SPLIT_MATMUL), (3, 2, 3), 16, 16, 8, 3)) == "equal"


def test_softmax_is_equal_with_any_maximum_base_and_number_of_passes(load):
    whole = softmax_of(load(SOFTMAX), 128)
    assert verdict(whole, softmax_of(load(SOFTMAX_OF_TWO), 128)) == "equal"
    assert verdict(whole, softmax_of(load(ONLINE_SOFTMAX), 128)) == "equal"
    assert verdict(whole, softmax_of(load(ONLINE_SOFTMAX), 16)) == "equal"
    assert verdict(whole, softmax_of(load(SOFTMAX.replace("ct.max(t, 1, keepdims=True)", "0.7")), 128)) == "equal"


def test_layer_norm_is_equal_in_one_pass_and_in_two(load):
    assert verdict(norm_of(load(LAYER_NORM)), norm_of(load(LAYER_NORM_IN_ONE_PASS))) == "equal"


def test_functions_are_equal_as_exponentials_make_them(load):
    text = """
    @ct.kernel
    def gelu(x, out):
        t = ct.load(x, (0,), (16,))
        u = 0.7978845608 * (t + 0.044715 * t * t * t)
        ct.store(out, (0,), BODY)
    """
    runs = [
        run(load(text.replace("BODY", body)), (1,), (randn(16), np.zeros(16, np.float32)))
        for body in ("0.5 * t * (1 + ct.tanh(u))", "t / (1 + ct.exp(-2 * u))", "t - t / (ct.exp2(2 * LOG2E * u) + 1)")
    ]
    assert verdict(*runs[:2]) == verdict(*runs[1:]) == "equal"


def test_results_are_near_what_they_are_and_arrays_are_left_alone(load):
    x, out = randn(4, 100), np.full((4, 100), 7, np.float32)
    result = run(load(SOFTMAX), (4,), (x, out, 0.3, 128)).arrays[1]
    e = np.exp(0.3 * x.astype(float) - 0.3 * x.max(1, keepdims=True))
    exact = e / e.sum(1, keepdims=True)
    assert (np.abs(result.values - exact) <= 1e-15).all() and (result.errors < 1e-13).all()
    assert result.numbers.dtype == np.uint64 and result.numbers.shape == (4, 100, 2)
    assert (out == 7).all()


def test_threads_and_layouts_change_nothing_and_seeds_everything(load):
    kernel = load(SOFTMAX)
    runs = [softmax_of(kernel, 128, threads=threads) for threads in (1, 3)]
    assert verdict(*runs) == "equal"
    x = torch.from_numpy(randn(4, 100)).t().contiguous().t()
    assert verdict(runs[0], run(kernel, (4,), (x, torch.zeros(4, 100), 0.3, 128))) == "equal"
    other = softmax_of(kernel, 128, seed=1)
    assert (other.arrays[1].numbers != runs[0].arrays[1].numbers).any()
    with pytest.raises(ValueError, match="different fields"):
        algebra.compare(runs[0], other)


def test_arrays_that_share_memory_share_it_here_too(load):
    text = """
    @ct.kernel
    def steps(x, y):
        ct.store(x, (0,), ct.load(x, (0,), (8,)) + 1)
        ct.store(y, (0,), ct.load(y, (0,), (8,)) * 2)
    """
    both = np.arange(12, dtype=np.float32)
    x, y = run(load(text), (1,), (both[:8], both[4:])).arrays
    assert x.values.tolist() == [1, 2, 3, 4, 10, 12, 14, 16] and y.values.tolist() == [10, 12, 14, 16, 16, 18, 20, 22]
    assert both.tolist() == list(range(12))


def test_integers_are_exact_and_floats_become_them_where_that_is_known(load):
    text = """
    @ct.kernel
    def count(x, out, order):
        t = ct.load(x, (0,), (16,))
        ct.store(out, (0,), ct.astype(t / 3 * 6, ct.int32))
        ct.store(order, (0,), ct.argmax(t, 0))
    """
    x = np.arange(16, dtype=np.float32) - 5
    _, out, order = run(load(text), (1,), (x, np.zeros(16, np.int32), np.zeros(1, np.int32))).arrays
    assert out.tolist() == (2 * x).tolist() and order.tolist() == [15]


FAULTS = {
    "a mask that is off by one": (LAYER_NORM, norm_of, "< n\n", "< n - 1\n"),
    "a missing mask": (LAYER_NORM, norm_of, "ct.where(inside, t - mean, 0.0)", "t - mean"),
    "swapped operands": (LAYER_NORM, norm_of, "t - mean", "mean - t"),
    "a dropped epsilon": (LAYER_NORM, norm_of, " + 1e-5", ""),
    "another epsilon": (LAYER_NORM, norm_of, "1e-5", "1e-6"),
    "a wrong extent": (LAYER_NORM, norm_of, "n = x.shape[1]", "n = x.shape[0]"),
    "a root that is none": (LAYER_NORM, norm_of, "ct.rsqrt(", "(1.0 / "),
    "a dropped scale": (SOFTMAX, lambda kernel: softmax_of(kernel, 128), " * scale", ""),
    "a wrong padding": (SOFTMAX, lambda kernel: softmax_of(kernel, 128), "ct.PaddingMode.NEG_INF", "ZERO"),
    "another base": (SOFTMAX, lambda kernel: softmax_of(kernel, 128), "ct.exp(", "ct.exp2("),
    "a sum that is not rescaled": (ONLINE_SOFTMAX, lambda kernel: softmax_of(kernel, 16), " * ct.exp(m - new)", ""),
    "a loop without its tail": (ONLINE_SOFTMAX, lambda kernel: softmax_of(kernel, 16), "ct.cdiv(x.shape[1], N)", "x.shape[1] // N"),
    "a wrong stride": (SPLIT_MATMUL, lambda kernel: matmul_of(kernel, (3, 2, 2), 16, 16, 8, 2), "i * M +", "i * (M - 1) +"),
    "a step too few": (MATMUL, lambda kernel: matmul_of(kernel, (3, 2), 16, 16, 16), "ct.cdiv(a.shape[1], K)", "a.shape[1] // K"),
    "a sum that is dropped": (MATMUL, lambda kernel: matmul_of(kernel, (3, 2), 16, 16, 16), "mma(x, y, acc)", "mma(x, y, acc * 0)"),
    "a program that is doubled": (SUM_BY_ATOMICS, lambda kernel: run(kernel, (13,), (randn(100), np.zeros(1, np.float32))),
                                  "ct.bid(0)", "ct.bid(0) // 2 * 2"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_single_fault_is_a_difference(load, fault):
    text, run_of, right, wrong = FAULTS[fault]
    assert right in text
    comparison = algebra.compare(run_of(load(text)), run_of(load(text.replace(right, wrong))))
    assert comparison.verdict == "different"
    assert "about" in comparison.reason and len(comparison.place) > 1


OUTSIDE = {
    "an exponential of an exponential": ("ct.exp(ct.exp(t))", "an exponential is taken here of what has an exponential in it"),
    "a quotient by zero": ("1 / (t - t)", "zero is the divisor here"),
    "a comparison that is too close": ("ct.where(t / 3 > t * (1.0 / 3.0000000000000004), t, 0.0)", "too near for float64 to tell"),
    "a rounding that is too close": ("ct.floor(2 + (t / 3 - t * 0.333333333333333333))", "float64 does not tell what integer"),
    "bits": ("ct.astype(ct.bitcast(t, ct.int32), ct.float32)", "the bits of a float are taken here"),
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_what_a_field_cannot_say_is_not_applicable_and_tells_the_line(load, what):
    body, reason = OUTSIDE[what]
    text = f"""
    @ct.kernel
    def outside(x, out):
        t = ct.load(x, (0,), (4,))
        u = {body}
        ct.store(out, (0,), u)
    """
    arguments = np.float32([1.5, 2.5, 0.5, 1.0]), np.zeros(4, np.float32)
    with pytest.raises(tilewright.NotApplicable) as caught:
        run(load(text), (1,), arguments)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic["code"] == "TW413"
    assert diagnostic["message"] == "not applicable: a number that `algebra` does not know is stored"
    origin = diagnostic["notes"][0]
    assert reason in origin["message"] and origin["span"]["start"]["line"] == len(_PREFIX.splitlines()) + 5
    chosen = text.replace("out, (0,), u", "out, (0,), ct.where(ct.arange(4, dtype=ct.int32) < 0, u, t)")
    assert run(load(chosen), (1,), arguments).arrays[1].values.tolist() == arguments[0].tolist()


def test_a_branch_on_what_is_not_known_is_not_applicable(load):
    text = """
    @ct.kernel
    def branch(x, out):
        t = ct.load(x, (0,), ())
        if t / 3 * 3 > t:
            ct.store(out, (0,), 1.0)
        if t / 3 > t * 0.333333333333333333:
            ct.store(out, (0,), 2.0)
    """
    with pytest.raises(tilewright.NotApplicable, match="does not know decides a branch"):
        run(load(text), (1,), (np.ones(1, np.float32), np.zeros(1, np.float32)))


def test_memory_of_two_dtypes_is_not_applicable(load):
    x = np.zeros(128, np.float32)
    with pytest.raises(tilewright.NotApplicable, match="TW414"):
        run(load(SUM), (1,), (x, x.view(np.int32)))


def test_what_has_no_meaning_is_no_number_here_either(load):
    with pytest.raises(tilewright.KernelError, match="TW404") as caught:
        run(load(SUM.replace(", padding_mode=ZERO", "")), (1,), (randn(100), np.zeros(1, np.float32)))
    assert not isinstance(caught.value, tilewright.NotApplicable)


def test_numbers_that_differ_by_less_than_float64_tells_are_neither_equal_nor_different(load):
    root = SUM.replace("ct.sum(t)", "ct.sqrt(ct.sum(t)) * ct.sqrt(ct.sum(t))")
    x = np.abs(randn(100))
    comparison = algebra.compare(*(run(load(text), (1,), (x, np.zeros(1, np.float32))) for text in (SUM, root)))
    assert comparison.verdict == "not applicable" and "less than float64 tells" in comparison.reason


def test_a_program_that_goes_on_with_what_it_writes_is_not_run_in_algebra():
    with pytest.raises(ValueError, match="call interpret"), tilewright.on_cpu(numbers="algebra"):
        pass


def test_memory_that_nothing_has_written_is_no_number_and_stays_unwritten(load):
    x, out = randn(100), np.zeros(1, np.float32)
    run(load(SUM), (1,), (x, out), uninitialized=[out])
    with pytest.raises(tilewright.KernelError, match="memory that nothing has written is read here"):
        run(load(SUM), (1,), (x, out), uninitialized=[x[7:9]])
    with tilewright.on_cpu(numbers="poison"):
        total = torch.empty(1)
        run(load(SUM), (1,), (x, total))
        with pytest.raises(tilewright.KernelError, match="memory that nothing has written is read here"):
            tilewright.interpret(load(SUM), (1,), (total, out), numbers="poison")


def of_constants(load, body, *numbers):
    text = f"""
    @ct.kernel
    def scaled(x, out{", s" if numbers else ""}):
        t = ct.load(x, (0,), (128,))
        ct.store(out, (0,), {body})
    """
    return run(load(text), (1,), (randn(128), np.zeros(128, np.float32), *numbers))


@pytest.mark.parametrize(
    "first, second",
    [
        ("t * 0.6931472", "t * 0.3465736 + t * 0.3465736"),
        ("t * 0.6931472", "t * (0.3465736 * 2)"),
        ("ct.exp2(t * 1.442695)", "ct.exp2(t * 0.7213475 + t * 0.7213475)"),
    ],
)
def test_what_a_constant_stands_for_makes_no_difference(load, first, second):
    assert verdict(of_constants(load, first), of_constants(load, second)) == "not applicable"


@pytest.mark.parametrize("log2e", [1.4426950408889634, 1.44269504])
def test_a_scale_that_is_multiplied_on_the_host_is_not_different(load, log2e):
    inside = of_constants(load, f"ct.exp2(t * (s * {log2e}))", 0.3)
    assert verdict(inside, of_constants(load, "ct.exp(t * s)", 0.3)) == "equal"
    assert verdict(inside, of_constants(load, "ct.exp2(t * s)", 0.3 * log2e)) == "not applicable"


def test_constants_that_are_two_in_float32_are_not_equal(load):
    assert verdict(of_constants(load, "t * 0.6931472"), of_constants(load, "t * 0.69314690")) == "different"
    assert verdict(of_constants(load, "t * s", 1.4426945), of_constants(load, "t * s", 1.4426956)) == "different"


def test_a_comparison_with_what_a_constant_stands_for_is_not_decided(load):
    text = """
    @ct.kernel
    def same(x, out):
        t = ct.load(x, (0,), (1,))
        ct.store(out, (0,), ct.where(t == 0.6931472, 1.0, 0.0))
    """
    with pytest.raises(tilewright.NotApplicable, match="too near for float64 to tell"):
        run(load(text), (1,), (np.float32([0.6931472]), np.zeros(1, np.float32)))


def test_seeds_that_are_one_field_are_compared_as_that(load):
    x = randn(100)
    runs = [run(load(SUM), (1,), (x, np.zeros(1, np.float32)), seed=seed) for seed in (0, 2**64)]
    assert algebra.compare(*runs) == algebra.Comparison("equal")


def test_a_machine_without_numpy_is_told_before_anything_runs(load, monkeypatch):
    kernel, x, out = load(SUM), randn(100), np.zeros(1, np.float32)
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "numpy" else find(name, *rest))
    with pytest.raises(ModuleNotFoundError, match="`algebra` returns arrays of numpy, which is not installed"):
        run(kernel, (1,), (x, out))
