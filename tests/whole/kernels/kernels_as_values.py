# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels in variables and tables, hints replaced, arguments from a tuple or a call, a search over sizes."""

from types import SimpleNamespace

import cuda.tile as ct
import torch
from cuda.tile.tune import exhaustive_search


@ct.kernel(occupancy=2)
def add_one(x, out, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), (N,)) + 1.0)


@ct.kernel(occupancy=ct.ByTarget(sm_80=2, default=4))
def add_two(x, out, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), (N,)) + 2.0)


_tuned = {}


def arguments(x, out, n):
    return x, out, n


def launch_tuned(x, out):
    stream = torch.cuda.current_stream()
    if "best" not in _tuned:
        result = exhaustive_search(
            [SimpleNamespace(N=8, occupancy=1), SimpleNamespace(N=16, occupancy=2)],
            stream,
            lambda cfg: (ct.cdiv(x.shape[0], cfg.N),),
            add_one,
            lambda cfg: (x, out, cfg.N),
            lambda cfg: {"occupancy": cfg.occupancy},
        )
        cfg = result.best.config
        _tuned["best"] = cfg, add_one.replace_hints(occupancy=cfg.occupancy)
    cfg, kernel = _tuned["best"]
    ct.launch(stream, (ct.cdiv(x.shape[0], cfg.N),), kernel, (x, out, cfg.N))


def cases():
    stream = torch.cuda.current_stream()
    x = torch.randn(20)
    for step, kernel in enumerate((add_one, add_two), 1):
        out = torch.zeros(20)
        ct.launch(stream, (3,), kernel, arguments(x, out, 8))
        yield f"variable {step}", out, x + step
    out = torch.zeros(20)
    args = (x, out, 8)
    ct.launch(stream, (3,), add_two.replace_hints(occupancy=1), args)
    yield "replaced hints", out, x + 2
    for _ in range(2):
        out = torch.zeros(20)
        launch_tuned(x, out)
        yield "tuned", out, x + 1
