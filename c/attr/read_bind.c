#include "attr/read_bind.h"

#include <limits.h>

/* What bo_k says, from its halves. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  wide:     \result == wide(hi, lo);
*/
static long join(unsigned hi, unsigned lo)
{
    long b = (long)UINT_MAX + 1;

    return hi <= INT_MAX ? hi * b + lo : -((long)(UINT_MAX - hi) * b) - (long)(UINT_MAX - lo) - 1;
}

struct bound bound_at(const unsigned *p, int j) /*@ ghost (int ns) */
{
    const unsigned *w = p + (long)BOUND_WORDS * j;
    struct bound x = { (int)w[0], (int)w[1], (int)((long)w[2] - 1), join(w[3], w[4]), (int)w[5] };

    return x;
}

int bound_top(const unsigned *p, int n, int kind) /*@ ghost (int ns) */
{
    int top = 0;

    /*@ loop invariant range: 0 <= j <= n && 0 <= top;
        loop invariant above: keys_below(top, p, j, kind);
        loop invariant least: 0 < top ==> \exists integer i; 0 <= i < j && bo_kind(p, i) == kind && bo_key(p, i) == top - 1;
        loop assigns j, top;
        loop variant n - j;
    */
    for (int j = 0; j < n; j++) {
        struct bound x = bound_at(p, j) /*@ ghost (ns) */;

        if (x.kind == kind && x.key >= top)
            top = x.key + 1;
    }
    return top;
}

void bind_keys(int *a, int m, const unsigned *p, int n, int kind) /*@ ghost (int ns) */
{
    unbound_fill(a, 0, m);
    /*@ loop invariant range: 0 <= j <= n;
        loop invariant bound: keys_bound(a, m, p, j, kind);
        loop assigns j, a[0 .. m - 1];
        loop variant n - j;
    */
    for (int j = 0; j < n; j++) {
        struct bound x = bound_at(p, j) /*@ ghost (ns) */;

        /*@ ghost Turn: ; */
        if (x.kind == kind)
            bind_first(a, x.key, x.id);
        /*@ assert others: \forall integer key; 0 <= key < m ==> !bound_is(p, j, kind, key, -1, 0) ==>
                           a[key] == \at(a[key], Turn); */
        /*@ assert this:   \forall integer key; 0 <= key < m ==> bound_is(p, j, kind, key, -1, 0) ==>
                           key_bound(a[key], p, j + 1, kind, key); */
        /*@ assert those:  \forall integer key; 0 <= key < m ==> !bound_is(p, j, kind, key, -1, 0) ==>
                           key_bound(a[key], p, j + 1, kind, key); */
    }
}

/* Binding j, which is x, is bound in entry m. */
/*@ requires room:     0 <= m && 0 <= j && \valid(a + (0 .. m)) && \valid_read(p + (0 .. BOUND_WORDS * j + 5));
    requires none:     none_named(a, m, p, j);
    requires bound:    all_named(a, m, p, j);
    requires name:     bound_is(p, j, BOUND_NAMED, x.key, x.label, x.k) && bo_id(p, j) == x.id && 0 <= x.id;
    terminates \true;
    exits    never:    \false;
    assigns  a[m];
    ensures  ids:      a[m].id == x.id;
    ensures  none:     none_named(a, m + 1, p, j + 1);
    ensures  bound:    all_named(a, m + 1, p, j + 1);
*/
static void put_named(struct attr_named *a, int m, struct bound x) /*@ ghost (const unsigned *p, int j) */
{
    a[m] = (struct attr_named){ .pattern = x.key, .label = x.label, .k = x.k, .id = x.id };
    /*@ assert this:  is_named(a, m, x.key, x.label, x.k) && a[m].id == x.id; */
    /*@ assert same:  \forall integer i; 0 <= i < m ==> a[i].pattern == \at(a[i].pattern, Pre) &&
                      a[i].label == \at(a[i].label, Pre) && a[i].k == \at(a[i].k, Pre) && a[i].id == \at(a[i].id, Pre); */
    /*@ assert named: \forall integer i, key, label, k; 0 <= i < m ==>
                      (is_named(a, i, key, label, k) <==> is_named{Pre}(a, i, key, label, k)); */
    /*@ assert less:  \forall integer i, key, label, k; i <= m ==> unnamed(a, i, key, label, k) ==> unnamed{Pre}(a, i, key, label, k); */
    /*@ assert none1: \forall integer key, label, k; unnamed(a, m + 1, key, label, k) ==>
                      unnamed(a, m, key, label, k) && !is_named(a, m, key, label, k); */
    /*@ assert none2: \forall integer key, label, k; unnamed(a, m + 1, key, label, k) ==>
                      unlisted(p, j, BOUND_NAMED, key, label, k) && !bound_is(p, j, BOUND_NAMED, key, label, k); */
    /*@ assert none:  none_named(a, m + 1, p, j + 1); */
    /*@ assert old:   \forall integer i, key, label, k; i < m ==> first_named(a, m + 1, i, key, label, k) ==>
                      first_named{Pre}(a, m, i, key, label, k); */
    /*@ assert olds:  \forall integer i, key, label, k; i < m ==> first_named(a, m + 1, i, key, label, k) ==>
                      0 <= a[i].id && first_id(p, j, BOUND_NAMED, key, label, k, a[i].id); */
    /*@ assert new:   \forall integer key, label, k; first_named(a, m + 1, m, key, label, k) ==>
                      unlisted(p, j, BOUND_NAMED, key, label, k) && bound_is(p, j, BOUND_NAMED, key, label, k); */
    /*@ assert news:  \forall integer key, label, k; first_named(a, m + 1, m, key, label, k) ==>
                      first_id(p, j + 1, BOUND_NAMED, key, label, k, x.id); */
}

int bind_named(struct attr_named *a, const unsigned *p, int n) /*@ ghost (int ns) */
{
    int m = 0;

    /*@ loop invariant range: 0 <= m <= j <= n;
        loop invariant ids:   \forall integer i; 0 <= i < m ==> 0 <= a[i].id;
        loop invariant none:  none_named(a, m, p, j);
        loop invariant bound: all_named(a, m, p, j);
        loop assigns j, m, a[0 .. n - 1];
        loop variant n - j;
    */
    for (int j = 0; j < n; j++) {
        struct bound x = bound_at(p, j) /*@ ghost (ns) */;

        if (x.kind == BOUND_NAMED)
            put_named(a, m++, x) /*@ ghost (p, j) */;
    }
    return m;
}
