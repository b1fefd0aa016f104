/* Expressions of .dpia text to syntax trees. */
#include "dpia/parse_internal.h"

#include <string.h>

/* Words with fixed arguments: F function, A argument, N size, n size that may be left out, I argument or (iota size). */
static const struct form {
    const char *word;
    int kind, op;
    const char *args;
} forms[] = {
    { "mapPar", AST_MAP, 1, "nFA" },      { "mapSeq", AST_MAP, 0, "nFA" },  { "generatePar", AST_GEN, 1, "NF" },
    { "generateSeq", AST_GEN, 0, "NF" },  { "reduceSeq", AST_RED, 0, "nFAI" }, { "zip", AST_ZIP, 0, "AA" },
    { "pair", AST_PAIR, 0, "AA" },        { "fst", AST_FST, 0, "A" },       { "snd", AST_SND, 0, "A" },
    { "split", AST_SPLIT, 0, "NA" },      { "join", AST_JOIN, 0, "A" },     { "transpose", AST_TR, 0, "A" },
    { "reverse", AST_REV, 0, "A" },       { "reverseSeq", AST_REV, 1, "A" }, { "copySeq", AST_COPY, 0, "A" },
    { "copyPar", AST_COPY, 1, "A" },      { "transPar", AST_TR, 1, "A" },
};

/* The lexer after the current token, without a diagnostic. */
static struct lex ahead(const struct parser *q)
{
    struct lex lx = q->lx;

    lx.diag = NULL;
    lex_next(&lx);
    return lx;
}

/* Does a function begin here, rather than a size? */
static bool at_function(const struct parser *q)
{
    struct parser peek = *q;

    if (syntax_fn(q) >= 0 || syntax_def(q) >= 0)
        return true;
    if (!lex_is(&q->lx, "("))
        return false;
    peek.lx = ahead(q);
    if (lex_is(&peek.lx, "fun") || syntax_def(&peek) >= 0)
        return true;
    for (const char *const *op = (const char *const[]){ "+", "-", "*", "/", "%", NULL }; *op; op++)
        if (lex_is(&peek.lx, *op)) {
            peek.lx = ahead(&peek);
            return lex_is(&peek.lx, ")");
        }
    return false;
}

/* iota size or (iota size), else an argument. */
static int range_argument(struct parser *q)
{
    struct lex next = ahead(q);
    bool bracket = lex_is(&q->lx, "(") && lex_is(&next, "iota");
    int at, n;

    if (!bracket && !lex_is(&q->lx, "iota"))
        return syntax_argument(q);
    at = syntax_node(q, (struct ast){ .kind = AST_IOTA });
    if (bracket)
        lex_next(&q->lx);
    lex_next(&q->lx);
    n = syntax_size(q);
    if (at < 0 || n < 0 || (bracket && !lex_expect(&q->lx, ")")))
        return -1;
    q->ast.a[at].a = n;
    return at;
}

/* A form's parts: the size into first, the others into a, b, c in turn. */
static int form(struct parser *q, const struct form *f)
{
    struct ast x = { .kind = f->kind, .op = f->op, .a = -1, .b = -1, .c = -1, .first = -1 };
    int *part[] = { &x.a, &x.b, &x.c }, k = 0, v;

    x.line = q->lx.tok.line;
    x.col = q->lx.tok.col;
    lex_next(&q->lx);
    for (const char *s = f->args; *s; s++) {
        if (*s == 'n' && at_function(q))
            continue;
        if (*s == 'n' || *s == 'N')
            v = x.first = syntax_size(q);
        else
            v = *part[k++] = *s == 'F' ? syntax_function(q) : *s == 'I' ? range_argument(q) : syntax_argument(q);
        if (v < 0)
            return -1;
    }
    return syntax_node(q, x);
}

/* f a b or f(a, b) for the scalar functions. */
int syntax_scalar(struct parser *q, int fn)
{
    struct ast x = { .kind = AST_CALL, .op = fn, .b = -1, .line = q->lx.tok.line, .col = q->lx.tok.col };

    lex_next(&q->lx);
    x.a = syntax_argument(q);
    if (x.a < 0)
        return -1;
    if (fn_info(fn)->args == 2) {
        const struct ast *pair = &q->ast.a[x.a];
        if (pair->kind == AST_PAIR) {
            x.b = pair->b;
            x.a = pair->a;
        } else {
            x.b = syntax_argument(q);
        }
        if (x.b < 0)
            return -1;
    }
    return syntax_node(q, x);
}

static int application(struct parser *q)
{
    int fn = syntax_fn(q), def = syntax_def(q);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (lex_is(&q->lx, forms[i].word))
            return form(q, &forms[i]);
    if (fn >= 0)
        return syntax_scalar(q, fn);
    if (def >= 0 && q->def.a[def].len > 0) {
        int at = syntax_call(q, def, q->def.a[def].len);
        if (at >= 0 && q->ast.a[at].len < q->def.a[def].len)
            return dpia_error(q, at, "T_App: %s takes %d arguments, here are %d",
                               strs_text(q->p->strs, q->def.a[def].name), q->def.a[def].len, q->ast.a[at].len);
        return at;
    }
    return syntax_argument(q);
}

static int unary(struct parser *q)
{
    struct lex next = ahead(q);
    struct ast x = { .kind = AST_CALL, .op = FN_NEG, .b = -1, .line = q->lx.tok.line, .col = q->lx.tok.col };
    bool literal = next.tok.kind == TOK_INT || next.tok.kind == TOK_FLOAT || lex_is(&next, "inf") || lex_is(&next, "nan");

    if (!lex_is(&q->lx, "-") || literal)
        return application(q);
    if (!syntax_enter(q))
        return -1;
    lex_next(&q->lx);
    x.a = unary(q);
    q->depth--;
    return x.a < 0 ? -1 : syntax_node(q, x);
}

/* Operators of one level, to the left. */
static int chain(struct parser *q, bool sums)
{
    int a = sums ? chain(q, false) : unary(q);

    while (a >= 0) {
        struct ast x = { .kind = AST_CALL, .a = a, .line = q->lx.tok.line, .col = q->lx.tok.col };
        if (sums && (lex_is(&q->lx, "+") || lex_is(&q->lx, "-")))
            x.op = lex_is(&q->lx, "+") ? FN_ADD : FN_SUB;
        else if (!sums && (lex_is(&q->lx, "*") || lex_is(&q->lx, "/") || lex_is(&q->lx, "%")))
            x.op = lex_is(&q->lx, "*") ? FN_MUL : lex_is(&q->lx, "/") ? FN_DIV : FN_MOD;
        else
            break;
        lex_next(&q->lx);
        x.b = sums ? chain(q, false) : unary(q);
        a = x.b < 0 ? -1 : syntax_node(q, x);
    }
    return a;
}

static int let(struct parser *q)
{
    struct ast x = { .kind = AST_LET, .line = q->lx.tok.line, .col = q->lx.tok.col };

    lex_next(&q->lx);
    x.c = syntax_binder(q);
    x.a = x.c >= 0 && lex_expect(&q->lx, "=") ? syntax_exp(q) : -1;
    x.b = x.a >= 0 && lex_expect(&q->lx, "in") ? syntax_exp(q) : -1;
    return x.b < 0 ? -1 : syntax_node(q, x);
}

static int choice(struct parser *q)
{
    struct ast x = { .kind = AST_ITE, .line = q->lx.tok.line, .col = q->lx.tok.col };
    bool select = lex_is(&q->lx, "select");

    lex_next(&q->lx);
    if (select && !lex_expect(&q->lx, "("))
        return -1;
    x.c = syntax_conditions(q);
    x.a = x.c >= 0 && lex_expect(&q->lx, select ? "," : "then") ? syntax_exp(q) : -1;
    x.b = x.a >= 0 && lex_expect(&q->lx, select ? "," : "else") ? syntax_exp(q) : -1;
    if (x.b < 0 || (select && !lex_expect(&q->lx, ")")))
        return -1;
    return syntax_node(q, x);
}

int syntax_exp(struct parser *q)
{
    int r = -1;

    if (syntax_enter(q)) {
        if (lex_is(&q->lx, "let"))
            r = let(q);
        else if (lex_is(&q->lx, "if") || lex_is(&q->lx, "select"))
            r = choice(q);
        else
            r = chain(q, true);
    }
    q->depth--;
    return r;
}
