#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# Kernels, differentially: N random requests (20000; print, inline, run) answered by ORACLE ("calque-oracle")
# and by COMMAND (kernel_text); the answers must be the same, and all kinds of answers must occur. On a
# difference the shortest failing request is shown. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-20000}
seed=${4-1}

if [ ! -x "$oracle" ]; then
    echo "SKIP kernel/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL kernel/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
ok=yes

"$command" "$n" "$seed" >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
"$oracle" kernel <"$tmp/requests" >"$tmp/expected" 2>"$tmp/stderr" || { head -n 5 "$tmp/stderr"; ok=; }
tail -n 1 "$tmp/stderr"
"$command" <"$tmp/requests" >"$tmp/answers" 2>"$tmp/stderr" || { head -n 5 "$tmp/stderr"; ok=; }

# Blocks are separated by empty lines. Counts by kind; the shortest request whose answers differ.
awk -v n="$n" 'BEGIN { RS = "" }
    FNR == 1 { file++ }
    file == 1 { request[FNR] = $0; next }
    file == 2 { want[FNR] = $0; next }
    { got[FNR] = $0 }
    END {
        for (i = 1; i <= n; i++) {
            split(request[i], word, " ")
            kind = word[1]
            if (want[i] == "error") errors++
            else if (want[i] == "no" || want[i] == "undefined") kind = kind "-" want[i]
            count[kind]++
            if (want[i] "" != got[i] "") {
                if (!bad++ || length(request[i]) < length(request[least])) least = i
            }
        }
        printf "kernel: print %d, inline %d (refused %d more), run %d (undefined %d more)\n", count["print"],
            count["inline"], count["inline-no"], count["run"], count["run-undefined"]
        if (bad) {
            printf "%d answers differ; the shortest request:\n%s\noracle:\n%s\ncommand:\n%s\n", bad, request[least],
                want[least], got[least]
        }
        if (!request[n] || errors || !count["print"] || !count["inline"] || !count["inline-no"] ||
            !count["run"]) { print "a kind of answer is missing, or a request was an error"; bad++ }
        exit bad > 0
    }' "$tmp/requests" "$tmp/expected" "$tmp/answers" || ok=
if [ "$ok" ]; then echo "PASS kernel/diff ($n requests, seed $seed)"
else echo "FAIL kernel/diff (seed $seed)"; exit 1; fi
