/* The stages of kernels as text, and the files of a certificate. */
#include "emit/emit.h"
#include "emit/module.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void dump_c(struct text *out, const struct minic *m, const struct emit_options *o)
{
    unsigned long used = 0, own = 0;
    struct print_options p = { .name = o->name ? o->name : "kernel", .pragmas = !o->seq, .used = &used, .own = &own };
    struct text body;

    text_init(&body, out->mem);
    print_function(&body, m, &p);
    print_prelude(out, used, own);
    if (body.failed)
        out->failed = true;
    else
        text_put(out, body.a, (size_t)body.n);
    text_free(&body);
}

static enum calque_status dump_commands(struct text *out, const struct prog *p, bool c, const struct emit_options *o,
                                        struct diag *d)
{
    bool plain = o->plain || o->numbering || prog_is_symbolic(p);
    struct code code;
    struct minic m;
    struct diag why;
    enum calque_status st = trans_prog(p, c && !plain, &code, d);
    int *numbers = st == CALQUE_OK && o->numbering ? code_numbers(&code) : NULL;
    unsigned long used = 0;

    memset(&m, 0, sizeof m);
    if (st == CALQUE_OK && o->numbering && !numbers)
        st = diag_nomem(d);
    if (st == CALQUE_OK && !c)
        code_print(out, &code, numbers);
    if (st == CALQUE_OK && c)
        st = plain ? codegen_plain(&code, o->numbering, numbers, &m, d) : codegen_checked(&code, NULL, NULL, &m, &why, d);
    if (st == CALQUE_OK && c && o->numbering)
        print_listing(out, &m, &used);
    else if (st == CALQUE_OK && c)
        dump_c(out, &m, o);
    minic_free(&m);
    code_free(&code);
    mem_free(numbers);
    return st;
}

enum calque_status emit_dump_prog(struct text *out, const struct prog *p, const char *stage, const struct emit_options *o,
                                  struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    if (strcmp(stage, "dpia") == 0)
        prog_print(out, p);
    else if (strcmp(stage, "sexp") == 0)
        prog_sexp(out, p);
    else if (strcmp(stage, "comm") == 0 || strcmp(stage, "c") == 0)
        st = dump_commands(out, p, stage[1] == '\0', o, d);
    else
        st = diag_set(d, CALQUE_BAD, "", 0, 0, "no stage '%s': dpia, comm, c", stage);
    return st == CALQUE_OK ? text_status(out, d) : st;
}

enum calque_status emit_dump(struct text *out, const struct kernel *k, const char *stage, const struct emit_options *o,
                             struct diag *d)
{
    struct prog p;
    enum calque_status st;

    if (strcmp(stage, "kernel") == 0) {
        kernel_print(out, k);
        return text_status(out, d);
    }
    if (strcmp(stage, "c") == 0 && k->stmt.n == 1 && k->stmt.a[0].look > 0) {
        unsigned long used = 0;
        struct text body;
        text_init(&body, out->mem);
        lookup_print(&body, k, &k->stmt.a[0], !o->seq, &used);
        print_prelude(out, used, 0);
        text_puts(out, "static ");
        if (body.n > 4)
            text_printf(out, "int %s%.*s", o->name ? o->name : "kernel", body.n - 4, body.a + 4);
        out->failed = out->failed || body.failed;
        text_free(&body);
        return text_status(out, d);
    }
    if (strcmp(stage, "sexp") == 0 && kernel_looks_up(k)) {
        text_puts(out, "(look-up)\n");
        return text_status(out, d);
    }
    st = lower_kernel(k, o->no_strategy ? 0 : LOWER_ALL, &p, d);
    if (st == CALQUE_OK)
        st = emit_dump_prog(out, &p, stage, o, d);
    prog_free(&p);
    return st;
}

/* ---- statements, for the extracted check of them (oracle/statements.ml) ----

   statements: (set V IX E) | (new V N ..) | (if (COND ..) (..) (..)), merged: | (together ..), a parallel block;
   plain loops: (for|par V N ..); merged ones: (for|par|simd V OF FROM N (IX ..) (IX ..) ..), with bounds, of the plain loop OF (a hint)
   expressions: (lit WORD) | (load V IX) | (call FN E ..) | (if (COND ..) E E)
   ix: (var V) | N | (+ ix ix) | (- ix ix) | (* ix ix) | (// ix ix), rounded down | (% ix ix) | (quot ix ix), as C has it | (rem ix ix)
   A literal is its bits as a double, or an integer; a scalar is an array of one. Recursion is bounded as that of the printer is. */

static const char *const cmp_word[] = { "<", "<=", ">", ">=", "==", "!=" };

static void put_index(struct text *t, const struct minic *m, int id, int depth);

static void put_two(struct text *t, const struct minic *m, const char *op, int a, int b, int depth)
{
    text_printf(t, "(%s ", op);
    put_index(t, m, a, depth);
    text_puts(t, " ");
    put_index(t, m, b, depth);
    text_puts(t, ")");
}

/* The sum of a merged form. */
static void put_sum(struct text *t, const struct minic *m, int id, int depth)
{
    const struct lin x = m->lins.lin.a[id];

    for (int i = 0; i < x.n; i++) {
        const struct term y = m->lins.term.a[x.first + i];
        const struct atom a = m->lins.atom.a[y.atom];
        bool whole = a.kind != ATOM_VAR && m->lins.lin.a[a.lin].lo >= 0;
        const bool more = i + 1 < x.n || x.k != 0;
        text_puts(t, more ? "(+ " : "");
        if (y.c != 1)
            text_printf(t, "(* %ld ", y.c);
        if (a.kind == ATOM_VAR) {
            text_printf(t, "(var %d)", a.var);
        } else {
            text_puts(t, a.kind == ATOM_DIV ? whole ? "(quot " : "(// " : whole ? "(rem " : "(% ");
            put_index(t, m, a.lin, depth);
            text_printf(t, " %ld)", a.k);
        }
        text_puts(t, y.c == 1 ? "" : ")");
        text_puts(t, more ? " " : "");
    }
    if (x.k != 0 || x.n == 0)
        text_printf(t, "%ld", x.k);
    for (int i = 0; i < x.n; i++)
        text_puts(t, i + 1 < x.n || x.k != 0 ? ")" : "");
}

static void put_index(struct text *t, const struct minic *m, int id, int depth)
{
    static const char *const op[] = { [CIX_ADD] = "+", [CIX_SUB] = "-", [CIX_MUL] = "*", [CIX_DIV] = "quot", [CIX_MOD] = "rem",
                                      [CIX_FDIV] = "//", [CIX_FMOD] = "%" };
    const struct cix *x = m->plain && id >= 0 ? &m->cix.a[id] : NULL;

    if (depth > 2 * EXP_DEPTH_MAX)
        t->failed = true;
    else if (id < 0)
        text_puts(t, "0");
    else if (!x)
        put_sum(t, m, id, depth + 1);
    else if (x->kind == CIX_LEVEL)
        text_printf(t, "(var %ld)", x->k);
    else if (x->kind <= CIX_NUMBER)
        text_printf(t, "%ld", x->k);
    else if (x->kind <= CIX_FMOD)
        put_two(t, m, op[x->kind], x->a, x->b, depth + 1);
}

static void put_conditions(struct text *t, const struct minic *m, int first, int len)
{
    text_puts(t, "(");
    for (int i = 0; i < len; i++) {
        const struct mcond *k = &m->cond.a[first + i];
        text_puts(t, i ? " " : "");
        put_two(t, m, cmp_word[k->op], k->a, k->b, 0);
    }
    text_puts(t, ")");
}

static void put_exp(struct text *t, const struct minic *m, int id, int depth)
{
    const struct mx *x = &m->mx.a[id];
    uint64_t bits;

    if (depth > 2 * EXP_DEPTH_MAX) {
        t->failed = true;
        return;
    }
    memcpy(&bits, &x->num, sizeof bits);
    switch (x->kind) {
    case MX_LIT:
        if (m->code->prog->scalar == KERNEL_F32 || m->code->prog->scalar == KERNEL_F64)
            text_printf(t, "(lit %" PRIx64, bits);
        else
            text_printf(t, "(lit %ld", x->inum);
        break;
    case MX_VAR: case MX_LOAD:
        text_printf(t, "(load %d ", x->var);
        put_index(t, m, x->lin, 0);
        break;
    case MX_CALL: text_printf(t, "(call %s", fn_info(x->op)->text); break;
    default:
        text_puts(t, "(if ");
        put_conditions(t, m, x->first, x->len);
    }
    for (int i = 0; i < 2 && (x->kind == MX_CALL || x->kind == MX_COND); i++)
        if ((i == 0 ? x->a : x->b) >= 0) {
            text_puts(t, " ");
            put_exp(t, m, i == 0 ? x->a : x->b, depth + 1);
        }
    text_puts(t, ")");
}

static void put_statement(struct text *t, const struct minic *m, int id, int depth);

/* A block; a declaration has what is behind it in there. */
static void put_items(struct text *t, const struct minic *m, const struct ms *x, int depth)
{
    int open = 0;

    for (int i = 0; i < x->len; i++) {
        const struct ms *y = &m->ms.a[m->pool.a[x->first + i]];
        if (y->kind != MS_DECL) {
            put_statement(t, m, m->pool.a[x->first + i], depth);
            continue;
        }
        text_printf(t, " (new %d 1", y->var);
        open++;
        if (y->a >= 0) {
            text_printf(t, " (set %d 0 ", y->var);
            put_exp(t, m, y->a, 0);
            text_puts(t, ")");
        }
    }
    for (; open > 0; open--)
        text_puts(t, ")");
}

static void put_loop(struct text *t, const struct minic *m, const struct ms *x, int depth)
{
    const int alias = x->var - m->code->level.n;

    text_printf(t, " (%s %d", x->par ? "par" : x->simd ? "simd" : "for", x->var);
    if (!m->plain)
        text_printf(t, " %d %ld", alias < 0 ? x->var : alias < m->alias.n ? m->alias.a[alias] : -1, x->from);
    text_printf(t, " %ld", x->n);
    for (int i = 0; i < 2 && !m->plain; i++) {
        text_puts(t, " (");
        for (int k = 0; k < (i ? x->nhi : x->nlo); k++) {
            text_puts(t, k ? " " : "");
            put_index(t, m, m->pool.a[x->first + (i ? x->nlo : 0) + k], 0);
        }
        text_puts(t, ")");
    }
    put_statement(t, m, x->a, depth);
    text_puts(t, ")");
}

/* After a blank, or nothing. */
static void put_statement(struct text *t, const struct minic *m, int id, int depth)
{
    const struct ms *x = id >= 0 ? &m->ms.a[id] : NULL;

    if (depth > 4 * EXP_DEPTH_MAX)
        t->failed = true;
    if (!x || t->failed)
        return;
    switch (x->kind) {
    case MS_BLOCK:
        text_puts(t, x->par ? " (together" : "");
        put_items(t, m, x, depth + 1);
        text_puts(t, x->par ? ")" : "");
        break;
    case MS_FOR: put_loop(t, m, x, depth + 1); break;
    case MS_ARRAY:
        text_printf(t, " (new %d %ld", x->var, x->n);
        put_statement(t, m, x->a, depth + 1);
        text_puts(t, ")");
        break;
    case MS_SET:
        text_printf(t, " (set %d ", x->var);
        put_index(t, m, x->lin, 0);
        text_puts(t, " ");
        put_exp(t, m, x->a, 0);
        text_puts(t, ")");
        break;
    case MS_IF:
        text_puts(t, " (if ");
        put_conditions(t, m, x->first, x->len);
        text_puts(t, " (");
        put_statement(t, m, x->a, depth + 1);
        text_puts(t, ") (");
        put_statement(t, m, x->b, depth + 1);
        text_puts(t, "))");
        break;
    default: text_printf(t, " (new %d 1)", x->var);
    }
}

void statements_print(struct text *t, const struct minic *plain, const struct minic *m)
{
    text_puts(t, "plain:");
    put_statement(t, plain, plain->main, 0);
    text_puts(t, m ? "\nmerged:" : "");
    if (m)
        put_statement(t, m, m->main, 0);
    text_puts(t, "\n");
}

static bool keep_words(struct mem *mem, struct pack_words *w, const uint32_t *x, long n)
{
    w->large = w->large || n > INT32_MAX / 2 - w->n; /* vec_room takes no more */
    if (w->large || !vec_room(mem, w, (int)n))
        return false;
    if (n > 0)
        memcpy(w->a + w->n, x, (size_t)n * sizeof *x);
    w->n += (int)n;
    return true;
}

static void print_data(struct text *out, struct pack_words *w, const char *what, const struct kernel *k, int tensor, const uint32_t *x)
{
    const long n = kernel_elems(k, tensor);

    text_printf(out, "%s %s", what, strs_text(k->strs, k->tensor.a[tensor].name));
    if (w)
        text_printf(out, " @%s.data %zu %ld", w->stem, (size_t)w->n * sizeof *x, n);
    if (w && !keep_words(out->mem, w, x, n))
        out->failed = true;
    for (long i = 0; i < n && !w; i++)
        text_printf(out, " %" PRIx32, x[i]);
    text_puts(out, "\n");
}

void pack_print(struct text *t, struct pack_words *w, const char *name, const struct kernel *k, const struct kernel *q,
                const struct pack_const *c, const struct pack *p)
{
    text_printf(t, "# %s\noriginal:\n", name);
    kernel_print(t, k);
    text_puts(t, "changed:\n");
    kernel_print(t, q);
    for (int i = 0; i < p->n; i++)
        text_printf(t, "packed: %s %d %ld %ld\n", strs_text(q->strs, q->tensor.a[p->a[i].tensor].name), p->a[i].place, p->a[i].n,
                    p->a[i].cells);
    for (int i = 0; i < k->tensor.n; i++)
        if (c->value[i] && k->type == KERNEL_F32 && k->tensor.a[i].elem == ELEM_OWN && c->value[i]->dtype == DTYPE_F32 && c->value[i]->bytes == kernel_bytes(k, i))
            print_data(t, w, "constant:", k, i, c->value[i]->data);
    for (int i = 0; i < p->n; i++)
        if (p->a[i].data)
            print_data(t, w, "stored:", q, p->a[i].tensor, p->a[i].data);
    text_puts(t, "\n");
}

/* The certificate's file, which takes the text. */
static enum calque_status certificate(struct module *u, struct emit_files *out, const char *end, struct text *t, struct diag *d)
{
    struct text own = *t;

    text_init(t, u->mem);
    if (own.failed && own.n >= INT32_MAX / 4) { /* a text has at most INT32_MAX / 2 bytes */
        text_free(&own);
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "--certificate: %s%s would have more than 1 GB", module_name(u), end);
    }
    return module_file(out, module_name(u), end, &own, d);
}

/* The file of the words that NAME.packed names, which takes them, if there are some. */
static enum calque_status certificate_words(struct module *u, struct emit_files *out, struct diag *d)
{
    struct pack_words *w = &u->words;
    struct emit_file f = { .data = (unsigned char *)w->a, .n = (size_t)w->n * sizeof *w->a };

    if (w->large)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "--certificate: %s.data would have more than 4 GB", w->stem);
    if (w->n == 0)
        return CALQUE_OK;
    if (!vec_room(u->mem, &out->file, 1))
        return diag_nomem(d);
    snprintf(f.name, sizeof f.name, "%s.data", w->stem);
    out->file.a[out->file.n++] = f;
    *w = (struct pack_words){ .stem = w->stem };
    return CALQUE_OK;
}

enum calque_status module_certificate(struct module *u, struct emit_files *out, struct diag *d)
{
    enum calque_status st = certificate(u, out, ".kernels", &u->kernels, d);

    if (st == CALQUE_OK)
        st = certificate(u, out, ".programs", &u->programs, d);
    if (st == CALQUE_OK)
        st = certificate_words(u, out, d);
    if (st == CALQUE_OK)
        st = certificate(u, out, ".packed", &u->packed, d);
    if (st == CALQUE_OK)
        st = certificate(u, out, ".statements", &u->statements, d);
    if (st == CALQUE_OK) {
        roll_certify(&u->calls, u);
        st = certificate(u, out, ".calls", &u->calls, d);
    }
    return st;
}

static enum calque_status dump_packed(struct text *out, const struct graph *g, const struct emit_options *o, struct diag *d)
{
    struct emit_options own = *o;
    struct emit_files files;
    enum calque_status st;

    own.packed = out;
    st = emit_model(g, &own, &files, d);
    emit_files_free(&files);
    return st == CALQUE_OK ? text_status(out, d) : st;
}

enum calque_status emit_dump_model(struct text *out, const struct graph *g, const char *stage,
                                   const struct emit_options *o, struct diag *d)
{
    struct groups gs;
    enum calque_status st;

    if (strcmp(stage, "packed") == 0)
        return dump_packed(out, g, o, d);
    st = fuse_graph(g, o, &gs, d);
    for (int i = 0; i < gs.group.n && st == CALQUE_OK; i++) {
        const struct group *x = &gs.group.a[i];
        text_printf(out, "# %s\n", gs.notes.a + x->nodes);
        st = emit_dump(out, &x->k, stage, o, d);
        text_puts(out, "\n");
    }
    groups_free(&gs, g);
    return st == CALQUE_OK ? text_status(out, d) : st;
}
