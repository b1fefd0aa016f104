/* What a graph says: operators, types, attributes, inputs, the data of constants as values, the parts of an opaque node. Invariant:
   nothing is written but strings and values that are asked for. */
#include "graph/graph_accessors.h"

#include "attr/value_internal.h"

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

struct graph_put graph_view(const struct graph *g)
{
    return (struct graph_put){ .node = g->node.a, .in = g->in.a, .attr = g->attr.a, .n = g->node.n, .cap = g->node.cap,
                               .nin = g->in.n, .capin = g->in.cap, .nattr = g->attr.n, .capattr = g->attr.cap };
}

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
    /*@ ghost Read: ; */
    r.ok = r.ok && r.value <= n - r.at;
    /*@ assert wire:  wire == (varint_value(p, at, k) & 7) && r.at == \at(r.at, Read) && r.value == \at(r.value, Read); */
    /*@ assert no_fixed: r.ok == 0 ==> \forall integer end; !fixed_field(p, n, at, k, end); */
    /*@ assert no_word: r.ok == 0 ==> \forall integer end; !word_field(p, n, at, k, end); */
    /*@ assert far:   r.ok == 0 ==> wire == 2 ==> \at(r.ok, Read) == 1 ==> r.at + r.value > n; */
    /*@ assert once:  wire == 2 ==> \at(r.ok, Read) == 1 ==> \forall integer j; varint(p, n, at + k, j) ==> j == r.at - (at + k); */
    /*@ assert no_bytes: r.ok == 0 ==> \forall integer j, end; !bytes_field(p, n, at, k, j, end); */
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

const char *graph_name(const struct graph *g, int node)
{
    return strs_text(g->strs, g->node.a[node].name);
}

int graph_attr_float(const struct graph *g, int node, const char *label)
{
    int v = graph_attr(g, node, label);

    /*@ assert id: v < g->values->n; */
    return v >= 0 && g->values->v[v].kind == VALUE_FLOAT ? v : -1;
}

struct wire_part graph_type_part(const struct graph *g, int node)
{
    struct wire_part none = { false, 0, 0 };
    const struct node *x = &g->node.a[node];

    if (x->kind != NODE_OP || x->op != OP_Opaque || x->data < 0 || x->data >= g->raw.n)
        return none;
    return graph_op_type(g->raw.a[x->data].a, g->raw.a[x->data].n);
}

double graph_attr_real(const struct graph *g, int node, const char *label, double otherwise)
{
    int v = graph_attr_float(g, node, label);

    return v < 0 ? otherwise : value_real(g->values, v);
}

int graph_const_len(const struct tensor *t)
{
    long n;

    if (!t || (t->dtype != DTYPE_F32 && t->dtype != DTYPE_I64))
        return -1;
    n = shape_elems(&t->shape);
    /*@ assert rank:    0 <= n ==> 0 <= t->shape.rank <= RANK_MAX; */
    /*@ assert count:   0 <= n ==> n == elements(t); */
    /*@ assert dims:    0 <= n ==> dims(&t->shape.dim[0], t->shape.rank); */
    /*@ assert refused: n < 0 ==> !is_const(t) || !in_limits(t); */
    if (n == 1)
        return 1;
    return 0 <= n && t->shape.rank == 1 && n <= GRAPH_ATTR_ELEMS ? (int)n : -1;
}
