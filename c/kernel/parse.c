/* Kernel text. Newlines are white space, # starts a comment.

     kernel ::= stmt+
     stmt   ::= NAME '<' INT,+ t '>' '[' NAME,+ ']' '=' e ';'  |  NAME '<' '1' t '>' '=' e ';'
            |  NAME '<' INT,+ t '>' '[' NAME,+ ']' '=' look ';'
     look   ::= NAME '<' INT,+ t '>' '[' (ix ',')* 'at' '(' load ')' (',' ix)* ']'      of one dimension the index is data
     t      ::= | ':' ('f32'|'f64'|'i32'|'i64'|'bool')         what it is stored as; else the kernel's type
     e      ::= e ('+'|'-') e | e ('*'|'/'|'//'|'%') e         left associative, the second kind binds tighter
              | '-' e                                          binds tighter than both
              | atom
     load   ::= NAME '<' INT,+ t '>' '[' ix,+ ']' | NAME '<' '1' t '>'
     atom   ::= INT | FLOAT | 'inf' | 'nan' | '(' e ')'
              | load
              | 'select' '(' c ',' e ',' e ')'
              | ('sum'|'amax') '(' NAME '<' INT (',' NAME '<' INT)* ')' atom
              | FN '(' e,+ ')'                                 max min pow exp log sqrt tanh abs erf less exact
     c      ::= ix ('<'|'<='|'>'|'>='|'=='|'!=') ix | c '&&' c
     ix     ::= NAME | INT | '-' INT | '(' ix ')' | ix ('+'|'-') ix | ix '*' INT | INT '*' ix | ix ('//'|'%') INT

   The words select, sum, amax, inf, nan and the functions are names of tensors where '<' follows them. A minus before a
   literal is part of the literal. Literals have the kernel's type; integer kernels have no float literals and no '/', and
   there inf and -inf are the greatest and the least integer; float kernels have no '//' and '%' on values. Integer
   kernels know of the functions max, min, abs and less (1 where the first argument is less, else 0).

   exact(a, b) is the product a * b, not rounded: it stands as the term of a sum of floats, or as a branch of a select that is one,
   and each step of the sum rounds once.

   A look-up has no variables but those left of '='; it stores the tensor it loads in the same type.

   The variables left of '=' are distinct and run through the tensor's dimensions. A variable used right of '=' that is
   neither one of them nor bound by sum or amax is summed over: e is split into terms at the + and - that are not inside
   another operation (parentheses do not count), and each term t becomes sum(v..) t over its own such variables in order
   of first occurrence. The range of such a variable is the least bound that its uses in indices of loads of the statement
   give: with dimension D, v gives v < D; e + k: e < D - k; e - k: e < D + k; e1 + e2: both < D; e * k: e < ceil(D / k);
   e // k: e < D * k; anything else gives none. A name is used for one kind of variable only in a statement. Evaluation
   order: a sum starts at 0, an amax at the least value, and folds from the left in lexicographic order. */
#include "kernel/parse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int arguments;
} functions[FN_COUNT] = {
#define FN(name, text, arguments, c, meaning) {text, arguments},
#include "kernel/fn.def"
#undef FN
};

static bool is_float(const struct parser *p)
{
    return p->k->type == KERNEL_F32 || p->k->type == KERNEL_F64;
}

static int depth_of(const struct parser *p, int ex)
{
    return ex < 0 ? 0 : p->ex.a[ex].depth;
}

static int push_ex(struct parser *p, struct ex e)
{
    int a = depth_of(p, e.a), b = depth_of(p, e.b);
    struct raw_ex r = {e, (a > b ? a : b) + 1};

    if (r.depth > KERNEL_DEPTH_MAX) {
        lex_error(&p->lx, "the expression is nested deeper than %d", KERNEL_DEPTH_MAX);
        return -1;
    }
    if (!vec_room(p->k->mem, &p->ex, 1))
        return parse_nomem(p);
    p->ex.a[p->ex.n] = r;
    return p->ex.n++;
}

enum { TENSORS_FEW = 64 };

/* The first tensor of that name; -1: none; -2: memory is out. Few are looked through: the table is as long as there are names,
   also those of others. */
static int find_tensor(struct parser *p, int name)
{
    if (p->k->tensor.n < TENSORS_FEW)
        return kernel_find_tensor(p->k, name);
    for (; p->names < p->k->tensor.n; p->names++) {
        int to = p->k->tensor.a[p->names].name;
        while (p->named.n <= to)
            if (!ints_push(p->k->mem, &p->named, 0))
                return -2;
        if (p->named.a[to] == 0)
            p->named.a[to] = p->names + 1;
    }
    return name < p->named.n ? p->named.a[name] - 1 : -1;
}

/* NAME with its shape; the tensor, added at its first use. */
static int parse_tensor(struct parser *p, const struct token *t)
{
    struct kpos at = {t->line, t->col};
    long dim[KERNEL_RANK_MAX];
    int name = parse_name(p, t), n, id, elem;
    struct kernel_tensor *x;

    if (name < 0 || (n = parse_shape(p, dim, &elem)) < 0)
        return -1;
    id = find_tensor(p, name);
    if (id < -1)
        return parse_nomem(p);
    if (id < 0) {
        id = kernel_add_tensor(p->k, name, KERNEL_IN, n, dim);
        if (id >= 0)
            p->k->tensor.a[id].elem = elem;
        return id < 0 ? parse_nomem(p) : id;
    }
    x = &p->k->tensor.a[id];
    if (x->rank < 0) {
        x->rank = n;
        x->elem = elem;
        memcpy(x->dim, dim, (size_t)n * sizeof *dim);
    }
    if (x->rank != n || memcmp(x->dim, dim, (size_t)n * sizeof *dim) != 0)
        return parse_fail(p, at, "the shape of %s differs from an earlier use", parse_text(p, name));
    if (x->elem != elem)
        return parse_fail(p, at, "the stored type of %s differs from an earlier use", parse_text(p, name));
    return id;
}

static bool is_scalar(const struct kernel_tensor *x)
{
    return x->rank == 1 && x->dim[0] == 1;
}

/* Is the current name `at` and a bracket behind it? */
static bool names_lookup(const struct parser *p)
{
    struct lex ahead = p->lx;
    struct diag ignored;

    ahead.diag = &ignored;
    return lex_is(&p->lx, "at") && lex_next(&ahead) && lex_is(&ahead, "(");
}

static int parse_load(struct parser *p, const struct token *t);

/* at(I<..>[..]) as index number i: a constant for now. Its raw index id. */
static int parse_lookup(struct parser *p, int i)
{
    struct token t;
    struct kpos at = parse_here(p);

    if (p->look > 0)
        return lex_error(&p->lx, "a second index that is read from data"), -1;
    lex_next(&p->lx);
    lex_next(&p->lx);
    t = p->lx.tok;
    if (t.kind != TOK_NAME)
        return lex_error(&p->lx, "expected the tensor that has the index"), -1;
    p->look = i + 1; /* so that the load below has none */
    lex_next(&p->lx);
    if ((p->look_at = parse_load(p, &t)) < 0 || !lex_expect(&p->lx, ")"))
        return -1;
    return parse_constant(p, 0, at);
}

static int parse_load(struct parser *p, const struct token *t)
{
    struct ex e = {.kind = EX_LOAD, .a = -1, .b = -1};
    int ix[KERNEL_RANK_MAX];
    struct kernel_tensor x;

    if ((e.op = parse_tensor(p, t)) < 0)
        return -1;
    x = p->k->tensor.a[e.op];
    if (!lex_is(&p->lx, "[")) {
        if (!is_scalar(&x))
            return lex_expect(&p->lx, "["), -1;
    } else {
        do {
            lex_next(&p->lx);
            if (e.n == x.rank)
                return lex_error(&p->lx, "%s has %d dimensions", parse_text(p, x.name), x.rank), -1;
            ix[e.n] = names_lookup(p) ? parse_lookup(p, e.n) : parse_ix(p);
            if (ix[e.n++] < 0)
                return -1;
        } while (lex_is(&p->lx, ","));
        if (e.n < x.rank)
            return lex_error(&p->lx, "%s has %d dimensions", parse_text(p, x.name), x.rank), -1;
        if (!lex_expect(&p->lx, "]"))
            return -1;
    }
    e.first = p->pool.n;
    for (int i = 0; i < e.n; i++)
        if (!ints_push(p->k->mem, &p->pool, ix[i]))
            return parse_nomem(p);
    return push_ex(p, e);
}

static int parse_ex(struct parser *p);
static int parse_atom(struct parser *p);

static int parse_select(struct parser *p)
{
    struct ex e = {.kind = EX_SELECT, .a = -1, .b = -1};

    if (!lex_expect(&p->lx, "("))
        return -1;
    e.first = p->cond.n;
    do
        if (!parse_cond(p))
            return -1;
    while (lex_accept(&p->lx, "&&"));
    e.n = p->cond.n - e.first;
    if (!lex_expect(&p->lx, ",") || (e.a = parse_ex(p)) < 0 || !lex_expect(&p->lx, ",") ||
        (e.b = parse_ex(p)) < 0 || !lex_expect(&p->lx, ")"))
        return -1;
    return push_ex(p, e);
}

static bool parse_binder(struct parser *p)
{
    struct kpos at = parse_here(p);
    struct token t = p->lx.tok;
    int name, v;
    long extent;

    if (t.kind != TOK_NAME) {
        lex_error(&p->lx, "expected a variable");
        return false;
    }
    lex_next(&p->lx);
    if ((name = parse_name(p, &t)) < 0)
        return false;
    if (parse_find_var(p, name) >= 0) {
        return parse_fail(p, at, "%s is already a variable here", parse_text(p, name)), false;
    }
    if (!lex_expect(&p->lx, "<") || !parse_small(p, "range", &extent))
        return false;
    v = parse_var(p, name, extent, false, at);
    if (v >= 0 && (!ints_push(p->k->mem, &p->pool, v) || !ints_push(p->k->mem, &p->scope, v)))
        parse_nomem(p);
    return p->lx.status == CALQUE_OK;
}

static int parse_reduce(struct parser *p, int op)
{
    struct ex e = {.kind = EX_REDUCE, .op = op, .a = -1, .b = -1};
    int scope = p->scope.n;

    if (!lex_expect(&p->lx, "("))
        return -1;
    e.first = p->pool.n;
    do
        if (!parse_binder(p))
            return -1;
    while (lex_accept(&p->lx, ","));
    e.n = p->pool.n - e.first;
    if (!lex_expect(&p->lx, ")") || (e.a = parse_atom(p)) < 0)
        return -1;
    p->scope.n = scope;
    return push_ex(p, e);
}

static int parse_call(struct parser *p, int fn, struct kpos at)
{
    struct ex e = {.kind = EX_CALL, .op = fn, .a = -1, .b = -1};

    if (!is_float(p) && fn_is_float(fn))
        return parse_fail(p, at, "%s needs a float kernel", functions[fn].name);
    if (!lex_expect(&p->lx, "(") || (e.a = parse_ex(p)) < 0)
        return -1;
    if (functions[fn].arguments == 2 && (!lex_expect(&p->lx, ",") || (e.b = parse_ex(p)) < 0))
        return -1;
    return lex_expect(&p->lx, ")") ? push_ex(p, e) : -1;
}

/* A literal token, negated or not. */
static int parse_literal(struct parser *p, bool minus)
{
    struct token t = p->lx.tok;
    struct ex e = {.kind = EX_CONST, .a = -1, .b = -1};
    bool inf = t.kind == TOK_NAME && t.len == 3 && memcmp(t.start, "inf", 3) == 0;
    bool narrow = p->k->type == KERNEL_F32;
    char buf[160];

    if (is_float(p)) {
        if (t.kind == TOK_NAME) {
            e.num = inf ? (double)INFINITY : (double)NAN;
        } else {
            if ((size_t)t.len >= sizeof buf)
                return lex_error(&p->lx, "malformed number"), -1;
            memcpy(buf, t.start, (size_t)t.len);
            buf[t.len] = '\0';
            e.num = narrow ? (double)strtof(buf, NULL) : strtod(buf, NULL);
            if (isinf(e.num))
                return lex_error(&p->lx, "the literal is too large"), -1;
        }
        if (minus && !isnan(e.num))
            e.num = -e.num;
    } else {
        narrow = p->k->type == KERNEL_I32;
        if (t.kind == TOK_FLOAT || (t.kind == TOK_NAME && !inf))
            return lex_error(&p->lx, "a float literal in an integer kernel"), -1;
        if (inf)
            e.inum = minus ? (narrow ? INT32_MIN : LONG_MIN) : narrow ? INT32_MAX : LONG_MAX;
        else if (narrow && t.num > INT32_MAX)
            return lex_error(&p->lx, "the literal is too large"), -1;
        else
            e.inum = minus ? -t.num : t.num;
    }
    lex_next(&p->lx);
    return push_ex(p, e);
}

/* Is the current name followed by '<', a tensor? */
static bool names_tensor(const struct parser *p)
{
    struct lex ahead = p->lx;
    struct diag ignored;

    ahead.diag = &ignored;
    return lex_next(&ahead) && lex_is(&ahead, "<");
}

static bool is_literal(const struct parser *p)
{
    if (lex_is(&p->lx, "inf") || lex_is(&p->lx, "nan"))
        return !names_tensor(p);
    return p->lx.tok.kind == TOK_INT || p->lx.tok.kind == TOK_FLOAT;
}

static int parse_named(struct parser *p)
{
    struct token t = p->lx.tok;
    struct kpos at = parse_here(p);

    if (names_tensor(p)) {
        lex_next(&p->lx);
        return parse_load(p, &t);
    }
    if (lex_accept(&p->lx, "select"))
        return parse_select(p);
    if (lex_accept(&p->lx, "sum"))
        return parse_reduce(p, RED_SUM);
    if (lex_accept(&p->lx, "amax"))
        return parse_reduce(p, RED_MAX);
    for (int i = FN_MAX; i < FN_COUNT; i++)
        if (i != FN_NEG && lex_accept(&p->lx, functions[i].name))
            return parse_call(p, i, at);
    lex_next(&p->lx);
    if (lex_is(&p->lx, "("))
        return parse_fail(p, at, "unknown function %.*s", t.len > 40 ? 40 : t.len, t.start);
    lex_expect(&p->lx, "<");
    return -1;
}

static int parse_atom(struct parser *p)
{
    int r;

    if (!parse_enter(p))
        return -1;
    if (is_literal(p))
        return parse_leave(p, parse_literal(p, false));
    if (p->lx.tok.kind == TOK_NAME)
        return parse_leave(p, parse_named(p));
    if (!lex_is(&p->lx, "("))
        return lex_error(&p->lx, "expected a value: a literal, a tensor, a function or '('"), -1;
    lex_next(&p->lx);
    r = parse_ex(p);
    if (r < 0 || !lex_expect(&p->lx, ")"))
        return -1;
    return parse_leave(p, r);
}

static int parse_unary(struct parser *p)
{
    struct ex e = {.kind = EX_CALL, .op = FN_NEG, .a = -1, .b = -1};

    if (!lex_is(&p->lx, "-"))
        return parse_atom(p);
    if (!parse_enter(p))
        return -1;
    lex_next(&p->lx);
    if (is_literal(p))
        return parse_leave(p, parse_literal(p, true));
    e.a = parse_unary(p);
    return parse_leave(p, e.a < 0 ? -1 : push_ex(p, e));
}

static int parse_term(struct parser *p)
{
    struct ex e = {.kind = EX_CALL};
    int a = parse_unary(p);

    while (a >= 0) {
        if (lex_is(&p->lx, "*"))
            e.op = FN_MUL;
        else if (lex_is(&p->lx, "/") || lex_is(&p->lx, "//"))
            e.op = FN_DIV;
        else if (lex_is(&p->lx, "%"))
            e.op = FN_MOD;
        else
            break;
        if (is_float(p) && (lex_is(&p->lx, "//") || lex_is(&p->lx, "%")))
            return lex_error(&p->lx, "// and %% on values need an integer kernel"), -1;
        if (!is_float(p) && lex_is(&p->lx, "/"))
            return lex_error(&p->lx, "/ needs a float kernel; integers are divided by //"), -1;
        lex_next(&p->lx);
        e.a = a;
        e.b = parse_unary(p);
        a = e.b < 0 ? -1 : push_ex(p, e);
    }
    return a;
}

static int parse_ex(struct parser *p)
{
    struct ex e = {.kind = EX_CALL};
    int a = parse_term(p);

    while (a >= 0 && (lex_is(&p->lx, "+") || lex_is(&p->lx, "-"))) {
        e.op = lex_is(&p->lx, "+") ? FN_ADD : FN_SUB;
        lex_next(&p->lx);
        e.a = a;
        e.b = parse_term(p);
        a = e.b < 0 ? -1 : push_ex(p, e);
    }
    return a;
}

/* '[' NAME,+ ']' of the left side, or nothing for a scalar. */
static bool parse_outputs(struct parser *p)
{
    struct kernel_tensor x = p->k->tensor.a[p->out];
    struct kpos at = parse_here(p);
    int name, n = 0;

    if (is_scalar(&x) && !lex_is(&p->lx, "[")) {
        name = strs_addz(p->k->strs, "");
        if (name < 0)
            parse_nomem(p);
        p->nout = 1;
        return name >= 0 && parse_var(p, name, 1, false, at) >= 0;
    }
    if (!lex_expect(&p->lx, "["))
        return false;
    do {
        struct token t = p->lx.tok;
        at = parse_here(p);
        if (t.kind != TOK_NAME) {
            lex_error(&p->lx, "expected a variable: the left side has one for each dimension");
            return false;
        }
        if (n == x.rank) {
            lex_error(&p->lx, "%s has %d dimensions", parse_text(p, x.name), x.rank);
            return false;
        }
        if ((name = parse_name(p, &t)) < 0)
            return false;
        for (int i = 0; i < n; i++)
            if (p->var.a[i].name == name)
                return parse_fail(p, at, "%s stands twice on the left", parse_text(p, name)), false;
        if (parse_var(p, name, x.dim[n++], false, at) < 0 || !lex_next(&p->lx))
            return false;
    } while (lex_accept(&p->lx, ","));
    p->nout = n;
    if (n < x.rank) {
        lex_error(&p->lx, "%s has %d dimensions", parse_text(p, x.name), x.rank);
        return false;
    }
    return lex_expect(&p->lx, "]");
}

static bool parse_stmt(struct parser *p)
{
    struct token t = p->lx.tok;

    p->var.n = p->ix.n = p->ex.n = p->cond.n = p->pool.n = p->scope.n = 0;
    p->nout = p->nest = p->look = 0;
    p->start = parse_here(p);
    if (t.kind != TOK_NAME) {
        lex_error(&p->lx, "expected a statement: NAME<dims>[variables] = value;");
        return false;
    }
    lex_next(&p->lx);
    if ((p->out = parse_tensor(p, &t)) < 0 || !parse_outputs(p))
        return false;
    p->assign = parse_here(p);
    if (!lex_expect(&p->lx, "=") || (p->body = parse_ex(p)) < 0 || !lex_expect(&p->lx, ";"))
        return false;
    if (p->look > 0 && (p->ex.a[p->body].ex.kind != EX_LOAD || p->ex.n != 2))
        return parse_fail(p, p->assign, "a look-up stands alone on the right"), false;
    return true;
}

static enum calque_status set_roles(struct parser *p, const int *outputs, int noutputs)
{
    struct kernel *k = p->k;
    int last = k->stmt.a[k->stmt.n - 1].out;

    for (int i = 0; i < k->stmt.n; i++)
        k->tensor.a[k->stmt.a[i].out].role = KERNEL_TEMP;
    if (noutputs < 0)
        k->tensor.a[last].role = KERNEL_OUT;
    for (int i = 0; i < noutputs; i++) {
        int t = kernel_find_tensor(k, outputs[i]);
        if (t < 0 || k->tensor.a[t].role == KERNEL_IN)
            return lex_error_at(&p->lx, 1, 1, "the output %s is stored by no statement", parse_text(p, outputs[i]));
        k->tensor.a[t].role = KERNEL_OUT;
    }
    return CALQUE_OK;
}

static void parser_free(struct parser *p)
{
    mem_free(p->var.a);
    mem_free(p->ix.a);
    mem_free(p->ex.a);
    mem_free(p->cond.a);
    mem_free(p->at.a);
    ints_free(&p->pool);
    ints_free(&p->scope);
    ints_free(&p->named);
}

enum calque_status kernel_parse_named(struct kernel *k, const char *file, const char *src, size_t n, const int *outputs,
                                      int noutputs, struct diag *d)
{
    struct parser p = {.k = k};
    enum calque_status st;

    lex_init(&p.lx, file, src, n, false, d);
    if (p.lx.status == CALQUE_OK && p.lx.tok.kind == TOK_END)
        lex_error(&p.lx, "expected a statement: NAME<dims>[variables] = value;");
    while (p.lx.status == CALQUE_OK && p.lx.tok.kind != TOK_END)
        if (parse_stmt(&p))
            elaborate(&p);
    if (p.lx.status == CALQUE_OK)
        set_roles(&p, outputs, noutputs);
    st = p.lx.status;
    if (p.nomem)
        st = diag_nomem(d);
    parser_free(&p);
    return st;
}

enum calque_status kernel_parse(struct kernel *k, const char *file, const char *src, size_t n, const int *outputs,
                                int noutputs, struct diag *d)
{
    return kernel_parse_named(k, file, src, n, outputs, noutputs, d);
}
