/* The memo of an arena of expressions: equal expressions form classes, found by hash; of each class is known whether a symbol is free
   in it. Invariant: a constant that replaces an expression is its value in every environment. */
#include "attr/memo.h"

#include "attr/memo_eval.h"
#include "attr/memo_internal.h"

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
            /*@ assert hashes: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==> hash_ok(m, vs, m.table[q]); */
            /*@ assert homes: \forall integer q; 0 <= q < m.size ==> m.table[q] >= 0 ==> EX(m.table[q]) == EX(i) ==>
                              home(m.of[m.table[q]].hash, m.size) == start; */
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

#ifdef __FRAMAC__
#include "attr/memo_start.acsl"
#endif

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

/* The class of node i. */
/*@ requires room:     room_memo(m, vs) && 0 <= i < m.t.n;
    terminates \true;
    exits    never:    \false;
    assigns  m.of[i];
    ensures  set:      m.of[i].first == first && m.of[i].hash == h;
    ensures  rest:     \forall integer j; 0 <= j < m.t.n ==> j != i ==>
                       m.of[j].first == \old(m.of[j].first) && m.of[j].hash == \old(m.of[j].hash);
    ensures  table:    \forall integer q; 0 <= q < m.size ==> m.table[q] == \old(m.table[q]);
    ensures  taken:    taken(m.table, m.size) == taken{Pre}(m.table, m.size);
    ensures  same:     same_memo{Pre,Post}(m, vs);
*/
static void set_class(struct memo_view m, struct values vs, int i, int first, unsigned long h)
{
    (void)vs;
    m.of[i].first = first;
    m.of[i].hash = h;
    /*@ assert table: \forall integer q; 0 <= q < m.size ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t); */
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ ghost
        /@ loop invariant range: 0 <= k <= m.size;
           loop invariant taken: taken(m.table, k) == taken{Pre}(m.table, k);
           loop assigns k;
           loop variant m.size - k;
        @/
        for (int k = 0; k < m.size; k++)
            ;
    */
}

/* table[p] = x: at most one more position is taken. */
/*@ requires room:     room_memo(m, vs) && 0 <= p < m.size;
    terminates \true;
    exits    never:    \false;
    assigns  m.table[p];
    ensures  put:      m.table[p] == x;
    ensures  rest:     \forall integer q; 0 <= q < m.size ==> q != p ==> m.table[q] == \old(m.table[q]);
    ensures  classes:  \forall integer j; 0 <= j < m.t.n ==>
                       m.of[j].first == \old(m.of[j].first) && m.of[j].hash == \old(m.of[j].hash);
    ensures  taken:    taken(m.table, m.size) <= taken{Pre}(m.table, m.size) + 1;
    ensures  same:     same_memo{Pre,Post}(m, vs);
*/
static void put(struct memo_view m, struct values vs, int p, int x)
{
    (void)vs;
    m.table[p] = x;
    /*@ assert rest: \forall integer q; 0 <= q < m.size ==> q != p ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t); */
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ ghost
        /@ loop invariant range: 0 <= k <= m.size;
           loop invariant taken: taken(m.table, k) <= taken{Pre}(m.table, k) + (p < k ? 1 : 0);
           loop assigns k;
           loop variant m.size - k;
        @/
        for (int k = 0; k < m.size; k++)
            ;
    */
}

/*@ requires room:     room_memo(m, vs);
    terminates \true;
    exits    never:    \false;
    assigns  m.table[0 .. m.size - 1];
    ensures  clear:    \forall integer p; 0 <= p < m.size ==> m.table[p] == -1;
    ensures  taken:    taken(m.table, m.size) == 0;
    ensures  same:     same_memo{Pre,Post}(m, vs);
*/
static void clear(struct memo_view m, struct values vs)
{
    (void)vs;
    /*@ loop invariant range: 0 <= k <= m.size;
        loop invariant clear: \forall integer p; 0 <= p < k ==> m.table[p] == -1;
        loop assigns k, m.table[0 .. m.size - 1];
        loop variant m.size - k;
    */
    for (int k = 0; k < m.size; k++)
        m.table[k] = -1;
    /*@ assert kids:  same_kids{Pre,Here}(m.t); */
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ ghost
        /@ loop invariant range: 0 <= k <= m.size;
           loop invariant taken: taken(m.table, k) == 0;
           loop assigns k;
           loop variant m.size - k;
        @/
        for (int k = 0; k < m.size; k++)
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

    /*@ assert was:    entry_ok(m, p, i); */
    /*@ assert least:  m.table[p] >= 0 ==> class_ok(m, vs, m.table[p]); */
    /*@ assert first:  0 <= first <= i && EX(first) == EX(i) && \forall integer j; 0 <= j < first ==> EX(j) != EX(i); */
    set_class(m, vs, i, first, h);
    put(m, vs, p, first);
    /*@ assert arena:  same_arena{Pre,Here}(m.t); */
    /*@ assert values: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ready:  wf_arena(m.t) && WF_VALUES(vs); */
    /*@ assert trees:  same_trees{Pre,Here}(m, vs); */
    /*@ assert mine:   m.of[i].first == first && m.of[i].hash == h && m.table[p] == first; */
    /*@ assert rest:   \forall integer j; 0 <= j < i ==>
                       m.of[j].first == \at(m.of[j].first, Pre) && m.of[j].hash == \at(m.of[j].hash, Pre); */
    /*@ assert table:  \forall integer q; 0 <= q < m.size ==> q != p ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert grown:  \forall integer q; 0 <= q < m.size ==> \at(m.table[q], Pre) >= 0 ==> m.table[q] == \at(m.table[q], Pre); */
    /*@ assert grew:   grew{Pre,Here}(m, i); */
    /*@ assert old:    classes_ok(m, vs, i); */
    /*@ assert new:    class_ok(m, vs, i) && hash_ok(m, vs, i); */
    /*@ assert classes: classes_ok(m, vs, i + 1); */
    /*@ assert others: \forall integer q; 0 <= q < m.size ==> q != p ==> entry_ok{Pre}(m, q, i) && entry_ok(m, q, i + 1); */
    /*@ assert way:    full(m, home(h, m.size), p); */
    /*@ assert kept:   \at(m.table[p], Pre) >= 0 ==> entry_ok(m, p, i + 1); */
    /*@ assert place:  entry_ok(m, p, i + 1); */
    /*@ assert entries: entries_ok(m, i + 1); */
    /*@ assert stood:  all_stand(m, i); */
    /*@ assert stands: stands(m, m.of[i].first); */
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
    unsigned long h = memo_hash(m, vs, i);
    /*@ ghost some_free(m.table, m.size); */
    int p = memo_find(m, vs, i, h);

    enter_at(m, vs, i, h, p);
}

void memo_classify(struct memo_view m, struct values vs)
{
    clear(m, vs);
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

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= i < n;
    terminates \true;
    exits    never:    \false;
    assigns  of[i].next;
    ensures  put:      of[i].next == x;
    ensures  firsts:   same_firsts{Pre,Post}(of, n);
    ensures  others:   same_nexts{Pre,Post}(of, i) &&
                       \forall integer j; i < j < n ==> of[j].next == \old(of[j].next);
*/
static void put_next(struct attr_memo_class *of, int n, int i, int x)
{
    (void)n;
    of[i].next = x;
}

/* Node j is the constant v. */
/*@ requires valid:    0 <= j < n && \valid(node + (0 .. n - 1)) && \valid_read(of + (0 .. n - 1));
    requires apart:    \separated(node + (0 .. n - 1), of + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  node[j].kind, node[j].a;
    ensures  put:      is_const{Pre,Post}(node, j, v);
    ensures  others:   \forall integer i; 0 <= i < n ==> i != j ==> node_same{Pre,Post}(node, i);
    ensures  classes:  same_firsts{Pre,Post}(of, n) && same_nexts{Pre,Post}(of, n);
*/
static void put_const(struct attr_node *node, const struct attr_memo_class *of, int n, int j, int v)
{
    (void)of;
    (void)n;
    node[j].kind = ATTR_CONST;
    node[j].a = v;
}

void memo_link(struct attr_memo_class *of, int n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant firsts: same_firsts{Pre,Here}(of, n);
        loop invariant lists: lists_ok(of, i);
        loop assigns i, of[0 .. n - 1].next;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ ghost Head: ; */
        int first = of[i].first;

        /*@ assert firsts: firsts_ok(of, n); */
        /*@ assert each:   \forall integer j; 0 <= j < i ==> first_ok(of, j); */
        /*@ assert was:    \forall integer j; 0 <= j < i ==> j != first ==>
                           listed(of, j, i) && 0 <= of[j].first && of[i].first != j; */
        /*@ assert longer: \forall integer j; 0 <= j < i ==> j != first ==> listed(of, j, i + 1); */
        /*@ assert first: first_ok{Pre}(of, i) && first_ok(of, i) && (first < i ==> first_ok(of, first) && listed(of, first, i)); */
        put_next(of, n, i, first == i ? -1 : of[first].next);
        if (first != i)
            put_next(of, n, first, i);
        /*@ assert still:  same_firsts{Head,Here}(of, n); */
        /*@ assert same:   same_firsts{Pre,Here}(of, n); */
        /*@ assert nexts:  \forall integer j; 0 <= j < i ==> j != first ==> of[j].next == \at(of[j].next, Head); */
        /*@ assert new:    first == i ==> of[i].next == -1 && none_between(of, i, i, i + 1); */
        /*@ assert old:    first < i ==> greatest{Head}(of, first, of[i].next, i) && greatest(of, first, of[i].next, i); */
        /*@ assert mine:   listed(of, i, i + 1); */
        /*@ assert head:   listed(of, first, i + 1); */
        /*@ assert before: \forall integer j; 0 <= j < i ==> j != first ==> listed{Head}(of, j, i); */
        /*@ assert more:   \forall integer j; 0 <= j < i ==> j != first ==> listed{Head}(of, j, i + 1); */
        /*@ assert others: \forall integer j; 0 <= j < i ==> j != first ==> listed(of, j, i + 1); */
    }
}

void memo_put(struct attr_node *node, const struct attr_memo_class *of, int n, int f, int v)
{
    /*@ assert none: listed(of, f, n); */
    put_const(node, of, n, f, v);
    /*@ loop invariant range:   j == -1 || (f < j < n && of[j].first == f);
        loop invariant classes: same_firsts{Pre,Here}(of, n) && same_nexts{Pre,Here}(of, n);
        loop invariant become:  become{Pre,Here}(node, of, n, f, j < 0 ? f : j, v);
        loop assigns j, node[0 .. n - 1].kind, node[0 .. n - 1].a;
        loop variant j;
    */
    for (int j = of[f].next; j >= 0; j = of[j].next) {
        /*@ ghost Head: ; */
        /*@ assert first:  in_tail{Pre}(of, j, f, -1) && !in_tail{Pre}(of, j, f, j); */
        /*@ assert mine:   node_same{Pre,Here}(node, j); */
        put_const(node, of, n, j, v);
        /*@ assert firsts: same_firsts{Pre,Here}(of, n); */
        /*@ assert nexts:  same_nexts{Pre,Here}(of, n); */
        /*@ assert was:    listed{Pre}(of, j, n); */
        /*@ assert next:   greatest{Pre}(of, f, of[j].next, j); */
        /*@ assert now:    greatest(of, f, of[j].next, j); */
        /*@ assert next_tail: \forall integer i; in_tail{Pre}(of, i, f, j - 1) <==>
                           in_tail{Pre}(of, i, f, of[j].next < 0 ? f : of[j].next); */
        /*@ assert const:  is_const{Pre,Here}(node, j, v); */
        /*@ assert rest:   \forall integer i; 0 <= i < n ==> i != j ==> node_same{Head,Here}(node, i); */
        /*@ assert before: become{Pre,Head}(node, of, n, f, j, v); */
        /*@ assert tail:   \forall integer i; i != j ==> (in_tail{Pre}(of, i, f, j - 1) <==> in_tail{Pre}(of, i, f, j)); */
        /*@ assert was_in: \forall integer i; 0 <= i < n ==> i != j ==> in_tail{Pre}(of, i, f, j - 1) ==> is_const{Pre,Head}(node, i, v); */
        /*@ assert was_out: \forall integer i; 0 <= i < n ==> i != j ==> !in_tail{Pre}(of, i, f, j - 1) ==> node_same{Pre,Head}(node, i); */
        /*@ assert now_in: \forall integer i; 0 <= i < n ==> in_tail{Pre}(of, i, f, j - 1) ==> is_const{Pre,Here}(node, i, v); */
        /*@ assert now_out: \forall integer i; 0 <= i < n ==> !in_tail{Pre}(of, i, f, j - 1) ==> node_same{Pre,Here}(node, i); */
        /*@ assert done:   become{Pre,Here}(node, of, n, f, j - 1, v); */
    }
}

/* Marks the children of node i. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires marks:    \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i, j));
    requires mine:     within(t, a, i);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i - 1, j));
*/
static void mark_kids(struct attr_put t, struct attr_memo_class *of, int a, int i)
{
    int n = attr_kids(t, i);

    (void)a;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant marks: \forall integer j; 0 <= j <= a ==>
                              (of[j].marked <==> found(t, a, i, j) || kid_among(t, i, k, j));
        loop assigns k, of[0 .. a].marked;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k);
        of[x].marked = true;
        /*@ assert step: \forall integer j; kid_among(t, i, k + 1, j) <==> kid_among(t, i, k, j) || j == x; */
    }
}

void memo_mark(struct attr_put t, struct attr_memo_class *of, int a)
{
    /*@ loop invariant range: 0 <= i <= a + 1;
        loop invariant marks: \forall integer j; 0 <= j < i ==> (of[j].marked <==> j == a);
        loop assigns i, of[0 .. a].marked;
        loop variant a - i;
    */
    for (int i = 0; i <= a; i++)
        of[i].marked = i == a;
    /*@ assert start: \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, a, j)); */
    /*@ loop invariant range: -1 <= i <= a;
        loop invariant marks: \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i, j));
        loop assigns i, of[0 .. a].marked;
        loop variant i;
    */
    for (int i = a; i >= 0; i--) {
        /*@ assert mine: found(t, a, i, i) <==> within(t, a, i); */
        if (of[i].marked)
            mark_kids(t, of, a, i);
    }
    /*@ assert all: \forall integer j; 0 <= j <= a ==> found(t, a, -1, j) ==> within(t, a, j); */
    /*@ assert each: \forall integer j; 0 <= j <= a ==> within(t, a, j) ==> found(t, a, -1, j); */
}

void memo_learn(struct attr_put t, struct attr_memo_class *of, int i, int v)
{
    int f = of[i].first;

    /*@ ghost memo_laws(t.n); */
    /*@ assert first:  first_ok(of, i) && 0 <= f < t.n; */
    /*@ assert mine:   of[f].first == f && of[i].first == f; */
    /*@ assert to:     \forall attrs o; classes_alike(of, t.n, o) ==> alike(o, i, f); */
    /*@ assert from:   \forall attrs o, integer j; classes_alike(of, t.n, o) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       alike(o, f, j); */
    /*@ assert self:   \forall attrs o, integer j; classes_alike(of, t.n, o) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       alike(o, i, j) && alike(o, i, i); */
    /*@ assert own:    \forall vals s, attrs o, env g, integer j; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       constant(o, g, j, val(s, v)); */
    /*@ assert each:   \forall vals s, attrs o, env g, integer j; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) || closed(o, f) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       constant(o, g, j, val(s, v)); */
    /*@ assert equals: \forall vals s, attrs o, env g; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) || closed(o, f) ==> class_is(o, g, of, t.n, f, val(s, v)); */
    memo_put(t.node, of, t.n, f, v);
    /*@ assert turned: turned{Pre,Here}(t.node, t.n, v); */
    /*@ assert kids:   same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert wf:     wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue); */
    /*@ assert more:   \forall vals s, attrs o, env g; memo_right{Pre}(t, of, s, o, g) ==>
                       class_is{Pre}(o, g, of, t.n, f, val(s, v)) ==> remembers(o, TREES(t, s), g, t.n); */
    /*@ assert alike:  \forall attrs o; classes_alike{Pre}(of, t.n, o) ==> classes_alike(of, t.n, o); */
}

bool memo_due(struct attr_memo_class *of, int n, int i)
{
    struct attr_memo_class *c = &of[of[i].first];

    (void)n;
    /*@ assert first: first_ok(of, i); */
    if (!of[i].marked || !c->keep || c->tried)
        return false;
    c->tried = true;
    return true;
}

void memo_mark_only(struct attr_put t, struct attr_memo_class *of, int a)
{
    /*@ assert fields: \forall integer i, k; &of[k].marked != &of[i].keep; */
    memo_mark(t, of, a);
}

/* The set of this symbol. */
/*@ requires symbol:   0 <= symbol;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  one:      is_single(\result, symbol);
*/
static unsigned long set_of(int symbol)
{
    return 1UL << (symbol < 63 ? symbol : 63);
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  joined:   joined(\result, x, y);
*/
static unsigned long set_join(unsigned long x, unsigned long y)
{
    return x | y;
}

/* The symbols of x that are not in y. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  less:     \forall integer k; 0 <= k < 64 ==> (has(\result, k) <==> has(x, k) && !has(y, k));
*/
static unsigned long set_less(unsigned long x, unsigned long y)
{
    return x & ~y;
}

/* The set x outside of what binds this symbol. */
/*@ requires symbol:   0 <= symbol;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  without:  without(\result, x, symbol);
*/
static unsigned long set_without(unsigned long x, int symbol)
{
    return symbol < 63 ? set_less(x, set_of(symbol)) : x;
}

/* The symbols that are free in a child of node i. */
/*@ requires arena:    valid_arena(t) && wf_trees(t) && 0 <= i < t.n;
    requires valid:    \valid_read(of + (0 .. t.n - 1));
    requires sets:     sets_ok(t, of, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  set:      kids_set(t, i, n_kids(t, i), \result);
*/
static unsigned long free_of_kids(struct attr_put t, const struct attr_memo_class *of, int i)
{
    int n = attr_kids(t, i);
    unsigned long all = 0;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant set:   kids_set(t, i, k, all);
        loop assigns k, all;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k);

        /*@ assert kid: set_ok(t, kid_of(t, i, k), of[x].free); */
        all = set_join(all, of[x].free);
    }
    return all;
}

/* FV(var a s n) = FV(n) + (FV(a) - s). */
/*@ requires arena:    valid_arena(t) && wf_trees(t) && 0 <= i < t.n;
    requires valid:    \valid_read(of + (0 .. t.n - 1));
    requires sets:     sets_ok(t, of, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  set:      set_ok(t, i, \result);
*/
static unsigned long free_symbols(struct attr_put t, const struct attr_memo_class *of, int i)
{
    int kind = t.node[i].kind;

    /*@ assert ok: wf_node(t.node, t.kid, i) && expr_ok(t, i); */
    if (kind == ATTR_SYMBOL)
        return set_of(t.node[i].op);
    if (kind == ATTR_VAR || kind == ATTR_MAP)
        return set_join(of[t.node[i].a].free, set_without(of[t.node[i].b].free, t.node[i].op));
    return free_of_kids(t, of, i);
}

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= f < n;
    requires keeps:    keeps_ok(of, n) && of[f].free == 0;
    terminates \true;
    exits    never:    \false;
    assigns  of[f].keep;
    ensures  keeps:    keeps_ok(of, n);
*/
static void put_keep(struct attr_memo_class *of, int n, int f)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < n ==> keep_ok(of, j); */
    of[f].keep = true;
    /*@ assert mine: keep_ok(of, f); */
    /*@ assert same: \forall integer j; 0 <= j < n ==> j != f ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < n ==> j != f ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= f < n;
    requires keeps:    keeps_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[f].used;
    ensures  keeps:    keeps_ok(of, n);
*/
static void put_used(struct attr_memo_class *of, int n, int f)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < n ==> keep_ok(of, j); */
    of[f].used = true;
    /*@ assert same: \forall integer j; 0 <= j < n ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < n ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/* The children of node i are used. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires firsts:   firsts_ok(of, t.n);
    requires keeps:    keeps_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
static void use_kids(struct attr_put t, struct attr_memo_class *of, int i)
{
    int n = attr_kids(t, i);

    /*@ loop invariant range:   0 <= k <= n;
        loop invariant keeps:   keeps_ok(of, t.n);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns k, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k), f = of[x].first;
        bool own = of[i].first == i, again = own && of[f].used;

        /*@ assert first: first_ok{Pre}(of, x) && 0 <= f < t.n && of[f].first == f; */
        if (of[f].free == 0 && t.node[x].depth > 0 && (again || of[i].free))
            put_keep(of, t.n, f);
        if (own)
            put_used(of, t.n, f);
    }
}

/* What is known of node i before the nodes after it are seen. */
/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= i < n;
    requires keeps:    keeps_ok(of, i) && (keep != 0 ==> all == 0);
    terminates \true;
    exits    never:    \false;
    assigns  of[i].free, of[i].keep, of[i].used;
    ensures  put:      of[i].free == all;
    ensures  others:   \forall integer j; 0 <= j < n ==> j != i ==> of[j].free == \old(of[j].free);
    ensures  keeps:    keeps_ok(of, i + 1);
*/
static void put_free(struct attr_memo_class *of, int n, int i, unsigned long all, int keep)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < i ==> keep_ok(of, j); */
    of[i].free = all;
    of[i].keep = keep != 0;
    of[i].used = false;
    /*@ assert mine: keep_ok(of, i); */
    /*@ assert same: \forall integer j; 0 <= j < i ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < i ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/*@ requires arena:    valid_arena(t) && wf_trees(t);
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  sets:     sets_ok(t, of, t.n);
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
static void survey_free(struct attr_put t, struct attr_memo_class *of)
{
    /*@ loop invariant range:   0 <= i <= t.n;
        loop invariant sets:    sets_ok(t, of, i);
        loop invariant keeps:   keeps_ok(of, i);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns i, of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++) {
        unsigned long all = free_symbols(t, of, i);

        put_free(of, t.n, i, all, of[i].next >= 0 && all == 0 && t.node[i].depth > 0);
    }
}

void memo_survey(struct attr_put t, struct attr_memo_class *of)
{
    survey_free(t, of);
    /*@ loop invariant range:   0 <= i <= t.n;
        loop invariant sets:    sets_ok(t, of, t.n);
        loop invariant keeps:   keeps_ok(of, t.n);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns i, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++)
        use_kids(t, of, i);
}

/*@ requires twin:     is_twin(t, c) && valid_arena(t) && valid_arena(c) &&
                       \separated(c.node + (0 .. c.n - 1), t.node + (0 .. t.n - 1), t.kid + (0 .. t.nkid - 1));
    requires node:     0 <= i < t.n && copied(t, c, i);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[i];
    ensures  copied:   copied(t, c, i + 1);
    ensures  same:     same_arena{Pre,Post}(t);
*/
static void copy_node(struct attr_put t, struct attr_put c, int i)
{
    c.node[i] = t.node[i];
    /*@ assert mine:   c.node[i].kind == t.node[i].kind && c.node[i].op == t.node[i].op && c.node[i].a == t.node[i].a &&
                       c.node[i].b == t.node[i].b && c.node[i].depth == t.node[i].depth && c.node[i].size == t.node[i].size; */
    /*@ assert roots:  same_roots{Pre,Here}(t); */
    /*@ assert others: \forall integer k; 0 <= k < i ==>
                       c.node[k].kind == \at(c.node[k].kind, Pre) && c.node[k].op == \at(c.node[k].op, Pre) &&
                       c.node[k].a == \at(c.node[k].a, Pre) && c.node[k].b == \at(c.node[k].b, Pre) &&
                       c.node[k].depth == \at(c.node[k].depth, Pre) && c.node[k].size == \at(c.node[k].size, Pre); */
}

void memo_copy(struct attr_put t, struct attr_put c)
{
    /*@ loop invariant range:  0 <= i <= t.n;
        loop invariant copied: copied(t, c, i);
        loop invariant same:   same_arena{Pre,Here}(t);
        loop assigns i, c.node[0 .. c.n - 1];
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++)
        copy_node(t, c, i);
}

/*@ requires valid:    0 <= i < n && \valid(of + (0 .. n - 1)) && untried(of, i);
    terminates \true;
    exits    never:    \false;
    assigns  of[i].tried, of[i].marked;
    ensures  untried:  untried(of, i + 1);
    ensures  same:     same_classes{Pre,Post}(of, n);
*/
static void clear_one(struct attr_memo_class *of, int n, int i)
{
    (void)n;
    of[i].tried = false;
    of[i].marked = false;
    /*@ assert keep:   \forall integer k; 0 <= k < n ==> of[k].keep == \at(of[k].keep, Pre); */
    /*@ assert others: \forall integer k; 0 <= k < n ==> k != i ==>
                       of[k].tried == \at(of[k].tried, Pre) && of[k].marked == \at(of[k].marked, Pre); */
}

/*@ requires valid:    0 <= n && \valid(of + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried, of[0 .. n - 1].marked;
    ensures  untried:  untried(of, n);
    ensures  same:     same_classes{Pre,Post}(of, n);
*/
static void clear_classes(struct attr_memo_class *of, int n)
{
    /*@ loop invariant range:   0 <= i <= n;
        loop invariant untried: untried(of, i);
        loop invariant same:    same_classes{Pre,Here}(of, n);
        loop assigns i, of[0 .. n - 1].tried, of[0 .. n - 1].marked;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        clear_one(of, n, i);
}

/* The functions on the classes, and that they write nothing else. */
/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    requires firsts:   firsts_ok(m.of, m.t.n);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n) && same_firsts{Pre,Post}(m.of, m.t.n);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void link(struct memo_view m, struct values vs)
{
    (void)vs;
    memo_link(m.of, m.t.n);
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert exprs: same_exprs{Pre,Here}(m.t.node, m.t.n); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert was:   \at(WF_VALUES(vs), Pre); */
    /*@ assert same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena: wf_arena(m.t); */
}

/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    requires lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n) && same_firsts{Pre,Post}(m.of, m.t.n);
    ensures  closed:   \forall vals u; frees_ok(m.of, m.t.n, TREES(m.t, u));
    ensures  keeps:    keeps_ok(m.of, m.t.n);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void survey(struct memo_view m, struct values vs)
{
    (void)vs;
    memo_survey(m.t, m.of);
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert exprs: same_exprs{Pre,Here}(m.t.node, m.t.n); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena: wf_arena(m.t); */
}

/* The classes, the list of each, and what is worth remembering. */
/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
    ensures  closed:   \forall vals u; frees_ok(m.of, m.t.n, TREES(m.t, u));
    ensures  keeps:    keeps_ok(m.of, m.t.n);
    ensures  classes:  classes_same(m, vs);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void classes(struct memo_view m, struct values vs)
{
    memo_classify(m, vs);
    /*@ ghost Classified: ; */
    /*@ assert arena:  wf_arena(m.t); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert exprs:  same_exprs{Pre,Here}(m.t.node, m.t.n) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert trees:  wf_trees(m.t); */
    /*@ assert least:  \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i) && class_ok(m, vs, m.of[i].first); */
    /*@ assert firsts: firsts_ok(m.of, m.t.n); */
    link(m, vs);
    survey(m, vs);
    /*@ assert same:   same_arena{Classified,Here}(m.t) && same_values{Classified,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert more:   extends(\at(VALS(vs), Classified), VALS(vs), m.t.nvalue); */
    /*@ assert exprs_same: \forall integer i; 0 <= i < m.t.n ==> EX(i) == \at(EX(i), Classified); */
    /*@ assert kept:   same_firsts{Classified,Here}(m.of, m.t.n); */
}

void memo_fill(struct memo_view m, struct values vs, struct attr_put c)
{
    memo_copy(m.t, c);
    /*@ assert nodes:  same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:   same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena:  wf_arena(m.t); */
    /*@ assert exprs:  same_exprs{Pre,Here}(m.t.node, m.t.n) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert trees:  wf_trees(m.t); */
    classes(m, vs);
    /*@ ghost Made: ; */
    /*@ assert still:  same_arena{Pre,Here}(m.t) && copied(m.t, c, m.t.n); */
    /*@ assert twin_wf: wf_arena(c) && wf_attrs(c.node, c.kid, c.n, c.nkid, c.nvalue); */
    /*@ assert all:    wf_attrs(m.t.node, m.t.kid, m.t.n, m.t.nkid, vs.n); */
    /*@ ghost memo_same(m.t, vs); */
    /*@ assert alike:  classes_alike(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert closed: frees_ok(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert order:  ordered(TREES(m.t, VALS(vs)), m.t.n); */
    /*@ assert as:     \forall integer j; 0 <= j < m.t.n ==> node_as{Here,Here}(m.t.node, c.node, j); */
    /*@ assert nothing: \forall env g; remembers(TREES(m.t, VALS(vs)), TREES(c, VALS(vs)), g, m.t.n); */
    clear_classes(m.of, m.t.n);
    /*@ assert links:  same_firsts{Made,Here}(m.of, m.t.n) && same_nexts{Made,Here}(m.of, m.t.n); */
    /*@ assert kept:   \forall integer i; 0 <= i < m.t.n ==> keep_ok{Made}(m.of, i) && keep_ok(m.of, i); */
    /*@ assert firsts: firsts_ok(m.of, m.t.n); */
    /*@ assert lists:  lists_ok(m.of, m.t.n); */
    /*@ assert keeps:  keeps_ok(m.of, m.t.n); */
    /*@ assert frees:  frees_ok(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert good:   classes_good(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert right:  \forall env g; memo_right(c, m.of, VALS(vs), TREES(m.t, VALS(vs)), g); */
}

int *memo_take(struct attr_memo *m, const struct attrs *t, int size)
{
    int *table = memo_room(m, t->node.n, size) /*@ ghost (t) */;

    /*@ assert header:  same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert view:    arena_of(t) == \at(arena_of(t), Pre); */
    /*@ assert roots:   same_roots{Pre,Here}(\at(arena_of(t), Pre)); */
    /*@ assert exprs:   same_exprs{Pre,Here}(\at(t->node.a, Pre), \at(t->node.n, Pre)); */
    /*@ assert kids:    same_kids{Pre,Here}(\at(arena_of(t), Pre)) && same_ints{Pre,Here}(\at(t->kid.a, Pre), \at(t->kid.n, Pre)); */
    /*@ assert nodes:   same_nodes{Pre,Here}(t->values->v, t->values->n); */
    /*@ assert pool:    same_pool{Pre,Here}(t->values->pool, t->values->npool); */
    /*@ assert arena:   wf_arena(arena_of(t)); */
    /*@ assert was:     wf_attrs{Here}(\at(t->node.a, Pre), \at(t->kid.a, Pre), \at(t->node.n, Pre), \at(t->kid.n, Pre),
                                       \at(t->values->n, Pre)); */
    /*@ assert attrs:   wf_attrs(t->node.a, t->kid.a, t->node.n, t->kid.n, t->values->n); */
    /*@ assert values:  WF_VALUES(*t->values); */
    /*@ assert held:    held_source(t); */
    return table;
}

/* The start of a memo: room, and its nodes and classes. */
/*@ requires valid:    \valid(m) && \valid(mem) && \separated(m, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *m;
    ensures  held:     held_memo(m) && m->mem == mem;
    ensures  none:     m->n == 0 && m->cap == 0 && m->capof == 0;
*/
void attr_memo_init(struct attr_memo *m, struct mem *mem)
{
    *m = (struct attr_memo){ .mem = mem };
}

/*@ requires valid:    \valid(m) && \valid(m->mem) && \separated(m, m->mem);
    terminates \true;
    exits    never:    \false;
    assigns  *m;
    ensures  empty:    m->n == 0 && m->cap == 0 && m->capof == 0;
    ensures  mem:      m->mem == \old(m->mem);
*/
void attr_memo_free(struct attr_memo *m)
{
    mem_free(m->node);
    mem_free(m->of);
    attr_memo_init(m, m->mem);
}

/* A size for the table of n expressions. */
/*@ requires count:    0 <= n <= VALUE_ARENA_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  size:     n < \result;
*/
static int table_size(int n)
{
    int size = 16;

    /*@ loop invariant range: 16 <= size <= 4 * VALUE_ARENA_MAX;
        loop assigns size;
        loop variant 2 * n - size;
    */
    while (size < 2 * n)
        size *= 2;
    return size;
}

/* memo_fill, and that the headers of t and m are kept. */
/*@ requires valid:    valid_memo(v, vs);
    requires trees:    wf_trees(v.t);
    requires twin:     is_twin(v.t, c) && valid_arena(c) && apart_twin(v, vs, c);
    requires off:      off_view(t, m, v, c);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1], v.of[0 .. v.t.n - 1], v.table[0 .. v.size - 1];
    ensures  header:   same_header{Pre,Post}(t) && same_vheader{Pre,Post}(t);
    ensures  fields:   same_fields{Pre,Post}(m);
    ensures  same:     same_arena{Pre,Post}(v.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  copied:   copied(v.t, c, v.t.n);
    ensures  classes:  classes_same(v, vs);
    ensures  untried:  untried(v.of, v.t.n);
    ensures  started:  \forall env g; memo_state(c, v.of, VALS(vs), TREES(v.t, VALS(vs)), g);
*/
static void fill_view(struct memo_view v, struct values vs, struct attr_put c)
    /*@ ghost (const struct attrs *t, const struct attr_memo *m) */
{
    /*@ assert field1: off_at(&t->node.n, v, c); */
    /*@ assert field2: off_at(&t->node.cap, v, c); */
    /*@ assert field3: off_at(&t->kid.n, v, c); */
    /*@ assert field4: off_at(&t->kid.cap, v, c); */
    /*@ assert field5: off_at(&t->slot.n, v, c); */
    /*@ assert field6: off_at(&t->nsymbol, v, c); */
    /*@ assert field7: off_at(&t->values->n, v, c); */
    /*@ assert field8: off_at(&t->values->cap, v, c); */
    /*@ assert field9: off_at(&t->values->npool, v, c); */
    /*@ assert field10: off_at(&t->values->cappool, v, c); */
    /*@ assert field11: off_at(&m->n, v, c); */
    /*@ assert field12: off_at(&m->cap, v, c); */
    /*@ assert field13: off_at(&m->capof, v, c); */
    memo_fill(v, vs, c);
    /*@ assert source1: t->node.n == \at(t->node.n, Pre); */
    /*@ assert source2: t->node.cap == \at(t->node.cap, Pre); */
    /*@ assert source3: t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert source4: t->kid.cap == \at(t->kid.cap, Pre); */
    /*@ assert source5: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert source6: t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert pointers: t->values == \at(t->values, Pre) && t->node.a == \at(t->node.a, Pre) &&
                         t->kid.a == \at(t->kid.a, Pre); */
    /*@ assert values1: t->values->n == \at(t->values->n, Pre); */
    /*@ assert values2: t->values->cap == \at(t->values->cap, Pre); */
    /*@ assert values3: t->values->npool == \at(t->values->npool, Pre); */
    /*@ assert values4: t->values->cappool == \at(t->values->cappool, Pre); */
    /*@ assert arrays: t->values->v == \at(t->values->v, Pre) && t->values->pool == \at(t->values->pool, Pre); */
    /*@ assert header: same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert memo1: m->n == \at(m->n, Pre); */
    /*@ assert memo2: m->cap == \at(m->cap, Pre); */
    /*@ assert memo3: m->capof == \at(m->capof, Pre); */
    /*@ assert places: m->mem == \at(m->mem, Pre) && m->node == \at(m->node, Pre) && m->of == \at(m->of, Pre); */
}

/*@ requires ready:    ready_source(t);
    requires held:     held_memo(m) && off_memo(t, m) && m->n == t->node.n;
    requires table:    held_table(t, m, table, size) && m->n < size;
    terminates \true;
    exits    never:    \false;
    assigns  m->node[0 .. m->n - 1], m->of[0 .. m->n - 1], table[0 .. size - 1];
    ensures  fields:   same_fields{Pre,Post}(m) && same_source{Pre,Post}(t);
    ensures  started:  fresh_memo(m, t);
    ensures  classes:  expr_classes(m, t);
*/
static void fill(struct attr_memo *m, const struct attrs *t, int *table, int size)
{
    struct values vs = *t->values;
    struct attr_put c = memo_arena(m, t, m->node);
    struct memo_view v = { .t = memo_source(t), .of = m->of, .table = table, .size = size };

    /*@ assert arena:   valid_arena(v.t) && wf_arena(v.t); */
    /*@ assert held:    valid_values(vs) && WF_VALUES(vs) && v.t.nvalue <= vs.n; */
    /*@ assert room:    \valid(v.of + (0 .. v.t.n - 1)) && \valid(v.table + (0 .. v.size - 1)) && v.t.n < v.size; */
    /*@ assert off_table: \separated(v.of + (0 .. v.t.n - 1), v.table + (0 .. v.size - 1)); */
    /*@ assert off_node: \separated(v.of + (0 .. v.t.n - 1), v.t.node + (0 .. v.t.cap - 1)); */
    /*@ assert off_kid: \separated(v.of + (0 .. v.t.n - 1), v.t.kid + (0 .. v.t.capkid - 1)); */
    /*@ assert off_v:   \separated(v.of + (0 .. v.t.n - 1), vs.v + (0 .. vs.cap - 1)); */
    /*@ assert off_pool: \separated(v.of + (0 .. v.t.n - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert off_tnode: \separated(v.table + (0 .. v.size - 1), v.t.node + (0 .. v.t.cap - 1)); */
    /*@ assert off_tkid: \separated(v.table + (0 .. v.size - 1), v.t.kid + (0 .. v.t.capkid - 1)); */
    /*@ assert off_tv:  \separated(v.table + (0 .. v.size - 1), vs.v + (0 .. vs.cap - 1)); */
    /*@ assert off_tpool: \separated(v.table + (0 .. v.size - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert off_in:  \separated(v.t.node + (0 .. v.t.cap - 1), v.t.kid + (0 .. v.t.capkid - 1),
                                   vs.v + (0 .. vs.cap - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert valid:   valid_memo(v, vs); */
    /*@ assert trees:   wf_trees(v.t); */
    /*@ assert twin:    is_twin(v.t, c) && valid_arena(c); */
    /*@ assert apart:   apart_twin(v, vs, c); */
    /*@ assert same_view: c.node == m->node && c.n == m->n && v.of == m->of && v.t.n == m->n; */
    /*@ assert off:     off_view(t, m, v, c); */
    fill_view(v, vs, c) /*@ ghost (t, m) */;
    /*@ assert view:    v.t == arena_of(t); */
    /*@ assert copy:    c == memo_of(m, t, m->node); */
    /*@ assert values:  VALS(vs) == VALS(*t->values); */
    /*@ assert count:   m->n == t->node.n && v.t.n == m->n && v.of == m->of; */
    /*@ assert untried: untried(m->of, m->n); */
    /*@ assert copied:  copied(arena_of(t), memo_of(m, t, m->node), m->n); */
    /*@ assert same:    TREES(v.t, VALS(vs)) == TREES(arena_of(t), VALS(*t->values)); */
    /*@ assert state:   \forall env g; memo_state(c, m->of, VALS(*t->values), TREES(arena_of(t), VALS(*t->values)), g); */
    /*@ assert started: \forall env g; memo_state(memo_of(m, t, m->node), m->of, VALS(*t->values),
                                                  TREES(arena_of(t), VALS(*t->values)), g); */
}

/*@ requires ready:    ready_source(t) && t->node.n <= VALUE_ARENA_MAX;
    requires held:     held_memo(m) && off_memo(t, m);
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, { *p | struct attr_node *p; \true }, { *c | struct attr_memo_class *c; \true },
             { *x | int *x; \true };
    ensures  same:     same_source{Pre,Post}(t);
    ensures  held:     held_memo(m) && off_memo(t, m) && m->mem == \old(m->mem);
    ensures  none:     \result == 0 ==> m->n == 0;
    ensures  started:  \result == 1 ==> fresh_memo(m, t);
    ensures  classes:  \result == 1 ==> expr_classes(m, t);
*/
bool attr_memo_start(struct attr_memo *m, const struct attrs *t)
{
    int size = table_size(t->node.n), *table = memo_take(m, t, size);

    if (!table)
        return false;
    /*@ ghost Taken: ; */
    fill(m, t, table, size);
    /*@ assert header:  same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert view:    arena_of(t) == \at(arena_of(t), Taken) && arena_of(t) == \at(arena_of(t), Pre); */
    /*@ assert arena:   same_arena{Pre,Here}(\at(arena_of(t), Pre)); */
    /*@ assert values:  same_values{Pre,Here}(t->values->v, t->values->pool, t->values->n, t->values->npool); */
    /*@ assert fields:  same_fields{Taken,Here}(m); */
    /*@ assert held:    held_memo(m); */
    /*@ assert places:  same_places{Taken,Here}(t, m); */
    /*@ assert off:     off_memo(t, m); */
    memo_table_free(table);
    return true;
}
