/* The contract of a look-up that is a Gather: Y[outer][count][inner] is X[outer][size][inner] at the indices I[count]. */
#include "emit/minic.h"
#include "emit/module.h"
#include "kernel/lookup.h"

/* Is the index the variable? */
static bool is_var(const struct kernel *k, const struct ex *load, int i, int var)
{
    const struct ix *x = &k->ix.a[k->pool.a[load->first + i]];

    return x->kind == IX_VAR && x->k == var;
}

struct sizes {
    long outer, count, size, inner;
};

static bool is_gather(const struct kernel *k, const struct kernel_stmt *s, struct sizes *z)
{
    struct lookup l = lookup_of(k, s);
    const struct kernel_tensor *y = &k->tensor.a[s->out], *x = &k->tensor.a[l.from->op], *at = &k->tensor.a[l.at->op];
    int r = l.at->n;

    *z = (struct sizes){ 1, 1, l.size, 1 };
    for (int i = 0; i < r; i++) {
        if (!is_var(k, l.at, i, l.axis + i) || at->dim[i] != y->dim[l.axis + i])
            return false;
        z->count *= at->dim[i];
    }
    for (int i = 0; i < x->rank; i++) {
        int v = i < l.axis ? i : i - 1 + r;
        if (i == l.axis)
            continue;
        if (!is_var(k, l.from, i, v) || x->dim[i] != y->dim[v])
            return false;
        *(i < l.axis ? &z->outer : &z->inner) *= x->dim[i];
    }
    return y->rank == x->rank - 1 + r || (y->rank == 1 && y->dim[0] == 1);
}

/* A template: T cells of Y, F of X, N indices of -D .. D - 1, R cells of Y for all indices, B for one, S equal cells, W and V the
   cell of X that cell o or p of Y is. Depth two. */
static void put(struct text *t, const struct sizes *z, const char *same, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case 'T': text_printf(t, "%ld", z->outer * z->count * z->inner); break;
        case 'F': text_printf(t, "%ld", z->outer * z->size * z->inner); break;
        case 'N': text_printf(t, "%ld", z->count); break;
        case 'D': text_printf(t, "%ld", z->size); break;
        case 'B': text_printf(t, "%ld", z->inner); break;
        case 'R': text_printf(t, "%ld", z->count * z->inner); break;
        case 'S': text_puts(t, same); break;
        case 'W':
        case 'V':
            put(t, z, same, *s == 'W' ? "X[(o / R * D + (I[o / B % N] < 0 ? I[o / B % N] + D : I[o / B % N])) * B + o % B]"
                                      : "X[(p / R * D + (I[p / B % N] < 0 ? I[p / B % N] + D : I[p / B % N])) * B + p % B]");
            break;
        default: text_put(t, s, 1); break;
        }
}

static const char contract_text[] =
    "/*@\n"
    "    requires valid: \\valid(Y + (0 .. T - 1));\n"
    "    requires valid: \\valid_read(X + (0 .. F - 1));\n"
    "    requires valid: \\valid_read(I + (0 .. N - 1));\n"
    "    requires separated: \\separated(Y + (0 .. T - 1), X + (0 .. F - 1));\n"
    "    requires separated: \\separated(Y + (0 .. T - 1), I + (0 .. N - 1));\n"
    "    terminates \\true; exits \\false;\n"
    "    assigns Y[0 .. T - 1];\n"
    "    ensures range: \\result == 0 <==> (\\forall integer n; 0 <= n < N ==> -D <= I[n] < D);\n"
    "    ensures result: \\result == 0 || \\result == 1;\n"
    "    ensures value: \\forall integer o; 0 <= o < T ==> \\result == 0 ==>\n"
    "        S(Y[o], W);\n"
    "    ensures unchanged: \\forall integer o; 0 <= o < T ==> \\result != 0 ==> S(Y[o], \\old(Y[o]));\n"
    "*/\n";

static const char code_text[] =
    "\n{\n"
    "    /*@ loop invariant bounds: 0 <= n <= N;\n"
    "        loop invariant range: \\forall integer m; 0 <= m < n ==> -D <= I[m] < D;\n"
    "        loop assigns n;\n"
    "        loop variant N - n; */\n"
    "    for (long n = 0; n < N; n++)\n"
    "        if (I[n] < -D || I[n] >= D)\n"
    "            return 1;\n"
    "    /*@ loop invariant bounds: 0 <= o <= T;\n"
    "        loop invariant value: \\forall integer p; 0 <= p < o ==> S(Y[p], V);\n"
    "        loop assigns o, Y[0 .. T - 1];\n"
    "        loop variant T - o; */\n"
    "    for (long o = 0; o < T; o++) {\n"
    "        const long from = (long)I[o / B % N], at = from < 0 ? from + D : from;\n"
    "        Y[o] = X[(o / R * D + at) * B + o % B];\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

enum calque_status lookup_acsl(struct unit *u, const struct kernel *k, const struct kernel_stmt *s, struct function *f,
                               struct diag *d)
{
    static const int type[] = { [ELEM_F32] = KERNEL_F32, [ELEM_F64] = KERNEL_F64, [ELEM_I32] = KERNEL_I32, [ELEM_I64] = KERNEL_I64 };
    struct acsl_text a = { .used.any = false };
    int elem = kernel_stored(k, s->out);
    struct sizes z;
    char same[16] = "same_";

    if (elem == ELEM_BOOL || kernel_elems(k, s->out) == 0 || !is_gather(k, s, &z))
        return diag_set(d, CALQUE_BAD, "", s->line, s->col,
                        "emit --acsl: no contract for a look-up of bool, of nothing, or that is no Gather along a dimension");
    for (int i = 0; elem_name(elem)[i]; i++) {
        same[5 + i] = elem_name(elem)[i];
        same[6 + i] = '\0';
    }
    put(&u->text, &z, same, contract_text);
    text_puts(&u->text, "int $");
    lookup_params(&u->text, k, s);
    put(&u->text, &z, same, code_text);
    f->len = u->text.n - f->start;
    f->head = u->text.n;
    text_puts(&u->text, "int $");
    lookup_params(&u->text, k, s);
    f->nhead = u->text.n - f->head;
    acsl_use(&u->acsl[type[elem]], &a);
    return CALQUE_OK;
}
