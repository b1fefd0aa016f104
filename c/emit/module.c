/* A model or kernel as calls over buffers. Invariant: each buffer is written before it is read, equal functions are
   emitted once, and buffers whose lifetimes meet do not overlap (plan_memory). */
#include "emit/module.h"

#include <limits.h>
#include <string.h>

void module_init(struct module *u, struct mem *mem, struct strs *strs, const struct emit_options *o)
{
    memset(u, 0, sizeof *u);
    u->mem = mem;
    u->strs = strs;
    u->o = o;
    text_init(&u->text, mem);
    text_init(&u->notes, mem);
    text_init(&u->kernels, mem);
    text_init(&u->programs, mem);
    text_init(&u->packed, mem);
    u->words.stem = module_name(u);
    text_init(&u->statements, mem);
    text_init(&u->calls, mem);
}

void module_free(struct module *u)
{
    for (int i = 0; i < u->piece.n; i++)
        if (u->piece.a[i].owned)
            mem_free((void *)u->piece.a[i].data);
    mem_free(u->in.a);
    mem_free(u->out.a);
    mem_free(u->slot.a);
    mem_free(u->step.a);
    mem_free(u->roll.a);
    mem_free(u->fn.a);
    mem_free(u->piece.a);
    mem_free(u->loop.a);
    mem_free(u->bounds.a);
    mem_free(u->fallback.a);
    npy_names_free(&u->file);
    mem_free(u->look.a);
    ints_free(&u->pool);
    ints_free(&u->writes);
    text_free(&u->text);
    text_free(&u->notes);
    text_free(&u->kernels);
    text_free(&u->programs);
    text_free(&u->packed);
    mem_free(u->words.a);
    text_free(&u->statements);
    text_free(&u->calls);
}

const char *module_name(const struct module *u)
{
    return u->o->name ? u->o->name : "model";
}

int module_slot(struct module *u, struct slot s)
{
    if (!vec_room(u->mem, &u->slot, 1))
        return -1;
    u->slot.a[u->slot.n] = s;
    return u->slot.n++;
}

static size_t aligned(size_t n)
{
    return (n + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;
}

bool module_pragmas(const struct module *u)
{
    return !u->o->seq && !u->o->freestanding;
}

int module_weight(struct module *u, struct piece x)
{
    int id;

    if (!vec_room(u->mem, &u->piece, 1))
        return -1;
    id = module_slot(u, (struct slot){ .kind = SLOT_WEIGHT, .bytes = x.bytes, .offset = u->weights });
    if (id < 0)
        return -1;
    x.offset = u->weights;
    x.slot = id;
    u->piece.a[u->piece.n++] = x;
    u->weights += aligned(x.bytes);
    return id;
}

static uint64_t sum_word(uint64_t sum, const unsigned char *p, size_t n)
{
    uint64_t x = 0;

    memcpy(&x, p, n);
    sum = (sum ^ x) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

/* Pieces are in the order of their offsets, which are multiples of a word, with zeros between them. */
uint64_t module_weight_sum(const struct module *u)
{
    static const unsigned char zeros[8] = { 0 };
    uint64_t sum = 0;

    for (int i = 0; i < u->piece.n; i++) {
        const struct piece *x = &u->piece.a[i];
        size_t k = 0;
        for (; k < x->bytes; k += 8)
            sum = sum_word(sum, (const unsigned char *)x->data + k, x->bytes - k < 8 ? x->bytes - k : 8);
        for (; k < aligned(x->bytes); k += 8)
            sum = sum_word(sum, zeros, 8);
    }
    return sum;
}

static bool add_step(struct module *u, int fn, const int *args, const bool *writes, int n, const char *note)
{
    struct step s = { .fn = fn, .first = u->pool.n, .n = n, .note = u->notes.n, .look = -1, .group = -1 };

    text_put(&u->notes, note, strlen(note) + 1);
    if (u->notes.failed || !vec_room(u->mem, &u->step, 1))
        return false;
    for (int i = 0; i < n; i++)
        if (!ints_push(u->mem, &u->pool, args[i]) || !ints_push(u->mem, &u->writes, writes[i]))
            return false;
    u->step.a[u->step.n++] = s;
    return true;
}

bool module_copy(struct module *u, int dst, int src, const char *note)
{
    int args[2] = { dst, src };
    bool writes[2] = { true, false };

    return add_step(u, -1, args, writes, 2, note);
}

/* The number of the function with this text, which is at text[start..]; an equal one before it is used instead. */
static int share(struct module *u, struct function f)
{
    for (int i = 0; i < u->fn.n; i++) {
        const struct function *x = &u->fn.a[i];
        if (x->len == f.len && x->ncomment == f.ncomment && x->can_fail == f.can_fail &&
            memcmp(u->text.a + x->start, u->text.a + f.start, (size_t)f.len) == 0 &&
            memcmp(u->text.a + x->comment, u->text.a + f.comment, (size_t)f.ncomment) == 0) {
            u->text.n = f.comment;
            u->bounds.n = f.bound;
            return i;
        }
    }
    if (!vec_room(u->mem, &u->fn, 1))
        return -1;
    u->fn.a[u->fn.n] = f;
    return u->fn.n++;
}

bool module_step(struct module *u, struct function f, const int *slots, const bool *writes, int n, const char *note)
{
    int fn = share(u, f);

    return fn >= 0 && add_step(u, fn, slots, writes, n, note);
}

static bool append_call(struct module *u, const struct kernel *k, const struct minic *m, const int *arg, const char *note)
{
    const struct prog *p = m->code->prog;
    size_t scratch = 0;
    struct print_options o = { .name = "", .pragmas = module_pragmas(u), .used = &u->helpers, .libm = &u->libm, .own = &u->own,
                               .scratch = u->o->freestanding ? &scratch : NULL };
    struct function f = { .comment = u->text.n, .can_fail = m->heap && !o.scratch, .bound = u->bounds.n };
    int *slots, n = p->param.n;
    bool ok, *writes;

    if (k)
        kernel_print(&u->text, k);
    else
        prog_print(&u->text, p);
    f.ncomment = u->text.n - f.comment;
    f.start = u->text.n;
    print_function(&u->text, m, &o);
    f.len = u->text.n - f.start;
    if (u->text.failed || (!u->o->plain && (!minic_work(m, &f.work) || !minic_bounds(m, &u->bounds))))
        return false;
    f.nbound = u->bounds.n - f.bound;
    slots = mem_zero(u->mem, (size_t)n + 1, sizeof *slots);
    writes = mem_zero(u->mem, (size_t)n + 1, sizeof *writes);
    for (int i = 0; slots && writes && i < n; i++) {
        slots[i] = arg[p->param.a[i].tensor];
        writes[i] = p->param.a[i].role != KERNEL_IN;
    }
    if (writes)
        writes[n] = true; /* scratch memory */
    ok = slots && writes && (scratch == 0 || (slots[n++] = module_slot(u, (struct slot){ .kind = SLOT_ARENA, .bytes = scratch })) >= 0) &&
         module_step(u, f, slots, writes, n, note);
    mem_free(slots);
    mem_free(writes);
    return ok;
}

static enum calque_status add_fallback(struct module *u, const char *name, const char *reason, bool unpacked, struct diag *d)
{
    struct emit_fallback f = { .name = u->notes.n, .unpacked = unpacked };

    text_put(&u->notes, name, strlen(name) + 1);
    f.reason = u->notes.n;
    text_put(&u->notes, reason, strlen(reason) + 1);
    if (u->notes.failed || !vec_room(u->mem, &u->fallback, 1))
        return diag_nomem(d);
    u->fallback.a[u->fallback.n++] = f;
    u->unpacked += unpacked;
    return CALQUE_OK;
}

enum calque_status module_call_prog(struct module *u, const struct prog *p, const struct kernel *k, const int *arg, const char *note,
                                  struct diag *d)
{
    struct code code;
    struct minic m;
    struct diag why;
    struct text *pair = u->o->certificate ? &u->statements : NULL;
    enum calque_status st;

    if (u->o->acsl) {
        struct cells c;
        st = cells_prog(&c, p, d);
        if (st == CALQUE_OK)
            st = module_call_cells(u, &c, NULL, arg, p->param.n, note, d);
        cells_free(&c);
        return st;
    }
    memset(&m, 0, sizeof m);
    diag_clear(&why);
    st = trans_prog(p, !u->o->plain, &code, d);
    if (st == CALQUE_OK && pair)
        text_printf(pair, "# %s\n", note);
    if (st == CALQUE_OK)
        st = u->o->plain ? codegen_plain(&code, false, NULL, &m, d)
                         : codegen_checked(&code, u->o->change_statements, pair, &m, &why, d);
    if (st == CALQUE_OK && why.text[0] != 0)
        st = add_fallback(u, note, why.text, false, d);
    if (st == CALQUE_OK && !append_call(u, k, &m, arg, note))
        st = diag_nomem(d);
    minic_free(&m);
    code_free(&code);
    return st;
}

/* Recursion is bounded by KERNEL_DEPTH_MAX. */
static enum emit_loop_kind loop_kind(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];
    enum emit_loop_kind a, b;

    if (e->kind == EX_REDUCE)
        return EMIT_REDUCTION;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return EMIT_COPY;
    a = loop_kind(k, e->a);
    b = e->b < 0 ? EMIT_COPY : loop_kind(k, e->b);
    if (a == EMIT_REDUCTION || b == EMIT_REDUCTION)
        return EMIT_REDUCTION;
    return e->kind == EX_CALL ? EMIT_ELEMENTWISE : a > b ? a : b;
}

/* Loads the expression a sum that an earlier statement of the kernel stored in more cells than these? Recursion is bounded by
   KERNEL_DEPTH_MAX. */
static bool loads_rounded(const struct kernel *k, int stmt, int id, long cells)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return false;
    if (e->kind != EX_LOAD)
        return loads_rounded(k, stmt, e->a, cells) || (e->b >= 0 && loads_rounded(k, stmt, e->b, cells));
    for (int i = 0; i < stmt; i++)
        if (k->stmt.a[i].out == e->op && loop_kind(k, k->stmt.a[i].body) == EMIT_REDUCTION)
            return kernel_elems(k, e->op) > cells;
    return false;
}

/* The loops of the last step. */
static enum calque_status add_loops(struct module *u, const struct kernel *k, struct diag *d)
{
    if (!vec_room(u->mem, &u->loop, k->stmt.n))
        return diag_nomem(d);
    for (int i = 0; i < k->stmt.n; i++) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        u->loop.a[u->loop.n++] = (struct emit_loop){(int)loop_kind(k, s->body), u->step.a[u->step.n - 1].note,
                                                    loads_rounded(k, i, s->body, kernel_elems(k, s->out))};
    }
    return CALQUE_OK;
}

enum calque_status module_unpacked(struct module *u, const char *note, const char *reason, struct diag *d)
{
    return add_fallback(u, note, reason, true, d);
}

/* The program that a call of the kernel is made from. One that is not seen to compute it is not emitted: the plain one is, which
   the proved translation gives (Coq: Lower.lower_stmt). */
static enum calque_status checked_program(struct module *u, const struct kernel *k, const char *note, struct prog *p, struct diag *d)
{
    struct diag why;
    enum calque_status st = lower_kernel(k, u->o->no_strategy ? 0 : LOWER_ALL, p, d);

    if (st != CALQUE_OK)
        return st;
    if (u->o->change)
        u->o->change(p);
    st = validate_program(k, p, &why);
    if (st != CALQUE_NO)
        return st == CALQUE_OK ? st : diag_nomem(d);
    prog_free(p);
    st = lower_kernel(k, LOWER_PLAIN, p, d);
    return st == CALQUE_OK ? add_fallback(u, note, why.text, false, d) : st;
}

/* The certificate of a call: its kernel, and the program that its statements are made of (NULL: look-ups, which have none). */
static void certify(struct module *u, const struct kernel *k, const struct prog *p, const char *note)
{
    text_printf(&u->kernels, "# %s\n", note);
    kernel_print(&u->kernels, k);
    text_puts(&u->kernels, "\n");
    text_printf(&u->programs, "# %s\n", note);
    if (p)
        prog_sexp(&u->programs, p);
    else
        text_puts(&u->programs, "(look-up)\n");
    text_puts(&u->programs, "\n");
}

/* How the steps from number `from` on were made. */
static void set_state(struct module *u, int from, enum emit_state state)
{
    for (int i = from; i < u->step.n; i++)
        u->step.a[i].state = (int)state;
}

enum calque_status module_call(struct module *u, const struct kernel *k, const int *arg, const char *note, struct diag *d)
{
    struct prog p;
    enum calque_status st;
    int from = u->step.n, fallbacks;

    if (kernel_looks_up(k)) {
        u->unchecked += !u->o->acsl;
        if (u->o->certificate)
            certify(u, k, NULL, note);
        st = module_call_lookups(u, k, arg, note, d);
        set_state(u, from, u->o->acsl ? EMIT_CONTRACT : EMIT_LOOK_UP);
        return st;
    }
    if (u->o->acsl) {
        struct cells c;
        st = cells_kernel(&c, k, d);
        if (st == CALQUE_OK)
            st = module_call_cells(u, &c, k, arg, k->tensor.n, note, d);
        cells_free(&c);
        set_state(u, from, EMIT_CONTRACT);
        return st == CALQUE_OK ? add_loops(u, k, d) : st;
    }
    fallbacks = u->fallback.n;
    st = checked_program(u, k, note, &p, d);
    if (st == CALQUE_OK && u->o->certificate)
        certify(u, k, &p, note);
    if (st == CALQUE_OK)
        st = module_call_prog(u, &p, k, arg, note, d);
    if (u->fallback.n > fallbacks + 1) /* one reason is enough */
        u->fallback.n = fallbacks + 1;
    u->checked += u->fallback.n == fallbacks;
    set_state(u, from, u->fallback.n == fallbacks ? EMIT_CHECKED : EMIT_PLAIN);
    if (st == CALQUE_OK)
        st = add_loops(u, k, d);
    prog_free(&p);
    return st;
}

/* For each step the places in the arena that it uses, and for each piece of the weights its place: item[i] is slot i's. */
static int plan_uses(const struct module *u, const int *item, struct plan_use *use)
{
    int m = 0;

    for (int s = 0; s < u->step.n; s++)
        for (int i = 0; i < u->step.a[s].n; i++) {
            int k = item[module_whole(u, u->pool.a[u->step.a[s].first + i])];
            if (k >= 0)
                use[m++] = (struct plan_use){ k, s };
        }
    return m;
}

/* Does each range lie in the value it is a part of? */
static bool parts_hold(const struct module *u)
{
    for (int i = 0; i < u->slot.n; i++) {
        const struct slot *x = &u->slot.a[i];
        struct plan_item item = { x->bytes, 0, 0, x->offset };
        if (x->kind == SLOT_PART && !plan_holds(&item, 1, u->slot.a[x->index].bytes, NULL, 0))
            return false;
    }
    return true;
}

/* The plan that the module has now, of the arena and of the weights, is one (plan_check.c). */
static enum calque_status check_plan(const struct module *u, struct diag *d)
{
    struct plan_item *items = mem_resize(u->mem, NULL, (size_t)u->slot.n + (size_t)u->piece.n, sizeof *items);
    struct plan_use *use = mem_resize(u->mem, NULL, (size_t)u->pool.n, sizeof *use);
    int *item = mem_resize(u->mem, NULL, (size_t)u->slot.n, sizeof *item);
    enum calque_status st = items && use && item ? CALQUE_OK : diag_nomem(d);
    int n = 0;

    for (int i = 0; i < u->slot.n && st == CALQUE_OK; i++) {
        const struct slot *x = &u->slot.a[i];
        item[i] = x->kind == SLOT_ARENA && x->def != INT_MAX ? n : -1;
        if (item[i] >= 0)
            items[n++] = (struct plan_item){ x->bytes, x->def, x->last, x->offset };
    }
    if (st == CALQUE_OK && !plan_holds(items, n, u->arena, use, plan_uses(u, item, use)))
        st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: the plan of the arena overlaps");
    if (st == CALQUE_OK && !parts_hold(u))
        st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: a range is outside of its value");
    for (int i = 0; i < u->piece.n && st == CALQUE_OK; i++)
        items[i] = (struct plan_item){ u->piece.a[i].bytes, 0, 0, u->slot.a[u->piece.a[i].slot].offset };
    if (st == CALQUE_OK && !plan_holds(items, u->piece.n, u->weights, use, 0))
        st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: the plan of the weights overlaps");
    mem_free(items);
    mem_free(use);
    mem_free(item);
    return st;
}

enum calque_status module_plan(struct module *u, struct diag *d)
{
    struct plan_item *items = mem_resize(u->mem, NULL, (size_t)u->slot.n, sizeof *items);
    enum calque_status st;
    int n = 0;

    if (!items)
        return diag_nomem(d);
    for (int i = 0; i < u->slot.n; i++)
        u->slot.a[i].def = INT_MAX;
    for (int s = 0; s < u->step.n; s++)
        for (int i = 0; i < u->step.a[s].n; i++) {
            struct slot *x = &u->slot.a[module_whole(u, u->pool.a[u->step.a[s].first + i])];
            if (x->def == INT_MAX)
                x->def = s;
            x->last = s;
        }
    for (int i = 0; i < u->slot.n; i++)
        if (u->slot.a[i].kind == SLOT_ARENA && u->slot.a[i].def != INT_MAX)
            items[n++] = (struct plan_item){ u->slot.a[i].bytes, u->slot.a[i].def, u->slot.a[i].last, 0 };
    st = plan_memory(u->mem, items, n, &u->arena, d);
    if (st == CALQUE_OK && n > 0 && u->arena == 0) /* empty tensors have a place, too */
        u->arena = PLAN_ALIGN;
    n = 0;
    for (int i = 0; i < u->slot.n && st == CALQUE_OK; i++)
        if (u->slot.a[i].kind == SLOT_ARENA && u->slot.a[i].def != INT_MAX)
            u->slot.a[i].offset = items[n++].offset;
    mem_free(items);
    if (st == CALQUE_OK)
        st = check_plan(u, d);
    return st == CALQUE_OK && !module_roll(u) ? diag_nomem(d) : st;
}
