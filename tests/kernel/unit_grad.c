/* Gradients: texts, published cases, refusals. The random ones are in unit_grad_random.c. */
#include "cases.h"
#include "grad_text.h"
#include "ref.h"
#include "unit.h"

/* wrt: names separated by spaces */
static enum calque_status differentiate(struct world *w, const char *wrt, const struct grad_options *o)
{
    char text[200];
    int id[8], n = 0;

    snprintf(text, sizeof text, "%s", wrt);
    for (char *s = strtok(text, " "); s; s = strtok(NULL, " "))
        id[n++] = named_tensor(&w->k, s);
    kernel_free(&w->g);
    return kernel_grad(&w->g, &w->k, id, n, o, &w->d);
}

/* ---- texts ---- */
static void gives(const char *src, const char *wrt, const char *want)
{
    struct world w;
    char *got;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse_kernel(&w, &w.k, src));
    CU_ASSERT(differentiate(&w, wrt, NULL) == CALQUE_OK);
    got = kernel_string(&w, &w.g, false);
    CU_ASSERT_STRING_EQUAL(got, want);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s\ngot    %swanted %s", src, got, want);
    free(got);
    close_world(&w);
}

static void texts(void)
{
    /* KG-Mul, KG-Sum */
    gives("C<2,3>[i,j] = A<2,4>[i,k] * B<4,3>[k,j];", "B A",
          "dB<4,3>[a0,a1] = sum(i<2) (dC<2,3>[i,a1] * A<2,4>[i,a0]);\n"
          "dA<2,4>[a0,a1] = sum(j<3) (dC<2,3>[a0,j] * B<4,3>[a1,j]);\n");
    /* KG-Load, KG-Add, KG-Sub; KG-Div; KG-Sel; KG-Fn */
    gives("Y<3>[i] = A<3>[i] - (B<3>[i] + A<3>[i]);", "A B", "dA<3>[a0] = dY<3>[a0] + -dY<3>[a0];\ndB<3>[a0] = -dY<3>[a0];\n");
    gives("Y<3>[i] = A<3>[i] / B<3>[i];", "A B",
          "dA<3>[a0] = dY<3>[a0] / B<3>[a0];\ndB<3>[a0] = -(dY<3>[a0] * A<3>[a0] / (B<3>[a0] * B<3>[a0]));\n");
    gives("Y<3>[i] = select(i < 2, A<3>[i], B<3>[i] * 2);", "A B",
          "dA<3>[a0] = select(a0 < 2, dY<3>[a0], 0x0p+0);\ndB<3>[a0] = select(a0 >= 2, dY<3>[a0] * 0x1p+1, 0x0p+0);\n");
    gives("Y<3>[i] = exp(A<3>[i]);", "A", "dA<3>[a0] = dY<3>[a0] * exp(A<3>[a0]);\n");
    /* KG-Point, with its range; KG-Guard; KG-Stride, KG-Digit */
    gives("Y<2,3>[i,j] = A<6>[i*3+j];", "A", "dA<6>[a0] = sum(i<2) select(a0-i*3 >= 0 && a0-i*3 < 3, dY<2,3>[i,a0-i*3], 0x0p+0);\n");
    gives("Y<3>[i] = A<3>[2];", "A", "dA<3>[a0] = sum(i<3) select(a0-2 == 0, dY<3>[i], 0x0p+0);\n");
    gives("B<4>[i] = A<8>[2*i];", "A", "dA<8>[a0] = select(a0%2 == 0 && a0 < 7, dB<4>[a0//2], 0x0p+0);\n");
    gives("F<24>[i] = A<2,3,4>[i//12,(i//4)%3,i%4];", "A", "dA<2,3,4>[a0,a1,a2] = dF<24>[a0*12+a1*4+a2];\n");
    gives("Y<3>[i] = max(A<3>[i], 0);", "A", "dA<3>[a0] = dY<3>[a0] * (0x1p+0 - less(A<3>[a0], 0x0p+0));\n");
    /* KG-Seq, in place: one tensor is the given adjoint and the result, written last; versions */
    gives("A<3>[i] = A<3>[2-i] * A<3>[i]; A<3>[i] = tanh(A<3>[i]) + B<3>[i];", "A B",
          "A_1<3>[i] = A<3>[2-i] * A<3>[i];\n"
          "dA_1<3>[a0] = dA<3>[a0] * (0x1p+0 - tanh(A_1<3>[a0]) * tanh(A_1<3>[a0]));\n"
          "dB<3>[a0] = dA<3>[a0];\n"
          "dA<3>[a0] = dA_1<3>[2-a0] * A<3>[2-a0] + dA_1<3>[a0] * A<3>[2-a0];\n");
    /* names that are taken; a tensor that has no influence */
    gives("Y<3>[i] = dY<3>[i] * A<3>[i];", "A dY",
          "dA<3>[a0] = dY_1<3>[a0] * dY<3>[a0];\nddY<3>[a0] = dY_1<3>[a0] * A<3>[a0];\n");
    gives("T<3>[i] = A<3>[i]; Y<3>[i] = B<3>[i];", "A T", "dA<3>[a0] = 0x0p+0;\ndT<3>[a0] = 0x0p+0;\n");
    /* nested reductions keep their variables apart */
    gives("Y<2>[i] = exp(sum(k<3) A<2,3>[i,k]);", "A",
          "Y_sum<2>[i] = sum(k<3) A<2,3>[i,k];\ndY_sum<2>[a0] = dY<2>[a0] * exp(Y_sum<2>[a0]);\n"
          "dA<2,3>[a0,a1] = dY_sum<2>[a0];\n");
}

static void header(void)
{
    struct world w;
    char *got;

    open_world(&w, KERNEL_F64);
    CU_ASSERT_FATAL(parse_kernel(&w, &w.k, "B<2,3>[i,j] = alpha<1> * A<2,3>[i,j] + C<3>[j];"));
    CU_ASSERT(differentiate(&w, "alpha C", NULL) == CALQUE_OK);
    got = kernel_string(&w, &w.g, true);
    CU_ASSERT_STRING_EQUAL(got, "void f(double (&A)[2][3], double (&dB)[2][3], double &dalpha, double (&dC)[3]);\n");
    free(got);
    close_world(&w);
}

static void refuses(enum kernel_type type, const char *src, const char *why)
{
    struct world w;

    open_world(&w, type);
    CU_ASSERT_FATAL(parse_kernel(&w, &w.k, src));
    CU_ASSERT(differentiate(&w, "A", NULL) == CALQUE_NO);
    CU_ASSERT(strstr(w.d.text, why) != NULL && w.d.line == 1 && w.d.col > 1);
    close_world(&w);
}

static void refusals(void)
{
    refuses(KERNEL_I32, " Y<3>[i] = A<3>[i] // 2;", "quotient");
    refuses(KERNEL_I64, " Y<3>[i] = B<3>[i] * (2 % A<3>[i]);", "remainder");
    refuses(KERNEL_F32, " Y<3>[i] = when(less(A<3>[i], 0), A<3>[i]);", "a choice by data");
    refuses(KERNEL_F32, " Y<3>[i] = orelse(A<3>[i], B<3>[i]);", "a choice by data");
    refuses(KERNEL_I64, "B<3>[i] = C<3>[i]; Y<3>[i] = B<3>[i] * amax(k<3) A<3>[k];", "amax");
}

/* ---- published cases: the same function of the same inputs ---- */
static void **data_by_name(const struct kernel *k, uint64_t seed)
{
    void **data = ref_data(k, 1);

    for (int t = 0; t < k->tensor.n; t++) {
        uint64_t s = seed;
        for (const char *c = strs_text(k->strs, k->tensor.a[t].name); *c; c++)
            s = s * 131 + (unsigned char)*c;
        for (long i = 0; i < kernel_elems(k, t); i++) {
            double x = (double)(ref_random(&s) % 2000) / 1000 + 0.25;
            ((double *)data[t])[i] = k->tensor.a[t].role == KERNEL_IN ? (ref_random(&s) % 2 ? x : -x) : (double)NAN;
        }
    }
    return data;
}

static void same_function(struct world *w, const struct kernel *want, const char *name, const char *src)
{
    void **a = data_by_name(&w->g, 5), **b = data_by_name(want, 5);
    int s = named_tensor(&w->g, name), t = named_tensor(want, name), bad = 0;

    CU_ASSERT(kernel_run(&w->g, a, 1, &w->d) == CALQUE_OK && kernel_run(want, b, 1, &w->d) == CALQUE_OK);
    CU_ASSERT(kernel_elems(&w->g, s) == kernel_elems(want, t));
    for (long i = 0; i < kernel_elems(want, t); i++) {
        double x = ((double *)a[s])[i], y = ((double *)b[t])[i];
        bad += !(fabs(x - y) <= 1e-12 * (1 + fabs(y)));
    }
    CU_ASSERT_EQUAL(bad, 0);
    if (bad)
        fprintf(stderr, "%s\n", src);
    ref_free(&w->g, a);
    ref_free(want, b);
}

/* Gradients worked out by hand. */
static void by_hand(void)
{
    static struct kernel_cases cases;

    cases_read(&cases, "gradients.kern", 28);
    for (int i = 0; i < cases.n; i++) {
        const struct kernel_case *c = &cases.at[i];
        struct world w;
        struct kernel want;
        char d[CASES_NAME + 1];
        open_world(&w, KERNEL_F64);
        kernel_init(&want, &w.mem, &w.strs, KERNEL_F64);
        CU_ASSERT_FATAL(c->gives && c->wrt.n == 1 && parse_kernel(&w, &w.k, c->text) && parse_kernel(&w, &want, c->gives));
        CU_ASSERT(differentiate(&w, c->wrt.name[0], NULL) == CALQUE_OK);
        for (int t = 0; t < w.g.tensor.n; t++) { /* it takes the inputs of the stated gradient, no others */
            const char *name = strs_text(&w.strs, w.g.tensor.a[t].name);
            CU_ASSERT(named_tensor(&want, name) >= 0);
        }
        CU_ASSERT(w.g.tensor.n == want.tensor.n);
        snprintf(d, sizeof d, "d%s", c->wrt.name[0]);
        same_function(&w, &want, d, c->text);
        kernel_free(&want);
        close_world(&w);
    }
    cases_free(&cases);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"texts", texts},
        {"header", header},
        {"refusals", refusals},
        {"by hand", by_hand},
    };
    return unit_main("kernel/grad", cases, UNIT_COUNT(cases));
}
