/* Comparison of tensors for calque run: bit for bit or within tolerances; NaN equals NaN. */
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "tensor/op.h"
#include "tensor/gen.h"

enum calque_status cli_random(struct cli *c, const struct graph *g, unsigned long seed, struct tensor *inputs,
                              struct diag *d)
{
    for (int i = 0; i < g->input.n; i++) {
        const struct node *n = &g->node.a[g->input.a[i]];
        enum calque_status st;

        if (dtype_elem(n->dtype) == ELEM_OWN)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "input %s: element type %s cannot be generated",
                            graph_name(g, g->input.a[i]), dtype_name(n->dtype));
        st = tensor_new(&c->mem, n->dtype, &n->shape, &inputs[i], d);
        if (st != CALQUE_OK)
            return st;
        st = graph_random(g, i, &inputs[i], &seed, d);
        if (st != CALQUE_OK)
            return st;
    }
    return CALQUE_OK;
}

static void compare_f32(const float *a, const float *b, long n, double rtol, double atol, struct cli_diff *r)
{
    double most = 0;

    for (long k = 0; k < n; k++)
        if (isfinite(a[k]))
            most = fmax(most, fabs((double)a[k]));
    for (long k = 0; k < n; k++) {
        double x = (double)a[k], y = (double)b[k], e = x == y ? 0 : fabs(x - y); /* also equal infinities */
        if (isnan(x) && isnan(y))
            continue;
        if (isnan(e) || e > atol + rtol * most)
            r->outside++;
        r->abs = isnan(e) ? INFINITY : fmax(r->abs, e);
    }
    r->rel = most > 0 ? r->abs / most : r->abs;
}

struct cli_diff cli_compare(const struct tensor *a, const struct tensor *b, double rtol, double atol)
{
    struct cli_diff r = {0, 0, 0, 0, false, false};

    r.comparable = a->dtype == b->dtype && shape_equal(&a->shape, &b->shape) && a->bytes == b->bytes;
    if (!r.comparable)
        return r;
    r.elems = shape_elems(&a->shape);
    r.identical = a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0;
    if (a->dtype == DTYPE_F32)
        compare_f32(tensor_f32(a), tensor_f32(b), r.elems, rtol, atol, &r);
    else
        r.outside = r.identical ? 0 : 1;
    return r;
}

void cli_free_tensors(struct tensor *t, int n)
{
    for (int i = 0; t && i < n; i++)
        tensor_free(&t[i]);
    mem_free(t);
}
