/* Calls of proved functions on random data that satisfy their contracts, or break them in one point: eacsl_core WHAT. E-ACSL's
   runtime, which is linked, knows every block of malloc. */
#include <stdlib.h>

#include "graph/renumber.h"
#include "pattern/inside.h"

void __e_acsl_memory_init(int *argc, char ***argv, size_t size);

static unsigned long state = 1;

static int below(int n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((state >> 33) % (unsigned long)n);
}

static int *ints(int n)
{
    return malloc((size_t)n * sizeof(int));
}

/* The inputs of the last node under a map to smaller numbers. */
static void renumber(int what)
{
    int n = 1 + below(5), nin = 1 + below(4), *in = ints(nin), *map = ints(n), *out = ints(nin - (what == 'o'));

    for (int k = 0; k < n; k++)
        map[k] = n - k + (what == 'r' ? n : 0);
    for (int k = 0; k < nin; k++)
        in[k] = what == 'i' ? n : what == 'r' ? 0 : below(n + 1) - 1;
    graph_renumber(in, nin, map, n, what == 'a' ? in : out, n + 1);
    free(in);
    free(map);
    free(out);
}

enum { NODES = 5, SLOTS = 8, ENTRIES = 7, PATTERNS = 4 };

static void inside(int what)
{
    struct inside_view v = { .n = ENTRIES, .nodes = NODES, .patterns = PATTERNS };
    struct uses_view u = { .n = NODES, .m = SLOTS };
    struct match_entry *entry = calloc(ENTRIES, sizeof *entry);
    struct match_place *place = calloc(NODES - (what == 'p'), sizeof *place);
    struct pattern *pattern = calloc(PATTERNS, sizeof *pattern);

    for (int p = 0; p < PATTERNS; p++) {
        pattern[p].kind = below(PATTERN_ALT + 1);
        pattern[p].nkid = below(2);
    }
    for (int e = 0; e < NODES - (what == 'p'); e++)
        place[e].entry = -1;
    for (int k = 0; k < ENTRIES && what != 'p'; k++) {
        entry[k] = (struct match_entry){ .kind = below(3) ? ENTRY_NODE : ENTRY_LENGTH, .pattern = below(PATTERNS),
                                         .node = below(NODES) };
        entry[k].old = -1;
        if (entry[k].kind == ENTRY_NODE) {
            entry[k].old = place[entry[k].node].entry;
            place[entry[k].node].entry = k;
        }
    }
    if (what == 'c')
        place[entry[0].node].entry = entry[0].kind == ENTRY_NODE ? -1 : 0;
    v.entry = entry;
    v.place = place;
    v.pattern = pattern;
    u.node = calloc(NODES, sizeof *u.node);
    u.slot = calloc(SLOTS, sizeof *u.slot);
    u.in = ints(SLOTS);
    for (int k = 0; k < NODES; k++)
        u.node[k].head = -1;
    for (int s = 0; s < SLOTS; s++) {
        u.in[s] = below(NODES);
        u.slot[s] = (struct use_slot){ -1, -1, -1 };
    }
    for (int s = 0; s < SLOTS; s++)
        if (below(4))
            uses_link(u, s, below(NODES));
    if (what == 'u')
        for (int s = 0; s < SLOTS; s++)
            u.slot[s].prev = s;
    for (int e = 0; e < NODES; e++)
        inside_leak(v, u, e);
    for (int p = 0; p < PATTERNS; p++)
        inside_application(v.pattern + p);
    free(entry);
    free(place);
    free(pattern);
    free(u.node);
    free(u.slot);
    free(u.in);
}

/* n: nothing is broken; renumber: o, i, r, a; inside: p, c, u. */
int main(int argc, char **argv)
{
    int what = argc > 1 ? argv[1][0] : 'n';

    __e_acsl_memory_init(&argc, &argv, sizeof(void *));
    for (int round = 0; round < 200; round++) {
        renumber(what);
        inside(what);
    }
    return 0;
}
