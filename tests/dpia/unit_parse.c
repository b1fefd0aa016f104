/* .dpia text: golden stages of the literature's programs, printing and reading back, every error with its place, failing
   allocations. UPDATE_GOLDEN=1 rewrites tests/dpia/golden/programs. */
#include "emit/emit.h"
#include "random.h"
#include "table.h"
#include "unit.h"

#include <stdlib.h>

static struct mem mem = MEM_INIT;
static struct strs strs;

static void put_stage(struct text *t, const struct prog *p, const char *stage, bool numbering)
{
    struct emit_options o = { .numbering = numbering };
    struct diag d;

    CU_ASSERT_FATAL(emit_dump_prog(t, p, stage, &o, &d) == CALQUE_OK);
}

/* All labels a.N, c.N, cga.N, cge.N, cgc.N of seed 002 occur in the translations of these programs; the listings of
   product, product_split_fused and block_dl_mul_dl are the seed's. */
static void test_golden(void)
{
    for (int i = 0; i < TABLE; i++) {
        struct prog p;
        struct text t;
        struct diag d;
        diag_clear(&d);
        text_init(&t, &mem);
        if (table_read(&p, &mem, &strs, table_names[i], KERNEL_F32, NULL, 0, &d) != CALQUE_OK) {
            fprintf(stderr, "%s:%d:%d: %s\n", d.file, d.line, d.col, d.text);
            CU_FAIL("program");
        } else {
            put_stage(&t, &p, "dpia", false);
            text_puts(&t, "\n");
            put_stage(&t, &p, "comm", true);
            text_puts(&t, "\n");
            put_stage(&t, &p, "c", true);
            unit_golden("tests/dpia/golden/programs", table_names[i], t.a, (size_t)t.n);
        }
        text_free(&t);
        prog_free(&p);
    }
}

/* What is printed reads back to a program with the same commands. */
static void check_back(const struct prog *p)
{
    struct text a, b, c;
    struct prog q;
    struct diag d;

    diag_clear(&d);
    text_init(&a, &mem);
    text_init(&b, &mem);
    text_init(&c, &mem);
    prog_print(&a, p);
    put_stage(&b, p, "comm", false);
    if (dpia_parse(&q, &mem, &strs, "printed", a.a, (size_t)a.n, NULL, 0, &d) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\n%s", d.line, d.col, d.text, a.a);
        CU_FAIL("printed text");
    } else {
        put_stage(&c, &q, "comm", false);
        if (strcmp(b.a, c.a) != 0) {
            fprintf(stderr, "%s\n%s\n%s", a.a, b.a, c.a);
            CU_FAIL("read back");
        }
    }
    prog_free(&q);
    text_free(&a);
    text_free(&b);
    text_free(&c);
}

static void test_back(void)
{
    for (int i = 0; i < TABLE; i++) {
        struct prog p;
        struct diag d;
        CU_ASSERT_FATAL(table_read(&p, &mem, &strs, table_names[i], (enum kernel_type)(i % 4 == 3 || i == 5 ? 1 : i % 4), NULL,
                                   0, &d) == CALQUE_OK);
        check_back(&p);
        prog_free(&p);
    }
    {
        static const char own[] = "size m, n\nin a : 3.num\nout r, s\nr := generatePar n (fun i -> a[i % 3])\n"
                                  "s := generatePar (m*n+1) (fun i -> a[0])";
        struct prog p;
        struct diag d;
        CU_ASSERT_FATAL(dpia_parse(&p, &mem, &strs, "own", own, sizeof own - 1, NULL, 0, &d) == CALQUE_OK);
        check_back(&p);
        prog_free(&p);
    }
    for (int i = 0; i < 400; i++) {
        struct prog p;
        prog_init(&p, &mem, &strs, (enum kernel_type)(i % 4));
        build_random(&p);
        CU_ASSERT_FATAL(p.status == CALQUE_OK);
        check_back(&p);
        prog_free(&p);
    }
}

#define IN "in a, b : n.num\nin M : m.n.num\nin p : (num x num)\nout r\n"
static const struct {
    const char *src;
    int line, col;
    const char *text;
} bad[] = {
    /* each typing rule */
    { IN "r := q", 5, 6, "T_Var: 'q' is not defined" },
    { IN "r := generateSeq n (fun i -> i)", 5, 30, "T_Var: 'i' is an index, not a value" },
    { "scalar i32\nout r\nr := 1.5", 3, 6, "T_Lit: an integer is needed" },
    { "scalar i32\nout r\nr := 3000000000", 3, 6, "T_Lit: the integer does not fit in 32 bits" },
    { IN "r := neg a", 5, 6, "T_Un: neg needs numbers, not n.num" },
    { IN "r := sqrt a", 5, 6, "T_Un: sqrt needs numbers, not n.num" },
    { "scalar i64\nout r\nr := sqrt 1", 3, 6, "T_Un: sqrt is not for the scalar type" },
    { IN "r := 1 + a", 5, 8, "T_Bin: + needs numbers, not n.num" },
    { IN "r := 1 % 2", 5, 8, "T_Bin: % is not for the scalar type" },
    { IN "r := mapSeq (fun x -> x) p", 5, 26, "T_Map: an array is needed, not (num x num)" },
    { IN "r := mapPar m (fun x -> x) a", 5, 13, "T_Map: the array is n.num" },
    { IN "r := mapPar (fun x y -> x) a", 5, 13, "T_Map: the function takes 2 arguments, here are 1" },
    { IN "r := mapPar (+) a", 5, 13, "T_Map: + takes 2 arguments, here are 1" },
    { IN "r := generateSeq n (+)", 5, 20, "T_Gen: a function (fun i -> ..) of an index is needed" },
    { IN "r := reduceSeq (+) 0 1", 5, 22, "T_Red: an array is needed, not num" },
    { IN "r := reduceSeq (fun x s -> a) 0 a", 5, 16, "T_Red: the function gives n.num, the initial value is num" },
    { IN "r := reduceSeq (fun i s -> a) 0 (iota n)", 5, 16, "T_Fold: the function gives n.num, the initial value is num" },
    { IN "r := reduceSeq m (fun i s -> s) 0 (iota n)", 5, 16, "T_Fold: the size differs" },
    { IN "r := zip a M", 5, 6, "T_Zip: the arrays have different sizes: n.num and m.n.num" },
    { IN "r := zip a p", 5, 12, "T_Zip: an array is needed" },
    { IN "r := split m a", 5, 12, "T_Split: the size does not divide that of n.num" },
    { "in a : 6.num\nout r\nr := split 4 a", 3, 12, "T_Split: the size does not divide that of 6.num" },
    { IN "r := join a", 5, 11, "T_Join: an array of arrays is needed, not n.num" },
    { IN "r := transpose a", 5, 16, "T_Tr: an array of arrays is needed, not n.num" },
    { IN "r := reverse p", 5, 14, "T_Rev: an array is needed" },
    { IN "r := fst a", 5, 10, "T_Fst: a pair is needed, not n.num" },
    { IN "r := snd a", 5, 10, "T_Snd: a pair is needed, not n.num" },
    { IN "r := mapSeq (fun (x, y) -> x) a", 5, 18, "T_Fst: the binder is a pair, the value is num" },
    { IN "r := p[0]", 5, 6, "T_Idx: an array is needed, not (num x num)" },
    { IN "r := a[0]", 5, 8, "T_Idx: cannot show that the index stays inside n.num" },
    { IN "r := generateSeq n (fun i -> a[i + 1])", 5, 34, "T_Idx: cannot show that the index stays inside n.num" },
    { IN "r := generateSeq n (fun i -> a[i - 1])", 5, 34, "T_Idx: cannot show" },
    { IN "r := generateSeq n (fun i -> if i > 1 then a[i - 2] else a[i + 1])", 5, 62, "T_Idx: cannot show" },
    { IN "r := generateSeq n (fun i -> a[i * n])", 5, 34, "T_Idx: an index is multiplied and divided by numbers only" },
    { IN "r := generateSeq n (fun i -> a[i // 0])", 5, 34, "T_Idx: the divisor is not positive" },
    { IN "r := generateSeq n (fun i -> a[q])", 5, 32, "T_Idx: 'q' is neither an index variable nor a size" },
    { IN "r := generateSeq n (fun i -> a[b])", 5, 32, "T_Idx: 'b' is a value, not an index" },
    { IN "r := generateSeq n (fun i -> if i < 1 then a else 0)", 5, 30, "T_Ite: the branches are n.num and num" },
    { "in a : n.num\nout r : num\nr := a", 3, 1, "T_Assign: 'r' is num, the expression is n.num" },
    { "in a : n.num\ndef f (x : k.num) (y : k.num) = x\nout r\nr := f a 1", 4, 6, "T_App: argument 2 of f is num" },
    { "in a : n.num\ndef f x y = x\nout r\nr := (f a)", 4, 7, "T_App: f takes 2 arguments, here are 1" },
    { "in a : n.num\ndef f x y = x\nout r\nr := (f)", 4, 7, "T_App: f takes 2 arguments, here are 0" },
    { "in a : n.num\ndef f x = y\nout r\nr := f a", 2, 11, "T_Var: 'y' is not defined" },
    { "size n = 6\nin a : (n-7).num\nout r\nr := a", 2, 10, "T_Size: a size is negative" },
    { "in a : 65536.65536.num\nout r\nr := a", 1, 8, "T_Size: an array has more than 2147483647 cells" },
    { "in a : n.num\nout r : q.num\nr := a", 2, 9, "T_Size: 'q' is no size" },
    { "in a : n.num\nin b : (n//2).num\nout r\nr := a", 2, 10, "T_Size: sizes are built with + - *" },
    /* declarations */
    { "in a : num\nin a : num\nout r\nr := a", 2, 4, "'a' is declared twice" },
    { "in a : num\nout r, r\nr := a", 2, 8, "'r' is declared twice" },
    { "in a : num\nr := a", 2, 1, "'r' is not declared" },
    { "in a : num\nout r\na := a", 3, 1, "'a' is an input" },
    { "in a : num\nout r : num\nout s\nr := a", 3, 5, "'s' is never assigned" },
    { "in a : num\nout s : num\nout r\nr := a", 2, 5, "'s' is never assigned" },
    { "in a : num\nout s : num\nout r\nr := s", 4, 1, "'s' is read before it is assigned" },
    { "in n : n.num\nout r\nr := n", 1, 4, "'n' is both a size and a parameter" },
    { "in a : num\nscalar f64", 2, 8, "the scalar type comes first" },
    { "scalar f16", 1, 8, "expected f32, f64, i32 or i64, got 'f16'" },
    { "in a : num\n", 2, 1, "the program assigns nothing" },
    /* syntax */
    { "in a num", 1, 6, "expected ':', got 'num'" },
    { "in let : num", 1, 4, "expected a name, got 'let'" },
    { "in a : [", 1, 8, "expected a size or index, got '['" },
    { "in a : n num", 1, 10, "expected '.', got 'num'" },
    { "in a : (num num)", 1, 13, "expected 'x', got 'num'" },
    { IN "r = a", 5, 3, "expected ':', got '='" },
    { IN "r := ", 5, 6, "expected an expression before the end of the file" },
    { IN "r := (a", 5, 8, "expected ')' before the end of the input" },
    { IN "r := mapPar a a", 5, 15, "expected a function: (fun x -> ..), (+) or a def, got 'a'" },
    { IN "r := mapPar (fun -> a) a", 5, 18, "expected a name, got '->'" },
    { IN "r := let x = a r", 5, 16, "expected 'in', got 'r'" },
    { IN "r := if 1 then a else b", 5, 11, "expected a comparison, got 'then'" },
    { IN "r := zip a", 5, 11, "expected an expression before the end of the file" },
    { IN "r := a[", 5, 8, "expected a size or index before the end of the file" },
    { IN "r := a }", 5, 8, "expected a name, got '}'" },
    { IN "r := a $ b", 5, 8, "unexpected character '$'" },
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct prog p;
        struct diag d;
        diag_clear(&d);
        if (dpia_parse(&p, &mem, &strs, "bad", bad[i].src, strlen(bad[i].src), NULL, 0, &d) != CALQUE_BAD ||
                   d.line != bad[i].line || d.col != bad[i].col || strncmp(d.text, bad[i].text, strlen(bad[i].text)) != 0) {
            fprintf(stderr, "%s\n  expected %d:%d: %s\n  got      %d:%d: %s\n", bad[i].src, bad[i].line, bad[i].col,
                    bad[i].text, d.line, d.col, d.text);
            CU_FAIL("error");
        } else {
            CU_PASS("error");
        }
        prog_free(&p);
    }
}

/* Indices that stay inside, at symbolic sizes. */
static void test_range(void)
{
    static const char *const good[] = {
        "generateSeq n (fun i -> a[n - 1 - i])",
        "generateSeq n (fun i -> a[0])",
        "generateSeq n (fun i -> if i >= 2 && i < n - 1 then a[i - 2] + a[i + 1] else 0)",
        "generateSeq n (fun i -> if i == 0 then 0 else a[i])",
        "generateSeq (n*4) (fun i -> a[i // 4])",
        "generateSeq n (fun i -> c[i % 3] + c[(i - 7) % 3])",
        "generateSeq n (fun i -> select(0 <= i - 2, a[i - 2], a[i]))",
        "mapSeq (fun x -> x + a[n - 1]) a",
    };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct prog p;
        struct diag d;
        char src[256];
        diag_clear(&d);
        snprintf(src, sizeof src, "in a : n.num\nin c : 3.num\nout r\nr := %s", good[i]);
        if (dpia_parse(&p, &mem, &strs, "good", src, strlen(src), NULL, 0, &d) != CALQUE_OK) {
            fprintf(stderr, "%s\n%d:%d: %s\n", src, d.line, d.col, d.text);
            CU_FAIL("range");
        }
        prog_free(&p);
    }
}

static void test_limits(void)
{
    struct dpia_size none = { "q", 3 };
    struct text t;
    struct prog p;
    struct diag d;

    text_init(&t, &mem);
    text_puts(&t, "in a : num\nout r\nr := ");
    for (int i = 0; i < 500; i++)
        text_puts(&t, "(");
    CU_ASSERT(dpia_parse(&p, &mem, &strs, "deep", t.a, (size_t)t.n, NULL, 0, &d) == CALQUE_LIMIT);
    prog_free(&p);
    t.n = 0;
    text_puts(&t, "in a : num\nout r\nr := a");
    for (int i = 0; i < 500; i++)
        text_puts(&t, " + a");
    CU_ASSERT(dpia_parse(&p, &mem, &strs, "long", t.a, (size_t)t.n, NULL, 0, &d) == CALQUE_LIMIT);
    prog_free(&p);
    t.n = 0;
    text_puts(&t, "in a : num\nout r\ndef f0 x = x + x\n");
    for (int i = 1; i < 40; i++)
        text_printf(&t, "def f%d x = f%d x + f%d x\n", i, i - 1, i - 1);
    text_puts(&t, "r := f39 a");
    CU_ASSERT(dpia_parse(&p, &mem, &strs, "wide", t.a, (size_t)t.n, NULL, 0, &d) == CALQUE_LIMIT);
    prog_free(&p);
    t.n = 0;
    text_puts(&t, "in a : n.num\nout r\nr := a");
    CU_ASSERT(dpia_parse(&p, &mem, &strs, "size", t.a, (size_t)t.n, &none, 1, &d) == CALQUE_BAD);
    CU_ASSERT(strcmp(d.text, "the program has no size 'q'") == 0);
    prog_free(&p);
    text_free(&t);
}

static const char sweep[] =
    "in A : m.n.num\nin p : (k.num x (2*k).num)\nout r, s\ndef dot (x : d.num) y = reduceSeq (+) 0 (mapSeq (*) (zip x y))\n"
    "r := mapPar (fun u -> mapSeq (dot u) A) A\n"
    "s := let (x, y) = p in generatePar k (fun i -> if i > 0 && i < k then x[i - 1] else max y[2 * i] (sqrt x[i]))\n";

static enum calque_status sweep_once(struct mem *m, bool sized)
{
    struct dpia_size size[] = { { "m", 2 }, { "n", 40 }, { "k", 30 } };
    struct emit_options o = { .numbering = false };
    struct strs s;
    struct prog p;
    struct emit_files f;
    struct text t;
    struct diag d;
    enum calque_status st;

    diag_clear(&d);
    strs_init(&s, m);
    text_init(&t, m);
    memset(&f, 0, sizeof f);
    st = dpia_parse(&p, m, &s, "sweep", sweep, sizeof sweep - 1, size, sized ? 3 : 0, &d);
    if (st == CALQUE_OK)
        st = emit_dump_prog(&t, &p, "dpia", &o, &d);
    o.numbering = true;
    if (st == CALQUE_OK)
        st = emit_dump_prog(&t, &p, "c", &o, &d);
    o.numbering = false;
    if (st == CALQUE_OK)
        st = emit_prog(&p, &o, &f, &d);
    if (st != CALQUE_OK && st != CALQUE_NOMEM)
        fprintf(stderr, "%d:%d: %s\n", d.line, d.col, d.text);
    emit_files_free(&f);
    text_free(&t);
    prog_free(&p);
    strs_free(&s);
    return st;
}

static void test_memory(void)
{
    for (int sized = 0; sized < 2; sized++) {
        struct mem m = MEM_INIT;
        enum calque_status st = CALQUE_NOMEM;
        for (long k = 0; st == CALQUE_NOMEM && k < 20000; k++) {
            m.fail_after = k;
            st = sweep_once(&m, sized);
        }
        CU_ASSERT(st == CALQUE_OK);
    }
}

/* Programs with random bytes and words changed: refused with a place, or translated to C. */
static void test_mutations(void)
{
    static const char *const word[] = { "n", "(", ")", "fst ", "[i]", "zip ", "0", ",", "mapSeq ", "reverse ", "split n ", "1 + ",
                                        "let x = ", " in ", "(fun u -> ", ".", "*", "-", "join ", "if i < n then " };
    int good = 0;

    for (int i = 0; i < 6000; i++) {
        char path[128], *src = NULL;
        struct emit_options o = { .numbering = i % 2 };
        struct text t, out;
        struct prog p;
        struct diag d;
        size_t len = 0;
        enum calque_status st;
        diag_clear(&d);
        text_init(&t, &mem);
        text_init(&out, &mem);
        snprintf(path, sizeof path, "tests/dpia/programs/%s.dpia", table_names[rnd(TABLE)]);
        CU_ASSERT_FATAL(file_read(&mem, path, &src, &len, &d) == CALQUE_OK);
        for (unsigned k = 0, n = 1 + rnd(3), at = 0; k < n; k++) {
            unsigned next = at + rnd((unsigned)len - at);
            const char *w = word[rnd(sizeof word / sizeof *word)];
            text_put(&t, src + at, next - at);
            if (rnd(2))
                text_puts(&t, w);
            at = next + rnd(4);
            at = at < len ? at : (unsigned)len - 1;
            if (k + 1 == n)
                text_put(&t, src + at, len - at);
        }
        st = dpia_parse(&p, &mem, &strs, "mutated", t.a, (size_t)t.n, NULL, 0, &d);
        if (st == CALQUE_OK) {
            good++;
            st = emit_dump_prog(&out, &p, "c", &o, &d);
            CU_ASSERT(st == CALQUE_OK || st == CALQUE_LIMIT);
        } else if (st == CALQUE_BAD ? d.line < 1 || d.col < 1 || d.text[0] == '\0' : st != CALQUE_LIMIT) {
            fprintf(stderr, "status %d: %d:%d: %s\n%s\n", (int)st, d.line, d.col, d.text, t.a);
            CU_FAIL("mutated program");
        }
        text_free(&t);
        text_free(&out);
        prog_free(&p);
        mem_free(src);
    }
    CU_ASSERT(good > 100);
}

static const struct unit_case cases[] = {
    { "golden", test_golden },
    { "back", test_back },
    { "errors", test_errors },
    { "range", test_range },
    { "limits", test_limits },
    { "mutations", test_mutations },
    { "memory", test_memory },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("dpia_parse", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
