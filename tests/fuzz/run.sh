#!/usr/bin/env bash
# make fuzz: each target for SECONDS, JOBS side by side, then the command on mutated files (tests/cli/fuzz.sh) as target `command`.
# One line for each: name, runs, edges covered, the slowest input; exit status 1 when one is broken, its input is named. What is new
# to a target is kept in BUILD/fuzz/corpus and tried again by the next run.
# usage: run.sh BUILD [SECONDS [JOBS [TARGET..]]]
cd "$(dirname "$0")/../.."
B=${1:-.build} S=${2:-60} J=${3:-1}
shift $(($# < 3 ? $# : 3))
TARGETS=$(sed -n 's/^TARGET(\([a-z]*\),.*/\1/p' tests/fuzz/targets.def)
for t in "$@"; do grep -qx "$t" <<<"$TARGETS"$'\n'command || { echo "fuzz: there is no target $t; there are $(echo $TARGETS) command" >&2; exit 2; }; done
[ $# = 0 ] && set -- $TARGETS command
[ "$*" = command ] || tests/fuzz/build.sh "$B" "$J" || exit
mkdir -p "$B/fuzz/log" "$B/fuzz/failed"

stat_of() { sed -n "s/^stat::$1: *//p" "$log"; } # NAME: of the log of one
# one TARGET: prints its line; false: broken.
one() {
    local t=$1 log=$B/fuzz/log/$1 corpora rc input edges
    if [ "$t" = command ]; then
        tests/cli/fuzz.sh "$B" $((S * 50)) >"$log" 2>&1; rc=$?
        [ $rc = 0 ] && echo "PASS command  $(tail -n 1 "$log")" || { tail -n 20 "$log"; echo "FAIL command"; }
        return $rc
    fi
    mkdir -p "$B/fuzz/corpus/$t"
    tests/fuzz/dictionary.sh "$t" >"$B/fuzz/log/$t.words"
    corpora=("$B/fuzz/corpus/$t")
    for d in "tests/fuzz/corpus/$t" "tests/fuzz/found/$t"; do [ -d "$d" ] && corpora+=("$d"); done
    FUZZ_TARGET=$t OMP_NUM_THREADS=1 "$B/fuzz/tests/fuzz/fuzz" -max_total_time="$S" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -dict="$B/fuzz/log/$t.words" \
        -artifact_prefix="$B/fuzz/failed/$t-" -print_final_stats=1 -entropic=0 -reload=0 "${corpora[@]}" >"$log" 2>&1
    rc=$?
    edges=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1)
    printf '%s %-8s %9s runs, %6s edges, slowest %s s\n' "$([ $rc = 0 ] && echo PASS || echo FAIL)" "$t" "$(stat_of number_of_executed_units)" \
        "${edges##* }" "$(stat_of slowest_unit_time_sec)"
    [ $rc = 0 ] && return
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    grep -E 'broken:|runtime error|^SUMMARY|ERROR:' "$log" | head -n 4 | sed 's/^/    | /'
    echo "    the input: ${input:-none, see $log}; again: FUZZ_TARGET=$t $B/fuzz/tests/fuzz/fuzz ${input:-}"
    return 1
}
export B S
export -f one stat_of
printf '%s\n' "$@" | xargs -P "$J" -I T bash -c 'one T' || exit 1
