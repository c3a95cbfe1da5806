# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import cuda.tile as ct


# tilewright: keep
@ct.kernel
def above(x):
    ct.mma_scaled(x)


@ct.kernel
def beside(x):  # tilewright: keep
    ct.mma_scaled(x)


@ct.kernel
def other(x):
    ct.store(x, 0, 1.0)
# ---- reads ----
# kernel @other {
#   param array x = %x: array<elem(0), 1>
#   body {
#     %0: const<int, 0> = literal [literal=0]
#     %1: const<float, 1.0> = literal [literal=1.0]
#     store_tile %x, %0, %1 [rank=1]
#   }
# }
# ---- says ----
