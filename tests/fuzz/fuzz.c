/* What all targets share: a fresh world for each input, a bound of its memory, and what ends the process when a property is
   broken. libFuzzer calls LLVMFuzzerTestOneInput; the program's name says which target is meant. */
#include "fuzz/fuzz.h"

#include <stdint.h>
#include <stdio.h>

#include "rewrite/library.h"

static const struct {
    const char *name;
    void (*run)(struct fuzz *f);
} targets[] = {
#define TARGET(name, runs, words) { #name, fuzz_##name },
#include "fuzz/targets.def"
};

enum { KEPT = 64 }; /* inputs of one world */

static int target = -1;
static size_t taken;  /* bytes asked for since the input began */
static bool failed;   /* an allocation did, for its size */
static long budget;   /* of allocations, as the input chose it; negative: none */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
void *__real_realloc(void *p, size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_calloc(size_t n, size_t size);

/* base/mem.c calls these two (ld --wrap). */
static bool may(size_t n)
{
    if (n > FUZZ_BYTES - taken) {
        failed = true;
        return false;
    }
    taken += n;
    return true;
}

void *__wrap_realloc(void *p, size_t n)
{
    return may(n) ? __real_realloc(p, n) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return may(n * size) ? __real_calloc(n, size) : NULL;
}

/* A program TARGET, or of any other name with the target in FUZZ_TARGET. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET"), *slash = strrchr((*argv)[0], '/');

    (void)argc;
    if (!name)
        name = slash ? slash + 1 : (*argv)[0];
    for (int k = 0; k < (int)(sizeof targets / sizeof *targets); k++)
        if (strcmp(targets[k].name, name) == 0)
            target = k;
    if (target < 0) {
        fprintf(stderr, "fuzz: there is no target '%s'\n", name);
        exit(2);
    }
    return 0;
}

static void world_init(struct fuzz *f)
{
    memset(f, 0, sizeof *f);
    f->mem = (struct mem)MEM_INIT;
    strs_init(&f->strs, &f->mem);
    values_init(&f->values, &f->mem);
    f->values.strs = &f->strs;
    for (int k = 0; k < FUZZ_SETS; k++)
        for (int exact = 0; exact < 2; exact++)
            rules_init(&f->library[k][exact], &f->mem, &f->strs, &f->values);
}

static void world_free(struct fuzz *f)
{
    for (int k = 0; k < FUZZ_SETS; k++)
        for (int exact = 0; exact < 2; exact++)
            rules_free(&f->library[k][exact]);
    values_free(&f->values);
    strs_free(&f->strs);
}

const struct rules *fuzz_library(struct fuzz *f, int k, bool exact)
{
    static const char *const sets[FUZZ_SETS] = { "standard", "all", "simplify", "fold", "like", "merge", "pairs", "lower" };
    const bool wanted[RULE_CLASSES] = { [RULE_EXACT] = true };
    struct rules *r = &f->library[k][exact];
    long left = f->mem.fail_after;

    f->keeps = true;
    if (rules_count(r))
        return r;
    f->mem.fail_after = -1; /* what the input chose is for what it asks for */
    if (!fuzz_ok(f, library_parse(r, sets[k], &f->d)) || (exact && !fuzz_ok(f, library_keep_classes(r, wanted, &f->d)))) {
        rules_free(r);
        rules_init(r, &f->mem, &f->strs, &f->values);
        r = NULL;
    }
    f->mem.fail_after = left;
    return r;
}

/* n bytes in a block that ends where they end. */
static char *text_of(const uint8_t *data, size_t n)
{
    char *copy = malloc(n ? n : 1);

    if (copy && n)
        memcpy(copy, data, n);
    return copy;
}

static void run(struct fuzz *f, const unsigned char *head, const char *src, size_t n)
{
    taken = 0;
    failed = false;
    budget = head[0] ? head[0] * head[0] / 4 : -1;
    f->mem.fail_after = budget;
    f->flags = head[1] | (unsigned)head[2] << 8;
    f->src = src;
    f->n = n;
    diag_clear(&f->d);
    targets[target].run(f);
    f->inputs++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct fuzz kept; /* of inputs without a limit of allocations */
    struct fuzz once, *f = &kept;
    unsigned char head[FUZZ_HEAD];
    char *copy;

    if (n < FUZZ_HEAD || !(copy = text_of(data + FUZZ_HEAD, n - FUZZ_HEAD)))
        return 0;
    for (int k = 0; k < FUZZ_HEAD; k++)
        head[k] = (unsigned char)(data[k] - '0');
    if (head[0])
        f = &once;
    if (head[0] || !kept.inputs)
        world_init(f);
    run(f, head, copy, n - FUZZ_HEAD);
    if (head[0] || failed || !f->keeps || f->inputs >= KEPT) {
        world_free(f);
        f->inputs = 0;
    }
    free(copy);
    return 0;
}

bool fuzz_short(const struct fuzz *f)
{
    return failed || (budget >= 0 && f->mem.fail_after == 0);
}

void fuzz_relieve(struct fuzz *f)
{
    f->mem.fail_after = budget = -1;
    failed = false;
}

bool fuzz_ok(struct fuzz *f, enum calque_status st)
{
    MUST(f, st != CALQUE_INTERNAL);
    MUST(f, st != CALQUE_IO);
    MUST(f, st != CALQUE_NOMEM || fuzz_short(f));
    MUST(f, st == CALQUE_OK || st == CALQUE_NOMEM || (f->d.text[0] && f->d.status == st));
    return st == CALQUE_OK;
}

void fuzz_same(const struct fuzz *f, const struct text *a, const struct text *b, const char *what)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->a, b->a, (size_t)a->n) == 0))
        return;
    fprintf(stderr, "%s: first\n%.*s\nthen\n%.*s\n", what, a->n, a->n ? a->a : "", b->n, b->n ? b->a : "");
    fuzz_broken(f, "the texts are one", __FILE__, __LINE__);
}

void fuzz_broken(const struct fuzz *f, const char *property, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, property);
    if (f->d.text[0])
        fprintf(stderr, "last message, status %d: %s:%d:%d: %s\n", (int)f->d.status, f->d.file, f->d.line, f->d.col, f->d.text);
    abort();
}
