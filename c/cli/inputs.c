/* The tensors of a model's inputs: NAME=FILE.npy and --random SEED. */
#include <string.h>

#include "cli/cli.h"
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
