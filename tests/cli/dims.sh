# Open dimensions: --dim and --input-shape where models are read, the refusal without them, options that an input has no use
# for; operators without a meaning, all at once. Sourced by run.sh.
expect "zoo, open batch" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/open.onnx" --width 0.1 --image 32 --batch n
for c in "opt $TMP/open.onnx -o $TMP/o.onnx" "run $TMP/open.onnx --random 1" "emit $TMP/open.onnx -o $TMP/e" "match $TMP/open.onnx" \
    "dump $TMP/open.onnx" "grad $TMP/open.onnx --wrt x"; do
    # shellcheck disable=SC2086
    expect_error "refuses an open dimension: ${c%% *}" "dimension 0 ('n') is not fixed (give it a size: --dim n=N or --input-shape image=N,3,32,32)" \
        "$CALQUE" $c
done
[ -e "$TMP/o.onnx" ] && fail "opt left an output file"
expect "opt --dim" 0 "$CALQUE" opt "$TMP/open.onnx" --dim n=1 -o "$TMP/fixed.onnx"
expect "opt --input-shape" 0 "$CALQUE" opt "$TMP/open.onnx" --input-shape image=1,3,32,32 -o "$TMP/fixed2.onnx"
if cmp -s "$TMP/fixed.onnx" "$TMP/fixed2.onnx"; then pass "both ways give one model"; else fail "both ways give one model"; fi
expect "what opt wrote has no open dimension" 0 "$CALQUE" run "$TMP/fixed.onnx" --random 1 -o "$TMP/want"
expect "run --dim" 0 "$CALQUE" run "$TMP/open.onnx" --dim n=1 --random 1 --compare "$TMP/want"
expect "match --dim" 0 "$CALQUE" match "$TMP/open.onnx" --dim n=1
expect "dump --dim" 0 "$CALQUE" dump "$TMP/open.onnx" --dim n=1
grep -qF 'input image : f32[1, 3, 32, 32]' "$TMP/out" || fail "dump --dim prints another type"
expect "emit --dim" 0 "$CALQUE" emit "$TMP/open.onnx" --dim n=1 -o "$TMP/e"
expect_error "unknown dimension" "no input has a dimension 'batch' (there is 'n')" "$CALQUE" run "$TMP/open.onnx" --dim batch=1 --random 1
expect_error "unknown input" "no input of the model" "$CALQUE" run "$TMP/open.onnx" --input-shape x=1,3,32,32 --random 1
for x in n n= =1 n=-1 n=x n=1x n=99999999999999999999; do
    expect_error "--dim $x" "--dim takes NAME=NUMBER" "$CALQUE" run "$TMP/open.onnx" --dim "$x" --random 1
done
for x in image =1 image=1,,2 image=1, image=a image=1,2,3,4,5,6,7,8,9; do
    expect_error "--input-shape $x" "--input-shape takes NAME=D,D" "$CALQUE" run "$TMP/open.onnx" --input-shape "$x" --random 1
done

# An option that the kind of input has no use for.
printf 'C<2>[i] = A<2>[i] * 2.0;\n' >"$TMP/k.kern"
printf 'size n\nin xs : n.num\nout r : num\nr := reduceSeq (+) 0 xs\n' >"$TMP/p.dpia"
expect_error "--dim of a .graph" "--dim is for ONNX models" "$CALQUE" run "$GOOD" --dim n=1 --random 1
expect_error "--input-shape of a kernel" "--input-shape is for ONNX models" "$CALQUE" emit "$TMP/k.kern" --input-shape A=2 -o "$TMP/e"
expect_error "--dim of a program" "given by --size" "$CALQUE" dump "$TMP/p.dpia" --dim n=1
expect_error "--size of a model" "--size is for .dpia programs (--dim" "$CALQUE" emit "$TMP/open.onnx" --size n=1 -o "$TMP/e"
expect_error "--numbering of a kernel" "--numbering is for .dpia" "$CALQUE" emit "$TMP/k.kern" --numbering=seed -o "$TMP/e"
expect_error "--no-fuse of a program" "--no-fuse is for models" "$CALQUE" emit "$TMP/p.dpia" --no-fuse -o "$TMP/e"
expect_error "--stats of a program" "--stats is for models" "$CALQUE" emit "$TMP/p.dpia" --stats -o "$TMP/e"
expect_error "dump --size of a model" "this --size is not for" "$CALQUE" dump "$GOOD" --size n=1
expect_error "dump --merge of a kernel" "this --merge is not for" "$CALQUE" dump "$TMP/k.kern" --merge
expect_error "dump --format=dot of a kernel" "this --format is not for" "$CALQUE" dump "$TMP/k.kern" --format=dot
expect_error "dump --stage of rules" "this --stage is not for" "$CALQUE" dump tests/cli/good/variadic-inputs.gsl --stage=kernel

# Operators without a meaning: all of them, how many of each, and not what only follows from them.
cat >"$TMP/odd.graph" <<'G'
graph {
    input x : f32[1, 2, 4, 4]
    a = opaque "Frobnicate"(x)
    b = Relu(a)
    c = opaque "Twist"(x)
    d = opaque "Twist"(x)
    e = opaque "Gelu"(a)
    return b, c, d, e
}
G
odd="3 operators are not supported: Frobnicate (1 at a), Twist (2, first at c)"
expect_error "run: what is not supported" "$odd" "$CALQUE" run "$TMP/odd.graph" --random 1
expect_error "emit: what is not supported" "$odd" "$CALQUE" emit "$TMP/odd.graph" -o "$TMP/e"
expect_error "dump: what is not supported" "$odd" "$CALQUE" dump "$TMP/odd.graph" --stage=c
