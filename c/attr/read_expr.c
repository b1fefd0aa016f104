#include "attr/read_expr.h"

#include "attr/read_make.h"
#include "attr/read_op.h"

#ifdef __FRAMAC__
#include "attr/both_same.acsl"
#include "attr/both_trans.acsl"
#endif

/* After the index of an instance (expression a) of pattern p: its label and the parenthesis. The form begins at `from`, with
   the word from `word` to `open`; the number is that before `index`. */
/*@ EXPRS_READ_REQUIRES
    requires index:    0 <= a < t->node.n;
    requires open:     opens(SRC(r), from, word, open, WORD_INST) && from < r.at;
    requires before:   count_text(SRC(r), open, index, p) && reads(SRC(r), index, r.at, t, a);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
static struct reading close_inst(struct reading r, struct attrs *t, struct strs *strs, int p, int a)
    /*@ ghost (long from, long word, long open, long index) */
{
    struct reading s = read_label(r, strs);
    int label = s.id, slot, id;

    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost long at = s.at; */
    /*@ assert named: label_text(SRC(s), r.at, at, label); */
    s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return s;
    slot = expr_slot(t, p, label);
    if (slot < 0)
        return read_made(s, -1);
    /*@ ghost Slot: ; */
    /*@ assert first: kept_both{Pre,Here}(t) && a < t->node.n && 0 <= slot < t->slot.n; */
    /*@ assert index: reads(SRC(s), index, r.at, t, a); */
    id = expr_make(t, ATTR_INST, 0, slot, a);
    /*@ assert kept:  kept_both{Slot,Here}(t); */
    /*@ assert old:   kept_both{Pre,Here}(t); */
    /*@ assert slot:  t->slot.a[slot].pattern == p && t->slot.a[slot].label == label && slot < t->slot.n; */
    /*@ assert still: reads(SRC(s), index, r.at, t, a); */
    /*@ assert tree:  id >= 0 ==> x_kid(tree_at(t, id), 0) == tree_at(t, a) && x_slot(tree_at(t, id)) == slot; */
    /*@ assert count: count_text(SRC(s), open, index, t->slot.a[slot].pattern); */
    /*@ assert label: label_text(SRC(s), r.at, at, t->slot.a[slot].label); */
    /*@ assert open:  opens(SRC(s), from, word, open, WORD_INST); */
    /*@ assert close: marks(SRC(s), at, s.at, ')'); */
    /*@ assert more:  from < s.at; */
    /*@ assert text:  id >= 0 ==> reads(SRC(s), from, s.at, t, id); */
    return read_made(s, id);
}

/* After "(inst". */
/*@ EXPRS_READ_REQUIRES
    requires open:     OPENED(WORD_INST);
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 2;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
static struct reading read_inst(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct reading s = read_count(r);
    int p, a;

    if (s.status != CALQUE_OK)
        return s;
    p = (int)s.number;
    /*@ ghost long count = s.at; */
    /*@ assert count: count_text(SRC(s), r.at, count, p); */
    s = expr_read(s, t, strs);
    a = s.id;
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert index: reads(SRC(s), count, s.at, t, a); */
    /*@ assert still: count_text(SRC(s), r.at, count, p) && opens(SRC(s), from, r.word, r.at, WORD_INST) && from < s.at; */
    return close_inst(s, t, strs, p, a)
        /*@ ghost (from, r.word, r.at, count) */;
}

/* .id goes on top of the ids; nothing else changes. */
/*@ EXPRS_READ_REQUIRES
    requires id:       0 <= r.id;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  held:     ids_held(\result);
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  ready:    ready_both(t);
    ensures  old:      kept_both{Pre,Post}(t);
    ensures  count:    t->node.n == \old(t->node.n);
    ensures  status:   \result.status == CALQUE_OK && \result.nids == r.nids + 1 && \result.ids[r.nids] == r.id ||
                       \result.status == CALQUE_NOMEM && \result.nids == r.nids && \result.id == -1;
*/
static struct reading push(struct reading r, struct attrs *t)
{
    struct reading s = read_push(r, t->mem);

    /*@ assert fields: same_fields{Pre,Here}(t->values); */
    /*@ assert stay:   values_stay{Pre,Here}(t->values); */
    /*@ assert vals:   kept_values{Pre,Here}(t); */
    /*@ assert wf:     WF_VALUES(*t->values); */
    /*@ assert exprs:  exprs_stay{Pre,Here}(t); */
    /*@ assert old:    kept_both{Pre,Here}(t); */
    return s;
}

/* What is read of operands: as EXPRS_READ_KEEPS, with more ids on top. */
#define OPERANDS_KEPT                                                                          \
    ensures  place:    \result.text == r.text && \result.n == r.n && r.at <= \result.at <= r.n && \
                       \result.depth == r.depth && r.nids <= \result.nids;                     \
    ensures  held:     ids_held(\result);                                                      \
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);                                 \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_both(t);                                                          \
    ensures  old:      kept_both{Pre,Post}(t);                                                 \
    ensures  error:    \result.status == CALQUE_OK || \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;

/* The next operand and the blanks after it; its id goes on top. The text of the operands before it begins at `start`. */
/*@ EXPRS_READ_REQUIRES
    requires exist:    ids_exist(r.ids, first, r.nids, t->node.n);
    requires before:   kids_text(SRC(r), start, r.at, t, r.ids, first, r.nids);
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 2;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    OPERANDS_KEPT
    ensures  more:     \result.status == CALQUE_OK ==> r.at < \result.at && \result.nids == r.nids + 1;
    ensures  exist:    \result.status == CALQUE_OK ==> ids_exist(\result.ids, first, \result.nids, t->node.n);
    ensures  text:     \result.status == CALQUE_OK ==>
                       kids_text(SRC(\result), start, \result.at, t, \result.ids, first, \result.nids);
*/
static struct reading read_operand(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long start, int first) */
{
    struct reading s = expr_read(r, t, strs);
    /*@ ghost int id = s.id; */

    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost long at = s.at; */
    /*@ ghost Read: ; */
    /*@ assert ids:  ids_exist(s.ids, first, s.nids, t->node.n); */
    /*@ assert text: kids_text(SRC(s), start, r.at, t, s.ids, first, s.nids); */
    s = push(s, t);
    /*@ assert kept: kept_both{Read,Here}(t); */
    /*@ assert old:  kept_both{Pre,Here}(t); */
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert top:    s.ids[r.nids] == id && s.nids == r.nids + 1; */
    /*@ assert ids2:   ids_exist(s.ids, first, r.nids, t->node.n); */
    /*@ assert text2:  kids_text(SRC(s), start, r.at, t, s.ids, first, r.nids); */
    /*@ assert reads:  reads(SRC(s), r.at, at, t, id); */
    s = read_blanks(s);
    /*@ assert all:    kids_text(SRC(s), start, s.at, t, s.ids, first, r.nids + 1); */
    return s;
}

/* The operands up to the closing parenthesis. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 3;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    OPERANDS_KEPT
    ensures  exist:    \result.status == CALQUE_OK ==> ids_exist(\result.ids, r.nids, \result.nids, t->node.n);
    ensures  text:     \result.status == CALQUE_OK ==>
                       kids_text(SRC(\result), r.at, \result.at, t, \result.ids, r.nids, \result.nids);
*/
static struct reading read_operands(struct reading r, struct attrs *t, struct strs *strs)
{
    /*@ ghost long start = r.at; int first = r.nids; struct values *vs = t->values; */

    r = read_blanks(r);
    /*@ loop invariant place:  r.text == \at(r.text, Pre) && r.n == \at(r.n, Pre) && start <= r.at <= r.n &&
                               r.depth == \at(r.depth, Pre) && first <= r.nids;
        loop invariant held:   ids_held(r);
        loop invariant ids:    ids_kept{Pre,Here}(\at(r, Pre), r, first);
        loop invariant source: SRC(r) == \at(SRC(r), Pre);
        loop invariant ready:  ready_both(t);
        loop invariant mems:   same_mems{Pre,Here}(t) && t->values == vs;
        loop invariant old:    kept_both{Pre,Here}(t);
        loop invariant error:  r.status == CALQUE_OK || r.id == -1 && CALQUE_BAD <= r.status <= CALQUE_NOMEM;
        loop invariant exist:  r.status == CALQUE_OK ==> ids_exist(r.ids, first, r.nids, t->node.n);
        loop invariant text:   r.status == CALQUE_OK ==> kids_text(SRC(r), start, r.at, t, r.ids, first, r.nids);
        loop assigns r, *t, *t->mem, *vs, *vs->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
                     { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
                     { *c | char *c; \true };
        loop variant r.n - r.at + (r.status == CALQUE_OK ? 1 : 0);
    */
    while (r.status == CALQUE_OK && !read_sees(r, ')')) {
        /*@ ghost Turn: ; */
        r = read_operand(r, t, strs)
            /*@ ghost (start, first) */;
        /*@ assert kept: kept_both{Turn,Here}(t); */
        /*@ assert old:  kept_both{Pre,Here}(t); */
    }
    return r;
}

/* After the word of a form with operands. */
/*@ EXPRS_READ_REQUIRES
    OPENED_BY_WORD
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 4;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
static struct reading read_operation(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct reading s = read_op_number(r);
    int z;

    if (s.status != CALQUE_OK)
        return s;
    z = (int)s.number;
    /*@ ghost long start = s.at; */
    s = read_operands(s, t, strs);
    /*@ ghost long end = s.at; */
    if (s.status == CALQUE_OK)
        s = read_mark(s, ')');
    if (s.status == CALQUE_OK) {
        /*@ ghost Before: ; */
        /*@ assert first: kept_both{Pre,Here}(t); */
        s = read_op_made(s, t, r, z, r.nids)
            /*@ ghost (start, end) */;
        /*@ assert kept:  kept_both{Before,Here}(t); */
        /*@ assert old:   kept_both{Pre,Here}(t); */
        /*@ assert open:  mark(SRC(s), from, '(') && next_word(SRC(s), from + 1, r.word, r.at); */
        /*@ assert head:  s.status == CALQUE_OK ==> opens(SRC(s), from, r.word, r.at,
                          head_word(x_kind(tree_at(t, s.id)), x_op(tree_at(t, s.id)))); */
        /*@ assert number: s.status == CALQUE_OK ==>
                          number_text(SRC(s), r.at, start, x_kind(tree_at(t, s.id)), x_op(tree_at(t, s.id))); */
        /*@ assert close: marks(SRC(s), end, s.at, ')'); */
        /*@ assert text:  s.status == CALQUE_OK ==> reads(SRC(s), from, s.at, t, s.id); */
    }
    s.nids = r.nids;
    return s;
}

/* After the parenthesis at `from` and a word. */
/*@ EXPRS_READ_REQUIRES
    OPENED_BY_WORD
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 5;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
static struct reading read_form(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    if (read_is(r, WORD_ACCESS))
        return read_access(r, t, strs)
            /*@ ghost (from) */;
    if (read_is(r, WORD_CONST))
        return read_const(r, t, strs)
            /*@ ghost (from) */;
    if (read_is(r, WORD_SYMBOL))
        return read_symbol(r, t)
            /*@ ghost (from) */;
    if (read_is(r, WORD_INST))
        return read_inst(r, t, strs)
            /*@ ghost (from) */;
    return read_operation(r, t, strs)
        /*@ ghost (from) */;
}

/* After "(". */
/*@ EXPRS_READ_REQUIRES
    requires open:     0 < r.at && mark(SRC(r), r.at - 1, '(');
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth);
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    ensures  text:     \result.status == CALQUE_OK ==> reads(SRC(\result), r.at - 1, \result.at, t, \result.id);
*/
static struct reading read_compound(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_word(r);

    if (s.depth >= 2 * ATTR_DEPTH_MAX)
        return read_fail(s, CALQUE_LIMIT);
    s.depth++;
    s = read_form(s, t, strs)
        /*@ ghost (r.at - 1) */;
    s.depth--;
    return s;
}

struct reading expr_read(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_blanks(r);
    /*@ ghost long start = s.at; */

    if (read_sees(s, '(')) {
        s.at++;
        s = read_compound(s, t, strs);
        /*@ assert form: s.status == CALQUE_OK ==> reads(SRC(s), start, s.at, t, s.id); */
    } else {
        s = read_leaf(s, t, strs);
        /*@ assert leaf: s.status == CALQUE_OK ==> reads(SRC(s), start, s.at, t, s.id); */
    }
    /*@ assert blanks: blanks_at(SRC(s), r.at, start); */
    /*@ assert text:   s.status == CALQUE_OK ==> reads(SRC(s), r.at, s.at, t, s.id); */
    return s;
}
