/* The lower half of the parser: places and names, variables and scopes, index expressions, conditions, shapes. The
   grammar is in parse.c. */
#include "kernel/parse.h"

#include <stdarg.h>
#include <stdio.h>

int parse_fail(struct parser *p, struct kpos at, const char *format, ...)
{
    char message[DIAG_TEXT];
    va_list ap;

    va_start(ap, format);
    vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    lex_error_at(&p->lx, at.line, at.col, "%s", message);
    return -1;
}

int parse_nomem(struct parser *p)
{
    if (p->lx.status == CALQUE_OK) {
        p->nomem = true;
        lex_error(&p->lx, "out of memory");
    }
    return -1;
}

struct kpos parse_here(const struct parser *p)
{
    return (struct kpos){p->lx.tok.line, p->lx.tok.col};
}

int parse_name(struct parser *p, const struct token *t)
{
    int id = strs_add(p->k->strs, t->start, (size_t)t->len);

    return id < 0 ? parse_nomem(p) : id;
}

const char *parse_text(const struct parser *p, int name)
{
    return strs_text(p->k->strs, name);
}

bool parse_enter(struct parser *p)
{
    if (++p->nest > KERNEL_DEPTH_MAX) {
        lex_error(&p->lx, "nested deeper than %d", KERNEL_DEPTH_MAX);
        return false;
    }
    return true;
}

int parse_leave(struct parser *p, int result)
{
    p->nest--;
    return result;
}

static int push_ix(struct parser *p, struct ix x, struct kpos at)
{
    int a = x.a >= 0 ? p->ix.a[x.a].depth : 0, b = x.b >= 0 ? p->ix.a[x.b].depth : 0;
    struct raw_ix r = {x, at, (a > b ? a : b) + 1};

    if (r.depth > KERNEL_DEPTH_MAX)
        return parse_fail(p, at, "the index is nested deeper than %d", KERNEL_DEPTH_MAX);
    if (!vec_room(p->k->mem, &p->ix, 1))
        return parse_nomem(p);
    p->ix.a[p->ix.n] = r;
    return p->ix.n++;
}

int parse_constant(struct parser *p, long k, struct kpos at)
{
    return push_ix(p, (struct ix){IX_CONST, -1, -1, k}, at);
}

int parse_var(struct parser *p, int name, long extent, bool implicit, struct kpos at)
{
    if (!vec_room(p->k->mem, &p->var, 1))
        return parse_nomem(p);
    p->var.a[p->var.n] = (struct raw_var){name, extent, implicit, -1, at};
    return p->var.n++;
}

int parse_find_var(const struct parser *p, int name)
{
    for (int i = p->scope.n - 1; i >= 0; i--)
        if (p->var.a[p->scope.a[i]].name == name)
            return p->scope.a[i];
    for (int i = 0; i < p->var.n; i++)
        if (p->var.a[i].name == name && (i < p->nout || p->var.a[i].implicit))
            return i;
    return -1;
}

static int use_var(struct parser *p, int name, struct kpos at)
{
    int v = parse_find_var(p, name);

    if (v >= 0)
        return v;
    for (int i = 0; i < p->var.n; i++)
        if (p->var.a[i].name == name)
            return parse_fail(p, at, "%s is used outside the reduction that binds it", parse_text(p, name));
    return parse_var(p, name, -1, true, at);
}

bool parse_small(struct parser *p, const char *what, long *x)
{
    const struct token *t = &p->lx.tok;

    if (t->kind != TOK_INT) {
        lex_error(&p->lx, "expected an integer (%s)", what);
        return false;
    }
    if (t->num > KERNEL_INDEX_MAX) {
        lex_error(&p->lx, "%ld is too large (%s)", t->num, what);
        return false;
    }
    *x = t->num;
    return lex_next(&p->lx);
}

static int ix_atom(struct parser *p)
{
    struct kpos at = parse_here(p);
    struct token t = p->lx.tok;
    struct ix x = {IX_CONST, -1, -1, 0};
    int r;

    if (t.kind == TOK_NAME) {
        lex_next(&p->lx);
        if ((r = parse_name(p, &t)) < 0 || (r = use_var(p, r, at)) < 0)
            return -1;
        x.kind = IX_VAR;
        x.k = r;
        return push_ix(p, x, at);
    }
    if (lex_is(&p->lx, "(")) {
        if (!parse_enter(p))
            return -1;
        lex_next(&p->lx);
        r = parse_ix(p);
        if (r < 0 || !lex_expect(&p->lx, ")"))
            return -1;
        p->ix.a[r].at = at;
        return parse_leave(p, r);
    }
    if (lex_is(&p->lx, "-")) {
        lex_next(&p->lx);
        if (!parse_small(p, "index", &x.k))
            return -1;
        x.k = -x.k;
        return push_ix(p, x, at);
    }
    if (t.kind != TOK_INT)
        return lex_error(&p->lx, "expected an index: a variable, an integer or '('"), -1;
    return parse_small(p, "index", &x.k) ? push_ix(p, x, at) : -1;
}

/* x op y where one side must be a literal */
static int ix_scale(struct parser *p, int kind, int a, int b, struct kpos at)
{
    struct raw_ix x = p->ix.a[a], y = p->ix.a[b];

    if (kind == IX_MUL && y.ix.kind != IX_CONST && x.ix.kind == IX_CONST) {
        int swap = a;
        a = b;
        b = swap;
        y = x;
    }
    if (y.ix.kind != IX_CONST)
        return parse_fail(p, y.at, "an index is multiplied, divided or reduced by an integer literal only");
    if (kind != IX_MUL && y.ix.k <= 0)
        return parse_fail(p, y.at, "an index is divided by a positive literal only");
    return push_ix(p, (struct ix){kind, a, -1, y.ix.k}, at);
}

static int ix_term(struct parser *p)
{
    struct kpos at = parse_here(p);
    int a = ix_atom(p), b, kind;

    while (a >= 0) {
        if (lex_is(&p->lx, "*"))
            kind = IX_MUL;
        else if (lex_is(&p->lx, "//"))
            kind = IX_DIV;
        else if (lex_is(&p->lx, "%"))
            kind = IX_MOD;
        else
            break;
        lex_next(&p->lx);
        b = ix_atom(p);
        a = b < 0 ? -1 : ix_scale(p, kind, a, b, at);
    }
    return a;
}

int parse_ix(struct parser *p)
{
    struct kpos at = parse_here(p);
    int a = ix_term(p), b, kind;

    while (a >= 0 && (lex_is(&p->lx, "+") || lex_is(&p->lx, "-"))) {
        kind = lex_is(&p->lx, "+") ? IX_ADD : IX_SUB;
        lex_next(&p->lx);
        b = ix_term(p);
        a = b < 0 ? -1 : push_ix(p, (struct ix){kind, a, b, 0}, at);
    }
    return a;
}

bool parse_cond(struct parser *p)
{
    static const char *const op[] = {"<", "<=", ">", ">=", "==", "!="};
    struct cond c = {-1, -1, -1};

    if ((c.a = parse_ix(p)) < 0)
        return false;
    for (int i = 0; i < 6; i++)
        if (lex_is(&p->lx, op[i]))
            c.op = i;
    if (c.op < 0) {
        lex_error(&p->lx, "expected a comparison");
        return false;
    }
    lex_next(&p->lx);
    if ((c.b = parse_ix(p)) < 0)
        return false;
    if (!vec_room(p->k->mem, &p->cond, 1)) {
        parse_nomem(p);
        return false;
    }
    p->cond.a[p->cond.n++] = c;
    return true;
}

static bool parse_elem(struct parser *p, int *elem)
{
    for (int e = ELEM_F32; e <= ELEM_BOOL; e++)
        if (lex_accept(&p->lx, elem_name(e))) {
            *elem = kernel_elem(p->k, e);
            return true;
        }
    lex_error(&p->lx, "expected an element type: f32, f64, i32, i64 or bool");
    return false;
}

int parse_shape(struct parser *p, long *dim, int *elem)
{
    struct kpos at;
    long elems = 1;
    int n = 0;

    if (!lex_expect(&p->lx, "<"))
        return -1;
    at = parse_here(p);
    do {
        if (n == KERNEL_RANK_MAX)
            return lex_error(&p->lx, "more than %d dimensions", KERNEL_RANK_MAX), -1;
        if (!parse_small(p, "dimension", &dim[n]))
            return -1;
        if (dim[n] > 0 && elems > KERNEL_INDEX_MAX / dim[n])
            return parse_fail(p, at, "the tensor has more than %d elements", KERNEL_INDEX_MAX);
        elems *= dim[n++];
    } while (lex_accept(&p->lx, ","));
    *elem = ELEM_OWN;
    if (lex_accept(&p->lx, ":") && !parse_elem(p, elem))
        return -1;
    if (lex_is(&p->lx, ">=")) {
        p->lx.tok.start++;
        p->lx.tok.len--;
        p->lx.tok.col++;
    } else if (!lex_expect(&p->lx, ">")) {
        return -1;
    }
    return n;
}

