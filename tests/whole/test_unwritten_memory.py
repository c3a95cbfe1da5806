# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that nothing has written: `uninitialized` of tilewright.interpret, and what torch.empty makes under tilewright.on_cpu."""

import importlib.util
import textwrap

import numpy as np
import pytest
import tilewright
import torch

_KERNELS = """
import cuda.tile as ct
import torch


@ct.kernel
def add_one(x, out, N: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (N,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i,), t + 1)


def launch(x, out, n=4):
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), n),), add_one, (x, out, n))
"""


@pytest.fixture
def kernels(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(textwrap.dedent(_KERNELS))
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_array_that_is_written_before_it_is_read_is_no_mistake(kernels):
    for x, out in ((np.ones(8, np.float32), np.empty(8, np.float32)), (torch.ones(8), torch.empty(8))):
        tilewright.interpret(kernels.add_one, (2,), (x, out, 4), numbers="poison", uninitialized=[out])
        assert out.tolist() == [2.0] * 8


def test_an_array_that_is_read_first_is_told_with_the_load_and_the_lane(kernels):
    for x in (np.ones(8, np.float32), torch.ones(8)):
        with pytest.raises(tilewright.KernelError) as caught:
            tilewright.interpret(kernels.add_one, (2,), (x, x, 4), numbers="poison", uninitialized=[x[6:]])
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic["code"] == "TW404"
        assert diagnostic["message"] == "a value that has no meaning is stored"
        assert "in program (1, 0, 0), lane (2)" in str(caught.value)
        origin = diagnostic["notes"][0]
        assert origin["message"] == "memory that nothing has written is read here"
        assert _KERNELS.splitlines()[origin["span"]["start"]["line"] - 1].strip().startswith("t = ct.load(x")


def test_views_of_one_memory_are_unwritten_together(kernels):
    both = np.ones((2, 8), np.float32)
    with pytest.raises(tilewright.KernelError, match="TW404"):
        views = [both[0], both[1]]
        tilewright.interpret(kernels.add_one, (1,), (both[1], np.ones(4, np.float32), 4), numbers="poison", uninitialized=views)


def test_what_is_uninitialized_is_a_list_of_arrays(kernels):
    with pytest.raises(TypeError, match="a list of arrays, not ndarray"):
        tilewright.interpret(kernels.add_one, (1,), (1, 2, 4), uninitialized=np.ones(2))
    with pytest.raises(TypeError, match="int is no array"):
        tilewright.interpret(kernels.add_one, (1,), (1, 2, 4), uninitialized=[3])


WRITTEN = {
    "a kernel": lambda x, kernels: kernels.launch(torch.ones_like(x), x),
    "zero_": lambda x, kernels: x.zero_(),
    "copy_": lambda x, kernels: x.view(2, 4).t().copy_(torch.ones(4, 2)),
    "out": lambda x, kernels: torch.add(torch.ones(8), 1, out=x),
    "an index": lambda x, kernels: (x.__setitem__(slice(None, 5), 1.0), x.__setitem__(torch.arange(8) > 4, 2.0)),
    "numpy": lambda x, kernels: x.numpy().fill(1),
    "normal_": lambda x, kernels: torch.nn.init.normal_(x),
    "inference": lambda x, kernels: torch.inference_mode()(lambda: x.fill_(1))(),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_what_torch_or_a_kernel_has_written_may_be_read(kernels, how):
    with tilewright.on_cpu(numbers="poison"):
        x, out = torch.empty(8, device="cuda"), torch.empty(8, device="cuda")
        WRITTEN[how](x, kernels)
        kernels.launch(x, out)
        kernels.launch(out, out)


UNWRITTEN = {
    "nothing": lambda x, kernels: x,
    "a part": lambda x, kernels: x[:5].fill_(1),
    "an index": lambda x, kernels: x.__setitem__(slice(1, None), 1.0),
    "a kernel": lambda x, kernels: kernels.launch(torch.ones(7), x[:7]),
    "a question": lambda x, kernels: (x.shape, x.is_cuda, x.stride(), x.view(2, 4).t()),
}
MADE = {
    "empty": lambda: torch.empty(8, device="cuda"),
    "empty_like": lambda: torch.empty_like(torch.ones(8, device="cuda")),
    "new_empty": lambda: torch.ones(2, device="cuda").new_empty(8),
    "empty_strided": lambda: torch.empty_strided((8,), (1,), device="cuda"),
}


@pytest.mark.parametrize("how", UNWRITTEN)
@pytest.mark.parametrize("made", MADE)
def test_what_is_made_empty_and_not_written_is_found_where_a_kernel_reads_it(kernels, how, made):
    with tilewright.on_cpu(numbers="poison"):
        x = MADE[made]()
        UNWRITTEN[how](x, kernels)
        with pytest.raises(tilewright.KernelError, match="memory that nothing has written is read here"):
            kernels.launch(x, torch.empty_like(x))
    with tilewright.on_cpu():
        kernels.launch(torch.empty(8), torch.empty(8))


def test_a_launch_in_ieee_writes_too(kernels):
    with tilewright.on_cpu(numbers="poison"):
        x = torch.empty(8)
        with tilewright.on_cpu(numbers="ieee"):
            kernels.launch(torch.ones(8), x)
        kernels.launch(x, torch.empty(8))
