# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Counting, running sums and scattering of tokens by expert; block-aligned."""

import cuda.tile as ct
import torch


@ct.kernel
def count_kernel(ids, counts, numel: int, NUM_EXPERTS: ct.Constant[int], PER: ct.Constant[int]):
    pid = ct.bid(0)
    start = pid * PER
    for i in range(PER):
        if start + i < numel:
            e = ct.gather(ids, start + i)
            # waits
            old = ct.gather(counts, (pid + 1, e))
            ct.scatter(counts, (pid + 1, e), old + 1)


@ct.kernel
def columns_kernel(counts, programs: int):
    e = ct.bid(0)
    last = 0
    for i in range(1, programs + 1):
        c = ct.gather(counts, (i, e))
        last = last + c
        ct.scatter(counts, (i, e), last)


@ct.kernel
def ends_kernel(
    counts, cumsum, total, programs: int, BLOCK: ct.Constant[int], E: ct.Constant[int], EP: ct.Constant[int]
):
    lanes = ct.arange(EP, dtype=ct.int32)
    mask = lanes < E
    c = ct.gather(counts, (programs, lanes), mask=mask)
    padded = ct.cdiv(c, BLOCK) * BLOCK
    ends = ct.cumsum(padded, axis=0)
    ct.scatter(cumsum, lanes + 1, ends, mask=mask)
    ct.scatter(total, 0, ct.max(ends))


@ct.kernel
def sort_kernel(
    ids,
    sorted_ids,
    expert_ids,
    counts,
    cumsum,
    numel: int,
    BLOCK: ct.Constant[int],
    E: ct.Constant[int],
    PER: ct.Constant[int],
):
    pid = ct.bid(0)
    begin = ct.gather(cumsum, pid)
    end = ct.gather(cumsum, pid + 1)
    i = begin
    while i < end:
        ct.scatter(expert_ids, i // BLOCK, pid)
        i += BLOCK
    for t in range(pid * PER, min((pid + 1) * PER, numel)):
        e = ct.gather(ids, t)
        # waits
        rank = ct.gather(counts, (pid, e))
        ct.scatter(sorted_ids, rank + ct.gather(cumsum, e), t)
        # waits
        ct.scatter(counts, (pid, e), rank + 1)


@ct.kernel
def histogram_kernel(ids, hist, numel: int, N: ct.Constant[int]):
    offs = ct.bid(0) * N + ct.arange(N, dtype=ct.int32)
    e = ct.gather(ids, offs, mask=offs < numel, padding_value=-1)
    ct.atomic_add(hist, e, ct.where(e >= 0, 1, 0), memory_order=ct.MemoryOrder.RELAXED)


def align(ids, block, experts):
    numel = ids.numel()
    per = ct.cdiv(numel, experts)
    stream = torch.cuda.current_stream()
    counts = torch.zeros(experts + 1, experts, dtype=torch.int32)
    cumsum = torch.zeros(experts + 1, dtype=torch.int32)
    total = torch.zeros(1, dtype=torch.int32)
    most = numel + experts * (block - 1)
    sorted_ids = torch.full((most,), numel, dtype=torch.int32)
    expert_ids = torch.full((ct.cdiv(most, block),), -1, dtype=torch.int32)
    ct.launch(stream, (experts,), count_kernel, (ids, counts, numel, experts, per))
    ct.launch(stream, (experts,), columns_kernel, (counts, experts))
    ct.launch(stream, (1,), ends_kernel, (counts, cumsum, total, experts, block, experts, 8))
    ct.launch(
        stream, (experts,), sort_kernel, (ids, sorted_ids, expert_ids, counts, cumsum, numel, block, experts, per)
    )
    return sorted_ids, expert_ids, total


def cases():
    ids, block, experts = torch.randint(0, 5, (23,), dtype=torch.int32), 4, 5
    got, expert, total = align(ids, block, experts)
    want, blocks = [], []
    for e in range(experts):
        mine = [i for i in range(23) if ids[i] == e]
        pad = -len(mine) % block
        want += mine + [23] * pad
        blocks += [e] * ((len(mine) + pad) // block)
    yield "sorted", got[: len(want)], torch.tensor(want)
    yield "experts", expert[: len(blocks)], torch.tensor(blocks)
    yield "total", total, torch.tensor([len(want)])
    hist = torch.zeros(5, dtype=torch.int32)
    ct.launch(torch.cuda.current_stream(), (3,), histogram_kernel, (ids, hist, 23, 8))
    yield "histogram", hist, torch.bincount(ids, minlength=5)
