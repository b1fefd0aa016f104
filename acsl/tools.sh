# For prove.sh and mutants.sh: the tools, why3's configuration, one run of WP. Needs OUT.
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

# The provers' answers as one file of lines "GOAL.json ANSWER", and as WP's cache, a directory of such files.
answers_pack() { # DIRECTORY
    (cd "$1" && for f in *.json; do echo "$f" $(cat "$f"); done)
}
answers_unpack() { # FILE DIRECTORY
    [ ! -f "$1" ] || awk -v to="$2" '{ f = to "/" $1; sub(/^[^ ]* /, ""); print >f; close(f) }' "$1"
}

# What the proof of a file depends on: the tools and how they are called, the file and all of ours that it includes.
TOOLS=$(frama-c -version; why3 --version; cvc4 --version | head -n 1; z3 --version)
proof_key() { # FILE
    { echo "$TOOLS"; cat acsl/tools.sh; echo "$1"
      gcc -MM -D__FRAMAC__ -Ic -Iacsl "$1" | sed 's/^[^ ]*: //; s/\\$//' | xargs cat; } | sha256sum | cut -d' ' -f1
}

# acsl/reports.txt: for each file a line "FILE KEY", then the report on its functions and the lines of the log that count.
report_pack() { # FILE LOG
    echo "$1 $(proof_key "$1")"
    sed 's/^/  /' "${2%.log}.jsonl"
    sed -n -E '/Goal typed_lemma_|^\[wp\] Proved goals/s/^/  /p' "$2"
}
report_unpack() { # FILE LOG: false when there is none of this file as it is
    awk -v head="$1 $(proof_key "$1")" -v log_file="$2" -v report="${2%.log}.jsonl" '
        /^[^ ]/ { on = $0 == head; found = found || on; next }
        on { print substr($0, 3) >(/^  \{/ ? report : log_file) }
        END { exit !found }' acsl/reports.txt
}
