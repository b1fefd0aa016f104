/* Types, numbers and the data of constants in .graph text. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "graph/text_internal.h"

/* Element types whose values are written as integers, with their ranges. */
static const struct {
    int dtype;
    long least, most;
} integers[] = {
    {2, 0, UINT8_MAX},          {3, INT8_MIN, INT8_MAX},    {4, 0, UINT16_MAX},
    {5, INT16_MIN, INT16_MAX},  {6, INT32_MIN, INT32_MAX},  {DTYPE_I64, LONG_MIN, LONG_MAX},
    {9, 0, 1},                  {12, 0, UINT32_MAX},
};
enum { INTEGERS = sizeof integers / sizeof *integers };

static int integer_type(int dtype)
{
    for (int i = 0; i < INTEGERS; i++)
        if (integers[i].dtype == dtype)
            return i;
    return -1;
}

bool read_number(struct reader *r, struct number *out)
{
    struct lex *lx = &r->lx;
    bool minus = lex_accept(lx, "-");

    memset(out, 0, sizeof *out);
    if (!minus && lex_accept(lx, "int_min")) {
        out->i = LONG_MIN;
        return true;
    }
    if (lx->tok.kind == TOK_INT) {
        out->i = minus ? -lx->tok.num : lx->tok.num;
        out->x = minus ? -(double)lx->tok.num : (double)lx->tok.num;
        return lex_next(lx);
    }
    out->real = true;
    if (lx->tok.kind == TOK_FLOAT)
        out->x = lx->tok.real;
    else if (lex_is(lx, "inf"))
        out->x = (double)INFINITY;
    else if (lex_is(lx, "nan"))
        out->x = (double)NAN;
    else
        return reader_expected(r, "a number");
    if (minus)
        out->x = -out->x;
    return lex_next(lx);
}

bool read_type(struct reader *r, int *dtype, struct shape *shape)
{
    struct lex *lx = &r->lx;
    struct place at = reader_here(r);

    memset(shape, 0, sizeof *shape);
    *dtype = DTYPE_UNKNOWN;
    if (!lex_accept(lx, "?")) {
        if (lx->tok.kind != TOK_NAME)
            return reader_expected(r, "an element type");
        *dtype = dtype_of_name(lx->tok.start, (size_t)lx->tok.len);
        if (*dtype == DTYPE_UNKNOWN)
            return reader_fail(r, CALQUE_BAD, at, "unknown element type '%.*s'",
                               lx->tok.len > 40 ? 40 : lx->tok.len, lx->tok.start);
        lex_next(lx);
    }
    if (!lex_expect(lx, "["))
        return false;
    if (lex_accept(lx, "?")) {
        shape->rank = -1;
        return lex_expect(lx, "]");
    }
    for (bool more = !lex_is(lx, "]"); more; more = lex_accept(lx, ",")) {
        if (lx->tok.kind != TOK_INT)
            return reader_expected(r, "a dimension");
        if (shape->rank == RANK_MAX)
            return reader_fail(r, CALQUE_LIMIT, reader_here(r), "more than %d dimensions", RANK_MAX);
        shape->dim[shape->rank++] = lx->tok.num;
        lex_next(lx);
        if (!lex_is(lx, "]") && !lex_is(lx, ","))
            return lex_expect(lx, ",");
    }
    if (shape_elems(shape) < 0)
        return reader_fail(r, CALQUE_LIMIT, at, "the type has more than %ld elements",
                           TENSOR_ELEMS_MAX);
    return lex_next(lx);
}

/* Stores a number in element i. */
static bool put(struct reader *r, struct tensor *t, long i, const struct number *v, struct place at)
{
    size_t size = dtype_size(t->dtype);
    unsigned char *p = (unsigned char *)t->data + (size_t)i * size;
    double x = v->real ? v->x : (double)v->i;
    int k = integer_type(t->dtype);

    if (t->dtype == DTYPE_F32) {
        float f;
        if (!isinf(x) && fabs(x) >= 0x1.ffffffp+127)
            return reader_fail(r, CALQUE_BAD, at, "the number is too large for f32");
        f = (float)x;
        memcpy(p, &f, size);
    } else if (t->dtype == DTYPE_F64) {
        memcpy(p, &x, size);
    } else if (k < 0) {
        return reader_fail(r, CALQUE_BAD, at, "data of type %s is written as a string of bytes",
                           dtype_name(t->dtype));
    } else {
        if (v->real)
            return reader_fail(r, CALQUE_BAD, at, "a float in data of type %s", dtype_name(t->dtype));
        if (v->i < integers[k].least || v->i > integers[k].most)
            return reader_fail(r, CALQUE_BAD, at, "%ld does not fit in %s", v->i,
                               dtype_name(t->dtype));
        memcpy(p, &v->i, size); /* little-endian */
    }
    return true;
}

/* A list at nesting level 1.. of the shape; *n counts the elements stored so far. Recursion is bounded by
   RANK_MAX. */
static bool read_list(struct reader *r, struct tensor *t, int level, long *n)
{
    struct lex *lx = &r->lx;
    struct place open = reader_here(r), at;
    long elems = shape_elems(&t->shape), items = 0, start = *n;
    bool lists = false;
    struct number v;

    lex_next(lx);
    for (bool more = !lex_is(lx, "]"); more; more = lex_accept(lx, ",")) {
        at = reader_here(r);
        if (items > 0 && lists != lex_is(lx, "["))
            return reader_fail(r, CALQUE_BAD, at, "numbers and lists are mixed");
        lists = lex_is(lx, "[");
        if (lists && level >= t->shape.rank)
            return reader_fail(r, CALQUE_BAD, at, "lists are nested deeper than the shape");
        if (lists ? !read_list(r, t, level + 1, n) : !read_number(r, &v))
            return false;
        if (!lists && *n >= elems)
            return reader_fail(r, CALQUE_BAD, at, "more than %ld elements", elems);
        if (!lists && !put(r, t, (*n)++, &v, at))
            return false;
        items++;
        if (!lex_is(lx, "]") && !lex_is(lx, ","))
            return lex_expect(lx, ",");
    }
    if ((lists || level > 1) && items != t->shape.dim[level - 1])
        return reader_fail(r, CALQUE_BAD, open, "%ld items, expected %ld", items,
                           t->shape.dim[level - 1]);
    if (!lists && level > 1 && level < t->shape.rank && items > 0)
        return reader_fail(r, CALQUE_BAD, open, "lists are nested less deep than the shape");
    if (level == 1 && *n - start != elems)
        return reader_fail(r, CALQUE_BAD, open, "%ld elements, expected %ld", *n - start, elems);
    return lex_next(lx);
}

/* The bytes of the elements. Strings (no fixed size) keep what they are given. */
static bool read_bytes(struct reader *r, int dtype, const struct shape *shape, struct tensor *out)
{
    struct place at = reader_here(r);
    int n;

    if (dtype == DTYPE_STR) {
        out->dtype = dtype;
        out->shape = *shape;
        out->bytes = 0;
        out->data = mem_zero(r->g->mem, (size_t)r->lx.tok.len + 1, 1);
        if (!out->data)
            return reader_nomem(r);
        out->bytes = (size_t)lex_unescape(&r->lx.tok, out->data);
        return lex_next(&r->lx);
    }
    r->scratch.n = 0;
    if (!vec_room(r->g->mem, &r->scratch, r->lx.tok.len + 1))
        return reader_nomem(r);
    n = lex_unescape(&r->lx.tok, r->scratch.a);
    if ((size_t)n != out->bytes)
        return reader_fail(r, CALQUE_BAD, at, "%d bytes, expected %zu", n, out->bytes);
    if (n > 0)
        memcpy(out->data, r->scratch.a, (size_t)n);
    return lex_next(&r->lx);
}

static bool read_elements(struct reader *r, struct tensor *t)
{
    struct place at = reader_here(r);
    long n = 0;
    struct number v;

    if (r->lx.tok.kind == TOK_STRING)
        return read_bytes(r, t->dtype, &t->shape, t);
    if (lex_is(&r->lx, "["))
        return read_list(r, t, 1, &n);
    if (!read_number(r, &v))
        return false;
    for (; n < shape_elems(&t->shape); n++)
        if (!put(r, t, n, &v, at))
            return false;
    return true;
}

/* A new tensor, or an error at the type. */
static bool new_tensor(struct reader *r, int dtype, const struct shape *shape, struct place at,
                       struct tensor *out)
{
    struct diag d;
    enum calque_status st = tensor_new(r->g->mem, dtype, shape, out, &d);

    if (st == CALQUE_NOMEM)
        return reader_nomem(r);
    return st == CALQUE_OK || reader_fail(r, st, at, "%s", d.text);
}

bool read_data(struct reader *r, int dtype, const struct shape *shape, struct place at,
               struct tensor *out)
{
    memset(out, 0, sizeof *out);
    if (dtype == DTYPE_UNKNOWN || shape->rank < 0)
        return reader_fail(r, CALQUE_BAD, at, "the type of a constant is known");
    if (dtype == DTYPE_STR) {
        if (r->lx.tok.kind != TOK_STRING)
            return reader_expected(r, "a string of bytes");
        if (read_bytes(r, dtype, shape, out))
            return true;
        tensor_free(out);
        return false;
    }
    if (!new_tensor(r, dtype, shape, at, out))
        return false;
    if (read_elements(r, out))
        return true;
    tensor_free(out);
    return false;
}

bool fill_param(struct reader *r, int name, int dtype, const struct shape *shape, struct place at,
                struct tensor *out)
{
    const unsigned char *s = (const unsigned char *)strs_text(r->g->strs, name);
    uint64_t state = 14695981039346656037u, z; /* FNV-1a */
    long n = shape_elems(shape);

    memset(out, 0, sizeof *out);
    if ((dtype != DTYPE_F32 && dtype != DTYPE_I64) || shape->rank < 0)
        return reader_fail(r, CALQUE_BAD, at, "a param of this type needs data");
    if (n > GRAPH_TEXT_FILL_MAX)
        return reader_fail(r, CALQUE_LIMIT, at, "a param without data has at most %ld elements",
                           GRAPH_TEXT_FILL_MAX);
    if (!new_tensor(r, dtype, shape, at, out))
        return false;
    for (int i = 0; i < strs_len(r->g->strs, name); i++)
        state = (state ^ s[i]) * 1099511628211u;
    for (long i = 0; i < n; i++) {
        z = state += 0x9e3779b97f4a7c15u; /* splitmix64 */
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z = (z ^ (z >> 31)) >> 40;
        if (dtype == DTYPE_F32)
            tensor_f32(out)[i] = (float)z / 0x1p+23f - 1.0f;
        else
            tensor_i64(out)[i] = (long)(z % 16) - 8;
    }
    return true;
}

/* Do the elements have no text as numbers that reads back bit for bit? */
static bool needs_bytes(const struct tensor *t, long n)
{
    const unsigned char *p = t->data;

    if (t->dtype == DTYPE_F32) {
        for (long i = 0; i < n; i++) {
            uint32_t bits;
            memcpy(&bits, p + 4 * i, sizeof bits);
            if ((bits & 0x7fffffffu) > 0x7f800000u && bits != 0x7fc00000u)
                return true; /* a NaN other than nan */
        }
        return false;
    }
    if (t->dtype == DTYPE_F64) {
        for (long i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, p + 8 * i, sizeof bits);
            if ((bits & INT64_MAX) > 0x7ff0000000000000u && bits != 0x7ff8000000000000u)
                return true;
        }
        return false;
    }
    if (t->dtype == 9) {
        for (long i = 0; i < n; i++)
            if (p[i] > 1)
                return true; /* a bool that is neither */
        return false;
    }
    return integer_type(t->dtype) < 0;
}

static void write_element(struct text *out, const struct tensor *t, long i)
{
    size_t size = dtype_size(t->dtype);
    const unsigned char *p = (const unsigned char *)t->data + (size_t)i * size;
    int k = integer_type(t->dtype);
    float f;
    double x;
    long v = 0;

    if (t->dtype == DTYPE_F32) {
        memcpy(&f, p, size);
        text_hex(out, (double)f);
    } else if (t->dtype == DTYPE_F64) {
        memcpy(&x, p, size);
        text_hex(out, x);
    } else {
        memcpy(&v, p, size);
        if (integers[k].least < 0 && size < 8 && v >> (8 * size - 1))
            v -= 1L << (8 * size); /* sign */
        if (v == LONG_MIN)
            text_puts(out, "int_min");
        else
            text_printf(out, "%ld", v);
    }
}

void write_data(struct text *out, const struct tensor *t)
{
    long n = shape_elems(&t->shape);

    if (dtype_size(t->dtype) == 0 || needs_bytes(t, n)) {
        text_quote(out, t->data ? t->data : "", t->bytes);
        return;
    }
    if (t->shape.rank == 0) {
        write_element(out, t, 0);
        return;
    }
    text_puts(out, "[");
    for (long i = 0; i < n && !out->failed; i++) {
        if (i > 0)
            text_puts(out, ", ");
        write_element(out, t, i);
    }
    text_puts(out, "]");
}
