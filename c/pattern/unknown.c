/* Operators without a meaning in rules, by domain and name: f = Op("com.acme::Fancy"), f(p, .., label=a, ..). Such an
   application is one of the operator Opaque with its name as an attribute. */
#include "pattern/gsl.h"

#include "onnx/onnx.h"
#include "pattern/elab_internal.h"
#include "tensor/op.h"

#include <string.h>

int rule_unknown(const struct rule *r)
{
    for (int p = 0; p < r->pattern.n; p++)
        if (r->pattern.a[p].kind == PATTERN_CALL && r->pattern.a[p].op == OP_Opaque)
            return p;
    return -1;
}

const char *rule_unknown_name(const struct rules *rs, const struct rule *r, int p)
{
    const struct pattern *q = &r->pattern.a[p];

    for (int k = q->attr; k < q->attr + q->nattr; k++)
        if (strcmp(strs_text(rs->strs, r->attr.a[k].label), OPAQUE_NAME) == 0)
            return strs_text(rs->strs, (int)rs->values->v[r->attrs.node.a[r->attr.a[k].expr].a].num);
    return "";
}

/* ---- elaboration ---- */

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

bool elab_is_unknown(const struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_arg *a = nd->narg > 0 ? &e->syn->arg.a[nd->arg] : NULL;
    const struct syntax_node *name = a ? &e->syn->node.a[a->expr] : NULL;

    return a && a->kind == SYNTAX_ARG_PLAIN && name->kind == SYNTAX_STRING && strstr(str(e, name->name), "::");
}

/* Is it "domain::Type", each part there? */
static bool well_formed(const char *name, size_t len)
{
    const char *cut = strstr(name, "::");

    return len == strlen(name) && cut > name && cut[2] && !strchr(cut + 2, ':');
}

struct term elab_unknown(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_arg *a = &e->syn->arg.a[nd->arg];
    int id = e->syn->node.a[a->expr].name;
    const char *name = str(e, id), *type = strstr(name, "::") + 2;
    struct term t;

    if (nd->narg > 1)
        return elab_fail(e, nd->line, nd->col, "an operator of a domain, '%s', stands alone in Op", name);
    if (!well_formed(name, (size_t)strs_len(e->rs->strs, id)))
        return elab_fail(e, a->line, a->col, "expected 'domain::Name' with a domain and a name");
    if ((strncmp(name, "ai.onnx::", 9) == 0 || strncmp(name, "calque::", 8) == 0) && op_find(type, strlen(type)) >= 0)
        return elab_fail(e, a->line, a->col, "%s has a meaning here: write %s(..)", type, type);
    t = elab_const(e, value_str(e->rs->values, id), a->line, a->col);
    return t.kind == TERM_BAD ? t : (struct term){ TERM_OPERATOR, t.id, 0, nd->line, nd->col };
}

/* Floats of ONNX attributes are binary32: a literal is rounded to one. */
static int rounded(struct elab *e, int expr, int line, int col)
{
    const struct value *v = elab_literal(e, expr);

    if (!v || v->kind != VALUE_FLOAT)
        return expr;
    return elab_const(e, value_float(e->rs->values, (double)(float)value_real(e->rs->values, e->r->attrs.node.a[expr].a)), line,
                      col).id;
}

/* A tuple of literals. */
static int rounded_tuple(struct elab *e, int expr, int line, int col)
{
    struct attr_node nd = e->r->attrs.node.a[expr];
    struct term *t, out = elab_bad();
    bool ok = true;

    if (nd.kind != ATTR_TUPLE)
        return rounded(e, expr, line, col);
    t = mem_zero(e->rs->mem, (size_t)nd.b + 1, sizeof *t);
    if (!t)
        return elab_nomem(e).id;
    for (int k = 0; k < nd.b && ok; k++) {
        t[k] = (struct term){ TERM_ATTR, rounded(e, e->r->attrs.kid.a[nd.a + k], line, col), 0, line, col };
        ok = t[k].id >= 0;
    }
    if (ok)
        out = elab_tuple(e, t, nd.b, line, col);
    mem_free(t);
    return out.id;
}

bool elab_unknown_attrs(struct elab *e, struct pattern_attr *a, int n)
{
    for (int k = 0; k < n; k++) {
        int kind = e->note.a[a[k].expr].kind;

        if (strcmp(str(e, a[k].label), OPAQUE_NAME) == 0)
            return elab_fail(e, a[k].line, a[k].col, "'%s' is the name of the operator: Op('domain::Name')", OPAQUE_NAME), false;
        if (kind == VALUE_BOOL || kind == VALUE_NONE)
            return elab_fail(e, a[k].line, a[k].col, "the attribute '%s' must be a number, a string or a tuple of these",
                             str(e, a[k].label)), false;
        a[k].expr = rounded_tuple(e, a[k].expr, a[k].line, a[k].col);
        if (a[k].expr < 0)
            return false;
    }
    return true;
}

bool elab_unknown_name(struct elab *e, struct term f, struct pattern_attr *a)
{
    *a = (struct pattern_attr){ strs_addz(e->rs->strs, OPAQUE_NAME), f.id, true, f.line, f.col };
    return a->label >= 0 || (elab_nomem(e), false);
}
