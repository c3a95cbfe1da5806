# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`--numerics strict`, where it prints something of its own."""

from oracle import tool

NEGATION = '''
import cuda.tile as ct
import torch


@ct.kernel
def negate(x, out, N: ct.Constant[int]):
    ct.store(out, (0,), -ct.load(x, (0,), (N,)))


@ct.kernel
def negate_scalar(out, n):
    ct.store(out, 0, -n)


def cases():
    stream = torch.cuda.current_stream()
    for x in (torch.tensor([2**24 + 1, -3, 0, 1], dtype=torch.int32), torch.tensor([2**62 + 1, -3, 0, 1])):
        out = torch.zeros_like(x)
        ct.launch(stream, (1,), negate, (x, out, 4))
        yield f"{x.dtype}", out, -x
    for dtype in (torch.float16, torch.float32):
        x = torch.tensor([1.5, -2.0, 0.0, -0.0], dtype=dtype)
        out = torch.zeros_like(x)
        ct.launch(stream, (1,), negate, (x, out, 4))
        yield f"{dtype}", out, -x
        yield f"signs of {dtype}", torch.signbit(out), torch.signbit(-x)
    for n in (2**24 + 1, 1, -3):
        out = torch.zeros(1, dtype=torch.int32)
        ct.launch(stream, (1,), negate_scalar, (out, n))
        yield f"the scalar {n}", out, torch.tensor([-n])
    out = torch.ones(1)
    ct.launch(stream, (1,), negate_scalar, (out, 0.0))
    yield "sign of a scalar", torch.signbit(out), torch.tensor([True])
'''


def test_negated_integers_stay_integers_and_a_negated_zero_has_its_sign(tmp_path):
    source, target = tmp_path / "negation.py", tmp_path / "converted.py"
    source.write_text(NEGATION)
    assert tool.run("convert", source, "-o", target, "--numerics", "strict").returncode == 0
    for engine, file in (("emulated", source), ("triton", target)):
        done = tool.worker("kernels", "--engine", engine, file)
        found = tool.outcomes(done)
        assert len(found) == 11 and not any(found.values()), (engine, found, done.stderr[-2000:])
