# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A GPU for torch where there is none: its tensors lie in the CPU's memory and are calculated with there.

A program asks torch.cuda what there is, allocates with device="cuda", moves tensors to and fro and asks them where they are. While
`gpu` lasts, all of this is answered as by one GPU, `cuda:0`. Which tensors are on it is known by their storage, so that views, results
and gradients of a tensor are where it is, and `.cpu()` and `.cuda()` copy as they do between two memories.

What is not there: CUDA graphs and further GPUs (both raise), autocast for "cuda" (it changes no dtype), `torch.cuda.FloatTensor` and
its kin, torch.compile, and what other libraries than torch do with a GPU. Tensors on both sides of one operation are no error. Random
numbers are those of the CPU. Functions that torch.vmap and torch.func transform, and hooks of modules and of nodes, are called with
tensors that say they are on the CPU; hooks of tensors are not.
"""

import contextlib
import threading
import time
import types
import weakref

import torch
from torch.autograd.function import BackwardCFunction, Function
from torch.overrides import TorchFunctionMode
from torch.utils import _device

from tilewright.shared import Shared
from tilewright.unwritten_tensors import Watch, storage_of, tensors_in

_BEFORE_OTHERS = 0  # of those who say where a storage is saved from or loaded to
_PROCESSORS = 148
_MEMORY = 80 << 30
_NAME = "CPU"


@contextlib.contextmanager
def gpu(capability):
    """A GPU of that compute capability, (major, minor), in this thread and in all that are started while it lasts.

    There is one: who enters while it is there finds the tensors that are on it, and may give it another capability for himself.
    """
    with _gpu.entered(tuple(capability)), _tensors_of_gpu:
        yield


@contextlib.contextmanager
def unwritten_memory():
    """While it lasts, inside of `gpu`, it is known which memory of tensors nothing has written."""
    with _watch_of_memory.entered(None):
        yield


def unwritten(tensor):
    """The marks of the memory of a tensor (tilewright.unwritten), or None where all of it is written."""
    watch = _tensors_of_gpu.watch
    if watch is None:
        return None
    with torch._C.DisableTorchFunction():
        return watch.of(tensor)


def _install_watch(undo):
    _tensors_of_gpu.watch = Watch()
    undo.callback(setattr, _tensors_of_gpu, "watch", None)


def _install(undo):
    for owner, name, value in _faces():
        _set(owner, name, value, undo)
    tensors = _tensors_of_gpu
    undo.callback(tensors.forget)
    _set(threading.Thread, "start", _started_inside(tensors, threading.Thread.start), undo)  # a mode is of one thread
    _set(Function, "apply", _noting(tensors, vars(Function)["apply"]), undo)
    _set(BackwardCFunction, "apply", _backward_inside(tensors, BackwardCFunction.apply), undo)
    location = (_BEFORE_OTHERS, tensors.location, tensors.restored)
    torch.serialization._package_registry.insert(0, location)
    undo.callback(torch.serialization._package_registry.remove, location)


def _set(owner, name, value, undo):
    if name in vars(owner):
        undo.callback(setattr, owner, name, vars(owner)[name])
    else:
        undo.callback(delattr, owner, name)
    setattr(owner, name, value)


def _started_inside(tensors, start):
    def start_inside(thread):
        run = thread.run

        def run_inside():
            with tensors:
                run()

        thread.run = run_inside
        start(thread)

    return start_inside


def _noting(tensors, apply):
    """Of what an autograd function returns, it is noted what is on the GPU: its gradient will be there too."""

    def noting(cls, *args, **kwargs):
        out = apply.__func__(cls, *args, **kwargs)
        outs = out if isinstance(out, tuple) else (out,)
        for node in {tensor.grad_fn for tensor in tensors_in(outs) if isinstance(tensor.grad_fn, BackwardCFunction)}:
            node.tilewright_on_gpu = [isinstance(tensor, torch.Tensor) and tensors.has(tensor) for tensor in outs]
        return out

    return classmethod(noting)


def _backward_inside(tensors, apply):
    """While gradients are calculated modes are off, and tensors are made that no mode has seen."""

    def backward_inside(node, *gradients):
        for gradient, on_gpu in zip(gradients, getattr(node, "tilewright_on_gpu", ())):
            if isinstance(gradient, torch.Tensor):
                tensors.put(gradient, on_gpu)
        with tensors:
            return apply(node, *gradients)

    return backward_inside


class _Tensors(TorchFunctionMode):
    """What is asked of tensors, and which of them are on the GPU."""

    def __init__(self):
        super().__init__()
        self._storages = weakref.WeakSet()  # on the GPU
        self.watch = None  # of unwritten memory, if anybody asks

    def __torch_function__(self, function, _, args=(), kwargs=None):
        if self.watch is None:
            return self._answer(function, args, kwargs)
        return self.watch.call(function, args, kwargs or {}, lambda: self._answer(function, args, kwargs))

    def _answer(self, function, args, kwargs):
        kwargs = dict(kwargs or {})
        kwargs.pop("pin_memory", None)
        if function is torch.Tensor.type and (args[1] if len(args) > 1 else kwargs.get("dtype")) is None:
            name = function(*args, **kwargs)
            return name.replace("torch.", "torch.cuda.", 1) if self.has(_subject(args, kwargs)) else name
        if function in _HOOKS:
            tensor, hook = _HOOKS[function](*args, **kwargs)
            return function(tensor, self._hooked(tensor, hook))
        if function in _QUESTIONS:
            tensor = _subject(args, kwargs)
            return _QUESTIONS[function](tensor) if self.has(tensor) else function(*args, **kwargs)
        if function in _MOVES:
            return self._moved(_subject(args, kwargs), *_MOVES[function](*args, **kwargs))
        wanted = kwargs.get("device")
        if wanted is None and function in _device._device_constructors():
            wanted = _device.CURRENT_DEVICE
        if wanted is None:
            return self._done(function, args, kwargs)
        on_gpu = _is_gpu(wanted)
        if on_gpu:
            kwargs["device"] = "cpu"
        out = function(*args, **kwargs)
        if function in (torch.asarray, torch.as_tensor):  # may have taken the memory of what it was given
            given = _subject(args, kwargs)
            is_there = isinstance(given, torch.Tensor) and self.has(given) == on_gpu
            return out if is_there else self.put(out.clone(), on_gpu)
        return self.put(out, on_gpu)

    def _hooked(self, tensor, hook):
        """Hooks are called while gradients are calculated, when modes are off; a gradient is where its tensor is."""
        on_gpu = self.has(tensor)

        def hooked(gradient):
            self.put(gradient, on_gpu)
            with self:
                return hook(gradient)

        return hooked

    def forget(self):
        self._storages.clear()

    def location(self, storage):
        """Of what is saved: where it is; None for torch to say so."""
        return "cuda:0" if _untyped(storage) in self._storages else None

    def restored(self, storage, location):
        """Of what is loaded: the storage if its place is on the GPU, else None."""
        if not location.startswith("cuda") or not _is_gpu(location):
            return None
        self._storages.add(_untyped(storage))
        return storage

    def has(self, tensor):
        return storage_of(tensor) in self._storages

    def put(self, out, on_gpu):
        """A new tensor, or several; returns them."""
        for tensor in tensors_in(out):
            storage = storage_of(tensor)
            if storage is not None:
                (self._storages.add if on_gpu else self._storages.discard)(storage)
        return out

    def _done(self, function, args, kwargs):
        """What is made of tensors on the GPU is there, unless it is a tensor that was given: a target elsewhere."""
        storages = {storage for storage in map(storage_of, tensors_in((args, kwargs))) if storage is not None}
        out = function(*args, **kwargs)
        if any(storage in self._storages for storage in storages):
            for tensor in tensors_in(out):
                if (storage := storage_of(tensor)) is not None and storage not in storages:
                    self._storages.add(storage)
        return out

    def _moved(self, tensor, target, convert):
        """A copy of a tensor if it is elsewhere; `target` is a device, a tensor or None; `convert` does the rest."""
        on_gpu = self.has(tensor)
        wanted = on_gpu if target is None else self.has(target) if isinstance(target, torch.Tensor) else _is_gpu(target)
        out = convert(tensor)
        if storage_of(out) is not storage_of(tensor):
            return self.put(out, wanted)
        return out if wanted == on_gpu else self.put(out.clone(), wanted)


def _is_gpu(device):
    """Of what a call takes for a device: "cuda", torch.device("cuda", 0), 0; raises if it is a second GPU."""
    device = torch.device("cuda", device) if type(device) is int else torch.device(device)
    if device.type == "cuda" and device.index not in (None, 0):
        raise RuntimeError(f"CUDA error: invalid device ordinal: there is one GPU, cuda:0, not {device}")
    return device.type == "cuda"


def _subject(args, kwargs):
    """What a call is about: its first argument, which some programs name."""
    return args[0] if args else next(kwargs[name] for name in ("self", "input", "data", "obj") if name in kwargs)


def _in_memory(device):
    """Where torch is to put what goes to a device: the CPU's memory, or a device without one, like "meta"."""
    if isinstance(device, (int, torch.Tensor)) or torch.device(device).type in ("cpu", "cuda"):
        return "cpu"
    return device


def _untyped(storage):
    return storage if isinstance(storage, torch.UntypedStorage) else storage.untyped()


# Of a tensor on the GPU.
_QUESTIONS = {
    torch.Tensor.device.__get__: lambda tensor: torch.device("cuda", 0),
    torch.Tensor.is_cuda.__get__: lambda tensor: True,
    torch.Tensor.is_cpu.__get__: lambda tensor: False,
    torch.Tensor.get_device: lambda tensor: 0,
    torch.get_device: lambda tensor: 0,
}


def _cuda(tensor, device=None, non_blocking=False, memory_format=None):
    return "cuda" if device is None else device, lambda tensor: tensor


def _cpu(tensor, memory_format=None):
    return "cpu", lambda tensor: tensor


def _to(tensor, *args, other=None, device=None, **kwargs):
    target = other if other is not None else device
    if args and not isinstance(args[0], torch.dtype):
        target, *args = args
    if isinstance(target, torch.Tensor):
        args = [target.dtype, *args]
    if target is None:
        return target, lambda tensor: tensor.to(*args, **kwargs)
    names = ("dtype", "non_blocking", "copy")  # after a device
    return target, lambda tensor: tensor.to(_in_memory(target), **dict(zip(names, args)), **kwargs)


def _type(tensor, dtype=None, non_blocking=False):
    if isinstance(dtype, torch.dtype):
        return None, lambda tensor: tensor.to(dtype)
    name = dtype if isinstance(dtype, str) else f"{dtype.__module__}.{dtype.__name__}"
    on_cpu = name.replace("torch.cuda.", "torch.")
    return "cpu" if name == on_cpu else "cuda", lambda tensor: tensor.type(on_cpu)


def _pinned(tensor, device=None):
    return None, lambda tensor: tensor


# A call's arguments → where its tensor goes (a device, a tensor there, or None), and what else becomes of it.
_MOVES = {
    torch.Tensor.cuda: _cuda,
    torch.Tensor.cpu: _cpu,
    torch.Tensor.to: _to,
    torch.Tensor.type: _type,
    torch.Tensor.pin_memory: _pinned,
}


def _hook(self, hook):
    return self, hook


_HOOKS = {torch.Tensor.register_hook: _hook, torch.Tensor.register_post_accumulate_grad_hook: _hook}


class _Stream:
    """All work is done when the call that asks for it returns."""

    cuda_stream = 0
    priority = 0

    def __init__(self, *_, **__):
        self.device = torch.device("cuda", 0)

    def synchronize(self):
        pass

    wait_event = wait_stream = lambda self, other: None

    def query(self):
        return True

    def record_event(self, event=None):
        event = event or _Event()
        event.record(self)
        return event

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def __eq__(self, other):
        return isinstance(other, _Stream)

    def __hash__(self):
        return 0


class _Event:
    def __init__(self, *_, **__):
        self._time = None

    def record(self, stream=None):
        self._time = time.perf_counter()

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, end):
        """Milliseconds."""
        return 1e3 * (end._time - self._time)


class _AnyGenerator(type(torch.Generator)):
    def __instancecheck__(cls, value):
        return isinstance(value, torch._C.Generator)


class _Generator(torch.Generator, metaclass=_AnyGenerator):
    def __new__(cls, device="cpu"):
        _is_gpu(device)
        return super().__new__(cls, "cpu")


class _Context(contextlib.nullcontext):
    def __init__(self, *_, **__):
        super().__init__()


def _no_graph(*_, **__):
    raise RuntimeError("there are no CUDA graphs on the CPU: a replay would not run the kernels again")


def _answer(value):
    return lambda *_, **__: value


def _seed(seed):
    torch.default_generator.manual_seed(int(seed))


def _properties(*_, **__):
    major, minor = _gpu.options
    return types.SimpleNamespace(
        name=_NAME, major=major, minor=minor, multi_processor_count=_PROCESSORS, total_memory=_MEMORY, warp_size=32,
        L2_cache_size=50 << 20, max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536,
        shared_memory_per_block=48 << 10, shared_memory_per_block_optin=227 << 10, shared_memory_per_multiprocessor=228 << 10,
    )  # fmt: skip


def _faces():
    """What is set while there is a GPU: (owner, name, value)."""
    answers = dict(
        is_available=True, is_initialized=True, device_count=1, current_device=0, get_device_name=_NAME,
        is_bf16_supported=True, is_current_stream_capturing=False, memory_allocated=0, memory_reserved=0, max_memory_allocated=0,
        max_memory_reserved=0, mem_get_info=(_MEMORY, _MEMORY), can_device_access_peer=False,
        current_stream=_Stream(), default_stream=_Stream(),
    )  # fmt: skip
    silent = ("synchronize", "empty_cache", "set_device", "set_stream", "init", "ipc_collect", "reset_peak_memory_stats",
              "reset_max_memory_allocated", "_lazy_init")  # fmt: skip
    cuda = torch.cuda
    yield from ((cuda, name, _answer(value)) for name, value in answers.items())
    yield cuda, "get_device_properties", _properties
    yield cuda, "get_device_capability", lambda *_, **__: _gpu.options
    yield cuda, "get_arch_list", lambda: ["sm_{}{}".format(*_gpu.options)]
    yield from ((cuda, name, _answer(None)) for name in silent)
    yield from ((cuda, name, _Context) for name in ("device", "device_of", "stream", "StreamContext"))
    yield from ((cuda, name, _no_graph) for name in ("graph", "CUDAGraph", "make_graphed_callables"))
    yield from ((cuda, name, _Stream) for name in ("Stream", "ExternalStream"))
    yield cuda, "Event", _Event
    yield from ((cuda, name, _seed) for name in ("manual_seed", "manual_seed_all"))
    yield cuda, "initial_seed", torch.initial_seed
    yield cuda, "get_rng_state", lambda device="cuda": torch.get_rng_state()
    yield cuda, "set_rng_state", lambda state, device="cuda": torch.set_rng_state(state)
    yield from ((cuda.nvtx, name, _answer(0)) for name in ("range_push", "range_pop", "range_start", "range_end", "mark"))
    yield torch._C, "_cuda_getCurrentRawStream", _answer(0)
    yield torch, "Generator", _Generator
    yield torch.Tensor, "record_stream", _answer(None)


_tensors_of_gpu = _Tensors()
_gpu = Shared("tilewright.on_cpu", _install)
_watch_of_memory = Shared("tilewright.on_cpu", _install_watch)
