# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Accesses of one program happen in order: threads wait where the comment says so, and nowhere else."""

import cuda.tile as ct
import torch

# Nothing to wait for


@ct.kernel
def in_place(x, N: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (N,))
    u = twice(t.astype(ct.float32))
    ct.store(x, (i,), (u + 1.0).astype(x.dtype))


def twice(t):
    return t * 2.0


@ct.kernel
def in_place_by_elements(x, y, N: ct.Constant[int]):
    i = ct.bid(0) * N + ct.arange(N, dtype=ct.int32)
    a = ct.gather(x, i)
    b = ct.gather(y, i)
    ct.scatter(x, i, a + b)
    ct.scatter(y, i, a - b)


@ct.kernel
def rows_of_a_grid(x, N: ct.Constant[int]):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        t = ct.load(x, (row, 0), (1, N))
        ct.store(x, (row, 0), t + 1)


@ct.kernel
def chunks_of_rows(x, y, N: ct.Constant[int]):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        for start in range(0, x.shape[1], N):
            columns = start + ct.arange(N, dtype=ct.int32)
            ct.scatter(y, (row, columns), ct.gather(x, (row, columns)) * 2)


@ct.kernel
def flat_tiles(x, columns: int, N: ct.Constant[int]):
    for i in range(2):
        for j in range(columns):
            t = ct.load(x, (i * columns + j,), (N,))
            ct.store(x, (i * columns + j,), t + i)


@ct.kernel
def halves(x, N: ct.Constant[int]):
    i = ct.bid(0)
    a = ct.load(x, (2 * i,), (N,))
    ct.store(x, (2 * i,), a + 1)
    b = ct.load(x, (2 * i + 1,), (N,))
    ct.store(x, (2 * i + 1,), b - 1)


@ct.kernel
def masked_halves(x, half: ct.Constant[int], N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    mask = lanes < half
    a = ct.gather(x, lanes, mask=mask)
    b = ct.gather(x, lanes + half, mask=mask)
    ct.scatter(x, lanes, a - b, mask=mask)
    ct.scatter(x, lanes + half, a + b, mask=mask)


@ct.kernel
def one_way_or_the_other(x, AGAIN: ct.Constant[bool], N: ct.Constant[int]):
    for i in range(3):
        if AGAIN:
            ct.store(x, (0,), ct.full((N,), i, ct.float32))
        else:
            ct.store(x, (1,), ct.load(x, (0,), (N,)) + i)


@ct.kernel
def last_of_a_loop(x, y, N: ct.Constant[int]):
    for i in range(ct.num_tiles(x, axis=0, shape=(N,))):
        ct.store(y, (0,), ct.load(x, (i,), (N,)))


# Something to wait for


@ct.kernel
def read_again(x, y, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(x, (i,), ct.full((N,), i, ct.float32))
    # waits
    ct.store(y, (i,), ct.load(x, (i,), (N,)))


@ct.kernel
def numbered_tiles(x, N: ct.Constant[int]):
    """Nothing says that no tile comes twice."""
    rows, columns = x.shape[0], ct.num_tiles(x, axis=1, shape=(1, N))
    for i in range(rows):
        for j in range(columns):
            number = i * columns + j
            # waits
            t = ct.load(x, (number // columns, number % columns), (1, N))
            ct.store(x, (number // columns, number % columns), t + number)


@ct.kernel
def transpose_at_once(x, N: ct.Constant[int]):
    # waits
    ct.store(x, (0, 0), ct.transpose(ct.load(x, (0, 0), (N, N))))


@ct.kernel
def shift(x, N: ct.Constant[int]):
    lanes = ct.arange(N, dtype=ct.int32)
    t = ct.gather(x, lanes + 1)
    # waits
    ct.scatter(x, lanes, t)


@ct.kernel
def transpose_in_place(x, N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (N, N))
    # waits
    ct.store(x, (0, 0), ct.transpose(t))


@ct.kernel
def sum_in_place(x, y, N: ct.Constant[int]):
    t = ct.load(x, (0,), (N,))
    total = ct.sum(t)
    # waits
    ct.store(x, (0,), t / total)
    ct.store(y, (0,), ct.full((N,), total, ct.float32))


@ct.kernel
def running_sum(x, total, N: ct.Constant[int]):
    for i in range(ct.num_tiles(x, axis=0, shape=(N,))):
        t = ct.load(x, (i,), (N,))
        # waits
        before = ct.load(total, (0,), (N,))
        ct.store(total, (0,), before + t)


@ct.kernel
def neighbours(x, N: ct.Constant[int]):
    for i in range(ct.num_tiles(x, axis=0, shape=(N,)) - 1):
        # waits
        t = ct.load(x, (i,), (N,))
        ct.store(x, (i + 1,), t + 1)


@ct.kernel
def larger_tile(x, y, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(x, (i,), ct.full((N,), i, ct.float32))
    # waits
    ct.store(y, (i,), ct.load(x, (i // 2,), (2 * N,)))


@ct.kernel
def helper_reads(x, y, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(x, (i,), ct.full((N,), i, ct.float32))
    # waits
    t = first(x, N)
    ct.store(y, (i,), t)


def first(x, N):
    return ct.load(x, (0,), (N,))


@ct.kernel
def helper_writes(x, y, N: ct.Constant[int]):
    fill(x, N)
    # waits
    ct.store(y, (0,), ct.load(x, (0,), (N,)))


def fill(x, N):
    ct.store(x, (0,), ct.full((N,), 3.0, ct.float32))


@ct.kernel
def locked_sum(lock, total, x, N: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (N,))
    while ct.atomic_cas(lock, 0, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:
        pass
    ct.store(total, (0,), ct.load(total, (0,), (N,)) + t)
    # waits
    ct.atomic_xchg(lock, 0, 0, memory_order=ct.MemoryOrder.RELEASE)


@ct.kernel
def counted(count, out, x, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), (N,)) * 2)
    ct.atomic_add(count, 0, 1, memory_order=ct.MemoryOrder.RELAXED)
    # waits
    ct.atomic_add(count, 1, 1)


def cases():
    stream = torch.cuda.current_stream()

    def run(grid, kernel, *arguments):
        """The arguments after a launch with copies of them."""
        arrays = [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]
        ct.launch(stream, grid, kernel, tuple(arrays))
        return arrays

    x = torch.randn(32)
    rows = torch.randn(4, 32)
    yield "in place", run((2,), in_place, x, 16)[0], x * 2 + 1
    a, b = run((2,), in_place_by_elements, x, x.flip(0), 16)[:2]
    yield "by elements, sums", a, x + x.flip(0)
    yield "by elements, differences", b, x - x.flip(0)
    yield "rows of a grid", run((3,), rows_of_a_grid, rows, 32)[0], rows + 1
    yield "chunks of rows", run((3,), chunks_of_rows, rows, torch.zeros(4, 32), 8)[1], rows * 2
    tiles = torch.arange(16).reshape(4, 4).repeat_interleave(8, 1)
    yield "numbered tiles", run((1,), numbered_tiles, rows, 8)[0], rows + tiles
    yield "flat tiles", run((1,), flat_tiles, x, 4, 4)[0], x + torch.arange(2).repeat_interleave(16)
    yield "halves", run((2,), halves, x, 8)[0], x + torch.tensor([1, -1]).repeat_interleave(8).repeat(2)
    half = x[:20].clone()
    expected = torch.cat([half[:10] - half[10:], half[:10] + half[10:]])
    yield "masked halves", run((1,), masked_halves, half, 10, 16)[0], expected
    for again in (False, True):
        expected = torch.cat([torch.full((16,), 2.0), x[16:]]) if again else torch.cat([x[:16], x[:16] + 2])
        yield f"one way, {again}", run((1,), one_way_or_the_other, x, again, 16)[0], expected
    yield "last of a loop", run((1,), last_of_a_loop, x, torch.zeros(8), 8)[1], x[-8:]

    numbers = torch.arange(2.0).repeat_interleave(16)
    zeros = torch.zeros(32)
    yield "read again", run((2,), read_again, x, zeros, 16)[1], numbers
    yield "shift", run((1,), shift, x, 16)[0][:16], x[1:17]
    square = torch.randn(16, 16)
    yield "transposed at once", run((1,), transpose_at_once, square, 16)[0], square.T
    yield "transposed", run((1,), transpose_in_place, square, 16)[0], square.T
    positive = torch.rand(32) + 1
    yield "sum in place", run((1,), sum_in_place, positive, zeros, 32)[0], positive / positive.sum()
    yield "running sum", run((1,), running_sum, x, torch.zeros(8), 8)[1], x.reshape(4, 8).sum(0)
    yield "neighbours", run((1,), neighbours, x, 8)[0], x[:8].repeat(4) + torch.arange(4).repeat_interleave(8)
    yield "larger tile", run((1,), larger_tile, x, zeros, 16)[1], torch.cat([torch.zeros(16), x[16:]])
    yield "helper reads", run((1,), helper_reads, x, x, 32)[1], zeros
    yield "helper writes", run((1,), helper_writes, x, x, 32)[1], torch.full((32,), 3.0)
    lock, none = torch.zeros(1, dtype=torch.int32), torch.zeros(8)
    yield "locked sum", run((4,), locked_sum, lock, none, x, 8)[1], x.reshape(4, 8).sum(0)
    count = torch.zeros(2, dtype=torch.int32)
    yield "counted", run((4,), counted, count, zeros, x, 8)[0], torch.full((2,), 4, dtype=torch.int32)
