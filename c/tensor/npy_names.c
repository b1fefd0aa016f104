#include "tensor/npy_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { STEM_MAX = 200, NUMBER_MAX = 16 }; /* bytes; file systems have 255 */

/* While names are given out: the names and the stems in small letters, each with its first owner or next number. */
struct giving {
    struct npy_names *x;
    struct mem *mem;
    struct strs names, taken;
    struct ints first;  /* name -> place in the list */
    struct ints number; /* stem taken -> the number to try next */
};

/* What a file may be named, at most STEM_MAX bytes: out differs from name where something had to change. */
static void plain(const char *name, char *out)
{
    size_t n = 0;

    for (; name[n] && n < STEM_MAX; n++) {
        unsigned char c = (unsigned char)name[n];
        out[n] = c < 32 || c == 127 || strchr("/\\:*?\"<>| ", c) || (n == 0 && c == '.') ? '_' : (char)c;
    }
    while (name[n] && n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) /* not inside a character of UTF-8 */
        n--;
    if (n == 0)
        out[n++] = '_';
    out[n] = '\0';
}

/* The id of the stem in small letters: a new one, or *old. -1: memory. */
static int take(struct giving *v, const char *stem, bool *old)
{
    char small[STEM_MAX + NUMBER_MAX + 1];
    size_t n = 0;
    int id, count = v->taken.entry.n;

    for (; stem[n]; n++)
        small[n] = (char)tolower((unsigned char)stem[n]);
    id = strs_add(&v->taken, small, n);
    *old = id >= 0 && id < count;
    return id < 0 || *old || ints_push(v->mem, &v->number, 2) ? id : -1;
}

/* Gives name k its stem; numbered: with a number if the stem is taken, else it then has none (-1). False: no memory. */
static bool give(struct giving *v, int k, const char *stem, bool numbered)
{
    char tried[STEM_MAX + NUMBER_MAX + 1];
    bool old;
    int id = take(v, stem, &old);

    snprintf(tried, sizeof tried, "%s", stem);
    while (id >= 0 && old && numbered) {
        snprintf(tried, sizeof tried, "%s_%d", stem, v->number.a[id]++);
        if (take(v, tried, &old) < 0)
            return false;
    }
    if (id < 0)
        return false;
    v->x->stem.a[k] = old ? -1 : strs_addz(&v->x->strs, tried);
    return old || v->x->stem.a[k] >= 0;
}

/* The place where the name stood first. -1: memory. */
static int first_place(struct giving *v, const char *name, int k)
{
    int id = strs_addz(&v->names, name);

    if (id < 0 || (id == v->first.n && !ints_push(v->mem, &v->first, k)))
        return -1;
    return v->first.a[id];
}

static bool give_all(struct giving *v, const char *const *name, int n)
{
    char stem[STEM_MAX + 1];

    for (int k = 0; k < n; k++) {
        int at = first_place(v, name[k], k);
        if (at < 0 || !ints_push(v->mem, &v->x->stem, -1))
            return false;
        plain(name[k], stem);
        if (at == k && strcmp(stem, name[k]) == 0 && !give(v, k, stem, false))
            return false;
    }
    for (int k = 0; k < n; k++) {
        int at = first_place(v, name[k], k);
        plain(name[k], stem);
        if (at == k && v->x->stem.a[k] < 0 && !give(v, k, stem, true))
            return false;
        v->x->stem.a[k] = v->x->stem.a[at];
    }
    return true;
}

enum calque_status npy_names(struct npy_names *x, struct mem *mem, const char *const *name, int n, struct diag *d)
{
    struct giving v = { .x = x, .mem = mem };
    bool ok;

    memset(x, 0, sizeof *x);
    strs_init(&x->strs, mem);
    strs_init(&v.names, mem);
    strs_init(&v.taken, mem);
    ok = give_all(&v, name, n);
    strs_free(&v.names);
    strs_free(&v.taken);
    ints_free(&v.first);
    ints_free(&v.number);
    return ok ? CALQUE_OK : diag_nomem(d);
}

enum calque_status npy_names_graph(struct npy_names *x, const struct graph *g, struct diag *d)
{
    int n = g->input.n + g->output.n;
    const char **name = mem_zero(g->mem, (size_t)n + 1, sizeof *name);
    enum calque_status st;

    for (int i = 0; name && i < n; i++)
        name[i] = i < g->input.n ? graph_name(g, g->input.a[i])
                                 : strs_text(g->strs, g->output.a[i - g->input.n].name);
    st = npy_names(x, g->mem, name, name ? n : 0, d);
    mem_free(name);
    return name || st != CALQUE_OK ? st : diag_nomem(d);
}

const char *npy_stem(const struct npy_names *x, int k)
{
    return strs_text(&x->strs, x->stem.a[k]);
}

void npy_names_free(struct npy_names *x)
{
    strs_free(&x->strs);
    ints_free(&x->stem);
}
