# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Triton's kernels as the interpreter takes them: the function behind decorators, arguments by their names, what names mean."""

import inspect
import sys
import types

_DTYPES = {
    "int1": "bool", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64",
    "fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2",
}  # fmt: skip
# Of a launch, and not of the kernel.
_OPTIONS = {
    "num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "launch_pdl", "launch_cooperative_grid", "waves_per_eu",
    "matrix_instr_nonkdim", "kpack", "debug", "sanitize_overflow", "warmup", "arch", "ptx_options", "ir_override",
}  # fmt: skip


def is_of_triton(value):
    return (getattr(type(value), "__module__", None) or "").startswith("triton.")


def function_of(kernel):
    """The Python function of a jitted, tuned or otherwise decorated one; None of anything else."""
    while is_of_triton(kernel) and hasattr(kernel, "fn"):
        kernel = kernel.fn
        if isinstance(kernel, types.FunctionType):
            return kernel
    return None


def bound(kernel, arguments):
    """What each parameter of the kernel gets, in their order, and the same by name.

    `arguments` are in order, or by name. What a configuration of `triton.autotune` or a function of `triton.heuristics` says comes
    from there: of configurations the first. Options of a launch (`num_warps` …) are dropped.
    """
    parameters = inspect.signature(function_of(kernel)).parameters
    if isinstance(arguments, dict):
        values = {name: value for name, value in arguments.items() if name in parameters or name not in _OPTIONS}
    else:
        if len(arguments) > len(parameters):
            raise TypeError(f"{len(arguments)} arguments for {len(parameters)} parameters")
        values = dict(zip(parameters, arguments))
    if unknown := [name for name in values if name not in parameters]:
        raise TypeError(f"the kernel has no parameter `{unknown[0]}`")
    while is_of_triton(kernel) and hasattr(kernel, "fn"):
        if configurations := getattr(kernel, "configs", None):
            values |= configurations[0].kwargs
        if isinstance(heuristics := getattr(kernel, "values", None), dict):
            values |= {name: decide(dict(values)) for name, decide in heuristics.items()}
        kernel = kernel.fn
    for name, parameter in parameters.items():
        if name not in values:
            if parameter.default is inspect.Parameter.empty:
                raise TypeError(f"the kernel's parameter `{name}` gets no value")
            values[name] = parameter.default
    return [values[name] for name in parameters], values


def dtype_name(value):
    """float16 of `tl.float16` and `torch.float16`; None of what is no dtype."""
    kind = type(value)
    if (kind.__module__, kind.__name__) == ("torch", "dtype"):
        return str(value).removeprefix("torch.")
    if (kind.__module__, kind.__name__) == ("triton.language.core", "dtype"):
        return _DTYPES.get(value.name, value.name)
    return None


def is_descriptor(value):
    return type(value).__name__ == "TensorDescriptor" and is_of_triton(value)


def plain(value):
    """What a `tl.constexpr` holds; anything else as it is."""
    while is_of_triton(value) and type(value).__name__ == "constexpr":
        value = value.value
    return value


def library_name(value):
    """triton.language.core.load, triton.language.float16; None of what is not Triton's."""
    if is_of_triton(value) and dtype_name(value):
        names = vars(sys.modules["triton.language"])
        return next((f"triton.language.{name}" for name, known in names.items() if known is value), None)
    function = function_of(value) or value
    module = getattr(function, "__module__", None) or ""
    if not module.startswith("triton."):
        return None
    return f"{module}.{getattr(function, '__name__', '')}"
