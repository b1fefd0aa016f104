/* Statements of .gsl files. */
#include <string.h>

#include "pattern/syntax_internal.h"

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
