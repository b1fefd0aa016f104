/* calque ops: the operators with a meaning, from the tables that give it (tensor/ops.def, onnx/forms.def), and what a model has
   without one. calque rules: the built-in rules, by set, with class and theorem. */
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

enum { TYPES_same, TYPES_compare, TYPES_logic, TYPES_onto, TYPES_whole };

static const unsigned char elementwise[OP_COUNT] = {
#define ELEMENTWISE(op, types, formula) [OP_##op] = TYPES_##types,
#include "tensor/elementwise.def"
};

/* The element types of the inputs that are no indices or conditions. */
static const char *const *types(int op)
{
    static const char *const all[] = {"f32", "f64", "i32", "i64", "i8", "u8", "bool", NULL};
    static const char *const computed[] = {"f32", "f64", "i32", "i64", "i8", "u8", NULL}, *const floats[] = {"f32", "f64", NULL};

    switch (elementwise[op]) {
    case TYPES_logic: return all + 6;
    case TYPES_whole: return computed + 2;
    default:          return op_info(op)->traits & OP_FLOAT ? floats : op_info(op)->traits & OP_BOOL ? all : computed;
    }
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

/* ---- operators of ONNX that are read as several of these ---- */

static bool expansion(const char *name, size_t len, struct onnx_expansion *x)
{
    for (int k = 0; onnx_expansion(k, x); k++)
        if (strlen(x->name) == len && memcmp(x->name, name, len) == 0)
            return true;
    return false;
}

static void show_expansion(const struct onnx_expansion *x)
{
    printf("%s (onnx", x->name);
    for (int k = 0, since; (since = onnx_form_since(x->code, k)) > 0; k++)
        printf("%s%d", k ? ", " : " ", since);
    printf("; read as several of the others where its parameters are constant)\n    %s\n", x->words);
    if (x->theorem)
        printf("    proved: %s\n", x->theorem);
}

static void show_expansions(void)
{
    struct onnx_expansion x;

    printf("\nread as several of these, where their parameters are constant (in brackets: the theorem that they compute ONNX's formula):\n");
    for (int k = 0; onnx_expansion(k, &x); k++)
        printf("    %-22s %s%s%s%s\n", x.name, x.words, x.theorem ? " [" : "", x.theorem ? x.theorem : "", x.theorem ? "]" : "");
}

static json_t *expansion_json(const struct onnx_expansion *x)
{
    json_t *o = json_pack("{s:s, s:s}", "name", x->name, "read_as", x->words);

    if (x->theorem)
        json_object_set_new(o, "theorem", json_string(x->theorem));
    return o;
}

static json_t *expansions_json(void)
{
    json_t *a = json_array();
    struct onnx_expansion x;

    for (int k = 0; onnx_expansion(k, &x); k++)
        json_array_append_new(a, expansion_json(&x));
    return a;
}

/* ---- the command ---- */

static void show_theorems(int n)
{
    printf("\n%d operators; proved of each of them in Coq:\n", n);
    for (size_t i = 0; i < sizeof theorems / sizeof *theorems; i++)
        printf("    %-22s %s\n", theorems[i].theorem, theorems[i].words);
}

static int list_all(struct cli *c)
{
    json_t *a = c->json ? json_array() : NULL;

    for (int op = OP_Opaque + 1; op < OP_COUNT; op++) {
        if (a)
            json_array_append_new(a, op_json(op));
        else
            show(op);
    }
    if (a)
        return cli_json(json_pack("{s:o, s:o, s:o}", "operators", a, "expanded", expansions_json(), "proved", theorems_json()),
                        EXIT_YES);
    show_theorems(OP_COUNT - OP_Opaque - 1);
    show_expansions();
    return EXIT_YES;
}

static int list_named(struct cli *c, char **name, int names)
{
    json_t *own = json_array(), *read = json_array();
    struct onnx_expansion x;
    int n = 0;

    for (int i = 0; i < names; i++) {
        int op = op_find(name[i], strlen(name[i]));
        if (c->json && op >= 0)
            json_array_append_new(own, op_json(op));
        else if (op >= 0)
            show(op);
        else if (expansion(name[i], strlen(name[i]), &x) && c->json)
            json_array_append_new(read, expansion_json(&x));
        else
            show_expansion(&x);
        n += op >= 0;
    }
    if (c->json)
        return cli_json(json_pack("{s:o, s:o, s:o}", "operators", own, "expanded", read, "proved", theorems_json()), EXIT_YES);
    json_decref(own);
    json_decref(read);
    if (n)
        show_theorems(n);
    return EXIT_YES;
}

int cmd_ops(struct cli *c, int argc, char **argv)
{
    int status = cli_json_option(c, argc, argv, usage);
    struct onnx_expansion x;

    if (status >= 0)
        return status;
    for (int i = optind; i < argc; i++)
        if (op_find(argv[i], strlen(argv[i])) < 0 && !expansion(argv[i], strlen(argv[i]), &x)) {
            fprintf(stderr, "calque ops: there is no operator '%s' with a meaning\n", argv[i]);
            return EXIT_NO;
        }
    return optind < argc ? list_named(c, argv + optind, argc - optind) : list_all(c);
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

/* ---- what stands between a model and its emission or evaluation: all the operators without a meaning, by kind ---- */

/* The nodes that fail for the same reason, in words that begin with their operator: a string id. */
struct kind {
    int words, count, first;
};

struct finding {
    struct cli *c;
    const struct graph *g;
    char *needed; /* by node */
    struct { struct kind *a; int n, cap; } kind;
};

static void find_needed(struct finding *f)
{
    const struct graph *g = f->g;

    for (int i = 0; i < g->output.n; i++)
        f->needed[g->output.a[i].node] = 1;
    for (int i = g->node.n - 1; i >= 0; i--)
        for (int k = 0; f->needed[i] && k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0 && (g->node.a[i].kind != NODE_OP || op_needs(g->node.a[i].op, k)))
                f->needed[graph_in(g, i, k)] = 1;
}

static bool is_typed(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    return x->kind == NODE_TUPLE || (x->dtype != DTYPE_UNKNOWN && x->shape.rank >= 0);
}

/* Is there an input of unknown type? Then what fails is not this operator first. */
static bool is_downstream(const struct graph *g, int node)
{
    for (int k = 0; k < g->node.a[node].nin; k++)
        if (graph_in(g, node, k) >= 0 && !is_typed(g, graph_in(g, node, k)))
            return true;
    return false;
}

/* What the reader of the model said of the value. */
static int reason_of(const struct cli *c, int value)
{
    for (int i = 0; value >= 0 && i < c->reasons.n; i++)
        if (c->reasons.a[i].value == value)
            return c->reasons.a[i].text;
    return -1;
}

static int opaque_words(const struct finding *f, int node)
{
    const struct graph *g = f->g;
    int words = reason_of(f->c, g->node.a[node].name);
    size_t len;
    const char *type = graph_opaque_type(g, node, &len);

    for (int i = node + 1; words < 0 && i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node)
            words = reason_of(f->c, g->node.a[i].name);
    return words >= 0 ? words : strs_add(&f->c->strs, type, len);
}

/* "Gather: the indices are not constant" of "node g (Gather): the indices are not constant: no kernel". */
static int kernel_words(const struct finding *f, int node, const struct diag *d)
{
    static const char none[] = ": no kernel";
    const char *at = strstr(d->text, "): ");
    size_t n;
    struct text t;
    int id;

    at = at ? at + 3 : d->text;
    n = strlen(at);
    if (n > sizeof none && strcmp(at + n - (sizeof none - 1), none) == 0)
        n -= sizeof none - 1;
    text_init(&t, &f->c->mem);
    text_printf(&t, "%s: %.*s", op_info(f->g->node.a[node].op)->name, (int)n, at);
    id = t.failed ? -1 : strs_addz(&f->c->strs, t.a);
    text_free(&t);
    return id;
}

/* An operator that would have a meaning if its inputs had types. */
static bool is_known(const char *type, size_t len)
{
    struct onnx_expansion x;

    return op_find(type, len) >= 0 || expansion(type, len, &x);
}

/* Why the node has no meaning: a string id; -1 when it has one, or when nothing can be said. */
static int words_of(const struct finding *f, int node)
{
    const struct graph *g = f->g;
    const struct node *x = &g->node.a[node];
    struct text t;
    struct diag d;
    enum calque_status st;

    if (x->kind != NODE_OP || !f->needed[node])
        return -1;
    if (x->op == OP_Opaque) {
        size_t len;
        const char *type = graph_opaque_type(g, node, &len);
        return is_downstream(g, node) && is_known(type, len) ? -1 : opaque_words(f, node);
    }
    if (is_downstream(g, node))
        return -1;
    diag_clear(&d);
    text_init(&t, &f->c->mem);
    st = op_kernel_text(g, node, &t, &d);
    text_free(&t);
    return st == CALQUE_BAD ? kernel_words(f, node, &d) : -1;
}

static void add(struct finding *f, int words, int node)
{
    for (int i = 0; i < f->kind.n; i++)
        if (f->kind.a[i].words == words) {
            f->kind.a[i].count++;
            return;
        }
    if (vec_room(&f->c->mem, &f->kind, 1))
        f->kind.a[f->kind.n++] = (struct kind){words, 1, node};
}

static const char *name_of(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    if (x->label >= 0)
        return strs_text(g->strs, x->label);
    if (x->name >= 0)
        return strs_text(g->strs, x->name);
    for (int i = node + 1; i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node && g->node.a[i].name >= 0)
            return strs_text(g->strs, g->node.a[i].name);
    return "";
}

/* As many kinds as a diagnostic has room for. */
static void say(struct finding *f, const char *path, struct diag *d)
{
    char text[DIAG_TEXT - 64];
    size_t at = 0;
    int done = 0, total = 0;

    for (int i = 0; i < f->kind.n; i++)
        total += f->kind.a[i].count;
    for (; done < f->kind.n; done++) {
        const struct kind *k = &f->kind.a[done];
        const char *name = name_of(f->g, k->first);
        int n = snprintf(text + at, sizeof text - at, "%s%s (%d%s%.40s)", done ? ", " : "", strs_text(&f->c->strs, k->words),
                         k->count, k->count > 1 ? ", first at " : *name ? " at " : "", name);
        if (n < 0 || (size_t)n >= sizeof text - at)
            break;
        at += (size_t)n;
    }
    text[at] = '\0';
    if (done < f->kind.n)
        diag_set(d, CALQUE_BAD, path, 0, 0, "%d operators are not supported: %s, and %d more kinds", total, text,
                 f->kind.n - done);
    else
        diag_set(d, CALQUE_BAD, path, 0, 0, "%d operator%s not supported: %s", total, total > 1 ? "s are" : " is", text);
}

void cli_unsupported(struct cli *c, const char *path, const struct graph *g, struct diag *d)
{
    struct finding f = {.c = c, .g = g, .needed = mem_zero(&c->mem, (size_t)g->node.n, 1)};

    if (f.needed && d->status == CALQUE_BAD) {
        find_needed(&f);
        for (int i = 0; i < g->node.n; i++) {
            int words = words_of(&f, i);
            if (words >= 0)
                add(&f, words, i);
        }
        if (f.kind.n > 0)
            say(&f, path, d);
    }
    mem_free(f.needed);
    mem_free(f.kind.a);
}
