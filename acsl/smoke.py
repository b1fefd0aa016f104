#!/usr/bin/env python3
"""WP's smoke tests of the proved functions: a prover tries `\\false` from the `requires`, and at each statement, loop and call (dead code,
a contradictory contract or theory); it must fail.

acsl/smoke.txt has a line `FUNCTION KEY TESTS` for each function that passed as it was when its key was KEY (units.py; TESTS: those that WP
names after it, not those after its calls, which it names after what is called), and a line `- FUNCTION TEST REASON` for each test that may
fail. What is not proved (proved.txt) is not tested.

usage: smoke.py [SECONDS] [NAME..]   tests the functions (of these names, or in these files) that are not recorded, for SECONDS at most
                                     (0: to the end), some of each file before more of any; records those that pass
"""
import collections
import os
import re
import subprocess
import sys
import time

import prove

SMOKE = 'acsl/smoke.txt'
# Smoke tests are of no category: what is left when all are taken away.
REST = ','.join('-@' + c for c in ('requires assigns ensures exits assert invariant variant terminates decreases lemma check').split())
RESULT = re.compile(r'^\[wp\] \[(Passed|Failed)\] Smoke-test (?:typed_)?(\w+?)_(wp_smoke_\S+)', re.M)
BATCH = 12


class Smoke:
    def __init__(self):
        self.passed, self.may_fail = {}, {}
        for line in prove.lines(SMOKE):
            if line.startswith('- '):
                _, name, test, reason = line.split(' ', 3)
                self.may_fail[name, test] = reason
            else:
                name, key, tests = line.split()
                self.passed[name, key] = int(tests)

    def write(self):
        head = [l for l in open(SMOKE) if l.startswith('#')]
        rows = ['%s %s %d\n' % (n, k, t) for (n, k), t in sorted(self.passed.items())]
        rows += ['- %s %s %s\n' % (n, t, why) for (n, t), why in sorted(self.may_fail.items())]
        with open(SMOKE + '.new', 'w') as out:
            out.writelines(head + rows)
        os.replace(SMOKE + '.new', SMOKE)


def run(host, names):
    """The tests of functions of a file: [(verdict, function, test)], those of calls under the name of what is called; None: no run."""
    command = ['frama-c', '-wp', '-wp-rte', '-wp-prover', 'cvc4', '-wp-timeout', '1', '-wp-smoke-tests', '-wp-smoke-timeout', '1',
               '-wp-par', prove.JOBS, '-wp-cache', 'none', '-cpp-extra-args=-Ic -Iacsl', '-wp-fct', ','.join(names), '-wp-prop=' + REST, host]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    with open(os.path.join(prove.OUT, 'smoke-%s.log' % host.replace('/', '-')), 'a') as out:
        out.write(done.stdout)
    tests = RESULT.findall(done.stdout)
    said = re.search(r'^\[wp\] Proved goals: *\d+ */ *(\d+)', done.stdout, re.M)
    if done.returncode != 0 or (int(said.group(1)) if said else 0) != len(tests):
        return None
    return tests


def turns(todo):
    """(host, [(name, key)]): BATCH functions of each file in turn, those of the last commit's files first."""
    touched = set(subprocess.run(['git', 'diff', '--name-only', 'HEAD~1'], capture_output=True, text=True).stdout.split())
    by = collections.defaultdict(list)
    for u in sorted(todo, key=lambda u: prove.units.hashlib.sha256(u.name.encode()).hexdigest()):
        for key, host in u.keys.items():
            by[host].append((u.name, key))
    rows = [(k, h not in touched, h, some[k:k + BATCH]) for h, some in by.items() for k in range(0, len(some), BATCH)]
    for _, _, host, batch in sorted(rows):
        yield host, batch


def failures(smoke, host, batch):
    """(functions that passed: {(name, key): tests}, what is wrong with the others). A batch in which a test fails is run one by one, so that
    it is known which function it is of."""
    tests = run(host, [name for name, _ in batch])
    bad = tests is None or any(v == 'Failed' for v, _, _ in tests)
    if bad and len(batch) > 1:
        parts = [failures(smoke, host, [one]) for one in batch]
        return {k: n for p, _ in parts for k, n in p.items()}, [w for _, why in parts for w in why]
    if tests is None:
        return {}, ['%s: no run of WP' % batch[0][0]]
    why = ['%s: `\\false` is proved: %s_%s' % (batch[0][0], f, t) for v, f, t in tests
           if v == 'Failed' and (batch[0][0], '%s_%s' % (f, t)) not in smoke.may_fail]
    return ({} if why else {(name, key): sum(f == name for _, f, _ in tests) for name, key in batch}), why


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    args = sys.argv[1:]
    seconds = int(args.pop(0)) if args and args[0].isdigit() else 0
    prove.configure()
    found, _, _, _ = prove.load()
    record, smoke = prove.Record(prove.RECORD), Smoke()
    proved = [u for u in found.values() if not u.is_lemma and record.full(u)]
    live = {(u.name, k) for u in proved for k in u.keys}
    for gone in set(smoke.passed) - live:
        del smoke.passed[gone]
    todo = [u for u in proved if any((u.name, k) not in smoke.passed for k in u.keys)
            and (not args or set(args) & {u.name, u.where, *u.keys.values()})]
    start, n, failed = time.time(), 0, 0
    for host, batch in turns(todo):
        if seconds and time.time() - start > seconds:
            break
        begun = time.time()
        passed, why = failures(smoke, host, batch)
        smoke.passed.update(passed)
        smoke.write()
        for line in why:
            print('smoke: ' + line, file=sys.stderr)
        n, failed = n + len(batch), failed + len(batch) - len(passed)
        print('smoke %s: %d functions pass: %s (%d s)' % (host, len(passed), ' '.join(name for name, _ in sorted(passed)), time.time() - begun), flush=True)
    print('smoke: %d functions tested here, %d failed; %d of %d recorded' % (n, failed, len(smoke.passed), len(live)))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
