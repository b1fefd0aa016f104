/* calque grad: the reverse-mode gradient of a kernel or of a model (kernel/grad.h). */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "emit/emit.h"
#include "kernel/grad.h"
#include "tensor/op.h"

enum { WRT_MAX = 4096 };

struct job {
    const char *input, *dir;
    const char *wrt[WRT_MAX];
    int n;
    int wrt_id[WRT_MAX];
    bool header, model;
    json_t *root; /* of a JSON case */
    struct grad_options o;
    struct emit_options emit;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque grad INPUT --wrt NAME[,NAME..] [options]\n"
               "Prints the gradient of a kernel (.kern, .json) or of a whole model (.onnx, .graph) with respect to tensors as a\n"
               "kernel: it takes the inputs it needs and d<out>, and stores d<name>. A .json case has its own grad_to; --wrt\n"
               "replaces it. A model's inputs and initializers are inputs of the kernel.\n\n"
               CLI_GIVEN_HELP
               "      --value       also store the outputs: one training step is one kernel\n"
               "      --header      the C++ prototype instead: void NAME(float (&B)[4][16], ...);\n"
               "      --name NAME   name in the prototype, stem of emitted files (default: that of the case, else grad)\n"
               "      --format=text the only one: what calque-oracle kernel prints\n"
               "      --emit DIR    also emit OpenMP C for it\n"
               "      --universal   eliminate no summation variable: guarded sums over whole boxes\n");
    return status;
}

/* Splits the list at commas, in place. */
static bool add_names(struct job *j, char *list)
{
    for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
        if (j->n == WRT_MAX)
            return false;
        j->wrt[j->n++] = s;
    }
    return true;
}

/* grad_to and name of a JSON case, which kernel_parse_json has checked. */
static enum calque_status read_case(struct cli *c, struct job *j, struct diag *d)
{
    enum calque_status st;
    json_t *x;
    size_t n, i;
    char *data;

    if (!cli_ends(j->input, ".json"))
        return CALQUE_OK;
    st = file_read(&c->mem, j->input, &data, &n, d);
    if (st != CALQUE_OK)
        return st;
    j->root = json_loadb(data, n, 0, NULL);
    mem_free(data);
    if (!j->emit.name)
        j->emit.name = json_string_value(json_object_get(j->root, "name"));
    if (j->n == 0)
        json_array_foreach(json_object_get(j->root, "grad_to"), i, x)
            if (j->n < WRT_MAX)
                j->wrt[j->n++] = json_string_value(x);
    return CALQUE_OK;
}

/* The node of the value differentiated by. */
static int find_value(const struct graph *g, const char *name)
{
    for (int i = 0; i < g->node.n; i++)
        if (g->node.a[i].name >= 0 && strcmp(graph_name(g, i), name) == 0)
            return i;
    return -1;
}

/* A model as a kernel; the names of wrt become those of its tensors. */
static enum calque_status model_kernel(struct cli *c, struct job *j, struct kernel *k, struct diag *d)
{
    struct graph g;
    enum calque_status st = cli_load(c, j->input, &g, d);
    int *value = mem_zero(&c->mem, (size_t)g.node.n, sizeof *value), node;
    enum kernel_type type = KERNEL_F32;

    kernel_init(k, &c->mem, &c->strs, KERNEL_F32);
    if (st == CALQUE_OK && !value)
        st = diag_nomem(d);
    for (int i = 0; i < g.output.n && st == CALQUE_OK; i++)
        type = g.node.a[g.output.a[i].node].dtype == DTYPE_F64 ? KERNEL_F64 : type;
    if (st == CALQUE_OK)
        st = graph_kernel(&g, type, k, value, d);
    for (int i = 0; i < j->n && st == CALQUE_OK; i++) {
        node = find_value(&g, j->wrt[i]);
        if (node < 0 || value[node] < 0)
            st = diag_set(d, CALQUE_BAD, j->input, 0, 0, "the model's outputs use no value %s", j->wrt[i]);
        else if (k->tensor.a[value[node]].role != KERNEL_IN)
            st = diag_set(d, CALQUE_BAD, j->input, 0, 0, "%s is neither an input nor an initializer", j->wrt[i]);
        else
            j->wrt_id[i] = value[node];
    }
    mem_free(value);
    graph_free(&g);
    return st;
}

static enum calque_status differentiate(struct cli *c, struct job *j, const struct kernel *k, struct kernel *g,
                                        struct diag *d)
{
    int *wrt = j->wrt_id;

    kernel_init(g, &c->mem, &c->strs, k->type);
    if (j->n == 0)
        return diag_set(d, CALQUE_BAD, j->input, 0, 0, "no tensor to differentiate by: give --wrt NAME");
    for (int i = 0; i < j->n; i++) {
        if (!j->model)
            wrt[i] = kernel_find_tensor(k, strs_find(&c->strs, j->wrt[i], strlen(j->wrt[i])));
        if (wrt[i] < 0)
            return diag_set(d, CALQUE_BAD, j->input, 0, 0, "the kernel has no tensor %s", j->wrt[i]);
        for (int t = 0; t < i; t++)
            if (wrt[t] == wrt[i])
                return diag_set(d, CALQUE_BAD, j->input, 0, 0, "%s is named twice", j->wrt[i]);
    }
    return kernel_grad(g, k, wrt, j->n, &j->o, d);
}

static enum calque_status answer(struct cli *c, const struct job *j, const struct kernel *g, struct diag *d)
{
    struct emit_files files = {0};
    enum calque_status st = CALQUE_OK;
    struct text t;

    text_init(&t, &c->mem);
    if (j->header)
        kernel_prototype(&t, g, j->emit.name ? j->emit.name : "grad");
    else
        kernel_print(&t, g);
    if ((st = text_status(&t, d)) == CALQUE_OK && j->dir) {
        struct emit_options o = j->emit;
        o.name = o.name ? o.name : "grad";
        st = emit_kernel(g, &o, &files, d);
        if (st == CALQUE_OK)
            st = emit_files_write(&files, j->dir, d);
        emit_files_free(&files);
    }
    if (st == CALQUE_OK)
        fputs(t.a, stdout);
    text_free(&t);
    return st;
}

static enum calque_status grad(struct cli *c, struct job *j, struct diag *d)
{
    struct kernel k, g;
    enum calque_status st;

    j->model = !cli_ends(j->input, ".kern") && !cli_ends(j->input, ".json");
    st = j->model ? model_kernel(c, j, &k, d) : cli_kernel(c, j->input, &k, d);
    kernel_init(&g, &c->mem, &c->strs, KERNEL_F32);
    if (st == CALQUE_OK)
        st = read_case(c, j, d);
    if (st == CALQUE_OK)
        st = differentiate(c, j, &k, &g, d);
    if (st == CALQUE_OK)
        st = answer(c, j, &g, d);
    kernel_free(&g);
    kernel_free(&k);
    json_decref(j->root);
    if (st != CALQUE_OK && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", j->input);
    return st;
}

int cmd_grad(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"wrt", 1, 0, 'w'},  {"header", 0, 0, 'H'},    {"name", 1, 0, 'n'},
                                          {"emit", 1, 0, 'e'}, {"universal", 0, 0, 'u'}, {"help", 0, 0, 'h'},
                                          {"value", 0, 0, 'v'}, {"format", 1, 0, 'f'},       CLI_GIVEN_OPTIONS, {0, 0, 0, 0}};
    struct job j = {0};
    struct diag d;
    int k, given;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (cli_given(c, "grad", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        switch (k) {
        case 'w':
            if (!add_names(&j, optarg))
                return cli_usage("grad", "more than %d names", WRT_MAX);
            break;
        case 'f':
            if (strcmp(optarg, "text") != 0)
                return cli_usage("grad", "unknown format '%s': text", optarg);
            break;
        case 'H': j.header = true; break;
        case 'n': j.emit.name = optarg; break;
        case 'e': j.dir = optarg; break;
        case 'v': j.o.values = true; break;
        case 'u': j.o.universal = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 1)
        return cli_usage("grad", "give one input");
    j.input = argv[optind];
    diag_clear(&d);
    return grad(c, &j, &d) == CALQUE_OK ? EXIT_YES : cli_fail(&d);
}
