/* The target of a rule: what it looks up is bound, what it builds can be built. */
#include <string.h>

#include "pattern/check_internal.h"
#include "tensor/op.h"

static bool has_value(struct elab *e, int expr, int line, int col)
{
    if (!(e->note.a[expr].flags & ELAB_HAS_ANY))
        return true;
    return check_fail(e, line, col, "%s", "'_' has no value: it can only be matched");
}

static const char *label_of(const struct elab *e, int attr)
{
    return strs_text(e->rs->strs, e->r->attr.a[attr].label);
}

static bool check_new_const(struct elab *e, const struct pattern *q)
{
    if (q->value < 0)
        return check_fail(e, q->line, q->col, "a constant built by the target needs a value%s", "");
    if (!has_value(e, q->value, q->line, q->col))
        return false;
    for (int k = q->attr; k < q->attr + q->nattr; k++) {
        const struct pattern_attr *a = &e->r->attr.a[k];
        if (strcmp(label_of(e, k), "dtype") != 0)
            return check_fail(e, a->line, a->col, "'%s' has no meaning for a constant built by the target",
                              label_of(e, k));
        if (!has_value(e, a->expr, a->line, a->col))
            return false;
    }
    return true;
}

/* Operator op has the attributes that q gives, and q gives those it needs. */
static bool check_new_op(struct elab *e, const struct pattern *q, int op)
{
    int n;
    const struct op_attr_info *info = op_attrs(op, &n);

    for (int k = q->attr; k < q->attr + q->nattr; k++) {
        const struct pattern_attr *a = &e->r->attr.a[k];
        if (!op_has_attr(op, label_of(e, k))) {
            elab_fail(e, a->line, a->col, "the operator %s has no attribute '%s'", op_info(op)->name, label_of(e, k));
            return false;
        }
    }
    for (int j = 0; j < n; j++) {
        bool given = strcmp(info[j].otherwise, "-") != 0;
        for (int k = q->attr; k < q->attr + q->nattr && !given; k++)
            given = strcmp(label_of(e, k), info[j].label) == 0;
        if (!given) {
            elab_fail(e, q->line, q->col, "%s built by the target needs the attribute '%s'", op_info(op)->name,
                      info[j].label);
            return false;
        }
    }
    return true;
}

static bool check_new_call(struct check *c, int p)
{
    struct elab *e = c->e;
    const struct pattern *q = &e->r->pattern.a[p], *ops;

    for (int k = q->attr; k < q->attr + q->nattr; k++)
        if (!has_value(e, e->r->attr.a[k].expr, e->r->attr.a[k].line, e->r->attr.a[k].col))
            return false;
    if (q->op == OP_Opaque)
        return true;
    if (q->op >= 0)
        return check_new_op(e, q, q->op);
    ops = &e->r->pattern.a[q->opat];
    if (!ops->in_source)
        return check_fail(e, q->line, q->col, "the operator pattern '%s' in the target is not part of the source",
                          check_name(e, q->opat));
    if (!check_use(c, q->opat, q->line, q->col))
        return false;
    for (int k = 0; k < ops->nkid; k++) {
        const struct op_info *info = op_info(e->r->kid.a[ops->kid + k]);
        bool fits = q->nkid >= info->least && (info->most < 0 || q->nkid <= info->most);
        if (fits && !check_new_op(e, q, e->r->kid.a[ops->kid + k]))
            return false;
    }
    return true;
}

/* A variadic pattern among the inputs needs a length; as the target it has that of the source. */
static bool check_new_variadic(struct check *c, int v)
{
    const struct pattern *q = &c->r->pattern.a[v];
    bool output = c->r->target.a[0] == v;
    const char *text = NULL;

    if (q->least > 0)
        text = "min_len has no meaning in the target";
    else if (output && q->value >= 0)
        text = "a Variadic that is the target has the length of the source's: length has no meaning";
    else if (!output && q->value < 0)
        text = "a Variadic built by the target needs a length";
    if (text)
        return check_fail(c->e, q->line, q->col, "%s", text);
    return output || has_value(c->e, q->value, q->line, q->col);
}

/* Forms that only a source can have. */
static bool check_new_form(struct check *c, int p)
{
    const struct pattern *q = &c->r->pattern.a[p];
    struct elab *e = c->e;

    switch (q->kind) {
    case PATTERN_WILDCARD:
    case PATTERN_VARIABLE:
        return check_fail(e, q->line, q->col, "the %s in the target is not part of the source", pattern_word(e->r, p));
    case PATTERN_OPTIONAL:
        return check_fail(e, q->line, q->col, "%s in the target is not part of the source", "Optional");
    case PATTERN_ALT:
        return check_fail(e, q->line, q->col, "%s in the target is not part of the source: use Match or Cond", "Alt");
    case PATTERN_CONST:
        return check_new_const(e, q);
    case PATTERN_PROJ: {
        const struct pattern *of = &e->r->pattern.a[e->r->kid.a[q->kid]];
        if (of->kind == PATTERN_CALL && of->op == OP_Opaque)
            return of->in_source ? has_value(e, q->value, q->line, q->col)
                                 : check_fail(e, q->line, q->col, "%s is built with one value: it has no [index]",
                                              "an operator without a meaning here");
        if (of->kind == PATTERN_CALL && of->op >= 0 && !(op_info(of->op)->traits & OP_MULTI))
            return check_fail(e, q->line, q->col, "%s has one value: it has no [index]", op_info(of->op)->name);
        return has_value(e, q->value, q->line, q->col);
    }
    case PATTERN_COND:
        return has_value(e, q->value, q->line, q->col);
    case PATTERN_CALL:
        return check_new_call(c, p);
    case PATTERN_VARIADIC:
        return check_new_variadic(c, p);
    case PATTERN_INST:
        return check_instance(c, q->index, e->r->kid.a[q->kid], q->value, q->line, q->col);
    case PATTERN_MATCH:
        if (!e->r->pattern.a[e->r->kid.a[q->kid]].in_source)
            return check_fail(e, q->line, q->col, "the %s of this Match is not part of the source", "Alt");
        return check_use(c, e->r->kid.a[q->kid], q->line, q->col);
    default:
        return true;
    }
}

/* Kid number j of pattern p, which the target builds. */
static bool check_child(struct check *c, int p, int j)
{
    const struct rule *r = c->r;
    const struct pattern *q = &r->pattern.a[p];
    int kid = r->kid.a[q->kid + j], guard = check_guard(c, p, j);
    enum { BITS = 8 * (int)sizeof(check_word) };
    check_word *ctx = check_ctx_of(c, p), old = 0;
    bool ok = true;

    if (guard >= 0) {
        old = ctx[guard / BITS];
        ctx[guard / BITS] |= 1ul << (guard % BITS);
    }
    check_context(c, ctx);
    if (r->pattern.a[kid].in_source && r->pattern.a[kid].kind == PATTERN_VARIADIC)
        ok = check_fail(c->e, q->line, q->col,
                        "the Variadic '%s' of the source cannot be built again: use its instances",
                        check_name(c->e, kid));
    else if (r->pattern.a[kid].in_source)
        ok = check_use(c, kid, q->line, q->col);
    if (guard >= 0)
        ctx[guard / BITS] = old;
    return ok && check_kid(c, p, j, true);
}

/* Pattern p is built by the target. */
static bool check_new(struct check *c, int p)
{
    const struct pattern *q = &c->r->pattern.a[p];

    check_context(c, check_ctx_of(c, p));
    if (!check_new_form(c, p))
        return false;
    for (int j = 0; j < q->nkid && q->kind != PATTERN_INST && q->kind != PATTERN_OP; j++)
        if (!check_child(c, p, j))
            return false;
    return check_pattern_exprs(c, p);
}

/* Output number k of the target. */
static bool check_output(struct check *c, int k)
{
    struct elab *e = c->e;
    int p = e->r->target.a[k];
    const struct pattern *q = &e->r->pattern.a[p];
    const struct term *at = &e->target.a[k];
    bool variadic = e->r->pattern.a[e->r->source.a[0]].kind == PATTERN_VARIADIC;

    if ((q->kind == PATTERN_VARIADIC) != variadic)
        return check_fail(e, at->line, at->col, "the source and the target must both be a Variadic%s", "");
    if (variadic && q->in_source)
        return check_fail(e, e->r->line, e->r->col, "the target of '%s' is its source",
                          strs_text(e->rs->strs, e->r->name));
    if (variadic)
        return true;
    check_context(c, check_ctx_of(c, p));
    if (q->in_source && !check_use(c, p, at->line, at->col))
        return false;
    if (check_may_lack(c, p, true))
        return check_fail(e, at->line, at->col, "'%s' may be absent and has no default", check_name(e, p));
    return true;
}

bool check_target(struct check *c)
{
    struct rule *r = c->r;
    bool same = true;

    for (int k = 0; k < r->target.n; k++)
        same &= r->target.a[k] == r->source.a[k];
    if (same)
        return check_fail(c->e, r->line, r->col, "the target of '%s' is its source",
                          strs_text(c->e->rs->strs, r->name));
    if (!check_contexts(c, &r->target, false))
        return false;
    check_roots(c, &r->target);
    for (int p = 0; p < c->n; p++) {
        const struct pattern *q = &r->pattern.a[p];
        if (c->root[p] && (!q->in_source || q->kind != PATTERN_ALT) && !check_root(c->e, p, "target"))
            return false;
        bool chooses = q->kind == PATTERN_MATCH || q->kind == PATTERN_COND;
        for (int k = q->kind == PATTERN_MATCH; k < q->nkid && chooses; k++)
            c->lacks[p] |= check_may_lack(c, r->kid.a[q->kid + k], true);
    }
    for (int k = 0; k < r->target.n; k++)
        if (!check_output(c, k))
            return false;
    for (int p = c->n - 1; p >= 0; p--)
        if (c->built[p] && !check_new(c, p))
            return false;
    return true;
}
