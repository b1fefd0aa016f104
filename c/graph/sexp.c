/* A graph as S-expressions, which the oracle reads (oracle/read.ml). */
#include "graph/text.h"

#include <string.h>

#include "onnx/onnx.h"
#include "tensor/npy.h"
#include "tensor/op.h"

static void name(struct text *t, const struct graph *g, int id)
{
    text_quote(t, strs_text(g->strs, id), (size_t)strs_len(g->strs, id));
}

static void inputs(struct text *t, const struct graph *g, int node)
{
    for (int k = 0; k < g->node.a[node].nin; k++) {
        int in = graph_in(g, node, k);
        if (k)
            text_puts(t, " ");
        if (in < 0)
            text_puts(t, "-");
        else
            text_printf(t, "%d", in);
    }
}

static bool is_word(const char *s)
{
    return s[0] && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

/* What the bytes of an opaque node say that rules may read: attributes whose labels are words. */
static void opaque_attrs(struct text *t, const struct graph *g, int node)
{
    int n = opaque_count(g, node), first = g->node.a[node].nattr;

    for (int k = -1; k < n && !t->failed; k++) {
        struct values *vs = g->values;
        int old = vs->n, npool = vs->npool, value = -1, label = k < 0 ? strs_addz(g->strs, OPAQUE_NAME) : opaque_label(g, node, k);

        t->failed |= label < 0 || !opaque_attr(g, node, strs_text(g->strs, label), &value);
        if (value >= 0 && is_word(strs_text(g->strs, label)) && graph_attr(g, node, strs_text(g->strs, label)) < 0) {
            text_printf(t, "%s(%s ", first++ ? " " : "", strs_text(g->strs, label));
            value_print(t, vs, g->strs, value);
            text_puts(t, ")");
        }
        vs->n = old; /* nothing keeps the value */
        vs->npool = npool;
    }
}

static void operator(struct text *t, const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    text_printf(t, " (op %s (", op_info(n->op)->name);
    inputs(t, g, node);
    text_puts(t, ") (");
    for (int k = 0; k < n->nattr; k++) {
        const struct node_attr *a = &g->attr.a[n->attr + k];
        text_printf(t, "%s(%s ", k ? " " : "", strs_text(g->strs, a->label));
        value_print(t, g->values, g->strs, a->value);
        text_puts(t, ")");
    }
    if (n->op == OP_Opaque)
        opaque_attrs(t, g, node);
    text_puts(t, "))");
}

static void constant(struct text *t, const struct graph *g, int node)
{
    struct values *vs = g->values;
    int n = vs->n, npool = vs->npool, value;

    text_puts(t, " (const");
    if (!graph_const_attr(g, node, &value))
        t->failed = true;
    else if (value >= 0)
        text_puts(t, " ");
    if (value >= 0)
        value_print(t, vs, g->strs, value);
    text_puts(t, ")");
    vs->n = n; /* nothing keeps the value */
    vs->npool = npool;
}

static void node_sexp(struct text *t, const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    text_printf(t, "  (%d ", node);
    if (n->name >= 0)
        name(t, g, n->name);
    else
        text_puts(t, "-");
    text_puts(t, " ");
    cells_type(t, n->dtype, &n->shape);
    switch (n->kind) {
    case NODE_INPUT: text_puts(t, " (input)"); break;
    case NODE_CONST: constant(t, g, node); break;
    case NODE_OP: operator(t, g, node); break;
    case NODE_PROJ: text_printf(t, " (proj %d %d)", graph_in(g, node, 0), n->index); break;
    default:
        text_puts(t, " (tuple ");
        inputs(t, g, node);
        text_puts(t, ")");
    }
    text_puts(t, ")\n");
}

void graph_sexp(struct text *out, const struct graph *g)
{
    text_puts(out, "(graph ");
    if (g->name >= 0)
        name(out, g, g->name);
    else
        text_puts(out, "-");
    text_puts(out, "\n");
    for (int i = 0; i < g->node.n; i++)
        node_sexp(out, g, i);
    text_puts(out, "  (outputs");
    for (int i = 0; i < g->output.n; i++) {
        text_puts(out, " (");
        name(out, g, g->output.a[i].name);
        text_printf(out, " %d)", g->output.a[i].node);
    }
    text_puts(out, "))\n");
}

static void node_data(struct text *out, int node, const struct tensor *x)
{
    text_printf(out, "\n  (%d", node);
    cells_text(out, x);
    text_puts(out, ")");
}

void graph_sexp_data(struct text *out, const struct graph *g, const struct tensor *inputs)
{
    text_puts(out, "(data");
    for (int i = 0; i < g->input.n; i++)
        if (inputs[i].dtype)
            node_data(out, g->input.a[i], &inputs[i]);
    for (int i = 0; i < g->node.n; i++)
        if (graph_tensor(g, i))
            node_data(out, i, graph_tensor(g, i));
    text_puts(out, ")\n");
}

void graph_sexp_outputs(struct text *out, const struct graph *g, const struct tensor *outputs)
{
    for (int i = 0; i < g->output.n; i++) {
        text_puts(out, "(output ");
        name(out, g, g->output.a[i].name);
        text_puts(out, " ");
        cells_type(out, outputs[i].dtype, &outputs[i].shape);
        cells_text(out, &outputs[i]);
        text_puts(out, ")\n");
    }
}
