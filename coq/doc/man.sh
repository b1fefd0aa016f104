#!/bin/sh
# The manual pages calque.1, calque-rules.5, calque-kernel.5 and calque-dpia.5 in mdoc, from what `calque --help` says, the README's
# examples and the comments that define the languages of rules, kernels and programs: each of these is written once.
# usage: man.sh CALQUE OUTDIR
set -eu
calque=$1 out=$2
cd "$(dirname "$0")/../.."

# Text as it stands.
literal() {
    echo ".Bd -literal"
    sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'
    echo ".Ed"
}
section() { printf '.Sh %s\n' "$1"; }
head_of() { # NAME SECTION WHAT
    printf '.Dd %s\n.Dt %s %s\n.Os\n' "$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}" '+%B %-d, %Y')" "$1" "$2"
    section NAME
    printf '.Nm %s\n.Nd %s\n' "$(echo "$1" | tr A-Z a-z)" "$3"
}
# comments FILE [BEGIN]: the comment that opens a file, and those whose first line BEGIN matches, as text.
comments() {
    begin=${2:-} awk 'NR == 1 || (ENVIRON["begin"] != "" && $0 ~ ENVIRON["begin"]) { on = 1 }
         on { end = /\*\//; sub(/ *\*\/.*/, ""); sub(/^\/\* /, ""); sub(/^   /, ""); print }
         end { on = end = 0; print "" }' "$1"
}
commands=$("$calque" --help | awk '/^  [a-z]/ { print $1 }')

{
    head_of CALQUE 1 "verified-core tensor compiler"
    section SYNOPSIS
    for c in $commands; do "$calque" "$c" --help; done | sed -n 's/^\(usage:\|      \) *calque /calque /p' | literal
    section DESCRIPTION
    awk '/^# / { next } NF { on = 1; print } on && !NF { exit }' README.md | sed 's/[`*]//g; s/\[\([^]]*\)\]([^)]*)/\1/g' |
        sed 's/\\/\\e/g; s/^\([.'\'']\)/\\\&\1/'
    section COMMANDS
    for c in $commands; do
        printf '.Ss %s\n' "$c"
        "$calque" "$c" --help | sed '/^usage: /d; /^       calque /d' | literal
    done
    section "EXIT STATUS"
    printf '.Bl -tag -width 2n\n'
    "$calque" --help | tr '\n' ' ' | sed 's/.*Exit status: //; s/\. *$//; s/, \([0-9]\)/\n\1/g' | awk '{ printf ".It %s\n", $1; sub(/^[0-9] /, ""); print }'
    printf '.El\n'
    section EXAMPLES
    awk '/^```sh run/ { on = 1; next } /^```/ { on = 0 } on' README.md | literal
    section "SEE ALSO"
    printf '.Xr calque-rules 5 ,\n.Xr calque-kernel 5 ,\n.Xr calque-dpia 5\n'
} >"$out/calque.1"

{
    head_of CALQUE-RULES 5 "rewrite rules of calque"
    section DESCRIPTION
    comments c/pattern/gsl.h '^/[*] Operators that have no meaning' | literal
    section EXAMPLES
    for f in tests/doc/*.gsl; do cat "$f"; echo; done | literal
    section "SEE ALSO"
    printf '.Xr calque 1\n'
} >"$out/calque-rules.5"

{
    head_of CALQUE-KERNEL 5 "index-notation kernels of calque"
    section DESCRIPTION
    comments c/kernel/parse.c | literal
    section FUNCTIONS
    printf '.Bl -tag -width 14n\n'
    sed -n 's/^FN([A-Z0-9_]*, "\([a-z]*[a-z0-9]*\)", \([0-9]\), .*"\([^"]*\)")$/\1 \2 \3/p' c/kernel/fn.def |
        awk '{ f = $1; n = $2; sub(/^[^ ]* [^ ]* /, ""); print ".It " f (n == 1 ? "(a)" : "(a, b)") "\n" $0 }'
    printf '.El\n'
    section EXAMPLES
    for k in matmul_add conv_add transpose factors_add blur; do
        awk -v k="$k" '/^## / { on = $2 == k; if (on) print "# " k; next } on' tests/kernel/cases.kern
    done | literal
    section "SEE ALSO"
    printf '.Xr calque 1 ,\n.Xr calque-dpia 5\n'
} >"$out/calque-kernel.5"

{
    head_of CALQUE-DPIA 5 "functional programs of calque, with strategies"
    section DESCRIPTION
    comments c/dpia/parse.h | literal
    section EXAMPLES
    for k in dl_mul_dl sum_vec conv; do cat "tests/dpia/programs/$k.dpia"; echo; done | literal
    section "SEE ALSO"
    printf '.Xr calque 1 ,\n.Xr calque-kernel 5\n'
} >"$out/calque-dpia.5"
