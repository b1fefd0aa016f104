/* The functions of attribute values. */
#include <string.h>

#include "pattern/elab_internal.h"

/* min and max of several values; of one: of its elements. */
static struct term least_greatest(struct elab *e, bool least, const struct term *arg, int n)
{
    struct term t = arg[0];

    if (n == 1)
        return elab_reduce(e, least ? ATTR_AMIN : ATTR_AMAX, t);
    for (int k = 1; k < n && t.kind != TERM_BAD; k++)
        t = elab_binary(e, least ? ATTR_MIN : ATTR_MAX, t, arg[k]);
    return t;
}

/* range(stop), range(start, stop), range(start, stop, step) */
static struct term range(struct elab *e, const struct term *arg, int n, int line, int col)
{
    struct term t[3];

    t[0] = n == 1 ? elab_const(e, value_int(e->rs->values, 0), line, col) : arg[0];
    t[1] = arg[n == 1 ? 0 : 1];
    t[2] = n == 3 ? arg[2] : elab_const(e, value_int(e->rs->values, 1), line, col);
    return elab_func(e, ATTR_RANGE, t, 3, line, col);
}

enum function_kind { OF_UNARY, OF_BINARY, OF_REDUCE, OF_FUNC, OF_LEAST, OF_GREATEST, OF_RANGE };

static const struct function {
    const char *name;
    int kind, op;
    int least, most; /* arguments */
} functions[] = {
    { "len", OF_UNARY, ATTR_LEN, 1, 1 },
    { "gather", OF_BINARY, ATTR_GATHER, 2, 2 },
    { "min", OF_LEAST, 0, 1, 1000 },
    { "max", OF_GREATEST, 0, 1, 1000 },
    { "sum", OF_REDUCE, ATTR_SUM, 1, 1 },
    { "prod", OF_REDUCE, ATTR_PROD, 1, 1 },
    { "all", OF_REDUCE, ATTR_ALL, 1, 1 },
    { "exists", OF_REDUCE, ATTR_EXISTS, 1, 1 },
    { "concat", OF_REDUCE, ATTR_CONCAT, 1, 1 },
    { "range", OF_RANGE, ATTR_RANGE, 1, 3 },
    { "reversed", OF_FUNC, ATTR_REVERSED, 1, 1 },
    { "zip", OF_FUNC, ATTR_ZIP, 1, 1000 },
    { "layout_remap", OF_FUNC, ATTR_REMAP, 2, 2 },
};

static const struct function *find_function(const char *name)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    return NULL;
}

struct term elab_function(struct elab *e, const char *name, const struct term *t, int n, int line, int col)
{
    const struct function *f = find_function(name);

    if (n < f->least || n > f->most) {
        if (f->least == f->most)
            return elab_fail(e, line, col, "%s takes %d argument%s, got %d", name, f->least,
                             f->least == 1 ? "" : "s", n);
        return elab_fail(e, line, col, "%s takes %d to %d arguments, got %d", name, f->least, f->most, n);
    }
    switch (f->kind) {
    case OF_UNARY: return elab_unary(e, f->op, t[0]);
    case OF_BINARY: return elab_binary(e, f->op, t[0], t[1]);
    case OF_REDUCE: return elab_reduce(e, f->op, t[0]);
    case OF_RANGE: return range(e, t, n, line, col);
    case OF_FUNC: return elab_func(e, f->op, t, n, line, col);
    default: return least_greatest(e, f->kind == OF_LEAST, t, n);
    }
}

bool elab_is_function(const char *name)
{
    return find_function(name) != NULL;
}
