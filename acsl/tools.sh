# For guard.sh: the tools, why3's configuration, one run of WP. Needs OUT.
: "${OUT:?}"
for tool in frama-c why3 cvc4 z3; do
    command -v $tool >/dev/null || { echo "wp: $tool is missing: apt-get install frama-c-base why3 cvc4 z3" >&2; exit 3; }
done
mkdir -p "$OUT/cache" || exit 3
WHY3CONFIG=$(cd "$OUT" && pwd)/why3.conf
export WHY3CONFIG
[ -s "$WHY3CONFIG" ] && grep -q CVC4 "$WHY3CONFIG" && grep -q Z3 "$WHY3CONFIG" ||
why3 config detect >"$OUT/why3.log" 2>&1
for prover in CVC4 Z3; do
    grep -q "^name = \"$prover\"" "$WHY3CONFIG" ||
        { echo "wp: why3 does not find $prover, see $OUT/why3.log" >&2; exit 3; }
done

# wp CACHE TIMEOUT OPTION...: CACHE is none, update or replay.
wp() {
    local cache=$1 timeout=$2
    shift 2
    frama-c -wp -wp-rte -wp-prover "${PROVERS:-cvc4,z3-ce,z3}" -wp-timeout "$timeout" -wp-cache "$cache" -wp-cache-dir "$OUT/cache" \
        -cpp-extra-args="-Ic -Iacsl" "$@"
}
