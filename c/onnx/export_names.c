/* Names of the values of an ONNX model. Invariant: graph inputs and outputs keep theirs, no two values have one name,
   and names inside opaque bytes stay what they are. */
#include "onnx/onnx_internal.h"

#include <stdio.h>
#include <string.h>

static bool is_free(const struct onnx_writer *w, int name)
{
    return idmap_get(&w->owner, name) < 0 && idmap_get(&w->alias, name) < 0;
}

static bool assign(struct onnx_writer *w, int node, int name)
{
    w->name[node] = name;
    return idmap_set(w->f.mem, &w->owner, name, node);
}

static bool is_unused(const struct onnx_writer *w, const char *text)
{
    int id = strs_find(w->f.strs, text, strlen(text));

    return id < 0 || (is_free(w, id) && idmap_get(&w->reserved, id) < 0);
}

int onnx_fresh(struct onnx_writer *w, const char *stem)
{
    char buf[256];
    int id;

    snprintf(buf, sizeof buf, "%.200s", stem);
    if (!stem[0] || !is_unused(w, buf)) {
        long k = 2;
        do {
            if (stem[0])
                snprintf(buf, sizeof buf, "%.200s_%ld", stem, k++);
            else
                snprintf(buf, sizeof buf, "t%d", ++w->counter);
        } while (!is_unused(w, buf));
    }
    id = strs_addz(w->f.strs, buf);
    return id >= 0 && idmap_set(w->f.mem, &w->reserved, id, 1) ? id : -1;
}

/* rep and slot: which node stands for the value of each. */
static enum calque_status find_reps(struct onnx_writer *w)
{
    const struct graph *g = w->g;

    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        int of = n->nin > 0 ? g->in.a[n->in] : -1;

        w->rep[i] = i;
        w->name[i] = w->slot[i] = -1;
        if (n->kind == NODE_OP && graph_multi(g, i)) {
            w->slot[i] = w->slots.n;
            for (int k = 0; k < n->index; k++)
                if (!ints_push(w->f.mem, &w->slots, -1))
                    return diag_nomem(w->f.diag);
        }
        if (n->kind != NODE_PROJ || of < 0)
            continue;
        if (g->node.a[of].kind == NODE_TUPLE) {
            int m = graph_in(g, of, n->index);
            if (m < 0)
                return onnx_write_fail(w, i, CALQUE_BAD, "projection of a missing tuple field");
            w->rep[i] = w->rep[m];
        } else {
            if (w->slot[of] < 0 || n->index < 0 || n->index >= g->node.a[of].index)
                return onnx_write_fail(w, i, CALQUE_BAD, "projection of a missing output");
            if (w->slots.a[w->slot[of] + n->index] < 0)
                w->slots.a[w->slot[of] + n->index] = i;
            w->rep[i] = w->slots.a[w->slot[of] + n->index];
        }
    }
    return CALQUE_OK;
}

/* Is m an output of an opaque node? Then its name stands in bytes. */
static bool is_fixed(const struct onnx_writer *w, int m)
{
    const struct node *n = &w->g->node.a[m];

    if (n->kind == NODE_PROJ)
        n = &w->g->node.a[w->g->in.a[n->in]];
    return n->kind == NODE_OP && n->op == OP_Opaque;
}

/* Graph outputs keep their names: the node is called so, or an Identity gives the name. */
static enum calque_status name_outputs(struct onnx_writer *w, bool own)
{
    const struct graph *g = w->g;

    for (int i = 0; i < g->output.n; i++) {
        int name = g->output.a[i].name, m = w->rep[g->output.a[i].node];
        const struct node *n = &g->node.a[m];
        bool ok = true;
        char s[ONNX_SHOW];

        if (n->kind == NODE_TUPLE || (n->kind == NODE_OP && graph_multi(g, m)))
            return diag_set(w->f.diag, CALQUE_BAD, w->f.file, 0, 0, "graph output '%s' is a tuple",
                            onnx_show(s, strs_text(w->f.strs, name)));
        if (w->name[m] == name || (own && n->name != name) || idmap_get(&w->alias, name) == m)
            continue;
        if (!is_free(w, name))
            return diag_set(w->f.diag, CALQUE_BAD, w->f.file, 0, 0,
                            "the name of graph output '%s' belongs to another value",
                            onnx_show(s, strs_text(w->f.strs, name)));
        if (w->name[m] < 0 && (own || ((n->kind == NODE_OP || n->kind == NODE_PROJ) && !is_fixed(w, m))))
            ok = assign(w, m, name);
        else
            ok = idmap_set(w->f.mem, &w->alias, name, m);
        if (!ok)
            return diag_nomem(w->f.diag);
    }
    return CALQUE_OK;
}

/* The outputs of opaque nodes have the names in their bytes, unless a graph output took one. */
static bool name_fixed_outputs(struct onnx_writer *w, const struct onnx_fixed *x)
{
    bool multi = graph_multi(w->g, x->node);

    for (int k = 0; k < x->nout; k++) {
        int name = w->pool.a[x->out + k], m = x->node;

        if (multi && k < w->g->node.a[x->node].index)
            m = w->slots.a[w->slot[x->node] + k];
        else if (multi || k > 0)
            m = -1;
        if (name < 0 || (m >= 0 && w->name[m] >= 0) || !is_free(w, name))
            continue;
        if (m >= 0 ? !assign(w, m, name) : !idmap_set(w->f.mem, &w->owner, name, x->node))
            return false;
    }
    return true;
}

/* The names in the bytes of opaque nodes should stand for their inputs: by calling the input so, or by an
   Identity. Where neither can be, the bytes are changed when the node is written. */
static bool name_fixed_inputs(struct onnx_writer *w, const struct onnx_fixed *x)
{
    for (int k = 0; k < x->nin + x->ncaptured; k++) {
        int name = w->pool.a[x->in + k], m = graph_in(w->g, x->node, k);

        m = m < 0 ? -1 : w->rep[m];
        if (m < 0 || name < 0 || w->name[m] == name || !is_free(w, name))
            continue;
        if (w->name[m] < 0 ? !assign(w, m, name) : !idmap_set(w->f.mem, &w->alias, name, m))
            return false;
    }
    return true;
}

static bool name_rest(struct onnx_writer *w)
{
    const struct graph *g = w->g;

    for (int i = 0; i < g->node.n; i++)
        if (g->node.a[i].name >= 0 && !idmap_set(w->f.mem, &w->reserved, g->node.a[i].name, 1))
            return false;
    for (int pass = 0; pass < 2; pass++) /* names of the graph's own first, fresh ones after */
        for (int i = 0; i < g->node.n; i++) {
            const struct node *n = &g->node.a[i];
            int name = n->name;

            if (w->name[i] >= 0 || w->rep[i] != i || graph_multi(g, i))
                continue;
            if (name >= 0 && (pass == 1 || !is_free(w, name))) {
                char stem[256];
                if (pass == 0)
                    continue;
                snprintf(stem, sizeof stem, "%.200s", strs_text(w->f.strs, name));
                name = onnx_fresh(w, stem);
            } else if (name < 0 && pass == 0) {
                continue;
            } else if (name < 0) {
                name = onnx_fresh(w, "");
            }
            if (name < 0 || !assign(w, i, name))
                return false;
        }
    return true;
}

enum calque_status onnx_names(struct onnx_writer *w)
{
    const struct graph *g = w->g;
    enum calque_status st = find_reps(w);
    bool ok = true;

    if (!st)
        st = onnx_fixed_read(w);
    if (st)
        return st;
    for (int i = 0; i < g->input.n && ok; i++)
        ok = assign(w, g->input.a[i], g->node.a[g->input.a[i]].name);
    for (int i = 0; i < g->output.n && ok; i++)
        ok = idmap_set(w->f.mem, &w->reserved, g->output.a[i].name, 1);
    if (!ok)
        return diag_nomem(w->f.diag);
    st = name_outputs(w, true);
    if (!st)
        st = name_outputs(w, false);
    if (st)
        return st;
    for (int i = 0; i < w->fixed.n && ok; i++)
        ok = name_fixed_outputs(w, &w->fixed.a[i]);
    for (int i = 0; i < w->fixed.n && ok; i++)
        ok = name_fixed_inputs(w, &w->fixed.a[i]);
    return ok && name_rest(w) ? CALQUE_OK : diag_nomem(w->f.diag);
}
