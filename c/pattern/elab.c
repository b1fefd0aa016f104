/* Rules: their statements, and what is visible in them. */
#include "pattern/elab_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void elab_init(struct elab *e, struct rules *rs, const struct syntax *syn, const char *file, struct diag *d)
{
    memset(e, 0, sizeof *e);
    e->rs = rs;
    e->syn = syn;
    e->file = file;
    e->d = d;
    e->env = -1;
}

void elab_free(struct elab *e)
{
    mem_free(e->scope.a);
    mem_free(e->keyword.a);
    mem_free(e->item.a);
    mem_free(e->note.a);
    mem_free(e->template.a);
    mem_free(e->target.a);
    ints_free(&e->pack);
    ints_free(&e->bound);
}

struct term elab_fail(struct elab *e, int line, int col, const char *format, ...)
{
    char text[DIAG_TEXT];
    va_list ap;

    if (e->status == CALQUE_OK) {
        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        e->status = diag_set(e->d, CALQUE_BAD, e->file, line, col, "%s", text);
    }
    return (struct term){ TERM_BAD, -1, 0, line, col };
}

struct term elab_nomem(struct elab *e)
{
    if (e->status == CALQUE_OK)
        e->status = diag_nomem(e->d);
    return (struct term){ TERM_BAD, -1, 0, 0, 0 };
}

struct term elab_bad(void)
{
    return (struct term){ TERM_BAD, -1, 0, 0, 0 };
}

struct term elab_stray(struct elab *e, struct term t)
{
    if (t.kind == TERM_ATTRS)
        return elab_fail(e, t.line, t.col, "a list of keywords stands only after '**'");
    if (t.kind == TERM_OPERATOR)
        return elab_fail(e, t.line, t.col, "an operator must be applied to inputs");
    return elab_fail(e, t.line, t.col, "a list of patterns cannot stand here");
}

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

struct pattern elab_blank(int kind, int line, int col)
{
    return (struct pattern){ .kind = kind, .op = -1, .opat = -1, .value = -1, .closed = true, .like = -1,
                             .first = -1, .index = -1, .name = -1, .line = line, .col = col };
}

int elab_pattern(struct elab *e, struct pattern p)
{
    if (e->r->pattern.n >= ELAB_PATTERNS_MAX) {
        elab_fail(e, p.line, p.col, "the rule has more than %d patterns", ELAB_PATTERNS_MAX);
        return -1;
    }
    if (!vec_room(e->rs->mem, &e->r->pattern, 1)) {
        elab_nomem(e);
        return -1;
    }
    e->r->pattern.a[e->r->pattern.n] = p;
    return e->r->pattern.n++;
}

const struct scope_entry *elab_find(const struct elab *e, int name)
{
    for (int k = e->env; k >= 0; k = e->scope.a[k].parent)
        if (e->scope.a[k].name == name)
            return &e->scope.a[k];
    return NULL;
}

bool elab_bind(struct elab *e, struct scope_entry entry)
{
    if (!vec_room(e->rs->mem, &e->scope, 1)) {
        elab_nomem(e);
        return false;
    }
    entry.parent = e->env;
    e->env = e->scope.n;
    e->scope.a[e->scope.n++] = entry;
    return true;
}

struct term elab_expand(struct elab *e, const struct scope_entry *macro, const struct term *arg, int n,
                        int line, int col)
{
    const struct syntax_stmt *def = &e->syn->stmt.a[macro->def];
    int caller = e->env, name = macro->name;
    struct term t;

    if (n != def->nparam)
        return elab_fail(e, line, col, "the macro '%s' takes %d argument%s, got %d", str(e, name),
                         def->nparam, def->nparam == 1 ? "" : "s", n);
    e->env = macro->parent; /* hygiene: the body sees what its definition saw */
    for (int k = 0; k < n; k++)
        if (!elab_bind(e,
                  (struct scope_entry){.name = e->syn->param.a[def->param + k], .def = -1, .term = arg[k]}))
            return elab_nomem(e);
    t = elab_expr(e, def->expr);
    e->env = caller;
    t.line = line;
    t.col = col;
    return t;
}

/* May a new binding be called name? */
static bool fresh(struct elab *e, const struct syntax_stmt *st, int outer)
{
    if (elab_reserved(str(e, st->name))) {
        elab_fail(e, st->line, st->col, "'%s' is the name of an operator or a built-in function",
                  str(e, st->name));
        return false;
    }
    for (int k = e->env; k >= 0 && k != outer; k = e->scope.a[k].parent)
        if (e->scope.a[k].name == st->name) {
            elab_fail(e, st->line, st->col, "'%s' is bound twice (first on line %d)", str(e, st->name),
                      e->scope.a[k].line);
            return false;
        }
    return true;
}

bool elab_def(struct elab *e, int st)
{
    const struct syntax_stmt *s = &e->syn->stmt.a[st];

    return fresh(e, s, -1) &&
           elab_bind(e, (struct scope_entry){ .name = s->name, .def = st, .line = s->line });
}

static bool add_output(struct elab *e, struct term t, struct ints *to, const char *what)
{
    if (t.kind != TERM_PATTERN && t.kind != TERM_BAD)
        elab_fail(e, t.line, t.col, "the %s must be a pattern, not %s", what,
                  t.kind == TERM_OPERATOR ? "an operator" : "an attribute value");
    if (e->status != CALQUE_OK)
        return false;
    if (!ints_push(e->rs->mem, to, t.id) || !vec_room(e->rs->mem, &e->target, 1))
        return elab_nomem(e), false;
    if (to == &e->r->target)
        e->target.a[e->target.n++] = t;
    return true;
}

static bool set_output(struct elab *e, const struct syntax_stmt *s, struct ints *to, const char *what)
{
    struct term t;

    if (to->n > 0) {
        elab_fail(e, s->line, s->col, "the rule has two %ss", what);
        return false;
    }
    t = elab_expr(e, s->expr);
    if (t.kind != TERM_LIST)
        return add_output(e, t, to, what);
    for (int k = 0; k < t.n; k++)
        if (!add_output(e, e->item.a[t.id + k], to, what))
            return false;
    return true;
}

static bool set_class(struct elab *e, const struct syntax_stmt *s)
{
    int k = rule_class_find(str(e, s->name), strlen(str(e, s->name)));

    if (k < 0) {
        elab_fail(e, s->line, s->col, "unknown class '%s': exact, ring or real", str(e, s->name));
        return false;
    }
    e->r->class = k;
    return true;
}

static bool add_require(struct elab *e, const struct syntax_stmt *s)
{
    struct term t = elab_expr(e, s->expr);

    if (!elab_expect(e, t, VALUE_BOOL, "the condition"))
        return false;
    if (!vec_room(e->rs->mem, &e->r->require, 1)) {
        elab_nomem(e);
        return false;
    }
    e->r->require.a[e->r->require.n++] = (struct rule_require){ t.id, t.line, t.col };
    return true;
}

static bool bind_stmt(struct elab *e, const struct syntax_stmt *s, int outer)
{
    struct term t;

    if (!fresh(e, s, outer))
        return false;
    t = elab_expr(e, s->expr);
    if (t.kind == TERM_BAD)
        return false;
    if (t.kind == TERM_PATTERN && e->r->pattern.a[t.id].name < 0)
        e->r->pattern.a[t.id].name = s->name;
    return elab_bind(e, (struct scope_entry){ .name = s->name, .def = -1, .term = t, .line = s->line });
}

enum calque_status elab_rule(struct elab *e, int st)
{
    const struct syntax_stmt *head = &e->syn->stmt.a[st];
    int outer = e->env;
    bool ok = true;

    e->r->name = head->name;
    e->r->line = head->line;
    e->r->col = head->col;
    e->r->class = RULE_REAL;
    e->note.n = e->template.n = e->target.n = e->pack.n = e->bound.n = e->keyword.n = e->item.n = 0;
    e->steps = e->depth = 0;
    for (int k = st + 1; k < head->end && ok; k++) {
        const struct syntax_stmt *s = &e->syn->stmt.a[k];
        switch (s->kind) {
        case SYNTAX_BIND: ok = bind_stmt(e, s, outer); break;
        case SYNTAX_DEF: ok = elab_def(e, k); break;
        case SYNTAX_SOURCE: ok = set_output(e, s, &e->r->source, "source"); break;
        case SYNTAX_TARGET: ok = set_output(e, s, &e->r->target, "target"); break;
        case SYNTAX_REQUIRE: ok = add_require(e, s); break;
        default: ok = set_class(e, s); break;
        }
    }
    e->env = outer;
    e->scope.n = outer + 1;
    return ok ? elab_check(e) : e->status;
}
