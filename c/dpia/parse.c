/* .dpia files: declarations and assignments. */
#include "dpia/parse_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool dpia_ok(const struct parser *q)
{
    return q->lx.status == CALQUE_OK;
}

int dpia_error(struct parser *q, int node, const char *format, ...)
{
    char text[DIAG_TEXT];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    lex_error_at(&q->lx, q->ast.a[node].line, q->ast.a[node].col, "%s", text);
    return -1;
}

int dpia_nomem(struct parser *q)
{
    if (dpia_ok(q)) {
        lex_error(&q->lx, "out of memory");
        q->lx.status = diag_nomem(q->lx.diag);
    }
    return -1;
}

int dpia_limit(struct parser *q, const char *what)
{
    if (dpia_ok(q)) {
        int line = q->lx.tok.line, col = q->lx.tok.col;
        lex_error(&q->lx, "%s", what);
        q->lx.status = diag_set(q->lx.diag, CALQUE_LIMIT, q->lx.file, line, col, "%s", what);
    }
    return -1;
}

/* What a file is read with: sizes from outside, and outputs whose type is still open. */
struct reader {
    struct parser q;
    const struct dpia_size *given;
    int ngiven;
    struct ints open;   /* triples: name, role, node of the name */
    struct ints place;  /* of parameter k: the node that declares it */
    struct ints set;    /* of parameter k: is it assigned? */
};

static long given_size(const struct reader *r, int name)
{
    for (int i = 0; i < r->ngiven; i++)
        if (strcmp(r->given[i].name, strs_text(r->q.p->strs, name)) == 0)
            return r->given[i].n;
    return SIZE_NONE;
}

/* A size of the program: given from outside, in the file (otherwise), or symbolic. */
static bool add_size(struct reader *r, int name, long n)
{
    struct parser *q = &r->q;
    long given = given_size(r, name);

    for (int i = 0; i < q->size.n; i++)
        if (q->size.a[i].name == name)
            return true;
    if (given != SIZE_NONE)
        n = given;
    else if (n == SIZE_NONE)
        n = size_var(q->p, name);
    if (n == SIZE_NONE || !vec_room(q->p->mem, &q->size, 1))
        return dpia_nomem(q) == 0;
    q->size.a[q->size.n++] = (struct size_bound){ name, n };
    q->sizes = q->size.n;
    q->size_from = q->size.n;
    return true;
}

/* Every name in a size of the type is a size variable. */
static bool sizes_of(struct reader *r, int node)
{
    struct ast x = r->q.ast.a[node];

    switch (x.kind) {
    case AST_NAME: return add_size(r, x.name, SIZE_NONE);
    case AST_INT: case AST_NUM: return true;
    default: return sizes_of(r, x.a) && sizes_of(r, x.b);
    }
}

static bool add_param(struct reader *r, int name, int role, int type, int place)
{
    struct parser *q = &r->q;
    int k, e;

    k = prog_param(q->p, name, role, type);
    e = k < 0 ? -1 : exp_var(q->p, q->p->param.a[k].var);
    if (e < 0 || !vec_room(q->p->mem, &q->env, 1) || !ints_push(q->p->mem, &r->place, place) ||
        !ints_push(q->p->mem, &r->set, role == KERNEL_IN))
        return dpia_nomem(q) == 0;
    q->env.a[q->env.n++] = (struct bound){ name, e, -1 };
    return true;
}

static int find_param(const struct parser *q, int name)
{
    for (int i = 0; i < q->p->param.n; i++)
        if (q->p->param.a[i].name == name)
            return i;
    return -1;
}

static int find_open(const struct reader *r, int name)
{
    for (int i = 0; i < r->open.n; i += 3)
        if (r->open.a[i] == name)
            return i;
    return -1;
}

/* in a, b : type */
static bool parameters(struct reader *r, int role)
{
    struct parser *q = &r->q;
    int name[32], place[32], n = 0, node, type;

    do {
        if (n == 32)
            return dpia_limit(q, "more than 32 names in one declaration") == 0;
        place[n] = syntax_node(q, (struct ast){ .kind = AST_NAME });
        name[n] = syntax_name(q);
        if (name[n] < 0)
            return false;
        for (int i = 0; i < n; i++)
            if (name[i] == name[n])
                return dpia_error(q, place[n], "'%s' is declared twice", strs_text(q->p->strs, name[n])) == 0;
        if (find_param(q, name[n]) >= 0 || find_open(r, name[n]) >= 0)
            return dpia_error(q, place[n], "'%s' is declared twice", strs_text(q->p->strs, name[n])) == 0;
        n++;
    } while (lex_accept(&q->lx, ","));
    if (role != KERNEL_IN && !lex_is(&q->lx, ":")) {
        for (int i = 0; i < n; i++)
            if (!ints_push(q->p->mem, &r->open, name[i]) || !ints_push(q->p->mem, &r->open, role) ||
                !ints_push(q->p->mem, &r->open, place[i]))
                return dpia_nomem(q) == 0;
        return true;
    }
    node = lex_expect(&q->lx, ":") ? syntax_type(q) : -1;
    if (node < 0 || (role == KERNEL_IN && !sizes_of(r, node)))
        return false;
    type = elab_type(q, node);
    for (int i = 0; i < n; i++)
        if (type < 0 || !add_param(r, name[i], role, type, place[i]))
            return false;
    return true;
}

/* size n, m = 6 */
static bool sizes(struct reader *r)
{
    struct parser *q = &r->q;

    do {
        int name = syntax_name(q);
        long n = SIZE_NONE;
        if (name < 0)
            return false;
        if (lex_accept(&q->lx, "=")) {
            int node = syntax_size(q);
            n = node < 0 ? SIZE_NONE : elab_size(q, node);
            if (n == SIZE_NONE)
                return false;
        }
        if (!add_size(r, name, n))
            return false;
    } while (lex_accept(&q->lx, ","));
    return true;
}

static bool scalar(struct parser *q)
{
    static const char *const names[] = { "f32", "f64", "i32", "i64" };

    if (q->p->param.n > 0 || q->def.n > 0)
        return lex_error(&q->lx, "the scalar type comes first") == CALQUE_OK;
    for (int i = 0; i < 4; i++)
        if (lex_is(&q->lx, names[i])) {
            q->p->scalar = (enum kernel_type)i;
            return lex_next(&q->lx);
        }
    return syntax_expected(q, "f32, f64, i32 or i64") == 0;
}

/* def f p (q : type) = e */
static bool definition(struct parser *q)
{
    struct def d = { .len = 0 };
    int items[32];

    d.name = syntax_name(q);
    while (d.name >= 0 && !lex_is(&q->lx, "=")) {
        bool bracket = lex_accept(&q->lx, "(");
        int at = syntax_node(q, (struct ast){ .kind = AST_BIND, .a = -1 }), name = syntax_name(q), type = -1;
        if (at < 0 || name < 0)
            return false;
        if (bracket && lex_accept(&q->lx, ":") && (type = syntax_type(q)) < 0)
            return false;
        if (bracket && !lex_expect(&q->lx, ")"))
            return false;
        if (d.len == 32)
            return dpia_limit(q, "more than 32 parameters") == 0;
        q->ast.a[at].name = name;
        q->ast.a[at].a = type;
        items[d.len++] = at;
    }
    d.body = d.name >= 0 && lex_expect(&q->lx, "=") ? syntax_exp(q) : -1;
    if (d.body < 0)
        return false;
    d.first = q->pool.n;
    for (int i = 0; i < d.len; i++)
        if (!ints_push(q->p->mem, &q->pool, items[i]))
            return dpia_nomem(q) == 0;
    if (!vec_room(q->p->mem, &q->def, 1))
        return dpia_nomem(q) == 0;
    q->def.a[q->def.n++] = d;
    return true;
}

/* The parameter assigned, which takes its type from the expression if it has none yet; -1 after an error. */
static int target(struct reader *r, int place, int name, int type)
{
    struct parser *q = &r->q;
    int k = find_param(q, name), open = find_open(r, name);
    char a[ELAB_TEXT], b[ELAB_TEXT];

    if (k < 0 && open < 0)
        return dpia_error(q, place, "'%s' is not declared", strs_text(q->p->strs, name));
    if (k < 0) {
        if (!add_param(r, name, r->open.a[open + 1], type, place))
            return -1;
        k = q->p->param.n - 1;
    }
    if (q->p->param.a[k].role == KERNEL_IN)
        return dpia_error(q, place, "'%s' is an input", strs_text(q->p->strs, name));
    if (q->p->var.a[q->p->param.a[k].var].type != type)
        return dpia_error(q, place, "T_Assign: '%s' is %s, the expression is %s", strs_text(q->p->strs, name),
                           elab_show(q, q->p->var.a[q->p->param.a[k].var].type, a, sizeof a), elab_show(q, type, b, sizeof b));
    return k;
}

/* No parameter is read before it has a value. */
static bool reads_values(struct reader *r, int place, int e)
{
    struct parser *q = &r->q;

    for (int i = 0; i < q->p->param.n; i++)
        if (!r->set.a[i] && exp_occurs(q->p, e, q->p->param.a[i].var))
            return dpia_error(q, place, "'%s' is read before it is assigned",
                               strs_text(q->p->strs, q->p->param.a[i].name)) == 0;
    return true;
}

/* a := e, or a := copy of e as printed */
static bool assignment(struct reader *r)
{
    struct parser *q = &r->q;
    int place = syntax_node(q, (struct ast){ .kind = AST_NAME }), name = syntax_name(q), e, k;

    if (name < 0 || !lex_expect(&q->lx, ":") || !lex_expect(&q->lx, "="))
        return false;
    if (lex_is(&q->lx, "copy")) {
        struct lex next = q->lx;
        next.diag = NULL;
        lex_next(&next);
        if (lex_is(&next, "of")) {
            lex_next(&q->lx);
            lex_next(&q->lx);
        }
    }
    e = syntax_exp(q);
    e = e < 0 ? -1 : elab_exp(q, e);
    k = e < 0 ? -1 : target(r, place, name, q->p->exp.a[e].type);
    if (k < 0 || !reads_values(r, place, e))
        return false;
    r->set.a[k] = 1;
    if (!prog_assign(q->p, k, e, exp_occurs(q->p, e, q->p->param.a[k].var)))
        return dpia_nomem(q) == 0;
    return true;
}

static bool item(struct reader *r)
{
    struct lex *lx = &r->q.lx, next = *lx;

    next.diag = NULL;
    lex_next(&next);
    if (lex_is(&next, ":")) /* a parameter may be called out */
        return assignment(r);
    if (lex_accept(lx, "scalar"))
        return scalar(&r->q);
    if (lex_accept(lx, "size"))
        return sizes(r);
    if (lex_accept(lx, "in"))
        return parameters(r, KERNEL_IN);
    if (lex_accept(lx, "out"))
        return parameters(r, KERNEL_OUT);
    if (lex_accept(lx, "temp"))
        return parameters(r, KERNEL_TEMP);
    if (lex_accept(lx, "def"))
        return definition(&r->q);
    return assignment(r);
}

/* Sizes and parameters have different names; every size given from outside is one of the program. */
static void check_names(struct reader *r)
{
    struct parser *q = &r->q;
    const char *file = q->lx.file;

    for (int i = 0; i < q->p->param.n; i++)
        for (int k = 0; k < q->size.n && dpia_ok(q); k++)
            if (q->size.a[k].name == q->p->param.a[i].name)
                dpia_error(q, r->place.a[i], "'%s' is both a size and a parameter",
                            strs_text(q->p->strs, q->p->param.a[i].name));

    for (int i = 0; i < r->ngiven && dpia_ok(q); i++) {
        bool known = false;
        for (int k = 0; k < q->size.n; k++)
            known = known || strcmp(strs_text(q->p->strs, q->size.a[k].name), r->given[i].name) == 0;
        if (!known)
            q->lx.status = diag_set(q->lx.diag, CALQUE_BAD, file, 0, 0, "the program has no size '%s'", r->given[i].name);
    }
}

/* Every output has its value. */
static void finish(struct reader *r)
{
    struct parser *q = &r->q;

    check_names(r);
    for (int i = 0; i < r->open.n && dpia_ok(q); i += 3)
        if (find_param(q, r->open.a[i]) < 0)
            dpia_error(q, r->open.a[i + 2], "'%s' is never assigned", strs_text(q->p->strs, r->open.a[i]));
    for (int i = 0; i < q->p->param.n && dpia_ok(q); i++)
        if (!r->set.a[i])
            dpia_error(q, r->place.a[i], "'%s' is never assigned", strs_text(q->p->strs, q->p->param.a[i].name));
    if (dpia_ok(q) && q->p->stmt.n == 0)
        lex_error(&q->lx, "the program assigns nothing");
}

enum calque_status dpia_parse(struct prog *p, struct mem *mem, struct strs *strs, const char *file, const char *src, size_t n,
                              const struct dpia_size *sizes_given, int nsizes, struct diag *d)
{
    struct reader r;
    struct parser *q = &r.q;
    enum calque_status st;

    memset(&r, 0, sizeof r);
    prog_init(p, mem, strs, KERNEL_F32);
    q->p = p;
    r.given = sizes_given;
    r.ngiven = nsizes;
    range_init(&q->range, p);
    lex_init(&q->lx, file, src, n, false, d);
    while (dpia_ok(q) && q->lx.tok.kind != TOK_END && item(&r))
        ;
    if (dpia_ok(q) && p->status == CALQUE_OK && q->lx.tok.kind == TOK_END)
        finish(&r);
    st = dpia_ok(q) ? prog_status(p, d) : q->lx.status;
    mem_free(q->ast.a);
    mem_free(q->def.a);
    ints_free(&q->pool);
    mem_free(q->env.a);
    mem_free(q->size.a);
    range_free(&q->range);
    ints_free(&r.open);
    ints_free(&r.place);
    ints_free(&r.set);
    return st;
}
