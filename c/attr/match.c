/* The matcher G |- a ~ v (AM-Any, AM-Eval, AM-Tuple, AM-Var). Invariant: as the evaluator's, which it calls. */
#include "attr/match.h"

/* Expression j, part of var i, against the int z. */
/*@ requires part:     0 <= j < i && t.node[j].depth < t.node[i].depth;
    requires expr:     0 <= i < t.n;
    requires ready:    ready(t, vs, vs.n, vs.npool);
    terminates \true;
    decreases 6 * t_depth(EXPRS, i);
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), j, int_value(z));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), j, int_value(z));
*/
static int match_int(struct attr_view t, struct values vs, int i, int j, long z)
{
    struct values us = vs;
    struct value_step r;
    int c;

    (void)i;
    /*@ assert wf: wf_node(t.node, t.kid, i) && wf_node(t.node, t.kid, j); */
    /*@ assert deep: 0 <= t_depth(EXPRS, j) < t_depth(EXPRS, i); */
    r = value_put(vs, VALUE_INT, z);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert node_kind: same_kind{Pre,Here}(t.node, t.n); */
    /*@ assert node_op: same_op{Pre,Here}(t.node, t.n); */
    /*@ assert node_a: same_a{Pre,Here}(t.node, t.n); */
    /*@ assert node_b: same_b{Pre,Here}(t.node, t.n); */
    /*@ assert node_depth: same_depth{Pre,Here}(t.node, t.n); */
    /*@ assert kid: same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert view: same_view{Pre,Here}(t); */
    if (r.code != STEP_DONE)
        return MATCH_ROOM;
    us.n = r.n;
    /*@ assert int: val(VALS(us), r.id) == int_value(z); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    /*@ assert exprs: EXPRS_AT(us.n, us.npool) == \at(EXPRS, Pre); */
    /*@ assert same: ENV_AT(us.n, us.npool) == \at(ENV, Pre); */
    c = attr_match_core(t, us, j, r.id);
    /*@ assert view2: same_view{Pre,Here}(t); */
    /*@ assert values2: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ext2: extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert exprs2: EXPRS == \at(EXPRS, Pre); */
    /*@ assert env2: ENV == \at(ENV, Pre); */
    return c;
}

/* The body of var i, where its symbol is value k, against value x. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR;
    requires symbol:   t.node[i].op < t.nsymbol;
    requires id:       0 <= k < vs.n;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i);
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==>
                       am(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), val(\old(VALS(vs)), k)),
                          t_b(\old(EXPRS), i), val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==>
                       !am(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), val(\old(VALS(vs)), k)),
                           t_b(\old(EXPRS), i), val(\old(VALS(vs)), x));
*/
static int match_body(struct attr_view t, struct values vs, int i, int k, int x)
{
    int s = t.node[i].op, b = t.node[i].b, c;
    unsigned long old;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_op(EXPRS, i) == s && t_b(EXPRS, i) == b && 0 <= s < t.nsymbol; */
    /*@ assert deep: 0 <= t_depth(EXPRS, b) < t_depth(EXPRS, i); */
    old = t.symbol[s];
    t.symbol[s] = (unsigned long)k + 1;
    /*@ assert rest: same_rest{Pre,Here}(t); */
    /*@ assert others: \forall integer j; 0 <= j < t.nsymbol ==> j != s ==>
                       \at(t.symbol[j], Pre) == \at(t.symbol[j], Here); */
    /*@ assert agree: agreeing(t.answer, t.nanswer); */
    /*@ assert env: wf_env(t, vs.n); */
    /*@ assert exprs: EXPRS == \at(EXPRS, Pre); */
    /*@ assert with: ENV == with(\at(ENV, Pre), s, val(VALS(vs), k)); */
    /*@ assert ready: ready(t, vs, vs.n, vs.npool); */
    c = attr_match_core(t, vs, b, x);
    t.symbol[s] = old;
    /*@ assert answers: same_answers{Pre,Here}(t.answer, t.nanswer); */
    /*@ assert symbols: same_symbols{Pre,Here}(t.symbol, t.nsymbol); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert wfe: wf_env(t, vs.n); */
    return c;
}

/* The body of var i, where its symbol is the int k, against element k of tuple x. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR && vs.v[x].kind == VALUE_TUPLE;
    requires symbol:   t.node[i].op < t.nsymbol;
    requires element:  0 <= k < vs.v[x].len;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==>
                       am(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), int_value(k)),
                          t_b(\old(EXPRS), i), v_nth(val(\old(VALS(vs)), x), k));
    ensures  complete: \result == MATCH_NO ==>
                       !am(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), int_value(k)),
                           t_b(\old(EXPRS), i), v_nth(val(\old(VALS(vs)), x), k));
*/
static int match_element(struct attr_view t, struct values vs, int i, int x, int k)
{
    struct values us = vs;
    struct value_step r;
    int e, c;

    /*@ assert wfx: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    e = vs.pool[vs.v[x].first + k];
    /*@ assert e: 0 <= e < vs.n && v_nth(val(VALS(vs), x), k) == val(VALS(vs), e); */
    r = value_put(vs, VALUE_INT, k);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert node_kind: same_kind{Pre,Here}(t.node, t.n); */
    /*@ assert node_op: same_op{Pre,Here}(t.node, t.n); */
    /*@ assert node_a: same_a{Pre,Here}(t.node, t.n); */
    /*@ assert node_b: same_b{Pre,Here}(t.node, t.n); */
    /*@ assert node_depth: same_depth{Pre,Here}(t.node, t.n); */
    /*@ assert kid: same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert slot: same_ints{Pre,Here}(t.slot, t.nslot); */
    /*@ assert symbols: same_symbols{Pre,Here}(t.symbol, t.nsymbol); */
    /*@ assert answers: same_answers{Pre,Here}(t.answer, t.nanswer); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert view: same_view{Pre,Here}(t); */
    if (r.code != STEP_DONE)
        return MATCH_ROOM;
    us.n = r.n;
    /*@ assert int: val(VALS(us), r.id) == int_value(k); */
    /*@ assert element: val(VALS(us), e) == val(\at(VALS(vs), Pre), e); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    /*@ assert exprs: EXPRS_AT(us.n, us.npool) == \at(EXPRS, Pre); */
    /*@ assert same: ENV_AT(us.n, us.npool) == \at(ENV, Pre); */
    c = match_body(t, us, i, r.id, e);
    /*@ assert view2: same_view{Pre,Here}(t); */
    /*@ assert values2: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ext2: extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert exprs2: EXPRS == \at(EXPRS, Pre); */
    /*@ assert env2: ENV == \at(ENV, Pre); */
    return c;
}

/* All elements of tuple x. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR && vs.v[x].kind == VALUE_TUPLE;
    requires symbol:   t.node[i].op < t.nsymbol;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 2;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> \forall integer k; 0 <= k < \old(vs.v[x].len) ==>
                       am(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), int_value(k)),
                          t_b(\old(EXPRS), i), v_nth(val(\old(VALS(vs)), x), k));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
static int match_bodies(struct attr_view t, struct values vs, int i, int x)
{
    int len = vs.v[x].len, c;

    /*@ assert len: WF_VALUES(vs) && v_len(val(VALS(vs), x)) == len && t_kind(EXPRS, i) == ATTR_VAR; */
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant kinds:  t.node[i].kind == ATTR_VAR && t.node[i].op < t.nsymbol &&
                               vs.v[x].kind == VALUE_TUPLE && vs.v[x].len == len;
        loop invariant view:   same_view{Pre,Here}(t);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ready:  ready(t, vs, vs.n, vs.npool);
        loop invariant values: extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant exprs:  EXPRS == \at(EXPRS, Pre);
        loop invariant env:    ENV == \at(ENV, Pre);
        loop invariant sound:  \forall integer j; 0 <= j < k ==>
                               am(\at(EXPRS, Pre), with(\at(ENV, Pre), t_op(\at(EXPRS, Pre), i), int_value(j)),
                                  t_b(\at(EXPRS, Pre), i), v_nth(val(\at(VALS(vs), Pre), x), j));
        loop assigns k, c, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1],
                     vs.stack[0 .. vs.capstack - 1], t.symbol[0 .. t.nsymbol + 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        c = match_element(t, vs, i, x, k);
        if (c != MATCH_YES)
            return c;
    }
    return MATCH_YES;
}

/* Length and elements of tuple x. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR && vs.v[x].kind == VALUE_TUPLE && vs.v[x].len <= ATTR_COUNT_MAX;
    requires symbol:   t.node[i].op < t.nsymbol;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 3;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
static int match_tuple(struct attr_view t, struct values vs, int i, int x)
{
    int c;

    /*@ assert wf: wf_node(t.node, t.kid, i) && WF_VALUES(vs); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_VAR && t_a(EXPRS, i) == t.node[i].a; */
    /*@ assert value: v_kind(val(VALS(vs), x)) == VALUE_TUPLE && v_len(val(VALS(vs), x)) == vs.v[x].len; */
    c = match_int(t, vs, i, t.node[i].a, vs.v[x].len);
    /*@ assert view: same_view{Pre,Here}(t); */
    /*@ assert same: t.node[i].kind == ATTR_VAR && t.node[i].op == \at(t.node[i].op, Pre) && vs.v[x].kind == VALUE_TUPLE; */
    if (c != MATCH_YES)
        return c;
    /*@ assert length: am(\at(EXPRS, Pre), \at(ENV, Pre), t_a(\at(EXPRS, Pre), i),
                          int_value(v_len(val(\at(VALS(vs), Pre), x)))); */
    c = match_bodies(t, vs, i, x);
    /*@ assert after: same_view{Pre,Here}(t); */
    return c;
}

int attr_match_var(struct attr_view t, struct values vs, int i, int x)
{
    int c;

    /*@ assert wf: wf_node(t.node, t.kid, i) && WF_VALUES(vs); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_VAR; */
    /*@ assert value: v_kind(val(VALS(vs), x)) == vs.v[x].kind; */
    /*@ assert tuple: am(EXPRS, ENV, i, val(VALS(vs), x)) ==> v_kind(val(VALS(vs), x)) == VALUE_TUPLE; */
    if (vs.v[x].kind != VALUE_TUPLE)
        return MATCH_NO;
    /*@ assert len: v_len(val(VALS(vs), x)) == vs.v[x].len; */
    /*@ assert short: vs.v[x].len <= ATTR_COUNT_MAX; */
    if (t.node[i].op >= t.nsymbol)
        return MATCH_LIMIT;
    c = match_tuple(t, vs, i, x);
    return c;
}

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
