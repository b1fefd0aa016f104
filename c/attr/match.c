#include "attr/match.h"

#include "attr/match_var.h"

/* Child k of tuple i against element k of tuple x. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE && vs.v[x].kind == VALUE_TUPLE;
    requires child:    0 <= k < t.node[i].b == vs.v[x].len;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i);
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  same:     t.node[i].kind == ATTR_TUPLE && vs.v[x].kind == VALUE_TUPLE &&
                       t.node[i].b == vs.v[x].len == \old(vs.v[x].len);
    ensures  sound:    \result == MATCH_YES ==>
                       am(\old(EXPRS), \old(ENV), t_kid(\old(EXPRS), i, k),
                          v_nth(val(\old(VALS(vs)), x), k));
    ensures  complete: \result == MATCH_NO ==>
                       !am(\old(EXPRS), \old(ENV), t_kid(\old(EXPRS), i, k),
                           v_nth(val(\old(VALS(vs)), x), k));
*/
static int match_kid(struct attr_view t, struct values vs, int i, int x, int k)
{
    int p, q, kid, id, c;

    /*@ assert all: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n) && WF_VALUES(vs); */
    /*@ assert wf: wf_node(t.node, t.kid, i) && t.node[i].a + t.node[i].b <= t.nkid; */
    /*@ assert wfx: wf_elements(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_TUPLE && t_b(EXPRS, i) == t.node[i].b; */
    p = t.node[i].a + k;
    q = vs.v[x].first + k;
    /*@ assert p: 0 <= p < t.nkid; */
    /*@ assert q: 0 <= q < vs.npool <= vs.cappool; */
    /*@ assert pool: \valid(vs.pool + (0 .. vs.cappool - 1)); */
    kid = t.kid[p];
    id = vs.pool[q];
    /*@ assert child: 0 <= kid < i && t.node[kid].depth < t.node[i].depth; */
    /*@ assert wfk: wf_node(t.node, t.kid, kid); */
    /*@ assert kid: kid == t_kid(EXPRS, i, k); */
    /*@ assert id: 0 <= id < x; */
    /*@ assert nth: v_nth(val(VALS(vs), x), k) == val(VALS(vs), id); */
    /*@ assert deep: 0 <= t_depth(EXPRS, kid) < t_depth(EXPRS, i); */
    /*@ assert tuple: v_kind(val(VALS(vs), x)) == VALUE_TUPLE &&
                      v_len(val(VALS(vs), x)) == vs.v[x].len; */
    c = attr_match_core(t, vs, kid, id);
    /*@ assert after: t_kind(EXPRS, i) == t.node[i].kind && t_b(EXPRS, i) == t.node[i].b; */
    /*@ assert value: v_kind(val(VALS(vs), x)) == vs.v[x].kind; */
    /*@ assert len: v_len(val(VALS(vs), x)) == vs.v[x].len; */
    return c;
}

/* AM_Tuple: children of tuple i against the elements of tuple x, as many. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE && vs.v[x].kind == VALUE_TUPLE;
    requires length:   t.node[i].b == vs.v[x].len;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
static int match_kids(struct attr_view t, struct values vs, int i, int x)
{
    int len = vs.v[x].len, c;

    /*@ assert wf: wf_node(t.node, t.kid, i) && WF_VALUES(vs); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_TUPLE && t_b(EXPRS, i) == len &&
                     v_kind(val(VALS(vs), x)) == VALUE_TUPLE && v_len(val(VALS(vs), x)) == len; */
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant kinds:  t.node[i].kind == ATTR_TUPLE && vs.v[x].kind == VALUE_TUPLE &&
                               t.node[i].b == vs.v[x].len == len;
        loop invariant ready:  ready(t, vs, vs.n, vs.npool);
        loop invariant values: extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant exprs:  EXPRS == \at(EXPRS, Pre);
        loop invariant env:    ENV == \at(ENV, Pre);
        loop invariant sound:  \forall integer j; 0 <= j < k ==>
                               am(\at(EXPRS, Pre), \at(ENV, Pre), t_kid(\at(EXPRS, Pre), i, j),
                                  v_nth(val(\at(VALS(vs), Pre), x), j));
        loop invariant view:   same_view{Pre,Here}(t);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop assigns k, c, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1],
                     vs.stack[0 .. vs.capstack - 1], t.symbol[0 .. t.nsymbol + 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        c = match_kid(t, vs, i, x, k);
        if (c != MATCH_YES)
            return c;
    }
    return MATCH_YES;
}

/* AM_Eval */
/*@ requires kind:     t.node[i].kind != ATTR_TUPLE && t.node[i].kind != ATTR_ANY && t.node[i].kind != ATTR_VAR;
    MATCH_REQUIRES
    terminates \true;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
static int match_eval(struct attr_view t, struct values vs, int i, int x)
{
    struct values us = vs;
    struct value_step r;
    int same;

    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind; */
    r = attr_eval_core(t, vs, 0, i);
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    /*@ assert wf: WF_VALUES(vs); */
    /*@ assert ext: extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    if (r.code == STEP_STUCK)
        return MATCH_NO;
    if (r.code == STEP_ROOM)
        return MATCH_ROOM;
    if (r.code == STEP_LIMIT)
        return MATCH_LIMIT;
    if (r.code == STEP_ASK)
        return MATCH_ASK;
    us.n = r.n;
    us.npool = r.npool;
    same = value_same(us, r.id, x);
    return same ? MATCH_YES : MATCH_NO;
}

int attr_match_core(struct attr_view t, struct values vs, int i, int x)
{
    int kind = t.node[i].kind;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == kind && t_b(EXPRS, i) == t.node[i].b; */
    /*@ assert value: v_kind(val(VALS(vs), x)) == vs.v[x].kind; */
    if (kind == ATTR_ANY) /* AM_Any */
        return MATCH_YES;
    if (kind == ATTR_VAR)
        return attr_match_var(t, vs, i, x);
    if (kind != ATTR_TUPLE)
        return match_eval(t, vs, i, x);
    if (vs.v[x].kind != VALUE_TUPLE)
        return MATCH_NO;
    /*@ assert len: v_len(val(VALS(vs), x)) == vs.v[x].len; */
    if (vs.v[x].len != t.node[i].b)
        return MATCH_NO;
    return match_kids(t, vs, i, x);
}
