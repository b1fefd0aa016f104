#include "attr/value.h"

#include <string.h>

/* Marks in map (of the values from `first` on) what the marked ones are built from; elements have smaller ids. */
static void mark_elements(const struct values *vs, int first, int *map)
{
    for (int k = vs->n - 1; k >= first; k--) {
        const struct value *v = &vs->v[k];
        if (map[k - first] < 0 || v->kind != VALUE_TUPLE)
            continue;
        for (int j = v->first; j < v->first + v->len; j++)
            if (vs->pool[j] >= first)
                map[vs->pool[j] - first] = 0;
    }
}

bool values_keep(struct values *vs, int first, int pool, int *id, int n)
{
    int *map = mem_zero(vs->mem, (size_t)(vs->n - first) + 1, sizeof *map), to = first;

    if (!map)
        return false;
    memset(map, -1, ((size_t)(vs->n - first) + 1) * sizeof *map);
    for (int k = 0; k < n; k++)
        if (id[k] >= first)
            map[id[k] - first] = 0;
    mark_elements(vs, first, map);
    /* Tuples keep their elements in the order of their ids: everything moves down. */
    for (int k = first; k < vs->n; k++) {
        struct value v = vs->v[k];
        if (map[k - first] < 0)
            continue;
        for (int j = 0; v.kind == VALUE_TUPLE && j < v.len; j++) {
            int x = vs->pool[v.first + j];
            vs->pool[pool + j] = x < first ? x : map[x - first];
        }
        if (v.kind == VALUE_TUPLE) {
            v.first = pool;
            pool += v.len;
        }
        map[k - first] = to;
        vs->v[to++] = v;
    }
    for (int k = 0; k < n; k++)
        if (id[k] >= first)
            id[k] = map[id[k] - first];
    vs->n = to;
    vs->npool = pool;
    mem_free(map);
    return true;
}
