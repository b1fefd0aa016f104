/* The attributes of what a pattern stands for. */
#include <string.h>

#include "pattern/match.h"
#include "tensor/op.h"

enum { CONST_VALUE_MAX = 4096 };

enum calque_status match_full(struct mem *mem)
{
    void *probe = mem_resize(mem, NULL, 1, 64);

    mem_free(probe);
    return probe ? CALQUE_LIMIT : CALQUE_NOMEM;
}

static enum calque_status made(const struct matcher *m, int id, int *out)
{
    *out = id;
    return id < 0 ? match_full(m->rules->mem) : CALQUE_OK;
}

static int element(struct values *vs, const struct tensor *t, long k)
{
    return t->dtype == DTYPE_F32 ? value_float(vs, (double)tensor_f32(t)[k])
                                 : value_int(vs, tensor_i64(t)[k]);
}

enum calque_status match_const_value(const struct graph *g, int node, int *out)
{
    const struct tensor *t = graph_tensor(g, node);
    struct ints ids = { NULL, 0, 0 };
    long n;
    bool ok = true;

    *out = -1;
    if (!t || (t->dtype != DTYPE_F32 && t->dtype != DTYPE_I64))
        return CALQUE_OK;
    n = shape_elems(&t->shape);
    if (n != 1 && (t->shape.rank != 1 || n > CONST_VALUE_MAX))
        return CALQUE_OK;
    if (n == 1) {
        *out = element(g->values, t, 0);
    } else {
        for (long k = 0; k < n && ok; k++) {
            int id = element(g->values, t, k);
            ok = id >= 0 && ints_push(g->mem, &ids, id);
        }
        *out = ok ? value_tuple(g->values, ids.a, ids.n) : -1;
        ints_free(&ids);
    }
    return *out < 0 ? match_full(g->mem) : CALQUE_OK;
}

/* shape, dtype, ndim of a graph node. */
static enum calque_status tensor_label(const struct matcher *m, const struct node *nd, const char *label,
                                       int *out)
{
    struct values *vs = m->g->values;

    if (strcmp(label, "dtype") == 0) {
        int name;
        if (nd->dtype == DTYPE_UNKNOWN)
            return CALQUE_OK;
        name = strs_addz(m->g->strs, dtype_name(nd->dtype));
        return name < 0 ? CALQUE_NOMEM : made(m, value_str(vs, name), out);
    }
    if (nd->shape.rank < 0)
        return CALQUE_OK;
    if (strcmp(label, "ndim") == 0)
        return made(m, value_int(vs, nd->shape.rank), out);
    if (strcmp(label, "shape") == 0)
        return made(m, value_ints(vs, nd->shape.dim, nd->shape.rank), out);
    return CALQUE_OK;
}

enum calque_status match_label(const struct matcher *m, int p, const char *label, int *out)
{
    const struct rule *r = &m->rules->rule.a[m->rule];
    const struct pattern *q = &r->pattern.a[p];
    const struct node *nd;
    int e = m->node[p];

    *out = -1;
    if (q->kind == PATTERN_OPTIONAL) {
        if (strcmp(label, "present") == 0)
            return e == PATTERN_UNBOUND ? CALQUE_OK : made(m, value_bool(m->g->values, e >= 0), out);
        q = &r->pattern.a[r->kid.a[q->kid]];
    }
    if (e < 0)
        return CALQUE_OK;
    nd = &m->g->node.a[e];
    if (q->kind == PATTERN_CALL && op_has_attr(q->op, label)) {
        *out = graph_attr(m->g, e, label);
        return CALQUE_OK;
    }
    if (q->kind == PATTERN_CONST && strcmp(label, "value") == 0)
        return match_const_value(m->g, e, out);
    if (q->kind == PATTERN_PROJ && strcmp(label, "index") == 0)
        return made(m, value_int(m->g->values, nd->index), out);
    return tensor_label(m, nd, label, out);
}
