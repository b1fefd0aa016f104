/* What this implementation makes of programs, for the differential tests (diff.sh).
     dpia_text                    answers the requests of calque-oracle dpia on standard input, one line each: commands and C; what the
                                  mini-C of the rules computes. `unsupported`: a program that is not well typed here. A malformed line
                                  gets `error`; then the exit status is 2
     dpia_text run DIR SEED N FILE..   requests of runs, and DIR/run.c that runs them: N random programs, and the programs
                                  of FILEs in every scalar type at several sizes; standard error says what was discarded */
#include "answers.h"
#include "dpia/parse.h"
#include "eval_minic.h"
#include "random.h"
#include "read_sexp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct mem mem = MEM_INIT;
static struct strs strs;

/* The generator's state for program i. */
static void start(unsigned long first, unsigned long i)
{
    seed = (first * 1000003 + i + 1) * 0x9e3779b97f4a7c15ul;
    seed ^= seed >> 31;
    seed = seed == 0 ? 1 : seed;
}

static void make(struct prog *p)
{
    static const enum kernel_type type[] = { KERNEL_F32, KERNEL_F64, KERNEL_I32, KERNEL_I64 };

    random_symbolic = rnd(2);
    random_wide = true;
    prog_init(p, &mem, &strs, type[rnd(4)]);
    build_random(p);
}

static bool put_answer(struct text *t, const struct prog *p)
{
    struct code c;
    struct minic m;
    struct diag d;
    unsigned long used = 0, own = 0;
    struct print_options o = { .name = "kernel", .pragmas = true, .used = &used, .own = &own };
    struct text body;
    bool ok;

    diag_clear(&d);
    memset(&m, 0, sizeof m);
    text_init(&body, &mem);
    ok = trans_prog(p, false, &c, &d) == CALQUE_OK && codegen_plain(&c, false, NULL, &m, &d) == CALQUE_OK;
    if (ok) {
        code_print(t, &c, NULL);
        text_puts(t, "--\n");
        print_function(&body, &m, &o);
        print_prelude(t, used, own);
        text_put(t, body.a, (size_t)body.n);
    } else {
        fprintf(stderr, "dpia_text: %s\n", d.text);
    }
    text_free(&body);
    minic_free(&m);
    code_free(&c);
    return ok;
}

/* ---- requests ---- */

/* A value of the program's type: bits in hexadecimal, or an integer. */
static bool read_cell(const struct prog *p, const char *word, struct cell *c)
{
    bool real = p->scalar == KERNEL_F32 || p->scalar == KERNEL_F64;
    char *end;
    uint64_t bits = real ? strtoull(word, &end, 16) : (uint64_t)strtoll(word, &end, 10);
    uint32_t low = (uint32_t)bits;
    float f;

    c->z = (int64_t)bits;
    memcpy(&f, &low, 4);
    memcpy(&c->x, &bits, 8);
    if (p->scalar == KERNEL_F32)
        c->x = (double)f;
    return *end == '\0';
}

static void put_cell(struct text *t, const struct prog *p, struct cell c)
{
    float f = (float)c.x;
    uint32_t low;
    uint64_t bits;

    memcpy(&low, &f, 4);
    memcpy(&bits, &c.x, 8);
    if (p->scalar == KERNEL_I32 || p->scalar == KERNEL_I64)
        text_printf(t, " %" PRId64, c.z);
    else if (isnan(c.x))
        text_puts(t, " nan");
    else if (p->scalar == KERNEL_F32)
        text_printf(t, " %08" PRIx32, low);
    else
        text_printf(t, " %016" PRIx64, bits);
}

/* "(values V ..)" for each input, at these places of the text, and room for the other parameters. */
static bool read_inputs(struct eval *v, const struct prog *p, const char *const *values, int inputs)
{
    struct sexp_reader r = { .s = "" };
    char word[SEXP_WORD];

    for (int i = 0, k = 0; i < p->param.n; i++) {
        long n = size_at(p, p->data.a[p->var.a[p->param.a[i].var].type].cells, v->size);
        v->cells[i] = n;
        v->place[i] = calloc((size_t)n + 1, sizeof **v->place);
        if (!v->place[i])
            return false;
        if (p->param.a[i].role != KERNEL_IN)
            continue;
        if (k == inputs)
            return false;
        r.s = values[k++];
        sexp_take(&r, '(');
        sexp_word(&r, word);
        for (long j = 0; j < n && !r.bad; j++)
            r.bad = !read_cell(p, sexp_word(&r, word), &v->place[i][j]) || r.bad;
        sexp_take(&r, ')');
    }
    return !r.bad;
}

/* False: the values do not fit the program. */
static bool put_run(struct text *t, const struct prog *p, const long *size, const char *const *values, int inputs)
{
    struct code c;
    struct minic m;
    struct diag d;
    struct eval v = { .m = &m, .size = size };
    bool ok;

    diag_clear(&d);
    memset(&m, 0, sizeof m);
    ok = trans_prog(p, false, &c, &d) == CALQUE_OK && codegen_plain(&c, false, NULL, &m, &d) == CALQUE_OK;
    if (!ok)
        text_puts(t, "unsupported\n");
    else {
        size_t levels = (size_t)c.level.n + (size_t)p->param.n + 1;
        v.place = calloc(levels, sizeof *v.place);
        v.cells = calloc(levels, sizeof *v.cells);
        v.at = calloc(levels, sizeof *v.at);
        ok = v.place && v.cells && v.at && read_inputs(&v, p, values, inputs);
        if (ok)
            eval_stmt(&v, m.main);
        if (v.outside)
            text_puts(t, "outside\n");
        for (int i = 0; i < p->param.n; i++) {
            if (ok && p->param.a[i].role == KERNEL_OUT) {
                text_puts(t, strs_text(p->strs, p->param.a[i].name));
                for (long k = 0; k < v.cells[i]; k++)
                    put_cell(t, p, v.place[i][k]);
                text_puts(t, "\n");
            }
            free(v.place[i]);
        }
        free(v.place);
        free(v.cells);
        free(v.at);
    }
    minic_free(&m);
    code_free(&c);
    return ok;
}

enum { INPUTS = 64, SIZES = 64 };

/* "(sizes N ..) COUNT (values V ..) .. PROGRAM" or "PROGRAM"; false: it is neither. */
static bool put_request(struct text *t, const char *line)
{
    struct sexp_reader r = { .s = line };
    const char *values[INPUTS];
    long size[SIZES] = { 0 };
    char word[SEXP_WORD];
    struct prog p;
    int sizes = 0, inputs = 0;
    bool run, ok;

    sexp_take(&r, '(');
    run = strcmp(sexp_word(&r, word), "run") == 0;
    r.bad = r.bad || (!run && strcmp(word, "translate") != 0);
    if (run) {
        sexp_take(&r, '(');
        sexp_word(&r, word);
        while (!r.bad && !sexp_sees(&r, ')'))
            if (sizes == SIZES)
                r.bad = true;
            else
                size[sizes++] = sexp_long(&r);
        inputs = (int)sexp_long(&r);
        r.bad = r.bad || inputs < 0 || inputs > INPUTS;
        for (int i = 0; i < inputs && !r.bad; i++) {
            sexp_next(&r);
            values[i] = r.s;
            sexp_skip(&r);
        }
    }
    if (r.bad)
        return false;
    ok = sexp_program(&p, &mem, &strs, &r.s);
    sexp_take(&r, ')');
    ok = ok && !r.bad && sexp_next(&r) == '\0' && p.size_name.n <= SIZES && (!run || p.size_name.n == sizes);
    if (p.status != CALQUE_OK) {
        text_puts(t, "unsupported\n");
        ok = true;
    } else if (ok)
        ok = run ? put_run(t, &p, size, values, inputs) : put_answer(t, &p);
    prog_free(&p);
    return ok;
}

int dpia_answers(FILE *in, FILE *out)
{
    char *line = NULL;
    size_t cap = 0;
    int status = 0;

    strs_init(&strs, &mem);
    while (getline(&line, &cap, in) >= 0) {
        struct text t;
        text_init(&t, &mem);
        if (!put_request(&t, line)) {
            t.n = 0;
            text_puts(&t, "error\n");
            status = 2;
        }
        text_puts(&t, "%%\n");
        fwrite(t.a, 1, (size_t)t.n, out);
        if (out == stdout)
            fflush(out); /* who asked waits for it */
        text_free(&t);
    }
    free(line);
    strs_free(&strs);
    return status;
}

/* ---- runs ---- */

struct run {
    FILE *c, *body;
    struct text fn;
    unsigned long used, own;
    int functions, runs;
};

static uint64_t random_bits(void)
{
    uint64_t x = (uint64_t)rnd(1u << 22) << 42 ^ (uint64_t)rnd(1u << 22) << 21 ^ (uint64_t)rnd(1u << 22);

    return x;
}

/* A scalar of the program's type as the oracle reads it: small numbers mostly, now and then any bits. */
static uint64_t random_scalar(const struct prog *p)
{
    double x = ((double)rnd(2000001) - 1e6) / 250007.0;
    float y;
    uint64_t u = 0;
    uint32_t w;

    if (p->scalar == KERNEL_I32 || p->scalar == KERNEL_I64)
        return rnd(20) == 0 ? random_bits() : (uint64_t)((int64_t)rnd(41) - 20);
    if (rnd(40) == 0)
        return random_bits();
    x = rnd(30) == 0 ? (rnd(2) ? 0.0 : -0.0) : x;
    y = (float)x;
    if (p->scalar == KERNEL_F64) {
        memcpy(&u, &x, 8);
        return u;
    }
    memcpy(&w, &y, 4);
    return w;
}

static void put_scalar(struct text *t, const struct prog *p, uint64_t u)
{
    switch (p->scalar) {
    case KERNEL_F32: text_printf(t, " %08" PRIx32, (uint32_t)u); break;
    case KERNEL_F64: text_printf(t, " %016" PRIx64, u); break;
    case KERNEL_I32: text_printf(t, " %" PRId32, (int32_t)(uint32_t)u); break;
    default: text_printf(t, " %" PRId64, (int64_t)u);
    }
}

static long cells_at(const struct prog *p, int param, const long *size)
{
    return size_at(p, p->data.a[p->var.a[p->param.a[param].var].type].cells, size);
}

/* The function f<k>; plain: as the rules have it, else as emit writes it. */
static bool add_function(struct run *r, const struct prog *p, bool plain, bool *can_fail)
{
    struct code c;
    struct minic m;
    struct diag d;
    char name[32];
    struct print_options o = { .name = name, .pragmas = true, .is_static = true, .always = true, .used = &r->used, .own = &r->own };
    bool ok;

    diag_clear(&d);
    memset(&m, 0, sizeof m);
    snprintf(name, sizeof name, "f%d", r->functions);
    ok = trans_prog(p, !plain, &c, &d) == CALQUE_OK &&
         (plain ? codegen_plain(&c, false, NULL, &m, &d) : codegen(&c, &m, &d)) == CALQUE_OK;
    if (ok) {
        print_function(&r->fn, &m, &o);
        text_puts(&r->fn, "\n");
        *can_fail = m.heap;
        r->functions++;
    } else {
        fprintf(stderr, "dpia_text: %s\n", d.text);
    }
    minic_free(&m);
    code_free(&c);
    return ok;
}

/* A call of the last function in main, and the oracle's request to standard output. */
static void add_run(struct run *r, const struct prog *p, const long *size, bool can_fail)
{
    static const char *const type[] = { "float", "double", "int32_t", "int64_t" };
    struct text q;
    int inputs = 0;

    text_init(&q, &mem);
    text_puts(&q, "(run (sizes");
    for (int i = 0; i < p->size_name.n; i++)
        text_printf(&q, " %ld", size[i]);
    for (int i = 0; i < p->param.n; i++)
        inputs += p->param.a[i].role == KERNEL_IN;
    text_printf(&q, ") %d", inputs);
    fprintf(r->body, "static void run%d(void)\n{\n", r->runs);
    for (int i = 0; i < p->param.n; i++) {
        long n = cells_at(p, i, size);
        bool in = p->param.a[i].role == KERNEL_IN;
        fprintf(r->body, "    static %s t%d[%ld + 1]", type[p->scalar], i, n);
        fprintf(r->body, ";\n    static const uint64_t b%d[] = { 0", i);
        text_puts(&q, in ? " (values" : "");
        for (long k = 0; k < n && in; k++) {
            uint64_t u = random_scalar(p);
            put_scalar(&q, p, u);
            fprintf(r->body, ", 0x%" PRIx64 "u", u);
        }
        text_puts(&q, in ? ")" : "");
        fprintf(r->body, " };\n    put(b%d, t%d, %ld, %d);\n", i, i, in ? n : 0, (int)kernel_type_size(p->scalar));
    }
    fprintf(r->body, "    %sf%d(", can_fail ? "failures += " : "", r->functions - 1);
    for (int i = 0; i < p->size_name.n; i++)
        fprintf(r->body, "%s%ld", i ? ", " : "", size[i]);
    for (int i = 0; i < p->param.n; i++)
        fprintf(r->body, "%st%d", i || p->size_name.n ? ", " : "", i);
    fprintf(r->body, ");\n");
    for (int i = 0; i < p->param.n; i++)
        if (p->param.a[i].role == KERNEL_OUT)
            fprintf(r->body, "    show(\"%s\", t%d, %ld, %d);\n", strs_text(p->strs, p->param.a[i].name), i, cells_at(p, i, size),
                    (int)p->scalar);
    fprintf(r->body, "    puts(\"%%%%\");\n}\n\n");
    text_puts(&q, " ");
    prog_sexp(&q, p);
    q.n--;
    text_puts(&q, ")\n");
    fwrite(q.a, 1, (size_t)q.n, stdout);
    text_free(&q);
    r->runs++;
}

static bool add_program(struct run *r, const struct prog *p)
{
    static const long sizes[][8] = { { 2, 3, 4, 2, 3, 2, 1, 3 }, { 1, 1, 1, 1, 1, 1, 1, 1 }, { 0, 2, 1, 3, 2, 1, 2, 1 },
                                     { 3, 0, 2, 1, 0, 2, 1, 2 }, { 5, 2, 3, 3, 1, 2, 2, 1 } };
    bool can_fail = false;

    if (p->size_name.n > 8 || !add_function(r, p, true, &can_fail))
        return false;
    for (int k = 0; k < (p->size_name.n ? 5 : 1); k++)
        add_run(r, p, sizes[k], can_fail);
    if (!prog_is_symbolic(p) && p->size_name.n == 0) {
        if (!add_function(r, p, false, &can_fail))
            return false;
        add_run(r, p, sizes[0], can_fail);
    }
    return true;
}

/* Has an array's size a negative coefficient? Coq's sizes have not. */
static bool has_difference(const struct prog *p)
{
    for (int i = 0; i < p->data.n; i++) {
        const struct poly *q = p->data.a[i].n < 0 ? &p->size.poly.a[-1 - p->data.a[i].n] : NULL;
        for (int k = 0; q && k < q->n; k++)
            if (p->size.mono.a[q->first + k].c < 0)
                return true;
    }
    return false;
}

/* The file's program with another scalar type in its first line. */
static bool add_file(struct run *r, const char *path, enum kernel_type type, const char *word, int *skipped)
{
    char *src = NULL;
    size_t n = 0;
    struct diag d;
    struct prog p;
    struct text t;
    bool ok;

    diag_clear(&d);
    if (file_read(&mem, path, &src, &n, &d) != CALQUE_OK)
        return false;
    text_init(&t, &mem);
    if (strstr(src, "scalar ") == NULL)
        text_printf(&t, "scalar %s\n", word);
    text_put(&t, src, n);
    mem_free(src);
    ok = dpia_parse(&p, &mem, &strs, path, t.a, (size_t)t.n, NULL, 0, &d) == CALQUE_OK;
    text_free(&t);
    if (ok ? has_difference(&p) : type >= KERNEL_I32 && strstr(d.text, "T_Un") != NULL) { /* no square root of integers */
        (*skipped)++;
        ok = true;
    } else if (ok) {
        ok = add_program(r, &p);
    } else {
        fprintf(stderr, "dpia_text: %s: %s\n", path, d.text);
    }
    prog_free(&p);
    return ok;
}

static const char support[] =
    "static int failures;\n\n"
    "static void put(const uint64_t *b, void *t, long n, int bytes)\n{\n"
    "    for (long i = 0; i < n; i++) {\n        uint32_t w = (uint32_t)b[i + 1];\n"
    "        if (bytes == 4)\n            memcpy((char *)t + 4 * i, &w, 4);\n        else\n"
    "            memcpy((char *)t + 8 * i, &b[i + 1], 8);\n    }\n}\n\n"
    "static void show(const char *name, const void *t, long n, int type)\n{\n    printf(\"%s\", name);\n"
    "    for (long i = 0; i < n; i++) {\n        uint32_t w = 0;\n        uint64_t u = 0;\n        float x;\n        double y;\n"
    "        if (type == 0 || type == 2)\n            memcpy(&w, (const char *)t + 4 * i, 4);\n        else\n"
    "            memcpy(&u, (const char *)t + 8 * i, 8);\n        memcpy(&x, &w, 4);\n        memcpy(&y, &u, 8);\n"
    "        if (type == 0 && !isnan(x))\n            printf(\" %08\" PRIx32, w);\n"
    "        else if (type == 1 && !isnan(y))\n            printf(\" %016\" PRIx64, u);\n"
    "        else if (type == 2)\n            printf(\" %\" PRId32, (int32_t)w);\n"
    "        else if (type == 3)\n            printf(\" %\" PRId64, (int64_t)u);\n        else\n            printf(\" nan\");\n"
    "    }\n    printf(\"\\n\");\n}\n\n";

static bool finish_run(struct run *r)
{
    struct text t;
    char buf[4096];
    size_t n;

    text_init(&t, &mem);
    print_prelude(&t, r->used, r->own);
    fwrite(t.a, 1, (size_t)t.n, r->c);
    text_free(&t);
    fprintf(r->c, "#include <inttypes.h>\n\n%s", support);
    fwrite(r->fn.a, 1, (size_t)r->fn.n, r->c);
    rewind(r->body);
    while ((n = fread(buf, 1, sizeof buf, r->body)) > 0)
        fwrite(buf, 1, n, r->c);
    fprintf(r->c, "int main(void)\n{\n");
    for (int i = 0; i < r->runs; i++)
        fprintf(r->c, "    run%d();\n", i);
    fprintf(r->c, "    return failures;\n}\n");
    return fclose(r->body) == 0 && fclose(r->c) == 0 && !r->fn.failed;
}

static int run(const char *dir, unsigned long first, long n, char **files, int nfiles)
{
    static const char *const word[] = { "f32", "f64", "i32" };
    static const enum kernel_type type[] = { KERNEL_F32, KERNEL_F64, KERNEL_I32 };
    struct run r = { .functions = 0 };
    char path[4096];
    int skipped = 0;
    long made = 0, refused = 0;

    snprintf(path, sizeof path, "%s/run.c", dir);
    r.c = fopen(path, "w");
    r.body = tmpfile();
    text_init(&r.fn, &mem);
    if (!r.c || !r.body)
        return 1;
    for (int i = 0; i < nfiles; i++)
        for (int k = 0; k < 3; k++)
            if (!add_file(&r, files[i], type[k], word[k], &skipped))
                return 1;
    for (unsigned long i = 0; made < n; i++) {
        struct prog p;
        start(first, i);
        make(&p);
        if (p.status == CALQUE_OK && add_program(&r, &p))
            made++;
        else
            refused++;
        prog_free(&p);
        if (refused > n + 100)
            return 1;
    }
    fprintf(stderr, "dpia_text: seed %lu: %d runs of %d functions: %d files, %d of their variants skipped, %ld random programs, %ld discarded\n",
            first, r.runs, r.functions, nfiles, skipped, made, refused);
    return finish_run(&r) ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = 2;

    if (argc >= 5 && strcmp(argv[1], "run") == 0) {
        strs_init(&strs, &mem);
        status = run(argv[2], strtoul(argv[3], NULL, 10), strtol(argv[4], NULL, 10), argv + 5, argc - 5);
        strs_free(&strs);
    } else if (argc == 1)
        status = dpia_answers(stdin, stdout);
    else
        fprintf(stderr, "usage: dpia_text, or dpia_text run DIR SEED N FILE..\n");
    return status;
}
