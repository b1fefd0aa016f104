/* The semantic check of a whole rule: after it, a match defines everything the target refers to. */
#include <string.h>

#include "pattern/elab.h"
#include "tensor/op.h"

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

static const char *name_of(const struct elab *e, int p)
{
    int name = e->r->pattern.a[p].name;

    return name >= 0 ? str(e, name) : pattern_word(e->r, p);
}

static const char *const tensor_labels[] = { "shape", "dtype", "ndim" };

bool elab_has_label(const struct elab *e, int p, const char *label)
{
    const struct pattern *q = &e->r->pattern.a[p];

    if (q->kind == PATTERN_OPTIONAL)
        return strcmp(label, "present") == 0 || elab_has_label(e, e->r->kid.a[q->kid], label);
    if (q->kind == PATTERN_CALL && op_has_attr(q->op, label))
        return true;
    if (q->kind == PATTERN_CONST && strcmp(label, "value") == 0)
        return true;
    if (q->kind == PATTERN_PROJ && strcmp(label, "index") == 0)
        return true;
    for (int k = 0; k < 3; k++)
        if (strcmp(label, tensor_labels[k]) == 0)
            return q->kind != PATTERN_TUPLE && q->kind != PATTERN_NONE;
    return false;
}

/* Which patterns every match binds, and which only some matches bind. Kids are smaller than their parents. */
static void mark_source(struct rule *r)
{
    struct pattern *p = r->pattern.a;

    for (int k = 0; k < r->source.n; k++)
        p[r->source.a[k]].in_source = p[r->source.a[k]].certain = true;
    for (int k = r->pattern.n - 1; k >= 0; k--)
        for (int j = 0; p[k].in_source && j < p[k].nkid; j++) {
            int kid = r->kid.a[p[k].kid + j];
            p[kid].in_source = true;
            p[kid].certain |= p[k].certain && p[k].kind != PATTERN_OPTIONAL;
        }
}

static bool absent_allowed(const struct pattern *p, int position)
{
    return p->kind == PATTERN_CALL && position >= op_info(p->op)->least;
}

static bool fail(struct elab *e, int line, int col, const char *text, const char *what)
{
    elab_fail(e, line, col, text, what);
    return false;
}

/* May kid number j of pattern p be absent where p is matched (building: built)? */
static bool check_kid(struct elab *e, int p, int j, bool building)
{
    const struct pattern *q = &e->r->pattern.a[p];
    int kid = e->r->kid.a[q->kid + j];
    const struct pattern *k = &e->r->pattern.a[kid];

    if (building && k->in_source && !k->certain)
        return fail(e, q->line, q->col, "'%s' is inside an Optional: a match may leave it undefined",
                    name_of(e, kid));
    if (absent_allowed(q, j) || (k->kind != PATTERN_OPTIONAL && k->kind != PATTERN_NONE) ||
        (building && k->kind == PATTERN_OPTIONAL && k->value >= 0))
        return true;
    if (k->kind == PATTERN_NONE)
        return fail(e, k->line, k->col, "%s cannot be absent here", "this input");
    if (building)
        return fail(e, q->line, q->col, "'%s' may be absent and has no default", name_of(e, kid));
    return fail(e, k->line, k->col, "'%s' is Optional, but this input cannot be absent", name_of(e, kid));
}

static bool check_root(struct elab *e, int p, const char *what)
{
    const struct pattern *q = &e->r->pattern.a[p];

    if (q->kind == PATTERN_TUPLE || (q->kind == PATTERN_CALL && (op_info(q->op)->traits & OP_MULTI)))
        return fail(e, q->line, q->col, "the %s has several values: take one with [index]", what);
    return true;
}

static bool check_source(struct elab *e)
{
    struct rule *r = e->r;

    for (int k = 0; k < r->source.n; k++) {
        const struct pattern *root = &r->pattern.a[r->source.a[k]];
        if (root->kind != PATTERN_CALL && root->kind != PATTERN_PROJ && root->kind != PATTERN_TUPLE)
            return fail(e, root->line, root->col, "the source must be an operator application, not a %s",
                        pattern_word(r, r->source.a[k]));
        if (!check_root(e, r->source.a[k], "source"))
            return false;
    }
    mark_source(r);
    for (int p = 0; p < r->pattern.n; p++)
        for (int j = 0; r->pattern.a[p].in_source && r->pattern.a[p].kind != PATTERN_OPTIONAL &&
                        j < r->pattern.a[p].nkid; j++)
            if (!check_kid(e, p, j, false))
                return false;
    for (int k = 0; k < e->access.n; k++) {
        const struct access_place *a = &e->access.a[k];
        const struct pattern *q = &r->pattern.a[a->pattern];

        if (!q->in_source)
            return fail(e, a->line, a->col, "'%s' is not part of the source: its attributes are not known",
                        name_of(e, a->pattern));
        if (!q->certain)
            return fail(e, a->line, a->col, "'%s' is inside an Optional: a match may leave it undefined",
                        name_of(e, a->pattern));
    }
    return true;
}

static bool has_value(struct elab *e, int expr, int line, int col)
{
    if (!(e->flags.a[expr] & ELAB_HAS_ANY))
        return true;
    return fail(e, line, col, "%s", "'_' has no value: it can only be matched");
}

static bool check_new_const(struct elab *e, const struct pattern *q)
{
    if (q->value < 0)
        return fail(e, q->line, q->col, "a constant built by the target needs a value%s", "");
    if (!has_value(e, q->value, q->line, q->col))
        return false;
    for (int k = 0; k < q->nattr; k++) {
        const struct pattern_attr *a = &e->r->attr.a[q->attr + k];
        if (strcmp(str(e, a->label), "dtype") != 0)
            return fail(e, a->line, a->col, "'%s' has no meaning for a constant built by the target",
                        str(e, a->label));
        if (!has_value(e, a->expr, a->line, a->col))
            return false;
    }
    return true;
}

static bool check_new_call(struct elab *e, const struct pattern *q)
{
    int n;
    const struct op_attr_info *info = op_attrs(q->op, &n);

    for (int k = 0; k < q->nattr; k++) {
        const struct pattern_attr *a = &e->r->attr.a[q->attr + k];
        if (!has_value(e, a->expr, a->line, a->col))
            return false;
    }
    for (int j = 0; j < n; j++) {
        bool given = strcmp(info[j].otherwise, "-") != 0;
        for (int k = 0; k < q->nattr && !given; k++)
            given = strcmp(str(e, e->r->attr.a[q->attr + k].label), info[j].label) == 0;
        if (!given) {
            elab_fail(e, q->line, q->col, "%s built by the target needs the attribute '%s'",
                      op_info(q->op)->name, info[j].label);
            return false;
        }
    }
    return true;
}

/* Pattern p is built by the target. */
static bool check_new(struct elab *e, int p)
{
    const struct pattern *q = &e->r->pattern.a[p];

    switch (q->kind) {
    case PATTERN_WILDCARD:
    case PATTERN_VARIABLE:
        return fail(e, q->line, q->col, "the %s in the target is not part of the source",
                    pattern_word(e->r, p));
    case PATTERN_OPTIONAL:
        return fail(e, q->line, q->col, "%s in the target is not part of the source", "Optional");
    case PATTERN_CONST:
        return check_new_const(e, q);
    case PATTERN_PROJ:
        if (!has_value(e, q->value, q->line, q->col))
            return false;
        break;
    case PATTERN_CALL:
        if (!check_new_call(e, q))
            return false;
        break;
    default:
        break;
    }
    for (int j = 0; j < q->nkid; j++)
        if (!check_kid(e, p, j, true))
            return false;
    return true;
}

/* Output number k of the target. */
static bool check_output(struct elab *e, int k)
{
    struct rule *r = e->r;
    int p = r->target.a[k];
    const struct pattern *root = &r->pattern.a[p];

    if (!check_root(e, p, "target"))
        return false;
    if (root->in_source && !root->certain)
        return fail(e, root->line, root->col, "'%s' is inside an Optional: a match may leave it undefined",
                    name_of(e, p));
    if (root->kind == PATTERN_OPTIONAL && root->in_source && root->value < 0)
        return fail(e, root->line, root->col, "'%s' may be absent and has no default", name_of(e, p));
    return true;
}

static bool check_target(struct elab *e)
{
    struct rule *r = e->r;
    bool *reach, ok = true, same = true;

    if (r->target.n != r->source.n) {
        elab_fail(e, r->line, r->col, "the rule '%s' has %d source and %d target patterns", str(e, r->name),
                  r->source.n, r->target.n);
        return false;
    }
    for (int k = 0; k < r->target.n; k++)
        same &= r->target.a[k] == r->source.a[k];
    if (same)
        return fail(e, r->line, r->col, "the target of '%s' is its source", str(e, r->name));
    reach = mem_zero(e->rs->mem, (size_t)r->pattern.n, sizeof *reach);
    if (!reach) {
        elab_nomem(e);
        return false;
    }
    for (int k = 0; k < r->target.n && ok; k++) {
        reach[r->target.a[k]] = true;
        ok = check_output(e, k);
    }
    for (int p = r->pattern.n - 1; p >= 0 && ok; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!reach[p] || q->in_source)
            continue;
        ok = check_new(e, p);
        for (int j = 0; j < q->nkid; j++)
            reach[r->kid.a[q->kid + j]] = true;
    }
    mem_free(reach);
    return ok;
}

enum calque_status elab_check(struct elab *e)
{
    struct rule *r = e->r;

    if (r->source.n == 0)
        elab_fail(e, r->line, r->col, "the rule '%s' has no source", str(e, r->name));
    else if (r->target.n == 0)
        elab_fail(e, r->line, r->col, "the rule '%s' has no target", str(e, r->name));
    else if (check_source(e))
        check_target(e);
    return e->status;
}
