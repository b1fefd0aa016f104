/* Statements of .graph text, and what its reader's files share. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "graph/text_internal.h"
#include "tensor/op.h"

struct place reader_here(const struct reader *r)
{
    return (struct place){r->lx.tok.line, r->lx.tok.col};
}

bool reader_ok(const struct reader *r)
{
    return r->lx.status == CALQUE_OK;
}

/* As after an error of the lexer: the end of the text everywhere. */
static void stop(struct reader *r, enum calque_status status)
{
    r->lx.status = status;
    r->lx.tok.kind = TOK_END;
    r->lx.tok.len = 0;
    r->lx.at = r->lx.end;
}

bool reader_fail(struct reader *r, enum calque_status status, struct place at, const char *format, ...)
{
    char text[DIAG_TEXT];
    va_list ap;

    if (!reader_ok(r))
        return false;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    diag_set(r->d, status, r->lx.file, at.line, at.col, "%s", text);
    stop(r, status);
    return false;
}

bool reader_nomem(struct reader *r)
{
    if (reader_ok(r)) {
        diag_nomem(r->d);
        stop(r, CALQUE_NOMEM);
    }
    return false;
}

bool reader_enter(struct reader *r)
{
    if (r->depth == GRAPH_TEXT_DEPTH)
        return reader_fail(r, CALQUE_LIMIT, reader_here(r), "nested deeper than %d", GRAPH_TEXT_DEPTH);
    r->depth++;
    return true;
}

bool reader_expected(struct reader *r, const char *what)
{
    const struct token *t = &r->lx.tok;

    if (t->kind == TOK_END)
        return reader_fail(r, CALQUE_BAD, reader_here(r), "expected %s before the end of the input", what);
    if (t->kind == TOK_NEWLINE)
        return reader_fail(r, CALQUE_BAD, reader_here(r), "expected %s before the end of the line", what);
    return reader_fail(r, CALQUE_BAD, reader_here(r), "expected %s, got '%.*s'", what,
                       t->len > 40 ? 40 : t->len, t->start);
}

int reader_string(struct reader *r, const struct token *t)
{
    const char *s = t->start;
    int n = t->len, id;

    if (t->kind == TOK_STRING) {
        r->scratch.n = 0;
        if (!vec_room(r->g->mem, &r->scratch, n + 1))
            return reader_nomem(r), -1;
        n = lex_unescape(t, r->scratch.a);
        s = r->scratch.a;
    }
    id = strs_add(r->g->strs, s, (size_t)n);
    return id >= 0 ? id : (reader_nomem(r), -1);
}

bool reader_at_setting(struct reader *r)
{
    struct lex next = r->lx;

    if (next.tok.kind != TOK_NAME && next.tok.kind != TOK_STRING)
        return false;
    next.diag = NULL; /* an error is met again by who reads on */
    return lex_next(&next) && lex_is(&next, "=");
}

/* Reads a name (no keyword unless quoted); its string id or -1. */
static int reader_name(struct reader *r, const char *what)
{
    const struct token *t = &r->lx.tok;
    int id;

    if (t->kind != TOK_STRING &&
        (t->kind != TOK_NAME || is_keyword(t->start, (size_t)t->len)))
        return reader_expected(r, what), -1;
    id = reader_string(r, t);
    if (id < 0)
        return -1;
    if (strs_len(r->g->strs, id) == 0 ||
        strlen(strs_text(r->g->strs, id)) != (size_t)strs_len(r->g->strs, id))
        return reader_fail(r, CALQUE_BAD, reader_here(r), "a name is not empty and has no NUL"), -1;
    return lex_next(&r->lx) ? id : -1;
}

int by_name_get(const struct ints *m, int name)
{
    return name < m->n ? m->a[name] : -1;
}

static bool by_name_set(struct reader *r, struct ints *m, int name, int value)
{
    while (m->n <= name)
        if (!ints_push(r->g->mem, m, -1))
            return reader_nomem(r);
    m->a[name] = value;
    return true;
}

/* Names a node; the name must be new. */
static bool define(struct reader *r, int name, int node, struct place at)
{
    if (by_name_get(&r->def, name) >= 0)
        return reader_fail(r, CALQUE_BAD, at, "'%.200s' is defined twice", strs_text(r->g->strs, name));
    r->g->node.a[node].name = name;
    return by_name_set(r, &r->def, name, node);
}

/* Checks a new name before what it names is made. */
static int new_name(struct reader *r)
{
    struct place at = reader_here(r);
    int name = reader_name(r, "a name");

    if (name >= 0 && by_name_get(&r->def, name) >= 0)
        return reader_fail(r, CALQUE_BAD, at, "'%.200s' is defined twice",
                           strs_text(r->g->strs, name)),
               -1;
    return name;
}

/* 'input', 'param', 'const': the keyword is read */
static bool read_leaf(struct reader *r, int kind)
{
    struct place name_at = reader_here(r), at;
    int name = new_name(r), dtype, node;
    struct shape shape;
    struct tensor t;

    if (name < 0 || !lex_expect(&r->lx, ":"))
        return false;
    at = reader_here(r);
    if (!read_type(r, &dtype, &shape))
        return false;
    if (kind == 'i') {
        node = graph_input(r->g, name, dtype, &shape);
    } else {
        if (kind == 'p' && !lex_is(&r->lx, "=")) {
            if (!fill_param(r, name, dtype, &shape, at, &t))
                return false;
        } else if (!lex_expect(&r->lx, "=") || !read_data(r, dtype, &shape, at, &t)) {
            return false;
        }
        node = graph_const(r->g, name, &t);
        if (node < 0)
            tensor_free(&t);
    }
    return node >= 0 ? define(r, name, node, name_at) : reader_nomem(r);
}

static bool wrong_type(struct reader *r, const struct node *n, struct place at)
{
    struct text t;

    text_init(&t, r->g->mem);
    graph_type_write(&t, n->dtype, &n->shape);
    if (t.failed)
        reader_nomem(r);
    else
        reader_fail(r, CALQUE_BAD, at, "the type is %s", t.a);
    text_free(&t);
    return false;
}

/* ':' type, which agrees with what is known and completes it */
static bool read_annotation(struct reader *r, int node)
{
    struct node *n = &r->g->node.a[node];
    struct place at = reader_here(r);
    struct shape shape;
    int dtype;

    if (!read_type(r, &dtype, &shape))
        return false;
    if (graph_multi(r->g, node))
        return reader_fail(r, CALQUE_BAD, at, "a tuple or multi-output operator has no type");
    if ((n->dtype != DTYPE_UNKNOWN && dtype != DTYPE_UNKNOWN && n->dtype != dtype) ||
        (n->shape.rank >= 0 && shape.rank >= 0 && !shape_equal(&n->shape, &shape)))
        return wrong_type(r, n, at);
    if (n->dtype == DTYPE_UNKNOWN)
        n->dtype = dtype;
    if (n->shape.rank < 0)
        n->shape = shape;
    return true;
}

static bool at_end(const struct reader *r)
{
    return r->lx.tok.kind == TOK_NEWLINE || lex_is(&r->lx, "}");
}

/* What follows a statement; at the end of the text the brace is what is missing. */
static bool expect_end(struct reader *r)
{
    if (r->lx.tok.kind == TOK_END)
        return lex_expect(&r->lx, "}");
    return at_end(r) || reader_expected(r, "the end of the line");
}

/* NAME '=' expr [':' type] */
static bool read_definition(struct reader *r)
{
    struct place at = reader_here(r);
    struct operand x;
    int name = new_name(r);

    if (name < 0 || !lex_expect(&r->lx, "="))
        return false;
    r->own = name;
    if (!read_expr(r, &x))
        return false;
    r->own = -1;
    if (x.node == OPERAND_NONE)
        return reader_fail(r, CALQUE_BAD, x.at, "'none' stands only for an absent optional input");
    if (!x.fresh && !at_end(r) && !lex_is(&r->lx, ":"))
        return reader_expected(r, "the end of the line");
    if (!x.fresh)
        return reader_fail(r, CALQUE_BAD, x.at, "a second name for '%.200s': write Identity(..)",
                           graph_name(r->g, x.node));
    if (!define(r, name, x.node, at))
        return false;
    return !lex_accept(&r->lx, ":") || read_annotation(r, x.node);
}

/* A name for an unnamed output: "t<id>" and underscores until it is new. */
static int fresh_name(struct reader *r, int node)
{
    int id;

    r->scratch.n = 0;
    text_printf(&r->scratch, "t%d", node);
    for (;; text_puts(&r->scratch, "_")) {
        if (r->scratch.failed)
            return reader_nomem(r), -1;
        id = strs_add(r->g->strs, r->scratch.a, (size_t)r->scratch.n);
        if (id < 0)
            return reader_nomem(r), -1;
        if (by_name_get(&r->def, id) < 0 && by_name_get(&r->output, id) < 0)
            return id;
    }
}

/* One output of 'return' */
static bool read_output(struct reader *r)
{
    struct place at = reader_here(r);
    struct operand x;
    int name = -1, own;

    if (reader_at_setting(r) && ((name = reader_name(r, "an output's name")) < 0 ||
                                 !lex_expect(&r->lx, "=")))
        return false;
    if (!read_expr(r, &x))
        return false;
    if (x.node == OPERAND_NONE || graph_multi(r->g, x.node))
        return reader_fail(r, CALQUE_BAD, x.at, "an output is a single value");
    own = r->g->node.a[x.node].name;
    if (name < 0)
        name = own >= 0 ? own : fresh_name(r, x.node);
    if (name < 0)
        return false;
    if (by_name_get(&r->output, name) >= 0)
        return reader_fail(r, CALQUE_BAD, at, "two outputs have the name '%.200s'",
                           strs_text(r->g->strs, name));
    if (own < 0 ? !define(r, name, x.node, at)
                : name != own && by_name_get(&r->def, name) >= 0)
        return reader_fail(r, CALQUE_BAD, at, "'%.200s' is the name of another node",
                           strs_text(r->g->strs, name));
    if (!graph_output(r->g, x.node, name))
        return reader_nomem(r);
    return by_name_set(r, &r->output, name, 0);
}

static void skip_lines(struct reader *r)
{
    while (r->lx.tok.kind == TOK_NEWLINE)
        lex_next(&r->lx);
}

/* A statement other than 'return' */
static bool read_statement(struct reader *r)
{
    struct lex *lx = &r->lx;
    bool done;

    if (lex_accept(lx, "input"))
        done = read_leaf(r, 'i');
    else if (lex_accept(lx, "param"))
        done = read_leaf(r, 'p');
    else if (lex_accept(lx, "const"))
        done = read_leaf(r, 'c');
    else if (lx->tok.kind == TOK_NAME || lx->tok.kind == TOK_STRING)
        done = read_definition(r);
    else
        return reader_expected(r, "a statement");
    return done && expect_end(r);
}

static bool read_return(struct reader *r)
{
    do
        if (!read_output(r))
            return false;
    while (lex_accept(&r->lx, ","));
    if (!expect_end(r))
        return false;
    skip_lines(r);
    if (r->lx.tok.kind != TOK_END && !lex_is(&r->lx, "}"))
        return reader_fail(r, CALQUE_BAD, reader_here(r), "nothing follows the return");
    return lex_expect(&r->lx, "}");
}

/* '(' settings ')' after the graph's name */
static bool read_header(struct reader *r)
{
    struct lex *lx = &r->lx;
    bool model = false, opset = false;
    int n;

    do {
        struct place at = reader_here(r);
        bool is_model = lex_is(lx, "model");
        if (!is_model && !lex_is(lx, "opset"))
            return reader_expected(r, "'opset' or 'model'");
        if (is_model ? model : opset)
            return reader_fail(r, CALQUE_BAD, at, "the setting is given twice");
        lex_next(lx);
        if (!lex_expect(lx, "="))
            return false;
        if (is_model ? lx->tok.kind != TOK_STRING
                     : lx->tok.kind != TOK_INT || lx->tok.num < 1 || lx->tok.num > 10000)
            return reader_expected(r, is_model ? "a string of bytes" : "an opset number");
        if (is_model) {
            r->g->model.a = mem_zero(r->g->mem, (size_t)lx->tok.len + 1, 1);
            if (!r->g->model.a)
                return reader_nomem(r);
            n = lex_unescape(&lx->tok, (char *)r->g->model.a);
            r->g->model.n = (size_t)n;
        } else {
            r->g->opset = (int)lx->tok.num;
        }
        *(is_model ? &model : &opset) = true;
        lex_next(lx);
    } while (lex_accept(lx, ","));
    return lex_expect(lx, ")");
}

static bool read_graph(struct reader *r)
{
    struct lex *lx = &r->lx;

    skip_lines(r);
    if (!lex_expect(lx, "graph"))
        return false;
    if (lx->tok.kind == TOK_STRING || lx->tok.kind == TOK_NAME) {
        if ((r->g->name = reader_string(r, &lx->tok)) < 0)
            return false;
        lex_next(lx);
    }
    if (lex_accept(lx, "(") && !read_header(r))
        return false;
    if (!lex_expect(lx, "{"))
        return false;
    for (skip_lines(r); !lex_accept(lx, "return"); skip_lines(r)) {
        if (lex_is(lx, "}"))
            return reader_fail(r, CALQUE_BAD, reader_here(r), "the graph has no return");
        if (lx->tok.kind == TOK_END)
            return lex_expect(lx, "}");
        if (!read_statement(r))
            return false;
    }
    if (!read_return(r))
        return false;
    skip_lines(r);
    return lx->tok.kind == TOK_END ? reader_ok(r) : reader_expected(r, "nothing after the graph");
}

enum calque_status graph_text_read(struct graph *g, const char *file, const char *src, size_t n,
                                   struct diag *d)
{
    struct reader r = {.g = g, .d = d, .own = -1};
    enum calque_status st;
    struct diag unused;

    if (n > INT32_MAX)
        return diag_set(d, CALQUE_LIMIT, file, 0, 0, "the text has more than %d bytes", INT32_MAX);
    if (!d)
        r.d = &unused;
    text_init(&r.scratch, g->mem);
    lex_init(&r.lx, file, src, n, true, r.d);
    read_graph(&r);
    st = r.lx.status;
    ints_free(&r.def);
    ints_free(&r.output);
    ints_free(&r.args);
    ints_free(&r.elems);
    mem_free(r.attrs.a);
    text_free(&r.scratch);
    if (st != CALQUE_OK)
        graph_free(g);
    return st;
}
