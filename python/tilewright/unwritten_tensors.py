# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Which memory of torch's tensors nothing has written yet: what `torch.empty` and its kin make, until a function of torch changes it.

A function that changes a part of a tensor (`index_fill_`, `masked_fill_` …) counts as writing all of it, except
`tensor[index] = value`; a tensor that is calculated or copied from unwritten memory counts as written. So nothing is told of a program
that is right, and not all of one that is wrong.
"""

import weakref

import torch

from tilewright.unwritten import beside, marks_of


class Watch:
    """What of the memory of torch's tensors is unwritten, while functions of torch are called through it."""

    def __init__(self):
        self._marks = weakref.WeakKeyDictionary()  # by storage

    def forget(self):
        self._marks.clear()

    def of(self, tensor):
        """The marks of the memory of a tensor, or None."""
        return self._marks.get(storage_of(tensor))

    def call(self, function, args, kwargs, answer):
        """answer(), which calls `function` with these arguments."""
        known = [(tensor, _version(tensor)) for tensor in tensors_in((args, kwargs)) if self.of(tensor)] if self._marks else []
        out = answer()
        with torch._C.DisableTorchFunction(), torch.no_grad():
            for tensor, before in known:
                if function in _ESCAPES:
                    self._marks.pop(storage_of(tensor), None)
                elif before is None or _version(tensor) != before:
                    self._write(function, tensor, args)
            if function in _MAKERS and "out" not in kwargs:
                self._add(out)
        return out

    def _add(self, tensor):
        storage = storage_of(tensor)
        if storage is not None and storage.device.type == "cpu" and storage.nbytes():
            self._marks[storage] = marks_of(tensor)

    def _write(self, function, tensor, args):
        marks = self.of(tensor)
        if marks is None:
            return
        if storage_of(tensor).nbytes() != marks.size:  # it has been resized
            del self._marks[storage_of(tensor)]
        elif function is torch.Tensor.__setitem__ and tensor is args[0]:
            left = torch.ones(tensor.shape, dtype=torch.uint8)
            left[args[1]] = 0
            beside(marks.memory, tensor).mul_(left.unsqueeze(-1))
        else:
            beside(marks.memory, tensor).fill_(0)


_MAKERS = (
    torch.empty, torch.empty_like, torch.empty_strided, torch.empty_permuted, torch.Tensor.new_empty, torch.Tensor.new_empty_strided,
)  # fmt: skip

# After these, others than torch may write to the memory.
_ESCAPES = (
    torch.Tensor.numpy, torch.Tensor.__array__, torch.Tensor.data_ptr, torch.Tensor.__dlpack__, torch.Tensor.untyped_storage,
    torch.Tensor.storage,
)  # fmt: skip


def _version(tensor):
    try:
        return tensor._version
    except RuntimeError:  # of inference mode, which does not count
        return None


def storage_of(tensor):
    """The one object that all tensors over the same memory share; None for what has no memory of its own, like a sparse tensor."""
    try:
        return tensor.untyped_storage()
    except (NotImplementedError, RuntimeError):
        return None


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))
