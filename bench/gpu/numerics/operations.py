# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""The operations that are asked about: one list, in the order of the page.

In a body `a`, `b`, `c` are the loaded tiles of the inputs and `x`, `y`, `z` their arrays. It is the expression whose value is
stored, or, where it names the array `{r}` itself, the statement that writes it.
"""

import re
from dataclasses import dataclass, field

from numerics.inputs import ALL, BYTE_FLOATS, COUNT, FLOATS, INTEGERS, SHAPES, bits_of

EXACT = 0.0  # the same bits
BOUNDED = 4.0  # ulp of the result's dtype: approximations, and sums whose order is free


@dataclass(frozen=True)
class Operation:
    group: str
    name: str
    dtype: str  # of the operands, as the page says it
    inputs: tuple  # of (kind, dtype)
    result: str  # the dtype
    body: str
    shape: tuple = (COUNT,)
    within: float = EXACT  # ulp
    definitions: str = ""  # of the module, for `body`
    filled: int = 0  # what each byte of the result is before
    question: str = field(default="", compare=False)  # what the documentation leaves open and this answers

    @property
    def key(self):
        return f"{self.group}/{self.name}/{self.dtype}"


def _made(group, dtypes, inputs, rows, result=None, **more):
    """For each dtype and each (name, body) one operation; `{t}` is the dtype, and a result is of it unless told."""
    for dtype in dtypes:
        for name, body, *options in rows:
            how = more | (options[0] if options else {})
            wanted = how.pop("result", result) or dtype
            kinds = tuple((kind, of.format(t=dtype)) for kind, of in how.pop("inputs", inputs))
            yield Operation(group, name, dtype, kinds, wanted, body.replace("{t}", dtype), **how)


def _pair(group, dtypes, rows, **more):
    return _made(group, dtypes, (("left", "{t}"), ("right", "{t}")), rows, **more)


def _one(group, dtypes, rows, **more):
    return _made(group, dtypes, (("numbers", "{t}"),), rows, **more)


_NEAR = {"within": BOUNDED}
_ROUNDINGS = ("RN", "RZ", "RM", "RP")


def _mode(name):
    return f"rounding_mode=ct.RoundingMode.{name}"


def arithmetic():
    group = "Arithmetic"
    both = [("x + y", "a + b"), ("x - y", "a - b"), ("x * y", "a * b"), ("x // y", "a // b"), ("x % y", "a % b"),
            ("minimum", "ct.minimum(a, b)"), ("maximum", "ct.maximum(a, b)")]  # fmt: skip
    yield from _pair(group, INTEGERS, [*both, ("cdiv", "ct.cdiv(a, b)"), ("x / y", "a / b", {"result": "float32"})])
    propagating = [(f"{name}, propagate_nan", f"ct.{name}(a, b, propagate_nan=True)") for name in ("minimum", "maximum")]
    yield from _pair(group, FLOATS, [*both, ("x / y", "a / b"), ("x * y + x", "a * b + a"), *propagating])
    yield from _pair(group, ("bool_",), [("x & y", "a & b"), ("x | y", "a | b"), ("x ^ y", "a ^ b")])
    yield from _pair(group, INTEGERS, [("x & y", "a & b"), ("x | y", "a | b"), ("x ^ y", "a ^ b")])
    yield from _made(group, INTEGERS, (("shifted", "{t}"), ("counts", "{t}")), [("x << y", "a << b"), ("x >> y", "a >> b")])


def unary():
    group = "Unary"
    yield from _one(group, ("bool_",), [("-x", "-a", {"result": "int32"}), ("+x", "+a", {"result": "int32"}), ("abs", "abs(a)"), ("~x", "~a")])
    yield from _one(group, INTEGERS, [("-x", "-a"), ("+x", "+a"), ("abs", "abs(a)"), ("~x", "~a")])
    yield from _one(group, FLOATS, [("-x", "-a"), ("+x", "+a"), ("abs", "abs(a)"), ("floor", "ct.floor(a)"), ("ceil", "ct.ceil(a)"),
                                   ("isnan", "ct.isnan(a)", {"result": "bool_"})])  # fmt: skip
    yield from _one(group, BYTE_FLOATS, [("-x", "-a"), ("abs", "abs(a)"), ("isnan", "ct.isnan(a)", {"result": "bool_"})])
    yield from _one(group, ALL, [("not x", "not a", {"result": "bool_"})])


def comparisons():
    rows = [(f"x {sign} y", f"a {sign} b", {"result": "bool_"}) for sign in ("==", "!=", "<", "<=", ">", ">=")]
    yield from _pair("Comparisons", ALL, [*rows, ("where(x < y, x, y)", "ct.where(a < b, a, b)")])


def promotions():
    """Sums of two dtypes: what both become."""
    for dtype in ("bool_", *INTEGERS, *FLOATS):
        for other in ("bool_", *INTEGERS, *FLOATS):
            result = _common(dtype, other)
            if result and dtype != other:
                yield Operation("Promotions", f"x + {other}", dtype, (("left", dtype), ("right", other)), result, "a + b")


def _common(one, other):
    """As cuTile: None where it refuses."""
    order = ("bool_", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", *FLOATS)
    low, high = sorted((one, other), key=order.index)
    if low.startswith("u") and high.startswith("int") or (low, high) == ("float16", "bfloat16"):
        return None
    return high


# In ulp of float32 and float64: twice the largest error that cuTile shows (see the page's section on accuracy), rounded up.
_FUNCTIONS = {"exp": 3.0, "exp2": 4.0, "log": 2.0, "log2": 3.0, "sin": 3.0, "cos": 3.0, "tan": 5.0, "sinh": 4.0, "cosh": 3.0, "tanh": 4.0,
              "rsqrt": 3.0}  # fmt: skip
_ROUNDED_ONCE = {"within": 1.0}  # calculated as float32


def functions():
    group = "Elementary functions"
    near = [(name, f"ct.{name}(a)", {"within": bound}) for name, bound in _FUNCTIONS.items()]
    for dtype in FLOATS:
        halves = dtype in ("float16", "bfloat16")
        pow, atan2, whole = ({"within": 1.0 if halves else bound} for bound in (2.0, 3.0, 8.0))
        rounded = [(name, body, _ROUNDED_ONCE) for name, body, _ in near] if halves else near
        yield from _one(group, (dtype,), [*rounded, ("sqrt", "ct.sqrt(a)")])
        yield from _pair(group, (dtype,), [("pow", "a ** b", pow), ("atan2", "ct.atan2(a, b)", atan2)])
        yield from _made(group, (dtype,), (("left", "{t}"), ("exponents", "int32")), [("pow of an int32", "a ** b", whole)])
    yield from _one(group, ("bool_", "int8", "int64", "uint32"), [*near, ("sqrt", "ct.sqrt(a)")], result="float32")
    yield from _one(group, BYTE_FLOATS, near)


def roundings():
    group = "Roundings and flush to zero"
    for name in ("add", "sub", "mul", "truediv"):
        yield from _pair(group, FLOATS, [(f"{name} {mode}", f"ct.{name}(a, b, {_mode(mode)})") for mode in _ROUNDINGS])
    yield from _pair(group, ("float32",), [
        *((f"{name}, flush to zero", f"ct.{name}(a, b, flush_to_zero=True)") for name in ("add", "sub", "mul", "truediv", "minimum", "maximum")),
        ("truediv FULL", f"ct.truediv(a, b, {_mode('FULL')})", _NEAR), ("truediv APPROX", f"ct.truediv(a, b, {_mode('APPROX')})", _NEAR),
        ("truediv APPROX, flush to zero", f"ct.truediv(a, b, {_mode('APPROX')}, flush_to_zero=True)", _NEAR),
    ])  # fmt: skip
    yield from _one(group, FLOATS, [(f"sqrt {mode}", f"ct.sqrt(a, {_mode(mode)})") for mode in _ROUNDINGS])
    yield from _one(group, ("float32",), [
        ("sqrt APPROX", f"ct.sqrt(a, {_mode('APPROX')})", _NEAR), ("sqrt, flush to zero", "ct.sqrt(a, flush_to_zero=True)"),
        ("exp APPROX", f"ct.exp(a, {_mode('APPROX')})", {"within": 64.0}), ("tanh APPROX", f"ct.tanh(a, {_mode('APPROX')})", {"within": 4096.0}),
        ("exp2, flush to zero", "ct.exp2(a, flush_to_zero=True)", _NEAR), ("rsqrt, flush to zero", "ct.rsqrt(a, flush_to_zero=True)", _NEAR),
    ])  # fmt: skip


def casts():
    for dtype in ALL:
        yield from _one("Conversions", (dtype,), [(f"to {other}", f"a.astype(ct.{other})", {"result": other}) for other in ALL if other != dtype])
    for dtype in (*FLOATS, *BYTE_FLOATS):
        for other in (*FLOATS, *BYTE_FLOATS):
            if other != dtype:
                yield from _one("Conversions with a rounding", (dtype,), [
                    (f"to {other}, {mode}", f"ct.astype(a, ct.{other}, {_mode(mode)})", {"result": other}) for mode in (*_ROUNDINGS, "RA")
                ])  # fmt: skip
    near_ties = {"inputs": (("near_ties", "{t}"),)}
    for dtype in ("int16", "int32", "int64", "uint16", "uint32", "uint64", "float32", "float64"):
        rows = [(f"to {other}, near ties", f"a.astype(ct.{other})", {"result": other} | near_ties) for other in BYTE_FLOATS]
        yield from _made("Conversions", (dtype,), (), rows)
    yield from _one("Conversions", ("float32",), [("to tfloat32 and back", "a.astype(ct.tfloat32).astype(ct.float32)")])
    for dtype in (*INTEGERS, *FLOATS, *BYTE_FLOATS):
        others = [other for other in (*INTEGERS, *FLOATS, *BYTE_FLOATS) if bits_of(other) == bits_of(dtype) and other != dtype]
        yield from _one("Bits", (dtype,), [(f"bitcast to {other}", f"ct.bitcast(a, ct.{other})", {"result": other}) for other in others])


_FIRST = "def first(p, q):\n    return p\n"
_LAST = "def last(p, q):\n    return q\n"


def reductions():
    group, rows = "Reductions", (("rows", "{t}"),)
    of_rows = {"shape": SHAPES["rows"][:1]}
    for dtype in ("bool_", *INTEGERS, *FLOATS):
        result = "int32" if dtype == "bool_" else dtype
        found = [("sum", "ct.sum(a, axis=1)"), ("max", "ct.max(a, axis=1)"), ("min", "ct.min(a, axis=1)"),
                 ("argmax", "ct.argmax(a, axis=1)", {"result": "int32"}), ("argmin", "ct.argmin(a, axis=1)", {"result": "int32"}),
                 ("prod", "ct.prod(a, axis=1)", {"inputs": (("factors", "{t}"),)})]  # fmt: skip
        if dtype in FLOATS:
            found += [(f"{name}, propagate_nan", f"ct.{name}(a, axis=1, propagate_nan=True)", {"result": "int32"} if name.startswith("arg") else {})
                      for name in ("max", "min", "argmax", "argmin")]  # fmt: skip
            found += [("sum in any order", "ct.sum(a, axis=1)", {"inputs": (("drawn_rows", "{t}"),), "within": 16.0})]
        yield from _made(group, (dtype,), rows, found, result=result, **of_rows)
    long = {"inputs": (("long_rows", "{t}"),), "within": 1.0}
    yield from _made(group, ("float16", "bfloat16"), rows, [("sum beyond the dtype's digits", "ct.sum(a, axis=1)", long)], **of_rows)
    flat = {"shape": (1,), "result": "int32"}
    yield from _made(group, ("int32", "float32"), rows, [("argmax of all axes", "ct.argmax(a).reshape((1,))", flat), ("argmin of all axes", "ct.argmin(a).reshape((1,))", flat)])
    yield from _made(group, ("int32", "float32"), rows, [("reduce by the maximum", "ct.reduce(a, 1, ct.maximum, 0)")], **of_rows)


def scans():
    group, rows = "Scans", (("rows", "{t}"),)
    found = [("cumsum", "ct.cumsum(a, axis=1)"), ("cumsum, reverse", "ct.cumsum(a, axis=1, reverse=True)"),
             ("cumprod", "ct.cumprod(a, axis=1)", {"inputs": (("factors", "{t}"),)})]  # fmt: skip
    yield from _made(group, (*INTEGERS, *FLOATS), rows, found, shape=SHAPES["rows"])
    yield from _made(group, ("bool_",), rows, found[:2], shape=SHAPES["rows"], result="int32")
    long = {"inputs": (("long_rows", "{t}"),), "within": 1.0}
    yield from _made(group, ("float16", "bfloat16"), rows, [("cumsum beyond the dtype's digits", "ct.cumsum(a, axis=1)", long)], shape=SHAPES["rows"])


def products():
    group = "Products"
    pairs = [("float16", "float16"), ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("float64", "float64"),
             *((of, acc) for of in BYTE_FLOATS for acc in ("float16", "float32")), ("int8", "int32"), ("uint8", "int32")]  # fmt: skip
    for dtype, acc in pairs:
        for name, within in (("exact", EXACT), ("special", EXACT), ("drawn", 16.0)):
            if name == "exact" or dtype in FORMATS_OF_PRODUCTS:
                told = {"exact": "small integers", "special": "infinities, NaN, denormals", "drawn": "arbitrary numbers"}[name]
                inputs = ((f"{name}_left", dtype), (f"{name}_right", dtype))
                yield Operation(group, f"mma into {acc}, {told}", dtype, inputs, acc, f"ct.mma(a, b, ct.zeros((16, 16), ct.{acc}))", (16, 16), within)
        inputs = (("exact_left", dtype), ("exact_right", dtype))
        if (dtype, acc) in ((dtype, "float32"), (dtype, "float64"), (dtype, "int32")):
            yield Operation(group, "matmul, small integers", dtype, inputs, dtype, "ct.matmul(a, b)", (16, 16))
    for one, other in (("int8", "uint8"), ("uint8", "int8")):
        yield Operation(group, f"mma with {other}", one, (("exact_left", one), ("exact_right", other)), "int32", "ct.mma(a, b, ct.zeros((16, 16), ct.int32))", (16, 16))
    for told, name, within in (("small integers", "exact", EXACT), ("arbitrary numbers", "drawn", 16.0)):
        inputs = ((f"{name}_left", "float32"), (f"{name}_right", "float32"))
        body = "ct.mma(a.astype(ct.tfloat32), b.astype(ct.tfloat32), ct.zeros((16, 16), ct.float32))"
        yield Operation(group, f"mma into float32, {told}", "tfloat32", inputs, "float32", body, (16, 16), within)


FORMATS_OF_PRODUCTS = (*FLOATS, *BYTE_FLOATS)


def paddings():
    group, short = "Loads past the edge", (("short", "{t}"),)
    padded = {"shape": (32,)}
    rows = [(mode, f"ct.load(x, (0,), (32,), padding_mode=ct.PaddingMode.{mode})") for mode in ("ZERO", "NEG_ZERO", "NAN", "POS_INF", "NEG_INF")]
    yield from _made(group, ALL, short, rows, **padded)
    yield from _made(group, ALL, short, [("gather", "ct.gather(x, ct.arange(32, dtype=ct.int32))")], **padded)
    yield from _made(group, ("int32", "float16", "float32"), (("grid", "{t}"),),
                     [("ZERO, two axes", "ct.load(x, (0, 0), (8, 8), padding_mode=ct.PaddingMode.ZERO)")], shape=(8, 8))  # fmt: skip


def gathers():
    group = "Gathers and scatters"
    told = {"shape": (32,)}
    rows = [("gather", "ct.gather(x, b)"), ("gather, padding_value", "ct.gather(x, b, padding_value=7)"),
            ("gather, mask", "ct.gather(x, b, mask=c)"), ("gather, mask, padding_value", "ct.gather(x, b, mask=c, padding_value=7)")]  # fmt: skip
    for dtype in ("int8", "uint32", "int64", "float16", "bfloat16", "float32", "float64"):
        yield from _made(group, (dtype,), (("short", "{t}"), ("indices", "int32"), ("mask", "bool_")), rows, **told)
    for index in INTEGERS:
        yield from _made(group, ("float32",), (("short", "float32"), ("indices", index)), [(f"gather by {index}", "ct.gather(x, b)")], **told)
        yield from _made(group, ("float32",), (("indices", "float32"), ("indices", index)), [(f"scatter by {index}", "ct.scatter({r}, b, 3.0)")], shape=(24,))
    pair = (("grid", "{t}"), ("row_indices", "int32"), ("column_indices", "int32"))
    yield from _made(group, ("float32", "int32"), pair, [("gather, two axes", "ct.gather(x, (b, c))")], **told)


def open_points():
    """What documentation leaves open; results of undefined behaviour promise nothing."""
    group = "Open points"
    one = lambda name, dtype, inputs, result, body, shape, question, **more: Operation(
        group, name, dtype, inputs, result, body, shape, question=question, **more
    )
    for order in ("(1, 2, 0)", "(2, 0, 1)"):
        shape = tuple((2, 4, 8)[axis] for axis in eval(order))
        yield one(f"load, order={order}", "int32", (("cube", "int32"),), "int32", f"ct.load(x, (0, 0, 0), {shape}, order={order})", shape, "orders that are 3-cycles")
    for dtype in ("int32", "float32"):
        short = (("short", dtype),)
        for told, index in (("outside", 2), ("at a negative index", "ct.bid(0) - 1")):
            yield one(f"load of a tile {told}, ZERO", dtype, short, dtype, f"ct.load(x, ({index},), (16,), padding_mode=ct.PaddingMode.ZERO)", (16,), f"a tile {told}")
        yield one("load of a tile outside", dtype, short, dtype, "ct.load(x, (2,), (16,))", (16,), "a tile outside, undetermined", within=float("inf"))
        yield one("store of a tile outside", dtype, (("rows", dtype),), dtype, f"ct.store({{r}}, (2,), ct.ones((16,), ct.{dtype}))", (20,), "a tile outside, stored")
        yield one("store past the edge", dtype, (("rows", dtype),), dtype, f"ct.store({{r}}, (1,), ct.ones((16,), ct.{dtype}))", (20,), "a tile at the edge, stored")
    body = "for i in range(ct.gather(x, 0), ct.gather(x, 1)):\n        ct.scatter({r}, i % 16, i)"
    yield one("range of int64 bounds", "int64", (("long_bounds", "int64"),), "int64", body, (16,), "`range` with int64 bounds above 2**31")
    for name, text in (("first", _FIRST), ("last", _LAST)):
        rows = {"definitions": text}
        yield one(f"reduce by the {name} of two", "int32", (("rows", "int32"),), "int32", f"ct.reduce(a, 1, {name}, 0)", (16,), "functions that do not commute", **rows)
        yield one(f"scan by the {name} of two", "int32", (("rows", "int32"),), "int32", f"ct.scan(a, 1, {name}, 0)", (16, 64), "functions that do not commute", **rows)
    affine = "def compose(p, q, s, t):\n    return p * s, q * s + t\n"
    yield one("scan by composition", "uint32", (("rows", "uint32"),), "uint32", "ct.scan((a, a + 1), 1, compose, (1, 0))[1]", (16, 64), "functions that do not commute", definitions=affine)
    yield one("reduce by composition", "uint32", (("rows", "uint32"),), "uint32", "ct.reduce((a, a + 1), 1, compose, (1, 0))[1]", (16,), "functions that do not commute", definitions=affine)
    indices = (("short", "int32"), ("indices", "int32"))
    for name in ("add", "xchg", "max", "and"):
        yield one(f"atomic_{name} outside", "int32", indices, "int32", f"ct.scatter({{r}}, ct.arange(32, dtype=ct.int32), ct.atomic_{name}(x, b, b * 0))", (32,), "atomics outside", within=float("inf"))
    yield one("atomic_cas outside", "int32", indices, "int32", "ct.scatter({r}, ct.arange(32, dtype=ct.int32), ct.atomic_cas(x, b, b * 0 - 5, b * 0))", (32,), "atomics outside")
    for dtype in ("int16", "float32", "int64"):
        count = 64 * bits_of(dtype) // 8
        yield one("pack_to_bytes", dtype, (("rows", dtype),), "uint8", "ct.pack_to_bytes(ct.extract(a, (0, 0), (1, 64)))", (count,), "the order of packed bytes")
    yield one("unpack_from_bytes", "int32", (("bytes", "uint8"),), "int32", "ct.unpack_from_bytes(a, ct.int32)", (16,), "the order of packed bytes")
    yield one("slice past the end", "int32", (("short", "int32"),), "int32", "ct.load(x.slice(0, 4, 12), (0,), (16,), padding_mode=ct.PaddingMode.ZERO)", (16,), "slices")


GROUPS = (arithmetic, unary, comparisons, promotions, functions, roundings, casts, reductions, scans, products, paddings, gathers, open_points)


def operations():
    found = [operation for group in GROUPS for operation in group()]
    keys = [operation.key for operation in found]
    assert len(set(keys)) == len(keys), sorted(key for key in keys if keys.count(key) > 1)
    return found


def slug(text):
    return re.sub(r"\W+", "_", text).strip("_").lower()

