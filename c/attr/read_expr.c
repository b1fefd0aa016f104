#include "attr/read_expr.h"

#include "attr/value_room.h"

struct reading read_slot(struct reading r, struct attrs *t, struct strs *strs)
{
    int slot, p;

    r = read_count(r);
    p = (int)r.number;
    if (r.status == CALQUE_OK)
        r = read_label(r, strs);
    if (r.status != CALQUE_OK)
        return r;
    slot = attr_slot(t, p, r.id);
    if (slot < 0)
        return read_fail(r, CALQUE_NOMEM);
    r.id = slot;
    return r;
}

/* After "(.". */
static struct reading read_access(struct reading r, struct attrs *t, struct strs *strs)
{
    struct attr_slot s;

    r = read_slot(r, t, strs);
    if (r.status != CALQUE_OK)
        return r;
    s = t->slot.a[r.id];
    r = read_mark(r, ')');
    return r.status == CALQUE_OK ? read_made(r, attr_access(t, s.pattern, s.label)) : r;
}

/* After "(inst". */
static struct reading read_inst(struct reading r, struct attrs *t, struct strs *strs)
{
    int p, a;

    r = read_count(r);
    p = (int)r.number;
    if (r.status == CALQUE_OK)
        r = expr_read(r, t, strs);
    a = r.id;
    if (r.status == CALQUE_OK)
        r = read_label(r, strs);
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    return r.status == CALQUE_OK ? read_made(r, attr_inst(t, p, a, r.id)) : r;
}

/* After "(sym". */
static struct reading read_symbol(struct reading r, struct attrs *t)
{
    r = read_count(r);
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    return r.status == CALQUE_OK ? read_made(r, attr_symbol(t, (int)r.number)) : r;
}

/* After "(const". Only tuples are written so. */
static struct reading read_const(struct reading r, struct attrs *t, struct strs *strs)
{
    int v;

    r = read_blanks(r);
    if (!read_sees(r, '('))
        return read_fail(r, CALQUE_BAD);
    r = value_read(r, t->values, strs);
    v = r.id;
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    return r.status == CALQUE_OK ? read_made(r, attr_const(t, v)) : r;
}

/* The operation that the word read last names, of these n operands. */
static struct reading apply_op(struct reading r, struct attrs *t, const int *own, int n)
{
    int un = read_among(r, WORD_OF_UNARY, ATTR_UNARY_OPS);
    int bin = read_among(r, WORD_OF_BINARY, ATTR_BINARY_OPS);
    int red = read_among(r, WORD_OF_REDUCTION, ATTR_REDUCTIONS);
    int func = read_among(r, WORD_OF_FUNC, ATTR_FUNC_OPS);

    if (un >= 0 && n == 1)
        return read_made(r, attr_unary(t, un, own[0]));
    if (bin >= 0 && n == 2)
        return read_made(r, attr_binary(t, bin, own[0], own[1]));
    if (red >= 0 && n == 1)
        return read_made(r, attr_reduce(t, red, own[0]));
    if (func >= 0)
        return read_made(r, attr_func(t, func, own, n));
    return read_fail(r, CALQUE_BAD);
}

/* The form that the word read last names; .number: of the symbol or pattern after var, map, alt. */
static struct reading apply(struct reading r, struct attrs *t, const int *own, int n)
{
    if (read_is(r, WORD_TUPLE))
        return read_made(r, attr_tuple(t, own, n));
    if (read_is(r, WORD_PROJ) && n == 2)
        return read_made(r, attr_proj(t, own[0], own[1]));
    if (read_is(r, WORD_COND) && n == 3)
        return read_made(r, attr_cond(t, own[0], own[1], own[2]));
    if (read_is(r, WORD_MATCH))
        return read_made(r, attr_choice(t, (int)r.number, own, n));
    if (read_is(r, WORD_VAR) && n == 2)
        return read_made(r, attr_var(t, (int)r.number, own[0], own[1]));
    if (read_is(r, WORD_MAP) && n == 2)
        return read_made(r, attr_map(t, (int)r.number, own[0], own[1]));
    return apply_op(r, t, own, n);
}

/* The form that the word of `head` names, of the ids from `first` on. */
static struct reading form_made(struct reading r, struct attrs *t, struct reading head, int first)
{
    int n = r.nids - first;
    int *own = values_scratch(t->values, n)
        /*@ ghost (0, 0) */;

    if (!own)
        return read_fail(r, CALQUE_NOMEM);
    for (int k = 0; k < n; k++)
        own[k] = (int)r.ids[first + k];
    head = apply(head, t, own, n);
    values_scratch_free(own);
    if (head.status != CALQUE_OK)
        return read_fail(r, head.status);
    r.id = head.id;
    return r;
}

/* The operands up to the closing parenthesis. */
static struct reading read_operands(struct reading r, struct attrs *t, struct strs *strs)
{
    r = read_blanks(r);
    while (r.status == CALQUE_OK && !read_sees(r, ')')) {
        r = expr_read(r, t, strs);
        if (r.status == CALQUE_OK)
            r = read_push(r, t->mem);
        if (r.status == CALQUE_OK)
            r = read_blanks(r);
    }
    return r;
}

/* After the word of a form with operands. */
static struct reading read_form(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading head = r;
    int first = r.nids;

    if (read_is(r, WORD_MATCH) || read_is(r, WORD_VAR) || read_is(r, WORD_MAP)) {
        r = read_count(r);
        head.number = r.number;
    }
    if (r.status == CALQUE_OK)
        r = read_operands(r, t, strs);
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    if (r.status == CALQUE_OK)
        r = form_made(r, t, head, first);
    r.nids = first;
    return r;
}

/* After "(". */
static struct reading read_compound(struct reading r, struct attrs *t, struct strs *strs)
{
    r = read_word(r);
    if (r.depth >= 2 * ATTR_DEPTH_MAX)
        return read_fail(r, CALQUE_LIMIT);
    r.depth++;
    if (read_is(r, WORD_ACCESS))
        r = read_access(r, t, strs);
    else if (read_is(r, WORD_CONST))
        r = read_const(r, t, strs);
    else if (read_is(r, WORD_SYMBOL))
        r = read_symbol(r, t);
    else if (read_is(r, WORD_INST))
        r = read_inst(r, t, strs);
    else
        r = read_form(r, t, strs);
    r.depth--;
    return r;
}

/* What is no compound: `_` or a constant. */
static struct reading read_leaf(struct reading r, struct attrs *t, struct strs *strs)
{
    if (read_sees(r, '"')) {
        r.at++;
        r = read_string(r, t->values, strs);
    } else {
        r = read_word(r);
        if (read_is(r, WORD_ANY))
            return read_made(r, attr_any(t));
        r = r.word < r.at ? read_scalar(r, t->values) : read_fail(r, CALQUE_BAD);
    }
    return r.status == CALQUE_OK ? read_made(r, attr_const(t, r.id)) : r;
}

struct reading expr_read(struct reading r, struct attrs *t, struct strs *strs)
{
    r = read_blanks(r);
    if (!read_sees(r, '('))
        return read_leaf(r, t, strs);
    r.at++;
    return read_compound(r, t, strs);
}
