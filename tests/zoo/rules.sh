#!/usr/bin/env bash
# The rules applied to the classical networks, the loops of their own and the merges are as many as rules.txt says.
# usage: rules.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh

# of NAME: the answer to a line of the table, about the model in $TMP/in.onnx.
of() {
    case $1 in
    loops) own_loops "$TMP/emit.json" ;;
    merge) # the Splits by their number of outputs
        echo "$(json "$TMP/merge.json" "','.join(f'{k}' for k, v in a['rules'].items() if k.startswith('parallel') and v['applied'])")=$(
            sed -n 's/.* = Split(.*split=(\([0-9, ]*\)).*/\1/p' "$TMP/merged.graph" | awk -F, '{ n[NF]++ }
            END { for (k = 1; k < 99; k++) if (n[k]) printf "%s%dx%d", s++ ? "+" : "", n[k], k }')" ;;
    *) json "$TMP/opt.json" "a['rules']['$1']['applied']" ;;
    esac
}
model() { # ARCH: its files
    "$B/tests/zoo/zoo" "$1" -o "$TMP/in.onnx" --width 0.0625 --image 67 >/dev/null &&
        "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/opt.onnx" --json >"$TMP/opt.json" &&
        "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/merged.graph" --set standard,merge --json >"$TMP/merge.json" &&
        "$CALQUE" emit "$TMP/opt.onnx" -o "$TMP/c" --json >"$TMP/emit.json" || fail "$1"
}

last=
while read -r arch what want; do
    [ "$arch" = "$last" ] || model "$arch"
    last=$arch
    got=$(of "$what")
    if [ "$got" = "$want" ]; then pass "$arch: $what $want"; else fail "$arch: $what $got, not $want"; fi
done < <(sed '/^#/d' tests/zoo/rules.txt | sort -s -k1,1)
finish
