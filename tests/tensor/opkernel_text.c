/* Random applications of every operator, as requests of calque-oracle opkernel, and the kernels that gen_<Op> gives.
   usage: opkernel_text N SEED REQUESTS ANSWERS
   TYPE: what the kernel computes on.
   A request: (NAME TYPE ((DIM ..) ..) (DIM ..) ((LABEL VALUE) ..) (INDEX ..)): shapes of the inputs, of output 0,
   attributes after op_infer, the values of a Gather's indices; of N/2 more, with (sums lanes) behind these, all
   dimensions of one size are about as long as sums in lanes are; (fma) is behind those of every other turn of the operators.
   An answer: none, or ((TENSOR (DIM ..) VALUE) ..); the variables $0, $1, .. are counted from the innermost one. On standard output, for each operator: requests, among
   these without kernel, draws that op_infer refused. */
#include "apply.h"

#include "kernel/kernel.h"
#include "tensor/op_internal.h"

enum { TRIES = 60 };

struct sexp {
    struct text *t;
    const struct kernel *k;
    const struct kernel_stmt *s;
    int env[64], n; /* numbers of the variables in scope, outermost first */
};

static void put_ix(struct sexp *p, int id)
{
    static const char *const op[] = {"", "", "+", "-", "*", "//", "%"};
    struct ix x = p->k->ix.a[id];
    int at = 0;

    switch (x.kind) {
    case IX_VAR:
        while (at < p->n && p->env[p->n - 1 - at] != x.k)
            at++;
        text_printf(p->t, " $%d", at);
        return;
    case IX_CONST:
        text_printf(p->t, " %ld", x.k);
        return;
    default:
        break;
    }
    text_printf(p->t, " (%s", op[x.kind]);
    put_ix(p, x.a);
    if (x.kind == IX_ADD || x.kind == IX_SUB)
        put_ix(p, x.b);
    else
        text_printf(p->t, " %ld", x.k);
    text_puts(p->t, ")");
}

static void put_conds(struct sexp *p, const struct ex *e)
{
    static const char *const op[] = {"<", "<=", ">", ">=", "==", "!="};

    text_puts(p->t, " (sel (");
    for (int i = 0; i < e->n; i++) {
        struct cond c = p->k->cond.a[e->first + i];
        text_printf(p->t, i ? " (%s" : "(%s", op[c.op]);
        put_ix(p, c.a);
        put_ix(p, c.b);
        text_puts(p->t, ")");
    }
    text_puts(p->t, ")");
}

/* Binds the variables of a reduction, the first one innermost. */
static void put_binders(struct sexp *p, const struct ex *e)
{
    text_puts(p->t, e->op == RED_SUM ? " (sum (" : " (amax (");
    for (int i = 0; i < e->n; i++) {
        int v = p->k->pool.a[e->first + i];
        text_printf(p->t, i ? " %ld" : "%ld", p->k->var.a[p->s->var + v].extent);
    }
    for (int i = e->n - 1; i >= 0; i--)
        p->env[p->n++] = p->k->pool.a[e->first + i];
    text_puts(p->t, ")");
}

static void put_ex(struct sexp *p, int id)
{
    static const char *const fn[] = {
#define FN(name, text, arguments, c, meaning) text,
#include "kernel/fn.def"
#undef FN
    };
    const struct ex *e = &p->k->ex.a[id];
    int n = p->n;

    switch (e->kind) {
    case EX_CONST:
        text_puts(p->t, " ");
        if (p->k->type == KERNEL_F32 || p->k->type == KERNEL_F64)
            text_hex(p->t, e->num);
        else
            text_printf(p->t, "%ld", e->inum);
        return;
    case EX_LOAD:
        text_printf(p->t, " (%s", strs_text(p->k->strs, p->k->tensor.a[e->op].name));
        for (int i = 0; i < e->n; i++)
            put_ix(p, p->k->pool.a[e->first + i]);
        text_puts(p->t, ")");
        return;
    case EX_CALL:
        text_printf(p->t, " (%s", fn[e->op]);
        break;
    case EX_SELECT:
        put_conds(p, e);
        break;
    default:
        put_binders(p, e);
        break;
    }
    if (e->a >= 0)
        put_ex(p, e->a);
    if (e->b >= 0)
        put_ex(p, e->b);
    text_puts(p->t, ")");
    p->n = n;
}

static void put_kernel(struct text *t, const struct kernel *k)
{
    text_puts(t, "(");
    for (int i = 0; i < k->stmt.n; i++) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        const struct kernel_tensor *x = &k->tensor.a[s->out];
        struct sexp p = {.t = t, .k = k, .s = s};
        bool scalar = !*strs_text(k->strs, k->var.a[s->var].name);
        text_printf(t, "%s(%s (", i ? " " : "", strs_text(k->strs, x->name));
        for (int j = 0; j < x->rank && !scalar; j++)
            text_printf(t, j ? " %ld" : "%ld", x->dim[j]);
        for (int j = x->rank - 1; j >= 0 && !scalar; j--)
            p.env[p.n++] = j;
        text_puts(t, ")");
        put_ex(&p, s->body);
        text_puts(t, ")");
    }
    text_puts(t, ")\n");
}

static void put_request(struct text *t, const struct bench *b, int node, const struct kernel_numbers *numbers)
{
    const struct graph *g = &b->g;
    const struct node *n = &g->node.a[node];
    const struct tensor *index = n->op == OP_Gather ? graph_tensor(g, graph_in(g, node, 1)) : NULL;
    bool split = n->op == OP_Split;
    int dtype = node_computes(g, node);

    text_printf(t, "(%s %s (", op_info(n->op)->name, dtype_name(dtype));
    for (int k = 0; k < n->nin; k++) {
        text_puts(t, k ? " " : "");
        put_shape(t, &g->node.a[graph_in(g, node, k)].shape);
    }
    text_puts(t, ") ");
    put_shape(t, split ? &g->node.a[graph_in(g, node, 0)].shape : &n->shape);
    text_puts(t, " ");
    put_attrs(t, b, node);
    text_puts(t, " (");
    for (long i = 0; index && i < shape_elems(&index->shape); i++)
        text_printf(t, i ? " %ld" : "%ld", tensor_i64(index)[i]);
    text_printf(t, ")%s%s)\n", numbers->sums == SUMS_LANES ? " (sums lanes)" : "", numbers->fma ? " (fma)" : "");
}

/* The inputs' dimensions of one size get another. */
static void stretch(struct draw *r)
{
    static const long sizes[] = {31, 32, 33, 48, 63, 100};
    char in[DRAW_TEXT] = "";
    long from = pick(r, 1, 4), to = sizes[pick(r, 0, 5)];

    for (const char *s = r->in; *s;) {
        char *end;
        long n = *s >= '0' && *s <= '9' ? strtol(s, &end, 10) : -1;
        if (n < 0)
            put(in, "%c", *s++);
        else
            put(in, "%ld", n == from ? to : n);
        s = n < 0 ? s : end;
    }
    memcpy(r->in, in, sizeof in);
}

/* Is the application drawn from r accepted? Then its request and answer are appended. */
static bool application(struct draw *r, int op, const struct kernel_numbers *numbers, struct text *requests, struct text *answers, bool *none)
{
    struct bench b;
    struct kernel k;
    int node;
    bool ok;

    bench_init(&b);
    node = draw_node(r, &b, op);
    ok = node >= 0 && op_infer(&b.g, node, &b.d) == CALQUE_OK;
    if (ok) {
        enum calque_status s = op_kernel(&b.g, node, &k, &b.d);
        if (s == CALQUE_OK)
            s = kernel_choose(&k, numbers, &b.d);
        put_request(requests, &b, node, numbers);
        *none = s != CALQUE_OK;
        if (*none)
            text_puts(answers, s == CALQUE_BAD ? "none\n" : "error\n");
        else
            put_kernel(answers, &k);
        kernel_free(&k);
    }
    bench_free(&b);
    return ok;
}

int main(int argc, char **argv)
{
    struct mem mem = MEM_INIT;
    struct text requests, answers;
    struct { long made, none, refused; } count[OP_COUNT] = {{0}};
    struct draw r = {.type = 'f'};
    struct diag d;
    long n = argc == 5 ? strtol(argv[1], NULL, 10) : 0;
    int status = 0;

    if (n <= 0)
        return fputs("usage: opkernel_text N SEED REQUESTS ANSWERS\n", stderr), 2;
    r.seed = (unsigned)strtoul(argv[2], NULL, 10) * 2654435761u;
    text_init(&requests, &mem);
    text_init(&answers, &mem);
    for (long i = 0; i < n + n / 2; i++) {
        int op = 1 + (int)(i % (OP_COUNT - 1));
        bool made = false, none = false;
        struct kernel_numbers numbers = {.sums = i >= n ? SUMS_LANES : SUMS_SEQUENTIAL, .fma = i / (OP_COUNT - 1) % 2 == 1};
        for (int tries = 0; tries < TRIES && !made; tries++) {
            draw_operator(&r, op);
            if (i >= n && op != OP_Gather)
                stretch(&r);
            made = application(&r, op, &numbers, &requests, &answers, &none);
            count[op].refused += !made;
        }
        count[op].made += made;
        count[op].none += made && none;
    }
    if (text_status(&requests, &d) || text_status(&answers, &d) ||
        file_write(argv[3], requests.a, (size_t)requests.n, &d) || file_write(argv[4], answers.a, (size_t)answers.n, &d))
        status = 3;
    for (int op = 1; op < OP_COUNT; op++)
        printf("%s %ld %ld %ld\n", op_info(op)->name, count[op].made, count[op].none, count[op].refused);
    text_free(&requests);
    text_free(&answers);
    return status;
}
