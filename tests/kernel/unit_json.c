#include "cases.h"
#include "ref.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct kernel k;
    struct diag d;
};

static void open_world(struct world *w)
{
    memset(w, 0, sizeof *w);
    w->mem.fail_after = -1;
    strs_init(&w->strs, &w->mem);
}

static void close_world(struct world *w)
{
    kernel_free(&w->k);
    strs_free(&w->strs);
}

static enum calque_status parse(struct world *w, const char *src)
{
    return kernel_parse_json(&w->k, &w->mem, &w->strs, "case", src, strlen(src), &w->d);
}

static int tensor(const struct world *w, const char *name)
{
    return kernel_find_tensor(&w->k, strs_find(&w->strs, name, strlen(name)));
}

static bool round_trip(struct world *w)
{
    struct kernel again;
    struct text a, b;
    bool ok;

    text_init(&a, &w->mem);
    text_init(&b, &w->mem);
    kernel_print(&a, &w->k);
    kernel_init(&again, &w->mem, &w->strs, w->k.type);
    ok = kernel_parse(&again, "again", a.a, (size_t)a.n, NULL, -1, &w->d) == CALQUE_OK;
    kernel_print(&b, &again);
    ok = ok && strcmp(a.a, b.a) == 0;
    kernel_free(&again);
    text_free(&a);
    text_free(&b);
    return ok;
}

/* The lane interpreter and the naive one. */
static bool runs(struct world *w)
{
    void **a = ref_data(&w->k, 3), **b = ref_data(&w->k, 3);
    bool ok = ref_run(&w->k, a) && kernel_run(&w->k, b, 2, &w->d) == CALQUE_OK && ref_same_all(&w->k, a, b);

    ref_free(&w->k, a);
    ref_free(&w->k, b);
    return ok;
}

/* The names as a JSON list. */
static void list(struct text *t, const char *field, const struct case_names *s)
{
    text_printf(t, "\"%s\": [", field);
    for (int i = 0; i < s->n; i++)
        text_printf(t, "%s\"%s\"", i ? ", " : "", s->name[i]);
    text_puts(t, "], ");
}

/* The kernels of cases.kern as JSON: read, printed and read again, run. */
static void kernels(void)
{
    static struct kernel_cases cases;

    cases_read(&cases, "cases.kern", 21);
    for (int i = 0; i < cases.n; i++) {
        const struct kernel_case *c = &cases.at[i];
        struct world w;
        struct text t;
        bool ok;
        open_world(&w);
        text_init(&t, &w.mem);
        text_printf(&t, "{\"name\": \"%s\", \"data_type\": \"%s\", ", c->name, c->type);
        list(&t, "ins", &c->in);
        list(&t, "outs", &c->out);
        if (c->wrt.n > 0)
            list(&t, "grad_to", &c->wrt);
        text_puts(&t, "\"kernel\": \"");
        for (const char *x = c->text; *x; x++)
            text_printf(&t, *x == '\n' ? "\\n" : "%c", *x);
        text_puts(&t, "\"}");
        ok = kernel_parse_json(&w.k, &w.mem, &w.strs, c->name, t.a, (size_t)t.n, &w.d) == CALQUE_OK;
        ok = ok && round_trip(&w) && runs(&w);
        CU_ASSERT(ok);
        if (!ok)
            fprintf(stderr, "%s:%d:%d: %s\n", w.d.file, w.d.line, w.d.col, w.d.text);
        text_free(&t);
        close_world(&w);
    }
    cases_free(&cases);
}

/* Case 4 (in place, per-term sum), case 8 of both projects, against plain loops. */
static void values(void)
{
    static const char gemm[] = "{\"name\": \"c4\", \"ins\": [\"B\", \"C\"], \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": "
                               "\"A<16, 32>[i, j] = A<16, 32>[i, j] + B<16, 32>[i, k] * C<32, 32>[k, j];\"}";
    static const char split[] = "{\"name\": \"c8\", \"ins\": [\"A\"], \"outs\": [\"B\"], \"data_type\": \"int\", \"kernel\": "
                                "\"B<32>[i] = A<2, 16>[i//16, i%16];\", \"grad_to\": [\"A\"]}";
    struct world w;
    void **data;
    float want[16][32];

    open_world(&w);
    CU_ASSERT_FATAL(parse(&w, gemm) == CALQUE_OK);
    data = ref_data(&w.k, 8);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 32; j++) {
            const float *b = data[tensor(&w, "B")], *c = data[tensor(&w, "C")], *a = data[tensor(&w, "A")];
            float s = 0;
            for (int k = 0; k < 32; k++)
                s += b[i * 32 + k] * c[k * 32 + j];
            want[i][j] = a[i * 32 + j] + s;
        }
    CU_ASSERT(tensor(&w, "B") == 0 && tensor(&w, "C") == 1 && tensor(&w, "A") == 2);
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
    CU_ASSERT(memcmp(want, data[tensor(&w, "A")], sizeof want) == 0);
    ref_free(&w.k, data);
    close_world(&w);
    open_world(&w);
    CU_ASSERT_FATAL(parse(&w, split) == CALQUE_OK);
    CU_ASSERT(w.k.type == KERNEL_I32);
    data = ref_data(&w.k, 8);
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
    CU_ASSERT(memcmp(data[0], data[1], 32 * sizeof(int32_t)) == 0);
    ref_free(&w.k, data);
    close_world(&w);
}

/* The kernels with gradients, kernel and gradient. */
static void gradients(void)
{
    static struct kernel_cases cases;

    cases_read(&cases, "gradients.kern", 28);
    for (int i = 0; i < cases.n; i++)
        for (int j = 0; j < 2; j++) {
            const char *text = j ? cases.at[i].gives : cases.at[i].text;
            struct world w;
            bool ok;
            open_world(&w);
            kernel_init(&w.k, &w.mem, &w.strs, KERNEL_F64);
            ok = text && kernel_parse(&w.k, "grad", text, strlen(text), NULL, -1, &w.d) == CALQUE_OK;
            ok = ok && round_trip(&w) && runs(&w);
            CU_ASSERT(ok);
            if (!ok)
                fprintf(stderr, "%s: %d:%d: %s\n", cases.at[i].name, w.d.line, w.d.col, w.d.text);
            close_world(&w);
        }
    cases_free(&cases);
}

static void errors(void)
{
#define HEAD "{\"name\": \"k\", \"ins\": [\"B\"], \"outs\": [\"A\"],\n \"data_type\": \"float\",\n \"kernel\": "
    static const struct {
        const char *src;
        int line, col;
        const char *text;
    } bad[] = {
        {HEAD "\"A<2>[i] = B<2>[i] + ;\"}", 3, 33, "expected a value: a literal, a tensor, a function or '('"},
        {HEAD "\"A<2>[i] = B<2>[i];\\nA<2>[i] = B<2>[i+1];\"}", 3, 48, "index 1 of B is in 1..2, not in 0..1"},
        {HEAD "\"A<2>[\\u0069] \\t= \\u00e9;\"}", 3, 30, "unexpected byte 0xc3"},
        {HEAD "\"C<2>[i] = B<2>[i];\"}", 3, 13, "the output A is stored by no statement"},
        {HEAD "\"A<2>[i] = B<2>[i] + D<2>[i];\"}", 1, 22, "the kernel loads D, which is not in ins"},
        {HEAD "\"A<2>[i] = 1;\"}", 1, 23, "the kernel does not use B"},
        {HEAD "3}", 3, 12, "kernel is no string"},
        {"{\"name\": \"k\", \"ins\": [], \"outs\": [\"A\"], \"data_type\": \"half\", \"kernel\": \"A<1>[i]=1;\"}", 1, 54,
         "unknown data_type half"},
        {"{\"name\": \"k\", \"ins\": [], \"outs\": [], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\"}", 1, 34,
         "outs is empty"},
        {"{\"name\": \"k\", \"ins\": [1], \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\"}", 1, 22,
         "ins is no array of names"},
        {"{\"name\": \"k\", \"ins\": [], \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\",\n \"what\": {\"a\": []}}", 2,
         2, "unknown field what"},
        {"{\"name\": \"k\", \"ins\": [], \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\", \"parallel\": \"2\"}", 1,
         99, "parallel is no integer"},
        {"{\"ins\": [], \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\"}", 1, 1, "the field name is missing"},
        {"{\"name\": \"k\", \"outs\": [\"A\"], \"data_type\": \"float\", \"kernel\": \"A<1>[i]=1;\"}", 1, 1, "the field ins is missing"},
        {" []", 1, 2, "expected an object"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct world w;
        bool good;
        open_world(&w);
        good = parse(&w, bad[i].src) == CALQUE_BAD && w.d.line == bad[i].line && w.d.col == bad[i].col &&
               strcmp(w.d.text, bad[i].text) == 0;
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "%d:%d: %s\n%s\n", w.d.line, w.d.col, w.d.text, bad[i].src);
        close_world(&w);
    }
    {
        struct world w;
        open_world(&w);
        CU_ASSERT(parse(&w, "{\"name\":\n \"k\",, }") == CALQUE_BAD);
        CU_ASSERT(w.d.line == 2 && w.d.col > 0 && w.d.text[0] != '\0');
        close_world(&w);
        open_world(&w);
        CU_ASSERT(parse(&w, "") == CALQUE_BAD);
        close_world(&w);
    }
}

static void out_of_memory(void)
{
    static const char src[] = "{\"name\": \"k\", \"ins\": [\"B\", \"C\"], \"outs\": [\"A\"], \"data_type\": \"double\", \"inline\": [\"T\"],"
                              "\"parallel\": 2, \"kernel\": \"T<3>[i] = B<3>[i]; A<2>[i] = T<3>[i+1] * C<2,3>[i,k];\"}";
    long fails = 0;

    for (;; fails++) {
        struct world w;
        enum calque_status st;
        open_world(&w);
        w.mem.fail_after = fails;
        st = parse(&w, src);
        CU_ASSERT(st == CALQUE_OK || (st == CALQUE_NOMEM && w.d.status == CALQUE_NOMEM));
        close_world(&w);
        if (st != CALQUE_NOMEM || fails > 1000)
            break;
    }
    CU_ASSERT(fails > 10 && fails <= 1000);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"kernels", kernels}, {"values", values},               {"gradients", gradients},
        {"errors", errors},     {"out of memory", out_of_memory},
    };
    return unit_main("kernel/json", cases, UNIT_COUNT(cases));
}
