"""Copies of the .acsl files with few lemmas: what a unit is proved from when the provers are lost among all of them.

A lemma that is left out is a hypothesis less, so what is proved without it is proved with it; the key of a unit has no lemmas (units.py).
"""
import os
import re

LEMMA = re.compile(r'\blemma\s+(\w+)')


def end(text, k):
    """Where the lemma that stands before k ends: behind the semicolon that no quantifier has."""
    depth = binders = 0
    while k < len(text):
        c = text[k]
        if text.startswith('//', k):
            k = text.find('\n', k)
            if k < 0:
                return len(text)
        elif c == '\\' and depth == 0:
            binders += text.startswith(('\\forall', '\\exists', '\\let', '\\lambda'), k)
        elif c in '{[(':
            depth += 1
        elif c in '}])':
            depth -= 1
        elif c == ';' and depth == 0:
            if binders == 0:
                return k + 1
            binders -= 1
        k += 1
    return k


def without(text, kept):
    """The text without the lemmas whose names are not in kept."""
    out, at = [], 0
    for m in LEMMA.finditer(text):
        comment = '//' in text[text.rfind('\n', 0, m.start()) + 1:m.start()]
        if m.start() < at or comment or m.group(1) in kept:
            continue
        out.append(text[at:m.start()])
        at = end(text, m.end())
    out.append(text[at:])
    return re.sub(r'/\*@(\s|//[^\n]*)*\*/', '', ''.join(out))


def copy(source, target, kept):
    """Copies the .acsl files below source, with these lemmas."""
    for folder, _, files in os.walk(source):
        for name in files:
            if name.endswith('.acsl'):
                path = os.path.join(folder, name)
                to = os.path.join(target, os.path.relpath(path, source))
                os.makedirs(os.path.dirname(to), exist_ok=True)
                with open(path) as f, open(to, 'w') as out:
                    out.write(without(f.read(), kept))
