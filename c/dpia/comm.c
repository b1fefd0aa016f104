/* Commands: their construction, and as text (acceptors a{i}, views v[i], one command per line). Invariant: children have smaller
   ids; an open block collects its commands and closes to one. The first failure stays in the code: callers look once. */
#include <string.h>

#include "dpia/comm.h"
#include "dpia/exp.h"

void code_init(struct code *c, const struct prog *p)
{
    memset(c, 0, sizeof *c);
    c->mem = p->mem;
    c->prog = p;
    c->main = -1;
}

void code_free(struct code *c)
{
    mem_free(c->level.a);
    mem_free(c->ix.a);
    mem_free(c->cond.a);
    mem_free(c->vexp.a);
    mem_free(c->vacc.a);
    mem_free(c->comm.a);
    ints_free(&c->pool);
    ints_free(&c->stack);
    memset(c, 0, sizeof *c);
}

static int fail(struct code *c, enum calque_status st)
{
    if (c->status == CALQUE_OK)
        c->status = st;
    return -1;
}

#define ADD(array, x)                                                                        \
    do {                                                                                     \
        if (!vec_room(c->mem, &c->array, 1))                                                 \
            return fail(c, CALQUE_NOMEM);                                                    \
        c->array.a[c->array.n] = (x);                                                        \
        return c->array.n++;                                                                 \
    } while (0)

int code_level(struct code *c, struct level l)
{
    ADD(level, l);
}

int code_ix(struct code *c, struct ix x)
{
    ADD(ix, x);
}

int code_vexp(struct code *c, struct vexp v)
{
    bool leaf = v.kind == VEXP_ROOT || v.kind == VEXP_LIT;

    if ((!leaf && v.a < 0) || c->status != CALQUE_OK)
        return fail(c, CALQUE_INTERNAL);
    ADD(vexp, v);
}

int code_vacc(struct code *c, struct vacc a)
{
    if (a.a < 0 || c->status != CALQUE_OK)
        return fail(c, CALQUE_INTERNAL);
    ADD(vacc, a);
}

int code_comm(struct code *c, struct comm x)
{
    if (c->status != CALQUE_OK)
        return -1;
    ADD(comm, x);
}

int block_open(struct code *c)
{
    return c->stack.n;
}

void block_emit(struct code *c, int comm)
{
    if (comm >= 0 && !ints_push(c->mem, &c->stack, comm))
        fail(c, CALQUE_NOMEM);
}

bool block_empty(const struct code *c, int mark)
{
    return c->stack.n == mark;
}

/* One command from stack[from..]: the command itself, SKIP, or SEQ. */
static int sequence(struct code *c, int from)
{
    struct comm x = { .kind = COMM_SKIP, .a = -1, .b = -1, .level = -1 };
    int n = c->stack.n - from;

    if (n == 1)
        return c->stack.a[from];
    if (n > 1) {
        x.kind = COMM_SEQ;
        x.first = c->pool.n;
        x.len = n;
        for (int i = 0; i < n; i++)
            if (!ints_push(c->mem, &c->pool, c->stack.a[from + i]))
                return fail(c, CALQUE_NOMEM);
    }
    return code_comm(c, x);
}

/* NEW r d (rest of the block): closed from the innermost outwards. The NEW keeps its id below its body's, so its body is
   moved to a fresh, larger id: the invariant children < parent holds for the copy. */
int block_close(struct code *c, int mark)
{
    for (int i = c->stack.n - 1; i >= mark && c->status == CALQUE_OK; i--) {
        int id = c->stack.a[i];
        struct comm x = c->comm.a[id];
        if (x.kind != COMM_NEW || x.a >= 0)
            continue;
        x.a = sequence(c, i + 1);
        c->stack.n = i;
        block_emit(c, code_comm(c, x));
    }
    if (c->status != CALQUE_OK) {
        c->stack.n = mark;
        return -1;
    }
    int all = sequence(c, mark);
    c->stack.n = mark;
    return all;
}

/* ---- as text ---- */

struct printer {
    struct text *t;
    const struct code *c;
    const int *number; /* level -> number printed, or NULL: itself */
    struct show show;
};

static void put_level(const struct printer *q, int l)
{
    const struct level *v = &q->c->level.a[l];
    const struct prog *p = q->c->prog;

    if (l < p->param.n)
        text_puts(q->t, strs_text(p->strs, p->param.a[l].name));
    else
        text_printf(q->t, "%s%d", v->type < 0 ? "i" : "v", q->number ? q->number[l] : l);
}

static void put_index_var(const struct show *s, int level)
{
    put_level(s->arg, level);
}

static void put_vexp(const struct printer *q, int id, int depth);

static void put_scalar(const struct printer *q, const struct vexp *v, int depth)
{
    if (v->kind == VEXP_LIT) {
        show_lit(&q->show, v->num, v->inum);
        return;
    }
    const struct fn_info *f = fn_info(v->op);
    bool infix = show_infix(v->op);
    if (!infix)
        text_puts(q->t, f->text);
    text_puts(q->t, "(");
    put_vexp(q, v->a, depth);
    if (f->args == 2) {
        text_printf(q->t, infix ? " %s " : ", ", f->text);
        put_vexp(q, v->b, depth);
    }
    text_puts(q->t, ")");
}

static void put_vexp(const struct printer *q, int id, int depth)
{
    static const char *const name[] = { "", "", "", "zip", "split", "join", "", "pair", "fst", "snd", "reverse",
                                        "transpose", "" };
    const struct vexp *v = &q->c->vexp.a[id];

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
        return;
    }
    depth++;
    switch (v->kind) {
    case VEXP_ROOT:
        put_level(q, v->a);
        break;
    case VEXP_LIT: case VEXP_CALL:
        put_scalar(q, v, depth);
        break;
    case VEXP_IDX:
        put_vexp(q, v->a, depth);
        text_puts(q->t, "[");
        show_ix(&q->show, v->b);
        text_puts(q->t, "]");
        break;
    case VEXP_ITE:
        text_puts(q->t, "(if ");
        show_conds(&q->show, v->first, v->len);
        text_puts(q->t, " then ");
        put_vexp(q, v->a, depth);
        text_puts(q->t, " else ");
        put_vexp(q, v->b, depth);
        text_puts(q->t, ")");
        break;
    default:
        text_printf(q->t, "(%s ", name[v->kind]);
        if (v->kind == VEXP_SPLIT || v->kind == VEXP_JOIN) {
            text_puts(q->t, size_is_atom(q->c->prog, v->n) ? "" : "(");
            size_print(q->t, q->c->prog, v->n, NULL);
            text_puts(q->t, size_is_atom(q->c->prog, v->n) ? " " : ") ");
        }
        put_vexp(q, v->a, depth);
        if (v->kind == VEXP_ZIP || v->kind == VEXP_PAIR) {
            text_puts(q->t, " ");
            put_vexp(q, v->b, depth);
        }
        text_puts(q->t, ")");
    }
}

static void put_vacc(const struct printer *q, int id, int depth)
{
    static const char *const name[] = { "", "zipAcc1", "zipAcc2", "splitAcc", "joinAcc", "", "pairAcc1",
                                        "pairAcc2", "reverseAcc", "transposeAcc" };
    const struct vacc *a = &q->c->vacc.a[id];

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
    } else if (a->kind == VACC_ROOT) {
        put_level(q, a->a);
    } else if (a->kind == VACC_IDX) {
        put_vacc(q, a->a, depth + 1);
        text_puts(q->t, "{");
        show_ix(&q->show, a->b);
        text_puts(q->t, "}");
    } else {
        text_printf(q->t, "(%s ", name[a->kind]);
        put_vacc(q, a->a, depth + 1);
        text_puts(q->t, ")");
    }
}

static void put_comm(const struct printer *q, int id, int indent)
{
    const struct comm *x = &q->c->comm.a[id];

    if (indent > EXP_DEPTH_MAX) {
        text_puts(q->t, "...\n");
        return;
    }
    if (x->kind == COMM_SEQ) {
        for (int i = 0; i < x->len; i++)
            put_comm(q, q->c->pool.a[x->first + i], indent);
        return;
    }
    text_printf(q->t, "%*s", 2 * indent, "");
    switch (x->kind) {
    case COMM_SKIP:
        text_puts(q->t, "skip\n");
        break;
    case COMM_ASSIGN:
        put_vacc(q, x->a, 0);
        text_puts(q->t, " := ");
        put_vexp(q, x->b, 0);
        text_puts(q->t, "\n");
        break;
    case COMM_NEW:
        text_puts(q->t, "new ");
        put_level(q, x->level);
        text_puts(q->t, " : ");
        show_type(&q->show, q->c->level.a[x->level].type);
        text_puts(q->t, "\n");
        put_comm(q, x->a, indent);
        break;
    case COMM_FOR: case COMM_PAR:
        text_puts(q->t, x->kind == COMM_PAR ? "parfor " : "for ");
        put_level(q, x->level);
        text_puts(q->t, " < ");
        size_print(q->t, q->c->prog, q->c->level.a[x->level].extent, NULL);
        text_puts(q->t, "\n");
        put_comm(q, x->a, indent + 1);
        break;
    default:
        text_puts(q->t, "if ");
        show_conds(&q->show, x->first, x->len);
        text_puts(q->t, "\n");
        put_comm(q, x->a, indent + 1);
        if (q->c->comm.a[x->b].kind != COMM_SKIP) {
            text_printf(q->t, "%*selse\n", 2 * indent, "");
            put_comm(q, x->b, indent + 1);
        }
    }
}

/* cnt_var of the seed: an assignment at array type takes numbers for its loops but does not count them. */
static int number(const struct code *c, int id, int from, int *out, int depth)
{
    const struct comm *x = &c->comm.a[id];
    int n = from;

    if (depth > EXP_DEPTH_MAX)
        return from;
    switch (x->kind) {
    case COMM_SEQ:
        for (int i = 0; i < x->len; i++)
            n = number(c, c->pool.a[x->first + i], n, out, depth + 1);
        return n;
    case COMM_NEW: case COMM_FOR: case COMM_PAR:
        out[x->level] = from;
        n = number(c, x->a, from + 1, out, depth + 1);
        return x->kind == COMM_FOR && x->copies ? from : n;
    case COMM_IF:
        n = number(c, x->a, n, out, depth + 1);
        return number(c, x->b, n, out, depth + 1);
    default:
        return n;
    }
}

int *code_numbers(const struct code *c)
{
    int *out = mem_zero(c->mem, (size_t)c->level.n + 1, sizeof *out);

    if (out)
        number(c, c->main, 0, out, 0);
    return out;
}

void code_print(struct text *t, const struct code *c, const int *numbers)
{
    struct printer q = { t, c, numbers, { t, c->prog, c->ix.a, c->cond.a, put_index_var, NULL } };

    q.show.arg = &q;
    put_comm(&q, c->main, 0);
}
