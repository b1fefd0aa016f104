/* Graphs: freeing, copying, bytes, constants as attribute values. What builds graphs is proved and stands in
   graph_*.c. Invariant (graph_check): the inputs of a node have smaller ids. */
#include "graph/graph.h"

#include <string.h>

#include "graph/graph_accessors.h"

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

static int element(struct values *vs, const struct tensor *t, long k)
{
    return t->dtype == DTYPE_F32 ? value_float(vs, (double)tensor_f32(t)[k])
                                 : value_int(vs, tensor_i64(t)[k]);
}

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

const char *graph_opaque_type(const struct graph *g, int node, size_t *n)
{
    struct wire_part r = graph_type_part(g, node);

    *n = r.ok ? (size_t)r.value : 0;
    return r.ok ? (const char *)g->raw.a[g->node.a[node].data].a + r.at : "";
}

/* A copy of n elements in *to (NULL when n is 0); false when memory is out. */
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
