/* Construction of commands. Invariant: children have smaller ids; an open block collects its commands and closes to
   one. The first failure stays in the code: callers look once. */
#include "dpia/comm.h"

#include <string.h>

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
