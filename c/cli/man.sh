#!/bin/sh
# The manual pages calque.1 and calque-rules.5 in mdoc, from what `calque --help` says, the README's examples and the header
# of the rule language: each of these is written once.
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
    printf '.Xr calque-rules 5\n'
} >"$out/calque.1"

{
    head_of CALQUE-RULES 5 "rewrite rules of calque"
    section DESCRIPTION
    # The first comment of gsl.h, and the one on operators that have no meaning.
    awk 'NR == 1 || /^\/\* Operators that have no meaning/ { on = 1 }
         on { end = /\*\//; sub(/ *\*\/.*/, ""); sub(/^\/\* /, ""); sub(/^   /, ""); print }
         end { on = end = 0; print "" }' c/pattern/gsl.h | literal
    section EXAMPLES
    for f in tests/doc/*.gsl; do cat "$f"; echo; done | literal
    section "SEE ALSO"
    printf '.Xr calque 1\n'
} >"$out/calque-rules.5"
