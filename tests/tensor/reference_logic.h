/* Plain C loops for comparisons, truth values and the choice by them; included by reference.h. */
#ifndef CALQUE_TESTS_TENSOR_REFERENCE_LOGIC_H
#define CALQUE_TESTS_TENSOR_REFERENCE_LOGIC_H

static double number_at(const struct tensor *t, long p)
{
    switch (t->dtype) {
    case DTYPE_F32: return (double)tensor_f32(t)[p];
    case DTYPE_F64: return ((double *)t->data)[p];
    case DTYPE_I32: return ((int32_t *)t->data)[p];
    case DTYPE_I64: return (double)tensor_i64(t)[p];
    default: return ((unsigned char *)t->data)[p] != 0;
    }
}

/* By exact conversion to binary64: the tests' integers are small. */
static bool truth(int op, double x, double y)
{
    switch (op) {
#define TRUTH(op, t) case OP_##op: return t;
#include "operators.def"
    default: return false;
    }
}

static void ref_truth(struct job *j)
{
    int op = j->b->g.node.a[j->node].op;

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        long q[2] = {0, 0};
        for (int k = 0; k < j->nin; k++)
            q[k] = spread(&j->in[k].shape, &j->out->shape, p);
        ((unsigned char *)j->out->data)[p] = truth(op, number_at(&j->in[0], q[0]), number_at(&j->in[j->nin - 1], q[j->nin - 1]));
    }
}

static void ref_where(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        bool c = number_at(&j->in[0], spread(&j->in[0].shape, &j->out->shape, p)) != 0;
        const struct tensor *x = &j->in[c ? 1 : 2];
        put(j->out, p, x, spread(&x->shape, &j->out->shape, p));
    }
}

#endif
