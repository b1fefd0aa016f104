/* Targets over kernels and programs: read, printed, inlined, differentiated, lowered, emitted. */
#include <ctype.h>

#include "dpia/parse.h"
#include "emit/emit.h"
#include "fuzz/fuzz.h"
#include "kernel/grad.h"
#include "kernel/inline.h"

enum { WORK = 20000, WRT = 8, NODES = 20000, SEEN = 256 };

static const char *const stages[] = { "kernel", "dpia", "sexp", "comm", "c" };

/* ---- values ---- */

/* Storage of all tensors of k: small numbers that depend on the tensor's name and the place; NULL: memory is out. */
static void **kernel_data(struct fuzz *f, const struct kernel *k)
{
    void **data = mem_zero(&f->mem, (size_t)k->tensor.n, sizeof *data);

    for (int t = 0; data && t < k->tensor.n; t++) {
        long n = kernel_elems(k, t);
        data[t] = mem_zero(&f->mem, (size_t)n, 8);
        for (long i = 0; data[t] && i < n; i++) {
            double x = (double)((i * 7 + k->tensor.a[t].name * 3) % 11 - 5) / 4;
            kernel_convert(ELEM_F64, &x, kernel_stored(k, t), (char *)data[t] + (size_t)i * kernel_bytes(k, t) / (size_t)n, 1);
        }
        if (!data[t]) {
            while (t-- > 0)
                mem_free(data[t]);
            mem_free(data);
            return NULL;
        }
    }
    return data;
}

static void free_data(const struct kernel *k, void **data)
{
    for (int t = 0; data && t < k->tensor.n; t++)
        mem_free(data[t]);
    mem_free(data);
}

/* The bits, every NaN being one. */
static bool same_cell(int stored, const char *a, const char *b)
{
    float x, y;
    double u, v;

    if (stored == ELEM_F32) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return (x != x && y != y) || memcmp(a, b, sizeof x) == 0;
    }
    if (stored == ELEM_F64) {
        memcpy(&u, a, sizeof u);
        memcpy(&v, b, sizeof v);
        return (u != u && v != v) || memcmp(a, b, sizeof u) == 0;
    }
    return memcmp(a, b, elem_size(stored)) == 0;
}

/* j computes what k does, output for output, whenever k computes something. */
static void same_values(struct fuzz *f, const struct kernel *k, const struct kernel *j)
{
    void **x, **y;
    bool run;

    for (int t = 0; t < k->tensor.n; t++)
        if (kernel_elems(k, t) > WORK)
            return;
    if (kernel_cost(k) > WORK || kernel_cost(j) > 10 * WORK)
        return;
    x = kernel_data(f, k);
    y = kernel_data(f, j);
    run = x && y && fuzz_ok(f, kernel_run(k, x, 1, &f->d));
    MUST(f, !run || fuzz_ok(f, kernel_run(j, y, 1, &f->d)) || fuzz_short(f));
    for (int t = 0; t < k->tensor.n && run; t++)
        if (k->tensor.a[t].role == KERNEL_OUT) {
            int u = kernel_find_tensor(j, k->tensor.a[t].name), stored = kernel_stored(k, t);
            MUST(f, u >= 0 && kernel_stored(j, u) == stored && kernel_elems(j, u) == kernel_elems(k, t));
            for (size_t i = 0; i < kernel_bytes(k, t) && !fuzz_short(f); i += elem_size(stored))
                MUST(f, same_cell(stored, (char *)x[t] + i, (char *)y[u] + i));
        }
    free_data(k, x);
    free_data(j, y);
}

/* ---- printing ---- */

/* The outputs of k by name, in out (of k->tensor.n); their number. */
static int outputs_of(const struct kernel *k, int *out)
{
    int n = 0;

    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_OUT)
            out[n++] = k->tensor.a[t].name;
    return n;
}

void fuzz_kernel_prints(struct fuzz *f, const struct kernel *k)
{
    struct text first, second;
    struct kernel again;
    int *out = mem_zero(&f->mem, (size_t)k->tensor.n, sizeof *out);

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    kernel_init(&again, &f->mem, &f->strs, k->type);
    kernel_print(&first, k);
    if (out && fuzz_ok(f, text_status(&first, &f->d))) {
        bool read = fuzz_ok(f, kernel_parse(&again, "again.kern", first.a, (size_t)first.n, out, outputs_of(k, out), &f->d));
        if (!read && !fuzz_short(f))
            fuzz_same(f, &first, &second, "a kernel that does not read back");
        kernel_print(&second, &again);
        if (read && fuzz_ok(f, text_status(&second, &f->d)))
            fuzz_same(f, &first, &second, "kernel");
        if (read)
            same_values(f, k, &again);
    }
    kernel_free(&again);
    mem_free(out);
    text_free(&first);
    text_free(&second);
}

static enum kernel_type type_of(const struct fuzz *f)
{
    return (enum kernel_type)(f->flags & 3);
}

static bool read_kernel(struct fuzz *f, struct kernel *k)
{
    kernel_init(k, &f->mem, &f->strs, type_of(f));
    if (!fuzz_ok(f, kernel_parse(k, "fuzz.kern", f->src, f->n, NULL, -1, &f->d)))
        return false;
    MUST(f, fuzz_ok(f, kernel_check(k, &f->d)) || fuzz_short(f));
    return true;
}

/* j, a copy of k, with its sums in lanes, then fused: integers are the same in any order. */
static void other_sums(struct fuzz *f, const struct kernel *k, struct kernel *j)
{
    if (!fuzz_ok(f, kernel_lanes(j, &f->d)))
        return;
    MUST(f, fuzz_ok(f, kernel_check(j, &f->d)) || fuzz_short(f));
    fuzz_kernel_prints(f, j);
    if (k->type == KERNEL_I32 || k->type == KERNEL_I64)
        same_values(f, k, j);
    if (!fuzz_ok(f, kernel_fuse(j, &f->d)))
        return;
    MUST(f, fuzz_ok(f, kernel_check(j, &f->d)) || fuzz_short(f));
    fuzz_kernel_prints(f, j);
}

void fuzz_kernel(struct fuzz *f)
{
    struct kernel k, copy;

    if (read_kernel(f, &k)) {
        fuzz_kernel_prints(f, &k);
        if (fuzz_ok(f, kernel_copy(&k, &copy, &f->d))) {
            MUST(f, fuzz_ok(f, kernel_check(&copy, &f->d)) || fuzz_short(f));
            other_sums(f, &k, &copy);
        }
        kernel_free(&copy);
    }
    kernel_free(&k);
}

void fuzz_json(struct fuzz *f)
{
    struct kernel k;

    if (fuzz_ok(f, kernel_parse_json(&k, &f->mem, &f->strs, "fuzz.json", f->src, f->n, &f->d))) {
        MUST(f, fuzz_ok(f, kernel_check(&k, &f->d)) || fuzz_short(f));
        fuzz_kernel_prints(f, &k);
    }
    kernel_free(&k);
}

/* ---- inlining, gradients ---- */

void fuzz_grad(struct fuzz *f)
{
    const struct grad_options o = { .universal = fuzz_flag(f, 2), .values = fuzz_flag(f, 3), .no_split = fuzz_flag(f, 4) };
    const struct inline_policy p = { .reductions = fuzz_flag(f, 5), .together = fuzz_flag(f, 6), .in_place = fuzz_flag(f, 7),
                                     .permuted = fuzz_flag(f, 8), .alone = fuzz_flag(f, 9), .repeat = 64 };
    struct kernel k, original, g;
    int n = 0, removed, wrt[WRT];

    kernel_init(&original, &f->mem, &f->strs, type_of(f));
    kernel_init(&g, &f->mem, &f->strs, type_of(f));
    if (read_kernel(f, &k) && k.ex.n < NODES) {
        kernel_free(&original);
        if (fuzz_ok(f, kernel_copy(&k, &original, &f->d)) && fuzz_ok(f, kernel_inline_all(&k, &p, &n, NULL, NULL, &f->d)) &&
            fuzz_ok(f, kernel_remove_dead(&k, &removed, &f->d))) {
            MUST(f, fuzz_ok(f, kernel_check(&k, &f->d)) || fuzz_short(f));
            fuzz_kernel_prints(f, &k);
            same_values(f, &original, &k);
        }
        n = 0;
        for (int t = 0; t < original.tensor.n && n < WRT; t++)
            if (original.tensor.a[t].role == KERNEL_IN && !fuzz_flag(f, 10 + n % 6))
                wrt[n++] = t;
        kernel_free(&g);
        if (n > 0 && fuzz_ok(f, kernel_grad(&g, &original, wrt, n, &o, &f->d))) {
            MUST(f, fuzz_ok(f, kernel_check(&g, &f->d)) || fuzz_short(f));
            fuzz_kernel_prints(f, &g);
        }
    }
    kernel_free(&g);
    kernel_free(&original);
    kernel_free(&k);
}

/* ---- emission ---- */

struct emit_options fuzz_emit_options(const struct fuzz *f)
{
    struct emit_options o = { .seq = fuzz_flag(f, 0), .with_main = fuzz_flag(f, 1), .no_fuse = fuzz_flag(f, 2), .no_strategy = fuzz_flag(f, 3),
                              .acsl = fuzz_flag(f, 4), .freestanding = fuzz_flag(f, 5), .weights_pointer = fuzz_flag(f, 6),
                              .static_arena = fuzz_flag(f, 7), .single_file = fuzz_flag(f, 8), .vectors = fuzz_flag(f, 9), .vectors_try = true };

    o.with_main = o.with_main && !o.freestanding;
    o.weights_pointer = o.weights_pointer && o.freestanding;
    o.static_arena = o.static_arena && o.freestanding;
    o.single_file = o.single_file && o.freestanding && !o.weights_pointer && !o.acsl;
    return o;
}

void fuzz_loops(struct fuzz *f)
{
    struct emit_options o = fuzz_emit_options(f);
    struct emit_files files;
    struct kernel k;
    struct text t;

    f->flags >>= 12; /* for the element type and the stage */
    text_init(&t, &f->mem);
    if (read_kernel(f, &k) && k.ex.n < NODES) {
        if (kernel_cost(&k) > WORK)
            o.vectors = 0;
        if (fuzz_ok(f, emit_kernel(&k, &o, &files, &f->d)))
            MUST(f, files.file.n > 0);
        emit_files_free(&files);
        fuzz_ok(f, emit_dump(&t, &k, stages[f->flags % 5], &o, &f->d));
    }
    text_free(&t);
    kernel_free(&k);
}

/* ---- programs ---- */

/* The C of the program as the rules give it, variables numbered in their order. */
static void listing(struct fuzz *f, const struct prog *p, struct text *out)
{
    const struct emit_options o = { .plain = true, .numbering = true };

    text_free(out);
    if (!fuzz_ok(f, emit_dump_prog(out, p, "c", &o, &f->d)))
        text_free(out);
}

static bool read_prog(struct fuzz *f, struct prog *p, const char *src, size_t n, bool sized)
{
    static const struct dpia_size sizes[] = { { "n", 6 }, { "m", 4 } };

    return fuzz_ok(f, dpia_parse(p, &f->mem, &f->strs, "fuzz.dpia", src, n, sizes, sized ? 2 : 0, &f->d));
}

/* The text with variables counted in the order in which they occur: reading may number others in between. */
static void renumber(struct text *out, const struct text *t)
{
    struct {
        int at, n;
    } seen[SEEN];
    int n = 0, i = 0;

    while (i < t->n) {
        int k = 0, len = 1;
        while (isalpha((unsigned char)t->a[i]) && i + len < t->n && isalnum((unsigned char)t->a[i + len]))
            len++;
        if (len > 1 && isdigit((unsigned char)t->a[i + len - 1])) {
            while (k < n && (seen[k].n != len || memcmp(t->a + seen[k].at, t->a + i, (size_t)len) != 0))
                k++;
            if (k == n && n < SEEN) {
                seen[n].at = i;
                seen[n++].n = len;
            }
            text_printf(out, "%c%d", t->a[i], k);
        } else {
            text_put(out, t->a + i, (size_t)len);
        }
        i += len;
    }
}

/* The printed programs are one but for the numbers of variables. */
static void same_program(struct fuzz *f, const struct text *first, const struct text *second)
{
    struct text a, b;

    text_init(&a, &f->mem);
    text_init(&b, &f->mem);
    renumber(&a, first);
    renumber(&b, second);
    if (!a.failed && !b.failed)
        fuzz_same(f, &a, &b, "program");
    text_free(&a);
    text_free(&b);
}

void fuzz_dpia(struct fuzz *f)
{
    struct prog p, again;
    struct text first, second;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (read_prog(f, &p, f->src, f->n, fuzz_flag(f, 0))) {
        prog_print(&first, &p);
        if (fuzz_ok(f, text_status(&first, &f->d))) {
            bool read = read_prog(f, &again, first.a, (size_t)first.n, false);
            if (!read && !fuzz_short(f))
                fuzz_same(f, &first, &second, "a program that does not read back");
            if (read) {
                prog_print(&second, &again);
                if (!second.failed)
                    same_program(f, &first, &second);
                listing(f, &p, &first);
                listing(f, &again, &second);
                if (!fuzz_short(f))
                    fuzz_same(f, &first, &second, "program as C");
            }
            prog_free(&again);
        }
        text_free(&first);
        prog_sexp(&first, &p);
    }
    prog_free(&p);
    text_free(&first);
    text_free(&second);
}

void fuzz_lower(struct fuzz *f)
{
    struct emit_options o = fuzz_emit_options(f);
    struct emit_files files;
    struct prog p;
    struct text t;

    text_init(&t, &f->mem);
    o.name = "program";
    o.vectors = 0;
    o.no_fuse = false;
    o.plain = fuzz_flag(f, 9) && !o.acsl && !o.freestanding;
    o.numbering = fuzz_flag(f, 2) && !o.acsl && !o.freestanding;
    if (read_prog(f, &p, f->src, f->n, fuzz_flag(f, 10))) {
        if (fuzz_ok(f, emit_prog(&p, &o, &files, &f->d)))
            MUST(f, files.file.n > 0);
        emit_files_free(&files);
        fuzz_ok(f, emit_dump_prog(&t, &p, stages[1 + (f->flags >> 11) % 4], &o, &f->d));
    }
    text_free(&t);
    prog_free(&p);
}
