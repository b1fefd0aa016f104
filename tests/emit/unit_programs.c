/* Functional programs, translated and emitted, against a direct evaluation of their meaning (Coq: eval): the programs of
   the literature and random well-typed ones over every constructor, with every parallel loop on threads. */
#include "../dpia/programs.h"
#include "batch.h"

enum { VARS = 4096, PROGRAMS = 300, PARAMS = 16 };

static struct mem mem = MEM_INIT;
static struct strs strs;
static unsigned long seed = 0x9e3779b97f4a7c15ul;

static unsigned rnd(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 20) % n);
}

/* Evaluation: a value of type d is its data_size scalars, arrays element by element, pairs one component after the other. */
struct eval {
    const struct prog *p;
    const float *data[VARS];
    long index[VARS];
};

static long eval_ix(const struct eval *v, int id)
{
    struct ix x = v->p->ix.a[id];
    long a;

    if (x.kind == IX_VAR)
        return v->index[x.k];
    if (x.kind == IX_CONST)
        return x.k;
    a = eval_ix(v, x.a);
    switch (x.kind) {
    case IX_ADD: return a + eval_ix(v, x.b);
    case IX_SUB: return a - eval_ix(v, x.b);
    case IX_MUL: return a * x.k;
    case IX_DIV: return a / x.k - (a % x.k < 0);
    default: return (a % x.k + x.k) % x.k;
    }
}

static long size_of(const struct prog *p, int type)
{
    return data_size(p, type);
}

static float *eval(struct eval *v, int id);

static float apply(int fn, float a, float b)
{
    switch (fn) {
    case FN_ADD: return a + b;
    case FN_SUB: return a - b;
    case FN_MUL: return a * b;
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_DIV: return a / b;
    default: return -a;
    }
}

static bool holds(const struct eval *v, const struct exp *e)
{
    for (int i = 0; i < e->len; i++) {
        struct cond k = v->p->cond.a[e->first + i];
        long a = eval_ix(v, k.a), b = eval_ix(v, k.b);
        bool yes = k.op == CMP_LT ? a < b : k.op == CMP_LE ? a <= b : k.op == CMP_GT ? a > b : k.op == CMP_GE ? a >= b :
                   k.op == CMP_EQ ? a == b : a != b;
        if (!yes)
            return false;
    }
    return true;
}

/* map, generate, reduceSeq, fold: n times the body. */
static float *eval_binder(struct eval *v, const struct exp *e)
{
    const struct prog *p = v->p;
    bool reduces = e->kind == EXP_RED || e->kind == EXP_FOLD;
    int arr = e->kind == EXP_MAP ? e->b : e->kind == EXP_RED ? e->c : -1;
    long part = size_of(p, p->exp.a[e->a].type), elem = arr < 0 ? 0 : size_of(p, p->data.a[p->exp.a[arr].type].a);
    float *out = reduces ? eval(v, e->b) : malloc(sizeof *out * (size_t)(size_of(p, e->type) + 1));
    float *in = arr < 0 ? NULL : eval(v, arr);

    for (long i = 0; i < e->n; i++) {
        float *r;
        if (arr < 0)
            v->index[e->x] = i;
        else
            v->data[e->x] = in + i * elem;
        if (reduces)
            v->data[e->y] = out;
        r = eval(v, e->a);
        if (reduces) {
            free(out);
            out = r;
        } else {
            memcpy(out + i * part, r, sizeof *out * (size_t)part);
            free(r);
        }
    }
    free(in);
    return out;
}

static float *eval_rearranged(struct eval *v, const struct exp *e)
{
    const struct prog *p = v->p;
    const struct data *t = &p->data.a[e->type];
    float *a = eval(v, e->a), *b = e->kind == EXP_ZIP || e->kind == EXP_PAIR ? eval(v, e->b) : NULL;
    long na = size_of(p, p->exp.a[e->a].type), n = size_of(p, e->type), k;
    float *out = malloc(sizeof *out * (size_t)(n + 1));

    switch (e->kind) {
    case EXP_ZIP:
        for (long i = 0; i < e->n; i++) {
            long u = na / e->n, w = n / e->n - u;
            memcpy(out + i * (u + w), a + i * u, sizeof *out * (size_t)u);
            memcpy(out + i * (u + w) + u, b + i * w, sizeof *out * (size_t)w);
        }
        break;
    case EXP_PAIR:
        memcpy(out, a, sizeof *out * (size_t)na);
        memcpy(out + na, b, sizeof *out * (size_t)(n - na));
        break;
    case EXP_IDX:
        memcpy(out, a + eval_ix(v, e->b) * n, sizeof *out * (size_t)n);
        break;
    case EXP_SND:
        memcpy(out, a + na - n, sizeof *out * (size_t)n);
        break;
    case EXP_REV:
        k = size_of(p, t->a);
        for (long i = 0; i < e->n; i++)
            memcpy(out + i * k, a + (e->n - 1 - i) * k, sizeof *out * (size_t)k);
        break;
    case EXP_TR:
        k = n / (e->n * e->m);
        for (long i = 0; i < e->n; i++)
            for (long j = 0; j < e->m; j++)
                memcpy(out + (j * e->n + i) * k, a + (i * e->m + j) * k, sizeof *out * (size_t)k);
        break;
    default: /* split, join, fst: the same scalars from the start */
        memcpy(out, a, sizeof *out * (size_t)n);
    }
    free(a);
    free(b);
    return out;
}

static float *eval(struct eval *v, int id)
{
    const struct exp *e = &v->p->exp.a[id];
    long n = size_of(v->p, e->type);
    float *out, *a, *b;

    switch (e->kind) {
    case EXP_VAR: case EXP_LIT:
        out = malloc(sizeof *out * (size_t)(n + 1));
        if (e->kind == EXP_VAR)
            memcpy(out, v->data[e->x], sizeof *out * (size_t)n);
        else
            out[0] = (float)e->num;
        return out;
    case EXP_CALL:
        a = eval(v, e->a);
        b = e->b < 0 ? NULL : eval(v, e->b);
        a[0] = apply(e->op, a[0], b ? b[0] : 0);
        free(b);
        return a;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD:
        return eval_binder(v, e);
    case EXP_ITE:
        return eval(v, holds(v, e) ? e->a : e->b);
    case EXP_LET:
        a = eval(v, e->a);
        v->data[e->x] = a;
        out = eval(v, e->b);
        free(a);
        return out;
    default:
        return eval_rearranged(v, e);
    }
}

/* Random expressions of a given type. */
struct scope {
    int var[64], n, ivar[64], ni;
};

static int random_type(struct prog *p, int depth)
{
    unsigned r = depth <= 0 ? 0 : rnd(6);

    if (r < 2)
        return data_num(p);
    if (r == 2) {
        int a = random_type(p, depth - 1);
        return data_pair(p, a, random_type(p, depth - 1));
    }
    return data_ary(p, 1 + (long)rnd(5), random_type(p, depth - 1));
}

static int random_exp(struct prog *p, struct scope *s, int type, int depth);

static int random_ix(struct prog *p, const struct scope *s, long n)
{
    if (s->ni > 0 && rnd(3)) {
        int v = prog_ix_var(p, s->ivar[rnd((unsigned)s->ni)]);
        v = rnd(2) ? v : prog_ix(p, (struct ix){ IX_ADD, v, prog_ix_const(p, (long)rnd(3)), 0 });
        return prog_ix(p, (struct ix){ IX_MOD, v, 0, n });
    }
    return prog_ix_const(p, (long)rnd((unsigned)n));
}

static int leaf(struct prog *p, struct scope *s, int type)
{
    int at = s->n > 0 ? (int)rnd((unsigned)s->n) : 0;
    struct data d = p->data.a[type];
    int x;

    if (d.kind == DATA_NUM && rnd(4) == 0)
        return exp_lit(p, (double)rnd(5) - 1.5, 1);
    for (int i = 0; i < s->n; i++)
        if (p->var.a[s->var[(at + i) % s->n]].type == type)
            return exp_var(p, s->var[(at + i) % s->n]);
    for (int i = 0; i < s->n; i++) {
        int v = s->var[(at + i) % s->n];
        struct data t = p->data.a[p->var.a[v].type];
        if (t.kind == DATA_ARY && t.a == type)
            return exp_idx(p, exp_var(p, v), random_ix(p, s, t.n));
    }
    if (d.kind == DATA_NUM)
        return exp_lit(p, (double)rnd(5) - 1.5, 1);
    if (d.kind == DATA_PAIR) {
        x = leaf(p, s, d.a);
        return exp_pair(p, x, leaf(p, s, d.b));
    }
    x = prog_ivar(p, -1, d.n);
    s->ivar[s->ni++] = x;
    at = leaf(p, s, d.a);
    s->ni--;
    return exp_gen(p, rnd(2), x, at);
}

static int random_reduce(struct prog *p, struct scope *s, int type, int depth)
{
    int init = random_exp(p, s, type, depth - 1), x, acc, f, e = -1, n = s->n, ni = s->ni;
    bool array = rnd(2);

    if (array) {
        int elem = rnd(2) ? type : random_type(p, 1);
        e = random_exp(p, s, data_ary(p, 1 + (long)rnd(4), elem), depth - 1);
        x = prog_var(p, -1, elem);
        s->var[s->n++] = x;
    } else {
        x = prog_ivar(p, -1, 1 + (long)rnd(4));
        s->ivar[s->ni++] = x;
    }
    acc = prog_var(p, -1, type);
    s->var[s->n++] = acc;
    f = random_exp(p, s, type, depth - 1);
    s->n = n;
    s->ni = ni;
    return array ? exp_red(p, x, acc, f, init, e) : exp_fold(p, x, acc, f, init);
}

static int random_ite(struct prog *p, struct scope *s, int type, int depth)
{
    struct cond c = { (int)rnd(6), random_ix(p, s, 5), random_ix(p, s, 4) };
    int a = random_exp(p, s, type, depth - 1), b = random_exp(p, s, type, depth - 1);

    return exp_ite(p, &c, 1, a, b);
}

static int random_let(struct prog *p, struct scope *s, int type, int depth)
{
    int d = random_type(p, 2), e = random_exp(p, s, d, depth - 1), x = prog_var(p, -1, d);

    s->var[s->n++] = x;
    d = random_exp(p, s, type, depth - 1);
    s->n--;
    return exp_let(p, x, e, d);
}

static int random_loop(struct prog *p, struct scope *s, struct data d, int depth)
{
    int x, f, e = -1;
    bool map = rnd(2);

    if (map) {
        int elem = rnd(2) ? d.a : random_type(p, 2);
        e = random_exp(p, s, data_ary(p, d.n, elem), depth - 1);
        x = prog_var(p, -1, elem);
        s->var[s->n++] = x;
        f = random_exp(p, s, d.a, depth - 1);
        s->n--;
        return exp_map(p, rnd(2), x, f, e);
    }
    x = prog_ivar(p, -1, d.n);
    s->ivar[s->ni++] = x;
    f = random_exp(p, s, d.a, depth - 1);
    s->ni--;
    return exp_gen(p, rnd(2), x, f);
}

/* Array views, where the type allows one. */
static int random_view(struct prog *p, struct scope *s, int type, int depth)
{
    struct data d = p->data.a[type], in = p->data.a[d.a];
    int a;
    long k;

    switch (rnd(4)) {
    case 0:
        return exp_rev(p, random_exp(p, s, type, depth - 1));
    case 1:
        if (in.kind == DATA_PAIR) {
            a = random_exp(p, s, data_ary(p, d.n, in.a), depth - 1);
            return exp_zip(p, a, random_exp(p, s, data_ary(p, d.n, in.b), depth - 1));
        }
        break;
    case 2:
        if (in.kind == DATA_ARY) {
            if (rnd(2))
                return exp_split(p, in.n, random_exp(p, s, data_ary(p, d.n * in.n, in.a), depth - 1));
            return exp_tr(p, random_exp(p, s, data_ary(p, in.n, data_ary(p, d.n, in.a)), depth - 1));
        }
        break;
    default:
        for (k = 2; k <= d.n; k++)
            if (d.n % k == 0)
                return exp_join(p, random_exp(p, s, data_ary(p, d.n / k, data_ary(p, k, d.a)), depth - 1));
    }
    return random_loop(p, s, d, depth);
}

static int random_call(struct prog *p, struct scope *s, int depth)
{
    static const int fn[] = { FN_ADD, FN_SUB, FN_MUL, FN_MAX, FN_MIN, FN_NEG };
    int f = fn[rnd(6)], a = random_exp(p, s, data_num(p), depth - 1);

    return exp_call(p, f, a, f == FN_NEG ? -1 : random_exp(p, s, data_num(p), depth - 1));
}

static int random_exp(struct prog *p, struct scope *s, int type, int depth)
{
    struct data d = p->data.a[type];
    int a;

    if (depth <= 0 || s->n > 40)
        return leaf(p, s, type);
    switch (rnd(10)) {
    case 0: return random_let(p, s, type, depth);
    case 1: return random_ite(p, s, type, depth);
    case 2: case 3: return random_reduce(p, s, type, depth);
    case 4:
        a = random_type(p, 1);
        if (rnd(2))
            return exp_fst(p, random_exp(p, s, data_pair(p, type, a), depth - 1));
        return exp_snd(p, random_exp(p, s, data_pair(p, a, type), depth - 1));
    case 5: {
        long n = 1 + (long)rnd(3);
        return exp_idx(p, random_exp(p, s, data_ary(p, n, type), depth - 1), random_ix(p, s, n));
    }
    default: break;
    }
    if (d.kind == DATA_NUM)
        return random_call(p, s, depth);
    if (d.kind == DATA_PAIR) {
        a = random_exp(p, s, d.a, depth - 1);
        return exp_pair(p, a, random_exp(p, s, d.b, depth - 1));
    }
    return rnd(2) ? random_loop(p, s, d, depth) : random_view(p, s, type, depth);
}

static void build_random(struct prog *p)
{
    struct scope s = { .n = 0, .ni = 0 };
    int num = data_num(p), v = data_ary(p, 4, num);

    s.var[s.n++] = in_param(p, "A", v);
    s.var[s.n++] = in_param(p, "B", data_ary(p, 3, v));
    s.var[s.n++] = in_param(p, "C", data_ary(p, 2, data_pair(p, num, v)));
    s.var[s.n++] = in_param(p, "D", num);
    out_param(p, random_exp(p, &s, random_type(p, 3), 5));
}

static struct prog progs[PROGRAMS];

/* Emits program i as r<i>, taking an array of pointers. */
static bool emit_one(struct text *t, int i, unsigned *used)
{
    struct code c;
    struct minic m;
    char name[32];
    struct print_options o = { .name = name, .pragmas = true, .is_static = true, .always = true, .used = used };
    struct diag d;
    bool ok;

    diag_clear(&d);
    memset(&c, 0, sizeof c);
    memset(&m, 0, sizeof m);
    snprintf(name, sizeof name, "f%d", i);
    ok = trans_prog(&progs[i], &c, &d) == CALQUE_OK && codegen(&c, &m, &d) == CALQUE_OK;
    if (ok) {
        print_function(t, &m, &o);
        text_printf(t, "int r%d(void *const *t);\nint r%d(void *const *t)\n{\n    %sf%d(", i, i, m.heap ? "return " : "", i);
        for (int k = 0; k < progs[i].param.n; k++)
            text_printf(t, "%st[%d]", k ? ", " : "", k);
        text_printf(t, ");\n%s}\n\n", m.heap ? "" : "    return 0;\n");
    } else {
        fprintf(stderr, "program %d: %s\n", i, d.text);
    }
    minic_free(&m);
    code_free(&c);
    return ok;
}

static bool run_one(void *so, int i)
{
    static struct eval v;
    const struct prog *p = &progs[i];
    union { void *p; int (*f)(void *const *); } fn;
    void *arg[PARAMS];
    float *want;
    char name[32];
    bool same;
    int out = p->param.n - 1;
    size_t bytes = sizeof(float) * (size_t)data_size(p, p->var.a[p->param.a[out].var].type);

    v.p = p;
    for (int k = 0; k < p->param.n; k++) {
        long n = data_size(p, p->var.a[p->param.a[k].var].type);
        float *x = malloc(sizeof *x * (size_t)(n + 1));
        for (long j = 0; j < n; j++)
            x[j] = (float)((double)rnd(41) - 20) / 8;
        v.data[p->param.a[k].var] = x;
        arg[k] = x;
    }
    snprintf(name, sizeof name, "r%d", i);
    fn.p = dlsym(so, name);
    want = eval(&v, p->stmt.a[0].exp);
    same = fn.p && fn.f(arg) == 0 && memcmp(arg[out], want, bytes) == 0;
    free(want);
    for (int k = 0; k < p->param.n; k++)
        free(arg[k]);
    return same;
}

struct job {
    char so[64];
    int n;
};

static int run_all(void *arg)
{
    struct job *j = arg;
    void *so = dlopen(j->so, RTLD_NOW | RTLD_LOCAL);
    int wrong = so == NULL;

    for (int i = 0; so && i < j->n; i++)
        if (!run_one(so, i) && wrong++ < 3) {
            struct text q;
            text_init(&q, &mem);
            prog_print(&q, &progs[i]);
            fprintf(stderr, "program %d differs:\n%s\n", i, q.a);
            text_free(&q);
        }
    return wrong;
}

static void check(int n, const char *cc, const char *flags)
{
    struct job j = { .n = n };
    char dir[] = "/tmp/calque-prog-XXXXXX", path[64], cmd[512];
    struct text body, t;
    unsigned used = 0;
    struct diag d;

    CU_ASSERT_FATAL(mkdtemp(dir) != NULL);
    text_init(&body, &mem);
    text_init(&t, &mem);
    for (int i = 0; i < n; i++)
        CU_ASSERT_FATAL(emit_one(&body, i, &used));
    print_prelude(&t, used);
    text_put(&t, body.a, (size_t)body.n);
    snprintf(path, sizeof path, "%s/p.c", dir);
    CU_ASSERT_FATAL(file_write(path, t.a, (size_t)t.n, &d) == CALQUE_OK);
    snprintf(cmd, sizeof cmd, "cd %s && %s -std=c11 %s -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror -fPIC -shared "
             "-o p.so p.c -lm", dir, cc, flags);
    CU_ASSERT_FATAL(system(cmd) == 0);
    snprintf(j.so, sizeof j.so, "%s/p.so", dir);
    CU_ASSERT(batch_child(run_all, &j) == 0);
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    CU_ASSERT(system(cmd) == 0);
    text_free(&body);
    text_free(&t);
}

static void build_all(int n, void (*const *build)(struct prog *))
{
    for (int i = 0; i < n; i++) {
        prog_init(&progs[i], &mem, &strs, KERNEL_F32);
        if (build)
            build[i](&progs[i]);
        else
            build_random(&progs[i]);
        CU_ASSERT_FATAL(progs[i].status == CALQUE_OK && progs[i].var.n <= VARS);
    }
}

static void free_all(int n)
{
    for (int i = 0; i < n; i++)
        prog_free(&progs[i]);
}

static void test_literature(void)
{
    static void (*const build[])(struct prog *) = { build_dot, build_split_dot, build_reversed, build_row_sum,
                                                    build_acceptors, build_choice };

    build_all(6, build);
    check(6, "gcc", "-O2");
    if (system("command -v clang >/dev/null 2>&1") == 0)
        check(6, "clang", "-O2");
    free_all(6);
}

/* All constructors occur; the count shows it. */
static void test_random(void)
{
    int seen[EXP_LET + 1] = { 0 };

    build_all(PROGRAMS, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        for (int k = 0; k < progs[i].exp.n; k++)
            seen[progs[i].exp.a[k].kind]++;
    for (int k = 0; k <= EXP_LET; k++)
        if (seen[k] < 10) {
            fprintf(stderr, "constructor %d occurs %d times\n", k, seen[k]);
            CU_FAIL("constructors");
        }
    check(PROGRAMS, "gcc", "-O1");
    free_all(PROGRAMS);
}

static const struct unit_case cases[] = {
    { "literature", test_literature },
    { "random", test_random },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit_programs", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
