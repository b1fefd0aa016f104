/* Models and kernels to modules, and modules to files. */
#include "emit/emit.h"
#include "base/file.h"
#include "emit/module.h"
#include "tensor/op.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of an emitted directory, without endings, and targets of its Makefile: NAME is a stem of files and a program. Small
   and capital letters are the same on some file systems. */
static const char *const reserved[] = { "main", "check", "weights", "vectors", "Makefile", "GNUmakefile", "calque",
                                        "calque_acsl", "all", "run", "clean", "wp", "why3" };

enum calque_status module_check_name(const struct emit_options *o, struct diag *d)
{
    const char *s = o->name ? o->name : "model";
    bool ok = isalpha((unsigned char)s[0]) && strlen(s) <= 60;

    for (const char *c = s; *c; c++)
        ok = ok && (isalnum((unsigned char)*c) || *c == '_');
    for (int i = 0; ok && i < (int)(sizeof reserved / sizeof *reserved); i++)
        if (strcasecmp(s, reserved[i]) == 0)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: the name '%s' is taken: a file or a target of the Makefile", s);
    if (ok && (print_is_reserved(s) || strncmp(s, "calque_", 7) == 0))
        return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: C has another use for the name '%s'", s);
    if (ok)
        return CALQUE_OK;
    return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: '%s' is no usable C name (letters, digits, _; at most 60)", s);
}

static enum calque_status add_port(struct module *u, const struct graph *g, int node, int name, bool input, struct diag *d)
{
    const struct node *x = &g->node.a[node];
    struct port p = { .name = name, .dtype = x->dtype, .shape = x->shape };
    long n = shape_elems(&x->shape);

    if (n < 0 || dtype_elem(x->dtype) == ELEM_OWN)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: %s '%s' has no static shape or is none of f32, f64, i32, i64, bool",
                        input ? "input" : "output", strs_text(g->strs, name));
    p.bytes = (size_t)n * dtype_size(x->dtype);
    if (input ? !vec_room(u->mem, &u->in, 1) : !vec_room(u->mem, &u->out, 1))
        return diag_nomem(d);
    if (input)
        u->in.a[u->in.n++] = p;
    else
        u->out.a[u->out.n++] = p;
    return CALQUE_OK;
}

static enum calque_status ports(struct build *b, struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < b->g->input.n && st == CALQUE_OK; i++)
        st = add_port(b->u, b->g, b->g->input.a[i], b->g->node.a[b->g->input.a[i]].name, true, d);
    for (int i = 0; i < b->g->output.n && st == CALQUE_OK; i++)
        st = add_port(b->u, b->g, b->g->output.a[i].node, b->g->output.a[i].name, false, d);
    return st;
}

const struct tensor *build_constant(const struct build *b, int value)
{
    if (value >= b->g->node.n)
        return NULL;
    return b->gs.constant[value] ? &b->gs.value[value] : graph_tensor(b->g, value);
}

static int weight_slot(struct build *b, int node)
{
    const struct tensor *t = build_constant(b, node);

    return b->slot[node] = module_weight(b->u, (struct piece){ .data = t->data, .bytes = t->bytes, .elem = dtype_elem(t->dtype),
                                                               .name = b->g->node.a[node].name });
}

/* Slots of inputs and of outputs; the rest is made by the groups. */
static enum calque_status fixed_slots(struct build *b, struct diag *d)
{
    const struct graph *g = b->g;
    const int *root = b->gs.root;

    for (int i = 0; i < g->input.n; i++) {
        b->slot[g->input.a[i]] = module_slot(b->u, (struct slot){ .kind = SLOT_INPUT, .index = i,
                                                                .bytes = b->u->in.a[i].bytes });
        if (b->slot[g->input.a[i]] < 0)
            return diag_nomem(d);
    }
    for (int i = 0; i < g->output.n; i++) {
        int r = root[g->output.a[i].node];
        if (b->slot[r] < 0 && build_constant(b, r) && weight_slot(b, r) < 0)
            return diag_nomem(d);
        if (b->slot[r] >= 0)
            continue;
        b->slot[r] = module_slot(b->u, (struct slot){ .kind = SLOT_OUTPUT, .index = i, .bytes = b->u->out.a[i].bytes });
        if (b->slot[r] < 0)
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

int build_arena(struct build *b, size_t bytes)
{
    return module_slot(b->u, (struct slot){ .kind = SLOT_ARENA, .bytes = bytes });
}

/* What is packed of tensor t, or NULL. */
static struct packed *packed_of(struct pack *p, int t)
{
    for (int i = 0; p && i < p->n; i++)
        if (p->a[i].tensor == t)
            return &p->a[i];
    return NULL;
}

/* A slot of the constant that the kernel reads as tensor t, narrowed from element type `wide`; takes packed data (NULL: it is not
   packed), unless they are narrowed. */
static int constant_slot(struct build *b, int value, const struct kernel *k, int t, int wide, struct packed *packed)
{
    bool narrow = kernel_stored(k, t) != wide;
    const void *data = packed ? packed->data : build_constant(b, value)->data;
    struct piece w = { .data = data, .bytes = kernel_bytes(k, t), .owned = narrow || packed, .elem = kernel_stored(k, t),
                       .name = b->g->node.a[value].name };
    int slot;

    if (narrow)
        w.data = elem_narrowed(b->u->mem, wide, data, (size_t)kernel_elems(k, t));
    slot = w.data ? module_weight(b->u, w) : -1;
    if (slot < 0 && narrow)
        mem_free((void *)w.data);
    else if (slot >= 0 && !narrow && packed)
        packed->data = NULL;
    return slot;
}

/* The slot of tensor t of the kernel, which is that of the group or its packed form; takes the packed data. */
static int tensor_slot(struct build *b, const struct group *x, const struct kernel *k, struct pack *p, int t, int wide)
{
    int v = t < x->k.tensor.n ? x->value[t] : -1;
    int *slot = v < 0 ? NULL : kernel_stored(k, t) == wide ? &b->slot[v] : &b->narrow[v];

    if (v < 0)
        return build_arena(b, kernel_bytes(k, t));
    if (packed_of(p, t))
        return constant_slot(b, v, k, t, wide, packed_of(p, t));
    if (*slot < 0)
        *slot = build_constant(b, v) ? constant_slot(b, v, k, t, wide, NULL) : build_arena(b, kernel_bytes(k, t));
    return *slot;
}

int build_tensor(struct build *b, const struct group *x, int t)
{
    return tensor_slot(b, x, &x->k, NULL, t, kernel_stored(&x->k, t));
}

/* What constant tensor t of the kernel is stored as (c/kernel/elem.c). */
static int constant_elem(const struct build *b, const struct group *x, const struct kernel *k, struct pack *p, int t)
{
    int v = t < x->k.tensor.n ? x->value[t] : -1, elem = kernel_stored(k, t);

    if (v < 0 || !build_constant(b, v) || b->u->o->acsl || b->u->o->plain || kernel_looks_up(k))
        return elem;
    return elem_narrow(elem, packed_of(p, t) ? packed_of(p, t)->data : build_constant(b, v)->data, (size_t)kernel_elems(k, t));
}

/* Calls the kernel, or what is packed of it, with its constants of small integers in bytes. */
static enum calque_status call_kernel(struct build *b, const struct group *x, const struct kernel *wide, struct pack *p,
                                      struct diag *d)
{
    int *arg = mem_resize(b->u->mem, NULL, (size_t)wide->tensor.n, sizeof *arg);
    struct kernel k;
    enum calque_status st = kernel_copy(wide, &k, d);

    if (st == CALQUE_OK && !arg)
        st = diag_nomem(d);
    for (int t = 0; t < wide->tensor.n && st == CALQUE_OK; t++) {
        k.tensor.a[t].elem = kernel_elem(wide, constant_elem(b, x, wide, p, t));
        if ((arg[t] = tensor_slot(b, x, &k, p, t, kernel_stored(wide, t))) < 0)
            st = diag_nomem(d);
    }
    if (st == CALQUE_OK)
        st = module_call(b->u, &k, arg, b->gs.notes.a + x->nodes, d);
    mem_free(arg);
    kernel_free(&k);
    return st;
}

/* What is known of the group's tensors, to be freed; NULL: memory is out. */
static const struct tensor **known_values(const struct build *b, const struct group *x)
{
    const struct tensor **value = mem_zero(b->u->mem, (size_t)x->k.tensor.n, sizeof *value);

    for (int t = 0; value && t < x->k.tensor.n; t++) {
        int v = x->value[t];
        if (v >= 0 && build_constant(b, v) && shape_elems(&build_constant(b, v)->shape) == kernel_elems(&x->k, t))
            value[t] = build_constant(b, v);
    }
    return value;
}

/* A copy of the group's kernel in a form that tiles better, in k (kernel_free by the caller); CALQUE_NO: there is none. */
static enum calque_status pack_group(const struct group *x, const struct pack_const *c, const double *beat, struct kernel *k,
                                     struct pack *p, struct diag *d)
{
    enum calque_status st = kernel_copy(&x->k, k, d);

    if (st == CALQUE_OK)
        st = pack_kernel(k, c, beat, p, d);
    return st;
}

/* Calls q, which was made from the group's kernel, if it is seen to compute it (pack_check.c); else that one. */
static enum calque_status call_packed(struct build *b, const struct group *x, const struct pack_const *c, struct kernel *q,
                                      struct pack *p, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    struct diag why;
    struct text *to = b->u->o->certificate ? &b->u->packed : b->u->o->packed;

    for (int i = 0; i < p->n && st == CALQUE_OK; i++)
        st = pack_data(b->u->mem, &q->tensor.a[p->a[i].tensor], &p->a[i], c->value[p->a[i].tensor]->data, &p->a[i].data, d);
    if (st == CALQUE_OK && b->u->o->change_packed)
        b->u->o->change_packed(q, p);
    if (st == CALQUE_OK && to)
        pack_print(to, b->u->o->certificate ? &b->u->words : NULL, b->gs.notes.a + x->nodes, &x->k, q, c, p);
    if (st == CALQUE_OK) {
        st = pack_check(&x->k, q, c, p, &why);
        if (st == CALQUE_OK)
            st = call_kernel(b, x, q, p, d);
        else if (st == CALQUE_NO)
            st = module_unpacked(b->u, b->gs.notes.a + x->nodes, why.text, d) == CALQUE_OK ? call_kernel(b, x, &x->k, NULL, d)
                                                                                            : diag_nomem(d);
        else
            st = diag_nomem(d);
    }
    for (int i = 0; i < p->n; i++)
        mem_free(p->a[i].data);
    return st;
}

/* Calls k, which is the group's kernel or packed from it (p), an operand in panels where that pays. */
static enum calque_status call_panels(struct build *b, const struct group *x, const struct pack_const *c, const struct kernel *k,
                                      const struct pack *p, struct diag *d)
{
    struct pack own = {.n = 0};
    struct kernel q;
    enum calque_status st = kernel_copy(k, &q, d);

    if (p)
        own = *p;
    if (st == CALQUE_OK)
        st = pack_panels(&q, c, x->k.tensor.n, &own, d);
    if (st == CALQUE_OK || st == CALQUE_NO)
        pack_rows_first(&q);
    if (st == CALQUE_OK || (st == CALQUE_NO && p))
        st = call_packed(b, x, c, &q, &own, d);
    else if (st == CALQUE_NO)
        st = call_kernel(b, x, &q, NULL, d);
    kernel_free(&q);
    return st;
}

static enum calque_status call_group(struct build *b, const struct group *x, struct diag *d)
{
    struct kernel k[2];
    struct pack p[2];
    struct pack_const c;
    double score;
    enum calque_status st, rounded;

    if (b->u->o->no_strategy || b->u->o->plain || b->u->o->acsl || kernel_looks_up(&x->k))
        return call_kernel(b, x, &x->k, NULL, d);
    st = place_group(b, x, d);
    if (st != CALQUE_NO)
        return st;
    c.value = known_values(b, x);
    if (!c.value)
        return diag_nomem(d);
    st = pack_group(x, &c, NULL, &k[0], &p[0], d);
    if (st != CALQUE_OK && st != CALQUE_NO) {
        kernel_free(&k[0]);
        mem_free((void *)c.value);
        return st;
    }
    score = st == CALQUE_OK ? p[0].score : lower_tile_score(&x->k, x->k.stmt.n - 1);
    rounded = pack_group(x, &c, &score, &k[1], &p[1], d);
    if (rounded == CALQUE_OK)
        st = call_panels(b, x, &c, &k[1], &p[1], d);
    else if (rounded != CALQUE_NO)
        st = rounded;
    else if (st == CALQUE_OK)
        st = call_panels(b, x, &c, &k[0], &p[0], d);
    else
        st = call_panels(b, x, &c, &x->k, NULL, d);
    kernel_free(&k[0]);
    kernel_free(&k[1]);
    mem_free((void *)c.value);
    return st;
}

/* Outputs that are an input, a constant or another output are copied at the end. */
static enum calque_status copy_outputs(struct build *b, struct diag *d)
{
    for (int i = 0; i < b->g->output.n; i++) {
        int from = b->slot[b->gs.root[b->g->output.a[i].node]], to;
        const struct slot *s = &b->u->slot.a[from];
        if (s->kind == SLOT_OUTPUT && s->index == i)
            continue;
        to = module_slot(b->u, (struct slot){ .kind = SLOT_OUTPUT, .index = i, .bytes = b->u->out.a[i].bytes });
        if (to < 0 || !module_copy(b->u, to, from, strs_text(b->g->strs, b->g->output.a[i].name)))
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

static enum calque_status find_groups(struct build *b, struct diag *d)
{
    enum calque_status st = fuse_graph(b->g, b->u->o, &b->gs, d);

    if (st != CALQUE_OK)
        return st;
    b->slot = mem_resize(b->u->mem, NULL, (size_t)b->gs.values, sizeof *b->slot);
    b->narrow = mem_resize(b->u->mem, NULL, (size_t)b->gs.values, sizeof *b->narrow);
    b->part = mem_resize(b->u->mem, NULL, (size_t)b->gs.values, sizeof *b->part);
    b->whole = mem_zero(b->u->mem, (size_t)b->gs.values, sizeof *b->whole);
    for (int i = 0; b->slot && b->narrow && b->part && i < b->gs.values; i++)
        b->slot[i] = b->narrow[i] = b->part[i] = -1;
    b->u->fused = b->gs.fused;
    return b->slot && b->narrow && b->part && b->whole ? CALQUE_OK : diag_nomem(d);
}

static enum calque_status build(struct build *b, struct diag *d)
{
    enum calque_status st = ports(b, d);

    if (st == CALQUE_OK)
        st = find_groups(b, d);
    if (st == CALQUE_OK)
        st = fixed_slots(b, d);
    if (st == CALQUE_OK && !b->u->o->no_strategy && !b->u->o->plain && !b->u->o->acsl)
        st = place_concats(b, d);
    for (int i = 0; i < b->gs.group.n && st == CALQUE_OK; i++) {
        int from = b->u->step.n;
        st = call_group(b, &b->gs.group.a[i], d);
        for (int k = from; k < b->u->step.n; k++)
            b->u->step.a[k].group = i;
    }
    if (st == CALQUE_OK)
        st = copy_outputs(b, d);
    for (int i = 0; i < b->g->node.n && st == CALQUE_OK; i++) /* whose memory holds a value: the trace says */
        if (b->part[b->gs.root[i]] >= 0)
            b->gs.root[i] = b->gs.root[b->part[b->gs.root[i]]];
    return st == CALQUE_OK ? module_plan(b->u, d) : st;
}

enum calque_status emit_model(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct module u;
    struct build b = { .g = g, .u = &u };
    enum calque_status st = module_check_name(o, d);

    memset(out, 0, sizeof *out);
    out->mem = g->mem;
    if (st == CALQUE_OK && o->acsl && o->numbers.fma)
        st = diag_set(d, CALQUE_BAD, "", 0, 0, "exact(a, b) has no contract: fused sums not with --acsl");
    if (st != CALQUE_OK)
        return st;
    module_init(&u, g->mem, g->strs, o);
    st = build(&b, d);
    if (st == CALQUE_OK)
        st = vectors_graph(g, o, out, d);
    if (st == CALQUE_OK)
        st = module_files(&u, out, d);
    if (st == CALQUE_OK && o->trace)
        st = emit_trace(g, &b.gs, &u, b.slot, out, d);
    groups_free(&b.gs, g);
    mem_free(b.slot);
    mem_free(b.narrow);
    mem_free(b.part);
    mem_free(b.whole);
    module_free(&u);
    if (st != CALQUE_OK)
        emit_files_free(out);
    return st;
}

static enum calque_status kernel_unit(struct module *u, const struct kernel *k, int *arg, struct diag *d)
{
    for (int t = 0; t < k->tensor.n; t++) {
        const struct kernel_tensor *x = &k->tensor.a[t];
        struct port p = { .name = x->name, .dtype = elem_dtype(kernel_stored(k, t)), .shape.rank = x->rank };
        struct slot s = { .kind = x->role == KERNEL_IN ? SLOT_INPUT : x->role == KERNEL_OUT ? SLOT_OUTPUT : SLOT_ARENA };
        p.bytes = s.bytes = kernel_bytes(k, t);
        memcpy(p.shape.dim, x->dim, sizeof p.shape.dim);
        if (!vec_room(u->mem, &u->in, 1) || !vec_room(u->mem, &u->out, 1))
            return diag_nomem(d);
        s.index = x->role == KERNEL_IN ? u->in.n : u->out.n;
        if (x->role == KERNEL_IN)
            u->in.a[u->in.n++] = p;
        else if (x->role == KERNEL_OUT)
            u->out.a[u->out.n++] = p;
        arg[t] = module_slot(u, s);
        if (arg[t] < 0)
            return diag_nomem(d);
    }
    return module_call(u, k, arg, "the kernel", d);
}

/* Contracts have no products that are not rounded. */
static enum calque_status no_contract(const struct kernel *k, struct diag *d)
{
    for (int i = 0; i < k->stmt.n; i++)
        if (kernel_is_fused(k, k->stmt.a[i].body))
            return diag_set(d, CALQUE_BAD, "", k->stmt.a[i].line, k->stmt.a[i].col, "exact(a, b) has no contract: not with --acsl");
    return CALQUE_OK;
}

enum calque_status emit_kernel(const struct kernel *k, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct module u;
    struct kernel own;
    enum calque_status st = module_check_name(o, d);
    int *arg;

    memset(out, 0, sizeof *out);
    out->mem = k->mem;
    if (st == CALQUE_OK && o->acsl)
        st = no_contract(k, d);
    if (st != CALQUE_OK)
        return st;
    module_init(&u, k->mem, k->strs, o);
    arg = mem_resize(k->mem, NULL, (size_t)k->tensor.n, sizeof *arg);
    st = kernel_copy(k, &own, d);
    if (st == CALQUE_OK && !o->acsl) /* its contract is of the statements as they are */
        st = fuse_kernel(&own, o, &u.fused, d);
    if (st == CALQUE_OK)
        st = arg ? kernel_unit(&u, &own, arg, d) : diag_nomem(d);
    if (st == CALQUE_OK)
        st = module_plan(&u, d);
    if (st == CALQUE_OK)
        st = vectors_kernel(k, o, out, d);
    if (st == CALQUE_OK)
        st = module_files(&u, out, d);
    mem_free(arg);
    kernel_free(&own);
    module_free(&u);
    if (st != CALQUE_OK)
        emit_files_free(out);
    return st;
}

void emit_files_free(struct emit_files *f)
{
    for (int i = 0; i < f->file.n; i++)
        mem_free(f->file.a[i].data);
    mem_free(f->file.a);
    mem_free(f->loop.a);
    mem_free(f->fallback.a);
    mem_free(f->port.a);
    mem_free(f->budget);
    mem_free(f->trace.call.a);
    mem_free(f->trace.code.a);
    mem_free(f->trace.other.a);
    mem_free(f->trace.buffer.a);
    mem_free(f->trace.value);
    ints_free(&f->trace.node);
    memset(&f->trace, 0, sizeof f->trace);
    text_free(&f->notes);
    memset(&f->file, 0, sizeof f->file);
    memset(&f->loop, 0, sizeof f->loop);
    memset(&f->fallback, 0, sizeof f->fallback);
    memset(&f->port, 0, sizeof f->port);
    f->budget = NULL;
}

enum calque_status module_file(struct emit_files *out, const char *stem, const char *end, struct text *t, struct diag *d)
{
    struct emit_file f;
    enum calque_status st = text_status(t, d);

    if (st == CALQUE_OK && !vec_room(out->mem, &out->file, 1))
        st = diag_nomem(d);
    if (st != CALQUE_OK) {
        text_free(t);
        return st;
    }
    snprintf(f.name, sizeof f.name, "%s%s", stem, end);
    f.data = (unsigned char *)t->a;
    f.n = (size_t)t->n;
    out->file.a[out->file.n++] = f;
    return CALQUE_OK;
}

static enum calque_status add_text(struct module *u, struct emit_files *out, const char *stem, const char *end,
                                   void (*print)(struct text *, const struct module *), struct diag *d)
{
    struct text t;

    text_init(&t, u->mem);
    print(&t, u);
    return module_file(out, stem, end, &t, d);
}

enum calque_status module_weights_file(struct module *u, struct emit_files *out, struct diag *d)
{
    unsigned char *data = mem_zero(u->mem, u->weights, 1);
    struct emit_file f = { .name = "weights.bin", .data = data, .n = u->weights };

    if (!data || !vec_room(u->mem, &out->file, 1)) {
        mem_free(data);
        return diag_nomem(d);
    }
    for (int i = 0; i < u->piece.n; i++)
        if (u->piece.a[i].bytes > 0)
            memcpy(data + u->piece.a[i].offset, u->piece.a[i].data, u->piece.a[i].bytes);
    out->file.a[out->file.n++] = f;
    return CALQUE_OK;
}

static void print_driver(struct text *t, const struct module *u)
{
    (void)u;
    acsl_driver(t);
}

static void print_why3(struct text *t, const struct module *u)
{
    (void)u;
    acsl_why3(t);
}

enum calque_status module_acsl_files(struct module *u, struct emit_files *out, struct diag *d)
{
    const char *name = module_name(u);
    enum calque_status st = add_text(u, out, name, "_kernels.c", module_print_kernels, d);

    if (st == CALQUE_OK)
        st = add_text(u, out, name, "_kernels.h", module_print_kernels_header, d);
    if (st == CALQUE_OK)
        st = add_text(u, out, "calque_acsl", ".h", module_print_theory, d);
    if (st == CALQUE_OK)
        st = add_text(u, out, "calque", ".driver", print_driver, d);
    if (st == CALQUE_OK)
        st = add_text(u, out, "calque", ".mlw", print_why3, d);
    return st;
}

static const char *port_name(const struct module *u, int i)
{
    return strs_text(u->strs, i < u->in.n ? u->in.a[i].name : u->out.a[i - u->in.n].name);
}

/* The files of the inputs and outputs, and the answer's list of them. */
static enum calque_status name_ports(struct module *u, struct emit_files *out, struct diag *d)
{
    int n = u->in.n + u->out.n;
    const char **name = mem_zero(u->mem, (size_t)n + 1, sizeof *name);
    enum calque_status st;

    for (int i = 0; name && i < n; i++)
        name[i] = port_name(u, i);
    st = npy_names(&u->file, u->mem, name, name ? n : 0, d);
    mem_free(name);
    out->port.a = mem_zero(u->mem, (size_t)n + 1, sizeof *out->port.a);
    if (st != CALQUE_OK || !name || !out->port.a)
        return diag_nomem(d);
    out->port.n = n;
    for (int i = 0; i < n; i++) {
        const char *s = port_name(u, i), *file = npy_stem(&u->file, i);
        out->port.a[i].name = u->notes.n;
        text_put(&u->notes, s, strlen(s) + 1);
        out->port.a[i].file = u->notes.n;
        text_put(&u->notes, file, strlen(file) + 1);
        out->port.a[i].output = i >= u->in.n;
    }
    return text_status(&u->notes, d);
}

/* With a library, and on threads. */
static enum calque_status hosted_files(struct module *u, struct emit_files *out, struct diag *d)
{
    const char *name = module_name(u);
    enum calque_status st = add_text(u, out, name, ".h", module_print_header, d);

    if (st == CALQUE_OK)
        st = add_text(u, out, name, ".c", module_print_source, d);
    if (st == CALQUE_OK && u->weights > 0)
        st = module_weights_file(u, out, d);
    if (st == CALQUE_OK && u->o->with_main)
        st = add_text(u, out, "main", ".c", module_print_main, d);
    if (st == CALQUE_OK && u->vectors > 0)
        st = add_text(u, out, "check", ".c", module_print_check, d);
    if (st == CALQUE_OK && u->o->acsl)
        st = module_acsl_files(u, out, d);
    if (st == CALQUE_OK)
        st = add_text(u, out, "Makefile", "", u->o->acsl ? module_print_acsl_makefile : module_print_makefile, d);
    return st == CALQUE_OK && !u->o->plain ? work_budget(u, NULL, out, d) : st;
}

enum calque_status module_files(struct module *u, struct emit_files *out, struct diag *d)
{
    enum calque_status st = name_ports(u, out, d);

    u->vectors = out->vectors;
    if (st == CALQUE_OK)
        st = u->o->freestanding ? free_files(u, out, d) : hosted_files(u, out, d);
    if (st == CALQUE_OK && u->o->certificate)
        st = module_certificate(u, out, d);
    out->functions = u->fn.n;
    out->steps = u->step.n;
    out->fused = u->fused;
    out->loop.a = u->loop.a;
    out->loop.n = u->loop.n;
    out->checked = u->checked;
    out->unchecked = u->unchecked;
    out->unpacked = u->unpacked;
    out->fallback.a = u->fallback.a;
    out->fallback.n = u->fallback.n;
    memset(&u->fallback, 0, sizeof u->fallback);
    out->notes = u->notes;
    memset(&u->loop, 0, sizeof u->loop);
    text_init(&u->notes, u->mem);
    out->arena = u->arena;
    out->weights = u->weights;
    return st;
}

enum calque_status emit_files_write(const struct emit_files *f, const char *dir, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    struct file_set set;
    char path[4096];
    bool made = mkdir(dir, 0777) == 0;

    if (!made && errno != EEXIST)
        return diag_set(d, CALQUE_IO, dir, 0, 0, "cannot create the directory: %s", strerror(errno));
    file_set_init(&set, f->mem);
    for (int i = 0; i < f->file.n && st == CALQUE_OK; i++) {
        const struct emit_file *x = &f->file.a[i];
        if (snprintf(path, sizeof path, "%s/%s", dir, x->name) >= (int)sizeof path)
            st = diag_set(d, CALQUE_IO, dir, 0, 0, "the path is too long");
        else
            st = file_set_add(&set, path, x->data, x->n, d);
    }
    if (st == CALQUE_OK)
        st = file_set_commit(&set, d);
    file_set_free(&set);
    if (made && st != CALQUE_OK)
        rmdir(dir);
    return st;
}
