#include "attr/expr_print.h"

#ifdef __FRAMAC__
#include "attr/attr_room.acsl"
#endif

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, unary_word(op));
*/
const char *attr_unary_name(int op)
{
    return word_text(attr_unary_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, binary_word(op));
*/
const char *attr_binary_name(int op)
{
    return word_text(attr_binary_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, reduction_word(op));
*/
const char *attr_reduction_name(int op)
{
    return word_text(attr_reduction_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, func_word(op));
*/
const char *attr_func_name(int op)
{
    return word_text(attr_func_word(op));
}

/* Appends the text of expression a. */
/*@ PRINT_REQUIRES
    requires exprs:    held_attrs(e) && wf_arena(arena_of(e));
    requires values:   valid_values(*e->values) && WF_VALUES(*e->values) && string_ids(e->values->v, e->values->n);
    requires apart:    apart_source(t, t->mem, arena_of(e), *e->values, e->slot.a);
    requires id:       0 <= a < e->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  same:     same_source{Pre,Post}(\old(arena_of(e)), \old(*e->values), \old(e->slot.a));
    ensures  wrote:    wrote{Pre,Post}(t, add_expr(\old(printed(t)), \old(slots_of(e->slot.a, e->slot.n)),
                                                   \old(expr_of(arena_of(e), VALS(*e->values), a))));
*/
void attr_print(struct text *t, const struct attrs *e, const struct strs *strs, int a)
{
    struct attr_put es = { .node = e->node.a, .kid = e->kid.a, .n = e->node.n, .cap = e->node.cap, .nkid = e->kid.n,
                           .capkid = e->kid.cap, .nvalue = e->values->n, .nslot = e->slot.n, .nsymbol = e->nsymbol };

    /*@ assert view: es == arena_of(e); */
    expr_write(t, es, *e->values, e->slot.a, strs, a);
}
