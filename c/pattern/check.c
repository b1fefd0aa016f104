/* The semantic check of a whole rule: after it, a match defines everything the target refers to. */
#include "pattern/check_internal.h"

#include <string.h>

#include "onnx/onnx.h"
#include "tensor/op.h"

bool check_fail(struct elab *e, int line, int col, const char *text, const char *what)
{
    elab_fail(e, line, col, text, what);
    return false;
}

const char *check_name(const struct elab *e, int p)
{
    int name = e->r->pattern.a[p].name;

    return name >= 0 ? strs_text(e->rs->strs, name) : pattern_word(e->r, p);
}

/* The attribute of the operators of the call: its kind if all of them have it, else ELAB_KIND_UNKNOWN, and *all
   false. */
static int call_label(const struct elab *e, const struct pattern *q, const char *label, bool *all)
{
    static const int kind[] = { VALUE_INT, VALUE_TUPLE, VALUE_FLOAT, VALUE_STR };
    const struct pattern *ops = q->op < 0 ? &e->r->pattern.a[q->opat] : NULL;
    int found = ELAB_KIND_UNKNOWN;

    *all = true;
    if (q->op == OP_Opaque) /* any, of any kind */
        return strcmp(label, OPAQUE_NAME) == 0 ? VALUE_STR : ELAB_KIND_UNKNOWN;
    for (int k = 0; k < (ops ? ops->nkid : 1); k++) {
        int n, op = ops ? e->r->kid.a[ops->kid + k] : q->op;
        const struct op_attr_info *a = op_attrs(op, &n);
        *all &= op_has_attr(op, label);
        for (int j = 0; j < n; j++)
            if (strcmp(a[j].label, label) == 0)
                found = kind[a[j].kind];
    }
    return *all ? found : ELAB_KIND_UNKNOWN;
}

static const struct { const char *name; int kind; } tensor_labels[] = {
    { "shape", VALUE_TUPLE }, { "dtype", VALUE_STR }, { "ndim", VALUE_INT }
};

static int tensor_label(const char *label)
{
    for (int k = 0; k < 3; k++)
        if (strcmp(label, tensor_labels[k].name) == 0)
            return k;
    return -1;
}

bool elab_has_label(const struct elab *e, int p, const char *label)
{
    const struct pattern *q = &e->r->pattern.a[p];
    bool all;

    switch (q->kind) {
    case PATTERN_OPTIONAL:
        return strcmp(label, "present") == 0 || elab_has_label(e, e->r->kid.a[q->kid], label);
    case PATTERN_INST:
        return elab_has_label(e, e->r->kid.a[q->kid], label);
    case PATTERN_CALL:
        call_label(e, q, label, &all);
        return all || tensor_label(label) >= 0;
    case PATTERN_CONST:
        return strcmp(label, "value") == 0 || tensor_label(label) >= 0;
    case PATTERN_PROJ:
        return strcmp(label, "index") == 0 || tensor_label(label) >= 0;
    case PATTERN_VARIADIC:
        return strcmp(label, "length") == 0;
    case PATTERN_TUPLE:
    case PATTERN_NONE:
    case PATTERN_OP:
        return false;
    default:
        return tensor_label(label) >= 0;
    }
}

int elab_label_kind(const struct elab *e, int p, const char *label)
{
    const struct pattern *q = &e->r->pattern.a[p];
    bool all = false;
    int kind = q->kind == PATTERN_CALL ? call_label(e, q, label, &all) : ELAB_KIND_UNKNOWN;

    if (all)
        return kind;
    if (q->kind == PATTERN_OPTIONAL && strcmp(label, "present") == 0)
        return VALUE_BOOL;
    if (q->kind == PATTERN_OPTIONAL)
        return elab_label_kind(e, e->r->kid.a[q->kid], label);
    if (strcmp(label, "index") == 0 || strcmp(label, "length") == 0)
        return VALUE_INT;
    return tensor_label(label) >= 0 ? tensor_labels[tensor_label(label)].kind : ELAB_KIND_UNKNOWN;
}

/* May input number j of the call be absent, for each of its operators? */
static bool absent_allowed(const struct elab *e, const struct pattern *p, int j)
{
    const struct pattern *ops;

    if (p->kind == PATTERN_COND || p->kind == PATTERN_MATCH)
        return true; /* their users are asked */
    if (p->kind != PATTERN_CALL)
        return false;
    if (p->op == OP_Opaque)
        return true;
    if (p->op >= 0)
        return j >= op_info(p->op)->least && op_info(p->op)->most >= 0;
    ops = &e->r->pattern.a[p->opat];
    for (int k = 0; k < ops->nkid; k++)
        if (j < op_info(e->r->kid.a[ops->kid + k])->least || op_info(e->r->kid.a[ops->kid + k])->most < 0)
            return false;
    return true;
}

bool check_may_lack(const struct check *c, int p, bool building)
{
    const struct rule *r = c->r;
    const struct pattern *q = &r->pattern.a[p];

    switch (q->kind) {
    case PATTERN_NONE:
        return true;
    case PATTERN_OPTIONAL:
        return !building || q->value < 0;
    case PATTERN_INST: /* looked up: its default is not built */
        return r->pattern.a[r->kid.a[q->kid]].kind == PATTERN_OPTIONAL;
    case PATTERN_COND:
    case PATTERN_MATCH:
        return c->lacks[p];
    default:
        return false;
    }
}

bool check_kid(const struct check *c, int p, int j, bool building)
{
    struct elab *e = c->e;
    const struct pattern *q = &e->r->pattern.a[p];
    int kid = e->r->kid.a[q->kid + j];
    const struct pattern *k = &e->r->pattern.a[kid];

    if (absent_allowed(e, q, j) || !check_may_lack(c, kid, building))
        return true;
    if (k->kind == PATTERN_NONE)
        return check_fail(e, k->line, k->col, "%s cannot be absent here", "this input");
    if (building)
        return check_fail(e, q->line, q->col, "'%s' may be absent and has no default", check_name(e, kid));
    return check_fail(e, k->line, k->col, "'%s' is Optional, but this input cannot be absent", check_name(e, kid));
}

static bool multi(const struct elab *e, const struct pattern *q)
{
    const struct pattern *ops;

    if (q->kind != PATTERN_CALL)
        return q->kind == PATTERN_TUPLE;
    if (q->op >= 0)
        return (op_info(q->op)->traits & OP_MULTI) != 0;
    ops = &e->r->pattern.a[q->opat];
    for (int k = 0; k < ops->nkid; k++)
        if (op_info(e->r->kid.a[ops->kid + k])->traits & OP_MULTI)
            return true;
    return false;
}

bool check_root(struct elab *e, int p, const char *what)
{
    const struct pattern *q = &e->r->pattern.a[p];

    if (multi(e, q))
        return check_fail(e, q->line, q->col, "the %s has several values: take one with [index]", what);
    if (q->kind == PATTERN_OP)
        return check_fail(e, q->line, q->col, "the %s is an operator pattern: apply it to inputs", what);
    return true;
}

void check_roots(struct check *c, const struct ints *outputs)
{
    const struct rule *r = c->r;

    memset(c->root, 0, (size_t)c->n * sizeof *c->root);
    for (int k = 0; k < outputs->n; k++)
        c->root[outputs->a[k]] = true;
    for (int p = c->n - 1; p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!c->root[p] || (q->kind != PATTERN_ALT && q->kind != PATTERN_COND && q->kind != PATTERN_MATCH &&
                            q->kind != PATTERN_VARIADIC))
            continue;
        for (int k = q->kind == PATTERN_MATCH; k < q->nkid; k++)
            c->root[r->kid.a[q->kid + k]] = true;
    }
}

/* Expressions that are part of nothing: what they refer to must be there all the same. Marks what is certain. */
static bool check_leftovers(struct check *c)
{
    struct rule *r = c->r;

    if (!check_contexts(c, &r->source, true))
        return false;
    check_context(c, check_ctx_of(c, r->source.a[0]));
    for (int p = 0; p < c->n; p++)
        r->pattern.a[p].certain = r->pattern.a[p].in_source && check_is_bound(c, p);
    for (int k = 0; k < c->e->note.n; k++) {
        const struct attr_node *nd = &r->attrs.node.a[k];
        const struct attr_note *note = &c->e->note.a[k];
        int p = nd->kind == ATTR_ACCESS ? r->attrs.slot.a[nd->a].pattern : note->variadic;
        if (p >= 0 && !r->pattern.a[p].in_source)
            return check_use(c, p, note->line, note->col);
    }
    return true;
}

enum calque_status elab_check(struct elab *e)
{
    struct rule *r = e->r;
    struct check c;

    if (r->source.n == 0)
        elab_fail(e, r->line, r->col, "the rule '%s' has no source", strs_text(e->rs->strs, r->name));
    else if (r->target.n == 0)
        elab_fail(e, r->line, r->col, "the rule '%s' has no target", strs_text(e->rs->strs, r->name));
    else if (r->target.n != r->source.n)
        elab_fail(e, r->line, r->col, "the rule '%s' has %d source and %d target patterns",
                  strs_text(e->rs->strs, r->name), r->source.n, r->target.n);
    if (e->status != CALQUE_OK || !check_tidy(e) || !elab_axes(e))
        return e->status;
    if (check_open(&c, e) && check_owners(&c) && check_source(&c) && check_templates(&c) && check_target(&c) &&
        check_leftovers(&c))
        check_symbols(e);
    check_close(&c);
    return e->status;
}
