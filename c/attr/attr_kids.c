#include "attr/attr_kids.h"

bool attr_has_kids(int kind)
{
    return kind == ATTR_TUPLE || kind == ATTR_COND || kind == ATTR_MATCH || kind == ATTR_FUNC;
}

int attr_kids(struct attr_put t, int i)
{
    /*@ assert ok: expr_ok(t, i); */
    switch (t.node[i].kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
    case ATTR_SYMBOL:
        return 0;
    case ATTR_UNARY:
    case ATTR_REDUCE:
    case ATTR_INST:
        return 1;
    case ATTR_BINARY:
    case ATTR_PROJ:
    case ATTR_VAR:
    case ATTR_MAP:
        return 2;
    default:
        return t.node[i].b;
    }
}

int attr_kid(struct attr_put t, int i, int k)
{
    int kind = t.node[i].kind;

    /*@ assert ok: expr_ok(t, i); */
    if (attr_has_kids(kind)) {
        /*@ assert at:  0 <= t.node[i].a + k < t.nkid; */
        /*@ assert kid: child_ok(t, i, t.kid[t.node[i].a + k]); */
        /*@ assert sub: expr_ok(t, t.kid[t.node[i].a + k]); */
        return t.kid[t.node[i].a + k];
    }
    if (kind == ATTR_INST || k > 0) {
        /*@ assert b: expr_ok(t, t.node[i].b); */
        return t.node[i].b;
    }
    /*@ assert a: expr_ok(t, t.node[i].a); */
    return t.node[i].a;
}
