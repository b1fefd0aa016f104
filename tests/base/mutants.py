"""What acsl/mutants.py takes for a kill, when WP (here: what it would print) says this or that of the function and of its mutation.
usage: mutants.py"""
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.insert(0, os.path.join(ROOT, 'acsl'))
sys.dont_write_bytecode = True
os.chdir(ROOT)
import mutants
import prove

SOURCE = '''int g(int x);
/*@ ensures \\result == x + 1; */
int f(int x)
{
    /*@ assert x + 1 > x; */
    return x + 1;
}

int h(int x)
{
    return x + 1;
}
'''
# FUNCTION, FROM, TO, the line that is changed (from 0), or None.
PLACES = [('f', 'x + 1', 'x + 2', 5), ('h', 'x + 1', 'x', 10), ('f', 'x - 1', 'x', None), ('g', 'x', 'y', None), ('k', 'x', 'y', None)]
A, B = 'ensures_a', 'assert_b'


def log(goals):
    """A log with these goals of f: proved in so many seconds, or (0) open."""
    rows = ['[wp] [CVC4 1.8] Goal typed_f_%s : Valid (%ds) (7)' % (g, s) if s else '[wp] [Timeout] Goal typed_f_%s (1s)' % g for g, s in goals]
    return '\n'.join(rows + ['[wp] Proved goals: %d / %d' % (sum(s > 0 for _, s in goals), len(goals))]) + '\n'


# NAME, goal in the table, log of f as it is and of its mutation with that goal alone, is it a kill, seconds given to the mutation.
ONE = [
    ('the goal breaks', 'f_ensures_a', log([(A, 1)]), log([(A, 0)]), True, 3),
    ('the goal breaks in three times what its proof took', 'f_ensures_a', log([(A, 2)]), log([(A, 0)]), True, 6),
    ('the goal is still proved', 'f_ensures_a', log([(A, 1)]), log([(A, 1)]), False, 3),
    ('the goal is open of the function as it is', 'f_ensures_a', log([(A, 0)]), log([(A, 0)]), False, None),
    ('there is no such goal', 'f_ensures_a', log([(B, 1)]), log([(B, 0)]), False, None),
    ('the mutation has no such goal', 'f_ensures_a', log([(A, 1)]), log([(B, 0)]), False, 3),
    ('a goal without a label', 'f_complete', log([]), log([]), False, None),
]
# NAME, log of f as it is, of its mutation, and of an open goal alone for longer; the goal that breaks, '' for none, None: no proof.
ANY = [
    ('a goal breaks', log([(A, 1), (B, 1)]), log([(A, 1), (B, 0)]), log([(B, 0)]), 'f_assert_b'),
    ('what is open of both does not count', log([(A, 1), (B, 0)]), log([(A, 1), (B, 0)]), log([(B, 0)]), ''),
    ('what is open in three times its time counts at once', log([(A, 1), (B, 3)]), log([(A, 1), (B, 0)]), log([(B, 9)]), 'f_assert_b'),
    ('what the function as it is has not is tried again', log([(A, 1)]), log([(A, 1), (B, 0)]), log([(B, 9)]), ''),
    ('what is open for want of time does not count', log([(A, 1), (B, 9)]), log([(A, 1), (B, 0)]), log([(B, 9)]), ''),
    ('all is proved', log([(A, 1)]), log([(A, 1)]), log([]), ''),
    ('no proof of the function', '[kernel] User Error: no\n', log([(A, 0)]), log([(A, 0)]), None),
    ('no proof of the mutation', log([(A, 1)]), '[kernel] User Error: no\n', log([]), None),
]


def main():
    bad = 0

    def say(ok, name, text):
        nonlocal bad
        bad += not ok
        print('%s %s%s' % ('PASS' if ok else 'FAIL', name, '' if ok else ': ' + text))

    for function, change, to, line in PLACES:
        text = mutants.mutate(SOURCE, function, change, to)
        rows = SOURCE.split('\n')
        if line is not None:
            rows[line] = rows[line].replace(change, to)
        say(text == (None if line is None else '\n'.join(rows)), "%s: '%s' -> '%s'" % (function, change, to), str(text))
    for name, goal, was, now, kill, seconds in ONE:
        given = []

        def wp(host, functions, lemmas, provers, timeout, acsl='acsl', only=(), jobs='1'):
            given.append(timeout)
            return was if host == 'f.c' else now
        prove.wp = wp
        got = mutants.Kills().one_goal(mutants.Mutant(1, 'f.c | f | x | y | ' + goal), 'changed.c')
        say(got == kill and (given[1] if len(given) > 1 else None) == seconds, name, '%s, seconds %s' % (got, given))
    for name, was, now, alone, want in ANY:
        mutants.run = lambda path, function, known=None: was if path == 'f.c' else now
        prove.wp = lambda *rest: alone
        got = mutants.Kills().any_goal(mutants.Mutant(1, 'f.c | f | x | y'), 'changed.c')
        say(got == want, name, repr(got))
    print('%d failed' % bad)
    return 1 if bad else 0


sys.exit(main())
