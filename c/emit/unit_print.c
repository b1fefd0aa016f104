/* NAME.h, NAME.c and the Makefile of a unit. */
#include "emit/unit.h"

#include <ctype.h>
#include <string.h>

static void put_upper(struct text *t, const char *s)
{
    for (; *s; s++) {
        char c = (char)toupper((unsigned char)*s);
        text_put(t, &c, 1);
    }
}

void unit_template(struct text *t, const char *name, const char *s)
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
static void put_string(struct text *t, const char *s)
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
void unit_comment(struct text *t, const char *s, size_t n)
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
    "   of float, and so on. Outputs must not overlap inputs, weights or each other. */\n"
    "#ifndef ^_H\n"
    "#define ^_H\n"
    "\n"
    "#include <stddef.h>\n"
    "\n"
    "struct @_tensor {\n"
    "    const char *name;\n"
    "    const char *type; /* as in .npy files: <f4 <f8 <i4 <i8 */\n"
    "    int rank;\n"
    "    long dim[8];\n"
    "    size_t bytes;\n"
    "};\n"
    "\n";

static const char header_end[] =
    "\n"
    "/* Runs the model once. weights: what @_load_weights gave (NULL if there are none). 0, or 1 when memory is out. */\n"
    "int @_run(const void *const *inputs, void *const *outputs, const unsigned char *weights);\n"
    "\n"
    "/* Reads the weights file; the result is freed with free. NULL when it cannot be read or has another size. */\n"
    "unsigned char *@_load_weights(const char *path);\n"
    "\n"
    "#endif\n";

void unit_print_header(struct text *t, const struct unit *u)
{
    const char *name = unit_name(u);

    unit_template(t, name, header_text);
    unit_template(t, name, "enum { ^_INPUTS = ");
    text_printf(t, "%d, ", u->in.n);
    unit_template(t, name, "^_OUTPUTS = ");
    text_printf(t, "%d };\n", u->out.n);
    unit_template(t, name, "#define ^_WEIGHT_BYTES ");
    text_printf(t, "((size_t)%zu)\n", u->weights);
    unit_template(t, name, "#define ^_ARENA_BYTES ");
    text_printf(t, "((size_t)%zu) /* allocated during a run */\n\n", u->arena);
    unit_template(t, name, "extern const struct @_tensor @_input[], @_output[];\n");
    unit_template(t, name, header_end);
}

static void put_ports(struct text *t, const struct unit *u, bool input)
{
    int n = input ? u->in.n : u->out.n;

    unit_template(t, unit_name(u), "const struct @_tensor @_");
    text_puts(t, input ? "input[] = {\n" : "output[] = {\n");
    for (int i = 0; i < n; i++) {
        const struct port *p = input ? &u->in.a[i] : &u->out.a[i];
        text_puts(t, "    { ");
        put_string(t, strs_text(u->strs, p->name));
        text_printf(t, ", \"%s\", %d, { ",
                    p->dtype == 1 ? "<f4" : p->dtype == 11 ? "<f8" : p->dtype == 6 ? "<i4" : "<i8", p->shape.rank);
        for (int k = 0; k < p->shape.rank; k++)
            text_printf(t, "%ld, ", p->shape.dim[k]);
        text_printf(t, "%s}, %zu },\n", p->shape.rank ? "" : "0 ", p->bytes);
    }
    text_printf(t, "%s};\n\n", n ? "" : "    { NULL, NULL, 0, { 0 }, 0 },\n");
}

static void put_functions(struct text *t, const struct unit *u)
{
    for (int i = 0; i < u->fn.n; i++) {
        const struct function *f = &u->fn.a[i];
        const char *text = u->text.a + f->start;
        int type = (int)strcspn(text, " "); /* void or int, then the place of the name */
        text_puts(t, "/* ");
        unit_comment(t, u->text.a + f->comment, (size_t)f->ncomment);
        text_printf(t, "*/\nstatic %.*s k%d", type, text, i);
        text_put(t, text + type + 1, (size_t)(f->len - type - 1));
        text_puts(t, "\n");
    }
}

static void put_arg(struct text *t, const struct unit *u, int slot)
{
    const struct slot *s = &u->slot.a[slot];

    switch (s->kind) {
    case SLOT_INPUT: text_printf(t, "inputs[%d]", s->index); break;
    case SLOT_OUTPUT: text_printf(t, "outputs[%d]", s->index); break;
    case SLOT_WEIGHT: text_printf(t, "(const void *)(weights + %zu)", s->offset); break;
    default: text_printf(t, "(void *)(arena + %zu)", s->offset); break;
    }
}

static void put_step(struct text *t, const struct unit *u, const struct step *s)
{
    const int *arg = u->pool.a + s->first;
    const char *note = u->notes.a + s->note;

    text_puts(t, "    /* ");
    unit_comment(t, note, strlen(note));
    text_puts(t, " */\n    ");
    if (s->fn < 0)
        text_puts(t, "memcpy(");
    else
        text_printf(t, "%s%s%sk%d(", u->fn.a[s->fn].can_fail ? "failed |= " : "", u->o->acsl ? unit_name(u) : "",
                    u->o->acsl ? "_" : "", s->fn);
    for (int i = 0; i < s->n; i++) {
        text_puts(t, i ? ", " : "");
        put_arg(t, u, arg[i]);
    }
    if (s->fn < 0)
        text_printf(t, ", %zu", u->slot.a[arg[0]].bytes);
    text_puts(t, ");\n");
}

static bool uses_slot(const struct unit *u, int kind)
{
    for (int s = 0; s < u->step.n; s++)
        for (int i = 0; i < u->step.a[s].n; i++)
            if (u->slot.a[u->pool.a[u->step.a[s].first + i]].kind == kind)
                return true;
    return false;
}

static void put_run(struct text *t, const struct unit *u)
{
    bool can_fail = false;

    for (int i = 0; i < u->step.n; i++)
        can_fail = can_fail || (u->step.a[i].fn >= 0 && u->fn.a[u->step.a[i].fn].can_fail);
    unit_template(t, unit_name(u),
                  "int @_run(const void *const *inputs, void *const *outputs, const unsigned char *weights)\n{\n");
    if (u->arena > 0)
        unit_template(t, unit_name(u), "    unsigned char *arena = aligned_alloc(64, ^_ARENA_BYTES);\n");
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
    if (u->arena > 0)
        text_puts(t, "    if (arena == NULL)\n        return 1;\n");
    for (int i = 0; i < u->step.n; i++)
        put_step(t, u, &u->step.a[i]);
    text_printf(t, "%s    return %s;\n}\n\n", u->arena > 0 ? "    free(arena);\n" : "", can_fail ? "failed" : "0");
}

static const char loader_text[] =
    "unsigned char *@_load_weights(const char *path)\n"
    "{\n"
    "    unsigned char *w = aligned_alloc(64, ^_WEIGHT_BYTES + 64);\n"
    "    FILE *f = fopen(path, \"rb\");\n"
    "    int ok = w != NULL && f != NULL && fread(w, 1, ^_WEIGHT_BYTES, f) == ^_WEIGHT_BYTES && fgetc(f) == EOF;\n"
    "\n"
    "    if (f != NULL)\n"
    "        fclose(f);\n"
    "    if (!ok) {\n"
    "        free(w);\n"
    "        return NULL;\n"
    "    }\n"
    "    return w;\n"
    "}\n";

void unit_print_source(struct text *t, const struct unit *u)
{
    unit_template(t, unit_name(u),
                 "/* Emitted by calque. Compile with -ffp-contract=off; with -fopenmp the marked loops run on threads. */\n"
                 "#include \"@.h\"\n\n");
    print_prelude(t, u->helpers);
    if (u->o->acsl)
        unit_template(t, unit_name(u), "#include \"@_kernels.h\"\n\n");
    else
        put_functions(t, u);
    put_ports(t, u, true);
    put_ports(t, u, false);
    put_run(t, u);
    unit_template(t, unit_name(u), loader_text);
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

void unit_print_makefile(struct text *t, const struct unit *u)
{
    unit_template(t, unit_name(u), u->o->with_main ? makefile_main : makefile_lib);
}
