# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A launch as host code makes it, on CPU tensors: NVIDIA's front end reads the kernel, the evaluator runs what it made."""

import functools

import numpy as np
import torch

from oracle import tile_ir
from oracle.recorder import Recorder
from oracle.tile_ir_eval.memory import Memory
from oracle.tile_ir_eval.program import Program


_recorders = {}  # by GPU: a recorder compiles a launch that it has seen only once


@functools.cache
def _program(bytecode):
    return Program(tile_ir.text(bytecode, positions=False))


def _array(tensor, memory):
    """Pointer, extents and strides, as a kernel gets an array."""
    extent = 1 + sum((extent - 1) * stride for extent, stride in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0
    memory.add(tensor.data_ptr(), extent * tensor.element_size())
    return [tensor.data_ptr(), *tensor.shape, *tensor.stride()]


def _flat(value, memory, kept):
    """The numbers of one argument; `kept` must live as long as the memory."""
    if isinstance(value, torch.Tensor):
        return _array(value, memory)
    if isinstance(value, list):  # a table of the arrays, one row each, and the number of rows
        table = np.array([_array(item, memory) for item in value], np.int64)
        kept.append(table)
        memory.add(table.ctypes.data, table.nbytes)
        return [table.ctypes.data, len(value)]
    if isinstance(value, tuple):
        return [number for item in value for number in _flat(item, memory, kept)]
    return [value]


def launch(grid, kernel, arguments, arch="sm_90", leftover=0.0):
    """Runs every block; the arrays among the arguments hold the results, `leftover` what nothing determines.  → (Program, Memory)"""
    launch = _recorders.setdefault(arch, Recorder(arch)).launch_cutile(grid, kernel, arguments)
    if launch.error:
        raise RuntimeError(launch.error)
    memory, kept = Memory(leftover), []
    with torch._C.DisableTorchFunction():
        flat = [
            number
            for value, described in zip(arguments, launch.arguments)
            if not described["constant"]
            for number in _flat(value, memory, kept)
        ]
    program = _program(launch.bytecode)
    typed = [np.asarray(number).astype(type.format.held) for number, (_, type) in zip(flat, program.parameters, strict=True)]
    program.run(grid, typed, memory)
    return program, memory


def take_launches(taker):
    """`taker`, with the arguments of ct.launch, in its place for the life of the process; a search takes its first configuration."""
    import cuda.tile.tune

    from oracle import emulator

    cuda.tile.launch = taker
    cuda.tile.tune.exhaustive_search = emulator.search
