/* Values and expressions are read in one pass each, the forms that are open on a stack: every term read is the value of the
   call, or an operand of the innermost open form, which `)` makes a term. */
#include "attr/read_request.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/strs.h"
#include "base/text.h"

enum {
    NUMBER_MAX = 63, /* characters of a number */
    NOT_READ = -1,   /* ids are not negative */
    FORM_OPENED = -2,
    NO_FORM = -3
};

/* ---- words ---- */

static bool refuse(struct attr_reader *r, enum calque_status status)
{
    r->status = status;
    return false;
}

static int fail(struct attr_reader *r, enum calque_status status)
{
    r->status = status;
    return NOT_READ;
}

/* What a constructor gave: it refuses only what exceeds memory or a limit. */
static int made(struct attr_reader *r, int id)
{
    return id < 0 ? fail(r, CALQUE_LIMIT) : id;
}

static void skip_blanks(struct attr_reader *r)
{
    while (r->at < r->n && (r->text[r->at] == ' ' || r->text[r->at] == '\t'))
        r->at++;
}

static bool sees(const struct attr_reader *r, char c)
{
    return r->at < r->n && r->text[r->at] == c;
}

static bool take(struct attr_reader *r, char c)
{
    skip_blanks(r);
    if (!sees(r, c))
        return refuse(r, CALQUE_BAD);
    r->at++;
    r->depth += c == '(' ? 1 : -1;
    return true;
}

static bool ends_word(char c)
{
    return c == '\0' || c == ' ' || c == '\t' || c == '(' || c == ')' || c == '"';
}

/* Up to a blank, a parenthesis, a quote or a NUL; it may be empty. */
static struct word next_word(struct attr_reader *r)
{
    struct word w;

    skip_blanks(r);
    w.s = r->text + r->at;
    w.n = 0;
    while (r->at < r->n && !ends_word(r->text[r->at])) {
        r->at++;
        w.n++;
    }
    return w;
}

static bool is_word(struct word w, const char *text)
{
    return (size_t)w.n == strlen(text) && memcmp(w.s, text, (size_t)w.n) == 0;
}

/* Is it a number of 64 bits? Then that is in *z. It is summed up below zero, where there is one more. */
static bool is_long(struct word w, long *z)
{
    bool negative = w.n > 0 && w.s[0] == '-';
    long sum = 0;

    if (w.n > NUMBER_MAX || w.n == negative)
        return false;
    for (long k = negative; k < w.n; k++) {
        int digit = w.s[k] - '0';

        if (!isdigit((unsigned char)w.s[k]) || sum < (LONG_MIN + digit) / 10)
            return false;
        sum = 10 * sum - digit;
    }
    if (!negative && sum == LONG_MIN)
        return false;
    *z = negative ? sum : -sum;
    return true;
}

/* Is it a float as text_hex writes it? Then that is in *x. */
static bool is_double(struct word w, double *x)
{
    char buf[NUMBER_MAX + 1], *end;
    long first = w.n > 0 && w.s[0] == '-';

    if (w.n - first < 3 || w.n > NUMBER_MAX)
        return false;
    if (memcmp(w.s + first, "0x", 2) != 0 && !is_word(w, "inf") && !is_word(w, "-inf") && !is_word(w, "nan"))
        return false;
    memcpy(buf, w.s, (size_t)w.n);
    buf[w.n] = '\0';
    *x = strtod(buf, &end);
    return end == buf + w.n;
}

/* The number of a pattern, a symbol or an alternative. */
static bool read_count(struct attr_reader *r, int *out)
{
    struct word w = next_word(r);
    long z;

    if (!is_long(w, &z) || w.s[0] == '-' || z > INT_MAX)
        return refuse(r, CALQUE_BAD);
    *out = (int)z;
    return true;
}

/* The string of a label, which is a name. */
static bool read_label(struct attr_reader *r, int *out)
{
    struct word w = next_word(r);
    bool name = w.n > 0 && !isdigit((unsigned char)w.s[0]);

    for (long k = 0; name && k < w.n; k++)
        name = isalnum((unsigned char)w.s[k]) || w.s[k] == '_';
    if (!name)
        return refuse(r, CALQUE_BAD);
    *out = strs_add(r->strs, w.s, (size_t)w.n);
    return *out >= 0 || refuse(r, CALQUE_NOMEM);
}

/* ---- values ---- */

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The next character of a string, which an escape may stand for; -1: malformed. */
static int read_letter(struct attr_reader *r)
{
    static const char escapes[] = "\\\"nt", letters[] = "\\\"\n\t";
    char c = r->text[r->at++];
    const char *letter;
    int hi, lo;

    if (c != '\\')
        return c >= 32 && c <= 126 ? c : -1;
    c = r->at < r->n ? r->text[r->at++] : '\0';
    if (c == 'x' && r->n - r->at >= 2) {
        hi = hex_digit(r->text[r->at++]);
        lo = hex_digit(r->text[r->at++]);
        return hi < 0 || lo < 0 ? -1 : hi * 16 + lo;
    }
    letter = c == '\0' ? NULL : strchr(escapes, c);
    return letter ? letters[letter - escapes] : -1;
}

/* After the quote that opens it. */
static int read_string(struct attr_reader *r)
{
    struct text s;
    int c = 0, id = NOT_READ;

    text_init(&s, r->attrs->mem);
    while (c >= 0 && r->at < r->n && !sees(r, '"')) {
        c = read_letter(r);
        text_letter(&s, (char)c);
    }
    if (c < 0 || r->at == r->n)
        fail(r, CALQUE_BAD);
    else if (s.failed || (id = strs_add(r->strs, s.a ? s.a : "", (size_t)s.n)) < 0)
        fail(r, CALQUE_NOMEM);
    text_free(&s);
    if (id < 0)
        return NOT_READ;
    r->at++;
    return made(r, value_str(r->attrs->values, id));
}

/* A value that has no elements. */
static int read_scalar(struct attr_reader *r)
{
    struct values *vs = r->attrs->values;
    struct word w;
    double x;
    long z;

    if (sees(r, '"')) {
        r->at++;
        return read_string(r);
    }
    w = next_word(r);
    if (is_word(w, "none"))
        return made(r, value_none(vs));
    if (is_word(w, "true") || is_word(w, "false"))
        return made(r, value_bool(vs, is_word(w, "true")));
    if (is_long(w, &z))
        return made(r, value_int(vs, z));
    return is_double(w, &x) ? made(r, value_float(vs, x)) : fail(r, CALQUE_BAD);
}

static bool push_operand(struct attr_reader *r, int id)
{
    return ints_push(r->attrs->mem, &r->kid, id) || refuse(r, CALQUE_NOMEM);
}

/* The parenthesis is taken. The stack has room, as its forms are among the open parentheses. */
static int push_form(struct attr_reader *r, struct word w, int number)
{
    r->form[r->nform++] = (struct open_form){ .word = w, .number = number, .first = r->kid.n };
    return FORM_OPENED;
}

static struct open_form pop_form(struct attr_reader *r)
{
    struct open_form f = r->form[--r->nform];

    r->kid.n = f.first;
    return f;
}

static int open_tuple(struct attr_reader *r)
{
    struct word w;

    take(r, '(');
    w = next_word(r);
    if (!is_word(w, "tuple"))
        return fail(r, CALQUE_BAD);
    return r->depth > READER_DEPTH_MAX ? fail(r, CALQUE_LIMIT) : push_form(r, w, 0);
}

static int close_tuple(struct attr_reader *r)
{
    int end = r->kid.n;
    struct open_form f = pop_form(r);

    take(r, ')');
    return made(r, value_tuple(r->attrs->values, end > f.first ? r->kid.a + f.first : NULL, end - f.first));
}

static int read_value(struct attr_reader *r)
{
    int base = r->nform, id;

    do {
        skip_blanks(r);
        if (sees(r, ')') && r->nform > base)
            id = close_tuple(r);
        else
            id = sees(r, '(') ? open_tuple(r) : read_scalar(r);
        if (id >= 0 && r->nform > base && !push_operand(r, id))
            id = NOT_READ;
    } while (id != NOT_READ && r->nform > base);
    return id;
}

/* ---- expressions ---- */

static int of_name(struct word w, const char *(*name)(int op), int n)
{
    for (int op = 0; op < n; op++)
        if (is_word(w, name(op)))
            return op;
    return -1;
}

/* The node of an operation with these operands; NO_FORM: there is none. */
static int make_operation(struct attrs *t, struct word w, const int *kid, int n)
{
    int unary = of_name(w, attr_unary_name, ATTR_UNARY_OPS), binary = of_name(w, attr_binary_name, ATTR_BINARY_OPS);
    int reduction = of_name(w, attr_reduction_name, ATTR_REDUCTIONS), func = of_name(w, attr_func_name, ATTR_FUNC_OPS);

    if (unary >= 0 && n == 1)
        return attr_unary(t, unary, kid[0]);
    if (binary >= 0 && n == 2)
        return attr_binary(t, binary, kid[0], kid[1]);
    if (reduction >= 0 && n == 1)
        return attr_reduce(t, reduction, kid[0]);
    return func >= 0 ? attr_func(t, func, kid, n) : NO_FORM;
}

static int make_form(struct attrs *t, struct word w, int number, const int *kid, int n)
{
    if (is_word(w, "tuple"))
        return attr_tuple(t, kid, n);
    if (is_word(w, "proj") && n == 2)
        return attr_proj(t, kid[0], kid[1]);
    if (is_word(w, "cond") && n == 3)
        return attr_cond(t, kid[0], kid[1], kid[2]);
    if (is_word(w, "alt"))
        return attr_choice(t, number, kid, n);
    if (is_word(w, "var") && n == 2)
        return attr_var(t, number, kid[0], kid[1]);
    if (is_word(w, "map") && n == 2)
        return attr_map(t, number, kid[0], kid[1]);
    return make_operation(t, w, kid, n);
}

static int close_form(struct attr_reader *r)
{
    int end = r->kid.n, id;
    struct open_form f = pop_form(r);

    take(r, ')');
    id = make_form(r->attrs, f.word, f.number, end > f.first ? r->kid.a + f.first : NULL, end - f.first);
    return id == NO_FORM ? fail(r, CALQUE_BAD) : made(r, id);
}

/* Is `(inst` the innermost form that was opened since `base`? */
static bool in_instance(const struct attr_reader *r, int base)
{
    return r->nform > base && is_word(r->form[r->nform - 1].word, "inst");
}

/* After its index. */
static int close_instance(struct attr_reader *r, int index)
{
    struct open_form f = pop_form(r);
    int label;

    if (!read_label(r, &label) || !take(r, ')'))
        return NOT_READ;
    return made(r, attr_inst(r->attrs, f.number, index, label));
}

static int read_access(struct attr_reader *r)
{
    int pattern, label;

    if (!read_count(r, &pattern) || !read_label(r, &label) || !take(r, ')'))
        return NOT_READ;
    return made(r, attr_access(r->attrs, pattern, label));
}

static int read_symbol(struct attr_reader *r)
{
    int symbol;

    if (!read_count(r, &symbol) || !take(r, ')'))
        return NOT_READ;
    return made(r, attr_symbol(r->attrs, symbol));
}

/* A tuple: of other values the constant is written as they are. */
static int read_const(struct attr_reader *r)
{
    int v;

    skip_blanks(r);
    if (!sees(r, '('))
        return fail(r, CALQUE_BAD);
    v = read_value(r);
    return v >= 0 && take(r, ')') ? made(r, attr_const(r->attrs, v)) : NOT_READ;
}

/* A form: its node when it has no operands, else FORM_OPENED. */
static int open_form(struct attr_reader *r)
{
    int number = 0;
    struct word w;

    take(r, '(');
    w = next_word(r);
    if (r->depth > READER_DEPTH_MAX)
        return fail(r, CALQUE_LIMIT);
    if (is_word(w, "."))
        return read_access(r);
    if (is_word(w, "const"))
        return read_const(r);
    if (is_word(w, "sym"))
        return read_symbol(r);
    if ((is_word(w, "inst") || is_word(w, "alt") || is_word(w, "var") || is_word(w, "map")) && !read_count(r, &number))
        return NOT_READ;
    return push_form(r, w, number);
}

static int read_leaf(struct attr_reader *r)
{
    long start = r->at;
    int v;

    if (is_word(next_word(r), "_"))
        return made(r, attr_any(r->attrs));
    r->at = start; /* a scalar begins with its word */
    v = read_scalar(r);
    return v < 0 ? v : made(r, attr_const(r->attrs, v));
}

static int read_expr(struct attr_reader *r)
{
    int base = r->nform, id;

    do {
        skip_blanks(r);
        if (sees(r, ')') && r->nform > base && !in_instance(r, base))
            id = close_form(r);
        else
            id = sees(r, '(') ? open_form(r) : read_leaf(r);
        while (id >= 0 && in_instance(r, base))
            id = close_instance(r, id);
        if (id >= 0 && r->nform > base && !push_operand(r, id))
            id = NOT_READ;
    } while (id != NOT_READ && r->nform > base);
    return id;
}

/* ---- environments ---- */

static bool bind(struct attr_reader *r, struct ints *a, int key, int id)
{
    while (a->n <= key)
        if (!ints_push(r->attrs->mem, a, -1))
            return refuse(r, CALQUE_NOMEM);
    if (a->a[key] < 0)
        a->a[key] = id;
    return true;
}

static bool bind_named(struct attr_reader *r, struct attr_bindings *b, struct attr_named x)
{
    if (!vec_room(r->attrs->mem, &b->other, 1))
        return refuse(r, CALQUE_NOMEM);
    b->other.a[b->other.n++] = x;
    return true;
}

static bool read_instance(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_named x;

    return read_count(r, &x.pattern) && (is_long(next_word(r), &x.k) || refuse(r, CALQUE_BAD)) && read_label(r, &x.label) &&
           (x.id = read_value(r)) >= 0 && bind_named(r, b, x);
}

static bool read_taken(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_named x = { .label = -1, .k = 0 };

    return read_count(r, &x.pattern) && read_count(r, &x.id) && bind_named(r, b, x);
}

static bool read_for_symbol(struct attr_reader *r, struct attr_bindings *b)
{
    int symbol, v;

    return read_count(r, &symbol) && (symbol < ATTR_SYMBOL_MAX || refuse(r, CALQUE_LIMIT)) && (v = read_value(r)) >= 0 &&
           bind(r, &b->symbol, symbol, v);
}

static bool read_for_slot(struct attr_reader *r, struct attr_bindings *b)
{
    int pattern, label, slot, v;

    return read_count(r, &pattern) && read_label(r, &label) &&
           ((slot = attr_slot(r->attrs, pattern, label)) >= 0 || refuse(r, CALQUE_NOMEM)) && (v = read_value(r)) >= 0 &&
           bind(r, &b->slot, slot, v);
}

static bool read_binding(struct attr_reader *r, struct attr_bindings *b)
{
    struct word w;
    long start;
    bool ok;

    if (!take(r, '('))
        return false;
    start = r->at;
    w = next_word(r);
    if (is_word(w, "inst")) {
        ok = read_instance(r, b);
    } else if (is_word(w, "alt")) {
        ok = read_taken(r, b);
    } else if (is_word(w, "sym")) {
        ok = read_for_symbol(r, b);
    } else {
        r->at = start;
        ok = read_for_slot(r, b);
    }
    return ok && take(r, ')');
}

static bool read_bindings(struct attr_reader *r, struct attr_bindings *b)
{
    bool ok = take(r, '(');

    for (skip_blanks(r); ok && !sees(r, ')'); skip_blanks(r))
        ok = read_binding(r, b);
    return ok && take(r, ')');
}

static enum attr_result ask_instance(void *ctx, int pattern, long k, int label, int *out)
{
    const struct attr_bindings *b = ctx;
    const struct attr_named *x = b->other.a, *end = x ? x + b->other.n : x;

    while (x != end && (x->pattern != pattern || x->label != label || x->k != k))
        x++;
    if (x == end)
        return ATTR_STUCK;
    *out = x->id;
    return ATTR_VALUE;
}

static int ask_taken(void *ctx, int pattern)
{
    int k = -1;

    return ask_instance(ctx, pattern, 0, -1, &k) == ATTR_VALUE ? k : -1;
}

struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    return (struct attr_env){ .slot = b->slot.a, .n = b->slot.n, .symbol = b->symbol.a, .nsymbol = b->symbol.n,
                              .inst = ask_instance, .taken = ask_taken, .ctx = b };
}

void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}

/* ---- the reader ---- */

void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs, const char *text, size_t n)
{
    r->text = text;
    r->n = (long)n;
    r->at = 0;
    r->attrs = attrs;
    r->strs = strs;
    r->status = CALQUE_OK;
    r->depth = r->nform = 0;
    r->kid = (struct ints){ 0 };
}

int attr_read_value(struct attr_reader *r)
{
    int id = r->status == CALQUE_OK ? read_value(r) : NOT_READ;

    ints_free(&r->kid);
    return id;
}

int attr_read(struct attr_reader *r)
{
    int id = r->status == CALQUE_OK ? read_expr(r) : NOT_READ;

    ints_free(&r->kid);
    return id;
}

bool attr_read_open(struct attr_reader *r, const char *word)
{
    if (r->status != CALQUE_OK || !take(r, '('))
        return false;
    return is_word(next_word(r), word) || refuse(r, CALQUE_BAD);
}

bool attr_read_close(struct attr_reader *r)
{
    return r->status == CALQUE_OK && (r->depth > 0 || refuse(r, CALQUE_BAD)) && take(r, ')');
}

bool attr_read_end(struct attr_reader *r)
{
    skip_blanks(r);
    return r->status == CALQUE_OK && (r->at == r->n || refuse(r, CALQUE_BAD));
}

bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_bindings read = { 0 };
    bool ok = r->status == CALQUE_OK && read_bindings(r, &read);

    ints_free(&r->kid);
    attr_bindings_free(ok ? b : &read);
    if (ok)
        *b = read;
    return ok;
}
