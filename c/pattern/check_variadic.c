/* Variadic patterns: templates are reached through templates only, instances exist. */
#include <string.h>

#include "pattern/check_internal.h"
#include "tensor/op.h"

/* Do all operators of the call that take any number of inputs take at least one? */
static bool wants_input(const struct check *c, const struct pattern *q)
{
    const struct rule *r = c->r;
    const struct pattern *ops = q->op < 0 ? &r->pattern.a[q->opat] : NULL;

    for (int k = 0; k < (ops ? ops->nkid : 1); k++) {
        const struct op_info *info = op_info(ops ? r->kid.a[ops->kid + k] : q->op);
        if (info->most < 0 && info->least == 0)
            return false;
    }
    return true;
}

int check_least(const struct check *c, int v)
{
    const struct rule *r = c->r;

    for (int k = 0; k < r->source.n; k++)
        if (r->source.a[k] == v)
            return r->pattern.a[v].least > 1 ? r->pattern.a[v].least : 1;
    for (int p = v + 1; p < c->n; p++) {
        const struct pattern *q = &r->pattern.a[p];
        for (int k = 0; k < q->nkid && q->kind != PATTERN_OP && q->in_source; k++)
            if (r->kid.a[q->kid + k] == v && (q->kind != PATTERN_CALL || !wants_input(c, q)))
                return 0;
    }
    return 1;
}

/* One template of a Variadic of the source, or of the target. There, a template of the source may be listed: it is
   looked up. */
static bool own(struct check *c, const struct elab_template *t, bool source)
{
    struct elab *e = c->e;
    struct pattern *q = &c->r->pattern.a[t->pattern];
    enum { BITS = 8 * (int)sizeof(check_word) };

    if (source && check_is_template(c, t->pattern))
        return check_fail(e, t->line, t->col, "'%s' is a template of two Variadics", check_name(e, t->pattern));
    if (!source && q->in_source && !check_is_template(c, t->pattern))
        return check_fail(e, t->line, t->col, "'%s' is part of the source and there no template",
                          check_name(e, t->pattern));
    if (!source && t->first >= 0 && t->first != q->first)
        return check_fail(e, t->line, t->col, "first has no meaning in the target%s", "");
    q->template = true;
    if (source)
        q->first = t->first;
    c->owner[(size_t)t->pattern * (size_t)c->words + (size_t)(t->variadic / BITS)] |= 1ul << (t->variadic % BITS);
    return true;
}

bool check_owners(struct check *c)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < c->e->template.n; k++) {
            const struct elab_template *t = &c->e->template.a[k];
            bool source = c->r->pattern.a[t->variadic].in_source;
            if ((source ? side == 0 : side == 1 && c->built[t->variadic]) && !own(c, t, source))
                return false;
        }
    return true;
}

/* Has the Variadic v of the target as many instances as one of the source that t is a template of? Then instance k
   of t is there for each instance k of v. */
static bool same_length(const struct check *c, int v, int t)
{
    const struct rule *r = c->r;
    const struct attr_node *nd = r->pattern.a[v].value >= 0 ? &r->attrs.node.a[r->pattern.a[v].value] : NULL;

    for (int w = 0; w < c->n; w++) {
        if (!r->pattern.a[w].in_source || !check_owned(c, t, w))
            continue;
        if (r->target.a[0] == v ? r->source.a[0] == w
                                : nd && nd->kind == ATTR_ACCESS && r->attrs.slot.a[nd->a].pattern == w)
            return true;
    }
    return false;
}

/* Template t of the source is used by pattern p of the target: by a Variadic or templates of it. */
static bool looked_up(const struct check *c, int p, int t)
{
    for (int v = 0; v < c->n; v++)
        if (c->built[v] && c->r->pattern.a[v].kind == PATTERN_VARIADIC && (v == p || check_owned(c, p, v)) &&
            !same_length(c, v, t))
            return false;
    return true;
}

/* May pattern p have the template t as child number k? */
static bool may_use(const struct check *c, int p, int t)
{
    const struct pattern *q = &c->r->pattern.a[p];

    if (q->kind == PATTERN_INST)
        return true;
    if (q->kind == PATTERN_VARIADIC ? !check_owned(c, t, p)
                                    : !check_is_template(c, p) || !check_same_owner(c, p, t))
        return false;
    return q->in_source || !c->r->pattern.a[t].in_source || looked_up(c, p, t);
}

bool check_may_read(const struct check *c, int p, int t)
{
    return check_is_template(c, p) && check_same_owner(c, p, t) &&
           (c->r->pattern.a[p].in_source || looked_up(c, p, t));
}

static bool misplaced(struct check *c, int t, int line, int col)
{
    return check_fail(c->e, line, col,
                      "'%s' is a template of a Variadic: only templates of it may use it; elsewhere use its instances",
                      check_name(c->e, t));
}

bool check_templates(struct check *c)
{
    const struct rule *r = c->r;

    for (int p = 0; p < c->n; p++) {
        const struct pattern *q = &r->pattern.a[p];
        if ((!q->in_source && !c->built[p]) || q->kind == PATTERN_OP)
            continue;
        for (int k = 0; k < q->nkid; k++) {
            int t = r->kid.a[q->kid + k];
            if (check_is_template(c, t) && !may_use(c, p, t))
                return misplaced(c, t, q->line, q->col);
        }
        if (q->first >= 0 && check_is_template(c, q->first))
            return misplaced(c, q->first, q->line, q->col);
    }
    for (int k = 0; k < r->source.n + r->target.n; k++) {
        int p = k < r->source.n ? r->source.a[k] : r->target.a[k - r->source.n];
        if (check_is_template(c, p))
            return misplaced(c, p, r->pattern.a[p].line, r->pattern.a[p].col);
    }
    return true;
}

bool check_instance(struct check *c, int v, int t, int index, int line, int col)
{
    const struct rule *r = c->r;
    const struct value *k = elab_literal(c->e, index);

    if (!r->pattern.a[v].in_source)
        return check_fail(c->e, line, col, "the Variadic of this instance of '%s' is not part of the source",
                          check_name(c->e, t));
    if (!check_use(c, v, line, col))
        return false;
    if (!check_covers(c, r->kid.a[r->pattern.a[v].kid], t))
        return check_fail(c->e, line, col, "'%s' is inside an Optional: an instance may leave it undefined",
                          check_name(c->e, t));
    if (k && k->kind == VALUE_INT && (k->num < 0 || k->num >= check_least(c, v))) {
        elab_fail(c->e, line, col, "instance %ld may not exist: the Variadic has at least %d", k->num,
                  check_least(c, v));
        return false;
    }
    return true;
}
