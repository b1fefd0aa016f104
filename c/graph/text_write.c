/* Graphs to .graph text (grammar: text.h). What is written reads back as the same graph. */
#include <limits.h>
#include <string.h>

#include "graph/names.h"
#include "graph/text_internal.h"
#include "tensor/op.h"

bool is_keyword(const char *s, size_t n)
{
    static const char *const words[] = {"graph", "input", "param", "const", "return", "none", "true",
                                        "false", "inf",   "nan",   "int_min", "opaque"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
            return true;
    return false;
}

static bool is_identifier(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || s[i] == '_' ||
              (i > 0 && s[i] >= '0' && s[i] <= '9')))
            return false;
    return n > 0 && !is_keyword(s, n);
}

/* A name or label, quoted when necessary. */
static void write_name(struct text *out, const char *s, size_t n)
{
    if (is_identifier(s, n))
        text_put(out, s, n);
    else
        text_quote(out, s, n);
}

void graph_type_write(struct text *out, int dtype, const struct shape *shape)
{
    text_puts(out, dtype_name(dtype));
    text_puts(out, shape->rank < 0 ? "[?" : "[");
    for (int i = 0; i < shape->rank; i++)
        text_printf(out, i ? ", %ld" : "%ld", shape->dim[i]);
    text_puts(out, "]");
}

/* NodeProto.op_type is field 4, length-delimited. */
void opaque_minimal(struct text *out, const char *type, size_t n)
{
    size_t left = n;

    text_put(out, "\x22", 1);
    do {
        char byte = (char)((left & 127) | (left > 127 ? 128 : 0));
        text_put(out, &byte, 1);
        left >>= 7;
    } while (left > 0);
    text_put(out, type, n);
}

struct writer {
    struct text *out;
    const struct graph *g;
    struct names names;
    struct text name; /* scratch */
};

/* A node's name, quoted when necessary. */
static void put_node(struct writer *w, int node)
{
    w->name.n = 0;
    names_put(&w->names, node, &w->name);
    if (w->name.failed)
        w->out->failed = true;
    else
        write_name(w->out, w->name.a, (size_t)w->name.n);
}

/* Recursion is bounded by VALUE_DEPTH_MAX. */
static void put_value(struct writer *w, int id)
{
    const struct values *vs = w->g->values;
    const struct value *v = &vs->v[id];

    if (v->kind == VALUE_INT && v->num == LONG_MIN) {
        text_puts(w->out, "int_min");
    } else if (v->kind != VALUE_TUPLE) {
        value_print(w->out, vs, w->g->strs, id);
    } else {
        text_puts(w->out, "(");
        for (int i = 0; i < v->len; i++) {
            text_puts(w->out, i ? ", " : "");
            put_value(w, vs->pool[v->first + i]);
        }
        text_puts(w->out, v->len == 1 ? ",)" : ")");
    }
}

static void put_str(struct writer *w, int id)
{
    write_name(w->out, strs_text(w->g->strs, id), (size_t)strs_len(w->g->strs, id));
}

/* Is this the NodeProto that opaque_minimal makes? */
static bool is_minimal(struct writer *w, const struct raw *raw, const char *type, size_t n)
{
    w->name.n = 0;
    opaque_minimal(&w->name, type, n);
    return !w->name.failed && (size_t)w->name.n == raw->n && memcmp(w->name.a, raw->a, raw->n) == 0;
}

/* Number of outputs a reader assumes when it is not written. */
static int assumed_outputs(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    long unused;

    if (n->op == OP_Opaque || !(op_info(n->op)->traits & OP_MULTI))
        return 1;
    return graph_attr_ints(g, node, "split", &unused, 0);
}

static void put_call(struct writer *w, int id)
{
    const struct graph *g = w->g;
    const struct node *n = &g->node.a[id];
    struct text *out = w->out;
    const char *type = "", *sep = "; ";
    size_t len = 0;

    if (n->op == OP_Opaque) {
        type = graph_opaque_type(g, id, &len);
        text_puts(out, "opaque ");
        text_quote(out, type, len);
    } else {
        text_puts(out, op_info(n->op)->name);
    }
    text_puts(out, "(");
    for (int k = 0; k < n->nin; k++) {
        text_puts(out, k ? ", " : "");
        if (graph_in(g, id, k) < 0)
            text_puts(out, "none");
        else
            put_node(w, graph_in(g, id, k));
    }
    for (int k = 0; k < n->nattr; k++) {
        text_puts(out, k || n->nin ? ", " : "");
        put_str(w, g->attr.a[n->attr + k].label);
        text_puts(out, "=");
        put_value(w, g->attr.a[n->attr + k].value);
    }
    if (n->index != assumed_outputs(g, id)) {
        text_printf(out, "; outputs=%d", n->index);
        sep = ", ";
    }
    if (n->op == OP_Opaque && !is_minimal(w, &g->raw.a[n->data], type, len)) {
        text_printf(out, "%sraw=", sep);
        text_quote(out, (const char *)g->raw.a[n->data].a, g->raw.a[n->data].n);
    }
    text_puts(out, ")");
}

static void put_annotation(struct writer *w, const struct node *n)
{
    if (n->dtype != DTYPE_UNKNOWN || n->shape.rank >= 0) {
        text_puts(w->out, " : ");
        graph_type_write(w->out, n->dtype, &n->shape);
    }
}

static void put_tuple(struct writer *w, int id)
{
    const struct node *n = &w->g->node.a[id];

    text_puts(w->out, "(");
    for (int k = 0; k < n->nin; k++) {
        text_puts(w->out, k ? ", " : "");
        put_node(w, graph_in(w->g, id, k));
    }
    text_puts(w->out, n->nin == 1 ? ",)" : ")");
}

static void put_statement(struct writer *w, int id)
{
    const struct node *n = &w->g->node.a[id];
    struct text *out = w->out;

    text_puts(out, n->kind == NODE_INPUT ? "    input " : n->kind == NODE_CONST ? "    const " : "    ");
    put_node(w, id);
    if (n->kind == NODE_INPUT || n->kind == NODE_CONST) {
        text_puts(out, " : ");
        graph_type_write(out, n->dtype, &n->shape);
        if (n->kind == NODE_CONST) {
            text_puts(out, " = ");
            write_data(out, graph_tensor(w->g, id));
        }
        text_puts(out, "\n");
        return;
    }
    text_puts(out, " = ");
    if (n->kind == NODE_OP) {
        put_call(w, id);
    } else if (n->kind == NODE_TUPLE) {
        put_tuple(w, id);
    } else {
        put_node(w, graph_in(w->g, id, 0));
        text_printf(out, "[%d]", n->index);
    }
    put_annotation(w, n);
    text_puts(out, "\n");
}

/* The inputs' order is the order of their statements: they come first, in the order of g->input. */
static void put_statements(struct writer *w)
{
    const struct graph *g = w->g;

    for (int i = 0; i < g->input.n; i++)
        put_statement(w, g->input.a[i]);
    for (int i = 0; i < g->node.n && !w->out->failed; i++)
        if (g->node.a[i].kind != NODE_INPUT)
            put_statement(w, i);
}

static void put_return(struct writer *w)
{
    const struct graph *g = w->g;

    for (int i = 0; i < g->output.n; i++) {
        const struct graph_output *o = &g->output.a[i];
        const char *name = strs_text(g->strs, o->name);
        size_t n = (size_t)strs_len(g->strs, o->name);
        text_puts(w->out, i ? ", " : "    return ");
        w->name.n = 0;
        names_put(&w->names, o->node, &w->name);
        if ((size_t)w->name.n != n || memcmp(w->name.a ? w->name.a : "", name, n) != 0) {
            write_name(w->out, name, n);
            text_puts(w->out, " = ");
        }
        put_node(w, o->node);
    }
    text_puts(w->out, g->output.n ? "\n" : "");
}

void graph_text_write(struct text *out, const struct graph *g)
{
    struct writer w = {.out = out, .g = g};
    const char *sep = "(";

    if (!names_init(&w.names, g)) {
        out->failed = true;
        return;
    }
    text_init(&w.name, g->mem);
    text_puts(out, "graph ");
    if (g->name >= 0)
        put_str(&w, g->name);
    if (g->opset != 17) {
        text_printf(out, "(opset=%d", g->opset);
        sep = ", ";
    }
    if (g->model.n > 0) {
        text_printf(out, "%smodel=", sep);
        text_quote(out, (const char *)g->model.a, g->model.n);
    }
    text_puts(out, g->opset != 17 || g->model.n > 0 ? ") {\n" : g->name >= 0 ? " {\n" : "{\n");
    put_statements(&w);
    put_return(&w);
    text_puts(out, "}\n");
    text_free(&w.name);
    names_free(&w.names);
}
