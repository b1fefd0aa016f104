#!/usr/bin/env bash
# Eva on what reads bytes from outside: for every content of a small buffer there is no access out of bounds, no overflow and no
# other undefined behaviour. tests/base/eva.txt has what is analysed, every alarm that is left with the reason why it is false (a
# new one fails), and changes of the code that must raise one: of these one in SHARE is tried, other ones at each commit.
# usage: eva.sh BUILD [SHARE]
cd "$(dirname "$0")/../.."
B=${1:-.build}
SHARE=${2:-1}
. tests/lib.sh
TABLE=tests/base/eva.txt
LIBC=$(frama-c -print-share-path 2>/dev/null)/libc/string.c
[ -e "$LIBC" ] || { echo "SKIP frama-c is not here: apt-get install frama-c-base"; exit 77; }
# Of the system's headers only those of protobuf-c: the others are Frama-C's own.
mkdir "$TMP/inc" && ln -s /usr/include/protobuf-c "$TMP/inc/protobuf-c" || exit 3

# eva HARNESS OPTION..: $TMP/eva.log; alarms, one a line, in $TMP/alarms.
eva() {
    local harness=$1
    shift
    frama-c -machdep gcc_x86_64 -cpp-extra-args="-I$TMP/changed -Ic -Iacsl -I$TMP/inc -D_POSIX_C_SOURCE=200809L" "$harness" "$LIBC" \
        -eva "$@" >"$TMP/eva.log" 2>&1
    rc=$?
    sed -n '/^\[eva:alarm\]/{N;s/^\[eva:alarm\] //;s/ Warning: *\n */ /;p;}' "$TMP/eva.log" | sort -u >"$TMP/alarms"
}

declare -A options
while read -r word harness rest; do
    case $word in
    run)
        options[$harness]=${rest#* }
        eva "$harness" ${rest#* }
        percent=$(sed -n 's/.* statements reached (out of [0-9]*): \([0-9]*\)% coverage.*/\1/p' "$TMP/eva.log")
        sed -n "s,^alarm $harness | \(.*\) | .*,\1,p" $TABLE | sort >"$TMP/explained"
        new=$(comm -23 "$TMP/alarms" "$TMP/explained")
        gone=$(comm -13 "$TMP/alarms" "$TMP/explained")
        if [ $rc != 0 ] || grep -E -q 'User Error|is thus incomplete|Assigning imprecise' "$TMP/eva.log"; then
            fail "$harness: not analysed as a whole"
            grep -E -A3 'User Error|is thus incomplete|Assigning imprecise' "$TMP/eva.log" | head
        elif [ -z "$percent" ] || [ "$percent" -lt "${rest%% *}" ]; then
            fail "$harness: ${percent:-0} % of the statements are reached, not ${rest%% *} %"
        elif [ -n "$new$gone" ]; then
            fail "$harness: alarms without explanation: ${new:-none}; explained ones that are gone: ${gone:-none}"
        else
            pass "$harness: $(wc -l <"$TMP/explained") alarms, all explained; $percent % of the statements"
        fi ;;
    mutant)
        its_turn "$rest" "$SHARE" || continue
        read -r file change <<<"$rest"
        old=${change#s/} old=${old%/} new=${old##*/} old=${old%/*}
        mkdir -p "$TMP/changed/${file%/*}"
        OLD=$old NEW=$new awk '
            !done && (at = index($0, ENVIRON["OLD"])) {
                $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
                done = 1
            }
            { print }
            END { exit !done }' "c/$file" >"$TMP/changed/$file" || fail "mutant $rest: there is no such place"
        eva "$harness" ${options[$harness]}
        if [ -s "$TMP/alarms" ]; then
            pass "mutant $rest: $(head -n 1 "$TMP/alarms" | sed 's/.* Warning: //' | cut -c 1-90)"
        else
            fail "mutant $rest: no alarm"
            tail -n 3 "$TMP/eva.log"
        fi
        rm "$TMP/changed/$file" ;;
    esac
done < <(grep -v '^#' $TABLE)
finish
