#!/usr/bin/env bash
# The counterexamples to the published rules, matching, rewriting and checking, one test each, named by its number in their
# collection: regress/ID.graph with the rule regress/ID.gsl (or of the library: the line `# rule: NAME`), and ID.expect: what the
# check of the rule says; or the matches, and the graph after one rewrite (`# fuel: N`: N of them), in canonical order, every
# node typed. The command and the oracle must both say that. Rules of the same collection whose graphs are in express (t_lang)
# are compared the same way, without a file of expectations.
# usage: regress.sh BUILD [--update]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
ORACLE=$B/calque-oracle
R=tests/rewrite/regress
[ -x "$ORACLE" ] || { echo "SKIP $ORACLE is not here: make oracle"; exit 77; }
for s in $("$CALQUE" rules | sed -n 's/^\([a-z]*\) (.*/\1/p'); do "$CALQUE" rules --text $s >"$TMP/set_$s.gsl"; done
"$CALQUE" rules | sed -n 's/^  \([a-z0-9_]*\) .*published as \(.*\)/\1 \2/p' | tr -d , >"$TMP/published"
own_name() { awk -v n="$1" '{ for (i = 2; i <= NF; i++) if ($i == n) own = $1 } END { print own ? own : n }' "$TMP/published"; }
set_of() { grep -l "^rule $1 {" "$TMP"/set_*.gsl; }

canonical() { # GRAPH: as text, typed, in canonical order
    "$CALQUE" dump "$1" --format=sexp >"$TMP/sexp" && "$ORACLE" canonical "$TMP/sexp"
}
by_command() { # GRAPH RULES NAME FUEL
    "$CALQUE" match "$1" -r "$2" --rule "$3" --format=sexp
    [ $? -le 1 ] || return 2
    "$CALQUE" opt "$1" -r "$2" --rule "$3" -o "$TMP/c.graph" --no-fold --fuel "$4" >"$TMP/opt" 2>&1
    [ $? = 0 ] || grep -q 'fuel' "$TMP/opt" || { cat "$TMP/opt"; return 2; }
    canonical "$TMP/c.graph"
}
by_oracle() {
    "$CALQUE" dump "$1" --format=sexp >"$TMP/g" && "$CALQUE" dump "$2" >"$TMP/r" || return 2
    "$ORACLE" match "$TMP/g" "$TMP/r" --rule "$3" || return 2
    "$ORACLE" rewrite "$TMP/g" "$TMP/r" --rule "$3" --fuel "$4" --text >"$TMP/o.graph" 2>"$TMP/log" || return 2
    canonical "$TMP/o.graph"
}

for id in $(ls $R | sed 's/\.[a-z]*$//' | sort -u); do
    rules=$R/$id.gsl graph=$R/$id.graph name= fuel=1
    if [ -f $rules ] && ! "$CALQUE" check --static $rules >/dev/null 2>"$TMP/got"; then
        sed -n 's/^[^:]*:\([0-9]*:[0-9]*: error: \)/\1/p' "$TMP/got" >"$TMP/c" # the place and the text
        refused=yes
    else
        refused=
        [ -f $rules ] || { name=$(sed -n 's/^# rule: //p' $graph); rules=$(set_of "$name"); }
        [ "$name" ] || name=$(sed -n 's/^rule \([a-z0-9_]*\) .*/\1/p' $rules | head -n 1)
        [ -f $graph ] || { fail "$id: the check of the rule accepts it"; continue; }
        n=$(sed -n 's/^# fuel: //p' $graph)
        by_command $graph $rules $name ${n:-1} >"$TMP/c" 2>"$TMP/err" || { fail "$id: the command"; cat "$TMP/c" "$TMP/err" | head -n 5; continue; }
    fi
    [ "$2" = --update ] && cp "$TMP/c" $R/$id.expect
    if ! diff $R/$id.expect "$TMP/c" >"$TMP/diff" 2>&1; then
        fail "$id: the command"
        head -n 20 "$TMP/diff"
        continue
    fi
    if [ ! $refused ]; then
        by_oracle $graph $rules $name ${n:-1} >"$TMP/o" 2>"$TMP/err" || { fail "$id: the oracle"; cat "$TMP/err" | head -n 5; continue; }
        diff $R/$id.expect "$TMP/o" >"$TMP/diff" || { fail "$id: the oracle"; head -n 20 "$TMP/diff"; continue; }
    fi
    pass "$id"
done

# Both cycles, the one of a match and the joint one of two, are refused with the reason.
for id in C1 J1; do
    g=$R/$id.graph
    [ $id = J1 ] && { "$CALQUE" opt $g -r $R/J1.gsl -o "$TMP/j1.graph" --no-fold >/dev/null; g=$TMP/j1.graph; }
    expect "$id: --why" 1 "$CALQUE" match "$g" -r $R/$id.gsl --why two || continue
    grep -q 'PM-Convex failed at .*computed from output MatMul' "$TMP/out" || { fail "$id: the reason"; cat "$TMP/out"; }
done

for g in tests/rewrite/express/*.graph; do
    for name in $(sed -n 's/^# rules: //p' "$g" | tr ',' ' '); do
        name=$(own_name $name) id=t_lang-$(basename "$g" .graph)-$name
        by_command "$g" "$(set_of $name)" $name 1 >"$TMP/c" 2>"$TMP/err" || { fail "$id: the command"; cat "$TMP/err"; continue; }
        by_oracle "$g" "$(set_of $name)" $name 1 >"$TMP/o" 2>"$TMP/err" || { fail "$id: the oracle"; cat "$TMP/err"; continue; }
        if cmp -s "$TMP/c" "$TMP/o"; then pass "$id"; else fail "$id"; diff "$TMP/c" "$TMP/o" | head -n 20; fi
    done
done
finish
