#!/usr/bin/env bash
# Makes tests/fuzz/corpus anew: the first inputs (seeds.py), what `make fuzz` has kept and the corpus there is; of these for each target at most 30 that
# together reach most edges, none over 4 KiB (pick.py). usage: corpus.sh BUILD [TARGET..]
cd "$(dirname "$0")/../.."
B=${1:-.build}
shift
tests/fuzz/build.sh "$B" || exit
make --no-print-directory -s BUILD="$B" "$B/tests/kernel/kernel_text" "$B/calque-oracle" "$B/calque" || exit
rm -rf "$B/fuzz/seeds"
python3 -B tests/fuzz/seeds.py "$B" "$B/fuzz/seeds" || exit
for t in ${*:-$(sed -n 's/^TARGET(\([a-z]*\),.*/\1/p' tests/fuzz/targets.def)}; do
    from=("$B/fuzz/seeds/$t")
    for d in "$B/fuzz/corpus/$t" "tests/fuzz/corpus/$t"; do [ -d "$d" ] && from+=("$d"); done
    rm -rf "$B/fuzz/merged" "$B/fuzz/merge"
    mkdir "$B/fuzz/merged"
    FUZZ_TARGET=$t OMP_NUM_THREADS=1 "$B/fuzz/tests/fuzz/fuzz" -merge=1 -use_counters=0 -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -merge_control_file="$B/fuzz/merge" "$B/fuzz/merged" "${from[@]}" >"$B/fuzz/merge.log" 2>&1 || { tail -n 20 "$B/fuzz/merge.log"; exit 1; }
    python3 -B tests/fuzz/pick.py "$B/fuzz/merge" "tests/fuzz/corpus/$t" || exit
done
du -sb tests/fuzz/corpus
