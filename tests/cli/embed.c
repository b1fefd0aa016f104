/* A stranger's program: reads .graph text, rewrites it by the built-in rules, prints how many rewrites were applied. */
#include <stdio.h>

#include "calque.h"

int main(int argc, char **argv)
{
    struct mem mem = MEM_INIT;
    struct strs strs;
    struct values values;
    struct graph g;
    struct rules rules;
    struct rewrite_stats stats = {0};
    struct rewrite_options options = {0};
    struct diag d;
    char *data = NULL;
    size_t n = 0;
    enum calque_status st;

    if (argc != 2)
        return 2;
    diag_clear(&d);
    strs_init(&strs, &mem);
    values_init(&values, &mem);
    graph_init(&g, &mem, &strs, &values);
    rules_init(&rules, &mem, &strs, &values);
    st = file_read(&mem, argv[1], &data, &n, &d);
    if (st == CALQUE_OK)
        st = graph_text_read(&g, argv[1], data, n, &d);
    if (st == CALQUE_OK)
        st = library_parse(&rules, "standard", &d);
    if (st == CALQUE_OK)
        st = rewrite_stats_init(&stats, &rules, &d);
    if (st == CALQUE_OK)
        st = rewrite_fix(&g, &rules, &options, &stats, &d);
    if (st == CALQUE_OK)
        printf("%ld rewrites\n", stats.applied);
    else
        fprintf(stderr, "%s:%d:%d: %s\n", d.file, d.line, d.col, d.text);
    rewrite_stats_free(&stats);
    rules_free(&rules);
    graph_free(&g);
    values_free(&values);
    strs_free(&strs);
    mem_free(data);
    return st == CALQUE_OK ? 0 : 1;
}
