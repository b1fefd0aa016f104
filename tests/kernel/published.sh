#!/usr/bin/env bash
# The published kernels, gradients and inlinings, where their files are beside the project: cases.kern, gradients.kern and
# inlinings.kern say the same, in the same order. usage: published.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/pku
[ -d $DATA ] || { echo "SKIP $DATA is not here: the kernels of tests/kernel are not compared with the published files"; exit 77; }

# canonical KERNEL: its text, the tensors named in the order in which they occur.
canonical() {
    "$CALQUE" dump --stage=kernel "$1" >"$TMP/text" || return
    awk '{
        line = ""
        while (match($0, /[A-Za-z_][A-Za-z0-9_]*</)) {
            name = substr($0, RSTART, RLENGTH - 1)
            to = name in of ? of[name] : of[name] = "T" ++n
            line = line substr($0, 1, RSTART - 1) to "<"
            $0 = substr($0, RSTART + RLENGTH)
        }
        print line $0
    }' "$TMP/text"
}
# same NAME OURS THEIRS: the same kernel.
same() {
    canonical "$2" >"$TMP/ours" && canonical "$3" >"$TMP/theirs" || { fail "$1"; return; }
    cmp -s "$TMP/ours" "$TMP/theirs" && pass "$1" || { fail "$1"; diff "$TMP/ours" "$TMP/theirs"; }
}

for set in cases gradients inlinings; do
    mkdir "$TMP/$set"
    tests/kernel/cases.sh tests/kernel/$set.kern "$TMP/$set" >"$TMP/$set.list" || fail "$set.kern"
done
theirs=("$DATA"/project1/example.json "$DATA"/project1/case{1..10}.json "$DATA"/project2/case{1..10}.json)
mapfile -t ours < <(cut -d' ' -f1 "$TMP/cases.list")
[ ${#ours[@]} = ${#theirs[@]} ] || fail "${#ours[@]} kernels, not ${#theirs[@]}"
for i in "${!ours[@]}"; do
    same "${ours[$i]}" "$TMP/cases/${ours[$i]}.json" "${theirs[$i]}"
    for f in "$TMP/cases/${ours[$i]}.json" "${theirs[$i]}"; do # parameters, element type, what it is differentiated by
        "$PY" -c 'import json,sys; a=json.load(open(sys.argv[1])); print([a.get(k) for k in ("ins", "outs", "data_type", "grad_to")])' "$f"
    done | uniq | wc -l | grep -qx 1 && pass "${ours[$i]}: parameters" || fail "${ours[$i]}: other parameters"
done

# Their texts as files: SET.INDEX.{kern,gives.kern}, and what each is differentiated by or has inlined, or is refused.
"$PY" - $DATA "$TMP" <<'EOF' || fail "published texts"
import json, sys
data, tmp = sys.argv[1:]
for name, file, before, after in (("gradients", "grad_extra_cases", "kernel", "grad"), ("inlinings", "inline_cases", "before", "after")):
    with open(f"{tmp}/{name}.theirs", "w") as out:
        for i, c in enumerate(json.load(open(f"{data}/{file}.json"))):
            for key, end in ((before, "kern"), (after, "gives.kern")):
                if c[key]:
                    open(f"{tmp}/{name}.{i}.{end}", "w").write(c[key])
            print(i, c["wrt"] if "wrt" in c else ",".join(c["outs"]), "refused" if c[after] is None else "gives", file=out)
EOF
for set in gradients inlinings; do
    [ "$(wc -l <"$TMP/$set.list")" = "$(wc -l <"$TMP/$set.theirs")" ] || fail "$set: other kernels"
    while read -r name _ _ out wrt _ why <&3 && read -r i what rest <&4; do
        [ "$wrt" = - ] && wrt=$out
        [ "$wrt $([ -z "$why" ] && echo gives || echo refused)" = "$what $rest" ] || fail "$name: $wrt, not $what $rest"
        for end in kern gives.kern; do
            [ -e "$TMP/$set.$i.$end" ] || continue
            same "$set: $name ($end)" "$TMP/$set/$name.$end" "$TMP/$set.$i.$end"
        done
    done 3<"$TMP/$set.list" 4<"$TMP/$set.theirs"
done
finish
