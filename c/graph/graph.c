/* Graphs: freeing, copying, bytes, constants as attribute values. What builds graphs is proved and stands in
   graph_*.c. Invariant (graph_check): the inputs of a node have smaller ids. */
#include "graph/graph.h"

#include <string.h>

#include "graph/graph_accessors.h"

/*@ requires valid:    \valid(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g;
    ensures  empty:    g->node.n == 0 && g->in.n == 0 && g->attr.n == 0 && g->tensor.n == 0 && g->raw.n == 0 &&
                       g->input.n == 0 && g->output.n == 0;
    ensures  shared:   g->mem == \old(g->mem) && g->strs == \old(g->strs) && g->values == \old(g->values);
*/
void graph_free(struct graph *g)
{
    for (int i = 0; i < g->tensor.n; i++)
        tensor_free(&g->tensor.a[i]);
    for (int i = 0; i < g->raw.n; i++)
        mem_free(g->raw.a[i].a);
    mem_free(g->node.a);
    mem_free(g->attr.a);
    mem_free(g->tensor.a);
    mem_free(g->raw.a);
    mem_free(g->output.a);
    mem_free(g->model.a);
    ints_free(&g->in);
    ints_free(&g->input);
    graph_init(g, g->mem, g->strs, g->values);
}

/*@ requires valid:    \valid(g) && 0 <= g->raw.n && \valid_read((unsigned char *)bytes + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  g->raw, *g->mem, { *r | struct raw *r; \true };
    ensures  added:    \result >= 0 ==> \result == \old(g->raw.n) && g->raw.n == \result + 1 && g->raw.a[\result].n == n;
    ensures  bytes:    \result >= 0 ==> \forall integer k; 0 <= k < n ==>
                       g->raw.a[\result].a[k] == \old(((unsigned char *)bytes)[k]);
    ensures  none:     \result < 0 ==> \result == -1 && g->raw.n == \old(g->raw.n);
*/
int graph_raw(struct graph *g, const void *bytes, size_t n)
{
    struct raw r = {NULL, n};

    if (!vec_room(g->mem, &g->raw, 1))
        return -1;
    if (n > 0) {
        r.a = mem_resize(g->mem, NULL, n, 1);
        if (!r.a)
            return -1;
        memcpy(r.a, bytes, n);
    }
    g->raw.a[g->raw.n] = r;
    return g->raw.n++;
}

/*@ requires ready:    ready_values(vs);
    requires element:  \valid_read(t) && 0 <= k && (t->dtype == DTYPE_F32 || t->dtype == DTYPE_I64);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    ensures  range:    -1 <= \result < vs->n;
    ensures  number:   \result >= 0 ==> v_kind(val(VALS(*vs), \result)) == (t->dtype == DTYPE_F32 ? VALUE_FLOAT : VALUE_INT);
    ensures  old:      ready_values(vs) && extends(\old(VALS(*vs)), VALS(*vs), \old(vs->n));
*/
static int element(struct values *vs, const struct tensor *t, long k)
{
    return t->dtype == DTYPE_F32 ? value_float(vs, (double)tensor_f32(t)[k])
                                 : value_int(vs, tensor_i64(t)[k]);
}

/*@ GRAPH_REQUIRES
    requires data:     g->node.a[node].kind == NODE_CONST ==> 0 <= g->node.a[node].data < g->tensor.n &&
                       \valid_read(g->tensor.a + (0 .. g->tensor.n - 1));
    requires ready:    ready_values(g->values) && \valid(out);
    terminates \true;
    exits    never:    \false;
    assigns  *out, *g->values, *g->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  range:    -1 <= *out < g->values->n && (\result == 0 ==> *out == -1);
    ensures  number:   *out >= 0 ==> g->node.a[node].kind == NODE_CONST && is_const(g->tensor.a + g->node.a[node].data) &&
                       (v_kind(val(VALS(*g->values), *out)) == VALUE_TUPLE ==>
                        v_len(val(VALS(*g->values), *out)) == elements(g->tensor.a + g->node.a[node].data));
    ensures  old:      ready_values(g->values) && extends(\old(VALS(*g->values)), VALS(*g->values), \old(g->values->n));
*/
bool graph_const_attr(const struct graph *g, int node, int *out)
{
    const struct tensor *t = graph_tensor(g, node);
    int n = graph_const_len(t);
    struct ints ids = { NULL, 0, 0 };
    bool ok = true;

    *out = -1;
    if (n < 0)
        return true;
    if (n == 1) {
        *out = element(g->values, t, 0);
    } else {
        for (int k = 0; k < n && ok; k++) {
            int id = element(g->values, t, k);
            ok = id >= 0 && ints_push(g->mem, &ids, id);
        }
        *out = ok ? value_tuple(g->values, ids.a, ids.n) : -1;
        ints_free(&ids);
    }
    return *out >= 0;
}

/*@ GRAPH_REQUIRES
    requires raw:      valid_raw(g) && \valid(n) && \separated(n, g, g->node.a + node, g->raw.a + (0 .. g->raw.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *n, \result \from g, node;
    ensures  none:     !is_opaque(g, node) ==> *n == 0;
    ensures  type:     *n > 0 ==> is_opaque(g, node) && \exists integer at;
                       is_type(raw_of(g, node)->a, raw_of(g, node)->n, at, *n) &&
                       \result == (char *)raw_of(g, node)->a + at && *n <= raw_of(g, node)->n - at;
*/
const char *graph_opaque_type(const struct graph *g, int node, size_t *n)
{
    struct wire_part r = graph_type_part(g, node);

    *n = r.ok ? (size_t)r.value : 0;
    return r.ok ? (const char *)g->raw.a[g->node.a[node].data].a + r.at : "";
}

/* A copy of n elements in *to (NULL when n is 0); false when memory is out. */
/*@ requires valid:    \valid(m) && \valid(to) && 0 < size && \valid_read((unsigned char *)from + (0 .. n * size - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *m, *to;
    ensures  none:     \result == 0 ==> *to == \null;
    ensures  empty:    n == 0 ==> \result != 0 && *to == \null;
    ensures  copy:     \result != 0 ==> 0 < n ==> \valid((unsigned char *)*to + (0 .. n * size - 1)) &&
                       \forall integer k; 0 <= k < n * size ==>
                       ((unsigned char *)*to)[k] == \old(((unsigned char *)from)[k]);
*/
static bool copy_array(struct mem *m, void **to, const void *from, size_t n, size_t size)
{
    *to = NULL;
    if (n == 0)
        return true;
    *to = mem_resize(m, NULL, n, size);
    if (*to)
        memcpy(*to, from, n * size);
    return *to != NULL;
}

#define COPY(field)                                                                              \
    (copy_array(out->mem, (void **)(void *)&out->field.a, g->field.a, (size_t)g->field.n,        \
                sizeof *g->field.a) &&                                                           \
     (out->field.n = out->field.cap = g->field.n, true))

/*@ requires valid:    \valid_read(g) && \valid(out) && 0 <= g->tensor.n && 0 <= g->raw.n &&
                       \valid_read(g->tensor.a + (0 .. g->tensor.n - 1)) && \valid_read(g->raw.a + (0 .. g->raw.n - 1));
    requires empty:    out->tensor.n == 0 && out->raw.n == 0;
    terminates \true;
    exits    never:    \false;
    assigns  out->tensor, out->raw, *out->mem, { *t | struct tensor *t; \true }, { *r | struct raw *r; \true };
    ensures  tensors:  \result != 0 ==> out->tensor.n == g->tensor.n && \forall integer k; 0 <= k < g->tensor.n ==>
                       out->tensor.a[k].dtype == g->tensor.a[k].dtype && out->tensor.a[k].shape == g->tensor.a[k].shape &&
                       out->tensor.a[k].bytes == g->tensor.a[k].bytes;
    ensures  raws:     \result != 0 ==> out->raw.n == g->raw.n && \forall integer k; 0 <= k < g->raw.n ==>
                       out->raw.a[k].n == g->raw.a[k].n;
*/
static bool copy_owned(const struct graph *g, struct graph *out)
{
    struct diag d;

    if (!vec_room(out->mem, &out->tensor, g->tensor.n) || !vec_room(out->mem, &out->raw, g->raw.n))
        return false;
    for (; out->tensor.n < g->tensor.n; out->tensor.n++)
        if (tensor_copy(out->mem, &g->tensor.a[out->tensor.n], &out->tensor.a[out->tensor.n], &d))
            return false;
    for (int i = 0; i < g->raw.n; i++)
        if (graph_raw(out, g->raw.a[i].a, g->raw.a[i].n) < 0)
            return false;
    return true;
}

/*@ requires valid:    \valid_read(g) && \valid(out) && \separated(g, out) && valid_graph(put_of(g));
    requires empty:    out->node.n == 0 && out->in.n == 0 && out->attr.n == 0 && out->tensor.n == 0 && out->raw.n == 0 &&
                       out->input.n == 0 && out->output.n == 0;
    requires shared:   out->mem == g->mem && out->strs == g->strs && out->values == g->values;
    terminates \true;
    exits    never:    \false;
    assigns  *out, *out->mem, *d;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  nodes:    \result == CALQUE_OK ==> valid_graph(put_of(out)) && out->node.n == g->node.n &&
                       \forall integer i; 0 <= i < g->node.n ==> out->node.a[i] == g->node.a[i];
    ensures  ids:      \result == CALQUE_OK ==> out->in.n == g->in.n &&
                       \forall integer k; 0 <= k < g->in.n ==> out->in.a[k] == g->in.a[k];
    ensures  attrs:    \result == CALQUE_OK ==> out->attr.n == g->attr.n &&
                       \forall integer k; 0 <= k < g->attr.n ==> out->attr.a[k] == g->attr.a[k];
    ensures  ends:     \result == CALQUE_OK ==> out->input.n == g->input.n && out->output.n == g->output.n &&
                       (\forall integer k; 0 <= k < g->input.n ==> out->input.a[k] == g->input.a[k]) &&
                       \forall integer k; 0 <= k < g->output.n ==> out->output.a[k] == g->output.a[k];
    ensures  data:     \result == CALQUE_OK ==> out->tensor.n == g->tensor.n && out->raw.n == g->raw.n;
    ensures  none:     \result != CALQUE_OK ==> out->node.n == 0 && out->tensor.n == 0 && out->raw.n == 0;
*/
enum calque_status graph_copy(const struct graph *g, struct graph *out, struct diag *d)
{
    out->name = g->name;
    out->rules = g->rules;
    out->class = g->class;
    out->opset = g->opset;
    if (!COPY(node) || !COPY(in) || !COPY(attr) || !COPY(input) || !COPY(output) ||
        !copy_array(out->mem, (void **)(void *)&out->model.a, g->model.a, g->model.n, 1)) {
        graph_free(out);
        return diag_nomem(d);
    }
    out->model.n = g->model.n;
    if (!copy_owned(g, out)) {
        graph_free(out);
        return diag_nomem(d);
    }
    return CALQUE_OK;
}
