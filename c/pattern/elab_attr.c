/* New attribute expressions: their limits, what is known of their values, what can never have one; the functions of
   attribute values, and literals in the element type they are compared in. */
#include "pattern/elab_internal.h"

#include <string.h>

static const char *kind_word(int kind)
{
    static const char *const word[] = { "none", "a boolean", "an integer", "a float", "a string", "a tuple" };

    return kind < 0 ? "anything" : word[kind];
}

static struct attr_note note(const struct elab *e, int expr)
{
    return e->note.a[expr];
}

/* Would a parent of these exceed the limits of the attr room? */
static bool too_large(const struct elab *e, const int *kid, int n)
{
    const struct attr_node *nd = e->r->attrs.node.a;
    long size = 1;
    bool deep = false;

    for (int k = 0; k < n; k++) {
        size += nd[kid[k]].size;
        deep |= nd[kid[k]].depth >= ATTR_DEPTH_MAX;
    }
    return deep || size > ATTR_SIZE_MAX || n > VALUE_LEN_MAX;
}

/* The term of the fresh expression id, whose children are these; -1: a limit exceeded or memory out. */
static struct term made(struct elab *e, int id, const int *kid, int n, int kind, int line, int col)
{
    struct attr_note a = { 0, kind, ELAB_NO_SYMBOL, -1, line, col };

    if (id < 0 && too_large(e, kid, n))
        return elab_fail(e, line, col, "the attribute expression is too large");
    if (id < 0 || !vec_room(e->rs->mem, &e->note, 1))
        return elab_nomem(e);
    for (int k = 0; k < n; k++) {
        struct attr_note b = note(e, kid[k]);
        a.flags |= b.flags;
        if (b.symbol != ELAB_NO_SYMBOL)
            a.symbol = a.symbol == ELAB_NO_SYMBOL || a.symbol == b.symbol ? b.symbol : ELAB_SYMBOLS;
    }
    e->note.a[e->note.n++] = a;
    return (struct term){ TERM_ATTR, id, 0, line, col };
}

const struct value *elab_literal(const struct elab *e, int expr)
{
    const struct attr_node *nd = &e->r->attrs.node.a[expr];

    return nd->kind == ATTR_CONST ? &e->rs->values->v[nd->a] : NULL;
}

bool elab_is_closed(const struct elab *e, int expr)
{
    return !(note(e, expr).flags & ELAB_OPEN);
}

bool elab_may_be(const struct elab *e, int expr, int kind)
{
    return note(e, expr).kind == ELAB_KIND_UNKNOWN || note(e, expr).kind == kind;
}

static bool is_attr(struct elab *e, struct term t, const char *what)
{
    static const char *const word[] = { "", "pattern", "", "list of keywords", "list of patterns", "operator" };

    if (t.kind != TERM_ATTR && t.kind != TERM_BAD)
        elab_fail(e, t.line, t.col, "%s must be an attribute value, not a %s", what, word[t.kind]);
    return t.kind == TERM_ATTR;
}

bool elab_is_value(struct elab *e, struct term t, const char *what)
{
    if (!is_attr(e, t, what))
        return false;
    if (note(e, t.id).flags & ELAB_HAS_ANY)
        elab_fail(e, t.line, t.col, "'_' has no value: it can only be matched");
    return e->status == CALQUE_OK;
}

bool elab_expect(struct elab *e, struct term t, int kind, const char *what)
{
    int got;

    if (!elab_is_value(e, t, what))
        return false;
    got = note(e, t.id).kind;
    if (kind == ELAB_KIND_UNKNOWN || got == ELAB_KIND_UNKNOWN || got == kind)
        return true;
    elab_fail(e, t.line, t.col, "%s must be %s, not %s", what, kind_word(kind), kind_word(got));
    return false;
}

struct term elab_const(struct elab *e, int value, int line, int col)
{
    int kind = value < 0 ? ELAB_KIND_UNKNOWN : e->rs->values->v[value].kind;

    return made(e, value < 0 ? -1 : attr_const(&e->r->attrs, value), NULL, 0, kind, line, col);
}

struct term elab_any(struct elab *e, int line, int col)
{
    struct term t = made(e, attr_any(&e->r->attrs), NULL, 0, ELAB_KIND_UNKNOWN, line, col);

    if (t.kind == TERM_ATTR)
        e->note.a[t.id].flags = ELAB_HAS_ANY;
    return t;
}

struct term elab_unary(struct elab *e, int op, struct term a)
{
    static const int want[] = { VALUE_INT, VALUE_BOOL, VALUE_TUPLE };
    static const int gives[] = { VALUE_INT, VALUE_BOOL, VALUE_INT };

    if (!elab_expect(e, a, want[op], "the operand"))
        return elab_bad();
    return made(e, attr_unary(&e->r->attrs, op, a.id), &a.id, 1, gives[op], a.line, a.col);
}

/* ORDER attr_binary: the kinds of the operands and of the result. */
static void signature(int op, int *want, int *gives)
{
    switch (op) {
    case ATTR_EQ:
    case ATTR_NE:
        *want = ELAB_KIND_UNKNOWN;
        *gives = VALUE_BOOL;
        break;
    case ATTR_LT:
    case ATTR_LE:
    case ATTR_GT:
    case ATTR_GE:
        *want = VALUE_FLOAT; /* or an integer: is_number */
        *gives = VALUE_BOOL;
        break;
    case ATTR_AND:
    case ATTR_OR:
        *want = *gives = VALUE_BOOL;
        break;
    case ATTR_GATHER:
        *want = *gives = VALUE_TUPLE;
        break;
    case ATTR_ADD:
        *want = *gives = ELAB_KIND_UNKNOWN;
        break;
    default:
        *want = *gives = VALUE_INT;
    }
}

/* Integers and floats are compared with each other. */
static bool is_number(struct elab *e, struct term t)
{
    int kind;

    if (!elab_is_value(e, t, "the operand"))
        return false;
    kind = note(e, t.id).kind;
    if (kind == ELAB_KIND_UNKNOWN || kind == VALUE_INT || kind == VALUE_FLOAT)
        return true;
    elab_fail(e, t.line, t.col, "the operand must be a number, not %s", kind_word(kind));
    return false;
}

/* Integers or tuples are added, each to its own kind. */
static bool addable(struct elab *e, struct term a, struct term b, int *gives)
{
    int ka, kb;

    if (!elab_is_value(e, a, "the operand") || !elab_is_value(e, b, "the operand"))
        return false;
    ka = note(e, a.id).kind;
    kb = note(e, b.id).kind;
    *gives = ka == ELAB_KIND_UNKNOWN ? kb : ka;
    if (*gives != ELAB_KIND_UNKNOWN && *gives != VALUE_INT && *gives != VALUE_TUPLE)
        return elab_expect(e, ka == ELAB_KIND_UNKNOWN ? b : a, VALUE_INT, "the operand");
    return kb == ELAB_KIND_UNKNOWN || elab_expect(e, b, *gives, "the operand");
}

struct term elab_binary(struct elab *e, int op, struct term a, struct term b)
{
    int want, gives, kid[2] = { a.id, b.id };
    bool ok;

    signature(op, &want, &gives);
    if (op == ATTR_ADD)
        ok = addable(e, a, b, &gives);
    else if (want == VALUE_FLOAT)
        ok = is_number(e, a) && is_number(e, b);
    else
        ok = elab_expect(e, a, want, "the operand") && elab_expect(e, b, want, "the operand");
    if (!ok)
        return elab_bad();
    return made(e, attr_binary(&e->r->attrs, op, a.id, b.id), kid, 2, gives, a.line, a.col);
}

/* The ids of the terms (freed by the caller), which must be attribute expressions. */
static bool ids_of(struct elab *e, const struct term *t, int n, struct ints *ids)
{
    *ids = (struct ints){ NULL, 0, 0 };
    for (int k = 0; k < n; k++) {
        if (!is_attr(e, t[k], "the element"))
            return false;
        if (!ints_push(e->rs->mem, ids, t[k].id)) {
            elab_nomem(e);
            return false;
        }
    }
    return true;
}

struct term elab_tuple(struct elab *e, const struct term *t, int n, int line, int col)
{
    struct ints ids;
    struct term out = elab_bad();

    if (ids_of(e, t, n, &ids))
        out = made(e, attr_tuple(&e->r->attrs, ids.a, n), ids.a, n, VALUE_TUPLE, line, col);
    ints_free(&ids);
    return out;
}

struct term elab_project(struct elab *e, struct term t, struct term ix)
{
    int kid[2] = { t.id, ix.id };

    if (!elab_expect(e, t, VALUE_TUPLE, "the tuple") || !elab_expect(e, ix, VALUE_INT, "the index"))
        return elab_bad();
    return made(e, attr_proj(&e->r->attrs, t.id, ix.id), kid, 2, ELAB_KIND_UNKNOWN, t.line, t.col);
}

/* ORDER attr_func: does argument k of the function suit? */
static bool suits(struct elab *e, int op, struct term t, int k)
{
    int kind = ELAB_KIND_UNKNOWN;

    switch (op) {
    case ATTR_IN:
        kind = k == 1 ? VALUE_TUPLE : ELAB_KIND_UNKNOWN;
        break;
    case ATTR_REVERSED:
    case ATTR_ZIP:
        kind = VALUE_TUPLE;
        break;
    case ATTR_RANGE:
        kind = VALUE_INT;
        break;
    case ATTR_REMAP:
        kind = VALUE_STR;
        break;
    default:
        if (k == 0)
            kind = VALUE_TUPLE;
        else if (t.kind == TERM_ATTR && note(e, t.id).kind != VALUE_NONE)
            kind = VALUE_INT;
    }
    return elab_expect(e, t, kind, "the argument");
}

struct term elab_func(struct elab *e, int op, const struct term *t, int n, int line, int col)
{
    struct ints ids;
    struct term out = elab_bad();
    bool ok = true;

    for (int k = 0; k < n && ok; k++)
        ok = suits(e, op, t[k], k);
    if (!ok)
        return out;
    if (ids_of(e, t, n, &ids))
        out = made(e, attr_func(&e->r->attrs, op, ids.a, n), ids.a, n, op == ATTR_IN ? VALUE_BOOL : VALUE_TUPLE,
                   line, col);
    ints_free(&ids);
    return out;
}

struct term elab_reduce(struct elab *e, int op, struct term t)
{
    int kind = op == ATTR_ALL || op == ATTR_EXISTS ? VALUE_BOOL : op == ATTR_CONCAT ? VALUE_TUPLE : VALUE_INT;

    if (!elab_expect(e, t, VALUE_TUPLE, "the argument"))
        return elab_bad();
    return made(e, attr_reduce(&e->r->attrs, op, t.id), &t.id, 1, kind, t.line, t.col);
}

static struct term chosen(struct elab *e, struct term t)
{
    if (t.kind == TERM_ATTR && (note(e, t.id).flags & ELAB_HAS_ANY))
        e->note.a[t.id].flags |= ELAB_ANY_CHOSEN;
    return t;
}

struct term elab_if(struct elab *e, struct term c, struct term a, struct term b, int line, int col)
{
    int kid[3] = { c.id, a.id, b.id }, kind;

    if (!elab_expect(e, c, VALUE_BOOL, "the condition") || !is_attr(e, a, "the alternative") ||
        !is_attr(e, b, "the alternative"))
        return elab_bad();
    kind = note(e, a.id).kind == note(e, b.id).kind ? note(e, a.id).kind : ELAB_KIND_UNKNOWN;
    return chosen(e, made(e, attr_cond(&e->r->attrs, c.id, a.id, b.id), kid, 3, kind, line, col));
}

struct term elab_choice(struct elab *e, int alt, const struct term *t, int n, int line, int col)
{
    struct ints ids;
    struct term out = elab_bad();
    int kind;

    for (int k = 0; k < n; k++)
        if (!is_attr(e, t[k], "the alternative"))
            return out;
    kind = note(e, t[0].id).kind;
    for (int k = 1; k < n; k++)
        kind = kind == note(e, t[k].id).kind ? kind : ELAB_KIND_UNKNOWN;
    if (ids_of(e, t, n, &ids))
        out = made(e, attr_choice(&e->r->attrs, alt, ids.a, n), ids.a, n, kind, line, col);
    ints_free(&ids);
    if (out.kind == TERM_ATTR)
        e->note.a[out.id].flags |= ELAB_OPEN;
    return chosen(e, out);
}

struct term elab_access(struct elab *e, int pattern, int label, int line, int col)
{
    const struct pattern *q = &e->r->pattern.a[pattern];
    const char *name = strs_text(e->rs->strs, label);
    int of = q->kind == PATTERN_INST ? e->r->kid.a[q->kid] : pattern, kid = q->value, kind;
    struct term t;

    if (!elab_has_label(e, pattern, name))
        return elab_fail(e, line, col, "%s has no attribute '%s'", pattern_word(e->r, of), name);
    kind = elab_label_kind(e, of, name);
    if (q->kind == PATTERN_INST)
        t = made(e, attr_inst(&e->r->attrs, of, kid, label), &kid, 1, kind, line, col);
    else
        t = made(e, attr_access(&e->r->attrs, pattern, label), NULL, 0, kind, line, col);
    if (t.kind == TERM_ATTR) {
        e->note.a[t.id].flags |= ELAB_OPEN;
        e->note.a[t.id].variadic = q->kind == PATTERN_INST ? q->index : -1;
    }
    return t;
}

struct term elab_self(struct elab *e, int pattern, int label, int line, int col)
{
    struct term t = made(e, attr_access(&e->r->attrs, pattern, label), NULL, 0, ELAB_KIND_UNKNOWN, line, col);

    if (t.kind == TERM_ATTR)
        e->note.a[t.id].flags |= ELAB_OPEN;
    return t;
}

struct term elab_symbol(struct elab *e, bool bound, int kind, int line, int col)
{
    int s = e->bound.n;
    struct term t;

    if (s >= ATTR_SYMBOL_MAX)
        return elab_fail(e, line, col, "the rule has more than %d symbols", ATTR_SYMBOL_MAX);
    if (!ints_push(e->rs->mem, &e->bound, bound))
        return elab_nomem(e);
    t = made(e, attr_symbol(&e->r->attrs, s), NULL, 0, kind, line, col);
    if (t.kind == TERM_ATTR && !bound) {
        e->note.a[t.id].flags = ELAB_OPEN;
        e->note.a[t.id].symbol = s;
    }
    return t;
}

static int symbol_number(const struct elab *e, struct term symbol)
{
    return e->r->attrs.node.a[symbol.id].op;
}

struct term elab_var(struct elab *e, struct term symbol, struct term n, struct term a)
{
    int kid[2] = { n.id, a.id };

    if (!is_attr(e, n, "the length") || !is_attr(e, a, "the body of 'for'"))
        return elab_bad();
    if (e->r->attrs.node.a[n.id].kind != ATTR_ANY && !elab_expect(e, n, VALUE_INT, "the length"))
        return elab_bad();
    return made(e, attr_var(&e->r->attrs, symbol_number(e, symbol), n.id, a.id), kid, 2, VALUE_TUPLE, a.line, a.col);
}

struct term elab_map(struct elab *e, struct term symbol, struct term t, struct term a)
{
    int kid[2] = { t.id, a.id };

    if (!elab_expect(e, t, VALUE_TUPLE, "what 'for' runs over") || !elab_is_value(e, a, "the body of 'for'"))
        return elab_bad();
    return made(e, attr_map(&e->r->attrs, symbol_number(e, symbol), t.id, a.id), kid, 2, VALUE_TUPLE, a.line, a.col);
}

/* The functions of attribute values. */

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

/* Literals that are compared with attributes: the floats of operators are binary32, the value of a constant has the
   constant's element type. An integer stands for the float of that value. */

/* The literal in binary32. */
static struct term in_f32(struct elab *e, struct term literal)
{
    double x = value_real(e->rs->values, e->r->attrs.node.a[literal.id].a);

    return elab_const(e, value_float(e->rs->values, (double)(float)x), literal.line, literal.col);
}

/* The literal as an element of constant `pattern`: Cond(pattern.dtype == "f32", rounded, as it stands). */
static struct term as_element(struct elab *e, int pattern, struct term literal)
{
    int dtype = strs_addz(e->rs->strs, "dtype"), f32 = strs_addz(e->rs->strs, "f32");
    struct term is, rounded, name;

    if (dtype < 0 || f32 < 0)
        return elab_nomem(e);
    is = elab_access(e, pattern, dtype, literal.line, literal.col);
    name = is.kind == TERM_BAD ? is : elab_const(e, value_str(e->rs->values, f32), literal.line, literal.col);
    is = name.kind == TERM_BAD ? name : elab_binary(e, ATTR_EQ, is, name);
    rounded = is.kind == TERM_BAD ? is : in_f32(e, literal);
    return rounded.kind == TERM_BAD ? rounded : elab_if(e, is, rounded, literal, literal.line, literal.col);
}

/* Is it a float literal that binary32 does not have? */
static bool is_rounded(const struct elab *e, struct term t)
{
    const struct value *v = elab_literal(e, t.id);
    double x = v && v->kind == VALUE_FLOAT ? value_real(e->rs->values, e->r->attrs.node.a[t.id].a) : 0;

    return (double)(float)x < x || (double)(float)x > x;
}

/* Is it an integer literal that a float has exactly, compared with what is known to be a float? */
static bool is_whole_float(const struct elab *e, struct term t, struct term other)
{
    const long most = 1L << 53;
    const struct value *v = elab_literal(e, t.id);

    return v && v->kind == VALUE_INT && -most <= v->num && v->num <= most && e->note.a[other.id].kind == VALUE_FLOAT;
}

bool elab_rounded(struct elab *e, struct term *t)
{
    for (int k = 0; k < 2; k++) {
        const struct attr_node nd = e->r->attrs.node.a[t[1 - k].id];
        const char *label;
        int pattern;

        if (is_whole_float(e, t[k], t[1 - k]))
            t[k] = elab_const(e, value_float(e->rs->values, (double)elab_literal(e, t[k].id)->num), t[k].line, t[k].col);
        if (t[k].kind == TERM_BAD)
            return false;
        if (!is_rounded(e, t[k]) || nd.kind != ATTR_ACCESS)
            continue;
        pattern = e->r->attrs.slot.a[nd.a].pattern;
        label = strs_text(e->rs->strs, e->r->attrs.slot.a[nd.a].label);
        if (strcmp(label, "value") == 0 && e->r->pattern.a[pattern].kind == PATTERN_CONST)
            t[k] = as_element(e, pattern, t[k]);
        else
            t[k] = in_f32(e, t[k]);
        return t[k].kind != TERM_BAD;
    }
    return true;
}
