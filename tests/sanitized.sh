#!/usr/bin/env bash
# The unit tests built with ASan and UBSan, an eighth of what they run as one of many (UNIT_SHARE=8): one unit in three, and of those that take longest one
# in four or six, others at each commit. usage: sanitized.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/.."
. tests/lib.sh
. tests/san.sh
some=
for u in $(make --no-print-directory -s list-units); do
    case $u in
    */unit_equiv.c | */unit_rewrite.c | */unit_rulecheck.c | */unit_soup.c | */unit_run.c) share=4 ;;
    */unit_statements.c | */unit_inline.c | */unit_emit.c | */unit_kernels.c | */unit_model.c | */unit_programs.c | */unit_table.c | */unit_pack.c) share=6 ;;
    *) share=3 ;;
    esac
    its_turn "$u" $share && some="$some $u"
done
UNIT_SHARE=8 sanitized UNITS="$some" units
status=$?
n=$(wc -w <<<"$some")
[ "$n" -ge 10 ] && [ $status = 0 ] && pass "$n units" || fail "$n units, exit status $status"
finish
