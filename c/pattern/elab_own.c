/* `_` inside a Cond or Match: those are evaluated, where `_` has no value, so it becomes the attribute that is
   matched, or the component of it at that place. */
#include "pattern/elab_internal.h"

bool elab_is_plain(struct elab *e, struct term t)
{
    if (t.kind == TERM_ATTR && (e->note.a[t.id].flags & ELAB_ANY_CHOSEN))
        elab_fail(e, t.line, t.col, "'_' cannot be part of a Cond or Match here");
    return e->status == CALQUE_OK;
}

static struct term at(const struct elab *e, int expr)
{
    return (struct term){ TERM_ATTR, expr, 0, e->note.a[expr].line, e->note.a[expr].col };
}

static struct term own(struct elab *e, int expr, struct term self);

/* The children of a node, each with its own part of self (tuple), or self (Match). */
static struct term own_kids(struct elab *e, int expr, struct term self)
{
    struct attr_node nd = e->r->attrs.node.a[expr];
    struct term *t = mem_zero(e->rs->mem, (size_t)nd.b + 1, sizeof *t), out = elab_bad();
    bool ok = t != NULL;

    if (!t)
        return elab_nomem(e);
    for (int k = 0; k < nd.b && ok; k++) {
        int kid = e->r->attrs.kid.a[nd.a + k];
        struct term part = self;
        if (!(e->note.a[kid].flags & ELAB_HAS_ANY)) {
            t[k] = at(e, kid);
            continue;
        }
        if (nd.kind == ATTR_TUPLE) {
            struct term ix = elab_const(e, value_int(e->rs->values, k), self.line, self.col);
            part = ix.kind == TERM_BAD ? ix : elab_project(e, self, ix);
        }
        t[k] = part.kind == TERM_BAD ? part : own(e, kid, part);
        ok = t[k].kind != TERM_BAD;
    }
    if (ok && nd.kind == ATTR_TUPLE)
        out = elab_tuple(e, t, nd.b, self.line, self.col);
    else if (ok && nd.kind == ATTR_COND)
        out = elab_if(e, t[0], t[1], t[2], self.line, self.col);
    else if (ok)
        out = elab_choice(e, nd.op, t, nd.b, self.line, self.col);
    mem_free(t);
    return out;
}

/* [a for s in range(n)]: n is the length of self if it is `_`. */
static struct term own_var(struct elab *e, int expr, struct term self)
{
    struct attr_node nd = e->r->attrs.node.a[expr];
    struct term symbol = elab_symbol(e, true, VALUE_INT, self.line, self.col), n = at(e, nd.a), body, part;

    if (symbol.kind == TERM_BAD)
        return symbol;
    e->r->attrs.node.a[symbol.id].op = nd.op; /* the same symbol once more */
    if (e->note.a[nd.a].flags & ELAB_HAS_ANY)
        n = elab_unary(e, ATTR_LEN, self);
    part = elab_project(e, self, symbol);
    if (n.kind == TERM_BAD || part.kind == TERM_BAD)
        return elab_bad();
    body = own(e, nd.b, part);
    return body.kind == TERM_BAD ? body : elab_var(e, symbol, n, body);
}

/* Recursion is bounded by ATTR_DEPTH_MAX. */
static struct term own(struct elab *e, int expr, struct term self)
{
    struct term bad;

    if (++e->steps > ELAB_STEPS_MAX)
        return elab_fail(e, self.line, self.col, "the rule is too large once its macros are expanded");
    if (!(e->note.a[expr].flags & ELAB_HAS_ANY))
        return at(e, expr);
    switch (e->r->attrs.node.a[expr].kind) {
    case ATTR_ANY:
        return self;
    case ATTR_TUPLE:
    case ATTR_COND:
    case ATTR_MATCH:
        return own_kids(e, expr, self);
    case ATTR_VAR:
        return own_var(e, expr, self);
    default:
        bad = at(e, expr);
        return elab_fail(e, bad.line, bad.col, "'_' has no value: it can only be matched");
    }
}

struct term elab_own(struct elab *e, struct term t, int pattern, int label)
{
    struct term self;

    if (t.kind != TERM_ATTR || !(e->note.a[t.id].flags & ELAB_ANY_CHOSEN))
        return t;
    self = elab_self(e, pattern, label, t.line, t.col);
    return self.kind == TERM_BAD ? self : own(e, t.id, self);
}
