#include "cases.h"
#include "gen.h"
#include "kernel/inline.h"
#include "unit.h"
#include "world.h"

static bool parse(struct world *w, const char *src)
{
    if (kernel_parse(&w->k, "k", src, strlen(src), NULL, -1, &w->d) == CALQUE_OK)
        return true;
    fprintf(stderr, "%d:%d %s\n%s\n", w->d.line, w->d.col, w->d.text, src);
    return false;
}

static int tensor(const struct world *w, const char *name)
{
    return kernel_find_tensor(&w->k, strs_find(&w->strs, name, strlen(name)));
}

static bool prints(struct world *w, const char *want)
{
    struct text t;
    bool ok;

    text_init(&t, &w->mem);
    kernel_print(&t, &w->k);
    ok = strcmp(t.a, want) == 0;
    if (!ok)
        fprintf(stderr, "printed %swanted  %s", t.a, want);
    text_free(&t);
    return ok;
}

/* What emission asks for. */
static const struct inline_policy in_place = {.loads = 1, .in_place = true};

static bool allowed(struct world *w, int t, const struct inline_policy *o)
{
    return kernel_inline_refusal(&w->k, t, o) == NULL;
}

/* Inlining T into the last statement gives want, and in place or not. */
static void inlines(const char *src, bool plain, const char *want)
{
    struct world w;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    CU_ASSERT(allowed(&w, tensor(&w, "T"), &in_place) == plain);
    CU_ASSERT(kernel_inline(&w.k, tensor(&w, "T"), &w.d) == CALQUE_OK);
    CU_ASSERT(prints(&w, want));
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
    close_world(&w);
}

static void refuses(const char *src, const char *why)
{
    struct text t;
    struct world w;
    bool ok;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    text_init(&t, &w.mem);
    kernel_print(&t, &w.k);
    CU_ASSERT(!allowed(&w, tensor(&w, "T"), &(struct inline_policy){0}));
    CU_ASSERT(kernel_inline(&w.k, tensor(&w, "T"), &w.d) == CALQUE_NO);
    ok = strstr(w.d.text, why) != NULL;
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "%s\n%s\n", w.d.text, src);
    CU_ASSERT(prints(&w, t.a));
    text_free(&t);
    close_world(&w);
}

static void plain(void)
{
    inlines("T<2,3>[i,j] = A<2,3>[i,j] + 1; Y<2,3>[p,q] = max(T<2,3>[p,q], 0);", true,
            "Y<2,3>[p,q] = max(A<2,3>[p,q] + 0x1p+0, 0x0p+0);\n");
    inlines("T<2,3>[i,j] = sum(k<4,l<2) (A<2,4>[i,k] * B<4,2,3>[k,l,j]) + C<3>[j]; Y<2,3>[k,l] = T<2,3>[k,l] * amax(k_1<2) D<2>[k_1];", true,
            "Y<2,3>[k,l] = (sum(k_2<4,l_1<2) (A<2,4>[k,k_2] * B<4,2,3>[k_2,l_1,l]) + C<3>[l]) * amax(k_1<2) D<2>[k_1];\n");
    inlines("T<3>[i] = select(i//2 == 0 && i < 2, sum(k<2) A<3>[i+k], B<3>[i]); Y<3>[j] = -T<3>[j];", true,
            "Y<3>[j] = -select(j//2 == 0 && j < 2, sum(k<2) A<3>[j+k], B<3>[j]);\n");
    inlines("T<1>[z] = A<1>[z]; Y<1>[u] = T<1>[u];", true, "Y<1>[u] = A<1>[u];\n");
    /* the consumer may overwrite what the producer loads */
    inlines("T<3>[i] = A<3>[2-i]; A<3>[i] = T<3>[i] * A<3>[i];", true, "A<3>[i] = A<3>[2-i] * A<3>[i];\n");
}

static void general(void)
{
    inlines("T<4>[k] = A<4>[k] * 2; C<3>[i] = sum(k<3) (T<4>[(k + 1)] * D<3,3>[i,k]);", false,
            "C<3>[i] = sum(k<3) (A<4>[k+1] * 0x1p+1 * D<3,3>[i,k]);\n");
    inlines("T<2,3>[i,j] = A<3,2>[j,i]; Y<3,2>[i,j] = T<2,3>[j,i];", false, "Y<3,2>[i,j] = A<3,2>[i,j];\n");
    inlines("T<1> = A<2>[1] + B<1>; Y<3>[i] = T<1> * T<1>[0];", false,
            "Y<3>[i] = (A<2>[1] + B<1>) * (A<2>[1] + B<1>);\n");
    inlines("T<2>[i] = 1; Y<2>[i] = T<2>[i]; Z<2>[i] = T<2>[1-i] + Y<2>[i];", false,
            "Y<2>[i] = 0x1p+0;\nZ<2>[i] = 0x1p+0 + Y<2>[i];\n");
    inlines("T<24>[i] = A<2,3,4>[i//12,(i//4)%3,i%4]; C<6,4>[i,j] = T<24>[i*4+j];", false,
            "C<6,4>[i,j] = A<2,3,4>[(i*4+j)//12,(i*4+j)//4%3,(i*4+j)%4];\n");
}

static void refusals(void)
{
    refuses("T<2>[i] = sum(k<2) A<2>[k]; Y<2>[i] = T<2>[1-i];", "reduction");
    refuses("T<2>[i] = sum(k<2) A<2>[k]; Y<2>[i] = T<2>[i] * T<2>[i];", "reduction");
    refuses("T<2>[i] = sum(k<2) A<2>[k]; Y<2,2>[i,j] = T<2>[i];", "reduction");
    refuses("T<2>[i] = sum(k<2) A<2>[k]; Y<2>[i] = sum(l<3) T<2>[i];", "reduction");
    /* I3; I1, I2 */
    refuses("T<2>[i] = A<2>[i]; A<2>[i] = B<2>[i]; Y<2>[i] = T<2>[i];", "overwritten");
    refuses("T<2>[i] = A<2>[i]; T<2>[i] = A<2>[1-i]; Y<2>[i] = T<2>[i];", "stored twice");
    refuses("T<2>[i] = T<2>[i] + 1; Y<2>[i] = T<2>[i];", "before or where");
    refuses("Z<2>[i] = T<2>[i]; T<2>[i] = 1; Y<2>[i] = T<2>[i];", "before or where");
    refuses("Z<2>[i] = 1; T<2>[i] = T<2>[i];", "no temporary");
    refuses("Y<2>[i] = T<2>[i];", "no temporary");
    refuses("T<2>[i] = 1; Y<2>[i] = 2;", "not loaded");
}

static void count_refusals(void *arg, const struct diag *why)
{
    CU_ASSERT(strstr(why->text, "cannot be inlined: ") != NULL);
    ++*(int *)arg;
}

/* Everything under a policy, then dead statements: want; so many temporaries are refused. */
static void passes(const char *src, struct inline_policy o, int refusals_wanted, int dead, const char *want)
{
    struct world w;
    int n, refused = 0, removed = -1;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    CU_ASSERT(kernel_inline_all(&w.k, &o, &n, count_refusals, &refused, &w.d) == CALQUE_OK);
    CU_ASSERT(kernel_remove_dead(&w.k, &removed, &w.d) == CALQUE_OK);
    CU_ASSERT(refused == refusals_wanted && removed == dead);
    CU_ASSERT(prints(&w, want));
    close_world(&w);
}

static void policies(void)
{
    static const char two[] = "T<2>[i] = sum(k<3) A<2,3>[i,k]; Y<2>[i] = T<2>[i] * T<2>[1-i];";

    passes(two, (struct inline_policy){0}, 1, 0,
           "T<2>[i] = sum(k<3) A<2,3>[i,k];\nY<2>[i] = T<2>[i] * T<2>[1-i];\n");
    passes(two, (struct inline_policy){.reductions = true}, 0, 0,
           "Y<2>[i] = sum(k<3) A<2,3>[i,k] * sum(k<3) A<2,3>[1-i,k];\n");
    passes("T<2>[i] = A<2>[i]; Y<2>[i] = T<2>[i] * T<2>[1-i];", (struct inline_policy){.loads = 1}, 1, 0,
           "T<2>[i] = A<2>[i];\nY<2>[i] = T<2>[i] * T<2>[1-i];\n");
    /* a reduction whose load becomes plain when another temporary is inlined */
    passes("S<2,2>[i,j] = sum(k<3) A<2,2,3>[i,j,k]; T<2,2>[i,j] = S<2,2>[j,i]; Y<2,2>[i,j] = T<2,2>[j,i];",
           (struct inline_policy){0}, 0, 0, "Y<2,2>[i,j] = sum(k<3) A<2,2,3>[i,j,k];\n");
    /* dead: never loaded, or overwritten before the next load; not dead: loaded in place */
    passes("T<2>[i] = A<2>[i]; U<2>[i] = B<2>[i]; Y<2>[i] = 1; Y<2>[i] = A<2>[i];", (struct inline_policy){0}, 2, 3,
           "Y<2>[i] = A<2>[i];\n");
    passes("Y<2>[i] = 1; Y<2>[i] = Y<2>[1-i];", (struct inline_policy){0}, 0, 0,
           "Y<2>[i] = 0x1p+0;\nY<2>[i] = Y<2>[1-i];\n");
}

/* The policy of emission: only where the consumer's loops compute what the producer's did. */
static void in_place_policy(void)
{
    static const char twice[] = "T<2>[i] = sum(k<3) A<2,3>[i,k] + B<2>[i]; Y<2>[i] = max(T<2>[i], 0) + 2 * min(T<2>[i], 0);";
    static const char other[] = "T<2>[i] = A<2>[i] * 2; Y<2>[i] = T<2>[i] + T<2>[1-i];";
    static const char wide[] = "T<2>[i] = A<2>[i] * 2; Y<3>[i] = select(i < 2, T<2>[i], 0);";
    static const char beside[] = "T<2>[i] = sum(k<3) A<2,3>[i,k]; Y<2>[i] = T<2>[i] + sum(k<2) B<2>[k];";
    static const char under[] = "T<2>[i] = sum(k<3) A<2,3>[i,k]; Y<2>[i] = select(i < 1, T<2>[i], 0);";
    struct inline_policy together = {.loads = 1, .together = true, .in_place = true}, alone = together;

    alone.alone = true;
    passes(twice, in_place, 1, 0, "T<2>[i] = sum(k<3) A<2,3>[i,k] + B<2>[i];\nY<2>[i] = max(T<2>[i], 0x0p+0) + 0x1p+1 * min(T<2>[i], 0x0p+0);\n");
    passes(twice, together, 0, 0, "Y<2>[i] = max(sum(k<3) A<2,3>[i,k] + B<2>[i], 0x0p+0) + 0x1p+1 * min(sum(k<3) A<2,3>[i,k] + B<2>[i], 0x0p+0);\n");
    passes(other, together, 1, 0, "T<2>[i] = A<2>[i] * 0x1p+1;\nY<2>[i] = T<2>[i] + T<2>[1-i];\n");
    passes(wide, together, 1, 0, "T<2>[i] = A<2>[i] * 0x1p+1;\nY<3>[i] = select(i < 2, T<2>[i], 0x0p+0);\n");
    passes("T<2>[i] = A<2>[i]; Y<2>[i] = T<2>[i]; Z<2>[i] = T<2>[i] + Y<2>[1-i];", together, 2, 0,
           "T<2>[i] = A<2>[i];\nY<2>[i] = T<2>[i];\nZ<2>[i] = T<2>[i] + Y<2>[1-i];\n");
    passes("T<2>[i] = A<2>[i]; Y<2>[i] = T<2>[i]; Z<2>[i] = T<2>[i] + Y<2>[i];", together, 0, 0, "Z<2>[i] = A<2>[i] + A<2>[i];\n");
    passes(beside, together, 0, 0, "Y<2>[i] = sum(k_1<3) A<2,3>[i,k_1] + sum(k<2) B<2>[k];\n");
    passes(beside, alone, 1, 0, "T<2>[i] = sum(k<3) A<2,3>[i,k];\nY<2>[i] = T<2>[i] + sum(k<2) B<2>[k];\n");
    passes(under, together, 0, 0, "Y<2>[i] = select(i < 1, sum(k<3) A<2,3>[i,k], 0x0p+0);\n");
    passes(under, alone, 1, 0, "T<2>[i] = sum(k<3) A<2,3>[i,k];\nY<2>[i] = select(i < 1, T<2>[i], 0x0p+0);\n");
}

/* A reduction loaded twice stays one node, also when what holds it is inlined, and in a part of the kernel. */
static int reductions_of(const struct kernel *k, int id, int *seen, int n)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return n;
    if (e->kind == EX_REDUCE) {
        for (int i = 0; i < n; i++)
            if (seen[i] == id)
                return n;
        seen[n++] = id;
        return n;
    }
    n = reductions_of(k, e->a, seen, n);
    return e->b >= 0 ? reductions_of(k, e->b, seen, n) : n;
}

static void shared_reductions(void)
{
    static const struct inline_policy together = {.loads = 1, .together = true, .in_place = true};
    struct world w;
    struct kernel part;
    struct ints from = {0};
    int seen[8], n;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, "T<2>[i] = sum(k<3) A<2,3>[i,k]; U<2>[i] = T<2>[i] * T<2>[i]; Y<2>[j] = U<2>[j] + U<2>[j]; Z<2>[i] = Y<2>[i];"));
    w.k.tensor.a[tensor(&w, "Y")].role = KERNEL_OUT;
    CU_ASSERT(kernel_inline_all(&w.k, &together, &n, NULL, NULL, &w.d) == CALQUE_OK && n == 2);
    CU_ASSERT(w.k.stmt.n == 2 && reductions_of(&w.k, w.k.stmt.a[0].body, seen, 0) == 1);
    CU_ASSERT(kernel_part(&w.k, 0, 1, &part, &from, &w.d) == CALQUE_OK);
    CU_ASSERT(part.stmt.n == 1 && reductions_of(&part, part.stmt.a[0].body, seen, 0) == 1 && kernel_check(&part, &w.d) == CALQUE_OK);
    CU_ASSERT(part.tensor.n == 2 && from.n == 2 && from.a[0] == tensor(&w, "A") && from.a[1] == tensor(&w, "Y"));
    kernel_free(&part);
    ints_free(&from);
    close_world(&w);
}

/* Statements taken out print as they were, whatever the kernel has been through; or memory is out. */
static void parts(void)
{
    static const char src[] =
        "Z<2,4>[i,j] = A<2>[i]; T<2,4>[i,j] = amax(k<3) select(k < i && j//2 == 0, A<2>[i], exp(B<4,3>[j,(k+1)%3])); Y<4>[i] = T<2,4>[1,i] - S<1>;";
    struct ints from = {0};
    struct kernel part;
    struct text all, own;
    struct world w;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    text_init(&all, &w.mem);
    kernel_print(&all, &w.k);
    for (long fails = 0;; fails++) {
        enum calque_status st;
        w.mem.fail_after = fails;
        from.n = 0;
        st = kernel_part(&w.k, 1, 2, &part, &from, &w.d);
        w.mem.fail_after = -1;
        CU_ASSERT_FATAL(st == CALQUE_NOMEM || st == CALQUE_OK);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT_FATAL(fails < 100);
        kernel_free(&part);
    }
    text_init(&own, &w.mem);
    kernel_print(&own, &part);
    CU_ASSERT(strcmp(own.a, strchr(all.a, '\n') + 1) == 0);
    CU_ASSERT(part.tensor.n == 5 && kernel_check(&part, &w.d) == CALQUE_OK);
    text_free(&all);
    text_free(&own);
    kernel_free(&part);
    ints_free(&from);
    close_world(&w);
}

static void reverses(const char *src, const char *want, int first)
{
    struct world w;
    int stmt;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    CU_ASSERT(kernel_inline_reverse(&w.k, tensor(&w, "T"), &stmt, &w.d) == (want ? CALQUE_OK : CALQUE_NO));
    CU_ASSERT(!want || (prints(&w, want) && w.k.stmt.a[0].loop[0] == first && stmt == 0));
    close_world(&w);
}

static void reverse(void)
{
    reverses("T<2,3>[i,j] = 1 + A<2,3>[i,j]; Y<3,2>[i,j] = 2 * T<2,3>[j,i];",
             "Y<3,2>[j,i] = 0x1p+1 * (0x1p+0 + A<2,3>[i,j]);\n", 2);
    reverses("T<2,3>[p,q] = sum(k<4) A<2,3,4>[p,q,k]; Y<2,3>[i,j] = T<2,3>[i,j] * T<2,3>[i,j];",
             "Y<2,3>[p,q] = sum(k<4) A<2,3,4>[p,q,k] * sum(k<4) A<2,3,4>[p,q,k];\n", 0);
    reverses("T<3>[i] = A<3>[i]; Y<2>[i] = T<3>[i];", NULL, 0);                           /* does not cover */
    reverses("T<3>[i] = A<3>[i]; Y<3,2>[i,j] = T<3>[i];", NULL, 0);                       /* broadcast */
    reverses("T<3,3>[i,j] = A<3>[i]; Y<3,3>[i,j] = T<3,3>[i,i];", NULL, 0);               /* twice the same */
    reverses("T<3>[i] = A<3>[i]; Y<3>[i] = T<3>[2-i];", NULL, 0);                         /* no variable */
    reverses("T<3,3>[i,j] = A<3>[i]; Y<3,3>[i,j] = T<3,3>[i,j] + T<3,3>[j,i];", NULL, 0); /* two maps */
    reverses("T<3>[i] = A<3>[i]; U<3>[i] = T<3>[i]; Y<3>[i] = T<3>[i] * U<3>[i];", NULL, 0);
    reverses("T<3>[i] = A<3>[i]; A<3>[i] = B<3>[i]; Y<3>[i] = T<3>[i] + A<3>[i];", NULL, 0); /* I3 */
}

/* inlinings.kern: the kernel afterwards, or a refusal. */
static void by_hand(void)
{
    static struct kernel_cases cases;
    int refused = 0;

    cases_read(&cases, "inlinings.kern", 14);
    for (int i = 0; i < cases.n; i++) {
        const struct kernel_case *c = &cases.at[i];
        bool got = true;
        int outs[CASES_NAMES];
        struct world w;
        open_world(&w, KERNEL_F64);
        for (int j = 0; j < c->out.n; j++)
            outs[j] = strs_addz(&w.strs, c->out.name[j]);
        CU_ASSERT_FATAL(kernel_parse(&w.k, "b", c->text, strlen(c->text), outs, c->out.n, &w.d) == CALQUE_OK);
        for (int j = 0; j < c->inlined.n; j++)
            got = got && kernel_inline(&w.k, tensor(&w, c->inlined.name[j]), &w.d) == CALQUE_OK;
        CU_ASSERT(got == !c->refused && got == (c->gives != NULL));
        refused += !got;
        if (!got && c->refused) {
            CU_ASSERT(strstr(w.d.text, c->refused) != NULL);
        } else if (c->gives) {
            struct kernel k;
            struct text t;
            kernel_init(&k, &w.mem, &w.strs, KERNEL_F64);
            text_init(&t, &w.mem);
            CU_ASSERT(kernel_parse(&k, "a", c->gives, strlen(c->gives), NULL, -1, &w.d) == CALQUE_OK);
            kernel_print(&t, &k);
            CU_ASSERT(prints(&w, t.a));
            text_free(&t);
            kernel_free(&k);
        }
        close_world(&w);
    }
    CU_ASSERT_EQUAL(refused, 4);
    cases_free(&cases);
}

/* All tensors still stored agree with the kernel before inlining, bit for bit, and the text still parses. */
static bool same_meaning(struct world *w, void **want, uint64_t seed)
{
    void **got = ref_data(&w->k, seed);
    bool ok = kernel_run(&w->k, got, 2, &w->d) == CALQUE_OK;
    struct kernel again;
    struct text t;

    for (int i = 0; i < w->k.stmt.n && ok; i++) {
        int o = w->k.stmt.a[i].out;
        ok = ref_same(w->k.type, want[o], got[o], kernel_elems(&w->k, o));
    }
    ref_free(&w->k, got);
    text_init(&t, &w->mem);
    kernel_print(&t, &w->k);
    kernel_init(&again, &w->mem, &w->strs, w->k.type);
    ok = ok && kernel_parse(&again, "again", t.a, (size_t)t.n, NULL, -1, &w->d) == CALQUE_OK;
    if (!ok)
        fprintf(stderr, "%d:%d %s\n%s", w->d.line, w->d.col, w->d.text, t.a);
    kernel_free(&again);
    text_free(&t);
    return ok;
}

/* Random programs with overwritten tensors: the outputs stay, under every policy, dead statements removed. */
static void random_passes(void)
{
    static struct gen g;
    uint64_t seed = 90210;
    int bad = 0, inlined = 0, dead = 0, n = 0, m = 0;

    for (int i = 0; i < 1500 / unit_share() && bad < 3; i++) {
        struct inline_policy o = {.reductions = i % 3 == 0, .loads = i % 4 == 0, .together = i % 7 < 3, .in_place = i % 9 == 0};
        void **want, **got;
        struct world w;
        g.products = i % 8 > 3;
        gen_kernel(&g, seed + (uint64_t)i, i % 2, 2 + i % 4);
        open_world(&w, i % 2 ? KERNEL_F32 : KERNEL_I64);
        CU_ASSERT_FATAL(parse(&w, g.text) && (!g.products || kernel_fuse(&w.k, &w.d) == CALQUE_OK));
        for (int s = 0; s + 1 < w.k.stmt.n; s++) /* the same tensor stored twice where the shapes agree */
            for (int t = s + 1; t < w.k.stmt.n && i % 5 < 2; t++) {
                const struct kernel_tensor *a = &w.k.tensor.a[w.k.stmt.a[s].out], *b = &w.k.tensor.a[w.k.stmt.a[t].out];
                if (a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0)
                    w.k.stmt.a[s].out = w.k.stmt.a[t].out;
            }
        want = ref_data(&w.k, (uint64_t)i);
        got = ref_data(&w.k, (uint64_t)i);
        if (ref_run(&w.k, want)) {
            bool ok = kernel_inline_all(&w.k, &o, &n, NULL, NULL, &w.d) == CALQUE_OK &&
                      kernel_remove_dead(&w.k, &m, &w.d) == CALQUE_OK && kernel_run(&w.k, got, 1, &w.d) == CALQUE_OK;
            for (int t = 0; t < w.k.tensor.n && ok; t++)
                if (w.k.tensor.a[t].role == KERNEL_OUT)
                    ok = ref_same(w.k.type, want[t], got[t], kernel_elems(&w.k, t));
            if (!ok) {
                fprintf(stderr, "passes, program %d: %s\n%s", i, w.d.text, g.text);
                bad++;
            }
            inlined += n;
            dead += m;
        }
        ref_free(&w.k, want);
        ref_free(&w.k, got);
        close_world(&w);
    }
    printf("unit_inline: passes: %d inlined, %d dead\n", inlined, dead);
    CU_ASSERT(bad == 0 && inlined > 200 / unit_share() && dead > 200 / unit_share());
}

/* Random programs: whatever can be inlined is, one by one, and nothing changes. */
static void random_programs(void)
{
    static struct gen g;
    const char *env = getenv("CALQUE_SEED");
    uint64_t seed = env ? strtoull(env, NULL, 10) : 4711;
    int bad = 0, strict = 0, loose = 0, refused = 0;

    printf("unit_inline: seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 2000 / unit_share() && bad < 3; i++) {
        bool real = i % 4 != 0;
        struct world w;
        void **want;
        gen_kernel(&g, seed + (uint64_t)i, real, 2 + i % 4);
        open_world(&w, real ? KERNEL_F32 : KERNEL_I64);
        if (!parse(&w, g.text)) {
            bad++;
            close_world(&w);
            continue;
        }
        want = ref_data(&w.k, (uint64_t)i);
        if (ref_run(&w.k, want))
            for (int t = 0; t < w.k.tensor.n && bad < 3; t++) {
                bool ok = allowed(&w, t, &in_place);
                enum calque_status st;
                if (w.k.tensor.a[t].role != KERNEL_TEMP)
                    continue;
                st = kernel_inline(&w.k, t, &w.d);
                strict += ok;
                loose += !ok && st == CALQUE_OK;
                refused += st != CALQUE_OK;
                if ((ok && st != CALQUE_OK) || (st == CALQUE_OK && !same_meaning(&w, want, (uint64_t)i))) {
                    fprintf(stderr, "program %d, tensor %s:\n%s", i, strs_text(&w.strs, w.k.tensor.a[t].name), g.text);
                    bad++;
                }
            }
        ref_free(&w.k, want);
        close_world(&w);
    }
    printf("unit_inline: %d plain, %d general, %d refused\n", strict, loose, refused);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(strict > 100 / unit_share() && loose > 100 / unit_share() && refused > 100 / unit_share());
}

static void append(void)
{
    struct world w;
    struct kernel k;
    int map[4];

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, "T<3>[i] = sum(k<3) select(k < i, A<3>[k], 2); Y<3>[i] = T<3>[i];"));
    kernel_init(&k, &w.mem, &w.strs, KERNEL_F32);
    CU_ASSERT_FATAL(kernel_parse(&k, "k", "U<3>[n] = Y<3>[n] + sum(k<2) select(n == k, exp(Y<3>[k+1]), 3);", 63, NULL, -1, &w.d) == CALQUE_OK);
    map[1] = tensor(&w, "Y");
    map[0] = kernel_add_tensor(&w.k, strs_addz(&w.strs, "Z"), KERNEL_OUT, 1, (long[]){3});
    w.k.tensor.a[map[1]].role = KERNEL_TEMP;
    CU_ASSERT(kernel_append(&w.k, &k, map, &w.d) == CALQUE_OK);
    CU_ASSERT(prints(&w, "T<3>[i] = sum(k<3) select(k < i, A<3>[k], 0x1p+1);\nY<3>[i] = T<3>[i];\n"
                         "Z<3>[n] = Y<3>[n] + sum(k<2) select(n == k, exp(Y<3>[k+1]), 0x1.8p+1);\n"));
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
    CU_ASSERT(kernel_inline(&w.k, tensor(&w, "T"), &w.d) == CALQUE_OK);
    CU_ASSERT(prints(&w, "Y<3>[i] = sum(k<3) select(k < i, A<3>[k], 0x1p+1);\n"
                         "Z<3>[n] = Y<3>[n] + sum(k<2) select(n == k, exp(Y<3>[k+1]), 0x1.8p+1);\n"));
    map[1] = -1;
    CU_ASSERT(kernel_append(&w.k, &k, map, &w.d) == CALQUE_INTERNAL);
    map[1] = kernel_add_tensor(&w.k, strs_addz(&w.strs, "Q"), KERNEL_IN, 1, (long[]){4});
    CU_ASSERT(kernel_append(&w.k, &k, map, &w.d) == CALQUE_BAD);
    kernel_free(&k);
    close_world(&w);
}

/* A long chain: the result would be deeper than allowed; then it stays as it is. */
static void too_deep(void)
{
    static char src[40000];
    struct world w;
    enum calque_status st = CALQUE_OK;
    int len = snprintf(src, sizeof src, "T0<2>[i] = A<2>[i];"), n = 0;

    for (int i = 1; i <= 600; i++)
        len += snprintf(src + len, sizeof src - (size_t)len, "T%d<2>[i] = T%d<2>[i] + 1;", i, i - 1);
    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, src));
    for (int t = 0; t < w.k.tensor.n && st == CALQUE_OK; t++)
        if (allowed(&w, t, &in_place)) {
            st = kernel_inline(&w.k, t, &w.d);
            n += st == CALQUE_OK;
        }
    CU_ASSERT(st == CALQUE_LIMIT && n > 400 && n < 500);
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
    close_world(&w);
}

static void out_of_memory(void)
{
    static const char src[] = "T<3>[i] = sum(k<2) select(i+k < 3, A<3>[i+k], B<3>[i]); Y<3>[k] = T<3>[k] * 2 + sum(l<2) B<3>[l];";
    struct world w;
    long fails = 0;

    for (;; fails++) {
        enum calque_status st;
        open_world(&w, KERNEL_F32);
        CU_ASSERT_FATAL(parse(&w, src));
        w.mem.fail_after = fails;
        st = kernel_inline(&w.k, tensor(&w, "T"), &w.d);
        w.mem.fail_after = -1;
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        CU_ASSERT(prints(&w, st == CALQUE_OK
                                 ? "Y<3>[k] = sum(k_1<2) select(k+k_1 < 3, A<3>[k+k_1], B<3>[k]) * 0x1p+1 + sum(l<2) B<3>[l];\n"
                                 : "T<3>[i] = sum(k<2) select(i+k < 3, A<3>[i+k], B<3>[i]);\nY<3>[k] = T<3>[k] * 0x1p+1 + sum(l<2) B<3>[l];\n"));
        close_world(&w);
        if (st != CALQUE_NOMEM || fails > 1000)
            break;
    }
    CU_ASSERT(fails > 3 && fails <= 1000);
}

static void passes_out_of_memory(void)
{
    static const char src[] = "T<3>[i] = sum(k<2) A<3>[i*0+k]; U<3>[i] = T<3>[i]; Z<3>[i] = 1; Y<3>[k] = U<3>[k] * 2;";
    long fails = 0;

    for (;; fails++) {
        enum calque_status st;
        struct world w;
        int n, m, stmt;
        open_world(&w, KERNEL_F32);
        CU_ASSERT_FATAL(parse(&w, src));
        w.mem.fail_after = fails;
        st = kernel_inline_reverse(&w.k, tensor(&w, "U"), &stmt, &w.d);
        if (st == CALQUE_OK)
            st = kernel_inline_all(&w.k, &(struct inline_policy){0}, &n, NULL, NULL, &w.d);
        if (st == CALQUE_OK)
            st = kernel_remove_dead(&w.k, &m, &w.d);
        w.mem.fail_after = -1;
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
        CU_ASSERT(st != CALQUE_OK || prints(&w, "Y<3>[i] = sum(k<2) A<3>[i*0+k] * 0x1p+1;\n"));
        close_world(&w);
        if (st != CALQUE_NOMEM || fails > 1000)
            break;
    }
    CU_ASSERT(fails > 5 && fails <= 1000);
}

/* Sums in lanes: each allocation fails in turn, and partial sums that would be too many. */
static void lanes_out_of_memory(void)
{
    static const char src[] =
        "Y<3>[i] = sum(k<33) exp(X<3,33>[i,k]) / sum(r<2,k<64) Z<2,3,64>[r,i,k] + amax(k<3) select(k < i, B<3>[k], 0);"
        "U<3>[i] = sum(k<2) B<3>[(k+i)%3];";
    long fails = 0;

    for (;; fails++) {
        struct world w;
        enum calque_status st;
        open_world(&w, KERNEL_F32);
        CU_ASSERT_FATAL(parse(&w, src));
        w.mem.fail_after = fails;
        st = kernel_lanes(&w.k, &w.d);
        w.mem.fail_after = -1;
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
        CU_ASSERT(st != CALQUE_OK || prints(&w,
            "T0<3,16>[i,l] = sum(k<2) exp(X<3,33>[i,k*16+l]);\n"
            "T1<3,16>[i,l] = sum(r<2,k<4) Z<2,3,64>[r,i,k*16+l];\n"
            "Y<3>[i] = (sum(l<16) T0<3,16>[i,l] + sum(k<1) exp(X<3,33>[i,k+32])) / sum(l<16) T1<3,16>[i,l] + "
            "amax(k<3) select(k < i, B<3>[k], 0x0p+0);\n"
            "U<3>[i] = sum(k<2) B<3>[(k+i)%3];\n"));
        close_world(&w);
        if (st != CALQUE_NOMEM || fails > 1000)
            break;
    }
    CU_ASSERT(fails > 5 && fails <= 1000);
}

static void lanes_too_many(void)
{
    struct world w;

    open_world(&w, KERNEL_F32);
    CU_ASSERT_FATAL(parse(&w, "Y<200000000>[i] = sum(k<32) X<1,32>[i//200000000,k];"));
    CU_ASSERT(kernel_lanes(&w.k, &w.d) == CALQUE_LIMIT && strstr(w.d.text, "partial sums of more than"));
    close_world(&w);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"plain", plain},   {"general", general},   {"refusals", refusals},           {"by hand", by_hand},
        {"policies", policies}, {"reverse", reverse}, {"random passes", random_passes}, {"append", append}, {"too deep", too_deep}, {"random programs", random_programs}, {"out of memory", out_of_memory},
        {"passes out of memory", passes_out_of_memory}, {"in place", in_place_policy}, {"shared reductions", shared_reductions},
        {"parts", parts}, {"lanes out of memory", lanes_out_of_memory}, {"lanes too many", lanes_too_many},
    };
    return unit_main("kernel/inline", cases, UNIT_COUNT(cases));
}
