# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""tilewright.interpret and tilewright.on_cpu: kernels of a file on the CPU."""

import importlib.util
import textwrap

import numpy as np
import pytest
import tilewright
import torch

_PREFIX = "import os\n\nimport cuda.tile as ct\nimport torch\n\nConstInt = ct.Constant[int]\n"
_SCALE = """
@ct.kernel
def scale(x, out, factor, N: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i,), (N,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i,), t * factor)
"""


@pytest.fixture
def load(tmp_path):
    """Text of kernels → the module that it is."""

    def load(text, name="kernels"):
        path = tmp_path / f"{name}.py"
        path.write_text(_PREFIX + textwrap.dedent(text))
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def line_of(text, part):
    return next(number for number, line in enumerate((_PREFIX + text).splitlines(), 1) if part in line)


def test_numpy_arrays_are_used_where_they_are(load):
    x, out = np.arange(10, dtype=np.float32), np.zeros(20, dtype=np.float32)
    tilewright.interpret(load(_SCALE).scale, (3,), (x, out[::2], 2.0, 4))
    assert out[::2].tolist() == (2 * x).tolist()
    assert not out[1::2].any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32])
def test_tensors_are_used_where_they_are(load, dtype):
    x = torch.arange(10).to(dtype)
    out = torch.zeros(10, dtype=dtype if dtype == torch.float64 else torch.float32)
    tilewright.interpret(load(_SCALE).scale, (3,), (x, out, 0.5, 4))
    assert torch.equal(out, x.to(out.dtype) * 0.5)


def test_the_function_under_the_decorator_will_do(load):
    x, out = torch.ones(4), torch.zeros(4)
    tilewright.interpret(load(_SCALE).scale._pyfunc, (1,), (x, out, 3.0, 4))
    assert out.tolist() == [3.0] * 4


def test_the_number_of_threads_changes_no_bit(load):
    text = """
    @ct.kernel
    def sums(x, out, N: ConstInt):
        t = ct.load(x, (ct.bid(0),), (N,))
        ct.atomic_add(out, 0, ct.sum(t))
    """
    x, outs = torch.randn(64 * 100), [torch.zeros(1) for _ in range(2)]
    for threads, out in zip((1, 4), outs):
        tilewright.interpret(load(text).sums, (100,), (x, out, 64), threads=threads)
    assert torch.equal(*outs)
    assert torch.allclose(outs[0], x.sum(), atol=1e-3)


def test_kernels_of_one_name_are_told_apart_by_their_place(load):
    module = load("""
    def make(x):
        return x

    if os.sep == "/":
        @ct.kernel
        def which(out):
            ct.store(out, (0,), 1.0)
    else:
        @ct.kernel
        def which(out):
            ct.store(out, (0,), 2.0)
    """)
    out = torch.zeros(1)
    tilewright.interpret(module.which, (1,), (out,))
    assert out.item() == (1.0 if __import__("os").sep == "/" else 2.0)


def test_numbers_that_only_python_knows_are_taken_from_the_module(load):
    module = load("""
    WIDTH = int("4")
    RATE = float("0.5")

    @ct.kernel
    def fill(out):
        ct.store(out, (0,), ct.full((WIDTH,), RATE, ct.float32))
    """)
    out = torch.zeros(4)
    tilewright.interpret(module.fill, (1,), (out,))
    assert out.tolist() == [0.5] * 4


_BY = """
import helpers

@ct.kernel
def scaled(x, out):
    ct.store(out, (0,), helpers.by(ct.load(x, (0,), (4,))))

@ct.kernel
def scaled_here(x, out):
    ct.store(out, (0,), ct.load(x, (0,), (4,)) * SCALE)
"""


@pytest.fixture
def load_two(load, tmp_path, monkeypatch):
    """Texts of a kernel's file and of `helpers`, which it imports → both modules."""

    def load_two(text, helpers):
        (tmp_path / "helpers.py").write_text(helpers)
        monkeypatch.delitem(__import__("sys").modules, "helpers", raising=False)
        return load(text), __import__("helpers")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    return load_two


def scaled(kernel):
    out = np.zeros(4, np.float32)
    tilewright.interpret(kernel, (1,), (np.ones(4, np.float32), out))
    return out[0]


def test_a_number_is_that_of_the_module_whose_function_reads_it(load_two):
    module, helpers = load_two('SCALE = int("5")\n' + _BY, 'SCALE = int("3")\ndef by(x):\n    return x * SCALE\n')
    assert (scaled(module.scaled), scaled(module.scaled_here)) == (3, 5)
    helpers.SCALE = 4
    assert (scaled(module.scaled), scaled(module.scaled_here)) == (4, 5)


def test_a_helpers_file_that_has_changed_is_read_again(load_two, tmp_path):
    module, helpers = load_two(_BY, "def by(x):\n    return x * 2\n")
    assert scaled(module.scaled) == 2
    (tmp_path / "helpers.py").write_text("def by(x):\n    return x * 12\n")
    assert scaled(module.scaled) == 12


def test_a_number_that_has_changed_since_the_module_was_run_is_what_it_is_now(load):
    module = load("""
    BY = 2
    PAIR = (1, 2)
    if BY:
        TWICE = 3

    @ct.kernel
    def by(x, out):
        ct.store(out, (0,), ct.load(x, (0,), (4,)) * BY)

    @ct.kernel
    def by_twice(x, out):
        ct.store(out, (0,), ct.load(x, (0,), (4,)) * TWICE * PAIR[1])
    """)
    assert (scaled(module.by), scaled(module.by_twice)) == (2, 6)
    module.BY, module.TWICE, module.PAIR = 8, 10, (0, 7)
    assert (scaled(module.by), scaled(module.by_twice)) == (8, 70)
    module.BY = float("inf")
    assert scaled(module.by) == np.inf
    module.BY = torch.ones(1)
    with pytest.raises(tilewright.KernelError, match="`BY`.* calculated on the host"):
        scaled(module.by)


def test_a_name_that_is_bound_twice_is_what_it_is_bound_to_now(load_two):
    module, helpers = load_two(
        """
from helpers import by, BY

def tenfold(x):
    return x * 10

if BY > 5:
    by = tenfold
    BY = 7

@ct.kernel
def scaled(x, out):
    ct.store(out, (0,), by(ct.load(x, (0,), (4,))) * BY)
""",
        "BY = 3\ndef by(x):\n    return x * 2\n",
    )
    with pytest.raises(tilewright.KernelError, match="`by` is a function of another file where the program runs"):
        scaled(module.scaled)
    module.by = module.tenfold
    assert scaled(module.scaled) == 30
    module.BY = 4
    assert scaled(module.scaled) == 40
    module.by = None
    with pytest.raises(tilewright.KernelError, match="`by` is no number, function or dtype where the program runs"):
        scaled(module.scaled)


def test_tuples_in_tuples_have_no_end_that_stops_the_interpreter(load):
    module = load("""
    DEEP = (1,)

    @ct.kernel
    def scaled(x, out):
        ct.store(out, (0,), ct.load(x, (0,), (4,)) * DEEP[0])
    """)
    assert scaled(module.scaled) == 1
    for _ in range(5000):
        module.DEEP = (module.DEEP,)
    with pytest.raises(tilewright.KernelError, match="`[*]` is not defined"):
        scaled(module.scaled)


def test_a_dtype_a_padding_or_a_helper_that_has_changed_is_not_the_old_one(load):
    module = load("""
    DTYPE = ct.float32
    PADDING = ct.PaddingMode.ZERO

    def by(x):
        return x * 3

    @ct.kernel
    def padded(x, out):
        t = ct.load(x, (1,), (4,), padding_mode=PADDING)
        ct.store(out, (0,), by(t.astype(DTYPE)))
    """)
    x, out = np.float32([0] * 4 + [1.25]), np.zeros(4, np.float32)

    def padded():
        tilewright.interpret(module.padded, (1,), (x, out))
        return out.tolist()

    assert padded() == [3.75, 0, 0, 0]
    module.DTYPE = module.ct.int32
    assert padded() == [3, 0, 0, 0]
    module.DTYPE = torch.float32
    module.PADDING = module.ct.PaddingMode.NEG_INF
    assert padded() == [3.75] + [-np.inf] * 3
    module.by = lambda x: x * 4
    with pytest.raises(tilewright.KernelError, match="`by` is another function where the program runs"):
        padded()


def test_a_kernel_inside_of_a_function_reads_the_variables_that_it_was_made_with(load):
    module = load("""
    by = 100
    from operator import add

    def make(by, add, width, dtype=ct.float32, padding=ct.PaddingMode.ZERO):
        minus = by - 1

        def less(x):
            return x - minus

        @ct.kernel
        def kernel(x, out):
            t = ct.load(x, (0,), (width,), padding_mode=padding).astype(dtype)
            ct.store(out, (0,), add(less(t * by), t))

        return kernel

    def make_unread():
        @ct.kernel
        def kernel(x, out):
            ct.store(out, (0,), later)
        if by == 0:
            later = 3
        return kernel

    class Kernels:
        @ct.kernel
        def twice(x, out):
            ct.store(out, (0,), ct.load(x, (0,), (4,)) * 2)

    def plain(x, out):
        ct.store(out, (0,), ct.load(x, (0,), (4,)) * by)
    """)
    x = np.float32([0, 1, 2, 3.5])

    def ran(kernel):
        out = np.zeros(4, np.float32)
        tilewright.interpret(kernel, (1,), (x, out))
        return out.tolist()

    two, three = module.make(2, module.ct.add, 4), module.make(3, module.ct.mul, 4, dtype=module.ct.int32)
    for _ in range(2):  # kernels of one place take turns
        assert ran(two) == [-1 + 3 * item for item in x]
        assert ran(three) == [(item * 3 - 2) * item for item in (0, 1, 2, 3)]
    assert ran(module.Kernels.twice) == [0, 2, 4, 7]
    assert ran(module.plain) == ran(module.ct.kernel(module.plain)) == [0, 100, 200, 350]
    with pytest.raises(tilewright.KernelError, match="TW152.*`add` is a value"):
        ran(module.make(2, max, 4))
    with pytest.raises(tilewright.KernelError, match="TW152.*`later` is a value"):
        ran(module.make_unread())


def test_what_a_text_does_not_bind_is_what_the_module_has(load, tmp_path):
    path = tmp_path / "bare.py"
    path.write_text("@ct.kernel\ndef kernel(x, out, N: ct.Constant[int]):\n    ct.store(out, (0,), add(ct.load(x, (0,), (N,)), BY))\n")
    ct = load("").ct
    names = {"ct": ct, "add": ct.add, "BY": 3}
    exec(compile(path.read_text(), path, "exec"), names)
    out = np.zeros(4, np.float32)
    tilewright.interpret(names["kernel"], (1,), (np.ones(4, np.float32), out, 4))
    assert out.tolist() == [4.0] * 4
    del names["BY"]
    with pytest.raises(tilewright.KernelError, match="TW100.*`BY`"):
        tilewright.interpret(names["kernel"], (1,), (np.ones(4, np.float32), out, 4))


def test_launches_of_an_unchanged_program_run_and_are_cuda_tiles_own_again_afterwards(load):
    module = load(_SCALE + """
from cuda.tile import launch


def run(x):
    out = torch.zeros_like(x)
    ct.launch(0, (1,), scale, (x, out, 2.0, 8))
    launch(0, (1,), scale, (out, out, 2.0, 8))
    return out
""")
    import cuda.tile

    before = cuda.tile.launch
    with tilewright.on_cpu():
        assert module.run(torch.ones(8)).tolist() == [4.0] * 8
    assert cuda.tile.launch is before is module.launch


def test_an_access_outside_names_place_block_lane_index_and_extent(load):
    text = """
@ct.kernel
def pick(x, out):
    i = ct.bid(0) * 8 + ct.arange(8, dtype=ct.int32)
    ct.scatter(out, i, ct.gather(x, i, check_bounds=False))
"""
    x, out = torch.ones(13), torch.zeros(16)
    with pytest.raises(tilewright.KernelError) as caught:
        tilewright.interpret(load(text).pick, (2,), (x, out))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic["code"] == "TW401"
    assert diagnostic["message"] == "a lane reads outside of `x`: index 13 on axis 0, whose extent is 13"
    assert diagnostic["span"]["start"]["line"] == line_of(text, "ct.scatter")
    assert "in program (1, 0, 0), lane (5)" in str(caught.value)
    assert "ct.gather(x, i, check_bounds=False)" in str(caught.value)


def test_undetermined_padding_is_found_only_in_poison_and_only_where_it_counts(load):
    module = load("""
    @ct.kernel
    def careless(x, out):
        ct.store(out, (0,), ct.sum(ct.load(x, (0,), (16,))))

    @ct.kernel
    def careful(x, out):
        t = ct.load(x, (0,), (16,))
        t = ct.where(ct.arange(16, dtype=ct.int32) < x.shape[0], t, 0.0)
        ct.store(out, (0,), ct.sum(t))
    """)
    x, out = torch.ones(13), torch.zeros(1)
    for kernel in (module.careful, module.careless):
        tilewright.interpret(kernel, (1,), (x, out))
        assert out.item() == 13.0
    tilewright.interpret(module.careful, (1,), (x, out), numbers="poison")
    with pytest.raises(tilewright.KernelError, match="TW404"):
        tilewright.interpret(module.careless, (1,), (x, out), numbers="poison")


def test_blocks_that_write_one_element_are_found_where_races_are_looked_for(load):
    module = load("""
    @ct.kernel
    def last(out):
        ct.store(out, (0,), ct.bid(0) + 1)
    """)
    out = torch.zeros(1, dtype=torch.int32)
    tilewright.interpret(module.last, (1,), (out,), races=True)
    tilewright.interpret(module.last, (2,), (out,))
    with pytest.raises(tilewright.KernelError, match=r"TW410(.|\n)*the other program is \(0, 0, 0\)"):
        tilewright.interpret(module.last, (2,), (out,), races=True)


def test_a_loop_that_waits_for_ever_is_ended(load):
    module = load("""
    @ct.kernel
    def wait(lock):
        while ct.atomic_cas(lock, 0, 0, 1) == 1:
            pass
    """)
    lock = torch.zeros(1, dtype=torch.int32)
    tilewright.interpret(module.wait, (1,), (lock,))
    with pytest.raises(tilewright.KernelError, match="TW403.*does not end"):
        tilewright.interpret(module.wait, (1,), (lock,), iterations=1000)


def test_what_cannot_be_launched_is_told_with_a_code(load):
    module = load(_SCALE + """
@ct.kernel
def refused(x):
    ct.store(x, (0,), ct.no_such_function(x))
""")
    x, out = torch.ones(4), torch.zeros(4)
    with pytest.raises(tilewright.KernelError, match="TW180"):
        tilewright.interpret(module.scale, (1,), (x, out))
    with pytest.raises(tilewright.KernelError, match="TW182|TW183"):
        tilewright.interpret(module.scale, (1,), (x, out, 1.0, 3))
    with pytest.raises(tilewright.KernelError, match="TW1.*no_such_function"):
        tilewright.interpret(module.refused, (1,), (x,))
    with pytest.raises(tilewright.KernelError, match="TW180.*int32"):
        tilewright.interpret(module.scale, (1,), (x, out, 2**40, 4))
    with pytest.raises(ValueError, match="grid"):
        tilewright.interpret(module.scale, (2**31,), (x, out, 1.0, 4))
    with pytest.raises(ValueError, match="number systems"):
        tilewright.interpret(module.scale, (1,), (x, out, 1.0, 4), numbers="decimal")
    with pytest.raises(TypeError, match="complex64"):
        tilewright.interpret(module.scale, (1,), (x.to(torch.complex64), out, 1.0, 4))


def test_integers_of_more_than_64_bits_hinder_only_who_passes_them(load):
    module = load("MASK = 0xFFFFFFFFFFFFFFFF\n" + _SCALE)
    x, out = torch.ones(4), torch.zeros(4)
    tilewright.interpret(module.scale, (1,), (x, out, 2.0, 4))
    assert out.tolist() == [2.0] * 4
    for beyond in (2**63, -(2**63) - 1):
        with pytest.raises(ValueError, match=f"64 bits, not {beyond}"):
            tilewright.interpret(module.scale, (1,), (x, out, 2.0, beyond))


def test_more_threads_than_a_system_has_are_no_trouble(load):
    out = np.zeros(5000, np.float32)
    kernel = load("""
    @ct.kernel
    def ones(out):
        ct.store(out, (ct.bid(0),), 1.0)
    """).ones
    tilewright.interpret(kernel, (5000,), (out,), threads=2**31)
    assert out.all()


_EACH = """
@ct.kernel
def each(xs, out):
    for i in range(len(xs)):
        ct.store(out, (i,), ct.load(xs[i], (0,), (4,)))
"""


def test_arrays_of_a_list_that_are_alike_are_used_where_they_are(load):
    out = np.zeros(8, np.float32)
    tilewright.interpret(load(_EACH).each, (1,), ([np.ones(4, np.float32), np.full(4, 2, np.float32)], out))
    assert out.tolist() == [1.0] * 4 + [2.0] * 4


@pytest.mark.parametrize("other", [np.ones(4), np.ones(4, np.int8), np.ones((2, 4), np.float32), np.array(3, np.float32)])
def test_an_array_of_a_list_that_is_unlike_the_first_is_named(load, other):
    out = np.zeros(8, np.float32)
    with pytest.raises(TypeError, match=f"item 1 .* {other.dtype} of rank {other.ndim}, and the first item float32 of rank 1"):
        tilewright.interpret(load(_EACH).each, (1,), ([np.ones(4, np.float32), other], out))
    assert not out.any()


@pytest.mark.parametrize("number", ["ct.num_tiles(x, 0, (N,))", "x.tiled_view((N,)).num_tiles(0)"])
def test_an_array_is_divided_only_into_tiles_that_cutile_has(load, number):
    kernel = load(f"""
    @ct.kernel
    def number(x, out, N: ConstInt):
        ct.scatter(out, 0, {number})
    """).number
    x, out = np.zeros(10, np.float32), np.zeros(1, np.int32)
    tilewright.interpret(kernel, (1,), (x, out, 4))
    assert out.tolist() == [3]
    for extent in (0, 3, -2, 2.0):
        with pytest.raises(tilewright.KernelError, match="TW182|TW180"):
            tilewright.interpret(kernel, (1,), (x, out, extent))


def test_a_grid_without_axes_is_one_block(load):
    out = torch.zeros(4)
    tilewright.interpret(load(_SCALE).scale, (), (torch.ones(4), out, 2.0, 4))
    assert out.tolist() == [2.0] * 4


@pytest.mark.parametrize(
    "grid, options, error, says",
    [
        ((1.7,), {}, TypeError, "a grid is a tuple of ints"),
        ("12", {}, TypeError, "a grid is a tuple of ints"),
        ((1, 1, 1, 1), {}, ValueError, "a grid has up to three axes"),
        ((-1,), {}, ValueError, "a grid has up to three axes"),
        ((1,), {"threads": -1}, ValueError, "threads is at least 0, not -1"),
        ((1,), {"threads": 1.5}, TypeError, "threads is an int, not 1.5"),
        ((1,), {"iterations": -1}, ValueError, "iterations is at least 1, not -1"),
        ((1,), {"races": "yes"}, TypeError, "races is True or False, not 'yes'"),
        ((1,), {"numbers": None}, TypeError, "numbers names a number system, as `ieee` does; it is not None"),
    ],
)
def test_wrong_options_are_told_by_their_names(load, grid, options, error, says):
    out = torch.zeros(4)
    with pytest.raises(error, match=says):
        tilewright.interpret(load(_SCALE).scale, grid, (torch.ones(4), out, 1.0, 4), **options)
    assert not out.any()


def test_what_is_no_kernel_of_a_file_is_told(load):
    with pytest.raises(TypeError, match="a kernel is a function, not int"):
        tilewright.interpret(3, (1,), ())
    names = {}
    exec("def k(out):\n    pass\n", names)
    with pytest.raises(OSError, match="the text of `k` is not at hand: <string> is no file"):
        tilewright.interpret(names["k"], (1,), (torch.zeros(4),))


def test_a_tile_that_no_machine_holds_is_told(load):
    out = torch.zeros(1)
    module = load("""
    @ct.kernel
    def huge(out, N: ConstInt):
        ct.store(out, (0,), ct.sum(ct.zeros((N, N), dtype=ct.float32)))
    """)
    with pytest.raises(tilewright.KernelError, match="TW411|TW182"):
        tilewright.interpret(module.huge, (1,), (out, 2**30))


def test_a_kernel_that_is_not_in_its_file_any_more_is_told(load, tmp_path):
    module = load(_SCALE)
    (tmp_path / "kernels.py").write_text("")
    with pytest.raises(tilewright.KernelError, match="TW408"):
        tilewright.interpret(module.scale, (1,), (torch.ones(4), torch.zeros(4), 1.0, 4))


def test_a_grid_with_a_zero_runs_nothing(load):
    out = torch.zeros(4)
    tilewright.interpret(load(_SCALE).scale, (0,), (torch.ones(4), out, 1.0, 4))
    assert not out.any()


@pytest.mark.parametrize("size", [0, 8])
def test_a_grid_that_is_larger_than_an_array_has_tiles_is_told(load, size):
    whole = torch.zeros(12)
    with pytest.raises(tilewright.KernelError, match=rf"TW412.*outside of `out`: at tile index {max(size // 4, 1)} on axis 0, whose extent is {size}"):
        tilewright.interpret(load(_SCALE).scale, (3,), (torch.ones(size), whole[:size], 1.0, 4))
    assert whole.tolist() == [1.0] * size + [0.0] * (12 - size)


@pytest.mark.parametrize(
    "array, says",
    [
        (torch.zeros(8, device="meta"), "on meta"),
        (torch.zeros(8).to_sparse(), "sparse"),
        (torch._neg_view(torch.ones(8)), "negates"),
        (np.zeros(8, ">f4"), "another order"),
        (np.frombuffer(bytes(32), np.float32), "read-only"),
        (np.zeros(8, np.complex64), "complex64"),
        (np.float32(8), "a numpy scalar, float32"),
    ],
)
def test_arrays_whose_elements_are_not_there_are_refused_before_anything_runs(load, array, says):
    out = np.zeros(8, np.float32)
    with pytest.raises((TypeError, ValueError), match=says):
        tilewright.interpret(load(_SCALE).scale, (2,), (array, out, 2.0, 4))
    assert not out.any()
