"""What acsl/prove.py counts as proved, when WP (here: what it would print) is run several times on one function.
usage: prove_runs.py"""
import io
import os
import re
import shutil
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
    (['f_ensures_a'], ['a']), (['f_ensures_det_part14'], ['det']), (['f_assert_far_0'], ['far', 'far_0']), (['f_loop_invariant_same_2_preserved'], ['same', 'same_2']),
    (['f_call_g_requires_valid', 'f_assert_rte_mem_access_3'], ['rte', 'valid']), (['f_loop_assigns_part2'], ['@assigns']),
    (['f_terminates', 'f_loop_variant_decrease'], ['@terminates', '@variant']), (['f_ensures_a', 'f_complete_some'], []),
]


def hints_of(text):
    """The hints of a file with this text, and what is said of it."""
    path = os.path.join(prove.OUT, 'hints-of-test.txt')
    with open(path, 'w') as out:
        out.write(text)
    keep, sys.stderr = sys.stderr, io.StringIO()
    try:
        return prove.hint.Hints(path), sys.stderr.getvalue()
    finally:
        sys.stderr = keep


def runs(logs, hints=None, cores=None):
    """The goals of f that are proved by runs with these logs, and what was asked: (seconds, labels, lemmas in sight beside f; None: all). cores: what
    the proofs of a run of all lemmas used."""
    asked, kept = [], []

    def wp(host, functions, lemmas, provers, timeout, acsl='acsl', only=(), jobs='1', keep=None):
        asked.append((timeout, tuple(only), None if acsl == 'acsl' else kept[-1] - {'f'}))
        said = logs[min(len(asked), len(logs)) - 1]
        for k, who in enumerate(w for w, _, rest in prove.GOAL.findall(said) if ': Valid' in rest) if keep else ():
            open(os.path.join(keep, '%06d-%s-1.smt2' % (k, who.split()[0].lower())), 'w').close()
        return said

    def copy(source, to, lemmas):
        os.makedirs(to, exist_ok=True)
        kept.append(lemmas)
    prove.wp, prove.lean.copy = wp, copy
    prove.hint.core = lambda path, seconds: cores
    prove.units.File = lambda path, version: type('File', (), {
        'near': lambda self, name, lemma: set(), 'lemma_texts': lambda self: {'some': '', 'other': ''}})()
    keep, sys.stderr = sys.stderr, open(os.devnull, 'w')
    try:
        return prove.prove('f.c', ['f'], False, os.devnull, hints, '1', cores is not None).get('f', 0), asked
    finally:
        sys.stderr.close()
        sys.stderr = keep


TASK = '''(set-option :produce-models true)
(declare-fun p (Int) Bool)
;; Q_used
(assert
  (forall ((x Int)) (=> (p x) (p (+ x 1)))))

;; Q_idle
(assert (forall ((x Int)) (=> (p x) (p (* x 2)))))

(push)
(check-sat)
(get-model)

;; Goal wp_goal
(assert (not (=> (p 0) (p 1))))

(check-sat)
(get-info :reason-unknown)
'''


def cores_named():
    text = prove.hint.named(TASK)
    ok = text.count(':named') == 2 and '(get-model' not in text and text.count('(check-sat)') == 1 and '(push' not in text \
        and re.search(r'\(assert \(! \(forall \(\(x Int\)\) \(=> \(p x\) \(p \(\* x 2\)\)\)\) :named \|lemma:\d+:Q?_?idle\|\)\)', ' '.join(text.split()))
    return bool(ok), 'the lemmas of a task are named', text


def used_by(lost):
    """What f and g are said to use when a run proves goals of both; lost: a file that the provers did not keep."""
    said = ''.join('[wp] [%s] Goal typed_%s : Valid (1s)%s\n' % (who, goal, rest) for who, goal, rest in [
        ('CVC4 1.8', 'f_ensures_a', ''), ('Qed', 'f_ensures_c', ''), ('Z3 4.8.12 (counterexamples)', 'g_ensures_a', ''),
        ('Z3 4.8.12', 'g_ensures_b', ' (cached)'), ('Z3 4.8.12', 'f_ensures_b', '')])
    keep = os.path.join(prove.OUT, 'keep-of-test')
    os.makedirs(keep)
    for k, who in enumerate(('cvc4', 'z3', 'z3')):
        if k != lost:
            open(os.path.join(keep, '%06d-%s-1.smt2' % (k, who)), 'w').close()
    prove.hint.core = lambda path, seconds: None if os.path.basename(path)[5] == '0' and lost is None else {os.path.basename(path)[5]}
    a = prove.Attempt('f.c', ['f', 'g'], False, os.devnull, '1', True)
    a.look(['f', 'g'], said, keep)
    shutil.rmtree(keep)
    return a.used


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
    tries = 1 + sum(len(kinds) for _, kinds in prove.steps())
    # What is proved is not tried again; what no label finds is tried with all goals.
    asked = runs([log([(A, 'V'), (B, '-')]), log([(B, '-')])])[1]
    say(len(asked) == tries and all(only == ('b',) for _, only, _ in asked[1:]), 'only what is open is tried again', str(asked))
    far = [('assert_far_0', 'V'), ('assert_far_1', '-')]
    asked = runs([log(far)])[1]
    say(asked[-1][1] == ('far', 'far_0', 'far_1'), 'all goals of a name are tried together', str(asked[-1]))
    asked = runs([log([(A, 'V'), (B, '-')]), log([('ensures_b', 'V')]), log([(A, 'V'), (B, 'V')])])[1]
    say([only for _, only, _ in asked] == [(), ('b',), ()], 'all goals, where no label finds what is open', str(asked))
    # A step that gave up before its time is not tried for longer; one that proved something is said, and tried first.
    asked = runs([log([(A, '?'), (B, '?')])])[1]
    say([t for t, _, _ in asked] == [2, 4, 4, 4, 4, 4, 60, 60], 'what gave up is not tried for longer', str(asked))
    asked = runs([log([(A, '-'), (B, '?')])])[1]
    say(len(asked) == tries, 'what ran out of time is tried for longer', str(asked))
    both, half, one, none = log([(A, 'V'), (B, 'V')]), log([(A, 'V'), (B, '-')]), log([(B, 'V')]), log([(B, '-')])
    # NAME, the line of hints.txt, the logs, what is asked, goals proved, the line then (LEARN: that, where the cores are looked at).
    for name, line, logs, want, goals, then, learn in [
            ('a hint is tried first', 'f z3:all:25', [half, none, one], [(1, (), set()), (2, ('b',), None), (25, ('b',), None)], 2,
             'f z3:all:25', None),
            ('a hint that does not help is replaced', 'f z3:all:25', [half, none, none, one],
             [(1, (), set()), (2, ('b',), None), (25, ('b',), None), (4, ('b',), set())], 2, 'f cvc4:near:4', None),
            ('the lemmas of a hint are what is in sight', 'f cvc4:=some,other:3', [both], [(3, (), {'some', 'other'})], 2,
             'f cvc4:=other,some:3', {'some'}),
            ('what a hint without a lemma leaves open is proved with all', 'f cvc4:=some:3', [half, one], [(3, (), {'some'}), (2, ('b',), None)],
             2, 'f cvc4:=some:3', None),
            ('the lemma that a hint lacks is added', 'f cvc4:=some:3', [half, one], [(3, (), {'some'}), (2, ('b',), None)], 2,
             'f cvc4:=other,some:2', {'other'}),
            ('a lemma that is gone', 'f cvc4:=gone:3', [half, one], [(3, (), {'gone'}), (2, ('b',), None)], 2, 'f cvc4:=gone,other:2', {'other'}),
            ('a hint is no proof', 'f cvc4:=some:3', [half, none], None, 0, 'f cvc4:=some:3', {'other'}),
            ('other goals than with all lemmas', 'f cvc4:=some:3', [log([(A, 'V'), ('assert_c', '-')]), log([]), half, none], None, 0,
             'f cvc4:=some:3', {'other'}),
            ('a run of a hint that breaks off is tried with other provers', '', [log([(A, 'V')], end=False), half, one],
             [(1, (), set()), (1, (), set()), (2, ('b',), None)], 2, 'f cvc4,z3:=other:2', {'other'}),
            ('a run of a hint that breaks off twice', 'f cvc4:=some:3', [log([(A, 'V')], end=False)] * 2 + [half, one],
             [(3, (), {'some'}), (3, (), {'some'}), (2, (), None), (4, ('b',), set())], 2, 'f cvc4:=other,some:2 cvc4:near:4', {'other'}),
            ('an error of the file without a lemma', 'f cvc4:=some:3', ['[kernel] User Error: no\n', both], [(3, (), {'some'}), (2, (), None)], 2,
             'f cvc4:=some:3', None),
            ('no hint is needed', '', [both.replace('CVC4', 'Z3')], [(1, (), set())], 2, '', {'other'}),
            ('the first prover loses its time', '', [both], [(1, (), set())], 2, 'f cvc4,z3-ce:=:2', {'other'}),
            ('what was used is a hint', '', [half, one], [(1, (), set()), (2, ('b',), None)], 2, 'f cvc4,z3-ce:=some:2', {'some', 'Axiom'})]:
        hints, _ = hints_of(line + '\n')
        got, asked = runs(logs, hints, learn)
        hints.write()
        rows = ' | '.join(prove.lines(hints.path))
        say(got == goals and rows == then and asked == (want or asked), name, '%d goals, %s, then %s' % (got, asked, rows))
    for line in ('f', 'f cvc4', 'f cvc4:some:2', 'f cvc4:=some:x', 'f cvc4:=some:0', 'f qed:all:2', 'f z3:all:4 cvc4:=some:2', 'f cvc4:=a-b:2', ':'):
        hints, said = hints_of(line + '\ng z3:all:4\n')
        say(hints.steps == {'g': [(4, 'z3', 'all')]} and line in said, 'a damaged hint: ' + line, said + str(hints.steps))
    hints, _ = hints_of('f cvc4:=gone,some:2 z3:all:4\ng z3:all:4\nlost z3:all:4\n')
    hints.prune({'f', 'g'}, {'some', 'other'})
    hints.write()
    say(prove.lines(hints.path) == ['f cvc4:=some:2 z3:all:4', 'g z3:all:4'], 'hints of what is gone are dropped', str(hints.steps))
    three, rows = [], '[wp] [%s] Goal typed_lemma_f%s\n[wp] [%s] Goal typed_lemma_g%s\n[wp] Proved goals: 1 / 2\n'
    texts = [rows % ('Z3 4.8.12', ' : Valid', 'Failed', ''), '[wp] [Z3 4.8.12] Goal typed_lemma_g : Valid\n[wp] Proved goals: 1 / 1\n']
    prove.wp = lambda host, functions, lemmas, *more, **keep: three.append((lemmas, more[2].split('-')[0])) or texts[len(three) - 1]
    hints, _ = hints_of('lemma:f z3:=:2\nlemma:g z3:=:2\n')
    prove.hint.core = lambda path, seconds: {'other'}
    got = prove.prove('f.c', ['f', 'g'], True, os.devnull, hints, '1', True)
    say(got == {'f': 1, 'g': 1} and three == [(['f', 'g'], prove.OUT + '/lean'), (['g'], 'acsl')], 'open lemmas are tried together',
        str((got, three, hints.steps)))
    texts, keep = ['[wp] [Z3 4.8.12] Goal typed_lemma_f : Valid\n[wp] Proved goals: 1 / 1\n'], []
    prove.wp = lambda host, functions, lemmas, provers, timeout, acsl, only, jobs, kept: keep.append((acsl, timeout, kept)) or texts[0]
    got = prove.prove('f.c', ['f'], True, os.devnull, hints_of('')[0], '1', True)
    say(got == {'f': 1} and keep == [('acsl', 2, None)], 'a lemma without a hint is tried with all', str((got, keep)))
    used = used_by(None)
    say(used == {'f': {'2'}, 'g': {'1'}}, 'a proof is of the goal at its place in the log', str(used))
    used = used_by(0)
    say(used == {'f': {'1', '2'}, 'g': {'1', '2'}}, 'where files are missing all units may have used a lemma', str(used))
    say(*cores_named())
    print('%d failed' % bad)
    return 1 if bad else 0


sys.exit(main())
