#include "attr/expr_print.h"

/* An expression without children. */
/*@ EXPR_REQUIRES
    requires leaf:     0 <= i < es.n && leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_leaf(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_leaf(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, a = es.node[i].a;

    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind && x_op(tree(es, vs, i)) == es.node[i].op; */
    switch (kind) {
    case ATTR_CONST:
        /*@ assert const: x_const(tree(es, vs, i)) == val(VALS(vs), a); */
        form_const(t, vs, strs, a);
        break;
    case ATTR_ANY:
        word_put(t, WORD_ANY);
        break;
    case ATTR_ACCESS:
        /*@ assert slot: x_slot(tree(es, vs, i)) == a && 0 <= a < es.nslot; */
        form_access(t, strs, slot[a].pattern, slot[a].label);
        break;
    default:
        form_symbol(t, strs, es.node[i].op);
    }
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* What stands before the children of i. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n && !leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_head(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_head(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, op = es.node[i].op, z = op;

    (void)vs;
    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind && x_op(tree(es, vs, i)) == op; */
    if (kind == ATTR_INST) {
        /*@ assert slot: x_slot(tree(es, vs, i)) == es.node[i].a && 0 <= es.node[i].a < es.nslot; */
        z = slot[es.node[i].a].pattern;
    }
    form_start(t, strs, kind, op, z);
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* What stands behind them. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n && !leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_tail(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_tail(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, label = 0;

    (void)vs;
    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind; */
    if (kind == ATTR_INST) {
        /*@ assert slot: x_slot(tree(es, vs, i)) == es.node[i].a && 0 <= es.node[i].a < es.nslot; */
        label = slot[es.node[i].a].label;
    }
    form_finish(t, strs, kind, label);
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/*@ EXPR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, snoc(\old(printed(t)), ' '));
*/
static void write_blank(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                        const struct strs *strs)
{
    (void)es;
    (void)vs;
    (void)slot;
    (void)strs;
    text_letter(t, ' ');
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* A blank and child k of i. */
/*@ EXPR_REQUIRES
    requires kid:      0 <= i < es.n && 0 <= k < n_kids(es, i);
    terminates \true;
    decreases 3 * es.node[i].depth;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_expr(snoc(\old(printed(t)), ' '), \old(SLOTS),
                                                   x_kid(\old(tree(es, vs, i)), k)));
*/
static void write_kid(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                      const struct strs *strs, int i, int k)
{
    int c = attr_kid(es, i, k);

    /*@ assert kid:   tree(es, vs, c) == x_kid(tree(es, vs, i), k); */
    /*@ ghost Kid: ; */
    write_blank(t, es, vs, slot, strs);
    /*@ assert same:  same_source{Pre,Here}(es, vs, slot); */
    /*@ assert wf:    wf_source(es, vs); */
    /*@ assert tree:  tree(es, vs, c) == \at(tree(es, vs, c), Kid); */
    /*@ assert slots: SLOTS == \at(SLOTS, Pre); */
    /*@ assert deep:  0 <= es.node[c].depth < es.node[i].depth == \at(es.node[i].depth, Pre); */
    expr_write(t, es, vs, slot, strs, c);
}

/* The children of i. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n;
    terminates \true;
    decreases 3 * es.node[i].depth + 1;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_kids(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i)),
                                                   x_len(\old(tree(es, vs, i)))));
*/
static void write_kids(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int n = attr_kids(es, i);

    /*@ assert len: n == x_len(tree(es, vs, i)); */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: apart_strs(t, strs);
        loop invariant same:  same_source{Pre,Here}(es, vs, slot);
        loop invariant wrote: wrote{Pre,Here}(t, add_kids(\at(printed(t), Pre), \at(SLOTS, Pre), \at(tree(es, vs, i), Pre), k));
        loop assigns k, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert wf:    wf_source(es, vs); */
        /*@ assert tree:  tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
        /*@ assert slots: SLOTS == \at(SLOTS, Pre); */
        /*@ assert deep:  es.node[i].depth == \at(es.node[i].depth, Pre); */
        /*@ assert kids:  n_kids(es, i) == n; */
        /*@ ghost Turn: ; */
        write_kid(t, es, vs, slot, strs, i, k);
        /*@ assert same:  same_source{Turn,Here}(es, vs, slot); */
    }
}

void expr_write(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                const struct strs *strs, int i)
{
    int n = attr_kids(es, i);

    /*@ assert ok:     expr_ok(es, i) && x_kind(tree(es, vs, i)) == es.node[i].kind; */
    if (n == 0 && !attr_has_kids(es.node[i].kind)) {
        write_leaf(t, es, vs, slot, strs, i);
        return;
    }
    write_head(t, es, vs, slot, strs, i);
    /*@ assert wf:     wf_source(es, vs); */
    /*@ assert tree:   tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
    /*@ assert slots:  SLOTS == \at(SLOTS, Pre); */
    /*@ assert kind:   es.node[i].kind == \at(es.node[i].kind, Pre) && es.node[i].depth == \at(es.node[i].depth, Pre); */
    /*@ ghost Head: ; */
    write_kids(t, es, vs, slot, strs, i);
    /*@ assert same2:  same_source{Pre,Here}(es, vs, slot); */
    /*@ assert wf2:    wf_source(es, vs); */
    /*@ assert tree2:  tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
    /*@ assert slots2: SLOTS == \at(SLOTS, Pre); */
    /*@ assert kind2:  es.node[i].kind == \at(es.node[i].kind, Pre); */
    write_tail(t, es, vs, slot, strs, i);
    /*@ assert same3:  same_source{Pre,Here}(es, vs, slot); */
}
