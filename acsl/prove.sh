#!/bin/bash
# Proves the C files listed in acsl/expected/* with Frama-C WP and the provers CVC4 and Z3, from
# scratch (no proof cache). One line per file; fails when a goal is not proved, when Frama-C warns,
# or when the number of goals is not the expected one.
#   acsl/prove.sh [FILE.c ...]     only these files
# BUILD: where logs and why3's configuration go. JOBS: provers at a time. TIMEOUT: seconds a goal.
set -u
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-.build} JOBS=${JOBS:-1} TIMEOUT=${TIMEOUT:-30}
OUT=$BUILD/wp

for tool in frama-c why3 cvc4 z3; do
    command -v $tool >/dev/null || { echo "wp: $tool is missing: apt-get install frama-c-base why3 cvc4 z3" >&2; exit 3; }
done
mkdir -p "$OUT" || exit 3
WHY3CONFIG=$(cd "$OUT" && pwd)/why3.conf
export WHY3CONFIG
rm -f "$WHY3CONFIG"
why3 config detect >"$OUT/why3.log" 2>&1
for prover in CVC4 Z3; do
    grep -q "^name = \"$prover\"" "$WHY3CONFIG" ||
        { echo "wp: why3 does not find $prover, see $OUT/why3.log" >&2; exit 3; }
done

# prove FILE GOALS: prints the line of the file; false when anything is not as it should be.
prove() {
    local log=$OUT/$(echo "$1" | tr / -).log start=$SECONDS proved
    frama-c -wp -wp-rte -wp-prover cvc4,z3,z3-ce -wp-timeout "$TIMEOUT" -wp-par "$JOBS" -wp-cache none \
        -cpp-extra-args="-Ic -Iacsl" "$1" >"$log" 2>&1
    proved=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) *\/ *\([0-9]*\).*/\1 \/ \2/p' "$log")
    echo "wp $1: ${proved:-nothing} ($((SECONDS - start)) s)"
    if [ "$proved" != "$2 / $2" ]; then
        echo "wp $1: expected $2 / $2, see $log" >&2
        grep -E -A2 '^\[wp\] \[(Failed|Timeout|Unknown)' "$log" >&2
        return 1
    fi
    if grep -E -q 'Warning|User Error|\[(Failed|Timeout|Unknown)' "$log"; then
        grep -E 'Warning|User Error|\[(Failed|Timeout|Unknown)' "$log" >&2
        return 1
    fi
}

# What would make a proof worth nothing.
if grep -n -E '\\?\b(admit|assume)\b' $(cut -d' ' -f1 acsl/expected/*) acsl/*/*.acsl; then
    echo "wp: a claim is admitted" >&2
    exit 1
fi

status=0 files=0
while read -r file goals; do
    if [ $# -gt 0 ] && [[ " $* " != *" $file "* ]]; then
        continue
    fi
    files=$((files + 1))
    prove "$file" "$goals" </dev/null || status=1
done < <(cat acsl/expected/*)
if [ $files -eq 0 ]; then
    echo "wp: no file of acsl/expected is meant by: $*" >&2
    exit 2
fi
exit $status
