/* The stages of kernels as text. */
#include "emit/emit.h"
#include "emit/unit.h"

#include <string.h>

static void dump_c(struct text *out, const struct minic *m, const struct emit_options *o)
{
    unsigned used = 0;
    struct print_options p = { .name = o->name ? o->name : "kernel", .pragmas = !o->seq, .used = &used };
    struct text body;

    text_init(&body, out->mem);
    print_function(&body, m, &p);
    print_prelude(out, used);
    if (body.failed)
        out->failed = true;
    else
        text_put(out, body.a, (size_t)body.n);
    text_free(&body);
}

enum calque_status emit_dump(struct text *out, const struct kernel *k, const char *stage, const struct emit_options *o,
                             struct diag *d)
{
    static const char *const stages[] = { "kernel", "dpia", "comm", "c" };
    int s = 0;
    struct prog p;
    struct code code;
    struct minic m;
    enum calque_status st = CALQUE_OK;

    while (s < 4 && strcmp(stage, stages[s]) != 0)
        s++;
    if (s == 4)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "no stage '%s': kernel, dpia, comm, c", stage);
    if (s == 0) {
        kernel_print(out, k);
        return text_status(out, d);
    }
    memset(&code, 0, sizeof code);
    memset(&m, 0, sizeof m);
    st = lower_kernel(k, o->no_strategy ? 0 : LOWER_ALL, &p, d);
    if (st == CALQUE_OK && s == 1)
        prog_print(out, &p);
    if (st == CALQUE_OK && s > 1)
        st = trans_prog(&p, &code, d);
    if (st == CALQUE_OK && s == 2)
        code_print(out, &code, NULL);
    if (st == CALQUE_OK && s == 3)
        st = codegen(&code, &m, d);
    if (st == CALQUE_OK && s == 3)
        dump_c(out, &m, o);
    minic_free(&m);
    code_free(&code);
    prog_free(&p);
    return st == CALQUE_OK ? text_status(out, d) : st;
}

enum calque_status emit_dump_model(struct text *out, const struct graph *g, const char *stage,
                                   const struct emit_options *o, struct diag *d)
{
    struct groups gs;
    enum calque_status st = fuse_graph(g, o, &gs, d);

    for (int i = 0; i < gs.group.n && st == CALQUE_OK; i++) {
        const struct group *x = &gs.group.a[i];
        if (x->last < 0)
            continue;
        text_printf(out, "# %s\n", gs.notes.a + x->nodes);
        st = emit_dump(out, &x->k, stage, o, d);
        text_puts(out, "\n");
    }
    groups_free(&gs, g);
    return st == CALQUE_OK ? text_status(out, d) : st;
}
