# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that nothing has written yet: a byte beside each of its bytes, 1 until something writes there.

The interpreter reads the marks of what a kernel loads and takes them off where it stores.
"""


class Marks:
    """Of `size` bytes of memory from an address on; `memory` is the array or tensor of bytes that holds the marks, `address` its own."""

    def __init__(self, start, size, memory, address):
        self.start, self.size, self.memory, self._address = start, size, memory, address

    def holds(self, address):
        return self.start <= address < self.start + self.size

    def beside(self, address):
        return self._address + address - self.start


def marked(values):
    """Marks of several arrays; those over the same memory are one."""
    out = {}
    for new in map(marks_of, values):
        known = out.setdefault((new.start, new.size), new)
        if known is not new:
            known.memory |= new.memory
    return list(out.values())


def marks_of(value):
    """New marks of the memory that a numpy array or a CPU tensor is a view of: its elements are unwritten, and nothing else is."""
    return _marks_of_tensor(value) if hasattr(value, "untyped_storage") else _marks_of_array(value)


def _marks_of_array(array):
    import numpy

    owner = array
    while isinstance(owner.base, numpy.ndarray):
        owner = owner.base
    start = owner.__array_interface__["data"][0]
    end = start + owner.itemsize
    for extent, step in zip(owner.shape, owner.strides):
        start, end = start + min(0, (extent - 1) * step), end + max(0, (extent - 1) * step)
    marks = numpy.zeros(end - start if owner.size else 0, numpy.uint8)
    if array.size:
        address = array.__array_interface__["data"][0]
        shape, strides = (*array.shape, array.itemsize), (*array.strides, 1)
        numpy.ndarray(shape, numpy.uint8, marks.data, address - start, strides).fill(1)
    return Marks(start, marks.size, marks, marks.__array_interface__["data"][0])


def _marks_of_tensor(tensor):
    import torch

    with torch._C.DisableTorchFunction(), torch.no_grad():
        storage = tensor.untyped_storage()
        marks = torch.zeros(storage.nbytes(), dtype=torch.uint8)
        beside(marks, tensor).fill_(1)
        return Marks(storage.data_ptr(), storage.nbytes(), marks, marks.data_ptr())


def beside(marks, tensor):
    """The marks of a tensor's elements: its shape, and an axis of the bytes of one."""
    size = tensor.element_size()
    strides = [step * size for step in tensor.stride()]
    return marks.as_strided((*tensor.shape, size), (*strides, 1), tensor.storage_offset() * size)
