/* Names, lines and data of freestanding code: weights as constant arrays, the check with its vectors. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "emit/module.h"
#include "tensor/op.h"

bool free_uses(const struct module *u, int slot)
{
    return u->slot.a[slot].def != INT_MAX;
}

size_t free_cells(size_t bytes, int elem)
{
    size_t n = bytes / elem_size(elem);

    return n > 0 ? n : 1;
}

/* ---- names: a number in each keeps them apart, also in the 31 characters that a linker may look at ---- */

enum { WORD_MAX = 40 };

/* n bytes as a part of an identifier, at most so many characters: runs of what is no letter or digit are one underscore. */
static void put_word(struct text *t, const char *s, size_t n, bool lower, int *left)
{
    bool gap = false, any = false;

    for (size_t i = 0; i < n && *left > 0; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c >= 128 || !isalnum(c)) {
            gap = any;
            continue;
        }
        if (gap) {
            text_puts(t, "_");
            (*left)--;
        }
        text_letter(t, lower ? (char)tolower(c) : (char)c);
        (*left)--;
        gap = false;
        any = true;
    }
}

/* conv_relu_ of "Conv node_1, Relu node_2". */
static void put_operators(struct text *t, const char *note)
{
    int left = WORD_MAX;

    note += strncmp(note, "the ", 4) == 0 ? 4 : 0;
    while (*note && left > 0) {
        const char *end = strstr(note, ", ");
        put_word(t, note, strcspn(note, " ,"), true, &left);
        text_puts(t, "_");
        note = end ? end + 2 : "";
    }
}

/* After the first of the places where the function is called. */
static void name_function(struct text *t, const struct module *u, int fn)
{
    int first = u->step.n;

    for (int i = u->step.n - 1; i >= 0; i--)
        if (u->step.a[i].fn == fn)
            first = i;
    if (u->o->acsl)
        text_printf(t, "%s_k", module_name(u));
    else if (first < u->step.n)
        put_operators(t, u->notes.a + u->step.a[first].note);
    text_printf(t, "%d", fn);
}

/* After the step that stores the buffer first. */
static void name_slot(struct text *t, const struct module *u, int i)
{
    if (u->slot.a[i].kind != SLOT_ARENA || !free_uses(u, i))
        return;
    put_operators(t, u->notes.a + u->step.a[u->slot.a[i].def].note);
    text_printf(t, "b%d", i);
}

static void name_port(struct text *t, const struct module *u, int i)
{
    bool input = i < u->in.n;
    const char *s = strs_text(u->strs, input ? u->in.a[i].name : u->out.a[i - u->in.n].name);
    int left = WORD_MAX;

    text_printf(t, input ? "in%d_" : "out%d_", input ? i : i - u->in.n);
    put_word(t, s, strlen(s), false, &left);
}

static void name_piece(struct text *t, const struct module *u, int i)
{
    const char *s = strs_text(u->strs, u->piece.a[i].name);
    int left = WORD_MAX;

    text_printf(t, "%s_w%d_", module_name(u), i);
    put_word(t, s, strlen(s), false, &left);
}

/* Inputs and outputs are parameters of the function that calls the others and reads the weights. */
static enum calque_status check_stem(const struct module *u, struct diag *d)
{
    const char *s = module_name(u);
    size_t n = strncmp(s, "in", 2) == 0 ? 2 : strncmp(s, "out", 3) == 0 ? 3 : 0;

    if (n == 0 || s[n + strspn(s + n, "0123456789")] != '\0')
        return CALQUE_OK;
    return diag_set(d, CALQUE_BAD, "", 0, 0, "emit: the name '%s' is taken: --freestanding calls inputs and outputs so", s);
}

enum calque_status free_names(struct free_names *x, const struct module *u, struct diag *d)
{
    enum calque_status st = check_stem(u, d);
    struct { int **a; int n; void (*print)(struct text *, const struct module *, int); } part[] = {
        { &x->fn, u->fn.n, name_function }, { &x->piece, u->piece.n, name_piece }, { &x->port, u->in.n + u->out.n, name_port },
        { &x->slot, u->slot.n, name_slot },
    };

    text_init(&x->text, u->mem);
    for (int k = 0; k < 4 && st == CALQUE_OK; k++) {
        *part[k].a = mem_zero(u->mem, (size_t)part[k].n + 1, sizeof **part[k].a);
        if (!*part[k].a)
            return diag_nomem(d);
        for (int i = 0; i < part[k].n; i++) {
            (*part[k].a)[i] = x->text.n;
            part[k].print(&x->text, u, i);
            text_put(&x->text, "", 1);
        }
    }
    return st == CALQUE_OK ? text_status(&x->text, d) : st;
}

void free_names_free(struct free_names *x)
{
    text_free(&x->text);
    mem_free(x->fn);
    mem_free(x->piece);
    mem_free(x->port);
    mem_free(x->slot);
}

/* ---- lines ---- */

/* Where the line s[0..n-1] is broken: at the last space that leaves at most `width` characters; else, in a comment, between
   any two characters that are no mark of one. 0: nowhere. */
static size_t break_at(const char *s, size_t n, size_t width, bool comment)
{
    size_t lead = 0, k = width;

    while (lead < n && s[lead] == ' ')
        lead++;
    while (k > lead && s[k] != ' ')
        k--;
    if (k > lead)
        return k;
    for (k = width; comment && k > lead + 1; k--)
        if (s[k] != '/' && s[k - 1] != '*' && s[k - 1] != '/')
            return k;
    return 0;
}

/* Is the end of s inside of a comment, if its beginning is as `in` says? */
static bool comment_after(const char *s, size_t n, bool in)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (in ? s[i] == '*' && s[i + 1] == '/' : s[i] == '/' && s[i + 1] == '*') {
            in = !in;
            i++;
        }
    return in;
}

static void wrap_line(struct text *t, const char *s, size_t n, bool *comment)
{
    size_t indent = 0, at, lead = 0;

    while (indent < n && s[indent] == ' ')
        indent++;
    indent = indent > 60 ? 60 : *comment ? indent : indent + (strncmp(s + indent, "/*", 2) == 0 ? 3 : 8);
    while (n > FREE_WIDTH - lead && s[0] != '#') {
        at = break_at(s, n, FREE_WIDTH - lead, comment_after(s, FREE_WIDTH - lead, *comment));
        if (at == 0)
            break;
        text_printf(t, "%*s", (int)lead, "");
        text_put(t, s, at);
        text_puts(t, "\n");
        *comment = comment_after(s, at, *comment);
        at += s[at] == ' ';
        s += at;
        n -= at;
        lead = indent;
    }
    text_printf(t, "%*s", (int)lead, "");
    text_put(t, s, n);
    text_puts(t, "\n");
    *comment = comment_after(s, n, *comment);
}

void free_wrap(struct text *t, const struct text *from)
{
    bool comment = false;

    t->failed = t->failed || from->failed;
    for (int i = 0; !from->failed && i < from->n;) {
        size_t n = strcspn(from->a + i, "\n");
        wrap_line(t, from->a + i, n, &comment);
        i += (int)n + 1;
    }
}

/* ---- weights ---- */

/* Between two numbers of a list, whose line began at *line. */
static void put_comma(struct text *t, int *line)
{
    bool full = t->n - *line > FREE_WIDTH - 28;

    text_puts(t, full ? ",\n    " : ", ");
    if (full)
        *line = t->n - 4;
}

static void put_cells(struct text *t, const struct piece *x)
{
    size_t n = x->bytes / elem_size(x->elem);
    int line = t->n;

    text_puts(t, n == 0 ? "0" : "");
    for (size_t i = 0; i < n; i++) {
        const unsigned char *p = (const unsigned char *)x->data + i * elem_size(x->elem);
        float f;
        double r;
        int32_t k;
        int64_t m;
        if (i)
            put_comma(t, &line);
        switch (x->elem) {
        case ELEM_F32: memcpy(&f, p, sizeof f); print_number(t, KERNEL_F32, (double)f, 0); break;
        case ELEM_F64: memcpy(&r, p, sizeof r); print_number(t, KERNEL_F64, r, 0); break;
        case ELEM_I32: memcpy(&k, p, sizeof k); print_number(t, KERNEL_I32, 0, k); break;
        case ELEM_I64: memcpy(&m, p, sizeof m); print_number(t, KERNEL_I64, 0, m); break;
        case ELEM_I8: text_printf(t, "%d", (int)(int8_t)*p); break;
        case ELEM_U8: text_printf(t, "%d", (int)*p); break;
        default: text_printf(t, "%d", *p != 0);
        }
    }
}

static bool is_finite(const struct piece *x)
{
    size_t n = x->elem == ELEM_F32 || x->elem == ELEM_F64 ? x->bytes / elem_size(x->elem) : 0;

    for (size_t i = 0; i < n; i++) {
        float f = 0;
        double r = 0;
        if (x->elem == ELEM_F32)
            memcpy(&f, (const unsigned char *)x->data + i * sizeof f, sizeof f);
        else
            memcpy(&r, (const unsigned char *)x->data + i * sizeof r, sizeof r);
        if (f - f != 0 || r - r != 0)
            return false;
    }
    return true;
}

static void put_array(struct text *t, const struct module *u, const struct free_names *x, int i)
{
    const struct piece *p = &u->piece.a[i];

    text_printf(t, "const %s %s[%zu]", print_elem(p->elem), x->text.a + x->piece[i], free_cells(p->bytes, p->elem));
}

bool free_is_finite(const struct module *u)
{
    for (int i = 0; i < u->piece.n; i++)
        if (free_uses(u, u->piece.a[i].slot) && !is_finite(&u->piece.a[i]))
            return false;
    return true;
}

void free_print_weights(struct text *t, const struct module *u, const struct free_names *x, enum free_weights how)
{
    for (int i = 0; i < u->piece.n; i++) {
        if (!free_uses(u, u->piece.a[i].slot))
            continue;
        if (how != FREE_STATIC) {
            text_puts(t, "extern ");
            put_array(t, u, x, i);
            text_puts(t, ";\n");
        }
        if (how == FREE_DECLARE)
            continue;
        text_puts(t, how == FREE_STATIC ? "static " : "");
        put_array(t, u, x, i);
        text_puts(t, " = {\n    ");
        put_cells(t, &u->piece.a[i]);
        text_puts(t, "\n};\n\n");
    }
    text_puts(t, how == FREE_DECLARE ? "\n" : "");
}

void free_print_incbin(struct text *t, const struct module *u)
{
    module_template(t, module_name(u),
                    "/* Emitted by calque: weights.bin as @_weights. */\n"
                    "    .section .rodata\n    .balign 64\n    .global @_weights\n    .type @_weights, %object\n@_weights:\n"
                    "    .incbin \"weights.bin\"\n    .size @_weights, . - @_weights\n"
                    "    .section .note.GNU-stack,\"\",%progbits\n");
}

/* ---- the check ---- */

static const struct port *port(const struct module *u, int i)
{
    return i < u->in.n ? &u->in.a[i] : &u->out.a[i - u->in.n];
}

static void put_tensor(struct text *t, const unsigned char *p, size_t bytes, size_t word)
{
    int line = t->n;

    text_puts(t, "    { ");
    for (size_t i = 0; i < bytes; i += word) {
        uint64_t x = 0;
        if (i)
            put_comma(t, &line);
        for (size_t k = word; k-- > 0;)
            x = x << 8 | p[i + k];
        text_printf(t, "0x%0*llxu", (int)word * 2, (unsigned long long)x);
    }
    text_puts(t, bytes ? " },\n" : "0 },\n");
}

/* The vectors of one tensor, which is `before` bytes behind the beginning of each vector. */
static void put_vectors(struct text *t, const struct module *u, int i, size_t before, size_t all, const unsigned char *vectors)
{
    const struct port *p = port(u, i);
    size_t word = dtype_size(p->dtype), cells = free_cells(p->bytes, dtype_elem(p->dtype));
    const char *type = print_elem(dtype_elem(p->dtype));
    bool input = i < u->in.n;
    int bits = (int)word * 8, k = input ? i : i - u->in.n;

    if (input)
        text_printf(t, "static const union {\n    uint%d_t bits[VECTORS][%zu];\n    %s cells[VECTORS][%zu];\n} in%d = { {\n", bits, cells,
                    type, cells, k);
    else
        text_printf(t, "static union {\n    uint%d_t bits[%zu];\n    %s cells[%zu];\n} out%d;\n\n", bits, cells, type, cells, k);
    if (!input && p->bytes == 0)
        return;
    if (!input)
        text_printf(t, "static const uint%d_t want%d[VECTORS][%zu] = {\n", bits, k, cells);
    for (int v = 0; v < u->vectors; v++)
        put_tensor(t, vectors + VECTORS_HEAD + (size_t)v * all + before, p->bytes, word);
    text_puts(t, input ? "} };\n\n" : "};\n\n");
}

static void put_output_check(struct text *t, const struct module *u, int i)
{
    const struct port *p = &u->out.a[i];
    bool f32 = p->dtype == DTYPE_F32, f64 = p->dtype == DTYPE_F64;

    text_printf(t, "    for (size_t i = 0; i < %zuu; i++)\n        if (out%d.bits[i] != want%d[v][i]", p->bytes / dtype_size(p->dtype), i, i);
    if (f32 || f64)
        text_printf(t, " && !(is_nan%d(out%d.bits[i]) && is_nan%d(want%d[v][i]))", f32 ? 32 : 64, i, f32 ? 32 : 64, i);
    text_puts(t, ")\n            return 1;\n");
}

static bool has_output(const struct module *u, int dtype)
{
    for (int i = 0; i < u->out.n; i++)
        if (u->out.a[i].dtype == dtype && u->out.a[i].bytes > 0)
            return true;
    return false;
}

static void put_call(struct text *t, const struct module *u)
{
    int n = 0;

    module_template(t, module_name(u), "    if (@_run(");
    for (int i = 0; i < u->in.n; i++)
        text_printf(t, "%sin%d.cells[v]", n++ ? ", " : "", i);
    for (int i = 0; i < u->out.n; i++)
        text_printf(t, "%sout%d.cells", n++ ? ", " : "", i);
    if (u->o->weights_pointer) {
        text_puts(t, n++ ? ", " : "");
        module_template(t, module_name(u), u->weights > 0 ? "@_weights" : "NULL");
    }
    if (!u->o->static_arena)
        text_puts(t, n++ ? ", arena.bytes" : "arena.bytes");
    module_template(t, module_name(u), ") != ^_OK)\n        return 2;\n");
}

void free_print_check(struct text *t, const struct module *u, const unsigned char *vectors)
{
    size_t all = 0, before = 0;

    for (int i = 0; i < u->in.n + u->out.n; i++)
        all += port(u, i)->bytes;
    module_template(t, module_name(u),
                    "/* Emitted by calque: compares what @ computes, as it was compiled here, with the reference interpreter's bits; any NaN\n"
                    "   is as good as another. main returns 0: identical; 1: an output differs; 2: the run failed. */\n#include \"@.h\"\n\n");
    text_printf(t, "enum { VECTORS = %d };\n\n", u->vectors);
    for (int i = 0; i < u->in.n + u->out.n; i++) {
        put_vectors(t, u, i, before, all, vectors);
        before += port(u, i)->bytes;
    }
    if (!u->o->static_arena)
        text_printf(t, "static union {\n    double align_real;\n    int64_t align_integer;\n    unsigned char bytes[%zu];\n} arena;\n\n",
                    u->arena > 0 ? u->arena : 1);
    if (has_output(u, DTYPE_F32))
        text_puts(t, "static int is_nan32(uint32_t x)\n{\n    return (x & 0x7fffffffu) > 0x7f800000u;\n}\n\n");
    if (has_output(u, DTYPE_F64))
        text_puts(t, "static int is_nan64(uint64_t x)\n{\n    return (x & 0x7fffffffffffffffu) > 0x7ff0000000000000u;\n}\n\n");
    text_puts(t, "/* Every cell of the outputs holds a wrong value before. */\nstatic int check(int v)\n{\n    (void)v;\n");
    for (int i = 0; i < u->out.n; i++)
        if (u->out.a[i].bytes > 0)
            text_printf(t, "    for (size_t i = 0; i < %zuu; i++)\n        out%d.bits[i] = (uint%d_t)~want%d[v][i];\n",
                    u->out.a[i].bytes / dtype_size(u->out.a[i].dtype), i, (int)dtype_size(u->out.a[i].dtype) * 8, i);
    put_call(t, u);
    for (int i = 0; i < u->out.n; i++)
        if (u->out.a[i].bytes > 0)
            put_output_check(t, u, i);
    text_puts(t, "    return 0;\n}\n\nint main(void)\n{\n    int status = 0;\n\n"
                 "    for (int v = 0; v < VECTORS && status == 0; v++)\n        status = check(v);\n    return status;\n}\n");
}
