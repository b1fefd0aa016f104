/* The stages of kernels as text. */
#include "emit/emit.h"
#include "emit/module.h"

#include <inttypes.h>
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
        st = plain ? codegen_plain(&code, o->numbering, numbers, &m, d) : codegen_checked(&code, NULL, &m, &why, d);
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

static void print_data(struct text *out, const char *what, const struct kernel *k, int tensor, const uint32_t *x)
{
    const long n = kernel_elems(k, tensor);

    text_printf(out, "%s %s", what, strs_text(k->strs, k->tensor.a[tensor].name));
    for (long i = 0; i < n; i++)
        text_printf(out, " %" PRIx32, x[i]);
    text_puts(out, "\n");
}

void pack_print(struct text *t, const char *name, const struct kernel *k, const struct kernel *q, const struct pack_const *c,
                const struct pack *p)
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
            print_data(t, "constant:", k, i, c->value[i]->data);
    for (int i = 0; i < p->n; i++)
        if (p->a[i].data)
            print_data(t, "stored:", q, p->a[i].tensor, p->a[i].data);
    text_puts(t, "\n");
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
