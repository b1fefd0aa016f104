/* The forms of rules beyond fixed patterns: what they become, how outputs are reordered and patterns renumbered; and that
   no text of them, cut, mutated or short of memory, does harm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "rules_world.h"
#include "unit.h"

static enum calque_status parse(struct world *w, const char *src, size_t n)
{
    return rules_parse(&w->rules, "t.gsl", src, n, &w->d);
}

/* The only rule of src prints so. */
static void expect_print(const char *src, const char *want)
{
    struct world w;
    struct text t;

    open_world(&w);
    text_init(&t, &w.mem);
    if (parse(&w, src, strlen(src)) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\n", w.d.line, w.d.col, w.d.text);
        CU_FAIL_FATAL("the rule is refused");
    }
    rules_print(&t, &w.rules, 0);
    CU_ASSERT_STRING_EQUAL(t.a, want);
    if (strcmp(t.a, want) != 0)
        fprintf(stderr, "got:\n%s", t.a);
    text_free(&t);
    close_world(&w);
}

#define R(body) "rule r {\n x = Wildcard()\n" body "\n}\n"

static void outputs(void)
{
    expect_print(R(" w1 = Variable()\n w = Variable(shape=(w1.shape[0], _))\n m1 = MatMul(x, w1)\n m = MatMul(x, w)\n"
                   " v = Variadic(m, templates=[m, w], first=[m1, w1], min_len=2)\n source v\n i = Symbol()\n wi = v(w, i)\n"
                   " c = Concat(Variadic(wi, templates=[wi], index=i, length=v.length), axis=1)\n"
                   " s = Split(MatMul(x, c), axis=1, split=[v(w, k).shape[1] for k in range(v.length)])[i]\n"
                   " target Variadic(s, templates=[s], index=i)"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 variable ; w1)\n"
                 "  (2 variable (shape (tuple (proj (. 1 shape) 0) _)) template first 1 ; w)\n"
                 "  (3 MatMul 0 1 ; m1)\n"
                 "  (4 MatMul 0 2 template first 3 ; m)\n"
                 "  (5 variadic 4 least 2 ; v)\n"
                 "  (6 inst 2 = (sym 0) template ; wi)\n"
                 "  (7 variadic 6 = (. 5 length) index 0)\n"
                 "  (8 Concat 7 (axis 1) ; c)\n"
                 "  (9 MatMul 0 8)\n"
                 "  (10 Split 9 (axis 1) (split (var 0 (. 5 length) (proj (inst 2 (sym 0) shape) 1))))\n"
                 "  (11 projection 10 = (sym 0) template ; s)\n"
                 "  (12 variadic 11 index 0)\n"
                 "  (source 5) (target 12))\n");
}

/* A first pattern that is written after the templates comes before them. */
static void first_later(void)
{
    expect_print(R(" w = Variable()\n m = MatMul(x, w)\n w1 = Variable()\n v = Variadic(m, templates=[m, w], first=[_, w1])\n"
                   " source v\n target Variadic(MatMul(x, w1))"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 variable ; w1)\n"
                 "  (2 MatMul 0 1)\n"
                 "  (3 variadic 2)\n"
                 "  (4 variable template first 1 ; w)\n"
                 "  (5 MatMul 0 4 template ; m)\n"
                 "  (6 variadic 5 ; v)\n"
                 "  (source 6) (target 3))\n");
}

/* A Variadic that is read by projections is the fields of a tuple, which is one pattern however often it is read. */
static void fields(void)
{
    expect_print(R(" t = Variadic(x, templates=[x])\n a = t[0]\n b = t[1]\n source [a, b]\n target [t(x, a.index), t(x, t.length - 1)]"),
                 "(rule r real\n"
                 "  (0 wildcard template ; x)\n"
                 "  (1 variadic 0 ; t)\n"
                 "  (2 tuple 1)\n"
                 "  (3 projection 2 = 0 ; a)\n"
                 "  (4 projection 2 = 1 ; b)\n"
                 "  (5 inst 0 = (. 3 index))\n"
                 "  (6 inst 0 = (sub (. 1 length) 1))\n"
                 "  (source 3 4) (target 5 6))\n");
}

static void reordered(void)
{
    expect_print(R(" y = Wildcard()\n source [Exp(x), Neg(y), Abs(y), x * y]\n target [x, y, x + y, x - y]"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 wildcard ; y)\n"
                 "  (2 Exp 0)\n"
                 "  (3 Neg 1)\n"
                 "  (4 Abs 1)\n"
                 "  (5 Mul 0 1)\n"
                 "  (6 Add 0 1)\n"
                 "  (7 Sub 0 1)\n"
                 "  (source 2 5 3 4) (target 0 7 1 6))\n");
}

static void alternatives(void)
{
    expect_print(R(" t = Transpose(x)\n a = Alt(t, x * 2, Op('Exp', 'Sqrt')(x))\n source Neg(a)\n"
                   " require Match(a, [t.perm == (1, 0), true, x.ndim in (1, 2)])\n"
                   " target Cond(a.shape == x.shape, Match(a, [t, 0, x]), Relu(x))"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 Transpose 0 ; t)\n"
                 "  (2 constant = 2)\n"
                 "  (3 Mul 0 2)\n"
                 "  (4 operator Exp Sqrt)\n"
                 "  (5 (op 4) 0)\n"
                 "  (6 alt 1 3 5 ; a)\n"
                 "  (7 Neg 6)\n"
                 "  (8 constant = 0)\n"
                 "  (9 match 6 1 8 0)\n"
                 "  (10 Relu 0)\n"
                 "  (11 cond 9 10 = (eq (. 6 shape) (. 0 shape)))\n"
                 "  (require (alt 6 (eq (. 1 perm) (tuple 1 0)) true (in (. 0 ndim) (tuple 1 2))))\n"
                 "  (source 7) (target 11))\n");
}

static void attributes(void)
{
    expect_print(R(" t = Transpose(x, perm=[n for n in range(_)])\n source t\n n = x.ndim\n"
                   " require sum(k * k for k in range(n)) == max(x.shape) and not (2 in x.shape)\n"
                   " require x.shape[1:] == x.shape[:-1:2] and concat(reversed((a, a)) for a in zip(x.shape, t.perm)) == ()\n"
                   " require min(1, 2, 3) == range(1, n, 2)[0] and layout_remap('ab', 'b') == (1,) and (all((true,)) or exists(()))\n"
                   " target Reshape(x, shape=Cond(n == 1, (prod(x.shape),), [sum(x.shape[j] for j in range(k + 1)) for k in range(n)]))"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 Transpose 0 (perm (var 0 _ (sym 0))) ; t)\n"
                 "  (2 Reshape 0 (shape (cond (eq (. 0 ndim) 1) (tuple (prod (. 0 shape))) "
                 "(var 0 (. 0 ndim) (sum (var 0 (add (sym 0) 1) (proj (. 0 shape) (sym 0))))))))\n"
                 "  (require (and (eq (sum (var 0 (. 0 ndim) (mul (sym 0) (sym 0)))) (amax (. 0 shape))) (not (in 2 (. 0 shape)))))\n"
                 "  (require (and (eq (slice (. 0 shape) 1 none none) (slice (. 0 shape) none -1 2)) "
                 "(eq (concat (map 0 (zip (. 0 shape) (. 1 perm)) (reversed (tuple (sym 0) (sym 0))))) (tuple))))\n"
                 "  (require (and (and (eq (min (min 1 2) 3) (proj (range 1 (. 0 ndim) 2) 0)) (eq (remap \"ab\" \"b\") (tuple 1))) "
                 "(or (all (tuple true)) (exists (tuple)))))\n"
                 "  (source 1) (target 2))\n");
}

/* A comprehension's symbol has the least number that no other symbol in its body has. */
static void symbols(void)
{
    expect_print(R(" i = Symbol()\n j = Symbol()\n a = Transpose(x, perm=[[i + k for m in range(k)] for k in range(j)])\n"
                   " b = Transpose(x, perm=[(m, [k + m for k in range(m)], [k for k in range(m)]) for m in range(i)])\n"
                   " source Sum(Variadic(b, templates=[b], index=i))\n target x"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 Transpose 0 (perm (var 1 (sym 1) (var 2 (sym 1) (add (sym 0) (sym 1))))) ; a)\n"
                 "  (2 Transpose 0 (perm (var 0 (sym 0) (tuple (sym 0) (var 1 (sym 0) (add (sym 1) (sym 0))) "
                 "(var 0 (sym 0) (sym 0))))) template ; b)\n"
                 "  (3 variadic 2 index 0)\n"
                 "  (4 Sum 3)\n"
                 "  (source 4) (target 0))\n");
}

/* `_` in what a condition chooses from is the attribute itself, or its part. */
static void any_inside(void)
{
    expect_print(R(" y = Wildcard(shape=Cond(x.ndim == 1, (_, (2, _)), [_ for k in range(_)]))\n source x + y\n target y"),
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 wildcard (shape (cond (eq (. 0 ndim) 1) (tuple (proj (. 1 shape) 0) (tuple 2 (proj (proj (. 1 shape) 1) 1))) "
                 "(var 0 (len (. 1 shape)) (proj (. 1 shape) (sym 0))))) ; y)\n"
                 "  (2 Add 0 1)\n"
                 "  (source 2) (target 1))\n");
}

/* What matching may look at early: no attribute of the match, no index, no alternative. */
static void closed(void)
{
    struct world w;
    const struct rule *r;
    static const char src[] = R(" i = Symbol()\n y = Wildcard(shape=(2,))\n c = Conv(x, y, group=i, strides=[k for k in range(2)], pads=x.shape)\n"
                                " source Sum(Variadic(c, templates=[c], index=i, length=3))\n target x");

    open_world(&w);
    CU_ASSERT_EQUAL_FATAL(parse(&w, src, sizeof src - 1), CALQUE_OK);
    r = &w.rules.rule.a[0];
    CU_ASSERT(r->attr.a[r->pattern.a[1].attr].closed);
    CU_ASSERT(!r->attr.a[r->pattern.a[2].attr].closed);
    CU_ASSERT(r->attr.a[r->pattern.a[2].attr + 1].closed);
    CU_ASSERT(!r->attr.a[r->pattern.a[2].attr + 2].closed);
    CU_ASSERT(r->pattern.a[2].template && !r->pattern.a[0].template);
    CU_ASSERT(r->pattern.a[3].kind == PATTERN_VARIADIC && r->pattern.a[3].closed);
    close_world(&w);
}

/* What is bound in every match. */
static void certain(void)
{
    struct world w;
    static const char src[] = R(" a = Wildcard()\n b = Const()\n c = Alt(Neg(x), Exp(x + a))\n source Conv(c, c, Optional(b))\n target x");
    const struct pattern *p;

    open_world(&w);
    CU_ASSERT_EQUAL_FATAL(parse(&w, src, sizeof src - 1), CALQUE_OK);
    p = w.rules.rule.a[0].pattern.a;
    CU_ASSERT(p[0].certain && !p[1].certain && p[1].in_source && !p[2].certain);
    close_world(&w);
}

static void graphs(void)
{
    static const char src[] = "def f(x) = x\ngraph a {\n input x: f32[2]\n y = Relu(x)\n return y\n}\nrule r {\n x = Wildcard()\n source Relu(x)\n target x\n}\n"
                              "graph b {\n input x: f32[2]\n return Neg(x)\n}\n";
    static const struct { const char *name; int nodes; } c[] = { { "a", 2 }, { "b", 2 }, { "c", -1 }, { NULL, -1 } };

    for (int k = 0; k < UNIT_COUNT(c); k++) {
        struct world w;
        struct graph g;
        enum calque_status st;
        open_world(&w);
        graph_init(&g, &w.mem, &w.strs, &w.values);
        st = rules_graph(&g, c[k].name, "t.gsl", src, sizeof src - 1, &w.d);
        CU_ASSERT_EQUAL(st, c[k].nodes < 0 ? CALQUE_BAD : CALQUE_OK);
        if (c[k].nodes > 0)
            CU_ASSERT_EQUAL(g.node.n, c[k].nodes);
        graph_free(&g);
        CU_ASSERT_EQUAL(parse(&w, src, sizeof src - 1), CALQUE_OK);
        CU_ASSERT_EQUAL(rules_count(&w.rules), 1);
        close_world(&w);
    }
}

/* Every form once. */
static const char sample[] =
    "def same(c) = same_attr(c, [strides, pads, dilations, kernel_shape, group])\n"
    "rule merge {\n x = Wildcard(shared=true)\n w1 = Variable()\n w = Variable(shape=Cond(w1.ndim == 4, (_, _, w1.shape[2], _), (1,)))\n"
    " c1 = Conv(x, w1, group=1)\n b = Optional(Const(), 0.0)\n c = Conv(x, w, b, **same(c1))\n"
    " v = Variadic(c, templates=[c, w, b], first=[c1, w1, _], min_len=2)\n source v\n i = Symbol()\n wi = v(w, i)\n"
    " s = Split(Conv(x, Concat(Variadic(wi, templates=[wi], index=i, length=v.length), axis=0), none, **same(c1)), axis=1,\n"
    "  split=[sum(v(w, k).shape[0] for k in range(j + 1)) for j in range(v.length - 1)])\n item = s[i]\n"
    " target Variadic(item, templates=[item], index=i)\n}\n"
    "rule choose {\n x = Wildcard()\n y = Wildcard()\n ew = Op(trait=elementwise)\n t = Transpose(y)\n f = Variadic(y, templates=[y], length=_)\n"
    " a = Alt(ew(x, 1), ew(0.5, x))\n source Op('Relu', 'Neg')(a)\n require a.shape[1:] == [d for d in reversed(x.shape)] or 1 in x.shape\n"
    " target Cond(x.ndim == max(1, 2), Match(a, [ew(x, x), 2]), ew(x, Const(Match(a, [1, 2]), dtype=x.dtype)))\n}\n"
    "rule pair {\n x = Wildcard()\n y = Wildcard()\n p = (x, y)[_]\n source [Exp(x), Neg(y), x * y]\n z = x + y\n target [z, z, y]\n}\n"
    "graph g {\n input x: f32[2]\n return Relu(x)\n}\n";

static void memory_runs_out(void)
{
    enum calque_status st = CALQUE_NOMEM;
    int k;

    for (k = 0; k < 20000 && st != CALQUE_OK; k++) {
        struct world w;
        open_world(&w);
        w.mem.fail_after = k;
        st = parse(&w, sample, sizeof sample - 1);
        CU_ASSERT(st == CALQUE_OK || (st == CALQUE_NOMEM && rules_count(&w.rules) == 0));
        close_world(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 100);
}

/* A rule that is accepted prints, and its patterns are in order. */
static void look(struct world *w)
{
    for (int i = 0; i < rules_count(&w->rules); i++) {
        const struct rule *r = &w->rules.rule.a[i];
        struct text t;
        text_init(&t, &w->mem);
        rules_print(&t, &w->rules, i);
        CU_ASSERT(!t.failed && t.n > 0);
        text_free(&t);
        for (int p = 0; p < r->pattern.n; p++) {
            const struct pattern *q = &r->pattern.a[p];
            CU_ASSERT(q->first < p && q->opat < p && q->like < p);
            for (int k = 0; k < q->nkid && q->kind != PATTERN_OP; k++)
                CU_ASSERT(r->kid.a[q->kid + k] < p);
        }
    }
}

static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}

/* Words of the text put in other places, so that many of the results are rules. RUNS of the environment: how many. */
static void mutations(void)
{
    enum { WORDS = 2000 };
    static struct { int at, n; } word[WORDS];
    const char *runs = getenv("RUNS");
    long n = runs ? strtol(runs, NULL, 10) : 3000, accepted = 0;
    unsigned long seed = 20201;
    int words = 0;

    for (int k = 0; k < (int)sizeof sample - 1 && words < WORDS; words++) {
        int at = k;
        while (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", sample[k]) && sample[k])
            k++;
        k += k == at;
        word[words].at = at;
        word[words].n = k - at;
    }
    for (long run = 0; run < n; run++) {
        static char text[4 * sizeof sample];
        struct world w;
        size_t len = 0;
        unsigned long edits = 1 + next(&seed) % 3;
        int from[3], to[3];
        for (unsigned long e = 0; e < edits; e++) {
            to[e] = (int)(next(&seed) % (unsigned long)words);
            from[e] = (int)(next(&seed) % (unsigned long)(words + 1)) - 1;
        }
        for (int k = 0; k < words; k++) {
            int use = k;
            for (unsigned long e = 0; e < edits; e++)
                use = to[e] == k ? from[e] : use;
            if (use >= 0 && len + (size_t)word[use].n < sizeof text) {
                memcpy(text + len, sample + word[use].at, (size_t)word[use].n);
                len += (size_t)word[use].n;
            }
        }
        open_world(&w);
        accepted += parse(&w, text, len) == CALQUE_OK;
        look(&w);
        close_world(&w);
    }
    CU_ASSERT(accepted * 100 > n); /* the mutations reach the check */
}

static const struct unit_case cases[] = {
    { "any number of outputs", outputs },
    { "first patterns written later", first_later },
    { "any number of fields", fields },
    { "outputs reordered", reordered },
    { "alternatives, operator patterns, conditions", alternatives },
    { "attribute expressions", attributes },
    { "names of symbols", symbols },
    { "_ inside conditions", any_inside },
    { "closed expressions", closed },
    { "certain bindings", certain },
    { "graphs", graphs },
    { "memory runs out", memory_runs_out },
    { "mutations", mutations },
};

int main(void)
{
    return unit_main("pattern/forms", cases, UNIT_COUNT(cases));
}
