#!/usr/bin/env python3
"""What became of the functions that were proved at an older commit: a table of old name, new name, contract, goals proved now.

The contract is `same` (each old postcondition is there, no precondition is new, as texts), `changed` (--clauses prints the clauses
that differ), or the function is `gone`: no function has its body, or its name with half of its postconditions. A function of another
name with the same body is the same function. Static functions of one name in several files are told apart by their bodies.

usage: since.py COMMIT [--clauses]
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

import prove
import units

CLAUSE = re.compile(r'\b(requires|ensures|assigns|terminates|exits|decreases|behavior|complete|disjoint|assumes)\b')
Function = collections.namedtuple('Function', 'name where requires ensures body')


def clauses(text):
    """The clauses of a contract: kind -> set of texts without labels."""
    out = collections.defaultdict(set)
    parts = CLAUSE.split(re.sub(r'/\*@|\*/', ' ', text))
    for kind, body in zip(parts[1::2], parts[2::2]):
        body = re.sub(r'^\s*\w+:', '', body.rsplit(';', 1)[0])
        out[kind].add(''.join(body.split()))
    return out


def functions(path):
    """The functions with a contract that the file defines, or a template that it includes."""
    f = units.File(path, '')
    macros = {c.name or next(iter(c.names), ''): c for c in f.chunks if c.kind == 'macro'}
    for c in f.chunks:
        if c.kind != 'function' or c.body is None:
            continue
        heads = [d.head for d in f.by_name[c.name + '('] if '/*@' in d.head]
        if not heads:
            continue
        text = ' '.join(heads)
        for _ in range(3):
            for name, m in macros.items():
                if name and re.search(r'\b%s\b(?!\()' % re.escape(name), text):
                    body = re.sub(r'^#\s*define\s+\w+', '', m.text).replace('\\', '\\')
                    text = re.sub(r'\b%s\b(?!\()' % re.escape(name), lambda _: body.replace('\\\n', ' '), text)
        said = clauses(''.join(re.findall(r'/\*@.*?\*/', text, re.S)))
        body = re.sub(r'/\*@.*?\*/', ' ', c.body, flags=re.S)
        body = re.sub(r'\b%s\b' % c.name, '@', ' '.join(body.split()))
        yield Function(c.name, c.where, said['requires'], said['ensures'], body)


def tree(paths):
    """name -> functions of this name, from the files, each place once."""
    out = collections.defaultdict(dict)
    for path in paths:
        for f in functions(path):
            out[f.name].setdefault(f.where, f)
    return out


def proved_then(commit):
    """The functions with goals proved at the commit, as its records name them: file -> names."""
    def show(path):
        done = subprocess.run(['git', 'show', '%s:%s' % (commit, path)], capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None
    reports, record = show('acsl/reports.txt'), show('acsl/proved.txt')
    if reports is not None:
        rows = [json.loads(l) for l in re.findall(r'^\s*(\{"file".*\})$', reports, re.M)]
        return {(r['file'], r['function']) for r in rows if r['function'] != 'lemmas'}, {r['file'] for r in rows}
    return {(None, l.split()[0]) for l in (record or '').split('\n') if l and not l.startswith('lemma:')}, set(show('acsl/files.txt').split())


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    commit, show = sys.argv[1], '--clauses' in sys.argv[2:]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    now = tree(prove.lines(prove.FILES))
    goals = {}
    for line in prove.lines(prove.RECORD):
        name, _, n = line.split()
        goals[name] = max(goals.get(name, 0), int(n))
    names, files = proved_then(commit)
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as there:
        tar = subprocess.run(['git', 'archive', commit, 'c', 'acsl'], capture_output=True, check=True).stdout
        subprocess.run(['tar', '-x', '-C', there], input=tar, check=True)
        os.chdir(there)
        then = tree(sorted(f for f in files if f.endswith('.c') and os.path.exists(f)))
        os.chdir(home)
    bodies = collections.defaultdict(list)
    for same in now.values():
        for f in same.values():
            bodies[f.body].append(f)
    counts = collections.Counter()
    print('| then | now | contract | goals |\n|---|---|---|---|')
    for name in sorted({n for _, n in names}):
        for old in then.get(name, {}).values():
            alike = [f for f in now.get(name, {}).values() if 2 * len(old.ensures & f.ensures) >= len(old.ensures)]
            found = [f for f in now.get(name, {}).values() if f.body == old.body] or alike or bodies[old.body]
            new = max(found, key=lambda f: (len(old.ensures & f.ensures), f.where == old.where), default=None)
            lost, asked = (old.ensures - new.ensures, new.requires - old.requires) if new else (set(), set())
            verdict = 'gone' if not new else 'changed' if lost or asked else 'same'
            counts[verdict] += 1
            print('| `%s` %s | %s | %s | %s |' % (name, old.where, '`%s` %s' % (new.name, new.where) if new else '-', verdict,
                                               goals.get(new.name, 'pending') if new else '-'))
            if show:
                for kind, some in (('ensured no more', lost), ('asked now', asked)):
                    for text in sorted(some):
                        print('    %s: %s' % (kind, text))
    print('%d functions: %s' % (sum(counts.values()), ', '.join('%d %s' % (n, v) for v, n in sorted(counts.items()))), file=sys.stderr)


main()
