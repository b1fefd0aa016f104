#include "pattern/gsl.h"

#include <string.h>

#include "pattern/elab.h"
#include "tensor/op.h"

void rules_init(struct rules *rs, struct mem *mem, struct strs *strs, struct values *values)
{
    memset(rs, 0, sizeof *rs);
    rs->mem = mem;
    rs->strs = strs;
    rs->values = values;
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

static const char *class_name(int class)
{
    return class == RULE_EXACT ? "exact" : class == RULE_RING ? "ring" : "real";
}

const char *rules_class(const struct rules *rs, int rule)
{
    return class_name(rs->rule.a[rule].class);
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
                                        "tuple",    "projection", "optional", "absent input" };
    const struct pattern *q = &r->pattern.a[p];

    return q->kind == PATTERN_CALL ? op_info(q->op)->name : word[q->kind];
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

static enum calque_status add_all(struct rules *rs, struct elab *e, int file)
{
    enum calque_status status = CALQUE_OK;

    for (int st = 0; st < e->syn->stmt.n && status == CALQUE_OK; st++) {
        const struct syntax_stmt *s = &e->syn->stmt.a[st];
        if (s->kind == SYNTAX_RULE) {
            status = add_rule(rs, e, st, file);
            st = s->end - 1;
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
        status = add_all(rs, &e, name);
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

static void print_pattern(struct text *t, const struct rules *rs, const struct rule *r, int p)
{
    const struct pattern *q = &r->pattern.a[p];

    text_printf(t, "  (%d %s", p, pattern_word(r, p));
    for (int k = 0; k < q->nkid; k++)
        text_printf(t, " %d", r->kid.a[q->kid + k]);
    if (q->value >= 0) {
        text_puts(t, " = ");
        attr_print(t, &r->attrs, rs->strs, q->value);
    }
    for (int k = 0; k < q->nattr; k++)
        print_attr(t, rs, r, r->attr.a[q->attr + k].label, r->attr.a[q->attr + k].expr);
    if (q->shared)
        text_puts(t, " shared");
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
