/* The requests of calque-oracle kernel, answered by the C implementation; or random requests.
   usage: kernel_text < REQUESTS | kernel_text N SEED [grad|reverse|look] */
#include "gen.h"
#include "kernel/inline.h"
#include "kernel/grad.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 1 << 16, BLOCK = 1 << 18, COST_MAX = 20000 };

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
    int wrt[GEN_TENSORS], n = 0;
    struct kernel g;
    enum calque_status st;

    for (char *s = strtok(names, ","); s; s = strtok(NULL, ",")) {
        if (n == GEN_TENSORS || (wrt[n++] = kernel_find_tensor(&w->k, strs_find(&w->strs, s, strlen(s)))) < 0)
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

/* A stored tensor that some statement loads, or -1. */
static int loaded(const struct kernel *k)
{
    for (int i = 0; i < k->ex.n; i++)
        for (int j = 0; j < k->stmt.n; j++)
            if (k->ex.a[i].kind == EX_LOAD && k->ex.a[i].op == k->stmt.a[j].out)
                return k->ex.a[i].op;
    return -1;
}

static bool loads(const struct kernel *k, int id, int t)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return e->kind == EX_LOAD && e->op == t;
    return loads(k, e->a, t) || (e->kind != EX_REDUCE && e->b >= 0 && loads(k, e->b, t));
}

/* Some statements store an earlier tensor of their shape: values are overwritten, in place too. */
static void store_again(struct kernel *k, uint64_t *state)
{
    for (int i = 0; i < k->stmt.n; i++) {
        int out = k->stmt.a[i].out, t = (int)(ref_random(state) % (unsigned)k->tensor.n);
        const struct kernel_tensor *a = &k->tensor.a[t], *b = &k->tensor.a[out];
        if (ref_random(state) % 2 && a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0)
            k->stmt.a[i].out = t;
    }
}

/* Is the tensor in the text? */
static bool mentioned(const struct kernel *k, int t)
{
    bool yes = false;

    for (int i = 0; i < k->stmt.n; i++)
        yes = yes || k->stmt.a[i].out == t || loads(k, k->stmt.a[i].body, t);
    return yes;
}

/* The gradient of some stored tensors by some tensors, most of which have an influence, with options. */
static void gradient_request(struct world *w, const char *type, uint64_t *state)
{
    const struct kernel *k = &w->k;
    int last = k->stmt.a[k->stmt.n - 1].out, n = 0;

    store_again(&w->k, state);
    last = k->stmt.a[k->stmt.n - 1].out;
    printf("grad %s %s", type, strs_text(&w->strs, k->tensor.a[last].name));
    for (int i = 0; i + 1 < k->stmt.n; i++) {
        int t = k->stmt.a[i].out;
        for (int j = 0; j < i; j++)
            t = k->stmt.a[j].out == t ? last : t;
        if (t != last && ref_random(state) % 4 == 0)
            printf(",%s", strs_text(&w->strs, k->tensor.a[t].name));
    }
    for (int t = 0; t < k->tensor.n; t++) {
        bool used = false;
        for (int i = 0; i < k->stmt.n; i++)
            used = used || loads(k, k->stmt.a[i].body, t);
        if (mentioned(k, t) && ref_random(state) % 8 < (used ? 5 : 1))
            printf("%c%s", n++ ? ',' : ' ', strs_text(&w->strs, k->tensor.a[t].name));
    }
    if (n == 0)
        printf(" %s", strs_text(&w->strs, k->tensor.a[last].name));
    if (ref_random(state) % 3 == 0)
        printf(" %c", "uvs"[ref_random(state) % 3]);
    puts("");
}

/* Another statement: R loads tensor t, mostly at a permutation of its variables; their names may be those of reductions. */
static void add_consumer(struct gen *g, const struct world *w, int t, uint64_t *state)
{
    static const char *const names[] = {"i", "j", "k", "l", "r0", "r1", "r2", "p"};
    static const char *const forms[] = {"%s", "%s * %s + 1", "select(0 < 1, %s, 2)", "sum(z<2) (%s * 3)", "-sum(i_1<2) max(%s, %s)"};
    const struct kernel_tensor *x = &w->k.tensor.a[t];
    char load[400];
    int perm[KERNEL_RANK_MAX], first = (int)(ref_random(state) % 8), len;

    for (int i = 0; i < x->rank; i++)
        perm[i] = i;
    for (int i = x->rank - 1; i > 0; i--) {
        int j = (int)(ref_random(state) % (unsigned)(i + 1)), y = perm[i];
        perm[i] = perm[j];
        perm[j] = y;
    }
    gen_put(g, "R<");
    for (int i = 0; i < x->rank; i++)
        gen_put(g, "%s%ld", i ? "," : "", x->dim[perm[i]] - (x->dim[perm[i]] > 1 && ref_random(state) % 40 == 0));
    for (int i = 0; i < x->rank; i++)
        gen_put(g, "%s%s", i ? "," : ">[", names[(first + i) % 8]);
    len = snprintf(load, sizeof load, "%s<", strs_text(&w->strs, x->name));
    for (int i = 0; i < x->rank; i++)
        len += snprintf(load + len, sizeof load - (size_t)len, "%s%ld", i ? "," : "", x->dim[i]);
    for (int i = 0; i < x->rank; i++) {
        int at = 0;
        while (perm[at] != i)
            at++;
        if (ref_random(state) % 40 == 0)
            at = 0; /* perhaps twice */
        len += snprintf(load + len, sizeof load - (size_t)len, "%s%s", i ? "," : ">[", names[(first + at) % 8]);
    }
    snprintf(load + len, sizeof load - (size_t)len, "]");
    gen_put(g, "] = ");
    for (const char *f = forms[ref_random(state) % 5]; *f; f++)
        if (f[0] == '%' && *++f)
            gen_put(g, "%s", load);
        else
            gen_put(g, "%c", *f);
    gen_put(g, ";");
}

/* A tensor stored by the kernel, its consumer run in its loops. */
static bool reverse_request(struct world *w, struct gen *g, enum kernel_type type, uint64_t *state)
{
    int t = w->k.stmt.a[ref_random(state) % (uint64_t)w->k.stmt.n].out, last;
    char name[64];

    snprintf(name, sizeof name, "%s", strs_text(&w->strs, w->k.tensor.a[t].name));
    add_consumer(g, w, t, state);
    close_world(w);
    open_world(w, type);
    if (g->len >= GEN_TEXT || kernel_parse(&w->k, "-", g->text, (size_t)g->len, NULL, -1, &w->d) != CALQUE_OK)
        return false;
    if (ref_random(state) % 8 == 0)
        store_again(&w->k, state);
    last = w->k.stmt.a[w->k.stmt.n - 1].out;
    printf("reverse %s %s %s\n", type == KERNEL_F64 ? "real" : "integer", strs_text(&w->strs, w->k.tensor.a[last].name), name);
    return true;
}

/* An index over the output's variables, and the least dimension it fits into. */
static void look_index(struct gen *g, const long *out, int rank, long *dim, uint64_t *state)
{
    int v = (int)(ref_random(state) % (unsigned)rank);
    long c = (long)(ref_random(state) % 3);

    switch (ref_random(state) % 6) {
    case 0: gen_put(g, "%ld", c); *dim = c + 1; break;
    case 1: gen_put(g, "%c//2+%ld", 'i' + v, c); *dim = out[v] / 2 + c + 1; break;
    case 2: gen_put(g, "%ld-%c", out[v] > 0 ? out[v] - 1 : 0, 'i' + v); *dim = out[v] > 0 ? out[v] : 1; break;
    case 3: gen_put(g, "(%c+%ld)%%2", 'i' + v, c); *dim = 2; break;
    default: gen_put(g, "%c", 'i' + v); *dim = out[v];
    }
    *dim += (long)(ref_random(state) % 2);
}

static void look_dims(struct gen *g, const char *name, const long *dim, int rank)
{
    gen_put(g, "%s<", name);
    for (int i = 0; i < rank; i++)
        gen_put(g, "%s%ld", i ? "," : "", dim[i]);
    gen_put(g, ">");
}

/* A kernel of one to three look-ups, each of the one before (whose shape it knows) or of an input, at indices that are an
   input or computed; their numbers are small, so that many are in and many outside. */
static bool look_request(uint64_t seed)
{
    static struct gen g;
    static const char *const names[] = {"Y", "Z", "W"}, *const from[] = {"Xa", "Xk", "X_2"}, *const index[] = {"I", "Ib", "J"};
    uint64_t state = seed * 77777 + 11;
    int count = 1 + (int)(ref_random(&state) % 3), rank[3];
    long out[3][3], dim[3];
    struct world w;
    bool ok;

    g.len = 0;
    for (int s = 0; s < count; s++) {
        bool last = s > 0 && ref_random(&state) % 2 == 0;
        static struct gen part, at;
        int r = 1 + (int)(ref_random(&state) % 3), rx = last ? rank[s - 1] : 1 + (int)(ref_random(&state) % 3);
        int ri = 1 + (int)(ref_random(&state) % 2), axis = (int)(ref_random(&state) % (unsigned)rx);
        long x[3], size = (long)(ref_random(&state) % 9);
        rank[s] = r;
        for (int i = 0; i < r; i++)
            out[s][i] = ref_random(&state) % 20 == 0 ? 0 : 1 + (long)(ref_random(&state) % 4);
        part.len = at.len = 0;
        part.text[0] = at.text[0] = '\0';
        for (int i = 0; i < ri; i++) {
            gen_put(&at, i ? "," : "[");
            look_index(&at, out[s], r, &dim[i], &state);
        }
        gen_put(&at, "]");
        for (int i = 0; i < rx; i++) {
            gen_put(&part, i ? "," : "[");
            if (i != axis) {
                look_index(&part, out[s], r, &x[i], &state);
                continue;
            }
            x[i] = size;
            gen_put(&part, "at(");
            look_dims(&part, index[s], dim, ri);
            gen_put(&part, "%s)", at.text);
        }
        if (last)
            memcpy(x, out[s - 1], sizeof x); /* it may be too small: then there is no request */
        else if (ref_random(&state) % 4 == 0) { /* the indices are computed */
            look_dims(&g, index[s], dim, ri);
            gen_put(&g, ri == 1 ? "[i] = K<%ld>[i]" : "[i,j] = K<%ld>[i]", dim[0]);
            gen_put(&g, " + %d;\n", (int)(ref_random(&state) % 4));
        }
        look_dims(&g, names[s], out[s], r);
        gen_put(&g, r == 1 ? "[i] = " : r == 2 ? "[i,j] = " : "[i,j,k] = ");
        look_dims(&g, last ? names[s - 1] : from[s], x, rx);
        gen_put(&g, "%s];\n", part.text);
    }
    open_world(&w, KERNEL_I64);
    ok = g.len < GEN_TEXT && kernel_parse(&w.k, "-", g.text, (size_t)g.len, NULL, -1, &w.d) == CALQUE_OK;
    if (ok) {
        puts("look");
        put_kernel(&w, &w.k);
        puts("");
    }
    close_world(&w);
    return ok;
}

/* One random request; false when the generated kernel is refused or too long to run. */
static bool request(uint64_t seed, bool gradient, bool reversed)
{
    static struct gen g;
    bool real = (seed % 3 == 0) != gradient; /* refusals are of integers */
    uint64_t state = seed * 77777 + 5;
    struct world w;
    bool ok;

    g.powers = gradient;
    g.choices = !gradient || seed % 8 == 0; /* most are not differentiable */
    gen_kernel(&g, seed, real, 1 + (int)(ref_random(&state) % 4));
    open_world(&w, real ? KERNEL_F64 : KERNEL_I64);
    ok = g.len < GEN_TEXT && kernel_parse(&w.k, "-", g.text, (size_t)g.len, NULL, -1, &w.d) == CALQUE_OK;
    if (ok) {
        int kind = (int)(ref_random(&state) % 4);
        const char *type = real ? "real" : "integer";
        int stored = w.k.stmt.a[ref_random(&state) % (uint64_t)w.k.stmt.n].out;
        int last = w.k.stmt.a[w.k.stmt.n - 1].out;
        if (reversed) {
            ok = reverse_request(&w, &g, real ? KERNEL_F64 : KERNEL_I64, &state);
        } else if (gradient) {
            gradient_request(&w, type, &state);
        } else if (kind == 0) {
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
            put_kernel(&w, &w.k);
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
        if (argc > 3 && strcmp(argv[3], "look") == 0)
            made += look_request(seed + (uint64_t)tried);
        else
            made += request(seed + (uint64_t)tried, argc > 3 && strcmp(argv[3], "grad") == 0,
                            argc > 3 && strcmp(argv[3], "reverse") == 0);
    }
    return 0;
}
