/* .dpia text to syntax trees. */
#include "dpia/parse_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    "in", "let", "if", "then", "else", "select", "fun", "iota", "num",
    "mapPar", "mapSeq", "generatePar", "generateSeq", "reduceSeq", "zip", "pair", "fst", "snd", "split", "join",
    "transpose", "reverse", "reverseSeq", "copySeq", "copyPar", "transPar", "inf", "nan",
};

int syntax_fn(const struct parser *q)
{
    for (int i = 0; i < FN_EXACT; i++) /* exact is of kernels */
        if (!strchr("+-*/%", fn_info(i)->text[0]) && lex_is(&q->lx, fn_info(i)->text))
            return i;
    return -1;
}

static bool syntax_is_word(const struct parser *q)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lex_is(&q->lx, words[i]))
            return true;
    return syntax_fn(q) >= 0;
}

int syntax_node(struct parser *q, struct ast a)
{
    if (!dpia_ok(q))
        return -1;
    if (a.line == 0) {
        a.line = q->lx.tok.line;
        a.col = q->lx.tok.col;
    }
    if (!vec_room(q->p->mem, &q->ast, 1))
        return dpia_nomem(q);
    q->ast.a[q->ast.n] = a;
    return q->ast.n++;
}

/* A node at the place of another. */
static int node_at(struct parser *q, int at, struct ast a)
{
    if (at < 0)
        return -1;
    a.line = q->ast.a[at].line;
    a.col = q->ast.a[at].col;
    return syntax_node(q, a);
}

int syntax_expected(struct parser *q, const char *what)
{
    const struct token *t = &q->lx.tok;

    if (t->kind == TOK_END)
        lex_error(&q->lx, "expected %s before the end of the file", what);
    else
        lex_error(&q->lx, "expected %s, got '%.*s'", what, t->len > 40 ? 40 : t->len, t->start);
    return -1;
}

int syntax_name(struct parser *q)
{
    int id;

    if (q->lx.tok.kind != TOK_NAME || syntax_is_word(q))
        return syntax_expected(q, "a name");
    id = strs_add(q->p->strs, q->lx.tok.start, (size_t)q->lx.tok.len);
    if (id < 0)
        return dpia_nomem(q);
    lex_next(&q->lx);
    return id;
}

bool syntax_enter(struct parser *q)
{
    if (q->depth > DPIA_DEPTH)
        dpia_limit(q, "the program is nested deeper than 400");
    q->depth++;
    return dpia_ok(q);
}

static int ix_sum(struct parser *q);

/* Integers before a point come as one float with what follows: 6.4 in the type 6.4.num. */
static int ix_int(struct parser *q)
{
    struct lex *lx = &q->lx;
    int n = 0, id;
    bool split;

    while (n < lx->tok.len && lx->tok.start[n] >= '0' && lx->tok.start[n] <= '9')
        n++;
    split = lx->tok.kind == TOK_FLOAT && n > 0 && n < lx->tok.len && lx->tok.start[n] == '.';
    if (lx->tok.kind != TOK_INT && !split)
        return syntax_expected(q, "a size or index");
    if (split && n > 18)
        return syntax_expected(q, "a smaller number");
    id = syntax_node(q, (struct ast){ .kind = AST_INT, .inum = split ? strtol(lx->tok.start, NULL, 10) : lx->tok.num });
    if (split)
        lx->at = lx->tok.start + n;
    lex_next(lx);
    return id;
}

static int ix_atom(struct parser *q)
{
    int id;

    if (lex_is(&q->lx, "(")) {
        lex_next(&q->lx);
        id = ix_sum(q);
        return lex_expect(&q->lx, ")") ? id : -1;
    }
    if (lex_is(&q->lx, "-")) {
        int zero = syntax_node(q, (struct ast){ .kind = AST_INT });
        lex_next(&q->lx);
        id = ix_atom(q);
        return id < 0 ? -1 : node_at(q, zero, (struct ast){ .kind = AST_SUB, .a = zero, .b = id });
    }
    if (q->lx.tok.kind == TOK_NAME && !syntax_is_word(q)) {
        id = syntax_node(q, (struct ast){ .kind = AST_NAME });
        int name = syntax_name(q);
        if (id >= 0)
            q->ast.a[id].name = name;
        return id;
    }
    return ix_int(q);
}

static int ix_product(struct parser *q)
{
    int a = ix_atom(q);

    for (;;) {
        int kind = lex_is(&q->lx, "*") ? AST_MUL : lex_is(&q->lx, "//") || lex_is(&q->lx, "/") ? AST_DIV : AST_MOD, b, at;
        if (a < 0 || (kind == AST_MOD && !lex_is(&q->lx, "%")))
            return a;
        at = syntax_node(q, (struct ast){ .kind = kind, .a = a });
        lex_next(&q->lx);
        b = ix_atom(q);
        if (at < 0 || b < 0)
            return -1;
        q->ast.a[at].b = b;
        a = at;
    }
}

static int ix_sum(struct parser *q)
{
    int a = syntax_enter(q) ? ix_product(q) : -1;

    while (a >= 0 && (lex_is(&q->lx, "+") || lex_is(&q->lx, "-"))) {
        int at = syntax_node(q, (struct ast){ .kind = lex_is(&q->lx, "+") ? AST_ADD : AST_SUB, .a = a }), b;
        lex_next(&q->lx);
        b = ix_product(q);
        if (at < 0 || b < 0)
            return -1;
        q->ast.a[at].b = b;
        a = at;
    }
    q->depth--;
    return a;
}

int syntax_size(struct parser *q)
{
    return ix_atom(q);
}

/* Is the bracket at the current token one of a size: its end followed by a point? */
static bool size_bracket(const struct lex *lx)
{
    const char *s = lx->at;

    for (int open = 1; s < lx->end && open > 0; s++)
        open += (*s == '(') - (*s == ')');
    while (s < lx->end && (*s == ' ' || *s == '\n' || *s == '\t'))
        s++;
    return s < lx->end && *s == '.';
}

/* The point after a size; it may be the start of a number: .4 in the type n.4.num. */
static bool point(struct parser *q)
{
    struct lex *lx = &q->lx;

    if (lx->tok.kind == TOK_FLOAT && lx->tok.start[0] == '.') {
        lx->at = lx->tok.start + 1;
        return lex_next(lx);
    }
    return lex_expect(lx, ".");
}

static int type(struct parser *q)
{
    int at = syntax_node(q, (struct ast){ .kind = AST_NUM }), a, b;

    if (lex_accept(&q->lx, "num"))
        return at;
    if (lex_is(&q->lx, "(") && !size_bracket(&q->lx)) {
        lex_next(&q->lx);
        a = syntax_type(q);
        if (a < 0)
            return -1;
        if (lex_accept(&q->lx, ")"))
            return a;
        b = lex_expect(&q->lx, "x") ? syntax_type(q) : -1;
        if (b < 0 || !lex_expect(&q->lx, ")"))
            return -1;
        return node_at(q, at, (struct ast){ .kind = AST_PROD, .a = a, .b = b });
    }
    if (q->lx.tok.kind == TOK_NAME && syntax_is_word(q))
        return syntax_expected(q, "a type");
    a = ix_product(q);
    b = a >= 0 && point(q) ? syntax_type(q) : -1;
    return b < 0 ? -1 : node_at(q, at, (struct ast){ .kind = AST_ARY, .a = a, .b = b });
}

int syntax_type(struct parser *q)
{
    int r = syntax_enter(q) ? type(q) : -1;

    q->depth--;
    return r;
}

/* Appends a list of nodes to the pool. */
static bool put_list(struct parser *q, int node, const int *items, int n)
{
    if (node < 0)
        return false;
    q->ast.a[node].first = q->pool.n;
    q->ast.a[node].len = n;
    for (int i = 0; i < n; i++)
        if (!ints_push(q->p->mem, &q->pool, items[i]))
            return dpia_nomem(q) == 0;
    return true;
}

/* ix < ix && ..: a node whose list are the comparisons. */
int syntax_conditions(struct parser *q)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };
    int items[ELAB_CONDS], n = 0, list = syntax_node(q, (struct ast){ .kind = AST_CMP });

    do {
        int at = syntax_node(q, (struct ast){ .kind = AST_CMP }), k = 0, a = ix_sum(q), b;
        while (k < 6 && !lex_is(&q->lx, op[k]))
            k++;
        if (a < 0)
            return -1;
        if (k == 6)
            return syntax_expected(q, "a comparison");
        lex_next(&q->lx);
        b = ix_sum(q);
        if (b < 0 || at < 0)
            return -1;
        if (n == ELAB_CONDS)
            return dpia_limit(q, "more than 16 conditions in one test");
        q->ast.a[at].op = k;
        q->ast.a[at].a = a;
        q->ast.a[at].b = b;
        items[n++] = at;
    } while (lex_accept(&q->lx, "&&"));
    return put_list(q, list, items, n) ? list : -1;
}

static int binder(struct parser *q)
{
    int at = syntax_node(q, (struct ast){ .kind = AST_BIND, .name = -1, .a = -1 }), a, b;

    if (lex_accept(&q->lx, "_"))
        return at;
    if (lex_is(&q->lx, "(")) {
        lex_next(&q->lx);
        a = syntax_binder(q);
        b = a >= 0 && lex_expect(&q->lx, ",") ? syntax_binder(q) : -1;
        if (b < 0 || !lex_expect(&q->lx, ")"))
            return -1;
        return node_at(q, at, (struct ast){ .kind = AST_BIND_PAIR, .a = a, .b = b });
    }
    a = syntax_name(q);
    if (at < 0 || a < 0)
        return -1;
    q->ast.a[at].name = a;
    return at;
}

int syntax_binder(struct parser *q)
{
    int r = syntax_enter(q) ? binder(q) : -1;

    q->depth--;
    return r;
}

int syntax_def(const struct parser *q)
{
    for (int i = q->def.n - 1; i >= 0; i--)
        if (q->lx.tok.kind == TOK_NAME && lex_is(&q->lx, strs_text(q->p->strs, q->def.a[i].name)))
            return i;
    return -1;
}

/* f a ..: the arguments up to the closing bracket, or the n ones wanted. */
int syntax_call(struct parser *q, int def, int n)
{
    int items[32], k = 0, at = syntax_node(q, (struct ast){ .kind = AST_USE, .op = def });

    lex_next(&q->lx);
    while (k < n && !lex_is(&q->lx, ")")) {
        if (k == 32)
            return dpia_limit(q, "more than 32 arguments");
        items[k] = syntax_argument(q);
        if (items[k++] < 0)
            return -1;
    }
    return put_list(q, at, items, k) ? at : -1;
}

static int lambda(struct parser *q, int at)
{
    int items[8], n = 0, body;

    while (!lex_is(&q->lx, "->")) {
        if (n == 8)
            return dpia_limit(q, "more than 8 binders");
        items[n] = syntax_binder(q);
        if (items[n++] < 0)
            return -1;
    }
    if (n == 0)
        return syntax_expected(q, "a name");
    lex_next(&q->lx);
    body = syntax_exp(q);
    if (body < 0 || !put_list(q, at, items, n))
        return -1;
    q->ast.a[at].kind = AST_FUN;
    q->ast.a[at].a = body;
    return at;
}

static int operator(struct parser *q)
{
    for (int i = 0; i < FN_COUNT; i++)
        if (strchr("+-*/%", fn_info(i)->text[0]) && lex_accept(&q->lx, fn_info(i)->text))
            return i;
    return -1;
}

/* F */
int syntax_function(struct parser *q)
{
    int at = syntax_node(q, (struct ast){ .kind = AST_OP }), op = syntax_fn(q);
    bool bracket;

    if (at < 0)
        return -1;
    if (op >= 0) {
        lex_next(&q->lx);
        q->ast.a[at].op = op;
        return at;
    }
    bracket = lex_accept(&q->lx, "(");
    if (bracket && lex_accept(&q->lx, "fun"))
        at = lambda(q, at);
    else if (bracket && (op = operator(q)) >= 0)
        q->ast.a[at].op = op;
    else if (syntax_def(q) >= 0)
        at = syntax_call(q, syntax_def(q), bracket ? 32 : 0);
    else
        return syntax_expected(q, "a function: (fun x -> ..), (+) or a def");
    if (bracket && !lex_expect(&q->lx, ")"))
        return -1;
    return at;
}

static int literal(struct parser *q, bool negative)
{
    const struct token *t = &q->lx.tok;
    struct ast a = { .kind = AST_LIT, .real = true };
    char buf[128];

    if (t->kind == TOK_INT) {
        a.real = false;
        a.inum = negative ? -t->num : t->num;
        a.num = (double)t->num;
    } else if (t->kind == TOK_FLOAT) {
        a.num = t->real;
        snprintf(buf, sizeof buf, "%.*s", t->len, t->start);
        if (q->p->scalar == KERNEL_F32)
            a.num = (double)strtof(buf, NULL);
    } else {
        a.num = lex_is(&q->lx, "inf") ? (double)INFINITY : (double)NAN;
    }
    if (t->kind == TOK_INT && q->p->scalar == KERNEL_F32)
        a.num = (double)(float)t->num;
    a.num = negative && !isnan(a.num) ? -a.num : a.num; /* every NaN is one */
    int id = syntax_node(q, a);
    lex_next(&q->lx);
    return id;
}

static bool at_literal(const struct lex *lx)
{
    return lx->tok.kind == TOK_INT || lx->tok.kind == TOK_FLOAT || lex_is(lx, "inf") || lex_is(lx, "nan");
}

/* (e), (e, e, ..): pairs to the right. */
static int bracketed(struct parser *q)
{
    int a = syntax_exp(q), b;

    if (a >= 0 && lex_is(&q->lx, ",")) {
        int at = node_at(q, a, (struct ast){ .kind = AST_PAIR, .a = a });
        lex_next(&q->lx);
        b = bracketed(q);
        if (at < 0 || b < 0)
            return -1;
        q->ast.a[at].b = b;
        return at;
    }
    return a >= 0 && lex_expect(&q->lx, ")") ? a : -1;
}

static int atom(struct parser *q)
{
    int at, name;

    if (at_literal(&q->lx))
        return literal(q, false);
    if (lex_accept(&q->lx, "-")) {
        if (at_literal(&q->lx))
            return literal(q, true);
        return syntax_expected(q, "a literal");
    }
    if (lex_is(&q->lx, "(")) {
        if (!syntax_enter(q))
            return -1;
        lex_next(&q->lx);
        at = bracketed(q);
        q->depth--;
        return at;
    }
    if (syntax_fn(q) >= 0) { /* f(a, b) */
        struct lex next = q->lx;
        next.diag = NULL;
        lex_next(&next);
        return lex_is(&next, "(") ? syntax_scalar(q, syntax_fn(q)) : syntax_expected(q, "an expression");
    }
    if (q->lx.tok.kind != TOK_NAME || syntax_is_word(q))
        return syntax_expected(q, "an expression");
    at = syntax_node(q, (struct ast){ .kind = AST_NAME });
    name = syntax_name(q);
    if (at >= 0)
        q->ast.a[at].name = name;
    return at;
}

/* a[ix].. */
static int subscripts(struct parser *q, int a)
{
    while (a >= 0 && lex_is(&q->lx, "[")) {
        int at = syntax_node(q, (struct ast){ .kind = AST_IDX, .a = a }), i;
        lex_next(&q->lx);
        i = ix_sum(q);
        if (at < 0 || i < 0 || !lex_expect(&q->lx, "]"))
            return -1;
        q->ast.a[at].b = i;
        a = at;
    }
    return a;
}

int syntax_argument(struct parser *q)
{
    return subscripts(q, atom(q));
}
