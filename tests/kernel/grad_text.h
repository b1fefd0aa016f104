/* For the tests of gradients: kernels from text and back. */
#ifndef CALQUE_TESTS_KERNEL_GRAD_TEXT_H
#define CALQUE_TESTS_KERNEL_GRAD_TEXT_H

#include <stdio.h>
#include <string.h>

#include "kernel/grad.h"
#include "kernel/parse.h"
#include "base/text.h"
#include "world.h"

static inline int named_tensor(const struct kernel *k, const char *name)
{
    return kernel_find_tensor(k, strs_find(k->strs, name, strlen(name)));
}

static inline bool parse_kernel(struct world *w, struct kernel *k, const char *src)
{
    if (kernel_parse(k, "k", src, strlen(src), NULL, -1, &w->d) == CALQUE_OK)
        return true;
    fprintf(stderr, "%d:%d %s\n%s\n", w->d.line, w->d.col, w->d.text, src);
    return false;
}

static inline char *kernel_string(struct world *w, const struct kernel *k, bool header)
{
    struct text t;

    text_init(&t, &w->mem);
    text_puts(&t, "");
    if (header)
        kernel_prototype(&t, k, "f");
    else
        kernel_print(&t, k);
    return t.a;
}

#endif
