/* What tests of rule files work in: arenas and the rules read into them. */
#ifndef CALQUE_TESTS_PATTERN_RULES_WORLD_H
#define CALQUE_TESTS_PATTERN_RULES_WORLD_H

#include "base/strs.h"
#include "pattern/gsl.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct rules rules;
    struct diag d;
};

static inline void open_world(struct world *w)
{
    w->mem = (struct mem)MEM_INIT;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    rules_init(&w->rules, &w->mem, &w->strs, &w->values);
    diag_clear(&w->d);
}

static inline void close_world(struct world *w)
{
    rules_free(&w->rules);
    values_free(&w->values);
    strs_free(&w->strs);
}

#endif
