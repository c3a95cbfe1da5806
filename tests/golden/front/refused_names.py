# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import operator
import os
from elsewhere import SCALE, traced
from operator import mul

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


class Kernels:
    @ct.kernel
    def of_a_class(x):
        ct.store(x, 0, 1)

    def made_in_a_method(self):
        @ct.kernel
        def inmost(x):
            ct.store(x, 0, 1)


@ct.kernel
def operators(x):
    ct.store(x, 0, operator.add(1, 2))


@ct.kernel
def an_imported_operator(x):
    ct.store(x, 0, mul(1, 2))


@ct.kernel
def operators_of_the_host(x):
    ct.store(x, 0, operator.concat((1,), (2,)))


@ct.kernel
def prints(x):
    print(x)
# ---- reads ----
# ---- says ----
# 28:16 TW100 error: undefined variable `undefined`
# 38:20 TW152 error: `SCALE` is imported from `elsewhere`, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 43:17 TW152 error: `BLOCK` is a value that is calculated on the host, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 48:17 TW152 error: `TWICE` is bound more than once, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 53:17 TW152 error: `STATE` is a variable of the host, whose value is not known here (pass it to the kernel as a `ct.Constant`)
# 58:20 TW161 error: `wrapped` is decorated, and what its decorator does is not known here
# 63:20 TW110 error: `cuda.tile` has no `maximun` (did you mean `maximum`?)
# 68:20 TW110 error: `cuda.tile` has no `softmax`
# 73:20 TW111 error: `os.path.getsize` cannot be used in device code
# 78:5 TW101 error: `import` cannot be used in device code
# 84:17 TW109 error: a parameter has no attribute `numel`
# 89:5 TW112 error: the kernel `maths` cannot be called (move what both need into a helper function)
# 94:9 TW151 error: the kernel `inner` is defined inside of a function, whose variables it may read (move it to module level and pass what it reads as `ct.Constant` parameters)
# 102:9 TW151 error: the kernel `of_a_class` is defined inside of a class (move it to module level and launch it by its name alone)
# 107:13 TW151 error: the kernel `inmost` is defined inside of a function, whose variables it may read (move it to module level and pass what it reads as `ct.Constant` parameters)
# 113:20 TW150 error: `operator.add` is not converted (write `x + y`)
# 118:20 TW150 error: `mul` is not converted (write `x * y`)
# 123:20 TW111 error: `operator.concat` cannot be used in device code
# 128:5 TW150 error: `print` is not converted (remove it before converting)
