#include "attr/read_make.h"

#include "attr/attr_new.h"
#include "attr/both_make.h"
#include "attr/both_see.h"

#ifdef __FRAMAC__
#include "attr/both_trans.acsl"
#include "attr/both_tree.acsl"
#endif

int expr_make(struct attrs *t, int kind, int op, int a, int b)
{
    int id = both_make(t, kind, op, a, b);

    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert plain: !family_kind(kind); */
    /*@ assert node:  id >= 0 ==> is_expr(arena_of(t), id, kind, op, a, b); */
    /*@ assert const: id >= 0 ==> kind == ATTR_CONST ==> x_const(tree_at(t, id)) == val(VALS(*t->values), a); */
    /*@ assert slot:  id >= 0 ==> slot_kind(kind) ==> x_slot(tree_at(t, id)) == a && 0 <= a < t->slot.n; */
    /*@ assert root:  id >= 0 ==> is_root(tree_at(t, id), kind, op, kinds_kids(kind, 0)); */
    /*@ assert first: id >= 0 ==> child_a(kind) || pair_kind(kind) ==>
                      0 <= a < id && x_kid(tree_at(t, id), 0) == tree_at(t, a); */
    /*@ assert other: id >= 0 ==> pair_kind(kind) ==> 0 <= b < id && x_kid(tree_at(t, id), 1) == tree_at(t, b); */
    /*@ assert index: id >= 0 ==> child_b(kind) ==> 0 <= b < id && x_kid(tree_at(t, id), 0) == tree_at(t, b); */
    return id;
}

int expr_make_family(struct attrs *t, int kind, int op, const int *own, int n)
{
    /*@ ghost int first = t->kid.n; */
    int id;

    if (n > VALUE_LEN_MAX)
        return -1;
    id = both_make_family(t, kind, op, own, n);
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    /*@ assert stand: id >= 0 ==> \forall integer k; 0 <= k < n ==> t->kid.a[first + k] == \at(own[k], Pre); */
    /*@ assert node:  id >= 0 ==> is_expr(arena_of(t), id, kind, op, first, n); */
    /*@ assert root:  id >= 0 ==> is_root(tree_at(t, id), kind, op, n); */
    /*@ assert each:  id >= 0 ==> \forall integer k; 0 <= k < n ==> 0 <= t->kid.a[first + k] < id &&
                      x_kid(tree_at(t, id), k) == tree_at(t, t->kid.a[first + k]); */
    /*@ assert same:  id >= 0 ==> \forall integer k; 0 <= k < n ==> 0 <= \at(own[k], Pre) < id &&
                      x_kid(tree_at(t, id), k) == tree_at(t, \at(own[k], Pre)); */
    /*@ assert kids:  id >= 0 ==> \forall integer k; 0 <= k < n ==>
                      x_kid(tree_at(t, id), k) == \at(tree_at(t, own[k]), Pre); */
    return id;
}

int expr_make_symbol(struct attrs *t, int kind, int symbol, int a, int b)
{
    int id;

    if (!both_see(t, symbol))
        return -1;
    /*@ ghost Seen: ; */
    id = expr_make(t, kind, symbol, a, b);
    /*@ assert later: kept_both{Seen,Here}(t); */
    /*@ assert kept:  kept_both{Pre,Here}(t); */
    /*@ assert first: id >= 0 ==> pair_kind(kind) ==> 0 <= a < \at(t->node.n, Seen) && 0 <= b < \at(t->node.n, Seen); */
    return id;
}

int expr_slot(struct attrs *t, int pattern, int label)
{
    int s = attr_slot_find(t, pattern, label);

    return s < 0 ? both_new_slot(t, pattern, label) : s;
}
