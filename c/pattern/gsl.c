/* Rule files: parsing, elaboration and check of a whole file, and printing of rules. Invariant: a rule is in the list
   only once it has passed the check (check_internal.h). */
#include "pattern/gsl.h"

#include <string.h>

#include "graph/text.h"
#include "pattern/elab_internal.h"
#include "tensor/op.h"

void rules_init(struct rules *rs, struct mem *mem, struct strs *strs, struct values *values)
{
    memset(rs, 0, sizeof *rs);
    rs->mem = mem;
    rs->strs = strs;
    rs->values = values;
    if (!values->strs) /* for layout_remap */
        values->strs = strs;
}

void rule_free(struct rule *r)
{
    mem_free(r->pattern.a);
    ints_free(&r->kid);
    mem_free(r->attr.a);
    mem_free(r->require.a);
    ints_free(&r->source);
    ints_free(&r->target);
    attrs_free(&r->attrs);
}

static void drop_from(struct rules *rs, int n)
{
    while (rs->rule.n > n)
        rule_free(&rs->rule.a[--rs->rule.n]);
}

void rules_free(struct rules *rs)
{
    drop_from(rs, 0);
    mem_free(rs->rule.a);
    rules_init(rs, rs->mem, rs->strs, rs->values);
}

int rules_count(const struct rules *rs)
{
    return rs->rule.n;
}

const char *rules_name(const struct rules *rs, int rule)
{
    return strs_text(rs->strs, rs->rule.a[rule].name);
}

const char *rules_file(const struct rules *rs, int rule)
{
    return strs_text(rs->strs, rs->rule.a[rule].file);
}

int rules_line(const struct rules *rs, int rule)
{
    return rs->rule.a[rule].line;
}

const char *rule_class_name(int class)
{
    static const char *const name[RULE_CLASSES] = { "exact", "ring", "real" };

    return name[class];
}

int rule_class_find(const char *name, size_t len)
{
    for (int k = 0; k < RULE_CLASSES; k++)
        if (strlen(rule_class_name(k)) == len && memcmp(rule_class_name(k), name, len) == 0)
            return k;
    return -1;
}

const char *rules_class(const struct rules *rs, int rule)
{
    return rule_class_name(rs->rule.a[rule].class);
}

int rules_find(const struct rules *rs, const char *name)
{
    for (int k = 0; k < rs->rule.n; k++)
        if (strcmp(rules_name(rs, k), name) == 0)
            return k;
    return -1;
}

const char *pattern_word(const struct rule *r, int p)
{
    static const char *const word[] = { "wildcard", "variable", "constant",  "call",
                                        "tuple",    "projection", "optional", "absent input",
                                        "alt",      "operator",   "variadic", "inst",
                                        "cond",     "match" };
    const struct pattern *q = &r->pattern.a[p];

    return q->kind == PATTERN_CALL && q->op >= 0 ? op_info(q->op)->name : word[q->kind];
}

/* Adds the rule of statement st; the rule is the array's once it is checked. */
static enum calque_status add_rule(struct rules *rs, struct elab *e, int st, int file)
{
    const struct syntax_stmt *head = &e->syn->stmt.a[st];
    struct rule r;
    enum calque_status status;

    for (int k = 0; k < rs->rule.n; k++)
        if (rs->rule.a[k].name == head->name) {
            elab_fail(e, head->line, head->col, "a rule '%s' exists already (%s:%d)",
                      strs_text(rs->strs, head->name), rules_file(rs, k), rules_line(rs, k));
            return e->status;
        }
    if (!vec_room(rs->mem, &rs->rule, 1))
        return diag_nomem(e->d);
    memset(&r, 0, sizeof r);
    r.file = file;
    attrs_init(&r.attrs, rs->values, rs->mem);
    e->r = &r;
    status = elab_rule(e, st);
    e->r = NULL;
    if (status == CALQUE_OK)
        rs->rule.a[rs->rule.n++] = r;
    else
        rule_free(&r);
    return status;
}

/* Reads the graph of statement st. The rest of the file is blanked, so that places stay what they are. */
static enum calque_status read_graph(struct graph *g, const struct syntax_stmt *st, const char *file, const char *src,
                                     struct diag *d)
{
    char *copy = mem_text(g->mem, src, (size_t)st->stop);
    enum calque_status status;

    if (!copy)
        return diag_nomem(d);
    for (int k = 0; k < st->start; k++)
        if (copy[k] != '\n')
            copy[k] = ' ';
    status = graph_text_read(g, file, copy, (size_t)st->stop, d);
    mem_free(copy);
    return status;
}

/* A graph of a rule file is well formed, and the only one of its name. */
static enum calque_status check_graph(struct rules *rs, struct elab *e, int st, const char *src)
{
    const struct syntax_stmt *s = &e->syn->stmt.a[st];
    enum calque_status status;
    struct graph g;

    for (int k = 0; k < st; k++)
        if (e->syn->stmt.a[k].kind == SYNTAX_GRAPH && e->syn->stmt.a[k].name == s->name) {
            elab_fail(e, s->line, s->col, "a graph of this name exists already (line %d)", e->syn->stmt.a[k].line);
            return e->status;
        }
    graph_init(&g, rs->mem, rs->strs, rs->values);
    status = read_graph(&g, s, e->file, src, e->d);
    graph_free(&g);
    return status;
}

enum calque_status rules_graph(struct graph *g, const char *name, const char *file, const char *src, size_t n,
                               struct diag *d)
{
    struct syntax syn;
    enum calque_status status;
    int found = -1, several = 0;

    syntax_init(&syn, g->mem, g->strs);
    status = syntax_parse(&syn, file, src, n, d);
    for (int k = 0; k < syn.stmt.n && status == CALQUE_OK; k++) {
        const struct syntax_stmt *s = &syn.stmt.a[k];
        if (s->kind != SYNTAX_GRAPH || (name && (s->name < 0 || strcmp(strs_text(g->strs, s->name), name) != 0)))
            continue;
        found = k;
        several++;
    }
    if (status == CALQUE_OK && several != 1)
        status = several ? diag_set(d, CALQUE_BAD, file, 0, 0, "several graphs in this file: give FILE.gsl:NAME")
                         : diag_set(d, CALQUE_BAD, file, 0, 0, "no graph%s%s in this file", name ? " " : "",
                                    name ? name : "");
    if (status == CALQUE_OK)
        status = read_graph(g, &syn.stmt.a[found], file, src, d);
    syntax_free(&syn);
    return status;
}

static enum calque_status add_all(struct rules *rs, struct elab *e, int file, const char *src)
{
    enum calque_status status = CALQUE_OK;

    for (int st = 0; st < e->syn->stmt.n && status == CALQUE_OK; st++) {
        const struct syntax_stmt *s = &e->syn->stmt.a[st];
        if (s->kind == SYNTAX_RULE) {
            status = add_rule(rs, e, st, file);
            st = s->end - 1;
        } else if (s->kind == SYNTAX_GRAPH) {
            status = check_graph(rs, e, st, src);
        } else if (!elab_def(e, st)) {
            status = e->status;
        }
    }
    return status;
}

enum calque_status rules_parse(struct rules *rs, const char *file, const char *src, size_t n, struct diag *d)
{
    struct syntax syn;
    struct elab e;
    int before = rs->rule.n, name;
    enum calque_status status;

    syntax_init(&syn, rs->mem, rs->strs);
    status = syntax_parse(&syn, file, src, n, d);
    name = strs_addz(rs->strs, file);
    if (status == CALQUE_OK && name < 0)
        status = diag_nomem(d);
    if (status == CALQUE_OK) {
        elab_init(&e, rs, &syn, file, d);
        status = add_all(rs, &e, name, src);
        elab_free(&e);
    }
    if (status != CALQUE_OK)
        drop_from(rs, before);
    syntax_free(&syn);
    return status;
}

static void print_attr(struct text *t, const struct rules *rs, const struct rule *r, int label, int expr)
{
    text_printf(t, " (%s ", strs_text(rs->strs, label));
    attr_print(t, &r->attrs, rs->strs, expr);
    text_puts(t, ")");
}

static void print_head(struct text *t, const struct rule *r, int p)
{
    const struct pattern *q = &r->pattern.a[p];

    if (q->kind == PATTERN_CALL && q->op < 0)
        text_printf(t, "  (%d (op %d)", p, q->opat);
    else
        text_printf(t, "  (%d %s", p, pattern_word(r, p));
    for (int k = 0; k < q->nkid; k++) {
        int kid = r->kid.a[q->kid + k];
        if (q->kind == PATTERN_OP)
            text_printf(t, " %s", op_info(kid)->name);
        else
            text_printf(t, " %d", kid);
    }
}

static void print_pattern(struct text *t, const struct rules *rs, const struct rule *r, int p)
{
    const struct pattern *q = &r->pattern.a[p];

    print_head(t, r, p);
    if (q->value >= 0) {
        text_puts(t, " = ");
        attr_print(t, &r->attrs, rs->strs, q->value);
    }
    for (int k = 0; k < q->nattr; k++)
        print_attr(t, rs, r, r->attr.a[q->attr + k].label, r->attr.a[q->attr + k].expr);
    if (q->shared)
        text_puts(t, " shared");
    if (q->template)
        text_puts(t, " template");
    if (q->first >= 0)
        text_printf(t, " first %d", q->first);
    if (q->least > 0)
        text_printf(t, " least %d", q->least);
    if (q->kind == PATTERN_VARIADIC && q->index >= 0)
        text_printf(t, " index %d", q->index);
    if (q->name >= 0)
        text_printf(t, " ; %s", strs_text(rs->strs, q->name));
    text_puts(t, ")\n");
}

void rules_print(struct text *t, const struct rules *rs, int rule)
{
    const struct rule *r = &rs->rule.a[rule];

    text_printf(t, "(rule %s %s\n", rules_name(rs, rule), rules_class(rs, rule));
    for (int p = 0; p < r->pattern.n; p++)
        print_pattern(t, rs, r, p);
    for (int k = 0; k < r->require.n; k++) {
        text_puts(t, "  (require ");
        attr_print(t, &r->attrs, rs->strs, r->require.a[k].expr);
        text_puts(t, ")\n");
    }
    text_puts(t, "  (source");
    for (int k = 0; k < r->source.n; k++)
        text_printf(t, " %d", r->source.a[k]);
    text_puts(t, ") (target");
    for (int k = 0; k < r->target.n; k++)
        text_printf(t, " %d", r->target.a[k]);
    text_puts(t, "))\n");
}
