/* Which patterns a match binds: every one, or those that make certain choices. */
#include <string.h>

#include "pattern/check_internal.h"

enum { WORD_BITS = 8 * (int)sizeof(check_word) };

static void put(check_word *set, int k)
{
    set[k / WORD_BITS] |= 1ul << (k % WORD_BITS);
}

static bool has(const check_word *set, int k)
{
    return set[k / WORD_BITS] >> (k % WORD_BITS) & 1;
}

static check_word *row(check_word *sets, int words, int k)
{
    return sets + (size_t)words * (size_t)k;
}

static void join(check_word *to, const check_word *from, int words)
{
    for (int k = 0; k < words; k++)
        to[k] |= from[k];
}

static void meet(check_word *to, const check_word *from, int words)
{
    for (int k = 0; k < words; k++)
        to[k] &= from[k];
}

check_word *check_ctx_of(const struct check *c, int p)
{
    return row(c->ctx, c->gwords, p);
}

bool check_is_bound(const struct check *c, int p)
{
    return has(c->bound, p);
}

bool check_covers(const struct check *c, int p, int q)
{
    return has(row(c->cover, c->words, p), q);
}

bool check_owned(const struct check *c, int t, int variadic)
{
    return has(row(c->owner, c->words, t), variadic);
}

bool check_is_template(const struct check *c, int p)
{
    const check_word *o = row(c->owner, c->words, p);

    for (int k = 0; k < c->words; k++)
        if (o[k])
            return true;
    return false;
}

bool check_same_owner(const struct check *c, int p, int q)
{
    for (int v = 0; v < c->n; v++)
        if (c->r->pattern.a[v].in_source == c->r->pattern.a[p].in_source && check_owned(c, p, v) &&
            !check_owned(c, q, v))
            return false;
    return true;
}

/* Moves *k to the next template of p, from number *k on, that has a first pattern; false when there is none. */
static bool first_of(const struct check *c, int p, int *k)
{
    for (int i = c->template[p] + *k; i < c->e->template.n && c->e->template.a[i].variadic == p; i++)
        if (c->e->template.a[i].first >= 0) {
            *k = i - c->template[p];
            return true;
        }
    return false;
}

/* Marks the patterns below those marked: children, operator patterns, first patterns. */
static void mark_below(const struct check *c, bool *mark, bool stop_at_source)
{
    const struct rule *r = c->r;

    for (int p = r->pattern.n - 1; p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!mark[p] || q->kind == PATTERN_OP || (stop_at_source && q->in_source))
            continue;
        if (q->opat >= 0)
            mark[q->opat] = true;
        for (int k = 0; k < q->nkid && q->kind != PATTERN_INST; k++)
            mark[r->kid.a[q->kid + k]] = true;
        for (int k = 0; first_of(c, p, &k); k++)
            mark[c->e->template.a[c->template[p] + k].first] = true;
    }
}

static void mark(struct check *c)
{
    struct rule *r = c->r;

    for (int k = 0; k < r->source.n; k++)
        c->built[r->source.a[k]] = true;
    mark_below(c, c->built, false);
    for (int p = 0; p < c->n; p++) {
        r->pattern.a[p].in_source = c->built[p];
        c->built[p] = false;
    }
    for (int k = 0; k < r->target.n; k++)
        c->built[r->target.a[k]] = true;
    mark_below(c, c->built, true);
    for (int p = 0; p < c->n; p++)
        c->built[p] = c->built[p] && !r->pattern.a[p].in_source;
}

static void number_guards(struct check *c)
{
    for (int p = 0; p < c->n; p++) {
        const struct pattern *q = &c->r->pattern.a[p];
        bool some = q->kind == PATTERN_ALT || q->kind == PATTERN_OPTIONAL ||
                    (q->kind == PATTERN_VARIADIC && check_least(c, p) == 0);
        c->guard[p] = some ? c->guards : -1;
        c->guards += some ? q->nkid : 0;
    }
}

bool check_open(struct check *c, struct elab *e)
{
    struct mem *mem = e->rs->mem;
    size_t n = (size_t)e->r->pattern.n, sets;

    memset(c, 0, sizeof *c);
    c->e = e;
    c->r = e->r;
    c->n = e->r->pattern.n;
    c->words = (c->n + WORD_BITS - 1) / WORD_BITS;
    sets = n * (size_t)c->words;
    c->built = mem_zero(mem, n, sizeof *c->built);
    c->reached = mem_zero(mem, n, sizeof *c->reached);
    c->root = mem_zero(mem, n, sizeof *c->root);
    c->lacks = mem_zero(mem, n, sizeof *c->lacks);
    c->template = mem_zero(mem, n, sizeof *c->template);
    c->guard = mem_zero(mem, n, sizeof *c->guard);
    c->owner = mem_zero(mem, sets, sizeof *c->owner);
    c->cover = mem_zero(mem, sets, sizeof *c->cover);
    c->bound = mem_zero(mem, (size_t)c->words, sizeof *c->bound);
    c->stamp = mem_zero(mem, (size_t)e->r->attrs.node.n + 1, sizeof *c->stamp);
    if (c->built && c->reached && c->root && c->lacks && c->template && c->guard && c->owner && c->cover && c->bound &&
        c->stamp) {
        for (int k = e->template.n - 1; k >= 0; k--)
            c->template[e->template.a[k].variadic] = k;
        mark(c);
        number_guards(c);
        c->gwords = c->guards / WORD_BITS + 1;
        c->ctx = mem_zero(mem, n * (size_t)c->gwords, sizeof *c->ctx);
        c->at = mem_zero(mem, (size_t)c->gwords, sizeof *c->at);
    }
    if (c->ctx && c->at)
        return true;
    elab_nomem(e);
    return false;
}

void check_close(struct check *c)
{
    mem_free(c->built);
    mem_free(c->reached);
    mem_free(c->root);
    mem_free(c->lacks);
    mem_free(c->template);
    mem_free(c->guard);
    mem_free(c->owner);
    mem_free(c->ctx);
    mem_free(c->cover);
    mem_free(c->at);
    mem_free(c->bound);
    mem_free(c->stamp);
}

int check_guard(const struct check *c, int p, int kid)
{
    const struct pattern *q = &c->r->pattern.a[p];

    if (q->kind == PATTERN_MATCH && kid > 0)
        return check_guard(c, c->r->kid.a[q->kid], kid - 1);
    if (c->guard[p] < 0)
        return -1;
    return c->guard[p] + (q->kind == PATTERN_ALT ? kid : 0);
}

/* The alternatives that are known, and what all have in common. */
static void cover_alt(struct check *c, int p, const check_word *ctx)
{
    const struct pattern *q = &c->r->pattern.a[p];
    check_word *to = row(c->cover, c->words, p);

    memcpy(to, row(c->cover, c->words, c->r->kid.a[q->kid]), (size_t)c->words * sizeof *to);
    for (int k = 1; k < q->nkid; k++)
        meet(to, row(c->cover, c->words, c->r->kid.a[q->kid + k]), c->words);
    for (int k = 0; k < q->nkid; k++)
        if (has(ctx, c->guard[p] + k))
            join(to, row(c->cover, c->words, c->r->kid.a[q->kid + k]), c->words);
}

static void cover_pattern(struct check *c, int p, const check_word *ctx)
{
    const struct pattern *q = &c->r->pattern.a[p];
    check_word *to = row(c->cover, c->words, p);

    memset(to, 0, (size_t)c->words * sizeof *to);
    if (q->kind == PATTERN_ALT) {
        cover_alt(c, p, ctx);
    } else if (q->kind != PATTERN_OP && q->kind != PATTERN_INST && (c->guard[p] < 0 || has(ctx, c->guard[p]))) {
        for (int k = 0; k < q->nkid; k++)
            join(to, row(c->cover, c->words, c->r->kid.a[q->kid + k]), c->words);
        if (q->opat >= 0)
            put(to, q->opat);
        for (int k = 0; first_of(c, p, &k); k++)
            join(to, row(c->cover, c->words, c->e->template.a[c->template[p] + k].first), c->words);
    }
    put(to, p);
}

void check_context(struct check *c, const check_word *ctx)
{
    if (has(c->bound, c->r->source.a[0]) && memcmp(c->at, ctx, (size_t)c->gwords * sizeof *ctx) == 0)
        return;
    memcpy(c->at, ctx, (size_t)c->gwords * sizeof *ctx);
    memset(c->bound, 0, (size_t)c->words * sizeof *c->bound);
    for (int p = 0; p < c->n; p++)
        if (c->r->pattern.a[p].in_source)
            cover_pattern(c, p, ctx);
    for (int k = 0; k < c->r->source.n; k++)
        join(c->bound, row(c->cover, c->words, c->r->source.a[k]), c->words);
}

/* p is reached in context ctx, and by guard number guard (or -1). */
static void reach(struct check *c, int p, const check_word *ctx, int guard)
{
    check_word *to = check_ctx_of(c, p);
    bool had = guard >= 0 && has(to, guard);

    if (!c->reached[p]) {
        memcpy(to, ctx, (size_t)c->gwords * sizeof *to);
        had = true;
    } else {
        meet(to, ctx, c->gwords);
    }
    c->reached[p] = true;
    if (guard >= 0 && had)
        put(to, guard);
}

static void reach_kids(struct check *c, int p)
{
    const struct pattern *q = &c->r->pattern.a[p];
    const check_word *ctx = check_ctx_of(c, p);

    for (int k = 0; k < q->nkid && q->kind != PATTERN_OP && q->kind != PATTERN_INST; k++)
        reach(c, c->r->kid.a[q->kid + k], ctx, check_guard(c, p, k));
    for (int k = 0; first_of(c, p, &k); k++)
        reach(c, c->e->template.a[c->template[p] + k].first, ctx, check_guard(c, p, 0));
}

/* Contexts come from above: users have greater numbers. */
bool check_contexts(struct check *c, const struct ints *from, bool source)
{
    check_word *none = mem_zero(c->e->rs->mem, (size_t)c->gwords, sizeof *none);

    if (!none)
        return elab_nomem(c->e), false;
    memset(c->reached, 0, (size_t)c->n * sizeof *c->reached);
    for (int k = 0; k < from->n; k++)
        reach(c, from->a[k], none, -1);
    for (int p = c->n - 1; p >= 0; p--)
        if (c->reached[p] && (source || c->built[p]))
            reach_kids(c, p);
    mem_free(none);
    return true;
}
