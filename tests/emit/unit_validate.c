/* The check that a program computes a kernel: every strategy's is seen to, changed ones are refused with the reason, and what is
   emitted then is the plain code, which computes the same bits. The extracted check is compared in tests/emit/validate.sh. */
#include "../unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"

static struct mem mem = MEM_INIT;
static struct strs strs;

static const char kernels[] =
    "Y<1,8,10,9>[n,k,p,q] = max(sum(c<4,r<3,s<3) select(p+r >= 1 && p+r < 11 && q+s >= 1 && q+s < 10, "
    "X<1,4,10,9>[n,c,p+r-1,q+s-1] * W<8,4,3,3>[k,c,r,s], 0) + B<8>[k], 0);\n"
    "C<32,48>[i,j] = sum(k<64) (A<32,64>[i,k] * D<64,48>[k,j]);\n"
    "M<4,8,8>[c,y,x] = amax(u<2,v<2) P<4,16,16>[c,y*2+u,x*2+v];\n"
    "T<6,4,16>[i,j,k] = Q<4,16,6>[j,k,i] - R<6>[i];\n"
    "E<5>[i] = sum(k<40) exp(F<5,40>[i,k]) / 3;\n";

static void parse(struct kernel *k, const char *text)
{
    struct diag d;

    kernel_init(k, &mem, &strs, KERNEL_F32);
    if (kernel_parse(k, "kernel", text, strlen(text), NULL, -1, &d) != CALQUE_OK)
        CU_FAIL_FATAL("the kernel is not read");
}

static void test_strategies(void)
{
    static const unsigned strategy[] = {0, LOWER_GUARD, LOWER_ROWS, LOWER_MERGE, LOWER_TILE, LOWER_ALL, LOWER_PLAIN};
    struct kernel k;
    struct diag d;

    parse(&k, kernels);
    for (int i = 0; i < UNIT_COUNT(strategy); i++) {
        struct prog p;
        CU_ASSERT_EQUAL(lower_kernel(&k, strategy[i], &p, &d), CALQUE_OK);
        d.text[0] = '\0';
        CU_ASSERT_EQUAL(validate_program(&k, &p, &d), CALQUE_OK);
        if (d.text[0])
            fprintf(stderr, "strategy %u: %s\n", strategy[i], d.text);
        prog_free(&p);
    }
    kernel_free(&k);
}

/* One change of a program, made by hand in its arrays; false: there is nothing to change. */
typedef bool change(struct prog *p);

static struct exp *first(struct prog *p, int kind)
{
    for (int i = p->exp.n - 1; i >= 0; i--)
        if (p->exp.a[i].kind == kind)
            return &p->exp.a[i];
    return NULL;
}

static bool other_literal(struct prog *p)
{
    struct exp *e = first(p, EXP_LIT);
    return e && (e->num = e->num + 1, true);
}

static bool other_function(struct prog *p)
{
    for (int i = 0; i < p->exp.n; i++)
        if (p->exp.a[i].kind == EXP_CALL && p->exp.a[i].op == FN_MUL)
            return p->exp.a[i].op = FN_ADD, true;
    return false;
}

static bool other_operand(struct prog *p)
{
    for (int i = 0; i < p->exp.n; i++)
        if (p->exp.a[i].kind == EXP_CALL && p->exp.a[i].op == FN_SUB) {
            int a = p->exp.a[i].a;
            p->exp.a[i].a = p->exp.a[i].b;
            p->exp.a[i].b = a;
            return true;
        }
    return false;
}

static bool other_branch(struct prog *p)
{
    struct exp *e = first(p, EXP_ITE);
    int a = e ? e->a : 0;

    if (e) {
        e->a = e->b;
        e->b = a;
    }
    return e != NULL;
}

static bool other_bound(struct prog *p)
{
    for (int i = 0; i < p->cond.n; i++)
        if (p->cond.a[i].op == CMP_LT)
            return p->cond.a[i].op = CMP_LE, true;
    return false;
}

static bool other_index(struct prog *p)
{
    for (int i = 0; i < p->ix.n; i++)
        if (p->ix.a[i].kind == IX_MUL)
            return p->ix.a[i].k--, true;
    return false;
}

static bool other_length(struct prog *p)
{
    struct exp *e = first(p, EXP_JOIN);
    return e && (e->n++, true);
}

static bool fewer_turns(struct prog *p)
{
    struct exp *e = first(p, EXP_FOLD);
    return e && (e->n--, true);
}

static bool fewer_terms(struct prog *p)
{
    struct exp *e = first(p, EXP_FOLD);
    return e && (e->n--, p->var.a[e->x].extent--, true);
}

static bool out_of_scope(struct prog *p)
{
    struct exp *e = first(p, EXP_GEN);
    return e && (e->x = prog_ivar(p, -1, e->n), true);
}

static bool bound_twice(struct prog *p)
{
    for (int i = 0; i < p->exp.n; i++) {
        struct exp *e = &p->exp.a[i], *f = e->kind == EXP_GEN ? &p->exp.a[e->a] : e;
        if (e != f && f->kind == EXP_GEN)
            return f->x = e->x, true;
    }
    return false;
}

static bool endless(struct prog *p)
{
    struct exp *e = first(p, EXP_CALL);
    return e && (e->a = (int)(e - p->exp.a), true);
}

static bool other_output(struct prog *p)
{
    return p->stmt.a[0].param = p->stmt.a[1].param, true;
}

static bool no_assignment(struct prog *p)
{
    return p->stmt.n--, true;
}

static bool no_parameter(struct prog *p)
{
    for (int i = 0; i < p->param.n; i++)
        if (strcmp(strs_text(&strs, p->param.a[i].name), "Q") == 0)
            return p->param.a[i].tensor = -1, true;
    return false;
}

static bool other_shape(struct prog *p)
{
    for (int i = 0; i < p->param.n; i++)
        if (strcmp(strs_text(&strs, p->param.a[i].name), "R") == 0)
            return p->var.a[p->param.a[i].var].type = data_ary(p, 7, data_num(p)), true;
    return false;
}

static bool stored_otherwise(struct prog *p)
{
    return p->param.a[0].elem = ELEM_I32, true;
}

static bool other_scalars(struct prog *p)
{
    return p->scalar = KERNEL_F64, true;
}

static void test_changes(void)
{
    static const char type[] = "the program has not the type of the output", cell[] = "the program computes another cell";
    static const struct {
        change *make;
        const char *why;
    } all[] = {{other_literal, cell},
               {other_function, cell},
               {other_operand, cell},
               {other_branch, type},
               {other_bound, type},
               {other_index, NULL},
               {other_length, type},
               {fewer_turns, type},
               {fewer_terms, NULL},
               {out_of_scope, type},
               {bound_twice, type},
               {endless, type},
               {other_output, "Y is not what the program assigns"},
               {no_assignment, "4 assignments for 5 statements"},
               {no_parameter, "the program has no Q"},
               {other_shape, "R has another shape in the program"},
               {stored_otherwise, "has another shape in the program"},
               {other_scalars, "the program has other sizes or scalars than the kernel"}};
    struct kernel k;
    struct diag d;

    parse(&k, kernels);
    for (int i = 0; i < UNIT_COUNT(all); i++) {
        struct prog p;
        enum calque_status st;
        CU_ASSERT_EQUAL(lower_kernel(&k, LOWER_ALL, &p, &d), CALQUE_OK);
        CU_ASSERT(all[i].make(&p));
        d.text[0] = '\0';
        st = validate_program(&k, &p, &d);
        CU_ASSERT_EQUAL(st, CALQUE_NO);
        if (st != CALQUE_NO || (all[i].why && !strstr(d.text, all[i].why))) {
            fprintf(stderr, "change %d: %s\n", i, d.text);
            CU_FAIL("another reason");
        }
        prog_free(&p);
    }
    kernel_free(&k);
}

static void test_outside(void)
{
    struct kernel k;
    struct prog p;
    struct diag d;

    parse(&k, "Y<4>[i] = X<6>[i + 2] * 2;");
    CU_ASSERT_EQUAL(lower_kernel(&k, LOWER_ALL, &p, &d), CALQUE_OK);
    CU_ASSERT_EQUAL(validate_program(&k, &p, &d), CALQUE_OK);
    for (int i = 0; i < k.ix.n; i++)
        if (k.ix.a[i].kind == IX_CONST)
            k.ix.a[i].k = 3;
    CU_ASSERT_EQUAL(validate_program(&k, &p, &d), CALQUE_NO);
    CU_ASSERT_STRING_EQUAL(d.text, "Y: the kernel may read outside of a tensor");
    prog_free(&p);
    kernel_free(&k);
}

/* Expressions deeper than the check goes, and values that are read again and again, twice as often in every let. */
static void test_limits(void)
{
    struct kernel k;
    struct diag d;

    parse(&k, "Y<4>[i] = X<4>[i] + X<4>[i];");
    for (int kind = 0; kind < 2; kind++) {
        struct prog p;
        int i, e, body, num;
        CU_ASSERT_EQUAL(lower_kernel(&k, LOWER_PLAIN, &p, &d), CALQUE_OK);
        num = data_num(&p);
        i = prog_ivar(&p, -1, 4);
        e = exp_idx(&p, exp_var(&p, p.param.a[p.param.a[0].role == KERNEL_IN ? 0 : 1].var), prog_ix_var(&p, i));
        body = e;
        if (kind == 0)
            for (int n = 0; n < 3 * EXP_DEPTH_MAX; n++)
                body = exp_call(&p, FN_ADD, body, e);
        else {
            int value[40], x[40];
            value[0] = e;
            for (int n = 1; n < 40; n++) {
                x[n] = prog_var(&p, -1, num);
                value[n] = exp_call(&p, FN_ADD, exp_var(&p, x[n]), exp_var(&p, x[n]));
            }
            body = value[39];
            for (int n = 39; n > 0; n--)
                body = exp_let(&p, x[n], value[n - 1], body);
        }
        p.stmt.a[0].exp = exp_gen(&p, false, i, body);
        CU_ASSERT_EQUAL(prog_status(&p, &d), CALQUE_OK);
        CU_ASSERT_EQUAL(validate_program(&k, &p, &d), CALQUE_NO);
        CU_ASSERT_STRING_EQUAL(d.text, "Y: a cell is too large to be compared");
        prog_free(&p);
    }
    kernel_free(&k);
}

static void test_memory(void)
{
    struct kernel k;
    struct prog p;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    long n = 0;

    parse(&k, kernels);
    CU_ASSERT_EQUAL(lower_kernel(&k, LOWER_ALL, &p, &d), CALQUE_OK);
    for (; st == CALQUE_NOMEM && n < 10000; n++) {
        mem.fail_after = n;
        st = validate_program(&k, &p, &d);
        mem.fail_after = -1;
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(n > 20);
    prog_free(&p);
    kernel_free(&k);
}

/* ---- emission ---- */

static void spoil(struct prog *p)
{
    CU_ASSERT(other_function(p) || other_operand(p) || other_literal(p));
}

/* The emitted file of this name, or NULL. */
static const struct emit_file *file_of(const struct emit_files *f, const char *name)
{
    for (int i = 0; i < f->file.n; i++)
        if (strcmp(f->file.a[i].name, name) == 0)
            return &f->file.a[i];
    return NULL;
}

static bool says(const struct emit_files *f, const char *name, const char *text)
{
    const struct emit_file *x = file_of(f, name);
    size_t n = strlen(text);

    for (size_t i = 0; x && i + n <= x->n; i++)
        if (memcmp(x->data + i, text, n) == 0)
            return true;
    return false;
}

/* make check in the directory, and its end. */
static bool runs(const char *dir)
{
    char command[128];

    snprintf(command, sizeof command, "make -s -C %s check >/dev/null", dir);
    return system(command) == 0; /* the test's own directory */
}

static void remove_all(const char *dir)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", dir);
    CU_ASSERT_EQUAL(system(command), 0);
}

static void test_fallback(void)
{
    static const char text[] = "Y<1,8,10,9>[n,k,p,q] = max(sum(c<4,r<3,s<3) select(p+r >= 1 && p+r < 11 && q+s >= 1 && q+s < 10, "
                               "X<1,4,10,9>[n,c,p+r-1,q+s-1] * W<8,4,3,3>[k,c,r,s], 0) + B<8>[k], 0);";

    for (int bare = 0; bare < 2; bare++) {
        struct emit_options good = {.name = "net", .vectors = 1, .freestanding = bare == 1}, bad = good;
        struct emit_files f, g;
        char dir[UNIT_DIR];
        struct kernel k;
        struct diag d;

        parse(&k, text);
        bad.change = spoil;
        CU_ASSERT_EQUAL(emit_kernel(&k, &good, &f, &d), CALQUE_OK);
        CU_ASSERT(f.checked == 1 && f.fallback.n == 0);
        CU_ASSERT(says(&f, "net.h", "checked: 1 kernel"));
        CU_ASSERT_EQUAL_FATAL(emit_kernel(&k, &bad, &g, &d), CALQUE_OK);
        CU_ASSERT(g.checked == 0 && g.fallback.n == 1);
        CU_ASSERT(says(&g, "net.h", "in plain code"));
        CU_ASSERT_STRING_EQUAL(g.notes.a + g.fallback.a[0].reason, "Y: the program computes another cell");
        CU_ASSERT(file_of(&f, "net.c")->n != file_of(&g, "net.c")->n);
        unit_dir(dir);
        CU_ASSERT_EQUAL(emit_files_write(&g, dir, &d), CALQUE_OK);
        CU_ASSERT(runs(dir));
        remove_all(dir);
        emit_files_free(&f);
        emit_files_free(&g);
        kernel_free(&k);
    }
}

/* Memory that is out in the check, or for its note, is no reason for plain code. */
static void test_emission_memory(void)
{
    struct emit_options o = {.name = "net", .change = spoil};
    struct kernel k;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;

    parse(&k, "Y<3,4>[i,j] = sum(k<5) (A<3,5>[i,k] * B<5,4>[k,j]);");
    for (long n = 0; st == CALQUE_NOMEM && n < 10000; n++) {
        struct emit_files f;
        mem.fail_after = n;
        st = emit_kernel(&k, &o, &f, &d);
        mem.fail_after = -1;
        if (st == CALQUE_OK) {
            CU_ASSERT_EQUAL(f.fallback.n, 1);
            emit_files_free(&f);
        }
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    kernel_free(&k);
}

int main(void)
{
    static const struct unit_case cases[] = {{"strategies", test_strategies}, {"changes", test_changes},
                                             {"outside", test_outside},       {"limits", test_limits},
                                             {"memory", test_memory},         {"fallback", test_fallback},
                                             {"emission, memory", test_emission_memory}};
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit/unit_validate", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
