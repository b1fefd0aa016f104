/* Golden functional expressions and commands, and the failure sweep. UPDATE_GOLDEN=1 rewrites tests/dpia/golden. */
#include "programs.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct mem mem = MEM_INIT;
static struct strs strs;

static void put_stages(struct text *t, const struct prog *p)
{
    struct code c;
    struct diag d;

    diag_clear(&d);
    prog_print(t, p);
    CU_ASSERT_FATAL(trans_prog(p, false, &c, &d) == CALQUE_OK);
    text_puts(t, "\n");
    code_print(t, &c, NULL);
    code_free(&c);
}

static void golden_program(const char *name, void (*build)(struct prog *))
{
    struct prog p;
    struct text t;

    prog_init(&p, &mem, &strs, KERNEL_F32);
    text_init(&t, &mem);
    build(&p);
    CU_ASSERT_FATAL(p.status == CALQUE_OK);
    put_stages(&t, &p);
    unit_golden("tests/dpia/golden", name, t.a, (size_t)t.n);
    text_free(&t);
    prog_free(&p);
}

static void golden_kernel(const char *name, const char *src)
{
    struct text t;
    struct diag d;

    diag_clear(&d);
    text_init(&t, &mem);
    for (unsigned s = 0; s <= LOWER_ALL; s += LOWER_ALL) {
        struct kernel k;
        struct prog p;
        kernel_init(&k, &mem, &strs, KERNEL_F32);
        CU_ASSERT_FATAL(kernel_parse(&k, name, src, strlen(src), NULL, -1, &d) == CALQUE_OK);
        text_puts(&t, s ? "\n# all strategies\n" : "# plain\n");
        CU_ASSERT_FATAL(lower_kernel(&k, s, &p, &d) == CALQUE_OK);
        put_stages(&t, &p);
        prog_free(&p);
        kernel_free(&k);
    }
    unit_golden("tests/dpia/golden", name, t.a, (size_t)t.n);
    text_free(&t);
}

/* a.8 c.8 c.12 c.13 c.4 c.5 c.7 a.9 a.1: the seed's dot product */
static void test_dot(void)
{
    golden_program("dot", build_dot);
}

/* a.8 c.9 c.6 c.7: the seed's split dot product */
static void test_split_dot(void)
{
    golden_program("split_dot", build_split_dot);
}

/* c.7 with a second buffer (the seed's a.9 in place is wrong), c.rev; c.7 in place for an elementwise body */
static void test_inplace(void)
{
    golden_program("reversed", build_reversed);
    golden_program("row_sum", build_row_sum);
}

/* a.10 a.11 a.12 a.13 a.tr a.rev a.gen a.7 a.2 */
static void test_acceptors(void)
{
    golden_program("acceptors", build_acceptors);
}

/* a.ite c.ite a.let c.2 */
static void test_choice(void)
{
    golden_program("choice", build_choice);
}

/* a.gen c.fold a.fold c.idx c.3 c.4 .ite */
static void test_kernels(void)
{
    golden_kernel("matmul", "Y<8,12>[i,j] = sum(k<4) (A<8,4>[i,k] * B<4,12>[k,j]);");
    golden_kernel("conv", "Y<1,4,6,6>[n,o,p,q] = max(sum(c<3,i<3,j<3) select(0 <= p+i-1 && p+i-1 < 6 && 0 <= q+j-1 && "
                          "q+j-1 < 6, X<1,3,6,6>[n,c,p+i-1,q+j-1] * W<4,3,3,3>[o,c,i,j], 0.0) + B<4>[o], 0.0);");
    golden_kernel("softmax", "M<5>[i] = amax(j<10) X<5,10>[i,j]; E<5,10>[i,j] = exp(X<5,10>[i,j] - M<5>[i]); "
                             "S<5>[i] = sum(j<10) E<5,10>[i,j]; Y<5,10>[i,j] = E<5,10>[i,j] / S<5>[i];");
    golden_kernel("pointwise", "Y<1,4,6,6>[n,o,p,q] = sum(c<3) (X<1,3,6,6>[n,c,p,q] * W<4,3,1,1>[o,c,0,0]) + B<4>[o];");
    golden_kernel("swap", "Y<4>[i] = X<4>[i]; Y<4>[i] = Y<4>[3-i];");
}

/* Ill-typed constructions are refused, not translated. */
static void test_ill_typed(void)
{
    struct prog p;
    struct code c;
    struct diag d;
    int v, w;

    diag_clear(&d);
    prog_init(&p, &mem, &strs, KERNEL_F32);
    v = in_param(&p, "a", data_ary(&p, 4, data_num(&p)));
    w = in_param(&p, "b", data_ary(&p, 5, data_num(&p)));
    CU_ASSERT(exp_zip(&p, exp_var(&p, v), exp_var(&p, w)) == -1);
    CU_ASSERT(p.status == CALQUE_INTERNAL);
    CU_ASSERT(trans_prog(&p, false, &c, &d) == CALQUE_INTERNAL);
    code_free(&c);
    prog_free(&p);
    prog_init(&p, &mem, &strs, KERNEL_F32);
    v = in_param(&p, "a", data_ary(&p, 4, data_num(&p)));
    CU_ASSERT(exp_call(&p, FN_ADD, exp_var(&p, v), exp_var(&p, v)) == -1);
    prog_free(&p);
    prog_init(&p, &mem, &strs, KERNEL_F32);
    v = in_param(&p, "a", data_ary(&p, 4, data_num(&p)));
    CU_ASSERT(exp_split(&p, 3, exp_var(&p, v)) == -1);
    prog_free(&p);
}

/* All stages with every k-th allocation failing. */
static void test_memory(void)
{
    static const char src[] = "Y<2,8>[i,j] = sum(k<4) select(k < i, A<2,4>[i,k] * B<4,8>[k,j], 0.0) + amax(k<3) C<3>[k];";
    struct mem m = MEM_INIT;
    struct strs s;
    bool done = false;

    for (long k = 0; !done && k < 5000; k++) {
        struct kernel kernel;
        struct prog p;
        struct code c;
        struct diag d;
        enum calque_status st;
        diag_clear(&d);
        m.fail_after = -1;
        strs_init(&s, &m);
        kernel_init(&kernel, &m, &s, KERNEL_F32);
        CU_ASSERT_FATAL(kernel_parse(&kernel, "t", src, strlen(src), NULL, -1, &d) == CALQUE_OK);
        memset(&c, 0, sizeof c);
        m.fail_after = k;
        st = lower_kernel(&kernel, LOWER_ALL, &p, &d);
        if (st == CALQUE_OK)
            st = trans_prog(&p, false, &c, &d);
        done = st == CALQUE_OK;
        CU_ASSERT(done || st == CALQUE_NOMEM);
        code_free(&c);
        prog_free(&p);
        kernel_free(&kernel);
        strs_free(&s);
    }
    CU_ASSERT(done);
}

static const struct unit_case cases[] = {
    { "dot", test_dot },
    { "split_dot", test_split_dot },
    { "inplace", test_inplace },
    { "acceptors", test_acceptors },
    { "choice", test_choice },
    { "kernels", test_kernels },
    { "ill_typed", test_ill_typed },
    { "memory", test_memory },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("dpia_trans", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
