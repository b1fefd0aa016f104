#!/usr/bin/env bash
# No file of c over 600 lines of code, no function over 60: comments, contracts and blank lines are not counted. A function is
# counted from its name to its closing brace. Prints the files by room and the largest file and function of all.
# A .c begins with a comment that says what it is for. c, c/attr and acsl (without its programs) have few files. The files that
# comments name exist.
# usage: sizes.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
FILE_MAX=600 FUNCTION_MAX=60

# measure FILE..: of each "file LINES FILE", and "function LINES FILE NAME" for each of its functions, which begin and end at the first column.
measure() {
    "$PY" -c '
import re, sys
token = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|\x27(?:\\.|[^\x27\\\n])*\x27", re.S)
for path in sys.argv[1:]:
    print("FILE " + path)
    print(token.sub(lambda m: " " if m.group().startswith("/") else m.group(), open(path, encoding="utf-8").read()))
' "$@" | awk '
        /^FILE / { if (file) print "file", lines + 0, file; file = $2; lines = 0; inside = 0; head = ""; next }
        /[^ \t]/ { lines++; length_now++ }
        /^[A-Za-z_].*\(/ { head = $0; length_now = 1 }
        /^\{/ || /^[A-Za-z_].*\).*\{$/ { if (head != "") inside = 1 }
        inside && (/^\}/ || /^[A-Za-z_].*\}$/) {
            name = head
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            print "function", length_now, file, name
            inside = 0
            head = ""
        }
        /;$/ && !inside { head = "" }
        END { print "file", lines + 0, file }'
}

measure c/*.h c/*/*.[ch] >"$TMP/sizes"
awk '$1 == "file" { n[split($3, p, "/") > 2 ? p[2] : "*.h"]++ } END { for (r in n) print "c/" r ": " n[r] " files" }' "$TMP/sizes" | sort
over() { awk -v kind="$1" -v most="$2" '$1 == kind && $2 > most { print "  " $3, $4, $2 " lines" }' "$3"; }
largest() { sort -k1,1 -k2,2nr "$TMP/sizes" | awk -v kind="$1" '$1 == kind { print $3, $4, $2 " lines"; exit }'; }

for kind in file function; do
    most=$([ $kind = file ] && echo $FILE_MAX || echo $FUNCTION_MAX)
    over $kind "$most" "$TMP/sizes" >"$TMP/over"
    if [ -s "$TMP/over" ]; then
        fail "over $most lines, each $kind:"
        cat "$TMP/over"
    else
        pass "no $kind over $most lines; the largest: $(largest $kind)"
    fi
done
for f in c/*/*.c; do
    case $(head -c 3 "$f") in '/*@' | [!/]*) echo "  $f" ;; esac
done >"$TMP/bare"
[ -s "$TMP/bare" ] && { fail "files that do not say what they are for:"; cat "$TMP/bare"; } || pass "every file says what it is for"
# few MOST FOLDER TEST..: there are not more files.
few() { local n; n=$(find "${@:2}" -type f | wc -l); [ "$n" -le "$1" ] && pass "$2: $n files" || fail "$2: $n files, at most $1: one concept, one file"; }
few 330 c
few 28 c/attr
few 90 acsl ! -name '*.py' ! -name '*.sh' ! -path '*/__pycache__/*'
# absent_files FILE..: of each, the files that its comments name and that nobody has. Names of what the command writes (model.c, NAME.c)
# and of C's headers are no such names.
absent_files() {
    { git ls-files; printf '%s\n' float.h hosted.h math.h stdint.h calque_acsl.h; } >"$TMP/have"
    "$PY" -c '
import os, re, sys
have = {os.path.basename(line.strip()) for line in open(sys.argv[1])}
comments = re.compile(r"/\*[^@].*?\*/|//[^\n]*|\(\*.*?\*\)|\"(?:\\.|[^\"\\\n])*\"", re.S)
name = re.compile(r"(?<![\w.<>/*\])\-{}$%])[A-Za-z]\w{2,}\.(?:acsl|c|h|v|ml)\b(?!\()")
written = re.compile(r"(NAME|FILE|model)(_\w+)?\.")
for path in sys.argv[2:]:
    text = open(path, encoding="utf-8").read()
    for part in [text] if path.endswith(".md") else [m for m in comments.findall(text) if m[0] != "\""]:
        for n in name.findall(part):
            if n not in have and not written.match(n):
                print("  " + path + ": " + n)
' "$TMP/have" "$@"
}
absent_files $(git ls-files 'c/*.[ch]' 'c/*.def' 'acsl/*.acsl' 'acsl/*.c' 'coq/*.v' 'oracle/*.ml' README.md 'acsl/*.md' coq/README.md) >"$TMP/absent"
[ -s "$TMP/absent" ] && { fail "comments name files that are not there:"; cat "$TMP/absent"; } || pass "comments name files that are there"
printf '/* As sizes.sh and nobody_has_this.c say; x.c is a field. */\n' >"$TMP/names.c"
[ "$(absent_files "$TMP/names.c" | wc -l)" = 1 ] && pass "a file that is not there is found" || fail "a file that is not there is not found"
# The measure itself: a contract and comments count for nothing, the code does.
{
    echo '/* head */'
    echo '/*@ requires \true;'; yes '    ensures \true;' | head -n 100; echo '*/'
    echo 'int sum(int a,'; echo '        int b)'; echo '{'; yes '    a += b; // again' | head -n 58; echo; echo '    return a;'; echo '}'
} >"$TMP/long.c"
[ "$(measure "$TMP/long.c" | cut -d' ' -f1,2,4 | paste -sd,)" = "function 63 sum,file 63" ] && pass "the measure counts code" || {
    fail "the measure: $(measure "$TMP/long.c" | paste -sd,)"
}
measure "$TMP/long.c" >"$TMP/more"
[ -n "$(over function $FUNCTION_MAX "$TMP/more")" ] && pass "a function over the limit is found" || fail "a function over the limit is not found"
finish
