/* C99 for machines without an operating system: NAME.h, NAME.c, the weights as constants, a Makefile. The caller hands over
   every byte: inputs, outputs, weights, arena. Invariants: nothing is allocated, no array's length is variable, no function
   calls itself, the only functions called from outside are those of math.h that NAME.h lists; a layer is one function. */
#include <ctype.h>
#include <string.h>

#include "emit/module.h"
#include "tensor/op.h"

static const char *type_of(const struct port *p)
{
    return print_elem(dtype_elem(p->dtype));
}

static const struct port *port(const struct module *u, int i)
{
    return i < u->in.n ? &u->in.a[i] : &u->out.a[i - u->in.n];
}

static bool has_arena(const struct module *u) /* as a parameter */
{
    return !u->o->static_arena;
}

static bool has_weights(const struct module *u)
{
    return u->o->weights_pointer;
}

static void put_param(struct text *t, const char *lead, const char *declaration, int *n)
{
    text_printf(t, "%s%s%s", *n ? ", " : "", lead, declaration);
    (*n)++;
}

/* A model without tensors has no parameters but these. */
static void put_prototype(struct text *t, const struct module *u, const struct free_names *x)
{
    int n = 0;

    module_template(t, module_name(u), "int @_run(");
    for (int i = 0; i < u->in.n + u->out.n; i++) {
        text_printf(t, "%s%s%s *", n ? ", " : "", i < u->in.n ? "const " : "", type_of(port(u, i)));
        put_param(t, "", x->text.a + x->port[i], &(int){ 0 });
        n++;
    }
    if (has_weights(u))
        put_param(t, "const void *", "weights", &n);
    if (has_arena(u))
        put_param(t, "void *", "arena", &n);
    text_puts(t, n ? ")" : "void)");
}

/* What the numbers mean is said once, here: the answer of --json has the same ones. */
static void put_budget(struct text *t, const struct module *u, const struct free_names *x)
{
    struct emit_work w = work_total(u);
    size_t in = 0, out = 0;

    for (int i = 0; i < u->in.n; i++)
        in += u->in.a[i].bytes;
    for (int i = 0; i < u->out.n; i++)
        out += u->out.a[i].bytes;
    text_printf(t, "/* Budget.\n   ROM: %zu bytes of weights; the code is not counted.\n"
                   "   RAM: %zu bytes of arena; %zu bytes of inputs and %zu of outputs are the caller's.\n", work_rom(u), u->arena, in, out);
    if (u->o->acsl) {
        text_puts(t, "   Work and stack are not counted of functions with contracts. */\n\n");
        return;
    }
    text_printf(t, "   Stack: a run is two frames deep, and those of math.h. A frame has local arrays, %zu bytes at most, and with gcc\n"
                   "   at -O2 not more than %d bytes besides.\n", w.arrays, FREE_FRAME);
    text_printf(t, "   Work of a run: %.0f multiply-adds, %.0f operations on numbers (the multiply-adds are among them),\n"
                   "   %.0f iterations of loops. It is not more than that, and just that where no range of a loop depends on another\n"
                   "   loop's variable and nothing on a condition. Of one call of each function:\n\n",
                w.multiply_adds, w.operations, w.iterations);
    text_printf(t, "   %-44s %5s %14s %14s %14s %7s\n", "function", "calls", "multiply-adds", "operations", "iterations", "arrays");
    for (int i = 0; i < u->fn.n; i++) {
        const struct emit_work *f = &u->fn.a[i].work;
        text_printf(t, "   %-44s %5d %14.0f %14.0f %14.0f %7zu\n", x->text.a + x->fn[i], work_calls(u, i), f->multiply_adds, f->operations,
                    f->iterations, f->arrays);
    }
    text_puts(t, "\n   The loops of each function, in the order of the text: the most iterations of one entry, and in brackets the loops inside:\n\n");
    for (int i = 0; i < u->fn.n; i++) {
        text_printf(t, "   %s: ", x->text.a + x->fn[i]);
        work_print_loops(t, u, i);
        text_puts(t, "\n");
    }
    for (int i = 0; i < u->roll.n; i++) {
        module_template(t, module_name(u), i ? ", " : "   @_run: ");
        text_printf(t, i == u->roll.n - 1 ? "%d\n" : "%d", u->roll.a[i].count);
    }
    text_puts(t, "*/\n\n");
}

/* The functions of math.h that are called, as print_libm has them. */
static unsigned long libm(const struct module *u)
{
    unsigned long set = u->libm & ~PRINT_MATH;

    for (int op = 0; op < FN_COUNT; op++) {
        const char *c = fn_info(op)->c;
        if (!isalpha((unsigned char)c[0]) || strncmp(c, "calque_", 7) == 0)
            continue;
        if (u->o->numbers.math == MATH_CALQUE && acsl_is_own(op))
            continue;
        set |= (unsigned long)(u->acsl.ops[KERNEL_F32] >> op & 1) << 2 * op;
        set |= (unsigned long)(u->acsl.ops[KERNEL_F64] >> op & 1) << (2 * op + 1);
    }
    return set;
}

/* A name of the model in a comment; what is very long is cut. */
static void put_label(struct text *t, const char *s)
{
    size_t n = strlen(s);

    module_comment(t, s, n < 60 ? n : 60);
    text_puts(t, n < 60 ? "" : "..");
}

static void put_ports(struct text *t, const struct module *u, const struct free_names *x)
{
    for (int i = 0; i < u->in.n + u->out.n; i++) {
        const struct port *p = port(u, i);
        text_printf(t, "   %s: %s[", x->text.a + x->port[i], type_of(p));
        for (int k = 0; k < p->shape.rank; k++)
            text_printf(t, "%s%ld", k ? "][" : "", p->shape.dim[k]);
        text_printf(t, "], %s '", i < u->in.n ? "input" : "output");
        put_label(t, strs_text(u->strs, p->name));
        text_puts(t, "'\n");
    }
}

static void put_codes(struct text *t, const struct module *u)
{
    module_template(t, module_name(u),
                  "   Returns ^_OK;\n     ^_BAD_POINTER, and nothing is written, if a pointer is NULL (but of a tensor without elements)");
    if (has_arena(u) && u->arena > 0)
        module_template(t, module_name(u), "\n     or the arena is not aligned to ^_ALIGN");
    if (has_weights(u) && u->weights > 0)
        module_template(t, module_name(u), "\n     or the weights are not aligned to ^_ALIGN");
    text_puts(t, u->look.n > 0 ? ";\n" : ".\n");
    if (u->look.n == 0)
        return;
    module_template(t, module_name(u), "     ^_BAD_INDEX and more, if an index of a look-up is outside of -size .. size - 1; then outputs hold anything:\n");
    for (int i = 0; i < u->step.n; i++)
        if (u->step.a[i].look >= 0) {
            module_template(t, module_name(u), "     ^_BAD_INDEX");
            text_printf(t, " + %d: ", u->step.a[i].look);
            put_label(t, u->notes.a + u->step.a[i].note);
            text_printf(t, ", size %ld\n", u->look.a[u->step.a[i].look].size);
        }
}

static const char header_text[] =
    "/* Emitted by calque: C99 that allocates nothing, does not call itself, and calls no function but those of math.h\n"
    "   that are named here; the compiler itself may call memcpy, memmove and memset." UNIT_BITS " */\n"
    "#ifndef ^_H\n"
    "#define ^_H\n"
    "\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n";

/* The budget of a run for the compiler. */
static void put_numbers(struct text *t, const struct module *u)
{
    struct emit_work w = work_total(u);
    const struct { const char *name; double n; } number[] = {
        { "MULTIPLY_ADDS", w.multiply_adds }, { "OPERATIONS", w.operations }, { "ITERATIONS", w.iterations },
    };

    for (int i = 0; i < 3 && !u->o->acsl; i++) {
        module_template(t, module_name(u), "#define ^_");
        text_printf(t, "%s UINT64_C(%.0f)\n", number[i].name, number[i].n);
    }
    if (u->o->acsl)
        return;
    module_template(t, module_name(u), "#define ^_FRAME_BYTES ");
    text_printf(t, "%zuu\n", w.arrays + FREE_FRAME);
}

static void print_header(struct text *t, const struct module *u, const struct free_names *x)
{
    const char *name = module_name(u);

    module_template(t, name, header_text);
    put_budget(t, u, x);
    module_print_checked(t, u);
    text_puts(t, "/* math.h:");
    print_libm(t, libm(u));
    text_puts(t, libm(u) ? " */\n" : " no function */\n");
    module_template(t, name, "#define ^_ARENA_BYTES ");
    text_printf(t, "%zuu\n", u->arena);
    module_template(t, name, "#define ^_WEIGHT_BYTES ");
    text_printf(t, "%zuu\n", work_rom(u));
    module_template(t, name, "#define ^_ALIGN 8u /* of the arena, and of weights that are handed over */\n");
    put_numbers(t, u);
    for (int i = 0; i < u->in.n + u->out.n; i++) {
        module_template(t, name, i < u->in.n ? "#define ^_INPUT_" : "#define ^_OUTPUT_");
        text_printf(t, "%d_ELEMENTS %zuu\n", i < u->in.n ? i : i - u->in.n, port(u, i)->bytes / dtype_size(port(u, i)->dtype));
    }
    module_template(t, name, "\nenum { ^_OK = 0, ^_BAD_POINTER = 1, ^_BAD_INDEX = 2 };\n\n");
    text_puts(t, "/* Runs the model once. Tensors are dense and row-major; outputs overlap nothing else.\n");
    put_ports(t, u, x);
    if (has_weights(u))
        module_template(t, name, "   weights: the ^_WEIGHT_BYTES bytes of weights.bin; @_weights.S has them as @_weights\n");
    if (has_arena(u))
        module_template(t, name, "   arena: ^_ARENA_BYTES bytes for this run; what they hold before and after does not matter\n");
    else
        text_puts(t, "   The arena is a static array: one run at a time.\n");
    put_codes(t, u);
    text_puts(t, "*/\n");
    put_prototype(t, u, x);
    text_puts(t, ";\n\n");
    if (has_weights(u))
        module_template(t, name, u->weights > 0 ? "extern const unsigned char @_weights[^_WEIGHT_BYTES];\n\n"
                                                : "extern const unsigned char @_weights[1];\n\n");
    text_puts(t, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void put_functions(struct text *t, const struct module *u, const struct free_names *x)
{
    for (int i = 0; i < u->fn.n; i++)
        module_function(t, u, i, "CALQUE_STEP", x->text.a + x->fn[i]);
}

/* Bytes behind a place; nothing is added where there are none. */
static void put_place(struct text *t, const char *base, size_t offset, bool inside)
{
    if (offset == 0)
        text_puts(t, base);
    else
        text_printf(t, inside ? "(%s + %zu)" : "%s + %zu", base, offset);
}

static void put_whole(struct text *t, const struct module *u, const struct free_names *x, int slot)
{
    const struct slot *s = &u->slot.a[slot];
    int piece = 0;

    switch (s->kind) {
    case SLOT_INPUT: text_puts(t, x->text.a + x->port[s->index]); return;
    case SLOT_OUTPUT: text_puts(t, x->text.a + x->port[u->in.n + s->index]); return;
    case SLOT_ARENA: text_puts(t, x->text.a + x->slot[slot]); return;
    default: break;
    }
    if (has_weights(u)) {
        text_puts(t, "(const void *)");
        put_place(t, "calque_weights", s->offset, true);
        return;
    }
    while (u->piece.a[piece].slot != slot)
        piece++;
    text_puts(t, x->text.a + x->piece[piece]);
}

static void put_arg(struct text *t, const struct module *u, const struct free_names *x, int slot)
{
    const struct slot *s = &u->slot.a[slot];
    int whole = u->slot.a[module_whole(u, slot)].kind;
    const char *word = whole == SLOT_INPUT || whole == SLOT_WEIGHT ? "const " : "";
    bool inside = s->kind == SLOT_PART && s->offset > 0;

    if (inside)
        text_printf(t, "(%svoid *)((%sunsigned char *)", word, word);
    put_whole(t, u, x, module_whole(u, slot));
    if (inside)
        text_printf(t, " + %zu)", s->offset);
}

/* The argument of a roll's step, which is elsewhere in each period. */
static void put_moving(struct text *t, const struct module *u, const struct free_names *x, int slot, size_t stride)
{
    struct roll_place p = roll_place(u, slot);
    const char *word = p.kind == SLOT_INPUT || p.kind == SLOT_WEIGHT ? "const " : "";

    text_printf(t, "(%svoid *)(", word);
    if (p.index >= 0) {
        text_printf(t, "(%sunsigned char *)", word);
        put_whole(t, u, x, module_whole(u, slot));
    } else {
        text_puts(t, p.kind == SLOT_ARENA ? "calque_arena" : "calque_weights");
    }
    text_puts(t, " + ");
    roll_print_offset(t, p.offset, stride);
    text_puts(t, ")");
}

/* Step i; of roll r, or NULL. */
static void put_step(struct text *t, const struct module *u, const struct free_names *x, int i, const struct roll *r)
{
    const struct step *s = &u->step.a[i];
    const int *arg = u->pool.a + s->first;
    const char *note = u->notes.a + s->note, *lead = r ? "        " : "    ";

    text_printf(t, "%s/* ", lead);
    module_comment(t, note, strlen(note));
    text_puts(t, " */\n");
    if (r)
        roll_print_note(t, u, r, i);
    text_printf(t, s->look >= 0 ? "%sif (" : "%s", lead);
    text_puts(t, s->fn < 0 ? "calque_copy" : x->text.a + x->fn[s->fn]);
    for (int k = 0; k < s->n; k++) {
        size_t stride = r ? roll_stride(u, r, i, k) : 0;
        text_puts(t, k ? ", " : "(");
        if (stride)
            put_moving(t, u, x, arg[k], stride);
        else
            put_arg(t, u, x, arg[k]);
    }
    if (s->fn < 0)
        text_printf(t, ", %zuu", u->slot.a[arg[0]].bytes);
    text_puts(t, s->n ? "" : "(");
    if (s->look >= 0) {
        module_template(t, module_name(u), ") != 0) {\n        return ^_BAD_INDEX");
        text_printf(t, s->look > 0 ? " + %d;\n    }\n" : ";\n    }\n", s->look);
    } else {
        text_puts(t, ");\n");
    }
}

/* What is refused before anything is written. */
static void put_checks(struct text *t, const struct module *u, const struct free_names *x)
{
    const char *lead = "    if (";
    bool arena = has_arena(u) && u->arena > 0, weights = has_weights(u) && u->weights > 0;

    for (int i = 0; i < u->in.n + u->out.n; i++)
        if (port(u, i)->bytes == 0)
            text_printf(t, "    (void)%s;\n", x->text.a + x->port[i]);
    if (has_arena(u) && u->arena == 0)
        text_puts(t, "    (void)arena;\n");
    if (has_weights(u) && u->weights == 0)
        text_puts(t, "    (void)weights;\n");
    for (int i = 0; i < u->in.n + u->out.n; i++)
        if (port(u, i)->bytes > 0) {
            text_printf(t, "%s%s == NULL", lead, x->text.a + x->port[i]);
            lead = " || ";
        }
    if (weights)
        text_printf(t, "%sweights == NULL", lead);
    lead = weights ? " || " : lead;
    if (arena)
        text_printf(t, "%sarena == NULL", lead);
    if (arena || lead[1] == '|')
        module_template(t, module_name(u), ") {\n        return ^_BAD_POINTER;\n    }\n");
    if (weights)
        module_template(t, module_name(u), "    if ((uintptr_t)weights % (uintptr_t)^_ALIGN != (uintptr_t)0) {\n        return ^_BAD_POINTER;\n    }\n");
    if (arena)
        module_template(t, module_name(u), "    if ((uintptr_t)arena % (uintptr_t)^_ALIGN != (uintptr_t)0) {\n        return ^_BAD_POINTER;\n    }\n");
}

/* The buffers of the arena by name. */
static void put_buffers(struct text *t, const struct module *u, const struct free_names *x)
{
    if (u->arena > 0)
        text_printf(t, "    unsigned char *const calque_arena = %s;\n", has_arena(u) ? "(unsigned char *)arena" : "calque_own.bytes");
    if (has_weights(u) && u->weights > 0)
        text_puts(t, "    const unsigned char *const calque_weights = (const unsigned char *)weights;\n");
    for (int i = 0; i < u->slot.n; i++)
        if (u->slot.a[i].kind == SLOT_ARENA && u->slot.a[i].named) {
            text_printf(t, "    void *const %s = ", x->text.a + x->slot[i]);
            put_place(t, "calque_arena", u->slot.a[i].offset, false);
            text_printf(t, "; /* %zu bytes */\n", u->slot.a[i].bytes);
        }
}

static void put_run(struct text *t, const struct module *u, const struct free_names *x)
{
    put_prototype(t, u, x);
    text_puts(t, "\n{\n");
    put_checks(t, u, x);
    put_buffers(t, u, x);
    for (int i = 0, at = 0; i < u->step.n; i++) {
        const struct roll *r = roll_of(u, i, &at);
        if (r && i == r->first)
            roll_print_head(t, r);
        put_step(t, u, x, i, r);
        if (r && i == r->first + r->period - 1) {
            text_puts(t, "    }\n");
            i += (r->count - 1) * r->period;
        }
    }
    module_template(t, module_name(u), "    return ^_OK;\n}\n");
}

static bool has_copies(const struct module *u)
{
    for (int i = 0; i < u->step.n; i++)
        if (u->step.a[i].fn < 0)
            return true;
    return false;
}

static void print_source(struct text *t, const struct module *u, const struct free_names *x)
{
    module_template(t, module_name(u), "/* Emitted by calque: see @.h." UNIT_BITS " */\n#include \"@.h\"\n\n");
    print_free_prelude(t, u->helpers, u->libm, u->own);
    if (u->o->acsl)
        module_template(t, module_name(u), "#include \"@_kernels.h\"\n\n");
    if (has_copies(u))
        text_puts(t, "static void calque_copy(void *to, const void *from, size_t n)\n{\n    unsigned char *a = (unsigned char *)to;\n"
                     "    const unsigned char *b = (const unsigned char *)from;\n\n"
                     "    for (size_t i = 0; i < n; i++) {\n        a[i] = b[i];\n    }\n}\n\n");
    if (!has_weights(u))
        free_print_weights(t, u, x, u->o->single_file ? FREE_STATIC : FREE_DECLARE);
    if (!has_arena(u) && u->arena > 0)
        module_template(t, module_name(u), "static union { /* aligned for any type */\n    double align_real;\n    int64_t align_integer;\n"
                                         "    unsigned char bytes[^_ARENA_BYTES];\n} calque_own;\n\n");
    if (!u->o->acsl)
        put_functions(t, u, x);
    put_run(t, u, x);
}

static void print_weights(struct text *t, const struct module *u, const struct free_names *x)
{
    module_template(t, module_name(u), "/* Emitted by calque: the weights of @.c, in the order in which its loops read them. */\n");
    text_puts(t, free_is_finite(u) ? "#include <stdint.h>\n\n" : "#include <math.h>\n#include <stdint.h>\n\n");
    free_print_weights(t, u, x, FREE_DEFINE);
}

static const char makefile_text[] =
    "# SAFE: gcc 12.2 is known to miscompile guards in loops by loop splitting.\n"
    "CC = gcc\n"
    "SAFE := $(if $(findstring Free Software,$(shell LC_ALL=C $(CC) --version)),-fno-split-loops)\n"
    "CFLAGS = -O2 -std=c99 -ffreestanding -ffp-contract=off $(SAFE)\n";

static void print_makefile(struct text *t, const struct module *u)
{
    const char *name = module_name(u);
    bool weights = !u->o->single_file && u->weights > 0;

    module_template(t, name, makefile_text);
    module_template(t, name, "OBJECTS = @.o");
    module_template(t, name, u->o->acsl ? " @_kernels.o" : "");
    module_template(t, name, weights ? " @_weights.o\n" : "\n");
    module_template(t, name, "\nall: $(OBJECTS)\n\n@.o: @.c @.h\n\t$(CC) $(CFLAGS) -c @.c\n");
    if (u->o->acsl)
        module_template(t, name, "\n@_kernels.o: @_kernels.c @_kernels.h calque_acsl.h\n\t$(CC) $(CFLAGS) -c @_kernels.c\n");
    if (weights)
        module_template(t, name, u->o->weights_pointer ? "\n@_weights.o: @_weights.S weights.bin\n\t$(CC) -c @_weights.S\n"
                                                       : "\n@_weights.o: @_weights.c\n\t$(CC) $(CFLAGS) -c @_weights.c\n");
    if (u->vectors > 0) {
        module_template(t, name, "\n# Exit status 0: every bit as the reference interpreter has it. RUN: what runs programs of another processor.\n"
                               "RUN =\nLDFLAGS =\ncheck: @_check\n\t$(RUN) ./@_check && echo '@: identical: ");
        text_printf(t, "%d vector%s'\n\n", u->vectors, u->vectors == 1 ? "" : "s");
        module_template(t, name, "@_check: @_check.c @.h $(OBJECTS)\n\t$(CC) $(CFLAGS) $(LDFLAGS) -o @_check @_check.c $(OBJECTS) -lm\n");
    }
    module_template(t, name, "\nclean:\n\trm -f $(OBJECTS)");
    module_template(t, name, u->vectors > 0 ? " @_check" : "");
    text_puts(t, u->vectors > 0 ? "\n\n.PHONY: all check clean\n" : "\n\n.PHONY: all clean\n");
    if (u->o->acsl) {
        struct text file;
        text_init(&file, u->mem);
        text_printf(&file, "%s_kernels.c", name);
        t->failed = t->failed || file.failed;
        if (!file.failed)
            acsl_make(t, file.a);
        text_free(&file);
    }
}

/* The file of this text, which ends here, in lines that are not too long. */
static enum calque_status add_wrapped(struct module *u, struct emit_files *out, const char *end, struct text *t, struct diag *d)
{
    struct text wrapped;

    text_init(&wrapped, u->mem);
    free_wrap(&wrapped, t);
    text_free(t);
    return module_file(out, module_name(u), end, &wrapped, d);
}

/* NAME_check.c of what would be vectors.bin. */
static enum calque_status check_file(struct module *u, struct emit_files *out, const unsigned char *vectors, struct diag *d)
{
    struct text t;

    text_init(&t, u->mem);
    free_print_check(&t, u, vectors);
    return add_wrapped(u, out, "_check.c", &t, d);
}

static enum calque_status add(struct module *u, struct emit_files *out, const struct free_names *x, const char *end,
                              void (*print)(struct text *, const struct module *, const struct free_names *), struct diag *d)
{
    struct text t;

    text_init(&t, u->mem);
    print(&t, u, x);
    return add_wrapped(u, out, end, &t, d);
}

static enum calque_status print_all(struct module *u, struct emit_files *out, const struct free_names *x, struct diag *d)
{
    bool apart = u->weights > 0 && !u->o->single_file;
    enum calque_status st = add(u, out, x, ".h", print_header, d);
    struct text t;

    if (st == CALQUE_OK)
        st = add(u, out, x, ".c", print_source, d);
    if (st == CALQUE_OK && u->o->acsl)
        st = module_acsl_files(u, out, d);
    if (st == CALQUE_OK && apart && u->o->weights_pointer) {
        text_init(&t, u->mem);
        free_print_incbin(&t, u);
        st = module_file(out, module_name(u), "_weights.S", &t, d);
        if (st == CALQUE_OK)
            st = module_weights_file(u, out, d);
    } else if (st == CALQUE_OK && apart) {
        st = add(u, out, x, "_weights.c", print_weights, d);
    }
    if (st != CALQUE_OK)
        return st;
    text_init(&t, u->mem);
    print_makefile(&t, u);
    return module_file(out, "Makefile", "", &t, d);
}

enum calque_status free_files(struct module *u, struct emit_files *out, struct diag *d)
{
    struct free_names x = { .fn = NULL };
    struct emit_file vectors = { .data = NULL };
    enum calque_status st = free_names(&x, u, d);

    if (u->vectors > 0)
        vectors = out->file.a[--out->file.n];
    if (st == CALQUE_OK && !u->o->weights_pointer && u->weights > FREE_WEIGHTS_MAX)
        st = diag_set(d, CALQUE_LIMIT, "", 0, 0, "emit: %zu bytes of weights are too many for a C file: --weights=pointer", u->weights);
    if (st == CALQUE_OK && vectors.n > FREE_VECTORS_MAX)
        st = diag_set(d, CALQUE_LIMIT, "", 0, 0, "emit: test vectors of %zu bytes: more than %d, too many for a C file", vectors.n,
                      (int)FREE_VECTORS_MAX);
    if (u->o->single_file && !free_is_finite(u))
        u->libm |= PRINT_MATH;
    if (st == CALQUE_OK)
        st = print_all(u, out, &x, d);
    if (st == CALQUE_OK && vectors.data)
        st = check_file(u, out, vectors.data, d);
    if (st == CALQUE_OK)
        st = work_budget(u, &x, out, d);
    mem_free(vectors.data);
    free_names_free(&x);
    return st;
}
