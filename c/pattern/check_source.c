/* The source of a rule: its form, and that what it refers to is matched. */
#include <string.h>

#include "pattern/check_internal.h"
#include "tensor/op.h"

static bool is_output(const struct rule *r, int p)
{
    for (int k = 0; k < r->source.n; k++)
        if (r->source.a[k] == p)
            return true;
    return false;
}

/* An output is an application or a projection, each alternative too. */
static bool check_output(struct check *c, int p)
{
    const struct pattern *q = &c->r->pattern.a[p];

    if (q->kind == PATTERN_ALT || q->kind == PATTERN_VARIADIC)
        return true;
    if (q->kind == PATTERN_COND || q->kind == PATTERN_MATCH)
        return check_fail(c->e, q->line, q->col, "%s can stand only in the target",
                          q->kind == PATTERN_COND ? "Cond" : "Match");
    if (q->kind != PATTERN_CALL && q->kind != PATTERN_PROJ && q->kind != PATTERN_TUPLE)
        return check_fail(c->e, q->line, q->col, "the source must be an operator application, not a %s",
                          pattern_word(c->r, p));
    return check_root(c->e, p, "source");
}

static bool check_outputs(struct check *c)
{
    const struct rule *r = c->r;

    check_roots(c, &r->source);
    for (int p = 0; p < c->n; p++)
        if (c->root[p] && !check_output(c, p))
            return false;
    for (int k = 0; k < r->source.n; k++) {
        int p = r->source.a[k];
        const struct pattern *q = &r->pattern.a[p];
        if (q->kind == PATTERN_VARIADIC && r->source.n > 1)
            return check_fail(c->e, q->line, q->col, "a Variadic must be the only %s", "source");
        for (int j = 0; j < k; j++)
            if (r->source.a[j] == p)
                return check_fail(c->e, r->line, r->col, "the source lists '%s' twice", check_name(c->e, p));
    }
    return true;
}

/* The parts of the source: which forms may stand where. */
static bool check_part(struct check *c, int p)
{
    struct rule *r = c->r;
    const struct pattern *q = &r->pattern.a[p];

    if (q->kind == PATTERN_COND || q->kind == PATTERN_MATCH)
        return check_fail(c->e, q->line, q->col, "%s can stand only in the target",
                          q->kind == PATTERN_COND ? "Cond" : "Match");
    if (q->kind == PATTERN_ALT && (r->source.n > 1 || r->pattern.a[r->source.a[0]].kind == PATTERN_VARIADIC))
        return check_fail(c->e, q->line, q->col, "%s can stand only in a rule with one output", "Alt");
    if (q->kind == PATTERN_VARIADIC && q->least > 0 && !is_output(r, p))
        return check_fail(c->e, q->line, q->col, "min_len is for a Variadic that is the source%s", "");
    if (q->kind == PATTERN_OP)
        return true;
    for (int j = 0; j < q->nkid; j++) {
        int kid = r->kid.a[q->kid + j];
        if (is_output(r, kid))
            return check_fail(c->e, q->line, q->col, "the output '%s' is used by another part of the source",
                              check_name(c->e, kid));
        if (q->kind != PATTERN_OPTIONAL && q->kind != PATTERN_INST && !check_kid(c, p, j, false))
            return false;
    }
    return true;
}

/* The parts of a variadic pattern: alternatives belong to no instance; branches have something in common. */
static bool check_field(struct check *c, int v)
{
    struct rule *r = c->r;
    bool *seen = mem_zero(c->e->rs->mem, (size_t)c->n, sizeof *seen), common = false;
    int alt = -1;

    if (!seen)
        return elab_nomem(c->e), false;
    seen[r->kid.a[r->pattern.a[v].kid]] = true;
    for (int p = v - 1; p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!seen[p] || q->kind == PATTERN_OP)
            continue;
        alt = q->kind == PATTERN_ALT ? p : alt;
        common |= !check_is_template(c, p) && q->kind != PATTERN_NONE;
        for (int k = 0; k < q->nkid; k++)
            seen[r->kid.a[q->kid + k]] = true;
    }
    mem_free(seen);
    if (alt >= 0)
        return check_fail(c->e, r->pattern.a[alt].line, r->pattern.a[alt].col, "%s cannot stand inside a Variadic",
                          "Alt");
    if (is_output(r, v) && !common)
        return check_fail(c->e, r->pattern.a[v].line, r->pattern.a[v].col,
                          "the branches of this Variadic have no pattern in common%s", "");
    return true;
}

/* Everything that the target or a requirement may look up. */
static bool check_bindings(struct check *c)
{
    struct rule *r = c->r;

    if (!check_contexts(c, &r->source, true))
        return false;
    for (int p = 0; p < c->n; p++)
        if (r->pattern.a[p].in_source && !check_pattern_exprs(c, p))
            return false;
    for (int p = 0; p < c->n; p++) {
        const struct pattern *q = &r->pattern.a[p];
        if (q->in_source && q->kind == PATTERN_INST) {
            check_context(c, check_ctx_of(c, p));
            if (!check_instance(c, q->index, r->kid.a[q->kid], q->value, q->line, q->col))
                return false;
        }
    }
    for (int k = 0; k < r->require.n; k++)
        if (!check_require(c, &r->require.a[k]))
            return false;
    return true;
}

bool check_source(struct check *c)
{
    struct rule *r = c->r;

    if (!check_outputs(c))
        return false;
    for (int p = 0; p < c->n; p++)
        if (r->pattern.a[p].in_source && !check_part(c, p))
            return false;
    for (int p = 0; p < c->n; p++)
        if (r->pattern.a[p].in_source && r->pattern.a[p].kind == PATTERN_VARIADIC && !check_field(c, p))
            return false;
    return check_order(c) && check_bindings(c);
}
