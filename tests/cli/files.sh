#!/usr/bin/env bash
# Files that the command writes: whole or not at all, through links, with their mode; devices and FIFOs stay what they are;
# nothing is left behind by an error or a signal. usage: files.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
HERE=$PWD
GOOD=$HERE/tests/cli/good/residual.graph
D=$TMP/d
mkdir "$D"
cd "$D" || exit 3
clean() { [ "$(ls -A "$D" | sort | tr '\n' ' ')" = "$1" ] && pass "$2: nothing left" || fail "$2 leaves $(ls -A "$D" | tr '\n' ' ')"; }
opt() { expect "$1" "$2" timeout 20 "$CALQUE" opt "$GOOD" -o "$3"; }

opt "a new file" 0 a.graph
[ "$(stat -c %a a.graph)" = "$(printf %o $((0666 & ~$(umask))))" ] && pass "mode by umask" || fail "mode $(stat -c %a a.graph)"
cp a.graph want
echo old >a.graph
chmod 640 a.graph
ln -s a.graph link
ln -s link link2
opt "through links" 0 link2
[ -L link ] && [ -L link2 ] && cmp -s a.graph want && pass "links stay" || fail "links do not stay"
[ "$(stat -c %a a.graph)" = 640 ] && pass "mode kept" || fail "mode $(stat -c %a a.graph), not 640"
ln -s new.graph dangling
opt "through a link to nothing" 0 dangling
[ -L dangling ] && cmp -s new.graph want && pass "its target appears" || fail "no target"
ln -s loop loop
opt "a circle of links" 2 loop
# The name of the temporary is not known beforehand.
echo precious >victim
ln -s victim a.graph.tmp~
opt "a link in the way" 0 a.graph
[ "$(cat victim)" = precious ] && pass "not followed" || fail "another file overwritten"
rm -f a.graph.tmp~ victim loop dangling new.graph link link2

# Links to devices here, so that an error cannot hurt the machine's.
ln -s /dev/full full
ln -s /dev/null null
opt "a full device" 2 full
grep -q '^full: error: cannot write: No space left' "$TMP/err" && pass "its message" || fail "message: $(cat "$TMP/err")"
opt "the null device" 0 null
[ -L full ] && [ -L null ] && pass "devices stay" || fail "a device was replaced"
mkfifo fifo
timeout 20 cat fifo >got &
opt "a FIFO" 0 fifo
[ -p fifo ] && pass "FIFO stays" || fail "the FIFO was replaced"
wait
cmp -s got want && pass "what comes out of it" || fail "FIFO: $(wc -c <got) bytes"
rm -f full null fifo got
ln -s /dev/stdout stdout
"$CALQUE" opt "$GOOD" -o stdout | head -n "$(wc -l <want)" | cmp -s - want && pass "/dev/stdout, a pipe" || fail "/dev/stdout, a pipe"
"$CALQUE" opt "$GOOD" -o stdout >got
head -n "$(wc -l <want)" got | cmp -s - want && pass "/dev/stdout, a file" || fail "/dev/stdout, a file"
rm got stdout
clean "a.graph want " "what was written"

# Errors.
echo old >a.graph
mkdir dir
opt "a directory" 2 dir
opt "a missing directory" 2 no/such/a.graph
expect "a limit of file size" 2 bash -c '(ulimit -f 0; exec "$@" >/dev/null 2>&1)' limit "$CALQUE" opt "$GOOD" -o a.graph
[ "$(cat a.graph)" = old ] && pass "the old file stays" || fail "the old file is gone"
if [ "$(id -u)" = 0 ]; then # as nobody, who must be able to read the command
    chmod 755 "$TMP"
    chmod 777 "$D"
    cp "$CALQUE" "$GOOD" "$TMP"
    nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/calque" opt "$TMP/residual.graph")
else
    nobody=("$CALQUE" opt "$GOOD")
fi
expect "as nobody" 0 "${nobody[@]}" -o null.graph
rm -f null.graph
chmod 444 a.graph
expect "a file that must not be written" 2 "${nobody[@]}" -o a.graph
grep -q '^a.graph: error: cannot write: Permission denied' "$TMP/err" && pass "its message" || fail "message: $(cat "$TMP/err")"
chmod 555 dir
expect "a directory that must not be written" 2 "${nobody[@]}" -o dir/a.graph
rmdir dir
clean "a.graph want " "errors"
rm -f a.graph

# Two writers at once: every time the file is one of theirs.
cp "$HERE/tests/emit/chains.graph" small.graph
"$CALQUE" opt "$GOOD" -o 1.onnx >/dev/null && "$CALQUE" opt small.graph -o 2.onnx >/dev/null || fail "two models"
n=0
for ((i = 0; i < 30; i++)); do
    "$CALQUE" opt "$GOOD" -o both.onnx >/dev/null 2>&1 &
    p=$!
    "$CALQUE" opt small.graph -o both.onnx >/dev/null 2>&1 || n=$((n + 1))
    wait $p || n=$((n + 1))
    cmp -s both.onnx 1.onnx || cmp -s both.onnx 2.onnx || n=$((n + 1))
done
[ $n = 0 ] && pass "two writers, $i times" || fail "two writers: $n of $i wrong"
rm -f small.graph [12].onnx both.onnx

# emit: all files or none; a signal while it waits for the reader of a FIFO.
expect "emit" 0 "$CALQUE" emit "$GOOD" -o m
files=$(ls -A m | tr '\n' ' ')
md5sum m/* >before
rm m/Makefile
mkdir m/Makefile
expect "emit where a directory is in the way" 2 "$CALQUE" emit "$GOOD" -o m --no-fuse
grep -v Makefile before | md5sum -c --quiet && pass "no file changes" || fail "files change"
[ "$(ls -A m | tr '\n' ' ')" = "$files" ] && pass "nothing left in it" || fail "left: $(ls -A m)"
rmdir m/Makefile
for sig in TERM INT HUP; do
    rm -f m/model.c
    mkfifo m/model.c
    # An interactive shell's commands do not ignore INT as those in the background do.
    timeout 20 "$PY" - "$sig" "$CALQUE" "$GOOD" <<'END' && pass "SIG$sig" || fail "SIG$sig"
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
before = set(os.listdir("m"))
p = subprocess.Popen([sys.argv[2], "emit", sys.argv[3], "-o", "m"], stdout=subprocess.DEVNULL)
while set(os.listdir("m")) == before and p.poll() is None:
    time.sleep(0.01)
time.sleep(0.2)
if p.poll() is not None:
    sys.exit("did not wait for the reader")
sig = getattr(signal, "SIG" + sys.argv[1])
p.send_signal(sig)
if p.wait() != -sig:
    sys.exit("ended by %d" % p.returncode)
if set(os.listdir("m")) != before:
    sys.exit("left: %s" % (set(os.listdir("m")) - before))
END
done
expect "a new directory that cannot be filled" 2 bash -c '(ulimit -f 0; exec "$@" >/dev/null 2>&1)' limit "$CALQUE" emit "$GOOD" -o new
[ -e new ] && fail "the directory stays" || pass "the directory goes"
finish
