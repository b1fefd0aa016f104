/* A model as programs of the kernel language, one for each element type, and these cut into groups again. First which
   operators run, which are constants and which only rename memory; then what is computed in another operator's loop:
   that is what kernel_inline_all takes there. Soundness is I1 to I5 (kernel/inline.h), the policy is find_policy
   below. A value that is an output, or is read in another shape than it has, is an output of its program; all others
   are temporaries. */
#include "emit/module.h"
#include "kernel/inline.h"
#include "tensor/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is found out about the graph before it is grouped. */
struct fuse {
    const struct graph *g;
    const struct emit_options *o;
    struct groups *out;
    bool *fold; /* node: all it depends on is constant */
    bool *veto; /* but it has no value at compile time */
};

/* ---- which operators run, which are constants, and which only rename memory ---- */

#define CONST_BUDGET ((size_t)1 << 33)

static bool is_op(const struct graph *g, int node, int op)
{
    return g->node.a[node].kind == NODE_OP && g->node.a[node].op == op;
}

/* Operators whose result is their input's elements in the same order. */
static bool is_rename(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    if (x->kind != NODE_OP || x->nin < 1 || graph_in(g, node, 0) < 0)
        return false;
    switch (x->op) {
    case OP_Reshape: case OP_Flatten: case OP_Squeeze: case OP_Unsqueeze: case OP_Identity: case OP_Dropout:
    case OP_ReshapeLike:
        return x->dtype == g->node.a[graph_in(g, node, 0)].dtype &&
               shape_elems(&x->shape) == shape_elems(&g->node.a[graph_in(g, node, 0)].shape);
    default:
        return false;
    }
}

static void find_foldable(struct fuse *f)
{
    for (int i = 0; i < f->g->node.n; i++) {
        const struct node *x = &f->g->node.a[i];
        bool all = x->kind == NODE_CONST || x->kind == NODE_OP || x->kind == NODE_PROJ;
        for (int k = 0; k < x->nin; k++)
            all = all && (graph_in(f->g, i, k) < 0 || f->fold[graph_in(f->g, i, k)]);
        if (is_op(f->g, i, OP_Shape) && f->g->node.a[graph_in(f->g, i, 0)].shape.rank >= 0)
            all = true;
        f->fold[i] = all && !f->veto[i] && !is_op(f->g, i, OP_Opaque);
    }
}

/* needed: what the outputs depend on, down to inputs and constants. */
static void find_needed(struct fuse *f)
{
    const struct graph *g = f->g;
    bool *needed = f->out->needed;

    memset(needed, 0, (size_t)g->node.n * sizeof *needed);
    for (int i = 0; i < g->output.n; i++)
        needed[g->output.a[i].node] = true;
    for (int i = g->node.n - 1; i >= 0; i--)
        for (int k = 0; needed[i] && !f->fold[i] && k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0 && (g->node.a[i].kind != NODE_OP || op_needs(g->node.a[i].op, k)))
                needed[graph_in(g, i, k)] = true;
}

/* Computes the needed constants; CALQUE_NO: one has no value now, it is vetoed and everything is found anew. */
static enum calque_status evaluate(struct fuse *f, struct diag *d)
{
    struct groups *gs = f->out;

    for (int i = 0; i < f->g->node.n; i++) {
        enum calque_status st;
        if (!gs->needed[i] || !f->fold[i] || f->g->node.a[i].kind == NODE_CONST || gs->constant[i])
            continue;
        st = graph_const_value(f->g, i, CONST_BUDGET, &f->o->numbers, &gs->value[i], d);
        if (st == CALQUE_NO || st == CALQUE_LIMIT) {
            f->veto[i] = true;
            return CALQUE_NO;
        }
        if (st != CALQUE_OK)
            return st;
        gs->constant[i] = true;
    }
    return CALQUE_OK;
}

static enum calque_status find_constants(struct fuse *f, struct diag *d)
{
    enum calque_status st;

    do {
        find_foldable(f);
        find_needed(f);
        st = evaluate(f, d);
    } while (st == CALQUE_NO);
    return st;
}

/* Is the node computed at run time? */
static bool fuse_runs(const struct fuse *f, int node)
{
    return f->out->needed[node] && !f->fold[node];
}

/* The outputs of node i that projections may name. */
static int outputs(const struct graph *g, int i)
{
    const struct node *n = &g->node.a[i];

    return n->kind == NODE_TUPLE ? n->nin : n->kind == NODE_OP ? n->index : 1;
}

/* Renamings have their operand's root, projections of one output that of the first. False: memory is out. */
static bool find_roots(struct fuse *f)
{
    const struct graph *g = f->g;
    int *root = f->out->root, *from = mem_resize(g->mem, NULL, (size_t)g->node.n, sizeof *from);
    struct ints first = {0}; /* of each output of each node: its first projection, or -1 */
    bool ok = from != NULL;

    for (int i = 0; ok && i < g->node.n; i++) {
        int of = fuse_runs(f, i) && g->node.a[i].kind == NODE_PROJ ? graph_in(g, i, 0) : -1, index = g->node.a[i].index;
        from[i] = first.n;
        for (int k = outputs(g, i); ok && k > 0; k--)
            ok = ints_push(g->mem, &first, -1);
        root[i] = fuse_runs(f, i) && is_rename(g, i) ? root[graph_in(g, i, 0)] : i;
        if (of < 0 || index < 0 || index >= outputs(g, of))
            continue;
        if (first.a[from[of] + index] >= 0)
            root[i] = root[first.a[from[of] + index]];
        else
            first.a[from[of] + index] = i;
    }
    mem_free(from);
    ints_free(&first);
    return ok;
}

/* ---- programs, and their groups ---- */

enum { TYPES = 4, REPEAT = 16 };

/* A tensor of a program. */
struct cell {
    int root;    /* node whose value it holds, or -1 */
    int owner;   /* operator that stores it, or -1: an input */
    int loader;  /* last operator that loads it, or -1 */
    int next;    /* next tensor with this root, or -1 */
    bool stored; /* by a statement */
    bool shared; /* a group loads it that does not store it */
};

struct program {
    struct kernel k;
    struct { struct cell *a; int n, cap; } cell; /* one for each tensor of k */
    int at;   /* statements before are cut off */
    int base; /* value number of tensor 0 as a temporary */
};

/* What two operators were made of, the first's before the second's. */
struct note_pair {
    int first, second;
    int put; /* the last node whose group it was written for, or -1 */
};

struct whole {
    const struct fuse *f;
    struct program p[TYPES];
    int *first[TYPES]; /* root -> its first tensor in each program, or -1 */
    int *type;  /* operator -> its program, or -1: it does not run */
    int *note;  /* operator -> what it was made of: a node, or the number of nodes plus a pair's */
    struct { struct note_pair *a; int n, cap; } pair;
    struct ints out;      /* the root of each output of the operators with several, the first projection's, or -1 */
    int *outs;            /* such an operator -> its first place there */
    struct ints work;     /* scratch of put_notes */
};

/* Loops are joined where the consumer's compute what the producer's did, cell by cell; a value that several statements
   read stays in memory, and so does what is loaded twice and costs more than that load: a function of libm. Reductions stay
   where they can be tiled. Cells with contracts bind no values: there nothing loaded twice is joined. */
static struct inline_policy find_policy(const struct emit_options *o)
{
    return (struct inline_policy){ .loads = 1, .together = !o->acsl, .in_place = true, .permuted = true, .repeat = REPEAT,
                                   .alone = !o->no_strategy };
}

enum calque_status fuse_kernel(struct kernel *k, const struct emit_options *o, int *fused, struct diag *d)
{
    struct inline_policy policy = find_policy(o);
    enum calque_status st = kernel_remove_dead(k, &(int){0}, d);

    return st == CALQUE_OK && !o->no_fuse ? kernel_inline_all(k, &policy, fused, NULL, NULL, d) : st;
}

/* The tensor of an operator's result Y0 or temporary T0 (root -1), new; or -1: out of memory. */
static int stored_tensor(struct whole *w, struct program *p, int node, int root, const struct kernel_tensor *x)
{
    int t;

    if (!vec_room(w->f->g->mem, &p->cell, 1))
        return -1;
    t = kernel_add_like(&p->k, x->name, KERNEL_TEMP, x);
    if (t < 0)
        return -1;
    p->cell.a[p->cell.n++] = (struct cell){ .root = root, .owner = node, .loader = -1,
                                            .next = root < 0 ? -1 : w->first[p->k.type][root] };
    if (root >= 0)
        w->first[p->k.type][root] = t;
    return t;
}

/* A value that is read from memory must be written to it, by whichever program computes it. */
static void keep_root(struct whole *w, int root)
{
    for (int k = 0; k < TYPES; k++)
        for (int t = w->first[k][root]; t >= 0; t = w->p[k].cell.a[t].next)
            if (w->p[k].cell.a[t].owner >= 0)
                w->p[k].k.tensor.a[t].role = KERNEL_OUT;
}

/* The tensor of a value that an operator reads in x's shape. Another one, as an input, where it is stored in another or by
   another program. */
static int read_tensor(struct whole *w, struct program *p, int root, const struct kernel_tensor *x)
{
    int t;

    for (t = w->first[p->k.type][root]; t >= 0; t = p->cell.a[t].next)
        if (p->k.tensor.a[t].rank == x->rank &&
            memcmp(p->k.tensor.a[t].dim, x->dim, (size_t)x->rank * sizeof *x->dim) == 0)
            return t;
    keep_root(w, root);
    t = stored_tensor(w, p, -1, root, x);
    if (t >= 0)
        p->k.tensor.a[t].role = KERNEL_IN;
    return t;
}

static bool has_several(const struct node *n)
{
    return n->kind == NODE_OP && (op_info(n->op)->traits & OP_MULTI);
}

/* The projection that each output of an operator with several is read through. False: memory is out. */
static bool find_projections(struct whole *w)
{
    const struct graph *g = w->f->g;

    for (int i = 0; i < g->node.n; i++) {
        w->outs[i] = w->out.n;
        for (int k = 0; has_several(&g->node.a[i]) && k < g->node.a[i].index; k++)
            if (!ints_push(g->mem, &w->out, -1))
                return false;
    }
    for (int i = g->node.n - 1; i >= 0; i--) {
        const struct node *n = &g->node.a[i];
        int of = n->kind == NODE_PROJ && fuse_runs(w->f, i) ? graph_in(g, i, 0) : -1;
        if (of >= 0 && has_several(&g->node.a[of]) && n->index >= 0 && n->index < g->node.a[of].index)
            w->out.a[w->outs[of] + n->index] = w->f->out->root[i];
    }
    return true;
}

/* Which tensor of the program the formal tensor X3, Y0, T1 of a node's kernel is. */
static int formal(struct whole *w, struct program *p, int node, const struct kernel_tensor *x)
{
    const struct fuse *f = w->f;
    const char *name = strs_text(f->g->strs, x->name);
    int k = atoi(name + 1);

    if (name[0] == 'X')
        return read_tensor(w, p, f->out->root[graph_in(f->g, node, k)], x);
    if (name[0] == 'T')
        return stored_tensor(w, p, node, -1, x);
    return stored_tensor(w, p, node, has_several(&f->g->node.a[node]) ? w->out.a[w->outs[node] + k] : node, x);
}

static enum calque_status add_operator(struct whole *w, int node, struct diag *d)
{
    const struct graph *g = w->f->g;
    struct kernel x;
    enum calque_status st = op_kernel(g, node, &x, d);
    int *map;

    if (st == CALQUE_OK)
        st = kernel_choose(&x, &w->f->o->numbers, d);
    map = mem_resize(g->mem, NULL, (size_t)x.tensor.n, sizeof *map);

    if (st == CALQUE_OK && !map)
        st = diag_nomem(d);
    if (st == CALQUE_OK) {
        struct program *p = &w->p[x.type];
        int from = p->k.ex.n;
        for (int t = 0; t < x.tensor.n && st == CALQUE_OK; t++)
            if ((map[t] = formal(w, p, node, &x.tensor.a[t])) < 0)
                st = diag_nomem(d);
        if (st == CALQUE_OK)
            st = kernel_append(&p->k, &x, map, d);
        for (int i = from; i < p->k.ex.n && st == CALQUE_OK; i++)
            if (p->k.ex.a[i].kind == EX_LOAD)
                p->cell.a[p->k.ex.a[i].op].loader = node;
        w->type[node] = (int)x.type;
    }
    mem_free(map);
    kernel_free(&x);
    return st;
}

static enum calque_status find_programs(struct whole *w, struct diag *d)
{
    const struct graph *g = w->f->g;
    const int *root = w->f->out->root;
    enum calque_status st = find_projections(w) ? CALQUE_OK : diag_nomem(d);

    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++)
        if (fuse_runs(w->f, i) && g->node.a[i].kind == NODE_OP && root[i] == i)
            st = add_operator(w, i, d);
    for (int i = 0; i < g->output.n && st == CALQUE_OK; i++)
        keep_root(w, root[g->output.a[i].node]);
    return st;
}

static void find_stored(struct program *p)
{
    for (int t = 0; t < p->cell.n; t++)
        p->cell.a[t].stored = false;
    for (int i = 0; i < p->k.stmt.n; i++)
        p->cell.a[p->k.stmt.a[i].out].stored = true;
}

/* What operator i was made of goes before what `to` was made of. */
static bool join_notes(struct whole *w, int i, int to)
{
    if (!vec_room(w->f->g->mem, &w->pair, 1))
        return false;
    w->pair.a[w->pair.n] = (struct note_pair){ w->note[i], w->note[to], -1 };
    w->note[to] = w->f->g->node.n + w->pair.n++;
    return true;
}

/* An operator with several outputs may have no name of its own: it is called as the first of them that is read. */
static void put_note(struct whole *w, int node)
{
    const struct graph *g = w->f->g;
    char number[16];
    const char *label = g->node.a[node].label >= 0 ? strs_text(g->strs, g->node.a[node].label) : "";
    int first = -1;

    snprintf(number, sizeof number, "%d", node);
    label = label[0] ? label : graph_name(g, node);
    for (int i = node + 1; !label[0] && has_several(&g->node.a[node]) && i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node &&
            (first < 0 || g->node.a[i].index < g->node.a[first].index))
            first = i;
    label = first >= 0 ? graph_name(g, first) : label;
    text_printf(&w->f->out->notes, "%s %s", op_info(g->node.a[node].op)->name, label[0] ? label : number);
}

/* What the group of the node was made of, at the end of the notes; what was made of several, once. */
static bool put_notes(struct whole *w, int node)
{
    struct text *t = &w->f->out->notes;
    int n = w->f->g->node.n, at = t->n;
    bool ok = ints_push(w->f->g->mem, &w->work, w->note[node]);

    while (ok && w->work.n > 0) {
        int k = w->work.a[--w->work.n];
        struct note_pair *x = k < n ? NULL : &w->pair.a[k - n];
        if (!x) {
            text_puts(t, t->n > at ? ", " : "");
            put_note(w, k);
            ok = ints_push(w->f->g->mem, &w->f->out->made, k);
        } else if (x->put != node) {
            x->put = node;
            ok = ints_push(w->f->g->mem, &w->work, x->second) && ints_push(w->f->g->mem, &w->work, x->first);
        }
    }
    text_put(t, "", 1);
    return ok;
}

/* Inlines in one program and notes which operators' results are in which others' loops now. */
static enum calque_status inline_program(struct whole *w, struct program *p, struct diag *d)
{
    bool *was = mem_zero(w->f->g->mem, (size_t)p->cell.n, sizeof *was);
    enum calque_status st = was ? CALQUE_OK : diag_nomem(d);

    find_stored(p);
    for (int t = 0; t < p->cell.n && st == CALQUE_OK; t++)
        was[t] = p->cell.a[t].stored;
    if (st == CALQUE_OK)
        st = fuse_kernel(&p->k, w->f->o, &(int){0}, d);
    find_stored(p);
    for (int t = 0; t < p->cell.n && st == CALQUE_OK; t++) {
        const struct cell *c = &p->cell.a[t];
        if (was[t] && !c->stored && c->root >= 0 && c->loader >= 0 && c->loader != c->owner) {
            if (!join_notes(w, c->owner, c->loader))
                st = diag_nomem(d);
            w->f->out->fused++;
        }
    }
    mem_free(was);
    return st;
}

/* The operator's statements, which are the next ones of its program, as a group; none when they are all elsewhere. Its
   tensors' values are those of the program for now. */
static enum calque_status cut(struct whole *w, int node, struct diag *d)
{
    struct groups *gs = w->f->out;
    struct program *p = &w->p[w->type[node]];
    struct ints from = {0};
    struct group x;
    enum calque_status st;
    int n = 0;

    while (p->at + n < p->k.stmt.n && p->cell.a[p->k.stmt.a[p->at + n].out].owner == node)
        n++;
    if (n == 0)
        return CALQUE_OK;
    st = kernel_part(&p->k, p->at, n, &x.k, &from, d);
    p->at += n;
    x.value = from.a;
    x.nodes = gs->notes.n;
    x.made = gs->made.n;
    if (st == CALQUE_OK && !put_notes(w, node))
        st = diag_nomem(d);
    x.nmade = gs->made.n - x.made;
    if (st == CALQUE_OK)
        st = text_status(&gs->notes, d);
    if (st == CALQUE_OK && !vec_room(gs->mem, &gs->group, 1))
        st = diag_nomem(d);
    if (st != CALQUE_OK) {
        kernel_free(&x.k);
        ints_free(&from);
        return st;
    }
    gs->group.a[gs->group.n++] = x;
    return CALQUE_OK;
}

/* Of each tensor of the kernel: a statement stores it. To be freed; NULL when memory is out. */
static bool *find_stores(const struct kernel *k)
{
    bool *stores = mem_zero(k->mem, (size_t)k->tensor.n + 1, sizeof *stores);

    for (int i = 0; stores && i < k->stmt.n; i++)
        stores[k->stmt.a[i].out] = true;
    return stores;
}

/* Roles, names and values of a group's tensors. Names go by role and place, so that equal kernels have equal texts. */
static bool finish(struct group *x, const struct program *p)
{
    bool *stores = find_stores(&x->k), ok = stores != NULL;
    int count[3] = {0};

    for (int t = 0; ok && t < x->k.tensor.n; t++) {
        struct kernel_tensor *y = &x->k.tensor.a[t];
        const struct cell *c = &p->cell.a[x->value[t]];
        char name[16];
        if (!stores[t])
            y->role = KERNEL_IN;
        else if (c->shared)
            y->role = KERNEL_OUT;
        snprintf(name, sizeof name, "%c%d", "XYT"[y->role], count[y->role]++);
        y->name = strs_addz(x->k.strs, name);
        ok = y->name >= 0;
        x->value[t] = c->root >= 0 ? c->root : c->shared ? p->base + x->value[t] : -1;
    }
    mem_free(stores);
    return ok;
}

static enum calque_status cut_all(struct whole *w, struct diag *d)
{
    struct groups *gs = w->f->out;
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < w->f->g->node.n && st == CALQUE_OK; i++)
        if (w->type[i] >= 0)
            st = cut(w, i, d);
    for (int i = 0; i < gs->group.n && st == CALQUE_OK; i++) {
        const struct group *x = &gs->group.a[i];
        bool *stores = find_stores(&x->k);
        for (int t = 0; stores && t < x->k.tensor.n; t++)
            if (!stores[t])
                w->p[x->k.type].cell.a[x->value[t]].shared = true;
        st = stores ? CALQUE_OK : diag_nomem(d);
        mem_free(stores);
    }
    gs->values = w->f->g->node.n;
    for (int k = 0; k < TYPES; k++) {
        w->p[k].base = gs->values;
        gs->values += w->p[k].cell.n;
    }
    for (int i = 0; i < gs->group.n && st == CALQUE_OK; i++)
        if (!finish(&gs->group.a[i], &w->p[gs->group.a[i].k.type]))
            st = diag_nomem(d);
    return st;
}

static enum calque_status group(struct whole *w, struct diag *d)
{
    enum calque_status st = find_programs(w, d);

    for (int i = 0; i < w->f->g->node.n && st == CALQUE_OK; i++)
        if (w->type[i] >= 0)
            w->note[i] = i;
    for (int k = 0; k < TYPES && st == CALQUE_OK; k++)
        st = inline_program(w, &w->p[k], d);
    return st == CALQUE_OK ? cut_all(w, d) : st;
}

/* The groups: the kernels of the operators that run as one program, its temporaries inlined, cut again by operators. */
static enum calque_status fuse_group(struct fuse *f, struct diag *d)
{
    const struct graph *g = f->g;
    size_t n = (size_t)g->node.n;
    struct whole w = { .f = f };
    enum calque_status st;

    for (int k = 0; k < TYPES; k++) {
        kernel_init(&w.p[k].k, g->mem, g->strs, (enum kernel_type)k);
        w.p[k].k.math = f->o->numbers.math;
    }
    w.first[0] = mem_resize(g->mem, NULL, TYPES * n, sizeof *w.first[0]);
    for (int k = 1; k < TYPES && w.first[0]; k++)
        w.first[k] = w.first[0] + (size_t)k * n;
    w.type = mem_resize(g->mem, NULL, n, sizeof *w.type);
    w.note = mem_resize(g->mem, NULL, n, sizeof *w.note);
    w.outs = mem_resize(g->mem, NULL, n, sizeof *w.outs);
    for (size_t i = 0; i < n && w.first[0] && w.type && w.note; i++)
        w.first[0][i] = w.first[1][i] = w.first[2][i] = w.first[3][i] = w.type[i] = w.note[i] = -1;
    st = w.first[0] && w.type && w.note && w.outs ? group(&w, d) : diag_nomem(d);
    for (int k = 0; k < TYPES; k++) {
        kernel_free(&w.p[k].k);
        mem_free(w.p[k].cell.a);
    }
    mem_free(w.first[0]);
    mem_free(w.type);
    mem_free(w.note);
    mem_free(w.outs);
    mem_free(w.pair.a);
    ints_free(&w.out);
    ints_free(&w.work);
    return st;
}

enum calque_status fuse_graph(const struct graph *g, const struct emit_options *o, struct groups *out, struct diag *d)
{
    struct fuse f = { .g = g, .o = o, .out = out };
    size_t n = (size_t)g->node.n;
    enum calque_status st = CALQUE_OK;

    memset(out, 0, sizeof *out);
    out->mem = g->mem;
    out->nodes = g->node.n;
    text_init(&out->notes, g->mem);
    out->root = mem_zero(g->mem, n, sizeof *out->root);
    out->into = mem_resize(g->mem, NULL, n, sizeof *out->into);
    for (size_t i = 0; out->into && i < n; i++)
        out->into[i] = -1;
    out->needed = mem_zero(g->mem, n, sizeof *out->needed);
    out->constant = mem_zero(g->mem, n, sizeof *out->constant);
    out->value = mem_zero(g->mem, n, sizeof *out->value);
    f.fold = mem_zero(g->mem, n, sizeof *f.fold);
    f.veto = mem_zero(g->mem, n, sizeof *f.veto);
    if (!out->root || !out->into || !out->needed || !out->constant || !out->value || !f.fold || !f.veto)
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = find_constants(&f, d);
    if (st == CALQUE_OK) {
        st = find_roots(&f) ? fuse_group(&f, d) : diag_nomem(d);
    }
    mem_free(f.fold);
    mem_free(f.veto);
    return st;
}

void groups_free(struct groups *gs, const struct graph *g)
{
    for (int i = 0; i < gs->group.n; i++) {
        kernel_free(&gs->group.a[i].k);
        mem_free(gs->group.a[i].value);
    }
    for (int i = 0; gs->value && i < g->node.n; i++)
        tensor_free(&gs->value[i]);
    mem_free(gs->group.a);
    text_free(&gs->notes);
    ints_free(&gs->made);
    mem_free(gs->root);
    mem_free(gs->into);
    mem_free(gs->needed);
    mem_free(gs->constant);
    mem_free(gs->value);
}
