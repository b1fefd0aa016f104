/* Calls of proved functions on random data that satisfy their contracts, or break them in one point: eacsl_core WHAT. E-ACSL's
   runtime, which is linked, knows every block of malloc. */
#include <stdlib.h>

#include "graph/compact_internal.h"

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

/* n: nothing is broken; o, i, r, a: the point that is. */
int main(int argc, char **argv)
{
    int what = argc > 1 ? argv[1][0] : 'n';

    __e_acsl_memory_init(&argc, &argv, sizeof(void *));
    for (int round = 0; round < 200; round++)
        renumber(what);
    return 0;
}
