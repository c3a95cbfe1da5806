# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""bench/gpu/numerics: what is asked, what files are made of it, and how answers are compared. No GPU, and nothing is launched."""

import ast
import json
import struct
import sys

import pytest

from oracle import tool

sys.path.append(str(tool.REPOSITORY / "bench" / "gpu"))

from numerics import inputs, joined, made, page, plain, reasons, run
from numerics.operations import Operation, operations
from numerics.undefined import undefined

FOUND = {operation.key: operation for operation in operations()}


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


@pytest.mark.parametrize("dtype", inputs.ALL)
def test_a_result_is_not_apart_from_itself(dtype):
    bits = inputs.data("numbers", dtype)
    distance = joined.apart(bits, bits, dtype)
    assert distance.same and distance.ulp == 0 and distance.count == inputs.COUNT


def test_nan_equals_any_nan_and_no_number():
    quiet, other = struct.pack("<I", 0x7FC00000), struct.pack("<I", 0xFF812345)
    assert joined.apart(quiet, other, "float32").same
    assert joined.apart(quiet, floats(1.0), "float32").ulp == float("inf")


@pytest.mark.parametrize(
    "one, other, ulp",
    [(1.0, 1.0 + 2**-23, 1), (0.0, -0.0, 1), (2**-149, -(2**-149), 2), (1.0, 2.0, 2**23), (3.4028234663852886e38, float("inf"), 1)],
)
def test_distances_of_floats_count_the_numbers_between(one, other, ulp):
    distance = joined.apart(floats(5.0, one), floats(5.0, other), "float32")
    assert (distance.differing, distance.ulp, distance.worst) == (1, ulp, 1)


def test_doubles_far_apart_are_counted_without_overflow():
    assert joined.apart(struct.pack("<d", -1.7e308), struct.pack("<d", 1.7e308), "float64").ulp > 2**63


def test_integers_that_differ_are_outside_of_any_bound():
    distance = joined.apart(b"\1\2\3\4", b"\1\2\3\5", "int8")
    assert (distance.differing, distance.worst) == (1, 3) and not distance.within(1e9)


def test_every_input_has_the_bytes_of_its_shape():
    for kind, dtype in {given for operation in FOUND.values() for given in operation.inputs}:
        count = 1
        for extent in inputs.SHAPES[kind]:
            count *= extent
        assert len(inputs.data(kind, dtype)) == count * inputs.bits_of(dtype) // 8, (kind, dtype)


@pytest.mark.parametrize("dtype", [*inputs.FLOATS, *inputs.BYTE_FLOATS])
def test_numbers_are_rounded_to_a_dtype_as_torch_does_within_its_range(dtype):
    torch = pytest.importorskip("torch")
    largest, normal, smallest, next_to_one = inputs.extremes(dtype)
    numbers = [0.0, -0.0, smallest, smallest * 1.5, smallest * 0.75, normal - smallest, normal, next_to_one, 0.1, -2.7, largest, -largest]
    bits = b"".join(inputs.bits_of_number(dtype, number).to_bytes(inputs.bits_of(dtype) // 8, "little") for number in numbers)
    wanted = torch.tensor(numbers, dtype=torch.float64).to(inputs.torch_dtype(dtype)).view(torch.uint8).numpy().tobytes()
    assert bits == wanted


def test_numbers_beyond_the_largest_are_infinite_or_nan_on_every_machine():
    assert [inputs.bits_of_number("float8_e4m3fn", number) for number in (448.0, 464.0, 464.1, -1e30)] == [0x7E, 0x7E, 0x7F, 0xFF]
    assert [inputs.bits_of_number("float16", number) for number in (65519.0, 65520.0, float("-inf"))] == [0x7BFF, 0x7C00, 0xFC00]


def test_undefined_is_what_neither_dialect_says():
    divided = undefined(FOUND["Arithmetic/x // y/int8"])
    left, right = (inputs.values(inputs.data(kind, "int8"), "int8") for kind in ("left", "right"))
    assert [bool(each) for each in divided] == [y == 0 or (x == -128 and y == -1) for x, y in zip(left, right)]
    counted = undefined(FOUND["Conversions/to uint8/float32"])
    numbers = inputs.values(inputs.data("numbers", "float32"), "float32")
    assert [bool(each) for each in counted] == [not -1 < x < 256 for x in numbers]
    assert undefined(FOUND["Arithmetic/x // y/float32"]) is None and undefined(FOUND["Conversions/to int8/int32"]) is None


def test_what_is_undefined_is_not_counted_and_told_apart():
    shift = FOUND["Arithmetic/x << y/int8"]
    zeros, other = bytes(1024), bytearray(1024)
    places = [place for place, each in enumerate(undefined(shift)) if each]
    other[places[0]] = 1
    one = joined_of(shift, original=zeros, strict=bytes(other), interpreted=zeros)
    assert page.cell(one) == "=" and one.apart_where_undefined("strict").differing == 1
    text = page.text([], [one])
    assert "Where a conversion differs from cuTile\n\nNowhere." in text and "`x << y` of int8: 1 of 1024" in text


def test_every_answer_belongs_to_a_question():
    assert reasons.ANSWERS.keys() == {operation.question for operation in FOUND.values() if operation.question}


def test_dtypes_of_a_class_share_a_line_and_classes_do_not():
    def of(dtype, size):
        operation = Operation("Arithmetic", "x + y", dtype, (("left", dtype), ("right", dtype)), dtype, "a + b")
        return joined_of(operation, original=bytes(1024 * size), plain=b"\1" * 1024 * size)

    text = page.text([], [of("int8", 1), of("int16", 2), of("uint8", 1), of("float32", 4)])
    lines = [line for line in text.splitlines() if line.startswith("* Arithmetic: `x + y` of ")]
    assert [line.split(":")[1] for line in lines] == [" `x + y` of int8, int16", " `x + y` of uint8", " `x + y` of float32"]


def test_what_the_compiler_refuses_is_said_once():
    errors = [FOUND[f"Loads past the edge/NAN/{dtype}"] for dtype in ("int8", "int32")]
    found = [joined.Joined(each, errors={"original": f"CompilerError: got 'i{each.dtype[3:]}'"}) for each in errors]
    assert "* Loads past the edge: `NAN` of int8, int32: CompilerError: got an integer" in page.text([], found)


def test_no_two_operations_have_a_key_in_common():
    assert len(FOUND) == len(operations()) > 1000


def test_spellings_in_triton_are_python():
    spelled = [text for operation in FOUND.values() if (text := plain.spelled(operation))]
    assert len(spelled) > 500
    for text in spelled:
        ast.parse(text)
        assert "ct." not in text


SAMPLE = (
    "Arithmetic/x // y/int32", "Arithmetic/x + y/int32", "Arithmetic/cdiv/int32", "Comparisons/x < y/bfloat16", "Reductions/sum/float16",
    "Elementary functions/atan2/float32", "Conversions with a rounding/to float8_e5m2, RZ/float32", "Loads past the edge/NAN/float32",
    "Gathers and scatters/scatter by int32/float32",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("numerics") / "made"
    made.make(out, str(tool.executable()), found=[FOUND[key] for key in SAMPLE])
    return out


def test_made_files_convert_and_refusals_are_told_apart(folder):
    index = json.loads((folder / "index.json").read_text())
    assert list(index["refused by cuTile"]) == ["Conversions with a rounding/to float8_e5m2, RZ/float32"]
    assert [text[:5] for text in index["refused by Tilewright"].values()] == ["TW201"]
    asked = [key for file in index["files"].values() for key in file["operations"]]
    assert sorted(asked) == sorted(set(SAMPLE) - index["refused by cuTile"].keys())
    for name, file in index["files"].items():
        assert "wrong" not in file
        assert ("strict" in file["levels"]) == (not index["refused by Tilewright"].keys() & set(file["operations"]))
        for text in folder.glob(f"*/{name}.py"):
            ast.parse(text.read_text())


def test_operations_that_share_inputs_share_a_kernel(folder):
    index = json.loads((folder / "index.json").read_text())
    (text,) = [(folder / "original" / f"{name}.py").read_text() for name, file in index["files"].items() if SAMPLE[0] in file["operations"]]
    assert text.count("@ct.kernel") == 4 and "def batch(x, y, r0, r1, r2):" in text


def joined_of(operation, **results):
    return joined.Joined(operation, results=results)


def test_cells_say_what_differs():
    exact = Operation("Arithmetic", "x + y", "float32", (("left", "float32"), ("right", "float32")), "float32", "a + b", (2,))
    near = Operation("Functions", "exp", "float32", (("numbers", "float32"),), "float32", "ct.exp(a)", (2,), within=4.0)
    same, other = floats(1, 2), floats(1, 2 + 2**-22)
    assert page.cell(joined_of(exact, original=same, strict=same, interpreted=same)) == "="
    assert page.cell(joined_of(exact, original=same, strict=other, interpreted=same)) == "**T** 1"
    assert page.cell(joined_of(near, original=same, strict=other, interpreted=same)) == "T1"
    assert page.cell(joined_of(exact, original=same, strict=same, default=other, interpreted=other)) == "**D** 1 **I** 1"
    assert page.cell(joined.Joined(exact, errors={"original": "CompilerExecutionError: Return code 3\nwhy"})) == "c"
    assert page.cell(joined.Joined(exact, not_cutile="TypeCheckingError")) == "–"


def test_files_of_results_are_joined_and_the_newest_row_counts(folder, tmp_path):
    key, results = SAMPLE[1], tmp_path / "results.jsonl"
    first, last = (run.packed(struct.pack("<i", n) * inputs.COUNT) for n in (1, 2))
    rows = [{"machine": {"gpu": ""}}, {"side": "original", "key": key, "bits": first}, {"side": "interpreted", "key": key, "bits": first},
            {"side": "original", "key": key, "bits": last}, {"side": "strict", "key": key, "error": "TypeError: x must be float32"}]  # fmt: skip
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    machines, found = joined.joined([results], folder)
    one = next(one for one in found if one.operation.key == key)
    assert len(machines) == 1 and one.apart("interpreted").differing == inputs.COUNT and one.agrees("strict") is None
    assert page.cell(one) == f"R **I** {inputs.COUNT}"
    results.write_text(json.dumps({"side": "original", "key": key, "fed": "of other inputs", "bits": first}) + "\n")
    assert page.cell(next(one for one in joined.joined([results], folder)[1] if one.operation.key == key)) == "?"
    assert "Where the interpreter differs from cuTile" in page.text(machines, found)
