# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""argmax and argmin give the first place of the extreme, as int32; NaN is none unless all are NaN."""

import cuda.tile as ct
import torch


@ct.kernel
def places(x, most, least, M: ct.Constant[int], N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (M, N))
    ct.store(most, (0,), ct.argmax(t, axis=1))
    ct.store(least, (0, 0), ct.argmin(t, axis=1, keepdims=True))


def cases():
    x = torch.tensor([[1.0, 5.0, 5.0, 0.0], [2.0, 2.0, 2.0, 2.0], [-1.0, -2.0, -3.0, -4.0], [0.0, 0.0, 1.0, 1.0]])
    most, least = torch.zeros(4, dtype=torch.int32), torch.zeros(4, 1, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (1,), places, (x, most, least, 4, 4))
    yield "most", most, torch.tensor([1, 0, 0, 2])
    yield "least", least, torch.tensor([[3], [0], [3], [0]])
    nan = float("nan")
    x = torch.tensor([[3.0, 1.0, nan, 2.0], [nan, 1.0, 3.0, nan], [nan, nan, nan, nan], [-1.0, nan, -3.0, -4.0]])
    for name, dtype in (("float32", torch.float32), ("float16", torch.float16)):
        ct.launch(torch.cuda.current_stream(), (1,), places, (x.to(dtype), most, least, 4, 4))
        yield f"most of NaN, {name}", most.clone(), torch.tensor([0, 2, 0, 0])
        yield f"least of NaN, {name}", least.clone(), torch.tensor([[1], [1], [0], [3]])
