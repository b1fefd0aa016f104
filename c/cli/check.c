#include <getopt.h>

#include "cli/cli.h"

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque check RULES.gsl ... [options]\n"
               "       calque check --set NAME,.. | --rule NAME,..   built-in rules\n"
               "Reads rule files and checks them before any graph is seen: names, arities, attributes, kinds,\n"
               "bindings of the target; the first error is printed with its place, exit status 2. Then searches for\n"
               "a counterexample to each rule among small random graphs and tensors: exit status 1 when there is one,\n"
               "which is printed, or when no graph was found that the rule applies to (it says why).\n"
               "  --static           no search\n"
               "  --tries N          instances for each rule (default 1000)\n"
               "  --seconds S        at most, for each rule (default 8)\n"
               "  --seed N           of the search (default 1)\n"
               "  --jobs N           processes (default: one for each core)\n" CLI_PICK_HELP "  --json\n");
    return status;
}

static json_t *rule_json(const struct rules *r, int i)
{
    return json_pack("{s:s, s:o, s:i, s:s, s:s}", "name", rules_name(r, i), "file", cli_text(rules_file(r, i)), "line",
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
        cli_append(a, rule_json(r, i));
    return cli_json(json_pack("{s:o}", "rules", a), EXIT_YES);
}

static int check(struct cli *c, struct cli_pick *pick, const struct cli_sound *search)
{
    struct rules r;
    struct diag d;
    int status;

    diag_clear(&d);
    status = cli_rules(c, pick, &r, &d) != CALQUE_OK ? cli_fail(&d)
             : search                                 ? cli_sound(c, &r, search)
                                                      : list(c, &r);
    rules_free(&r);
    return status;
}

/* -1: go on. */
static int options(struct cli *c, struct cli_pick *pick, struct cli_sound *o, bool *fixed, int argc, char **argv)
{
    static const struct option longs[] = {{"static", 0, 0, 'S'}, {"tries", 1, 0, 't'}, {"seconds", 1, 0, 's'},
                                          {"seed", 1, 0, 'e'},   {"jobs", 1, 0, 'J'},  {"json", 0, 0, 'j'},
                                          {"help", 0, 0, 'h'},   CLI_PICK_OPTIONS,     {0, 0, 0, 0}};
    bool full = false;
    long n = 0;
    int k;

    while ((k = getopt_long(argc, argv, "hr:", longs, NULL)) != -1) {
        if (k == 't' || k == 's' || k == 'e' || k == 'J')
            if ((n = cli_count(optarg)) < 1)
                return cli_usage("check", "'%s' is not a positive number", optarg);
        switch (k) {
        case 'S': *fixed = true; break;
        case 't': o->tries = n; break;
        case 's': o->seconds = (double)n; break;
        case 'e': o->seed = (unsigned long)n; break;
        case 'J': o->jobs = n > 256 ? 256 : (int)n; break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default:
            if (!cli_pick(pick, k, optarg, &full))
                return usage(stderr, EXIT_INPUT);
        }
    }
    for (; optind < argc && pick->files < CLI_LIST; optind++)
        pick->file[pick->files++] = argv[optind];
    if (full || optind < argc)
        return cli_usage("check", "more than %d rule files", CLI_LIST);
    return -1;
}

int cmd_check(struct cli *c, int argc, char **argv)
{
    struct cli_pick pick = {.files = 0};
    struct cli_sound search = {.seed = 1};
    bool fixed = false;
    int status = options(c, &pick, &search, &fixed, argc, argv);

    if (status >= 0)
        return status;
    if (pick.files + pick.sets + pick.rules == 0)
        return cli_usage("check", "no rule file given");
    return check(c, &pick, fixed ? NULL : &search);
}
