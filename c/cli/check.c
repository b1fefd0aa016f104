#include <getopt.h>

#include "cli/cli.h"

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque check RULES.gsl ... [--json]\n"
               "Reads rule files and checks them before any graph is seen: names, arities, attributes, kinds,\n"
               "bindings of the target. Prints each rule with its class. The first error is printed with its place;\n"
               "exit status 2.\n");
    return status;
}

static json_t *rule_json(const struct rules *r, int i)
{
    return json_pack("{s:s, s:s, s:i, s:s, s:s}", "name", rules_name(r, i), "file", rules_file(r, i), "line",
                     rules_line(r, i), "class", rules_class(r, i), "status", "static");
}

static int list(struct cli *c, const struct rules *r)
{
    int n = rules_count(r);
    json_t *a;

    if (!c->json) {
        for (int i = 0; i < n; i++)
            printf("%-28s class %-6s well formed   %s:%d\n", rules_name(r, i), rules_class(r, i), rules_file(r, i),
                   rules_line(r, i));
        printf("%d rules\n", n);
        return EXIT_YES;
    }
    a = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(a, rule_json(r, i));
    return cli_json(json_pack("{s:o}", "rules", a), EXIT_YES);
}

static int check(struct cli *c, const struct cli_pick *pick)
{
    struct rules r;
    struct diag d;
    int status;

    diag_clear(&d);
    status = cli_rules(c, pick, &r, &d) == CALQUE_OK ? list(c, &r) : cli_fail(&d);
    rules_free(&r);
    return status;
}

static int options(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    int k;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (k == 'j')
            c->json = true;
        else
            return usage(k == 'h' ? stdout : stderr, k == 'h' ? EXIT_YES : EXIT_INPUT);
    }
    return -1;
}

int cmd_check(struct cli *c, int argc, char **argv)
{
    int status = options(c, argc, argv);
    struct cli_pick pick = {.files = 0};

    if (status >= 0)
        return status;
    if (optind >= argc)
        return cli_usage("check", "no rule file given");
    if (argc - optind > CLI_LIST)
        return cli_usage("check", "more than %d rule files", CLI_LIST);
    while (optind < argc)
        pick.file[pick.files++] = argv[optind++];
    return check(c, &pick);
}
