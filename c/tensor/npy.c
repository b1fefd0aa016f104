/* Tensors as .npy files, and the names of these files. Invariant: nothing is read beyond the bytes given, and two
   tensors never have one file. */
#include "tensor/npy.h"

#include "tensor/op.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <math.h>

static const struct {
    int dtype;
    const char *descr;
} descrs[] = {{DTYPE_F32, "<f4"}, {DTYPE_F64, "<f8"}, {DTYPE_I32, "<i4"}, {DTYPE_I64, "<i8"},
          {DTYPE_I8, "|i1"},  {DTYPE_U8, "|u1"},  {DTYPE_BOOL, "|b1"}};
enum { DESCRS = sizeof descrs / sizeof *descrs };
#define KNOWN "only '<f4', '<f8', '<i4', '<i8', '|i1', '|u1' and '|b1'"

const char *npy_descr(int dtype)
{
    for (int i = 0; i < DESCRS; i++)
        if (descrs[i].dtype == dtype)
            return descrs[i].descr;
    return NULL;
}

/* The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. */
struct npy {
    const char *file;
    const unsigned char *a;
    size_t at, end; /* of the header */
    struct diag *d;
    int dtype;      /* DTYPE_UNKNOWN until read */
    int order;      /* -1 until read, else fortran_order */
    bool shaped;
    struct shape shape;
};

#define BAD(p, ...) diag_set((p)->d, CALQUE_BAD, (p)->file, 0, 0, __VA_ARGS__)

static void blank(struct npy *p)
{
    while (p->at < p->end && (p->a[p->at] == ' ' || p->a[p->at] == '\n' || p->a[p->at] == '\t'))
        p->at++;
}

/* Skips white space and this text if it is next. */
static bool accept(struct npy *p, const char *text)
{
    size_t n = strlen(text);

    blank(p);
    if (p->end - p->at < n || memcmp(p->a + p->at, text, n) != 0)
        return false;
    p->at += n;
    return true;
}

static enum calque_status expect(struct npy *p, const char *text)
{
    return accept(p, text) ? CALQUE_OK : BAD(p, "npy header: expected \"%s\" at byte %zu", text, p->at);
}

/* A quoted string without escapes: its start, and *n bytes. */
static enum calque_status quoted(struct npy *p, const char **s, int *n)
{
    unsigned char quote;
    size_t start;

    blank(p);
    if (p->at == p->end || (p->a[p->at] != '\'' && p->a[p->at] != '"'))
        return BAD(p, "npy header: expected a string at byte %zu", p->at);
    quote = p->a[p->at];
    start = ++p->at;
    while (p->at < p->end && p->a[p->at] != quote && p->at - start < 64)
        p->at++;
    if (p->at == p->end || p->a[p->at] != quote)
        return BAD(p, "npy header: the string at byte %zu is not closed", start - 1);
    *s = (const char *)p->a + start;
    *n = (int)(p->at++ - start);
    return CALQUE_OK;
}

static enum calque_status read_shape(struct npy *p)
{
    enum calque_status st = expect(p, "(");

    p->shape.rank = 0;
    while (st == CALQUE_OK && !accept(p, ")")) {
        size_t start = p->at;
        long dim = 0;
        for (; p->at < p->end && p->a[p->at] >= '0' && p->a[p->at] <= '9'; p->at++)
            if (dim <= TENSOR_ELEMS_MAX)
                dim = dim * 10 + (p->a[p->at] - '0');
        if (p->at == start)
            return BAD(p, "npy header: expected a dimension at byte %zu", p->at);
        if (dim > TENSOR_ELEMS_MAX || p->shape.rank == RANK_MAX)
            return diag_set(p->d, CALQUE_LIMIT, p->file, 0, 0,
                            "npy: more than %d dimensions or %ld elements (byte %zu)", RANK_MAX,
                            TENSOR_ELEMS_MAX, start);
        p->shape.dim[p->shape.rank++] = dim;
        if (!accept(p, ",")) {
            st = expect(p, ")");
            break;
        }
    }
    p->shaped = true;
    return st;
}

static enum calque_status read_descr(struct npy *p)
{
    const char *s;
    int n;
    enum calque_status st;

    blank(p);
    if (p->at < p->end && p->a[p->at] == '[')
        return BAD(p, "npy: structured elements (byte %zu) are not supported, " KNOWN, p->at);
    st = quoted(p, &s, &n);
    if (st != CALQUE_OK)
        return st;
    for (int i = 0; i < DESCRS && p->dtype == DTYPE_UNKNOWN; i++)
        if (n == 3 && memcmp(s, descrs[i].descr, 3) == 0)
            p->dtype = descrs[i].dtype;
    if (p->dtype != DTYPE_UNKNOWN)
        return CALQUE_OK;
    return BAD(p, "npy: element type '%.*s' (byte %zu) is not supported, " KNOWN, n, s, p->at - (size_t)n - 2);
}

static enum calque_status read_entry(struct npy *p)
{
    size_t start;
    const char *key;
    int n;
    enum calque_status st;

    blank(p);
    start = p->at;
    if ((st = quoted(p, &key, &n)) != CALQUE_OK || (st = expect(p, ":")) != CALQUE_OK)
        return st;
    if (n == 5 && memcmp(key, "descr", 5) == 0 && p->dtype == DTYPE_UNKNOWN)
        return read_descr(p);
    if (n == 5 && memcmp(key, "shape", 5) == 0 && !p->shaped)
        return read_shape(p);
    if (n == 13 && memcmp(key, "fortran_order", 13) == 0 && p->order < 0) {
        p->order = accept(p, "True");
        return p->order ? CALQUE_OK : expect(p, "False");
    }
    return BAD(p, "npy header: unknown or repeated key '%.*s' at byte %zu", n, key, start);
}

static enum calque_status read_header(struct npy *p)
{
    enum calque_status st = expect(p, "{");

    while (st == CALQUE_OK && !accept(p, "}")) {
        st = read_entry(p);
        if (st == CALQUE_OK && !accept(p, ",")) {
            st = expect(p, "}");
            break;
        }
    }
    if (st != CALQUE_OK)
        return st;
    blank(p);
    if (p->at != p->end)
        return BAD(p, "npy header: unexpected text at byte %zu", p->at);
    if (p->dtype == DTYPE_UNKNOWN || p->order < 0 || !p->shaped)
        return BAD(p, "npy header: no '%s'",
                   p->dtype == DTYPE_UNKNOWN ? "descr" : p->order < 0 ? "fortran_order" : "shape");
    /* With one long axis at most both orders are the same. */
    if (p->order == 1) {
        int axes = 0;
        for (int i = 0; i < p->shape.rank; i++)
            axes += p->shape.dim[i] > 1;
        if (axes > 1)
            return BAD(p, "npy: the elements are in Fortran order, expected C order");
    }
    return CALQUE_OK;
}

/* Magic, version and the header's extent. */
static enum calque_status read_preamble(struct npy *p, size_t n)
{
    size_t len, width;

    if (n < 10 || memcmp(p->a, "\x93NUMPY", 6) != 0)
        return BAD(p, "not a .npy file: it does not start with \\x93NUMPY");
    if (p->a[6] < 1 || p->a[6] > 3)
        return BAD(p, "npy: unknown version %d.%d (byte 6)", p->a[6], p->a[7]);
    width = p->a[6] == 1 ? 2 : 4;
    if (n < 8 + width)
        return BAD(p, "npy: the file ends in its header (byte %zu)", n);
    len = p->a[8] | (size_t)p->a[9] << 8;
    if (width == 4)
        len |= (size_t)p->a[10] << 16 | (size_t)p->a[11] << 24;
    p->at = 8 + width;
    if (len > n - p->at)
        return BAD(p, "npy: the file ends in its header (byte %zu)", n);
    p->end = p->at + len;
    return CALQUE_OK;
}

enum calque_status npy_read(struct mem *mem, const char *file, const void *bytes, size_t n,
                            struct tensor *out, struct diag *d)
{
    struct npy p = {.file = file, .a = bytes, .d = d, .order = -1};
    enum calque_status st;
    struct diag why;

    memset(out, 0, sizeof *out);
    if ((st = read_preamble(&p, n)) != CALQUE_OK || (st = read_header(&p)) != CALQUE_OK)
        return st;
    if (shape_elems(&p.shape) < 0)
        return diag_set(d, CALQUE_LIMIT, file, 0, 0, "npy: more than %ld elements", TENSOR_ELEMS_MAX);
    if ((size_t)shape_elems(&p.shape) * dtype_size(p.dtype) != n - p.end)
        return BAD(&p, "npy: %zu bytes of data from byte %zu, expected %zu", n - p.end, p.end,
                   (size_t)shape_elems(&p.shape) * dtype_size(p.dtype));
    for (size_t i = p.end; p.dtype == DTYPE_BOOL && i < n; i++)
        if (p.a[i] > 1)
            return BAD(&p, "npy: a boolean that is neither 0 nor 1 (byte %zu)", i);
    st = tensor_new(mem, p.dtype, &p.shape, out, &why);
    if (st != CALQUE_OK)
        return diag_set(d, st, file, 0, 0, "%s", why.text);
    if (out->bytes > 0)
        memcpy(out->data, p.a + p.end, out->bytes);
    return CALQUE_OK;
}

enum calque_status npy_write(struct text *out, const struct tensor *t, struct diag *d)
{
    int start = out->n, pad, len;

    if (!npy_descr(t->dtype))
        return diag_set(d, CALQUE_BAD, "", 0, 0, "npy: element type %s is not supported",
                        dtype_name(t->dtype));
    text_put(out, "\x93NUMPY\x01\x00\x00\x00", 10);
    text_printf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                npy_descr(t->dtype));
    for (int i = 0; i < t->shape.rank; i++)
        text_printf(out, i ? ", %ld" : "%ld", t->shape.dim[i]);
    text_puts(out, t->shape.rank == 1 ? ",), }" : "), }");
    pad = 64 - (out->n - start + 1) % 64; /* the data is aligned to 64 bytes */
    text_printf(out, "%*s\n", pad % 64, "");
    if (out->failed)
        return text_status(out, d);
    len = out->n - start - 10;
    out->a[start + 8] = (char)(len & 255);
    out->a[start + 9] = (char)(len >> 8);
    text_put(out, t->data, t->bytes);
    return text_status(out, d);
}

enum { STEM_MAX = 200, NUMBER_MAX = 16 }; /* bytes; file systems have 255 */

/* While names are given out: the names and the stems in small letters, each with its first owner or next number. */
struct giving {
    struct npy_names *x;
    struct mem *mem;
    struct strs names, taken;
    struct ints first;  /* name -> place in the list */
    struct ints number; /* stem taken -> the number to try next */
};

/* What a file may be named, at most STEM_MAX bytes: out differs from name where something had to change. */
static void plain(const char *name, char *out)
{
    size_t n = 0;

    for (; name[n] && n < STEM_MAX; n++) {
        unsigned char c = (unsigned char)name[n];
        out[n] = c < 32 || c == 127 || strchr("/\\:*?\"<>| ", c) || (n == 0 && c == '.') ? '_' : (char)c;
    }
    while (name[n] && n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) /* not inside a character of UTF-8 */
        n--;
    if (n == 0)
        out[n++] = '_';
    out[n] = '\0';
}

/* The id of the stem in small letters: a new one, or *old. -1: memory. */
static int take(struct giving *v, const char *stem, bool *old)
{
    char small[STEM_MAX + NUMBER_MAX + 1];
    size_t n = 0;
    int id, count = v->taken.entry.n;

    for (; stem[n]; n++)
        small[n] = (char)tolower((unsigned char)stem[n]);
    id = strs_add(&v->taken, small, n);
    *old = id >= 0 && id < count;
    return id < 0 || *old || ints_push(v->mem, &v->number, 2) ? id : -1;
}

/* Gives name k its stem; numbered: with a number if the stem is taken, else it then has none (-1). False: no memory. */
static bool give(struct giving *v, int k, const char *stem, bool numbered)
{
    char tried[STEM_MAX + NUMBER_MAX + 1];
    bool old;
    int id = take(v, stem, &old);

    snprintf(tried, sizeof tried, "%s", stem);
    while (id >= 0 && old && numbered) {
        snprintf(tried, sizeof tried, "%s_%d", stem, v->number.a[id]++);
        if (take(v, tried, &old) < 0)
            return false;
    }
    if (id < 0)
        return false;
    v->x->stem.a[k] = old ? -1 : strs_addz(&v->x->strs, tried);
    return old || v->x->stem.a[k] >= 0;
}

/* The place where the name stood first. -1: memory. */
static int first_place(struct giving *v, const char *name, int k)
{
    int id = strs_addz(&v->names, name);

    if (id < 0 || (id == v->first.n && !ints_push(v->mem, &v->first, k)))
        return -1;
    return v->first.a[id];
}

static bool give_all(struct giving *v, const char *const *name, int n)
{
    char stem[STEM_MAX + 1];

    for (int k = 0; k < n; k++) {
        int at = first_place(v, name[k], k);
        if (at < 0 || !ints_push(v->mem, &v->x->stem, -1))
            return false;
        plain(name[k], stem);
        if (at == k && strcmp(stem, name[k]) == 0 && !give(v, k, stem, false))
            return false;
    }
    for (int k = 0; k < n; k++) {
        int at = first_place(v, name[k], k);
        plain(name[k], stem);
        if (at == k && v->x->stem.a[k] < 0 && !give(v, k, stem, true))
            return false;
        v->x->stem.a[k] = v->x->stem.a[at];
    }
    return true;
}

enum calque_status npy_names(struct npy_names *x, struct mem *mem, const char *const *name, int n, struct diag *d)
{
    struct giving v = { .x = x, .mem = mem };
    bool ok;

    memset(x, 0, sizeof *x);
    strs_init(&x->strs, mem);
    strs_init(&v.names, mem);
    strs_init(&v.taken, mem);
    ok = give_all(&v, name, n);
    strs_free(&v.names);
    strs_free(&v.taken);
    ints_free(&v.first);
    ints_free(&v.number);
    return ok ? CALQUE_OK : diag_nomem(d);
}

enum calque_status npy_names_graph(struct npy_names *x, const struct graph *g, struct diag *d)
{
    int n = g->input.n + g->output.n;
    const char **name = mem_zero(g->mem, (size_t)n + 1, sizeof *name);
    enum calque_status st;

    for (int i = 0; name && i < n; i++)
        name[i] = i < g->input.n ? graph_name(g, g->input.a[i])
                                 : strs_text(g->strs, g->output.a[i - g->input.n].name);
    st = npy_names(x, g->mem, name, name ? n : 0, d);
    mem_free(name);
    return name || st != CALQUE_OK ? st : diag_nomem(d);
}

const char *npy_stem(const struct npy_names *x, int k)
{
    return strs_text(&x->strs, x->stem.a[k]);
}

void npy_names_free(struct npy_names *x)
{
    strs_free(&x->strs);
    ints_free(&x->stem);
}

/* The text of element types, sizes and cells. Invariant: it depends on the values only, not on the bits of a NaN. */

void cells_type(struct text *t, int dtype, const struct shape *s)
{
    text_printf(t, "(%s", dtype ? dtype_name(dtype) : "?");
    if (s->rank < 0)
        text_puts(t, " ?");
    for (int k = 0; k < s->rank; k++)
        text_printf(t, " %ld", s->dim[k]);
    text_puts(t, ")");
}

static void cell_f32(struct text *t, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        text_puts(t, " nan");
    else
        text_printf(t, " %08lx", (unsigned long)bits);
}

static void cell_f64(struct text *t, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        text_puts(t, " nan");
    else
        text_printf(t, " %016lx", (unsigned long)bits);
}

static void cell_bytes(struct text *t, const unsigned char *a, size_t n)
{
    text_puts(t, " ");
    for (size_t k = 0; k < n; k++)
        text_printf(t, "%02x", a[k]);
}

void cells_text(struct text *t, const struct tensor *x)
{
    size_t size = dtype_size(x->dtype);
    const unsigned char *bytes = x->data;

    for (size_t i = 0; size > 0 && i < x->bytes / size && !t->failed; i++)
        switch (x->dtype) {
        case DTYPE_F32: cell_f32(t, ((const float *)x->data)[i]); break;
        case DTYPE_F64: cell_f64(t, ((const double *)x->data)[i]); break;
        case DTYPE_I32: text_printf(t, " %ld", (long)((const int32_t *)x->data)[i]); break;
        case DTYPE_I64: text_printf(t, " %ld", ((const long *)x->data)[i]); break;
        case DTYPE_I8: text_printf(t, " %d", (int)(int8_t)bytes[i]); break;
        case DTYPE_U8: text_printf(t, " %d", (int)bytes[i]); break;
        case DTYPE_BOOL: text_puts(t, bytes[i] ? " 1" : " 0"); break;
        default: cell_bytes(t, bytes + i * size, size);
        }
}
