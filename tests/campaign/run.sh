#!/usr/bin/env bash
# Campaigns lose nothing: run whole, with a process killed on the way, with GNU parallel itself killed, as a Slurm array with a task killed, the
# merged results are the same bytes. An implementation that is wrong is found, and its minimal cases are kept. usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
[ -x "$B/calque-oracle" ] || { echo "SKIP campaign: $B/calque-oracle is missing (make oracle)"; exit 77; }
need parallel parallel
export BUILD=$B CHUNK=800
C=tests/campaign/campaign.py
WORK="attr=4000 gsl=400"
make_campaign() { make --no-print-directory -s -o oracle -o all BUILD="$B" campaign CAMPAIGN_DIR="$TMP/$1" CAMPAIGN="$WORK" "${@:2}"; }
same() { cmp -s "$TMP/whole/merged.jsonl" "$TMP/$1/merged.jsonl" && pass "$2: the results of the whole" || fail "$2: other results"; }
results() { ls "$TMP/$1/results" 2>/dev/null | grep -c 'json$'; }
# Answers come slowly, so that there is something to kill. (A script: make would read its dollars. Who waits for what never comes needs no process to sleep.)
slow=$TMP/slow
printf '#!/bin/bash\nexec 9<> <(:)\nwhile [ -e "%s" ]; do sleep 0.05; done\nwhile read -r line; do echo "$line"; read -rt 0.002 -u 9; done | exec "%s"\n' \
    "$TMP/block" "$PWD/$B/tests/attr/attr_text" >"$slow"
chmod +x "$slow"
# The first process of the oracle that has this in its command line; there may be none for a moment.
kill_one() {
    local p line
    for _ in $(seq 100); do
        for p in /proc/[0-9]*; do
            { mapfile -d '' line <"$p/cmdline"; } 2>/dev/null && [[ "${line[*]}" =~ ^[^\ ]*calque-oracle\ .*$1 ]] && kill -9 "${p#/proc/}" && return
        done
        sleep 0.05
    done
    return 1
}
# until_results NAME N: true when there are as many
until_results() { for _ in $(seq 400); do [ "$(results "$1")" -ge "$2" ] && return 0; sleep 0.05; done; return 1; }

expect "a campaign" 0 make_campaign whole JOBS=2
[ "$(results whole)" = 6 ] && grep -q '^attr: 5 jobs: 4000 cases, ' "$TMP/out" && grep -q '^gsl: 1 jobs: 400 cases, 400 equal' "$TMP/out" &&
    pass "its counts" || { fail "its counts"; cat "$TMP/out"; }
"$PY" -c 'import json, sys; [json.loads(l) for l in sys.stdin]' <"$TMP/whole/merged.jsonl" && pass "lines of JSON" || fail "lines of JSON"
touch "$TMP/mark" && expect "again" 0 make_campaign whole JOBS=2
[ -z "$(find "$TMP/whole/results" -newer "$TMP/mark")" ] && pass "nothing is run again" || fail "jobs are run again"

# A process of the oracle is killed: its job has no result, the others have; again, it is run.
touch "$TMP/block"
COMMAND_attr=$slow make_campaign one JOBS=2 >"$TMP/one.out" 2>&1 &
kill_one "$TMP/one/results/attr" && pass "one is killed" || fail "none is killed"
rm "$TMP/block"
wait $!
[ $? != 0 ] && grep -q 'jobs have no result' "$TMP/one.out" && pass "a job without a result is told" || { fail "a job without a result is not told"; cat "$TMP/one.out"; }
expect "a process killed, again" 0 make_campaign one JOBS=2
same one "a process killed"

# GNU parallel and all that it started are killed; the machines are those of a file.
printf '1/:\n' >"$TMP/machines"
COMMAND_attr=$slow setsid make --no-print-directory -s -o oracle -o all BUILD="$B" campaign CAMPAIGN_DIR="$TMP/all" CAMPAIGN="$WORK" JOBS=1 \
    SSHLOGIN="$TMP/machines" >/dev/null 2>&1 &
until_results all 2 && kill -9 -- -$! && pass "all are killed" || fail "none are killed"
wait $! 2>/dev/null
n=$(results all)
[ "$n" -ge 2 ] && [ "$n" -lt 6 ] && pass "on the way" || fail "not on the way: $n results"
expect_status=$("$C" merge "$TMP/all" >/dev/null; echo $?)
[ "$expect_status" = 2 ] && pass "merge says that jobs are missing" || fail "merge: exit status $expect_status"
expect "all killed, again" 0 make_campaign all JOBS=2
same all "all killed"

# A Slurm array of 3 tasks, one of them killed and run again.
"$C" plan "$TMP/slurm" $WORK >/dev/null
task() { SLURM_SUBMIT_DIR=$PWD SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3 exec setsid bash tests/campaign/campaign.sbatch "$TMP/slurm"; }
touch "$TMP/block"
{ COMMAND_attr=$slow task 5; } >/dev/null 2>&1 & killed=$!
(task 6) & (task 7) & until_results slurm 4
kill -9 -- -$killed && pass "a task is killed" || fail "no task is killed"
rm "$TMP/block"
wait 2>/dev/null
"$C" merge "$TMP/slurm" >/dev/null
[ $? = 2 ] && pass "its jobs are missing" || fail "its jobs are not missing"
expect "the task again" 0 bash -c "SLURM_SUBMIT_DIR=$PWD SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3 bash tests/campaign/campaign.sbatch '$TMP/slurm'"
expect "merged" 0 "$C" merge "$TMP/slurm"
same slurm "a Slurm array"
# Two folders that were filled on two machines.
mkdir -p "$TMP/left/results" "$TMP/right/results" && cp "$TMP/whole/plan" "$TMP/left" &&
    cp "$TMP"/whole/results/attr* "$TMP/left/results" && cp "$TMP"/whole/results/gsl* "$TMP/right/results"
expect "two folders" 0 "$C" merge "$TMP/left" "$TMP/right"
same left "two folders"

# The lines of tests/README.md, with an sbatch that runs the tasks of an array one behind the other.
mkdir "$TMP/bin"
cat >"$TMP/bin/sbatch" <<'EOF'
#!/bin/bash
range=${1#--array=}
for ((k = ${range%-*}; k <= ${range#*-}; k++)); do
    SLURM_SUBMIT_DIR=$PWD SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_MIN=${range%-*} SLURM_ARRAY_TASK_COUNT=$((${range#*-} - ${range%-*} + 1)) bash "${@:2}" || exit
done
EOF
chmod +x "$TMP/bin/sbatch"
awk '/^```sh campaign/ {on=1; next} /^```/ {on=0} on' tests/README.md >"$TMP/lines"
[ "$(wc -l <"$TMP/lines")" -ge 3 ] && pass "the README has examples" || fail "the README has no examples"
while read -r line; do expect "$line" 0 bash -c "PATH='$TMP/bin':\$PATH; ${line//DIR/$TMP/readme}"; done <"$TMP/lines"
grep -q '^attr: 5 jobs: 4000 cases' "$TMP/out" && pass "their result" || { fail "their result"; cat "$TMP/out"; }

# A wrong implementation.
WORK="attr=1200"
COMMAND_attr="'$PWD/tests/attr/reference.py' mod" expect "a wrong implementation" 2 make_campaign wrong JOBS=2 # make's status
"$C" merge "$TMP/wrong" >"$TMP/out"
[ $? = 1 ] && grep -q 'see found/attr-' "$TMP/out" && grep -hq '^(eval (mod ' "$TMP"/wrong/found/*.cases && pass "its minimal case is kept" || { fail "its minimal case"; cat "$TMP/out"; }
expect_error "a plan of nothing" "is not LANGUAGE=COUNT" "$C" plan "$TMP/bad" nonsense=3
expect_error "no plan" "No such file" "$C" merge "$TMP/nowhere"
echo "$ok passed, $bad failed"
[ $bad = 0 ]
