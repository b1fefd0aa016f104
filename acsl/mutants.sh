#!/bin/bash
# Mutations of proved functions: each must break a goal. acsl/mutants.txt has one a line: FILE | FUNCTION | FROM | TO; the
# first FROM in the body of the function becomes TO, and only this function is proved again. FILE may be HEADER in FILE: the
# function stands in the header, which the file includes. Goals that are open of the function as it is, too, do not count.
# Prints the survivors and fails on one. BUILD, JOBS, TIMEOUT as for prove.py; SAMPLE=N: only N of them, evenly spread.
#   acsl/mutants.sh [FILE.c ...]     only those of these files
set -u
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-.build} JOBS=${JOBS:-1} TIMEOUT=${TIMEOUT:-10}
OUT=$BUILD/wp
. acsl/tools.sh
rm -rf "$OUT/mutant" && mkdir -p "$OUT/mutant" || exit 3

# mutate FILE FUNCTION FROM TO: the file with the mutation; false when there is no such place.
mutate() {
    F=$2 FROM=$3 TO=$4 awk '
        !done && !inside && /^[a-z]/ && !/;$/ && match($0, "[ *]" ENVIRON["F"] "\\(") { inside = 1; body = 0 }
        inside && /^\{/ { body = 1 }
        /^ *\/\*@/ { contract = 1 }
        inside && body && !done && !contract && (at = index($0, ENVIRON["FROM"])) {
            $0 = substr($0, 1, at - 1) ENVIRON["TO"] substr($0, at + length(ENVIRON["FROM"]))
            done = 1
        }
        /\*\// { contract = 0 }
        inside && /^}/ { inside = 0 }
        { print }
        END { exit !done }' "$1"
}

# with FILE HEADER: the file with what is read in the place of its line that includes the header.
with() {
    awk -v line="#include \"${2#c/}\"" '$0 == line { while ((getline text <"/dev/stdin") > 0) print text; next } { print }' "$1"
}

# The goals that a log says are not proved.
open_goals() { # LOG
    sed -n -E 's/^\[wp\] \[(Failed|Timeout|Unknown)\] Goal ([^ ]*).*/\2/p' "$1"
}
# Is one of them proved of the function as it is?
broken() { # LOG OPEN
    open_goals "$1" | grep -q -v -x -F -f "$2"
}

# prove FILE FUNCTION LOG [OPEN]: until a goal breaks, if OPEN says which were not proved before.
prove() {
    : >"$3"
    wp update "$TIMEOUT" -wp-par "$JOBS" -wp-prop=-@lemma -wp-fct "$2" "$1" >"$3" 2>&1 </dev/null &
    until { [ -n "${4:-}" ] && broken "$3" "$4"; } || ! kill -0 $! 2>/dev/null; do
        sleep 0.2
    done
    kill -- -$! 2>/dev/null
    wait $! 2>/dev/null
}

set -m # each run is a process group, so that it can be ended with its provers
n=0 killed=0 bad=0 total=$(grep -c '^[^#]' acsl/mutants.txt) sample=${SAMPLE:-0}
while IFS='|' read -r file function from to; do
    file=${file%% } function=${function## } function=${function%% } from=${from## } from=${from%% } to=${to## } to=${to%% }
    header=${file%% in *} file=${file##* in }
    n=$((n + 1))
    [ $# -eq 0 ] || [[ " $* " == *" $file "* ]] || continue
    if [ "$sample" -gt 0 ] && [ $((n * sample / total)) -eq $(((n - 1) * sample / total)) ]; then
        continue
    fi
    copy=$OUT/mutant/$n.c log=$OUT/mutant/$n.log was=$OUT/mutant/$(echo "$file" | tr / -)-$function
    if ! mutate "$header" "$function" "$from" "$to" >"$copy"; then
        echo "mutants: $header: $function has no '$from'" >&2
        bad=$((bad + 1))
        continue
    fi
    [ "$header" = "$file" ] || { with "$file" "$header" <"$copy" >"$copy.c" && mv "$copy.c" "$copy"; }
    if [ ! -f "$was.open" ]; then
        prove "$file" "$function" "$was.log"
        if ! grep -q 'Proved goals' "$was.log"; then
            echo "mutants: the proof does not run, see $was.log: $file: $function" >&2
            bad=$((bad + 1))
            continue
        fi
        open_goals "$was.log" >"$was.open"
    fi
    prove "$copy" "$function" "$log" "$was.open"
    if ! broken "$log" "$was.open" && ! grep -q 'Proved goals' "$log"; then
        PROVERS=cvc4,z3 prove "$copy" "$function" "$log" "$was.open" # Frama-C 25 may crash on a counterexample of z3-ce
    fi
    if broken "$log" "$was.open"; then
        killed=$((killed + 1))
    elif grep -q 'Proved goals' "$log"; then
        echo "mutants: survives: $file: $function: '$from' -> '$to'" >&2
        bad=$((bad + 1))
    else
        echo "mutants: not proved at all, see $log: $file: $function: '$from' -> '$to'" >&2
        bad=$((bad + 1))
    fi
done < <(grep '^[^#]' acsl/mutants.txt)
echo "$killed mutants killed, $bad not"
[ $bad -eq 0 ] && [ $killed -gt 0 ]
