#include "attr/read.h"

#include <stdlib.h>
#include <string.h>

#include "attr/scan.h"
#include "attr/words.h"
#include "base/strs.h"

struct atom {
    const char *s;
    long n;
};

void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs,
                      const char *text, size_t n)
{
    memset(r, 0, sizeof *r);
    r->at = text;
    r->end = text + n;
    r->attrs = attrs;
    r->strs = strs;
}

static int fail(struct attr_reader *r, enum calque_status st)
{
    if (r->status == CALQUE_OK)
        r->status = st;
    return -1;
}

/* An id from a constructor; -1 there means memory or a limit. */
static int made(struct attr_reader *r, int id)
{
    return id >= 0 ? id : fail(r, CALQUE_LIMIT);
}

static void blanks(struct attr_reader *r)
{
    r->at += scan_blanks(r->at, r->end - r->at);
}

static bool peek(struct attr_reader *r, char c)
{
    blanks(r);
    return r->at < r->end && *r->at == c;
}

static bool accept(struct attr_reader *r, char c)
{
    if (!peek(r, c))
        return false;
    r->at++;
    return true;
}

static struct atom atom(struct attr_reader *r)
{
    struct atom a;

    blanks(r);
    a = (struct atom){ r->at, scan_word(r->at, r->end - r->at) };
    r->at += a.n;
    return a;
}

static bool is(struct atom a, const char *word)
{
    return scan_is(a.s, a.n, word);
}

static bool is_word(struct atom a, int w)
{
    return is(a, word_text(w));
}

static bool to_double(struct atom a, double *x)
{
    char buf[SCAN_NUMBER_MAX + 1];
    int i = a.n > 0 && a.s[0] == '-';
    char *end;

    if (a.n < i + 3 || a.n > SCAN_NUMBER_MAX)
        return false;
    memcpy(buf, a.s, (size_t)a.n);
    buf[a.n] = '\0';
    if ((buf[i] != '0' || buf[i + 1] != 'x') && !is_word(a, WORD_INF) && !is_word(a, WORD_NEGINF) &&
        !is_word(a, WORD_NAN))
        return false;
    *x = strtod(buf, &end);
    return end == buf + a.n;
}

/* One character of a string after a backslash; -1 when malformed. */
static int escape(struct attr_reader *r)
{
    int c = scan_escape(r->at, r->end - r->at);

    if (c >= 0)
        r->at += scan_escape_len(*r->at);
    return c;
}

/* After the opening quote. Only the printed characters 32 .. 126 stand for themselves. */
static int read_string(struct attr_reader *r)
{
    char *buf = mem_resize(r->attrs->mem, NULL, (size_t)(r->end - r->at) + 1, 1);
    size_t n = 0;
    int c = 0, id = -1;

    if (!buf)
        return fail(r, CALQUE_NOMEM);
    while (r->at < r->end && *r->at != '"') {
        c = (unsigned char)*r->at++;
        if (c == '\\')
            c = escape(r);
        else if (c < 32 || c > 126)
            c = -1;
        if (c < 0)
            break;
        buf[n++] = (char)c;
    }
    if (c < 0 || !accept(r, '"'))
        fail(r, CALQUE_BAD);
    else {
        id = strs_add(r->strs, buf, n);
        id = id < 0 ? fail(r, CALQUE_NOMEM) : made(r, value_str(r->attrs->values, id));
    }
    mem_free(buf);
    return id;
}

static int scalar(struct attr_reader *r, struct atom a)
{
    struct values *vs = r->attrs->values;
    long z;
    double x;

    if (is_word(a, WORD_NONE))
        return made(r, value_none(vs));
    if (is_word(a, WORD_TRUE) || is_word(a, WORD_FALSE))
        return made(r, value_bool(vs, is_word(a, WORD_TRUE)));
    if (scan_long(a.s, a.n, &z))
        return made(r, value_int(vs, z));
    if (to_double(a, &x))
        return made(r, value_float(vs, x));
    return fail(r, CALQUE_BAD);
}

/* The items up to the closing parenthesis; their number, or -1. */
static bool read_items(struct attr_reader *r, int (*item)(struct attr_reader *), struct ints *ids)
{
    int id;

    while (!peek(r, ')')) {
        id = item(r);
        if (id < 0)
            return false;
        if (!ints_push(r->attrs->mem, ids, id)) {
            fail(r, CALQUE_NOMEM);
            return false;
        }
    }
    return attr_read_close(r);
}

bool attr_read_open(struct attr_reader *r, const char *word)
{
    if (!accept(r, '(') || !is(atom(r), word)) {
        fail(r, CALQUE_BAD);
        return false;
    }
    r->depth++;
    return true;
}

bool attr_read_close(struct attr_reader *r)
{
    if (!accept(r, ')')) {
        fail(r, CALQUE_BAD);
        return false;
    }
    r->depth--;
    return true;
}

bool attr_read_end(struct attr_reader *r)
{
    blanks(r);
    if (r->at < r->end)
        fail(r, CALQUE_BAD);
    return r->at == r->end;
}

int attr_read_value(struct attr_reader *r)
{
    struct ints ids = { 0 };
    int id = -1;

    if (accept(r, '"'))
        return read_string(r);
    if (!peek(r, '('))
        return scalar(r, atom(r));
    if (!attr_read_open(r, word_text(WORD_TUPLE)))
        return -1;
    if (r->depth > 2 * VALUE_DEPTH_MAX)
        return fail(r, CALQUE_LIMIT);
    if (read_items(r, attr_read_value, &ids))
        id = made(r, value_tuple(r->attrs->values, ids.a, ids.n));
    ints_free(&ids);
    return id;
}

/* A pattern or symbol number. */
static bool read_number(struct attr_reader *r, int *z)
{
    struct atom a = atom(r);
    long x;

    if (!scan_long(a.s, a.n, &x) || a.s[0] == '-' || x > INT32_MAX) {
        fail(r, CALQUE_BAD);
        return false;
    }
    *z = (int)x;
    return true;
}

static int read_label(struct attr_reader *r)
{
    struct atom l = atom(r);
    int label;

    if (!scan_name(l.s, l.n))
        return fail(r, CALQUE_BAD);
    label = strs_add(r->strs, l.s, (size_t)l.n);
    return label < 0 ? fail(r, CALQUE_NOMEM) : label;
}

static bool read_key(struct attr_reader *r, int *slot)
{
    int p, label;

    if (!read_number(r, &p) || (label = read_label(r)) < 0)
        return false;
    *slot = attr_slot(r->attrs, p, label);
    if (*slot < 0)
        fail(r, CALQUE_NOMEM);
    return *slot >= 0;
}

static int read_access(struct attr_reader *r)
{
    struct attr_slot s;
    int slot;

    if (!read_key(r, &slot) || !attr_read_close(r))
        return -1;
    s = r->attrs->slot.a[slot];
    return made(r, attr_access(r->attrs, s.pattern, s.label));
}

static int read_inst(struct attr_reader *r)
{
    int p, a, label;

    if (!read_number(r, &p))
        return -1;
    a = attr_read(r);
    label = a < 0 ? -1 : read_label(r);
    if (label < 0 || !attr_read_close(r))
        return -1;
    return made(r, attr_inst(r->attrs, p, a, label));
}

static int read_symbol(struct attr_reader *r)
{
    int s;

    if (!read_number(r, &s) || !attr_read_close(r))
        return -1;
    return made(r, attr_symbol(r->attrs, s));
}

static int find_op(struct atom a, int n, const char *(*name)(int))
{
    for (int op = 0; op < n; op++)
        if (is(a, name(op)))
            return op;
    return -1;
}

/* The operation of a head with so many operands. */
static int apply_op(struct attr_reader *r, struct atom head, const struct ints *ids)
{
    int un = find_op(head, ATTR_UNARY_OPS, attr_unary_name);
    int bin = find_op(head, ATTR_BINARY_OPS, attr_binary_name);
    int red = find_op(head, ATTR_REDUCTIONS, attr_reduction_name);
    int func = find_op(head, ATTR_FUNC_OPS, attr_func_name);

    if (un >= 0 && ids->n == 1)
        return made(r, attr_unary(r->attrs, un, ids->a[0]));
    if (bin >= 0 && ids->n == 2)
        return made(r, attr_binary(r->attrs, bin, ids->a[0], ids->a[1]));
    if (red >= 0 && ids->n == 1)
        return made(r, attr_reduce(r->attrs, red, ids->a[0]));
    if (func >= 0)
        return made(r, attr_func(r->attrs, func, ids->a, ids->n));
    return fail(r, CALQUE_BAD);
}

/* number: of the symbol or pattern after var, map, alt. */
static int apply(struct attr_reader *r, struct atom head, int number, const struct ints *ids)
{
    if (is_word(head, WORD_TUPLE))
        return made(r, attr_tuple(r->attrs, ids->a, ids->n));
    if (is_word(head, WORD_PROJ) && ids->n == 2)
        return made(r, attr_proj(r->attrs, ids->a[0], ids->a[1]));
    if (is_word(head, WORD_COND) && ids->n == 3)
        return made(r, attr_cond(r->attrs, ids->a[0], ids->a[1], ids->a[2]));
    if (is_word(head, WORD_MATCH))
        return made(r, attr_choice(r->attrs, number, ids->a, ids->n));
    if (is_word(head, WORD_VAR) && ids->n == 2)
        return made(r, attr_var(r->attrs, number, ids->a[0], ids->a[1]));
    if (is_word(head, WORD_MAP) && ids->n == 2)
        return made(r, attr_map(r->attrs, number, ids->a[0], ids->a[1]));
    return apply_op(r, head, ids);
}

/* After "(const". Only tuples are written so. */
static int read_const(struct attr_reader *r)
{
    int id;

    if (!peek(r, '('))
        return fail(r, CALQUE_BAD);
    id = attr_read_value(r);
    if (id < 0 || !attr_read_close(r))
        return -1;
    return made(r, attr_const(r->attrs, id));
}

static int read_compound(struct attr_reader *r)
{
    struct ints ids = { 0 };
    struct atom head = atom(r);
    int id = -1, number = 0;

    if (++r->depth > 2 * ATTR_DEPTH_MAX)
        return fail(r, CALQUE_LIMIT);
    if (is_word(head, WORD_ACCESS))
        return read_access(r);
    if (is_word(head, WORD_CONST))
        return read_const(r);
    if (is_word(head, WORD_SYMBOL))
        return read_symbol(r);
    if (is_word(head, WORD_INST))
        return read_inst(r);
    if ((is_word(head, WORD_MATCH) || is_word(head, WORD_VAR) || is_word(head, WORD_MAP)) &&
        !read_number(r, &number))
        return -1;
    if (read_items(r, attr_read, &ids))
        id = apply(r, head, number, &ids);
    ints_free(&ids);
    return id;
}

int attr_read(struct attr_reader *r)
{
    struct atom a;
    int v;

    if (accept(r, '('))
        return read_compound(r);
    if (accept(r, '"'))
        v = read_string(r);
    else {
        a = atom(r);
        if (is_word(a, WORD_ANY))
            return made(r, attr_any(r->attrs));
        v = scalar(r, a);
    }
    return v < 0 ? -1 : made(r, attr_const(r->attrs, v));
}

/* Entry k of v becomes id, unless it is something already. */
static bool bind(struct attr_reader *r, struct ints *v, int k, int id)
{
    while (v->n <= k)
        if (!ints_push(r->attrs->mem, v, -1)) {
            fail(r, CALQUE_NOMEM);
            return false;
        }
    if (v->a[k] < 0)
        v->a[k] = id;
    return true;
}

/* After "(inst" */
static bool read_instance(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_named x = { .label = -1 };
    struct atom k;

    if (!read_number(r, &x.pattern))
        return false;
    k = atom(r);
    if (!scan_long(k.s, k.n, &x.k)) {
        fail(r, CALQUE_BAD);
        return false;
    }
    x.label = read_label(r);
    x.id = x.label < 0 ? -1 : attr_read_value(r);
    if (x.id >= 0 && !vec_room(r->attrs->mem, &b->other, 1))
        x.id = fail(r, CALQUE_NOMEM);
    if (x.id >= 0)
        b->other.a[b->other.n++] = x;
    return x.id >= 0;
}

/* After "(alt" */
static bool read_taken(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_named x = { .label = -1 };

    if (!read_number(r, &x.pattern) || !read_number(r, &x.id))
        return false;
    if (!vec_room(r->attrs->mem, &b->other, 1)) {
        fail(r, CALQUE_NOMEM);
        return false;
    }
    b->other.a[b->other.n++] = x;
    return true;
}

/* After "(sym" */
static bool read_bound(struct attr_reader *r, struct attr_bindings *b)
{
    int s, v;

    if (!read_number(r, &s))
        return false;
    if (s >= ATTR_SYMBOL_MAX) {
        fail(r, CALQUE_LIMIT);
        return false;
    }
    v = attr_read_value(r);
    return v >= 0 && bind(r, &b->symbol, s, v);
}

/* One binding of an environment. */
static bool read_binding(struct attr_reader *r, struct attr_bindings *b)
{
    struct atom head;
    const char *start;
    int slot, v;
    bool ok;

    if (!accept(r, '(')) {
        fail(r, CALQUE_BAD);
        return false;
    }
    r->depth++;
    blanks(r);
    start = r->at;
    head = atom(r);
    if (is_word(head, WORD_INST))
        ok = read_instance(r, b);
    else if (is_word(head, WORD_MATCH))
        ok = read_taken(r, b);
    else if (is_word(head, WORD_SYMBOL))
        ok = read_bound(r, b);
    else {
        r->at = start;
        ok = read_key(r, &slot) && (v = attr_read_value(r)) >= 0 && bind(r, &b->slot, slot, v);
    }
    return ok && attr_read_close(r);
}

bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    if (!accept(r, '(')) {
        fail(r, CALQUE_BAD);
        return false;
    }
    r->depth++;
    while (!peek(r, ')'))
        if (!read_binding(r, b))
            return false;
    return attr_read_close(r);
}

void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}

static const struct attr_named *find_named(const struct attr_bindings *b, int pattern, int label, long k)
{
    for (int j = 0; j < b->other.n; j++) {
        const struct attr_named *x = &b->other.a[j];

        if (x->pattern == pattern && x->label == label && x->k == k)
            return x;
    }
    return NULL;
}

static enum attr_result named_inst(void *ctx, int pattern, long k, int label, int *out)
{
    const struct attr_named *x = find_named(ctx, pattern, label, k);

    if (x)
        *out = x->id;
    return x ? ATTR_VALUE : ATTR_STUCK;
}

static int named_taken(void *ctx, int pattern)
{
    const struct attr_named *x = find_named(ctx, pattern, -1, 0);

    return x ? x->id : -1;
}

struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    return (struct attr_env){ .slot = b->slot.a, .n = b->slot.n, .symbol = b->symbol.a, .nsymbol = b->symbol.n,
                              .inst = named_inst, .taken = named_taken, .ctx = b };
}
