/* onnx_copy IN OUT: reads a model and writes it. onnx_copy -d DIR IN...: writes model k to DIR/k.onnx.
   onnx_copy -t IN...: for each model, reads, writes, reads and writes again; both written files must be equal and both
   graphs must have the same operators. One line per model; exit status 1 if one failed.
   onnx_copy -g IN...: prints the graph of each model, or why there is none, as `calque dump --format=sexp` does. */
#include "onnx/onnx.h"

#include "base/text.h"
#include "graph/text.h"
#include "tensor/op.h"

#include <stdio.h>
#include <string.h>

struct house {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct diag d;
};

static void house_init(struct house *h)
{
    h->mem = (struct mem)MEM_INIT;
    strs_init(&h->strs, &h->mem);
    values_init(&h->values, &h->mem);
    diag_clear(&h->d);
}

static void house_free(struct house *h)
{
    values_free(&h->values);
    strs_free(&h->strs);
}

static enum calque_status read_file(struct house *h, struct graph *g, const char *path)
{
    char *data;
    size_t n;
    enum calque_status st = file_read(&h->mem, path, &data, &n, &h->d);

    if (st)
        return st;
    st = onnx_read(g, path, (unsigned char *)data, n, &h->d);
    mem_free(data);
    return st ? st : graph_check(g, &h->d);
}

static enum calque_status copy(struct house *h, const char *in, const char *out)
{
    struct graph g;
    unsigned char *data = NULL;
    size_t n = 0;
    enum calque_status st;

    graph_init(&g, &h->mem, &h->strs, &h->values);
    st = read_file(h, &g, in);
    if (!st)
        st = onnx_write(&g, &data, &n, &h->d);
    if (!st)
        st = file_write(out, data, n, &h->d);
    mem_free(data);
    graph_free(&g);
    return st;
}

/* Operators by number, for a comparison that does not mind the names of new values. */
static bool same_ops(const struct graph *a, const struct graph *b)
{
    int i = 0, k = 0;

    for (;; i++, k++) {
        while (i < a->node.n && a->node.a[i].kind != NODE_OP)
            i++;
        while (k < b->node.n && b->node.a[k].kind != NODE_OP)
            k++;
        if (i == a->node.n || k == b->node.n)
            return i == a->node.n && k == b->node.n;
        if (a->node.a[i].op != b->node.a[k].op || a->node.a[i].dtype != b->node.a[k].dtype ||
            !shape_equal(&a->node.a[i].shape, &b->node.a[k].shape))
            return false;
    }
}

static int opaque(const struct graph *g)
{
    int n = 0;

    for (int i = 0; i < g->node.n; i++)
        n += g->node.a[i].kind == NODE_OP && g->node.a[i].op == OP_Opaque;
    return n;
}

static bool is_static_only(const struct diag *d)
{
    return d->status == CALQUE_BAD && strstr(d->text, "is not fixed");
}

static enum calque_status twice(struct house *h, const char *in)
{
    struct graph g[2];
    unsigned char *data[2] = {NULL, NULL};
    size_t n[2] = {0, 0};
    enum calque_status st;

    graph_init(&g[0], &h->mem, &h->strs, &h->values);
    graph_init(&g[1], &h->mem, &h->strs, &h->values);
    st = read_file(h, &g[0], in);
    if (is_static_only(&h->d)) {
        printf("DYNAMIC %s: %s\n", in, h->d.text);
        st = CALQUE_OK;
    } else {
        if (!st)
            st = onnx_write(&g[0], &data[0], &n[0], &h->d);
        if (!st)
            st = onnx_read(&g[1], in, data[0], n[0], &h->d);
        if (!st)
            st = onnx_write(&g[1], &data[1], &n[1], &h->d);
        /* Opset 6 broadcasting may cost a Reshape, once: the second file shows that it stays at one. */
        if (!st && g[0].opset >= 7 && !same_ops(&g[0], &g[1]))
            st = diag_set(&h->d, CALQUE_NO, in, 0, 0, "the graphs differ");
        if (!st && (n[0] != n[1] || memcmp(data[0], data[1], n[0]) != 0))
            st = diag_set(&h->d, CALQUE_NO, in, 0, 0, "the written files differ");
        if (!st)
            printf("PASS %s (%d operators, %d opaque)\n", in, graph_count_ops(&g[0]), opaque(&g[0]));
    }
    for (int i = 0; i < 2; i++) {
        mem_free(data[i]);
        graph_free(&g[i]);
    }
    return st;
}

static enum calque_status graph_of(struct house *h, const char *in)
{
    struct graph g;
    struct text t;
    enum calque_status st;

    graph_init(&g, &h->mem, &h->strs, &h->values);
    text_init(&t, &h->mem);
    st = read_file(h, &g, in);
    if (!st)
        graph_sexp(&t, &g);
    if (t.failed)
        st = diag_nomem(&h->d);
    printf("%s\n%s\n", in, st ? h->d.text : t.a);
    text_free(&t);
    graph_free(&g);
    return st == CALQUE_NOMEM ? st : CALQUE_OK;
}

static enum calque_status each(struct house *h, const char *dir, const char *in, int number)
{
    char out[4096];
    enum calque_status st;

    if (!dir)
        return twice(h, in);
    snprintf(out, sizeof out, "%s/%d.onnx", dir, number);
    st = copy(h, in, out);
    return is_static_only(&h->d) ? CALQUE_OK : st;
}

int main(int argc, char **argv)
{
    bool test = argc > 1 && strcmp(argv[1], "-t") == 0, many = argc > 2 && strcmp(argv[1], "-d") == 0;
    bool graphs = argc > 1 && strcmp(argv[1], "-g") == 0;
    int first = test || graphs ? 2 : 3, failed = 0;

    if (!test && !many && !graphs && argc != 3) {
        fprintf(stderr, "usage: onnx_copy IN OUT | onnx_copy -d DIR IN... | onnx_copy -t IN... | onnx_copy -g IN...\n");
        return 2;
    }
    if (!test && !many && !graphs)
        first = argc - 1;
    for (int i = first; i < argc; i++) {
        struct house h;
        enum calque_status st;
        house_init(&h);
        st = graphs ? graph_of(&h, argv[i])
             : test || many ? each(&h, many ? argv[2] : NULL, argv[i], i - first)
                            : copy(&h, argv[1], argv[2]);
        if (st) {
            printf("FAIL %s: %s\n", argv[test || many || graphs ? i : 1], h.d.text);
            failed++;
        }
        house_free(&h);
    }
    return failed ? 1 : 0;
}
