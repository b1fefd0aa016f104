/* What the graph room's unit tests share: one set of arenas and a reader and printer on them. */
#ifndef CALQUE_TESTS_GRAPH_WORLD_H
#define CALQUE_TESTS_GRAPH_WORLD_H

#include <string.h>

#include "graph/graph.h"
#include "graph/text.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct diag d;
};

static inline void world_init(struct world *w)
{
    w->mem = (struct mem)MEM_INIT;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    diag_clear(&w->d);
}

static inline void world_free(struct world *w)
{
    strs_free(&w->strs);
    values_free(&w->values);
}

static inline void world_graph(struct world *w, struct graph *g)
{
    graph_init(g, &w->mem, &w->strs, &w->values);
}

static inline enum calque_status world_read(struct world *w, struct graph *g, const char *src)
{
    world_graph(w, g);
    return graph_text_read(g, "t.graph", src, strlen(src), &w->d);
}

#endif
