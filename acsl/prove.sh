#!/bin/bash
# Proves the C files listed in acsl/expected/* with Frama-C WP and the provers CVC4 and Z3. One line per file; fails when a
# goal is not proved, when Frama-C warns, or when the number of goals is not the expected one. The lemmas of a room that has
# acsl/ROOM/lemmas.c (or no logic of its own) are proved once, in lemmas*.c, and then used in the others; else in every file.
# A lemmas*.c proves all lemmas that it includes, or, with a line "Only the lemmas of ROOM/X.acsl." (a comment), those, or, with
# "Not the lemmas of ROOM/X.acsl.", the others.
#   acsl/prove.sh [FILE.c ...]     only these files; without, all, and the tables of PROVED.md and TRUSTED.md are compared too
# BUILD: for logs, the report, the cache. JOBS: files at a time (else one a core), the provers of a goal side by side. TIMEOUT: seconds a goal.
# A file that is as it was when it was proved, with all that it includes and the same tools, has its report in acsl/reports.txt
# (PROVE=1: it is proved all the same); for goals that are still the same the provers' answers of acsl/answers.txt are used.
# FRESH=1: neither, every goal is proved, which takes hours: run again, it goes on with the files that $BUILD/wp-fresh does not have
# as they are now (remove that directory to begin anew). FRESH=rest: only the files that acsl/fresh.txt does not have as they are now:
# it names those of which such runs proved every goal, and is written at the end. FRESH=write: every goal in one run, all written anew.
set -u
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-.build} JOBS=${JOBS:-$(nproc)} TIMEOUT=${TIMEOUT:-60}
OUT=$BUILD/wp
again=
case ${FRESH:-} in 1 | rest) OUT=$BUILD/wp-fresh again=1 ;; esac
. acsl/tools.sh

case ${FRESH:-} in
'') answers_unpack acsl/answers.txt "$OUT/cache" ;;
*) rm -rf "$OUT/cache" && mkdir "$OUT/cache" || exit 3 ;;
esac
[ $# -eq 0 ] && [ -z "$again" ] && rm -f "$OUT"/*.log "$OUT"/*.jsonl

# prove FILE GOALS: prints the line of the file; false when anything is not as it should be.
prove() {
    local log=$OUT/$(echo "$1" | tr / -).log start=$SECONDS proved room which= how= own open=1 key= try
    room=${1#*/} room=${room%%/*}
    { [ -f "acsl/$room/lemmas.c" ] || [ ! -d "acsl/$room" ]; } && which=-wp-prop=-@lemma
    [[ "${1##*/}" = lemmas*.c ]] && which=-wp-prop=@lemma
    own=$(sed -n 's|^/\* Only the lemmas of \(.*\)\. \*/$|acsl/\1|p' "$1")
    [ -z "$own" ] || which=-wp-prop=$(sed -n 's/^lemma \([A-Za-z0-9_]*\).*/\1/p' "$own" | paste -sd,)
    own=$(sed -n 's|^/\* Not the lemmas of \(.*\)\. \*/$|acsl/\1|p' "$1")
    [ -z "$own" ] || which=-wp-prop=@lemma,$(sed -n 's/^lemma \([A-Za-z0-9_]*\).*/-\1/p' "$own" | paste -sd,)
    [ -z "$again" ] || key=$(proof_key "$1")
    if [ -z "${FRESH:-}${PROVE:-}" ] && [ -f acsl/reports.txt ] && report_unpack "$1" "$log" && [ -s "$log" ]; then
        how=", as before"
    elif [ -n "$key" ] && [ "$(cat "${log%.log}.key" 2>/dev/null)" = "$key" ]; then
        how=", in an earlier run"
    elif [ "${FRESH:-}" = rest ] && grep -q -x "$1 $key" acsl/fresh.txt && report_unpack "$1" "$log"; then
        how=", as acsl/fresh.txt has it"
    else
        rm -f "${log%.log}.key"
        # Few goals need the third prover: it is asked of what the others leave open, their answers are kept for that.
        if [ -n "${FRESH:-}" ]; then
            PROVERS=cvc4,z3-ce wp update 20 -wp-par 2 $which "$1" >"$log" 2>&1
            grep -q '^\[wp\] Proved goals' "$log" && ! grep -E -q '\[(Failed|Timeout|Unknown)' "$log" && open=0
        fi
        # Z3 4.8.12 crashes now and then: then the goals it left open are tried once more.
        for try in 1 2; do
            [ $open -eq 0 ] || wp update "$TIMEOUT" -wp-par 3 $which "$1" >"$log" 2>&1
            grep -q ': Failed' "$log" || break
        done
        awk -v file="$1" -f acsl/report.awk "$1" "$log" >"${log%.log}.jsonl"
    fi
    proved=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) *\/ *\([0-9]*\).*/\1 \/ \2/p' "$log")
    echo "wp $1: ${proved:-nothing} ($((SECONDS - start)) s$how)"
    if [ "$proved" != "$2 / $2" ]; then
        echo "wp $1: expected $2 / $2, see $log" >&2
        grep -E -A2 '^\[wp\] \[(Failed|Timeout|Unknown)' "$log" >&2
        return 1
    fi
    if grep -E -q 'Warning|User Error|\[(Failed|Timeout|Unknown)' "$log"; then
        grep -E 'Warning|User Error|\[(Failed|Timeout|Unknown)' "$log" >&2
        return 1
    fi
    [ -z "$key" ] || echo "$key" >"${log%.log}.key"
}

# What would make a proof worth nothing.
if grep -n -E '\\?\b(admit|assume)\b' $(cut -d' ' -f1 acsl/expected/*) c/*/*.h acsl/*/*.acsl; then
    echo "wp: a claim is admitted" >&2
    exit 1
fi

status=0 files=0
while read -r file goals; do
    if [ $# -gt 0 ] && [[ " $* " != *" $file "* ]]; then
        continue
    fi
    files=$((files + 1))
    [ $files -le "$JOBS" ] || wait -n || status=1
    prove "$file" "$goals" </dev/null &
done < <(cat acsl/expected/*)
for ((k = 0; k < files && k < JOBS; k++)); do wait -n || status=1; done
if [ $files -eq 0 ]; then
    echo "wp: no file of acsl/expected is meant by: $*" >&2
    exit 2
fi

# The files of which a run without answers proved every goal, as they are now.
if [ "${FRESH:-}" = rest ]; then
    cut -d' ' -f1 acsl/expected/* | while read -r file; do
        key=$(proof_key "$file")
        if [ "$(cat "$OUT/$(echo "$file" | tr / -).key" 2>/dev/null)" = "$key" ] || grep -q -x "$file $key" acsl/fresh.txt; then
            echo "$file $key"
        fi
    done >"$OUT/fresh.txt"
    cp "$OUT/fresh.txt" acsl/fresh.txt
fi
[ $# -gt 0 ] && exit $status
cut -d' ' -f1 acsl/expected/* | while read -r file; do
    cat "$OUT/$(echo "$file" | tr / -).jsonl"
done >"$OUT/report.jsonl"

# Each lemma is proved somewhere.
for lemma in $(cat acsl/*/*.acsl | sed -n 's/^lemma \([A-Za-z0-9_]*\).*/\1/p' | sort); do
    cat "$OUT"/*.log | grep -q "Goal typed_lemma_$lemma : Valid" || { echo "wp: lemma $lemma is not proved" >&2; status=1; }
done

# Each function of the core is proved, or acsl/unproved.txt says why not.
rm -f "$OUT/bare"
core=$(sed -n 's/^core //p' acsl/unproved.txt)
awk '
    FILENAME ~ /report.jsonl$/ { split($0, a, "\""); proved[a[4] " " a[8]] = 1; next }
    FILENAME ~ /unproved.txt$/ { n = /^#/ ? 0 : split($0, a, " [|] "); split(n == 3 ? a[2] : "", f, " "); for (i in f) listed[a[1] " " f[i]] = 1; next }
    /^[a-z].*[ *][a-z][a-z_0-9]*\(/ && !/;$/ && !/=/ {
        sub(/\(.*/, ""); sub(/.*[ *]/, "")
        name = FILENAME " " $0
        if (name in listed) found[name] = 1
        if ((name in proved) == (name in listed)) { print "wp: " name (name in proved ? ": proved, but in" : ": neither proved nor in") " acsl/unproved.txt"; bad = 1 }
    }
    END { for (name in listed) if (!(name in found)) { print "wp: " name ": in acsl/unproved.txt, but nowhere else"; bad = 1 } exit bad }
' "$OUT/report.jsonl" acsl/unproved.txt $core >&2 || status=1
# What is not proved has a contract, which is trusted; its postconditions go to the table.
while IFS='|' read -r file functions why; do
    file=${file%% }
    frama-c -cpp-extra-args="-Ic -Iacsl" -print "$file" 2>"$OUT/trusted.err" | awk -v names="$functions" -f acsl/trusted.awk >"$OUT/trusted.txt"
    for function in $functions; do
        labels=$(sed -n "s/^$function\( .*\)*\$/ \1/p" "$OUT/trusted.txt")
        [ -n "$labels" ] || { echo "wp: $file: $function: no contract that Frama-C reads" >&2; touch "$OUT/bare"; }
        echo "$file|$function|${labels##  }|${why## }"
    done
done < <(grep '^[^#].*|' acsl/unproved.txt) | awk -F '|' 'BEGIN { print "| not proved | trusted postconditions | why |\n|---|---|---|" }
    $1 != last { print "| **`" $1 "`** | | " $4 " |"; why = $4 }
    $1 == last && $4 != why { why = $4; print "| | | " why " |" }
    { last = $1; print "| `" $2 "` | " ($3 ~ /[a-z]/ ? $3 : "(what it writes)") " | |" }' >"$OUT/unproved.md"
[ ! -e "$OUT/bare" ] || status=1

# One table row a function; acsl/PROVED.md has the same (the provers may change with the machine).
{ echo '['; sed '$!s/$/,/' "$OUT/report.jsonl"; echo ']'; } >"$OUT/report.json"
awk -f acsl/table.awk "$OUT/report.jsonl" >"$OUT/table.md"

for part in PROVED:table TRUSTED:unproved; do
    if ! cmp -s <(sed -n '/^<!-- table -->$/,/^<!-- end -->$/p' acsl/${part%:*}.md | grep '^|') "$OUT/${part#*:}.md"; then
        echo "wp: the table of acsl/${part%:*}.md is not $OUT/${part#*:}.md" >&2
        status=1
    fi
done
if [ "${FRESH:-}" = write ] && [ $status -eq 0 ]; then
    answers_pack "$OUT/cache" >acsl/answers.txt || status=1
    cut -d' ' -f1 acsl/expected/* | while read -r file; do
        report_pack "$file" "$OUT/$(echo "$file" | tr / -).log"
    done >acsl/reports.txt || status=1
    sed -n 's/^\([^ ][^ ]*\) \(.*\)/\1 \2/p' acsl/reports.txt >acsl/fresh.txt
fi
fresh=$(cut -d' ' -f1 acsl/expected/* | while read -r file; do echo "$file $(proof_key "$file")"; done | grep -x -F -f acsl/fresh.txt | wc -l)
echo "wp: $fresh of $files files are as they were when every goal of them was proved without an answer kept (acsl/fresh.txt)"
awk -F'"goals":' '{ split($2, a, ","); n += a[1]; f++ } END { printf "wp: %d goals of %d functions and lemma files\n", n, f }' "$OUT/report.jsonl"
exit $status
