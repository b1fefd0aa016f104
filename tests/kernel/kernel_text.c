/* The requests of calque-oracle kernel, answered by the C implementation; or random requests.
   usage: kernel_text < REQUESTS | kernel_text N SEED */
#include "gen.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 1 << 16, BLOCK = 1 << 18, COST_MAX = 20000 };

static void put_kernel(struct world *w)
{
    struct text t;

    text_init(&t, &w->mem);
    kernel_print(&t, &w->k);
    fputs(t.a ? t.a : "", stdout);
    text_free(&t);
}

/* Element n of the input tensor called name, as the oracle has it. */
static int64_t input(const char *name, long n)
{
    long h = 7 * n;

    while (*name)
        h += (unsigned char)*name++;
    return h % 11 - 5;
}

static bool run(struct world *w)
{
    int n = w->k.tensor.n;
    int64_t **data = calloc((size_t)n + 1, sizeof *data);
    bool *stored = calloc((size_t)n + 1, sizeof *stored);
    enum calque_status st;

    for (int t = 0; t < n; t++) {
        long elems = kernel_elems(&w->k, t);
        data[t] = calloc((size_t)elems + 1, sizeof **data);
        for (long i = 0; i < elems; i++)
            data[t][i] = input(strs_text(&w->strs, w->k.tensor.a[t].name), i);
    }
    st = kernel_run(&w->k, (void *const *)data, 1, &w->d);
    if (st != CALQUE_OK)
        puts("undefined");
    for (int i = 0; i < w->k.stmt.n; i++)
        stored[w->k.stmt.a[i].out] = true;
    for (int t = 0; t < n; t++) {
        if (st == CALQUE_OK && stored[t]) {
            fputs(strs_text(&w->strs, w->k.tensor.a[t].name), stdout);
            for (long i = 0; i < kernel_elems(&w->k, t); i++)
                printf(" %" PRId64, data[t][i]);
            puts("");
        }
        free(data[t]);
    }
    free(data);
    free(stored);
    return true;
}

static bool set_outputs(struct world *w, char *names)
{
    for (int t = 0; t < w->k.tensor.n; t++)
        if (w->k.tensor.a[t].role == KERNEL_OUT)
            w->k.tensor.a[t].role = KERNEL_TEMP;
    for (char *s = strtok(names, ","); s; s = strtok(NULL, ",")) {
        int t = kernel_find_tensor(&w->k, strs_find(&w->strs, s, strlen(s)));
        if (t < 0)
            return false;
        w->k.tensor.a[t].role = KERNEL_OUT;
    }
    return true;
}

/* False where the request is no request. */
static bool answer(char *head, const char *text)
{
    char what[16] = "", type[16] = "", outputs[LINE] = "", name[256] = "";
    int n = sscanf(head, "%15s %15s %65535s %255s", what, type, outputs, name);
    bool ok = true, integer = strcmp(type, "integer") == 0 || n == 1;
    struct world w;

    open_world(&w, integer ? KERNEL_I64 : KERNEL_F64);
    if (kernel_parse(&w.k, "-", text, strlen(text), NULL, -1, &w.d) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\n", w.d.line, w.d.col, w.d.text);
        puts("error");
    } else if (n == 2 && strcmp(what, "print") == 0) {
        put_kernel(&w);
    } else if (n == 1 && strcmp(what, "run") == 0) {
        ok = run(&w);
    } else if (n == 4 && strcmp(what, "inline") == 0 && set_outputs(&w, outputs)) {
        int t = kernel_find_tensor(&w.k, strs_find(&w.strs, name, strlen(name)));
        if (t >= 0 && kernel_inline(&w.k, t, &w.d) == CALQUE_OK)
            put_kernel(&w);
        else
            puts("no");
    } else {
        ok = false;
    }
    close_world(&w);
    return ok;
}

static int answer_all(void)
{
    static char line[LINE], head[LINE], block[BLOCK];
    size_t used = 0;
    int status = 0;

    head[0] = '\0';
    for (;;) {
        bool more = fgets(line, sizeof line, stdin) != NULL;
        if (more && line[0] != '\n') {
            size_t len = strlen(line);
            if (!head[0]) {
                memcpy(head, line, len + 1);
            } else if (used + len < sizeof block) {
                memcpy(block + used, line, len + 1);
                used += len;
            } else {
                return 3;
            }
            continue;
        }
        if (!head[0])
            return status;
        if (!answer(head, block)) {
            puts("error");
            status = 2;
        }
        puts("");
        head[0] = block[0] = '\0';
        used = 0;
    }
}

/* A stored tensor that some statement loads, or -1. */
static int loaded(const struct kernel *k)
{
    for (int i = 0; i < k->ex.n; i++)
        for (int j = 0; j < k->stmt.n; j++)
            if (k->ex.a[i].kind == EX_LOAD && k->ex.a[i].op == k->stmt.a[j].out)
                return k->ex.a[i].op;
    return -1;
}

/* One random request; false when the generated kernel is refused or too long to run. */
static bool request(uint64_t seed)
{
    static struct gen g;
    bool real = seed % 3 == 0;
    uint64_t state = seed * 77777 + 5;
    struct world w;
    bool ok;

    gen_kernel(&g, seed, real, 1 + (int)(ref_random(&state) % 4));
    open_world(&w, real ? KERNEL_F64 : KERNEL_I64);
    ok = g.len < GEN_TEXT && kernel_parse(&w.k, "-", g.text, (size_t)g.len, NULL, -1, &w.d) == CALQUE_OK;
    if (ok) {
        int kind = (int)(ref_random(&state) % 4);
        const char *type = real ? "real" : "integer";
        int stored = w.k.stmt.a[ref_random(&state) % (uint64_t)w.k.stmt.n].out;
        int last = w.k.stmt.a[w.k.stmt.n - 1].out;
        if (kind == 0) {
            printf("print %s\n", type);
        } else if (kind == 1 && !real) {
            ok = kernel_cost(&w.k) < COST_MAX;
            if (ok)
                puts("run");
        } else {
            /* mostly of tensors that are loaded */
            int t = loaded(&w.k);
            if (ref_random(&state) % 8 > 0)
                stored = t;
            ok = stored >= 0;
            if (ok)
                printf("inline %s %s %s\n", type, strs_text(&w.strs, w.k.tensor.a[last].name),
                   strs_text(&w.strs, w.k.tensor.a[stored].name));
        }
        if (ok) {
            put_kernel(&w);
            puts("");
        }
    }
    close_world(&w);
    return ok;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

    if (argc == 1)
        return answer_all();
    seed *= 100000007;
    for (long made = 0, tried = 0; made < n; tried++) {
        if (tried > 20 * n + 100)
            return 3;
        made += request(seed + (uint64_t)tried);
    }
    return 0;
}
