/* calque check: the rules that pass the static check, and the bounded search for counterexamples on several processes
   (rewrite/rulecheck.h). Invariant: the answer does not depend on the number of processes. */
#include "cli/cli.h"
#include "graph/text.h"
#include "rewrite/library.h"
#include "rewrite/rulecheck.h"
#include "tensor/op.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the bounded search for counterexamples, on several processes ---- */

struct search_options {
    long tries;
    unsigned long seed;
    double seconds; /* for each rule */
    int jobs;
};

enum { VALUES_SHOWN = 24 };

static void put_tensor(struct text *t, const char *name, const struct tensor *x)
{
    long n = shape_elems(&x->shape);

    text_printf(t, "    %s: ", name);
    graph_type_write(t, x->dtype, &x->shape);
    text_puts(t, " = [");
    for (long i = 0; i < n && i < VALUES_SHOWN; i++)
        if (x->dtype == DTYPE_F32)
            text_printf(t, "%s%.9g", i ? ", " : "", (double)tensor_f32(x)[i]);
        else if (x->dtype == DTYPE_I64)
            text_printf(t, "%s%ld", i ? ", " : "", tensor_i64(x)[i]);
        else if (x->dtype == DTYPE_I8)
            text_printf(t, "%s%d", i ? ", " : "", ((const int8_t *)x->data)[i]);
        else if (x->dtype == DTYPE_BOOL || x->dtype == DTYPE_U8)
            text_printf(t, "%s%d", i ? ", " : "", ((const unsigned char *)x->data)[i]);
    text_puts(t, n > VALUES_SHOWN ? ", ...]\n" : "]\n");
}

static void put_graph(struct text *t, const char *what, const struct graph *g)
{
    struct text own;

    text_init(&own, g->mem);
    graph_text_write(&own, g);
    text_printf(t, "  %s\n", what);
    for (const char *s = own.a ? own.a : ""; *s;) {
        const char *end = strchr(s, '\n');
        size_t n = end ? (size_t)(end - s) : strlen(s);
        text_puts(t, "    ");
        text_put(t, s, n);
        text_puts(t, "\n");
        s += n + (end != NULL);
    }
    t->failed |= own.failed;
    text_free(&own);
}

static void put_counterexample(struct text *t, const struct rulecheck *s)
{
    text_printf(t, "  %s\n", s->reason);
    put_graph(t, "the graph:", &s->before);
    if (s->answer != RULECHECK_VALUE)
        return;
    put_graph(t, "rewritten:", &s->after);
    text_puts(t, "  the inputs:\n");
    for (int j = 0; j < s->input.n; j++)
        put_tensor(t, graph_name(&s->before, s->before.input.a[j]), &s->input.a[j]);
    text_puts(t, "  the output:\n");
    put_tensor(t, "before", &s->want);
    put_tensor(t, "after", &s->got);
}

/* What the slices of one rule's search say together. */
struct verdict {
    enum rulecheck_answer answer;
    long instances, discarded, limits, systematic, size;
    int changes, slice; /* whose counterexample it is */
};

static const char *answer_word(const struct verdict *v)
{
    switch (v->answer) {
    case RULECHECK_TESTED:
        return "tested";
    case RULECHECK_NONE:
    case RULECHECK_UNKNOWN:
        return "not tested";
    default:
        return "REFUTED";
    }
}

static bool is_untested(const struct verdict *v)
{
    return v->answer == RULECHECK_NONE || v->answer == RULECHECK_UNKNOWN;
}

static void put_answer(const struct rules *r, int rule, const struct verdict *v, const char *counterexample)
{
    if (v->answer == RULECHECK_UNKNOWN) {
        printf("%-32s class %-6s %s: %s", rules_name(r, rule), rules_class(r, rule), answer_word(v), counterexample);
        return;
    }
    printf("%-32s class %-6s %s %ld", rules_name(r, rule), rules_class(r, rule), answer_word(v), v->instances);
    if (v->answer == RULECHECK_NONE)
        printf(" (no instance of its source was found)\n  ");
    else if (v->changes < 0)
        printf(" (%ld systematic)", v->systematic);
    else
        printf(" (%ld systematic: all of up to %d changes)", v->systematic, v->changes);
    printf("%s%s", v->answer == RULECHECK_NONE ? "" : "\n", counterexample);
}

static json_t *answer_json(const struct rules *r, int rule, const struct verdict *v, const char *counterexample)
{
    const char *theorem = library_theorem(r, rule);

    bool none = is_untested(v);

    return json_pack("{s:s, s:o, s:i, s:s, s:s?, s:s, s:I, s:I, s:i, s:I, s:o, s:o}", "name", rules_name(r, rule), "file",
                     cli_text(rules_file(r, rule)), "line", rules_line(r, rule), "class", rules_class(r, rule), "theorem", theorem,
                     "status", answer_word(v), "instances", (json_int_t)v->instances, "systematic",
                     (json_int_t)v->systematic, "changes", v->changes, "discarded", (json_int_t)v->discarded,
                     "counterexample", cli_text(none ? "" : counterexample), "reason", cli_text(none ? counterexample : ""));
}

static bool progress(void *ctx, long instances)
{
    const char *name = ctx;

    if (name)
        dprintf(STDERR_FILENO, "\r%-32s %8ld", name, instances); /* rules have plain names */
    return true;
}

/* The search is cut into as many slices whatever the number of processes, so that the answer does not depend on it. */
enum { SLICES = 4 };

/* One slice, in a process of its own: its verdict and the counterexample as text on out; the exit status. */
static int one(struct cli *c, const struct rules *r, int rule, int slice, const struct search_options *o, FILE *out)
{
    char name[128];
    struct rulecheck_options so = {.tries = o->tries, .seed = o->seed, .seconds = o->seconds, .slice = slice,
                               .slices = SLICES, .progress = progress};
    struct rulecheck s;
    struct diag d;
    struct text t;
    int status;

    diag_clear(&d);
    snprintf(name, sizeof name, "%s", rules_name(r, rule));
    so.ctx = slice == 0 && isatty(STDERR_FILENO) ? name : NULL;
    text_init(&t, &c->mem);
    status = rulecheck(r, rule, &so, &s, &d) != CALQUE_OK ? cli_fail(&d) : EXIT_YES;
    if (so.ctx)
        dprintf(STDERR_FILENO, "\r%48s\r", "");
    if (status == EXIT_YES && s.answer >= RULECHECK_VALUE)
        put_counterexample(&t, &s);
    else if (status == EXIT_YES && (s.answer == RULECHECK_NONE || s.answer == RULECHECK_UNKNOWN))
        text_printf(&t, "%s\n", s.reason);
    fprintf(out, "%d %ld %ld %ld %ld %ld %d\n", (int)s.answer, s.instances, s.discarded, s.limits, s.systematic, s.size, s.changes);
    fputs(t.a ? t.a : "", out);
    if (status == EXIT_YES && (fflush(out) != 0 || t.failed)) {
        fprintf(stderr, "calque: error: cannot keep the answer of a search: %s\n", t.failed ? "out of memory" : strerror(errno));
        status = t.failed ? EXIT_INTERNAL : EXIT_INPUT;
    }
    text_free(&t);
    rulecheck_free(&s);
    return status;
}

struct job {
    pid_t pid;
    FILE *out;
    int status; /* -1: not known yet */
};

struct jobs {
    struct cli *c;
    const struct rules *r;
    const struct search_options *o;
    struct job *a; /* slice k of rule i: a[i * SLICES + k] */
    int n, started, running, most;
};

static bool start(struct jobs *p)
{
    int k = p->started;
    struct job *j = &p->a[k];

    j->out = tmpfile();
    if (!j->out)
        fprintf(stderr, "calque: error: cannot create a temporary file for the search: %s\n", strerror(errno));
    fflush(stdout);
    j->pid = j->out ? fork() : -1;
    if (j->out && j->pid < 0)
        fprintf(stderr, "calque: error: cannot start a process for the search: %s\n", strerror(errno));
    j->status = -1;
    if (j->pid == 0)
        _exit(one(p->c, p->r, k / SLICES, k % SLICES, p->o, j->out));
    p->started += j->pid > 0;
    p->running += j->pid > 0;
    return j->pid > 0;
}

/* Waits until job k is done, starting others as there is room. */
static bool wait_for(struct jobs *p, int k)
{
    while (p->started <= k || p->a[k].status < 0) {
        pid_t pid;
        int w;
        while (p->started < p->n && p->running < p->most)
            if (!start(p))
                return false;
        pid = wait(&w);
        if (pid < 0)
            return false;
        for (int j = 0; j < p->started; j++)
            if (p->a[j].pid == pid && p->a[j].status < 0) {
                p->a[j].status = WIFEXITED(w) ? WEXITSTATUS(w) : EXIT_INTERNAL;
                p->running--;
            }
    }
    return true;
}

/* Adds what the job said to the verdict. */
static int merge(struct verdict *v, struct job *j, int slice)
{
    struct verdict w;
    int said;

    rewind(j->out);
    if (j->status != EXIT_YES)
        return j->status;
    if (fscanf(j->out, "%d %ld %ld %ld %ld %ld %d", &said, &w.instances, &w.discarded, &w.limits, &w.systematic, &w.size,
               &w.changes) != 7 || getc(j->out) != '\n')
        return EXIT_INTERNAL;
    w.answer = (enum rulecheck_answer)said;
    v->instances += w.instances;
    v->discarded += w.discarded;
    v->limits += w.limits;
    v->systematic += w.systematic;
    v->changes = slice == 0 || w.changes < v->changes ? w.changes : v->changes;
    if (w.answer >= RULECHECK_VALUE ? rulecheck_better(w.answer, w.size, &(struct rulecheck){.answer = v->answer, .size = v->size})
                                : v->answer == RULECHECK_NONE) {
        v->answer = w.answer;
        v->size = w.size;
        v->slice = slice;
    }
    return EXIT_YES;
}

static enum calque_status read_rest(FILE *f, struct text *t, struct diag *d)
{
    char buf[4096];
    size_t n;

    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        text_put(t, buf, n);
    return text_status(t, d);
}

/* The answer for rule i, when its jobs are done. */
static int answer(struct jobs *p, int i, struct verdict *v)
{
    struct job *a = &p->a[i * SLICES];
    struct text t;
    struct diag d;
    int status = EXIT_YES;

    *v = (struct verdict){.answer = RULECHECK_NONE};
    for (int k = 0; k < SLICES && status == EXIT_YES; k++)
        status = merge(v, &a[k], k);
    text_init(&t, &p->c->mem);
    diag_clear(&d);
    if (status == EXIT_YES && v->answer != RULECHECK_TESTED && read_rest(a[v->slice].out, &t, &d) != CALQUE_OK)
        status = cli_fail(&d);
    if (status == EXIT_YES && p->c->json) {
        printf("%s", i ? ", " : "");
        status = cli_json_put(answer_json(p->r, i, v, t.a ? t.a : ""), JSON_COMPACT, status);
    } else if (status == EXIT_YES) {
        put_answer(p->r, i, v, t.a ? t.a : "");
    }
    text_free(&t);
    for (int k = 0; k < SLICES; k++)
        fclose(a[k].out);
    return status;
}

/* The bounded search of `calque check` over all rules, in `jobs` processes (0: one for each core); prints the answers. Exit
   status: EXIT_NO when a rule is refuted. */
static int search_all(struct cli *c, const struct rules *r, const struct search_options *o)
{
    int n = rules_count(r), jobs = o->jobs > 0 ? o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN), refuted = 0, untested = 0;
    int status = EXIT_YES;
    bool limits = false;
    struct search_options each = *o;
    struct jobs p = {.c = c, .r = r, .o = &each, .n = n * SLICES, .most = jobs > 0 ? jobs : 1};

    each.seconds = (o->seconds > 0 ? o->seconds : RULECHECK_SECONDS) * (p.most < SLICES ? p.most : SLICES) / SLICES;
    p.a = calloc((size_t)p.n + 1, sizeof *p.a);
    if (!p.a)
        return EXIT_INTERNAL;
    if (c->json)
        printf("{\"rules\": [");
    for (int i = 0; i < n && status == EXIT_YES; i++) { /* answers in the order of the rules */
        struct verdict v;
        for (int k = 0; k < SLICES && status == EXIT_YES; k++)
            status = wait_for(&p, i * SLICES + k) ? EXIT_YES : EXIT_INPUT;
        if (status == EXIT_YES)
            status = answer(&p, i, &v);
        if (status == EXIT_YES && v.limits > 0)
            fprintf(stderr, "calque: error: rule %s: a limit exceeded, %ld times\n", rules_name(r, i), v.limits);
        limits = limits || (status == EXIT_YES && v.limits > 0);
        refuted += status == EXIT_YES && v.answer >= RULECHECK_VALUE;
        untested += status == EXIT_YES && is_untested(&v);
    }
    while (p.running > 0 && wait(NULL) > 0) /* after an error */
        p.running--;
    free(p.a);
    if (c->json)
        printf("]}\n");
    else if (status == EXIT_YES) /* otherwise it is not known */
        printf("%d rules: %d refuted, %d not tested\n", n, refuted, untested);
    return status != EXIT_YES ? status : refuted ? EXIT_NO : limits ? EXIT_INTERNAL : untested ? EXIT_NO : EXIT_YES;
}

/* ---- the command ---- */

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

static int check(struct cli *c, struct cli_pick *pick, const struct search_options *search)
{
    struct rules r;
    struct diag d;
    int status;

    diag_clear(&d);
    status = cli_rules(c, pick, &r, &d) != CALQUE_OK ? cli_fail(&d)
             : search                                 ? search_all(c, &r, search)
                                                      : list(c, &r);
    rules_free(&r);
    return status;
}

/* -1: go on. */
static int options(struct cli *c, struct cli_pick *pick, struct search_options *o, bool *fixed, int argc, char **argv)
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
    struct search_options search = {.seed = 1};
    bool fixed = false;
    int status = options(c, &pick, &search, &fixed, argc, argv);

    if (status >= 0)
        return status;
    if (pick.files + pick.sets + pick.rules == 0)
        return cli_usage("check", "no rule file given");
    return check(c, &pick, fixed ? NULL : &search);
}
