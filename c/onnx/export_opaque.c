#include "onnx/export_internal.h"

#include <stdio.h>
#include <string.h>

enum calque_status onnx_write_fail(const struct onnx_writer *w, int node, enum calque_status st,
                                   const char *text)
{
    const struct node *n = &w->g->node.a[node];
    const char *name = strs_text(w->f.strs, n->label >= 0 ? n->label : n->name);
    char s[ONNX_SHOW], number[24];

    snprintf(number, sizeof number, "#%d", node);
    return diag_set(w->f.diag, st, w->f.file, 0, 0, "node '%s' (%s): %s",
                    onnx_show(s, name[0] ? name : number),
                    n->kind == NODE_OP ? op_info(n->op)->name : "not an operator", text);
}

static enum calque_status unpack(struct onnx_writer *w, int node, Onnx__NodeProto **p)
{
    const struct node *n = &w->g->node.a[node];
    const struct raw *r;
    ProtobufCMessage *m;
    enum calque_status st;

    if (n->data < 0 || n->data >= w->g->raw.n)
        return onnx_write_fail(w, node, CALQUE_INTERNAL, "an opaque node without bytes");
    r = &w->g->raw.a[n->data];
    st = wire_unpack(&w->alloc, &onnx__node_proto__descriptor, w->f.file, r->a, r->n, &m,
                     w->f.diag);
    *p = (Onnx__NodeProto *)m;
    return st == CALQUE_BAD ? onnx_write_fail(w, node, st, "its bytes are not a NodeProto") : st;
}

static bool put_names(struct onnx_writer *w, char **names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int id = names[i][0] ? strs_addz(w->f.strs, names[i]) : -1;
        if ((names[i][0] && id < 0) || !ints_push(w->f.mem, &w->pool, id))
            return false;
        if (id >= 0 && !idmap_set(w->f.mem, &w->reserved, id, 1))
            return false;
    }
    return true;
}

static enum calque_status read_fixed(struct onnx_writer *w, int node, const Onnx__NodeProto *p)
{
    const struct node *n = &w->g->node.a[node];
    struct onnx_fixed *x = &w->fixed.a[w->fixed.n];
    struct ints captured = {0}, all = {0};
    enum calque_status st = onnx_captures(&w->f, p, &captured, &all);
    bool bare = !p->n_input && !p->n_output && !captured.n; /* .graph text without bytes */

    x->node = node;
    x->in = w->pool.n;
    x->nin = bare ? n->nin : (int)p->n_input;
    x->captured = x->in + x->nin;
    x->ncaptured = captured.n;
    x->out = x->captured + captured.n;
    x->nout = bare ? n->index : (int)p->n_output;
    for (int i = 0; bare && i < n->nin + n->index && !st; i++)
        if (!ints_push(w->f.mem, &w->pool, -1))
            st = diag_nomem(w->f.diag);
    if (!st && !put_names(w, p->input, p->n_input))
        st = diag_nomem(w->f.diag);
    for (int i = 0; i < captured.n && !st; i++)
        if (!ints_push(w->f.mem, &w->pool, captured.a[i]))
            st = diag_nomem(w->f.diag);
    if (!st && !put_names(w, p->output, p->n_output))
        st = diag_nomem(w->f.diag);
    for (int i = 0; i < all.n && !st; i++)
        if (!idmap_set(w->f.mem, &w->reserved, all.a[i], 1))
            st = diag_nomem(w->f.diag);
    ints_free(&captured);
    ints_free(&all);
    return st;
}

/* What the model must import. */
static bool put_domain(struct onnx_writer *w, const char *domain)
{
    int id = domain && domain[0] ? strs_addz(w->f.strs, domain) : -1;

    if (id < 0)
        return !domain || !domain[0];
    for (int k = 0; k < w->domains.n; k++)
        if (w->domains.a[k] == id)
            return true;
    return ints_push(w->f.mem, &w->domains, id);
}

enum calque_status onnx_fixed_read(struct onnx_writer *w)
{
    for (int i = 0; i < w->g->node.n; i++) {
        const struct node *n = &w->g->node.a[i];
        Onnx__NodeProto *p;
        enum calque_status st;

        if (n->kind != NODE_OP || n->op != OP_Opaque)
            continue;
        if (!vec_room(w->f.mem, &w->fixed, 1) ||
            !idmap_set(w->f.mem, &w->fixed_of, i, w->fixed.n))
            return diag_nomem(w->f.diag);
        st = unpack(w, i, &p);
        if (st)
            return st;
        st = read_fixed(w, i, p);
        if (!st && !put_domain(w, p->domain))
            st = diag_nomem(w->f.diag);
        protobuf_c_message_free_unpacked(&p->base, &w->alloc.base);
        if (st)
            return st;
        if (n->nin != w->fixed.a[w->fixed.n].nin + w->fixed.a[w->fixed.n].ncaptured ||
            n->index > w->fixed.a[w->fixed.n].nout)
            return onnx_write_fail(w, i, CALQUE_BAD,
                                   "its inputs or outputs are not those of its bytes");
        w->fixed.n++;
    }
    return CALQUE_OK;
}

/* Makes node m available under the name, by an Identity if need be; false when the bytes must change. */
static enum calque_status provide(struct onnx_writer *w, int m, int name, bool *fits)
{
    *fits = m < 0 ? name < 0 : name == w->name[m];
    if (*fits || m < 0 || name < 0 || idmap_get(&w->alias, name) != m)
        return CALQUE_OK;
    *fits = true;
    if (idmap_get(&w->emitted, name) >= 0)
        return CALQUE_OK;
    if (!idmap_set(w->f.mem, &w->emitted, name, 1))
        return diag_nomem(w->f.diag);
    return onnx_out_identity(w, w->name[m], name);
}

static int input_of(const struct onnx_writer *w, int node, int k)
{
    int m = graph_in(w->g, node, k);

    return m < 0 ? -1 : w->rep[m];
}

/* The name output k has now. One that nobody reads keeps its name unless another value took it. */
static int output_name(const struct onnx_writer *w, const struct onnx_fixed *x, int k)
{
    int node = x->node, slot = -1, name = w->pool.a[x->out + k];

    if (k < w->g->node.a[node].index)
        slot = graph_multi(w->g, node) ? w->slots.a[w->slot[node] + k] : node;
    if (slot >= 0)
        return w->name[slot];
    return idmap_get(&w->owner, name) == node ? name : -1;
}

/* Writes the node with other names than its bytes have. */
static enum calque_status write_patched(struct onnx_writer *w, const struct onnx_fixed *x,
                                        const bool *fits)
{
    Onnx__NodeProto *p, copy;
    size_t n = (size_t)(x->nin + x->nout);
    char **names = mem_resize(w->f.mem, NULL, n, sizeof *names);
    enum calque_status st;

    if (!names)
        return diag_nomem(w->f.diag);
    st = unpack(w, x->node, &p);
    if (!st) {
        copy = *p;
        for (int k = 0; k < x->nin + x->nout; k++) {
            int m = k < x->nin ? input_of(w, x->node, k) : -1, id = -1;
            if (k >= x->nin)
                id = output_name(w, x, k - x->nin);
            else if (fits[k])
                id = w->pool.a[x->in + k];
            else if (m >= 0)
                id = w->name[m];
            names[k] = (char *)(uintptr_t)strs_text(w->f.strs, id); /* only read */
        }
        copy.n_input = (size_t)x->nin;
        copy.input = names;
        copy.n_output = (size_t)x->nout;
        copy.output = names + x->nin;
        wire_put_message(&w->nodes, 1, &copy.base);
        st = text_status(&w->nodes, w->f.diag);
        protobuf_c_message_free_unpacked(&p->base, &w->alloc.base);
    }
    mem_free(names);
    return st;
}

enum calque_status onnx_write_opaque(struct onnx_writer *w, int node)
{
    const struct onnx_fixed *x = &w->fixed.a[idmap_get(&w->fixed_of, node)];
    const struct raw *r = &w->g->raw.a[w->g->node.a[node].data];
    bool *fits = mem_zero(w->f.mem, (size_t)(x->nin + x->ncaptured), sizeof *fits), all = true;
    enum calque_status st = fits ? CALQUE_OK : diag_nomem(w->f.diag);

    for (int k = 0; k < x->nin + x->ncaptured && !st; k++) {
        st = provide(w, input_of(w, node, k), w->pool.a[x->in + k], &fits[k]);
        if (!st && k >= x->nin && !fits[k])
            st = onnx_write_fail(w, node, CALQUE_LIMIT,
                                 "its subgraph uses a name that now stands for another value");
        all = all && (st || fits[k]);
    }
    for (int k = 0; k < x->nout; k++)
        all = all && output_name(w, x, k) == w->pool.a[x->out + k];
    if (!st && !all)
        st = write_patched(w, x, fits);
    else if (!st) {
        wire_put_bytes(&w->nodes, 1, r->a, r->n);
        st = text_status(&w->nodes, w->f.diag);
    }
    mem_free(fits);
    return st;
}
