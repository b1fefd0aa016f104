/* Several outputs are found one after the other, each from what the earlier ones bind: so it must share a pattern
   with them. An operator pattern is no node. */
#include <string.h>

#include "pattern/check_internal.h"

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

bool check_order(struct check *c)
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
