/* Strings: found, added, and named by their ids. Guards: strs.acsl (Bytes), strs_internal.h, funcs.h, texts.acsl, text.h. */
#include "attr/funcs.h"
#include "attr/print.h"
#include "base/strs_internal.h"

void client_named(const struct strs *s, int id)
{
    const char *p = strs_text(s, id), *q = strs_text(s, id);
    int n = strs_len(s, id), m = strs_len(s, id);

    /*@ assert len:  n == m; */
    /*@ assert text: \forall integer k; 0 <= k < n ==> p[k] == q[k]; */
    /*@ assert BOOM: \false; */
}

/*@ requires same: 0 <= n && \valid_read(p + (0 .. n - 1)) && \valid_read(q + (0 .. n - 1));
    requires text: \forall integer k; 0 <= k < n ==> p[k] == q[k];
*/
void client_bytes(const char *p, const char *q, int n)
{
    /*@ assert same: bytes_of((char *)p, 0, n) == bytes_of((char *)q, 0, n); */
    /*@ assert at:   n > 0 ==> bytes_at(bytes_of((char *)p, 0, n), 0) == q[0]; */
    /*@ assert hash: fnv(bytes_of((char *)p, 0, n), n) == fnv(bytes_of((char *)q, 0, n), n); */
    /*@ assert BOOM: \false; */
}

/*@ requires ready: ready_strs(s); */
void client_strs_room(struct strs *s)
{
    bool a = strs_room(s, 4) /*@ ghost ((char *)0, 0) */, b = strs_room(s, 4) /*@ ghost ((char *)0, 0) */, c;

    /*@ assert had:  a == 1 ==> b == 1; */
    c = strs_buckets(s, 16);
    /*@ assert count: s->entry.n == \at(s->entry.n, Pre) && (c == 1 ==> s->buckets == 16); */
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
