/* Rule files to syntax trees: statements and expressions, recursive descent. Invariant: nesting is at most
   SYNTAX_DEPTH_MAX, so that the stack is bounded; children stand before their parents. */
#include "pattern/syntax.h"

#include "base/lex.h"

#include <string.h>

struct parser {
    struct syntax *s;
    struct lex lx;
    int depth; /* of brackets, prefix operators and call arguments open now */
    bool nomem;
};

static int syntax_take_expr(struct parser *p);

void syntax_init(struct syntax *s, struct mem *mem, struct strs *strs)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->strs = strs;
}

void syntax_free(struct syntax *s)
{
    mem_free(s->node.a);
    mem_free(s->arg.a);
    mem_free(s->stmt.a);
    ints_free(&s->param);
    syntax_init(s, s->mem, s->strs);
}

const char *syntax_op_text(int op)
{
    static const char *const text[] = { "+",  "-",  "*", "/",  "//", "%",   "==", "!=", "<",
                                        "<=", ">", ">=", "in", "and", "or", "-",  "not" };
    return text[op];
}

/* Every function below returns a node number, or -1 after an error was recorded. */

/* Records that memory is out; -1. */
static int syntax_take_nomem(struct parser *p)
{
    p->nomem = true;
    lex_error(&p->lx, "out of memory");
    return -1;
}

static struct syntax_node at(const struct parser *p, int kind)
{
    struct syntax_node nd;

    memset(&nd, 0, sizeof nd);
    nd.kind = kind;
    nd.a = nd.b = nd.name = -1;
    nd.line = p->lx.tok.line;
    nd.col = p->lx.tok.col;
    return nd;
}

static void above(const struct parser *p, struct syntax_node *nd, int kid)
{
    if (kid >= 0 && p->s->node.a[kid].depth >= nd->depth)
        nd->depth = p->s->node.a[kid].depth + 1;
}

static int push(struct parser *p, struct syntax_node nd)
{
    above(p, &nd, nd.a);
    above(p, &nd, nd.b);
    for (int k = 0; k < nd.narg; k++)
        above(p, &nd, p->s->arg.a[nd.arg + k].expr);
    if (nd.depth > SYNTAX_DEPTH_MAX) {
        lex_error_at(&p->lx, nd.line, nd.col, "the expression is nested more than %d deep",
                     SYNTAX_DEPTH_MAX);
        return -1;
    }
    if (!vec_room(p->s->mem, &p->s->node, 1))
        return syntax_take_nomem(p);
    p->s->node.a[p->s->node.n] = nd;
    return p->s->node.n++;
}

static bool enter(struct parser *p)
{
    if (p->depth >= SYNTAX_DEPTH_MAX) {
        lex_error(&p->lx, "the expression is nested more than %d deep", SYNTAX_DEPTH_MAX);
        return false;
    }
    p->depth++;
    return true;
}

static bool is_name(const struct parser *p)
{
    return p->lx.tok.kind == TOK_NAME;
}

/* Takes the current name; its string id or -1. */
static int syntax_take_name(struct parser *p, const char *what)
{
    int id;

    if (!is_name(p) || lex_is(&p->lx, "_")) {
        lex_error(&p->lx, "expected %s", what);
        return -1;
    }
    id = strs_add(p->s->strs, p->lx.tok.start, (size_t)p->lx.tok.len);
    if (id < 0)
        return syntax_take_nomem(p);
    return lex_next(&p->lx) ? id : -1;
}

static int literal(struct parser *p, struct syntax_node nd)
{
    return lex_next(&p->lx) ? push(p, nd) : -1;
}

static int string(struct parser *p)
{
    struct syntax_node nd = at(p, SYNTAX_STRING);
    char *buf = mem_zero(p->s->mem, (size_t)p->lx.tok.len + 1, 1);

    if (!buf)
        return syntax_take_nomem(p);
    nd.name = strs_add(p->s->strs, buf, (size_t)lex_unescape(&p->lx.tok, buf));
    mem_free(buf);
    return nd.name < 0 ? syntax_take_nomem(p) : literal(p, nd);
}

static bool push_arg(struct parser *p, struct syntax_arg arg)
{
    if (!vec_room(p->s->mem, &p->s->arg, 1)) {
        syntax_take_nomem(p);
        return false;
    }
    p->s->arg.a[p->s->arg.n++] = arg;
    return true;
}

/* Arguments are parsed into a local list first: those of nested calls come between. */
struct arglist {
    struct { struct syntax_arg *a; int n, cap; } arg;
};

static bool keep(struct parser *p, struct arglist *l, struct syntax_arg arg)
{
    if (!vec_room(p->s->mem, &l->arg, 1)) {
        syntax_take_nomem(p);
        return false;
    }
    l->arg.a[l->arg.n++] = arg;
    return true;
}

/* Moves the list behind node nd and pushes that. Frees the list in every case. */
static int close_args(struct parser *p, struct syntax_node nd, struct arglist *l, bool ok)
{
    nd.arg = p->s->arg.n;
    nd.narg = l->arg.n;
    for (int k = 0; ok && k < l->arg.n; k++)
        ok = push_arg(p, l->arg.a[k]);
    mem_free(l->arg.a);
    return ok ? push(p, nd) : -1;
}

/* `for NAME in expr` after body; the whole is at nd's place. */
static int comprehension(struct parser *p, int body)
{
    struct syntax_node nd = at(p, SYNTAX_FOR);

    if (!lex_expect(&p->lx, "for"))
        return -1;
    nd.a = body;
    nd.name = syntax_take_name(p, "a name after 'for'");
    if (nd.name < 0 || !lex_expect(&p->lx, "in"))
        return -1;
    nd.b = syntax_take_expr(p);
    return nd.b < 0 ? -1 : push(p, nd);
}

/* ( or [ was taken: elements up to close. (e) is e itself. */
static int sequence(struct parser *p, struct syntax_node nd, const char *close)
{
    struct arglist l = { { NULL, 0, 0 } };
    bool comma = false, family = false, ok = enter(p);

    while (ok && !lex_is(&p->lx, close)) {
        struct syntax_arg arg = { SYNTAX_ARG_PLAIN, -1, -1, p->lx.tok.line, p->lx.tok.col };

        comma = false;
        arg.expr = syntax_take_expr(p);
        family = arg.expr >= 0 && lex_is(&p->lx, "for") && nd.kind == SYNTAX_LIST && l.arg.n == 0;
        if (family)
            arg.expr = comprehension(p, arg.expr);
        ok = arg.expr >= 0 && keep(p, &l, arg);
        if (ok && !family && lex_is(&p->lx, ","))
            ok = comma = lex_next(&p->lx);
        else
            break;
    }
    ok = ok && lex_expect(&p->lx, close);
    p->depth--;
    if (ok && nd.kind == SYNTAX_TUPLE && l.arg.n == 1 && !comma) {
        int only = l.arg.a[0].expr;
        mem_free(l.arg.a);
        return only;
    }
    return close_args(p, nd, &l, ok);
}

static int atom(struct parser *p)
{
    const struct token *t = &p->lx.tok;
    struct syntax_node nd = at(p, SYNTAX_NAME);

    switch (t->kind) {
    case TOK_INT:
        nd.kind = SYNTAX_INT;
        nd.num = t->num;
        return literal(p, nd);
    case TOK_FLOAT:
        nd.kind = SYNTAX_FLOAT;
        nd.real = t->real;
        return literal(p, nd);
    case TOK_STRING:
        return string(p);
    case TOK_NAME:
        if (lex_is(&p->lx, "true") || lex_is(&p->lx, "false")) {
            nd.kind = SYNTAX_BOOL;
            nd.num = lex_is(&p->lx, "true");
        } else if (lex_is(&p->lx, "_")) {
            nd.kind = SYNTAX_ANY;
        } else if (lex_is(&p->lx, "none")) {
            nd.kind = SYNTAX_NONE;
        } else {
            nd.name = strs_add(p->s->strs, t->start, (size_t)t->len);
            if (nd.name < 0)
                return syntax_take_nomem(p);
        }
        return literal(p, nd);
    default:
        if (lex_is(&p->lx, "(")) {
            nd.kind = SYNTAX_TUPLE;
            return lex_next(&p->lx) ? sequence(p, nd, ")") : -1;
        }
        if (lex_is(&p->lx, "[")) {
            nd.kind = SYNTAX_LIST;
            return lex_next(&p->lx) ? sequence(p, nd, "]") : -1;
        }
        if (t->kind == TOK_NEWLINE || t->kind == TOK_END)
            lex_error(&p->lx, "expected an expression");
        else
            lex_error(&p->lx, "expected an expression, got '%.*s'", t->len, t->start);
        return -1;
    }
}

static bool argument(struct parser *p, struct arglist *l)
{
    struct syntax_arg arg = { SYNTAX_ARG_PLAIN, -1, -1, p->lx.tok.line, p->lx.tok.col };

    if (lex_is(&p->lx, "**")) {
        arg.kind = SYNTAX_ARG_SPLAT;
        if (!lex_next(&p->lx))
            return false;
    }
    arg.expr = syntax_take_expr(p);
    if (arg.expr < 0)
        return false;
    if (arg.kind == SYNTAX_ARG_PLAIN && lex_is(&p->lx, "=")) {
        const struct syntax_node *nd = &p->s->node.a[arg.expr];
        if (nd->kind != SYNTAX_NAME) {
            lex_error_at(&p->lx, arg.line, arg.col, "expected a name before '='");
            return false;
        }
        arg.kind = SYNTAX_ARG_KEYWORD;
        arg.name = nd->name;
        if (!lex_next(&p->lx))
            return false;
        arg.expr = syntax_take_expr(p);
    } else if (arg.kind == SYNTAX_ARG_PLAIN && lex_is(&p->lx, "for")) {
        arg.expr = comprehension(p, arg.expr);
    }
    return arg.expr >= 0 && keep(p, l, arg);
}

/* callee ( was taken. */
static int call(struct parser *p, int callee)
{
    struct syntax_node nd = at(p, SYNTAX_CALL);
    struct arglist l = { { NULL, 0, 0 } };
    bool ok = enter(p);

    nd.a = callee;
    nd.line = p->s->node.a[callee].line;
    nd.col = p->s->node.a[callee].col;
    while (ok && !lex_is(&p->lx, ")")) {
        ok = argument(p, &l);
        if (!ok || !lex_is(&p->lx, ","))
            break;
        ok = lex_next(&p->lx);
    }
    ok = ok && lex_expect(&p->lx, ")");
    p->depth--;
    return close_args(p, nd, &l, ok);
}

/* One of the three bounds of a slice, -1 when it is left out. */
static bool bound(struct parser *p, struct arglist *l)
{
    struct syntax_arg arg = { SYNTAX_ARG_PLAIN, -1, -1, p->lx.tok.line, p->lx.tok.col };

    if (!lex_is(&p->lx, ":") && !lex_is(&p->lx, "]")) {
        arg.expr = syntax_take_expr(p);
        if (arg.expr < 0)
            return false;
    }
    return keep(p, l, arg);
}

/* of [ was taken: e ] or [e] : [e] [: [e]] ] */
static int subscript(struct parser *p, int of)
{
    struct syntax_node nd = at(p, SYNTAX_INDEX);
    struct arglist l = { { NULL, 0, 0 } };
    const struct syntax_arg none = { SYNTAX_ARG_PLAIN, -1, -1, nd.line, nd.col };
    bool ok = enter(p) && bound(p, &l);

    nd.a = of;
    nd.line = p->s->node.a[of].line;
    nd.col = p->s->node.a[of].col;
    while (ok && l.arg.n < 3 && lex_is(&p->lx, ":")) {
        nd.kind = SYNTAX_SLICE;
        ok = lex_next(&p->lx) && bound(p, &l);
    }
    if (ok && nd.kind == SYNTAX_INDEX && l.arg.a[0].expr < 0) {
        lex_error(&p->lx, "expected an index");
        ok = false;
    }
    p->depth--;
    ok = ok && lex_expect(&p->lx, "]");
    if (nd.kind == SYNTAX_SLICE) {
        while (ok && l.arg.n < 3)
            ok = keep(p, &l, none);
        return close_args(p, nd, &l, ok);
    }
    nd.b = ok ? l.arg.a[0].expr : -1;
    mem_free(l.arg.a);
    return ok ? push(p, nd) : -1;
}

static int postfix(struct parser *p)
{
    int e = atom(p);

    while (e >= 0) {
        if (lex_is(&p->lx, ".")) {
            struct syntax_node nd;
            if (!lex_next(&p->lx))
                return -1;
            nd = at(p, SYNTAX_ACCESS);
            nd.a = e;
            nd.name = syntax_take_name(p, "an attribute name after '.'");
            e = nd.name < 0 ? -1 : push(p, nd);
        } else if (lex_is(&p->lx, "[")) {
            e = lex_next(&p->lx) ? subscript(p, e) : -1;
        } else if (lex_is(&p->lx, "(")) {
            e = lex_next(&p->lx) ? call(p, e) : -1;
        } else {
            break;
        }
    }
    return e;
}

static int prefix(struct parser *p, int op, int (*operand)(struct parser *))
{
    struct syntax_node nd = at(p, SYNTAX_UNARY);

    if (!enter(p) || !lex_next(&p->lx))
        return -1;
    nd.op = op;
    nd.a = operand(p);
    p->depth--;
    return nd.a < 0 ? -1 : push(p, nd);
}

static int unary(struct parser *p)
{
    return lex_is(&p->lx, "-") ? prefix(p, SYNTAX_NEG, unary) : postfix(p);
}

/* The operator of ops[] at the current token, or -1. */
static int which(const struct parser *p, const int *ops, int n)
{
    for (int k = 0; k < n; k++)
        if (lex_is(&p->lx, syntax_op_text(ops[k])))
            return ops[k];
    return -1;
}

/* operand {op operand}, left associative; once: at most one op. */
static int chain(struct parser *p, const int *ops, int n, int (*operand)(struct parser *), bool once)
{
    int e = operand(p), op;

    while (e >= 0 && (op = which(p, ops, n)) >= 0) {
        struct syntax_node nd = at(p, SYNTAX_BINARY);
        if (!lex_next(&p->lx))
            return -1;
        nd.op = op;
        nd.a = e;
        nd.b = operand(p);
        if (nd.b < 0)
            return -1;
        e = push(p, nd);
        if (once)
            break;
    }
    return e;
}

static int mul(struct parser *p)
{
    static const int ops[] = { SYNTAX_MUL, SYNTAX_DIV, SYNTAX_FLOORDIV, SYNTAX_MOD };
    return chain(p, ops, 4, unary, false);
}

static int add(struct parser *p)
{
    static const int ops[] = { SYNTAX_ADD, SYNTAX_SUB };
    return chain(p, ops, 2, mul, false);
}

static int cmp(struct parser *p)
{
    static const int ops[] = { SYNTAX_EQ, SYNTAX_NE, SYNTAX_LE, SYNTAX_LT,
                               SYNTAX_GE, SYNTAX_GT, SYNTAX_IN };
    return chain(p, ops, 7, add, true);
}

static int negation(struct parser *p)
{
    return lex_is(&p->lx, "not") ? prefix(p, SYNTAX_NOT, negation) : cmp(p);
}

static int conjunction(struct parser *p)
{
    static const int ops[] = { SYNTAX_AND };
    return chain(p, ops, 1, negation, false);
}

/* An expression: its node, or -1 after an error was recorded. */
static int syntax_take_expr(struct parser *p)
{
    static const int ops[] = { SYNTAX_OR };
    int e;

    if (!enter(p))
        return -1;
    e = chain(p, ops, 1, conjunction, false);
    p->depth--;
    return e;
}

/* Statements of .gsl files. */

static bool skip_lines(struct parser *p)
{
    while (p->lx.tok.kind == TOK_NEWLINE)
        lex_next(&p->lx);
    return p->lx.status == CALQUE_OK;
}

static bool end_of_statement(struct parser *p)
{
    if (p->lx.status != CALQUE_OK)
        return false;
    if (p->lx.tok.kind == TOK_NEWLINE || p->lx.tok.kind == TOK_END || lex_is(&p->lx, "}"))
        return true;
    lex_error(&p->lx, "expected the end of the line, got '%.*s'", p->lx.tok.len, p->lx.tok.start);
    return false;
}

static bool push_stmt(struct parser *p, struct syntax_stmt st)
{
    if (!vec_room(p->s->mem, &p->s->stmt, 1)) {
        syntax_take_nomem(p);
        return false;
    }
    p->s->stmt.a[p->s->stmt.n++] = st;
    return true;
}

static struct syntax_stmt stmt_at(const struct parser *p, int kind)
{
    return (struct syntax_stmt){ .kind = kind, .name = -1, .expr = -1,
                                 .line = p->lx.tok.line, .col = p->lx.tok.col };
}

/* def was taken. */
static bool def(struct parser *p)
{
    struct syntax_stmt st = stmt_at(p, SYNTAX_DEF);

    st.name = syntax_take_name(p, "the name of the macro");
    if (st.name < 0 || !lex_expect(&p->lx, "("))
        return false;
    st.param = p->s->param.n;
    while (!lex_is(&p->lx, ")")) {
        int name = syntax_take_name(p, "a parameter name");
        if (name < 0)
            return false;
        for (int k = st.param; k < p->s->param.n; k++)
            if (p->s->param.a[k] == name)
                return lex_error(&p->lx, "the parameter '%s' occurs twice",
                                 strs_text(p->s->strs, name)), false;
        if (!ints_push(p->s->mem, &p->s->param, name))
            return syntax_take_nomem(p), false;
        if (!lex_is(&p->lx, ","))
            break;
        if (!lex_next(&p->lx))
            return false;
    }
    st.nparam = p->s->param.n - st.param;
    if (!lex_expect(&p->lx, ")") || !lex_expect(&p->lx, "="))
        return false;
    st.expr = syntax_take_expr(p);
    return st.expr >= 0 && push_stmt(p, st) && end_of_statement(p);
}

static const struct { const char *text; int kind; } keyword[] = {
    { "source", SYNTAX_SOURCE }, { "target", SYNTAX_TARGET }, { "require", SYNTAX_REQUIRE },
    { "class", SYNTAX_CLASS },   { "def", SYNTAX_DEF },
};

static bool statement(struct parser *p)
{
    struct syntax_stmt st = stmt_at(p, SYNTAX_BIND);

    for (size_t k = 0; k < sizeof keyword / sizeof *keyword; k++)
        if (lex_is(&p->lx, keyword[k].text))
            st.kind = keyword[k].kind;
    if (st.kind != SYNTAX_BIND && !lex_next(&p->lx))
        return false;
    switch (st.kind) {
    case SYNTAX_DEF:
        return def(p);
    case SYNTAX_CLASS:
        st.line = p->lx.tok.line;
        st.col = p->lx.tok.col;
        st.name = syntax_take_name(p, "exact, ring or real");
        return st.name >= 0 && push_stmt(p, st) && end_of_statement(p);
    case SYNTAX_BIND:
        st.name = syntax_take_name(p, "a statement (NAME = ..., source, target, require, class, def)");
        if (st.name < 0 || !lex_expect(&p->lx, "="))
            return false;
        break;
    default:
        break;
    }
    st.expr = syntax_take_expr(p);
    return st.expr >= 0 && push_stmt(p, st) && end_of_statement(p);
}

/* rule was taken. */
static bool rule(struct parser *p)
{
    struct syntax_stmt st = stmt_at(p, SYNTAX_RULE);
    int own = p->s->stmt.n;

    st.name = syntax_take_name(p, "the name of the rule");
    if (st.name < 0 || !push_stmt(p, st) || !lex_expect(&p->lx, "{"))
        return false;
    while (skip_lines(p) && !lex_is(&p->lx, "}")) {
        if (p->lx.tok.kind == TOK_END) {
            lex_error(&p->lx, "the rule '%s' is not closed: expected '}'",
                      strs_text(p->s->strs, st.name));
            return false;
        }
        if (!statement(p))
            return false;
    }
    p->s->stmt.a[own].end = p->s->stmt.n;
    return lex_expect(&p->lx, "}") && end_of_statement(p);
}

/* graph was taken: the reader of .graph files reads the block itself. */
static bool graph(struct parser *p, struct syntax_stmt st)
{
    int depth = 0;

    if (p->lx.tok.kind == TOK_NAME) {
        st.line = p->lx.tok.line;
        st.col = p->lx.tok.col;
        st.name = syntax_take_name(p, "the name of the graph");
        if (st.name < 0)
            return false;
    }
    while (!lex_is(&p->lx, "{") && p->lx.tok.kind != TOK_END && p->lx.tok.kind != TOK_NEWLINE)
        lex_next(&p->lx);
    do {
        depth += lex_is(&p->lx, "{") - lex_is(&p->lx, "}");
        st.stop = (int)(p->lx.tok.start - p->lx.src) + p->lx.tok.len;
        if (p->lx.tok.kind == TOK_END || depth == 0) {
            lex_error(&p->lx, "the graph is not closed: expected '%s'", depth ? "}" : "{");
            return false;
        }
        if (!lex_next(&p->lx))
            return false;
    } while (depth > 1 || !lex_is(&p->lx, "}"));
    st.stop = (int)(p->lx.tok.start - p->lx.src) + p->lx.tok.len;
    return lex_next(&p->lx) && push_stmt(p, st) && end_of_statement(p);
}

static bool item(struct parser *p)
{
    if (lex_is(&p->lx, "rule"))
        return lex_next(&p->lx) && rule(p);
    if (lex_is(&p->lx, "def"))
        return lex_next(&p->lx) && def(p);
    if (lex_is(&p->lx, "graph")) {
        struct syntax_stmt st = stmt_at(p, SYNTAX_GRAPH);
        st.start = (int)(p->lx.tok.start - p->lx.src);
        return lex_next(&p->lx) && graph(p, st);
    }
    lex_error(&p->lx, "expected 'rule', 'def' or 'graph'");
    return false;
}

enum calque_status syntax_parse(struct syntax *s, const char *file, const char *src, size_t n,
                                struct diag *d)
{
    struct parser p;

    memset(&p, 0, sizeof p);
    p.s = s;
    lex_init(&p.lx, file, src, n, true, d);
    while (skip_lines(&p) && p.lx.tok.kind != TOK_END && item(&p))
        ;
    return p.nomem ? diag_nomem(d) : p.lx.status;
}
