/* The check that a packed kernel computes the original: what packing makes is seen to, changes of it and of the packed data are
   refused with the reason, and what random changes the check lets pass compute the same bits. Constants that are stored in bytes. */
#include "files.h"
#include "models.h"

#include <math.h>

#include "pack_bench.h"

static void test_changes(void)
{
    for (int i = 0; i < CHANGES; i++) {
        struct bench_pack b;
        struct diag d;
        enum calque_status st;
        open_bench(&b, changes[i].text);
        CU_ASSERT_EQUAL(check(&b, &d), CALQUE_OK);
        changes[i].make(&b);
        st = check(&b, &d);
        if (st != CALQUE_NO || strncmp(d.text, "packed: ", 8) != 0 || strcmp(d.text + 8, changes[i].why) != 0) {
            fprintf(stderr, "change %d: %d %s\n", i, st, d.text);
            CU_FAIL("another answer");
        }
        close_bench(&b);
    }
}

/* What the changes above are of: each part of packing occurs. */
static void test_parts(void)
{
    static const char *const text[] = {conv, product, given, panels};
    static const int stmts[] = {3, 3, 5, 2}, packed[] = {1, 2, 0, 0};

    for (int i = 0; i < UNIT_COUNT(text); i++) {
        struct bench_pack b;
        open_bench(&b, text[i]);
        CU_ASSERT(b.changed && b.q.stmt.n == stmts[i] && b.p.n == packed[i]);
        close_bench(&b);
    }
}

/* Rows come outside of channels where the weights stay in the cache, and are fewer than what rows read; each of several images by
   itself. Not with few rows. */
static void test_rows(void)
{
    static const struct {
        const char *text;
        unsigned char loop[4];
    } c[] = {
        {"Y<1,32,28,28>[n,o,p,q] = sum(c<32,i<3,j<3) (X<1,32,30,30>[n,c,p+i,q+j] * W<32,32,3,3>[o,c,i,j]);", {1, 3, 2, 4}},
        {"Y<3,32,28,28>[n,o,p,q] = sum(c<32,i<3,j<3) (X<3,32,30,30>[n,c,p+i,q+j] * W<32,32,3,3>[o,c,i,j]);", {1, 3, 2, 4}},
        {"Y<1,32,28,27>[n,o,p,q] = sum(c<32,i<3,j<3) (X<1,32,30,30>[n,c,p+i,q+j] * W<32,32,3,3>[o,c,i,j]);", {1, 3, 2, 4}},
        {"Y<1,64,4,256>[n,o,p,q] = sum(c<32,i<3,j<3) (X<1,32,6,258>[n,c,p+i,q+j] * W<64,32,3,3>[o,c,i,j]);", {0}},
        {"Y<1,128,56,56>[n,o,p,q] = sum(c<128,i<3,j<3) (X<1,128,58,58>[n,c,p+i,q+j] * W<128,128,3,3>[o,c,i,j]);", {0}},
        {"Y<1,64,8,8>[n,o,p,q] = sum(c<64,i<3,j<3) (X<1,64,10,10>[n,c,p+i,q+j] * W<64,64,3,3>[o,c,i,j]);", {0}},
    };

    for (int i = 0; i < UNIT_COUNT(c); i++) {
        struct bench_pack b;
        struct diag d;
        bool same = false;
        open_bench(&b, c[i].text);
        for (int k = 0; k < b.q.stmt.n; k++)
            same = same || (pack_find_product(&b.q, k, &(struct product){0}) && memcmp(b.q.stmt.a[k].loop, c[i].loop, 4) == 0);
        if (!same)
            fprintf(stderr, "rows %d\n", i);
        CU_ASSERT(same && check(&b, &d) == CALQUE_OK);
        close_bench(&b);
    }
}

/* A weight that is no number, without padding, is packed all the same. */
static void test_not_finite(void)
{
    struct bench_pack b;
    struct diag d;

    open_bench(&b, "Y<40,20>[i,j] = max(sum(k<96) (X<40,96>[i,k] * W<20,96>[j,k]) + Z<20>[j], 0);");
    CU_ASSERT(b.changed && b.p.n > 0);
    values(&b, "W")[3] = INFINITY;
    pack_values(&b);
    CU_ASSERT_EQUAL(check(&b, &d), CALQUE_OK);
    close_bench(&b);
}

/* The answer of the check after a cell of a constant is changed; packing may say no before. */
static enum calque_status check_with(const char *text, const char *name, float x)
{
    struct bench_pack b;
    struct diag d;
    enum calque_status st;

    open_bench(&b, text);
    CU_ASSERT(b.changed && b.q.stmt.n > b.k.stmt.n && check(&b, &d) == CALQUE_OK);
    values(&b, name)[1] = x;
    pack_values(&b);
    st = check(&b, &d);
    close_bench(&b);
    return st;
}

/* Products that are not rounded: zeros around an image where what is done with the sum does not tell -0 from 0. */
static void test_fused(void)
{
#define FUSED(around) \
    "Y<2,32,9,9>[n,o,y,x] = max(sum(c<8,u<3,v<3) select(y+u-1 >= 0 && y+u-1 < 9 && x+v-1 >= 0 && x+v-1 < 9, " \
    "exact(X<2,8,9,9>[n,c,y+u-1,x+v-1], W<32,8,3,3>[o,c,u,v]), -0.0)" around ", 0);"
    static const char *const masked[] = {FUSED(""), FUSED(" * Z<32>[o]"), FUSED(" + B<32>[o]")};
    struct bench_pack b;
    struct diag d;
    int n = 0;

    CU_ASSERT_EQUAL(check_with(FUSED(" + Z<32>[o]"), "Z", 0.0f), CALQUE_OK);
    CU_ASSERT_EQUAL(check_with(FUSED(" + Z<32>[o]"), "Z", -0.0f), CALQUE_NO);
    CU_ASSERT_EQUAL(check_with(FUSED(" + Z<32>[o]"), "W", INFINITY), CALQUE_NO);
    CU_ASSERT_EQUAL(check_with(FUSED(" - Z<32>[o]"), "Z", -0.0f), CALQUE_OK);
    CU_ASSERT_EQUAL(check_with(FUSED(" - Z<32>[o]"), "Z", 0.0f), CALQUE_NO);
    for (int i = 0; i < UNIT_COUNT(masked); i++)
        for (int change = 0; change < 4; change++) {
            open_bench(&b, masked[i]);
            CU_ASSERT(b.q.stmt.n == b.k.stmt.n + 2 && check(&b, &d) == CALQUE_OK);
            for (int j = 0; j < b.q.ex.n; j++) { /* of the mask -1 or inf is another, or the greater is taken */
                struct ex *e = &b.q.ex.a[j];
                if (change < 2 && e->kind == EX_CONST && e->num == (change == 0 ? -1 : (double)INFINITY))
                    e->num = change == 0 ? 1 : 2, n++;
                else if (change == 2 && e->kind == EX_CALL && e->op == FN_MIN)
                    e->op = FN_MAX, n++;
            }
            if (change == 3) {
                values(&b, "W")[1] = -INFINITY;
                pack_values(&b);
            }
            CU_ASSERT_EQUAL(check(&b, &d), CALQUE_NO);
            close_bench(&b);
        }
    CU_ASSERT_EQUAL(n, 9);
    n = 0;
    open_bench(&b, FUSED(" + Z<32>[o]"));
    for (int i = 0; i < b.q.ex.n; i++)
        if (b.q.ex.a[i].kind == EX_CALL && b.q.ex.a[i].op == FN_EXACT) {
            b.q.ex.a[i].op = FN_MUL;
            n++;
        }
    CU_ASSERT(n > 0 && check(&b, &d) == CALQUE_NO);
    close_bench(&b);
}

/* ---- random kernels ---- */

/* The bits of the output of one of the kernels, in `out`; inputs are the same for both. */
static bool run(struct bench_pack *b, bool changed, float **out)
{
    struct kernel *k = changed ? &b->q : &b->k;
    void *data[TENSORS + 4] = {NULL}, *own[TENSORS + 4] = {NULL};
    struct diag d;
    bool good;

    CU_ASSERT_FATAL(k->tensor.n <= TENSORS + 4);
    for (int t = 0; t < k->tensor.n; t++) {
        data[t] = t < b->k.tensor.n && b->known[t] ? b->value[t].data : NULL;
        for (int i = 0; changed && i < b->p.n; i++)
            if (b->p.a[i].tensor == t)
                data[t] = b->p.a[i].data;
        if (data[t])
            continue;
        data[t] = own[t] = mem_zero(&mem, kernel_bytes(k, t) + 8, 1);
        seed = (unsigned)t + 77;
        if (k->tensor.a[t].role == KERNEL_IN)
            fill(data[t], kernel_elems(k, t));
    }
    good = kernel_run(k, data, 1, &d) == CALQUE_OK;
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_OUT) {
            *out = own[t];
            own[t] = NULL;
        }
    for (int t = 0; t < k->tensor.n; t++)
        mem_free(own[t]);
    return good;
}

static bool equal_runs(struct bench_pack *b)
{
    float *x = NULL, *y = NULL;
    unsigned s = seed;
    bool same = run(b, false, &x) && run(b, true, &y);

    for (int t = 0; same && t < b->k.tensor.n; t++)
        if (b->k.tensor.a[t].role == KERNEL_OUT)
            same = memcmp(x, y, kernel_bytes(&b->k, t)) == 0;
    seed = s;
    mem_free(x);
    mem_free(y);
    return same;
}

static void test_random(void)
{
    int changed = 0, refused = 0, passed = 0, count = 160 / unit_share();

    for (int n = 0; n < count; n++) {
        struct bench_pack b;
        struct diag d;
        char text[512];
        seed = (unsigned)n + 1;
        bench_fused = n % 2;
        random_text(text, sizeof text);
        open_bench(&b, text);
        if (check(&b, &d) != CALQUE_OK || !equal_runs(&b)) {
            fprintf(stderr, "%s: %s\n", text, d.text);
            CU_FAIL("a packed kernel is refused, or others");
        }
        changed += b.changed;
        close_bench(&b);
        for (int i = 0; b.changed && i < 12; i++) {
            seed = (unsigned)n + 1;
            random_text(text, sizeof text);
            open_bench(&b, text);
            seed += 1000u * (unsigned)i;
            spoil(&b);
            if (check(&b, &d) != CALQUE_OK)
                refused++;
            else if (passed++, !equal_runs(&b)) {
                fprintf(stderr, "%s, change %d\n", text, i);
                CU_FAIL("a change that computes other bits is not refused");
            }
            close_bench(&b);
            b.changed = true;
        }
    }
    printf("%d of %d random kernels are packed; of their changes %d are refused, %d compute the same\n", changed, count, refused,
           passed);
    bench_fused = false;
    CU_ASSERT(changed >= count / 3 && refused >= count / 2 && passed > 0);
}

static void test_memory(void)
{
    struct bench_pack b;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    long n = 0;

    open_bench(&b, product);
    for (; st == CALQUE_NOMEM && n < 10000; n++) {
        mem.fail_after = n;
        st = check(&b, &d);
        mem.fail_after = -1;
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(n > 20);
    close_bench(&b);
}

/* Expressions that share parts, twice as many in each step, are as trees too large. */
static void test_limits(void)
{
    struct bench_pack b;
    struct diag d;

    open_bench(&b, conv);
    for (int turn = 0; turn < 2; turn++) { /* beyond what is looked at; beyond what kernel_check looks at */
        struct kernel *k = &b.k;
        int at = k->stmt.n - 1, e = k->stmt.a[at].body;
        for (int i = 0; i < 17 + 6 * turn; i++)
            e = kernel_ex(k, (struct ex){.kind = EX_CALL, .op = FN_ADD, .a = e, .b = e});
        k->stmt.a[at].body = e;
        CU_ASSERT_EQUAL(check(&b, &d), CALQUE_NO);
        CU_ASSERT_STRING_EQUAL(d.text, "packed: a cell is too large to be compared");
    }
    close_bench(&b);
}

/* ---- emission ---- */

static int packed_kernels;

static void count_packed(struct kernel *q, struct pack *p)
{
    (void)q;
    (void)p;
    packed_kernels++;
}

static void spoil_packed(struct kernel *q, struct pack *p)
{
    for (int i = 0; i < p->n; i++)
        ((float *)p->a[i].data)[0] += 1;
    for (int i = 0; i < q->ex.n; i++)
        if (q->ex.a[i].kind == EX_CALL && q->ex.a[i].op == FN_MUL)
            swap(&q->ex.a[i].a, &q->ex.a[i].b);
    packed_kernels++;
}

static const char tiles[] =
    "graph tiles {\n"
    "input x : f32[1,12,2,17]\nparam w : f32[16,12,3,3]\nparam v : f32[40,544]\n"
    "y = Relu(Conv(x, w, pads=(1,1,1,1)))\n"
    "return Gemm(Reshape(y, shape=(1,544)), v, transB=1)\n"
    "}\n";

static void test_fallback(void)
{
    struct emit_options good = {.name = "net", .vectors = 1, .change_packed = count_packed}, bad = good;
    struct world w;
    struct emit_files f, g;
    struct diag d;
    char command[128];
    int n;

    bad.change_packed = spoil_packed;
    open_world(&w, tiles);
    packed_kernels = 0;
    CU_ASSERT_EQUAL_FATAL(emit_model(&w.g, &good, &f, &d), CALQUE_OK);
    n = packed_kernels;
    CU_ASSERT(n == 2 && f.fallback.n == 0 && f.unpacked == 0);
    packed_kernels = 0;
    CU_ASSERT_EQUAL_FATAL(emit_model(&w.g, &bad, &g, &d), CALQUE_OK);
    CU_ASSERT(packed_kernels == n && g.unpacked == n && g.fallback.n == n && g.checked == f.checked);
    CU_ASSERT(g.fallback.n == n && g.fallback.a[0].unpacked);
    CU_ASSERT(strncmp(g.notes.a + g.fallback.a[0].reason, "packed: ", 8) == 0);
    CU_ASSERT(file_says(&g, "net.h", "; not packed, because the check failed: 2") && !file_says(&f, "net.h", "not packed"));
    CU_ASSERT_EQUAL(emit_files_write(&g, w.dir, &d), CALQUE_OK);
    snprintf(command, sizeof command, "make -s -C %s check >/dev/null", w.dir);
    CU_ASSERT_EQUAL(system(command), 0); /* the test's own directory */
    emit_files_free(&f);
    emit_files_free(&g);
    close_world(&w);
}

/* Memory that is out in the check, or for its note, is no reason to call another kernel. */
static void test_emission_memory(void)
{
    struct emit_options o = {.name = "net", .change_packed = spoil_packed};
    struct world w;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;

    open_world(&w, tiles);
    for (long n = 0; st == CALQUE_NOMEM && n < 100000; n += n < 600 ? 1 : 1 + n / 40) {
        struct emit_files f;
        w.mem.fail_after = n;
        st = emit_model(&w.g, &o, &f, &d);
        w.mem.fail_after = -1;
        if (st == CALQUE_OK)
            CU_ASSERT_EQUAL(f.unpacked, 2);
        emit_files_free(&f);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    close_world(&w);
}

/* The packed kernels as text, where memory ends or not. */
static void test_dump(void)
{
    static const struct emit_options none;
    struct world w;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    int blocks = 0;

    open_world(&w, tiles);
    for (long n = 0; st == CALQUE_NOMEM && n < 100000; n += n < 600 ? 1 : 1 + n / 40) {
        struct text t;
        text_init(&t, &w.mem);
        w.mem.fail_after = n;
        st = emit_dump_model(&t, &w.g, "packed", &none, &d);
        w.mem.fail_after = -1;
        for (int i = 0; st == CALQUE_OK && i < t.n; i++)
            blocks += t.a[i] == '#';
        text_free(&t);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT_EQUAL(blocks, 2);
    close_world(&w);
}

/* A certificate whose data are more than their file can have. */
static void test_large(void)
{
    struct pack_words w = {.stem = "net", .n = INT32_MAX / 2};
    struct bench_pack b;
    struct text t;

    open_bench(&b, changes[0].text);
    text_init(&t, &mem);
    pack_print(&t, &w, "large", &b.k, &b.q, &b.c, &b.p);
    CU_ASSERT(t.failed && w.large && w.n == INT32_MAX / 2 && !w.a);
    text_free(&t);
    close_bench(&b);
}

static const int wide_elems[] = {ELEM_F32, ELEM_F64, ELEM_I32, ELEM_I64};

/* x as a cell of the element type. */
static void put_wide(int elem, unsigned char *data, int i, int x)
{
    float f = (float)x;
    double r = x;
    int32_t n = x;
    int64_t m = x;
    const void *from = elem == ELEM_F32 ? (const void *)&f : elem == ELEM_F64 ? (const void *)&r : elem == ELEM_I32 ? (const void *)&n : &m;

    memcpy(data + (size_t)i * elem_size(elem), from, elem_size(elem));
}

/* Constants from lo to hi are stored as that type, byte for byte the same numbers. */
static void narrow_range(int elem, int lo, int hi, int as)
{
    unsigned char data[512 * 8] = {0}, *to;
    int n = hi - lo + 1;

    for (int i = 0; i < n; i++)
        put_wide(elem, data, i, lo + i);
    CU_ASSERT_EQUAL(elem_narrow(elem, data, (size_t)n), as < 0 ? elem : as);
    if (as < 0)
        return;
    to = elem_narrowed(&mem, elem, data, (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    for (int i = 0; i < n; i++)
        CU_ASSERT_EQUAL(as == ELEM_I8 ? (int8_t)to[i] : to[i], lo + i);
    mem_free(to);
}

static void test_narrow(void)
{
    const float none[] = {-0.0f, 0.5f, 256, -129, 0x1p40f, INFINITY, NAN};
    float x[64] = {0};

    for (int i = 0; i < 4; i++) {
        narrow_range(wide_elems[i], -128, 127, ELEM_I8);
        narrow_range(wide_elems[i], 0, 127, ELEM_I8);
        narrow_range(wide_elems[i], 0, 255, ELEM_U8);
        narrow_range(wide_elems[i], -1, 128, -1);
        narrow_range(wide_elems[i], -129, 100, -1);
        narrow_range(wide_elems[i], 100, 256, -1);
        narrow_range(wide_elems[i], 0, 40, -1); /* too few to gain by it */
    }
    CU_ASSERT_EQUAL(elem_narrow(ELEM_F32, x, 64), ELEM_I8);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        x[17] = none[i];
        CU_ASSERT_EQUAL(elem_narrow(ELEM_F32, x, 64), ELEM_F32);
    }
    CU_ASSERT_EQUAL(elem_narrow(ELEM_U8, x, 256), ELEM_U8);
    CU_ASSERT_EQUAL(elem_narrow(ELEM_BOOL, x, 256), ELEM_BOOL);
}

int main(void)
{
    static const struct unit_case cases[] = {{"parts", test_parts},       {"changes", test_changes},   {"not finite", test_not_finite},
                                             {"fused", test_fused},       {"rows", test_rows},
                                             {"random", test_random},     {"memory", test_memory},     {"limits", test_limits},
                                             {"fallback", test_fallback}, {"emission, memory", test_emission_memory},
                                             {"dump", test_dump},         {"large", test_large},
                                             {"narrow", test_narrow}};
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit/unit_pack", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
