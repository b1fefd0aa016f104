/* Functional programs to files. */
#include "emit/emit.h"
#include "emit/module.h"

#include <stdio.h>
#include <string.h>

static const int onnx_type[] = { [KERNEL_F32] = 1, [KERNEL_F64] = 11, [KERNEL_I32] = 6, [KERNEL_I64] = 7 };

/* A parameter's shape: that of an array of numbers, else a vector of all its scalars. */
static struct port param_port(const struct prog *p, int k)
{
    int type = p->var.a[p->param.a[k].var].type;
    struct port r = { .name = p->param.a[k].name, .dtype = onnx_type[p->scalar] };

    r.bytes = (size_t)data_size(p, type) * kernel_type_size(p->scalar);
    for (; p->data.a[type].kind == DATA_ARY && r.shape.rank < KERNEL_RANK_MAX; type = p->data.a[type].a)
        r.shape.dim[r.shape.rank++] = p->data.a[type].n;
    if (p->data.a[type].kind != DATA_NUM) {
        r.shape.rank = 1;
        r.shape.dim[0] = data_size(p, p->var.a[p->param.a[k].var].type);
    }
    return r;
}

static enum calque_status params(struct module *u, struct prog *p, int *arg, struct diag *d)
{
    for (int i = 0; i < p->param.n; i++) {
        int role = p->param.a[i].role;
        struct port x = param_port(p, i);
        struct slot s = { .kind = role == KERNEL_IN ? SLOT_INPUT : role == KERNEL_OUT ? SLOT_OUTPUT : SLOT_ARENA,
                          .bytes = x.bytes };
        if (!vec_room(u->mem, &u->in, 1) || !vec_room(u->mem, &u->out, 1))
            return diag_nomem(d);
        s.index = role == KERNEL_IN ? u->in.n : u->out.n;
        if (role == KERNEL_IN)
            u->in.a[u->in.n++] = x;
        else if (role == KERNEL_OUT)
            u->out.a[u->out.n++] = x;
        arg[i] = module_slot(u, s);
        if (arg[i] < 0)
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

/* All sizes are numbers: a module of one call. */
static enum calque_status numeric(const struct prog *p, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct prog q = *p;
    struct module u;
    int *arg = mem_resize(p->mem, NULL, (size_t)p->param.n, sizeof *arg);
    struct prog_param *own = mem_resize(p->mem, NULL, (size_t)p->param.n, sizeof *own);
    enum calque_status st = arg && own ? CALQUE_OK : diag_nomem(d);

    module_init(&u, p->mem, p->strs, o);
    for (int i = 0; i < p->param.n && st == CALQUE_OK; i++) {
        own[i] = p->param.a[i];
        own[i].tensor = i;
    }
    q.param.a = own;
    if (st == CALQUE_OK)
        st = params(&u, &q, arg, d);
    if (st == CALQUE_OK)
        st = module_call_prog(&u, &q, NULL, arg, "the program", d);
    if (st == CALQUE_OK)
        st = module_plan(&u, d);
    if (st == CALQUE_OK)
        st = module_files(&u, out, d);
    module_free(&u);
    mem_free(own);
    mem_free(arg);
    return st;
}

static const char header_begin[] =
    "/* Emitted by calque. Arrays are dense and row-major, pairs their components one after the other; every array has less\n"
    "   than 2147483648 cells. Outputs do not overlap anything else. An int result is 0, or 1 when memory is out. */\n"
    "#ifndef ^_H\n"
    "#define ^_H\n"
    "\n"
    "#include <stdint.h>\n"
    "\n";

static const char makefile[] =
    "CC = gcc\n"
    UNIT_MAKE_FLAGS
    "\n"
    "all: @.o\n"
    "\n"
    "@.o: @.c @.h\n"
    "\t$(CC) $(CFLAGS) -c @.c\n"
    "\n"
    "clean:\n"
    "\trm -f @.o\n"
    "\n"
    ".PHONY: all clean\n";

static void put_program(struct text *t, const struct prog *p)
{
    text_puts(t, "/*\n");
    prog_print(t, p); /* neither names nor operators can end the comment */
    text_puts(t, "*/\n");
}

static enum calque_status source(const struct minic *m, const struct emit_options *o, const char *name, struct emit_files *out,
                                 struct diag *d)
{
    unsigned long used = 0, own = 0;
    struct print_options po = { .name = name, .pragmas = !o->seq, .used = &used, .own = &own };
    struct text t, body;
    enum calque_status st;

    text_init(&t, out->mem);
    text_init(&body, out->mem);
    print_function(&body, m, &po);
    module_template(&t, name,
                  "/* Emitted by calque. With -fopenmp the marked loops run on threads." UNIT_BITS " */\n"
                  "#include \"@.h\"\n\n");
    print_checks(&t);
    print_prelude(&t, used, own);
    put_program(&t, m->code->prog);
    if (!body.failed)
        text_put(&t, body.a, (size_t)body.n);
    t.failed = t.failed || body.failed;
    text_free(&body);
    st = module_file(out, name, ".c", &t, d);
    if (st != CALQUE_OK)
        return st;
    text_init(&t, out->mem);
    module_template(&t, name, header_begin);
    module_print_math(&t, m->code->prog->math);
    text_printf(&t, "%s %s", m->heap ? "int" : "void", name);
    print_params(&t, m);
    text_puts(&t, ";\n\n#endif\n");
    st = module_file(out, name, ".h", &t, d);
    if (st != CALQUE_OK)
        return st;
    text_init(&t, out->mem);
    module_template(&t, name, makefile);
    text_puts(&t, UNIT_MAKE_GUARDS);
    return module_file(out, "Makefile", "", &t, d);
}

static enum calque_status acsl_files(struct cells *c, const char *name, struct acsl_text *a, struct emit_files *out,
                                     struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < 6 && st == CALQUE_OK; i++) {
        static const char *const end[] = { ".c", ".h", ".h", ".driver", ".mlw", "" };
        char file[80];
        struct text t;
        text_init(&t, out->mem);
        snprintf(file, sizeof file, "%s.c", name);
        switch (i) {
        case 0: acsl_source(&t, c, name, a); break;
        case 1: acsl_header(&t, c, c->sizes->math, name); break;
        case 2: acsl_theory(&t, true, c->sizes->math, &a->used); break;
        case 3: acsl_driver(&t); break;
        case 4: acsl_why3(&t); break;
        default:
            module_template(&t, name, makefile);
            text_puts(&t, a->used.guards ? UNIT_MAKE_GUARDS : "");
            acsl_make(&t, file);
        }
        st = module_file(out, i < 2 ? name : i == 2 ? "calque_acsl" : i < 5 ? "calque" : "Makefile", end[i], &t, d);
    }
    return st;
}

static enum calque_status symbolic_acsl(const struct prog *p, const struct emit_options *o, struct emit_files *out,
                                        struct diag *d)
{
    struct acsl_text a = { .used.types = 0 };
    struct cells c;
    enum calque_status st = cells_prog(&c, p, d);

    text_init(&a.t, out->mem);
    if (st == CALQUE_OK)
        st = acsl_print(&a, &c, !o->seq, d);
    if (st == CALQUE_OK)
        st = acsl_files(&c, o->name ? o->name : "model", &a, out, d);
    out->functions = out->steps = 1;
    text_free(&a.t);
    cells_free(&c);
    return st;
}

/* One function for all sizes. */
static enum calque_status symbolic(const struct prog *p, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct code code;
    struct minic m;
    enum calque_status st;
    int *numbers = NULL;

    for (int i = 0; i < p->param.n; i++)
        if (p->param.a[i].role == KERNEL_TEMP)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: a program with `temp` needs all its sizes (--size n=..)");
    if (o->freestanding)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: --freestanding needs all sizes of the program (--size n=..)");
    if (o->budget)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: --budget needs all sizes of the program (--size n=..)");
    if (o->with_main)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: --main needs all sizes of the program (--size n=..)");
    if (o->acsl)
        return symbolic_acsl(p, o, out, d);
    memset(&m, 0, sizeof m);
    st = trans_prog(p, false, &code, d);
    if (st == CALQUE_OK && o->numbering && !(numbers = code_numbers(&code)))
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = codegen_plain(&code, false, numbers, &m, d);
    if (st == CALQUE_OK)
        st = source(&m, o, o->name ? o->name : "model", out, d);
    out->functions = out->steps = 1;
    minic_free(&m);
    code_free(&code);
    mem_free(numbers);
    return st;
}

enum calque_status emit_prog(const struct prog *p, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    enum calque_status st = module_check_name(o, d);

    memset(out, 0, sizeof *out);
    out->mem = p->mem;
    if (st == CALQUE_OK)
        st = prog_is_symbolic(p) || o->numbering ? symbolic(p, o, out, d) : numeric(p, o, out, d);
    if (st != CALQUE_OK)
        emit_files_free(out);
    return st;
}
