/* Values that are ranges of others. What only reads consecutive cells of another value in order (a Slice or Split along the first dimension
   that has several places) needs no code and no memory; what a Concat puts one behind the other is stored there. Invariant: equal normal
   forms of indices are equal numbers wherever the variables are in their ranges, so the range holds, bit for bit, what the copy would. */
#include "emit/module.h"
#include "kernel/affine.h"
#include "tensor/op.h"

/* The number of a cell, in row-major order, as a form: of the statement's own variables (ix NULL) or of n index expressions. */
static int cell_number(struct aff *a, const struct kernel_tensor *x, const int *ix, int n)
{
    int at = aff_const(a, 0);

    for (int i = 0; i < n; i++) {
        int scaled = aff_add(a, aff_const(a, 0), at, x->dim[i]);
        at = aff_add(a, scaled, ix ? aff_of(a, ix[i]) : aff_var(a, i), 1);
    }
    return at;
}

/* A statement that copies tensor `from` from cell number `first` on to tensor `to`. */
struct part {
    int from, to;
    long first;
};

/* The statement as a part; CALQUE_NO: it is none. */
static enum calque_status part_of(const struct kernel *k, const struct kernel_stmt *s, struct part *out)
{
    const struct ex *e = &k->ex.a[s->body];
    const struct kernel_tensor *y = &k->tensor.a[s->out];
    enum calque_status st = CALQUE_NO;
    struct aff a;
    int differ;

    if (s->look > 0 || e->kind != EX_LOAD || e->op == s->out || kernel_stored(k, e->op) != kernel_stored(k, s->out))
        return CALQUE_NO;
    aff_init(&a, k->mem, k, s);
    differ = aff_add(&a, cell_number(&a, &k->tensor.a[e->op], k->pool.a + e->first, e->n), cell_number(&a, y, NULL, y->rank), -1);
    if (differ >= 0 && a.form.a[differ].n == 0) {
        *out = (struct part){ e->op, s->out, a.form.a[differ].k };
        st = CALQUE_OK;
    } else if (a.status == CALQUE_NOMEM) {
        st = CALQUE_NOMEM;
    }
    aff_free(&a);
    return st;
}

/* Are all the kernel's statements parts (out: one for each)? CALQUE_OK, CALQUE_NO, CALQUE_NOMEM. */
static enum calque_status part_find(const struct kernel *k, struct part *out)
{
    enum calque_status st = k->stmt.n > 0 ? CALQUE_OK : CALQUE_NO;

    for (int i = 0; i < k->stmt.n && st == CALQUE_OK; i++)
        st = part_of(k, &k->stmt.a[i], &out[i]);
    return st;
}

/* The node of a group that is one Concat and nothing else, whose inputs are ranges of its result in their order; else -1. */
static int part_concat(const struct graph *g, const struct groups *gs, const struct group *x)
{
    int node = x->nmade == 1 ? gs->made.a[x->made] : -1, axis = 0;
    const struct node *n = node < 0 ? NULL : &g->node.a[node];
    long before = 1;

    if (!n || n->kind != NODE_OP || n->op != OP_Concat || x->k.stmt.n != 1 || x->value[x->k.stmt.a[0].out] != node)
        return -1;
    while (axis < n->shape.rank && g->node.a[graph_in(g, node, 0)].shape.dim[axis] == n->shape.dim[axis])
        before *= n->shape.dim[axis++];
    return before == 1 && shape_elems(&n->shape) > 0 ? node : -1;
}

int module_part(struct module *u, int slot, size_t offset, size_t bytes)
{
    const struct slot *s = &u->slot.a[slot];

    if (s->kind == SLOT_PART)
        return module_part(u, s->index, s->offset + offset, bytes); /* once: that one is none */
    return module_slot(u, (struct slot){ .kind = SLOT_PART, .index = slot, .bytes = bytes, .offset = offset });
}

int module_whole(const struct module *u, int slot)
{
    return u->slot.a[slot].kind == SLOT_PART ? u->slot.a[slot].index : slot;
}

/* ---- of a model ---- */

/* The group's values are where they are parts of others: nothing is called. CALQUE_NO: they are not, or an output of the model
   is one of them. */
static enum calque_status bind_parts(struct build *b, const struct group *x, struct diag *d)
{
    struct part *p = mem_resize(b->u->mem, NULL, (size_t)x->k.stmt.n, sizeof *p);
    enum calque_status st = p ? part_find(&x->k, p) : CALQUE_NOMEM;

    for (int i = 0; i < x->k.stmt.n && st == CALQUE_OK; i++) {
        int from = x->value[p[i].from], to = x->value[p[i].to];
        if (from < 0 || to < 0 || from >= b->g->node.n || to >= b->g->node.n || b->slot[to] >= 0)
            st = CALQUE_NO;
    }
    for (int i = 0; i < x->k.stmt.n && st == CALQUE_OK; i++) {
        const struct kernel *k = &x->k;
        int to = x->value[p[i].to], slot = build_tensor(b, x, p[i].from);
        if (slot >= 0)
            b->slot[to] = module_part(b->u, slot, (size_t)p[i].first * elem_size(kernel_stored(k, p[i].to)), kernel_bytes(k, p[i].to));
        b->part[to] = x->value[p[i].from];
        st = b->slot[to] < 0 ? CALQUE_NOMEM : CALQUE_OK;
    }
    for (int i = 0; i < x->nmade && st == CALQUE_OK; i++)
        b->part[b->gs.made.a[x->made + i]] = x->value[p[0].from];
    mem_free(p);
    return st == CALQUE_NOMEM ? diag_nomem(d) : st;
}

static size_t value_bytes(const struct graph *g, int node)
{
    return (size_t)shape_elems(&g->node.a[node].shape) * elem_size(dtype_elem(g->node.a[node].dtype));
}

/* Can the value, input k of the Concat, be stored where that has it? Only what is computed, has no other place yet, and is no input before. */
static bool can_place(const struct build *b, int node, int k)
{
    int v = b->gs.root[graph_in(b->g, node, k)];

    for (int j = 0; j < k; j++)
        if (b->gs.root[graph_in(b->g, node, j)] == v)
            return false;
    return b->slot[v] < 0 && !build_constant(b, v);
}

/* Is it a Concat of ranges, of which half or more can be stored in its result's memory, and the rest be copied there? Then the node. */
static int placed_concat(const struct build *b, const struct group *x)
{
    const struct graph *g = b->g;
    int node = part_concat(g, &b->gs, x);
    long all = 0, placed = 0;

    for (int k = 0; node >= 0 && k < g->node.a[node].nin; k++) {
        int v = b->gs.root[graph_in(g, node, k)];
        long n = shape_elems(&g->node.a[v].shape);
        if (build_constant(b, v))
            return -1;
        all += n;
        placed += can_place(b, node, k) ? n : 0;
    }
    return 2 * placed >= all ? node : -1;
}

/* ---- which Concats: no more memory is to be needed at once ---- */

/* The groups during which a value is to be in the arena; its bytes, 0 of one that is elsewhere. */
struct life {
    int def, last;
    size_t bytes;
};

struct lives {
    struct life *of;  /* value */
    size_t *alive;    /* group -> bytes of all */
    int groups;
};

static void live(struct lives *l, const struct life *x, bool on)
{
    for (int i = x->def; i <= x->last; i++)
        l->alive[i] = on ? l->alive[i] + x->bytes : l->alive[i] - x->bytes;
}

static size_t most(const struct lives *l)
{
    size_t n = 0;

    for (int i = 0; i < l->groups; i++)
        n = l->alive[i] > n ? l->alive[i] : n;
    return n;
}

static void find_lives(struct lives *l, const struct build *b)
{
    for (int i = 0; i < l->groups; i++) {
        const struct group *x = &b->gs.group.a[i];
        for (int t = 0; t < x->k.tensor.n; t++) {
            int v = x->value[t];
            if (v < 0 || b->slot[v] >= 0 || build_constant(b, v))
                continue;
            if (l->of[v].bytes == 0)
                l->of[v] = (struct life){ i, i, kernel_bytes(&x->k, t) };
            l->of[v].last = i;
        }
    }
    for (int v = 0; v < b->gs.values; v++)
        live(l, &l->of[v], true);
}

/* The life of the Concat's result with the inputs in it that can be stored there, which then have none of their own (on: they do again). */
static struct life joined(struct lives *l, const struct build *b, int node, bool on)
{
    struct life y = l->of[node];

    for (int k = 0; k < b->g->node.a[node].nin; k++) {
        int v = b->gs.root[graph_in(b->g, node, k)];
        struct life *x = &l->of[v];
        if (x->bytes == 0 || !can_place(b, node, k))
            continue;
        y.def = x->def < y.def ? x->def : y.def;
        y.last = x->last > y.last ? x->last : y.last;
        live(l, x, on);
    }
    return y;
}

/* Is no more memory needed at once with the inputs in the Concat's? Then that is noted. */
static bool fits(struct lives *l, const struct build *b, int node)
{
    size_t before = most(l), after;
    struct life y;

    live(l, &l->of[node], false);
    y = joined(l, b, node, false);
    live(l, &y, true);
    after = most(l);
    if (after > before) {
        live(l, &y, false);
        joined(l, b, node, true);
        live(l, &l->of[node], true);
        return false;
    }
    l->of[node] = y;
    for (int k = 0; k < b->g->node.a[node].nin; k++)
        if (can_place(b, node, k))
            l->of[b->gs.root[graph_in(b->g, node, k)]].bytes = 0;
    return true;
}

/* The ranges of a Concat's inputs in its result, of so many bytes, one behind the other: they lie in it and apart (plan_check.c). Of
   the caller; NULL: memory is out, or they do not (*apart false). */
static struct plan_item *ranges_of(const struct build *b, int node, size_t bytes, bool *apart)
{
    const struct graph *g = b->g;
    int n = g->node.a[node].nin;
    struct plan_item *x = mem_zero(b->u->mem, (size_t)n, sizeof *x);
    size_t at = 0;

    for (int k = 0; x && k < n; k++) {
        x[k] = (struct plan_item){ value_bytes(g, b->gs.root[graph_in(g, node, k)]), 0, 0, at };
        at += x[k].bytes;
    }
    *apart = !x || plan_holds(x, n, bytes, NULL, 0);
    if (*apart)
        return x;
    mem_free(x);
    return NULL;
}

/* Gives the inputs that can have one a place in the memory of the Concat that is group x. */
static enum calque_status place_inputs(struct build *b, const struct group *x, int node, struct diag *d)
{
    const struct graph *g = b->g;
    size_t bytes = kernel_bytes(&x->k, x->k.stmt.a[0].out);
    bool apart, ok = true;
    struct plan_item *at = ranges_of(b, node, bytes, &apart);

    if (!apart)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: the inputs of a Concat overlap");
    if (at && b->slot[node] < 0)
        b->slot[node] = build_arena(b, bytes);
    ok = at && b->slot[node] >= 0;
    for (int k = 0; k < g->node.a[node].nin && ok; k++) {
        int v = b->gs.root[graph_in(g, node, k)];
        if (can_place(b, node, k)) {
            b->gs.into[v] = node;
            b->slot[v] = module_part(b->u, b->slot[node], at[k].offset, at[k].bytes);
        }
        ok = b->slot[v] >= 0;
    }
    mem_free(at);
    b->whole[node] = true;
    return ok ? CALQUE_OK : diag_nomem(d);
}

/* Later Concats first, so that one of Concats is one, too. */
enum calque_status place_concats(struct build *b, struct diag *d)
{
    struct lives l = { .groups = b->gs.group.n };
    enum calque_status st;

    l.of = mem_zero(b->u->mem, (size_t)b->gs.values, sizeof *l.of);
    l.alive = mem_zero(b->u->mem, (size_t)l.groups, sizeof *l.alive);
    st = l.of && l.alive ? CALQUE_OK : diag_nomem(d);
    if (st == CALQUE_OK)
        find_lives(&l, b);
    for (int i = l.groups - 1; i >= 0 && st == CALQUE_OK; i--) {
        const struct group *x = &b->gs.group.a[i];
        int node = placed_concat(b, x);
        if (node >= 0 && fits(&l, b, node))
            st = place_inputs(b, x, node, d);
    }
    mem_free(l.of);
    mem_free(l.alive);
    return st;
}

/* What a Concat of ranges has not in its memory is copied there. */
static enum calque_status copy_rest(struct build *b, const struct group *x, int node, struct diag *d)
{
    const struct graph *g = b->g;
    size_t at = 0;

    for (int k = 0; k < g->node.a[node].nin; k++) {
        int v = b->gs.root[graph_in(g, node, k)], to;
        size_t bytes = value_bytes(g, v);
        bool there = b->gs.into[v] == node;
        for (int j = 0; j < k && there; j++)
            there = b->gs.root[graph_in(g, node, j)] != v;
        to = there || bytes == 0 ? 0 : module_part(b->u, b->slot[node], at, bytes);
        if (to < 0 || (!there && bytes > 0 && !module_copy(b->u, to, b->slot[v], b->gs.notes.a + x->nodes)))
            return diag_nomem(d);
        at += bytes;
    }
    return CALQUE_OK;
}

enum calque_status place_group(struct build *b, const struct group *x, struct diag *d)
{
    if (x->nmade == 1 && b->whole[b->gs.made.a[x->made]])
        return copy_rest(b, x, b->gs.made.a[x->made], d);
    return bind_parts(b, x, d);
}
