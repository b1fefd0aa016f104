/* The requests of calque-oracle kernel on standard input, answered by the C implementation. */
#include "kernel/inline.h"
#include "kernel/grad.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 1 << 16, BLOCK = 1 << 18, NAMES = 64 };

static void put_kernel(struct world *w, const struct kernel *k)
{
    struct text t;

    text_init(&t, &w->mem);
    kernel_print(&t, k);
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

static bool run(struct world *w, bool look)
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
        puts(look ? w->d.text : "undefined");
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

/* The gradient of the outputs by the tensors named; "no" where it is refused, "limit" where it is too large. */
static bool differentiate(struct world *w, char *names, const char *letters)
{
    struct grad_options o = {strchr(letters, 'u') != NULL, strchr(letters, 'v') != NULL, strchr(letters, 's') != NULL};
    int wrt[NAMES], n = 0;
    struct kernel g;
    enum calque_status st;

    for (char *s = strtok(names, ","); s; s = strtok(NULL, ",")) {
        if (n == NAMES || (wrt[n++] = kernel_find_tensor(&w->k, strs_find(&w->strs, s, strlen(s)))) < 0)
            return false;
    }
    st = kernel_grad(&g, &w->k, wrt, n, &o, &w->d);
    if (st == CALQUE_OK)
        put_kernel(w, &g);
    else
        puts(st == CALQUE_NO ? "no" : "limit");
    kernel_free(&g);
    return st == CALQUE_OK || st == CALQUE_NO || st == CALQUE_LIMIT;
}

/* The loops of the statement that t is inlined into, then the kernel. */
static void reverse(struct world *w, int t)
{
    const struct kernel_stmt *s;
    int at;

    if (t < 0 || kernel_inline_reverse(&w->k, t, &at, &w->d) != CALQUE_OK) {
        puts("no");
        return;
    }
    s = &w->k.stmt.a[at];
    printf("loops ");
    for (int i = 0; i < w->k.tensor.a[s->out].rank; i++) {
        const struct kernel_var *v = &w->k.var.a[s->var + (s->loop[0] ? s->loop[i] - 1 : i)];
        printf("%s%s<%ld", i ? "," : "", strs_text(&w->strs, v->name), v->extent);
    }
    puts("");
    put_kernel(w, &w->k);
}

/* False where the request is no request. */
static bool answer(char *head, const char *text)
{
    char what[16] = "", type[16] = "", outputs[LINE] = "", name[LINE] = "", letters[16] = "";
    int n = sscanf(head, "%15s %15s %65535s %65535s %15s", what, type, outputs, name, letters);
    bool ok = true, integer = strcmp(type, "integer") == 0 || n == 1;
    struct world w;

    open_world(&w, integer ? KERNEL_I64 : KERNEL_F64);
    if (kernel_parse(&w.k, "-", text, strlen(text), NULL, -1, &w.d) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\n", w.d.line, w.d.col, w.d.text);
        puts("error");
    } else if (n == 2 && strcmp(what, "print") == 0) {
        put_kernel(&w, &w.k);
    } else if (n == 1 && (strcmp(what, "run") == 0 || strcmp(what, "look") == 0)) {
        ok = run(&w, what[0] == 'l');
    } else if (n == 4 && strcmp(what, "inline") == 0 && set_outputs(&w, outputs)) {
        int t = kernel_find_tensor(&w.k, strs_find(&w.strs, name, strlen(name)));
        if (t >= 0 && kernel_inline(&w.k, t, &w.d) == CALQUE_OK)
            put_kernel(&w, &w.k);
        else
            puts("no");
    } else if (n == 4 && strcmp(what, "reverse") == 0 && set_outputs(&w, outputs)) {
        reverse(&w, kernel_find_tensor(&w.k, strs_find(&w.strs, name, strlen(name))));
    } else if (n >= 4 && strcmp(what, "grad") == 0 && set_outputs(&w, outputs)) {
        ok = differentiate(&w, name, letters);
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
        fflush(stdout); /* who asked waits for it */
        head[0] = block[0] = '\0';
        used = 0;
    }
}

int main(void)
{
    return answer_all();
}
