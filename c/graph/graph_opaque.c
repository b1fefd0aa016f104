#include "graph/graph_opaque.h"

/* The varint at p[at]; not ok when there is none. */
/*@ requires bytes:    \valid_read(p + (0 .. n - 1)) && at <= n < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  varint:   \result.ok == 1 ==> varint(p, n, at, \result.at - at) && at < \result.at <= n;
    ensures  value:    \result.ok == 1 ==> \result.value == varint_value(p, at, \result.at - at);
    ensures  none:     \result.ok == 0 ==> \forall integer k; !varint(p, n, at, k);
*/
static struct wire_part varint(const unsigned char *p, size_t n, size_t at)
{
    struct wire_part r = { false, at, 0 };
    unsigned shift = 0;

    /*@ loop invariant range: 0 <= shift <= 70 && shift == 7 * (r.at - at) && at <= r.at <= n && r.ok == 0;
        loop invariant more:  \forall integer j; at <= j < r.at ==> p[j] >= 128;
        loop invariant value: r.value == varint_value(p, at, r.at - at);
        loop assigns shift, r;
        loop variant 70 - shift;
    */
    while (shift < 64 && r.at < n) {
        unsigned char byte = p[r.at];
        /*@ ghost size_t k = r.at - at + 1; */

        /*@ assert last: varint_value(p, at, k) ==
                         (varint_value(p, at, k - 1) | (uint64_t)((uint64_t)(p[at + k - 1] & 127) << (7 * (k - 1)))); */
        /*@ assert byte: p[at + k - 1] == byte && 7 * (k - 1) == shift && varint_value(p, at, k - 1) == r.value; */
        /*@ assert next: varint_value(p, at, k) == (r.value | (uint64_t)((uint64_t)(byte & 127) << shift)); */
        r.at++;
        r.value |= (uint64_t)(byte & 127) << shift;
        /*@ assert step: r.value == varint_value(p, at, r.at - at); */
        if (byte < 128) {
            r.ok = true;
            return r;
        }
        shift += 7;
    }
    return r;
}

/* The length of what follows a key, its bytes before it passed over; not ok when there is no such field. */
/*@ requires bytes:    \valid_read(p + (0 .. n - 1)) && n < SIZE_MAX && at + k <= n && 0 <= k;
    requires key:      key == varint_value(p, at, k);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  range:    \result.ok == 1 ==> at + k <= \result.at <= n && \result.value <= n - \result.at;
    ensures  field:    \result.ok == 1 ==> any_field(p, n, at, k, \result.at + \result.value);
    ensures  none:     \result.ok == 0 ==> \forall integer end; !any_field(p, n, at, k, end);
    ensures  bytes:    \result.ok == 1 ==> key == 34 ==> varint(p, n, at + k, \result.at - (at + k)) &&
                       \result.value == varint_value(p, at + k, \result.at - (at + k));
*/
static struct wire_part body(const unsigned char *p, size_t n, size_t at, size_t k, uint64_t key)
{
    unsigned wire = key & 7;
    struct wire_part r = { true, at + k, wire == 1 ? 8 : 4 };

    if (wire != 1 && wire != 5) {
        r = varint(p, n, at + k);
        r.ok = r.ok && (wire == 0 || wire == 2);
        /*@ assert kind: r.ok == 1 ==> wire == 0 || wire == 2; */
        if (wire == 0)
            r.value = 0;
    }
    r.ok = r.ok && r.value <= n - r.at;
    /*@ assert word:  r.ok == 1 ==> wire == 0 ==> word_field(p, n, at, k, r.at + r.value); */
    /*@ assert fixed: r.ok == 1 ==> wire == 1 || wire == 5 ==> fixed_field(p, n, at, k, r.at + r.value); */
    /*@ assert bytes: r.ok == 1 ==> wire == 2 ==> bytes_field(p, n, at, k, r.at - (at + k), r.at + r.value); */
    return r;
}

struct wire_part graph_op_type(const unsigned char *p, size_t n)
{
    struct wire_part none = { false, 0, 0 };
    size_t at = 0;

    /*@ loop invariant range:  at <= n;
        loop invariant begins: begins(p, n, at);
        loop assigns at;
        loop variant n - at;
    */
    for (;;) {
        struct wire_part key = varint(p, n, at), r;

        /*@ assert no_key: key.ok == 0 ==> no_field(p, n, at); */
        if (!key.ok)
            return none;
        r = body(p, n, at, key.at - at, key.value);
        /*@ assert no_body: r.ok == 0 ==> no_field(p, n, at); */
        if (!r.ok)
            return none;
        if (key.value == (4 << 3 | 2))
            return r;
        at = r.at + r.value;
    }
}
