# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A GPU that is not there: enough of torch.cuda, libcuda and Triton's driver for real host code to run on CPU tensors.

Host code asks the device for its kind and its number of processors, allocates with device="cuda" and launches.  Here the answers
are those of a GPU of the wanted kind, allocations land on the CPU, and tensors claim to be on cuda:0.  torch.cuda stays faked
until the process ends, so each use gets a process of its own.
"""

import ctypes
import re
import sys
import types

import torch
from torch.overrides import TorchFunctionMode

PROCESSORS = {"sm_80": 108, "sm_90": 132, "sm_100": 148, "sm_120": 188}
SHARED_MEMORY = {"sm_80": 163 << 10, "sm_90": 227 << 10, "sm_100": 227 << 10, "sm_120": 99 << 10}


class Anything:
    """Stream, event or context manager: every attribute is a function that returns another one."""

    cuda_stream = 0

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: Anything()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


class Event(Anything):
    def elapsed_time(self, _):
        return 1.0


def fake_torch_cuda(arch, processors=None):
    capability = divmod(int(arch[3:]), 10)
    processors = processors or PROCESSORS[arch]
    properties = types.SimpleNamespace(
        multi_processor_count=processors, major=capability[0], minor=capability[1], name=f"fake {arch}",
        total_memory=80 << 30, warp_size=32, L2_cache_size=50 << 20, max_threads_per_multi_processor=2048,
        regs_per_multiprocessor=65536, shared_memory_per_block_optin=SHARED_MEMORY[arch],
        shared_memory_per_multiprocessor=SHARED_MEMORY[arch] + 1024,
    )  # fmt: skip
    answers = dict(
        is_available=True, device_count=1, current_device=0, get_device_capability=capability, get_device_name=properties.name,
        get_device_properties=properties, is_current_stream_capturing=False, memory_allocated=0, memory_reserved=0,
        max_memory_allocated=0, mem_get_info=(80 << 30, 80 << 30), is_bf16_supported=True, initial_seed=0,
        get_arch_list=[arch], is_initialized=True,
    )  # fmt: skip
    for name, value in answers.items():
        setattr(torch.cuda, name, lambda *args, _value=value, **kwargs: _value)
    silent = ("synchronize", "empty_cache", "manual_seed", "manual_seed_all", "reset_peak_memory_stats", "set_device", "init",
              "_lazy_init", "ipc_collect", "reset_max_memory_allocated")  # fmt: skip
    for name in silent:
        setattr(torch.cuda, name, lambda *args, **kwargs: None)
    for name in ("device", "stream", "graph", "CUDAGraph", "current_stream", "default_stream", "ExternalStream"):
        setattr(torch.cuda, name, Anything)
    torch.cuda.Stream = type("Stream", (Anything,), {})
    torch.cuda.Event = Event


def _on_cpu(value):
    cuda = (isinstance(value, torch.device) and value.type == "cuda") or (
        isinstance(value, str) and re.fullmatch(r"cuda(:\d+)?", value)
    )
    return torch.device("cpu") if cuda else value


class FakeCuda(TorchFunctionMode):
    """Sends device="cuda" to the CPU; tensors say that they are on cuda:0."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "") == "__get__":
            if function == torch.Tensor.is_cuda.__get__:
                return True
            if function == torch.Tensor.is_cpu.__get__:
                return False
            if function == torch.Tensor.device.__get__:
                return torch.device("cuda", 0)
        if function in (torch.Tensor.cuda, torch.Tensor.pin_memory):
            return args[0]
        if function is torch.Tensor.get_device:
            return 0
        if function is torch.device:
            return function(*args, **(kwargs or {}))
        kwargs = {name: _on_cpu(value) for name, value in (kwargs or {}).items() if name != "pin_memory"}
        return function(*map(_on_cpu, args), **kwargs)


def fake_cutile_driver():
    """Stand in for libcuda, so that cuTile's own C++ code derives signatures.  Every call but the version returns 0."""

    def version(out):
        out[0] = 13010
        return 0

    succeed = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 0)
    get_version = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int))(version)

    def look_up(name, out, *_):
        out[0] = ctypes.cast(get_version if name == b"cuDriverGetVersion" else succeed, ctypes.c_void_p).value
        return 0

    get_address = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p
    )(look_up)
    module = types.ModuleType("cuda.tile._load_libcuda")
    module.keep = (succeed, get_version, get_address)
    module.cuGetProcAddress_v2_ptrptr = ctypes.addressof(get_address)
    sys.modules[module.__name__] = module

    def no_dlpack(*_):
        raise RuntimeError("CPU tensor")  # cuTile then reads data_ptr(), shape, stride() and dtype

    torch._C._to_dlpack = no_dlpack


def fake_triton_driver(arch, benchmark):
    """Triton binds its target once in a process."""
    from triton.backends.compiler import GPUTarget
    from triton.runtime.driver import driver

    driver.set_active(
        types.SimpleNamespace(
            get_current_target=lambda: GPUTarget("cuda", int(arch[3:]), 32),
            get_current_device=lambda: 0,
            set_current_device=lambda _: None,
            get_current_stream=lambda *_: 0,
            get_benchmarker=lambda: benchmark,
            get_active_torch_device=lambda: torch.device("cuda", 0),
            get_device_interface=lambda: torch.cuda,
            utils=types.SimpleNamespace(
                get_device_properties=lambda _: dict(
                    max_shared_mem=SHARED_MEMORY[arch], max_num_regs=65536, multiprocessor_count=PROCESSORS[arch], warpSize=32
                )
            ),
        )
    )
