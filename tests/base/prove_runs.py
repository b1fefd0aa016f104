"""What acsl/prove.py counts as proved, when WP (here: what it would print) is run several times on one function.
usage: prove_runs.py"""
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.insert(0, os.path.join(ROOT, 'acsl'))
os.chdir(ROOT)
import prove


def log(goals, end=True):
    """A log with these goals; a capital V: proved; ?: the prover gave up."""
    rows = ['[wp] [CVC4 1.8] Goal typed_f_%s : %s (1s)' % (g, {'V': 'Valid', '?': 'Unknown'}.get(v, 'Timeout')) for g, v in goals]
    said = ['[wp] Proved goals:   %d / %d' % (sum(v == 'V' for _, v in goals), len(goals))] if end else []
    return '\n'.join(rows + said) + '\n'


A, B = 'ensures_a', 'assert_b'
TWO = ['loop_invariant_same_preserved', 'loop_invariant_same_2_preserved']
# NAME, the logs of the runs in turn (the last one again and again), goals proved (0: the function is not).
CASES = [
    ('all goals in the first run', [log([(A, 'V'), (B, 'V')])], 2),
    ('an open goal', [log([(A, 'V'), (B, '-')]), log([(B, '-')])], 0),
    ('an open goal that a later run proves', [log([(A, 'V'), (B, '-')]), log([(B, '-')]), log([(B, 'V')])], 2),
    ('goals proved in different runs', [log([(A, '-'), (B, '-')]), log([(A, 'V'), (B, '-')]), log([(B, 'V')])], 2),
    ('another goal of that label, proved, and not this one', [log([(A, 'V'), (B, '-')]), log([('ensures_b', 'V')]),
                                                              log([(A, 'V'), (B, '-'), ('ensures_b', 'V')])], 0),
    ('a number without the other goal of its name', [log([(TWO[0], 'V'), (TWO[1], '-')]), log([(TWO[1], 'V')])], 0),
    ('a goal without a number that has lost its fellow', [log([(TWO[0], '-'), (TWO[1], '-')]), log([(TWO[0], 'V')])], 0),
    ('both goals of a name', [log([(TWO[0], 'V'), (TWO[1], '-')]), log([(TWO[0], '-'), (TWO[1], 'V')])], 2),
    ('a run that breaks off', [log([(A, 'V')], end=False)], 0),
    ('a run that breaks off behind what was open', [log([(A, 'V'), (B, '-')]), log([(B, 'V')], end=False)], 0),
    ('a first run that breaks off', [log([(A, 'V')], end=False), log([(A, 'V'), (B, 'V')])], 2),
    ('other goals', [log([(A, 'V'), (B, '-')]), log([]), log([(A, '-'), ('assert_c', 'V')])], 0),
    ('an error of the file', ['[kernel] User Error: no\n'], 0),
    ('no goals', [log([])], 0),
]

# Goals and what -wp-prop gets for them.
SELECTORS = [
    (['f_ensures_a'], ['a']), (['f_assert_far_0'], ['far', 'far_0']), (['f_loop_invariant_same_2_preserved'], ['same', 'same_2']),
    (['f_call_g_requires_valid', 'f_assert_rte_mem_access_3'], ['rte', 'valid']), (['f_loop_assigns_part2'], ['@assigns']),
    (['f_terminates', 'f_loop_variant_decrease'], ['@terminates', '@variant']), (['f_ensures_a', 'f_complete_some'], []),
]


class Hints:
    """Those of prove.py, kept in memory."""

    def __init__(self, steps):
        self.steps, self.said = {'f': steps}, None

    def put(self, name, steps):
        self.said = steps


def runs(logs, hints=None):
    """The goals of f that are proved by runs with these logs, and what was asked."""
    asked = []

    def wp(host, functions, lemmas, provers, timeout, acsl='acsl', only=(), jobs='1'):
        asked.append((timeout, tuple(only)))
        return logs[min(len(asked), len(logs)) - 1]
    prove.wp = wp
    prove.lean.copy = lambda source, to, kept: os.makedirs(to, exist_ok=True)
    prove.units.File = lambda path, version: type('File', (), {'near': lambda self, name, lemma: set()})()
    keep, sys.stderr = sys.stderr, open(os.devnull, 'w')
    try:
        return prove.prove('f.c', ['f'], False, os.devnull, hints).get('f', 0), asked
    finally:
        sys.stderr.close()
        sys.stderr = keep


def main():
    bad = 0

    def say(ok, name, text=''):
        nonlocal bad
        bad += not ok
        print('%s %s%s' % ('PASS' if ok else 'FAIL', name, '' if ok else ': ' + text))

    os.makedirs(prove.OUT, exist_ok=True)
    for name, logs, want in CASES:
        got = runs(logs)[0]
        say(got == want, name, '%d goals, expected %d' % (got, want))
    for goals, want in SELECTORS:
        got = prove.selectors(goals)
        say(got == want, 'labels of ' + ' '.join(goals), '%s, expected %s' % (got, want))
    # What is proved is not tried again; what no label finds is tried with all goals.
    asked = runs([log([(A, 'V'), (B, '-')]), log([(B, '-')])])[1]
    say(len(asked) == 28 and all(only == ('b',) for _, only in asked[1:]), 'only what is open is tried again', str(asked))
    far = [('assert_far_0', 'V'), ('assert_far_1', '-')]
    asked = runs([log(far)])[1]
    say(asked[-1][1] == ('far', 'far_0', 'far_1'), 'all goals of a name are tried together', str(asked[-1]))
    asked = runs([log([(A, 'V'), (B, '-')]), log([('ensures_b', 'V')]), log([(A, 'V'), (B, 'V')])])[1]
    say([only for _, only in asked] == [(), ('b',), ()], 'all goals, where no label finds what is open', str(asked))
    # A step that gave up before its time is not tried for longer; one that proved something is said, and tried first.
    asked = runs([log([(A, '?'), (B, '?')])])[1]
    say([t for t, _ in asked] == [2, 4, 4, 4, 4, 4, 60, 60], 'what gave up is not tried for longer', str(asked))
    asked = runs([log([(A, '-'), (B, '?')])])[1]
    say(len(asked) == 28, 'what ran out of time is tried for longer', str(asked))
    hints = Hints([(25, 'z3', 'none')])
    asked = runs([log([(A, 'V'), (B, '-')]), log([(B, 'V')])], hints)[1]
    say([t for t, _ in asked] == [2, 25] and hints.said == [(25, 'z3', 'none')], 'a hint is tried first, and said again', str((asked, hints.said)))
    asked = runs([log([(A, 'V'), (B, '-')]), log([(B, '-')]), log([(B, 'V')])], hints)[1]
    say([t for t, _ in asked] == [2, 25, 4] and hints.said == [(4, 'z3', 'near')], 'a hint that does not help is replaced', str((asked, hints.said)))
    print('%d failed' % bad)
    return 1 if bad else 0


sys.exit(main())
