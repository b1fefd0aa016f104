/* TRACE.md: what trace.json says, to be read. */
#include <string.h>

#include "cli/report.h"

/* Text in a cell of a table: what Markdown would take for its own is escaped, and lines are joined. */
static void put(struct text *t, const char *s)
{
    for (; *s; s++) {
        if ((unsigned char)*s < 32) {
            text_puts(t, s[1] ? " " : "");
            continue;
        }
        if (strchr("\\`*_|<>[]#&", *s))
            text_puts(t, "\\");
        text_put(t, s, 1);
    }
}

static void put_node(struct text *t, const json_t *x)
{
    put(t, report_text(x, "operator"));
    text_puts(t, " ");
    put(t, report_text(x, "name"));
}

/* Numbers as operators of a list, by commas. */
static void put_nodes(struct text *t, const json_t *ids, const json_t *nodes)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        text_puts(t, i ? ", " : "");
        put_node(t, report_by_id(nodes, (long)json_integer_value(k)));
    }
}

static const json_t *function_of(const json_t *trace, const char *name)
{
    const json_t *x;
    size_t i;

    json_array_foreach(report_list(trace, "functions"), i, x)
        if (strcmp(report_text(x, "name"), name) == 0)
            return x;
    return NULL;
}

/* "k3, model.c 10-20, called in line 300". */
static void put_calls(struct text *t, const json_t *trace, const json_t *ids)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        const json_t *call = report_by_id(report_list(trace, "calls"), (long)json_integer_value(k));
        const json_t *f = function_of(trace, report_text(call, "function"));
        text_puts(t, i ? "; " : "");
        put(t, report_text(call, "function"));
        if (f) {
            text_puts(t, " (");
            put(t, report_text(f, "file"));
            text_printf(t, " %ld-%ld)", report_int(f, "first"), report_int(f, "last"));
        }
        text_printf(t, ", called in line %ld", report_int(call, "line"));
    }
}

static void put_rewrites(struct text *t, const json_t *trace, const json_t *ids)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        text_printf(t, "%s%ld ", i ? ", " : "", (long)json_integer_value(k));
        put(t, report_text(report_by_id(report_list(trace, "rewrites"), (long)json_integer_value(k)), "rule"));
    }
}

/* The operator or input whose memory holds a value. */
static void put_memory(struct text *t, const json_t *trace, long id)
{
    const json_t *x = report_by_id(report_list(trace, "emitted_inputs"), id);

    put_node(t, x ? x : report_by_id(report_list(trace, "emitted"), id));
}

static void put_became(struct text *t, const json_t *trace, const json_t *x)
{
    const json_t *k;
    size_t i;

    text_puts(t, report_text(x, "state"));
    if (strcmp(report_text(x, "state"), "kept") != 0 && json_array_size(report_list(x, "became"))) {
        text_puts(t, ": ");
        put_nodes(t, report_list(x, "became"), report_list(trace, "emitted"));
    }
    k = report_by_id(report_list(trace, "emitted"), (long)json_integer_value(json_array_get(report_list(x, "became"), 0)));
    if (strcmp(report_text(k, "value"), "renamed") == 0) {
        text_puts(t, ", no code of its own: the memory of ");
        put_memory(t, trace, report_int(k, "memory_of"));
    }
    if (strcmp(report_text(k, "value"), "empty") == 0)
        text_puts(t, ", no code: it has no cells");
    json_array_foreach(report_list(x, "constants"), i, k) {
        text_puts(t, i ? ", " : "; constant ");
        put(t, json_string_value(k));
    }
    json_array_foreach(report_list(x, "inputs"), i, k) {
        text_puts(t, i ? ", " : "; input ");
        put(t, report_text(report_by_id(report_list(trace, "emitted_inputs"), (long)json_integer_value(k)), "name"));
    }
}

static void nodes(struct text *t, const json_t *trace)
{
    const json_t *x;
    size_t i;

    text_puts(t, "## Nodes of the model\n\nEach operator as it was read, and what computes it.\n\n"
                 "| id | node | became | rewrites | function, lines, call |\n|---:|---|---|---|---|\n");
    json_array_foreach(report_list(trace, "nodes"), i, x) {
        text_printf(t, "| %ld | ", report_int(x, "id"));
        put_node(t, x);
        text_puts(t, " | ");
        put_became(t, trace, x);
        text_puts(t, " | ");
        put_rewrites(t, trace, report_list(x, "rewrites"));
        text_puts(t, " | ");
        put_calls(t, trace, report_list(x, "calls"));
        text_puts(t, " |\n");
    }
}

static void rewrites(struct text *t, const json_t *trace)
{
    const json_t *x, *k;
    size_t i, j;

    text_puts(t, "\n## Rewrites\n\n");
    if (!json_array_size(report_list(trace, "rewrites"))) {
        text_puts(t, "None.\n");
        return;
    }
    text_puts(t, "| id | rule | class | theorem | replaced | made, of what is emitted |\n|---:|---|---|---|---|---|\n");
    json_array_foreach(report_list(trace, "rewrites"), i, x) {
        text_printf(t, "| %ld | ", report_int(x, "id"));
        put(t, report_text(x, "rule"));
        text_printf(t, " | %s | ", report_text(x, "class"));
        put(t, report_text(x, "theorem")[0] ? report_text(x, "theorem") : "not proved");
        text_puts(t, " | ");
        json_array_foreach(report_list(x, "replaced"), j, k) {
            text_puts(t, j ? ", " : "");
            if (json_object_get(k, "node"))
                put_node(t, report_by_id(report_list(trace, "nodes"), report_int(k, "node")));
            else
                text_printf(t, "what rewrite %ld made", report_int(k, "rewrite"));
        }
        text_puts(t, " | ");
        put_nodes(t, report_list(x, "made"), report_list(trace, "emitted"));
        text_puts(t, " |\n");
    }
}

/* What is known of a kernel's program. */
static const char *state_words(const char *state)
{
    return strcmp(state, "checked") == 0   ? "checked: its program computes the kernel"
           : strcmp(state, "plain") == 0   ? "plain code: the check of its program failed"
           : strcmp(state, "look-up") == 0 ? "a look-up, which has no program to check"
           : strcmp(state, "contract") == 0 ? "with a contract, for frama-c -wp"
                                            : state;
}

static void function(struct text *t, const json_t *trace, const json_t *f)
{
    const json_t *cost = report_list(f, "cost"), *k;
    const char *kind = report_text(f, "kind");
    size_t i;

    text_puts(t, "\n### ");
    put(t, report_text(f, "name"));
    text_puts(t, ", ");
    put(t, report_text(f, "file"));
    text_printf(t, " %ld-%ld\n\n", report_int(f, "first"), report_int(f, "last"));
    if (strcmp(kind, "kernel") != 0) {
        text_puts(t, strcmp(kind, "run") == 0 ? "Calls the kernels' functions in order: it comes from all nodes.\n"
                                              : "Support: it comes from no node.\n");
        return;
    }
    text_printf(t, "    %s\n\n- %s\n- computes ", report_text(f, "kernel"), state_words(report_text(f, "state")));
    put_nodes(t, report_list(f, "from"), report_list(trace, "nodes"));
    text_puts(t, "\n- called in line");
    json_array_foreach(report_list(f, "calls"), i, k)
        text_printf(t, "%s %ld", i ? "," : "", report_int(report_by_id(report_list(trace, "calls"), (long)json_integer_value(k)), "line"));
    text_puts(t, "\n");
    if (json_is_object(cost))
        text_printf(t, "- a call: %.0f multiply-adds, %.0f operations, %.0f iterations\n",
                    json_number_value(json_object_get(cost, "multiply_adds")), json_number_value(json_object_get(cost, "operations")),
                    json_number_value(json_object_get(cost, "iterations")));
}

void report_markdown(struct text *t, const json_t *trace)
{
    const json_t *s = report_list(trace, "summary"), *f;
    size_t i;

    text_puts(t, "# Trace of ");
    put(t, report_text(trace, "model"));
    text_printf(t, "\n\nMade by calque %s. %ld operators, %ld rewrites, %ld operators emitted as %ld functions in %ld calls.\n",
                report_text(trace, "calque"), report_int(s, "nodes_read"), report_int(s, "rewrites"), report_int(s, "nodes_emitted"),
                report_int(s, "functions"), report_int(s, "calls"));
    text_printf(t, "Arena %ld bytes, weights %ld bytes. The rewriting: ", report_int(s, "arena"), report_int(s, "weights"));
    put(t, report_text(s, "theorem"));
    text_puts(t, ".\n\n");
    nodes(t, trace);
    rewrites(t, trace);
    text_puts(t, "\n## Functions\n");
    json_array_foreach(report_list(trace, "functions"), i, f)
        function(t, trace, f);
}
