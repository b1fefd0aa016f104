#!/usr/bin/env bash
# Data of initializers in files beside the model: written by `calque opt --external-data`, read wherever a model is read; what is
# outside of the model's folder, too short or no file is refused with the tensor's name. With `checker`: onnx reads what is
# written here, and what onnx writes is read.
# usage: external.sh BUILD [checker]
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
[ "${2:-}" != checker ] || need_onnx
D=$TMP/d
mkdir "$D"
expect "build" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/in.onnx" --width 0.25 --image 64
expect "with the data in it" 0 "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/one.onnx"
expect "with the data beside it" 0 "$CALQUE" opt "$TMP/in.onnx" -o "$D/m.onnx" --external-data
expect "run" 0 "$CALQUE" run "$TMP/one.onnx" --random 3 --save-inputs -o "$TMP/want"
same() { expect "$1: the same bits" 0 "$CALQUE" run "$2" image="$TMP/want/image.npy" --compare "$TMP/want" --rtol 0 --atol 0; }

if [ "${2:-}" = checker ]; then
    expect "onnx reads the same tensors, at multiples of a page" 0 "$PY" - "$TMP/one.onnx" "$D/m.onnx" <<'E2'
import sys, onnx
from onnx import numpy_helper
onnx.checker.check_model(sys.argv[2])
one, two = (onnx.load(f) for f in sys.argv[1:3])
bare = onnx.load(sys.argv[2], load_external_data=False)
outside = 0
for a, b, c in zip(one.graph.initializer, two.graph.initializer, bare.graph.initializer):
    x, y = numpy_helper.to_array(a), numpy_helper.to_array(b)
    assert a.name == b.name and x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes(), a.name
    assert (x.nbytes >= 4096) == (c.data_location == onnx.TensorProto.EXTERNAL), a.name
    for e in c.external_data:
        outside += e.key == "offset"
        assert e.key != "offset" or int(e.value) % 4096 == 0
assert outside > 5
E2
    mkdir "$TMP/o"
    expect "onnx writes" 0 "$PY" -c 'import sys, onnx; onnx.save_model(onnx.load(sys.argv[1]), sys.argv[2], save_as_external_data=True, location="all.bin", size_threshold=0)' "$TMP/one.onnx" "$TMP/o/m.onnx"
    same "what onnx wrote" "$TMP/o/m.onnx"
    expect "onnx writes many files" 0 "$PY" -c 'import sys, onnx; onnx.save_model(onnx.load(sys.argv[1]), sys.argv[2], save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)' "$TMP/one.onnx" "$TMP/o/n.onnx"
    [ "$(ls "$TMP/o" | wc -l)" -gt 20 ] || fail "onnx wrote one file"
    same "many files" "$TMP/o/n.onnx"
    finish
fi

# ---- read ----
[ "$(stat -c %s "$D/m.onnx")" -lt 60000 ] && [ "$(stat -c %s "$D/m.onnx.data")" -gt 300000 ] && pass "the data is beside the model" || fail "sizes: $(ls -l "$D")"
same "read" "$D/m.onnx"
pushd "$D" >/dev/null
same "in the present folder" m.onnx
same "by ./" ./m.onnx
mkdir "$TMP/away" && cd "$TMP/away"
same "from another folder" ../d/m.onnx
popd >/dev/null
ln -s "$D" "$TMP/link"
same "a folder by a link" "$TMP/link/m.onnx"
expect "opt puts it back" 0 "$CALQUE" opt "$D/m.onnx" -o "$TMP/back.onnx"
cmp "$TMP/back.onnx" "$TMP/one.onnx" && pass "the same bytes as before" || fail "other bytes than before"
expect "emit" 0 "$CALQUE" emit "$D/m.onnx" -o "$TMP/c" && expect "emit, from one file" 0 "$CALQUE" emit "$TMP/one.onnx" -o "$TMP/c1"
cmp "$TMP/c/weights.bin" "$TMP/c1/weights.bin" && pass "the same weights" || fail "other weights"

# ---- what is refused: the name of the file in the model is replaced by one as long ----
at() { # NAME LOCATION: $TMP/x/m.onnx has its data there
    mkdir -p "$TMP/x"
    "$PY" -c 'import sys; b = open(sys.argv[1], "rb").read(); w = sys.argv[3].encode(); assert len(w) == 11 and b.count(b"m.onnx.data") > 5
open(sys.argv[2], "wb").write(b.replace(b"m.onnx.data", w))' "$D/m.onnx" "$TMP/x/m.onnx" "$2" || fail "$1: not made"
}
refused() { # NAME LOCATION TEXT
    at "$1" "$2"
    expect_error "$1" "its data in '$2': $3" "$CALQUE" run "$TMP/x/m.onnx" --random 1
    grep -q "tensor '[^']" "$TMP/err" && pass "$1: names the tensor" || fail "$1: $(cat "$TMP/err")"
}
cp "$D/m.onnx.data" "$TMP/onnxdata" # a right one, which is not read
refused "the folder above" "../onnxdata" "no path inside of the model's folder"
mkdir "$TMP/x/sub"
refused "above, in the middle" "sub/../x.in" "no path inside of the model's folder"
refused "a path from the root" "/etc/passwd" "no path inside of the model's folder"
refused "a missing file" "m.onnx.nada" "No such file"
mkdir -p "$TMP/x/m.onnx.fold"
refused "a folder" "m.onnx.fold" "no regular file"
mkfifo "$TMP/x/m.onnx.fifo"
refused "a FIFO" "m.onnx.fifo" "no regular file"
ln -s "$D/m.onnx.data" "$TMP/x/m.onnx.link"
refused "a link" "m.onnx.link" "a symbolic link is not followed"
ln -s "$D" "$TMP/x/ln"
cp "$D/m.onnx.data" "$D/on.data1"
refused "a folder that is a link" "ln/on.data1" "" # Linux says that it is no directory
cp "$D/m.onnx.data" "$TMP/x/sub/on.data"
at "a folder inside" "sub/on.data"
same "a folder inside" "$TMP/x/m.onnx"
truncate -s -4097 "$TMP/x/sub/on.data"
refused "a file that is too short" "sub/on.data" "the file ends before the data does"
cp "$D/m.onnx.data" "$TMP/x/m.onnx.data"
number() { # NAME KEY DIGIT TEXT: the longest value of such a key, each digit of it replaced
    "$PY" -c 'import re, sys; b = open(sys.argv[1], "rb").read(); k = sys.argv[3].encode()
m = max(re.finditer(re.escape(k) + rb"\x12.(\d+)", b), key=lambda m: len(m.group(1))); v = sys.argv[4].encode() * len(m.group(1))
open(sys.argv[2], "wb").write(b[:m.start(1)] + v[:len(m.group(1))] + b[m.end(1):])' "$D/m.onnx" "$TMP/x/m.onnx" "$2" "$3" || fail "$1: not made"
    expect_error "$1" "$4" "$CALQUE" run "$TMP/x/m.onnx" --random 1
}
number "no number" offset "-" "an offset or a length is no number"
number "an offset behind the end" offset 9 "the file ends before the data does"
number "another length" length 9 "its length is not what the dimensions say"
number "no length" length x "an offset or a length is no number"

# ---- both files are written, or none ----
rm -rf "$TMP/y"
mkdir -p "$TMP/y/m.onnx.data"
expect_error "the place of the data is taken" "m.onnx.data" "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/y/m.onnx" --external-data
[ "$(ls -A "$TMP/y")" = m.onnx.data ] && pass "nothing is written" || fail "written: $(ls -A "$TMP/y")"
expect_error "not to standard output" "give -o a file" "$CALQUE" opt "$TMP/in.onnx" -o - --external-data
expect_error "not as text" "give -o a file" "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/y/m.graph" --external-data
expect "in place" 0 "$CALQUE" opt "$D/m.onnx" -o "$D/m.onnx" --external-data
same "in place" "$D/m.onnx"
printf 'graph g {\n input x : f32[2]\n y = Relu(x)\n return y\n}\n' >"$TMP/g.graph"
expect "no large initializers" 0 "$CALQUE" opt "$TMP/g.graph" -o "$TMP/y/g.onnx" --external-data
[ ! -e "$TMP/y/g.onnx.data" ] && pass "no file of data" || fail "a file of data"
finish
