"""What proved a unit, so that it is proved sooner the next time: acsl/hints.txt. Nothing rests on it: a hint says what to try first.

A line is `UNIT STEP ..`, a step `PROVERS:LEMMAS:SECONDS`. LEMMAS of a first step may be `=NAME,NAME..`: with these lemmas alone in sight, all
goals of the unit are tried. The other steps are of goals that are open then: LEMMAS is all, near or none.

The names are those of the unsatisfiable cores: while a unit is proved the provers of why3.conf are scripts that keep what they refute; then
each such file is given to a prover again, its lemmas named.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

KNOWN = {'z3', 'z3-ce', 'cvc4'}
STEP = re.compile(r'([a-z0-9,-]+):(all|near|none|=[\w,]*):([1-9]\d{0,3})')
# Behind a refutation the file is kept; the prover's answer is passed on as it is.
SCRIPT = '''#!/bin/sh
for file; do :; done
case $file in *.smt2) ;; *) exec '%(real)s' "$@" ;; esac
said=$('%(real)s' "$@")
status=$?
printf '%%s\\n' "$said"
if [ -d "$KEEP" ] && printf '%%s\\n' "$said" | grep -q '^unsat'; then
    cp "$file" "$(printf '%%s/%%06d-%(name)s-%%s.smt2' "$KEEP" "$(ls "$KEEP" | wc -l)" $$)"
fi
exit $status
'''


def lines(path):
    if not os.path.exists(path):
        return []
    return [l.rstrip('\n') for l in open(path) if l.strip() and not l.startswith('#')]


def read(line):
    """(unit, steps) of a line; None if it is none."""
    name, *told = line.split()
    steps = []
    for k, text in enumerate(told):
        m = STEP.fullmatch(text)
        if not m or not set(m.group(1).split(',')) <= KNOWN or (m.group(2)[0] == '=' and k > 0):
            return None
        steps.append((int(m.group(3)), m.group(1), m.group(2)))
    return (name, steps) if steps else None


class Hints:
    """What proved a unit: (seconds, provers, lemmas) in turn. Read from the files in turn, written to the last one."""

    def __init__(self, *paths):
        self.path, self.steps = paths[-1], {}
        for path in dict.fromkeys(paths):
            for line in lines(path):
                found = read(line)
                if found is None:
                    print('wp: %s: no hint: %s' % (path, line), file=sys.stderr)
                else:
                    self.steps[found[0]] = found[1]

    def lemmas(self, unit):
        """(seconds, provers, names) of the run of all goals; None: no such hint."""
        for seconds, provers, names in self.steps.get(unit, [])[:1]:
            if names[0] == '=':
                return seconds, provers, set(names[1:].split(',')) - {''}
        return None

    def rest(self, unit):
        """The steps for what is open."""
        return [s for s in self.steps.get(unit, []) if s[2][0] != '=']

    def put(self, unit, steps):
        if steps:
            self.steps[unit] = steps
        else:
            self.steps.pop(unit, None)

    def prune(self, units, lemmas):
        """Drops what is no more. Units of several files may have one name, and share their hint."""
        for unit in set(self.steps) - units:
            del self.steps[unit]
        for unit in self.steps:
            found = self.lemmas(unit)
            if found:
                self.steps[unit][0] = found[0], found[1], '=' + ','.join(sorted(found[2] & lemmas))

    def write(self):
        rows = ['%s %s' % (n, ' '.join('%s:%s:%d' % (p, l, s) for s, p, l in steps)) for n, steps in sorted(self.steps.items()) if steps]
        with open(self.path + '.new', 'w') as out:
            out.write('# Written by prove.py: UNIT PROVERS:LEMMAS:SECONDS ..\n' + '\n'.join(rows) + '\n')
        os.replace(self.path + '.new', self.path)


# ---- what the provers refuted ----
def scripts(folder, conf):
    """Writes scripts in the place of the provers, and the configuration that names them."""
    os.makedirs(folder, exist_ok=True)
    text = open(conf).read()
    for name in ('z3', 'cvc4'):
        path = os.path.join(folder, name)
        real = re.search(r'^path = "([^"\n]*/%s)"' % name, text, re.M)
        if real:
            with open(path, 'w') as out:
                out.write(SCRIPT % {'real': real.group(1), 'name': name})
            os.chmod(path, 0o755)
            text = text.replace('path = "%s"' % real.group(1), 'path = "%s"' % path)
    with open(os.path.join(folder, 'why3.conf'), 'w') as out:
        out.write(text)


def named(text):
    """The task with names for the assertions of lemmas and axioms (`;; Q_NAME` stands before each), asked for a core."""
    parts = re.split(r'^;; (.*)\n', text, flags=re.M)
    out = ['(set-option :produce-unsat-cores true)\n', parts[0]]
    for k in range(1, len(parts), 2):
        m = re.match(r'\(assert\s(.*?)\)(\n\n.*|\s*)\Z', parts[k + 1], re.S)
        if parts[k].startswith('Q_') and m:
            out.append('(assert (! %s :named |lemma:%d:%s|))%s' % (m.group(1), k, parts[k][2:], m.group(2)))
        else:
            out.append(parts[k + 1])
    text = re.sub(r'\((push|pop|get-model|get-info [^()]*|set-option :produce-models true)\)', '', ''.join(out))
    at = text.rindex('(check-sat)')
    return text[:at].replace('(check-sat)', '') + '(check-sat)\n(get-unsat-core)\n'


def core(path, seconds):
    """The names that a refutation of the task uses; None if none is found in time."""
    asked = path + '.core'
    with open(path) as f, open(asked, 'w') as out:
        out.write(named(f.read()))
    cvc4 = ['cvc4', '--lang=smt2', '--tlimit=%d' % (1000 * seconds), asked]
    z3 = ['z3', '-smt2', '-T:%d' % seconds, 'smt.random_seed=42', 'sat.random_seed=42', asked]
    for command in (cvc4, z3) if '-cvc4-' in path else (z3, cvc4):
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, stdin=subprocess.DEVNULL).stdout
        if said.startswith('unsat'):
            return set(re.findall(r'\|?lemma:\d+:(\w+)\|?', said))
    return None


def refuted(folder):
    """The provers of the files in a folder in the order in which they were kept, with the files."""
    return [('Z3' if '-z3-' in os.path.basename(p) else 'CVC4', p) for p in sorted(glob.glob(os.path.join(folder, '*.smt2')))]
