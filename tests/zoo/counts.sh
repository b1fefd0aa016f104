#!/usr/bin/env bash
# The models of GSL's experiments have the operators its table counts, the classical networks those they are known for (counts.txt).
# usage: counts.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh

sizes() { # ARCH: of the dimensions that are open
    case $1 in
    mobilenet_v2 | vit) echo --dim batch=1 ;;
    bert) echo --dim batch=1 --dim sequence=8 ;;
    llama) echo --dim batch=1 --dim sequence=1 --dim past_sequence=8 ;;
    esac
}

while read -r arch op want; do
    case $arch in '' | '#'*) continue ;; esac
    f=$TMP/$arch.ops
    if [ ! -e "$f" ]; then
        "$B/tests/zoo/zoo" "${arch%_1}" -o "$TMP/m.onnx" --width 0.125 $([ "$arch" = "${arch%_1}" ] || echo --depth 1) >/dev/null
        "$CALQUE" dump "$TMP/m.onnx" $(sizes "${arch%_1}") | sed -n 's/^ *[^ ]* = \([A-Za-z0-9]*\)(.*/\1/p' >"$f"
    fi
    got=$(grep -cx -- "${op/\*/.*}" "$f")
    if [ "$got" = "$want" ]; then pass "$arch: $want $op"; else fail "$arch: $got $op, not $want"; fi
done <tests/zoo/counts.txt
finish
