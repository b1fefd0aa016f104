/* calque profile: where a model falls short of ONNX's safety-related profile, requirement by requirement, and the table of all
   requirements (onnx/profile.def). */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"

enum { PROFILE_LINES = 20 }; /* of one requirement, as text */

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque profile MODEL.onnx [--json]\n"
               "       calque profile [--json]\n"
               "Says of each draft requirement of ONNX's safety-related profile that can be decided on a model whether it holds, or which\n"
               "nodes fall short (name, operator, number and first byte in the file) and why. Exit status: 0 each of them holds, 1 one does\n"
               "not, or is not decided, 2 the file is no ONNX model. Without a model it lists all requirements, with what Calque has for\n"
               "them, and the theorems, files and commands where that is seen.\n\n"
               "      --json  machine-readable answer: all nodes, not the first %d of a requirement\n",
            PROFILE_LINES);
    return status;
}

static json_t *evidence_json(const char *s)
{
    json_t *a = json_array();

    while (*s) {
        size_t n = strcspn(s, " ");
        cli_append(a, json_stringn(s, n));
        s += n + strspn(s + n, " ");
    }
    return a;
}

static int list_requirements(struct cli *c)
{
    const struct onnx_requirement *r;
    json_t *a = c->json ? json_array() : NULL;
    int k = 0, decided = 0, none = 0;

    for (; (r = onnx_requirement(k)) != NULL; k++) {
        decided += r->decided;
        none += !r->evidence[0];
        if (a)
            cli_append(a, json_pack("{s:s, s:s, s:b, s:s, s:s, s:o}", "number", r->number, "anchor", r->anchor, "decided", r->decided,
                                    "requirement", r->words, "here", r->have, "evidence", evidence_json(r->evidence)));
        else
            printf("%s %s: %s%s\n    %s\n%s%s%s", r->number, r->anchor, r->words, r->decided ? " (decided on a model)" : "",
                   r->have[0] ? r->have : "nothing", r->evidence[0] ? "    " : "", r->evidence, r->evidence[0] ? "\n" : "");
    }
    if (a)
        return cli_json(json_pack("{s:o}", "requirements", a), EXIT_YES);
    printf("%d requirements, %d of them decided on a model, %d without an answer\n", k, decided, none);
    return EXIT_YES;
}

static json_t *name_json(const struct cli *c, int id)
{
    return id < 0 ? json_null() : cli_text(strs_text(&c->strs, id));
}

static json_t *lack_json(const struct cli *c, const struct onnx_lack *l)
{
    json_t *x = json_pack("{s:o, s:o}", "name", name_json(c, l->name), "why", name_json(c, l->why));

    if (l->node >= 0) {
        cli_set(x, "operator", name_json(c, l->op));
        cli_set(x, "number", json_integer(l->node));
        cli_set(x, "at", json_integer((json_int_t)l->at));
    }
    return x;
}

static void show_lack(const struct cli *c, const struct onnx_lack *l)
{
    if (l->node >= 0) {
        printf("    node %d %s", l->node, strs_text(&c->strs, l->name));
        printf(" (%s) at byte %zu: ", strs_text(&c->strs, l->op), l->at);
    } else if (l->name >= 0) {
        printf("    %s: ", strs_text(&c->strs, l->name));
    } else {
        printf("    the model: ");
    }
    printf("%s\n", strs_text(&c->strs, l->why));
}

static int show_lacks(const struct cli *c, const struct onnx_lacks *x, int k, json_t *a)
{
    int n = 0;

    for (int i = 0; i < x->n; i++)
        if (x->a[i].requirement == k) {
            if (a)
                cli_append(a, lack_json(c, &x->a[i]));
            else if (n < PROFILE_LINES)
                show_lack(c, &x->a[i]);
            n++;
        }
    if (!a && n > PROFILE_LINES)
        printf("    and %d more (--json has all)\n", n - PROFILE_LINES);
    return n;
}

static int lacks_of(const struct onnx_lacks *x, int k)
{
    int n = 0;

    for (int i = 0; i < x->n; i++)
        n += x->a[i].requirement == k;
    return n;
}

/* What needs the model's types is not decided without them. */
static bool is_decided(const struct onnx_lacks *x, const struct onnx_requirement *r)
{
    return x->read || (strcmp(r->anchor, "format_compatibility") != 0 && strcmp(r->anchor, "reference_imp") != 0);
}

static int answer_profile(struct cli *c, const char *path, const struct onnx_lacks *x)
{
    const struct onnx_requirement *r;
    json_t *a = c->json ? json_array() : NULL;
    int decided = 0, held = 0;

    for (int k = 0; (r = onnx_requirement(k)) != NULL; k++) {
        int n = lacks_of(x, k);
        bool known = n > 0 || is_decided(x, r);
        json_t *list = a && r->decided ? json_array() : NULL;
        if (!r->decided)
            continue;
        decided++;
        held += known && n == 0;
        if (!a)
            printf("%s %s: %s\n", r->number, r->anchor, !known ? "not decided: an input has no static type" : n == 0 ? "holds" : "falls short");
        show_lacks(c, x, k, list);
        if (a)
            cli_append(a, json_pack("{s:s, s:s, s:s, s:o, s:o}", "number", r->number, "anchor", r->anchor, "requirement", r->words, "holds",
                                    !known ? json_null() : json_boolean(n == 0), "falls_short", list));
    }
    if (a)
        return cli_json(json_pack("{s:o, s:i, s:b, s:o}", "model", cli_text(path), "nodes", x->nodes, "conforms", held == decided,
                                  "requirements", a), held == decided ? EXIT_YES : EXIT_NO);
    printf("%s: %d of %d requirements hold, %d nodes\n", path, held, decided, x->nodes);
    return held == decided ? EXIT_YES : EXIT_NO;
}

static int profile(struct cli *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *data = NULL, *folder = mem_text(&c->mem, path, slash ? (size_t)(slash - path) + 1 : 0);
    struct onnx_lacks x = { .n = 0 };
    struct graph g;
    struct diag d;
    size_t n;
    enum calque_status st;
    int status;

    diag_clear(&d);
    graph_init(&g, &c->mem, &c->strs, &c->values);
    st = folder ? file_read(&c->mem, path, &data, &n, &d) : diag_nomem(&d);
    if (st == CALQUE_OK)
        st = onnx_profile(&g, path, (const unsigned char *)data, n, folder, &x, &d);
    status = st == CALQUE_OK ? answer_profile(c, path, &x) : cli_fail(&d);
    mem_free(x.a);
    mem_free(data);
    mem_free(folder);
    graph_free(&g);
    return status;
}

int cmd_profile(struct cli *c, int argc, char **argv)
{
    int status = cli_json_option(c, argc, argv, usage);

    if (status >= 0)
        return status;
    if (optind < argc - 1)
        return cli_usage("profile", "give one model");
    if (optind == argc)
        return list_requirements(c);
    if (cli_ends(argv[optind], ".graph") || cli_ends(argv[optind], ".gsl"))
        return cli_usage("profile", "the profile is of ONNX files");
    return profile(c, argv[optind]);
}
