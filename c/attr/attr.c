#include "attr/attr.h"

#include <string.h>

#include "attr/eval.h"
#include "attr/match.h"
#include "base/strs.h"
#include "base/text.h"

void attrs_init(struct attrs *t, struct values *values, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->values = values;
}

void attrs_free(struct attrs *t)
{
    mem_free(t->node.a);
    ints_free(&t->kid);
    mem_free(t->slot.a);
    attrs_init(t, t->values, t->mem);
}

static bool is_id(const struct attrs *t, int a)
{
    return a >= 0 && a < t->node.n;
}

/* Makes nd the parent of node a: its depth and size cover a's. */
static void above(const struct attrs *t, struct attr_node *nd, int a)
{
    const struct attr_node *kid = &t->node.a[a];

    if (kid->depth >= nd->depth)
        nd->depth = kid->depth + 1;
    nd->size = nd->size + kid->size > ATTR_SIZE_MAX ? ATTR_SIZE_MAX + 1 : nd->size + kid->size;
}

static int push(struct attrs *t, struct attr_node nd)
{
    if (nd.depth > ATTR_DEPTH_MAX || nd.size > ATTR_SIZE_MAX || !vec_room(t->mem, &t->node, 1))
        return -1;
    t->node.a[t->node.n] = nd;
    return t->node.n++;
}

static struct attr_node leaf(int kind, int a)
{
    return (struct attr_node){ .kind = kind, .a = a, .depth = 0, .size = 1 };
}

int attr_const(struct attrs *t, int value)
{
    return value >= 0 && value < t->values->n ? push(t, leaf(ATTR_CONST, value)) : -1;
}

int attr_any(struct attrs *t)
{
    return push(t, leaf(ATTR_ANY, 0));
}

int attr_access(struct attrs *t, int pattern, int label)
{
    int s = attr_slot(t, pattern, label);

    return s >= 0 ? push(t, leaf(ATTR_ACCESS, s)) : -1;
}

int attr_unary(struct attrs *t, int op, int a)
{
    struct attr_node nd = leaf(ATTR_UNARY, a);

    if (op < 0 || op >= ATTR_UNARY_OPS || !is_id(t, a))
        return -1;
    nd.op = op;
    above(t, &nd, a);
    return push(t, nd);
}

static int pair(struct attrs *t, int kind, int op, int a, int b)
{
    struct attr_node nd = leaf(kind, a);

    if (!is_id(t, a) || !is_id(t, b))
        return -1;
    nd.op = op;
    nd.b = b;
    above(t, &nd, a);
    above(t, &nd, b);
    return push(t, nd);
}

int attr_binary(struct attrs *t, int op, int a, int b)
{
    return op >= 0 && op < ATTR_BINARY_OPS ? pair(t, ATTR_BINARY, op, a, b) : -1;
}

int attr_proj(struct attrs *t, int a, int b)
{
    return pair(t, ATTR_PROJ, 0, a, b);
}

int attr_tuple(struct attrs *t, const int *kids, int n)
{
    struct attr_node nd = leaf(ATTR_TUPLE, t->kid.n);
    int id;

    if (n < 0 || n > VALUE_LEN_MAX || t->kid.n > VALUE_ARENA_MAX || !vec_room(t->mem, &t->kid, n))
        return -1;
    nd.b = n;
    nd.depth = 1;
    for (int k = 0; k < n; k++) {
        if (!is_id(t, kids[k]))
            return -1;
        above(t, &nd, kids[k]);
        t->kid.a[t->kid.n + k] = kids[k];
    }
    id = push(t, nd);
    if (id >= 0)
        t->kid.n += n;
    return id;
}

int attr_slot_find(const struct attrs *t, int pattern, int label)
{
    for (int s = 0; s < t->slot.n; s++)
        if (t->slot.a[s].pattern == pattern && t->slot.a[s].label == label)
            return s;
    return -1;
}

int attr_slot(struct attrs *t, int pattern, int label)
{
    int s = attr_slot_find(t, pattern, label);

    if (s >= 0 || !vec_room(t->mem, &t->slot, 1))
        return s;
    t->slot.a[t->slot.n] = (struct attr_slot){ pattern, label };
    return t->slot.n++;
}

/* The arrays the core works on. */
static struct attr_view view(const struct attrs *t, const struct attr_env *env)
{
    return (struct attr_view){ t->node.a, t->kid.a,  env->slot,
                               t->node.n, t->kid.n, env->n };
}

/* What the core requires of its caller. */
static bool env_ok(const struct attrs *t, const struct attr_env *env)
{
    for (int s = 0; s < env->n; s++)
        if (env->slot[s] < -1 || env->slot[s] >= t->values->n)
            return false;
    return env->n >= 0;
}

enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out)
{
    struct values *vs = t->values;
    struct value_step r;

    if (!is_id(t, a) || !env_ok(t, env))
        return ATTR_FULL;
    for (;;) {
        r = attr_eval_core(view(t, env), *vs, 0, a);
        if (r.code == STEP_STUCK)
            return ATTR_STUCK;
        if (r.code == STEP_DONE) {
            vs->n = r.n;
            vs->npool = r.npool;
            *out = r.id;
            return ATTR_VALUE;
        }
        if (r.code != STEP_ROOM || !values_enlarge(vs))
            return ATTR_FULL;
    }
}

enum attr_result attr_match(struct attrs *t, const struct attr_env *env, int a, int value,
                            bool *yes)
{
    int c;

    if (!is_id(t, a) || !env_ok(t, env) || value < 0 || value >= t->values->n)
        return ATTR_FULL;
    for (;;) {
        c = attr_match_core(view(t, env), *t->values, a, value);
        if (c == MATCH_YES || c == MATCH_NO) {
            *yes = c == MATCH_YES;
            return ATTR_VALUE;
        }
        if (c != MATCH_ROOM || !values_enlarge(t->values))
            return ATTR_FULL;
    }
}

const char *attr_unary_name(int op)
{
    static const char *const name[] = {
#define ATTR_UNARY_OP(name, text, meaning) text,
#include "attr/attr_ops.def"
    };
    return op >= 0 && op < ATTR_UNARY_OPS ? name[op] : "?";
}

const char *attr_binary_name(int op)
{
    static const char *const name[] = {
#define ATTR_BINARY_OP(name, text, meaning) text,
#include "attr/attr_ops.def"
    };
    return op >= 0 && op < ATTR_BINARY_OPS ? name[op] : "?";
}

static void print_kids(struct text *out, const struct attrs *t, const struct strs *strs,
                       const int *kid, int n)
{
    for (int k = 0; k < n; k++) {
        text_puts(out, " ");
        attr_print(out, t, strs, kid[k]);
    }
    text_puts(out, ")");
}

static void print_const(struct text *out, const struct attrs *t, const struct strs *strs, int v)
{
    bool tuple = t->values->v[v].kind == VALUE_TUPLE;

    text_puts(out, tuple ? "(const " : "");
    value_print(out, t->values, strs, v);
    text_puts(out, tuple ? ")" : "");
}

/* Recursion is bounded by ATTR_DEPTH_MAX. */
void attr_print(struct text *out, const struct attrs *t, const struct strs *strs, int a)
{
    const struct attr_node *nd = &t->node.a[a];
    const int kid[2] = { nd->a, nd->b };
    const struct attr_slot *s;

    switch (nd->kind) {
    case ATTR_CONST:
        print_const(out, t, strs, nd->a);
        break;
    case ATTR_ANY:
        text_puts(out, "_");
        break;
    case ATTR_ACCESS:
        s = &t->slot.a[nd->a];
        text_printf(out, "(. %d ", s->pattern);
        text_put(out, strs_text(strs, s->label), (size_t)strs_len(strs, s->label));
        text_puts(out, ")");
        break;
    case ATTR_UNARY:
        text_printf(out, "(%s", attr_unary_name(nd->op));
        print_kids(out, t, strs, kid, 1);
        break;
    case ATTR_BINARY:
        text_printf(out, "(%s", attr_binary_name(nd->op));
        print_kids(out, t, strs, kid, 2);
        break;
    case ATTR_TUPLE:
        text_puts(out, "(tuple");
        print_kids(out, t, strs, nd->b ? t->kid.a + nd->a : kid, nd->b);
        break;
    default:
        text_puts(out, "(proj");
        print_kids(out, t, strs, kid, 2);
    }
}
