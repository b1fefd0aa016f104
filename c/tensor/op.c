/* The table of operators as functions, and what is said of element types, shapes and nodes. ORDER Op: tensor/ops.def. */
#include "tensor/op_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct op_info infos[] = {
#define OP(name, least, most, traits, words) {#name, least, most, traits, words},
#include "tensor/ops.def"
};

static const struct op_attr_info attrs[] = {
#define OP_ATTR(op, label, kind, otherwise) {OP_##op, #label, OP_ATTR_##kind, #otherwise},
#include "tensor/ops.def"
};

const struct op_info *op_info(int op)
{
    return op >= 0 && op < OP_COUNT ? &infos[op] : NULL;
}

int op_find(const char *name, size_t len)
{
    for (int op = OP_Opaque + 1; op < OP_COUNT; op++)
        if (strlen(infos[op].name) == len && memcmp(infos[op].name, name, len) == 0)
            return op;
    return -1;
}

const struct op_attr_info *op_attrs(int op, int *n)
{
    int total = (int)(sizeof attrs / sizeof *attrs), first = 0;

    /* The rows ascend by operator. */
    for (int high = total; first < high;) {
        int mid = first + (high - first) / 2;

        if (attrs[mid].op < op)
            first = mid + 1;
        else
            high = mid;
    }
    *n = 0;
    while (first + *n < total && attrs[first + *n].op == op)
        ++*n;
    return attrs + (*n ? first : 0);
}

bool op_has_attr(int op, const char *label)
{
    int n;
    const struct op_attr_info *a = op_attrs(op, &n);

    for (int k = 0; k < n; k++)
        if (strcmp(a[k].label, label) == 0)
            return true;
    return false;
}

bool op_attr_holds(const struct values *vs, const struct value *v, enum op_attr_kind kind)
{
    switch (kind) {
    case OP_ATTR_I:
        return v->kind == VALUE_INT;
    case OP_ATTR_F:
        return v->kind == VALUE_FLOAT;
    case OP_ATTR_S:
        return v->kind == VALUE_STR;
    default:
        for (int k = 0; v->kind == VALUE_TUPLE && k < v->len; k++)
            if (vs->v[vs->pool[v->first + k]].kind != VALUE_INT)
                return false;
        return v->kind == VALUE_TUPLE;
    }
}

bool op_needs(int op, int k)
{
    switch (op) {
    case OP_Shape:
    case OP_EyeLike:
    case OP_ZerosLike:
    case OP_OnesLike:
        return false;
    case OP_FullLike:
        return k == 1;
    case OP_ReshapeLike:
    case OP_BroadcastLike:
    case OP_CollapseSumLike:
        return k == 0;
    default:
        return true;
    }
}

const char *node_text(const struct graph *g, int node, char *buf)
{
    static const char *const kinds[] = {"input", "constant", "operator", "projection", "tuple"};
    const struct node *n = &g->node.a[node];
    const char *name = n->label >= 0 ? strs_text(g->strs, n->label) : "";
    const char *kind = n->kind >= 0 && n->kind <= NODE_TUPLE ? kinds[n->kind] : "?";
    char number[24];

    if (!*name && n->name >= 0)
        name = strs_text(g->strs, n->name);
    if (!*name) {
        snprintf(number, sizeof number, "#%d", node);
        name = number;
    }
    if (n->kind == NODE_OP && n->op == OP_Opaque) {
        size_t len;
        const char *type = graph_opaque_type(g, node, &len);
        if (len == 0) {
            type = "?";
            len = 1;
        }
        snprintf(buf, NODE_TEXT, "node %.64s (Opaque %.*s)", name, len < 64 ? (int)len : 64, type);
    } else {
        if (n->kind == NODE_OP && op_info(n->op))
            kind = op_info(n->op)->name;
        snprintf(buf, NODE_TEXT, "node %.64s (%s)", name, kind);
    }
    return buf;
}

enum calque_status node_verror(const struct graph *g, int node, struct diag *d, enum calque_status status,
                               const char *format, va_list ap)
{
    char where[NODE_TEXT], what[DIAG_TEXT - NODE_TEXT - 4];

    vsnprintf(what, sizeof what, format, ap);
    return diag_set(d, status, NULL, 0, 0, "%s: %s", node_text(g, node, where), what);
}

enum calque_status node_error(const struct graph *g, int node, struct diag *d, enum calque_status status,
                              const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    node_verror(g, node, d, status, format, ap);
    va_end(ap);
    return status;
}

const char *shape_text(const struct shape *s, char *buf)
{
    size_t at = 0;

    if (s->rank <= 0)
        snprintf(buf, SHAPE_TEXT, "%s", s->rank == 0 ? "scalar" : "unknown");
    for (int i = 0; i < s->rank && at < SHAPE_TEXT; i++)
        at += (size_t)snprintf(buf + at, SHAPE_TEXT - at, i ? "x%ld" : "%ld", s->dim[i]);
    return buf;
}

bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out)
{
    struct shape r = {.rank = a->rank > b->rank ? a->rank : b->rank};

    for (int i = 0; i < r.rank; i++) {
        int p = i - (r.rank - a->rank), q = i - (r.rank - b->rank);
        long m = p < 0 ? 1 : a->dim[p], n = q < 0 ? 1 : b->dim[q];
        if (m != n && m != 1 && n != 1)
            return false;
        r.dim[i] = m == 1 ? n : m;
    }
    *out = r;
    return true;
}

bool dtype_kernel(int dtype, enum kernel_type *type)
{
    *type = dtype == DTYPE_F32   ? KERNEL_F32
            : dtype == DTYPE_F64 ? KERNEL_F64
            : dtype == DTYPE_I32 ? KERNEL_I32
                                 : KERNEL_I64;
    return *type != KERNEL_I64 || dtype == DTYPE_I64;
}

static const int elem_types[] = {
    [ELEM_F32] = DTYPE_F32, [ELEM_F64] = DTYPE_F64, [ELEM_I32] = DTYPE_I32, [ELEM_I64] = DTYPE_I64,
    [ELEM_I8] = DTYPE_I8,   [ELEM_U8] = DTYPE_U8,   [ELEM_BOOL] = DTYPE_BOOL,
};

int elem_dtype(int elem)
{
    return elem_types[elem];
}

int dtype_elem(int dtype)
{
    for (int e = ELEM_F32; e <= ELEM_BOOL; e++)
        if (elem_types[e] == dtype)
            return e;
    return ELEM_OWN;
}

bool dtype_is_byte(int dtype)
{
    return dtype == DTYPE_I8 || dtype == DTYPE_U8;
}

bool dtype_is_int(int dtype)
{
    return dtype == DTYPE_I32 || dtype == DTYPE_I64;
}

int node_outputs(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    return n->kind == NODE_OP ? n->index : 1;
}

bool node_typed(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    return n->dtype != DTYPE_UNKNOWN && n->shape.rank >= 0;
}
