#!/usr/bin/env python3
"""The rule x floor table: for each label of trace.txt, where it stands. Fails when a floor that the table names lacks the label,
when Coq or ACSL has a rule the table does not know, or when the constructors of a judgement that ACSL has stand in another
order there. Lines are tests of one file's text: each floor is read once."""
import glob
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def tree(folder, *ends):
    return {p: read(p) for p in sorted(glob.glob(folder + '/**', recursive=True)) if os.path.isfile(p) and p.endswith(ends or '')}


def bare(text):
    """The C without the comment that opens the file, which lists the labels that the file has: they must stand in it, too."""
    head = re.match(r'/\*.*?\*/', text, re.S)
    return '\n' * head.group().count('\n') + text[head.end():] if head else text


FLOOR = {
    'coq': tree('coq', '.v'), 'acsl': tree('acsl'),
    'c': {p: bare(t) for p, t in tree('c', '.c', '.h', '.def').items()},
    'test': {p: t for p, t in tree('tests', '.c', '.txt').items() if p != 'tests/trace.txt'},
}


def find(floor, words, line, path='.'):
    """The first line that has one of the words and that `line` says, in files that `path` says: FILE:LINE, or nothing."""
    for name, text in FLOOR[floor].items():
        if not re.match(path, name):
            continue
        at = sorted(m.start() for w in words for m in re.finditer(re.escape(w), text))
        for k in at:
            start, end = text.rfind('\n', 0, k) + 1, text.find('\n', k)
            if re.search(line, text[start:end if end >= 0 else len(text)]):
                return '%s:%d' % (name, text.count('\n', 0, k) + 1)
    return ''


def where(floor, label):
    plain, under = re.escape(label), label.replace('-', '_')
    if '.' in label:  # seed 002's numbered rules: in comments of Coq and C, and in tests
        at = r'(^|[^A-Za-z0-9.])%s([^0-9]|$)' % plain
        if floor == 'test':
            return find(floor, [label], r'\{ "([^"]* )?%s[ "]' % plain, r'tests/dpia/unit_rules\.c$')
        return find(floor, [label], at, r'coq/(dpia/(Trans|Target)\.v$|emit/)' if floor == 'coq' else r'c/(dpia|emit)/[a-z_]*\.c$')
    at = r'(^|[^A-Za-z0-9])%s([^A-Za-z0-9]|$)' % plain
    if re.match(r'K.-|I[1-5]$', label):  # kernels: in comments of Coq and C, and in tests
        line = {'coq': r'\(\*.*%s|^ +%s ' % (at, plain), 'c': r'/\*.*%s|^ +%s ' % (at, plain), 'test': r'/\*.*' + at}[floor]
        return find(floor, [label], line, {'coq': 'coq/kernel/', 'c': r'c/kernel/[a-z_]*\.c$', 'test': r'tests/kernel/.*\.c$'}[floor])
    if floor == 'coq':
        return find(floor, [under], r'^ *\| *%s\b' % under)
    if floor == 'acsl':
        return find(floor, [under], r'case %s\b' % under)
    return find(floor, [label, under], r'(^|[^A-Za-z])(%s|%s)([^A-Za-z]|$)' % (plain, under))


def once(names):
    return list(dict.fromkeys(names))


def main():
    holes, table = 0, {}
    for line in read('tests/trace.txt').splitlines():
        if line.strip() and not line.startswith('#'):
            label, *floors = line.split()
            table[label] = floors
            places = ['-' if f == '-' else where(f, label) or 'HOLE' for f in floors]
            holes += places.count('HOLE')
            print(' | '.join([label] + places))
    coq, acsl = '\n'.join(FLOOR['coq'].values()), '\n'.join(FLOOR['acsl'].values())
    kernel = '\n'.join(t for p, t in FLOOR['coq'].items() if p.startswith('coq/kernel/'))
    known = re.findall(r'^ *\| *((?:AE|AM|PM|PE)_[A-Za-z]+)', coq, re.M) + re.findall(r'case ((?:AE|AM|PM|PE)_[A-Za-z]+)', acsl)
    for name in sorted(set(known + re.findall(r'\b(?:KE|KS|KP|KG|KL)-[A-Z][a-z]+', kernel))):
        if name.replace('_', '-') not in table:
            print('not in trace.txt: ' + name)
            holes += 1
    for judgement, room in (('AE', 'attr'), ('AM', 'attr'), ('PM', 'pattern')):
        one = once(re.findall(r'^ *\| *(%s_[A-Za-z]+)' % judgement, FLOOR['coq']['coq/%s/%s.v' % (room, room.capitalize())], re.M))
        one = [r for r in one if table.get(r.replace('_', '-'), ['', ''])[1:2] == ['acsl']]
        texts = '\n'.join(t for p, t in FLOOR['acsl'].items() if p.startswith('acsl/%s/' % room))
        two = once(re.findall(r'case (%s_[A-Za-z]+)' % judgement, texts))
        if one != two:
            print('ORDER %s: Coq has %s, ACSL has %s' % (judgement, ' '.join(one), ' '.join(two)))
            holes += 1
    print('%d holes' % holes)
    return 1 if holes else 0


if __name__ == '__main__':
    sys.exit(main())
