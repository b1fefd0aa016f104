/* A graph as a drawing for Graphviz: ASCII only, whatever names contain. */

#include <string.h>

#include "graph/names.h"
#include "graph/text.h"
#include "tensor/op.h"

/* Inside a quoted string of DOT: control and non-ASCII bytes show as \xHH, so that the result is ASCII
   whatever the names hold. */
static void put_bytes(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c < 32 || c > 126)
            text_printf(out, "\\\\x%02x", c);
        else if (c == '"' || c == '\\')
            text_printf(out, "\\%c", c);
        else
            text_put(out, s + i, 1);
    }
}

static void put_str(struct text *out, const struct graph *g, int id)
{
    put_bytes(out, strs_text(g->strs, id), (size_t)strs_len(g->strs, id));
}

static void put_name(struct text *out, const struct names *ns, int node)
{
    struct text name;

    text_init(&name, out->mem);
    names_put(ns, node, &name);
    if (name.failed)
        out->failed = true;
    else
        put_bytes(out, name.a, (size_t)name.n);
    text_free(&name);
}

static bool is_typed(const struct node *n)
{
    return n->dtype != DTYPE_UNKNOWN || n->shape.rank >= 0;
}

/* A colour for a rule, from a hash of its name. */
static const char *rule_colour(const char *rule, size_t n)
{
    static const char *const colours[] = {"#a6cee3", "#b2df8a", "#fb9a99", "#fdbf6f", "#cab2d6", "#ffff99",
                                          "#8dd3c7", "#bebada", "#80b1d3", "#fccde5", "#ccebc5", "#ffed6f"};
    unsigned h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)rule[i]) * 16777619u;
    return colours[h % (sizeof colours / sizeof *colours)];
}

static void put_origin(struct text *out, const struct graph *g, const struct node *n)
{
    const char *origin = strs_text(g->strs, n->origin);

    if (n->origin < 0)
        return;
    text_printf(out, ", style=filled, fillcolor=\"%s\", tooltip=\"",
                rule_colour(origin, strcspn(origin, " :")));
    put_str(out, g, n->origin);
    text_puts(out, "\"");
}

static void put_op_name(struct text *out, const struct graph *g, int id)
{
    const struct node *n = &g->node.a[id];
    size_t len;
    const char *type;

    if (n->kind == NODE_TUPLE) {
        text_puts(out, "tuple");
    } else if (n->op != OP_Opaque) {
        text_puts(out, op_info(n->op)->name);
    } else {
        type = graph_opaque_type(g, id, &len);
        put_bytes(out, type, len);
    }
}

static void put_node(struct text *out, const struct names *ns, int id)
{
    const struct graph *g = ns->g;
    const struct node *n = &g->node.a[id];

    text_printf(out, "    n%d [", id);
    if (n->kind == NODE_CONST)
        text_puts(out, "shape=ellipse, color=grey, fontcolor=grey, fontsize=8, height=0.2, label=\"");
    else if (n->kind == NODE_INPUT)
        text_puts(out, "shape=ellipse, label=\"");
    else
        text_puts(out, "shape=box, label=\"");
    if (n->kind == NODE_OP || n->kind == NODE_TUPLE) {
        put_op_name(out, g, id);
        text_puts(out, "\\n");
    }
    put_name(out, ns, id);
    if (is_typed(n)) {
        text_puts(out, "\\n");
        graph_type_write(out, n->dtype, &n->shape);
    }
    text_puts(out, "\"");
    put_origin(out, g, n);
    text_puts(out, "];\n");
}

/* The edge of a value to node `to` (an id, with prefix n or o); a projection is its edge's label. */
static void put_edge(struct text *out, const struct graph *g, int from, char prefix, int to)
{
    const struct node *n = &g->node.a[from];
    const char *gap = "";

    text_printf(out, "    n%d -> %c%d [label=\"", n->kind == NODE_PROJ ? graph_in(g, from, 0) : from,
                prefix, to);
    if (n->kind == NODE_PROJ) {
        text_printf(out, "[%d]", n->index);
        gap = " ";
    }
    if (is_typed(n)) {
        text_puts(out, gap);
        graph_type_write(out, n->dtype, &n->shape);
    }
    text_puts(out, n->kind == NODE_CONST ? "\", color=grey, fontcolor=grey];\n" : "\"];\n");
}

void graph_dot(struct text *out, const struct graph *g)
{
    struct names ns;

    if (!names_init(&ns, g)) {
        out->failed = true;
        return;
    }
    text_puts(out, "digraph \"");
    if (g->name >= 0)
        put_str(out, g, g->name);
    text_puts(out, "\" {\n    node [fontsize=10];\n    edge [fontsize=8];\n");
    for (int i = 0; i < g->node.n; i++)
        if (g->node.a[i].kind != NODE_PROJ)
            put_node(out, &ns, i);
    for (int i = 0; i < g->output.n; i++) {
        text_printf(out, "    o%d [shape=ellipse, style=bold, label=\"", i);
        put_str(out, g, g->output.a[i].name);
        text_puts(out, "\"];\n");
    }
    for (int i = 0; i < g->node.n; i++)
        for (int k = 0; k < g->node.a[i].nin && g->node.a[i].kind != NODE_PROJ; k++)
            if (graph_in(g, i, k) >= 0)
                put_edge(out, g, graph_in(g, i, k), 'n', i);
    for (int i = 0; i < g->output.n; i++)
        put_edge(out, g, g->output.a[i].node, 'o', i);
    text_puts(out, "}\n");
    names_free(&ns);
}
