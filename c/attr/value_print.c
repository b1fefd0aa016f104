#include "attr/value_print.h"

#include "attr/item.h"
#include "attr/value_room.h"

#ifdef __FRAMAC__
/* On trust. */
/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    \forall integer bits; float_bits(x, bits) ==> wrote{Pre,Post}(t, add_float(\old(printed(t)), bits));
*/
void text_hex(struct text *t, double x);
#endif

/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_float(\old(printed(t)), bits));
*/
static void print_float(struct text *t, long bits)
{
    text_hex(t, value_unbits(bits));
}

/* A value that is no tuple. */
/*@ PRINT_REQUIRES
    requires values:   readable_values(vs) && apart_values_text(t, vs);
    requires id:       0 <= id < vs->n && vs->v[id].kind != VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  values:   readable_values(vs) && apart_values_text(t, vs) && kept_values{Pre,Post}(vs);
    ensures  wrote:    wrote{Pre,Post}(t, add_scalar(\old(printed(t)), \old(val(VALS(*vs), id))));
*/
static void print_scalar(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    const struct value *v = &vs->v[id];

    /*@ assert wf:   wf_value(vs->v, vs->pool, id); */
    /*@ assert root: is_root(val(VALS(*vs), id), v->kind, v->num); */
    switch (v->kind) {
    case VALUE_NONE:
        word_put(t, WORD_NONE);
        break;
    case VALUE_BOOL:
        word_put(t, v->num ? WORD_TRUE : WORD_FALSE);
        break;
    case VALUE_INT:
        text_int(t, v->num);
        break;
    case VALUE_FLOAT:
        print_float(t, v->num);
        break;
    default:
        string_put(t, strs, (int)v->num);
    }
}

/*@ PRINT_REQUIRES
    requires values:   readable_values(vs) && apart_values_text(t, vs);
    requires id:       0 <= id < vs->n && vs->v[id].kind == VALUE_TUPLE;
    terminates \true;
    decreases 2 * vs->v[id].depth;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  values:   readable_values(vs) && apart_values_text(t, vs) && kept_values{Pre,Post}(vs);
    ensures  wrote:    wrote{Pre,Post}(t, add_elements(\old(printed(t)), \old(val(VALS(*vs), id)), \old(vs->v[id].len)));
*/
static void print_elements(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    int n = vs->v[id].len;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre) && apart_strs(t, strs);
        loop invariant values: readable_values(vs) && apart_values_text(t, vs) && kept_values{Pre,Here}(vs);
        loop invariant wrote: wrote{Pre,Here}(t, add_elements(\at(printed(t), Pre), \at(val(VALS(*vs), id), Pre), k));
        loop assigns k, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        text_letter(t, ' ');
        value_print(t, vs, strs, value_item(*vs, id, k));
    }
}

void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    if (vs->v[id].kind != VALUE_TUPLE)
        print_scalar(t, vs, strs, id);
    else {
        text_letter(t, '(');
        word_put(t, WORD_TUPLE);
        print_elements(t, vs, strs, id);
        text_letter(t, ')');
    }
}
