/* Random tensors: they depend on the seed only. Inputs that index are below the dimension they index. */
#include "tensor/random.h"
#include "tensor/op.h"

static unsigned long mix(unsigned long *s)
{
    unsigned long z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Integers are 0 .. below - 1, of the top bits; below is at most RANDOM_BELOW. */
static enum calque_status fill(struct tensor *t, unsigned long below, unsigned long *seed, struct diag *d)
{
    long n = shape_elems(&t->shape);

    for (long k = 0; k < n; k++)
        switch (t->dtype) {
        case DTYPE_F32: tensor_f32(t)[k] = (float)(mix(seed) >> 40) * 0x1p-23f - 1.0f; break;
        case DTYPE_F64: ((double *)t->data)[k] = (double)(mix(seed) >> 11) * 0x1p-52 - 1.0; break;
        case DTYPE_I32: ((int32_t *)t->data)[k] = (int32_t)((mix(seed) >> 62) % below); break;
        case DTYPE_BOOL: ((unsigned char *)t->data)[k] = (unsigned char)(mix(seed) >> 63); break;
        case DTYPE_I64: tensor_i64(t)[k] = (long)((mix(seed) >> 62) % below); break;
        default:
            return diag_set(d, CALQUE_BAD, "", 0, 0, "element type %s cannot be generated", dtype_name(t->dtype));
        }
    return CALQUE_OK;
}

enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d)
{
    return fill(t, RANDOM_BELOW, seed, d);
}

/* The least dimension that the elements of an input index, as they are or after a move; RANDOM_BELOW if there is none less. `moved`
   has a mark for each node. */
static long indexed(const struct graph *g, int input, char *moved)
{
    long least = RANDOM_BELOW;

    moved[input] = 1;
    for (int i = 0; i < g->node.n; i++) {
        const struct node *x = &g->node.a[i];
        bool first = x->nin > 0 && graph_in(g, i, 0) >= 0 && moved[graph_in(g, i, 0)];
        if (x->kind != NODE_OP)
            continue;
        if (x->op == OP_Gather && x->nin == 2 && graph_in(g, i, 1) >= 0 && moved[graph_in(g, i, 1)]) {
            const struct shape *s = &g->node.a[graph_in(g, i, 0)].shape;
            long axis = graph_attr_int(g, i, "axis", 0);
            if (axis >= 0 && axis < s->rank && s->dim[axis] > 0 && s->dim[axis] < least)
                least = s->dim[axis];
        }
        if (first && (x->op == OP_Identity || x->op == OP_Reshape || x->op == OP_Flatten || x->op == OP_Unsqueeze ||
                      x->op == OP_Squeeze || x->op == OP_Transpose || x->op == OP_Slice || x->op == OP_Expand || x->op == OP_Cast))
            moved[i] = 1;
    }
    return least;
}

enum calque_status graph_random(const struct graph *g, int k, struct tensor *t, unsigned long *seed, struct diag *d)
{
    char *moved = mem_zero(g->mem, (size_t)g->node.n, 1);
    enum calque_status st;

    if (!moved)
        return diag_nomem(d);
    st = fill(t, (unsigned long)indexed(g, g->input.a[k], moved), seed, d);
    mem_free(moved);
    return st;
}
