/* Environments read from the canonical text. Not proved: what is bound stands in memory that grows while values are read. */
#include <string.h>

#include "attr/read.h"
#include "attr/read_leaf.h"
#include "attr/read_on.h"

/* Entry k of v becomes id, unless it is something already. */
static bool bind(struct mem *m, struct ints *v, int k, int id)
{
    if (v->n <= k) {
        if (!vec_room(m, v, k + 1 - v->n))
            return false;
        unbound_fill(v->a, v->n, k + 1);
        v->n = k + 1;
    }
    bind_first(v->a, k, id);
    return true;
}

static bool bind_other(struct mem *m, struct attr_nameds *v, struct attr_named x)
{
    if (!vec_room(m, v, 1))
        return false;
    v->a[v->n++] = x;
    return true;
}

/* After "(inst" */
static struct reading read_instance(struct reading r, struct attr_reader *to, struct attr_bindings *b)
{
    struct attr_named x = { 0 };
    struct read_long k;

    r = read_count(r);
    if (r.status != CALQUE_OK)
        return r;
    x.pattern = (int)r.number;
    r = read_word(r);
    k = read_long(r);
    if (!k.ok)
        return read_fail(r, CALQUE_BAD);
    x.k = k.z;
    r = read_label(r, to->strs);
    x.label = r.id;
    if (r.status == CALQUE_OK)
        r = value_read(r, to->attrs->values, to->strs);
    x.id = r.id;
    return r.status == CALQUE_OK && !bind_other(to->attrs->mem, &b->other, x) ? read_fail(r, CALQUE_NOMEM) : r;
}

/* After "(alt" */
static struct reading read_taken(struct reading r, struct attr_reader *to, struct attr_bindings *b)
{
    struct attr_named x = { .label = -1 };

    r = read_count(r);
    x.pattern = (int)r.number;
    if (r.status == CALQUE_OK)
        r = read_count(r);
    x.id = (int)r.number;
    return r.status == CALQUE_OK && !bind_other(to->attrs->mem, &b->other, x) ? read_fail(r, CALQUE_NOMEM) : r;
}

/* A value for entry k of v. */
static struct reading read_bound(struct reading r, struct attr_reader *to, struct ints *v, int k)
{
    r = value_read(r, to->attrs->values, to->strs);
    return r.status == CALQUE_OK && !bind(to->attrs->mem, v, k, r.id) ? read_fail(r, CALQUE_NOMEM) : r;
}

/* After "(sym" */
static struct reading read_for_symbol(struct reading r, struct attr_reader *to, struct attr_bindings *b)
{
    r = read_count(r);
    if (r.status != CALQUE_OK)
        return r;
    if (r.number >= ATTR_SYMBOL_MAX)
        return read_fail(r, CALQUE_LIMIT);
    return read_bound(r, to, &b->symbol, (int)r.number);
}

/* One binding of an environment. */
static struct reading read_binding(struct reading r, struct attr_reader *to, struct attr_bindings *b)
{
    struct reading start;

    r = read_mark(r, '(');
    if (r.status != CALQUE_OK)
        return r;
    r.depth++;
    start = r;
    r = read_word(r);
    if (read_is(r, WORD_INST))
        r = read_instance(r, to, b);
    else if (read_is(r, WORD_MATCH))
        r = read_taken(r, to, b);
    else if (read_is(r, WORD_SYMBOL))
        r = read_for_symbol(r, to, b);
    else {
        r = read_slot(start, to->attrs, to->strs);
        if (r.status == CALQUE_OK)
            r = read_bound(r, to, &b->slot, r.id);
    }
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    r.depth--;
    return r;
}

bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    struct reading in = read_mark(r->in, '(');

    in.depth++;
    if (in.status == CALQUE_OK)
        in = read_blanks(in);
    while (in.status == CALQUE_OK && !read_sees(in, ')')) {
        in = read_binding(in, r, b);
        if (in.status == CALQUE_OK)
            in = read_blanks(in);
    }
    if (in.status == CALQUE_OK)
        in = read_mark(in, ')');
    in.depth--;
    *r = reader_on(*r, in);
    return in.status == CALQUE_OK;
}

void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}

static enum attr_result named_inst(void *ctx, int pattern, long k, int label, int *out)
{
    const struct attr_bindings *b = ctx;
    int id = named_id(b->other.a, b->other.n, pattern, label, k);

    if (id >= 0)
        *out = id;
    return id >= 0 ? ATTR_VALUE : ATTR_STUCK;
}

static int named_taken(void *ctx, int pattern)
{
    const struct attr_bindings *b = ctx;

    return named_id(b->other.a, b->other.n, pattern, -1, 0);
}

struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    return (struct attr_env){ .slot = b->slot.a, .n = b->slot.n, .symbol = b->symbol.a, .nsymbol = b->symbol.n,
                              .inst = named_inst, .taken = named_taken, .ctx = b };
}
