/* For the tests of emitted C: many kernels in one C file, compiled once, loaded, and compared with kernel_run bit for
   bit. */
#ifndef CALQUE_TESTS_BATCH_H
#define CALQUE_TESTS_BATCH_H

#include "emit/contract.h"
#include "emit/minic.h"
#include "unit.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH_MAX = 1024, BATCH_TENSORS = 16, BATCH_ACSL = 1 << 10 /* as a strategy: with contracts */ };

struct batch_kernel {
    struct kernel k;
    int tensor[BATCH_TENSORS], n; /* parameter -> tensor of k */
    bool can_fail;
};

struct batch {
    struct mem mem;
    struct strs strs;
    struct text c;
    unsigned long used, own;
    bool contracts;          /* all functions have them */
    struct acsl_used theory; /* what they use */
    struct batch_kernel kernel[BATCH_MAX];
    int n;     /* kernels that are compiled */
    int made;  /* kernels that were emitted */
    int turn;  /* one in unit_share() is compiled: whose turn it is */
    int tiled; /* kernels with tiles among those emitted */
    bool shuffle; /* loops in a random order */
    int moved;    /* statements where it is another one */
    char dir[UNIT_DIR];
};

/* What f gives in a process of its own, which loads the emitted code: its threads and memory do not meet the sanitizers of
   this one. -1 if it crashed. */
static inline int batch_child(int (*f)(void *), void *arg)
{
    pid_t pid;
    int st;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        int wrong = f(arg);
        fflush(NULL);
        _exit(wrong > 100 ? 100 : wrong);
    }
    return pid > 0 && waitpid(pid, &st, 0) == pid && WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

static unsigned long batch_seed = 88172645463325252ul;

static inline unsigned batch_random(unsigned n)
{
    batch_seed ^= batch_seed << 13;
    batch_seed ^= batch_seed >> 7;
    batch_seed ^= batch_seed << 17;
    return (unsigned)((batch_seed >> 20) % n);
}

static inline void batch_open(struct batch *b)
{
    memset(b, 0, sizeof *b);
    b->mem.fail_after = -1;
    strs_init(&b->strs, &b->mem);
    text_init(&b->c, &b->mem);
    unit_dir(b->dir);
}

static inline void batch_close(struct batch *b)
{
    char cmd[128];

    snprintf(cmd, sizeof cmd, "rm -r %s", b->dir);
    CU_ASSERT(system(cmd) == 0);
    for (int i = 0; i < b->n; i++)
        kernel_free(&b->kernel[i].k);
    text_free(&b->c);
    strs_free(&b->strs);
}

/* Emits the functions of one kernel under the strategy: f<i> and a caller r<i> taking an array of pointers. */
static inline bool batch_emit(struct batch *b, unsigned strategy, struct diag *d)
{
    struct batch_kernel *x = &b->kernel[b->n];
    struct prog p;
    struct code code;
    struct minic m;
    char name[32];
    enum calque_status st = lower_kernel(&x->k, strategy, &p, d);

    memset(&code, 0, sizeof code);
    memset(&m, 0, sizeof m);
    if (st == CALQUE_OK)
        st = trans_prog(&p, true, &code, d);
    if (st == CALQUE_OK)
        st = codegen(&code, &m, d);
    if (st == CALQUE_OK) {
        struct print_options o = { .name = name, .pragmas = true, .is_static = true, .used = &b->used, .own = &b->own };
        snprintf(name, sizeof name, "f%d", b->n);
        print_function(&b->c, &m, &o);
        x->can_fail = m.heap;
        x->n = p.param.n;
        text_printf(&b->c, "int r%d(void *const *t);\nint r%d(void *const *t)\n{\n    %sf%d(", b->n, b->n,
                    m.heap ? "return " : "", b->n);
        for (int i = 0; i < p.param.n; i++) {
            x->tensor[i] = p.param.a[i].tensor;
            text_printf(&b->c, "%st[%d]", i ? ", " : "", i);
        }
        text_printf(&b->c, ");\n    %s}\n\n", m.heap ? "" : "return 0;\n");
        b->n++;
    }
    minic_free(&m);
    code_free(&code);
    prog_free(&p);
    return st == CALQUE_OK;
}

/* The text of a function with contracts, under its name. */
static inline void batch_named(struct text *t, const struct text *from, const char *name)
{
    for (int i = 0; i < from->n; i++)
        if (from->a[i] == '$')
            text_puts(t, name);
        else
            text_put(t, &from->a[i], 1);
}

/* The same with contracts; temporaries are arrays of the caller. */
static inline bool batch_emit_acsl(struct batch *b, struct diag *d)
{
    struct batch_kernel *x = &b->kernel[b->n];
    struct acsl_text a = { .used.types = 0 };
    struct cells c;
    char name[32];
    enum calque_status st = cells_kernel(&c, &x->k, d);

    text_init(&a.t, &b->mem);
    snprintf(name, sizeof name, "f%d", b->n);
    if (st == CALQUE_OK)
        st = acsl_print(&a, &c, true, d);
    if (st == CALQUE_OK) {
        bool any = false;
        batch_named(&b->c, &a.t, name);
        text_printf(&b->c, "int r%d(void *const *t);\nint r%d(void *const *t)\n{\n", b->n, b->n);
        for (int i = x->k.tensor.n; i < c.tensor.n; i++)
            text_printf(&b->c, "    static %s x%d[%ld];\n", print_elem(c.tensor.a[i].elem), i, c.ax.a[c.tensor.a[i].cells].k);
        text_printf(&b->c, "    %s(", name);
        for (int i = 0; i < c.tensor.n; i++) {
            if (!acsl_is_param(&c, i))
                continue;
            text_puts(&b->c, any ? ", " : "");
            any = true;
            if (i < x->k.tensor.n) {
                text_printf(&b->c, "t[%d]", x->n);
                x->tensor[x->n++] = i;
            } else {
                text_printf(&b->c, "x%d", i);
            }
        }
        text_puts(&b->c, ");\n    return 0;\n}\n\n");
        acsl_use(&b->theory, &a.used);
        b->contracts = true;
        b->n++;
    }
    text_free(&a.t);
    cells_free(&c);
    return st == CALQUE_OK;
}

/* The loops of each statement in a random order; how many are in another than their variables'. */
static inline int batch_shuffle(struct kernel *k)
{
    int moved = 0;

    for (int s = 0; s < k->stmt.n; s++) {
        unsigned char *loop = k->stmt.a[s].loop;
        int rank = k->tensor.a[k->stmt.a[s].out].rank;
        bool other = false;
        for (int i = 0; i < rank; i++)
            loop[i] = (unsigned char)(i + 1);
        for (int i = rank - 1; i > 0; i--) {
            int j = (int)batch_random((unsigned)i + 1);
            unsigned char x = loop[i];
            loop[i] = loop[j];
            loop[j] = x;
        }
        for (int i = 0; i < rank; i++)
            other = other || loop[i] != i + 1;
        moved += other;
    }
    return moved;
}

/* What the text was before a kernel. */
struct batch_mark {
    int size;
    unsigned long used, own;
    struct acsl_used theory;
};

/* The last kernel is not compiled. */
static inline void batch_drop(struct batch *b, const struct batch_mark *before)
{
    b->c.n = before->size;
    b->used = before->used;
    b->own = before->own;
    b->theory = before->theory;
    b->n--;
    kernel_free(&b->kernel[b->n].k);
    b->kernel[b->n] = (struct batch_kernel){ .n = 0 };
}

/* Adds a kernel given as text; false (with a message) when it is refused. */
static inline bool batch_add(struct batch *b, enum kernel_type type, const char *text, unsigned strategy)
{
    struct batch_kernel *x = &b->kernel[b->n];
    struct batch_mark before = { .size = b->c.n, .used = b->used, .own = b->own, .theory = b->theory };
    struct diag d;
    bool ok;

    diag_clear(&d);
    kernel_init(&x->k, &b->mem, &b->strs, type);
    ok = kernel_parse(&x->k, "kernel", text, strlen(text), NULL, -1, &d) == CALQUE_OK;
    if (ok && b->shuffle)
        b->moved += batch_shuffle(&x->k);
    ok = ok && (strategy == BATCH_ACSL ? batch_emit_acsl(b, &d) : batch_emit(b, strategy, &d));
    if (!ok) {
        kernel_free(&x->k);
        fprintf(stderr, "refused: %s\n  %d:%d: %s\n", text, d.line, d.col, d.text);
        return false;
    }
    b->tiled += strategy == LOWER_ALL && lower_tile_score(&x->k, x->k.stmt.n - 1) >= 6;
    b->made++;
    if (b->turn++ % unit_share() != 0)
        batch_drop(b, &before);
    return true;
}

/* Compiles everything with the compiler and flags; so receives the library's path. */
static inline void batch_compile(struct batch *b, const char *cc, const char *flags, char *so, size_t size)
{
    static int serial;
    char path[96], cmd[512];
    struct text t;
    FILE *f;

    text_init(&t, &b->mem);
    print_prelude(&t, b->used, b->own);
    if (b->contracts)
        acsl_theory(&t, false, MATH_LIBM, &b->theory);
    text_put(&t, b->c.a, (size_t)b->c.n);
    snprintf(path, sizeof path, "%s/batch%d.c", b->dir, ++serial);
    f = fopen(path, "w");
    CU_ASSERT_FATAL(f && fwrite(t.a, 1, (size_t)t.n, f) == (size_t)t.n && fclose(f) == 0);
    text_free(&t);
    snprintf(cmd, sizeof cmd, "%s -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror %s -fPIC "
             "-shared -o %s/batch%d.so %s -lm", cc, flags, b->dir, serial, path);
    CU_ASSERT_FATAL(system(cmd) == 0);
    snprintf(so, size, "%s/batch%d.so", b->dir, serial);
}

static inline size_t batch_bytes(const struct kernel *k, int t)
{
    size_t n = k->type == KERNEL_F32 || k->type == KERNEL_I32 ? 4 : 8;

    for (int i = 0; i < k->tensor.a[t].rank; i++)
        n *= (size_t)k->tensor.a[t].dim[i];
    return n;
}

/* Small numbers of both signs, zeros of both signs and, rarely, infinities and NaN. */
static inline void batch_fill(void *p, size_t bytes, enum kernel_type type, bool special)
{
    size_t n = bytes / (type == KERNEL_F32 || type == KERNEL_I32 ? 4 : 8);

    for (size_t i = 0; i < n; i++) {
        unsigned r = batch_random(400);
        double x = ((double)batch_random(2000001) - 1e6) / 250007.0;
        x = r < 8 ? 0.0 : r < 16 ? -0.0 : x;
        if (special && r > 396)
            x = r == 397 ? (double)INFINITY : r == 398 ? -(double)INFINITY : (double)NAN;
        if (type == KERNEL_F32)
            ((float *)p)[i] = (float)x;
        else if (type == KERNEL_F64)
            ((double *)p)[i] = x;
        else if (type == KERNEL_I32)
            ((int32_t *)p)[i] = (int32_t)batch_random(41) - 20;
        else
            ((int64_t *)p)[i] = (int64_t)batch_random(41) - 20;
    }
}

/* Equal bit for bit, all NaN being equal. */
static inline bool batch_equal(const void *a, const void *b, size_t bytes, enum kernel_type type)
{
    if (memcmp(a, b, bytes) == 0)
        return true;
    for (size_t i = 0; type == KERNEL_F32 && i < bytes / 4; i++) {
        float x = ((const float *)a)[i], y = ((const float *)b)[i];
        if (memcmp(&x, &y, 4) != 0 && !(isnan(x) && isnan(y)))
            return false;
    }
    for (size_t i = 0; type == KERNEL_F64 && i < bytes / 8; i++) {
        double x = ((const double *)a)[i], y = ((const double *)b)[i];
        if (memcmp(&x, &y, 8) != 0 && !(isnan(x) && isnan(y)))
            return false;
    }
    return type == KERNEL_F32 || type == KERNEL_F64;
}

static inline bool batch_run_one(struct batch *b, void *so, int i, bool special)
{
    struct batch_kernel *x = &b->kernel[i];
    void *ours[BATCH_TENSORS], *ref[BATCH_TENSORS], *arg[BATCH_TENSORS];
    union { void *p; int (*f)(void *const *); } fn;
    char name[32];
    struct diag d;
    bool same = true;

    for (int t = 0; t < x->k.tensor.n; t++) {
        size_t n = batch_bytes(&x->k, t);
        ours[t] = malloc(n + 1);
        ref[t] = malloc(n + 1);
        batch_fill(ours[t], n, x->k.type, special);
        memcpy(ref[t], ours[t], n);
    }
    snprintf(name, sizeof name, "r%d", i);
    fn.p = dlsym(so, name);
    for (int p = 0; p < x->n; p++)
        arg[p] = ours[x->tensor[p]];
    same = fn.p && fn.f(arg) == 0 && kernel_run(&x->k, ref, 2, &d) == CALQUE_OK;
    for (int t = 0; t < x->k.tensor.n; t++) {
        if (x->k.tensor.a[t].role == KERNEL_OUT)
            same = same && batch_equal(ours[t], ref[t], batch_bytes(&x->k, t), x->k.type);
        free(ours[t]);
        free(ref[t]);
    }
    if (!same) {
        struct text t;
        text_init(&t, &b->mem);
        kernel_print(&t, &x->k);
        fprintf(stderr, "differs: kernel %d: %s", i, t.a);
        text_free(&t);
    }
    return same;
}

struct batch_job {
    struct batch *b;
    char so[96];
    bool special;
};

/* Loads the library for good (the threads of OpenMP outlive a call); the number of kernels that differ. */
static inline int batch_job(void *arg)
{
    struct batch_job *j = arg;
    void *so = dlopen(j->so, RTLD_NOW | RTLD_LOCAL);
    int wrong = so == NULL;

    for (int i = 0; so && i < j->b->n; i++)
        wrong += !batch_run_one(j->b, so, i, j->special);
    return wrong;
}

/* Compiles and compares every kernel of the batch. */
static inline void batch_check(struct batch *b, const char *cc, const char *flags, bool special)
{
    struct batch_job j = { .b = b, .special = special };

    batch_compile(b, cc, flags, j.so, sizeof j.so);
    CU_ASSERT(batch_child(batch_job, &j) == 0);
}

/* The same file as a program of its own with sanitizers: each kernel runs on zeroed memory of exactly its size. */
static inline void batch_sanitized(struct batch *b, const char *cc)
{
    char path[96], cmd[512];
    struct text t;
    struct diag d;

    text_init(&t, &b->mem);
    print_prelude(&t, b->used, b->own);
    if (b->contracts)
        acsl_theory(&t, false, MATH_LIBM, &b->theory);
    text_put(&t, b->c.a, (size_t)b->c.n);
    text_puts(&t, "int main(void)\n{\n    void *t[16];\n    int wrong = 0;\n\n");
    for (int i = 0; i < b->n; i++) {
        const struct batch_kernel *x = &b->kernel[i];
        for (int p = 0; p < x->n; p++)
            text_printf(&t, "    t[%d] = calloc(1, %zu);\n", p, batch_bytes(&x->k, x->tensor[p]));
        text_printf(&t, "    wrong += r%d(t);\n    for (int i = 0; i < %d; i++)\n        free(t[i]);\n", i, x->n);
    }
    text_puts(&t, "    return wrong;\n}\n");
    snprintf(path, sizeof path, "%s/sane.c", b->dir);
    CU_ASSERT_FATAL(file_write(path, t.a, (size_t)t.n, &d) == CALQUE_OK);
    text_free(&t);
    snprintf(cmd, sizeof cmd, "cd %s && %s -std=c11 -O1 -g -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all "
             "-o sane sane.c -lm && ./sane", b->dir, cc);
    CU_ASSERT(system(cmd) == 0);
}

static inline bool batch_has(const char *cc)
{
    char cmd[64];
    bool has;

    snprintf(cmd, sizeof cmd, "command -v %s >/dev/null 2>&1", cc);
    has = system(cmd) == 0;
    if (!has)
        fprintf(stderr, "%s is not here: apt-get install %s\n", cc, cc);
    CU_ASSERT(has);
    return has;
}

#endif
