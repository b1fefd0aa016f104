/* Modules with contracts: kernels as cells, in files of their own. */
#include "emit/module.h"

#include <stdio.h>

static enum calque_status append(struct module *u, struct cells *c, const struct kernel *k, struct function *f, struct diag *d)
{
    struct acsl_text a = { .used.types = 0 };
    enum calque_status st;

    f->comment = u->text.n;
    if (k)
        kernel_print(&u->text, k);
    else
        prog_print(&u->text, c->sizes);
    f->ncomment = u->text.n - f->comment;
    text_init(&a.t, u->mem);
    st = acsl_print(&a, c, module_pragmas(u), d);
    f->start = u->text.n;
    if (st == CALQUE_OK)
        text_put(&u->text, a.t.a, (size_t)a.t.n);
    text_free(&a.t);
    f->len = u->text.n - f->start;
    f->head = u->text.n;
    acsl_prototype(&u->text, c, "$");
    f->nhead = u->text.n - f->head;
    acsl_use(&u->acsl, &a.used);
    return st == CALQUE_OK ? text_status(&u->text, d) : st;
}

enum calque_status module_call_cells(struct module *u, struct cells *c, const struct kernel *k, const int *arg, int args,
                                   const char *note, struct diag *d)
{
    struct function f = { 0 };
    int *slots = mem_zero(u->mem, (size_t)c->tensor.n + 1, sizeof *slots), n = 0;
    bool *writes = mem_zero(u->mem, (size_t)c->tensor.n + 1, sizeof *writes);
    enum calque_status st = slots && writes ? append(u, c, k, &f, d) : diag_nomem(d);

    for (int t = 0; t < c->tensor.n && st == CALQUE_OK; t++) {
        if (!acsl_is_param(c, t))
            continue;
        slots[n] = t < args ? arg[t]
                            : module_slot(u, (struct slot){ .kind = SLOT_ARENA, .bytes = (size_t)c->ax.a[c->tensor.a[t].cells].k *
                                                                                      elem_size(c->tensor.a[t].elem) });
        writes[n] = c->tensor.a[t].role != KERNEL_IN;
        if (slots[n++] < 0)
            st = diag_nomem(d);
    }
    if (st == CALQUE_OK && !module_step(u, f, slots, writes, n, note))
        st = diag_nomem(d);
    mem_free(slots);
    mem_free(writes);
    return st;
}

/* A function's text with its name: $ becomes NAME_k1. */
static void put_named(struct text *t, const struct module *u, int fn, int from, int n)
{
    const char *s = u->text.a + from;
    int last = 0;

    for (int i = 0; i <= n; i++)
        if (i == n || s[i] == '$') {
            text_put(t, s + last, (size_t)(i - last));
            if (i < n)
                text_printf(t, "%s_k%d", module_name(u), fn);
            last = i + 1;
        }
}

void module_named(struct text *t, const struct module *u, int i)
{
    put_named(t, u, i, u->fn.a[i].start, u->fn.a[i].len);
}

static const char kernels_head[] =
    "/* Emitted by calque: kernels with their contracts, in ACSL. `make wp` proves with Frama-C, for each of them:\n"
    "     value: every cell of the output is the kernel's expression, all its scalar operations in order (calque_acsl.h says\n"
    "       what is known of these); sums are the recursive functions .._f1, which add one term after the other;\n"
    "     assigns, valid: it writes its output and reads its inputs, and nothing else; no overflow; it terminates.\n"
    "   Loops marked CALQUE_PARALLEL_FOR run on threads, without races: the body of the loop is the function .._l1, which may\n"
    "   access the cells of its own row of the output (`assigns` and `valid` are the footprint of one iteration) and inputs\n"
    "   that are separated from it; .._disjoint says that the rows of two iterations have no cell in common."
    UNIT_BITS " */\n";

void module_print_kernels(struct text *t, const struct module *u)
{
    module_template(t, module_name(u), kernels_head);
    module_template(t, module_name(u), "#include \"calque_acsl.h\"\n#include \"@_kernels.h\"\n\n");
    for (int i = 0; i < u->fn.n; i++) {
        const struct function *f = &u->fn.a[i];
        text_puts(t, "/* ");
        module_comment(t, u->text.a + f->comment, (size_t)f->ncomment);
        text_puts(t, "*/\n");
        module_named(t, u, i);
        text_puts(t, "\n");
    }
}

void module_print_kernels_header(struct text *t, const struct module *u)
{
    module_template(t, module_name(u), "/* Emitted by calque: kernels; the contracts are in @_kernels.c. */\n#ifndef ^_KERNELS_H\n"
                                   "#define ^_KERNELS_H\n\n#include <stdint.h>\n\n");
    for (int i = 0; i < u->fn.n; i++) {
        put_named(t, u, i, u->fn.a[i].head, u->fn.a[i].nhead);
        text_puts(t, ";\n");
    }
    text_puts(t, "\n#endif\n");
}

void module_print_theory(struct text *t, const struct module *u)
{
    acsl_theory(t, false, u->o->numbers.math, &u->acsl);
}

static const char lib_text[] =
    "CC = gcc\n"
    UNIT_MAKE_FLAGS
    "\n"
    "all: @.o @_kernels.o\n";

static const char main_text[] =
    "CC = gcc\n"
    UNIT_MAKE_FLAGS
    "INPUTS =\n"
    "\n"
    "all: @\n"
    "\n"
    "@: main.o @.o @_kernels.o\n"
    "\t$(CC) $(CFLAGS) -o @ main.o @.o @_kernels.o -lm\n"
    "\n"
    "main.o: main.c @.h\n"
    "\t$(CC) $(CFLAGS) -c main.c\n"
    "\n"
    "run: @\n"
    "\t./@ $(INPUTS)\n";

static const char objects_text[] =
    "\n"
    "@.o: @.c @.h @_kernels.h\n"
    "\t$(CC) $(CFLAGS) -c @.c\n"
    "\n"
    "@_kernels.o: @_kernels.c @_kernels.h calque_acsl.h\n"
    "\t$(CC) $(CFLAGS) -c @_kernels.c\n"
    "\n"
    "clean:\n"
    "\trm -f @ main.o @.o @_kernels.o wp.log why3.log why3.conf\n"
    "\n"
    ".PHONY: all run clean\n";

void module_print_acsl_makefile(struct text *t, const struct module *u)
{
    char file[96];

    module_template(t, module_name(u), u->o->with_main ? main_text : lib_text);
    module_template(t, module_name(u), objects_text);
    text_puts(t, u->acsl.guards ? UNIT_MAKE_GUARDS : "");
    module_print_check_make(t, u);
    snprintf(file, sizeof file, "%s_kernels.c", module_name(u));
    acsl_make(t, file);
}

void acsl_source(struct text *t, const struct cells *c, const char *name, const struct acsl_text *a)
{
    module_template(t, name, kernels_head);
    module_template(t, name, "#include \"calque_acsl.h\"\n#include \"@.h\"\n\n/* ");
    prog_print(t, c->sizes); /* neither names nor operators can end the comment */
    text_puts(t, "*/\n");
    for (int i = 0; i < a->t.n; i++)
        if (a->t.a[i] == '$')
            text_puts(t, name);
        else
            text_put(t, &a->t.a[i], 1);
}

void acsl_header(struct text *t, struct cells *c, enum kernel_math math, const char *name)
{
    module_template(t, name, "/* Emitted by calque. Arrays are dense and row-major; every product of sizes is less than\n"
                           "   2147483648. Outputs do not overlap anything else. The contract is in @.c. */\n"
                           "#ifndef ^_H\n#define ^_H\n\n#include <stdint.h>\n\n");
    module_print_math(t, math);
    acsl_prototype(t, c, name);
    text_puts(t, ";\n\n#endif\n");
}
