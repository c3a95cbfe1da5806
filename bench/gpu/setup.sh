# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced on the GPU machine, in the repository's root: real cuTile and TileGym from .gpu/cutile.txz, beside the machine's own
# python3 with torch and Triton. Older toolkits named by CUDA_HOME would lend cuTile their libraries ("Return code 5").

cutile_root=${CUTILE_ROOT:-/tmp/cutile}
if [ ! -d "$cutile_root/tilegym" ]; then
  mkdir -p "$cutile_root" && tar xJf .gpu/cutile.txz -C "$cutile_root" || { echo "setup: no .gpu/cutile.txz" >&2; return 1; }
fi
unset CUDA_HOME CUDA_PATH
export PYTHONPATH=$cutile_root${PYTHONPATH:+:$PYTHONPATH}
export PATH=$cutile_root/nvidia/cu13/bin:$PATH
export LD_LIBRARY_PATH=$cutile_root/nvidia/cu13/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false TILEGYM_LOG_LEVEL=ERROR
export TRITON_CACHE_DIR=${TRITON_CACHE_DIR:-/tmp/triton-cache} CUDA_TILE_CACHE_DIR=${CUDA_TILE_CACHE_DIR:-/tmp/cutile-cache}
if [ -f .gpu/cutile-cache.txz ] && [ ! -d "$CUDA_TILE_CACHE_DIR" ]; then      # machine code of earlier runs
  mkdir -p "$CUDA_TILE_CACHE_DIR" && tar xJf .gpu/cutile-cache.txz -C "$CUDA_TILE_CACHE_DIR"
fi
export CUDA_TILE_CACHE_SIZE=${CUDA_TILE_CACHE_SIZE:-8589934592}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} MKL_NUM_THREADS=${MKL_NUM_THREADS:-2}

python3 - <<'PY' || return 1
import importlib.metadata as md, sys, torch, triton, cuda.tile
version = lambda n: next((d.version for d in md.distributions() if d.metadata["Name"].lower() == n), "?")
name = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
print(f"python {sys.version.split()[0]}, torch {torch.__version__}, triton {triton.__version__}, "
      f"cuda-tile {version('cuda-tile')}, tilegym {version('tilegym')}, {name}")
PY
