# calque profile: the table, whose theorems, files and commands are there; a model that falls short, and what opt makes of it. Sourced by
# run.sh.
expect "profile, the table" 0 "$CALQUE" profile --json
cp "$TMP/out" "$TMP/table"
json "$TMP/table" "chr(10).join(sorted({e for r in a['requirements'] for e in r['evidence']}))" >"$TMP/evidence"
[ "$(wc -l <"$TMP/evidence")" -ge 40 ] && pass "profile: $(wc -l <"$TMP/evidence") theorems, files and commands" || fail "profile: the table has little evidence"
missing() { # those of the words on standard input that are not there
    local e
    while read -r e; do
        case $e in
        theorem:*) grep -qE "^([A-Za-z]+\.)?${e#theorem:}\$" tests/coq/theorems.golden ;;
        command:*) "$CALQUE" --help | grep -q "^  ${e#command:} " ;;
        *) [ -f "$e" ] ;;
        esac || echo "$e"
    done
}
missing <"$TMP/evidence" >"$TMP/missing"
[ -s "$TMP/missing" ] && fail "profile: not there: $(tr '\n' ' ' <"$TMP/missing")" || pass "profile: all of it is there"
printf 'theorem:infer_so\ncommand:prof\ntests/cli/none.sh\n' | missing >"$TMP/missing"
[ "$(wc -l <"$TMP/missing")" = 3 ] && pass "profile: what is not there is found" || fail "profile: what is not there is not found"
[ "$(json "$TMP/table" "len({(r['number'], r['anchor']) for r in a['requirements']}) == len(a['requirements']) and all(r['here'] and r['evidence'] for r in a['requirements'] if r['decided'])")" = True ] &&
    pass "profile: requirements differ, those that are decided have an answer" || fail "profile: requirements"
expect "profile, as text" 0 "$CALQUE" profile
n=$(json "$TMP/table" "len(a['requirements'])")
d=$(json "$TMP/table" "sum(r['decided'] for r in a['requirements'])")
grep -q "^$n requirements, $d of them decided on a model, 1 without an answer$" "$TMP/out" && pass "profile: $n requirements, $d decided" ||
    fail "profile: $(tail -n 1 "$TMP/out")"
# What the operator list of OP-000 has is read: by an operator of ours or by others.
"$CALQUE" ops --json >"$TMP/out"
json "$TMP/out" "chr(10).join([x['name'] for x in a['operators']] + [x['name'] for x in a['expanded']] + ['Constant'])" | sort >"$TMP/read"
sed -n '/^static const char \*const listed/,/};/p' c/onnx/profile.c | grep -o '"[A-Za-z]*"' | tr -d '"' | sort >"$TMP/listed"
[ -z "$(comm -13 "$TMP/read" "$TMP/listed")" ] && [ "$(wc -l <"$TMP/listed")" = 55 ] &&
    pass "profile: all operators of the list are read" || fail "profile: not read: $(comm -13 "$TMP/read" "$TMP/listed" | tr '\n' ' ')"
expect "zoo" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/s.onnx" --width 0.1 --image 32
expect "profile of a model that falls short" 1 "$CALQUE" profile "$TMP/s.onnx"
grep -q "^    node 0 node_Conv_2 (Conv) at byte 20: attribute auto_pad is left to its default$" "$TMP/out" && grep -q "^    and [0-9]* more (--json has all)$" "$TMP/out" &&
    pass "profile: which nodes, where and why" || fail "profile: $(head -n 8 "$TMP/out")"
expect "profile --json" 1 "$CALQUE" profile "$TMP/s.onnx" --json
cp "$TMP/out" "$TMP/short"
# Where the bytes of a node begin, its message does: an input's or an output's tag.
"$PY" - "$TMP/s.onnx" "$TMP/short" >"$TMP/out" <<'END' && pass "profile: bytes of nodes: $(cat "$TMP/out")" || fail "profile: bytes of nodes: $(cat "$TMP/out")"
import json, sys
data = open(sys.argv[1], "rb").read()
found = [x for r in json.load(open(sys.argv[2]))["requirements"] for x in r["falls_short"] if "at" in x]
print(len(found), "of", len({x["number"] for x in found}), "nodes")
sys.exit(not found or any(data[x["at"]] != 0x0A or x["operator"].encode() not in data[x["at"]:x["at"] + 300] for x in found))
END
expect "opt" 0 "$CALQUE" opt "$TMP/s.onnx" -o "$TMP/o.onnx"
expect "profile of what opt writes: it conforms" 0 "$CALQUE" profile "$TMP/o.onnx" --json
[ "$(json "$TMP/out" "a['conforms'] and all(r['holds'] and not r['falls_short'] for r in a['requirements']) and len(a['requirements'])")" = "$d" ] &&
    pass "profile: all $d hold" || fail "profile: $(cat "$TMP/out")"
expect_error "profile of no model" "truncated" "$CALQUE" profile README.md
expect_error "profile of a graph" "the profile is of ONNX files" "$CALQUE" profile tests/cli/odd.graph
expect_error "profile of two" "give one model" "$CALQUE" profile "$TMP/o.onnx" "$TMP/s.onnx"
expect_error "profile of a file that is not there" "none.onnx" "$CALQUE" profile "$TMP/none.onnx"
