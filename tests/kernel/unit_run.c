#include "gen.h"
#include "kernel/program.h"
#include "unit.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct kernel k;
    struct diag d;
};

static bool setup(struct world *w, enum kernel_type type, const char *src)
{
    memset(w, 0, sizeof *w);
    w->mem.fail_after = -1;
    strs_init(&w->strs, &w->mem);
    kernel_init(&w->k, &w->mem, &w->strs, type);
    if (kernel_parse(&w->k, "test", src, strlen(src), NULL, -1, &w->d) == CALQUE_OK)
        return true;
    fprintf(stderr, "%d:%d: %s\n%s\n", w->d.line, w->d.col, w->d.text, src);
    return false;
}

static void teardown(struct world *w)
{
    kernel_free(&w->k);
    strs_free(&w->strs);
}

/* Runs with every number of threads and several block sizes; all equal the reference. */
static bool check_against(struct world *w, uint64_t seed)
{
    static const int lanes[] = {0, 16, 48, 512};
    void **want = ref_data(&w->k, seed);
    bool ok = ref_run(&w->k, want), good = true;

    for (int threads = 1; threads <= 3; threads++)
        for (int i = 0; i < 4 && good; i++) {
            void **got = ref_data(&w->k, seed);
            enum calque_status st = kernel_run_lanes(&w->k, got, threads, lanes[i], &w->d);
            good = ok ? st == CALQUE_OK && ref_same_all(&w->k, want, got)
                      : st == CALQUE_BAD && strcmp(w->d.text, "division by zero") == 0;
            if (!good)
                fprintf(stderr, "threads %d, lanes %d: status %d %s\n", threads, lanes[i], (int)st, w->d.text);
            ref_free(&w->k, got);
        }
    ref_free(&w->k, want);
    return good;
}

static void against_ref(enum kernel_type type, const char *src)
{
    struct world w;
    bool ok = setup(&w, type, src);

    CU_ASSERT_FATAL(ok);
    ok = check_against(&w, 99);
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "%s\n", src);
    teardown(&w);
}

/* KE-Const KE-Load KE-Bin KE-Fn KE-Sel KE-Sum KE-Var KE-Int KE-Plus KE-Minus KE-Scale KE-Div KE-Mod KE-Cmp KE-And KS-Store KP-Seq */
static void constructs(void)
{
    static const char *const f32[] = {
        "S<1> = 2;",
        "S<1> = sum(i<1000) A<1000>[i];",
        "S<1> = alpha<1> * beta<1>[0];",
        "Y<3>[i] = sum(j<0) A<1>[0] + amax(j<0) A<1>[0];",
        "Y<0,3>[i,j] = A<2>[i+7];",
        "Y<5>[i] = -A<5>[i] - -B<5>[4-i];",
        "Y<7>[i] = max(A<7>[i], B<7>[i]) + min(A<7>[i], B<7>[6-i]) / pow(abs(A<7>[i]), 0.5);",
        "Y<7>[i] = exp(A<7>[i]) + log(abs(A<7>[i])) - sqrt(A<7>[i]*A<7>[i]) * tanh(A<7>[i]) + erf(A<7>[i]) + round(A<7>[i] * 3);",
        "Y<24>[i] = A<2,3,4>[i//12, (i//4)%3, i%4];",
        "Y<2,3,4>[a,b,c] = A<24>[a*12+b*4+c];",
        "Y<6,20>[i,j] = A<4,5,6>[(i*20+j)//30, (i*20+j)//6%5, (i*20+j)%6];",
        "Y<33>[i] = A<70>[2*i+1] + B<33>[32-i];",
        "Y<2,5,3>[n,c,h] = select(c < 3, A<2,3,3>[n,c,h], B<2,2,3>[n,c-3,h]);",
        "Y<2,9,30>[n,c,h] = select(c < 3, A<2,3,30>[n,c,h], select(c < 5, B<2,2,30>[n,c-3,h], C<2,4,30>[n,c-5,h]));",
        "C<17,19>[i,j] = A<17,23>[i,k] * B<23,19>[k,j];",
        "C<17,600>[i,j] = A<17,23>[i,k] * B<600,23>[j,k];",
        "C<2,3,17,19>[a,b,i,j] = A<2,1,17,5>[a,0,i,k] * B<3,5,19>[b,k,j];",
        "A<16,32>[i,j] = A<16,32>[i,j] + B<16,32>[i,k] * C<32,32>[k,j]; A<16,32>[i,j] = A<16,32>[i,j] + beta<1> * A<16,32>[15-i,j];",
        ("M<40>[i] = amax(j<100) X<40,100>[i,j]; E<40,100>[i,j] = exp(X<40,100>[i,j] - M<40>[i]);"
         "S<40>[i] = sum(j<100) E<40,100>[i,j]; Y<40,100>[i,j] = E<40,100>[i,j] / S<40>[i];"),
        "Y<5,6>[i,j] = sum(k<4) (A<5,4>[i,k] * exp(B<5>[i]) * sum(l<3) (C<4,3,6>[k,l,j] + D<3>[l] * sum(m<2) E<2,6>[m,j]));",
        "Y<5,6>[i,j] = sum(k<4) select((i+k)//2%3 == j//2, A<9>[i+k], B<6,4>[j,k] * amax(l<3) C<12>[(i+2*l+k)%7+j]);",
        "Y<1000>[i] = sum(k<3) select(i+k >= 2 && i+k < 1000, A<998>[i+k-2], -inf);",
        "Y<40,50>[i,j] = select(i*50+j < 1234, select(j > i, A<50>[j], B<40>[i]), select(i != j, 1, C<40>[i]));",
        "Y<3,300>[i,j] = A<3>[i] * B<3>[2-i];",
    };
    static const char *const i64[] = {
        "Y<50>[i] = A<50>[i] * B<50>[i] + C<50>[i] - -D<50>[i];",
        "Y<50>[i] = A<50>[i] // 7 + A<50>[i] % 7 + A<50>[i] // -3 + A<50>[i] % -3 + A<50>[i] // -1;",
        "Y<50>[i] = A<50>[i] // B<50>[i];",
        "Y<50>[i] = max(abs(A<50>[i]), -inf) + min(B<50>[i], inf) + amax(j<3) (A<52>[i+j]*1);",
        "Y<6>[i] = select(i != 3, 60 // Z<1>[0] * 0, 1) + select(i > 5, 1 // 0, 2) + select(i < 0, 1 % 0, 0);",
        "Y<50>[i] = select(i < 25, sum(k<4) A<50>[i+k], 5);",
    };

    for (size_t i = 0; i < sizeof f32 / sizeof *f32; i++) {
        against_ref(KERNEL_F32, f32[i]);
        against_ref(KERNEL_F64, f32[i]);
    }
    for (size_t i = 0; i < 4; i++)
        if (i != 3)
            against_ref(KERNEL_I32, i64[i]);
    against_ref(KERNEL_I32, "Y<50>[i] = max(abs(A<50>[i]), -inf) + min(B<50>[i], inf) + amax(j<3) (A<50>[(i+j)%50]*1);");
    for (size_t i = 0; i < sizeof i64 / sizeof *i64; i++)
        if (i != 3)
            against_ref(KERNEL_I64, i64[i]);
    against_ref(KERNEL_I64, "Y<6>[i] = 1 // 0;");
}

/* Operator shapes as the tensor room writes them. */
static void operators(void)
{
    against_ref(KERNEL_F32, "Y<2,6,9,11>[n,o,p,q] = sum(c<4,i<3,j<3) select(0 <= p*1+i*1-1 && p*1+i*1-1 < 9 && 0 <= q*1+j*1-1"
                            " && q*1+j*1-1 < 11, X<2,8,9,11>[n,(o//3)*4+c,p*1+i*1-1,q*1+j*1-1] * W<6,4,3,3>[o,c,i,j], 0.0)"
                            " + B<6>[o];");
    against_ref(KERNEL_F32, "Y<1,5,30,31>[n,o,p,q] = sum(c<3,i<3,j<3) select(0 <= p*1+i*1-1 && p*1+i*1-1 < 30 && 0 <= q*1+j*1-1"
                            " && q*1+j*1-1 < 31, X<1,3,30,31>[n,c,p*1+i*1-1,q*1+j*1-1] * W<5,3,3,3>[o,c,i,j], 0.0);");
    against_ref(KERNEL_F32, "Y<1,4,8,8>[n,o,p,q] = sum(c<3,i<5,j<5) select(0 <= p*2+i*2-3 && p*2+i*2-3 < 17 && 0 <= q*2+j*2-3"
                            " && q*2+j*2-3 < 17, X<1,3,17,17>[n,c,p*2+i*2-3,q*2+j*2-3] * W<4,3,5,5>[o,c,i,j], 0.0) + B<4>[o];");
    against_ref(KERNEL_F32, "Y<2,5,4,4>[n,c,p,q] = amax(i<3,j<3) select(p*2+i-1 >= 0 && p*2+i-1 < 8 && q*2+j-1 >= 0 && q*2+j-1 < 8,"
                            " X<2,5,8,8>[n,c,p*2+i-1,q*2+j-1], -inf);");
    against_ref(KERNEL_F32, "Y<2,5,4,4>[n,c,p,q] = sum(i<3,j<3) select(p*2+i-1 >= 0 && p*2+i-1 < 8 && q*2+j-1 >= 0 && q*2+j-1 < 8,"
                            " X<2,5,8,8>[n,c,p*2+i-1,q*2+j-1], 0.0) / sum(i<3,j<3) select(p*2+i-1 >= 0 && p*2+i-1 < 8 &&"
                            " q*2+j-1 >= 0 && q*2+j-1 < 8, 1.0, 0.0);");
    against_ref(KERNEL_F32, "Y<2,7,6,6>[n,c,h,w] = X<2,7,6,6>[n,c,h,w] / pow(1.0 + 0.0001 / 5.0 * sum(k<5) select(c+k-2 >= 0 &&"
                            " c+k-2 < 7, X<2,7,6,6>[n,c+k-2,h,w] * X<2,7,6,6>[n,c+k-2,h,w], 0.0), 0.75);");
    against_ref(KERNEL_F32, "Y<2,7,6,6>[n,c,h,w] = (X<2,7,6,6>[n,c,h,w] - M<7>[c]) / sqrt(abs(V<7>[c]) + 0.00001) * S<7>[c] + B<7>[c];");
    against_ref(KERNEL_F32, "Y<3,64>[n,a] = X<3,4,4,4>[(n*64+a)//64,(n*64+a)//16%4,(n*64+a)//4%4,(n*64+a)%4];");
    against_ref(KERNEL_F32, "Y<4,5,6,7>[a,b,c,d] = X<7,5,4,6>[d,b,a,c];");
    against_ref(KERNEL_F32, "Y<2,3,8,10>[n,c,h,w] = X<2,3,4,5>[n,c,h//2,w//2];");
    against_ref(KERNEL_F32, "Y<2,3,1,1>[n,c,h,w] = sum(i<7,j<9) X<2,3,7,9>[n,c,i,j] / 63;");
}

/* A convolution against plain loops written out, bit for bit. */
static void convolution(void)
{
    static const char src[] = "Y<1,3,10,12>[n,o,p,q] = sum(c<2,i<3,j<3) select(0 <= p+i-1 && p+i-1 < 10 && 0 <= q+j-1 && q+j-1 < 12,"
                              " X<1,2,10,12>[n,c,p+i-1,q+j-1] * W<3,2,3,3>[o,c,i,j], 0.0) + B<3>[o];";
    static float y[3][10][12];
    struct world w;
    void **data;
    const float *x, *f, *b;

    CU_ASSERT_FATAL(setup(&w, KERNEL_F32, src));
    data = ref_data(&w.k, 5);
    x = data[1];
    f = data[2];
    b = data[3];
    for (int o = 0; o < 3; o++)
        for (int p = 0; p < 10; p++)
            for (int q = 0; q < 12; q++) {
                float s = 0;
                for (int c = 0; c < 2; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++) {
                            int h = p + i - 1, v = q + j - 1;
                            if (h >= 0 && h < 10 && v >= 0 && v < 12)
                                s += x[(c * 10 + h) * 12 + v] * f[((o * 2 + c) * 3 + i) * 3 + j];
                            else
                                s += 0.0f;
                        }
                y[o][p][q] = s + b[o];
            }
    CU_ASSERT(kernel_run(&w.k, data, 2, &w.d) == CALQUE_OK);
    CU_ASSERT(memcmp(y, data[0], sizeof y) == 0);
    ref_free(&w.k, data);
    teardown(&w);
}

static uint64_t base_seed(void)
{
    const char *s = getenv("CALQUE_SEED");

    return s ? strtoull(s, NULL, 10) : 20261121;
}

/* Random kernels of all types: the parser accepts them, print and parse agree, every way to run them agrees. */
static void random_kernels(void)
{
    static struct gen g;
    static const enum kernel_type types[] = {KERNEL_F32, KERNEL_F32, KERNEL_F32, KERNEL_F64, KERNEL_I64, KERNEL_I32};
    uint64_t seed = base_seed();
    int bad = 0, zero = 0, fused = 0, n = 3600 / unit_share();

    printf("unit_run: seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < n && bad < 3; i++) {
        enum kernel_type type = types[i % 6];
        struct world w;
        bool ok;
        g.choices = true;
        g.products = i % 2;
        gen_kernel(&g, seed + (uint64_t)i, type == KERNEL_F32 || type == KERNEL_F64, 1 + i % 3);
        ok = setup(&w, type, g.text) && (i % 4 == 0 || kernel_fuse(&w.k, &w.d) == CALQUE_OK);
        fused += ok && kernel_has_fused(&w.k);
        if (ok) {
            void **data = ref_data(&w.k, (uint64_t)i);
            zero += !ref_run(&w.k, data);
            ref_free(&w.k, data);
            ok = check_against(&w, (uint64_t)i);
        }
        if (!ok) {
            bad++;
            fprintf(stderr, "kernel %d:\n%s\n", i, g.text);
        }
        teardown(&w);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(zero > 0 && zero < n / 4);
    printf("unit_run: %d kernels with fused sums\n", fused);
    CU_ASSERT(fused > n / 20);
}

/* Products that are not rounded: one rounding a step, in choices too; what is no product of a choice is added as it is. A sum
   from 0 may be -0. */
static void exact_products(void)
{
    static const char *const text[] = {
        "Y<5>[i] = sum(k<40) exact(A<5,40>[i,k], B<40>[k]);",
        "Y<5,33>[i,j] = sum(k<40) exact(A<5,40>[i,k], B<40,33>[k,j]) + C<33>[j];",
        "Y<70>[i] = sum(k<3) select(i+k >= 1 && i+k < 71, exact(A<70>[i+k-1], B<3>[k]), -0.0);",
        "Y<70>[i] = sum(k<3) select(i+k < 5, exact(A<70>[i], B<3>[k]), select(k < 2, A<70>[i], exact(B<3>[k], 3)));",
        "Y<9>[i] = sum(k<4) exact(sum(m<7) exact(A<9,7>[i,m], B<7,4>[m,k]), amax(m<2) C<2,4>[m,k]) / sum(k<3) exact(2, D<3>[k]);",
    };
    float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f), tiny = 1e-30f, minus = -1e-30f, one = 1, y;
    struct world w;

    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        against_ref(KERNEL_F32, text[i]);
        against_ref(KERNEL_F64, text[i]);
    }
    CU_ASSERT_FATAL(setup(&w, KERNEL_F32, "Y<1> = sum(k<2) select(k < 1, exact(A<1>, B<1>), exact(C<1>, D<1>));"));
    CU_ASSERT(kernel_run(&w.k, (void *[]){&y, &c, &one, &a, &a}, 1, &w.d) == CALQUE_OK && y == 0x1p-24f);
    CU_ASSERT(kernel_run(&w.k, (void *[]){&y, &tiny, &minus, &minus, &tiny}, 1, &w.d) == CALQUE_OK && y == 0 && signbit(y));
    teardown(&w);
}

/* I5: the bound check is sound: random kernels with one dimension made smaller are refused or stay inside all the same. */
static void sound_bounds(void)
{
    static struct gen g;
    uint64_t seed = base_seed() + 50000;
    int accepted = 0, refused = 0, outside = 0;

    for (int i = 0; i < 3000 / unit_share() && outside < 3; i++) {
        struct world w;
        gen_kernel(&g, seed + (uint64_t)i, true, 1 + i % 2);
        CU_ASSERT_FATAL(setup(&w, KERNEL_F32, g.text));
        for (int t = 0; t < w.k.tensor.n; t++) {
            long *dim = &w.k.tensor.a[t].dim[(size_t)i % (size_t)w.k.tensor.a[t].rank];
            void **data;
            if (w.k.tensor.a[t].role != KERNEL_IN || *dim < 2)
                continue;
            (*dim)--;
            data = ref_data(&w.k, 1);
            if (kernel_check(&w.k, &w.d) != CALQUE_OK) {
                refused++;
            } else {
                accepted++;
                if (ref_eval(&w.k, data) == REF_OUTSIDE) {
                    fprintf(stderr, "accepted out of bounds, tensor %d:\n%s\n", t, g.text);
                    outside++;
                }
            }
            ref_free(&w.k, data);
            (*dim)++;
        }
        teardown(&w);
    }
    CU_ASSERT_EQUAL(outside, 0);
    CU_ASSERT(accepted > 500 / unit_share() && refused > 500 / unit_share());
}

static void errors(void)
{
    struct world w;
    void **data;

    CU_ASSERT_FATAL(setup(&w, KERNEL_I64, "Y<4>[i] = A<4>[i];\n  Z<4>[i] = Y<4>[i] // (A<4>[i] - A<4>[i]);"));
    data = ref_data(&w.k, 1);
    CU_ASSERT(kernel_run(&w.k, data, 2, &w.d) == CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(w.d.text, "division by zero");
    CU_ASSERT(w.d.line == 2 && w.d.col == 3);
    /* a kernel built out of bounds is refused, not run */
    w.k.tensor.a[kernel_find_tensor(&w.k, strs_find(&w.strs, "A", 1))].dim[0] = 3;
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(w.d.text, "index 1 of A is in 0..3, not in 0..2");
    w.k.ex.a[w.k.ex.n - 1].a = w.k.ex.n - 1;
    w.k.tensor.a[kernel_find_tensor(&w.k, strs_find(&w.strs, "A", 1))].dim[0] = 4;
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_INTERNAL);
    ref_free(&w.k, data);
    teardown(&w);
}

/* Lanes behind the last cell may read any cell of a tensor: no error comes from them. */
static void idle_lanes(void)
{
    int64_t divisor[30] = {1, 2, 3, 4, 5, 6}, out[6], want[6] = {60, 30, 20, 15, 12, 10};
    struct world w;
    void *data[2];

    CU_ASSERT_FATAL(setup(&w, KERNEL_I64, "Y<6>[i] = 60 // D<30>[i];"));
    data[0] = out;
    data[1] = divisor;
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
    CU_ASSERT(memcmp(out, want, sizeof want) == 0);
    divisor[5] = 0;
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_BAD);
    teardown(&w);
}

static void out_of_memory(void)
{
    static const char src[] = "A<6,7>[i,j] = A<6,7>[j%6,i] + sum(k<3) select((i+k)//2 < j, B<9>[i+k], exp(C<3>[k]*2));";
    struct world w;
    void **data;
    long fails = 0;

    CU_ASSERT_FATAL(setup(&w, KERNEL_F32, src));
    data = ref_data(&w.k, 1);
    for (;; fails++) {
        enum calque_status st;
        w.mem.fail_after = fails;
        st = kernel_run(&w.k, data, 2, &w.d);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT(st == CALQUE_NOMEM);
        if (st != CALQUE_NOMEM || fails > 1000)
            break;
    }
    CU_ASSERT(fails > 20);
    ref_free(&w.k, data);
    teardown(&w);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"constructs", constructs},         {"operators", operators}, {"convolution", convolution},
        {"random kernels", random_kernels}, {"errors", errors},       {"out of memory", out_of_memory},
        {"idle lanes", idle_lanes},         {"sound bounds", sound_bounds},
        {"exact products", exact_products},
    };
    return unit_main("kernel/run", cases, UNIT_COUNT(cases));
}
