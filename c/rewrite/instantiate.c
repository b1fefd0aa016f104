#include "rewrite/instantiate_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "onnx/opaque.h"
#include "pattern/unknown.h"
#include "tensor/op.h"

bool build_refuse(struct builder *b, enum refusal why)
{
    b->why = why;
    return false;
}

bool build_ill_typed(struct builder *b, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(b->d->text, sizeof b->d->text, format, ap);
    va_end(ap);
    return build_refuse(b, REFUSE_TYPE);
}

bool build_nomem(struct builder *b)
{
    b->status = CALQUE_NOMEM;
    return false;
}

bool build_eval(struct builder *b, int expr, int k, int *value)
{
    switch (match_eval(b->m, expr, k, b->m->plan[b->m->rule].memo ? &b->memo : NULL, value)) {
    case ATTR_VALUE:
        return true;
    case ATTR_STUCK:
        return build_refuse(b, REFUSE_STUCK);
    default:
        return match_full(b->g->mem) == CALQUE_NOMEM ? build_nomem(b) : build_refuse(b, REFUSE_LIMIT);
    }
}

/* PE-Match, and look-ups of instances. */
static bool looked_up(struct builder *b, int p, int k, int *node)
{
    const struct pattern *q = &b->r->pattern.a[p];
    const struct value *v;
    int value;

    *node = match_node(b->m, p, k);
    if (*node != PATTERN_UNBOUND) {
        if (q->kind == PATTERN_OPTIONAL && q->value >= 0 && *node == PATTERN_ABSENT)
            *node = PATTERN_UNBOUND;
        return true;
    }
    if (q->kind == PATTERN_NONE)
        *node = PATTERN_ABSENT;
    if (q->kind != PATTERN_INST)
        return true;
    if (!build_eval(b, q->value, k, &value))
        return false;
    v = &b->g->values->v[value];
    if (v->kind == VALUE_INT && v->num >= 0 && v->num <= INT32_MAX)
        *node = match_node(b->m, b->r->kid.a[q->kid], (int)v->num);
    return *node != PATTERN_UNBOUND || build_refuse(b, REFUSE_STUCK);
}

/* The address of p in instance k among what is built. */
static int instance_of(const struct builder *b, int p, int k)
{
    return b->r->pattern.a[p].template ? k : -1;
}

bool build_known(struct builder *b, int p, int k, int *node)
{
    *node = addresses_get(&b->built, p, instance_of(b, p, k));
    return *node != PATTERN_UNBOUND || looked_up(b, p, k, node);
}

bool build_parts(struct builder *b, const struct pattern *q, int k, int *n)
{
    const struct pattern *v = q->nkid == 1 ? &b->r->pattern.a[b->r->kid.a[q->kid]] : NULL;
    const struct value *x;
    int value;

    *n = q->nkid;
    if (!v || v->kind != PATTERN_VARIADIC)
        return true;
    if (v->value < 0)
        return build_refuse(b, REFUSE_STUCK);
    if (!build_eval(b, v->value, k, &value))
        return false;
    x = &b->g->values->v[value];
    if (x->kind != VALUE_INT || x->num < 0 || x->num > ATTR_COUNT_MAX)
        return build_refuse(b, REFUSE_STUCK);
    *n = (int)x->num;
    return true;
}

struct build_goal build_part(const struct builder *b, const struct pattern *q, int k, int j)
{
    int kid = q->nkid == 1 ? b->r->kid.a[q->kid] : -1;

    if (kid >= 0 && b->r->pattern.a[kid].kind == PATTERN_VARIADIC)
        return (struct build_goal){ b->r->kid.a[b->r->pattern.a[kid].kid], j, false };
    return (struct build_goal){ b->r->kid.a[q->kid + j], k, false };
}

/* PE-Cond, PE-Choice: the child that stands for it. */
static bool chosen(struct builder *b, const struct pattern *q, int k, int *kid)
{
    const int *kids = b->r->kid.a + q->kid;
    const struct value *v;
    int value, taken;

    if (q->kind == PATTERN_MATCH) {
        taken = b->m->taken[kids[0]];
        if (taken < 0 || taken + 1 >= q->nkid)
            return build_refuse(b, REFUSE_STUCK);
        *kid = kids[taken + 1];
        return true;
    }
    if (!build_eval(b, q->value, k, &value))
        return false;
    v = &b->g->values->v[value];
    if (v->kind != VALUE_BOOL)
        return build_refuse(b, REFUSE_STUCK);
    *kid = kids[v->num ? 0 : 1];
    return true;
}

static bool push(struct builder *b, struct build_goal goal)
{
    int node;

    if (!build_known(b, goal.pattern, goal.instance, &node))
        return false;
    if (node != PATTERN_UNBOUND)
        return true;
    if (!vec_room(b->g->mem, &b->goal, 1))
        return build_nomem(b);
    b->goal.a[b->goal.n++] = goal;
    return true;
}

/* Puts the children that are not known yet on the stack, the first on top. */
static bool plan(struct builder *b, struct build_goal goal)
{
    const struct pattern *q = &b->r->pattern.a[goal.pattern];
    int n, kid;

    switch (q->kind) {
    case PATTERN_CALL:
    case PATTERN_TUPLE:
        if (!build_parts(b, q, goal.instance, &n))
            return false;
        for (int j = n - 1; j >= 0; j--)
            if (!push(b, build_part(b, q, goal.instance, j)))
                return false;
        return true;
    case PATTERN_CONST: /* takes the element type of its neighbour */
        return q->like < 0 || push(b, (struct build_goal){ q->like, goal.instance, false });
    case PATTERN_PROJ:
        return push(b, (struct build_goal){ b->r->kid.a[q->kid], goal.instance, false });
    case PATTERN_COND:
    case PATTERN_MATCH:
        return chosen(b, q, goal.instance, &kid) && push(b, (struct build_goal){ kid, goal.instance, false });
    default:
        return true;
    }
}

static bool finish(struct builder *b, struct build_goal goal)
{
    const struct pattern *q = &b->r->pattern.a[goal.pattern];
    int node = PATTERN_UNBOUND, kid;
    bool ok;

    switch (q->kind) {
    case PATTERN_CONST:
        ok = build_const(b, q, goal.instance, &node);
        break;
    case PATTERN_CALL:
        ok = build_call(b, q, goal.instance, &node);
        break;
    case PATTERN_TUPLE:
        ok = build_tuple(b, q, goal.instance, &node);
        break;
    case PATTERN_PROJ:
        ok = build_proj(b, q, goal.instance, &node);
        break;
    case PATTERN_COND:
    case PATTERN_MATCH:
        ok = chosen(b, q, goal.instance, &kid) && build_known(b, kid, goal.instance, &node);
        break;
    case PATTERN_OPTIONAL:
        ok = build_default(b, q, goal.instance, &node);
        break;
    default: /* of the source, and the match did not bind it */
        ok = build_refuse(b, REFUSE_STUCK);
    }
    return ok && (addresses_put(&b->built, goal.pattern, instance_of(b, goal.pattern, goal.instance), node) ||
                  build_nomem(b));
}

/* PE-Make, PE-Shared: children first; a goal is met twice, before and after them, and built once. */
static bool build(struct builder *b, int p, int k, int *node)
{
    b->goal.n = 0;
    if (!push(b, (struct build_goal){ p, k, false }))
        return false;
    while (b->goal.n > 0) {
        struct build_goal *top = &b->goal.a[b->goal.n - 1], goal = *top;
        int known;

        if (!build_known(b, goal.pattern, goal.instance, &known))
            return false;
        if (known != PATTERN_UNBOUND || goal.planned) {
            if (known == PATTERN_UNBOUND && !finish(b, goal))
                return false;
            b->goal.n--;
            continue;
        }
        top->planned = true;
        if (!plan(b, goal))
            return false;
    }
    return build_known(b, p, k, node);
}

/* Same operator on the same inputs with the same attributes? */
static bool same_application(const struct graph *g, int a, int b)
{
    const struct node *x = &g->node.a[a], *y = &g->node.a[b];

    if (a == b)
        return true;
    if (x->kind != NODE_OP || y->kind != NODE_OP || x->op != y->op || x->nin != y->nin ||
        x->nattr != y->nattr || (x->op == OP_Opaque && !opaque_same(g, a, b)))
        return false;
    for (int k = 0; k < x->nin; k++)
        if (g->in.a[x->in + k] != g->in.a[y->in + k])
            return false;
    for (int k = 0; k < x->nattr; k++) {
        const struct node_attr *u = &g->attr.a[x->attr + k], *v = &g->attr.a[y->attr + k];
        if (u->label != v->label || !value_equal(g->values, u->value, v->value))
            return false;
    }
    return true;
}

/* May root take the place of output `out`? Their types must be known and the same. That of an operator without a meaning here is
   not known: then the rule says that they are the same, and the type that is known is that of both. */
static bool fits(struct builder *b, int out, int root)
{
    struct graph *g = b->g;
    const struct node *old = &g->node.a[out];
    struct node *new;
    char was[SHAPE_TEXT], is[SHAPE_TEXT];
    bool said;

    if (root < 0 || graph_multi(g, root) || graph_multi(g, out))
        return build_ill_typed(b, "the target is absent, or has several values, where the source has one");
    new = &g->node.a[root];
    said = rule_unknown(b->r) >= 0;
    if (said && root >= b->old && new->dtype == DTYPE_UNKNOWN && new->shape.rank < 0) {
        new->dtype = old->dtype;
        new->shape = old->shape;
        return true;
    }
    if (said && old->dtype == DTYPE_UNKNOWN && old->shape.rank < 0)
        return true;
    if (new->dtype != DTYPE_UNKNOWN && new->dtype == old->dtype && new->shape.rank >= 0 && shape_equal(&new->shape, &old->shape))
        return true;
    return build_ill_typed(b, "the source is %s[%s], the target %s[%s]", dtype_name(old->dtype), shape_text(&old->shape, was),
                           dtype_name(new->dtype), shape_text(&new->shape, is));
}

/* The patterns that take the place of the outputs: one for each, or the instances of a field. */
static struct build_goal root_goal(const struct builder *b, int j)
{
    const struct rule *r = b->r;
    const struct pattern *q = &r->pattern.a[r->target.a[0]];

    if (r->target.n == 1 && q->kind == PATTERN_VARIADIC)
        return (struct build_goal){ r->kid.a[q->kid], j, false };
    return (struct build_goal){ r->target.a[j], -1, false };
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Does one node take the place of several outputs? Then the graph changes, though every output is computed as before. */
static bool any_twice(struct builder *b, const int *root, int n)
{
    bool twice = false;

    b->in.n = 0;
    for (int j = 0; j < n; j++)
        if (!ints_push(b->g->mem, &b->in, root[j]))
            return build_nomem(b);
    qsort(b->in.a, (size_t)n, sizeof *b->in.a, compare);
    for (int j = 1; j < n; j++)
        twice |= b->in.a[j] == b->in.a[j - 1];
    return twice;
}

static bool build_roots(struct builder *b, int *root)
{
    const struct rule *r = b->r;
    int n = b->m->outs.n;
    bool identity = true;

    if (r->target.n != n && r->pattern.a[r->target.a[0]].kind != PATTERN_VARIADIC)
        return build_ill_typed(b, "the target has %d outputs, the source %d", r->target.n, n);
    for (int j = 0; j < n; j++) {
        struct build_goal goal = root_goal(b, j);
        if (!build(b, goal.pattern, goal.instance, &root[j]))
            return false;
    }
    for (int j = 0; j < n; j++) {
        if (!fits(b, b->m->outs.a[j], root[j]))
            return false;
        identity &= same_application(b->g, b->m->outs.a[j], root[j]);
    }
    return !identity || any_twice(b, root, n) || build_refuse(b, REFUSE_IDENTITY);
}

enum calque_status build_target(struct matcher *m, struct graph *g, int *root, enum refusal *why, struct diag *d)
{
    struct diag own;
    struct builder b = { .m = m, .r = &m->rules->rule.a[m->rule], .g = g, .d = d ? d : &own, .why = REFUSE_NO, .status = CALQUE_OK,
                         .old = g->node.n };
    int node = g->node.n, in = g->in.n, attr = g->attr.n, tensor = g->tensor.n, raw = g->raw.n;
    bool ok;

    attr_memo_init(&b.memo, g->mem);
    ok = addresses_init(&b.built, g->mem, b.r->pattern.n) || build_nomem(&b);
    if (ok && m->plan[m->rule].memo)
        ok = attr_memo_start(&b.memo, &b.r->attrs) || build_nomem(&b);
    ok = ok && build_roots(&b, root);
    addresses_free(&b.built);
    attr_memo_free(&b.memo);
    mem_free(b.goal.a);
    ints_free(&b.in);
    *why = b.why;
    if (!ok) {
        while (g->tensor.n > tensor)
            tensor_free(&g->tensor.a[--g->tensor.n]);
        while (g->raw.n > raw)
            mem_free(g->raw.a[--g->raw.n].a);
        g->node.n = node;
        g->in.n = in;
        g->attr.n = attr;
    }
    return b.status == CALQUE_NOMEM ? diag_nomem(d) : CALQUE_OK;
}
