/* Literals that are compared with attributes: the floats of operators are binary32, the value of a constant has the
   constant's element type. An integer stands for the float of that value. */
#include <string.h>

#include "pattern/elab_internal.h"

/* The literal in binary32. */
static struct term in_f32(struct elab *e, struct term literal)
{
    double x = value_real(e->rs->values, e->r->attrs.node.a[literal.id].a);

    return elab_const(e, value_float(e->rs->values, (double)(float)x), literal.line, literal.col);
}

/* The literal as an element of constant `pattern`: Cond(pattern.dtype == "f32", rounded, as it stands). */
static struct term as_element(struct elab *e, int pattern, struct term literal)
{
    int dtype = strs_addz(e->rs->strs, "dtype"), f32 = strs_addz(e->rs->strs, "f32");
    struct term is, rounded, name;

    if (dtype < 0 || f32 < 0)
        return elab_nomem(e);
    is = elab_access(e, pattern, dtype, literal.line, literal.col);
    name = is.kind == TERM_BAD ? is : elab_const(e, value_str(e->rs->values, f32), literal.line, literal.col);
    is = name.kind == TERM_BAD ? name : elab_binary(e, ATTR_EQ, is, name);
    rounded = is.kind == TERM_BAD ? is : in_f32(e, literal);
    return rounded.kind == TERM_BAD ? rounded : elab_if(e, is, rounded, literal, literal.line, literal.col);
}

/* Is it a float literal that binary32 does not have? */
static bool is_rounded(const struct elab *e, struct term t)
{
    const struct value *v = elab_literal(e, t.id);
    double x = v && v->kind == VALUE_FLOAT ? value_real(e->rs->values, e->r->attrs.node.a[t.id].a) : 0;

    return (double)(float)x < x || (double)(float)x > x;
}

/* Is it an integer literal that a float has exactly, compared with what is known to be a float? */
static bool is_whole_float(const struct elab *e, struct term t, struct term other)
{
    const long most = 1L << 53;
    const struct value *v = elab_literal(e, t.id);

    return v && v->kind == VALUE_INT && -most <= v->num && v->num <= most && e->note.a[other.id].kind == VALUE_FLOAT;
}

bool elab_rounded(struct elab *e, struct term *t)
{
    for (int k = 0; k < 2; k++) {
        const struct attr_node nd = e->r->attrs.node.a[t[1 - k].id];
        const char *label;
        int pattern;

        if (is_whole_float(e, t[k], t[1 - k]))
            t[k] = elab_const(e, value_float(e->rs->values, (double)elab_literal(e, t[k].id)->num), t[k].line, t[k].col);
        if (t[k].kind == TERM_BAD)
            return false;
        if (!is_rounded(e, t[k]) || nd.kind != ATTR_ACCESS)
            continue;
        pattern = e->r->attrs.slot.a[nd.a].pattern;
        label = strs_text(e->rs->strs, e->r->attrs.slot.a[nd.a].label);
        if (strcmp(label, "value") == 0 && e->r->pattern.a[pattern].kind == PATTERN_CONST)
            t[k] = as_element(e, pattern, t[k]);
        else
            t[k] = in_f32(e, t[k]);
        return t[k].kind != TERM_BAD;
    }
    return true;
}
