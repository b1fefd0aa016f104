# What emission says of itself, by the extracted checks; for validate.sh and certify.sh, which have read lib.sh and set ORACLE.
STATEMENTS=0 CALLS=0 LOOPED=0
TEXT_MAX=100000000 # bytes of data that are compared as text

# in_text FILE: a certificate of packing, with the words that it names by their places in the file beside it, as dump prints them.
in_text() {
    "$PY" - "$1" <<'END'
import array, os, sys
for line in open(sys.argv[1]):
    what, *words = line.split() or [""]
    if what in ("constant:", "stored:") and words[1][0] == "@":
        name, file, first, count = words
        bits = array.array("I")
        with open(os.path.join(os.path.dirname(sys.argv[1]), file[1:]), "rb") as f:
            f.seek(int(first))
            bits.fromfile(f, int(count))
        line = " ".join([what, name] + ["%x" % x for x in bits]) + "\n"
    sys.stdout.write(line)
END
}

# certificate FILE [OPTION..]: what emission itself lowers, its certificate, is what the oracle accepts, as many kernels as are checked; it is
# in $TMP/certified.
certificate() {
    rm -rf "$TMP/certified"
    expect "$1: --certificate" 0 "$CALQUE" emit "$1" -o "$TMP/certified" --certificate --vectors 0 "${@:2}" || return
    local said; said=$(sed -n 's/^checked: \([0-9]*\) kernels\{0,1\}.*/\1/p' "$TMP/out")
    said=${said:-0}
    seen "$1"
    expect "$1: certificate" 0 "$ORACLE" validate "$TMP/certified/model.programs" "$TMP/certified/model.kernels" || { tail -n 5 "$TMP/out"; return; }
    [ "$said" = "$(sed -n 's/^equal: \([0-9]*\) kernels.*/\1/p' "$TMP/out")" ] || fail "$1: checked $said kernels, the oracle: $(tail -n 1 "$TMP/out")"
    [ $# -gt 1 ] || [ "$(cat "$TMP"/certified/*.data 2>/dev/null | wc -c)" -gt "$TEXT_MAX" ] || "$CALQUE" dump "$1" --stage=packed | cmp -s - <(in_text "$TMP/certified/model.packed") ||
        fail "$1: the certificate of packing is another one than dump says"
    [ ! -s "$TMP/certified/model.packed" ] || expect "$1: certificate of packing" 0 "$ORACLE" packed "$TMP/certified/model.packed"
    expect "$1: certificate of statements" 0 "$ORACLE" statements "$TMP/certified/model.statements" || { tail -n 5 "$TMP/out"; return; }
    [ "$said" = "$(sed -n 's/^equal: \([0-9]*\) kernels$/\1/p' "$TMP/out")" ] || fail "$1: checked $said kernels, their statements: $(tail -n 1 "$TMP/out")"
    STATEMENTS=$((STATEMENTS + said))
    expect "$1: certificate of calls" 0 "$ORACLE" calls "$TMP/certified/model.calls" || { cat "$TMP/out"; return; }
    CALLS=$((CALLS + $(sed -n 's/^equal: \([0-9]*\) calls.*/\1/p' "$TMP/out")))
    said=$(sed -n 's/.*, \([0-9]*\) of them in loops$/\1/p' "$TMP/out")
    LOOPED=$((LOOPED + ${said:-0}))
}
