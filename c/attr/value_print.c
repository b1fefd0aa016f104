#include "attr/value_print.h"

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
    VALUES_REQUIRES
    requires id:       0 <= id < vs.n && vs.v[id].kind != VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_scalar(\old(printed(t)), \old(val(VALS(vs), id))));
*/
static void print_scalar(struct text *t, struct values vs, const struct strs *strs, int id)
{
    long num = vs.v[id].num;

    /*@ assert wf:   wf_value(vs.v, vs.pool, id); */
    /*@ assert root: is_root(val(VALS(vs), id), vs.v[id].kind, num); */
    switch (vs.v[id].kind) {
    case VALUE_NONE:
        word_put(t, WORD_NONE);
        break;
    case VALUE_BOOL:
        word_put(t, num ? WORD_TRUE : WORD_FALSE);
        break;
    case VALUE_INT:
        text_int(t, num);
        break;
    case VALUE_FLOAT:
        print_float(t, num);
        break;
    default:
        string_put(t, strs, (int)num);
    }
}

/* One letter. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, snoc(\old(printed(t)), c));
*/
static void print_letter(struct text *t, struct values vs, const struct strs *strs, char c)
{
    (void)vs;
    (void)strs;
    text_letter(t, c);
}

/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= id < vs.n && vs.v[id].kind == VALUE_TUPLE;
    terminates \true;
    decreases 2 * vs.v[id].depth;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, add_elements(\old(printed(t)), \old(val(VALS(vs), id)), \old(vs.v[id].len)));
*/
static void print_elements(struct text *t, struct values vs, const struct strs *strs, int id)
{
    int n = vs.v[id].len, e;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: apart_strs(t, strs);
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wrote: wrote{Pre,Here}(t, add_elements(\at(printed(t), Pre), \at(val(VALS(vs), id), Pre), k));
        loop assigns k, e, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert wf:  WF_VALUES(vs); */
        /*@ assert ids: string_ids(vs.v, vs.n); */
        print_letter(t, vs, strs, ' ');
        /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
        /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
        /*@ assert root: wf_value(vs.v, vs.pool, id) && vs.v[id].kind == VALUE_TUPLE && vs.v[id].len == n; */
        e = vs.pool[vs.v[id].first + k];
        /*@ assert deep: 0 <= e < vs.n && vs.v[e].depth < vs.v[id].depth == \at(vs.v[id].depth, Pre); */
        /*@ assert val:  val(VALS(vs), id) == \at(val(VALS(vs), id), Pre); */
        /*@ assert nth:  v_nth(val(VALS(vs), id), k) == val(VALS(vs), e); */
        /*@ assert e:    val(VALS(vs), e) == v_nth(\at(val(VALS(vs), id), Pre), k); */
        value_write(t, vs, strs, e);
    }
}

void value_write(struct text *t, struct values vs, const struct strs *strs, int id)
{
    /*@ assert root: v_kind(val(VALS(vs), id)) == vs.v[id].kind; */
    if (vs.v[id].kind != VALUE_TUPLE) {
        print_scalar(t, vs, strs, id);
        return;
    }
    /*@ assert len: v_len(val(VALS(vs), id)) == vs.v[id].len; */
    text_letter(t, '(');
    word_put(t, WORD_TUPLE);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
    /*@ assert val:  val(VALS(vs), id) == \at(val(VALS(vs), id), Pre); */
    print_elements(t, vs, strs, id);
    print_letter(t, vs, strs, ')');
}

void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    value_write(t, *vs, strs, id);
}
