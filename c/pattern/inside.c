#include "pattern/inside.h"

int inside_application(const struct pattern *q)
{
    if (q->kind == PATTERN_CALL || q->kind == PATTERN_TUPLE)
        return q->nkid > 0;
    return q->kind == PATTERN_PROJ || q->kind == PATTERN_VARIADIC;
}

int inside_chain(const struct match_entry *entry, const struct pattern *pattern, int k)
    /*@ ghost (struct inside_view v, int node) */
{
    /*@ loop invariant range: -1 <= k < v.n;
        loop invariant said:  k >= 0 ==> said(v, k, node);
        loop invariant none:  \forall integer i; k < i ==> !replaced(v, i, node);
        loop assigns k;
        loop variant k;
    */
    while (k >= 0) {
        if (inside_application(pattern + entry[k].pattern))
            return 1;
        /*@ assert not: !application(v.pattern, v.entry[k].pattern); */
        /*@ assert next: last_before(v, v.entry[k].old, k, node); */
        k = entry[k].old;
    }
    return 0;
}

int inside_inner(struct inside_view v, int node)
{
    return inside_chain(v.entry, v.pattern, v.place[node].entry) /*@ ghost (v, node) */;
}

/* A slot by which a node that is no application uses `node`, or -1. */
/*@ requires valid:    valid_inside(v) && valid_uses(u);
    requires chained:  chained(v);
    requires uses:     uses_ok(u) && u.n <= v.nodes;
    requires users:    \forall integer s; linked(u, s) ==> u.slot[s].user < v.nodes;
    requires node:     0 <= node < u.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  outside:  \result >= 0 ==> holds(u, \result, node) && !inner(v, u.slot[\result].user);
    ensures  inside:   \result < 0 ==> \forall integer s; holds(u, s, node) ==> inner(v, u.slot[s].user);
*/
static int leak(struct inside_view v, struct uses_view u, int node)
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
        int user = u.slot[s].user;

        if (!inside_chain(v.entry, v.pattern, v.place[user].entry) /*@ ghost (v, user) */)
            return s;
        /*@ assert step: \forall integer t; on_list(u, s, t) ==> t == s || on_list(u, u.slot[s].next, t); */
        /*@ assert next: next_ok(u, s); */
        s = u.slot[s].next;
    }
    return -1;
}

/*@ requires valid:    valid_inside(v) && 0 <= k < v.n;
    requires entry:    v.entry[k].kind == ENTRY_NODE ==> v.entry[k].node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  asked:    \result != 0 <==> asked(v, which, k);
*/
static int asks(struct inside_view v, enum match_uses which, int k)
{
    if (v.entry[k].kind != ENTRY_NODE || v.entry[k].node < 0 || v.place[v.entry[k].node].outs > 0)
        return 0;
    if (which != USES_ALL && (v.entry[k].instance >= 0) != (which == USES_INSTANCES))
        return 0;
    return inside_application(v.pattern + v.entry[k].pattern);
}

struct inside_end inside_uses(const struct inside_view *p, const struct uses_view *q, enum match_uses which, int from)
{
    struct inside_view v = *p;
    struct uses_view u = *q;
    struct inside_end r = { -1, -1 };

    /*@ loop invariant range: from <= k <= v.n;
        loop invariant hold:  \forall integer j; from <= j < k ==> asked(v, which, j) ==>
                              used_inside(v, u, v.entry[j].node);
        loop assigns k;
        loop variant v.n - k;
    */
    for (int k = from; k < v.n; k++) {
        int s, node = v.entry[k].node;

        if (!asks(v, which, k))
            continue;
        s = leak(v, u, node);
        if (s < 0 && u.node[node].outputs == 0)
            continue;
        r.entry = k;
        r.user = s < 0 ? -1 : u.slot[s].user;
        /*@ assert not: !used_inside(v, u, node); */
        return r;
    }
    return r;
}
