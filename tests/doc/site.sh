#!/usr/bin/env bash
# The reference (`make doc`): every label of trace.txt has its anchors, its page and its rule; links, tags, counts (check_site.py), and
# that it finds what is broken on purpose; the same bytes twice. With `browser`, in a headless Chromium: pages at 1280 and 390 pixels,
# in light and dark, with their pictures in BUILD/doc-pictures; nothing wider than the screen; contents, search, PDF.
# usage: site.sh BUILD [browser]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
generate() { "$PY" -B coq/doc/generate.py . "$1" 0123456789ab "$CALQUE"; }
expect "the reference is generated" 0 generate "$TMP/site" || finish

if [ "${2:-}" = browser ]; then
    "$PY" -c 'import sys; sys.path.insert(0, "tests/doc"); import browser; sys.exit(not browser.find())' ||
        { echo "SKIP chromium is not here: apt-get install chromium"; exit 77; }
    mkdir -p "$B/doc-pictures"
    "$PY" -B tests/doc/view_site.py "$TMP/site" "$B/doc-pictures" >"$TMP/views"
    [ $? = 0 ] && pass "$(tail -n 1 "$TMP/views")" || { fail "pages in the browser"; cat "$TMP/views"; }
    expect "the PDF" 0 coq/doc/pdf.sh "$TMP/site"
    [ "$(head -c 5 "$TMP/site/calque.pdf")" = %PDF- ] && [ "$(grep -ac '/Type */Page\b' "$TMP/site/calque.pdf")" -ge 20 ] &&
        pass "it has pages" || fail "calque.pdf is no PDF, or is short"
    finish
fi

check() { "$PY" -B tests/doc/check_site.py . "$1"; }
expect "the pages" 0 check "$TMP/site" || cat "$TMP/out"
tail -n 1 "$TMP/out"
PYTHONHASHSEED=1 expect "generated again" 0 generate "$TMP/again"
diff -r "$TMP/site" "$TMP/again" >"$TMP/differences" && pass "the same bytes" || { fail "other bytes"; head -n 5 "$TMP/differences"; }
# Errors made on purpose, in files of the second copy: each is found.
sed -i 's/ id="AE-Proj"//' "$TMP/again/attributes.html"
sed -i 's/ id="no_default_value"//' "$TMP/again/profile.html"
sed -i '0,/<span>/s///' "$TMP/again/rule/PM-Call.html"
sed -i 's,<div class="premises"><span>.*</span></div><div,<div class="premises"></div><div,' "$TMP/again/rule/AE-Func.html"
sed -i "s,unit_rules.c.html#L,unit_rules.c.html#M," "$TMP/again/rule/a.4.html"
sed -i 's,theorems/Pattern.html,theorems/Pattern2.html,' "$TMP/again/theorems.html"
sed -i 's|, commit [^.]*||' "$TMP/again/cite.html"
sed -i '0,/<span class="k-w">/s///' "$TMP/again/src/coq/attr/Attr.v.html"
rm "$TMP/again/rule/KG-Sum.html"
check "$TMP/again" >"$TMP/found" && fail "errors made on purpose are not found"
while IFS= read -r said; do
    grep -qF -- "$said" "$TMP/found" && pass "found: $said" || fail "not found: $said"
done <<'END'
attributes.html has no anchor AE-Proj
requirement no_default_value is missing
rule/PM-Call.html: span ends where
AE-Func has 0 premises, in Coq 2
rule/a.4.html: ../src/tests/dpia/unit_rules.c.html#M32 has no such anchor
theorems.html: theorems/Pattern2.html
cite.html: the foot is
src/coq/attr/Attr.v.html: span ends where
KG-Sum has no page
END
finish
