/* What the kernel tests work in: a kernel, another made from it (its gradient, say), and where errors go. */
#ifndef CALQUE_TESTS_KERNEL_WORLD_H
#define CALQUE_TESTS_KERNEL_WORLD_H

#include <string.h>

#include "base/strs.h"
#include "kernel/kernel.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct kernel k, g;
    struct diag d;
};

static inline void open_world(struct world *w, enum kernel_type type)
{
    memset(w, 0, sizeof *w);
    w->mem.fail_after = -1;
    strs_init(&w->strs, &w->mem);
    kernel_init(&w->k, &w->mem, &w->strs, type);
    kernel_init(&w->g, &w->mem, &w->strs, type);
}

/* A world whose kernel has this text; what the parser says of it. */
static inline enum calque_status open_text(struct world *w, enum kernel_type type, const char *src)
{
    open_world(w, type);
    return kernel_parse(&w->k, "test", src, strlen(src), NULL, -1, &w->d);
}

static inline void close_world(struct world *w)
{
    kernel_free(&w->k);
    kernel_free(&w->g);
    strs_free(&w->strs);
}

#endif
