/* Do the merged statements do what the plain ones of the same commands do? Both are walked in step, and nothing of codegen.c is
   asked. An iteration of a plain loop is a form over the variables of merged loops, whose ranges and bounds are facts; where the
   merged code branches, each case is looked at with what it says as a fact. Plain conditions must be decided then. A plain loop is a
   list of loops, and of single iterations without a loop, that have its range together, in order: `cover`. The merged code's own
   ranges, works and aliases are hints at most. All recursion is bounded by EXP_DEPTH_MAX or CHECK_STEPS. */
#include "emit/codegen_internal.h"

/* ---- rows of merged statements ---- */

static void put_entry(struct check *c, int id)
{
    if (!vec_room(c->mem, &c->entry, 1)) {
        facts_fail(c, CALQUE_NOMEM);
        return;
    }
    c->entry.a[c->entry.n++] = (struct entry){ id, c->cut };
    c->cut = 0;
}

/* A parallel block from the next entry on. */
static int put_par(struct check *c)
{
    if (!vec_room(c->mem, &c->par, 1)) {
        facts_fail(c, CALQUE_NOMEM);
        return 0;
    }
    c->par.a[c->par.n] = (struct extent){ c->entry.n, c->entry.n };
    return c->par.n++;
}

static void flatten(struct check *c, int id)
{
    const struct ms *x = &c->m->ms.a[id];
    int par, from = c->entry.n;

    if (facts_enter(c) && x->kind != MS_BLOCK)
        put_entry(c, id);
    else if (facts_ok(c)) {
        par = x->par ? put_par(c) : 0;
        for (int i = 0; i < x->len && facts_ok(c); i++) {
            if (par > 0 && c->entry.n > from)
                c->cut = par;
            flatten(c, c->m->pool.a[x->first + i]);
            if (c->cut == par)
                c->cut = 0;
        }
        if (par > 0)
            c->par.a[par].end = c->entry.n;
    }
    c->depth--;
}

/* The statement as a row; close forgets it. */
static struct row open_row(struct check *c, int id)
{
    struct row r = { .q = c->entry.n };

    c->cut = 0;
    if (id >= 0)
        flatten(c, id);
    r.end = c->entry.n;
    return r;
}

static bool close_row(struct check *c, const struct row *r, int first, int pars, bool ok)
{
    if (ok && facts_ok(c) && c->init >= 0)
        ok = facts_refuse(c, "a variable is set where it is declared, and not there");
    if (ok && facts_ok(c) && r->q < r->end)
        ok = facts_refuse(c, "a statement is there twice, or is none of the commands");
    c->entry.n = first;
    c->par.n = pars;
    return ok && facts_ok(c);
}

/* The next statement, or NULL. */
static const struct ms *next(const struct check *c, const struct row *r)
{
    return r->q < r->end ? &c->m->ms.a[c->entry.a[r->q].id] : NULL;
}

/* Takes it. What runs at the same time as statements before it must be other iterations of a parallel loop, and so must all of the
   block. */
static bool take(struct check *c, struct row *r)
{
    int cut = c->entry.a[r->q].cut;
    struct found *f = r->found;

    if (cut > 0) {
        while (f && !(f->at == r->q && f->loop->par && c->par.a[cut].from >= f->from))
            f = f->outer;
        if (!f)
            return facts_refuse(c, "statements run at the same time that are no iterations of a parallel loop");
        f->end = c->par.a[cut].end > f->end ? c->par.a[cut].end : f->end;
    }
    r->q++;
    return true;
}

/* ---- ranges ---- */

/* The loop's level in the commands; -1: none. */
static int level_of(const struct check *c, const struct ms *f)
{
    int i = f->var - c->m->code->level.n;

    return i < 0 ? f->var : i < c->m->alias.n ? c->m->alias.a[i] : -1;
}

/* The loop of the level that the statement is, maybe under conditions; NULL: none. */
static const struct ms *loop_in(const struct check *c, const struct ms *x, int level)
{
    while (x && x->kind != MS_FOR) {
        int id = -1;
        if (x->kind == MS_BLOCK && x->len > 0)
            id = c->m->pool.a[x->first];
        else if (x->kind == MS_IF)
            id = c->m->ms.a[x->a].kind == MS_BLOCK && c->m->ms.a[x->a].len == 0 ? x->b : x->a;
        x = id < 0 ? NULL : &c->m->ms.a[id];
    }
    return x && level_of(c, x) == level ? x : NULL;
}

static bool is_nothing(struct check *c, int id, bool each);

struct branch {
    const struct ms *s;
    bool each;
};

static bool nothing_case(struct check *c, bool holds, void *arg)
{
    const struct branch *x = arg;

    return holds ? is_nothing(c, x->s->a, x->each) : x->s->b < 0 || is_nothing(c, x->s->b, x->each);
}

/* Can the plain statements do nothing, by conditions? Children stand before their parents. */
static void find_empty(struct check *c)
{
    for (int id = 0; id < c->p->ms.n; id++) {
        const struct ms *x = &c->p->ms.a[id];
        bool none = x->kind == MS_BLOCK || (x->kind == MS_FOR && x->n == 0);
        for (int i = 0; x->kind == MS_BLOCK && i < x->len && none; i++)
            none = c->empty[c->p->pool.a[x->first + i]];
        if (x->kind == MS_FOR || x->kind == MS_ARRAY || x->kind == MS_IF)
            none = none || c->empty[x->a];
        c->empty[id] = none || (x->kind == MS_IF && (x->b < 0 || c->empty[x->b]));
    }
}

/* Do these iterations of the plain loop do nothing: all of them at once, or (each) one by one? */
static bool are_nothing(struct check *c, const struct ms *loop, const struct range *r, bool each)
{
    struct mark k = facts_mark(c);
    int was = c->plain[loop->var];
    bool none = r->lo >= r->hi, one = r->hi - r->lo == 1;

    if (!none && !c->empty[loop->a] && r->nlow + r->nhigh == 0)
        return false;
    if (!none) {
        c->plain[loop->var] = facts_range_var(c, c->fresh++, r);
        none = !facts_range_learn(c, c->plain[loop->var], r) || (facts_ok(c) && is_nothing(c, loop->a, each));
    }
    c->plain[loop->var] = was;
    facts_release(c, k);
    if (!none && each && !one && r->hi - r->lo <= CHECK_EACH) {
        struct range cell = *r;
        none = true;
        for (cell.hi = r->lo + 1; cell.lo < r->hi && none; cell.lo++, cell.hi++)
            none = are_nothing(c, loop, &cell, true);
    }
    return none && facts_ok(c);
}

/* Does the plain statement do nothing here? */
static bool is_nothing(struct check *c, int id, bool each)
{
    const struct ms *x = &c->p->ms.a[id];
    struct branch both = { x, each };
    bool none = facts_enter(c) && c->empty[id];
    int all;

    switch (x->kind) {
    case MS_BLOCK:
        for (int i = 0; i < x->len && none; i++)
            none = is_nothing(c, c->p->pool.a[x->first + i], each);
        break;
    case MS_ARRAY: none = none && is_nothing(c, x->a, each); break;
    case MS_FOR: none = none && are_nothing(c, x, &(struct range){ .hi = x->n }, each); break;
    case MS_IF:
        all = none ? facts_known(c, true, x->first, x->len) : 1;
        none = none && (all >= 0 ? nothing_case(c, all, &both) : facts_cases(c, true, x->first, x->len, nothing_case, &both));
        break;
    default: none = false;
    }
    c->depth--;
    return none;
}

static bool is_idle(struct check *c, int id);

static bool idle_case(struct check *c, bool holds, void *arg)
{
    const struct ms *x = arg;

    return holds ? is_idle(c, x->a) : x->b < 0 || is_idle(c, x->b);
}

static bool is_idle_loop(struct check *c, const struct ms *x)
{
    struct mark k = facts_mark(c);
    struct range r;
    bool none = false;

    if (level_of(c, x) >= 0 && c->merged[x->var] < 0 && facts_range_of(c, x, &r)) {
        c->merged[x->var] = facts_range_var(c, x->var, &r);
        none = r.lo >= r.hi || !facts_range_learn(c, c->merged[x->var], &r) || (facts_ok(c) && is_idle(c, x->a));
        c->merged[x->var] = -1;
    }
    facts_release(c, k);
    return none;
}

/* Does the merged statement do nothing: loops that have no iteration, and conditions that never hold? */
static bool is_idle(struct check *c, int id)
{
    struct ms *x = &c->m->ms.a[id];
    bool none = facts_enter(c);

    switch (x->kind) {
    case MS_BLOCK:
        for (int i = 0; i < x->len && none; i++)
            none = is_idle(c, c->m->pool.a[x->first + i]);
        break;
    case MS_FOR: none = none && is_idle_loop(c, x); break;
    case MS_IF: none = none && facts_cases(c, false, x->first, x->len, idle_case, x); break;
    default: none = false;
    }
    c->depth--;
    return none;
}

/* ---- statements ---- */

static bool check(struct check *c, int id, struct row *r);
static bool cover(struct check *c, struct found *f, struct row *r, struct range want);

/* The plain statement is the merged one. */
static bool check_all(struct check *c, int id, int merged)
{
    int first = c->entry.n, pars = c->par.n;
    struct row r = open_row(c, merged);

    return close_row(c, &r, first, pars, facts_ok(c) && check(c, id, &r));
}

static bool check_set(struct check *c, const struct ms *x, struct row *r)
{
    const struct ms *y;
    int init = c->init;

    if (init >= 0) {
        c->init = -1;
        return (x->var == c->of && x->lin < 0) ? facts_exp(c, x->a, init) : facts_refuse(c, "a variable starts with another value");
    }
    y = next(c, r);
    if (!y || y->kind != MS_SET || y->var != x->var)
        return facts_refuse(c, "an assignment is not there");
    return facts_place(c, x->lin, y->lin) && facts_exp(c, x->a, y->a) && take(c, r);
}

static bool check_decl(struct check *c, const struct ms *x, struct row *r)
{
    const struct ms *y = next(c, r);

    if (!y || y->kind != MS_DECL || y->var != x->var)
        return facts_refuse(c, "a variable is not declared");
    c->init = y->a;
    c->of = y->var;
    return take(c, r);
}

static bool check_array(struct check *c, const struct ms *x, struct row *r)
{
    const struct ms *y = next(c, r);

    if (!y || y->kind != MS_ARRAY || y->var != x->var || y->n != x->n || (y->heap && !c->m->heap))
        return facts_refuse(c, "an array is not declared, or has another size");
    return take(c, r) && check_all(c, x->a, y->a);
}

/* A plain statement, and the merged branch that it is. */
static bool branch_case(struct check *c, bool holds, void *arg)
{
    const struct two *t = arg;
    const struct ms *y = &c->m->ms.a[t->merged];

    return check_all(c, t->plain, holds ? y->a : y->b);
}

static bool check_if(struct check *c, int id, struct row *r)
{
    const struct ms *x = &c->p->ms.a[id], *y = next(c, r);
    int all = facts_known(c, true, x->first, x->len);

    if (!facts_ok(c))
        return false;
    if (all >= 0)
        return all == 1 ? check(c, x->a, r) : x->b < 0 || check(c, x->b, r);
    if (is_nothing(c, id, false))
        return true;
    if (!y || y->kind != MS_IF)
        return facts_refuse(c, "a condition is gone that is not decided");
    return take(c, r) && facts_cases(c, false, y->first, y->len, branch_case, &(struct two){ id, (int)(y - c->m->ms.a) });
}

/* Has the next statement the same loop as f, for another part of the body? */
static bool is_same_loop(const struct check *c, const struct ms *f, const struct ms *x)
{
    if (!x || x->kind != MS_FOR || x->var != f->var || !x->par || x->from != f->from || x->n != f->n || x->nlo != f->nlo ||
        x->nhi != f->nhi)
        return false;
    for (int i = 0; i < f->nlo + f->nhi; i++)
        if (!lin_equal(&c->m->lins, c->m->pool.a[f->first + i], c->m->pool.a[x->first + i]))
            return false;
    return true;
}

/* The bodies of loops that follow one another and have the same range, in a row: iterations of a parallel loop may be apart in them.
   How many of them are the plain loop, its body tells: c->body has where each starts. */
static void put_bodies(struct check *c, const struct found *f, const struct row *r, struct row *body)
{
    const struct ms *x = next(c, r);
    int q = r->q;

    *body = (struct row){ .q = c->entry.n };
    do {
        if (!vec_room(c->mem, &c->body, 1)) {
            facts_fail(c, CALQUE_NOMEM);
            return;
        }
        c->body.a[c->body.n++] = (struct body){ c->entry.n, c->entry.a[q].cut };
        c->cut = 0;
        flatten(c, c->m->ms.a[c->entry.a[q].id].a);
        if (facts_ok(c) && c->entry.n == c->body.a[c->body.n - 1].from)
            facts_refuse(c, "a loop of nothing");
        q++;
    } while (facts_ok(c) && f->loop->par && x->par && q < r->end && is_same_loop(c, x, &c->m->ms.a[c->entry.a[q].id]));
    body->end = c->entry.n;
}

/* Parallel blocks around them are some around their parts. */
static void put_cuts(struct check *c, const struct row *r, const struct row *body, int first)
{
    int n = c->body.n - first;

    for (int i = 1; i < n && facts_ok(c); i++) {
        struct body *x = &c->body.a[first + i], *y = x - 1;
        struct extent e;
        if (x->cut == 0)
            continue;
        while (y > &c->body.a[first] && y->cut != x->cut)
            y--;
        if (y > &c->body.a[first]) {
            c->entry.a[x->from].cut = c->entry.a[y->from].cut;
            continue;
        }
        e = c->par.a[x->cut];
        c->entry.a[x->from].cut = put_par(c);
        c->par.a[c->par.n - 1].from = c->body.a[first + (e.from > r->q ? e.from - r->q : 0)].from;
        c->par.a[c->par.n - 1].end = e.end - r->q < n ? c->body.a[first + e.end - r->q].from : body->end;
    }
}

/* Takes those whose parts were taken. Loops that run at the same time are parts of f. */
static bool take_bodies(struct check *c, struct found *f, struct row *r, struct row *body, int first)
{
    int n = 1;

    while (first + n < c->body.n && c->body.a[first + n].from < body->q)
        n++;
    if (body->q != (first + n < c->body.n ? c->body.a[first + n].from : body->end))
        return facts_refuse(c, "a statement is there twice, or is none of the commands");
    for (int i = 1; i < n; i++) {
        int cut = c->body.a[first + i].cut;
        if (cut > 0 && c->par.a[cut].from < f->from)
            return facts_refuse(c, "statements run at the same time that are no iterations of a parallel loop");
        if (cut > 0 && c->par.a[cut].end > f->end)
            f->end = c->par.a[cut].end;
    }
    body->end = body->q;
    if (!take(c, r))
        return false;
    r->q += n - 1;
    return true;
}

/* The plain loop that is all of the statement, or NULL. */
static const struct ms *only_loop(const struct check *c, int id)
{
    const struct ms *x = &c->p->ms.a[id];

    while (x->kind == MS_BLOCK && x->len == 1)
        x = &c->p->ms.a[c->p->pool.a[x->first]];
    return x->kind == MS_FOR ? x : NULL;
}

static bool is_whole(const struct ms *loop, const struct range *r)
{
    return r->lo == 0 && r->hi == loop->n && r->nlow + r->nhigh == 0;
}

/* Bodies of loops over the range. */
static bool check_body(struct check *c, struct found *f, struct row *r, const struct range *have)
{
    const struct ms *x = next(c, r);
    int entries = c->entry.n, pars = c->par.n, bodies = c->body.n, was = c->plain[f->loop->var];
    struct mark k = facts_mark(c);
    struct row body;
    bool ok = true;

    if (c->merged[x->var] >= 0 || (x->par && !f->loop->par))
        return facts_refuse(c, "a loop is within itself, or parallel");
    if (x->simd && !f->loop->par && !c->free[f->loop->var])
        return facts_refuse(c, "iterations that are not independent are done with vectors");
    put_bodies(c, f, r, &body);
    put_cuts(c, r, &body, bodies);
    c->merged[x->var] = c->plain[f->loop->var] = facts_range_var(c, x->var, have);
    c->something = is_whole(f->loop, have) ? only_loop(c, f->loop->a) : NULL;
    if (facts_range_learn(c, c->merged[x->var], have))
        ok = facts_ok(c) && check(c, f->loop->a, &body);
    else
        body.q = bodies + 1 < c->body.n ? c->body.a[bodies + 1].from : body.end;
    ok = ok && facts_ok(c) && take_bodies(c, f, r, &body, bodies);
    ok = close_row(c, &body, entries, pars, ok);
    c->body.n = bodies;
    c->merged[x->var] = -1;
    c->plain[f->loop->var] = was;
    facts_release(c, k);
    return ok;
}

/* One iteration, without a loop. */
static bool check_cell(struct check *c, const struct found *f, struct row *r, long at)
{
    int was = c->plain[f->loop->var];
    bool ok;

    c->plain[f->loop->var] = lin_const(&c->l, at);
    c->something = f->loop->n == 1 ? only_loop(c, f->loop->a) : NULL;
    ok = facts_ok(c) && check(c, f->loop->a, r);
    c->plain[f->loop->var] = was;
    return ok;
}

/* Statements that are a loop over the range in some cases: in each, what is there has the wanted range. */
struct cover_case {
    struct found *f;
    const struct ms *branch;
    const struct range *want;
};

static bool cover_case(struct check *c, bool holds, void *arg)
{
    const struct cover_case *a = arg;
    int first = c->entry.n, pars = c->par.n;
    struct row r = open_row(c, holds ? a->branch->a : a->branch->b);
    struct found f = { .loop = a->f->loop, .from = r.q };

    r.found = &f;
    return close_row(c, &r, first, pars, facts_ok(c) && cover(c, &f, &r, *a->want) && (r.q >= f.end || facts_refuse(c, "")));
}

/* Bounds of the loop that the range has not: beyond them nothing is done. */
static bool narrow(struct check *c, const struct ms *loop, const struct range *have, struct range *want)
{
    for (int i = 0; i < have->nlow + have->nhigh && facts_ok(c); i++) {
        bool low = i < have->nlow;
        int form = low ? have->low[i] : have->high[i - have->nlow];
        struct range out;
        if (low ? facts_range_bound(c, want->low, want->nlow, form) : facts_range_bound(c, want->high, want->nhigh, form))
            continue;
        out = facts_range_with(c, *want, !low, form);
        if (!are_nothing(c, loop, &out, true))
            return facts_refuse(c, "iterations are left out at a bound");
        *want = facts_range_with(c, *want, low, form);
    }
    return facts_ok(c);
}

/* Is there a later loop of the range that has the bound as its first iteration, or (form < 0) that goes over the number? */
static bool goes_on(struct check *c, const struct found *f, const struct row *r, const struct range *want, int form, long at)
{
    bool found = false;

    for (int q = r->q + 1; q < r->end && !found && facts_ok(c); q++) {
        const struct ms *x = loop_in(c, &c->m->ms.a[c->entry.a[q].id], f->loop->var);
        struct mark k = facts_mark(c);
        struct range have;
        c->steps++;
        if (x && facts_range_of(c, x, &have) && facts_range_has(c, &have, want))
            found = form < 0 ? have.lo < at && at < have.hi : facts_range_bound(c, have.low, have.nlow, form);
        facts_release(c, k);
    }
    return found;
}

/* The first bound where the range is divided, or -1. */
static int divided_at(struct check *c, const struct found *f, const struct row *r, const struct range *want, const struct range *have)
{
    for (int i = 0; i < have->nhigh; i++)
        if (!facts_range_bound(c, want->high, want->nhigh, have->high[i]) && goes_on(c, f, r, want, have->high[i], 0))
            return have->high[i];
    return -1;
}

/* A loop, maybe under conditions, that has the whole range. */
static bool cover_whole(struct check *c, struct found *f, struct row *r, struct range want, const struct range *have)
{
    const struct ms *y = next(c, r);

    if (y->kind == MS_IF)
        return take(c, r) && facts_cases(c, false, y->first, y->len, cover_case, &(struct cover_case){ f, y, &want });
    if (!narrow(c, f->loop, have, &want))
        return false;
    if (have->lo != want.lo || have->hi != want.hi || !facts_range_has(c, have, &want))
        return facts_refuse(c, "iterations are there twice");
    return check_body(c, f, r, have);
}

/* The next statements are the plain loop in the range. Recursion is bounded by bounds that are no numbers, and by numbers within
   them. */
static bool cover_from(struct check *c, struct found *f, struct row *r, struct range want)
{
    while (want.lo < want.hi && facts_ok(c)) {
        const struct ms *x = loop_in(c, next(c, r), f->loop->var);
        struct range have, part = want;
        int bound;

        f->at = r->q;
        c->steps++;
        if (!x) {
            if (!is_whole(f->loop, &want) && are_nothing(c, f->loop, &want, false))
                return true;
            if (want.nlow + want.nhigh > 0)
                return facts_refuse(c, "a loop is gone");
            if (!check_cell(c, f, r, want.lo++))
                return false;
            continue;
        }
        if (!facts_range_of(c, x, &have))
            return false;
        if (have.lo > want.lo) {
            part.hi = have.lo < want.hi ? have.lo : want.hi;
            if (!are_nothing(c, f->loop, &part, true))
                return facts_refuse(c, "iterations are left out");
            want.lo = part.hi;
            continue;
        }
        bound = divided_at(c, f, r, &want, &have);
        if (have.hi < want.hi && !(bound >= 0 && goes_on(c, f, r, &want, -1, have.hi))) {
            part.hi = have.hi;
            if (have.hi <= want.lo || !cover(c, f, r, part))
                return facts_refuse(c, "iterations are there in another order");
            want.lo = part.hi;
        } else if (bound >= 0) {
            if (!cover(c, f, r, facts_range_with(c, want, false, bound)))
                return false;
            want = facts_range_with(c, want, true, bound);
        } else {
            return cover_whole(c, f, r, want, &have);
        }
    }
    return facts_ok(c);
}

static bool cover(struct check *c, struct found *f, struct row *r, struct range want)
{
    struct mark k = facts_mark(c);
    bool ok = facts_enter(c) && cover_from(c, f, r, want);

    c->depth--;
    facts_release(c, k);
    return ok;
}

static bool check_loop(struct check *c, const struct ms *x, struct row *r)
{
    struct found f = { .loop = x, .from = r->q, .outer = r->found };
    struct range all = { .hi = x->n };
    bool ok;

    if (c->something != x && are_nothing(c, x, &all, false)) { /* what is next may be this loop's, for another iteration around it */
        while (loop_in(c, next(c, r), x->var) && is_idle(c, c->entry.a[r->q].id))
            if (!take(c, r))
                return false;
        return facts_ok(c);
    }
    r->found = &f;
    ok = facts_ok(c) && cover(c, &f, r, all);
    r->found = f.outer;
    return ok && (r->q >= f.end || facts_refuse(c, "statements run at the same time that are no iterations of a parallel loop"));
}

/* The plain statement is what comes next in the row. */
static bool check(struct check *c, int id, struct row *r)
{
    const struct ms *x = &c->p->ms.a[id];
    bool ok = facts_enter(c);

    if (ok && c->init >= 0 && x->kind != MS_BLOCK && x->kind != MS_SET)
        ok = facts_refuse(c, "a variable is set where it is declared, and not there");
    switch (ok ? x->kind : -1) {
    case MS_BLOCK:
        for (int i = 0; i < x->len && ok; i++)
            ok = check(c, c->p->pool.a[x->first + i], r);
        break;
    case MS_SET: ok = check_set(c, x, r); break;
    case MS_DECL: ok = check_decl(c, x, r); break;
    case MS_ARRAY: ok = check_array(c, x, r); break;
    case MS_IF: ok = check_if(c, id, r); break;
    case MS_FOR: ok = check_loop(c, x, r); break;
    default: ok = false;
    }
    c->depth--;
    return ok && facts_ok(c);
}

static bool make_room(struct check *c)
{
    const struct code *code = c->m->code;
    int levels = code->level.n, vars = levels + c->m->alias.n;

    c->plain = mem_resize(c->mem, NULL, (size_t)levels + 1, sizeof *c->plain);
    c->merged = mem_resize(c->mem, NULL, (size_t)vars + 1, sizeof *c->merged);
    c->free = mem_zero(c->mem, (size_t)levels + 1, sizeof *c->free);
    c->empty = mem_zero(c->mem, (size_t)c->p->ms.n + 1, sizeof *c->empty);
    if (!c->plain || !c->merged || !c->free || !c->empty || put_par(c) != 0)
        return false;
    for (int i = 0; i < vars; i++)
        c->merged[i] = -1;
    for (int i = 0; i < levels; i++)
        c->plain[i] = -1;
    for (int i = 0; i < code->comm.n; i++)
        if (code->comm.a[i].kind == COMM_FOR && code->comm.a[i].free)
            c->free[code->comm.a[i].level] = true;
    c->fresh = vars;
    find_empty(c);
    return c->status == CALQUE_OK;
}

enum calque_status statements_check(const struct minic *plain, const struct minic *m, struct diag *d)
{
    struct check c = { .mem = m->mem, .p = plain, .m = m, .init = -1 };
    enum calque_status st;

    lins_init(&c.l, m->mem);
    if (make_room(&c))
        check_all(&c, plain->main, m->main);
    else
        c.status = CALQUE_NOMEM;
    st = c.status == CALQUE_NOMEM ? diag_nomem(d)
       : c.status == CALQUE_OK    ? CALQUE_OK
                                  : diag_set(d, CALQUE_NO, "", 0, 0, "statements: %s", c.why);
    lins_free(&c.l);
    mem_free(c.plain);
    mem_free(c.merged);
    mem_free(c.free);
    mem_free(c.empty);
    ints_free(&c.fact);
    mem_free(c.entry.a);
    mem_free(c.par.a);
    mem_free(c.body.a);
    return st;
}

enum calque_status codegen_checked(const struct code *code, void (*change)(struct minic *m), struct text *pair, struct minic *m,
                                   struct diag *why, struct diag *d)
{
    struct minic plain;
    enum calque_status st = codegen(code, m, d);

    diag_clear(why);
    if (st != CALQUE_OK)
        return st;
    if (change)
        change(m);
    st = codegen_plain(code, false, NULL, &plain, d);
    if (st == CALQUE_OK)
        st = statements_check(&plain, m, why);
    if (pair && (st == CALQUE_OK || st == CALQUE_NO))
        statements_print(pair, &plain, st == CALQUE_OK ? m : NULL);
    if (st == CALQUE_NO) {
        minic_free(m);
        *m = plain;
        return CALQUE_OK;
    }
    minic_free(&plain);
    return st == CALQUE_NOMEM ? diag_nomem(d) : st;
}
