/* NAME.h, NAME.c and the Makefile of a module. */
#include "emit/module.h"
#include "tensor/npy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void put_upper(struct text *t, const char *s)
{
    for (; *s; s++) {
        char c = (char)toupper((unsigned char)*s);
        text_put(t, &c, 1);
    }
}

void module_template(struct text *t, const char *name, const char *s)
{
    for (; *s; s++)
        if (*s == '@')
            text_puts(t, name);
        else if (*s == '^')
            put_upper(t, name);
        else
            text_put(t, s, 1);
}

/* A C string literal; hexadecimal escapes would swallow following digits, octal ones do not. */
void module_print_string(struct text *t, const char *s)
{
    text_puts(t, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_printf(t, "\\%c", c);
        else if (c < 32 || c > 126 || c == '?')
            text_printf(t, "\\%03o", c);
        else
            text_put(t, s, 1);
    }
    text_puts(t, "\"");
}

/* Text inside a comment: no end of comment, one line. */
void module_comment(struct text *t, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '/' && i > 0 && s[i - 1] == '*')
            text_puts(t, " ");
        if (c == '*' && i > 0 && s[i - 1] == '/')
            text_puts(t, " ");
        text_put(t, (unsigned char)c < 32 ? " " : &s[i], 1);
    }
}

static const char header_text[] =
    "/* Emitted by calque. Tensors are dense and row-major, in the order of the tables; a float tensor needs the alignment\n"
    "   of float, and so on. Outputs must not overlap inputs, weights or each other." UNIT_BITS " */\n"
    "#ifndef ^_H\n"
    "#define ^_H\n"
    "\n"
    "#include <stddef.h>\n"
    "\n"
    "struct @_tensor {\n"
    "    const char *name;\n"
    "    const char *type; /* as in .npy files: <f4 <f8 <i4 <i8 |b1 */\n"
    "    int rank;\n"
    "    long dim[8];\n"
    "    size_t bytes;\n"
    "};\n"
    "\n";

static const char looks_text[] =
    "\n"
    "/* Look-ups by data: @_run returns 2 + the number in this table of the first one with an index outside of -size ..\n"
    "   size - 1. Then the outputs hold anything. */\n"
    "struct @_lookup {\n"
    "    const char *name;\n"
    "    int input; /* of the model, if the indices are its elements; else -1 */\n"
    "    long size;\n"
    "};\n"
    "extern const struct @_lookup @_lookup[];\n";

static const char layers_text[] =
    "\n"
    "/* The calls of a run, in order, by the operators they are of. After each of them @_layer is called with its number if it is\n"
    "   not NULL; for one run at a time. */\n"
    "extern const char *const @_layer_name[];\n"
    "extern void (*@_layer)(int number);\n";

static const char header_end[] =
    "\n"
    "/* Runs the model once. weights: what @_load_weights gave (NULL if there are none). 0, or 1 when memory is out";

static const char header_rest[] =
    "int @_run(const void *const *inputs, void *const *outputs, const unsigned char *weights);\n"
    "/* The same in memory of the caller's: ^_ARENA_BYTES bytes (of 0: NULL will do), aligned to 64; what they hold before and after\n"
    "   does not matter. Runs in one block save what the system takes to hand over fresh pages; at a time each run needs its own. */\n"
    "int @_run_in(void *memory, const void *const *inputs, void *const *outputs, const unsigned char *weights);\n"
    "\n"
    "/* Reads the weights file and verifies its size and checksum; *weights is freed with free, NULL after an error. */\n"
    "enum @_weights { ^_WEIGHTS_OK, ^_WEIGHTS_MEMORY, ^_WEIGHTS_UNREADABLE, ^_WEIGHTS_SIZE, ^_WEIGHTS_CHECKSUM };\n"
    "int @_read_weights(const char *path, unsigned char **weights);\n"
    "/* The same without a reason: the weights, or NULL. */\n"
    "unsigned char *@_load_weights(const char *path);\n"
    "\n"
    "#endif\n";

bool emit_print_checked(struct text *t, int checked, int plain, int unpacked, int unchecked)
{
    if (checked + plain + unchecked == 0)
        return false;
    text_printf(t, "checked: %d kernel%s", checked, checked == 1 ? "" : "s");
    if (plain > 0)
        text_printf(t, "; in plain code, because the check failed: %d", plain);
    if (unpacked > 0)
        text_printf(t, "; not packed, because the check failed: %d", unpacked);
    if (unchecked > 0)
        text_printf(t, "; not checked: %d look-up%s by data", unchecked, unchecked == 1 ? "" : "s");
    return true;
}

void module_print_checked(struct text *t, const struct module *u)
{
    struct text line;

    text_init(&line, u->mem);
    if (!u->o->acsl && emit_print_checked(&line, u->checked, u->fallback.n - u->unpacked, u->unpacked, u->unchecked))
        text_printf(t, "/* %s */\n", line.failed ? "" : line.a);
    t->failed = t->failed || line.failed;
    text_free(&line);
    module_print_math(t, u->o->numbers.math);
    if (u->o->numbers.sums == SUMS_LANES)
        text_puts(t, "/* sums: lanes: sums of 32 or more cells next to one another are 16 partial sums, added in order */\n");
    if (u->o->numbers.fma)
        text_puts(t, "/* fma: sums of products add each product by a fused multiply-add; without an instruction for it (-march=native, -mfma) "
                     "this is slow */\n");
}

void module_print_math(struct text *t, enum kernel_math math)
{
    if (math == MATH_CALQUE)
        text_puts(t, "/* math: calque: exp, log, tanh, erf and pow are functions of this code, the same bits on every machine */\n");
}

void module_print_header(struct text *t, const struct module *u)
{
    const char *name = module_name(u);

    module_template(t, name, header_text);
    module_print_checked(t, u);
    module_template(t, name, "enum { ^_INPUTS = ");
    text_printf(t, "%d, ", u->in.n);
    module_template(t, name, "^_OUTPUTS = ");
    text_printf(t, "%d };\n", u->out.n);
    module_template(t, name, "#define ^_WEIGHT_BYTES ");
    text_printf(t, "((size_t)%zu)\n", u->weights);
    module_template(t, name, "#define ^_WEIGHT_SUM ");
    text_printf(t, "0x%016llxu /* of their 64-bit words w: sum = (sum ^ w) * 0x9e3779b97f4a7c15, sum ^= sum >> 32 */\n",
                (unsigned long long)module_weight_sum(u));
    module_template(t, name, "#define ^_ARENA_BYTES ");
    text_printf(t, "((size_t)%zu) /* of a run */\n\n", u->arena);
    module_template(t, name, "extern const struct @_tensor @_input[], @_output[];\n");
    if (u->look.n > 0) {
        module_template(t, name, looks_text);
        module_template(t, name, "enum { ^_LOOKUPS = ");
        text_printf(t, "%d };\n", u->look.n);
    }
    if (u->o->with_main) {
        module_template(t, name, layers_text);
        module_template(t, name, "enum { ^_LAYERS = ");
        text_printf(t, "%d };\n", u->step.n);
    }
    module_template(t, name, header_end);
    text_puts(t, u->look.n > 0 ? ",\n   or 2 and more: see the look-ups. */\n" : ". */\n");
    module_template(t, name, header_rest);
}

static void put_ports(struct text *t, const struct module *u, bool input)
{
    int n = input ? u->in.n : u->out.n;

    module_template(t, module_name(u), "const struct @_tensor @_");
    text_puts(t, input ? "input[] = {\n" : "output[] = {\n");
    for (int i = 0; i < n; i++) {
        const struct port *p = input ? &u->in.a[i] : &u->out.a[i];
        text_puts(t, "    { ");
        module_print_string(t, strs_text(u->strs, p->name));
        text_printf(t, ", \"%s\", %d, { ", npy_descr(p->dtype), p->shape.rank);
        for (int k = 0; k < p->shape.rank; k++)
            text_printf(t, "%ld, ", p->shape.dim[k]);
        text_printf(t, "%s}, %zu },\n", p->shape.rank ? "" : "0 ", p->bytes);
    }
    text_printf(t, "%s};\n\n", n ? "" : "    { NULL, NULL, 0, { 0 }, 0 },\n");
}

void module_function(struct text *t, const struct module *u, int i, const char *before, const char *name)
{
    const struct function *f = &u->fn.a[i];
    const char *text = u->text.a + f->start;
    int type = (int)strcspn(text, " "); /* void or int, then the place of the name */

    text_puts(t, "/* ");
    module_comment(t, u->text.a + f->comment, (size_t)f->ncomment);
    text_printf(t, "*/\n%s %.*s %s", before, type, text, name);
    text_put(t, text + type + 1, (size_t)(f->len - type - 1));
    text_puts(t, "\n");
}

static void put_functions(struct text *t, const struct module *u)
{
    char name[16];

    for (int i = 0; i < u->fn.n; i++) {
        snprintf(name, sizeof name, "k%d", i);
        module_function(t, u, i, "static", name);
    }
}

static void put_arg(struct text *t, const struct module *u, int slot)
{
    const struct slot *s = &u->slot.a[module_whole(u, slot)];
    size_t inside = u->slot.a[slot].kind == SLOT_PART ? u->slot.a[slot].offset : 0;
    const char *ports = s->kind == SLOT_INPUT ? "inputs" : "outputs", *word = s->kind == SLOT_INPUT ? "const " : "";

    switch (s->kind) {
    case SLOT_WEIGHT: text_printf(t, "(const void *)(weights + %zu)", s->offset + inside); break;
    case SLOT_ARENA: text_printf(t, "(void *)(arena + %zu)", s->offset + inside); break;
    default:
        if (inside > 0)
            text_printf(t, "(%svoid *)((%sunsigned char *)%s[%d] + %zu)", word, word, ports, s->index, inside);
        else
            text_printf(t, "%s[%d]", ports, s->index);
    }
}

/* A look-up ends the run where an index is outside. */
static void put_look(struct text *t, const struct module *u, const struct step *s)
{
    text_printf(t, "    if (%s%sk%d(", u->o->acsl ? module_name(u) : "", u->o->acsl ? "_" : "", s->fn);
    for (int i = 0; i < s->n; i++) {
        text_puts(t, i ? ", " : "");
        put_arg(t, u, u->pool.a[s->first + i]);
    }
    text_printf(t, ") != 0) {\n        failed = failed != 0 ? failed : %d;\n        goto done;\n    }\n", 2 + s->look);
}

static void put_looks(struct text *t, const struct module *u)
{
    if (u->look.n == 0)
        return;
    module_template(t, module_name(u), "const struct @_lookup @_lookup[] = {\n");
    for (int i = 0; i < u->step.n; i++)
        if (u->step.a[i].look >= 0) {
            const struct module_look *x = &u->look.a[u->step.a[i].look];
            text_puts(t, "    { ");
            module_print_string(t, u->notes.a + u->step.a[i].note);
            text_printf(t, ", %d, %ld },\n", x->input, x->size);
        }
    text_puts(t, "};\n\n");
}

/* The argument of a roll's step, which is elsewhere in each period. */
static void put_moving(struct text *t, const struct module *u, int slot, size_t stride)
{
    struct roll_place p = roll_place(u, slot);

    switch (p.kind) {
    case SLOT_WEIGHT: text_puts(t, "(const void *)(weights + "); break;
    case SLOT_ARENA: text_puts(t, "(void *)(arena + "); break;
    case SLOT_INPUT: text_printf(t, "(const void *)((const unsigned char *)inputs[%d] + ", p.index); break;
    default: text_printf(t, "(void *)((unsigned char *)outputs[%d] + ", p.index);
    }
    roll_print_offset(t, p.offset, stride);
    text_puts(t, ")");
}

/* Step i; of roll r, or NULL. */
static void put_step(struct text *t, const struct module *u, int i, const struct roll *r)
{
    const struct step *s = &u->step.a[i];
    const int *arg = u->pool.a + s->first;
    const char *note = u->notes.a + s->note, *lead = r ? "        " : "    ";

    text_printf(t, "%s/* ", lead);
    module_comment(t, note, strlen(note));
    text_puts(t, " */\n");
    if (s->look >= 0) {
        put_look(t, u, s);
        return;
    }
    if (r)
        roll_print_note(t, u, r, i);
    text_puts(t, lead);
    if (s->fn < 0)
        text_puts(t, "memcpy(");
    else
        text_printf(t, "%s%s%sk%d(", u->fn.a[s->fn].can_fail ? "failed |= " : "", u->o->acsl ? module_name(u) : "",
                    u->o->acsl ? "_" : "", s->fn);
    for (int k = 0; k < s->n; k++) {
        size_t stride = r ? roll_stride(u, r, i, k) : 0;
        text_puts(t, k ? ", " : "");
        if (stride)
            put_moving(t, u, arg[k], stride);
        else
            put_arg(t, u, arg[k]);
    }
    if (s->fn < 0)
        text_printf(t, ", %zu", u->slot.a[arg[0]].bytes);
    text_puts(t, ");\n");
}

static void put_layers(struct text *t, const struct module *u)
{
    module_template(t, module_name(u), "void (*@_layer)(int number);\n\nconst char *const @_layer_name[] = {\n");
    for (int i = 0; i < u->step.n; i++) {
        text_puts(t, "    ");
        module_print_string(t, u->notes.a + u->step.a[i].note);
        text_puts(t, ",\n");
    }
    text_puts(t, "    NULL,\n};\n\n");
}

/* Tells the number of the call that was made. */
static void put_layer(struct text *t, const struct module *u, int i, const struct roll *r)
{
    module_template(t, module_name(u), r ? "        if (@_layer != NULL)\n            @_layer(" : "    if (@_layer != NULL)\n        @_layer(");
    text_printf(t, r ? "%d + %d * (int)calque_t);\n" : "%d);\n", i, r ? r->period : 0);
}

static bool uses_slot(const struct module *u, int kind)
{
    for (int s = 0; s < u->step.n; s++)
        for (int i = 0; i < u->step.a[s].n; i++)
            if (u->slot.a[module_whole(u, u->pool.a[u->step.a[s].first + i])].kind == kind)
                return true;
    return false;
}

/* A block of aligned_alloc, freed, is too small for the next one in glibc: each run would touch other pages. */
static const char run_text[] =
    "int @_run(const void *const *inputs, void *const *outputs, const unsigned char *weights)\n"
    "{\n"
    "    unsigned char *block = malloc(^_ARENA_BYTES + 64);\n"
    "    int status;\n"
    "\n"
    "    if (block == NULL)\n"
    "        return 1;\n"
    "    status = @_run_in(block + (64 - (uintptr_t)block % 64), inputs, outputs, weights);\n"
    "    free(block);\n"
    "    return status;\n"
    "}\n"
    "\n";

static const char run_only_text[] =
    "int @_run(const void *const *inputs, void *const *outputs, const unsigned char *weights)\n"
    "{\n"
    "    return @_run_in(NULL, inputs, outputs, weights);\n"
    "}\n"
    "\n";

static void put_run(struct text *t, const struct module *u)
{
    bool can_fail = false;

    for (int i = 0; i < u->step.n; i++)
        can_fail = can_fail || (u->step.a[i].fn >= 0 && u->fn.a[u->step.a[i].fn].can_fail);
    module_template(t, module_name(u),
                  "int @_run_in(void *memory, const void *const *inputs, void *const *outputs, const unsigned char *weights)\n{\n");
    text_puts(t, u->arena > 0 ? "    unsigned char *arena = memory;\n" : "");
    if (can_fail)
        text_puts(t, "    int failed = 0;\n");
    if (u->arena > 0 || can_fail)
        text_puts(t, "\n");
    if (!uses_slot(u, SLOT_INPUT))
        text_puts(t, "    (void)inputs;\n");
    if (!uses_slot(u, SLOT_OUTPUT))
        text_puts(t, "    (void)outputs;\n");
    if (!uses_slot(u, SLOT_WEIGHT))
        text_puts(t, "    (void)weights;\n");
    if (u->arena == 0)
        text_puts(t, "    (void)memory;\n");
    for (int i = 0, at = 0; i < u->step.n; i++) {
        const struct roll *r = roll_of(u, i, &at);
        if (r && i == r->first)
            roll_print_head(t, r);
        put_step(t, u, i, r);
        if (u->o->with_main)
            put_layer(t, u, i, r);
        if (r && i == r->first + r->period - 1) {
            text_puts(t, "    }\n");
            i += (r->count - 1) * r->period;
        }
    }
    text_puts(t, u->look.n > 0 ? "done:\n" : "");
    text_printf(t, "    return %s;\n}\n\n", can_fail ? "failed" : "0");
    module_template(t, module_name(u), u->arena > 0 ? run_text : run_only_text);
}

/* No template: ^ is C's here. */
static const char sum_text[] =
    "/* Of 64-bit words in the order of the processor; a step is a bijection of the sum and of the word. */\n"
    "static uint64_t weight_sum(const unsigned char *w, size_t n)\n"
    "{\n"
    "    uint64_t sum = 0, x;\n"
    "\n"
    "    for (size_t i = 0; i + 8 <= n; i += 8) {\n"
    "        memcpy(&x, w + i, 8);\n"
    "        sum = (sum ^ x) * 0x9e3779b97f4a7c15u;\n"
    "        sum ^= sum >> 32;\n"
    "    }\n"
    "    return sum;\n"
    "}\n"
    "\n";

static const char loader_text[] =
    "int @_read_weights(const char *path, unsigned char **weights)\n"
    "{\n"
    "    unsigned char *w = aligned_alloc(64, ^_WEIGHT_BYTES + 64);\n"
    "    FILE *f = fopen(path, \"rb\");\n"
    "    int error = w == NULL ? ^_WEIGHTS_MEMORY : f == NULL ? ^_WEIGHTS_UNREADABLE : ^_WEIGHTS_OK;\n"
    "\n"
    "    if (error == 0 && (fread(w, 1, ^_WEIGHT_BYTES, f) != ^_WEIGHT_BYTES || fgetc(f) != EOF))\n"
    "        error = ^_WEIGHTS_SIZE;\n"
    "    if (f != NULL && ferror(f))\n"
    "        error = ^_WEIGHTS_UNREADABLE;\n"
    "    if (error == 0 && weight_sum(w, ^_WEIGHT_BYTES) != ^_WEIGHT_SUM)\n"
    "        error = ^_WEIGHTS_CHECKSUM;\n"
    "    if (f != NULL)\n"
    "        fclose(f);\n"
    "    if (error != 0)\n"
    "        free(w);\n"
    "    *weights = error == 0 ? w : NULL;\n"
    "    return error;\n"
    "}\n"
    "\n"
    "unsigned char *@_load_weights(const char *path)\n"
    "{\n"
    "    unsigned char *w;\n"
    "\n"
    "    @_read_weights(path, &w);\n"
    "    return w;\n"
    "}\n";

void module_print_source(struct text *t, const struct module *u)
{
    module_template(t, module_name(u),
                 "/* Emitted by calque. With -fopenmp the marked loops run on threads." UNIT_BITS " */\n"
                 "#include \"@.h\"\n\n");
    print_checks(t);
    print_prelude(t, u->helpers, u->own);
    if (u->o->acsl)
        module_template(t, module_name(u), "#include \"@_kernels.h\"\n\n");
    else
        put_functions(t, u);
    put_ports(t, u, true);
    put_ports(t, u, false);
    put_looks(t, u);
    if (u->o->with_main)
        put_layers(t, u);
    put_run(t, u);
    text_puts(t, sum_text);
    module_template(t, module_name(u), loader_text);
}

static const char makefile_lib[] =
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

static const char makefile_main[] =
    "CC = gcc\n"
    UNIT_MAKE_FLAGS
    "INPUTS =\n"
    "\n"
    "all: @\n"
    "\n"
    "@: main.o @.o\n"
    "\t$(CC) $(CFLAGS) -o @ main.o @.o -lm\n"
    "\n"
    "main.o: main.c @.h\n"
    "\t$(CC) $(CFLAGS) -c main.c\n"
    "\n"
    "@.o: @.c @.h\n"
    "\t$(CC) $(CFLAGS) -c @.c\n"
    "\n"
    "run: @\n"
    "\t./@ $(INPUTS)\n"
    "\n"
    "clean:\n"
    "\trm -f @ main.o @.o\n"
    "\n"
    ".PHONY: all run clean\n";

void module_print_makefile(struct text *t, const struct module *u)
{
    module_template(t, module_name(u), u->o->with_main ? makefile_main : makefile_lib);
    text_puts(t, u->o->plain ? UNIT_MAKE_GUARDS : "");
    module_print_check_make(t, u);
}
