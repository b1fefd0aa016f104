#!/usr/bin/env python3
"""Proves the C with Frama-C WP, a function or lemma at a time, and keeps a record of what is proved (see units.py for units and keys).

acsl/proved.txt has a line `UNIT KEY GOALS` for each unit that was proved, every goal of it, as it was when its key was KEY.
acsl/pending.txt names the units that are not proved as they are now, with the reason: they are counted apart, never as proved.
acsl/hints.txt has a line `UNIT STEP ..` of what proved the unit (hints.py): it is tried first, and nothing rests on it.
acsl/files.txt names the C files of whose functions each is proved, pending, or, with its reason, in acsl/unproved.txt.

usage: prove.py check [SECONDS]   are all units recorded or pending, is no record of anything else? Proves anew what is neither,
                                  and, for SECONDS, recorded units, other ones from commit to commit.
       prove.py prove [NAME..]    proves the units (of these names, or in these files) that are not recorded; records them
       prove.py all               proves every unit, whatever is recorded, in hours: stopped and run again, it goes on
       prove.py pending           exit 77 if units are pending
       prove.py table | trusted   the tables of PROVED.md and TRUSTED.md
       prove.py prune             drops the records of units that are no more as they were, and hints of what is no more
Environment: BUILD (logs, the provers' cache), JOBS (provers side by side), TIMEOUT (seconds a goal, at last), STEPS (how many
attempts: all goals for 2 s, then what is open for longer and longer: 1 to 5), SLOW (a factor of all these seconds, which CVC4
counts by the clock: for a machine that has other work), LEARN (`all` asks, as `prove` does, which lemmas each proof used, for a
third of the time more).
"""
import concurrent.futures
import contextlib
import functools
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hints as hint
import lean
import units

BUILD = os.environ.get('BUILD', '.build')
OUT = os.path.join(BUILD, 'wp')
JOBS = os.environ.get('JOBS', '2')
TIMEOUT = int(os.environ.get('TIMEOUT', '60'))
SLOW = float(os.environ.get('SLOW', '1'))
TRUSTED_MAX = 40
RECORD, PENDING, FILES, UNPROVED, HINTS = ('acsl/%s.txt' % n for n in ('proved', 'pending', 'files', 'unproved', 'hints'))


lines = hint.lines
SAFE = 'cvc4,z3'  # Frama-C 25 may crash on a counterexample of z3-ce
FIRST, OTHER = 'z3-ce,cvc4', 'cvc4,z3-ce'  # the provers of the first two seconds; of a hint where z3-ce mostly loses its time


class Unit:
    def __init__(self, name, host, where, keys):
        self.name, self.host, self.where, self.keys = name, host, where, keys
        self.is_lemma = name.startswith('lemma:')
        self.plain = name.split(':', 1)[1] if self.is_lemma else name


@functools.lru_cache(None)
def load():
    """All units, by (name, file it stands in); a unit in a header has a key for each way it is included."""
    version = units.frama_c_version()
    skip = set()
    for line in lines(UNPROVED):
        if '|' in line:
            path, names, _ = [p.strip() for p in line.split('|')]
            skip |= {(path, n) for n in names.split()}
    found, bare, files = {}, [], {}
    paths = lines(FILES)
    for path in paths:
        f = units.File(path, version)
        files[path] = f
        for name, (key, where) in f.functions().items():
            if (where, name) not in skip:
                unit = found.setdefault((name, where), Unit(name, path, where, {}))
                unit.keys.setdefault(key, path)
        for name, (key, where) in f.lemmas().items():
            unit = found.setdefault(('lemma:' + name, where), Unit('lemma:' + name, path, where, {}))
            unit.keys.setdefault(key, path)
            if len(f.chunks) < len(files[unit.host].chunks):  # the fewer facts around, the sooner it is proved
                unit.host = path
        defined = {c.name for c in f.chunks if c.kind == 'function' and c.body is not None and c.where == path}
        known = {n for n in f.functions()}
        bare += [(path, n) for n in sorted(defined - known) if (path, n) not in skip]
    return found, bare, files, skip


class Record:
    def __init__(self, path):
        self.path, self.goals = path, {}
        for line in lines(path):
            name, key, goals = line.split()
            self.goals[name, key] = int(goals)

    def has(self, unit):
        return any((unit.name, k) in self.goals for k in unit.keys)

    def full(self, unit):
        """As it is in every file that includes it (a header that is a template)."""
        if unit.is_lemma:
            return self.has(unit)
        return all((unit.name, k) in self.goals for k in unit.keys)

    def add(self, name, key, goals):
        self.goals[name, key] = goals

    def write(self):
        rows = ['%s %s %d' % (n, k, g) for (n, k), g in sorted(self.goals.items())]
        tmp = self.path + '.new'
        with open(tmp, 'w') as out:
            out.write('\n'.join(rows) + '\n' if rows else '')
        os.replace(tmp, self.path)


# ---- running WP ----
def keeping():
    """The configuration with provers that keep what they refute."""
    return os.path.join(os.path.abspath(OUT), 'provers', 'why3.conf')


def configure():
    os.makedirs(os.path.join(OUT, 'cache'), exist_ok=True)
    conf = os.path.join(os.path.abspath(OUT), 'why3.conf')
    os.environ['WHY3CONFIG'] = conf
    if not (os.path.exists(conf) and all(p in open(conf).read() for p in ('CVC4', 'Z3'))):
        subprocess.run(['why3', 'config', 'detect'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if os.path.exists(conf):
        hint.scripts(os.path.dirname(keeping()), conf)
    os.environ.setdefault('GLIBC_TUNABLES', 'glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824')  # a quarter of the time and more goes into page faults without


def wp(host, functions, lemmas, provers, timeout, acsl='acsl', only=(), jobs=JOBS, keep=None):
    """The log of a run: of these functions of the file (only: of their goals with these labels), or of these lemmas; acsl: where the
    .acsl files are; keep: the folder in which the provers leave what they refute (hints.py)."""
    env = dict(os.environ, KEEP=keep, WHY3CONFIG=keeping()) if keep else None
    command = ['frama-c', '-wp', '-wp-rte', '-wp-prover', provers, '-wp-timeout', str(round(timeout * SLOW)), '-wp-par', jobs,
               '-wp-cache', os.environ.get('CACHE', 'update'), '-wp-cache-dir', os.path.join(OUT, 'cache'), '-cpp-extra-args=-Ic -I' + acsl]
    if functions:
        command += ['-wp-fct', ','.join(functions), '-wp-prop=' + (','.join(only) or '-@lemma')]
    else:
        command += ['-wp-prop=' + ','.join(lemmas)]
    done = subprocess.run(command + [host], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL, env=env)
    return done.stdout


GOAL = re.compile(r'^\[wp\] \[([^\]]*)\] Goal (?:typed_)?(\S+)(.*)$', re.M)


def owner_of(goal, names, lemmas):
    """The unit of a goal, or None."""
    if lemmas:
        return goal[6:] if goal.startswith('lemma_') and goal[6:] in names else None
    return max((n for n in names if goal.startswith(n + '_')), key=len, default=None)


def goals_of(log, names, lemmas):
    """name -> {goal: is it proved?}"""
    out = {n: {} for n in names}
    for who, goal, rest in GOAL.findall(log):
        owner = owner_of(goal, names, lemmas)
        if owner is None:
            continue
        while goal in out[owner]:
            goal += "'"
        out[owner][goal] = who not in ('Failed', 'Timeout', 'Unknown') and ': Valid' in rest
    return out


# ---- a run of some of the goals of a function ----
# WP numbers goals of one name in the order in which it meets them, so a number means the same in two runs only if both have
# all the goals of that name: such goals are tried, and counted, together.
def family(goal):
    return re.sub(r"(_part\d+|_\d+)(?=_|'|$)|'", '', goal)


def families(goals):
    out = {}
    for g in goals:
        out.setdefault(family(g), set()).add(g)
    return out


def selectors(goals):
    """What -wp-prop finds these goals by, and others, perhaps; none: there is no such name."""
    out = set()
    for g in goals:
        label = re.match(r'.*_(?:ensures|assert|requires|invariant)_(.+?)(?:_established|_preserved)?$', g)
        kind = re.search(r'_(assigns|variant|terminates|exits|decreases)(?=_|$)', g)
        if label:
            text = re.sub(r'_part\d+$', '', label.group(1).rstrip("'"))
            out |= {'rte'} if text.startswith('rte_') else {text, re.sub(r'_\d+$', '', text)}
        elif kind:
            out.add('@' + kind.group(1))
        else:
            return []
    return sorted(out)


def merge(proved, goals, whole):
    """Adds a run's goals to those that are proved. Of a run of all goals: they are the goals."""
    if whole:
        return {g: ok or proved.get(g, False) for g, ok in goals.items()} if set(goals) == set(proved) or not proved else dict(goals)
    tried, known = families(goals), families(proved)
    return {g: ok or (tried.get(family(g)) == known[family(g)] and goals[g]) for g, ok in proved.items()}


def complete(log):
    """Did the run come to its end?"""
    said = re.search(r'^\[wp\] Proved goals: *\d+ */ *(\d+)', log, re.M)
    return said is not None and int(said.group(1)) <= len(GOAL.findall(log))


class Attempt:
    """What is known of some units of a file while they are tried."""

    def __init__(self, host, names, lemmas, log_path, jobs, learn=False):
        self.host, self.lemmas, self.log_path, self.file, self.jobs = host, lemmas, log_path, None, jobs
        self.learn, self.used = learn, {n: set() for n in names}  # used: the lemmas and axioms of refutations (learn: look for them)
        self.wins = {n: {'Z3': 0, 'CVC4': 0} for n in names}
        self.proved = {n: {} for n in names}
        self.broken, self.crashed, self.near, self.whole = False, False, 'all', set()  # whole: the units of which no goals are found by their labels
        self.how, self.useless = {n: [] for n in names}, set()  # the steps that proved something; those that gave up before their time

    def open_of(self, name):
        return [g for g, ok in self.proved[name].items() if not ok]

    def left(self):
        return [n for n, goals in self.proved.items() if not goals or not all(goals.values())]

    def run(self, names, provers, timeout, acsl='acsl', only=()):
        """Was what is open tried (only that which these labels find, if there are some)?"""
        keep = os.path.join(os.path.abspath(OUT), 'keep-%d' % threading.get_ident()) if self.learn else None
        if keep:
            os.makedirs(keep, exist_ok=True)
        log = wp(self.host, [] if self.lemmas else names, names, provers, timeout, acsl, only, self.jobs, keep)
        with open(self.log_path, 'a') as out:
            out.write(log)
        if keep:
            self.look(names, log, keep)
            shutil.rmtree(keep)
        said = re.search(r'.*(?:Warning|User Error).*\n?.*', log)
        if said and not only:
            print('wp %s: %s' % (self.host, said.group(0)), file=sys.stderr)
        self.broken = self.broken or 'User Error' in log
        if self.broken or not complete(log):
            return False
        for who, owner in self.proofs(names, log) if not only else []:
            if owner is not None:
                self.wins[owner][who] += 1
        fine = True
        if len(names) == 1 and not re.search(r'(Timeout|Failed|Stepout)\]? |: (Timeout|Failed|Stepout)', log):
            self.useless.add((names[0], provers, self.near))
        for name, goals in goals_of(log, names, self.lemmas).items():
            fine = fine and all(family(g) in families(goals) for g in self.open_of(name))
            self.proved[name] = merge(self.proved[name], goals, not only)
        return fine

    def proofs(self, names, log):
        """(prover, unit) of the proofs that provers found in a run."""
        return [(who.split()[0], owner_of(goal, names, self.lemmas)) for who, goal, rest in GOAL.findall(log)
                if ': Valid' in rest and '(cached)' not in rest.lower() and who.split()[0] in ('Z3', 'CVC4')]

    def look(self, names, log, keep):
        """Which lemmas the proofs of a run used. The provers' files have no names: they are in the order of the log."""
        proofs, files = self.proofs(names, log), hint.refuted(keep)
        sure = [w for w, _ in proofs] == [w for w, _ in files]
        for k, (_, path) in enumerate(files):
            for name in [proofs[k][1]] if sure else names:
                if name is not None:
                    self.used[name] |= hint.core(path, round(10 * SLOW)) or set()

    def copy(self, kept):
        """The .acsl files with these lemmas alone."""
        to = os.path.join(OUT, 'lean-%d' % threading.get_ident())
        lean.copy('acsl', to, kept)
        return to

    def lean(self, given):
        """All goals of units, from the lemmas of their hints, name -> (seconds, provers, lemmas)."""
        to, self.near = self.copy(set(given).union(*[l for _, _, l in given.values()])), 'hint'
        learn, self.learn = self.learn, False
        seconds = max(s for s, _, _ in given.values())
        if not self.run(list(given), min(p for _, p, _ in given.values()), seconds, to) and not self.broken:
            self.crashed = True
            self.run(list(given), SAFE, seconds, to)
        self.broken, self.learn = False, learn
        shutil.rmtree(to)

    def together(self, names):
        """Lemmas that are open, with all lemmas in sight, in one run."""
        self.near = 'all'
        self.run(names, SAFE if self.crashed else FIRST, 2)
        for name in set(names) - set(self.left()):
            self.how[name].append((2, FIRST, 'all'))

    def order(self, name):
        """The provers: z3-ce proves what it proves some 0.2 s sooner than CVC4, and where it does not, it takes all the time that it has."""
        return SAFE if self.crashed else OTHER if self.wins[name]['CVC4'] > self.wins[name]['Z3'] // 6 else FIRST

    def hint(self, name, given, rest):
        """What is to be tried first the next time of a unit that is proved; given, rest: what its hint was."""
        line = [(given[0], given[1], '=' + ','.join(sorted(given[2])))] if given else []
        order = self.order(name)
        if not self.how[name] and (given or order == FIRST or not self.learn):
            return line + rest if given else []
        how = [s for s in self.how[name] if s[0] != 2]
        if not self.learn:
            return line + how
        names = self.used[name] & set(self.read().lemma_texts()) - {name} | (given[2] if given else set())
        return [(2, given[1] if given else order, '=' + ','.join(sorted(names)))] + how

    def read(self):
        self.file = self.file or units.File(self.host, '')
        return self.file

    def once_more(self, name, provers, timeout, lemmas):
        """The open goals of a unit for longer: with all lemmas, with those that are near it, or with none."""
        if (name, provers, lemmas) in self.useless:
            return
        only, before, self.near = [], len(self.open_of(name)), lemmas
        if not self.lemmas and self.proved[name] and name not in self.whole:
            known = families(self.proved[name])
            only = selectors(set().union(*[known[family(g)] for g in self.open_of(name)]))
        to = 'acsl'
        if lemmas != 'all':
            to = self.copy(self.read().near(name, self.lemmas) if lemmas == 'near' else {name})
        if not self.run([name], provers, timeout, to, only):
            self.whole.add(name)
            if only and not self.broken:
                self.run([name], provers, timeout, to)
        if lemmas != 'all':
            shutil.rmtree(to)
        if self.proved[name] and len(self.open_of(name)) < before:
            self.how[name].append((timeout, provers, lemmas))
            self.useless = {u for u in self.useless if u[0] != name}


def steps():
    """What is tried of a unit, after all its goals were tried for 2 s: seconds, and (provers, lemmas) in turn. What one prover proves
    from few lemmas another does not, and the other way round: each for a short time before one for long. (Of 120 steps that proved
    something 84 were of 4 s, 9 of 10 s; what nothing proves costs them all.)"""
    out = [(4, (('cvc4', 'near'), ('z3', 'near'), ('z3-ce', 'none'), ('z3-ce', 'all'), ('z3', 'all'))),
           (10, (('cvc4', 'near'), ('z3-ce', 'none'), ('z3', 'all'))), (25, (('cvc4', 'near'), ('z3', 'all')))]
    out.append((TIMEOUT, (('cvc4,z3-ce,z3', 'all'), ('cvc4,z3-ce,z3', 'near'))))
    return out[:int(os.environ.get('STEPS', '5')) - 1]


def prove(host, names, lemmas, log_path, hints=None, jobs=JOBS, learn=False):
    """name -> goals, of those that are proved; prints the open goals of the others. A goal may be proved in one run, another in the next:
    they are goals of the same text."""
    a = Attempt(host, names, lemmas, log_path, jobs, learn)
    unit = ('lemma:%s' if lemmas else '%s')
    given = {n: hints.lemmas(unit % n) for n in names} if hints else {}
    if lemmas:  # two seconds with all in sight prove most lemmas
        given = {n: g for n, g in given.items() if g}
    if given:
        a.lean({n: g or (1, FIRST, set()) for n, g in given.items()})
    tried, rest = [n for n in names if a.proved[n]], [n for n in names if not a.proved[n]]
    a.learn = learn and not lemmas
    if rest and not a.run(rest, FIRST, 2) and not a.broken:
        a.run(rest, SAFE, 2)
    a.learn = learn
    if lemmas and set(tried) & set(a.left()):
        a.together([n for n in a.left() if n in tried])
    for name in [] if a.broken else a.left():
        for seconds, provers, from_lemmas in ([(2, a.order(name), 'all')] if name in tried and not lemmas else []) + (
                hints.rest(unit % name) if hints else []):
            if name in a.left() and not a.broken:
                a.once_more(name, provers, seconds, from_lemmas)
        for seconds, kinds in steps():
            for provers, from_lemmas in kinds:
                if name in a.left() and not a.broken:
                    a.once_more(name, provers, seconds, from_lemmas)
    for name in names if hints else []:
        if name not in a.left():
            hints.put(unit % name, a.hint(name, given.get(name), hints.rest(unit % name)))
    for n in a.left():
        bad = a.open_of(n)
        print('wp %s: %s: %s' % (host, n, 'open: ' + ' '.join(bad) if bad else 'no goals'), file=sys.stderr)
    return {} if a.broken else {n: len(goals) for n, goals in a.proved.items() if n not in a.left()}


def groups(todo):
    """(host, lemmas?, units): what is proved in one run."""
    by = {}
    for unit in todo:
        for key, host in unit.keys.items() if not unit.is_lemma else [(None, unit.host)]:
            by.setdefault((host, unit.is_lemma), []).append(unit)
    for (host, lemmas), list_ in sorted(by.items()):
        size = 12 if lemmas else 6
        for k in range(0, len(list_), size):
            yield host, lemmas, list_[k:k + size]


def run(todo, record, seconds=None, hints=None, learn=False):
    """Proves; the units that are not proved."""
    hints = hints or hint.Hints(HINTS, os.path.join(OUT, 'hints.txt'))
    start, failed, n, lock = time.time(), [], 0, threading.Lock()
    total, work = len(todo), list(groups(todo))
    # Frama-C and a goal's provers wait for each other, and a hard goal is alone in its run: runs side by side use the machine, twice as
    # many as provers, not several provers of one run (measured: 0.6 of the time).
    many = 2 * int(JOBS) if len(work) > 1 and seconds is None else 1

    def one(task):
        nonlocal n
        host, lemmas, some = task
        if seconds is not None and time.time() - start > seconds:
            return
        begun = time.time()
        log = os.path.join(OUT, '%s-%s.log' % (host.replace('/', '-'), some[0].plain))
        done = prove(host, [u.plain for u in some], lemmas, log, hints, JOBS if many == 1 else '1', learn)
        with lock:
            for u in some:
                if u.plain in done:
                    for key, at in u.keys.items():
                        if u.is_lemma or at == host:
                            record.add(u.name, key, done[u.plain])
                else:
                    failed.append(u)
            record.write()
            hints.write()
            n += len(some)
            print('wp %s: %d of %d units, %d goals (%d s) [%d / %d]' % (
                host, len(done), len(some), sum(done.values()), time.time() - begun, n, total), flush=True)
    with concurrent.futures.ThreadPoolExecutor(many) as pool:
        for _ in pool.map(one, work):
            pass
    return failed


def current(record, found):
    """(recorded, stale): the units."""
    fresh = [u for u in found.values() if record.full(u)]
    return fresh, [u for u in found.values() if not record.full(u)]


def prune(record, found):
    live = {(u.name, k) for u in found.values() for k in u.keys}
    gone = [r for r in record.goals if r not in live]
    for r in gone:
        del record.goals[r]
    return gone


def check(seconds):
    found, bare, _, _ = load()
    record, bad = Record(RECORD), 0
    pending = {l.split('|')[0].strip() for l in lines(PENDING)}
    fresh, stale = current(record, found)
    for path, name in bare:
        print('wp: %s: %s has no contract and is not in %s' % (path, name, UNPROVED), file=sys.stderr)
        bad = 1
    for name, key in prune(Record(RECORD), found):
        print('wp: the record %s %s is of no unit as it is' % (name, key), file=sys.stderr)
        bad = 1
    waiting = [u for u in stale if u.name in pending]
    for name in sorted(pending - {u.name for u in stale}):
        print('wp: %s is in %s, but it is proved or gone' % (name, PENDING), file=sys.stderr)
        bad = 1
    mine = Record(os.path.join(OUT, 'proved-here.txt'))
    mine.goals.clear()
    failed = run([u for u in stale if u.name not in pending], mine)
    commit = subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True).stdout.strip() or open(RECORD).read()
    touched = set(subprocess.run(['git', 'diff', '--name-only', 'HEAD~1'], capture_output=True, text=True).stdout.split())
    turn = sorted(fresh, key=lambda u: (u.where not in touched, units.hashlib.sha256((commit + u.name).encode()).hexdigest()))
    start = time.time()
    for u in turn:
        if time.time() - start > seconds:
            break
        failed += run([u], mine)
        for key in u.keys:
            was, now = record.goals.get((u.name, key)), mine.goals.get((u.name, key))
            if now is not None and was is not None and was != now:
                print('wp: %s: recorded with %d goals, has %d' % (u.name, was, now), file=sys.stderr)
                bad = 1
    for u in failed:
        print('wp: %s (%s) is not proved' % (u.name, u.where), file=sys.stderr)
    for name, make in (('PROVED', table), ('TRUSTED', trusted)):
        bad |= not same_table('acsl/%s.md' % name, make)
    here = len({n for n, _ in mine.goals})
    print('wp: %d units proved here, %d recorded, %d pending; %d goals recorded' % (here, len(fresh), len(waiting), sum(record.goals.values())))
    return 1 if bad or failed else 0


# ---- the tables ----
def same_table(path, make):
    """Is the table of the page the one that is made now?"""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = make()
    page = open(path).read()
    page = page[page.index('<!-- table -->') + len('<!-- table -->'):page.index('<!-- end -->')]
    if status or page.strip() != out.getvalue().strip():
        print('wp: the table of %s is not what prove.py prints' % path, file=sys.stderr)
        return False
    return True



def expand(f, text, depth=0):
    """The text of a contract with its macros replaced."""
    if depth > 6:
        return text

    def body(m):
        for c in f.by_name.get(m.group(1), ()):
            if c.kind == 'macro':
                return expand(f, re.sub(r'^#define\s+\w+(\([^)]*\))?', '', c.text), depth + 1)
        return m.group(0)
    return re.sub(r'\b([A-Z][A-Z0-9_]+)\b', body, text)


def labels(f, name):
    heads = ' '.join(c.head for c in f.by_name.get(name + '(', ()))
    return ' '.join(sorted(set(re.findall(r'\bensures\s+(\w+)\s*:(?!:)', expand(f, heads)))))


def table():
    found, _, files, _ = load()
    record = Record(RECORD)
    print('| function | postconditions | goals proved |\n|---|---|---|')
    by = {}
    for u in found.values():
        by.setdefault(u.where, []).append(u)
    for where in sorted(by):
        lemmas = [u for u in by[where] if u.is_lemma]
        print('| **`%s`** | | |' % where)
        for u in sorted(by[where], key=lambda u: u.name):
            if not u.is_lemma:
                goals = sum(record.goals.get((u.name, k), 0) for k in u.keys)
                print('| `%s` | %s | %s |' % (u.name, labels(files[u.host], u.name), goals if record.full(u) else 'pending'))
        if lemmas:
            n = sum(record.full(u) for u in lemmas)
            print('| lemmas | | %d%s |' % (n, '' if n == len(lemmas) else ', %d pending' % (len(lemmas) - n)))
    return 0


def callers():
    """Of each function that has no proof and that a proved one calls: the proved ones."""
    found, _, files, _ = load()
    proved = {n for n, _ in found}
    out = {}
    for f in files.values():
        known = {c.name for c in f.chunks if c.kind == 'function'} - proved
        for c in f.chunks:
            if c.kind == 'function' and c.body is not None and (c.name, c.where) in found:
                for name in known & {w[:-1] for w in c.body_words if w.endswith('(')}:
                    out.setdefault(name, set()).add(c.name)
    return out


def unlisted():
    """What a proof rests on, is not proved, and stands not in acsl/unproved.txt."""
    _, _, _, skip = load()
    names = {n for _, n in skip}
    return sorted(n for n in callers() if n not in names)


def trusted():
    """The functions of acsl/unproved.txt: each that a proof rests on has a contract, which Frama-C reads."""
    status, read, rest, n = 0, set(), [], 0
    by, (_, _, files, _) = callers(), load()
    print('| trusted | postconditions | why it is not proved | proofs that rest on it |\n|---|---|---|---|')
    for line in lines(UNPROVED):
        if '|' not in line:
            continue
        path, names, why = [p.strip() for p in line.split('|')]
        for name in names.split():
            if name not in by:
                rest.append((path, name, why))
                continue
            n += 1
            said = [(at, f) for at, f in files.items() if '/*@' in ' '.join(c.head for c in f.by_name.get(name + '(', ()))]
            if not said:
                print('wp: %s: %s has no contract' % (path, name), file=sys.stderr)
                status = 1
                continue
            some, f = sorted(by[name]), said[0][1]
            read.add(said[0][0])
            print('| `%s` (`%s`) | %s | %s | %s%s |' % (name, path, labels(f, name) or '(what it writes)', why,
                                                  ' '.join('`%s`' % c for c in some[:3]), ' ..' if len(some) > 3 else ''))
    print('\n%d contracts are trusted. These functions have no proof, and none rests on them:\n' % n)
    print('| not proved | why |\n|---|---|')
    for path, name, why in rest:
        print('| `%s` (`%s`) | %s |' % (name, path, why))
    for path in sorted(read):
        done = subprocess.run(['frama-c', '-cpp-extra-args=-Ic -Iacsl', path], capture_output=True, text=True)
        if done.returncode != 0:
            print('wp: %s: %s' % (path, done.stdout.strip().splitlines()[-1]), file=sys.stderr)
            status = 1
    for name in unlisted():
        print('wp: %s is called by a proved function, has no proof, and stands not in %s' % (name, UNPROVED), file=sys.stderr)
        status = 1
    if n > TRUSTED_MAX:
        print('wp: %d trusted contracts, over %d' % (n, TRUSTED_MAX), file=sys.stderr)
        status = 1
    return status


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    what = sys.argv[1] if len(sys.argv) > 1 else ''
    if what == 'pending':
        n = len(lines(PENDING))
        print('SKIP %d units wait for a proof (%s)' % (n, PENDING) if n else 'no unit waits for a proof')
        return 77 if n else 0
    if what == 'table':
        return table()
    if what == 'trusted':
        return trusted()
    configure()
    if what == 'check':
        return check(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    found, _, _, _ = load()
    if what == 'prune':
        record = Record(RECORD)
        for name, key in prune(record, found):
            print('%s %s' % (name, key))
        record.write()
        hints = hint.Hints(HINTS)
        hints.prune({u.name for u in found.values()}, {u.plain for u in found.values() if u.is_lemma})
        hints.write()
        return 0
    if what not in ('prove', 'all'):
        print(__doc__, file=sys.stderr)
        return 2
    record = Record(RECORD if what == 'prove' else os.path.join(OUT, 'proved-all.txt'))
    _, todo = current(record, found)
    names = set(sys.argv[2:])
    if names:
        todo = [u for u in todo if names & {u.name, u.plain, u.host, u.where}]
    failed = run(todo, record, None, hint.Hints(HINTS, HINTS if what == 'prove' else os.path.join(OUT, 'hints.txt')),
                 what == 'prove' or bool(os.environ.get('LEARN')))
    for u in failed:
        print('wp: %s (%s) is not proved' % (u.name, u.where), file=sys.stderr)
    print('wp: %d of %d units proved' % (len(todo) - len(failed), len(todo)))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
