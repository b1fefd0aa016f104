/* A model as programs of the kernel language, one for each element type, and these cut into groups again. What is computed
   in another operator's loop is what kernel_inline_all takes there: soundness is I1 to I5 (kernel/inline.h), the policy is
   find_policy below. A value that is an output, or is read in another shape than it has, is an output of its program; all
   others are temporaries. */
#include "emit/fuse.h"
#include "kernel/inline.h"
#include "tensor/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int *map = mem_resize(g->mem, NULL, (size_t)x.tensor.n, sizeof *map);

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

static void put_note(struct whole *w, int node)
{
    const struct graph *g = w->f->g;
    char number[16];
    const char *label = g->node.a[node].label >= 0 ? strs_text(g->strs, g->node.a[node].label) : "";

    snprintf(number, sizeof number, "%d", node);
    label = label[0] ? label : graph_name(g, node);
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
    if (st == CALQUE_OK && !put_notes(w, node))
        st = diag_nomem(d);
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

enum calque_status fuse_group(struct fuse *f, struct diag *d)
{
    const struct graph *g = f->g;
    size_t n = (size_t)g->node.n;
    struct whole w = { .f = f };
    enum calque_status st;

    for (int k = 0; k < TYPES; k++)
        kernel_init(&w.p[k].k, g->mem, g->strs, (enum kernel_type)k);
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
