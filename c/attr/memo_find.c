#include "attr/memo_find.h"

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  mixed:    \result == mix(h, x);
*/
static unsigned long mix(unsigned long h, unsigned long x)
{
    return (h ^ x) * 0x9e3779b97f4a7c15UL;
}

/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hash:     \result == root_hash(EX(i));
*/
static unsigned long root_hash(struct memo_view m, struct values vs, int i)
{
    int kind = m.t.node[i].kind, a = m.t.node[i].a;
    unsigned long h = mix((unsigned long)kind, (unsigned long)m.t.node[i].op);

    /*@ assert ok:   expr_ok(m.t, i); */
    /*@ assert root: h == kind_hash(EX(i)); */
    if (kind == ATTR_CONST) {
        /*@ assert value: x_const(EX(i)) == val(VALS(vs), a) && 0 <= a < vs.n; */
        h = mix(mix(h, (unsigned long)vs.v[a].kind), (unsigned long)vs.v[a].num);
        return mix(h, vs.v[a].kind == VALUE_TUPLE ? (unsigned long)vs.v[a].len : 0);
    }
    return kind == ATTR_ACCESS || kind == ATTR_INST ? mix(h, (unsigned long)a) : h;
}

unsigned long memo_hash(struct memo_view m, struct values vs, int i)
{
    unsigned long h = root_hash(m, vs, i);
    int n = attr_kids(m.t, i);

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant part:  h == part_hash(EX(i), k);
        loop assigns k, h;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int c = attr_kid(m.t, i, k);
        /*@ assert kid:  x_kid(EX(i), k) == EX(c) && hash_ok(m, vs, c); */
        /*@ assert step: part_hash(EX(i), k + 1) == mix(part_hash(EX(i), k), hash_of(EX(c))); */
        h = mix(h, m.of[c].hash);
    }
    return h;
}

/* Do the roots of i and j say the same besides their children? */
/*@ requires valid:    valid_memo(m, vs);
    requires nodes:    0 <= i < m.t.n && 0 <= j < m.t.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     \result == 1 <==> x_kind(EX(i)) == x_kind(EX(j)) && x_op(EX(i)) == x_op(EX(j)) &&
                       (x_kind(EX(i)) == ATTR_CONST ==> x_const(EX(i)) == x_const(EX(j))) &&
                       (slot_kind(x_kind(EX(i))) ==> x_slot(EX(i)) == x_slot(EX(j)));
*/
static int same_root(struct memo_view m, struct values vs, int i, int j)
{
    int kind = m.t.node[i].kind, a = m.t.node[i].a, b = m.t.node[j].a;

    /*@ assert ok: expr_ok(m.t, i) && expr_ok(m.t, j); */
    if (kind != m.t.node[j].kind || m.t.node[i].op != m.t.node[j].op)
        return 0;
    if (kind == ATTR_CONST)
        return value_same(vs, a, b);
    return (kind != ATTR_ACCESS && kind != ATTR_INST) || a == b;
}

/* Is j the same expression as i? */
/*@ requires valid:    valid_memo(m, vs);
    requires nodes:    0 <= j < i < m.t.n;
    requires classes:  classes_ok(m, vs, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     \result == 1 <==> EX(i) == EX(j);
*/
static int same_expr(struct memo_view m, struct values vs, int i, int j)
{
    int n = attr_kids(m.t, i);

    if (!same_root(m, vs, i, j) || attr_kids(m.t, j) != n)
        return 0;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  \forall integer l; 0 <= l < k ==> x_kid(EX(i), l) == x_kid(EX(j), l);
        loop assigns k;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(m.t, i, k), y = attr_kid(m.t, j, k);
        /*@ assert kids:  x_kid(EX(i), k) == EX(x) && x_kid(EX(j), k) == EX(y); */
        /*@ assert first: class_ok(m, vs, x) && class_ok(m, vs, y); */
        /*@ assert least: EX(x) == EX(y) ==> m.of[x].first >= m.of[y].first && m.of[x].first <= m.of[y].first; */
        if (m.of[x].first != m.of[y].first)
            return 0;
    }
    return 1;
}

int memo_find(struct memo_view m, struct values vs, int i, unsigned long h)
{
    int start = (int)((unsigned)(h >> 32) % (unsigned)m.size), p = start;

    /*@ assert home: start == home(h, m.size) && 0 <= start < m.size; */
    /*@ loop invariant range: 0 <= d <= m.size && p == (start + d < m.size ? start + d : start + d - m.size);
        loop invariant full:  d < m.size ==> full(m, start, p);
        loop invariant other: \forall integer q; 0 <= q < m.size ==> between(start, q, p) ==> EX(m.table[q]) != EX(i);
        loop invariant all:   d == m.size ==> \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0;
        loop assigns d, p;
        loop variant m.size - d;
    */
    for (int d = 0; d < m.size; d++) {
        /*@ assert entry: entry_ok(m, p, i); */
        if (m.table[p] < 0) {
            /*@ assert same: \forall integer j; 0 <= j < i ==> EX(j) == EX(i) ==>
                             class_ok(m, vs, j) && stands(m, m.of[j].first) && hash_ok(m, vs, m.of[j].first); */
            /*@ assert beyond: \forall integer q; 0 <= q < m.size ==> q != p ==> !between(start, q, p) ==> between(start, p, q); */
            /*@ assert entries: \forall integer q; 0 <= q < m.size ==> entry_ok(m, q, i); */
            /*@ assert ways: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==>
                             home(m.of[m.table[q]].hash, m.size) == start ==> full(m, start, q); */
            /*@ assert near: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==>
                             full(m, start, q) ==> between(start, q, p); */
            /*@ assert way: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==>
                            home(m.of[m.table[q]].hash, m.size) == start ==> EX(m.table[q]) != EX(i); */
            /*@ assert none: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==> EX(m.table[q]) != EX(i); */
            return p;
        }
        if (same_expr(m, vs, i, m.table[p]))
            return p;
        /*@ assert differs: EX(m.table[p]) != EX(i); */
        /*@ ghost int here = p; */
        p = p + 1 < m.size ? p + 1 : 0;
        /*@ assert step: \forall integer q; 0 <= q < m.size ==> between(start, q, p) ==>
                         q == here || between(start, q, here); */
    }
    /*@ assert never: \false; */
    return p;
}
