/* Typing of .dpia expressions: syntax trees to functional expressions (Coq: infer; the rule names are those of ty). */
#include "dpia/parse_internal.h"

#include <limits.h>
#include <string.h>

#define SHOW(q, type) elab_show(q, type, (char[ELAB_TEXT]){ 0 }, ELAB_TEXT)

static const struct data *type_of(const struct parser *q, int e)
{
    return &q->p->data.a[q->p->exp.a[e].type];
}

static int type_id(const struct parser *q, int e)
{
    return q->p->exp.a[e].type;
}

static bool is_num(const struct parser *q, int e)
{
    return type_of(q, e)->kind == DATA_NUM;
}

static bool is_float(const struct parser *q)
{
    return q->p->scalar == KERNEL_F32 || q->p->scalar == KERNEL_F64;
}

static bool bind(struct parser *q, int name, int exp, int ivar)
{
    if (!vec_room(q->p->mem, &q->env, 1))
        return dpia_nomem(q) == 0;
    q->env.a[q->env.n++] = (struct bound){ name, exp, ivar };
    return true;
}

/* The names of a binder stand for the expression or its components. */
static bool bind_to(struct parser *q, int binder, int exp)
{
    struct ast b = q->ast.a[binder];

    if (exp < 0)
        return dpia_nomem(q) == 0;
    if (b.kind == AST_BIND)
        return b.name < 0 || bind(q, b.name, exp, -1);
    if (type_of(q, exp)->kind != DATA_PAIR)
        return dpia_error(q, binder, "T_Fst: the binder is a pair, the value is %s", SHOW(q, type_id(q, exp))) == 0;
    return bind_to(q, b.a, exp_fst(q->p, exp)) && bind_to(q, b.b, exp_snd(q->p, exp));
}

/* A variable's hint: the binder's name without a number at its end, so that printed text reads back alike. */
static int hint(struct parser *q, int binder)
{
    const struct ast *b = &q->ast.a[binder];
    char s[64];
    int n;

    if (b->kind != AST_BIND || b->name < 0)
        return -1;
    n = strs_len(q->p->strs, b->name);
    while (n > 0 && strchr("0123456789", strs_text(q->p->strs, b->name)[n - 1]))
        n--;
    if (n == 0 || n > 63 || n == strs_len(q->p->strs, b->name))
        return n == 0 || n > 63 ? -1 : b->name;
    memcpy(s, strs_text(q->p->strs, b->name), (size_t)n);
    return strs_add(q->p->strs, s, (size_t)n);
}

static int apply(struct parser *q, int fn, const char *rule, int *args, int n);

/* One argument too few and the last one a pair: its components are the last two arguments. */
static bool spread(struct parser *q, int *args, int *n, int want)
{
    int pair;

    if (*n + 1 != want || *n == 0 || type_of(q, args[*n - 1])->kind != DATA_PAIR)
        return *n == want;
    pair = args[*n - 1];
    args[*n - 1] = exp_fst(q->p, pair);
    args[*n] = exp_snd(q->p, pair);
    ++*n;
    return true;
}

static int call(struct parser *q, int node, int fn, int a, int b)
{
    const struct fn_info *f = fn_info(fn);
    const char *rule = f->args == 1 ? "T_Un" : "T_Bin";

    for (int i = 0; i < f->args; i++) {
        int e = i == 0 ? a : b;
        if (!is_num(q, e))
            return dpia_error(q, node, "%s: %s needs numbers, not %s", rule, f->text, SHOW(q, type_id(q, e)));
    }
    if (is_float(q) ? fn == FN_MOD : fn_is_float(fn))
        return dpia_error(q, node, "%s: %s is not for the scalar type of this program", rule, f->text);
    return exp_call(q->p, fn, a, f->args == 2 ? b : -1);
}

static int apply_lambda(struct parser *q, int fn, const char *rule, int *args, int n)
{
    struct ast f = q->ast.a[fn];
    int mark = q->env.n, r = -1;
    bool ok = true;

    if (!spread(q, args, &n, f.len))
        return dpia_error(q, fn, "%s: the function takes %d arguments, here are %d", rule, f.len, n);
    for (int i = 0; i < n && ok; i++)
        ok = bind_to(q, q->pool.a[f.first + i], args[i]);
    if (ok)
        r = elab_exp(q, f.a);
    q->env.n = mark;
    return r;
}

/* A def written out: parameters stand for the arguments, sizes of their types are found by comparing. */
static int apply_def(struct parser *q, int node, const struct def *d, const int *args)
{
    int env_from = q->env_from, size_from = q->size_from, env_mark = q->env.n, size_mark = q->size.n, r = -1;
    bool ok = true;

    for (int i = 0; i < d->len && ok; i++)
        ok = bind(q, q->ast.a[q->pool.a[d->first + i]].name, args[i], -1);
    q->env_from = env_mark;
    q->size_from = size_mark;
    for (int i = 0; i < d->len && ok; i++) {
        int binder = q->pool.a[d->first + i], want = q->ast.a[binder].a;
        if (want >= 0 && !elab_unify(q, want, type_id(q, args[i])))
            ok = dpia_error(q, node, "T_App: argument %d of %s is %s, which its type does not allow", i + 1,
                             strs_text(q->p->strs, d->name), SHOW(q, type_id(q, args[i]))) == 0;
    }
    if (ok)
        r = elab_exp(q, d->body);
    q->env.n = env_mark;
    q->size.n = size_mark;
    q->env_from = env_from;
    q->size_from = size_from;
    return r;
}

enum { ARGS_MAX = 40 };

/* A use with all its written arguments and those of args. */
static int apply_use(struct parser *q, int node, const char *rule, const int *args, int n)
{
    struct ast u = q->ast.a[node];
    struct def d = q->def.a[u.op];
    int all[ARGS_MAX + 1], k = 0;

    for (; k < u.len; k++) {
        all[k] = elab_exp(q, q->pool.a[u.first + k]);
        if (all[k] < 0)
            return -1;
    }
    for (int i = 0; i < n && k < ARGS_MAX; i++)
        all[k++] = args[i];
    if (!spread(q, all, &k, d.len))
        return dpia_error(q, node, "%s: %s takes %d arguments, here are %d", rule, strs_text(q->p->strs, d.name), d.len, k);
    return apply_def(q, node, &d, all);
}

/* The function applied to n expressions; args has room for one more. */
static int apply(struct parser *q, int fn, const char *rule, int *args, int n)
{
    struct ast f = q->ast.a[fn];

    for (int i = 0; i < n; i++)
        if (args[i] < 0)
            return dpia_nomem(q);
    if (f.kind == AST_FUN)
        return apply_lambda(q, fn, rule, args, n);
    if (f.kind == AST_USE)
        return apply_use(q, fn, rule, args, n);
    if (!spread(q, args, &n, fn_info(f.op)->args))
        return dpia_error(q, fn, "%s: %s takes %d arguments, here are %d", rule, fn_info(f.op)->text, fn_info(f.op)->args, n);
    return call(q, fn, f.op, args[0], n == 2 ? args[1] : -1);
}

/* Inside a loop over n it is at least 1. */
static int assume_some(struct parser *q, long n)
{
    int mark = range_mark(&q->range);

    range_assume(&q->range, range_add(&q->range, range_size(&q->range, n), range_const(&q->range, 1), -1));
    return mark;
}

static int elab_array(struct parser *q, int node, const char *rule)
{
    int e = elab_exp(q, node);

    if (e >= 0 && type_of(q, e)->kind != DATA_ARY)
        return dpia_error(q, node, "%s: an array is needed, not %s", rule, SHOW(q, type_id(q, e)));
    return e;
}

/* The size written in a form, if any, is the array's. */
static bool same_size(struct parser *q, int node, int array, const char *rule)
{
    long n = node < 0 ? 0 : elab_size(q, node);

    if (node >= 0 && n != SIZE_NONE && n != type_of(q, array)->n)
        dpia_error(q, node, "%s: the array is %s", rule, SHOW(q, type_id(q, array)));
    return dpia_ok(q);
}

static int lambda_hint(struct parser *q, int fn, int i)
{
    const struct ast *f = &q->ast.a[fn];

    return f->kind == AST_FUN && i < f->len ? hint(q, q->pool.a[f->first + i]) : -1;
}

static int elab_map(struct parser *q, const struct ast *x)
{
    int e = elab_array(q, x->b, "T_Map"), args[2], v, f, mark;

    if (e < 0 || !same_size(q, x->first, e, "T_Map"))
        return -1;
    v = prog_var(q->p, lambda_hint(q, x->a, 0), type_of(q, e)->a);
    args[0] = exp_var(q->p, v);
    mark = assume_some(q, type_of(q, e)->n);
    f = apply(q, x->a, "T_Map", args, 1);
    range_forget(&q->range, mark);
    return f < 0 ? -1 : exp_map(q->p, x->op, v, f, e);
}

/* Binds the first name of a function over indices to a new index variable; its number, or -1. */
static int bind_index(struct parser *q, int fn, int binders, long n, const char *rule)
{
    const struct ast *f = &q->ast.a[fn], *b = f->kind == AST_FUN && f->len == binders ? &q->ast.a[q->pool.a[f->first]] : NULL;
    int v;

    if (!b || b->kind != AST_BIND)
        return dpia_error(q, fn, "%s: a function (fun %s -> ..) of an index is needed", rule, binders == 1 ? "i" : "i acc");
    v = prog_ivar(q->p, hint(q, q->pool.a[f->first]), n);
    if (v < 0 || (b->name >= 0 && !bind(q, b->name, -1, v)))
        return dpia_nomem(q);
    return v;
}

static int elab_gen(struct parser *q, const struct ast *x)
{
    long n = elab_size(q, x->first);
    int env = q->env.n, v = n == SIZE_NONE ? -1 : bind_index(q, x->a, 1, n, "T_Gen"), f, mark;

    if (v < 0)
        return -1;
    mark = assume_some(q, n);
    f = elab_exp(q, q->ast.a[x->a].a);
    range_forget(&q->range, mark);
    q->env.n = env;
    return f < 0 ? -1 : exp_gen(q->p, x->op, v, f);
}

static int elab_fold(struct parser *q, const struct ast *x)
{
    long n = elab_size(q, q->ast.a[x->c].a);
    int env = q->env.n, init = n == SIZE_NONE ? -1 : elab_exp(q, x->b), v, acc, f, mark;

    if (init < 0 || (x->first >= 0 && elab_size(q, x->first) != n))
        return init < 0 ? -1 : dpia_error(q, x->first, "T_Fold: the size differs from that of iota");
    v = bind_index(q, x->a, 2, n, "T_Fold");
    if (v < 0)
        return -1;
    acc = prog_var(q->p, lambda_hint(q, x->a, 1), type_id(q, init));
    mark = assume_some(q, n);
    f = bind_to(q, q->pool.a[q->ast.a[x->a].first + 1], exp_var(q->p, acc)) ? elab_exp(q, q->ast.a[x->a].a) : -1;
    range_forget(&q->range, mark);
    q->env.n = env;
    if (f >= 0 && type_id(q, f) != type_id(q, init))
        return dpia_error(q, x->a, "T_Fold: the function gives %s, the initial value is %s", SHOW(q, type_id(q, f)),
                           SHOW(q, type_id(q, init)));
    return f < 0 ? -1 : exp_fold(q->p, v, acc, f, init);
}

static int elab_reduce(struct parser *q, const struct ast *x)
{
    int e, init, v, acc, f, mark, args[3];

    if (q->ast.a[x->c].kind == AST_IOTA)
        return elab_fold(q, x);
    e = elab_array(q, x->c, "T_Red");
    if (e < 0 || !same_size(q, x->first, e, "T_Red"))
        return -1;
    init = elab_exp(q, x->b);
    if (init < 0)
        return -1;
    v = prog_var(q->p, lambda_hint(q, x->a, 0), type_of(q, e)->a);
    acc = prog_var(q->p, lambda_hint(q, x->a, 1), type_id(q, init));
    args[0] = exp_var(q->p, v);
    args[1] = exp_var(q->p, acc);
    mark = assume_some(q, type_of(q, e)->n);
    f = apply(q, x->a, "T_Red", args, 2);
    range_forget(&q->range, mark);
    if (f >= 0 && type_id(q, f) != type_id(q, init))
        return dpia_error(q, x->a, "T_Red: the function gives %s, the initial value is %s", SHOW(q, type_id(q, f)),
                           SHOW(q, type_id(q, init)));
    return f < 0 ? -1 : exp_red(q->p, v, acc, f, init, e);
}

/* map (fun y -> y) e */
static int identity(struct parser *q, bool par, int e)
{
    int v = e < 0 ? -1 : prog_var(q->p, -1, type_of(q, e)->a);

    return v < 0 ? -1 : exp_map(q->p, par, v, exp_var(q->p, v), e);
}

/* The forms of one array: reverse, copy, join, transpose, split; op: with a loop of its own (seed 2.3). */
static int elab_view(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    const char *rule = x.kind == AST_REV ? "T_Rev" : x.kind == AST_COPY ? "T_Map" : x.kind == AST_JOIN ? "T_Join" :
                       x.kind == AST_TR ? "T_Tr" : "T_Split";
    int e = elab_array(q, x.a, rule), v;
    long n;

    if (e < 0)
        return -1;
    if ((x.kind == AST_JOIN || x.kind == AST_TR) && q->p->data.a[type_of(q, e)->a].kind != DATA_ARY)
        return dpia_error(q, x.a, "%s: an array of arrays is needed, not %s", rule, SHOW(q, type_id(q, e)));
    if (x.kind == AST_COPY)
        return identity(q, x.op, e);
    if (x.kind == AST_REV)
        return x.op ? identity(q, false, exp_rev(q->p, e)) : exp_rev(q->p, e);
    if (x.kind == AST_JOIN)
        return exp_join(q->p, e);
    if (x.kind == AST_TR) {
        e = exp_tr(q->p, e);
        v = x.op && e >= 0 ? prog_var(q->p, -1, type_of(q, e)->a) : -1;
        return x.op ? exp_map(q->p, true, v, identity(q, false, exp_var(q->p, v)), e) : e;
    }
    n = elab_size(q, x.first);
    if (n != SIZE_NONE && size_quotient(q->p, type_of(q, e)->n, n) == SIZE_NONE && q->p->status == CALQUE_OK)
        return dpia_error(q, x.first, "T_Split: the size does not divide that of %s", SHOW(q, type_id(q, e)));
    return n == SIZE_NONE ? -1 : exp_split(q->p, n, e);
}

static int elab_name(struct parser *q, int node)
{
    int name = q->ast.a[node].name;

    for (int i = q->env.n - 1; i >= q->env_from; i--)
        if (q->env.a[i].name == name) {
            if (q->env.a[i].exp < 0)
                return dpia_error(q, node, "T_Var: '%s' is an index, not a value", strs_text(q->p->strs, name));
            return q->env.a[i].exp;
        }
    for (int i = q->def.n - 1; i >= 0; i--)
        if (q->def.a[i].name == name) {
            struct def d = q->def.a[i];
            if (d.len > 0)
                return dpia_error(q, node, "T_App: %s takes %d arguments", strs_text(q->p->strs, name), d.len);
            return apply_def(q, node, &d, NULL);
        }
    return dpia_error(q, node, "T_Var: '%s' is not defined", strs_text(q->p->strs, name));
}

static int elab_lit(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];

    if (is_float(q))
        return exp_lit(q->p, x.num, 0);
    if (x.real)
        return dpia_error(q, node, "T_Lit: an integer is needed");
    if (q->p->scalar == KERNEL_I32 && (x.inum < INT_MIN || x.inum > INT_MAX))
        return dpia_error(q, node, "T_Lit: the integer does not fit in 32 bits");
    return exp_lit(q->p, 0, x.inum);
}

static int elab_zip(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    int a = elab_array(q, x.a, "T_Zip"), b = a < 0 ? -1 : elab_array(q, x.b, "T_Zip");

    if (b < 0)
        return -1;
    if (type_of(q, a)->n != type_of(q, b)->n)
        return dpia_error(q, node, "T_Zip: the arrays have different sizes: %s and %s", SHOW(q, type_id(q, a)),
                           SHOW(q, type_id(q, b)));
    return exp_zip(q->p, a, b);
}

static int elab_index(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    int e = elab_array(q, x.a, "T_Idx"), form, i = e < 0 ? -1 : elab_ix(q, x.b, &form), last;

    if (i < 0)
        return -1;
    last = range_add(&q->range, range_size(&q->range, type_of(q, e)->n), range_const(&q->range, 1), -1);
    bool inside = range_nonnegative(&q->range, form) && range_nonnegative(&q->range, range_add(&q->range, last, form, -1));
    if (q->p->status == CALQUE_NOMEM || q->p->size.status == CALQUE_NOMEM)
        return dpia_nomem(q);
    if (!inside)
        return dpia_error(q, x.b, "T_Idx: cannot show that the index stays inside %s", SHOW(q, type_id(q, e)));
    return exp_idx(q->p, e, i);
}

static int elab_ite(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    struct cond conds[ELAB_CONDS];
    struct elab_facts facts;
    int mark = range_mark(&q->range), a, b;

    if (!elab_conds(q, x.c, conds, &facts))
        return -1;
    for (int i = 0; i < facts.n; i++)
        range_assume(&q->range, facts.then[i]);
    a = elab_exp(q, x.a);
    range_forget(&q->range, mark);
    for (int i = 0; i < facts.nelse; i++)
        range_assume(&q->range, facts.other[i]);
    b = a < 0 ? -1 : elab_exp(q, x.b);
    range_forget(&q->range, mark);
    if (b < 0)
        return -1;
    if (type_id(q, a) != type_id(q, b))
        return dpia_error(q, node, "T_Ite: the branches are %s and %s", SHOW(q, type_id(q, a)), SHOW(q, type_id(q, b)));
    return exp_ite(q->p, conds, q->ast.a[x.c].len, a, b);
}

static int elab_let(struct parser *q, const struct ast *x)
{
    int e = elab_exp(q, x->a), mark = q->env.n, v, body;

    if (e < 0)
        return -1;
    v = prog_var(q->p, hint(q, x->c), type_id(q, e));
    body = bind_to(q, x->c, exp_var(q->p, v)) ? elab_exp(q, x->b) : -1;
    q->env.n = mark;
    return body < 0 ? -1 : exp_let(q->p, v, e, body);
}

static int elab_two(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    int a = elab_exp(q, x.a), b = a < 0 || x.b < 0 ? -1 : elab_exp(q, x.b);

    if (a < 0 || (x.b >= 0 && b < 0))
        return -1;
    if (x.kind == AST_CALL)
        return call(q, node, x.op, a, b);
    if (x.kind == AST_PAIR)
        return exp_pair(q->p, a, b);
    if (type_of(q, a)->kind != DATA_PAIR)
        return dpia_error(q, x.a, "%s: a pair is needed, not %s", x.kind == AST_FST ? "T_Fst" : "T_Snd",
                           SHOW(q, type_id(q, a)));
    return x.kind == AST_FST ? exp_fst(q->p, a) : exp_snd(q->p, a);
}

static int dispatch(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];

    switch (x.kind) {
    case AST_NAME: return elab_name(q, node);
    case AST_LIT: return elab_lit(q, node);
    case AST_CALL: case AST_PAIR: case AST_FST: case AST_SND: return elab_two(q, node);
    case AST_MAP: return elab_map(q, &x);
    case AST_GEN: return elab_gen(q, &x);
    case AST_RED: return elab_reduce(q, &x);
    case AST_ZIP: return elab_zip(q, node);
    case AST_IDX: return elab_index(q, node);
    case AST_ITE: return elab_ite(q, node);
    case AST_LET: return elab_let(q, &x);
    case AST_USE: return apply_use(q, node, "T_App", NULL, 0);
    default: return elab_view(q, node);
    }
}

int elab_exp(struct parser *q, int node)
{
    int r;

    if (q->depth > DPIA_DEPTH)
        return dpia_limit(q, "the program is nested deeper than 400");
    q->depth++;
    r = dispatch(q, node);
    q->depth--;
    if (!dpia_ok(q))
        return -1;
    if (r < 0 && q->p->status == CALQUE_NOMEM)
        return dpia_nomem(q);
    if (q->p->status == CALQUE_LIMIT || (r >= 0 && type_of(q, r)->cells > DPIA_CELLS))
        return dpia_error(q, node, "T_Size: an array has more than 2147483647 cells");
    if (q->p->exp.n > DPIA_NODES)
        return dpia_limit(q, "more than 1000000 expressions");
    return r;
}
