/* trace.json: from each operator of the model as it was read through the rewrites to the operators that are emitted, their
   calls, functions and lines, and back. Every operator and every function is there. */
#include <string.h>

#include "cli/cli.h"
#include "graph/text.h"
#include "rewrite/library.h"
#include "tensor/op.h"

const char *report_text(const json_t *x, const char *key)
{
    const char *s = json_string_value(json_object_get(x, key));

    return s ? s : "";
}

long report_int(const json_t *x, const char *key)
{
    return (long)json_integer_value(json_object_get(x, key));
}

const json_t *report_list(const json_t *x, const char *key)
{
    return json_object_get(x, key);
}

/* Ids rise, but for those of inputs, of which a graph may have any order. */
json_t *report_by_id(const json_t *list, long id)
{
    size_t i, low = 0, high = json_array_size(list);
    json_t *x;

    while (low < high) {
        i = low + (high - low) / 2;
        x = json_array_get(list, i);
        if (report_int(x, "id") == id)
            return x;
        *(report_int(x, "id") < id ? &low : &high) = report_int(x, "id") < id ? i + 1 : i;
    }
    json_array_foreach(list, i, x)
        if (report_int(x, "id") == id)
            return x;
    return NULL;
}

static json_t *type_of(const struct graph *g, int node)
{
    struct text t;
    json_t *x;

    text_init(&t, g->mem);
    graph_type_write(&t, g->node.a[node].dtype, &g->node.a[node].shape);
    x = t.failed ? NULL : json_string(t.a);
    text_free(&t);
    return x;
}

static json_t *name_of(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    return cli_text(n->label >= 0 && strs_len(g->strs, n->label) > 0 ? strs_text(g->strs, n->label) : graph_name(g, node));
}

static json_t *operator_of(const struct graph *g, int node)
{
    size_t n;
    const char *type = graph_opaque_type(g, node, &n);
    char *s = n > 0 ? mem_text(g->mem, type, n) : NULL;
    json_t *x = s ? cli_text(s) : json_string(op_info(g->node.a[node].op)->name);

    mem_free(s);
    return x;
}

static bool has(const json_t *list, long k)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_array_get(list, i)) == k)
            return true;
    return false;
}

static void add(json_t *list, long k)
{
    if (!has(list, k))
        cli_append(list, json_integer(k));
}

/* Operators and inputs that node k reads, through projections and tuples; the stack is bounded by the number of reads. */
static json_t *reads_of(const struct graph *g, int k)
{
    json_t *list = json_array();
    struct ints work = {0};
    bool ok = ints_push(g->mem, &work, k);

    while (ok && work.n > 0) {
        int x = work.a[--work.n];
        for (int i = g->node.a[x].nin - 1; ok && i >= 0; i--) {
            int from = graph_in(g, x, i), kind = from < 0 ? NODE_CONST : g->node.a[from].kind;
            if (kind == NODE_PROJ || kind == NODE_TUPLE)
                ok = ints_push(g->mem, &work, from);
            else if (kind != NODE_CONST)
                add(list, from);
        }
    }
    ints_free(&work);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* Names of the outputs of each operator, and its type: those of its projections if it has several. */
static json_t *outputs_of(const struct graph *g, int node)
{
    json_t *list = json_array();

    if (!graph_multi(g, node))
        cli_append(list, cli_text(graph_name(g, node)));
    for (int i = node + 1; graph_multi(g, node) && i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == node)
            cli_append(list, cli_text(graph_name(g, i)));
    return list;
}

json_t *report_graph(const struct graph *g)
{
    json_t *list = json_array();

    for (int i = 0; i < g->node.n; i++) {
        json_t *x;
        if (g->node.a[i].kind != NODE_OP)
            continue;
        x = json_object();
        cli_set(x, "id", json_integer(i));
        cli_set(x, "name", name_of(g, i));
        cli_set(x, "operator", operator_of(g, i));
        cli_set(x, "outputs", outputs_of(g, i));
        cli_set(x, "type", type_of(g, i));
        cli_set(x, "reads", reads_of(g, i));
        cli_append(list, x);
    }
    return list;
}

json_t *report_inputs(const struct graph *g)
{
    json_t *list = json_array();

    for (int i = 0; i < g->input.n; i++) {
        json_t *x = json_object();
        cli_set(x, "id", json_integer(g->input.a[i]));
        cli_set(x, "name", cli_text(graph_name(g, g->input.a[i])));
        cli_set(x, "type", type_of(g, g->input.a[i]));
        cli_append(list, x);
    }
    return list;
}

/* ---- rewrites ---- */

/* What an event took: operators as read, or what rewrites made. */
static json_t *replaced(const struct trace *t, const struct trace_event *e)
{
    json_t *list = json_array();

    for (int k = 0; k < e->nfrom; k++) {
        int x = t->pool.a[e->from + k];
        cli_append(list, json_pack("{s:i}", x < t->read ? "node" : "rewrite", x < t->read ? x : t->made.a[x]));
    }
    return list;
}

/* The operators of the emitted graph that event i made. */
static json_t *made_by(const struct report *r, int i)
{
    json_t *list = json_array();

    for (int k = 0; k < r->g->node.n; k++)
        if (r->g->node.a[k].kind == NODE_OP && r->trace->made.a[r->trace->number.a[k]] == i)
            cli_append(list, json_integer(k));
    return list;
}

static json_t *rewrites(const struct report *r)
{
    json_t *list = json_array();

    for (int i = 0; i < r->trace->event.n; i++) {
        const struct trace_event *e = &r->trace->event.a[i];
        json_t *x;
        if (e->rule < 0)
            continue;
        x = json_pack("{s:i, s:s, s:s, s:s?, s:o, s:o}", "id", i, "rule", rules_name(r->rules, e->rule), "class",
                      rules_class(r->rules, e->rule), "theorem", library_theorem(r->rules, e->rule), "replaced",
                      replaced(r->trace, e), "made", made_by(r, i));
        cli_append(list, x);
    }
    return list;
}

/* Rules that were applied. */
static json_t *rules_used(const struct report *r)
{
    json_t *list = json_array();

    for (int k = 0; k < r->stats->rules; k++)
        if (r->stats->rule[k].applied)
            cli_append(list, json_pack("{s:s, s:s, s:s?, s:I}", "rule", rules_name(r->rules, k), "class",
                                       rules_class(r->rules, k), "theorem", library_theorem(r->rules, k), "applied",
                                       (json_int_t)r->stats->rule[k].applied));
    return list;
}

/* ---- nodes of the emitted graph ---- */

static const char *const values[] = { "unused", "input", "constant", "renamed", "empty", "computed" };

/* The operator or input behind a projection. */
static int behind(const struct graph *g, int node)
{
    while (g->node.a[node].kind == NODE_PROJ)
        node = graph_in(g, node, 0);
    return node;
}

/* The calls that compute node k, or the node whose memory holds its value. */
static json_t *calls_of(const struct report *r, int k)
{
    const struct emit_trace *t = &r->files->trace;
    json_t *list = json_array();

    if (t->value[k].value == EMIT_RENAMED && r->g->node.a[k].kind == NODE_OP)
        k = behind(r->g, t->value[k].root);
    for (int i = 0; i < t->call.n; i++)
        for (int j = t->call.a[i].node; j < t->call.a[i].node + t->call.a[i].nodes; j++)
            if (t->node.a[j] == k)
                add(list, i);
    return list;
}

static json_t *final_nodes(const struct report *r)
{
    json_t *list = report_graph(r->g), *x;
    size_t i;

    json_array_foreach(list, i, x) {
        int k = (int)report_int(x, "id"), made = r->trace->made.a[r->trace->number.a[k]];
        int value = r->files->trace.value[k].value;
        cli_set(x, "rewrite", made < 0 ? json_null() : json_integer(made));
        cli_set(x, "rule", made < 0 ? json_null() : json_string(rules_name(r->rules, r->trace->event.a[made].rule)));
        cli_set(x, "value", json_string(values[value]));
        if (value == EMIT_RENAMED)
            cli_set(x, "memory_of", json_integer(behind(r->g, r->files->trace.value[k].root)));
        cli_set(x, "calls", calls_of(r, k));
        cli_set(x, "from", json_array());
    }
    return list;
}

/* ---- nodes of the model as read ---- */

/* What a node became: its state, operators, constants, inputs. */
struct became {
    json_t *nodes, *constants, *inputs, *rewrites, *calls;
    bool removed, moved; /* a rule took it away; a rule put something in its place */
};

static void note_event(const struct report *r, struct became *b, int i)
{
    const struct trace_event *e = &r->trace->event.a[i];

    if (e->rule < 0)
        return;
    cli_append(b->rewrites, json_integer(i));
    b->removed = b->removed || e->nto == 0;
    b->moved = b->moved || e->nto > 0;
}

static void note_node(const struct report *r, json_t *final, struct became *b, int k, long read)
{
    json_t *x, *call;
    size_t i;

    if (r->g->node.a[k].kind == NODE_CONST)
        cli_append(b->constants, cli_text(graph_name(r->g, k)));
    if (r->g->node.a[k].kind == NODE_INPUT)
        cli_append(b->inputs, json_integer(k));
    if (r->g->node.a[k].kind != NODE_OP)
        return;
    x = report_by_id(final, k);
    cli_append(b->nodes, json_integer(k));
    add(json_object_get(x, "from"), read);
    json_array_foreach(json_object_get(x, "calls"), i, call)
        add(b->calls, (long)json_integer_value(call));
}

static const char *state_of(const struct became *b)
{
    bool lives = json_array_size(b->nodes) > 0;

    return b->moved && lives                    ? "rewritten"
           : b->removed                         ? "removed"
           : lives                              ? "kept"
           : json_array_size(b->constants) > 0  ? "constant"
           : json_array_size(b->inputs) > 0     ? "removed"
                                                : "dead";
}

static void read_node(const struct report *r, json_t *final, json_t *x, bool *reached, bool *taken)
{
    struct became b = { json_array(), json_array(), json_array(), json_array(), json_array(), false, false };
    long id = report_int(x, "id");

    for (int i = 0; i < r->trace->event.n; i++)
        if (taken[i])
            note_event(r, &b, i);
    for (int k = 0; k < r->g->node.n; k++)
        if (reached[r->trace->number.a[k]])
            note_node(r, final, &b, k, id);
    cli_set(x, "state", json_string(state_of(&b)));
    cli_set(x, "rewrites", b.rewrites);
    cli_set(x, "became", b.nodes);
    cli_set(x, "constants", b.constants);
    cli_set(x, "inputs", b.inputs);
    cli_set(x, "calls", b.calls);
}

/* false: memory is out. */
static bool read_nodes(const struct report *r, json_t *final)
{
    bool *reached = mem_zero(r->g->mem, (size_t)r->trace->numbers + 1, sizeof *reached);
    bool *taken = mem_zero(r->g->mem, (size_t)r->trace->event.n + 1, sizeof *taken);
    bool ok = reached && taken;
    json_t *x;
    size_t i;

    json_array_foreach(r->read, i, x) {
        ok = ok && trace_follow(r->trace, (int)report_int(x, "id"), reached, taken);
        if (ok)
            read_node(r, final, x, reached, taken);
    }
    mem_free(reached);
    mem_free(taken);
    return ok;
}

/* ---- code ---- */

static json_t *measures(bool known, const struct emit_work *w)
{
    return known ? json_pack("{s:f, s:f, s:f}", "multiply_adds", w->multiply_adds, "operations", w->operations, "iterations",
                             w->iterations)
                 : json_null();
}

/* The operators as read that the emitted ones come from. */
static json_t *origins(const json_t *final, const json_t *nodes)
{
    json_t *list = json_array(), *k, *from;
    size_t i, j;

    json_array_foreach(nodes, i, k)
        json_array_foreach(report_list(report_by_id(final, (long)json_integer_value(k)), "from"), j, from)
            add(list, (long)json_integer_value(from));
    return list;
}

static json_t *calls(const struct report *r, const json_t *final)
{
    static const char *const states[] = { "copy", "checked", "plain", "look-up", "contract" };
    const struct emit_trace *t = &r->files->trace;
    const char *notes = r->files->notes.a;
    json_t *list = json_array();

    for (int i = 0; i < t->call.n; i++) {
        const struct emit_call *c = &t->call.a[i];
        json_t *x = json_object(), *nodes = json_array();
        for (int k = c->node; k < c->node + c->nodes; k++)
            add(nodes, t->node.a[k]);
        cli_set(x, "id", json_integer(i));
        cli_set(x, "function", c->function < 0 ? json_string("memcpy") : json_string(notes + t->code.a[c->function].name));
        cli_set(x, "of", cli_text(notes + c->note));
        cli_set(x, "state", json_string(states[c->state]));
        cli_set(x, "line", json_integer(c->line));
        cli_set(x, "from", origins(final, nodes));
        cli_set(x, "nodes", nodes);
        cli_set(x, "weight_bytes", json_integer((json_int_t)c->weights));
        cli_set(x, "buffer_bytes", json_integer((json_int_t)c->buffers));
        cli_set(x, "cost", c->function < 0 ? json_null() : measures(t->code.a[c->function].measured, &t->code.a[c->function].work));
        cli_append(list, x);
    }
    return list;
}

static json_t *function(const struct report *r, const struct emit_code *c, const char *kind)
{
    const char *notes = r->files->notes.a;

    return json_pack("{s:s, s:s, s:s, s:i, s:i}", "name", notes + c->name, "kind", kind, "file", r->files->file.a[c->file].name,
                     "first", c->first, "last", c->last);
}

/* What the calls of function i say of it. */
static void function_calls(json_t *x, const struct emit_trace *t, int i, const json_t *all)
{
    json_t *list = json_array(), *nodes = json_array(), *from = json_array(), *k;
    const char *state = "";
    size_t j;

    for (int c = 0; c < t->call.n; c++) {
        const json_t *call = json_array_get(all, (size_t)c);
        if (t->call.a[c].function != i)
            continue;
        cli_append(list, json_integer(c));
        state = report_text(call, "state");
        json_array_foreach(report_list(call, "nodes"), j, k)
            add(nodes, (long)json_integer_value(k));
        json_array_foreach(report_list(call, "from"), j, k)
            add(from, (long)json_integer_value(k));
    }
    cli_set(x, "state", json_string(state));
    cli_set(x, "calls", list);
    cli_set(x, "nodes", nodes);
    cli_set(x, "from", from);
}

static json_t *functions(const struct report *r, const json_t *calls_json)
{
    const struct emit_trace *t = &r->files->trace;
    json_t *list = json_array();

    for (int i = 0; i < t->code.n; i++) {
        const struct emit_code *c = &t->code.a[i];
        json_t *x = function(r, c, "kernel");
        cli_set(x, "kernel", cli_text(r->files->notes.a + c->kernel));
        cli_set(x, "cost", measures(c->measured, &c->work));
        if (!c->measured) /* with contracts */
            cli_set(x, "contract", json_string(r->files->notes.a + c->name));
        function_calls(x, t, i, calls_json);
        cli_append(list, x);
    }
    for (int i = 0; i < t->other.n; i++) {
        const char *name = r->files->notes.a + t->other.a[i].name;
        bool run = cli_ends(name, "_run") || cli_ends(name, "_run_in");
        cli_append(list, function(r, &t->other.a[i], run ? "run" : "support"));
    }
    return list;
}

static json_t *memory(const struct report *r)
{
    const struct emit_trace *t = &r->files->trace;
    json_t *list = json_array();

    for (int i = 0; i < t->buffer.n; i++) {
        const struct emit_buffer *b = &t->buffer.a[i];
        json_t *x = json_object();
        cli_set(x, "name", b->node < 0 ? json_string("") : cli_text(graph_name(r->g, b->node)));
        cli_set(x, "node", b->node < 0 ? json_null() : json_integer(behind(r->g, b->node)));
        cli_set(x, "offset", json_integer((json_int_t)b->offset));
        cli_set(x, "bytes", json_integer((json_int_t)b->bytes));
        cli_set(x, "first", json_integer(b->first));
        cli_set(x, "last", json_integer(b->last));
        cli_append(list, x);
    }
    return list;
}

static json_t *summary(const struct report *r)
{
    const struct emit_files *f = r->files;
    int class = rewrite_class(r->rules, r->stats);
    char theorem[COVER_TEXT];
    json_t *x = json_object();

    rewrite_covering(r->cover, r->rules, r->stats, theorem);
    cli_set(x, "nodes_read", json_integer((json_int_t)json_array_size(r->read)));
    cli_set(x, "nodes_emitted", json_integer(graph_count_ops(r->g)));
    cli_set(x, "rewrites", json_integer(r->stats->applied));
    cli_set(x, "class", class < 0 ? json_null() : json_string(rule_class_name(class)));
    cli_set(x, "theorem", json_string(theorem));
    cli_set(x, "functions", json_integer(f->functions));
    cli_set(x, "calls", json_integer(f->steps));
    cli_set(x, "checked", json_integer(f->checked));
    cli_set(x, "unchecked", json_integer(f->unchecked));
    cli_set(x, "plain", json_integer(f->fallback.n - f->unpacked));
    cli_set(x, "arena", json_integer((json_int_t)f->arena));
    cli_set(x, "weights", json_integer((json_int_t)f->weights));
    return x;
}

json_t *report_trace(struct report *r)
{
    json_t *all = json_object(), *final = final_nodes(r), *list;
    bool ok = all && final && read_nodes(r, final);

    cli_set(all, "calque", json_string(CALQUE_VERSION));
    cli_set(all, "model", cli_text(r->model));
    cli_set(all, "summary", summary(r));
    cli_set(all, "inputs", json_incref(r->inputs));
    cli_set(all, "nodes", json_incref(r->read));
    cli_set(all, "rules", rules_used(r));
    cli_set(all, "rewrites", rewrites(r));
    cli_set(all, "emitted_inputs", report_inputs(r->g));
    cli_set(all, "emitted", final);
    list = calls(r, final);
    cli_set(all, "functions", functions(r, list));
    cli_set(all, "calls", list);
    cli_set(all, "memory", memory(r));
    if (ok && !cli_json_failed())
        return all;
    json_decref(all);
    return NULL;
}
