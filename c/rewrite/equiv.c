/* The verdict on two models, from the strongest: exact rules join their outputs; runs on random inputs, which refute; cells of
   kernels of terms that had the same bits; all proved rules; cells again. Invariant: an output is called equal when its terms
   are of one class, whatever the runs say; what the runs contradict is not called equal. */
#include "rewrite/equiv_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/library.h"
#include "tensor/gen.h"
#include "tensor/op.h"

enum {
    SWEEP_TERMS = 20000,
    SWEEP_PAIRS = 3000, /* compared by their cells */
    SWEEP_EACH = 4,     /* of one term */
    SWEEP_SEEDS = 2
};
#define SWEEP_BYTES ((size_t)512 << 20)   /* of all values at once */
#define HEAVY 1e9                         /* operations of a run, from which one run must do before all rules are tried */

/* ---- inputs and outputs ---- */

static enum calque_status bad(const struct state *s, const char *format, const char *what, const char *name, const char *x, const char *y)
{
    return diag_set(s->d, CALQUE_BAD, s->o->file[1] ? s->o->file[1] : "", 0, 0, format, what, name, x, y);
}

static const char *port_name(const struct graph *g, bool output, int k)
{
    return output ? strs_text(g->strs, g->output.a[k].name) : graph_name(g, g->input.a[k]);
}

static int port_node(const struct graph *g, bool output, int k)
{
    return output ? g->output.a[k].node : g->input.a[k];
}

/* The port of the second model that k of the first one corresponds to, in *to; of the same type. */
static enum calque_status find_port(const struct state *s, bool output, int k, int *to)
{
    const struct graph *a = s->side[0].g, *b = s->side[1].g;
    const char *what = output ? "output" : "input", *name = port_name(a, output, k);
    char t[2][SHAPE_TEXT + 16], buf[SHAPE_TEXT];
    const struct node *n[2];
    int last = output ? b->output.n : b->input.n;

    *to = s->o->by_order ? k : -1;
    for (int j = 0; j < last && *to < 0; j++)
        if (strcmp(port_name(b, output, j), name) == 0)
            *to = j;
    if (*to < 0)
        return bad(s, "it has no %s '%.100s', as %.100s has (--by-order goes by their order%s)", what, name,
                   s->o->file[0] ? s->o->file[0] : "the first model", "");
    n[0] = &a->node.a[port_node(a, output, k)];
    n[1] = &b->node.a[port_node(b, output, *to)];
    if (n[0]->shape.rank < 0 || n[1]->shape.rank < 0)
        return bad(s, "%s '%.100s' has no shape that is known%s%s", what, name, "", "");
    for (int j = 0; j < 2; j++)
        snprintf(t[j], sizeof t[j], "%s %s", dtype_name(n[j]->dtype), shape_text(&n[j]->shape, buf));
    if (n[0]->dtype != n[1]->dtype || !shape_equal(&n[0]->shape, &n[1]->shape))
        return bad(s, "%s '%.100s' is %s, not %s as in the first model", what, name, t[1], t[0]);
    return CALQUE_OK;
}

static enum calque_status match_ports(struct state *s, bool output, int *to)
{
    const struct graph *a = s->side[0].g, *b = s->side[1].g;
    int n = output ? a->output.n : a->input.n, m = output ? b->output.n : b->input.n;
    char counts[2][16];
    enum calque_status st = CALQUE_OK;

    for (int k = 0; k < n && k < m && st == CALQUE_OK; k++) {
        st = find_port(s, output, k, &to[k]);
        for (int j = 0; j < k && st == CALQUE_OK; j++)
            if (to[j] == to[k])
                st = bad(s, "two %ss of the first model are called '%.100s' (--by-order goes by their order%s%s)",
                         output ? "output" : "input", port_name(a, output, k), "", "");
    }
    if (st != CALQUE_OK || n == m)
        return st;
    snprintf(counts[0], sizeof counts[0], "%d", n);
    snprintf(counts[1], sizeof counts[1], "%d", m);
    return bad(s, "it has other %ss than the first model: %s%s, not %s", output ? "output" : "input", counts[1], "", counts[0]);
}

/* ---- runs ---- */

/* Element k, or what stands for it where it is a NaN; whether it is one. */
static double real_at(const struct tensor *t, long k, bool *nan)
{
    double x;

    if (t->dtype == DTYPE_F32)
        x = (double)tensor_f32(t)[k];
    else
        memcpy(&x, (const char *)t->data + k * (long)sizeof x, sizeof x);
    *nan = isnan(x) != 0;
    return x;
}

static struct equiv_diff compare(const struct tensor *a, const struct tensor *b, const struct equiv_options *o)
{
    struct equiv_diff r = {.identical = true};
    bool real = a->dtype == DTYPE_F32 || a->dtype == DTYPE_F64, p, q;
    double most = 0, bound;

    if (!real) {
        r.identical = a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0;
        r.outside = !r.identical;
        r.abs = r.rel = r.identical ? 0 : (double)INFINITY;
        return r;
    }
    for (long k = 0; k < shape_elems(&a->shape); k++) {
        double x = fabs(real_at(a, k, &p));
        most = !p && isfinite(x) && x > most ? x : most;
    }
    bound = o->atol + o->rtol * most;
    for (long k = 0; k < shape_elems(&a->shape); k++) {
        double x = real_at(a, k, &p), y = real_at(b, k, &q), e = x == y ? 0 : fabs(x - y);
        if (p && q)
            continue;
        r.identical = r.identical && x == y && signbit(x) == signbit(y);
        e = isnan(e) ? (double)INFINITY : e;
        r.abs = e > r.abs ? e : r.abs;
        r.outside = r.outside || e > bound;
    }
    r.rel = most > 0 ? r.abs / most : r.abs;
    return r;
}

static void free_all(struct tensor *t, int n)
{
    for (int i = 0; t && i < n; i++)
        tensor_free(&t[i]);
}

/* Keeps why there is no run, which is no error but for memory. */
static enum calque_status no_run(struct state *s, enum calque_status st)
{
    if (st == CALQUE_OK || st == CALQUE_NOMEM)
        return st;
    snprintf(s->r->reason, sizeof s->r->reason, "no run: %.180s", s->d->text);
    diag_clear(s->d);
    return CALQUE_NO;
}

/* Floats in [-1, 1); those of every other seed larger, for what only they show. */
static void enlarge(struct tensor *t, unsigned long seed)
{
    double *x = t->data;

    for (long k = 0; seed % 2 == 0 && k < shape_elems(&t->shape); k++)
        if (t->dtype == DTYPE_F32)
            tensor_f32(t)[k] *= 8;
        else if (t->dtype == DTYPE_F64)
            x[k] *= 8;
}

static enum calque_status random_inputs(struct state *s, unsigned long first)
{
    const struct graph *a = s->side[0].g;
    unsigned long seed = first;
    enum calque_status st = CALQUE_OK;

    free_all(s->r->in, s->r->inputs);
    for (int k = 0; k < s->r->inputs && st == CALQUE_OK; k++) {
        const struct node *n = &a->node.a[a->input.a[k]];
        if (dtype_elem(n->dtype) == ELEM_OWN)
            st = diag_set(s->d, CALQUE_BAD, "", 0, 0, "input %s: element type %s cannot be generated", graph_name(a, a->input.a[k]),
                          dtype_name(n->dtype));
        if (st == CALQUE_OK)
            st = tensor_new(a->mem, n->dtype, &n->shape, &s->r->in[k], s->d);
        if (st == CALQUE_OK)
            st = graph_random(a, k, &s->r->in[k], &seed, s->d);
        if (st == CALQUE_OK)
            enlarge(&s->r->in[k], first);
    }
    return st;
}

/* Runs the second model on the same inputs, its outputs in the order of the first one's. */
static enum calque_status run_second(struct state *s)
{
    const struct graph *b = s->side[1].g;
    struct tensor *in = mem_zero(b->mem, (size_t)s->r->inputs + 1, sizeof *in);
    struct tensor *out = mem_zero(b->mem, (size_t)s->r->outputs + 1, sizeof *out);
    enum calque_status st = in && out ? CALQUE_OK : diag_nomem(s->d);

    if (st == CALQUE_OK) {
        for (int k = 0; k < s->r->inputs; k++)
            in[s->r->input_of[k]] = s->r->in[k];
        st = graph_run(b, in, out, s->o->threads, NULL, s->d);
    }
    for (int k = 0; k < s->r->outputs && st == CALQUE_OK; k++)
        s->r->out[1][k] = out[s->r->output_of[k]];
    mem_free(in);
    mem_free(out);
    return st;
}

/* Both on the inputs of the seed, which are kept with the outputs. *refuted: an output differs by more than rounding, or
   (o->exact) in a bit. */
static enum calque_status run(struct state *s, unsigned long seed, bool *refuted)
{
    struct equiv *r = s->r;
    enum calque_status st = random_inputs(s, seed);

    free_all(r->out[0], r->outputs);
    free_all(r->out[1], r->outputs);
    if (st == CALQUE_OK)
        st = graph_run(s->side[0].g, r->in, r->out[0], s->o->threads, NULL, s->d);
    if (st == CALQUE_OK)
        st = run_second(s);
    if (st != CALQUE_OK)
        return no_run(s, st);
    r->runs++;
    for (int k = 0; k < r->outputs && !*refuted; k++) {
        struct equiv_diff e = compare(&r->out[0][k], &r->out[1][k], s->o);
        r->worst.abs = e.abs > r->worst.abs ? e.abs : r->worst.abs;
        r->worst.rel = e.rel > r->worst.rel ? e.rel : r->worst.rel;
        r->worst.identical = r->worst.identical && e.identical;
        if (e.outside || (s->o->exact && !e.identical)) {
            r->worst.outside = *refuted = true;
            r->seed = seed;
            r->output = k;
        }
    }
    return CALQUE_OK;
}

/* Runs number first to last - 1. */
static enum calque_status runs(struct state *s, long first, long last, bool *refuted)
{
    enum calque_status st = CALQUE_OK;

    for (long k = first; k < last && st == CALQUE_OK && !*refuted; k++) {
        equiv_tell(s, "runs on random inputs");
        st = run(s, s->o->seed + (unsigned long)k, refuted);
    }
    return st == CALQUE_NO ? CALQUE_OK : st;
}

/* ---- cells ---- */

/* Has the term a value that can be computed and kept, from terms that have? */
static bool has_value(const struct state *s, const bool *ok, int i)
{
    const struct graph *g = &s->t.g;
    const struct node *n = &g->node.a[i];

    for (int k = 0; k < n->nin; k++)
        if (graph_in(g, i, k) >= 0 && !ok[graph_in(g, i, k)])
            return false;
    if (n->kind == NODE_TUPLE || n->kind == NODE_INPUT || n->kind == NODE_CONST)
        return true;
    return (n->kind != NODE_OP || n->op != OP_Opaque) && (graph_multi(g, i) || dtype_elem(n->dtype) != ELEM_OWN);
}

static unsigned long hash_bits(const struct tensor *t, unsigned long h)
{
    const unsigned char *p = t->data;
    bool real = t->dtype == DTYPE_F32 || t->dtype == DTYPE_F64, nan;

    if (real)
        for (long k = 0; k < shape_elems(&t->shape); k++) {
            double x = real_at(t, k, &nan);
            unsigned long bits;
            x = nan ? (double)NAN : x;
            memcpy(&bits, &x, sizeof bits);
            h = (h ^ bits) * 0x9e3779b97f4a7c15u;
            h ^= h >> 31;
        }
    else
        for (size_t k = 0; k < t->bytes; k++)
            h = (h ^ p[k]) * 0x100000001b3u;
    return h | 1;
}

/* The values of all terms that have one, as outputs of the terms' graph, into s->hash. CALQUE_NO: they do not fit or fail. */
static enum calque_status hash_values(struct state *s, const bool *ok)
{
    struct graph *g = &s->t.g;
    struct tensor *out;
    size_t bytes = 0;
    enum calque_status st = CALQUE_OK;

    g->output.n = 0;
    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        if (!ok[i] || n->kind == NODE_TUPLE || graph_multi(g, i))
            continue;
        bytes += (size_t)shape_elems(&n->shape) * dtype_size(n->dtype);
        if (bytes > SWEEP_BYTES)
            return CALQUE_NO;
        if (!graph_output(g, i, -1))
            return diag_nomem(s->d);
    }
    out = mem_zero(g->mem, (size_t)g->output.n + 1, sizeof *out);
    if (!out)
        return diag_nomem(s->d);
    for (int k = 0; k < SWEEP_SEEDS && k < s->o->tries && st == CALQUE_OK; k++) {
        st = random_inputs(s, s->o->seed + (unsigned long)k);
        if (st == CALQUE_OK)
            st = graph_run(g, s->r->in, out, s->o->threads, NULL, s->d);
        for (int i = 0; i < g->output.n && st == CALQUE_OK; i++)
            s->hash[g->output.a[i].node] = hash_bits(&out[i], s->hash[g->output.a[i].node]);
        free_all(out, g->output.n);
    }
    mem_free(out);
    if (st != CALQUE_OK && st != CALQUE_NOMEM)
        diag_clear(s->d);
    return st == CALQUE_OK || st == CALQUE_NOMEM ? st : CALQUE_NO;
}

/* Joins term i with earlier ones of the same bits whose cells are the same. */
static enum calque_status sweep_term(struct state *s, int i, int *pairs)
{
    const struct node *n = &s->t.g.node.a[i];
    enum calque_status st = CALQUE_OK;
    int tried = 0;

    for (int j = 0; j < i && tried < SWEEP_EACH && *pairs < SWEEP_PAIRS && st == CALQUE_OK; j++) {
        const struct node *m = &s->t.g.node.a[j];
        bool same = false;
        if (s->hash[j] != s->hash[i] || m->dtype != n->dtype || !shape_equal(&m->shape, &n->shape) ||
            (m->kind == NODE_CONST && n->kind == NODE_CONST) || terms_class(&s->t, i) == terms_class(&s->t, j))
            continue;
        tried++;
        ++*pairs;
        st = terms_same_cells(&s->t, i, j, &same, s->d);
        if (same && terms_join(&s->t, i, j)) {
            s->r->kernels++;
            st = terms_close(&s->t, s->d);
        }
    }
    return st;
}

/* Where the outputs differ, compares the cells of terms that have the same bits, from the inputs on. */
static enum calque_status sweep(struct state *s)
{
    struct graph *g = &s->t.g;
    bool *ok;
    int pairs = 0;
    enum calque_status st;

    if (equiv_all(s) || s->r->runs == 0 || g->node.n > SWEEP_TERMS)
        return CALQUE_OK;
    equiv_tell(s, "cells of kernels");
    mem_free(s->hash);
    s->hash = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *s->hash);
    ok = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *ok);
    st = s->hash && ok ? CALQUE_OK : diag_nomem(s->d);
    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++)
        ok[i] = has_value(s, ok, i);
    if (st == CALQUE_OK)
        st = hash_values(s, ok);
    for (int i = 0; i < g->node.n && st == CALQUE_OK && !equiv_all(s); i++)
        if (s->hash[i] && pairs < SWEEP_PAIRS)
            st = sweep_term(s, i, &pairs);
    mem_free(ok);
    g->output.n = 0;
    return st == CALQUE_NO ? CALQUE_OK : st;
}

/* ---- the verdict ---- */

static bool same_head(const struct graph *a, int x, const struct graph *b, int y)
{
    const struct node *m = &a->node.a[x], *n = &b->node.a[y];

    if (m->kind != n->kind || m->nin != n->nin || m->nattr != n->nattr || m->index != n->index || m->kind == NODE_CONST)
        return false;
    if (m->kind == NODE_OP && m->op != n->op)
        return false;
    for (int k = 0; k < m->nattr; k++) {
        const struct node_attr *p = &a->attr.a[m->attr + k], *q = &b->attr.a[n->attr + k];
        if (p->label != q->label || !value_equal(a->values, p->value, q->value))
            return false;
    }
    return true;
}

/* From output k down while both are the same operator: to the first operands that are not known equal. */
static void find_parting(struct state *s, int k)
{
    const struct side *p = &s->side[0], *q = &s->side[1];
    int x = p->g->output.a[p->from[k]].node, y = q->g->output.a[q->from[k]].node;
    bool down = true;

    while (down && same_head(p->g, x, q->g, y)) {
        down = false;
        for (int i = 0; i < p->g->node.a[x].nin && !down; i++) {
            int u = graph_in(p->g, x, i), v = graph_in(q->g, y, i);
            if (u < 0 || v < 0 || terms_class(&s->t, p->map[u]) == terms_class(&s->t, q->map[v]))
                continue;
            x = u;
            y = v;
            down = true;
        }
    }
    s->r->part[0] = x;
    s->r->part[1] = y;
}

static void decide(struct state *s, bool exact, bool refuted)
{
    struct equiv *r = s->r;

    if (equiv_all(s) && !r->cover.outside && !refuted && (!exact || r->worst.identical)) {
        r->verdict = exact ? EQUIV_EXACT : EQUIV_REAL;
        return;
    }
    r->verdict = refuted && !equiv_all(s) ? EQUIV_REFUTED : EQUIV_UNKNOWN;
    if (equiv_all(s) && r->cover.outside)
        snprintf(r->reason, sizeof r->reason, "no theorem covers this: '%s' has no meaning in the semantics", r->cover.name);
    else if (equiv_all(s))
        snprintf(r->reason, sizeof r->reason, "rules make both the same in the reals, yet outputs differ by more than the bound");
    for (int k = r->outputs - 1; k >= 0; k--)
        if (!equiv_output(s, k) && (r->verdict == EQUIV_UNKNOWN || k == r->output))
            find_parting(s, k);
}

/* Does a run of the first model take long? */
static enum calque_status weigh(const struct state *s, bool *heavy)
{
    const struct graph *a = s->side[0].g;
    struct diag why;
    double cost = 0;

    for (int i = 0; i < a->node.n && cost <= HEAVY; i++) {
        struct kernel k;
        enum calque_status st;
        if (a->node.a[i].kind != NODE_OP)
            continue;
        st = op_kernel(a, i, &k, &why);
        cost += st == CALQUE_OK ? kernel_cost(&k) : 0;
        kernel_free(&k);
        if (st == CALQUE_NOMEM)
            return diag_nomem(s->d);
    }
    *heavy = cost > HEAVY;
    return CALQUE_OK;
}

/* What the outputs are that exact rules do not make the same. */
static enum calque_status look_closer(struct state *s, bool *exact, bool *refuted)
{
    const struct equiv_options *o = s->o;
    bool heavy = false;
    enum calque_status st = weigh(s, &heavy);

    heavy = heavy && !o->exact;
    if (st == CALQUE_OK)
        st = runs(s, 0, heavy && o->tries > 1 ? 1 : o->tries, refuted);
    if (st == CALQUE_OK && s->r->worst.identical && !heavy)
        st = sweep(s);
    if (st != CALQUE_OK || equiv_all(s) || o->exact)
        return st;
    *exact = false;
    st = equiv_rewrite(s, false);
    if (st == CALQUE_OK && !equiv_all(s) && !*refuted && heavy)
        st = runs(s, 1, o->tries, refuted);
    return st == CALQUE_OK && !*refuted ? sweep(s) : st;
}

static enum calque_status stages(struct state *s)
{
    bool refuted = false, exact = true;
    enum calque_status st = equiv_rewrite(s, true);

    s->r->worst.identical = true;
    if (st == CALQUE_OK && !equiv_all(s))
        st = look_closer(s, &exact, &refuted);
    if (st == CALQUE_OK)
        decide(s, exact, refuted);
    return st;
}

static enum calque_status begin(struct state *s)
{
    const struct graph *a = s->side[0].g, *b = s->side[1].g;
    struct equiv *r = s->r;
    enum calque_status st;
    size_t in = (size_t)(a->input.n > b->input.n ? a->input.n : b->input.n) + 1;
    size_t out = (size_t)(a->output.n > b->output.n ? a->output.n : b->output.n) + 1;
    int *order;

    r->inputs = a->input.n;
    r->outputs = a->output.n;
    r->input_of = mem_zero(r->mem, in, sizeof *r->input_of);
    r->output_of = mem_zero(r->mem, out, sizeof *r->output_of);
    r->in = mem_zero(r->mem, in, sizeof *r->in);
    for (int i = 0; i < 2; i++) {
        r->out[i] = mem_zero(r->mem, out, sizeof *r->out[i]);
        s->input[i] = mem_zero(r->mem, in, sizeof *s->input[i]);
        s->side[i].map = mem_zero(r->mem, (size_t)s->side[i].g->node.n + 1, sizeof *s->side[i].map);
        s->side[i].output = mem_zero(r->mem, out, sizeof *s->side[i].output);
        if (!r->out[i] || !s->input[i] || !s->side[i].map || !s->side[i].output)
            return diag_nomem(s->d);
    }
    order = mem_zero(r->mem, out, sizeof *order);
    s->side[0].from = order;
    s->side[1].from = r->output_of;
    if (!r->input_of || !r->output_of || !r->in || !order)
        return diag_nomem(s->d);
    for (int k = 0; k < r->outputs; k++)
        order[k] = k;
    st = match_ports(s, false, r->input_of);
    if (st == CALQUE_OK)
        st = match_ports(s, true, r->output_of);
    if (st == CALQUE_OK)
        st = library_parse(&r->rules, "all", s->d);
    for (int i = 0; i < 2 && st == CALQUE_OK; i++) {
        r->applied[i] = mem_zero(r->mem, (size_t)r->rules.rule.n + 1, sizeof *r->applied[i]);
        st = r->applied[i] ? rewrite_cover(s->side[i].g, &r->cover, s->d) : diag_nomem(s->d);
    }
    return st;
}

/* The terms of both models as they are. */
static enum calque_status add_both(struct state *s)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < 2 && st == CALQUE_OK; i++) {
        struct side *p = &s->side[i];
        st = terms_add(&s->t, p->g, p->input, p->map, s->d);
        for (int k = 0; k < s->r->inputs && st == CALQUE_OK && i == 0; k++) {
            s->input[0][k] = p->map[p->g->input.a[k]];
            s->input[1][s->r->input_of[k]] = s->t.g.input.a[k] = s->input[0][k]; /* in the order of the first model's */
        }
        for (int k = 0; k < s->r->outputs && st == CALQUE_OK; k++)
            p->output[k] = p->map[p->g->output.a[p->from[k]].node];
        s->side[0].input = s->input[0];
        s->side[1].input = s->input[1];
    }
    return st;
}

enum calque_status equiv(const struct graph *a, const struct graph *b, const struct equiv_options *o, struct equiv *r,
                         struct diag *d)
{
    struct state s = {.o = o, .r = r, .side = {{.g = a}, {.g = b}}, .d = d};
    enum calque_status st;

    memset(r, 0, sizeof *r);
    r->mem = a->mem;
    r->verdict = EQUIV_UNKNOWN;
    r->class = r->part[0] = r->part[1] = -1;
    rules_init(&r->rules, a->mem, a->strs, a->values);
    terms_init(&s.t, a->mem, a->strs, a->values);
    st = begin(&s);
    if (st == CALQUE_OK)
        st = add_both(&s);
    if (st == CALQUE_OK)
        st = stages(&s);
    for (int i = 0; i < 2; i++) {
        mem_free(s.input[i]);
        mem_free(s.side[i].map);
        mem_free(s.side[i].output);
    }
    mem_free((void *)(uintptr_t)s.side[0].from);
    mem_free(s.hash);
    terms_free(&s.t);
    return st;
}

void equiv_free(struct equiv *r)
{
    free_all(r->in, r->inputs);
    for (int i = 0; i < 2; i++) {
        free_all(r->out[i], r->outputs);
        mem_free(r->out[i]);
        mem_free(r->applied[i]);
    }
    mem_free(r->in);
    mem_free(r->input_of);
    mem_free(r->output_of);
    rules_free(&r->rules);
    memset(r, 0, sizeof *r);
}
