#!/usr/bin/env bash
# The functions of --math=calque: their errors, on a share of the binary32 (all: with STEP 1, in half an hour) and on random
# binary64; the same sums of bits under gcc and clang at several levels; the extracted functions of tensor/Functions.v on random bits
# and on the ends. usage: math.sh BUILD [STEP]
B=${1:-.build}
STEP=${2:-9973}
cd "$(dirname "$0")/../.."
. tests/lib.sh
PYTHON=/usr/bin/python3
FIRST=$(($(git rev-parse HEAD 2>/dev/null | cksum | cut -d' ' -f1) % STEP))
COUNT=$((STEP > 1000 ? 100000 : 10000000))

run() { # run CC FLAGS..
    "$@" -std=c11 -Ic -ffp-contract=off tests/kernel/math.c -lm -o "$TMP/math" && "$TMP/math" "$STEP" "$FIRST" "$COUNT"
}
run gcc -O2 >"$TMP/first" && pass "errors: each $STEP-th binary32 from $FIRST on" || fail "errors"
cat "$TMP/first"
for c in "gcc -O0" "gcc -O3 -march=native" "clang -O1" "clang -O3 -march=native"; do
    case $c in clang*) command -v clang >"$TMP/null" || continue ;; esac
    [ "$STEP" -gt 1000 ] || continue # all numbers: once
    run $c >"$TMP/other" && cmp -s "$TMP/first" "$TMP/other" && pass "$c: the same bits" || { fail "$c"; diff "$TMP/first" "$TMP/other"; }
done

# ---- against the extracted functions ----
expect "the same constants" 0 "$PYTHON" tests/kernel/constants.py || cat "$TMP/out"
cat >"$TMP/f.py" <<'END'
import random, struct, sys
random.seed(int(sys.argv[1]))
n = 400
def bits(t):
    size, ends = (32, [0, 1 << 31, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 1, 0x80000001, 0x00800000, 0x42b17217, 0xc2cff1b5,
                       0x3f200000, 0x3f700000, 0x40800000]) if t == 'f32' else \
                 (64, [0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x3ff << 52, 0xbff << 52, 1, 1 << 52, 0x40862e42fefa39ef, 0xc0874910d52d3051])
    def real(x):
        return struct.unpack('<I' if size == 32 else '<Q', struct.pack('<f' if size == 32 else '<d', x))[0]
    def one(k):
        if k < len(ends):
            return ends[k]
        return random.getrandbits(size) if k % 3 == 0 else real(random.uniform(-1, 1) * 2.0 ** random.randint(-30, 7)) if k % 3 == 1 else \
            real(float(random.randint(-6, 6)))
    def text(b):
        nan = b & (2 ** (size - 1) - 1) > (0x7f800000 if size == 32 else 0x7ff << 52)
        return 'nan' if nan else '%0*x' % (size // 4, b)
    a = [text(one(k)) for k in range(n)]
    return a, random.sample(a, n)
nodes, data, outs = [], [], []
def node(name, t, what):
    nodes.append('(%d "%s" (%s %d) %s)' % (len(nodes), name, t, n, what))
    return len(nodes) - 1
for t in ('f32', 'f64'):
    a, b = bits(t)
    x, y = node('x' + t, t, '(input)'), node('y' + t, t, '(input)')
    data += ['(%d %s)' % (x, ' '.join(a)), '(%d %s)' % (y, ' '.join(b))]
    for op in ('Exp', 'Log', 'Tanh', 'Erf'):
        outs.append(node(op + t, t, '(op %s (%d) ())' % (op, x)))
    outs.append(node('Pow' + t, t, '(op Pow (%d %d) ())' % (x, y)))
print('(graph "g" %s (outputs %s))' % (' '.join(nodes), ' '.join('("o%d" %d)' % (o, o) for o in outs)))
print('(data %s)' % ' '.join(data))
print('(math calque)\n')
END
for seed in 1 2 3; do
    "$PYTHON" "$TMP/f.py" $((seed + FIRST)) >"$TMP/request"
    "$B/calque-oracle" model <"$TMP/request" >"$TMP/want"
    "$B/tests/tensor/model_text" <"$TMP/request" >"$TMP/got"
    [ "$(grep -c '^(output' "$TMP/want")" = 10 ] && cmp -s "$TMP/want" "$TMP/got" && pass "seed $((seed + FIRST)): 4000 values equal" ||
        { fail "seed $((seed + FIRST))"; diff "$TMP/want" "$TMP/got" | cut -c1-300 | head -4; }
done
grep -v '^(math' "$TMP/request" | "$B/calque-oracle" model >"$TMP/library"
cmp -s "$TMP/want" "$TMP/library" && fail "C's library gives the same: nothing was asked" || pass "C's library differs"
finish
