/* The attributes of a match: what the nodes have, what the patterns want of them. */
#include "pattern/match_internal.h"

#include <string.h>

#include "onnx/onnx.h"
#include "tensor/op.h"

enum calque_status match_full(struct mem *mem)
{
    void *probe = mem_resize(mem, NULL, 1, 64);

    mem_free(probe);
    return probe ? CALQUE_LIMIT : CALQUE_NOMEM;
}

/* ---- what expressions read ---- */

static void children(const struct attrs *t, int k, bool *mark)
{
    const struct attr_node *nd = &t->node.a[k];

    switch (nd->kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
    case ATTR_SYMBOL:
        return;
    case ATTR_UNARY:
    case ATTR_REDUCE:
        mark[nd->a] = true;
        return;
    case ATTR_INST:
        mark[nd->b] = true;
        return;
    case ATTR_BINARY:
    case ATTR_PROJ:
    case ATTR_VAR:
    case ATTR_MAP:
        mark[nd->a] = mark[nd->b] = true;
        return;
    default:
        for (int j = nd->a; j < nd->a + nd->b; j++)
            mark[t->kid.a[j]] = true;
    }
}

/* Fills plan->expr[root]. A symbol may be the number of the instance. mark: scratch, false. */
static bool plan_expr(struct match_plan *plan, const struct rule *r, struct mem *mem, int root, bool source, bool *mark)
{
    const struct attrs *t = &r->attrs;
    struct match_expr *e = &plan->expr[root];

    if (root < 0)
        return true;
    *e = (struct match_expr){ plan->read.n, 0, false };
    mark[root] = true;
    for (int k = root; k >= 0; k--) {
        const struct attr_node *nd = &t->node.a[k];
        if (!mark[k])
            continue;
        mark[k] = false;
        children(t, k, mark);
        if (nd->kind == ATTR_ACCESS && !ints_push(mem, &plan->read, nd->a))
            return false;
        e->open |= nd->kind == ATTR_ACCESS || nd->kind == ATTR_INST || nd->kind == ATTR_MATCH;
        plan->indexed |= source && (nd->kind == ATTR_SYMBOL || nd->kind == ATTR_INST || nd->kind == ATTR_MATCH);
        plan->chooses |= source && nd->kind == ATTR_MATCH;
        if ((nd->kind == ATTR_SYMBOL || nd->kind == ATTR_VAR || nd->kind == ATTR_MAP) && nd->op >= plan->symbols)
            plan->symbols = nd->op + 1;
    }
    e->n = plan->read.n - e->first;
    return true;
}

static bool plan_pattern(struct match_plan *plan, const struct rule *r, struct mem *mem, int p, bool *mark)
{
    const struct pattern *q = &r->pattern.a[p];

    if (!plan_expr(plan, r, mem, q->value, plan->source[p], mark))
        return false;
    plan->indexed |= plan->source[p] && q->kind == PATTERN_INST;
    for (int k = q->attr; k < q->attr + q->nattr; k++)
        if (!plan_expr(plan, r, mem, r->attr.a[k].expr, plan->source[p], mark))
            return false;
    return true;
}

/* Which patterns a match may bind. */
static void mark_source(struct match_plan *plan, const struct rule *r)
{
    for (int k = 0; k < r->source.n; k++)
        plan->source[r->source.a[k]] = true;
    for (int p = r->pattern.n - 1; p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!plan->source[p])
            continue;
        for (int k = q->kid; q->kind != PATTERN_OP && k < q->kid + q->nkid; k++)
            plan->source[r->kid.a[k]] = true;
        if (q->first >= 0)
            plan->source[q->first] = true;
    }
}

/* Comprehensions repeat what they compute; what the current instance has is not the same throughout a target. */
static bool worth_memo(const struct rule *r)
{
    bool repeats = false;

    for (int k = 0; k < r->attrs.node.n; k++) {
        const struct attr_node *nd = &r->attrs.node.a[k];
        if (nd->kind == ATTR_ACCESS && r->pattern.a[r->attrs.slot.a[nd->a].pattern].template)
            return false;
        repeats |= nd->kind == ATTR_VAR || nd->kind == ATTR_MAP;
    }
    return repeats;
}

enum calque_status match_plan_rule(struct match_plan *plan, const struct rule *r, struct mem *mem)
{
    size_t n = (size_t)r->attrs.node.n + 1;
    bool *mark = mem_zero(mem, n, sizeof *mark), ok;

    plan->expr = mem_zero(mem, n, sizeof *plan->expr);
    plan->source = mem_zero(mem, (size_t)r->pattern.n + 1, sizeof *plan->source);
    ok = mark && plan->expr && plan->source;
    if (ok)
        mark_source(plan, r);
    for (int p = 0; p < r->pattern.n && ok; p++)
        ok = plan_pattern(plan, r, mem, p, mark);
    for (int k = 0; k < r->require.n && ok; k++)
        ok = plan_expr(plan, r, mem, r->require.a[k].expr, false, mark);
    plan->memo = worth_memo(r);
    mem_free(mark);
    return ok ? CALQUE_OK : CALQUE_NOMEM;
}

void match_plan_free(struct match_plan *plan)
{
    mem_free(plan->expr);
    mem_free(plan->source);
    ints_free(&plan->pos);
    ints_free(&plan->up);
    ints_free(&plan->read);
}

/* ---- what nodes have ---- */

static enum calque_status made(const struct matcher *m, int id, int *out)
{
    *out = id;
    return id < 0 ? match_full(m->rules->mem) : CALQUE_OK;
}

/* shape, dtype, ndim of a graph node. */
static enum calque_status tensor_label(const struct matcher *m, const struct node *nd, int label, int *out)
{
    struct values *vs = m->g->values;

    if (label == m->label[LABEL_DTYPE]) {
        int name;
        if (nd->dtype == DTYPE_UNKNOWN)
            return CALQUE_OK;
        name = strs_addz(m->g->strs, dtype_name(nd->dtype));
        return name < 0 ? CALQUE_NOMEM : made(m, value_str(vs, name), out);
    }
    if (nd->shape.rank < 0)
        return CALQUE_OK;
    if (label == m->label[LABEL_NDIM])
        return made(m, value_int(vs, nd->shape.rank), out);
    if (label == m->label[LABEL_SHAPE])
        return made(m, value_ints(vs, nd->shape.dim, nd->shape.rank), out);
    return CALQUE_OK;
}

/* Attribute of pattern q where it stands for node e. */
static enum calque_status node_label(const struct matcher *m, const struct pattern *q, int e, int label, int *out)
{
    const struct node *nd = &m->g->node.a[e];

    if (q->kind == PATTERN_CALL && nd->kind == NODE_OP) {
        for (int k = nd->attr; k < nd->attr + nd->nattr; k++)
            if (m->g->attr.a[k].label == label) {
                *out = m->g->attr.a[k].value;
                return CALQUE_OK;
            }
        if (nd->op == OP_Opaque && !opaque_attr(m->g, e, strs_text(m->g->strs, label), out))
            return match_full(m->rules->mem);
        if (*out >= 0)
            return CALQUE_OK;
    }
    if (q->kind == PATTERN_CONST && nd->kind == NODE_CONST && label == m->label[LABEL_VALUE])
        return graph_const_attr(m->g, e, out) ? CALQUE_OK : match_full(m->rules->mem);
    if (q->kind == PATTERN_PROJ && nd->kind == NODE_PROJ && label == m->label[LABEL_INDEX])
        return made(m, value_int(m->g->values, nd->index), out);
    return tensor_label(m, nd, label, out);
}

/* Value of a label at address a, in *out; -1: none. */
static enum calque_status match_label_at(struct matcher *m, struct match_address a, int label, int *out)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[a.pattern];
    int e = addresses_get(&m->to, a.pattern, a.instance);

    *out = -1;
    if (q->kind == PATTERN_VARIADIC && label == m->label[LABEL_LENGTH])
        return m->length[a.pattern] < 0 ? CALQUE_OK : made(m, value_int(m->g->values, m->length[a.pattern]), out);
    if (q->kind == PATTERN_OPTIONAL && e != PATTERN_UNBOUND) {
        if (label == m->label[LABEL_PRESENT])
            return made(m, value_bool(m->g->values, e >= 0), out);
        q = &r->pattern.a[r->kid.a[q->kid]];
    }
    return e < 0 ? CALQUE_OK : node_label(m, q, e, label, out);
}

/* ---- evaluation ---- */

/* The environment of instance k: coq env_at. */
static enum calque_status enter(struct matcher *m, const struct match_plan *plan, int expr, int k)
{
    const struct rule *r = match_rule_of(m);
    const struct match_expr *e = &plan->expr[expr];
    int index = -1;

    for (int j = e->first; j < e->first + e->n; j++) {
        const struct attr_slot *s = &r->attrs.slot.a[plan->read.a[j]];
        enum calque_status status =
            match_label_at(m, match_address_of(r, s->pattern, k), s->label, &m->env.slot[plan->read.a[j]]);
        if (status != CALQUE_OK)
            return status;
    }
    if (k >= 0 && plan->symbols > 0) {
        index = value_int(m->g->values, k);
        if (index < 0)
            return match_full(m->rules->mem);
    }
    m->env.n = r->attrs.slot.n;
    m->env.nsymbol = plan->symbols;
    for (int s = 0; s < plan->symbols; s++)
        m->env.symbol[s] = index;
    return CALQUE_OK;
}

static void leave(struct matcher *m, const struct match_plan *plan, int expr)
{
    const struct match_expr *e = &plan->expr[expr];

    for (int j = e->first; j < e->first + e->n; j++)
        m->env.slot[plan->read.a[j]] = -1;
    m->env.n = 0;
}

/* attr_env's inst */
static enum attr_result of_instance(void *ctx, int pattern, long k, int label, int *out)
{
    struct matcher *m = ctx;

    if (k < 0 || k > INT32_MAX)
        return ATTR_STUCK;
    if (match_label_at(m, match_address_of(match_rule_of(m), pattern, (int)k), label, out) != CALQUE_OK)
        return ATTR_FULL;
    return *out < 0 ? ATTR_STUCK : ATTR_VALUE;
}

static int taken(void *ctx, int pattern)
{
    const struct matcher *m = ctx;

    return m->taken[pattern];
}

enum attr_result match_eval(struct matcher *m, int expr, int k, struct attr_memo *memo, int *out)
{
    struct attrs t = match_rule_of(m)->attrs; /* evaluation changes only the shared values */
    const struct match_plan *plan = &m->plan[m->rule];
    enum attr_result res = ATTR_FULL;
    int values = m->g->values->n;

    m->env.inst = of_instance;
    m->env.taken = taken;
    m->env.ctx = m;
    if (enter(m, plan, expr, k) == CALQUE_OK)
        res = memo ? attr_eval_memo(&t, &m->env, memo, expr, out) : attr_eval(&t, &m->env, expr, out);
    leave(m, plan, expr);
    m->steps += (m->g->values->n - values) / MATCH_STEP_VALUES;
    return res;
}

bool match_index(struct matcher *m, int expr, int instance, long *k)
{
    int value;

    switch (match_eval(m, expr, instance, NULL, &value)) {
    case ATTR_VALUE:
        *k = m->g->values->v[value].num;
        return m->g->values->v[value].kind == VALUE_INT;
    case ATTR_STUCK:
        return false;
    default:
        return match_limit(m, match_full(m->rules->mem), -1, m->root);
    }
}

/* M;expr ~ value in instance k? */
static bool matches(struct matcher *m, int expr, int k, int value, const struct match_entry *e)
{
    struct attrs t = match_rule_of(m)->attrs;
    const struct match_plan *plan = &m->plan[m->rule];
    bool yes = false, full;
    int values = m->g->values->n;

    m->env.inst = of_instance;
    m->env.taken = taken;
    m->env.ctx = m;
    full = enter(m, plan, expr, k) != CALQUE_OK || attr_match(&t, &m->env, expr, value, &yes) != ATTR_VALUE;
    leave(m, plan, expr);
    m->steps += (m->g->values->n - values) / MATCH_STEP_VALUES;
    return full ? match_limit(m, match_full(m->rules->mem), e->pattern, e->kind == ENTRY_NODE ? e->node : -1) : yes;
}

/* A literal stands for a number of another form that an element of type dtype has: an integer for the float of that value, a
   float for the one it is rounded to in binary32: coq literal_number. */
static bool number_equal(const struct matcher *m, int dtype, int literal, int value)
{
    const struct value *u = &m->g->values->v[literal], *v = &m->g->values->v[value];
    double real;

    if (v->kind != VALUE_FLOAT)
        return false;
    if (u->kind == VALUE_INT && u->num <= 1L << 53 && u->num >= -(1L << 53))
        real = (double)u->num;
    else if (u->kind == VALUE_FLOAT && dtype == DTYPE_F32)
        real = (double)(float)value_real(m->g->values, literal);
    else
        return false;
    return memcmp(&real, &v->num, sizeof real) == 0;
}

/* Coq: literal. */
static bool literal_equal(const struct matcher *m, int dtype, int expr, int value)
{
    const struct attrs *t = &match_rule_of(m)->attrs;
    const struct attr_node *nd = &t->node.a[expr];
    const struct values *vs = m->g->values;
    const struct value *v = &vs->v[value];

    if (nd->kind == ATTR_CONST)
        return number_equal(m, dtype, nd->a, value);
    if (nd->kind != ATTR_TUPLE || v->kind != VALUE_TUPLE || nd->b != v->len)
        return false;
    for (int k = 0; k < v->len; k++) {
        const struct attr_node *u = &t->node.a[t->kid.a[nd->a + k]];
        int x = vs->pool[v->first + k];
        if (u->kind != ATTR_CONST || (!value_equal(vs, u->a, x) && !number_equal(m, dtype, u->a, x)))
            return false;
    }
    return true;
}

static bool claim(struct matcher *m, const struct match_entry *e, int label, int expr)
{
    int value;
    enum calque_status status =
        match_label_at(m, (struct match_address){ e->pattern, e->instance }, label, &value);

    if (status != CALQUE_OK)
        return match_limit(m, status, e->pattern, e->node);
    if (value >= 0 && (matches(m, expr, e->instance, value, e) ||
                       (label == m->label[LABEL_VALUE] && literal_equal(m, m->g->node.a[e->node].dtype, expr, value))))
        return true;
    return match_failed_attr(m, match_judgement(match_pattern(m, e->pattern)), e, label, expr, value);
}

bool match_claims(struct matcher *m, const struct match_entry *of, bool open)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[of->pattern];
    const struct match_expr *plan = m->plan[m->rule].expr;
    struct match_entry e = *of; /* entries may move */

    if (e.node < 0)
        return true;
    if ((q->kind == PATTERN_CONST || q->kind == PATTERN_PROJ) && q->value >= 0 && plan[q->value].open == open &&
        !claim(m, &e, m->label[q->kind == PATTERN_CONST ? LABEL_VALUE : LABEL_INDEX], q->value))
        return false;
    for (int k = q->attr; k < q->attr + q->nattr; k++) {
        bool late = plan[r->attr.a[k].expr].open || q->kind == PATTERN_VARIADIC;
        if (late == open && !claim(m, &e, r->attr.a[k].label, r->attr.a[k].expr))
            return false;
    }
    return true;
}

/* The length of a variadic pattern. */
static bool length_holds(struct matcher *m, const struct match_entry *e)
{
    const struct pattern *q = match_pattern(m, e->pattern);
    struct match_entry copy = *e;
    int value;

    if (q->kind != PATTERN_VARIADIC || q->value < 0)
        return true;
    value = value_int(m->g->values, copy.node);
    if (value < 0)
        return match_limit(m, match_full(m->rules->mem), copy.pattern, -1);
    return matches(m, q->value, -1, value, &copy) ||
           match_failed_attr(m, MATCH_VARIADIC, &copy, m->label[LABEL_LENGTH], q->value, value);
}

bool match_attrs_hold(struct matcher *m, int from)
{
    for (int k = from; k < m->entry.n; k++) {
        const struct match_entry *e = &m->entry.a[k];
        if (e->kind == ENTRY_NODE ? !match_claims(m, e, true) : e->kind == ENTRY_LENGTH && !length_holds(m, e))
            return false;
    }
    return true;
}

bool match_requires_hold(struct matcher *m)
{
    const struct rule *r = match_rule_of(m);

    for (int k = 0; k < r->require.n; k++) {
        int value = -1;
        enum attr_result res = match_eval(m, r->require.a[k].expr, -1, NULL, &value);
        const struct value *v;

        if (res == ATTR_FULL)
            return match_limit(m, match_full(m->rules->mem), -1, m->root);
        v = res == ATTR_VALUE ? &m->g->values->v[value] : NULL;
        if (!v || v->kind != VALUE_BOOL || !v->num)
            return match_failed_require(m, k, v ? value : -1);
    }
    return true;
}
