#include "attr/memo_table.h"

#ifdef __FRAMAC__
#include "attr/memo_enter.acsl"
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
