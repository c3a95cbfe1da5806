# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that ask for a GPU, as people write them, under tilewright.on_cpu."""

import concurrent.futures
import copy
import io
import pickle
import subprocess
import sys
import textwrap
import threading

import pytest
import tilewright
import torch

_PROGRAM = """
import cuda.tile as ct
import torch
from cuda.tile import launch


@ct.kernel
def scale(x, out, factor, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), (N,), padding_mode=ct.PaddingMode.ZERO) * factor)


def scaled(x, factor):
    assert x.is_cuda and x.device.type == "cuda"
    out = torch.empty_like(x)
    ct.launch(torch.cuda.current_stream(), (ct.cdiv(x.numel(), 4),), scale, (x, out, factor, 4))
    return out


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return scaled(x, factor)

    @staticmethod
    def backward(ctx, grad):
        assert grad.is_cuda
        grad_x = torch.zeros(grad.shape, device="cuda")
        grad_x += scaled(grad.contiguous(), ctx.factor)
        return grad_x, None


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.register_buffer("bias", torch.ones(4))

    def forward(self, x):
        return scaled(x * self.weight + self.bias, 2.0)
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "program.py").write_text(_PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "program", raising=False)
    return lambda: __import__("program")


def state():
    """What on_cpu must leave as it was."""
    import cuda.tile.tune

    owners = [cuda.tile, cuda.tile.tune, torch, torch._C, torch.cuda, torch.cuda.nvtx, torch.Tensor, threading.Thread]
    owners += [torch.serialization, torch.autograd.Function, torch.autograd.function.BackwardCFunction]
    found = {(owner.__name__, name): id(value) for owner in owners for name, value in vars(owner).items()}
    return found | {"places to load to": len(torch.serialization._package_registry)}


def test_all_is_as_it_was_afterwards_also_when_the_program_raises(program):
    program()  # cuda.tile imports parts of itself when the first kernel is made
    del sys.modules["program"]
    before = state()
    with pytest.raises(ZeroDivisionError):
        with tilewright.on_cpu():
            module = program()
            x = torch.ones(4, device="cuda")
            module.scaled(x, 2.0)
            1 / 0
    after = state()
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == set()
    assert module.launch is sys.modules["cuda.tile"].launch
    assert not x.is_cuda and x.device.type == "cpu"
    with pytest.raises((RuntimeError, AssertionError)):
        if torch.cuda.is_available():
            raise RuntimeError("there is one")
        torch.ones(4, device="cuda")


def test_tensors_of_the_cpu_stay_there(program):
    with tilewright.on_cpu():
        x = torch.ones(4)
        for tensor in (x, x + 1, x[1:], torch.zeros_like(x), x.to(torch.float16), x.cpu(), x.to("cpu"), torch.as_tensor(x)):
            assert (tensor.is_cuda, tensor.is_cpu, tensor.device, tensor.get_device()) == (False, True, torch.device("cpu"), -1)
        assert x.cpu() is x and x.to("cpu") is x
        assert torch.get_default_device() == torch.device("cpu")


def test_a_program_that_asks_for_a_gpu_runs(program):
    with tilewright.on_cpu():
        module = program()
        assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (10, 0)
        x = torch.randn(10, device="cuda", generator=torch.Generator(device="cuda").manual_seed(1))
        out = module.scaled(x, 3.0)
        torch.cuda.synchronize()
        torch.testing.assert_close(out, x * 3)
        assert out.device == torch.device("cuda", 0) == x.device
        assert torch.allclose(out.cpu(), x.cpu() * 3)
    with tilewright.on_cpu(capability=(8, 0)):
        assert torch.cuda.get_device_properties("cuda").major == 8


@pytest.mark.parametrize(
    "make",
    [
        lambda x: torch.ones(4, device="cuda"),
        lambda x: torch.ones(4, device=torch.device("cuda:0")),
        lambda x: torch.ones(4, device=torch.cuda.current_device()),
        lambda x: torch.tensor([1.0], device="cuda", pin_memory=False),
        lambda x: torch.as_tensor(x.numpy(), device="cuda"),
        lambda x: torch.empty_like(x, device="cuda"),
        lambda x: x.new_zeros(3, device="cuda"),
        lambda x: torch.testing.make_tensor(3, dtype=torch.float32, device="cuda"),
        lambda x: x.cuda(),
        lambda x: x.cuda(0, non_blocking=True),
        lambda x: x.pin_memory().cuda(),
        lambda x: x.to("cuda"),
        lambda x: x.to("cuda:0", torch.float16),
        lambda x: x.to(device="cuda", dtype=torch.float16, copy=True),
        lambda x: x.to(0),
        lambda x: x.to(torch.ones(1, device="cuda")),
        lambda x: torch.nn.Parameter(x.cuda()),
        lambda x: copy.deepcopy(x.cuda()),
        lambda x: x.cuda().t().reshape(-1)[1:].view(-1).detach().data,
        lambda x: x.cuda().sum(),
        lambda x: torch.topk(x.cuda(), 1).indices,
        lambda x: torch.stack([x.cuda(), x.cuda()]),
        lambda x: 1 + x.cuda(),
        lambda x: torch.zeros(4).to(x.cuda().device),
        lambda x: torch.full_like(x.cuda(), 2),
        lambda x: torch.nn.functional.softmax(x.cuda(), 0),
    ],
)
def test_what_is_put_on_the_gpu_or_made_of_what_is_there_is_there(make):
    with tilewright.on_cpu():
        x = torch.ones(4)
        tensor = make(x)
        assert (tensor.is_cuda, tensor.is_cpu, tensor.device, tensor.get_device()) == (True, False, torch.device("cuda", 0), 0)
        assert not x.is_cuda
        back = [tensor.cpu(), tensor.to("cpu"), torch.zeros(tensor.shape).copy_(tensor), torch.empty_like(tensor, device="cpu")]
        assert not any(there.is_cuda for there in back)
        assert tensor.cuda() is tensor and tensor.to("cuda") is tensor


def test_the_two_memories_are_two():
    with tilewright.on_cpu():
        x = torch.ones(4)
        on_gpu, array = x.cuda(), x.numpy()
        back, shared = on_gpu.cpu(), torch.as_tensor(array)
        from_array = torch.as_tensor(array, device="cuda")
        x.zero_()
        assert on_gpu.sum() == back.sum() == from_array.sum() == 4 and shared.sum() == 0
        on_gpu.fill_(2)
        assert back.sum() == 4


def test_a_default_device_is_where_tensors_are_made():
    with tilewright.on_cpu():
        with torch.device("cuda"):
            assert torch.ones(2).is_cuda and not torch.ones(2, device="cpu").is_cuda
        assert not torch.ones(2).is_cuda
        torch.set_default_device("cuda")
        try:
            assert torch.ones(2).is_cuda and torch.get_default_device().type == "cuda"
        finally:
            torch.set_default_device(None)


def test_gradients_are_calculated_by_kernels_too(program):
    with tilewright.on_cpu():
        module = program()
        x = torch.ones(6, device="cuda", requires_grad=True)
        module.Scale.apply(x, 3.0).sum().backward()
        assert x.grad.is_cuda and x.grad.tolist() == [3.0] * 6
        (grad,) = torch.autograd.grad(module.Scale.apply(x, 2.0).square().sum(), x)
        assert grad.is_cuda and grad.tolist() == [8.0] * 6


def test_modules_move(program):
    with tilewright.on_cpu():
        net = program().Net()
        with torch.no_grad():
            assert net.cuda()(torch.ones(4).cuda()).tolist() == [4.0] * 4
        assert net.weight.is_cuda and net.bias.is_cuda
        assert next(net.to("cpu").parameters()).device.type == "cpu"
        assert net.to("cuda", torch.float16).weight.device.type == "cuda"


def test_threads_that_are_started_have_the_gpu_too(program):
    with tilewright.on_cpu():
        module = program()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            outs = list(pool.map(lambda factor: module.scaled(torch.ones(4, device="cuda"), factor), (2.0, 3.0)))
        assert [out.tolist() for out in outs] == [[2.0] * 4, [3.0] * 4] and all(out.is_cuda for out in outs)


def test_seeds_streams_and_events_do_what_a_program_needs(program):
    with tilewright.on_cpu():
        torch.cuda.manual_seed(3)
        first = torch.randn(4, device="cuda")
        torch.cuda.manual_seed_all(3)
        assert torch.equal(first, torch.randn(4, device="cuda"))
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream), torch.cuda.device(0), torch.cuda.device(first.device):
            start.record()
            program().scaled(first, 2.0).record_stream(stream)
            end.record(stream)
        torch.cuda.synchronize()
        assert start.elapsed_time(end) >= 0
        with torch.random.fork_rng():
            torch.randn(1)


def test_arguments_may_be_named():
    with tilewright.on_cpu():
        there = torch.as_tensor(data=[1.0], device="cuda")
        assert there.is_cuda and not torch.asarray(obj=[1.0], device="cpu").is_cuda
        assert torch.get_device(input=there) == 0


def test_threads_may_enter_and_leave_in_any_order(program):
    program()
    before, entered, left, found = state(), threading.Event(), threading.Event(), []

    def first():
        with tilewright.on_cpu(capability=(9, 0)):
            others.start()
            entered.wait(60)
            found.append(torch.cuda.get_device_capability())
        left.set()

    def second():
        with tilewright.on_cpu(capability=(8, 0)):
            entered.set()
            left.wait(60)
            x = torch.ones(4, device="cuda")
            found.append(torch.cuda.get_device_capability())
            found.append(program().scaled(x, 3.0).tolist())

    others = threading.Thread(target=second)
    threads = threading.Thread(target=first), others
    threads[0].start()
    for thread in threads:
        thread.join()
    assert found == [(9, 0), (8, 0), [3.0] * 4]
    after = state()
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == set()
    assert not torch.overrides._get_current_function_mode_stack()


def test_one_inside_of_another_is_the_same_gpu(program):
    with tilewright.on_cpu():
        there = torch.ones(3, device="cuda")
        with tilewright.on_cpu(capability=(8, 6), numbers="poison"):
            copy_there, made = there.cpu(), torch.ones(3, device="cuda")
            copy_there += 1
            assert torch.cuda.get_device_properties(0).minor == 6
            assert torch.zeros(3).to(there).is_cuda and (there * 2).is_cuda
        assert torch.cuda.get_device_capability() == (10, 0)
        assert there.tolist() == [1.0] * 3 and made.is_cuda
        assert program().scaled(made, 2.0).is_cuda


def test_types_that_are_named_name_a_place():
    with tilewright.on_cpu():
        here, there = torch.ones(2), torch.ones(2, device="cuda")
        assert (here.type(), there.type()) == ("torch.FloatTensor", "torch.cuda.FloatTensor")
        assert there.type(None, non_blocking=True) == there.type(dtype=None) == there.type()
        assert there.type("torch.FloatTensor").device.type == "cpu" and there.type(torch.DoubleTensor).device.type == "cpu"
        assert here.type("torch.cuda.HalfTensor").is_cuda and here.type("torch.cuda.HalfTensor").dtype == torch.float16
        assert there.type(torch.float16).is_cuda and not here.type(torch.float16).is_cuda
        assert here.type("torch.FloatTensor") is here


def test_what_is_saved_is_loaded_where_it_was_or_where_it_is_wanted():
    with tilewright.on_cpu():
        for tensor in (torch.ones(2), torch.ones(2, device="cuda")):
            for wanted in (None, "cpu", "cuda", "cuda:0", torch.device("cuda")):
                file = io.BytesIO()
                torch.save({"x": tensor, "half": tensor[1:]}, file)
                file.seek(0)
                loaded = torch.load(file, map_location=wanted)
                where = tensor.device.type if wanted is None else torch.device(wanted).type
                assert (loaded["x"].device.type, loaded["half"].device.type) == (where, where), (tensor, wanted)
            assert pickle.loads(pickle.dumps(tensor)).device == tensor.device
        with pytest.raises(RuntimeError, match="there is one GPU"):
            file.seek(0)
            torch.load(file, map_location="cuda:1")


def test_hooks_of_tensors_are_given_gradients_that_are_there():
    with tilewright.on_cpu():
        for device in ("cpu", "cuda"):
            found = []
            x = torch.ones(2, device=device, requires_grad=True)
            x.register_hook(lambda gradient: found.append(gradient.device.type) or gradient * 2)
            x.register_post_accumulate_grad_hook(lambda leaf: found.append((leaf.device.type, leaf.grad.tolist())))
            (x * 3).sum().backward()
            assert found == [device, (device, [6.0, 6.0])] and x.grad.device.type == device


def test_what_is_kept_after_the_gpu_has_gone_says_so():
    def kept():
        cuda = torch.cuda
        return cuda.get_device_properties, cuda.get_device_capability, cuda.get_arch_list

    with tilewright.on_cpu():
        functions = kept()
        with tilewright.on_cpu():
            inner = kept()
        assert all(function() for function in functions + inner)
    with tilewright.on_cpu():
        assert all(function() for function in functions)
    for function in functions:
        with pytest.raises(RuntimeError, match="no `tilewright.on_cpu` is entered"):
            function()


def test_a_device_without_memory_is_no_gpu():
    with tilewright.on_cpu():
        for tensor in (torch.ones(2, device="cuda"), torch.ones(2)):
            for moved in (tensor.to("meta"), tensor.to(torch.device("meta")), tensor.to("meta", torch.float16)):
                assert moved.is_meta and not moved.is_cuda and moved.device.type == "meta"


def test_what_is_not_there_is_told():
    with tilewright.on_cpu():
        with pytest.raises(RuntimeError, match="there is one GPU"):
            torch.ones(1, device="cuda:1")
        with pytest.raises(RuntimeError, match="no CUDA graphs"):
            torch.cuda.CUDAGraph()


def test_pytest_collects_and_runs_tests_of_a_gpu(tmp_path):
    (tmp_path / "program.py").write_text(_PROGRAM)
    (tmp_path / "test_program.py").write_text(
        textwrap.dedent("""
        import pytest
        import torch
        from program import scaled

        pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")

        def test_scaled():
            assert scaled(torch.ones(5, device="cuda"), 2.0).tolist() == [2.0] * 5
        """)
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tilewright.pytest_on_cpu", tmp_path / "test_program.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
