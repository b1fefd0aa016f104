/* What the semantic check promises: in a match of a rule that passes, everything the target mentions is bound, on
   every way that building it can go. Rules are made by putting other names into the targets of three rules in which
   much is bound only sometimes; whatever is accepted is matched, and the target is walked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/text.h"
#include "pattern/match_internal.h"
#include "graph/use_list_internal.h"
#include "tensor/op.h"
#include "unit.h"

/* @ is one of the names. */
static const struct { const char *names, *head, *target; } rules[] = {
    { "xyybodcefgt", "rule r {\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n b = Const()\n o = Optional(b)\n d = Optional(Const(), 1.0)\n"
      " c = Gemm(x, y, o)\n e = Gemm(y, x, d)\n f = Op('Exp', 'Sqrt')(y)\n g = Alt(Relu(c), Abs(e), Tanh(f))\n t = Neg(g)\n source t\n",
      " target Match(g, [Add(@, @), Match(g, [@, @, @]), Gemm(y, @, @)])\n}\n" },
    { "xyybodcefgt", "rule r {\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n b = Const()\n o = Optional(b)\n d = Optional(Const(), 1.0)\n"
      " c = Gemm(x, y, o)\n e = Gemm(y, x, d)\n f = Op('Exp', 'Sqrt')(y)\n g = Alt(Relu(c), Abs(e), Tanh(f))\n t = Neg(g)\n source t\n",
      " target Cond(@.ndim == Match(g, [@.ndim, 2, 2]), y + @, Reshape(@, shape=Match(g, [@.shape, y.shape, @.shape])))\n}\n" },
    { "xyzbcqp", "rule r {\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n z = Wildcard(shared=true)\n b = Optional(Const())\n"
      " c = Gemm(x, y, b)\n i = Symbol()\n v = Variadic(c, templates=[c, y, b], first=[_, z, _], min_len=2)\n source v\n",
      " q = v(@, i)\n p = @ + @\n target Variadic(p, templates=[p, @], index=i)\n}\n" },
    { "xyzwsrt", "rule r {\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n z = Wildcard(shared=true)\n w = Relu(x)\n i = Symbol()\n"
      " v = Variadic(w, templates=[x, w], first=[z, _], index=i)\n u = Variadic(y, templates=[y])\n s = Concat(v)\n t = (u,)\n"
      " r = t[_]\n source s + r\n",
      " p = v(@, i)\n q = Concat(Variadic(p, templates=[p], index=i, length=v.length), axis=0)\n target @ * v(@, 0) + u(y, @.index) * q\n}\n" },
};

static const char *const graphs[] = {
    "graph {\n input x: f32[2, 2]\n input y: f32[2, 2]\n const b: f32[2] = [1.0, 2.0]\n"
    " return Neg(Relu(Gemm(x, y))), Neg(Relu(Gemm(x, y, b))), Neg(Abs(Gemm(y, x))), Neg(Abs(Gemm(y, y, b))), Neg(Tanh(Exp(x)))\n}\n",
    "graph {\n input x: f32[2, 2]\n input y: f32[2, 2]\n input z: f32[2, 2]\n const b: f32[2] = [1.0, 2.0]\n"
    " return Gemm(x, y), Gemm(x, z), Gemm(x, x, b), Gemm(z, y, b), Gemm(z, x)\n}\n",
    "graph {\n input x: f32[2, 2]\n input y: f32[4, 2]\n a = Relu(x)\n b = Relu(x)\n t = (y, x)\n e = (y,)\n"
    " return Concat(a, b, axis=0) + t[0], Concat(Relu(y), axis=0) + e[0]\n}\n",
};

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct rules rules;
    struct graph g;
    struct diag d;
};

static void open_world(struct world *w, const char *graph)
{
    w->mem = (struct mem)MEM_INIT;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    rules_init(&w->rules, &w->mem, &w->strs, &w->values);
    graph_init(&w->g, &w->mem, &w->strs, &w->values);
    diag_clear(&w->d);
    if (graph_text_read(&w->g, "g", graph, strlen(graph), &w->d) != CALQUE_OK || graph_infer(&w->g, &w->d) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\n", w->d.line, w->d.col, w->d.text);
        CU_FAIL_FATAL("a graph");
    }
}

static void close_world(struct world *w)
{
    graph_free(&w->g);
    rules_free(&w->rules);
    values_free(&w->values);
    strs_free(&w->strs);
}

struct walk {
    const struct rule *r;
    const struct matcher *m;
    int instances; /* of the target, if it is a Variadic */
    int missing;   /* a pattern that is mentioned and not bound, or -1 */
    long looks;
};

static void look(struct walk *w, int p, int k)
{
    const struct pattern *q = &w->r->pattern.a[p];

    w->looks++;
    if (q->kind == PATTERN_VARIADIC ? w->m->length[p] < 0 : match_node(w->m, p, q->template ? k : -1) == PATTERN_UNBOUND)
        w->missing = p;
}

static void walk_expr(struct walk *w, int expr, int k)
{
    const struct attrs *t = &w->r->attrs;
    const struct attr_node *nd = &t->node.a[expr];
    const int pair[2] = { nd->a, nd->b }, *kid = pair;
    int n = 0;

    switch (nd->kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_SYMBOL:
        break;
    case ATTR_ACCESS:
        look(w, t->slot.a[nd->a].pattern, k);
        break;
    case ATTR_INST:
        look(w, t->slot.a[nd->a].pattern, 0);
        walk_expr(w, nd->b, k);
        break;
    case ATTR_MATCH:
        if (w->m->taken[nd->op] < 0)
            w->missing = nd->op;
        else
            walk_expr(w, t->kid.a[nd->a + w->m->taken[nd->op]], k);
        break;
    case ATTR_TUPLE:
    case ATTR_COND:
    case ATTR_FUNC:
        kid = t->kid.a + nd->a;
        n = nd->b;
        break;
    default:
        n = nd->kind == ATTR_UNARY || nd->kind == ATTR_REDUCE ? 1 : 2;
    }
    for (int j = 0; j < n; j++)
        walk_expr(w, kid[j], k);
}

/* Pattern p of the target, in instance k (-1: none). */
static void walk_pattern(struct walk *w, int p, int k)
{
    const struct pattern *q = &w->r->pattern.a[p];
    const int *kid = w->r->kid.a + q->kid;

    if (q->in_source && q->kind != PATTERN_INST) {
        look(w, p, k);
        return;
    }
    if (q->value >= 0)
        walk_expr(w, q->value, k);
    for (int j = q->attr; j < q->attr + q->nattr; j++)
        walk_expr(w, w->r->attr.a[j].expr, k);
    if (q->opat >= 0)
        look(w, q->opat, -1);
    if (q->kind == PATTERN_INST) {
        look(w, kid[0], 0);
    } else if (q->kind == PATTERN_MATCH) {
        if (w->m->taken[kid[0]] < 0)
            w->missing = kid[0];
        else
            walk_pattern(w, kid[1 + w->m->taken[kid[0]]], k);
    } else if (q->kind == PATTERN_VARIADIC) {
        for (int j = 0; j < (w->instances > 0 ? w->instances : 1); j++)
            walk_pattern(w, kid[0], j);
    } else {
        for (int j = 0; j < q->nkid; j++)
            walk_pattern(w, kid[j], k);
    }
}

struct totals {
    long accepted, matches, looks;
    const char *text;
};

static void check_match(struct totals *sum, struct world *w, const struct matcher *m)
{
    struct walk walk = { &w->rules.rule.a[0], m, m->outs.n, -1, 0 };

    for (int k = 0; k < walk.r->target.n; k++)
        walk_pattern(&walk, walk.r->target.a[k], -1);
    sum->matches++;
    sum->looks += walk.looks;
    if (walk.missing >= 0) {
        fprintf(stderr, "pattern %d is not bound:\n%s", walk.missing, sum->text);
        CU_FAIL("a rule that passed mentions what is not bound");
    }
}

static void check_graph(struct totals *sum, struct world *w)
{
    struct uses uses;
    struct matcher m;
    struct match_starts starts;

    uses_init(&uses, &w->mem);
    CU_ASSERT_EQUAL_FATAL(uses_build(&uses, &w->g, &w->d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(matcher_init(&m, &w->rules, &w->g, &uses, &w->d), CALQUE_OK);
    CU_ASSERT_FATAL(match_starts_init(&starts, &w->rules));
    for (int e = 0; e < w->g.node.n; e++)
        if (match_candidate(&m, 0, e) && match_at(&m, 0, e, &w->d) == CALQUE_OK) {
            CU_ASSERT(match_starts_at(&starts, &m, 0, e));
            check_match(sum, w, &m);
        }
    match_starts_free(&starts);
    matcher_free(&m);
    uses_free(&uses);
}

static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}

static void one_rule(struct totals *sum, int rule, unsigned long *seed)
{
    const char *names = rules[rule].names;
    char text[1500], *p = text + sprintf(text, "%s", rules[rule].head);
    bool passed = true;

    for (const char *t = rules[rule].target; *t; t++)
        *p++ = *t == '@' ? names[next(seed) % strlen(names)] : *t;
    *p = '\0';
    sum->text = text;
    for (int k = 0; k < UNIT_COUNT(graphs) && passed; k++) {
        struct world w;
        open_world(&w, graphs[k]);
        passed = rules_parse(&w.rules, "r", text, strlen(text), &w.d) == CALQUE_OK;
        if (passed) {
            sum->accepted += k == 0;
            check_graph(sum, &w);
        }
        close_world(&w);
    }
    sum->text = NULL;
}

static void run(int rule)
{
    const char *runs = getenv("RUNS");
    long n = runs ? strtol(runs, NULL, 10) : 1500;
    unsigned long seed = 77 + (unsigned long)rule;
    struct totals sum = { 0, 0, 0, NULL };

    for (long k = 0; k < n; k++)
        one_rule(&sum, rule, &seed);
    if (runs)
        printf("rule %d: %ld accepted, %ld matches, %ld mentions\n", rule, sum.accepted, sum.matches, sum.looks);
    CU_ASSERT(sum.accepted > 0 && sum.matches > sum.accepted && sum.looks > sum.matches);
}

static void alternatives(void) { run(0); }
static void attributes(void) { run(1); }
static void outputs(void) { run(2); }
static void fields(void) { run(3); }

static const struct unit_case cases[] = {
    { "alternatives and optional inputs", alternatives },
    { "attributes of alternatives", attributes },
    { "any number of outputs", outputs },
    { "inputs and fields", fields },
};

int main(void)
{
    return unit_main("pattern/defined", cases, UNIT_COUNT(cases));
}
