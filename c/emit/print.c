/* Mini-C to C text. */
#include "emit/minic.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    PAR_WORK = 32768, /* scalar operations below which starting threads does not pay */
    SIMD_TRIP = 4,
    SHARE_TRIP = 64, /* iterations below which threads take them one by one: several short loops share the threads */
    UNROLL_TRIP = 16 /* rows of a tile: unrolled, the compiler keeps its accumulators in registers */
};

static const char *const suffix[] = { "f32", "f64", "i32", "i64" };

/* Those left in a loop, no range of its variable, are hidden from the compiler. */
static void put_conds(struct printer *q, int first, int len)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    for (int i = 0; i < len; i++) {
        const struct mcond *k = &q->m->cond.a[first + i];
        bool hide = q->loops > 0 && !q->m->plain;
        text_puts(q->t, i ? " && " : "");
        if (hide) {
            print_to_helper(q, "guard", "index");
            text_puts(q->t, "(");
        }
        print_lin(q, k->a);
        text_puts(q->t, hide ? ")" : "");
        text_printf(q->t, " %s ", op[k->op]);
        print_lin(q, k->b);
    }
}

static void put_real(struct text *t, double x, bool f32)
{
    const char *end = f32 ? "f" : "";

    x = f32 ? (double)(float)x : x;
    if (isnan(x))
        text_puts(t, f32 ? "NAN" : "(double)NAN");
    else if (isinf(x))
        text_printf(t, "%s%s", x < 0 ? "-" : "", f32 ? "INFINITY" : "(double)INFINITY");
    else if (x == floor(x) && fabs(x) < 1e6)
        text_printf(t, "%.1f%s", x, end);
    else
        text_printf(t, "%a%s", x, end);
}

void print_number(struct text *t, enum kernel_type type, double num, long inum)
{
    switch (type) {
    case KERNEL_F32: put_real(t, num, true); break;
    case KERNEL_F64: put_real(t, num, false); break;
    case KERNEL_I32:
        if (inum == INT_MIN)
            text_puts(t, "INT32_MIN");
        else
            text_printf(t, "%ld", inum);
        break;
    default:
        if (inum == LONG_MIN)
            text_puts(t, "INT64_MIN");
        else
            text_printf(t, "INT64_C(%ld)", inum);
    }
}

static void put_mx(struct printer *q, int id, int prec);

/* What a variable's cells are stored as. */
static int stored(const struct printer *q, int var)
{
    const struct prog *p = q->m->code->prog;
    int elem = var < p->param.n ? p->param.a[var].elem : ELEM_OWN;

    return elem == ELEM_OWN ? kernel_own(p->scalar) : elem;
}

/* The helper that cuts a float, and the casts that leave the low bits of an integer. */
static const char *const to_helper[] = { [ELEM_I32] = "to_i32", [ELEM_I64] = "to_i64", [ELEM_I8] = "to_i8", [ELEM_U8] = "to_u8" };
static const char *const low_bits[] = {
    [ELEM_I32] = "(int32_t)(uint32_t)", [ELEM_I64] = "(int64_t)", [ELEM_I8] = "(int8_t)(uint8_t)", [ELEM_U8] = "(uint8_t)",
};

/* Does every i8 and u8 have its value in the integers of type `to`? Then C converts it. */
static bool holds(int to, int from)
{
    return (from == ELEM_I8 || from == ELEM_U8) && (to == ELEM_I32 || to == ELEM_I64);
}

/* What goes before an expression to convert it (kernel_convert); a closing bracket goes behind it. Nothing where the types
   are the same; returns what goes behind. */
static const char *put_conversion(struct printer *q, int from, int to)
{
    bool real = from == ELEM_F32 || from == ELEM_F64;

    if (from == to)
        return "";
    if (to == ELEM_BOOL)
        print_to_helper(q, "bool", elem_name(from));
    else if (to == ELEM_F32 || to == ELEM_F64)
        text_printf(q->t, "(%s)", print_elem(to));
    else if (real)
        print_to_helper(q, to_helper[to], elem_name(from));
    else if (from != ELEM_BOOL && !holds(to, from))
        text_puts(q->t, low_bits[to]);
    text_puts(q->t, from == ELEM_BOOL ? "(0 != " : "(");
    return ")";
}

/* Does the value depend on an input on every path? Otherwise the compiler may come to know it: a branch of a condition, an
   accumulator that no iteration touched. */
static bool reads(const struct minic *m, int id)
{
    const struct mx *x = &m->mx.a[id];
    const struct prog *p = m->code->prog;

    switch (x->kind) {
    case MX_LOAD: return x->var < p->param.n && p->param.a[x->var].role == KERNEL_IN;
    case MX_CALL:
        if (x->op == FN_MAX || x->op == FN_MIN || x->op == FN_ORELSE)
            return reads(m, x->a) && reads(m, x->b);
        if (x->op >= FN_LESS && x->op != FN_EXACT)
            return false; /* 0 or 1, or 0 on one path */
        return reads(m, x->a) || (x->b >= 0 && reads(m, x->b));
    case MX_COND: return reads(m, x->a) && reads(m, x->b);
    default: return false;
    }
}

static void put_argument(struct printer *q, int id, bool libm)
{
    bool hide = libm && !q->m->listing && !reads(q->m, id);

    if (hide) {
        print_to_helper(q, "hide", suffix[q->m->code->prog->scalar]);
        text_puts(q->t, "(");
    }
    put_mx(q, id, 0);
    if (hide)
        text_puts(q->t, ")");
}

/* Function call syntax: a helper, the libm function of the element type, or Calque's own in its place. */
static void put_function(struct printer *q, const struct mx *x, const char *helper)
{
    enum kernel_type type = q->m->code->prog->scalar;
    const struct fn_info *f = fn_info(x->op);
    int n = (int)strcspn(f->c, "(");
    bool calques = q->m->code->prog->math == MATH_CALQUE && (fn_is_own(x->op) || x->op == FN_ABS);
    bool own = !helper && (calques || x->op == FN_ROUND);
    unsigned long bit = 1ul << (2 * x->op + (type == KERNEL_F64));

    if (helper) {
        print_to_helper(q, helper, suffix[type]);
    } else if (own) {
        q->own |= bit;
        text_printf(q->t, "calque_%s_%s", f->text, suffix[type]);
    } else {
        q->libm |= bit;
        text_printf(q->t, "%.*s", type == KERNEL_F64 ? n - 1 : n, f->c); /* powf -> pow */
    }
    text_puts(q->t, "(");
    put_argument(q, x->a, !helper && !own);
    if (f->args == 2) {
        text_puts(q->t, ", ");
        put_argument(q, x->b, !helper && !own);
    }
    text_puts(q->t, ")");
}

bool minic_is_exact(const struct minic *m, int id)
{
    const struct mx *x = &m->mx.a[id];

    return x->kind == MX_COND ? minic_is_exact(m, x->a) || minic_is_exact(m, x->b) : x->kind == MX_CALL && x->op == FN_EXACT;
}

/* acc + e where e is a product that is not rounded, or a choice with such: fma(a, b, acc), inside the choice. */
static void put_fused(struct printer *q, int acc, int e)
{
    enum kernel_type type = q->m->code->prog->scalar;
    const struct mx *x = &q->m->mx.a[e];

    if (x->kind == MX_COND) {
        text_puts(q->t, "(");
        put_conds(q, x->first, x->len);
        text_puts(q->t, " ? ");
        put_fused(q, acc, x->a);
        text_puts(q->t, " : ");
        put_fused(q, acc, x->b);
        text_puts(q->t, ")");
    } else if (minic_is_exact(q->m, e)) {
        q->libm |= 1ul << (2 * FN_EXACT + (type == KERNEL_F64));
        text_puts(q->t, type == KERNEL_F64 ? "fma(" : "fmaf(");
        put_mx(q, x->a, 0);
        text_puts(q->t, ", ");
        put_mx(q, x->b, 0);
        text_puts(q->t, ", ");
        put_mx(q, acc, 0);
        text_puts(q->t, ")");
    } else {
        put_mx(q, acc, 1);
        text_puts(q->t, " + ");
        put_mx(q, e, 2);
    }
}

static void put_call(struct printer *q, const struct mx *x, int prec)
{
    static const char *const helper[] = {
        [FN_ADD] = "add", [FN_SUB] = "sub", [FN_MUL] = "mul", [FN_DIV] = "div", [FN_MOD] = "mod",
        [FN_MAX] = "max", [FN_MIN] = "min", [FN_NEG] = "neg", [FN_ABS] = "abs", [FN_LESS] = "less",
        [FN_EQUAL] = "equal", [FN_WHEN] = "when", [FN_ORELSE] = "orelse", [FN_EXACT] = "exact", [FN_COUNT] = NULL,
    };
    enum kernel_type type = q->m->code->prog->scalar;
    bool ints = type == KERNEL_I32 || type == KERNEL_I64;
    int own = x->op == FN_ADD || x->op == FN_SUB ? 1 : x->op == FN_NEG ? 3 : 2;

    if (x->op == FN_ADD && minic_is_exact(q->m, x->b)) {
        put_fused(q, x->a, x->b);
    } else if (ints || x->op == FN_MAX || x->op == FN_MIN || x->op >= FN_LESS) {
        put_function(q, x, helper[x->op]);
    } else if (x->op == FN_NEG || x->op <= FN_DIV) {
        text_puts(q->t, own < prec ? "(" : "");
        if (x->op == FN_NEG) {
            text_puts(q->t, "-");
            put_mx(q, x->a, 4);
        } else {
            put_mx(q, x->a, own);
            text_printf(q->t, " %s ", fn_info(x->op)->text);
            put_mx(q, x->b, own + 1);
        }
        text_puts(q->t, own < prec ? ")" : "");
    } else {
        put_function(q, x, NULL);
    }
}

/* prec: 0 anything, 1 sums, 2 products, 3 unary, 4 primary. Left-associative, so the order of operations is the tree's. */
static void put_mx(struct printer *q, int id, int prec)
{
    const struct mx *x = &q->m->mx.a[id];
    bool minus = x->kind == MX_LIT && (signbit(x->num) || x->inum < 0);
    const char *end;

    switch (x->kind) {
    case MX_LIT:
        text_puts(q->t, minus && prec > 1 ? "(" : "");
        if (!isfinite(x->num))
            q->libm |= PRINT_MATH;
        print_number(q->t, q->m->code->prog->scalar, x->num, x->inum);
        text_puts(q->t, minus && prec > 1 ? ")" : "");
        break;
    case MX_VAR:
        print_var(q, x->var);
        break;
    case MX_LOAD:
        end = put_conversion(q, stored(q, x->var), kernel_own(q->m->code->prog->scalar));
        print_var(q, x->var);
        print_place(q, x->lin);
        text_puts(q->t, end);
        break;
    case MX_COND:
        text_puts(q->t, "(");
        put_conds(q, x->first, x->len);
        text_puts(q->t, " ? ");
        put_mx(q, x->a, 0);
        text_puts(q->t, " : ");
        put_mx(q, x->b, 0);
        text_puts(q->t, ")");
        break;
    default:
        put_call(q, x, prec);
    }
}

static void indent(const struct printer *q, int n)
{
    text_printf(q->t, "%*s", 4 * n, "");
}

static void put_stmt(struct printer *q, int id, int at);

/* One end of a loop's range: the best of the candidates and the plain one. Candidates that are numbers are compared here. */
static void put_bound(struct printer *q, const struct ms *x, bool low)
{
    int n = low ? x->nlo : x->nhi, from = low ? x->first : x->first + x->nlo;
    long best = low ? x->from : x->n;

    for (int i = 0; i < n; i++) {
        const struct lin *k = q->m->plain ? NULL : &q->m->lins.lin.a[q->m->pool.a[from + i]];
        if (k && k->n == 0) {
            best = (low ? k->k > best : k->k < best) ? k->k : best;
            continue;
        }
        print_to_helper(q, low ? "max" : "min", "index");
        text_puts(q->t, "(");
    }
    print_size(q->t, q->m->code->prog, best);
    for (int i = 0; i < n; i++) {
        if (!q->m->plain && q->m->lins.lin.a[q->m->pool.a[from + i]].n == 0)
            continue;
        text_puts(q->t, ", ");
        print_lin(q, q->m->pool.a[from + i]);
        text_puts(q->t, ")");
    }
}

static bool is_rectangular(const struct ms *x)
{
    return x->kind == MS_FOR && x->par && x->nlo + x->nhi == 0;
}

/* A loop for vector instructions stays by itself within a nest of parallel ones. */
static bool is_vector(const struct ms *x)
{
    return x->simd && x->n - x->from >= SIMD_TRIP;
}

static bool is_tile(const struct minic *m, const struct ms *x)
{
    const struct ms *in = &m->ms.a[x->a];

    return !x->par && x->n - x->from <= UNROLL_TRIP && x->nlo + x->nhi == 0 && in->kind == MS_FOR && in->nlo + in->nhi == 0 &&
           is_vector(in);
}

/* omp WHAT, of the loop and those it can be collapsed with. */
static void put_shared(struct printer *q, const struct ms *x, const char *what, int at)
{
    double trips = (double)(x->n - x->from);
    int depth = 1;

    for (const struct ms *in = &q->m->ms.a[x->a]; is_rectangular(in) && !is_vector(in); in = &q->m->ms.a[in->a]) {
        trips *= (double)(in->n - in->from);
        depth++;
    }
    indent(q, at);
    text_printf(q->t, "#pragma omp %s%s", what, is_vector(x) ? " simd" : "");
    if (depth > 1)
        text_printf(q->t, " collapse(%d)", depth);
    if (q->parts)
        text_puts(q->t, trips < SHARE_TRIP ? " schedule(dynamic) nowait" : " nowait");
    text_puts(q->t, "\n");
}

static bool put_pragma(struct printer *q, const struct ms *x, int at)
{
    if (!q->o->pragmas)
        return false;
    if (q->m->listing) {
        if (x->par)
            text_printf(q->t, "%*s#pragma omp parallel for\n", 4 * at, "");
        return false;
    }
    if (is_rectangular(x) && (q->parts || (!q->parallel && (q->o->always || x->work >= PAR_WORK)))) {
        put_shared(q, x, q->parts ? "for" : "parallel for", at);
        return true;
    }
    if (is_vector(x) || is_tile(q->m, x)) {
        indent(q, at);
        if (is_vector(x))
            text_puts(q->t, "#pragma omp simd\n");
        else
            text_printf(q->t, "#pragma GCC unroll %ld\n", x->n - x->from);
    }
    return false;
}

static void put_for(struct printer *q, const struct ms *x, int at)
{
    bool outer = put_pragma(q, x, at), was = q->parallel, parts = q->parts;

    indent(q, at);
    text_puts(q->t, "for (long ");
    print_var(q, x->var);
    text_puts(q->t, " = ");
    put_bound(q, x, true);
    text_puts(q->t, "; ");
    print_var(q, x->var);
    text_puts(q->t, " < ");
    put_bound(q, x, false);
    text_puts(q->t, "; ");
    print_var(q, x->var);
    text_puts(q->t, "++) {\n");
    q->parallel = was || outer;
    q->parts = false;
    q->loops++;
    put_stmt(q, x->a, at + 1);
    q->loops--;
    q->parallel = was;
    q->parts = parts;
    indent(q, at);
    text_puts(q->t, "}\n");
}

/* A temporary that is never read (an unused let) is named once, so that compilers do not warn of it. */
static void put_unread(struct printer *q, int var, int at)
{
    for (int i = 0; i < q->m->mx.n; i++)
        if ((q->m->mx.a[i].kind == MX_LOAD || q->m->mx.a[i].kind == MX_VAR) && q->m->mx.a[i].var == var)
            return;
    indent(q, at);
    text_puts(q->t, "(void)");
    print_var(q, var);
    text_puts(q->t, ";\n");
}

static void put_array(struct printer *q, const struct ms *x, int at)
{
    const char *type = print_type(q->m->code->prog->scalar);

    indent(q, at);
    if (q->m->listing) {
        print_declaration(q, x->var);
        text_puts(q->t, ";\n");
        put_stmt(q, x->a, at);
        return;
    }
    if (!x->heap) {
        text_printf(q->t, "%s ", type);
        print_var(q, x->var);
        text_printf(q->t, "[%ld];\n", x->n);
        put_unread(q, x->var, at);
        put_stmt(q, x->a, at);
        return;
    }
    text_printf(q->t, "%s *restrict ", type);
    print_var(q, x->var);
    if (q->o->scratch) { /* in the last parameter; none shares a place, as nothing runs at the same time */
        size_t bytes = kernel_type_size(q->m->code->prog->scalar) * (size_t)x->n;
        text_printf(q->t, " = (%s *)(void *)(calque_scratch + %zu);\n", type, *q->o->scratch);
        *q->o->scratch += (bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
        put_unread(q, x->var, at);
        put_stmt(q, x->a, at);
        return;
    }
    text_printf(q->t, " = malloc(sizeof(%s) * ", type);
    text_puts(q->t, x->n < 0 ? "(size_t)(" : "");
    print_size(q->t, q->m->code->prog, x->n);
    text_puts(q->t, x->n < 0 ? " + 1));\n" : ");\n");
    indent(q, at);
    text_puts(q->t, "if (");
    print_var(q, x->var);
    text_puts(q->t, " == NULL) {\n");
    if (q->o->pragmas)
        text_printf(q->t, "%*s#pragma omp atomic write\n", 4 * at + 4, "");
    text_printf(q->t, "%*sfailed = 1;\n%*s} else {\n", 4 * at + 4, "", 4 * at, "");
    put_stmt(q, x->a, at + 1);
    text_printf(q->t, "%*sfree(", 4 * at + 4, "");
    print_var(q, x->var);
    text_printf(q->t, ");\n%*s}\n", 4 * at, "");
}

static void put_if(struct printer *q, const struct ms *x, int at)
{
    const struct ms *then = &q->m->ms.a[x->a];
    bool not = then->kind == MS_BLOCK && then->len == 0;

    indent(q, at);
    text_puts(q->t, not ? "if (!(" : "if (");
    put_conds(q, x->first, x->len);
    text_puts(q->t, not ? ")) {\n" : ") {\n");
    if (!not || x->b >= 0)
        put_stmt(q, not ? x->b : x->a, at + 1);
    if (!not && x->b >= 0) {
        text_printf(q->t, "%*s} else {\n", 4 * at, "");
        put_stmt(q, x->b, at + 1);
    }
    indent(q, at);
    text_puts(q->t, "}\n");
}

/* A statement of a parallel region: its loop is shared out, what is none is for one thread. */
static void put_part(struct printer *q, int id, int at)
{
    const struct ms *x = &q->m->ms.a[id];

    if (is_rectangular(x)) {
        put_for(q, x, at);
        return;
    }
    indent(q, at);
    text_puts(q->t, "#pragma omp single nowait\n");
    indent(q, at);
    text_puts(q->t, "{\n");
    q->parts = false;
    put_stmt(q, id, at + 1);
    q->parts = true;
    indent(q, at);
    text_puts(q->t, "}\n");
}

static void put_items(struct printer *q, const struct ms *x, int at)
{
    for (int i = 0; i < x->len; i++) {
        int id = q->m->pool.a[x->first + i];
        const struct ms *s = &q->m->ms.a[id];
        if (q->parts && !(s->kind == MS_BLOCK && s->par))
            put_part(q, id, at);
        else
            put_stmt(q, id, at);
    }
}

/* The parts of a parallel loop: one parallel region, the threads go from loop to loop without waiting. */
static void put_block(struct printer *q, const struct ms *x, int at)
{
    bool region = x->par && x->len > 1 && q->o->pragmas && !q->parallel && x->work >= PAR_WORK;

    if (!region) {
        put_items(q, x, at);
        return;
    }
    indent(q, at);
    text_puts(q->t, "#pragma omp parallel\n");
    indent(q, at);
    text_puts(q->t, "{\n");
    q->parallel = q->parts = true;
    put_items(q, x, at + 1);
    q->parallel = q->parts = false;
    indent(q, at);
    text_puts(q->t, "}\n");
}

static void put_set(struct printer *q, const struct ms *x, int at)
{
    indent(q, at);
    if (x->kind == MS_DECL)
        text_printf(q->t, "%s ", print_type(q->m->code->prog->scalar));
    print_var(q, x->var);
    if (x->lin >= 0)
        print_place(q, x->lin);
    if (x->a >= 0) {
        const char *end;
        text_puts(q->t, " = ");
        end = x->lin < 0 ? "" : put_conversion(q, kernel_own(q->m->code->prog->scalar), stored(q, x->var));
        put_mx(q, x->a, 0);
        text_puts(q->t, end);
    }
    text_puts(q->t, ";\n");
    if (x->kind == MS_DECL)
        put_unread(q, x->var, at);
}

static void put_stmt(struct printer *q, int id, int at)
{
    const struct ms *x = &q->m->ms.a[id];

    if (x->scope)
        text_printf(q->t, "%*s{\n", 4 * at, "");
    at += x->scope;
    switch (x->kind) {
    case MS_BLOCK: put_block(q, x, at); break;
    case MS_ARRAY: put_array(q, x, at); break;
    case MS_FOR: put_for(q, x, at); break;
    case MS_IF: put_if(q, x, at); break;
    default: put_set(q, x, at); break;
    }
    if (x->scope)
        text_printf(q->t, "%*s}\n", 4 * at - 4, "");
}

/* Without the closing bracket. */
static void put_params(struct text *t, const struct minic *m)
{
    const struct prog *p = m->code->prog;

    text_puts(t, "(");
    for (int i = 0; i < p->size_name.n; i++) {
        text_puts(t, i ? ", long " : "long ");
        print_size_var(t, p, i);
    }
    for (int i = 0; i < p->param.n; i++) {
        text_puts(t, i || p->size_name.n ? ", " : "");
        int elem = p->param.a[i].elem;
        text_printf(t, "%s%s *restrict ", p->param.a[i].role == KERNEL_IN ? "const " : "",
                    print_elem(elem == ELEM_OWN ? kernel_own(p->scalar) : elem));
        print_param(t, p, i);
    }
}

void print_params(struct text *t, const struct minic *m)
{
    put_params(t, m);
    text_puts(t, m->code->prog->param.n || m->code->prog->size_name.n ? ")" : "void)");
}

/* Parameters that the body does not name. */
static void put_unused(struct text *t, const struct minic *m)
{
    const struct prog *p = m->code->prog;
    bool *used = mem_zero(p->mem, (size_t)p->param.n + 1, sizeof *used);

    t->failed |= !used;
    for (int i = 0; used && i < m->mx.n; i++)
        if (m->mx.a[i].kind == MX_LOAD && m->mx.a[i].var >= 0 && m->mx.a[i].var < p->param.n)
            used[m->mx.a[i].var] = true;
    for (int i = 0; used && i < m->ms.n; i++)
        if (m->ms.a[i].kind == MS_SET && m->ms.a[i].var >= 0 && m->ms.a[i].var < p->param.n)
            used[m->ms.a[i].var] = true;
    for (int i = 0; used && i < p->param.n; i++)
        if (!used[i]) {
            text_puts(t, "    (void)");
            print_param(t, p, i);
            text_puts(t, ";\n");
        }
    mem_free(used);
}

void print_function(struct text *t, const struct minic *m, const struct print_options *o)
{
    struct printer q = { .t = t, .m = m, .o = o };
    const struct prog *p = m->code->prog;

    bool fails = m->heap && !o->scratch;

    text_printf(t, "%s%s %s", o->is_static ? "static " : "", fails ? "int" : "void", o->name);
    if (m->heap && !fails) {
        put_params(t, m);
        text_puts(t, ", unsigned char *restrict calque_scratch)");
    } else {
        print_params(t, m);
    }
    text_puts(t, "\n{\n");
    if (fails)
        text_puts(t, "    int failed = 0;\n");
    for (int i = 0; i < p->size_name.n; i++) { /* a size may be in types only */
        text_puts(t, "    (void)");
        print_size_var(t, p, i);
        text_puts(t, ";\n");
    }
    put_unused(t, m);
    put_stmt(&q, m->main, 1);
    text_puts(t, fails ? "    return failed;\n}\n" : "}\n");
    *o->used |= q.used;
    if (o->libm)
        *o->libm |= q.libm;
    if (o->own)
        *o->own |= q.own;
}

void print_listing(struct text *t, const struct minic *m, unsigned long *used)
{
    struct print_options o = { .pragmas = true, .used = used };
    struct printer q = { .t = t, .m = m, .o = &o };

    put_stmt(&q, m->main, 0);
    *used |= q.used;
}
