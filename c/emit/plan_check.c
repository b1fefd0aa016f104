/* The check of a memory plan, whatever made it. Invariant: what was looked at is as it should be. */
#include "emit/plan.h"

/*@ requires items:  0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true;
    exits    never:  \false;
    assigns  \nothing;
    ensures  inside: \result == true <==> plan_inside(a, n, total);
*/
static bool all_inside(const struct plan_item *a, int n, size_t total)
{
    /*@ loop invariant seen: 0 <= i <= n && plan_inside(a, i, total);
        loop assigns i;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        if (a[i].bytes > total || a[i].offset > total - a[i].bytes)
            return false;
    return true;
}

/*@ requires items: 0 <= n && \valid_read(a + (0 .. n - 1));
    requires uses:  0 <= m && \valid_read(u + (0 .. m - 1));
    terminates \true;
    exits    never: \false;
    assigns  \nothing;
    ensures  lives: \result == true <==> plan_lives(a, n, u, m);
*/
static bool all_alive(const struct plan_item *a, int n, const struct plan_use *u, int m)
{
    /*@ loop invariant seen: 0 <= k <= m && plan_lives(a, n, u, k);
        loop assigns k;
        loop variant m - k;
    */
    for (int k = 0; k < m; k++) {
        int i = u[k].item;
        if (i < 0 || i >= n || u[k].step < a[i].def || u[k].step > a[i].last)
            return false;
    }
    return true;
}

/*@ requires item:  0 <= i && \valid_read(a + (0 .. i)) && plan_inside(a, i + 1, total);
    terminates \true;
    exits    never: \false;
    assigns  \nothing;
    ensures  apart: \result == true <==> item_apart(a, i, i);
*/
static bool apart(const struct plan_item *a, int i) /*@ ghost (size_t total) */
{
    const size_t at = a[i].offset, end = at + a[i].bytes;
    const int def = a[i].def, last = a[i].last;

    /*@ assert end: end == a[i].offset + a[i].bytes; */
    /*@ loop invariant seen: 0 <= j <= i && item_apart(a, i, j);
        loop assigns j;
        loop variant i - j;
    */
    for (int j = 0; j < i; j++)
        if (a[j].def <= last && def <= a[j].last && a[j].offset < end && at < a[j].offset + a[j].bytes) {
            /*@ assert meet: lives_meet(a, i, j); */
            /*@ assert over: !items_apart(a, i, j); */
            return false;
        }
    return true;
}

bool plan_holds(const struct plan_item *a, int n, size_t total, const struct plan_use *u, int m)
{
    if (!all_inside(a, n, total) || !all_alive(a, n, u, m))
        return false;
    /*@ loop invariant seen: 0 <= i <= n && plan_disjoint(a, i);
        loop assigns i;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        if (!apart(a, i) /*@ ghost (total) */)
            return false;
    return true;
}
