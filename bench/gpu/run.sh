# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
#
# bash bench/gpu/run.sh LEVELS [SECONDS [ONLY-COMPARE [ONLY-TESTS]]] on the GPU machine, in the repository's root: the comparison
# and TileGym's tests side by side, for at most SECONDS. What .gpu/resume/ holds is taken over; all results are left in $OUT.

levels=${1:?levels, with commas}
seconds=${2:-480}
out=${OUT:?where results go}
. bench/gpu/setup.sh || exit 1
cp .gpu/resume/*.jsonl "$out"/ 2>/dev/null

python3 bench/gpu/compare.py --out "$out/compare.jsonl" --levels "$levels" --jobs 11 --deadline "$seconds" ${3:+--only "$3"} >"$out/compare.log" 2>&1 &
compare=$!
python3 bench/gpu/tilegym_tests.py --out "$out/tests.jsonl" --variants "original,$levels" --limit 4 --jobs 9 --deadline "$seconds" ${4:+--only "$4"} >"$out/tests.log" 2>&1
echo "tests done after $SECONDS s"
wait $compare
echo "comparison done after $SECONDS s"
tar -C "$CUDA_TILE_CACHE_DIR" -c . | xz -T0 -2 >"$out/cutile-cache.txz"       # the originals' machine code: it spares the next run most of its time
sed -n '/cannot be imported/p; /cases left/p; /^| level/,/^$/p; /^- /p' "$out/compare.log" | cut -c1-260 | tail -n 45
sed -n '/^| /p; /^- /p' "$out/tests.log" | cut -c1-200 | tail -n 60
ls -l "$out"
