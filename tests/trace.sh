#!/usr/bin/env bash
# The rule x floor table: for each label of trace.txt, where it stands. Fails when a floor that the table names lacks the label,
# when Coq or ACSL has a rule the table does not know, or when the constructors of a judgement that ACSL has stand in another
# order there.
cd "$(dirname "$0")/.."
holes=0
# The C without the comment that opens each file: it lists the labels that the file has, which must stand in it, too.
C=$(mktemp) || exit 3
trap 'rm -f "$C"' EXIT
awk 'FNR == 1 { head = /^\/\*/ } head { if (/\*\//) head = 0; next } { print FILENAME ":" FNR ":" $0 }' \
    c/*/*.c c/*/*.h c/*/*.def >"$C"
where() { # FLOOR LABEL: first file:line, or nothing
    local l=$2 u=${2//-/_} p
    case $l in
    *.*) # seed 002's numbered rules: in comments of Coq and C, and in tests
        p="(^|[^A-Za-z0-9.])${l//./\\.}([^0-9]|$)"
        case $1 in
        coq) grep -rnE --include='*.v' "$p" coq/dpia/Trans.v coq/dpia/Target.v coq/emit | head -n 1 ;;
        c) grep -E "^c/(dpia|emit)/[a-z_]*\.c:[0-9]*:.*$p" "$C" | head -n 1 ;;
        test) grep -nE "\{ \"([^\"]* )?${l//./\\.}[ \"]" tests/dpia/unit_rules.c /dev/null | head -n 1 ;;
        esac | cut -d: -f1,2
        return
        ;;
    esac
    case $l in
    K?-* | I[1-5]) # kernels: in comments of Coq and C, and in tests
        p="(^|[^A-Za-z0-9])$l([^A-Za-z0-9]|$)"
        case $1 in
        coq) grep -rnE --include='*.v' "\(\*.*$p|^ +$l " coq/kernel | head -n 1 ;;
        c) grep -E "^c/kernel/[a-z_]*\.c:[0-9]*:(.*/\*.*$p| +$l )" "$C" | head -n 1 ;;
        test) grep -rnE --include='*.c' "/\*.*$p" tests/kernel | head -n 1 ;;
        esac | cut -d: -f1,2
        return
        ;;
    esac
    case $1 in
    coq) grep -rnE --include='*.v' "^ *\| *$u\b" coq | head -n 1 ;;
    acsl) grep -rnE "case $u\b" acsl | head -n 1 ;;
    c) grep -E "[^A-Za-z]($l|$u)([^A-Za-z]|$)" "$C" | head -n 1 ;;
    test) grep -rnE --include='*.c' --include='*.txt' "(^|[^A-Za-z])($l|$u)([^A-Za-z]|$)" tests | grep -v '^tests/trace.txt' | head -n 1 ;;
    esac | cut -d: -f1,2
}
while read -r label floors; do
    case $label in '#'* | '') continue ;; esac
    line=$label
    set -- coq acsl c test
    for f in $floors; do
        w=-
        if [ "$f" != - ]; then
            w=$(where "$f" "$label")
            [ -n "$w" ] || { w=HOLE; holes=$((holes + 1)); }
        fi
        line="$line | $w"
        shift
    done
    echo "$line"
done <tests/trace.txt
known() { grep -qE "^${1//_/-} " tests/trace.txt || { echo "not in trace.txt: $1"; holes=$((holes + 1)); }; }
for r in $(grep -rhoE '^ *\| *(AE|AM|PM|PE)_[A-Za-z]+' coq --include='*.v' | grep -oE '(AE|AM|PM|PE)_[A-Za-z]+' | sort -u) \
         $(grep -rhoE 'case (AE|AM|PM|PE)_[A-Za-z]+' acsl | sed 's/case //' | sort -u); do known "$r"; done
for r in $(grep -rhoE --include='*.v' '\b(KE|KS|KP|KG|KL)-[A-Z][a-z]+' coq/kernel | sort -u); do known "$r"; done
for at in AE-attr AM-attr PM-pattern; do
    j=${at%-*} room=${at#*-}
    a=$(grep -hoE "^ *\| *${j}_[A-Za-z]+" "coq/$room/${room^}.v" | grep -oE "${j}_[A-Za-z]+" | awk '!s[$0]++' | while read -r r; do
        grep -qE "^${r//_/-} +[^ ]+ +acsl" tests/trace.txt && echo "$r"; done | tr '\n' ' ')
    b=$(grep -rhoE "case ${j}_[A-Za-z]+" "acsl/$room" | sed 's/case //' | awk '!s[$0]++' | tr '\n' ' ')
    [ "$a" = "$b" ] || { echo "ORDER $j: Coq has $a, ACSL has $b"; holes=$((holes + 1)); }
done
echo "$holes holes"
[ $holes -eq 0 ]
