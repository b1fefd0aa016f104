#include "attr/expr_print.h"

#ifdef __FRAMAC__
/* Proved: attr.c. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  kids:     \result == 1 <==> family_kind(kind);
*/
bool attr_has_kids(int kind);
#endif

int attr_unary_word(int op)
{
    return op >= 0 && op < ATTR_UNARY_OPS ? WORD_OF_UNARY + op : WORD_UNKNOWN;
}

int attr_binary_word(int op)
{
    return op >= 0 && op < ATTR_BINARY_OPS ? WORD_OF_BINARY + op : WORD_UNKNOWN;
}

int attr_reduction_word(int op)
{
    return op >= 0 && op < ATTR_REDUCTIONS ? WORD_OF_REDUCTION + op : WORD_UNKNOWN;
}

int attr_func_word(int op)
{
    return op >= 0 && op < ATTR_FUNC_OPS ? WORD_OF_FUNC + op : WORD_UNKNOWN;
}

/* The word of an expression with children. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == head_word(kind, op) < WORDS;
*/
static int head_word(int kind, int op)
{
    switch (kind) {
    case ATTR_UNARY:
        return attr_unary_word(op);
    case ATTR_BINARY:
        return attr_binary_word(op);
    case ATTR_REDUCE:
        return attr_reduction_word(op);
    case ATTR_FUNC:
        return attr_func_word(op);
    case ATTR_TUPLE:
        return WORD_TUPLE;
    case ATTR_PROJ:
        return WORD_PROJ;
    case ATTR_COND:
        return WORD_COND;
    case ATTR_MATCH:
        return WORD_MATCH;
    case ATTR_INST:
        return WORD_INST;
    case ATTR_VAR:
        return WORD_VAR;
    default:
        return WORD_MAP;
    }
}

/* "(" and a word. */
/*@ PRINT_REQUIRES
    requires word:     0 <= w < WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_open(\old(printed(t)), w));
*/
static void put_open(struct text *t, const struct strs *strs, int w)
{
    (void)strs;
    text_letter(t, '(');
    word_put(t, w);
}

/* A blank and a number. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_number(\old(printed(t)), z));
*/
static void put_number(struct text *t, const struct strs *strs, int z)
{
    (void)strs;
    text_letter(t, ' ');
    text_int(t, z);
}

/* A blank and a label. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_label(\old(printed(t)), label));
*/
static void put_label(struct text *t, const struct strs *strs, int label)
{
    text_letter(t, ' ');
    name_put(t, strs, label);
}

/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_access(\old(printed(t)), pattern, label));
*/
static void put_access(struct text *t, const struct strs *strs, int pattern, int label)
{
    put_open(t, strs, WORD_ACCESS);
    put_number(t, strs, pattern);
    put_label(t, strs, label);
    text_letter(t, ')');
}

/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_symbol(\old(printed(t)), symbol));
*/
static void put_symbol(struct text *t, const struct strs *strs, int symbol)
{
    put_open(t, strs, WORD_SYMBOL);
    put_number(t, strs, symbol);
    text_letter(t, ')');
}

/* What stands before the children; z is the number, if there is one. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_start(\old(printed(t)), kind, op, z));
*/
static void put_start(struct text *t, const struct strs *strs, int kind, int op, int z)
{
    put_open(t, strs, head_word(kind, op));
    if (kind == ATTR_MATCH || kind == ATTR_INST || kind == ATTR_VAR || kind == ATTR_MAP)
        put_number(t, strs, z);
}

/* What stands behind the children. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_finish(\old(printed(t)), kind, label));
*/
static void put_finish(struct text *t, const struct strs *strs, int kind, int label)
{
    if (kind == ATTR_INST)
        put_label(t, strs, label);
    text_letter(t, ')');
}

/* The constant v. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= v < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, add_const(\old(printed(t)), \old(val(VALS(vs), v))));
*/
static void put_const(struct text *t, struct values vs, const struct strs *strs, int v)
{
    /*@ assert root: v_kind(val(VALS(vs), v)) == vs.v[v].kind; */
    if (vs.v[v].kind != VALUE_TUPLE) {
        value_write(t, vs, strs, v);
        return;
    }
    put_open(t, strs, WORD_CONST);
    text_letter(t, ' ');
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
    /*@ assert val:  val(VALS(vs), v) == \at(val(VALS(vs), v), Pre); */
    value_write(t, vs, strs, v);
    text_letter(t, ')');
}

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
        put_const(t, vs, strs, a);
        break;
    case ATTR_ANY:
        word_put(t, WORD_ANY);
        break;
    case ATTR_ACCESS:
        /*@ assert slot: x_slot(tree(es, vs, i)) == a && 0 <= a < es.nslot; */
        put_access(t, strs, slot[a].pattern, slot[a].label);
        break;
    default:
        put_symbol(t, strs, es.node[i].op);
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
    put_start(t, strs, kind, op, z);
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
    put_finish(t, strs, kind, label);
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* How many children i has. */
/*@ requires valid:    valid_arena(es) && wf_arena(es);
    requires id:       0 <= i < es.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  count:    0 <= \result == n_kids(es, i);
*/
static int kid_count(struct attr_put es, int i)
{
    /*@ assert ok: expr_ok(es, i); */
    switch (es.node[i].kind) {
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
        return es.node[i].b;
    }
}

/* Child k of i. */
/*@ requires valid:    valid_arena(es) && wf_arena(es);
    requires id:       0 <= i < es.n && 0 <= k < n_kids(es, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kid:      0 <= \result == kid_of(es, i, k) < es.n;
    ensures  deep:     0 <= es.node[\result].depth < es.node[i].depth;
*/
static int kid_at(struct attr_put es, int i, int k)
{
    int kind = es.node[i].kind;

    /*@ assert ok: expr_ok(es, i); */
    if (attr_has_kids(kind)) {
        /*@ assert at:  0 <= es.node[i].a + k < es.nkid; */
        /*@ assert kid: expr_ok(es, es.kid[es.node[i].a + k]); */
        return es.kid[es.node[i].a + k];
    }
    if (kind == ATTR_INST || k > 0) {
        /*@ assert b: expr_ok(es, es.node[i].b); */
        return es.node[i].b;
    }
    /*@ assert a: expr_ok(es, es.node[i].a); */
    return es.node[i].a;
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
    int c = kid_at(es, i, k);

    /*@ assert kid:   tree(es, vs, c) == x_kid(tree(es, vs, i), k); */
    /*@ ghost Kid: ; */
    text_letter(t, ' ');
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slot: same_slots{Pre,Here}(slot, es.nslot); */
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
    int n = kid_count(es, i);

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
    int n = kid_count(es, i);

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
