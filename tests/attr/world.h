/* What the unit tests of the attr room work in: arenas, an environment, and reading from text. */
#ifndef CALQUE_TESTS_ATTR_WORLD_H
#define CALQUE_TESTS_ATTR_WORLD_H

#include <string.h>

#include "attr/attr.h"
#include "attr/read_request.h"
#include "base/strs.h"
#include "base/text.h"
#include "unit.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct attrs attrs;
    struct attr_bindings env;
    struct text out;
};

static inline void set_up(struct world *w, long fail_after)
{
    memset(w, 0, sizeof *w);
    w->mem.fail_after = fail_after;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    w->values.strs = &w->strs;
    attrs_init(&w->attrs, &w->values, &w->mem);
    text_init(&w->out, &w->mem);
}

static inline void tear_down(struct world *w)
{
    text_free(&w->out);
    attr_bindings_free(&w->env);
    attrs_free(&w->attrs);
    values_free(&w->values);
    strs_free(&w->strs);
}

static inline void start(struct world *w, struct attr_reader *r, const char *text)
{
    attr_reader_init(r, &w->attrs, &w->strs, text, strlen(text));
}

static inline int expr(struct world *w, const char *text)
{
    struct attr_reader r;
    int a;

    start(w, &r, text);
    a = attr_read(&r);
    return a >= 0 && attr_read_end(&r) ? a : -1;
}

static inline int value(struct world *w, const char *text)
{
    struct attr_reader r;
    int v;

    start(w, &r, text);
    v = attr_read_value(&r);
    return v >= 0 && attr_read_end(&r) ? v : -1;
}

static inline bool env(struct world *w, const char *text)
{
    struct attr_reader r;

    attr_bindings_free(&w->env);
    start(w, &r, text);
    return attr_read_env(&r, &w->env) && attr_read_end(&r);
}

static inline enum attr_result eval(struct world *w, int a, int *v)
{
    struct attr_env e = attr_bindings_env(&w->env);

    return attr_eval(&w->attrs, &e, a, v);
}

static inline enum attr_result match(struct world *w, int a, int v, bool *yes)
{
    struct attr_env e = attr_bindings_env(&w->env);

    return attr_match(&w->attrs, &e, a, v, yes);
}

static inline const char *text_of(struct world *w, int v)
{
    w->out.n = 0;
    value_print(&w->out, &w->values, &w->strs, v);
    return w->out.a;
}

/* The workload with every allocation failing in turn: it fails cleanly each time, and in the end succeeds. More than
   `least` allocations must have failed. */
static inline void sweep_failures(bool (*workload)(struct world *w), long least)
{
    struct world w;
    bool ok = false;
    long k = 0;

    for (; !ok && k < 10000; k++) {
        set_up(&w, k);
        ok = workload(&w);
        CU_ASSERT(ok || w.mem.fail_after == 0);
        tear_down(&w);
    }
    CU_ASSERT(ok);
    CU_ASSERT(k > least);
}

#endif
