#include "attr/read_op.h"

#include "attr/read_form.h"
#include "attr/read_make.h"

#ifdef __FRAMAC__
#include "attr/both_same.acsl"
#include "attr/both_trans.acsl"
#endif

/* The node of this kind with the operands own[0 .. n - 1]. */
/*@ BOTH_REQUIRES
    requires kind:     has_operands(kind) && arity(kind, n);
    requires own:      0 <= n && \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  root:     \result >= 0 ==> is_root(MADE_TREE, kind, op, n);
    ensures  kids:     \result >= 0 ==> \forall integer k; 0 <= k < n ==>
                       x_kid(MADE_TREE, k) == \old(tree_at(t, own[k]));
*/
static int make_form(struct attrs *t, int kind, int op, const int *own, int n)
{
    if (kind == ATTR_UNARY || kind == ATTR_REDUCE)
        return expr_make(t, kind, op, own[0], 0);
    if (kind == ATTR_BINARY || kind == ATTR_PROJ)
        return expr_make(t, kind, op, own[0], own[1]);
    if (kind == ATTR_VAR || kind == ATTR_MAP)
        return expr_make_symbol(t, kind, op, own[0], own[1]);
    return expr_make_family(t, kind, op, own, n);
}

/* read_op_made of the children own[0 .. n - 1]. */
/*@ EXPRS_READ_REQUIRES
    FORM_REQUIRES
    requires own:      0 <= n && \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    FORM_MADE
    ensures  same:     \result.at == r.at;
    ensures  length:   \result.status == CALQUE_OK ==> x_len(READ_TREE) == n;
    ensures  kids:     \result.status == CALQUE_OK ==> \forall integer k; 0 <= k < n ==>
                       x_kid(READ_TREE, k) == \old(tree_at(t, own[k]));
*/
static struct reading form_new(struct reading r, struct attrs *t, struct reading head, int z, const int *own, int n)
{
    struct read_form f = read_form_of(head, n, z);
    int id;

    if (f.kind < 0)
        return read_fail(r, CALQUE_BAD);
    id = make_form(t, f.kind, f.op, own, n);
    /*@ assert word: spelled(SRC(head), head.word, head.at, head_word(f.kind, f.op)); */
    return read_made(r, id);
}

struct reading read_op_made(struct reading r, struct attrs *t, struct reading head, int z, int first)
    /*@ ghost (long start, long end) */
{
    int n = r.nids - first;
    int *own = exprs_scratch(t, r.ids + first, n);
    struct reading s;

    /*@ assert stay:   kept_both{Pre,Here}(t); */
    if (!own)
        return read_fail(r, CALQUE_NOMEM);
    /*@ ghost Got: ; */
    /*@ assert own:    \forall integer k; 0 <= k < n ==> own[k] == r.ids[first + k]; */
    /*@ assert trees:  \forall integer k; 0 <= k < n ==> tree_at(t, own[k]) == \at(tree_at(t, r.ids[first + k]), Pre); */
    s = form_new(r, t, head, z, own, n);
    /*@ assert kept:   kept_both{Got,Here}(t); */
    /*@ assert all:    kept_both{Pre,Here}(t); */
    /*@ assert kids:   s.status == CALQUE_OK ==> kids_are{Pre}(tree_at(t, s.id), t, r.ids, first, r.nids); */
    /*@ assert text:   s.status == CALQUE_OK ==> operands_text(SRC(s), start, end, t, s.id); */
    exprs_scratch_free(own);
    return s;
}

struct reading read_op_number(struct reading r)
{
    struct reading s;

    if (!read_has_number(r)) {
        r.number = 0;
        return r;
    }
    s = read_count(r);
    /*@ assert count: s.status == CALQUE_OK ==> count_text(SRC(r), r.at, s.at, s.number); */
    return s;
}
