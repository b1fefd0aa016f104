/* Strings named by their ids, and written. Guards: funcs.h, sequences.acsl (Texts), text.h. */
#include "attr/funcs.h"
#include "attr/print.h"

void client_named(const struct strs *s, int id)
{
    const char *p = strs_text(s, id), *q = strs_text(s, id);
    int n = strs_len(s, id), m = strs_len(s, id);

    /*@ assert len:  n == m; */
    /*@ assert text: \forall integer k; 0 <= k < n ==> p[k] == q[k]; */
    /*@ assert BOOM: \false; */
}

/* What is written is what was there and more. */
/*@ requires text: held_text(t) && apart_strs(t, s); */
void client_text(struct text *t, const struct strs *s)
{
    text_letter(t, 'a');
    /*@ ghost Once: ; */
    name_put(t, s, 3);
    /*@ assert held: held_text(t) && apart_strs(t, s); */
    string_put(t, s, 3);
    text_int(t, 5);
    /*@ assert mem:  t->mem == \at(t->mem, Pre); */
    /*@ assert BOOM: \false; */
}

/* Letters from elsewhere. */
/*@ requires text:  held_text(t) && \valid_read(p) && *p == 'b' && \separated(p, t->a + (0 .. t->cap - 1)) && \separated(p, t); */
void client_letters(struct text *t, const char *p)
{
    text_put(t, p, 1);
    /*@ assert held: held_text(t); */
    /*@ assert kept: *p == 'b'; */
    text_quote(t, p, 1);
    /*@ assert mem:  t->mem == \at(t->mem, Pre); */
    /*@ assert BOOM: \false; */
}
