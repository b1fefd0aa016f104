#!/usr/bin/env bash
# ONNX Runtime's CPU provider against the oracle: COUNT random applications of all operators (2000), and a tenth as many graphs of
# several, each value judged by the class of its operator. Writes BUILD/ort/report.md: by operator, element type and attribute
# how many are equal, within their tolerance, different or unsupported, and a minimal case of each difference, as text and as a
# folder in BUILD/ort/found. Fails where an operator and type differs that ort_known.txt does not explain, and on an answer that is
# none. Skips (77) without onnxruntime-node in BUILD/ort, which --install gets by npm; without it the report is in BUILD/ort/short.
# usage: tests/onnx/ort_report.sh BUILD [--install] [COUNT [SEED]]
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
shift
D=$B/ort
VERSION=1.30.0
mkdir -p "$D"
whole=
if [ "${1-}" = --install ]; then
    shift
    whole=yes
    [ -d "$D/node_modules/onnxruntime-node" ] || (cd "$D" && npm install --ignore-scripts --no-audit --no-fund onnxruntime-node@$VERSION >npm.log 2>&1) ||
        { echo "SKIP npm could not install onnxruntime-node: $(tail -n 1 "$D/npm.log")"; exit 77; }
fi
count=${1:-2000} seed=${2:-1}
[ -x "$B/calque-oracle" ] || { echo "SKIP $B/calque-oracle is missing (make oracle)"; exit 77; }
command -v node >/dev/null || { echo "SKIP node is not here: apt-get install nodejs"; exit 77; }
[ -d "$D/node_modules/onnxruntime-node" ] || { echo "SKIP onnxruntime-node is not in $D: tests/onnx/ort_report.sh $B --install"; exit 77; }
NODE_PATH=$(cd "$D/node_modules" && pwd)
export NODE_PATH
[ "$whole" ] || D=$D/short
mkdir -p "$D"
version=$(sed -n 's/.*"version": "\([^"]*\)".*/\1/p' "$NODE_PATH/onnxruntime-node/package.json" | head -n 1)
rm -rf "$D/found" "$D/log" "$D/text" "$D/some.cases" "$D/report.md"
run() {
    "$B/calque-oracle" diff --against-backend "node '$PWD/tests/onnx/ort_backend.js'" --timeout 60 --stop-after 1000000 --seed "$seed" \
        --folders "$D/found" --log "$D/log" -o "$D/some.cases" "$@" >>"$D/text" 2>"$D/err"
}
run --count "$count"
[ $? -le 1 ] || { cat "$D/err"; exit 1; }
run --count $((count / 10 + 1)) --graphs 100 --first 1000000
[ $? -le 1 ] || { cat "$D/err"; exit 1; }

# table WHAT PATTERN: the rows of the labels that match
table() {
    printf '| %s | equal | within | differs | unsupported |\n|---|---|---|---|---|\n' "$1"
    awk -F'\t' -v pattern="$2" '
        $2 < 1000000 { for (i = 3; i <= NF; i++) if ($i ~ pattern) { seen[$i] = 1; n[$i, $1]++ } }
        END {
            for (l in seen)
                printf "| %s | %d | %d | %d | %d |\n", l, n[l, "equal"] + n[l, "undefined"], n[l, "within"], n[l, "differ"] + n[l, "crashed"] + n[l, "hung"] + n[l, "garbage"] + n[l, "stopped"], n[l, "discarded"]
        }' "$D/log" | LC_ALL=C sort
}
{
    echo "# onnxruntime-node $version, CPU provider, against calque-oracle"
    echo
    echo "$(date +%F), seed $seed, graph optimization all, one thread. $(sed -n 's/^onnx: [^:]*: //p' "$D/text" | head -n 1) of one operator;"
    echo "$(sed -n 's/^onnx: [^:]*: //p' "$D/text" | tail -n 1) of several (--graphs 100), each value judged on those before it, which are not in"
    echo "the tables. Equal, within: calque-oracle-vectors(1) says of each operator what is asked: bits, or a tolerance."
    echo
    echo "## By operator and element type"
    echo
    table "operator, type" ' '
    echo
    echo "## By attribute that is set"
    echo
    table "attribute" '[.]'
    echo
    echo "## Minimal cases"
    echo
    echo "The shortest of each operator and element type; all of them, as folders: $D/found."
    awk -F'\t' -v known=tests/onnx/ort_known.txt '
        BEGIN { while ((getline < known) > 0) if ($0 !~ /^#/ && NF == 2) why[$1] = $2; FS = " " }
        /^(differ|crashed|hung|garbage|stopped): / { verdict = $1; body = ""; next }
        /^  written to/ { next }
        /^  folder / { n = split($2, p, "/"); name = p[n]; sub(/^[a-z]*_/, "", name); n = split(name, word, "_")
            base = name; sub(/_[0-9]+$/, "", base)
            if (base in shown) next
            shown[base] = 1
            said = "Not explained."
            for (i = 1; i < n; i++) if (word[i] " " word[i + 1] in why) said = word[i] " " word[i + 1] ": " why[word[i] " " word[i + 1]]
            printf "\n### %s\n\n%s\n\n```\n%s```\n", base, said, body; next }
        /^(onnx|covered)/ { next }
        { body = body substr($0, 3, 400) "\n" }' "$D/text"
} >"$D/report.md"
operators=$(awk -F'\t' '$1 == "equal" || $1 == "within" { for (i = 3; i <= NF; i++) if ($i !~ /[ .]/) print $i }' "$D/log" | sort -u | wc -l)
cases=$(wc -l <"$D/log")
echo "$operators operators, $cases cases: $(cut -f1 "$D/log" | sort | uniq -c | awk '{ printf "%s%d %s", s, $1, $2; s = ", " }'); $D/report.md"
! grep -q '^Not explained' "$D/report.md" || { echo "not explained by tests/onnx/ort_known.txt:"; grep -B 2 '^Not explained' "$D/report.md"; exit 1; }
! grep -qE '^(hung|garbage|stopped)' "$D/log" && [ "$operators" -ge 60 ]
