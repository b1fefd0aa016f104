#include "attr/memo_table.h"

/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  count:    \result == n_kids(t, i) && 0 <= \result;
*/
static int count_kids(struct attr_put t, int i)
{
    /*@ assert ok: expr_ok(t, i); */
    switch (t.node[i].kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
    case ATTR_SYMBOL:
        return 0;
    case ATTR_UNARY:
    case ATTR_REDUCE:
    case ATTR_INST:
        return 1;
    case ATTR_BINARY:
    case ATTR_PROJ:
    case ATTR_VAR:
    case ATTR_MAP:
        return 2;
    default:
        return t.node[i].b;
    }
}

/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    requires kid:      0 <= k < n_kids(t, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kid:      \result == kid_of(t, i, k);
    ensures  less:     0 <= \result < i;
*/
static int kid(struct attr_put t, int i, int k)
{
    int kind = t.node[i].kind;

    /*@ assert ok: expr_ok(t, i); */
    if (kind == ATTR_TUPLE || kind == ATTR_COND || kind == ATTR_MATCH || kind == ATTR_FUNC) {
        /*@ assert kid: child_ok(t, i, t.kid[t.node[i].a + k]); */
        return t.kid[t.node[i].a + k];
    }
    return kind == ATTR_INST || k > 0 ? t.node[i].b : t.node[i].a;
}

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

/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires classes:  classes_ok(m, vs, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hash:     \result == hash_of(EX(i));
*/
static unsigned long hash(struct memo_view m, struct values vs, int i)
{
    unsigned long h = root_hash(m, vs, i);
    int n = count_kids(m.t, i);

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant part:  h == part_hash(EX(i), k);
        loop assigns k, h;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int c = kid(m.t, i, k);
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
    int n = count_kids(m.t, i);

    if (!same_root(m, vs, i, j) || count_kids(m.t, j) != n)
        return 0;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  \forall integer l; 0 <= l < k ==> x_kid(EX(i), l) == x_kid(EX(j), l);
        loop assigns k;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = kid(m.t, i, k), y = kid(m.t, j, k);
        /*@ assert kids:  x_kid(EX(i), k) == EX(x) && x_kid(EX(j), k) == EX(y); */
        /*@ assert first: class_ok(m, vs, x) && class_ok(m, vs, y); */
        /*@ assert least: EX(x) == EX(y) ==> m.of[x].first >= m.of[y].first && m.of[x].first <= m.of[y].first; */
        if (m.of[x].first != m.of[y].first)
            return 0;
    }
    return 1;
}

/* Some position is free when fewer than all are taken. */
/*@ ghost
/@ requires valid:    0 <= size && \valid_read(table + (0 .. size - 1));
   requires some:     taken(table, size) < size;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  free:     \exists integer p; 0 <= p < size && table[p] < 0;
@/
void some_free(int *table, int size)
{
    /@ loop invariant range: 0 <= k <= size;
       loop invariant free:  taken(table, k) < k ==> \exists integer p; 0 <= p < k && table[p] < 0;
       loop assigns k;
       loop variant size - k;
    @/
    for (int k = 0; k < size; k++)
        ;
}
*/

/* The position of the first node that is the same expression as i, or, when none is, a free one on the way from home. */
/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires index:    index_ok(m, vs, i);
    requires free:     \exists integer p; 0 <= p < m.size && m.table[p] < 0;
    requires hash:     h == hash_of(EX(i));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    0 <= \result < m.size;
    ensures  found:    m.table[\result] >= 0 ==> m.table[\result] < i && EX(m.table[\result]) == EX(i);
    ensures  absent:   m.table[\result] < 0 ==> absent(m, vs, i);
    ensures  full:     full(m, home(h, m.size), \result);
*/
static int find(struct memo_view m, struct values vs, int i, unsigned long h)
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
            /*@ assert way: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==>
                            home(m.of[m.table[q]].hash, m.size) == start ==> EX(m.table[q]) != EX(i); */
            /*@ assert none: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==> EX(m.table[q]) != EX(i); */
            return p;
        }
        if (same_expr(m, vs, i, m.table[p]))
            return p;
        p = p + 1 < m.size ? p + 1 : 0;
    }
    /*@ assert never: \false; */
    return p;
}

/* table[p] = x: at most one more position is taken. */
/*@ requires valid:    0 <= p < size && \valid(table + (0 .. size - 1));
    terminates \true;
    exits    never:    \false;
    assigns  table[p];
    ensures  put:      table[p] == x;
    ensures  rest:     \forall integer q; 0 <= q < size ==> q != p ==> table[q] == \old(table[q]);
    ensures  taken:    taken(table, size) <= taken{Pre}(table, size) + 1;
*/
static void put(int *table, int size, int p, int x)
{
    (void)size;
    table[p] = x;
    /*@ assert rest: \forall integer q; 0 <= q < size ==> q != p ==> table[q] == \at(table[q], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= k <= size;
           loop invariant taken: taken(table, k) <= taken{Pre}(table, k) + (p < k ? 1 : 0);
           loop assigns k;
           loop variant size - k;
        @/
        for (int k = 0; k < size; k++)
            ;
    */
}

/*@ requires valid:    0 <= size && \valid(table + (0 .. size - 1));
    terminates \true;
    exits    never:    \false;
    assigns  table[0 .. size - 1];
    ensures  clear:    \forall integer p; 0 <= p < size ==> table[p] == -1;
    ensures  taken:    taken(table, size) == 0;
*/
static void clear(int *table, int size)
{
    /*@ loop invariant range: 0 <= k <= size;
        loop invariant clear: \forall integer p; 0 <= p < k ==> table[p] == -1;
        loop assigns k, table[0 .. size - 1];
        loop variant size - k;
    */
    for (int k = 0; k < size; k++)
        table[k] = -1;
    /*@ ghost
        /@ loop invariant range: 0 <= k <= size;
           loop invariant taken: taken(table, k) == 0;
           loop assigns k;
           loop variant size - k;
        @/
        for (int k = 0; k < size; k++)
            ;
    */
}

/* Node i, whose hash is h, is the first in its class when position p is free, else in the class of what stands there. */
/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires index:    index_ok(m, vs, i);
    requires hash:     h == hash_of(EX(i));
    requires found:    0 <= p < m.size && (m.table[p] >= 0 ==> m.table[p] < i && EX(m.table[p]) == EX(i));
    requires absent:   m.table[p] < 0 ==> absent(m, vs, i);
    requires full:     full(m, home(h, m.size), p);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[i], m.table[p];
    ensures  valid:    valid_memo(m, vs);
    ensures  index:    index_ok(m, vs, i + 1);
    ensures  taken:    taken(m.table, m.size) <= taken{Pre}(m.table, m.size) + 1;
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
*/
static void enter_at(struct memo_view m, struct values vs, int i, unsigned long h, int p)
{
    int first = m.table[p] < 0 ? i : m.table[p];

    (void)vs;
    /*@ assert was: entry_ok(m, p, i); */
    m.of[i].first = first;
    m.of[i].hash = h;
    put(m.table, m.size, p, first);
    /*@ assert arena:  same_arena{Pre,Here}(m.t); */
    /*@ assert values: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ready:  wf_arena(m.t) && WF_VALUES(vs); */
    /*@ assert ext:    extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert trees:  \forall integer j; 0 <= j < m.t.n ==> EX(j) == \at(EX(j), Pre); */
    /*@ assert rest:   \forall integer j; 0 <= j < i ==>
                       m.of[j].first == \at(m.of[j].first, Pre) && m.of[j].hash == \at(m.of[j].hash, Pre); */
    /*@ assert table:  \forall integer q; 0 <= q < m.size ==> q != p ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert grown:  \forall integer q; 0 <= q < m.size ==> \at(m.table[q], Pre) >= 0 ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert old:    \forall integer j; 0 <= j < i ==> class_ok{Pre}(m, vs, j) && hash_ok{Pre}(m, vs, j) &&
                       class_ok(m, vs, j) && hash_ok(m, vs, j); */
    /*@ assert new:    class_ok(m, vs, i) && hash_ok(m, vs, i); */
    /*@ assert classes: classes_ok(m, vs, i + 1); */
    /*@ assert ways:   \forall integer g, q; full{Pre}(m, g, q) ==> full(m, g, q); */
    /*@ assert others: \forall integer q; 0 <= q < m.size ==> q != p ==> entry_ok{Pre}(m, q, i) && entry_ok(m, q, i + 1); */
    /*@ assert place:  entry_ok(m, p, i + 1); */
    /*@ assert entries: entries_ok(m, i + 1); */
    /*@ assert stand:  \forall integer j; 0 <= j < i ==> stands{Pre}(m, m.of[j].first) && stands(m, m.of[j].first); */
    /*@ assert mine:   stands(m, m.of[i].first); */
    /*@ assert all:    all_stand(m, i + 1); */
}

/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires index:    index_ok(m, vs, i);
    requires taken:    taken(m.table, m.size) <= i;
    terminates \true;
    exits    never:    \false;
    assigns  m.of[i], m.table[0 .. m.size - 1];
    ensures  valid:    valid_memo(m, vs);
    ensures  index:    index_ok(m, vs, i + 1);
    ensures  taken:    taken(m.table, m.size) <= i + 1;
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
*/
static void enter(struct memo_view m, struct values vs, int i)
{
    unsigned long h = hash(m, vs, i);
    /*@ ghost some_free(m.table, m.size); */
    int p = find(m, vs, i, h);

    enter_at(m, vs, i, h, p);
}

void memo_classify(struct memo_view m, struct values vs)
{
    clear(m.table, m.size);
    /*@ assert arena: same_arena{Pre,Here}(m.t) && same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ready: wf_arena(m.t) && WF_VALUES(vs); */
    /*@ loop invariant range: 0 <= i <= m.t.n;
        loop invariant valid: valid_memo(m, vs);
        loop invariant index: index_ok(m, vs, i);
        loop invariant taken: taken(m.table, m.size) <= i;
        loop invariant same:  same_arena{Pre,Here}(m.t) && same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop assigns i, m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
        loop variant m.t.n - i;
    */
    for (int i = 0; i < m.t.n; i++)
        enter(m, vs, i);
    /*@ assert least: \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i); */
    /*@ assert trees: \forall integer i, j; 0 <= i < m.t.n ==> 0 <= j < m.t.n ==> class_ok(m, vs, i) ==> class_ok(m, vs, j) ==>
                      EX(i) == EX(j) ==> m.of[i].first <= m.of[j].first; */
}
