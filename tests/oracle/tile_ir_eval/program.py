# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A module of Tile IR as a function of one block of a grid.

Each operation becomes a step, a function of the frame of a block; a step that ends its region says how.  Names of values are unique
where they can be seen, so that a frame needs one table of them.
"""

import re
from dataclasses import dataclass, field

import numpy as np

from oracle import tile_ir
from oracle.tile_ir_eval import memory, reductions
from oracle.tile_ir_eval.arithmetic import ELEMENTWISE, operation
from oracle.tile_ir_eval.formats import FORMATS, Unknown
from oracle.tile_ir_eval.syntax import Line, View, split, type_of

_LONGEST = 1 << 16  # rounds of a loop, before it counts as endless


class Broken(AssertionError):
    """The program does what it promised not to do."""


@dataclass
class Frame:
    block: tuple
    grid: tuple
    memory: memory.Memory
    values: dict = field(default_factory=dict)
    broken: dict = field(default_factory=dict)  # name → what it was assumed to be, and is not

    def all(self, names):
        for name in self.broken.keys() & names:
            raise Broken(f"{name} is {self.values[name]}, and assumed to be {self.broken[name]}")
        return [self.values[name] for name in names]


@dataclass(frozen=True)
class End:
    """How a region ends, and with which values."""

    how: str  # yield, continue, break or return
    values: list


STEPS = {}  # name → decoder of what is more than a function of tiles: line → function of a frame


def step(*names):
    def register(decoder):
        STEPS.update(dict.fromkeys(names, decoder))
        return decoder

    return register


def _block(region):
    steps = [_decoded(operation) for operation in region.operations]

    def run(frame):
        for run_step in steps:
            if (end := run_step(frame)) is not None:
                return end
        return End("yield", [])

    return run


def _decoded(operation):
    line = Line(operation)
    if operation.name in STEPS:
        run = STEPS[operation.name](line)
        line.done()
        if not operation.name.endswith("_tko"):
            return run
        token = operation.results[-1]

        def run_in_order(frame):
            run(frame)
            frame.values[token] = None

        return run_in_order
    if operation.name not in ELEMENTWISE:
        raise Unknown(f"operation {operation.name}")
    operands = line.operands()
    function = ELEMENTWISE[operation.name](line)
    line.done()
    (result,) = operation.results

    def run(frame):
        frame.values[result] = function(*frame.all(operands))

    return run


# Blocks and control flow


@step("get_tile_block_id", "get_num_tile_blocks")
def _(line):
    of_block = line.name == "get_tile_block_id"

    def run(frame):
        numbers = frame.block if of_block else frame.grid
        frame.values.update(zip(line.results, map(np.int32, numbers)))

    return run


@step("yield", "continue", "break", "return")
def _(line):
    names = line.operands()
    return lambda frame: End(line.name, frame.all(names))


@step("if")
def _(line):
    (condition,) = line.operands()
    line.take(r"->\s*\(.*\)")
    branches = [_block(region) for region in line.regions]

    def run(frame):
        taken = 0 if frame.values[condition] else 1
        end = branches[taken](frame) if taken < len(branches) else End("yield", [])
        if end.how != "yield":
            return end
        frame.values.update(zip(line.results, end.values))
        return None

    return run


def _carried(line):
    """(names inside, names of the first values); they are gone from the line."""
    text = line.take(r"iter_values\(((?:[^()]|\([^()]*\))*)\)", "")
    pairs = [pair.split(" = ") for pair in split(text)] if text else []
    return [inside for inside, _ in pairs], [first for _, first in pairs]


def _rounds(line, inside):
    """Runs the body once for each of some starts, which are values to begin with; → an End if the surroundings end too."""
    body = _block(line.regions[0])

    def run(frame, values, starts):
        for start in starts:
            frame.values.update(start)
            frame.values.update(zip(inside, values))
            end = body(frame)
            if end.how == "return":
                return end
            values = end.values
            if end.how == "break":
                break
            if end.how == "yield" and inside:
                raise Unknown(f"{line.name} whose body ends without a value")
        frame.values.update(zip(line.results, values))
        return None

    return run


@step("for")
def _(line):
    line.rest += " " + line.types  # the carried values stand behind the type of the counter
    if line.flag("unsigned"):
        raise Unknown("for with an unsigned counter")
    inside, first = _carried(line)
    counter, *bounds = line.operands()
    line.take(r"in\s*\([\s,tosep]*\)")
    line.take(r"tile<(i\d+)>")
    line.take(r"->\s*\(.*\)")
    rounds = _rounds(line, inside)

    def run(frame):
        start, stop, stride = frame.all(bounds)
        if stride <= 0:
            raise Broken(f"a loop in steps of {stride}")
        starts = ({counter: np.asarray(number, start.dtype)} for number in range(int(start), int(stop), int(stride)))
        return rounds(frame, frame.all(first), starts)

    return run


@step("loop")
def _(line):
    line.rest += " " + line.types
    inside, first = _carried(line)
    line.rest = ""  # types only
    rounds = _rounds(line, inside)

    def starts():
        for _ in range(_LONGEST):
            yield {}
        raise Broken(f"a loop of more than {_LONGEST} rounds")

    return lambda frame: rounds(frame, frame.all(first), starts())


# Reductions and products


@step("reduce", "scan")
def _(line):
    operands = line.operands()
    function = getattr(reductions, line.name)(line, _block)

    def run(frame):
        frame.values.update(zip(line.results, function(frame, *frame.all(operands))))

    return run


@operation("mmaf")
def _(line):
    return reductions.product_of_floats(line)


@operation("mmai")
def _(line):
    return reductions.product_of_integers(line)


# Tokens, promises, views


@step("make_token", "join_tokens")
def _(line):
    line.operands()

    def run(frame):
        frame.values[line.results[0]] = None

    return run


@step("assume")
def _(line):
    divisor = line.take(r"div_by<(\d+)>")
    bounds = line.take(r"bounded<([^>]*)>")
    if divisor is None and bounds is None:
        raise Unknown(f"assume {line.rest}")
    (operand,), (result,) = line.operands(), line.results
    low, high = bounds.split(", ") if bounds else ("?", "?")
    promise = f"divisible by {divisor}" if divisor else f"in {low} … {high}"

    def run(frame):
        value = frame.values[result] = frame.values[operand]
        kept = np.all(value % int(divisor or 1) == 0) and (low == "?" or np.all(value >= int(low)))
        if not kept or not (high == "?" or np.all(value <= int(high))):
            frame.broken[result] = promise
        elif operand in frame.broken:
            frame.broken[result] = frame.broken[operand]
        else:
            frame.broken.pop(result, None)

    return run


@step("assert")
def _(line):
    message = line.take(r'"((?:[^"\\]|\\.)*)"')
    (condition,) = line.operands()

    def run(frame):
        if not np.all(frame.values[condition]):
            raise Broken(message)

    return run


def _number(frame, text):
    return int(frame.all([text])[0]) if text.startswith("%") else int(text)


@step("make_tensor_view")
def _(line):
    found = [re.search(rf"{what} = \[([^\]]+)\]", line.rest) for what in ("shape", "strides")]
    extents, strides = (split(part[1]) if part else [] for part in found)
    base = line.operands()[0]
    line.take(r"shape = \[[\d\s,]*\]")
    line.take(r"strides = \[[\d\s,]*\]")

    def run(frame):
        """The stride of an axis of extent 1 means nothing, and cuTile promises what it likes of it."""
        shape = tuple(_number(frame, text) for text in extents)
        steps = tuple(0 if extent == 1 else _number(frame, text) for text, extent in zip(strides, shape))
        frame.values[line.results[0]] = memory.Tensor(int(*frame.all([base])), shape, steps)

    return run


@step("make_partition_view")
def _(line):
    (tensor,) = line.operands()

    def run(frame):
        frame.values[line.results[0]] = frame.values[tensor]

    return run


def _view(line):
    return next(type for type in map(type_of, split(split(line.types, "->")[0])) if isinstance(type, View))


@step("get_index_space_shape")
def _(line):
    (tensor,), view = line.operands(), _view(line)

    def run(frame):
        frame.values.update(zip(line.results, map(np.int32, memory.extents_of_tiles(frame.values[tensor], view))))

    return run


# Memory


def _ordered(line):
    """Order and scope of a memory operation: blocks run one after the other, and their operations too, which keeps every order."""
    line.take(r"(?<![\w%])(?:weak|relaxed|acquire|release|acq_rel)\b")
    line.take(r"(?<![\w%])(?:tl_blk|device|sys)\b")


@step("load_view_tko")
def _(line):
    _ordered(line)
    view = _view(line)
    format = FORMATS[view.element]
    filler = memory.padding(view.padding, format)
    tensor, *index = line.operands()

    def run(frame):
        addresses, mask = memory.addresses_of_tile(frame.values[tensor], view, frame.all(index), format)
        frame.values[line.results[0]] = frame.memory.load_tile(addresses, mask, filler, format)

    return run


@step("store_view_tko")
def _(line):
    _ordered(line)
    view = _view(line)
    format = FORMATS[view.element]
    value, tensor, *index = line.operands()

    def run(frame):
        addresses, mask = memory.addresses_of_tile(frame.values[tensor], view, frame.all(index), format)
        frame.memory.store(addresses, mask, frame.values[value], format)

    return run


@step("load_ptr_tko")
def _(line):
    _ordered(line)
    (pointers, *others), format = line.operands(), line.result_types()[0].format
    kinds = [type.element for type in line.operand_types()[1:]]
    if kinds == ["i1"] and format.name == "i1":
        raise Unknown("load_ptr_tko of i1 with one more operand, a mask or a filler")
    mask = others[0] if kinds[:1] == ["i1"] and len(kinds) > (format.name == "i1") else None
    filler = others[1] if mask and len(others) > 1 else None  # without a mask there is nothing to fill

    def run(frame):
        (addresses,) = frame.all([pointers])
        keep = frame.values[mask] if mask else True
        fill = frame.values[filler] if filler else None
        frame.values[line.results[0]] = frame.memory.load(addresses, keep, fill, format)

    return run


@step("store_ptr_tko")
def _(line):
    _ordered(line)
    (pointers, value, *mask), format = line.operands(), line.operand_types()[1].format

    def run(frame):
        addresses, stored, *keep = frame.all([pointers, value, *mask])
        frame.memory.store(addresses, keep[0] if keep else True, stored, format)

    return run


def _change(line, type):
    """The new value of an atomic operation, of the old one and the operand; taken from elementwise operations."""
    kind = line.take(r"(?<![\w%])(?:addf|add|umax|umin|max|min|and|or|xor|xchg)\b")
    if kind == "xchg":
        return lambda old, value: value
    name = {"add": "addi", "addf": "addf", "umax": "maxi", "umin": "mini", "max": "maxi", "min": "mini"}.get(kind, f"{kind}i")
    sign = {"umax": "unsigned", "umin": "unsigned", "max": "signed", "min": "signed"}.get(kind, "")
    element = Line(tile_ir.Operation([], name, f" {sign} : tile<{type.element}>", ""))
    return ELEMENTWISE[name](element)


@step("atomic_rmw_tko")
def _(line):
    _ordered(line)
    pointers, value, *mask = line.operands()
    type = line.result_types()[0]
    change = _change(line, type)

    def run(frame):
        addresses, added, *keep = frame.all([pointers, value, *mask])
        old = frame.memory.update(addresses, keep[0] if keep else True, [added], type.format, change)
        frame.values[line.results[0]] = old

    return run


@step("atomic_red_view_tko")
def _(line):
    _ordered(line)
    tensor, *index, value = line.operands()
    value_type, view = line.operand_types()[0], _view(line)  # the types stand in another order than the operands
    change = _change(line, value_type)

    def run(frame):
        addresses, mask = memory.addresses_of_tile(frame.values[tensor], view, frame.all(index), value_type.format)
        frame.memory.update(addresses, mask, [frame.values[value]], value_type.format, change)

    return run


@step("atomic_cas_tko")
def _(line):
    _ordered(line)
    (pointers, wanted, new, *mask), format = line.operands(), line.result_types()[0].format

    def change(old, wanted, new):
        return np.where(old == wanted, new, old)

    def run(frame):
        addresses, *values = frame.all([pointers, wanted, new, *mask])
        keep = values.pop() if mask else True
        frame.values[line.results[0]] = frame.memory.update(addresses, keep, values, format, change)

    return run


@step("print_tko")
def _(line):
    line.take(r'"(?:[^"\\]|\\.)*"')
    line.operands()
    return lambda frame: None


_EXACT = {
    "constant", "negf", "absf", "maxf", "minf", "select", "reshape", "broadcast", "permute", "cat", "extract", "bitcast", "floor", "ceil",
}  # fmt: skip


def _operations(operation):
    for region in operation.regions:
        for inner in region.operations:
            yield inner
            yield from _operations(inner)


def _epsilon(operation):
    if operation.name in _EXACT or operation.name not in ELEMENTWISE:
        return 0.0
    formats = [type.format for type in Line(operation).result_types()]
    return max((2.0 ** (1 - format.precision) for format in formats if format.is_float), default=0.0)


class Program:
    """`parameters` are (name, Tile) pairs; `epsilon` is that of the coarsest floats that it rounds to, 0 if it rounds nothing;
    `multiplies` says that there are products of matrices.
    """

    def __init__(self, text):
        entry = tile_ir.parse(text)
        if entry.name != "entry":
            raise Unknown(f"a module that begins with {entry.name}")
        arguments = re.match(r" @[\w$.]+\((.*?)\)(?: optimization_hints|\s*\{)", entry.rest)[1]
        pairs = [argument.split(": ", 1) for argument in split(arguments)] if arguments else []
        self.parameters = [(name, type_of(type)) for name, type in pairs]
        self._body = _block(entry.regions[0])
        operations = list(_operations(entry))
        self.epsilon = max(map(_epsilon, operations), default=0.0)
        self.multiplies = any(operation.name == "mmaf" for operation in operations)

    def run(self, grid, arguments, memory):
        """Every block of a grid, one after the other. `arguments` are numpy scalars, one a parameter."""
        grid = (*grid, 1, 1, 1)[:3]
        given = {name: value for (name, _), value in zip(self.parameters, arguments, strict=True)}
        with np.errstate(all="ignore"):
            for z in range(grid[2]):
                for y in range(grid[1]):
                    for x in range(grid[0]):
                        self._body(Frame((x, y, z), grid, memory, dict(given)))
