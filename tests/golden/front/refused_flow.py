# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


def recursive(n):
    return recursive(n - 1)


@ct.kernel
def one_branch(x, n: int):
    if n > 0:
        q = 1
    ct.store(x, 0, q)


@ct.kernel
def after_loop(x, n: int):
    for i in range(n):
        q = i
    ct.store(x, 0, q)


@ct.kernel
def by_path(x, n: int):
    if n > 0:
        a = 1
    else:
        a = 2.0
    ct.store(x, 0, a)


@ct.kernel
def in_loop(x, n: int):
    acc = 0
    for i in range(n):
        acc += ct.load(x, i, 16)


@ct.kernel
def tuples(x, n: int):
    pair = (n, 1)
    for i in range(n):
        pair = (pair[1], pair[0])
    ct.store(x, 0, pair[0])


@ct.kernel
def returns_value(x):
    return ct.load(x, 0, 16)


@ct.kernel
def conditions(x):
    t = ct.load(x, 0, 16)
    if t > 0:
        ct.store(x, 0, 1.0)
    while x:
        pass
    ct.store(x, 0, 1.0 if t else 2.0)
    ct.store(x, 0, t > 0 and t < 1)


@ct.kernel
def ranges(x, f: float):
    for i in (1, 2):
        pass
    for i in range(f):
        pass
    for i in range(0, 8, -1):
        pass
    for i in range(8):
        pass
    else:
        pass


@ct.kernel
def syntax(x, n: int):
    try:
        shape = [1, 2]
    except ValueError:
        pass
    assert n > 0
    x.y = 1
    x[0] = 1
    a, *b = (1, 2)
    f = lambda v: v
    with n:
        pass


@ct.kernel
def recursion(x):
    ct.store(x, 0, recursive(3))


@ct.kernel
def unpacking(x):
    a, b = (1, 2, 3)
    c, d = 1
    ct.store(x, (1, 2)[3], (1, 2)[ct.bid(0)])


@ct.kernel
def depends_on_launch(x, A: ct.Constant[bool], N: ct.Constant[int]):
    mode = ct.PaddingMode.ZERO if A else ct.PaddingMode.NAN
    t = ct.load(x, 0, N, padding_mode=mode)
    ct.store(x, 0, ct.sum(t.reshape((1, N)), axis=0 if A else 1))


@ct.kernel
def variadic(*arrays):
    pass


@ct.kernel
def unconverted(x, n: int):
    ct.store(x, 0, ct.mma_scaled(x, x, x, x, x))
    ct.printf("%d", n)
    for i in ct.static_iter((1, 2)):
        pass


@ct.kernel
def tuples_of_a_loop_and_of_a_branch(x, n: int, FLAG: ct.Constant[bool]):
    while True:
        t = ct.load(x, n, 16)
        pair = (t, 1)
        if n > 3:
            break
        n += 1
    ct.store(x, 0, pair[0])
    if FLAG:
        other = (t, 8)
    else:
        return
    ct.store(x, 0, other[1])
    if n > 5:
        other = (t, 9)
        ct.store(x, 0, other[1])
    else:
        return
    ct.store(x, 0, t + other[1])
# ---- reads ----
# ---- says ----
# 8:12 TW156 error: `recursive` calls itself
# 15:20 TW105 error: `q` may be undefined here: it is not assigned on every path
# 22:20 TW105 error: `q` may be undefined here: it is assigned only inside of a loop, which may not run
# 31:20 TW106 error: the type of `a` depends on the path taken: the constant 1 or the constant 2.0
# 38:9 TW106 error: the type of `acc` depends on the path taken: a scalar of int32 before the loop, a tile of promote(x.dtype, int32) with shape (16,) after an iteration
# 45:17 TW157 error: `pair` holds a tuple that changes at run time
# 46:20 TW157 error: `pair` holds a tuple that changes at run time
# 51:5 TW108 error: a kernel cannot return a value (store the result in an array)
# 57:8 TW130 error: a condition must be a scalar, but this is a tile of bool_ with shape (16,) (reduce it first, or select lane by lane with `ct.where`)
# 59:11 TW130 error: a condition must be a scalar, but this is an array
# 61:27 TW130 error: a condition must be a scalar, but this is a tile of x.dtype with shape (16,) (reduce it first, or select lane by lane with `ct.where`)
# 62:20 TW130 error: a condition must be a scalar, but this is a tile of bool_ with shape (16,) (reduce it first, or select lane by lane with `ct.where`)
# 67:14 TW131 error: a loop must be over a range, not over a tuple (loop over `range(…)`)
# 69:20 TW115 error: an argument of `range` must be a signed integer scalar, but this is a scalar of float32
# 71:26 TW131 error: the step of a range must be positive, but is -1
# 76:9 TW103 error: `for … else` cannot be used in device code
# 81:5 TW101 error: `try` cannot be used in device code
# 85:5 TW101 error: `assert` cannot be used in device code
# 86:5 TW101 error: an assignment to an attribute cannot be used in device code
# 87:5 TW101 error: an assignment to a subscript cannot be used in device code (use `ct.store` or `ct.scatter`)
# 88:8 TW101 error: a starred target cannot be used in device code
# 89:9 TW154 error: a lambda in device code is not converted
# 90:10 TW154 error: `with` in device code is not converted
# 101:5 TW129 error: cannot unpack 3 values into 2 names
# 102:5 TW115 error: the value to unpack must be a tuple, but this is the constant 1
# 103:17 TW137 error: index 3 is out of range for a tuple of 2
# 103:28 TW137 error: the index of a tuple must be a constant
# 109:39 TW153 error: the padding mode depends on a constant of the launch
# 114:15 TW107 error: a kernel cannot have the variadic parameter `arrays`
# 120:20 TW150 error: `ct.mma_scaled` is not converted (block-scaled products have no equivalent that is the same on every GPU)
# 121:5 TW150 error: `ct.printf` is not converted (remove it before converting)
# 122:14 TW150 error: `ct.static_iter` is not converted
# 134:20 TW157 error: `pair` holds a tuple that changes at run time
# 139:20 TW157 error: `other` holds a tuple that changes at run time
# 145:24 TW157 error: `other` holds a tuple that changes at run time
