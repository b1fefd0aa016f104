/* The table of strings: bytes that are the same, room made twice. Guards: strs.acsl (Bytes), strs_internal.h. */
#include "base/strs_internal.h"

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
