/* Type rules of comparisons, of truth values and of the choice by them. */
#include "tensor/infer.h"

/* The result is bool, in the shape that all inputs broadcast to. */
static enum calque_status truth(struct infer *x)
{
    x->dtype = DTYPE_BOOL;
    return infer_broadcast(x);
}

static enum calque_status compare(struct infer *x)
{
    enum calque_status s = infer_same_type(x);

    return s ? s : truth(x);
}

enum calque_status infer_Equal(struct infer *x) { return compare(x); }
enum calque_status infer_Less(struct infer *x) { return compare(x); }
enum calque_status infer_Greater(struct infer *x) { return compare(x); }
enum calque_status infer_LessOrEqual(struct infer *x) { return compare(x); }
enum calque_status infer_GreaterOrEqual(struct infer *x) { return compare(x); }

static enum calque_status is_bool(struct infer *x, int k)
{
    if (infer_type(x, k) == DTYPE_BOOL)
        return CALQUE_OK;
    return infer_bad(x, "input %d has element type %s, expected bool", k, dtype_name(infer_type(x, k)));
}

static enum calque_status logic(struct infer *x)
{
    enum calque_status s = CALQUE_OK;

    for (int k = 0; k < x->nin && !s; k++)
        s = is_bool(x, k);
    return s ? s : truth(x);
}

enum calque_status infer_Not(struct infer *x) { return logic(x); }
enum calque_status infer_And(struct infer *x) { return logic(x); }
enum calque_status infer_Or(struct infer *x) { return logic(x); }
enum calque_status infer_Xor(struct infer *x) { return logic(x); }

enum calque_status infer_Where(struct infer *x)
{
    enum calque_status s = is_bool(x, 0);

    if (s)
        return s;
    if (infer_type(x, 1) != infer_type(x, 2))
        return infer_bad(x, "element types %s and %s of inputs 1 and 2 differ", dtype_name(infer_type(x, 1)),
                         dtype_name(infer_type(x, 2)));
    x->dtype = infer_type(x, 1);
    return infer_broadcast(x);
}
