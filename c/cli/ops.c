/* calque ops: the operators with a meaning, from the tables that give it (tensor/ops.def, onnx/forms.def). calque rules: the
   built-in rules, by set, with class and theorem. calque profile: the requirements of the safety-related profile (onnx/profile.def),
   with what answers them, or where a model falls short of them. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "rewrite/library.h"
#include "tensor/op.h"

/* What Coq proves of each operator of the table, one theorem over all of them (tests/coq/theorems.golden has the statements;
   tests/cli/ops.sh looks that each is there, and that Coq's table has the same operators). */
static const struct {
    const char *theorem, *words;
} theorems[] = {
    {"op_kernel_correct", "its kernel computes what the operator means, over any scalars"},
    {"op_kernel_exists", "it has a kernel wherever its type is known"},
    {"op_kernel_safe", "the kernel reads inside of its tensors"},
    {"op_kernel_stores_once", "the kernel stores each cell once"},
    {"infer_sound", "the type that is inferred is that of the value"},
    {"infer_complete", "a value has a type (all but Gather, whose indices may be outside)"},
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque ops [NAME ..] [--json]\n"
               "Lists the operators that have a meaning, or those named: the domain (onnx: the default one), the opsets from\n"
               "which their forms are read, element types, inputs, meaning; last what is proved of each of them in Coq.\n"
               "What is not listed stays in a model as it is, and is neither run nor emitted.\n\n"
               "      --json  machine-readable answer\n");
    return status;
}

static const char *domain(int op)
{
    return op_info(op)->traits & OP_CALQUE ? "calque" : "onnx";
}

static const char *const float_types[] = {"f32", "f64", NULL};
static const char *const all_types[] = {"f32", "f64", "i32", "i64", "i8", "u8", NULL};

static const char *const *types(int op)
{
    return op_info(op)->traits & OP_FLOAT ? float_types : all_types;
}

static void show(int op)
{
    const struct op_info *x = op_info(op);
    char inputs[32];
    int since;

    if (x->most < 0)
        snprintf(inputs, sizeof inputs, "%d or more", x->least);
    else
        snprintf(inputs, sizeof inputs, x->least == x->most ? "%d" : "%d to %d", x->least, x->most);
    printf("%s (%s", x->name, domain(op));
    for (int k = 0; (since = onnx_form_since(op, k)) > 0; k++)
        printf("%s%d", k ? ", " : " ", since);
    printf("; inputs: %s; types:", inputs);
    for (const char *const *t = types(op); *t; t++)
        printf(" %s", *t);
    printf(")\n    %s\n", x->words);
}

static json_t *op_json(int op)
{
    const struct op_info *x = op_info(op);
    json_t *since = json_array(), *names = json_array(), *attributes = json_array();
    int n, opset;
    const struct op_attr_info *a = op_attrs(op, &n);

    for (int k = 0; (opset = onnx_form_since(op, k)) > 0; k++)
        json_array_append_new(since, json_integer(opset));
    for (const char *const *t = types(op); *t; t++)
        json_array_append_new(names, json_string(*t));
    for (int k = 0; k < n; k++)
        json_array_append_new(attributes, json_string(a[k].label));
    return json_pack("{s:s, s:s, s:o, s:i, s:i, s:o, s:o, s:s}", "name", x->name, "domain", domain(op), "since", since, "least", x->least,
                     "most", x->most, "types", names, "attributes", attributes, "meaning", x->words);
}

static json_t *theorems_json(void)
{
    json_t *a = json_array();

    for (size_t i = 0; i < sizeof theorems / sizeof *theorems; i++)
        json_array_append_new(a, json_pack("{s:s, s:s}", "theorem", theorems[i].theorem, "says", theorems[i].words));
    return a;
}

/* Operators of ONNX that are read as several of these. */
static void show_expansions(void)
{
    const char *words, *name;

    printf("\nread as several of these, where their parameters are constant:\n");
    for (int k = 0; (name = onnx_expansion(k, &words)) != NULL; k++)
        printf("    %-22s %s\n", name, words);
}

static json_t *expansions_json(void)
{
    json_t *a = json_array();
    const char *words, *name;

    for (int k = 0; (name = onnx_expansion(k, &words)) != NULL; k++)
        json_array_append_new(a, json_pack("{s:s, s:s}", "name", name, "read_as", words));
    return a;
}

static int list(struct cli *c, char **name, int names)
{
    json_t *a = c->json ? json_array() : NULL;
    int n = names ? names : OP_COUNT - 1;

    for (int i = 0; i < n; i++) {
        int op = names ? op_find(name[i], strlen(name[i])) : i + OP_Opaque + 1;
        if (a)
            json_array_append_new(a, op_json(op));
        else
            show(op);
    }
    if (a)
        return cli_json(json_pack("{s:o, s:o, s:o}", "operators", a, "expanded", expansions_json(), "proved", theorems_json()),
                        EXIT_YES);
    printf("\n%d operators; proved of each of them in Coq:\n", n);
    for (size_t i = 0; i < sizeof theorems / sizeof *theorems; i++)
        printf("    %-22s %s\n", theorems[i].theorem, theorems[i].words);
    if (!names)
        show_expansions();
    return EXIT_YES;
}

int cmd_ops(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    int k;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (k) {
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    for (int i = optind; i < argc; i++)
        if (op_find(argv[i], strlen(argv[i])) < 0) {
            fprintf(stderr, "calque ops: there is no operator '%s' with a meaning\n", argv[i]);
            return EXIT_NO;
        }
    return list(c, argv + optind, argc - optind);
}

/* ---- calque rules ---- */

static int rules_usage(FILE *f, int status)
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

static int list_rules(struct cli *c, const struct rules *r)
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
    status = cli_rules(c, pick, &r, &d) == CALQUE_OK ? list_rules(c, &r) : cli_fail(&d);
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
        case 'h': return rules_usage(stdout, EXIT_YES);
        default: return rules_usage(stderr, EXIT_INPUT);
        }
    }
    if (optind < argc)
        return cli_usage("rules", "unexpected argument '%s'", argv[optind]);
    return text ? show_text(text) : rules(c, &pick);
}

/* ---- calque profile ---- */

enum { PROFILE_LINES = 20 }; /* of one requirement, as text */

static int profile_usage(FILE *f, int status)
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
    static const struct option longs[] = {{"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    int k;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (k) {
        case 'j': c->json = true; break;
        case 'h': return profile_usage(stdout, EXIT_YES);
        default: return profile_usage(stderr, EXIT_INPUT);
        }
    }
    if (optind < argc - 1)
        return cli_usage("profile", "give one model");
    if (optind == argc)
        return list_requirements(c);
    if (cli_ends(argv[optind], ".graph") || cli_ends(argv[optind], ".gsl"))
        return cli_usage("profile", "the profile is of ONNX files");
    return profile(c, argv[optind]);
}
