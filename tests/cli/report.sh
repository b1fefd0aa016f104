#!/usr/bin/env bash
# calque report: every node and every function, both ways, with the lines they have in the C; the code is that of opt and emit; the
# page is whole; what is wrong on purpose is found; wrong inputs, no program dot, a directory that cannot be written. With `browser`,
# the pages in a headless Chromium, with their pictures in BUILD/report-pictures.
# usage: report.sh BUILD [browser]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
ZOO=$B/tests/zoo/zoo
check() { "$PY" -B tests/cli/check_report.py "$@"; }
model() { # NAME ARCH WIDTH IMAGE: NAME.onnx
    expect "$1: build" 0 "$ZOO" "$2" -o "$TMP/$1.onnx" --width "$3" --image "$4"
}
model squeezenet squeezenet 0.25 32
model resnet50 resnet50 0.125 32
model transformer transformer 0.125 8

if [ "${2:-}" = browser ]; then
    "$PY" -c 'import sys; sys.path.insert(0, "tests/doc"); import browser; sys.exit(not browser.find())' ||
        { echo "SKIP chromium is not here: apt-get install chromium"; exit 77; }
    mkdir -p "$B/report-pictures"
    for m in resnet50 transformer; do expect "$m: report" 0 "$CALQUE" report "$TMP/$m.onnx" -o "$TMP/$m"; done
    expect "with contracts" 0 "$CALQUE" report "$TMP/transformer.onnx" --acsl -o "$TMP/acsl"
    view() { "$PY" -B tests/cli/view_report.py "$B/report-pictures" "$@" >"$TMP/views"; }
    view resnet50="$TMP/resnet50/report.html" transformer="$TMP/transformer/report.html" acsl="$TMP/acsl/report.html"
    [ $? = 0 ] && pass "$(tail -n 1 "$TMP/views")" || { fail "pages in the browser"; cat "$TMP/views"; }
    # Errors made on purpose.
    sed 's/--muted: #505a64/--muted: #b5bdc5/; s/max-width: 100%; background/width: 2000px; background/' "$TMP/transformer/report.html" >"$TMP/broken.html"
    view broken="$TMP/broken.html" && fail "a page that is wrong on purpose is not found"
    grep -q 'pixels too wide' "$TMP/views" && grep -q 'contrast' "$TMP/views" && pass "a page that is wrong on purpose is found" || fail "too wide, faint"
    finish
fi

# same NAME MODEL DIR OPTION..: the code of DIR is what opt, to a file of the same kind, and emit give.
same() {
    local name=$1 in=$2 dir=$3 f to=$TMP/opt.${2##*.}
    shift 3
    rm -rf "$TMP/emitted"
    expect "$name: opt" 0 "$CALQUE" opt "$in" -o "$to" && expect "$name: emit" 0 "$CALQUE" emit "$to" -o "$TMP/emitted" "$@" || return
    for f in "$TMP/emitted"/*; do
        cmp -s "$f" "$dir/${f##*/}" || { fail "$name: ${f##*/} is not that of opt and emit"; return; }
    done
    [ "$(ls "$dir" | wc -l)" = $(($(ls "$TMP/emitted" | wc -l) + 3)) ] && pass "$name: the bytes of opt and emit" || fail "$name: other files: $(ls "$dir")"
}
for m in squeezenet resnet50 transformer; do
    expect "$m: report" 0 "$CALQUE" report "$TMP/$m.onnx" -o "$TMP/$m"
    expect "$m: every node and function, both ways" 0 check "$TMP/$m.onnx" "$TMP/$m" || cat "$TMP/out"
    tail -n 1 "$TMP/out"
    grep -q '2 drawings' "$TMP/out" && pass "$m: both graphs are drawn" || fail "$m: the graphs are not drawn"
    same $m "$TMP/$m.onnx" "$TMP/$m"
done
expect "contracts: report" 0 "$CALQUE" report "$TMP/transformer.onnx" --acsl --name net -o "$TMP/acsl"
expect "contracts: every node and function, both ways" 0 check "$TMP/transformer.onnx" "$TMP/acsl" || cat "$TMP/out"
[ "$(json "$TMP/acsl/trace.json" "{f['contract'][:5] for f in a['functions'] if f['kind'] == 'kernel'}")" = "{'net_k'}" ] &&
    pass "contracts: their functions" || fail "contracts: their functions"
same contracts "$TMP/transformer.onnx" "$TMP/acsl" --acsl --name net
expect "ranges of values: report" 0 "$CALQUE" report tests/emit/parts.graph -o "$TMP/parts"
expect "ranges of values: both ways" 0 check - "$TMP/parts" || cat "$TMP/out"
got=$(json "$TMP/parts/trace.json" "' '.join(n['name'] for n in a['emitted'] if n['value'] == 'renamed')")
[ "$got" = "s part twice uv" ] && pass "ranges of values: $got" || fail "ranges of values: $got"
expect "calls that repeat: report" 0 "$CALQUE" report tests/emit/repeated.graph -o "$TMP/repeated"
expect "calls that repeat: both ways" 0 check - "$TMP/repeated" || cat "$TMP/out"
[ "$(grep -c 'for (size_t calque_t' "$TMP/repeated/model.c")" = 4 ] && pass "calls that repeat: loops" || fail "calls that repeat: loops"
expect "odd nodes: report" 0 "$CALQUE" report tests/cli/odd.graph -o "$TMP/odd"
expect "odd nodes: both ways" 0 check - "$TMP/odd" || cat "$TMP/out"
same "odd nodes" tests/cli/odd.graph "$TMP/odd"
got=$(json "$TMP/odd/trace.json" "' '.join('%s:%s' % (n['name'], n['state']) for n in a['nodes'])")
want="unused:dead two:constant three:constant y:kept parts:kept first:kept rows:kept same:removed flat:kept doubled:constant"
[ "$got" = "$want" ] && pass "odd nodes: what they became" || fail "odd nodes: $got"
# Which rules touch what, by the models' own shape: a normalisation and its convolution become one convolution.
got=$(json "$TMP/resnet50/trace.json" "sum(n['operator'] in ('Conv', 'BatchNormalization') and [a['rewrites'][0]['rule']] == ['conv_bn_fold'] and
    n['state'] == 'rewritten' and [e['operator'] for e in a['emitted'] if e['id'] in n['became']] == ['Conv'] for n in a['nodes'])")
[ "$got" = 106 ] && pass "resnet50: 53 convolutions and their normalisations" || fail "resnet50: $got nodes are folded"
[ "$(json "$TMP/resnet50/trace.json" "{(r['rule'], r['class'], r['theorem']) for r in a['rewrites']}")" = "{('conv_bn_fold', 'real', 'rule_conv_bn_fold_sound')}" ] &&
    pass "resnet50: the theorem" || fail "resnet50: the theorem"
"$PY" -c 'import json, re, sys; a = json.load(open(sys.argv[1])); g = open("tests/coq/theorems.golden").read()
sys.exit(any(r["theorem"] and not re.search(r"\b%s\b" % r["theorem"], g) for r in a["rules"]))' "$TMP/transformer/trace.json" &&
    pass "theorems are in the golden file" || fail "a theorem is not in the golden file"
expect "again" 0 "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/again"
diff -rq "$TMP/transformer" "$TMP/again" >"$TMP/differences" && pass "the same bytes again" || { fail "other bytes"; cat "$TMP/differences"; }
expect "--json" 0 "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/again" --json
[ "$(json "$TMP/out" "(a['nodes_read'], 'report.html' in a['files'])")" = "(53, True)" ] && pass "--json: the answer" || fail "--json: the answer"

# Errors made on purpose, each in a copy: the check finds it.
wrong() { # NAME SAID CODE: CODE changes the trace a, in the directory d
    rm -rf "$TMP/wrong"
    cp -r "$TMP/transformer" "$TMP/wrong"
    "$PY" -c 'import json, re, sys
d = sys.argv[1]; a = json.load(open(d + "/trace.json"))
def change(f, x, y): s = open(d + "/" + f).read(); assert re.search(x, s); open(d + "/" + f, "w").write(re.sub(x, y, s, 1))
exec(sys.argv[2])
json.dump(a, open(d + "/trace.json", "w"))' "$TMP/wrong" "$3" || { fail "$1: not made"; return; }
    check "$TMP/transformer.onnx" "$TMP/wrong" >"$TMP/found" && { fail "$1: not found"; return; }
    grep -qF -- "$2" "$TMP/found" && pass "found: $1" || { fail "$1: found otherwise"; head -n 3 "$TMP/found"; }
}
wrong "a node that is missing" "the model has other nodes" 'a["nodes"].pop(3)'
wrong "a function that is missing" "is in no entry" 'a["functions"].pop(0)'
wrong "a line that is not the function's" "lines" 'a["functions"][2]["last"] -= 1'
wrong "a line that is not the call's" "names other nodes" 'a["calls"][2]["line"] += 2'
wrong "a call that is missing" "is not there" 'a["calls"].pop()'
wrong "a node that does not name its call" "calls" 'a["nodes"][0]["calls"] = []'
wrong "a function that does not name its node" "its nodes" 'a["functions"][1]["from"] = a["functions"][1]["from"][1:]'
wrong "a rewrite that is not its node's" "does not say so" 'a["nodes"][0]["rewrites"] = []'
wrong "buffers that overlap" "overlap" 'a["memory"][1]["offset"] = a["memory"][0]["offset"]'
wrong "a row that is missing in TRACE.md" "TRACE.md: no row" 'change("TRACE.md", "\n[|] 30 [^\n]*", "")'
wrong "a page that is not closed" "ends where" 'change("report.html", "</tr>", "")'
wrong "a page that loads a script" "loads" 'change("report.html", "<script>", "<script src=\"https://example.org/x.js\">")'
wrong "a link that leads nowhere" "links" 'change("report.html", "id=\"fn-k0\"", "id=\"fn-none\"")'

# Without the program dot: tables, and the page says so.
mkdir "$TMP/empty" "$TMP/fails"
printf '#!/bin/sh\nexit 1\n' >"$TMP/fails/dot"
chmod +x "$TMP/fails/dot"
mkdir "$TMP/slow"
printf '#!/bin/sh\nulimit -t >"%s"\nexit 1\n' "$TMP/limit" >"$TMP/slow/dot"
chmod +x "$TMP/slow/dot"
expect "dot: slow" 0 env PATH="$TMP/slow" "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/without"
[ "$(cat "$TMP/limit")" = 60 ] && pass "dot: has a minute" || fail "dot: has $(cat "$TMP/limit") seconds"
for path in empty fails; do
    expect "dot: $path" 0 env PATH="$TMP/$path" "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/without"
    expect "dot: $path: both ways" 0 check "$TMP/transformer.onnx" "$TMP/without" || cat "$TMP/out"
    [ "$(grep -c 'class="missing"' "$TMP/without/report.html")" = 2 ] && grep -q '0 drawings' "$TMP/out" && pass "dot: $path: tables" || fail "dot: $path: tables"
done
# Names are text in every file.
sed "s/unused =/'<b>\&\"|_' =/; s/'/\"/; s/|_'/|_\"/; s/\&\"|/\&\\\\\\\\|/" tests/cli/odd.graph >"$TMP/names.graph"
expect "names: report" 0 "$CALQUE" report "$TMP/names.graph" -o "$TMP/names"
expect "names: both ways" 0 check - "$TMP/names" || cat "$TMP/out"
grep -q '&lt;b&gt;&amp;' "$TMP/names/report.html" && ! grep -q '<b>&' "$TMP/names/report.html" && pass "names: escaped" || fail "names: escaped"

expect_error "no model" "give one model" "$CALQUE" report -o "$TMP/none"
expect_error "no directory" "no output directory" "$CALQUE" report "$TMP/transformer.onnx"
expect_error "a kernel" "a report is of a model" "$CALQUE" report x.kern -o "$TMP/none"
expect_error "a file that is not there" "cannot open" "$CALQUE" report "$TMP/none.onnx" -o "$TMP/none"
head -c 1000 "$TMP/transformer.onnx" >"$TMP/short.onnx"
expect_error "half a model" "short.onnx" "$CALQUE" report "$TMP/short.onnx" -o "$TMP/none"
printf 'graph g {\n input x: f32[2]\n y = opaque "Strange"(x) : f32[2]\n return y\n}\n' >"$TMP/strange.graph"
expect_error "an operator without a meaning" "Strange" "$CALQUE" report "$TMP/strange.graph" -o "$TMP/none"
expect_error "a name that is taken" "weights" "$CALQUE" report "$TMP/transformer.onnx" --name weights -o "$TMP/none"
[ ! -e "$TMP/none" ] && pass "an error writes nothing" || fail "an error leaves $(ls "$TMP/none")"
echo x >"$TMP/file"
expect_error "the directory is a file" "$TMP/file" "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/file"
expect_error "the directory's directory is missing" "cannot create" "$CALQUE" report "$TMP/transformer.onnx" -o "$TMP/a/b"
expect_error "a directory that cannot be written" "/proc" "$CALQUE" report "$TMP/transformer.onnx" -o /proc
# A graph that no drawing shows: tables, and no more time than its size asks for.
awk 'BEGIN { print "graph g {\n input x: f32[2]"; p = "x"
             for (i = 0; i < 3500; i++) { printf " v%d = %s(%s)\n", i, i % 3 ? "Relu" : "Sqrt", p; p = "v" i }
             print " return " p "\n}" }' >"$TMP/large.graph"
expect "a large graph" 0 timeout 60 "$CALQUE" report "$TMP/large.graph" -o "$TMP/large"
[ "$(grep -c 'More operators than a drawing shows' "$TMP/large/report.html")" = 2 ] && pass "a large graph: tables" || fail "a large graph: no tables"
finish
