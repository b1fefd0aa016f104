"""The keys of the units of proof (acsl/units.py): what a proof rests on is in them, and nothing else.
usage: units.py"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'acsl'))
import units

BASE = '''# 1 "c/x/a.c"
#define LIMIT 8
struct pair {
    int a, b;
};
struct other {
    int z;
};
/*@
predicate small(integer x) = 0 <= x < LIMIT;
predicate fits{L}(struct pair *p) = \\valid(p) && small(p->a);
predicate unused(integer x) = x == 3;
lemma small_more: \\forall integer x; small(x) ==> x < 9;
axiomatic Count {
  logic integer count(integer n);
  axiom count_none: count(0) == 0;
}
*/
/*@ requires p: fits(p);
    assigns p->a;
    ensures a: p->a == 0;
*/
void clear(struct pair *p)
{
    p->a = 0;
}
/*@ requires p: fits(p);
    assigns p->a, p->b;
    ensures b: p->b == count(0);
*/
void both(struct pair *p)
{
    clear(p);
    p->b = 0;
    /*@ assert none: count(0) == 0; */
}
/*@ assigns \\nothing; */
int alone(int x)
{
    return x;
}
'''

# NAME, (old text, new text), units whose key changes; the others keep theirs.
CASES = [
    ('a contract', ('ensures a: p->a == 0;', 'ensures a: p->a <= 0;'), {'clear', 'both'}),
    ('a body', ('    p->a = 0;', '    p->a = 0 * 1;'), {'clear'}),
    ('an assertion in a body', ('assert none: count(0) == 0', 'assert none: 0 == count(0)'), {'both'}),
    ('a predicate', ('0 <= x < LIMIT', '0 <= x <= LIMIT'), {'clear', 'both', 'lemma:small_more'}),
    ('a macro of a predicate', ('#define LIMIT 8', '#define LIMIT 7'), {'clear', 'both', 'lemma:small_more'}),
    ('an axiom', ('count(0) == 0;\n}', 'count(0) == 1;\n}'), {'both'}),
    ('a type', ('int a, b;', 'long a, b;'), {'clear', 'both'}),
    ('another type', ('int z;', 'long z;'), set()),
    ('a predicate that nothing uses', ('x == 3', 'x == 4'), set()),
    ('a lemma', ('x < 9', 'x < 10'), {'lemma:small_more'}),
    ('a comment', ('# 1 "c/x/a.c"', '# 1 "c/x/a.c"\n/* words */'), set()),
    ('white space', ('    p->a = 0;', '        p->a  =  0;'), {'clear'} if units.normal('a  =  0') != 'a = 0' else set()),
    ('the file', ('c/x/a.c', 'c/y/b.c'), set()),
]


def keys(text):
    f = units.File('c/x/a.c', 'version', text)
    return {**{n: k for n, (k, _) in f.functions().items()}, **{'lemma:' + n: k for n, (k, _) in f.lemmas().items()}}


def main():
    bad = 0
    base = keys(BASE)
    if set(base) != {'clear', 'both', 'alone', 'lemma:small_more'}:
        print('FAIL units: %s' % sorted(base))
        bad += 1
    for name, (old, new), want in CASES:
        if BASE.count(old) != 1:
            print('FAIL %s: the text is not there once' % name)
            bad += 1
            continue
        changed = {n for n, k in keys(BASE.replace(old, new)).items() if base.get(n) != k}
        ok = changed == want
        print('%s %s: %s' % ('PASS' if ok else 'FAIL', name, 'as expected' if ok else 'changes %s, expected %s' % (sorted(changed), sorted(want))))
        bad += not ok
    # A unit may be renamed: the keys are the same ones.
    renamed = keys(BASE.replace('clear(', 'empty('))
    ok = sorted(renamed.values()) == sorted(base.values())
    print('%s a function renamed' % ('PASS' if ok else 'FAIL'))
    bad += not ok
    # The version of Frama-C is in every key.
    f = units.File('c/x/a.c', 'another version', BASE)
    ok = not {k for k, _ in f.functions().values()} & set(base.values())
    print('%s another Frama-C' % ('PASS' if ok else 'FAIL'))
    bad += not ok
    print('%d failed' % bad)
    return 1 if bad else 0


sys.exit(main())
