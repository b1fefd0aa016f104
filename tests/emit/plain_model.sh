#!/usr/bin/env bash
# usage: plain_model.sh BUILD [N [SEED [whole | text]]]
# The plain C of whole models: `calque-oracle emit` (the extracted compile of coq/model) and `calque emit --plain` print the same
# bytes, or refuse the same node for the same reason. Of N random graphs (150; tests/tensor/model_graphs.c: all operators, element
# types mixed), of tests/emit/plain.graph and plain_*.graph, and of the zoo's models at small width, those that take a few seconds; with `whole` all of
# them; with `text` only the random graphs, whose text is not compiled. What is printed is compiled by gcc and clang at -O0, -O2 and -O3, one of
# the six in turn (these graphs: two; with `whole` each), and gives the bits of `calque run` on random inputs. A graph that differs is made smaller as long as it
# differs. Exit status: 0 equal, 1 different, 77 skipped.
B=${1:-.build}
N=${2:-150}
SEED=${3:-1}
MODE=${4-}
[ "$MODE" = whole ] && WHOLE=yes || WHOLE=
cd "$(dirname "$0")/../.."
. tests/lib.sh
ORACLE=$(cd "$B" && pwd)/calque-oracle
[ -x "$ORACLE" ] || { echo "SKIP emit/plain_model: $ORACLE is missing (make oracle)"; exit 77; }
need clang clang
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -H -s)" # the oracle recurses on lists of weights
configurations=("gcc -O0" "clang -O0" "gcc -O2" "clang -O2" "gcc -O3" "clang -O3")
declare -A refused
same=0 ran=0 turn=0 outside=0

# compare MODEL: same, refused REASON or differ; the text is in $TMP/d/model.c.
compare() {
    local c o
    rm -rf "$TMP/d"
    "$CALQUE" dump "$1" --format=sexp --data --random "$SEED" >"$TMP/request" 2>"$TMP/err" || { answer="differ: $(head -n 1 "$TMP/err")"; return; }
    "$CALQUE" emit --plain "$1" -o "$TMP/d" >"$TMP/out" 2>"$TMP/c.err"
    c=$?
    sed -i "s/, at '.*'\$//" "$TMP/c.err" # the name of the node, which the oracle does not say
    "$ORACLE" emit "$TMP/request" >"$TMP/oracle.c" 2>"$TMP/o.err"
    o=$?
    if [ $c = 0 ] && [ $o = 0 ]; then
        cmp -s "$TMP/oracle.c" "$TMP/d/model.c" && answer=same || answer="differ: $(diff "$TMP/d/model.c" "$TMP/oracle.c" | head -n 6)"
    elif [ $c = 2 ] && [ $o = 1 ] && [ "$(sed 's/.*: node/node/' "$TMP/c.err")" = "$(sed 's/.*: node/node/' "$TMP/o.err")" ]; then
        answer="refused$(sed 's/.*: node [0-9]*//' "$TMP/c.err")"
    else
        answer="differ: command $c $(head -n 1 "$TMP/c.err"), oracle $o $(head -n 1 "$TMP/o.err")"
    fi
}

# shrink GRAPH: the smallest that differs on the way down.
shrink() {
    local g=$1 s again=yes
    cp "$g" "$TMP/least.graph"
    while [ "$again" ]; do
        again=
        rm -rf "$TMP/less" && mkdir "$TMP/less" && "$B/tests/tensor/model_graphs" --smaller "$TMP/least.graph" "$TMP/less" >"$TMP/out"
        for s in $(ls -Sr "$TMP/less"); do
            [ "$(wc -c <"$TMP/less/$s")" -lt "$(wc -c <"$TMP/least.graph")" ] || continue
            compare "$TMP/less/$s"
            [[ $answer = differ* ]] || continue
            cp "$TMP/less/$s" "$TMP/least.graph"
            again=yes
            break
        done
    done
    cat "$TMP/least.graph"
    compare "$TMP/least.graph"
    echo "$answer"
}

# runs MODEL CONFIGURATION: the text in $TMP/d compiled so gives the interpreter's bits; where that ends with an index outside, status 1.
runs() {
    local answer=$TMP/answer
    "$CALQUE" run "$1" --random "$SEED" --threads 1 --text >"$TMP/answer" 2>"$TMP/err" || {
        grep -q 'division by zero' "$TMP/err" && refused["run: division by zero"]=$((${refused["run: division by zero"]-0} + 1)) && return 0
        grep -q ': index X1\[.*\] is -\?[0-9]*, not in ' "$TMP/err" || { fail "$1: run: $(head -n 1 "$TMP/err")"; return; }
        answer=
        outside=$((outside + 1))
    }
    "$PY" tests/emit/plain_driver.py model "$TMP/request" $answer >"$TMP/d/main.c"
    if ! $2 -std=c11 -ffp-contract=off -fno-strict-aliasing -fopenmp -o "$TMP/d/run" "$TMP/d/model.c" "$TMP/d/main.c" -lm 2>"$TMP/err"; then
        fail "$1: $2 does not compile it: $(grep -m 1 error "$TMP/err")"
    elif ! "$TMP/d/run" >"$TMP/out"; then
        fail "$1: $2: $(head -n 3 "$TMP/out")"
    else
        ran=$((ran + 1))
    fi
}

# one MODEL NAME: compared, then compiled in the next configuration.
one() {
    compare "$1"
    case $answer in
    same)
        same=$((same + 1))
        grep '^  ([0-9]' "$TMP/request" >>"$TMP/equal"
        echo >>"$TMP/equal"
        [ "$MODE" = text ] || runs "$1" "${configurations[turn++ % 6]}"
        ;;
    refused*) refused[$answer]=$((${refused[$answer]-0} + 1)) ;;
    *)
        fail "$2: $answer"
        [[ $1 != *.graph ]] || shrink "$1"
        return 1
        ;;
    esac
}

# in_equal: of the graphs with the same text, how many have several element types, which operators.
in_equal() {
    awk -v RS= -F'\n' -v ops="$TMP/ops" '
        {
            types = 0; split("", seen)
            for (i = 1; i <= NF; i++) {
                if (match($i, /\(op [A-Za-z0-9]+/)) op[substr($i, RSTART + 4, RLENGTH - 4)]++
                if (match($i, /^  \([0-9]+ "[^"]*" \([a-z0-9]+/)) {
                    t = substr($i, RSTART, RLENGTH); sub(/.*\(/, "", t); if (!(t in seen)) { seen[t] = 1; types++ }
                }
            }
            mixed += types > 1
            for (t in seen) with[t]++
        }
        END {
            printf "  %d with the same text, %d of them of several element types:", NR, mixed
            for (t in with) printf " %s %d", t, with[t]
            print ""
            for (o in op) print o, op[o] > ops
        }' "$TMP/equal"
    sort "$TMP/ops" | awk '{ printf "%s%s %d", (NR > 1 ? ", " : "  operators: "), $1, $2 } END { print "" }'
}

mkdir "$TMP/g"
expect "seed $SEED: $N graphs" 0 "$B/tests/tensor/model_graphs" "$N" "$SEED" "$TMP/g"
for ((k = 1; k <= N; k++)); do one "$TMP/g/$k.graph" "graph $k of seed $SEED" || [ $bad -lt 4 ] || break; done
[ "$N" -lt 40 ] || [ $((same * 3)) -gt $((N * 2)) ] && pass "$N graphs: $same with the same text, $ran of them compiled and run, the rest refused alike" ||
    fail "only $same of $N graphs have a plain text"
for r in "${!refused[@]}"; do echo "  ${refused[$r]} $r"; done
in_equal
if [ "$N" -ge 1000 ]; then # fewer need not have all
    [ "$(wc -l <"$TMP/ops")" = "$(grep '^OP(' c/tensor/ops.def | grep -vc Opaque)" ] && pass "each operator is in one" || fail "an operator is in none"
fi
[ "$MODE" != text ] || finish

# some: two of the six, one of each compiler, others from graph to graph; with `whole` all of them.
some() {
    local k=$((turn++ % 3))
    chosen=("${configurations[2 * k]}" "${configurations[(2 * k + 3) % 6]}")
    [ ! "$WHOLE" ] || chosen=("${configurations[@]}")
}

# Those that differed once.
for f in tests/emit/plain_clip.graph; do
    compare "$f"
    [[ $answer = differ* ]] && fail "$f: $answer" || pass "$f: $answer"
done

for g in plain_cast bytes plain_div plain_empty plain_empty_part plain_look plain_look_words lookups plain; do
    compare tests/emit/$g.graph
    [ "$answer" = same ] && pass "$g.graph: the same text" || fail "$g.graph: $answer"
    some
    ran=0
    for c in "${chosen[@]}"; do runs tests/emit/$g.graph "$c"; done
    [ $ran = ${#chosen[@]} ] && pass "$g.graph: the interpreter's bits from ${chosen[*]}" || fail "$g.graph: $ran of ${#chosen[@]}"
done
compare tests/emit/plain_outside.graph
some
ran=0
outside=0
for c in "${chosen[@]}"; do runs tests/emit/plain_outside.graph "$c"; done
[ "$answer" = same ] && [ $ran = ${#chosen[@]} ] && [ $outside = $ran ] && pass "plain_outside.graph: the same text; an index outside is status 1, as it ends the interpreter's run" ||
    fail "plain_outside.graph: $answer, $ran and $outside of 6"
# The interpreter does not test the indices of a Gather without cells.
compare tests/emit/plain_look_bare.graph
"$PY" tests/emit/plain_driver.py model "$TMP/request" >"$TMP/d/main.c"
[ "$answer" = same ] && gcc -std=c11 -w -o "$TMP/d/run" "$TMP/d/model.c" "$TMP/d/main.c" -lm && "$TMP/d/run" >"$TMP/out" &&
    pass "plain_look_bare.graph: the same text, status 1" || fail "plain_look_bare.graph: $answer"

compare tests/emit/plain_outside.graph
"$PY" tests/emit/plain_driver.py model "$TMP/request" >"$TMP/d/main.c"
# A look-up that does not test its indices is seen.
sed 's/            return 1;/            continue;/' "$TMP/d/model.c" >"$TMP/d/changed.c"
mv "$TMP/d/changed.c" "$TMP/d/model.c"
gcc -O0 -std=c11 -fno-strict-aliasing -fsanitize=address -w -o "$TMP/d/run" "$TMP/d/model.c" "$TMP/d/main.c" -lm && ! "$TMP/d/run" >"$TMP/out" 2>&1 &&
    pass "an index that is not tested is seen" || fail "an index that is not tested is not seen"

compare tests/emit/plain.graph
runs tests/emit/plain.graph "gcc -O0"
# The comparison sees a wrong constant and a wrong order.
sed 's/1\.0f, -0x1\.4p+1f/1.0f, 0x1.4p+1f/' "$TMP/d/model.c" >"$TMP/d/changed.c"
mv "$TMP/d/changed.c" "$TMP/d/model.c"
gcc -O0 -std=c11 -fno-strict-aliasing -w -o "$TMP/d/run" "$TMP/d/model.c" "$TMP/d/main.c" -lm && ! "$TMP/d/run" >"$TMP/out" &&
    pass "a changed constant is seen" || fail "a changed constant is not seen"

expect_error "--plain --main" "of the options --plain takes only --name" "$CALQUE" emit --plain tests/emit/plain.graph -o "$TMP/d" --main
expect_error "--plain of a kernel" "--plain is for models and .dpia programs" "$CALQUE" emit --plain x.kern -o "$TMP/d"
expect "--name" 0 "$CALQUE" emit --plain tests/emit/plain.graph -o "$TMP/named" --name net
"$ORACLE" emit "$TMP/request" --name net | cmp -s - "$TMP/named/net.c" && pass "--name: the same text" || fail "--name: another text"

quick="transformer encoder_decoder resnet20 alexnet zfnet512 inception_v1"
while read -r arch width image depth; do
    [ "$WHOLE" ] || [[ " $quick " = *" $arch "* ]] || continue
    m=$TMP/$arch.onnx
    expect "$arch: build" 0 "$B/tests/zoo/zoo" "$arch" -o "$m" --width "$width" --image "$image" ${depth:+--depth "$depth"} || continue
    ran=0
    before=$same
    one "$m" "$arch" && [ $same -gt $before ] && [ $ran = 1 ] && pass "$arch: the same text, the interpreter's bits" || fail "$arch: $answer"
done <<'E'
squeezenet 0.25 64
resnet50 0.125 64
inception_v3 0.125 80
transformer 0.125 16
inception_v3_lowered 0.0625 75
encoder_decoder 0.25 4 2
nasnet 0.125 8 1
resnet20 0.5 8
alexnet 0.0625 67
zfnet512 0.0625 63
vgg19 0.0625 32
inception_v1 0.0625 63
inception_v2 0.0625 32
densenet121 0.0625 32
shufflenet 0.25 32
E
# As PyTorch exports them, optimised; word embeddings are look-ups by data.
while [ "$WHOLE" ] && read -r arch image depth dims; do
    m=$TMP/$arch.onnx
    [ "$depth" = - ] && depth= || depth="--depth $depth"
    expect "$arch: build" 0 "$B/tests/zoo/zoo" "$arch" -o "$TMP/in.onnx" --width 0.0625 --image "$image" $depth || continue
    expect "$arch: opt" 0 "$CALQUE" opt "$TMP/in.onnx" $(printf -- '--dim %s ' $dims) -o "$m" || continue
    ran=0
    one "$m" "$arch" || continue
    [ "$answer" = same ] && [ $ran = 1 ] && pass "$arch, optimised: the same text, the interpreter's bits" || fail "$arch: $answer, $ran run"
done <<'E'
vit 16 2 batch=3
mobilenet_v2 32 - batch=2
bert 16 2 batch=2 sequence=7
llama 16 2 batch=2 sequence=3 past_sequence=4
E
finish
