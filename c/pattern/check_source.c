/* The source of a rule: its form, that what it refers to is matched, that several outputs hang together, and that the
   templates of a Variadic are reached through templates only and have instances. */
#include "pattern/check_internal.h"
#include "tensor/op.h"

#include <string.h>

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

/* Several outputs are found one after the other, each from what the earlier ones bind: so it must share a pattern
   with them. An operator pattern is no node. */

static void mark_below(const struct rule *r, int from, bool *mark)
{
    mark[from] = true;
    for (int p = from; p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!mark[p] || q->kind == PATTERN_OP)
            continue;
        for (int k = 0; k < q->nkid; k++)
            mark[r->kid.a[q->kid + k]] = true;
    }
}

static bool share(const struct rule *r, const bool *a, const bool *b)
{
    for (int p = 0; p < r->pattern.n; p++)
        if (a[p] && b[p] && r->pattern.a[p].kind != PATTERN_NONE)
            return true;
    return false;
}

/* Output number `from` becomes number `to`, on either side. */
static void move(struct elab *e, int from, int to)
{
    struct rule *r = e->r;
    int source = r->source.a[from], target = r->target.a[from];
    struct term place = e->target.a[from];

    for (int k = from; k > to; k--) {
        r->source.a[k] = r->source.a[k - 1];
        r->target.a[k] = r->target.a[k - 1];
        e->target.a[k] = e->target.a[k - 1];
    }
    r->source.a[to] = source;
    r->target.a[to] = target;
    e->target.a[to] = place;
}

/* Sorts the outputs so that each shares a pattern with the earlier ones. */
static bool check_order(struct check *c)
{
    struct rule *r = c->r;
    size_t n = (size_t)c->n;
    bool *seen = mem_zero(c->e->rs->mem, 2 * n, sizeof *seen), *next = seen + n;
    int done = 0, at = -1;

    if (!seen)
        return elab_nomem(c->e), false;
    for (; done < r->source.n && at < r->source.n; done++) {
        for (at = done; at < r->source.n; at++) {
            memset(next, 0, n * sizeof *next);
            mark_below(r, r->source.a[at], next);
            if (done == 0 || share(r, seen, next))
                break;
        }
        if (at == r->source.n)
            break;
        mark_below(r, r->source.a[at], seen);
        move(c->e, at, done);
    }
    mem_free(seen);
    if (done < r->source.n) {
        const struct pattern *q = &r->pattern.a[r->source.a[done]];
        return check_fail(c->e, q->line, q->col, "the source '%s' has no pattern in common with the others",
                          check_name(c->e, r->source.a[done]));
    }
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

/* Variadic patterns: templates are reached through templates only, instances exist. */

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
