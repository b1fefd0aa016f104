#include "onnx/onnx_internal.h"

struct walk {
    const struct onnx_file *f;
    struct idmap scope; /* name -> how many enclosing subgraphs define it */
    struct idmap seen;  /* name -> 1: already captured */
    struct ints stack;  /* the names the open subgraphs define, innermost last */
    struct ints *captured, *all;
    bool nomem;
};

static int note(struct walk *w, const char *name)
{
    int id = strs_addz(w->f->strs, name);

    if (id < 0 || (w->all && !ints_push(w->f->mem, w->all, id)))
        w->nomem = true;
    return id;
}

static void define(struct walk *w, const char *name)
{
    int id, k;

    if (!name || !name[0])
        return;
    id = note(w, name);
    k = idmap_get(&w->scope, id);
    if (id >= 0 && (!ints_push(w->f->mem, &w->stack, id) ||
                    !idmap_set(w->f->mem, &w->scope, id, k < 0 ? 1 : k + 1)))
        w->nomem = true;
}

static void use(struct walk *w, const char *name)
{
    int id;

    if (!name || !name[0])
        return;
    id = note(w, name);
    if (id < 0 || idmap_get(&w->scope, id) > 0 || idmap_get(&w->seen, id) > 0)
        return;
    if (!idmap_set(w->f->mem, &w->seen, id, 1) || !ints_push(w->f->mem, w->captured, id))
        w->nomem = true;
}

static void walk_node(struct walk *w, const Onnx__NodeProto *p);

/* Depth is bounded by WIRE_DEPTH_MAX: the message passed wire_check. */
static void walk_graph(struct walk *w, const Onnx__GraphProto *g)
{
    int mark = w->stack.n;

    for (size_t i = 0; i < g->n_input; i++)
        define(w, g->input[i]->name);
    for (size_t i = 0; i < g->n_initializer; i++)
        define(w, g->initializer[i]->name);
    for (size_t i = 0; i < g->n_sparse_initializer; i++)
        if (g->sparse_initializer[i]->values)
            define(w, g->sparse_initializer[i]->values->name);
    for (size_t i = 0; i < g->n_node && !w->nomem; i++) {
        const Onnx__NodeProto *p = g->node[i];
        for (size_t k = 0; k < p->n_input; k++)
            use(w, p->input[k]);
        walk_node(w, p);
        for (size_t k = 0; k < p->n_output; k++)
            define(w, p->output[k]);
    }
    for (size_t i = 0; i < g->n_output; i++)
        use(w, g->output[i]->name);
    while (w->stack.n > mark) {
        int id = w->stack.a[--w->stack.n];
        if (idmap_get(&w->scope, id) > 0)
            w->scope.a[id]--;
    }
}

static void walk_node(struct walk *w, const Onnx__NodeProto *p)
{
    for (size_t i = 0; i < p->n_attribute && !w->nomem; i++) {
        const Onnx__AttributeProto *a = p->attribute[i];
        if (a->g)
            walk_graph(w, a->g);
        for (size_t k = 0; k < a->n_graphs; k++)
            walk_graph(w, a->graphs[k]);
    }
}

enum calque_status onnx_captures(const struct onnx_file *f, const Onnx__NodeProto *p,
                                 struct ints *captured, struct ints *all)
{
    struct walk w = {f, {0}, {0}, {0}, captured, all, false};

    walk_node(&w, p);
    idmap_free(&w.scope);
    idmap_free(&w.seen);
    ints_free(&w.stack);
    return w.nomem ? diag_nomem(f->diag) : CALQUE_OK;
}
