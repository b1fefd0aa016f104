#!/usr/bin/env python3
"""Mutations of proved functions: each must break a goal.

acsl/mutants.txt has one a line: FILE | FUNCTION | FROM | TO | GOAL. The first FROM in the body of the function becomes TO, and only this
function is proved again. FILE may be HEADER in FILE: the function stands in the header, which the file includes. A mutation is killed
when a goal is open in three times what its proof of the function as it is took, or else when it is tried alone for twice the time. GOAL is
one that broke; where it stands it is tried before all others, and nothing rests on it. Prints the survivors and fails on one.

usage: mutants.py [--write] [FILE.c ..]   only those of these files; --write: puts into the table which goals broke
Environment: BUILD, JOBS as for prove.py; TIMEOUT (10: seconds a goal); SAMPLE=N: only N of them, evenly spread, from the SEEDth on.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import prove

TABLE = 'acsl/mutants.txt'
PROVERS = 'cvc4,z3,z3-ce'
TIMEOUT = int(os.environ.get('TIMEOUT', '10'))
OUT = os.path.join(prove.OUT, 'mutant')


class Mutant:
    def __init__(self, number, line):
        fields = [f.strip() for f in line.split('|')]
        where, self.function, self.change, self.to = fields[:4]
        self.goal = fields[4] if len(fields) > 4 else ''
        self.header, self.file = where.split(' in ') if ' in ' in where else (where, where)
        self.where, self.number = where, number

    def __str__(self):
        return "%s: %s: '%s' -> '%s'" % (self.header, self.function, self.change, self.to)

    def line(self):
        return ' | '.join([self.where, self.function, self.change, self.to] + ([self.goal] if self.goal else []))


def mutate(text, function, change, to):
    """The text with the mutation; None when there is no such place in the body of the function."""
    rows, inside, body, contract = text.split('\n'), False, False, False
    for k, row in enumerate(rows):
        if not inside and re.match(r'[a-z]', row) and not row.endswith(';') and re.search(r'[ *]%s\(' % re.escape(function), row):
            inside, body = True, False
        if inside and row.startswith('{'):
            body = True
        contract = contract or re.match(r' */\*@', row) is not None
        if inside and body and not contract and change in row:
            rows[k] = row.replace(change, to, 1)
            return '\n'.join(rows)
        contract = contract and '*/' not in row
        inside = inside and not row.startswith('}')
    return None


def changed_file(m):
    """The file to prove, or None."""
    text = mutate(open(m.header).read(), m.function, m.change, m.to)
    if text is None:
        return None
    if m.header != m.file:  # what is read stands in the place of the line that includes it
        line = '#include "%s"' % m.header[2:]
        text = '\n'.join(text.rstrip('\n') if row == line else row for row in open(m.file).read().split('\n'))
    path = os.path.join(OUT, '%d.c' % m.number)
    with open(path, 'w') as out:
        out.write(text)
    return path


def opened(log):
    return set(re.findall(r'^\[wp\] \[(?:Failed|Timeout|Unknown)\] Goal (?:typed_)?(\S+)', log, re.M))


def run(path, function, known_open=None):
    """The log of a run of all goals; it ends early when a goal is open that known_open lacks."""
    for provers in ('cvc4,z3-ce,z3', 'cvc4,z3'):  # Frama-C 25 may crash on a counterexample of z3-ce
        command = ['frama-c', '-wp', '-wp-rte', '-wp-prover', provers, '-wp-timeout', str(round(TIMEOUT * prove.SLOW)), '-wp-par', '1',
                   '-wp-cache', 'update', '-wp-cache-dir', os.path.join(prove.OUT, 'cache'), '-cpp-extra-args=-Ic -Iacsl',
                   '-wp-prop=-@lemma', '-wp-fct', function, path]
        log = path + '.log' if path.startswith(OUT) else os.path.join(OUT, '%s-%d.log' % (path.replace('/', '-'), threading.get_ident()))
        with open(log, 'w') as out:
            child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        while child.poll() is None:
            time.sleep(0.2)
            if known_open is not None and opened(open(log).read()) - known_open:
                os.killpg(child.pid, 15)
                child.wait()
        text = open(log).read()
        if prove.complete(text) or (known_open is not None and opened(text) - known_open):
            break
    return text


def family_of(log, function, goal):
    """goal -> is it proved?, of the goals that have the name of this one."""
    goals = prove.goals_of(log, [function], False)[function]
    return {g: ok for g, ok in goals.items() if prove.family(g) == prove.family(goal)}


def slowest(log, goal=r'\S+'):
    """Seconds of the proof that took longest, of a goal or of all."""
    return max([float(s) for s in re.findall(r'Goal (?:typed_)?%s : Valid[^\n]*?\(([\d.]+)s\)' % goal, log)], default=0)


class Kills:
    def __init__(self):
        self.whole, self.near = {}, {}  # logs of functions as they are; what is proved of them

    def one_goal(self, m, path):
        """Does the goal that broke before break again?"""
        only = prove.selectors([m.goal])
        if not only:
            return False
        key = m.file, m.function, m.goal
        if key not in self.near:
            log = prove.wp(m.file, [m.function], [], PROVERS, TIMEOUT, 'acsl', only, '1')
            self.near[key] = family_of(log, m.function, m.goal), slowest(log)
        goals, seconds = self.near[key]
        if not goals or not all(goals.values()):
            return False
        log = prove.wp(path, [m.function], [], PROVERS, min(TIMEOUT, max(3, 3 * seconds)), 'acsl', only, '1')
        now = family_of(log, m.function, m.goal)
        return bool(now) and not all(now.values())

    def again(self, m, path, goal):
        """Is it open in twice the time, tried alone?"""
        only = prove.selectors([goal])
        if not only:
            return True
        now = family_of(prove.wp(path, [m.function], [], PROVERS, 2 * TIMEOUT, 'acsl', only, '1'), m.function, goal)
        return not now or not all(now.values())

    def any_goal(self, m, path):
        """A goal that breaks; '' if there is none, None if the proof does not run."""
        if (m.file, m.function) not in self.whole:
            log = run(m.file, m.function)
            if 'Proved goals' not in log:
                return None
            self.whole[m.file, m.function] = log
        before = opened(self.whole[m.file, m.function])
        while True:  # on a machine with other work a goal may be open for that alone
            log = run(path, m.function, before)
            broken = sorted(opened(log) - before)
            if not broken:
                return '' if 'Proved goals' in log else None
            was = self.whole[m.file, m.function]
            known = re.search(r'Goal (?:typed_)?%s : Valid' % re.escape(broken[0]), was)
            quick = known and 3 * slowest(was, re.escape(broken[0])) <= TIMEOUT  # open in three times what its proof took
            if quick or self.again(m, path, broken[0]):
                return broken[0]
            before.add(broken[0])


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    prove.configure()
    arguments = sys.argv[1:]
    write = '--write' in arguments
    files = [a for a in arguments if a != '--write']
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    rows = open(TABLE).read().split('\n')
    table = [k for k, r in enumerate(rows) if r and not r.startswith('#')]
    sample, total = int(os.environ.get('SAMPLE', '0')), len(table)
    shift = int(os.environ.get('SEED', '0'))
    chosen = [(n, k) for n, k in enumerate(table) if not sample or ((n + shift) % total + 1) * sample // total != (n + shift) % total * sample // total]
    kills, killed, bad, lock = Kills(), 0, 0, threading.Lock()
    for m in (Mutant(0, rows[k]) for k in table):  # of all rows, whatever the sample has
        if mutate(open(m.header).read(), m.function, m.change, m.to) is None:
            print("mutants: %s: %s has no '%s'" % (m.header, m.function, m.change), file=sys.stderr)
            bad += 1

    def one(place):
        nonlocal killed, bad
        n, k = place
        m = Mutant(n + 1, rows[k])
        if files and m.file not in files:
            return
        path = changed_file(m)
        goal = None if path is None else m.goal if m.goal and kills.one_goal(m, path) else kills.any_goal(m, path)
        with lock:
            killed, bad = killed + bool(goal), bad + (path is not None and not goal)
            if path and not goal:
                print('mutants: %s: %s' % ('survives' if goal == '' else 'the proof does not run', m), file=sys.stderr)
            if write and goal and goal != m.goal:
                m.goal = goal
                rows[k] = m.line()
                with open(TABLE + '.new', 'w') as out:
                    out.write('\n'.join(rows))
                os.replace(TABLE + '.new', TABLE)
            if write or sys.stderr.isatty():
                print('%d killed, %d not, of %d: %s: %s' % (killed, bad, len(chosen), m, goal), file=sys.stderr, flush=True)
    with concurrent.futures.ThreadPoolExecutor(int(prove.JOBS)) as pool:
        for _ in pool.map(one, chosen):
            pass
    print('%d mutants killed, %d not' % (killed, bad))
    return 1 if bad or not killed else 0


if __name__ == '__main__':
    sys.exit(main())
