#include "pattern/inside.h"

int inside_application(const struct pattern *q)
{
    if (q->kind == PATTERN_CALL || q->kind == PATTERN_TUPLE)
        return q->nkid > 0;
    return q->kind == PATTERN_PROJ || q->kind == PATTERN_VARIADIC;
}

int inside_inner(struct inside_view v, int node)
{
    int k = v.place[node].entry;

    /*@ assert last: last_before(v, k, v.n, node); */
    /*@ loop invariant range: -1 <= k < v.n;
        loop invariant said:  k >= 0 ==> said(v, k, node);
        loop invariant none:  \forall integer i; k < i ==> !replaced(v, i, node);
        loop assigns k;
        loop variant k;
    */
    while (k >= 0) {
        if (inside_application(v.pattern + v.entry[k].pattern))
            return 1;
        /*@ assert not: !application(v.pattern, v.entry[k].pattern); */
        /*@ assert next: last_before(v, v.entry[k].old, k, node); */
        k = v.entry[k].old;
    }
    return 0;
}

int inside_leak(struct inside_view v, struct uses_view u, int node)
{
    int s = u.node[node].head;

    /*@ ghost uses_all(u); */
    /*@ assert head: head_ok(u, node) && lists(u); */
    /*@ loop invariant here: s >= 0 ==> holds(u, s, node);
        loop invariant range: -1 <= s < u.m;
        loop invariant done: \forall integer t; on_list(u, u.node[node].head, t) ==>
                             on_list(u, s, t) || inner(v, u.slot[t].user);
        loop assigns s;
        loop variant s < 0 ? 0 : rank(some_ranks(u), s) + 1;
    */
    while (s >= 0) {
        if (!inside_inner(v, u.slot[s].user))
            return s;
        /*@ assert step: \forall integer t; on_list(u, s, t) ==> t == s || on_list(u, u.slot[s].next, t); */
        /*@ assert next: next_ok(u, s); */
        s = u.slot[s].next;
    }
    return -1;
}
