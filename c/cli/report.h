/* calque report: what is in trace.json, and its readable forms, which are made from it alone. */
#ifndef CALQUE_CLI_REPORT_H
#define CALQUE_CLI_REPORT_H

#include "cli/cli.h"
#include "emit/emit.h"
#include "rewrite/rewrite.h"

/* A graph's operators, {id, name, operator, outputs, type, reads}: ids are those of nodes; reads: operators and inputs, each once. */
json_t *report_graph(const struct graph *g);
json_t *report_inputs(const struct graph *g);

/* What is known after a run. */
struct report {
    struct cli *c;
    const char *model;
    json_t *read, *inputs; /* of the model as read: report_graph, report_inputs */
    const struct graph *g; /* the model as emitted */
    const struct rules *rules;
    const struct rewrite_stats *stats;
    const struct cover *cover;
    const struct trace *trace;
    const struct emit_files *files;
};
/* The whole of trace.json; adds to read. NULL: memory is out. */
json_t *report_trace(struct report *r);

/* Access to it: never NULL, "" or 0 where something is missing. */
const char *report_text(const json_t *x, const char *key);
long report_int(const json_t *x, const char *key);
const json_t *report_list(const json_t *x, const char *key);
/* The object of a list whose id it is, or NULL. */
json_t *report_by_id(const json_t *list, long id);

/* TRACE.md. */
void report_markdown(struct text *t, const json_t *trace);
/* report.html; code, contracts: the text of NAME.c and, with contracts, NAME_kernels.c, else NULL. */
void report_page(struct text *t, const json_t *trace, const char *code, const char *contracts);
/* The graph as read or as emitted as SVG; false: there is no program dot, or it failed. */
bool report_drawing(struct text *t, const json_t *trace, bool emitted);
/* The arena over the calls as SVG. */
void report_memory(struct text *t, const json_t *trace);
/* A number for a rule's colour, 0 .. 11; -1: it was not applied. */
int report_colour(const json_t *trace, const char *rule);
/* Text in HTML, without control characters. */
void report_escape(struct text *t, const char *s);

#endif
