/* calque check, second part: the bounded search for counterexamples, on several processes. */
#include "rewrite/sound.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "graph/text.h"

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

static void put_counterexample(struct text *t, const struct sound *s)
{
    text_printf(t, "  %s\n", s->reason);
    put_graph(t, "the graph:", &s->before);
    if (s->answer != SOUND_VALUE)
        return;
    put_graph(t, "rewritten:", &s->after);
    text_puts(t, "  the inputs:\n");
    for (int j = 0; j < s->input.n; j++)
        put_tensor(t, graph_name(&s->before, s->before.input.a[j]), &s->input.a[j]);
    text_puts(t, "  the output:\n");
    put_tensor(t, "before", &s->want);
    put_tensor(t, "after", &s->got);
}

static const char *answer_word(const struct sound *s)
{
    switch (s->answer) {
    case SOUND_TESTED:
        return "tested";
    case SOUND_NONE:
        return "not tested";
    default:
        return "REFUTED";
    }
}

static void put_answer(struct text *t, const struct rules *r, int rule, const struct sound *s)
{
    text_printf(t, "%-32s class %-6s %s %ld%s\n", rules_name(r, rule), rules_class(r, rule), answer_word(s), s->instances,
                s->answer == SOUND_NONE ? " (no instance of its source was found)" : "");
    if (s->answer >= SOUND_VALUE)
        put_counterexample(t, s);
}

static json_t *answer_json(struct cli *c, const struct rules *r, int rule, const struct sound *s)
{
    struct text t;
    json_t *a;

    text_init(&t, &c->mem);
    if (s->answer >= SOUND_VALUE)
        put_counterexample(&t, s);
    a = json_pack("{s:s, s:s, s:i, s:s, s:s, s:I, s:I, s:s}", "name", rules_name(r, rule), "file", rules_file(r, rule),
                  "line", rules_line(r, rule), "class", rules_class(r, rule), "status", answer_word(s), "instances",
                  (json_int_t)s->instances, "discarded", (json_int_t)s->discarded, "counterexample", t.a ? t.a : "");
    text_free(&t);
    return a;
}

static bool progress(void *ctx, long instances)
{
    const char *name = ctx;

    if (name)
        fprintf(stderr, "\r%-32s %8ld", name, instances);
    return true;
}

/* One rule: its text (or JSON) on out; 0 tested, 1 refuted, 2 or 3 an error, 4 not tested. */
static int one(struct cli *c, const struct rules *r, int rule, const struct cli_sound *o, FILE *out)
{
    char name[128];
    struct sound_options so = {.tries = o->tries, .seed = o->seed, .seconds = o->seconds, .progress = progress};
    struct sound s;
    struct diag d;
    struct text t;
    int status;

    diag_clear(&d);
    snprintf(name, sizeof name, "%s", rules_name(r, rule));
    so.ctx = isatty(STDERR_FILENO) ? name : NULL;
    if (sound_check(r, rule, &so, &s, &d) != CALQUE_OK) {
        status = cli_fail(&d);
        sound_free(&s);
        return status;
    }
    if (so.ctx)
        fprintf(stderr, "\r%48s\r", "");
    text_init(&t, &c->mem);
    if (c->json) {
        json_t *a = answer_json(c, r, rule, &s);
        json_dumpf(a, out, JSON_COMPACT);
        json_decref(a);
    } else {
        put_answer(&t, r, rule, &s);
        fputs(t.a ? t.a : "", out);
    }
    text_free(&t);
    status = s.answer >= SOUND_VALUE ? 1 : s.answer == SOUND_NONE ? 4 : 0;
    sound_free(&s);
    fflush(out);
    return status;
}

struct job {
    pid_t pid;
    FILE *out;
};

static bool start(struct cli *c, const struct rules *r, int rule, const struct cli_sound *o, struct job *j)
{
    j->out = tmpfile();
    fflush(stdout);
    j->pid = j->out ? fork() : -1;
    if (j->pid == 0)
        _exit(one(c, r, rule, o, j->out));
    return j->pid > 0;
}

/* Waits for the job and copies what it said. */
static int finish(struct job *j)
{
    char buf[4096];
    size_t n;
    int w;

    if (waitpid(j->pid, &w, 0) < 0)
        return EXIT_INTERNAL;
    rewind(j->out);
    while ((n = fread(buf, 1, sizeof buf, j->out)) > 0)
        fwrite(buf, 1, n, stdout);
    fclose(j->out);
    return WIFEXITED(w) ? WEXITSTATUS(w) : EXIT_INTERNAL;
}

int cli_sound(struct cli *c, const struct rules *r, const struct cli_sound *o)
{
    int n = rules_count(r), jobs = o->jobs > 0 ? o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN), refuted = 0, untested = 0;
    int status = EXIT_YES, started = 0;
    struct job *job = calloc((size_t)n + 1, sizeof *job);

    if (!job)
        return EXIT_INTERNAL;
    if (c->json)
        printf("{\"rules\": [");
    for (int i = 0; i < n && status == EXIT_YES; i++) { /* answers in the order of the rules */
        int e;
        while (started < n && started < i + jobs && status == EXIT_YES)
            if (!start(c, r, started, o, &job[started]))
                status = EXIT_INTERNAL;
            else
                started++;
        if (i >= started)
            break;
        e = finish(&job[i]);
        if (c->json && i + 1 < n)
            printf(", ");
        refuted += e == 1;
        untested += e == 4;
        if (e == 2 || e == 3 || e > 4)
            status = e == 2 ? EXIT_INPUT : EXIT_INTERNAL;
    }
    free(job);
    if (c->json)
        printf("]}\n");
    else
        printf("%d rules: %d refuted, %d not tested\n", n, refuted, untested);
    return status != EXIT_YES ? status : refuted ? EXIT_NO : EXIT_YES;
}
