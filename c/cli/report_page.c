/* report.html: one page that holds all it needs. What is in it comes from trace.json and the emitted text; its style and its
   search are report_head.html; the program dot lays out its graphs. */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report_head.h"

struct page {
    struct text *t;
    const json_t *trace;
    double total; /* multiply-adds of a run */
};

/* A piece of HTML that holds one text, which is escaped: before TEXT after. */
static void put(struct page *p, const char *before, const char *text, const char *after)
{
    text_puts(p->t, before);
    report_escape(p->t, text);
    text_puts(p->t, after);
}

static double cost(const json_t *x, const char *key)
{
    return json_number_value(json_object_get(report_list(x, "cost"), key));
}

static void chip(struct page *p, const char *rule, const char *more)
{
    text_printf(p->t, "<span class=\"chip rule r%d\">", report_colour(p->trace, rule));
    report_escape(p->t, rule);
    put(p, "", more, "</span>");
}

static void fact(struct page *p, const char *name, long n)
{
    text_printf(p->t, "<div><dt>%s</dt><dd>%ld</dd></div>\n", name, n);
}

static void summary(struct page *p)
{
    const json_t *s = report_list(p->trace, "summary");

    text_puts(p->t, "<section id=\"summary\"><h2>Summary</h2>\n<dl class=\"facts\">\n");
    fact(p, "operators as read", report_int(s, "nodes_read"));
    fact(p, "rewrites", report_int(s, "rewrites"));
    fact(p, "operators emitted", report_int(s, "nodes_emitted"));
    fact(p, "functions", report_int(s, "functions"));
    fact(p, "calls", report_int(s, "calls"));
    fact(p, "kernels checked", report_int(s, "checked"));
    fact(p, "in plain code", report_int(s, "plain"));
    fact(p, "arena bytes", report_int(s, "arena"));
    fact(p, "weight bytes", report_int(s, "weights"));
    if (p->total > 0)
        text_printf(p->t, "<div><dt>multiply-adds of a run</dt><dd>%.0f</dd></div>\n", p->total);
    put(p, "</dl>\n<p>The rewriting as a whole: ", report_text(s, "theorem"), ".</p>\n");
    put(p, "<p>Made by calque ", report_text(p->trace, "calque"), " from ");
    put(p, "", report_text(p->trace, "model"), ". Every operator of the model and every function of the code is in the tables below.</p>"
                                               "</section>\n");
}

enum { DRAWN_MAX = 3000 }; /* operators; nobody reads a drawing of more */

/* Without a drawing: each node and what it reads. */
static void graph_table(struct page *p, const json_t *nodes, const json_t *inputs)
{
    const json_t *x, *k, *from;
    size_t i, j;

    text_puts(p->t, "<table><tr><th>node</th><th>reads</th></tr>\n");
    json_array_foreach(nodes, i, x) {
        put(p, "<tr><td>", report_text(x, "operator"), " ");
        put(p, "", report_text(x, "name"), "</td><td>");
        json_array_foreach(report_list(x, "reads"), j, k) {
            from = report_by_id(inputs, (long)json_integer_value(k));
            from = from ? from : report_by_id(nodes, (long)json_integer_value(k));
            put(p, j ? ", " : "", report_text(from, "name"), "");
        }
        text_puts(p->t, "</td></tr>\n");
    }
    text_puts(p->t, "</table>");
}

static void graph(struct page *p, bool emitted)
{
    text_printf(p->t, "<figure><figcaption>%s</figcaption>\n<div class=\"scroll drawing\" tabindex=\"0\">",
                emitted ? "As emitted: nodes that a rule made have its colour"
                        : "As read: nodes have the colour of the last rule that touched them; dashed: not there any more");
    bool large = json_array_size(report_list(p->trace, emitted ? "emitted" : "nodes")) > DRAWN_MAX;

    if (large || !report_drawing(p->t, p->trace, emitted)) {
        text_puts(p->t, large ? "<p class=\"missing\">More operators than a drawing shows: a table instead.</p>"
                              : "<p class=\"missing\">The program dot (Graphviz) was not there, failed, or took over a minute: a table instead of a drawing.</p>");
        graph_table(p, report_list(p->trace, emitted ? "emitted" : "nodes"),
                    report_list(p->trace, emitted ? "emitted_inputs" : "inputs"));
    }
    text_puts(p->t, "</div></figure>\n");
}

static void graphs(struct page *p)
{
    const json_t *x;
    size_t i;

    text_puts(p->t, "<section id=\"graphs\"><h2>The graph before and after</h2>\n<p>");
    json_array_foreach(report_list(p->trace, "rules"), i, x)
        chip(p, report_text(x, "rule"), "");
    text_puts(p->t, json_array_size(report_list(p->trace, "rules")) ? "</p>\n" : "No rule was applied.</p>\n");
    text_puts(p->t, "<div class=\"pair\">\n");
    graph(p, false);
    graph(p, true);
    text_puts(p->t, "</div></section>\n");
}

static void rules(struct page *p)
{
    const json_t *x;
    size_t i;

    text_puts(p->t, "<section id=\"proofs\"><h2>Rules and their proofs</h2>\n<p>Class exact: bit for bit; ring: exact in integers; real: "
                    "equal over the reals, floats are reassociated. A theorem is one of the project's Coq development.</p>\n"
                    "<div class=\"scroll\" tabindex=\"0\"><table>"
                    "<tr><th>rule</th><th>class</th><th class=\"n\">applied</th><th>theorem</th></tr>\n");
    json_array_foreach(report_list(p->trace, "rules"), i, x) {
        text_puts(p->t, "<tr class=\"s\"><td>");
        chip(p, report_text(x, "rule"), "");
        put(p, "</td><td>", report_text(x, "class"), "");
        text_printf(p->t, "</td><td class=\"n\">%ld</td><td>", report_int(x, "applied"));
        put(p, "", report_text(x, "theorem")[0] ? report_text(x, "theorem") : "not proved", "</td></tr>\n");
    }
    text_puts(p->t, "</table></div></section>\n");
}

/* ---- nodes ---- */

static void node_rewrites(struct page *p, const json_t *x)
{
    const json_t *k;
    char more[32];
    size_t i;

    json_array_foreach(report_list(x, "rewrites"), i, k) {
        snprintf(more, sizeof more, " #%ld", (long)json_integer_value(k));
        chip(p, report_text(report_by_id(report_list(p->trace, "rewrites"), (long)json_integer_value(k)), "rule"), more);
    }
}

static void node_became(struct page *p, const json_t *x)
{
    const json_t *k, *e;
    size_t i;

    text_puts(p->t, report_text(x, "state"));
    json_array_foreach(report_list(x, "became"), i, k) {
        e = report_by_id(report_list(p->trace, "emitted"), (long)json_integer_value(k));
        text_printf(p->t, "%s<a href=\"#after-row-%ld\">", i ? ", " : ": ", report_int(e, "id"));
        put(p, "", report_text(e, "operator"), " ");
        put(p, "", report_text(e, "name"), "</a>");
        if (strcmp(report_text(e, "value"), "renamed") == 0)
            text_puts(p->t, ", without code of its own");
        if (strcmp(report_text(e, "value"), "empty") == 0)
            text_puts(p->t, ", without cells");
    }
    json_array_foreach(report_list(x, "constants"), i, k)
        put(p, i ? ", " : "; constant ", json_string_value(k), "");
    json_array_foreach(report_list(x, "inputs"), i, k)
        put(p, i ? ", " : "; input ",
            report_text(report_by_id(report_list(p->trace, "emitted_inputs"), (long)json_integer_value(k)), "name"), "");
}

static void link_function(struct page *p, const char *name)
{
    if (strcmp(name, "memcpy") == 0)
        put(p, "", name, "");
    else {
        put(p, "<a href=\"#fn-", name, "\">");
        put(p, "", name, "</a>");
    }
}

static const json_t *function_of(const struct page *p, const char *name)
{
    const json_t *f;
    size_t i;

    json_array_foreach(report_list(p->trace, "functions"), i, f)
        if (strcmp(report_text(f, "name"), name) == 0)
            return f;
    return NULL;
}

static void node_calls(struct page *p, const json_t *x)
{
    const json_t *k, *f;
    size_t i;

    json_array_foreach(report_list(x, "calls"), i, k) {
        const json_t *c = report_by_id(report_list(p->trace, "calls"), (long)json_integer_value(k));
        text_puts(p->t, i ? "<br>" : "");
        link_function(p, report_text(c, "function"));
        f = function_of(p, report_text(c, "function"));
        if (f)
            put(p, ", ", report_text(f, "file"), "");
        if (f)
            text_printf(p->t, " %ld–%ld", report_int(f, "first"), report_int(f, "last"));
        text_printf(p->t, ", called in %ld", report_int(c, "line"));
    }
}

static void nodes(struct page *p)
{
    const json_t *x;
    size_t i;

    text_puts(p->t, "<section id=\"nodes\"><h2>Nodes of the model</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>"
                    "<tr><th>node</th><th>type</th><th>became</th><th>rewrites</th><th>function, lines</th></tr>\n");
    json_array_foreach(report_list(p->trace, "nodes"), i, x) {
        text_printf(p->t, "<tr class=\"s\" id=\"before-row-%ld\"><td>", report_int(x, "id"));
        put(p, "", report_text(x, "operator"), " ");
        put(p, "", report_text(x, "name"), "</td><td>");
        put(p, "", report_text(x, "type"), "</td><td>");
        node_became(p, x);
        text_puts(p->t, "</td><td>");
        node_rewrites(p, x);
        text_puts(p->t, "</td><td>");
        node_calls(p, x);
        text_puts(p->t, "</td></tr>\n");
    }
    text_puts(p->t, "</table></div></section>\n");
}

static void from(struct page *p, const json_t *x)
{
    const json_t *k, *n;
    size_t i;

    json_array_foreach(report_list(x, "from"), i, k) {
        n = report_by_id(report_list(p->trace, "nodes"), (long)json_integer_value(k));
        text_printf(p->t, "%s<a href=\"#before-row-%ld\">", i ? ", " : "", report_int(n, "id"));
        put(p, "", report_text(n, "operator"), " ");
        put(p, "", report_text(n, "name"), "</a>");
    }
}

static void emitted(struct page *p)
{
    const json_t *x;
    size_t i;

    text_puts(p->t, "<section id=\"emitted\"><h2>Nodes as emitted</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>"
                    "<tr><th>node</th><th>type</th><th>rule</th><th>value</th><th>function, lines</th><th>from</th></tr>\n");
    json_array_foreach(report_list(p->trace, "emitted"), i, x) {
        text_printf(p->t, "<tr class=\"s\" id=\"after-row-%ld\"><td>", report_int(x, "id"));
        put(p, "", report_text(x, "operator"), " ");
        put(p, "", report_text(x, "name"), "</td><td>");
        put(p, "", report_text(x, "type"), "</td><td>");
        if (report_text(x, "rule")[0])
            chip(p, report_text(x, "rule"), "");
        put(p, "</td><td>", report_text(x, "value"), "");
        if (strcmp(report_text(x, "value"), "renamed") == 0) {
            const json_t *m = report_by_id(report_list(p->trace, "emitted_inputs"), report_int(x, "memory_of"));
            m = m ? m : report_by_id(report_list(p->trace, "emitted"), report_int(x, "memory_of"));
            put(p, ": the memory of ", report_text(m, "name"), "");
        }
        text_puts(p->t, "</td><td>");
        node_calls(p, x);
        text_puts(p->t, "</td><td>");
        from(p, x);
        text_puts(p->t, "</td></tr>\n");
    }
    text_puts(p->t, "</table></div></section>\n");
}

/* ---- costs, memory ---- */

static void costs(struct page *p)
{
    const json_t *x;
    size_t i;

    text_puts(p->t, "<section id=\"costs\"><h2>Cost of each call</h2>\n<p>Multiply-adds of a call at most, its share of a run, bytes of "
                    "its weights and of its buffers.</p>\n<div class=\"scroll\" tabindex=\"0\"><table><tr><th class=\"n\">call</th>"
                    "<th>function</th><th>of</th><th class=\"n\">multiply-adds</th><th class=\"n\">share</th>"
                    "<th class=\"n\">weight bytes</th><th class=\"n\">buffer bytes</th><th>kernel</th></tr>\n");
    json_array_foreach(report_list(p->trace, "calls"), i, x) {
        double share = p->total > 0 ? 100 * cost(x, "multiply_adds") / p->total : 0;
        text_printf(p->t, "<tr class=\"s\"><td class=\"n\">%ld</td><td>", report_int(x, "id"));
        link_function(p, report_text(x, "function"));
        put(p, "</td><td>", report_text(x, "of"), "</td>");
        if (json_is_object(report_list(x, "cost")))
            text_printf(p->t, "<td class=\"n\">%.0f</td><td class=\"n share\" style=\"--w: %.1f%%\">%.1f %%</td>",
                        cost(x, "multiply_adds"), share, share);
        else
            text_puts(p->t, "<td class=\"n\">–</td><td class=\"n\">–</td>");
        text_printf(p->t, "<td class=\"n\">%ld</td><td class=\"n\">%ld</td><td>%s</td></tr>\n", report_int(x, "weight_bytes"),
                    report_int(x, "buffer_bytes"), report_text(x, "state"));
    }
    text_puts(p->t, "</table></div></section>\n");
}

static void memory(struct page *p)
{
    text_puts(p->t, "<section id=\"memory\"><h2>Memory over time</h2>\n");
    if (!json_array_size(report_list(p->trace, "memory"))) {
        text_puts(p->t, "<p>There are no buffers in the arena.</p></section>\n");
        return;
    }
    text_puts(p->t, "<p>Each buffer of the arena: its place, from its first to its last call. Two that overlap in time lie apart; a "
                    "proved function looks at that when code is emitted.</p>\n<div class=\"scroll memory\" tabindex=\"0\">");
    report_memory(p->t, p->trace);
    text_puts(p->t, "</div></section>\n");
}

/* ---- code ---- */

/* Lines first .. last of the text, with their numbers. */
static void lines(struct page *p, const char *s, long first, long last)
{
    long line = 1;

    for (; s && *s && line < first; s++)
        line += *s == '\n';
    text_puts(p->t, "<div class=\"scroll\" tabindex=\"0\"><pre><code>");
    for (; s && *s && line <= last; line++) {
        size_t n = strcspn(s, "\n");
        char *own = mem_text(p->t->mem, s, n);
        text_printf(p->t, "<i>%ld</i>", line);
        if (own)
            report_escape(p->t, own);
        p->t->failed = p->t->failed || !own;
        mem_free(own);
        text_puts(p->t, "\n");
        s += n + (s[n] == '\n');
    }
    text_puts(p->t, "</code></pre></div>");
}

static void function(struct page *p, const json_t *f, const char *text)
{
    bool kernel = strcmp(report_text(f, "kind"), "kernel") == 0;

    put(p, "<details class=\"s\" id=\"fn-", report_text(f, "name"), "\"><summary><b>");
    put(p, "", report_text(f, "name"), "</b> ");
    put(p, "", report_text(f, "file"), "");
    text_printf(p->t, " %ld–%ld, %s</summary>\n", report_int(f, "first"), report_int(f, "last"),
                kernel ? report_text(f, "state") : report_text(f, "kind"));
    if (kernel) {
        text_puts(p->t, "<p>From ");
        from(p, f);
        text_puts(p->t, "</p>\n");
    }
    text_puts(p->t, "<div class=\"beside\">");
    put(p, "<div class=\"kernel\"><h3>kernel</h3><div class=\"scroll\" tabindex=\"0\"><pre>",
        kernel ? report_text(f, "kernel") : "none: it is not of a kernel", "</pre></div>");
    if (json_is_object(report_list(f, "cost")))
        text_printf(p->t, "<p>A call: %.0f multiply-adds, %.0f operations, %.0f iterations.</p>", cost(f, "multiply_adds"),
                    cost(f, "operations"), cost(f, "iterations"));
    text_printf(p->t, "</div>\n<div><h3>code%s</h3>", json_object_get(f, "contract") ? " and contract" : "");
    lines(p, text, report_int(f, "first"), report_int(f, "last"));
    text_puts(p->t, "</div></div></details>\n");
}

static void functions(struct page *p, const char *code, const char *contracts)
{
    const json_t *f;
    size_t i;

    text_puts(p->t, "<section id=\"functions\"><h2>Functions</h2>\n");
    json_array_foreach(report_list(p->trace, "functions"), i, f)
        function(p, f, contracts && cli_ends(report_text(f, "file"), "_kernels.c") ? contracts : code);
    text_puts(p->t, "</section>\n");
}

void report_page(struct text *t, const json_t *trace, const char *code, const char *contracts)
{
    static const char *const sections[] = { "summary", "graphs", "proofs", "nodes", "emitted", "costs", "memory", "functions" };
    struct page p = { t, trace, 0 };
    const json_t *x;
    size_t i;

    json_array_foreach(report_list(trace, "calls"), i, x)
        p.total += cost(x, "multiply_adds");
    text_puts(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    put(&p, "<title>", report_text(trace, "model"), ": report</title>\n");
    text_put(t, (const char *)report_head, sizeof report_head - 1);
    put(&p, "</head>\n<body>\n<header><h1>", report_text(trace, "model"), "</h1>\n<form><nav>");
    for (i = 0; i < sizeof sections / sizeof *sections; i++)
        text_printf(t, "<a href=\"#%s\">%s</a>", sections[i], sections[i]);
    text_puts(t, "</nav>\n<input type=\"search\" id=\"q\" placeholder=\"Search nodes, rules, functions\" aria-label=\"Search\">"
                 "<output id=\"hits\" for=\"q\"></output></form></header>\n<main>\n");
    summary(&p);
    graphs(&p);
    rules(&p);
    nodes(&p);
    emitted(&p);
    costs(&p);
    memory(&p);
    functions(&p, code, contracts);
    text_puts(t, "</main>\n</body>\n</html>\n");
}

/* ---- drawings ---- */

extern char **environ;

enum { COLOURS = 12 };

int report_colour(const json_t *trace, const char *rule)
{
    const json_t *x;
    size_t i;

    json_array_foreach(report_list(trace, "rules"), i, x)
        if (strcmp(report_text(x, "rule"), rule) == 0)
            return (int)(i % COLOURS);
    return -1;
}

void report_escape(struct text *t, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '&': text_puts(t, "&amp;"); break;
        case '<': text_puts(t, "&lt;"); break;
        case '>': text_puts(t, "&gt;"); break;
        case '"': text_puts(t, "&quot;"); break;
        default:
            if ((unsigned char)*s >= 32 || *s == '\n' || *s == '\t')
                text_put(t, s, 1);
        }
}

/* Inside a quoted string of DOT: no byte of a name is one of DOT's or of its escapes, and & starts no entity. */
static void put_dot(struct text *t, const char *s)
{
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            text_printf(t, "\\%c", *s);
        else if (*s == '&')
            text_puts(t, "&amp;");
        else if ((unsigned char)*s >= 32)
            text_put(t, s, 1);
}

/* The rule that a node shows: the last one that touched it, or that made it; NULL: none. */
static const char *rule_of(const json_t *trace, const json_t *x, bool emitted)
{
    const json_t *list = report_list(x, "rewrites"), *r;
    size_t n = json_array_size(list), i;

    if (emitted)
        return json_string_value(report_list(x, "rule"));
    json_array_foreach(report_list(trace, "rewrites"), i, r)
        if (n > 0 && report_int(r, "id") == (long)json_integer_value(json_array_get(list, n - 1)))
            return report_text(r, "rule");
    return NULL;
}

static void put_class(struct text *t, const json_t *trace, const json_t *x, bool emitted)
{
    const char *rule = rule_of(trace, x, emitted), *state = report_text(x, "state");

    text_puts(t, "class=\"");
    if (rule)
        text_printf(t, "rule r%d", report_colour(trace, rule));
    if (!emitted && (!json_array_size(report_list(x, "became")) || strcmp(state, "removed") == 0))
        text_puts(t, " gone");
    text_puts(t, "\"");
}

static void put_nodes(struct text *t, const json_t *trace, bool emitted)
{
    const char *side = emitted ? "after" : "before";
    const json_t *x, *k;
    size_t i, j;

    json_array_foreach(report_list(trace, emitted ? "emitted_inputs" : "inputs"), i, x) {
        text_printf(t, "n%ld [shape=ellipse, id=\"%s-n%ld\", label=\"", report_int(x, "id"), side, report_int(x, "id"));
        put_dot(t, report_text(x, "name"));
        text_puts(t, "\"];\n");
    }
    json_array_foreach(report_list(trace, emitted ? "emitted" : "nodes"), i, x) {
        long id = report_int(x, "id");
        text_printf(t, "n%ld [id=\"%s-n%ld\", URL=\"#%s-row-%ld\", ", id, side, id, side, id);
        put_class(t, trace, x, emitted);
        text_puts(t, ", label=\"");
        put_dot(t, report_text(x, "operator"));
        text_puts(t, "\\n");
        put_dot(t, report_text(x, "name"));
        text_puts(t, "\", tooltip=\"");
        put_dot(t, emitted ? report_text(x, "type") : report_text(x, "state"));
        text_puts(t, "\"];\n");
        json_array_foreach(report_list(x, "reads"), j, k)
            text_printf(t, "n%ld -> n%ld [id=\"%s-e%ld-%ld\"];\n", (long)json_integer_value(k), id, side,
                        (long)json_integer_value(k), id);
    }
}

/* Runs dot on the file in, its answer to the file out; for a minute of the processor's time, as some graphs would take it hours. */
static bool run_dot(FILE *in, FILE *out)
{
    static char *argv[] = { "sh", "-c", "ulimit -t 60 && exec dot -Tsvg", NULL };
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    bool ok;

    if (posix_spawn_file_actions_init(&files) != 0)
        return false;
    ok = posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO) == 0 &&
         posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO) == 0 &&
         posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0) == 0 &&
         posix_spawn(&child, "/bin/sh", &files, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    return ok && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The element svg of the file, without what comes before it. */
static bool put_svg(struct text *t, FILE *f)
{
    char buf[4096];
    struct text all;
    const char *svg;
    size_t n;

    text_init(&all, t->mem);
    rewind(f);
    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        text_put(&all, buf, n);
    svg = all.failed || !all.a ? NULL : strstr(all.a, "<svg");
    if (svg)
        text_puts(t, svg);
    text_free(&all);
    return svg != NULL;
}

enum { PLACED_WELL = 300 }; /* operators; dot places more in a fixed number of rounds */

bool report_drawing(struct text *t, const json_t *trace, bool emitted)
{
    FILE *in = tmpfile(), *out = tmpfile();
    struct text dot;
    bool ok;

    text_init(&dot, t->mem);
    text_printf(&dot, "digraph g {\nid=\"%s\"; bgcolor=\"transparent\"; nodesep=0.15; ranksep=0.3;\n"
                      "node [shape=box, fontsize=11, fontname=\"DejaVu Sans,sans-serif\", margin=\"0.08,0.04\", height=0.3];\n"
                      "edge [arrowsize=0.6];\n", emitted ? "after" : "before");
    if (json_array_size(report_list(trace, emitted ? "emitted" : "nodes")) > PLACED_WELL)
        text_puts(&dot, "nslimit=1; nslimit1=1;\n");
    put_nodes(&dot, trace, emitted);
    text_puts(&dot, "}\n");
    ok = in && out && !dot.failed && fwrite(dot.a, 1, (size_t)dot.n, in) == (size_t)dot.n && fflush(in) == 0;
    if (ok) {
        rewind(in);
        ok = run_dot(in, out) && put_svg(t, out);
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    text_free(&dot);
    return ok;
}

enum { MEMORY_HEIGHT = 300, MEMORY_LEFT = 70, MEMORY_FOOT = 24, MEMORY_STEP = 16, MEMORY_LEAST = 1080, TICKS = 4 };

void report_memory(struct text *t, const json_t *trace)
{
    const json_t *s = report_list(trace, "summary"), *x;
    long arena = report_int(s, "arena"), calls = report_int(s, "calls");
    double step = calls * MEMORY_STEP < MEMORY_LEAST ? (double)MEMORY_LEAST / (double)(calls ? calls : 1) : MEMORY_STEP;
    double width = step * (double)calls, scale = arena ? (double)MEMORY_HEIGHT / (double)arena : 0;
    size_t i;

    text_printf(t, "<svg width=\"%.0f\" height=\"%d\" viewBox=\"0 0 %.0f %d\" role=\"img\" aria-label=\"Buffers in the arena over the "
                   "calls\">\n", width + MEMORY_LEFT + 10, MEMORY_HEIGHT + MEMORY_FOOT + 10, width + MEMORY_LEFT + 10,
                MEMORY_HEIGHT + MEMORY_FOOT + 10);
    for (int k = 0; k <= TICKS; k++) {
        double y = 10 + MEMORY_HEIGHT - (double)MEMORY_HEIGHT * k / TICKS;
        text_printf(t, "<path class=\"axis\" d=\"M%d %.1fH%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%ld</text>\n", MEMORY_LEFT,
                    y, width + MEMORY_LEFT, MEMORY_LEFT - 4, y + 4, arena / TICKS * k + arena % TICKS * k / TICKS);
    }
    json_array_foreach(report_list(trace, "memory"), i, x) {
        long first = report_int(x, "first"), last = report_int(x, "last"), bytes = report_int(x, "bytes");
        double h = (double)bytes * scale;
        text_printf(t, "<rect class=\"r%d\" x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\"><title>", (int)(i % COLOURS),
                    MEMORY_LEFT + step * (double)first, 10 + MEMORY_HEIGHT - (double)report_int(x, "offset") * scale - h,
                    step * (double)(last - first + 1), h);
        report_escape(t, report_text(x, "name")[0] ? report_text(x, "name") : "temporary");
        text_printf(t, ": %ld bytes at %ld, calls %ld to %ld</title></rect>\n", bytes, report_int(x, "offset"), first, last);
    }
    for (long k = 0; k < calls; k += calls > 20 ? 5 : 1)
        text_printf(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%ld</text>\n", MEMORY_LEFT + step * ((double)k + 0.5),
                    MEMORY_HEIGHT + 26, k);
    text_puts(t, "</svg>\n");
}
