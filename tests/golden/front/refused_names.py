# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import os
from elsewhere import SCALE, traced

import cuda.tile as ct

BLOCK = os.cpu_count()
TWICE = 1
TWICE = 2
STATE = 1


def change():
    global STATE
    STATE = 2


@traced
def wrapped(x):
    return x


def unknown_names(x):
    return x + undefined


@ct.kernel
def undefined_variable(x):
    ct.store(x, 0, unknown_names(1))


@ct.kernel
def not_in_view(x):
    ct.store(x, 0, SCALE)


@ct.kernel
def from_the_host(x):
    ct.store(x, BLOCK, 1)


@ct.kernel
def assigned_twice(x):
    ct.store(x, TWICE, 1)


@ct.kernel
def changed_by_the_host(x):
    ct.store(x, STATE, 1)


@ct.kernel
def decorated(x):
    ct.store(x, 0, wrapped(1))


@ct.kernel
def misspelled(x):
    ct.store(x, 0, ct.maximun(1, 2))


@ct.kernel
def not_of_cutile(x):
    ct.store(x, 0, ct.softmax(ct.load(x, 0, 16)))


@ct.kernel
def of_the_host(x):
    ct.store(x, 0, os.path.getsize("x"))


@ct.kernel
def maths(x):
    import math
    ct.store(x, 0, 1)


@ct.kernel
def attributes(x):
    ct.store(x, x.numel(), 1)


@ct.kernel
def a_kernel(x):
    maths(x)


def made_here():
    @ct.kernel
    def inner(x):
        ct.store(x, 0, 1)

    return inner
# ---- reads ----
# ---- says ----
# 26:16 TW100 error: undefined variable `undefined`
# 36:20 TW152 error: `SCALE` is imported from `elsewhere`, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 41:17 TW152 error: `BLOCK` is a value that is calculated on the host, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 46:17 TW152 error: `TWICE` is bound more than once, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 51:17 TW152 error: `STATE` is a variable of the host, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 56:20 TW161 error: `wrapped` is decorated, and what its decorator does is not known here
# 61:20 TW110 error: `cuda.tile` has no `maximun` (did you mean `maximum`?)
# 66:20 TW110 error: `cuda.tile` has no `softmax`
# 71:20 TW111 error: `os.path.getsize` cannot be used in device code
# 76:5 TW101 error: `import` cannot be used in device code
# 82:17 TW109 error: a parameter has no attribute `numel`
# 87:5 TW112 error: the kernel `maths` cannot be called (move what both need into a helper function)
# 92:9 TW151 error: the kernel `inner` is defined inside of a function, whose variables it may read (move it to module level and pass what it reads as `ct.Constant` parameters)
