#include "attr/read_list.h"

#include <limits.h>

/* A number goes on top of the ids, unless there has been an error. */
/*@ requires text:     readable(r);
    requires ids:      ids_held(r) && \valid(m);
    requires status:   r.status == CALQUE_OK || r.status == CALQUE_NOMEM && r.id == -1;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  held:     ids_held(\result) && r.nids <= \result.nids;
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_NOMEM && \result.id == -1;
    ensures  top:      \result.status == CALQUE_OK ==> r.status == CALQUE_OK && \result.nids == r.nids + 1 &&
                       \result.ids[r.nids] == word;
*/
static struct reading push(struct reading r, struct mem *m, unsigned word)
{
    if (r.status != CALQUE_OK)
        return r;
    r = read_room(r, m);
    if (r.status == CALQUE_OK)
        r.ids[r.nids++] = word;
    return r;
}

/* Two numbers. */
/*@ requires text:     readable(r);
    requires ids:      ids_held(r) && \valid(m);
    requires status:   r.status == CALQUE_OK || r.status == CALQUE_NOMEM && r.id == -1;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  held:     ids_held(\result) && r.nids <= \result.nids;
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_NOMEM && \result.id == -1;
    ensures  top:      \result.status == CALQUE_OK ==> r.status == CALQUE_OK && \result.nids == r.nids + 2 &&
                       \result.ids[r.nids] == one && \result.ids[r.nids + 1] == two;
*/
static struct reading push_two(struct reading r, struct mem *m, unsigned one, unsigned two)
{
    struct reading s = push(r, m, one), u;

    /*@ ghost One: ; */
    u = push(s, m, two);
    /*@ assert one: u.status == CALQUE_OK ==> u.ids[r.nids] == \at(s.ids[r.nids], One); */
    /*@ assert ids: \forall integer k; 0 <= k < r.nids ==> u.ids[k] == \at(s.ids[k], One); */
    return u;
}

/* The halves of a number of 64 bits. */
struct halves {
    unsigned hi, lo;
};
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  wide:     wide(\result.hi, \result.lo) == k;
*/
static struct halves split(long k)
{
    long b = (long)UINT_MAX + 1, z = k < 0 ? -(k + 1) : k;
    unsigned hi = (unsigned)(z / b), lo = (unsigned)(z % b);
    struct halves x = { hi, lo };

    /*@ assert half: z == hi * b + lo && hi <= INT_MAX; */
    if (k < 0) {
        x.hi = UINT_MAX - hi;
        x.lo = UINT_MAX - lo;
    }
    return x;
}

struct reading list_push(struct reading r, struct mem *m, struct bound x)
{
    struct halves k = split(x.k);
    struct reading s = push_two(r, m, (unsigned)x.kind, (unsigned)x.key), u, w;

    /*@ ghost One: ; */
    u = push_two(s, m, (unsigned)(x.label + 1L), k.hi);
    /*@ ghost Two: ; */
    /*@ assert one:   u.status == CALQUE_OK ==> u.ids[r.nids] == \at(s.ids[r.nids], One) &&
                      u.ids[r.nids + 1] == \at(s.ids[r.nids + 1], One); */
    /*@ assert ids:   \forall integer i; 0 <= i < r.nids ==> u.ids[i] == \at(s.ids[i], One); */
    w = push_two(u, m, k.lo, (unsigned)x.id);
    /*@ assert two:   w.status == CALQUE_OK ==> w.ids[r.nids] == \at(u.ids[r.nids], Two) &&
                      w.ids[r.nids + 1] == \at(u.ids[r.nids + 1], Two) && w.ids[r.nids + 2] == \at(u.ids[r.nids + 2], Two) &&
                      w.ids[r.nids + 3] == \at(u.ids[r.nids + 3], Two); */
    /*@ assert more:  \forall integer i; 0 <= i < r.nids ==> w.ids[i] == \at(u.ids[i], Two); */
    return w;
}
