/* calque rules: the built-in rules, by set, with class and theorem. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "rewrite/library.h"

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque rules [--set NAME,..] [--rule NAME,..] [-r FILE] [--json]\n"
               "       calque rules --text SET\n"
               "Lists the built-in rules (or those asked for), in the order of their turns: class, set, and the names that the\n"
               "published library has for them. Classes: exact (bit for bit), ring (exact in integers), real (reassociates\n"
               "floats). The theorem is that of Coq by which the rule is sound, for all shapes.\n"
               "--text prints a set as the .gsl file it is.\n\n" CLI_PICK_HELP);
    return status;
}

static json_t *published_json(const char *rule)
{
    json_t *a = json_array();
    const char *name;

    for (int k = 0; (name = library_published(rule, k)) != NULL; k++)
        cli_append(a, json_string(name));
    return a;
}

static json_t *rule_json(const struct rules *r, int i)
{
    int set = library_set_of(r, i);

    return json_pack("{s:s, s:o, s:i, s:s, s:s?, s:s?, s:b, s:o}", "name", rules_name(r, i), "file", cli_text(rules_file(r, i)), "line",
                     rules_line(r, i), "class", rules_class(r, i), "theorem", library_theorem(r, i), "set",
                     set < 0 ? NULL : library_set(set)->name,
                     "standard", set >= 0 && library_set(set)->standard, "published", published_json(rules_name(r, i)));
}

static void show_set(int set)
{
    const struct library_set *s = library_set(set);

    printf("%s%s (%s): %s\n", set ? "\n" : "", s->name, s->standard ? "standard" : "by choice", s->words);
}

static int list(struct cli *c, const struct rules *r)
{
    int last = -1, n = rules_count(r), published = 0, proved = 0;
    json_t *a = c->json ? json_array() : NULL;

    for (int i = 0; i < n; i++) {
        int set = library_set_of(r, i);
        const char *name, *theorem;

        if (a) {
            cli_append(a, rule_json(r, i));
            continue;
        }
        if (set >= 0 && set != last)
            show_set(set);
        last = set;
        theorem = library_theorem(r, i);
        proved += theorem != NULL;
        printf("  %-34s %-6s %s", rules_name(r, i), rules_class(r, i), theorem ? theorem : "not proved");
        for (int k = 0; (name = library_published(rules_name(r, i), k)) != NULL; k++, published++)
            printf("%s%s", k ? ", " : "; published as ", name);
        printf("\n");
    }
    if (a)
        return cli_json(json_pack("{s:o}", "rules", a), EXIT_YES);
    printf("%s%d rules, %d proved, %d names of the published library\n", n ? "\n" : "", n, proved, published);
    return EXIT_YES;
}

static int show_text(const char *name)
{
    int set = library_find(name, strlen(name));
    size_t n;
    const char *text;

    if (set < 0)
        return cli_usage("rules", "there is no rule set '%s'", name);
    text = library_text(set, &n);
    fwrite(text, 1, n, stdout);
    return EXIT_YES;
}

static int rules(struct cli *c, struct cli_pick *pick)
{
    struct rules r;
    struct diag d;
    int status;

    diag_clear(&d);
    if (!pick->files && !pick->sets)
        pick->set[pick->sets++] = "all";
    status = cli_rules(c, pick, &r, &d) == CALQUE_OK ? list(c, &r) : cli_fail(&d);
    rules_free(&r);
    return status;
}

int cmd_rules(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_PICK_OPTIONS, {"text", 1, 0, 't'}, {"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    struct cli_pick pick = {.files = 0};
    const char *text = NULL;
    bool full;
    int k;

    while ((k = getopt_long(argc, argv, "r:h", longs, NULL)) != -1) {
        if (cli_pick(&pick, k, optarg, &full)) {
            if (full)
                return cli_usage("rules", "more than %d of one option", CLI_LIST);
            continue;
        }
        switch (k) {
        case 't': text = optarg; break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind < argc)
        return cli_usage("rules", "unexpected argument '%s'", argv[optind]);
    return text ? show_text(text) : rules(c, &pick);
}
