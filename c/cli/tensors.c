/* The tensors of a model: its inputs' by NAME=FILE.npy and --random SEED; comparison of its outputs', bit for bit or within
   tolerances; NaN equals NaN. */
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "tensor/gen.h"
#include "tensor/npy.h"
#include "tensor/op.h"

enum calque_status cli_npy_read(struct cli *c, const char *path, struct tensor *out, struct diag *d)
{
    char *data;
    size_t n;
    enum calque_status st = file_read(&c->mem, path, &data, &n, d);

    if (st == CALQUE_OK) {
        st = npy_read(&c->mem, path, data, n, out, d);
        mem_free(data);
    }
    return st;
}

enum calque_status cli_npy_write(struct cli *c, const char *dir, const char *stem, const struct tensor *t, struct diag *d)
{
    struct text path, bytes;
    enum calque_status st;

    text_init(&path, &c->mem);
    text_init(&bytes, &c->mem);
    text_printf(&path, "%s/%s.npy", dir, stem);
    st = npy_write(&bytes, t, d);
    if (st == CALQUE_OK)
        st = path.failed ? text_status(&path, d) : text_status(&bytes, d);
    if (st == CALQUE_OK)
        st = file_write(path.a, bytes.a, (size_t)bytes.n, d);
    text_free(&path);
    text_free(&bytes);
    return st;
}

/* The input that NAME=FILE names; -1: none. */
static int named(const struct graph *g, const char *arg)
{
    const char *eq = strchr(arg, '=');
    int at = -1;

    for (int i = 0; eq && i < g->input.n; i++) {
        const char *name = graph_name(g, g->input.a[i]);
        if (strlen(name) == (size_t)(eq - arg) && strncmp(name, arg, strlen(name)) == 0)
            at = i;
    }
    return at;
}

static enum calque_status bind_file(struct cli *c, const struct cli_inputs *o, const struct graph *g, const char *arg,
                                    struct tensor *in, struct diag *d)
{
    int at = named(g, arg);
    const char *path = at < 0 ? NULL : arg + strlen(graph_name(g, g->input.a[at])) + 1;
    const struct node *n = at < 0 ? NULL : &g->node.a[g->input.a[at]];
    enum calque_status st;

    if (at < 0)
        return diag_set(d, CALQUE_BAD, o->model, 0, 0, "'%s' is not INPUT=FILE.npy of an input of the model", arg);
    tensor_free(&in[at]);
    st = cli_npy_read(c, path, &in[at], d);
    if (st == CALQUE_OK && (in[at].dtype != n->dtype || !shape_equal(&in[at].shape, &n->shape)))
        st = diag_set(d, CALQUE_BAD, path, 0, 0, "type or shape differs from input %s", graph_name(g, g->input.a[at]));
    return st;
}

enum calque_status cli_bind(struct cli *c, const struct cli_inputs *o, const struct graph *g, struct tensor *in, struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    if (o->random)
        st = cli_random(c, g, o->seed, in, d);
    for (int b = 0; b < o->nbind && st == CALQUE_OK; b++)
        st = bind_file(c, o, g, o->bind[b], in, d);
    return st;
}

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
