/* From the nodes of a model to the lines of its C and back. Lines are found in the files as they are, each text after the one
   before it, so they are those of the text whatever printed it. */
#include "emit/module.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A place in a file that is read from top to bottom. */
struct reader {
    const char *s, *at; /* the text; where the next thing is looked for */
    int line;           /* of at, from 1 */
};

/* Moves to the next place of the text, which must be there. */
static bool seek(struct reader *r, const char *what)
{
    const char *to = strstr(r->at, what);

    for (const char *c = r->at; to && c < to; c++)
        r->line += *c == '\n';
    if (to)
        r->at = to;
    return to != NULL;
}

static int lines_in(const char *s, size_t n)
{
    int k = 0;

    for (size_t i = 0; i < n; i++)
        k += s[i] == '\n';
    return k;
}

static int find_file(const struct emit_files *out, const char *stem, const char *end)
{
    char name[sizeof out->file.a[0].name];

    snprintf(name, sizeof name, "%s%s", stem, end);
    for (int i = 0; i < out->file.n; i++)
        if (strcmp(out->file.a[i].name, name) == 0)
            return i;
    return -1;
}

static enum calque_status missing(const char *what, struct diag *d)
{
    return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: %s is not in the text", what);
}

/* A text of its own in the notes: its offset. */
static int keep(struct text *notes, const char *s, size_t n)
{
    int at = notes->n;

    text_put(notes, s, n);
    text_put(notes, "", 1);
    return at;
}

/* The lines of function i: those from its first to its closing brace, or with contracts all that belongs to it. */
static enum calque_status place_code(const struct module *u, struct reader *r, int i, struct emit_files *out, struct diag *d)
{
    struct emit_code *c = &out->trace.code.a[i];
    char name[96];
    struct text t;
    const char *body;
    enum calque_status st;

    snprintf(name, sizeof name, u->o->acsl ? "%.60s_k%d" : "%.0sk%d", module_name(u), i);
    text_init(&t, u->mem);
    if (u->o->acsl)
        module_named(&t, u, i);
    else
        module_function(&t, u, i, "static", name);
    st = text_status(&t, d);
    if (st == CALQUE_OK) {
        body = u->o->acsl ? t.a : strstr(t.a, "*/\n") + 3;
        c->name = keep(&out->notes, name, strlen(name));
        c->kernel = keep(&out->notes, u->text.a + u->fn.a[i].comment, (size_t)u->fn.a[i].ncomment);
        c->work = u->fn.a[i].work;
        c->measured = !u->o->acsl;
        if (seek(r, body)) {
            size_t n = strlen(body);
            while (n > 0 && body[n - 1] == '\n')
                n--;
            c->first = r->line;
            c->last = r->line + lines_in(body, n);
        } else {
            st = missing(name, d);
        }
    }
    text_free(&t);
    return st;
}

static enum calque_status find_codes(const struct module *u, struct emit_files *out, struct diag *d)
{
    int file = u->o->acsl ? find_file(out, module_name(u), "_kernels.c") : find_file(out, module_name(u), ".c");
    struct reader r = { .line = 1 };
    enum calque_status st = CALQUE_OK;

    out->trace.code.a = mem_zero(out->mem, (size_t)u->fn.n + 1, sizeof *out->trace.code.a);
    if (!out->trace.code.a)
        return diag_nomem(d);
    r.s = r.at = (const char *)out->file.a[file].data;
    out->trace.code.n = u->fn.n;
    for (int i = 0; i < u->fn.n && st == CALQUE_OK; i++) {
        out->trace.code.a[i].file = file;
        st = place_code(u, &r, i, out, d);
    }
    return st;
}

/* The functions of NAME.c that are no kernel's: a line at the margin with a parenthesis, then its braces. */
static enum calque_status find_others(const struct module *u, struct emit_files *out, struct diag *d)
{
    struct emit_trace *x = &out->trace;
    int file = find_file(out, module_name(u), ".c"), line = 1;
    const char *s = (const char *)out->file.a[file].data, *end, *open, *name;

    for (; *s; s = *end ? end + 1 : end, line++) {
        int last = line, kernel = 0;
        end = s + strcspn(s, "\n");
        open = memchr(s, '(', (size_t)(end - s));
        if (!((*s >= 'a' && *s <= 'z') || *s == '_') || !open || strncmp(end, "\n{\n", 3) != 0)
            continue;
        while (kernel < x->code.n && !(x->code.a[kernel].file == file && x->code.a[kernel].first == line))
            kernel++;
        for (name = open; name > s && name[-1] != ' ' && name[-1] != '*';)
            name--;
        end = strstr(end, "\n}\n");
        if (!end)
            return missing("the end of a function", d);
        last += lines_in(s, (size_t)(end + 1 - s));
        if (kernel == x->code.n) {
            if (!vec_room(out->mem, &x->other, 1))
                return diag_nomem(d);
            x->other.a[x->other.n++] = (struct emit_code){ .name = keep(&out->notes, name, (size_t)(open - name)), .kernel = -1,
                                                           .file = file, .first = line, .last = last };
        }
        end += 2;
        line = last;
    }
    return CALQUE_OK;
}

/* Adds the Concats in whose memory the group stores its values: they are computed so, each once. False: memory is out. */
static bool add_concats(const struct groups *gs, const struct group *x, struct emit_call *c, struct emit_files *out)
{
    for (int i = 0; i < x->k.stmt.n; i++) {
        int v = x->value[x->k.stmt.a[i].out];
        for (v = v < 0 || v >= gs->nodes ? -1 : gs->into[v]; v >= 0; v = gs->into[v]) {
            int k = c->node;
            while (k < out->trace.node.n && out->trace.node.a[k] != v)
                k++;
            if (k < out->trace.node.n)
                continue;
            if (!ints_push(out->mem, &out->trace.node, v))
                return false;
            c->nodes++;
        }
    }
    return true;
}

/* Which nodes and bytes a call is of. */
static enum calque_status describe_call(const struct module *u, const struct groups *gs, int i, struct emit_files *out, struct diag *d)
{
    const struct step *s = &u->step.a[i];
    struct emit_call *c = &out->trace.call.a[i];

    *c = (struct emit_call){ .function = s->fn, .state = s->state, .note = s->note, .node = out->trace.node.n };
    for (int k = 0; s->group >= 0 && k < gs->group.a[s->group].nmade; k++, c->nodes++)
        if (!ints_push(out->mem, &out->trace.node, gs->made.a[gs->group.a[s->group].made + k]))
            return diag_nomem(d);
    if (s->group >= 0 && !add_concats(gs, &gs->group.a[s->group], c, out))
        return diag_nomem(d);
    for (int k = 0; k < s->n; k++) {
        const struct slot *x = &u->slot.a[u->pool.a[s->first + k]];
        *(x->kind == SLOT_WEIGHT ? &c->weights : &c->buffers) += x->bytes;
    }
    return CALQUE_OK;
}

/* The line of a call, which is the next one in the text: in a loop a second comment says of which call it is at last. */
static enum calque_status find_call(const struct module *u, struct reader *r, int i, bool rolled, struct emit_files *out, struct diag *d)
{
    struct emit_call *c = &out->trace.call.a[i];
    const char *note = out->notes.a + u->step.a[i].note;
    enum calque_status st;
    struct text t;

    text_init(&t, u->mem);
    text_puts(&t, "    /* ");
    module_comment(&t, note, strlen(note));
    text_puts(&t, " */\n");
    st = text_status(&t, d);
    if (st == CALQUE_OK && !seek(r, t.a))
        st = missing(note, d);
    c->line = r->line + (rolled ? 2 : 1);
    if (st == CALQUE_OK) {
        r->at += t.n;
        r->line++;
    }
    text_free(&t);
    return st;
}

static enum calque_status find_calls(const struct module *u, const struct groups *gs, struct emit_files *out, struct diag *d)
{
    struct reader r = { .line = 1 };
    char head[96];
    enum calque_status st = CALQUE_OK;
    int at = 0;

    out->trace.call.a = mem_zero(out->mem, (size_t)u->step.n + 1, sizeof *out->trace.call.a);
    if (!out->trace.call.a)
        return diag_nomem(d);
    out->trace.call.n = u->step.n;
    r.s = r.at = (const char *)out->file.a[find_file(out, module_name(u), ".c")].data;
    snprintf(head, sizeof head, "\nint %.60s_run%s(", module_name(u), u->o->freestanding ? "" : "_in");
    if (!seek(&r, head))
        return missing(head + 1, d);
    for (int i = 0; i < u->step.n && st == CALQUE_OK; i++) {
        const struct roll *roll = roll_of(u, i, &at);
        st = describe_call(u, gs, i, out, d);
        if (st == CALQUE_OK && roll && i >= roll->first + roll->period)
            out->trace.call.a[i].line = out->trace.call.a[i - roll->period].line;
        else if (st == CALQUE_OK)
            st = find_call(u, &r, i, roll != NULL, out, d);
    }
    return st;
}

static enum calque_status find_buffers(const struct graph *g, const struct module *u, const int *slot, struct emit_files *out,
                                       struct diag *d)
{
    int *node = mem_resize(out->mem, NULL, (size_t)u->slot.n + 1, sizeof *node);

    out->trace.buffer.a = mem_zero(out->mem, (size_t)u->slot.n + 1, sizeof *out->trace.buffer.a);
    if (!node || !out->trace.buffer.a) {
        mem_free(node);
        return diag_nomem(d);
    }
    for (int i = 0; i < u->slot.n; i++)
        node[i] = -1;
    for (int i = g->node.n - 1; i >= 0; i--)
        if (slot[i] >= 0)
            node[slot[i]] = i;
    for (int i = 0; i < u->slot.n; i++)
        if (u->slot.a[i].kind == SLOT_ARENA && u->slot.a[i].def != INT_MAX)
            out->trace.buffer.a[out->trace.buffer.n++] = (struct emit_buffer){ node[i], u->slot.a[i].offset, u->slot.a[i].bytes,
                                                                              u->slot.a[i].def, u->slot.a[i].last };
    mem_free(node);
    return CALQUE_OK;
}

static enum calque_status find_values(const struct graph *g, const struct groups *gs, struct emit_files *out, struct diag *d)
{
    struct emit_trace *x = &out->trace;

    x->value = mem_zero(out->mem, (size_t)g->node.n + 1, sizeof *x->value);
    if (!x->value)
        return diag_nomem(d);
    for (int i = 0; i < g->node.n; i++) {
        int kind = g->node.a[i].kind;
        x->value[i].root = gs->root[i];
        x->value[i].value = kind == NODE_INPUT                         ? EMIT_INPUT
                            : kind == NODE_CONST || gs->constant[i]    ? EMIT_CONSTANT
                            : !gs->needed[i]                           ? EMIT_UNUSED
                            : gs->root[i] != i || kind != NODE_OP      ? EMIT_RENAMED
                            : shape_elems(&g->node.a[i].shape) == 0    ? EMIT_EMPTY
                                                                       : EMIT_COMPUTED;
    }
    return CALQUE_OK;
}

enum calque_status emit_trace(const struct graph *g, const struct groups *gs, const struct module *u, const int *slot,
                              struct emit_files *out, struct diag *d)
{
    enum calque_status st = find_values(g, gs, out, d);

    if (st == CALQUE_OK)
        st = find_codes(u, out, d);
    if (st == CALQUE_OK)
        st = find_others(u, out, d);
    if (st == CALQUE_OK)
        st = find_calls(u, gs, out, d);
    if (st == CALQUE_OK)
        st = find_buffers(g, u, slot, out, d);
    return st == CALQUE_OK ? text_status(&out->notes, d) : st;
}
