#!/bin/sh
# usage: rules.sh BUILD
# The proved check of rules (Coq rule_check, in the oracle) and the C check: every rule of the library and of the
# good fixtures, which C accepts, is accepted; every rule of unchecked.rules, each with one undefined
# reference, is refused; the rules stated in Coq and those proved sound are those of the library. Exit status: 0 so, 1 not, 2 usage, 77 skipped.
set -u
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
here=$(dirname "$0")
root=$here/../..
calque=$1/calque
oracle=$1/calque-oracle
for f in "$calque" "$oracle"; do
    [ -x "$f" ] || { echo "SKIP pattern/rules: $f is missing (make all oracle)"; exit 77; }
done
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
failed=0 accepted=0

for f in "$root"/c/rewrite/library*.gsl "$root"/tests/cli/good/*.gsl; do
    if ! "$calque" dump "$f" >"$tmp/rules" 2>"$tmp/err" || ! "$oracle" check "$tmp/rules" >"$tmp/answers" 2>>"$tmp/err"; then
        echo "FAIL pattern/rules: $f"
        cat "$tmp/err"
        failed=1
        continue
    fi
    if grep ' no)$' "$tmp/answers"; then
        echo "FAIL pattern/rules: C accepts these of $f"
        failed=1
    fi
    accepted=$((accepted + $(grep -c ' yes)$' "$tmp/answers")))
done
[ $accepted -ge 60 ] || { echo "FAIL pattern/rules: only $accepted rules accepted"; failed=1; }

"$oracle" check "$here/unchecked.rules" >"$tmp/answers" 2>"$tmp/err" || { cat "$tmp/err"; failed=1; }
if grep ' yes)$' "$tmp/answers"; then
    echo "FAIL pattern/rules: accepted, with an undefined reference"
    failed=1
fi
refused=$(grep -c ' no)$' "$tmp/answers")
[ "$refused" = "$(grep -c '^(rule ' "$here/unchecked.rules")" ] || { echo "FAIL pattern/rules: $refused refused"; failed=1; }

# The terms that are proved in Coq are the rules that run: printed again, they are the committed files.
for set in simplify fold like merge pairs lower quantised; do
    name=Library$(printf %s "$set" | sed 's/^./\U&/')
    if ! "$calque" dump "$root/c/rewrite/library_$set.gsl" >"$tmp/rules" 2>"$tmp/err" ||
        ! "$oracle" library "$set" "$tmp/rules" >"$tmp/$name.v" 2>>"$tmp/err" ||
        ! diff -u "$root/coq/rewrite/$name.v" "$tmp/$name.v" >"$tmp/diff"; then
        echo "FAIL pattern/rules: coq/rewrite/$name.v is not the set $set (calque-oracle library $set)"
        head -20 "$tmp/err" "$tmp/diff"
        failed=1
    fi
done

# The rules proved in Coq are rules of the library, each with a headline theorem of its class.
proved=0
for set in simplify fold like merge pairs lower quantised; do
    "$calque" dump "$root/c/rewrite/library_$set.gsl" >"$tmp/rules" 2>"$tmp/err" &&
        "$oracle" check --proved "$tmp/rules" >"$tmp/answers" 2>>"$tmp/err" || { cat "$tmp/err"; failed=1; }
    sed -n 's/^(proved \([a-z_0-9]*\) \([a-z]*\) \(rule_[a-z_0-9]*_sound\))$/\1 \2 \3/p' "$tmp/answers" >"$tmp/names"
    while read -r name class theorem; do
        awk -v t="^Rules[A-Za-z]*[.]$theorem\$" -v s=": SoundTactic.${class}_rule Library[A-Z][a-z]*.rule_text_$name$" \
            '$0 ~ t { on = 1; next } on && /^[^ ]/ { exit } on { all = all " " $0 } END { gsub(/ +/, " ", all); exit all !~ s }' \
            "$root/tests/coq/theorems.golden" ||
            { echo "FAIL pattern/rules: no theorem $theorem that $name is of class $class"; failed=1; }
        proved=$((proved + 1))
    done <"$tmp/names"
done
wanted=$("$calque" rules --json | grep -c '"theorem": "rule_')
[ "$proved" = "$wanted" ] && [ "$proved" -gt 0 ] || { echo "FAIL pattern/rules: $proved of $wanted proved rules are in the library"; failed=1; }
[ $failed = 0 ] && echo "PASS pattern/rules: $accepted accepted, $refused refused, $proved proved sound"
exit $failed
