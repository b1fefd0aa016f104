/* The parts of a memo: looking for an equal expression, the table, classes, free symbols, copies; what makes room. */
#ifndef CALQUE_ATTR_MEMO_INTERNAL_H
#define CALQUE_ATTR_MEMO_INTERNAL_H

#include "attr/attr_internal.h"
#include "attr/eval.h"
#include "attr/eval_driver.h"
#include "attr/memo.h"
#include "attr/value_internal.h"

/* An arena, a class for each of its nodes, and a table of `size` entries, more than there are nodes. */
struct memo_view {
    struct attr_put t;
    struct attr_memo_class *of;
    int *table;
    int size;
};

#ifdef __FRAMAC__
#include "attr/memo.acsl"
#endif

/* The hash of node i; those of its children are in their classes. */
/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires classes:  classes_ok(m, vs, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hash:     \result == hash_of(EX(i));
*/
unsigned long memo_hash(struct memo_view m, struct values vs, int i);

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
int memo_find(struct memo_view m, struct values vs, int i, unsigned long h);

/* Hash-consing: which nodes of an arena are the same expression. */
/* Finds for each node the least one that is the same expression. */
/*@ requires valid:    valid_memo(m, vs);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  classes:  \forall integer i, j; 0 <= i < m.t.n ==> 0 <= j < m.t.n ==>
                       (m.of[i].first == m.of[j].first <==> EX(i) == EX(j));
    ensures  least:    \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
*/
void memo_classify(struct memo_view m, struct values vs);

/* The proved part of remembering: the lists of the classes, constants in place of the nodes of a class, what an expression
   consists of. */
/* The list of each class, from the first nodes of the classes. */
/*@ requires valid:    0 <= n && \valid(of + (0 .. n - 1));
    requires firsts:   firsts_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].next;
    ensures  firsts:   same_firsts{Pre,Post}(of, n) && firsts_ok(of, n);
    ensures  lists:    lists_ok(of, n);
*/
void memo_link(struct attr_memo_class *of, int n);

/* The nodes of class f, and no others, are the constant v from now on. */
/*@ requires valid:    0 <= n && \valid(node + (0 .. n - 1)) && \valid_read(of + (0 .. n - 1));
    requires apart:    \separated(node + (0 .. n - 1), of + (0 .. n - 1));
    requires lists:    firsts_ok(of, n) && lists_ok(of, n);
    requires first:    0 <= f < n && of[f].first == f;
    terminates \true;
    exits    never:    \false;
    assigns  node[0 .. n - 1].kind, node[0 .. n - 1].a;
    ensures  become:   become{Pre,Post}(node, of, n, f, f, v);
    ensures  classes:  same_firsts{Pre,Post}(of, n) && same_nexts{Pre,Post}(of, n);
*/
void memo_put(struct attr_node *node, const struct attr_memo_class *of, int n, int f, int v);

/* Marks, of the nodes up to a, exactly those that expression a consists of. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    marks_ok(t, of, a);
*/
void memo_mark(struct attr_put t, struct attr_memo_class *of, int a);

/* The proved part of remembering a value. */
/* What is the same expression as i is the constant v from now on. When the memo was right and v is the value of i in it, and
   i or the first that is the same is closed, it is right after this: it has the values that the expressions have. */
/*@ requires arena:    valid_arena(t) && wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue);
    requires ids:      0 <= i < t.n && 0 <= v < t.nvalue;
    requires valid:    \valid(of + (0 .. t.n - 1)) && \separated(of + (0 .. t.n - 1), t.node + (0 .. t.cap - 1));
    requires lists:    firsts_ok(of, t.n) && lists_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[0 .. t.n - 1];
    ensures  wf:       wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue);
    ensures  become:   become{Pre,Post}(t.node, of, t.n, \old(of[i].first), \old(of[i].first), v);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
    ensures  right:    \forall vals s, attrs o, env g; memo_right{Pre}(t, of, s, o, g) ==>
                       decided(\old(TREES(t, s)), g, i, val(s, v)) ==> closed(o, i) || closed(o, \old(of[i].first)) ==>
                       memo_right(t, of, s, o, g);
*/
void memo_learn(struct attr_put t, struct attr_memo_class *of, int i, int v);

/* The proved part of evaluation with a memo: what is worth remembering and was not tried yet. */
/* Is i one of the marked expressions, and worth remembering? Each class is tried once. */
/*@ requires valid:    0 <= i < n && \valid(of + (0 .. n - 1));
    requires firsts:   firsts_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried;
    ensures  result:   \result == 1 <==> \old(of[i].marked && of[of[i].first].keep && !of[of[i].first].tried);
    ensures  tried:    \result == 1 ==> of[of[i].first].tried == 1;
    ensures  keeps:    same_keeps{Pre,Post}(of, n);
*/
bool memo_due(struct attr_memo_class *of, int n, int i);

/* memo_mark leaves what is worth remembering. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    marks_ok(t, of, a);
    ensures  keeps:    same_keeps{Pre,Post}(of, t.n);
*/
void memo_mark_only(struct attr_put t, struct attr_memo_class *of, int a);

/* The proved part of what is worth remembering: the free symbols of expressions, and which are closed. */
#ifdef __FRAMAC__
#include "attr/memo_eval.acsl"
#endif

/* The free symbols of each expression, and what is worth remembering: closed, no leaf, and written several times, or with
   several uses, or with one in an expression that is not closed. */
/*@ requires arena:    valid_arena(t) && wf_trees(t);
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires firsts:   firsts_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  sets:     sets_ok(t, of, t.n);
    ensures  closed:   \forall vals u; frees_ok(of, t.n, TREES(t, u));
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
void memo_survey(struct attr_put t, struct attr_memo_class *of);

/* The proved part of copying the nodes of an arena. */
/* The nodes of c become those of t. */
/*@ requires twin:     is_twin(t, c) && valid_arena(t) && valid_arena(c) &&
                       \separated(c.node + (0 .. c.n - 1), t.node + (0 .. t.n - 1), t.kid + (0 .. t.nkid - 1));
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1];
    ensures  copied:   copied(t, c, t.n);
    ensures  same:     same_arena{Pre,Post}(t);
*/
void memo_copy(struct attr_put t, struct attr_put c);

/* The proved part of the start of a memo. */
/* The nodes of c become those of m.t, and m.of their classes: a memo that remembers nothing, right in every environment. */
/*@ requires valid:    valid_memo(m, vs);
    requires trees:    wf_trees(m.t);
    requires twin:     is_twin(m.t, c) && valid_arena(c) && apart_twin(m, vs, c);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1], m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  copied:   copied(m.t, c, m.t.n);
    ensures  classes:  classes_same(m, vs);
    ensures  untried:  untried(m.of, m.t.n);
    ensures  started:  \forall env g; memo_state(c, m.of, VALS(vs), TREES(m.t, VALS(vs)), g);
*/
void memo_fill(struct memo_view m, struct values vs, struct attr_put c);

/* Memory for a memo. Growth is trusted; memo.c is proved from its contract. */
/* Room for n expressions, and a table of this size, which is the caller's; NULL, and m has none, when memory is out. The
   arena t stays apart from it. What the arrays of m held is lost. */
/*@ requires held:     held_memo(m) && held_source(t) && off_memo(t, m);
    requires sizes:    0 <= n && 0 < size;
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, m->node[0 .. m->cap - 1], m->of[0 .. m->capof - 1], \result \from indirect:n, indirect:size;
    ensures  same:     same_source{Pre,Post}(t) && held_source(t);
    ensures  exprs:    same_exprs{Pre,Post}(\old(t->node.a), \old(t->node.n)) &&
                       same_ints{Pre,Post}(\old(t->kid.a), \old(t->kid.n));
    ensures  held:     held_memo(m) && off_memo(t, m);
    ensures  mem:      m->mem == \old(m->mem);
    ensures  count:    m->n == (\result == \null ? 0 : n);
    ensures  table:    \result == \null || held_table(t, m, \result, size);
*/
int *memo_room(struct attr_memo *m, int n, int size) /*@ ghost (const struct attrs *t) */;
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void memo_table_free(int *table);

/* The proved part of making room for a memo. */
/* memo_room for as many expressions as t has; t is as it was. */
/*@ requires ready:    ready_source(t);
    requires held:     held_memo(m) && off_memo(t, m);
    requires size:     0 < size;
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, m->node[0 .. m->cap - 1], m->of[0 .. m->capof - 1], \result \from indirect:t->node.n, indirect:size;
    ensures  ready:    ready_source(t);
    ensures  same:     same_source{Pre,Post}(t);
    ensures  held:     held_memo(m) && off_memo(t, m);
    ensures  mem:      m->mem == \old(m->mem);
    ensures  count:    m->n == (\result == \null ? 0 : t->node.n);
    ensures  table:    \result == \null || held_table(t, m, \result, size);
*/
int *memo_take(struct attr_memo *m, const struct attrs *t, int size);

#endif
