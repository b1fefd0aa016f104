/* What stands between a model and its emission or evaluation: all the operators without a meaning, by kind. */
#include <string.h>

#include "cli/cli.h"
#include "tensor/op.h"

/* The nodes that fail for the same reason, in words that begin with their operator: a string id. */
struct kind {
    int words, count, first;
};

struct finding {
    struct cli *c;
    const struct graph *g;
    char *needed; /* by node */
    struct { struct kind *a; int n, cap; } kind;
};

static void find_needed(struct finding *f)
{
    const struct graph *g = f->g;

    for (int i = 0; i < g->output.n; i++)
        f->needed[g->output.a[i].node] = 1;
    for (int i = g->node.n - 1; i >= 0; i--)
        for (int k = 0; f->needed[i] && k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0 && (g->node.a[i].kind != NODE_OP || op_needs(g->node.a[i].op, k)))
                f->needed[graph_in(g, i, k)] = 1;
}

static bool is_typed(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    return x->kind == NODE_TUPLE || (x->dtype != DTYPE_UNKNOWN && x->shape.rank >= 0);
}

/* Is there an input of unknown type? Then what fails is not this operator first. */
static bool is_downstream(const struct graph *g, int node)
{
    for (int k = 0; k < g->node.a[node].nin; k++)
        if (graph_in(g, node, k) >= 0 && !is_typed(g, graph_in(g, node, k)))
            return true;
    return false;
}

/* What the reader of the model said of the value. */
static int reason_of(const struct cli *c, int value)
{
    for (int i = 0; value >= 0 && i < c->reasons.n; i++)
        if (c->reasons.a[i].value == value)
            return c->reasons.a[i].text;
    return -1;
}

static int opaque_words(const struct finding *f, int node)
{
    const struct graph *g = f->g;
    int words = reason_of(f->c, g->node.a[node].name);
    size_t len;
    const char *type = graph_opaque_type(g, node, &len);

    for (int i = node + 1; words < 0 && i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node)
            words = reason_of(f->c, g->node.a[i].name);
    return words >= 0 ? words : strs_add(&f->c->strs, type, len);
}

/* "Gather: the indices are not constant" of "node g (Gather): the indices are not constant: no kernel". */
static int kernel_words(const struct finding *f, int node, const struct diag *d)
{
    static const char none[] = ": no kernel";
    const char *at = strstr(d->text, "): ");
    size_t n;
    struct text t;
    int id;

    at = at ? at + 3 : d->text;
    n = strlen(at);
    if (n > sizeof none && strcmp(at + n - (sizeof none - 1), none) == 0)
        n -= sizeof none - 1;
    text_init(&t, &f->c->mem);
    text_printf(&t, "%s: %.*s", op_info(f->g->node.a[node].op)->name, (int)n, at);
    id = t.failed ? -1 : strs_addz(&f->c->strs, t.a);
    text_free(&t);
    return id;
}

/* An operator that would have a meaning if its inputs had types. */
static bool is_known(const char *type, size_t len)
{
    const char *name, *words;

    if (op_find(type, len) >= 0)
        return true;
    for (int k = 0; (name = onnx_expansion(k, &words)) != NULL; k++)
        if (strlen(name) == len && memcmp(name, type, len) == 0)
            return true;
    return false;
}

/* Why the node has no meaning: a string id; -1 when it has one, or when nothing can be said. */
static int words_of(const struct finding *f, int node)
{
    const struct graph *g = f->g;
    const struct node *x = &g->node.a[node];
    struct text t;
    struct diag d;
    enum calque_status st;

    if (x->kind != NODE_OP || !f->needed[node])
        return -1;
    if (x->op == OP_Opaque) {
        size_t len;
        const char *type = graph_opaque_type(g, node, &len);
        return is_downstream(g, node) && is_known(type, len) ? -1 : opaque_words(f, node);
    }
    if (is_downstream(g, node))
        return -1;
    diag_clear(&d);
    text_init(&t, &f->c->mem);
    st = op_kernel_text(g, node, &t, &d);
    text_free(&t);
    return st == CALQUE_BAD ? kernel_words(f, node, &d) : -1;
}

static void add(struct finding *f, int words, int node)
{
    for (int i = 0; i < f->kind.n; i++)
        if (f->kind.a[i].words == words) {
            f->kind.a[i].count++;
            return;
        }
    if (vec_room(&f->c->mem, &f->kind, 1))
        f->kind.a[f->kind.n++] = (struct kind){words, 1, node};
}

static const char *name_of(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    if (x->label >= 0)
        return strs_text(g->strs, x->label);
    if (x->name >= 0)
        return strs_text(g->strs, x->name);
    for (int i = node + 1; i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node && g->node.a[i].name >= 0)
            return strs_text(g->strs, g->node.a[i].name);
    return "";
}

/* As many kinds as a diagnostic has room for. */
static void say(struct finding *f, const char *path, struct diag *d)
{
    char text[DIAG_TEXT - 64];
    size_t at = 0;
    int done = 0, total = 0;

    for (int i = 0; i < f->kind.n; i++)
        total += f->kind.a[i].count;
    for (; done < f->kind.n; done++) {
        const struct kind *k = &f->kind.a[done];
        const char *name = name_of(f->g, k->first);
        int n = snprintf(text + at, sizeof text - at, "%s%s (%d%s%.40s)", done ? ", " : "", strs_text(&f->c->strs, k->words),
                         k->count, k->count > 1 ? ", first at " : *name ? " at " : "", name);
        if (n < 0 || (size_t)n >= sizeof text - at)
            break;
        at += (size_t)n;
    }
    text[at] = '\0';
    if (done < f->kind.n)
        diag_set(d, CALQUE_BAD, path, 0, 0, "%d operators are not supported: %s, and %d more kinds", total, text,
                 f->kind.n - done);
    else
        diag_set(d, CALQUE_BAD, path, 0, 0, "%d operator%s not supported: %s", total, total > 1 ? "s are" : " is", text);
}

void cli_unsupported(struct cli *c, const char *path, const struct graph *g, struct diag *d)
{
    struct finding f = {.c = c, .g = g, .needed = mem_zero(&c->mem, (size_t)g->node.n, 1)};

    if (f.needed && d->status == CALQUE_BAD) {
        find_needed(&f);
        for (int i = 0; i < g->node.n; i++) {
            int words = words_of(&f, i);
            if (words >= 0)
                add(&f, words, i);
        }
        if (f.kind.n > 0)
            say(&f, path, d);
    }
    mem_free(f.needed);
    mem_free(f.kind.a);
}
