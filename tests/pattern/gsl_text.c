/* Answers (rule, graph) pairs on standard input as `calque-oracle gsl` does (oracle/gsl_batch.mli has the form of the
   stream): from the .graph and .gsl text of each it prints the graph and the rule as they were read, the matches, and the
   graph after one rewrite and after one pass, every node typed, in the order of a walk from the outputs. On standard error: what refused
   matches, over all pairs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "graph/text.h"
#include "pattern/match.h"
#include "rewrite/rewrite.h"
#include "tensor/op.h"

struct totals {
    long pairs, errors, matches, rewritten, passes;
    struct rewrite_count c;
};

struct session {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct rules rules;
    struct text out;
    struct totals *totals;
    struct diag d;
};

static void session_init(struct session *s, struct totals *totals)
{
    memset(s, 0, sizeof *s);
    s->mem = (struct mem)MEM_INIT;
    strs_init(&s->strs, &s->mem);
    values_init(&s->values, &s->mem);
    graph_init(&s->g, &s->mem, &s->strs, &s->values);
    rules_init(&s->rules, &s->mem, &s->strs, &s->values);
    text_init(&s->out, &s->mem);
    s->totals = totals;
    diag_clear(&s->d);
}

static void session_free(struct session *s)
{
    text_free(&s->out);
    rules_free(&s->rules);
    graph_free(&s->g);
    values_free(&s->values);
    strs_free(&s->strs);
}

static void quoted(struct session *s, int id)
{
    text_quote(&s->out, strs_text(&s->strs, id), (size_t)strs_len(&s->strs, id));
}

/* Node number `node`, called k, the inputs by to[] (NULL: their own numbers), with a name or without. */
static void put_node(struct session *s, int node, int k, const int *to, bool named)
{
    const struct node *n = &s->g.node.a[node];
    struct text *t = &s->out;
    int value = -1;

    text_printf(t, "  (%d ", k);
    if (named && n->name >= 0)
        quoted(s, n->name);
    else
        text_puts(t, "-");
    text_printf(t, " (%s", n->dtype ? dtype_name(n->dtype) : "?");
    for (int i = 0; i < n->shape.rank; i++)
        text_printf(t, " %ld", n->shape.dim[i]);
    text_printf(t, "%s) ", n->shape.rank < 0 ? " ?" : "");
    if (n->kind == NODE_OP)
        text_printf(t, "(op %s (", op_info(n->op)->name);
    else if (n->kind == NODE_PROJ || n->kind == NODE_TUPLE)
        text_puts(t, n->kind == NODE_PROJ ? "(proj " : "(tuple ");
    for (int i = 0; i < n->nin; i++) {
        int in = graph_in(&s->g, node, i);
        if (in < 0)
            text_printf(t, "%s-", i ? " " : "");
        else
            text_printf(t, "%s%d", i ? " " : "", to ? to[in] : in);
    }
    if (n->kind == NODE_OP) {
        text_puts(t, ") (");
        for (int i = 0; i < n->nattr; i++) {
            const struct node_attr *a = &s->g.attr.a[n->attr + i];
            text_printf(t, "%s(%s ", i ? " " : "", strs_text(&s->strs, a->label));
            value_print(t, &s->values, &s->strs, a->value);
            text_puts(t, ")");
        }
        text_puts(t, "))");
    } else if (n->kind == NODE_PROJ) {
        text_printf(t, " %d)", n->index);
    } else if (n->kind == NODE_TUPLE) {
        text_puts(t, ")");
    } else if (n->kind == NODE_CONST && graph_const_attr(&s->g, node, &value) && value >= 0) {
        text_puts(t, "(const ");
        value_print(t, &s->values, &s->strs, value);
        text_puts(t, ")");
    } else {
        text_puts(t, n->kind == NODE_CONST ? "(const)" : "(input)");
    }
    text_puts(t, ")\n");
}

static void put_outputs(struct session *s, const int *to)
{
    text_puts(&s->out, "  (outputs");
    for (int k = 0; k < s->g.output.n; k++) {
        const struct graph_output *o = &s->g.output.a[k];
        text_puts(&s->out, " (");
        quoted(s, o->name);
        text_printf(&s->out, " %d)", to ? to[o->node] : o->node);
    }
    text_puts(&s->out, "))\n");
}

static void put_graph(struct session *s)
{
    text_puts(&s->out, "(graph -\n");
    for (int k = 0; k < s->g.node.n; k++)
        put_node(s, k, k, NULL, true);
    put_outputs(s, NULL);
}

/* Numbers `root` and what it is computed from, depth first, first inputs first. The generated graphs are small; the
   depth is bounded by a stack of their size. */
static void number(const struct graph *g, int root, int *to, int *order, int *n, int *stack)
{
    int top = 0;

    stack[top++] = root;
    while (top > 0) {
        int node = stack[top - 1], next = -1;
        const struct node *nd = &g->node.a[node];
        for (int k = 0; k < nd->nin && next < 0 && to[node] < 0; k++) {
            int in = graph_in(g, node, k);
            if (in >= 0 && to[in] < 0)
                next = in;
        }
        if (next >= 0) {
            stack[top++] = next;
            continue;
        }
        if (to[node] < 0) {
            order[*n] = node;
            to[node] = (*n)++;
        }
        top--;
    }
}

static void put_canonical(struct session *s)
{
    size_t n = (size_t)s->g.node.n + 1;
    int *to = malloc(n * sizeof *to), *order = malloc(n * sizeof *order), *stack = malloc(n * sizeof *stack), count = 0;

    if (!to || !order || !stack)
        abort();
    for (int k = 0; k < s->g.node.n; k++)
        to[k] = -1;
    for (int k = 0; k < s->g.input.n; k++)
        number(&s->g, s->g.input.a[k], to, order, &count, stack);
    for (int k = 0; k < s->g.output.n; k++)
        number(&s->g, s->g.output.a[k].node, to, order, &count, stack);
    text_puts(&s->out, "(graph -\n");
    for (int k = 0; k < count; k++)
        put_node(s, order[k], k, to, s->g.node.a[order[k]].kind == NODE_INPUT);
    put_outputs(s, to);
    free(to);
    free(order);
    free(stack);
}

/* rules_print without the names of bindings. */
static void put_rule(struct session *s)
{
    struct text t;

    text_init(&t, &s->mem);
    rules_print(&t, &s->rules, 0);
    for (char *line = t.failed ? NULL : strtok(t.a, "\n"); line; line = strtok(NULL, "\n")) {
        char *name = strstr(line, " ; ");
        if (name)
            strcpy(name, ")");
        text_printf(&s->out, "%s\n", line);
    }
    text_free(&t);
}

static enum calque_status put_match(void *ctx, const struct matcher *m, struct diag *d)
{
    struct session *s = ctx;

    (void)d;
    match_print(&s->out, m);
    text_puts(&s->out, "\n");
    s->totals->matches++;
    return CALQUE_OK;
}

static enum calque_status put_matches(struct session *s)
{
    long given_up = 0;
    enum calque_status st = match_all(&s->rules, &s->g, 0, put_match, s, &given_up, &s->d);

    s->totals->c.refused_limit += given_up;
    return st;
}

static void add_counts(struct rewrite_count *to, const struct rewrite_count *c)
{
    to->refused_use += c->refused_use;
    to->refused_convex += c->refused_convex;
    to->refused_require += c->refused_require;
    to->refused_injective += c->refused_injective;
    to->refused_type += c->refused_type;
    to->refused_stuck += c->refused_stuck;
    to->refused_identity += c->refused_identity;
    to->refused_limit += c->refused_limit;
}

static enum calque_status put_rewrite(struct session *s)
{
    struct rewrite_options opt = { .once = true, .no_fold = true, .fuel = 1 };
    struct rewrite_stats st;
    enum calque_status status = rewrite_stats_init(&st, &s->rules, &s->d);

    if (status == CALQUE_OK)
        status = rewrite_fix(&s->g, &s->rules, &opt, &st, &s->d);
    if (status == CALQUE_LIMIT && st.applied == 1) /* the fuel of one */
        status = CALQUE_OK;
    if (status == CALQUE_OK && st.applied == 0)
        text_puts(&s->out, "not rewritten\n");
    if (status == CALQUE_OK && st.applied > 0) {
        status = graph_check(&s->g, &s->d);
        text_puts(&s->out, "rewritten\n");
        put_canonical(s);
    }
    s->totals->rewritten += st.applied;
    if (st.rule)
        add_counts(&s->totals->c, &st.rule[0]);
    rewrite_stats_free(&st);
    return status;
}

/* A rule with one output: the graph after one pass, if the pass rewrote more than once. */
static enum calque_status put_pass(struct session *s)
{
    const struct rule *r = &s->rules.rule.a[0];
    struct rewrite_options opt = { .once = true, .no_fold = true };
    struct rewrite_stats st;
    enum calque_status status;

    if (r->source.n != 1 || r->pattern.a[r->source.a[0]].kind == PATTERN_VARIADIC)
        return CALQUE_OK;
    status = rewrite_stats_init(&st, &s->rules, &s->d);
    if (status == CALQUE_OK)
        status = rewrite_fix(&s->g, &s->rules, &opt, &st, &s->d);
    if (status == CALQUE_OK && st.applied > 1) {
        status = graph_check(&s->g, &s->d);
        text_printf(&s->out, "a pass: %ld\n", st.applied);
        put_canonical(s);
        s->totals->passes++;
    }
    rewrite_stats_free(&st);
    return status;
}

/* The graph is read once, rewritten once, and rewritten by a pass. */
static enum calque_status put_rewrites(struct session *s)
{
    struct graph first;
    enum calque_status st;

    graph_init(&first, &s->mem, &s->strs, &s->values);
    st = graph_copy(&s->g, &first, &s->d);
    if (st == CALQUE_OK)
        st = put_rewrite(s);
    graph_free(&s->g);
    s->g = first;
    return st == CALQUE_OK ? put_pass(s) : st;
}

static bool answer(struct session *s, const char *graph, size_t ng, const char *rule, size_t nr)
{
    enum calque_status st = graph_text_read(&s->g, "graph", graph, ng, &s->d);

    if (st == CALQUE_OK)
        st = graph_infer(&s->g, &s->d);
    if (st == CALQUE_OK)
        put_graph(s);
    if (st == CALQUE_OK)
        st = rules_parse(&s->rules, "rule", rule, nr, &s->d);
    if (st == CALQUE_OK) {
        put_rule(s);
        st = put_matches(s);
    }
    if (st == CALQUE_OK)
        st = put_rewrites(s);
    if (st == CALQUE_OK)
        return true;
    s->totals->errors++;
    text_printf(&s->out, "error %s:%d:%d: %s\n", s->d.file, s->d.line, s->d.col, s->d.text);
    return false;
}

static void add_line(struct text *t, const char *line)
{
    text_puts(t, line);
}

static void put_totals(const struct totals *t)
{
    fprintf(stderr,
            "gsl: %ld pairs, %ld errors, %ld matches, %ld rewritten, %ld passes of several rewrites; refused: use %ld, convex %ld, require %ld, injective %ld, type %ld, "
            "stuck %ld, identity %ld, limit %ld\n",
            t->pairs, t->errors, t->matches, t->rewritten, t->passes, t->c.refused_use, t->c.refused_convex, t->c.refused_require, t->c.refused_injective,
            t->c.refused_type, t->c.refused_stuck, t->c.refused_identity, t->c.refused_limit);
}

int gsl_answers(FILE *in, FILE *out)
{
    struct mem mem = MEM_INIT;
    struct totals totals = { 0 };
    struct text graph, rule, *at = NULL;
    char *line = NULL;
    size_t cap = 0;

    text_init(&graph, &mem);
    text_init(&rule, &mem);
    while (getline(&line, &cap, in) >= 0) {
        if (strncmp(line, "case ", 5) == 0) {
            fputs(line, out);
        } else if (strcmp(line, "--- graph\n") == 0) {
            at = &graph;
        } else if (strcmp(line, "--- rule\n") == 0) {
            at = &rule;
        } else if (strcmp(line, "end\n") == 0) {
            struct session s;
            session_init(&s, &totals);
            totals.pairs++;
            answer(&s, graph.a, (size_t)graph.n, rule.a, (size_t)rule.n);
            if (s.out.n > 0)
                fwrite(s.out.a, 1, (size_t)s.out.n, out);
            fputs("end\n", out);
            if (out == stdout)
                fflush(out); /* who asked waits for it */
            session_free(&s);
            text_free(&graph);
            text_free(&rule);
            text_init(&graph, &mem);
            text_init(&rule, &mem);
            at = NULL;
        } else if (at) {
            add_line(at, line);
        }
    }
    free(line);
    text_free(&graph);
    text_free(&rule);
    if (out == stdout)
        put_totals(&totals);
    return totals.errors > 0 ? 2 : 0;
}

int main(void)
{
    return gsl_answers(stdin, stdout);
}
