# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Our reading of a kernel against NVIDIA's, place by place.

Theirs is Tile IR (oracle.tile_ir); ours is `tilewright dump FILE --stage ir --specialize LAUNCH.json --format json`: a row per
operation with file, line, column, op, attrs, the type of the result, the types of the operands, and "unused" where nothing with an
effect depends on the result.  Both are brought to facts, pairs of
(what, type), and the sets of facts at each place must be equal.  "What" holds all that must agree: rounding, flushing, padding,
signedness, axes, identities, orders.

Left out: constants, views, reshapes, broadcasts.  Allowed to differ: a product and a sum that became one fma; the arithmetic of
addresses (a gather is one unit) and the fix-up of a remainder; a loop that was split; an operation that is nowhere because an
equal one stands elsewhere, or because nothing uses its result.
"""

import collections
import re
import struct
from dataclasses import dataclass, field

import numpy

_DTYPES = {
    "bool_": "i1", "uint8": "i8", "uint16": "i16", "uint32": "i32", "uint64": "i64", "int8": "i8", "int16": "i16", "int32": "i32",
    "int64": "i64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "tfloat32": "tf32",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e8m0fnu": "f8E8M0FNU", "float4_e2m1fn": "f4E2M1FN",
}  # fmt: skip


@dataclass(frozen=True)
class Type:
    """A tile of ours: cuTile's dtype name and its shape."""

    dtype: str
    shape: tuple

    is_float = property(lambda self: "float" in self.dtype)
    sign = property(lambda self: "unsigned" if self.dtype.startswith("uint") or self.dtype == "bool_" else "signed")

    def __str__(self):
        return "tile<" + "".join(f"{extent}x" for extent in self.shape) + _DTYPES[self.dtype] + ">"


def type_of(text):
    """`tile<float32, [1, 1024]>` → Type; None for what is no tile (constants, arrays)."""
    match = re.fullmatch(r"tile<(\w+)(?:, \[([\d, ]*)\])?>", text)
    return match and Type(match[1], tuple(map(int, re.findall(r"\d+", match[2] or ""))))


# Theirs

_ADDRESS = {"exti", "muli", "addi", "cmpi", "andi", "offset", "subi"}
_FIX_UP = {"cmpi", "xori", "andi", "addi", "select", "cmpf", "addf"}
_CONTROL = {"for", "if", "loop", "break", "continue"}
_UNUSED = {"get_tile_block_id", "get_num_tile_blocks", "get_index_space_shape"}  # all axes at once, and shared
_LIST_ITEM = {"int_to_ptr", "extract", "load_view_tko", "trunci"}
_POINTER = {"load_ptr_tko", "store_ptr_tko", "atomic_rmw_tko", "atomic_cas_tko"}
_MEMORY = _POINTER | {"load_view_tko", "store_view_tko", "atomic_red_view_tko"}


def _identity(text):
    value, dtype = re.match(r"\s*(\S+) : (\w+)", text).groups()
    if not value.startswith("0x"):
        return float(value)
    bits = int(value, 16)
    if dtype == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    if dtype in ("bf16", "f32"):
        return struct.unpack("<f", struct.pack("<I", bits << 16 if dtype == "bf16" else bits))[0]
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def _their_what(op):
    kept = []
    for attribute in op.attributes:
        if attribute.startswith("identities="):
            kept.append(f"identity {_identity(attribute[len('identities=[') :])}")
        elif not attribute.startswith(("latency", "allow_tma")) and attribute not in ("weak", "ordered", "unordered"):
            kept.append(attribute)
    if op.name in ("load_view_tko", "store_view_tko") and (
        match := re.search(r"dim_map=\[([\d, ]*)\]", op.operands + op.type)
    ):
        kept.append(f"order [{match[1]}]")
    return " ".join([op.name, *kept])


def _their_type(op):
    if op.name in ("store_view_tko", "store_ptr_tko", "atomic_rmw_tko", "atomic_red_view_tko", "atomic_cas_tko"):
        parts = re.findall(r"tile<[\w]+>", op.type)
        return parts[0] if parts else op.type
    if op.name == "select":
        return op.type.split(", ")[-1]
    if op.name in ("for", "if", "loop"):
        return ""
    if op.name in ("cmpi", "cmpf"):
        return op.operands
    if op.name in ("extract", "cat"):
        return op.type
    return op.type


def theirs(ops):
    """Place → Counter of facts."""
    by_place = collections.defaultdict(list)
    for op in ops:
        by_place[op.file, op.line, op.column].append(op)
    facts = {}
    for place, group in by_place.items():
        names = {op.name for op in group}
        places = any(op.name == "reduce" and "," in op.type for op in group)
        found = collections.Counter()
        for op in group:
            if op.name in _CONTROL | _UNUSED:
                continue
            if names & (_POINTER | {"offset"}) and op.name in _ADDRESS:  # a gather, or a slice of an array
                continue
            if "int_to_ptr" in names and op.name in _LIST_ITEM:  # an array of a list
                continue
            if places and op.name != "reduce":  # argmax: how the places are kept is one unit with the reduction
                continue
            if names & {"remi", "remf"} and op.name in _FIX_UP:
                continue
            if names & {"for"} and op.name in ("mini", "maxi"):  # a loop that was split in two
                continue
            if names & {"for", "loop"} and op.name == "addi":  # the counter of a loop that can be left
                continue
            found[_their_what(op), _their_type(op)] += 1
        if found:
            facts[place] = found
    return facts


# Ours

_ROUNDING = {"nearest": "nearest_even", "zero": "zero", "minus_inf": "negative_inf", "plus_inf": "positive_inf",
             "full": "full", "approx": "approx"}  # fmt: skip
_FLOAT_OR_INT = {"add": ("addf", "addi"), "sub": ("subf", "subi"), "mul": ("mulf", "muli")}
_BITS = {"bit_and": "andi", "bit_or": "ori", "bit_xor": "xori"}
_UNARY = {
    "exp",
    "exp2",
    "log",
    "log2",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "floor",
    "ceil",
    "atan2",
    "pow",
}
_COMPARE = {"eq": "equal", "ne": "not_equal", "lt": "less_than", "le": "less_than_or_equal", "gt": "greater_than",
            "ge": "greater_than_or_equal"}  # fmt: skip
_IGNORED = {
    "literal", "symbol", "dtype", "dtype_of", "tile_dim", "copy", "get", "set", "if", "for", "while", "break", "continue", "return",
    "yield", "ternary", "and_then", "or_else", "call", "unsupported", "mark", "program_id", "num_programs", "array_dim",
    "array_stride", "num_tiles", "array_slice", "list_item", "list_len", "reshape", "expand_dims", "broadcast",
}  # fmt: skip


def _options(row, *, approximate=True):
    attrs, words = row["attrs"], []
    rounding = _ROUNDING.get(attrs.get("rounding", "default"))
    if rounding and rounding != "nearest_even" and not (rounding == "full" and approximate):
        words.append(f"rounding<{rounding}>")
    if attrs.get("flush") in (True, "to_zero"):
        words.append("flush_to_zero")
    if attrs.get("nan") in (True, "propagate"):
        words.append("propagate_nan")
    return words


def _conversion(source, target):
    """The Tile IR operation of a conversion; None if there is none."""
    if source == target:
        return None
    if target.dtype == "bool_":
        return "ftoi unsigned" if source.is_float else "cmpi not_equal signed"
    if source.is_float and target.is_float:
        return "ftof"
    if source.is_float:
        return f"ftoi {target.sign}"
    if target.is_float:
        return f"itof {source.sign}"
    widths = [int(re.sub(r"\D", "", _DTYPES[t.dtype])) for t in (source, target)]
    if widths[0] == widths[1]:
        return None
    return f"exti {source.sign}" if widths[0] < widths[1] else "trunci"


_EMPTY = {"sum": 0.0, "prod": 1.0}


def _empty(reduction, dtype):
    if reduction in _EMPTY:
        return _EMPTY[reduction]
    largest = reduction == "max"
    if "float" in dtype:
        return float("-inf") if largest else float("inf")
    width = int(dtype.removeprefix("u").removeprefix("int"))
    low, high = (0, 2**width - 1) if dtype.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    return float(low if largest else high)


def _combine(reduction, element):
    floats = {"sum": "addf", "prod": "mulf", "max": "maxf", "min": "minf"}
    integers = {"sum": "addi", "prod": "muli", "max": f"maxi {element.sign}", "min": f"mini {element.sign}"}
    return (floats if element.is_float else integers)[reduction]


def _reduction(row, result, operands):
    attrs, source = row["attrs"], operands[0]
    kind, element = attrs["reduction"], Type(source.dtype, ())
    axes = list(range(len(source.shape))) if attrs.get("all_axes") else attrs["axes"]
    shape = list(source.shape)
    options = " ".join(_options(row))
    if kind in ("argmax", "argmin"):
        # cuda-tile 1.7.0 writes infinity for both in float64. No lane is empty, so nothing reads it.
        identity = float("inf") if source.dtype == "float64" else _empty(kind[3:], source.dtype)
        axis = 0 if attrs.get("all_axes") else axes[0]  # of the tile in one row
        left = [] if attrs.get("all_axes") else shape[:axis] + shape[axis + 1 :]
        yield f"reduce dim={axis} identity {identity}", f"{Type(source.dtype, tuple(left))}, {Type('int32', tuple(left))}"
        return
    for gone, axis in enumerate(sorted(axes)):
        del shape[axis - gone]
        left = str(Type(source.dtype, tuple(shape)))
        yield f"reduce dim={axis - gone} identity {_empty(kind, source.dtype)}", left
        yield f"{_combine(kind, element)} {options}".strip(), str(element)


def _stored(row, operands):
    """The value that is written; a constant has the array's dtype, and the shape of the indices."""
    values = row["operands"][: -1 if row["attrs"].get("has_mask") else None]
    value = type_of(values[-1])
    shapes = [t.shape for t in operands[: len(values) - 1] if t and not t.is_float]
    shape = numpy.broadcast_shapes(*shapes, value.shape if value else ())
    return Type(value.dtype if value else re.match(r"array<(\w+)", values[0])[1], shape)


def ours(row):
    """The facts of one row of the dump."""
    op, attrs, result = row["op"], row["attrs"], type_of(row["type"])
    operands = [type_of(text) for text in row["operands"]]
    if op in ("store_tile", "scatter", "atomic_rmw", "atomic_cas"):
        value = _stored(row, operands)
        if op == "scatter":
            return [("store_ptr_tko", str(value))]
        if op == "store_tile":
            value = _with_unit_axes(value, attrs)
            return [(" ".join(["store_view_tko", *_order(attrs)]), str(value))]
        if op == "atomic_cas":
            return [(f"atomic_cas_tko {attrs['order_of_memory']} {attrs['scope']}", str(value))]
        kind = {"exchange": "xchg"}.get(attrs["atomic"], attrs["atomic"]) + (
            "f" if attrs["atomic"] == "add" and value.is_float else ""
        )
        return [(f"atomic_rmw_tko {attrs['order_of_memory']} {attrs['scope']} {kind}", str(value))]
    if op in _IGNORED or result is None:
        return []
    what = None
    if op in _FLOAT_OR_INT:
        what = " ".join([_FLOAT_OR_INT[op][not result.is_float], *_options(row)])
    elif op == "true_div":
        what = " ".join(["divf", *_options(row, approximate=False)])
    elif op in ("floor_div", "trunc_div", "ceil_div", "ceil_div_positive"):
        if result.is_float:
            return [("divf", str(result)), ("floor", str(result))]
        rounding = {"floor_div": "negative_inf", "ceil_div": "positive_inf"}[op]
        what = f"divi {result.sign}" + (f" rounding<{rounding}>" if result.sign == "signed" or op == "ceil_div" else "")
    elif op in ("floor_mod", "trunc_mod"):
        what = "remf" if result.is_float else f"remi {result.sign}"
    elif op in ("min", "max"):
        what = " ".join([f"{op}f", *_options(row)]) if result.is_float else f"{op}i {result.sign}"
    elif op in _COMPARE:
        compared = Type(attrs["dtype"], result.shape)
        name = f"cmpf {_COMPARE[op]}" if compared.is_float else f"cmpi {_COMPARE[op]} {compared.sign}"
        return [(name, str(compared))]
    elif op in _BITS:
        what = _BITS[op]
    elif op == "shl":
        what = "shli"
    elif op == "shr":
        what = f"shri {result.sign}"
    elif op == "neg":
        what = "negf" if result.is_float else "negi"
    elif op in ("not", "bit_not"):
        what = "xori"
    elif op == "abs":
        what = "absf" if result.is_float else "absi"
    elif op == "pow" and result.is_float and row["operands"][1].startswith("const<int"):
        return [("fpowi", f"{result}, {Type('int32', result.shape)}")]
    elif op in _UNARY:
        what = " ".join(["fpowf" if op == "pow" else op, *_options(row)])
    elif op == "isnan":
        return [("cmpf not_equal", str(operands[0]))]
    elif op == "where":
        what = "select"
    elif op == "cast":
        what = operands[0] and _conversion(operands[0], result)
        if what and what.startswith("cmpi"):
            return [(what, str(operands[0]))]
    elif op == "full":
        filler = operands[-1] if operands else None
        what = filler and _conversion(filler, Type(result.dtype, ()))
        return [(what, str(Type(result.dtype, ())))] if what else []
    elif op == "bitcast":
        what = "bitcast"
    elif op == "iota":
        return [("iota", str(Type("int32", result.shape)))] + (
            [(_conversion(Type("int32", result.shape), result), str(result))]
            if result.dtype not in ("int32", "uint32")
            else []
        )
    elif op == "reduce":
        return list(_reduction(row, result, operands))
    elif op == "scan":
        element = Type(result.dtype, ())
        reverse = "true" if attrs.get("reverse") else "false"
        what = f"scan dim={attrs['axis']} reverse={reverse} identity {_empty(attrs['reduction'], result.dtype)}"
        return [(what, str(result)), (" ".join([_combine(attrs["reduction"], element), *_options(row)]), str(element))]
    elif op == "dot":
        x, y = operands[:2]
        what = "mmaf" if result.is_float else f"mmai {x.sign} {y.sign}"
        return [(what, f"{x}, {y}, {result}")]
    elif op == "permute":
        what = f"permute [{', '.join(map(str, attrs['axes']))}]"
    elif op in ("cat", "extract"):
        what = op if op == "extract" else f"cat dim = {attrs['axis']}"
    elif op == "load_tile":
        padding = attrs.get("padding", "undetermined")
        words = [] if padding == "undetermined" else [f"padding_value = {padding}"]
        what = " ".join(["load_view_tko", *words, *_order(attrs)])
        result = _with_unit_axes(result, attrs)
    elif op == "gather":
        what = "load_ptr_tko"
    else:
        raise KeyError(f"no mapping of `{op}` to Tile IR")
    return [(what, str(result))] if what else []


def _constant_variables(row):
    """The variables to which this row gives a constant."""
    if row["op"] == "set":
        names = row["attrs"].get("vars") or [row["attrs"]["var"]]
        yield from (name for name, type in zip(names, row["operands"]) if type.startswith("const<"))


def _with_unit_axes(tile, attrs):
    """A single element of an array is a tile of ones there."""
    return tile if tile.shape else Type(tile.dtype, (1,) * attrs.get("rank", 0))


def _order(attrs):
    order = attrs.get("order") or []
    return [f"order [{', '.join(map(str, order))}]"] if list(order) != sorted(order) else []


# The comparison


@dataclass
class Mismatch:
    place: tuple
    missing: list  # facts of theirs that we lack
    extra: list  # facts of ours that they lack

    def __str__(self):
        file, line, column = self.place
        return f"{file}:{line}:{column}: NVIDIA's {self.missing or 'nothing'}, ours {self.extra or 'nothing'}"


@dataclass
class Comparison:
    places: int = 0
    facts: int = 0
    mismatches: list = field(default_factory=list)


def compare(ops, rows):
    """ops: tile_ir.read(); rows: the dump's."""
    expected = theirs(ops)
    got, dead = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    implied = []
    constant = {name for row in rows for name in _constant_variables(row)}
    folded = {(row["file"], row["line"]) for row in rows if row["op"] == "get" and row["attrs"]["var"] in constant}
    for row in rows:
        place = row["file"], row["line"], row["column"]
        for fact in ours(row):
            got[place][fact] += 1
            if row.get("unused"):
                dead[place].add(fact)
            if row["attrs"].get("implicit"):
                implied.append((place, fact))
    for place, fact in implied:  # theirs is at the call that converts, ours at the operand
        if fact not in expected.get(place, ()):
            outer = [p for p in expected if p[0] == place[0] and p < place and fact in expected[p] and not got[p][fact]]
            if outer:
                got[place][fact] -= 1
                got[max(outer)][fact] += 1
    fused = {type for facts in expected.values() for what, type in facts if what.startswith("fma")}
    loops = collections.Counter((op.file, op.line, op.column) for op in ops if op.name == "for")
    split = any(count > 1 for count in loops.values())
    everywhere = {fact for facts in expected.values() for fact in facts}
    result = Comparison()
    for place in sorted(set(expected) | set(got)):
        want, have = set(expected.get(place, ())), set(+got.get(place, collections.Counter()))
        ignored = set()
        if any(
            what.startswith("atomic_red_view_tko") for what, _ in want
        ):  # of a tile; ours is of elements, with their indices
            want = {(what.replace("red_view", "rmw"), type) for what, type in want}
            have = {fact for fact in have if fact[0].split()[0] not in _ADDRESS | {"iota"}}
        if any(what.startswith(("remi signed", "remf")) for what, _ in have):
            ignored = {fact for fact in want | have if fact[0].split()[0] in _FIX_UP}
        result.places += 1
        result.facts += len(want)
        missing, extra = want - have - ignored, have - want - ignored
        for what, type in sorted(missing):
            if what.startswith("fma"):
                options = what.removeprefix("fma")
                if match := next((f for f in (("addf" + options, type), ("subf" + options, type)) if f in have), None):
                    missing -= {(what, type), ("negf", type)}
                    extra -= {match}
        extra = {
            fact for fact in extra
            if not (fact[0].startswith("mulf") and fact[1] in fused)  # part of an fma
            and not (fact in everywhere and fact[0].split()[0] not in _MEMORY)  # an equal one stands elsewhere
            and not (place[:2] in folded and fact[1] == "tile<i32>")  # of names that are constant once branches are pruned
            and not (split and fact[0].startswith("cmpi") and fact[1] == "tile<i32>")  # what the loop was split by
            and fact not in dead[place]
            and not (fact[0].startswith("cmpi") and any(what.startswith("atomic") for what, _ in want))  # beside addresses' own
        }  # fmt: skip
        if missing or extra:
            result.mismatches.append(Mismatch(place, sorted(missing), sorted(extra)))
    return result
