#include "graph/graph_get.h"

int graph_in(const struct graph *g, int node, int k)
{
    const struct node *n = &g->node.a[node];

    /*@ assert in: node_in(put_of(g), node); */
    /*@ assert ok: wf_graph(put_of(g)) ==> node_ok(put_of(g), node); */
    return k >= 0 && k < n->nin ? g->in.a[n->in + k] : -1;
}

bool graph_multi(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    /*@ assert in: node_in(put_of(g), node); */
    if (n->kind != NODE_OP)
        return n->kind == NODE_TUPLE;
    return n->index != 1 || op_multi(n->op);
}

const struct tensor *graph_tensor(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    return n->kind == NODE_CONST ? &g->tensor.a[n->data] : NULL;
}

int graph_count_ops(const struct graph *g)
{
    int count = 0;

    /*@ loop invariant range: 0 <= i <= g->node.n && 0 <= count <= i;
        loop invariant ops:   count == ops(put_of(g), i);
        loop assigns i, count;
        loop variant g->node.n - i;
    */
    for (int i = 0; i < g->node.n; i++)
        count += g->node.a[i].kind == NODE_OP;
    return count;
}

int graph_find_attr(const struct graph *g, int node, int label)
{
    const struct node *n = &g->node.a[node];

    /*@ assert ok: node_in(put_of(g), node); */
    /*@ loop invariant range: n->attr <= i <= n->attr + n->nattr;
        loop invariant none:  \forall integer j; n->attr <= j < i ==> g->attr.a[j].label != label;
        loop assigns i;
        loop variant n->attr + n->nattr - i;
    */
    for (int i = n->attr; label >= 0 && i < n->attr + n->nattr; i++)
        if (g->attr.a[i].label == label)
            return i;
    return -1;
}

int graph_attr(const struct graph *g, int node, const char *label)
{
    int s = strs_findz(g->strs, label), i = graph_find_attr(g, node, s);

    /*@ assert name:  \forall integer k; named(put_of(g), table_of(g->strs), k, label) <==>
                      s >= 0 && g->attr.a[k].label == s; */
    /*@ assert ok:    node_in(put_of(g), node); */
    /*@ assert found: i >= 0 ==> first_named(put_of(g), table_of(g->strs), node, i, label); */
    /*@ assert none:  i < 0 ==> none_named(put_of(g), table_of(g->strs), node, label); */
    return i < 0 ? -1 : g->attr.a[i].value;
}

long graph_attr_int(const struct graph *g, int node, const char *label, long otherwise)
{
    int v = graph_attr(g, node, label);

    /*@ assert id: v < g->values->n; */
    return v >= 0 && g->values->v[v].kind == VALUE_INT ? g->values->v[v].num : otherwise;
}

/* Is value id a tuple of integers? They go to out, as far as there is room. */
/*@ requires valid:    valid_values(*vs) && WF_VALUES(*vs) && \valid_read(vs) && 0 <= id < vs->n;
    requires tuple:    vs->v[id].kind == VALUE_TUPLE;
    requires out:      0 <= max && \valid(out + (0 .. max - 1)) &&
                       \separated(out + (0 .. max - 1), vs, vs->v + (0 .. vs->n - 1), vs->pool + (0 .. vs->npool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  out[0 .. max - 1];
    ensures  result:   \result == 0 || \result == 1;
    ensures  ints:     \result == 1 <==> ints_tuple(\old(val(VALS(*vs), id)));
    ensures  out:      \result == 1 ==> \forall integer k; 0 <= k < vs->v[id].len && k < max ==>
                       out[k] == v_num(v_nth(\old(val(VALS(*vs), id)), k));
*/
static bool ints(const struct values *vs, int id, long *out, int max)
{
    const struct value *t = &vs->v[id];

    /*@ assert wf: wf_value(vs->v, vs->pool, id); */
    /*@ ghost int len = t->len; */
    /*@ assert len: v_kind(\at(val(VALS(*vs), id), Pre)) == VALUE_TUPLE && v_len(\at(val(VALS(*vs), id), Pre)) == len; */
    /*@ loop invariant range: 0 <= i <= len;
        loop invariant same:  same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool);
        loop invariant ints:  \forall integer k; 0 <= k < i ==>
                              v_kind(v_nth(\at(val(VALS(*vs), id), Pre), k)) == VALUE_INT;
        loop invariant out:   \forall integer k; 0 <= k < i && k < max ==>
                              out[k] == v_num(v_nth(\at(val(VALS(*vs), id), Pre), k));
        loop assigns i, out[0 .. max - 1];
        loop variant t->len - i;
    */
    for (int i = 0; i < t->len; i++) {
        const struct value *e = &vs->v[vs->pool[t->first + i]];

        /*@ assert nth: v_nth(\at(val(VALS(*vs), id), Pre), i) ==
                        val(\at(VALS(*vs), Pre), \at(vs->pool[vs->v[id].first + \at(i, Here)], Pre)); */
        /*@ assert one: v_kind(v_nth(\at(val(VALS(*vs), id), Pre), i)) == e->kind &&
                        v_num(v_nth(\at(val(VALS(*vs), id), Pre), i)) == e->num; */
        if (e->kind != VALUE_INT)
            return false;
        if (i < max)
            out[i] = e->num;
    }
    return true;
}

int graph_attr_ints(const struct graph *g, int node, const char *label, long *out, int max)
{
    int v = graph_attr(g, node, label);

    /*@ assert id: v < g->values->n; */
    if (v < 0 || g->values->v[v].kind != VALUE_TUPLE || !ints(g->values, v, out, max))
        return -1;
    return g->values->v[v].len;
}
