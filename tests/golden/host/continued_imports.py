# An import that goes, goes with what continues it.
import cuda.tile as ct
from cuda.tile import RoundingMode as RMd\

@ct.kernel
def fill(out):
    ct.store(out, (0,), ct.full((1,), 1, ct.int32))
# ---- becomes ----
# An import that goes, goes with what continues it.
import triton
import triton.language as tl
@triton.jit
def fill(out):
    tl.device_print("")


def launch_fill(grid, out):
    fill[grid](out)
# ---- says ----
