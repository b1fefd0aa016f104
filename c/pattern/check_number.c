/* The final numbers of the patterns. */
#include <string.h>

#include "pattern/check_internal.h"

/* What is kept: everything but instances that only attributes were read of. */
static void mark_used(const struct elab *e, bool *used)
{
    const struct rule *r = e->r;

    for (int p = 0; p < r->pattern.n; p++)
        used[p] = r->pattern.a[p].kind != PATTERN_INST;
    for (int p = 0; p < r->pattern.n; p++)
        for (int k = 0; k < r->pattern.a[p].nkid && r->pattern.a[p].kind != PATTERN_OP; k++)
            used[r->kid.a[r->pattern.a[p].kid + k]] = true;
    for (int k = 0; k < r->target.n; k++)
        used[r->source.a[k]] = used[r->target.a[k]] = true;
    for (int k = 0; k < e->template.n; k++)
        used[e->template.a[k].pattern] = true;
}

static bool known(const int *to, int p)
{
    return p < 0 || to[p] >= 0;
}

/* Are all that must come before p numbered? */
static bool ready(const struct elab *e, int p, const int *to)
{
    const struct rule *r = e->r;
    const struct pattern *q = &r->pattern.a[p];
    bool ok = known(to, q->opat) && known(to, q->like) && known(to, q->kind == PATTERN_INST ? q->index : -1);

    for (int k = 0; k < q->nkid && ok && q->kind != PATTERN_OP; k++)
        ok = known(to, r->kid.a[q->kid + k]);
    for (int k = 0; k < e->template.n && ok; k++)
        if (e->template.a[k].pattern == p)
            ok = known(to, e->template.a[k].first);
    return ok;
}

/* Each time the first that is ready, so that the order changes only where it must. */
static int number(const struct elab *e, const bool *used, int *to)
{
    int n = 0;
    bool more = true;

    while (more) {
        more = false;
        for (int p = 0; p < e->r->pattern.n; p++)
            if (used[p] && to[p] < 0 && ready(e, p, to)) {
                to[p] = n++;
                more = true;
            }
    }
    return n;
}

static void renumber(int *p, const int *to)
{
    if (*p >= 0)
        *p = to[*p];
}

static void renumber_rule(struct elab *e, const int *to)
{
    struct rule *r = e->r;

    for (int p = 0; p < r->pattern.n; p++) {
        struct pattern *q = &r->pattern.a[p];
        for (int k = 0; k < q->nkid && q->kind != PATTERN_OP; k++)
            renumber(&r->kid.a[q->kid + k], to);
        renumber(&q->opat, to);
        renumber(&q->like, to);
        if (q->kind == PATTERN_INST)
            renumber(&q->index, to);
    }
    for (int k = 0; k < r->source.n; k++) {
        renumber(&r->source.a[k], to);
        renumber(&r->target.a[k], to);
    }
    for (int s = 0; s < r->attrs.slot.n; s++)
        renumber(&r->attrs.slot.a[s].pattern, to);
    for (int k = 0; k < r->attrs.node.n; k++)
        if (r->attrs.node.a[k].kind == ATTR_MATCH)
            renumber(&r->attrs.node.a[k].op, to);
    for (int k = 0; k < e->note.n; k++)
        renumber(&e->note.a[k].variadic, to);
    for (int k = 0; k < e->template.n; k++) {
        renumber(&e->template.a[k].variadic, to);
        renumber(&e->template.a[k].pattern, to);
        renumber(&e->template.a[k].first, to);
    }
}

static bool circular(struct elab *e, int p)
{
    return check_fail(e, e->r->pattern.a[p].line, e->r->pattern.a[p].col,
                      "'%s' is part of a first pattern that contains a template of another Variadic", check_name(e, p));
}

bool check_tidy(struct elab *e)
{
    struct rule *r = e->r;
    size_t n = (size_t)r->pattern.n;
    bool *used = mem_zero(e->rs->mem, n, sizeof *used);
    int *to = mem_zero(e->rs->mem, n, sizeof *to), count = 0;
    struct pattern *sorted = mem_zero(e->rs->mem, n, sizeof *sorted);
    bool ok = used && to && sorted;

    if (!ok) {
        elab_nomem(e);
    } else {
        memset(to, -1, n * sizeof *to);
        mark_used(e, used);
        count = number(e, used, to);
        for (int p = 0; p < r->pattern.n && ok; p++)
            ok = !used[p] || to[p] >= 0 || circular(e, p);
    }
    if (ok) {
        renumber_rule(e, to);
        for (int p = 0; p < r->pattern.n; p++)
            if (to[p] >= 0)
                sorted[to[p]] = r->pattern.a[p];
        memcpy(r->pattern.a, sorted, (size_t)count * sizeof *sorted);
        r->pattern.n = count;
    }
    mem_free(used);
    mem_free(to);
    mem_free(sorted);
    return ok;
}
