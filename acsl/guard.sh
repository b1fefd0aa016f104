#!/bin/bash
# The guard against an inconsistent theory. Each function of acsl/clients/*.c calls what is proved or trusted, compares what it
# gets, and asserts `\false` (BOOM): that must not be proved, all its other goals must be. One line a file.
#   acsl/guard.sh [FILE.c ...]        these clients; without, all, and what the theory is made of: the axioms are those that
#                                     acsl/axioms.txt lists, a client reads each; a client calls each trusted function (but what a
#                                     comment "No client: NAMES: REASON" says); nothing is
#                                     admitted; the names of lemmas are unique
#                                     acsl/guarded.txt is the record: FILE KEY of each client that was tried with its theory as it is
#   acsl/guard.sh --check SECONDS     clients that are not recorded as they are, and for so long recorded ones, other ones from commit
#                                     to commit; what the theory is made of; a part of the self-test. What `make check` runs.
#   acsl/guard.sh --lists             only what the theory is made of
#   acsl/guard.sh --self-test         the same on copies that are broken on purpose: each must be found
# BUILD: for logs and the cache. TIMEOUT: seconds that a prover may try `\false`.
set -u
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-.build} TIMEOUT=${TIMEOUT:-5}
mkdir -p "$BUILD/guard" || exit 3
OUT=$(cd "$BUILD/guard" && pwd)
. acsl/tools.sh

# The goals of a log that are `\false` and were tried: by a prover that gave up. (One that crashes tells nothing.)
tried() { # LOG
    awk '/^\[wp\]/ { boom = /_assert_BOOM/ && !/Valid/; if (boom && / : (Unknown|Timeout)/) { n++; boom = 0 } next }
         boom && /: (Unknown|Timeout)/ { n++; boom = 0 }
         END { print n + 0 }' "$1"
}

# What is wrong in a log. (Of bytes that are read through a cast WP knows less, and says so.)
trouble() { # LOG
    awk '/Warning: *$/ { at = $0; next } at { if (!/Cast with incompatible pointers/) { print at $0; bad = 1 } at = "" }
         /Warning: .|User Error|\[(Failed|Timeout|Unknown)/ { print; bad = 1 } END { exit !bad }' "$1"
}

client() { # FILE: false when `\false` is proved, or another goal is not
    local file=$1 log names booms proved status=0
    log=$OUT/$(basename "$file" .c).log
    names=$(sed -n 's/^void \(client_[a-z_0-9]*\)(.*/\1/p' "$file")
    booms=$(grep -c 'assert BOOM: \\false;' "$file")
    if [ -z "$names" ] || [ "$booms" -ne "$(wc -w <<<"$names")" ]; then
        echo "guard $file: not one BOOM a client" >&2
        return 1
    fi
    set -- -wp-par 2 -wp-prop=-@lemma -wp-fct "$(paste -sd, <<<"$names")" \
        -wp-warn-key pedantic-assigns=inactive -kernel-warn-key annot:missing-spec=inactive "$file"
    PROVERS=cvc4,z3-ce wp update 20 -wp-prop=-BOOM "$@" >"$log" 2>&1 </dev/null
    PROVERS=cvc4,z3 wp update "$TIMEOUT" -wp-prop=BOOM "$@" >"$log.boom" 2>&1 </dev/null
    if grep -E '_assert_BOOM.* : Valid' "$log.boom"; then
        echo "guard $file: \\false is proved" >&2
        status=1
    elif [ "$(tried "$log.boom")" -ne "$booms" ]; then
        echo "guard $file: $(tried "$log.boom") of $booms times \\false tried, see $log.boom" >&2
        status=1
    fi
    proved=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) *\/ *\1 *$/\1/p' "$log")
    if trouble "$log" >"$log.trouble" || [ -z "$proved" ]; then
        echo "guard $file: the client's own goals are not proved, see $log" >&2
        cat "$log.trouble" >&2
        status=1
    fi
    [ $status -eq 0 ] && echo "guard $file: $proved goals proved, \\false in none of $booms functions"
    return $status
}

# The axioms of the theory, "NAME FILE" each.
axioms() {
    grep -oE '^ *axiom [A-Za-z_0-9]+' acsl/*/*.acsl c/*/*.h | sed -E 's|^([^:]*): *axiom (.*)|\2 \1|' | sort
}
lists() { # what the theory is made of
    local status=0 read
    if ! diff <(sed -n 's/^\([a-z][^ ]*\) | \([^ ]*\) | .*/\1 \2/p' acsl/axioms.txt | sort) <(axioms) >"$OUT/axioms.diff"; then
        sed -n 's/^> \(.*\)/guard: an axiom that acsl\/axioms.txt does not list: \1/p; s/^< \(.*\)/guard: an axiom that is gone: \1/p' "$OUT/axioms.diff" >&2
        status=1
    fi
    read=" $(for file in acsl/clients/*.c; do gcc -MM -D__FRAMAC__ -Ic -Iacsl "$file"; done 2>/dev/null | tr '\\\n' '  ') "
    for file in $(axioms | cut -d' ' -f2 | sort -u); do
        [[ $read == *" $file "* ]] || { echo "guard: no client reads $file, which has axioms" >&2; status=1; }
    done
    for function in $(sed -n 's/^| `\([a-z_0-9]*\)` (`c\/[^|]*) | [^|]* | [^|]* | `.*/\1/p' acsl/TRUSTED.md); do
        grep -q "[^a-z_]$function(\|No client: .*\<$function\>" acsl/clients/*.c || { echo "guard: no client calls $function, which is trusted" >&2; status=1; }
    done
    if grep -n -E '\\?\b(admit|assume)\b' c/*/*.h acsl/*/*.acsl acsl/clients/*.c >&2; then
        echo "guard: a claim is admitted" >&2
        status=1
    fi
    for lemma in $(cat acsl/*/*.acsl c/*/*.h | sed -n 's/^ *lemma \([A-Za-z0-9_]*\).*/\1/p' | sort | uniq -d); do
        echo "guard: two lemmas are called $lemma" >&2
        status=1
    done
    return $status
}

# A copy of the theory where FILE is changed by SED.
break_theory() { # NAME FILE SED
    rm -rf "$OUT/broken" && mkdir "$OUT/broken" && cp -r acsl c "$OUT/broken" || return 3
    sed -E -i "$3" "$OUT/broken/$2"
    cmp -s "$2" "$OUT/broken/$2" || return 0
    echo "guard: self-test $1: $2 is as it was" >&2
    return 1
}
broken_list() { # NAME FILE SED MESSAGE: the lists must find it, and say so
    break_theory "$1" "$2" "$3" || return 1
    if (cd "$OUT/broken" && lists) >"$OUT/broken.log" 2>&1 || ! grep -q "^guard: $4" "$OUT/broken.log"; then
        echo "guard: self-test $1: not found, see $OUT/broken.log" >&2
        return 1
    fi
    echo "guard: self-test $1: found"
}
broken_client() { # NAME FILE SED CLIENT [SED]: `\false` must be proved in this client (changed, too)
    break_theory "$1" "$2" "$3" || return 1
    [ $# -lt 5 ] || sed -E -i "$5" "$OUT/broken/$4"
    if (cd "$OUT/broken" && client "$4") >"$OUT/broken.log" 2>&1 || ! grep -q 'false is proved$' "$OUT/broken.log"; then
        echo "guard: self-test $1: not found, see $OUT/broken.log" >&2
        return 1
    fi
    echo "guard: self-test $1: found"
}
self_test_lists() {
    local status=0
    broken_list "an axiom that is not listed" acsl/base/strs.acsl '0,/^  axiom /s//  axiom more: \\true;\n  axiom /' \
        'an axiom that acsl/axioms.txt does not list: more' || status=1
    broken_list "an axiom that is gone" acsl/graph/uses.acsl 's/axiom card_wide/lemma card_wide/' 'an axiom that is gone: card_wide' || status=1
    broken_list "a file with axioms that no client reads" acsl/clients/judgements.c '/#include/d' 'no client reads acsl/attr/power.acsl' || status=1
    broken_list "a trusted function that no client calls" acsl/TRUSTED.md 's/`walk_grow`/`walk_other`/' 'no client calls walk_other' || status=1
    broken_list "a claim admitted in a header" c/base/strs_internal.h '0,/requires/s//admit/' 'a claim is admitted' || status=1
    broken_list "two lemmas of one name" acsl/base/strs.acsl 's/^lemma same_part_of/lemma bytes_part/' 'two lemmas are called bytes_part' || status=1
    # The record: another client, another theory, another key.
    local key
    key=$(guard_key acsl/clients/sets.c)
    break_theory "the key of a client" acsl/pattern/order.acsl 's/0 <= card\(a, m\) <= m;/0 <= card(a, m) < m;/' || status=1
    if [ "$key" != "$(guard_key acsl/clients/sets.c)" ] || [ "$key" = "$(guard_key acsl/clients/values.c)" ] ||
        [ "$key" = "$(cd "$OUT/broken" && guard_key acsl/clients/sets.c)" ]; then
        echo "guard: self-test the key of a client: it does not depend on what the client reads" >&2
        status=1
    fi
    return $status
}
self_test_client() { # 0, 1 or 2
    case $1 in
    0)  # The theory as it was: values that are the same and have other numbers, and a contract that makes them.
        broken_client "nones with a number" acsl/attr/values.acsl '/VALUE_NONE \|\| v\[id\]\.kind == VALUE_TUPLE ==> v\[id\]\.num == 0/d' \
            acsl/clients/two_nones.c 's/value_put\(ws, VALUE_NONE, 0\)/value_put(ws, VALUE_NONE, 1)/' ;;
    1)  broken_client "callbacks that answer the same in every turn" acsl/attr/run.acsl \
            '/logic integer said_taken/s/reads attr_turn/reads \\nothing/' acsl/clients/turns.c ;;
    2)  broken_client "sets as large as their range" acsl/pattern/order.acsl 's/0 <= card\(a, m\) <= m;/card(a, m) == m;/' acsl/clients/sets.c ;;
    esac
}
self_test() {
    local status=0
    self_test_lists || status=1
    for k in 0 1 2; do self_test_client $k || status=1; done
    return $status
}

# ---- the record ----
# What a client was tried in: all that it reads, the tools and how long they may try.
TOOLS=$(frama-c -version; why3 --version; cvc4 --version | head -n 1; z3 --version) || exit 3
guard_key() { # FILE
    { echo "$TOOLS $TIMEOUT"; gcc -E -CC -D__FRAMAC__ -Ic -Iacsl "$1" | grep -v '^# '; } | sha256sum | cut -c 1-16
}
guarded() { # FILE
    grep -q -x "$1 $(guard_key "$1")" acsl/guarded.txt 2>/dev/null
}
guard_record() { # FILE
    { grep -v "^$1 " acsl/guarded.txt 2>/dev/null; echo "$1 $(guard_key "$1")"; } | LC_ALL=C sort >"$OUT/guarded.txt" && cp "$OUT/guarded.txt" acsl/guarded.txt
}
guard_check() { # SECONDS
    local status=0 here=0 have=0 all file start=$SECONDS turn k
    lists || status=1
    mapfile -t all < <(ls acsl/clients/*.c)
    turn=$(git rev-list --count HEAD 2>/dev/null || date +%j)
    for file in "${all[@]}"; do
        guarded "$file" && { have=$((have + 1)); continue; }
        here=$((here + 1))
        client "$file" || status=1
    done
    for ((k = 0; k < ${#all[@]} && SECONDS - start < $1; k++)); do
        file=${all[(turn * 5 + k) % ${#all[@]}]}
        guarded "$file" || continue
        here=$((here + 1))
        client "$file" || status=1
    done
    self_test_lists || status=1
    self_test_client $((turn % 3)) || status=1
    echo "guard: \\false is not proved in $here clients tried here, $have of ${#all[@]} recorded; $(axioms | wc -l) axioms, each listed"
    return $status
}

case ${1:-} in
--check)
    guard_check "$2"
    exit
    ;;
--lists)
    lists
    exit
    ;;
--self-test)
    self_test
    exit
    ;;
esac
status=0 n=0
[ $# -gt 0 ] || lists || status=1
for file in ${*:-acsl/clients/*.c}; do
    if client "$file"; then guard_record "$file"; else status=1; fi
    n=$((n + $(grep -c 'assert BOOM' "$file")))
done
[ $status -eq 0 ] && echo "guard: \\false is not proved in $n functions; $(axioms | wc -l) axioms, each listed"
exit $status
