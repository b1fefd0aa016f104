#include "pattern/elab.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tensor/op.h"

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
    mem_free(e->access.a);
    ints_free(&e->flags);
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

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

static const char *term_word(int kind)
{
    return kind == TERM_PATTERN ? "pattern" : kind == TERM_LIST ? "list of patterns" : "list of keywords";
}

struct term elab_stray(struct elab *e, struct term t)
{
    if (t.kind == TERM_ATTRS)
        return elab_fail(e, t.line, t.col, "a list of keywords stands only after '**'");
    return elab_fail(e, t.line, t.col, "a list of patterns cannot stand here");
}

/* Wraps a fresh attribute expression; id -1 is a limit exceeded (too_large) or memory out. */
static struct term wrap(struct elab *e, int id, int flags, bool too_large, int line, int col)
{
    if (id < 0 && too_large)
        return elab_fail(e, line, col, "the attribute expression is too large");
    if (id < 0 || !ints_push(e->rs->mem, &e->flags, flags))
        return elab_nomem(e);
    return (struct term){ TERM_ATTR, id, 0, line, col };
}

/* Would a parent of a (and b) exceed the limits of the attr room? */
static bool too_large(const struct elab *e, int a, int b)
{
    const struct attr_node *nd = e->r->attrs.node.a;
    long size = 1 + nd[a].size + (b >= 0 ? nd[b].size : 0);

    return nd[a].depth >= ATTR_DEPTH_MAX || (b >= 0 && nd[b].depth >= ATTR_DEPTH_MAX) ||
           size > ATTR_SIZE_MAX;
}

struct term elab_const(struct elab *e, int value, int line, int col)
{
    return wrap(e, value < 0 ? -1 : attr_const(&e->r->attrs, value), 0, false, line, col);
}

bool elab_is_closed(const struct elab *e, int expr)
{
    return !(e->flags.a[expr] & ELAB_HAS_ACCESS);
}

bool elab_is_value(struct elab *e, struct term t, const char *what)
{
    if (t.kind == TERM_BAD)
        return false;
    if (t.kind != TERM_ATTR)
        elab_fail(e, t.line, t.col, "%s must be an attribute value, not a %s", what, term_word(t.kind));
    else if (e->flags.a[t.id] & ELAB_HAS_ANY)
        elab_fail(e, t.line, t.col, "'_' has no value: it can only be matched");
    return e->status == CALQUE_OK;
}

struct term elab_unary(struct elab *e, int op, struct term a)
{
    if (!elab_is_value(e, a, "the operand"))
        return a;
    return wrap(e, attr_unary(&e->r->attrs, op, a.id), e->flags.a[a.id], too_large(e, a.id, -1), a.line,
                a.col);
}

struct term elab_binary(struct elab *e, int op, struct term a, struct term b)
{
    int flags;

    if (!elab_is_value(e, a, "the operand") || !elab_is_value(e, b, "the operand"))
        return (struct term){ TERM_BAD, -1, 0, a.line, a.col };
    flags = e->flags.a[a.id] | e->flags.a[b.id];
    return wrap(e, attr_binary(&e->r->attrs, op, a.id, b.id), flags, too_large(e, a.id, b.id), a.line, a.col);
}

static struct term project(struct elab *e, struct term t, struct term ix)
{
    int flags;

    if (!elab_is_value(e, t, "the tuple") || !elab_is_value(e, ix, "the index"))
        return (struct term){ TERM_BAD, -1, 0, t.line, t.col };
    flags = e->flags.a[t.id] | e->flags.a[ix.id];
    return wrap(e, attr_proj(&e->r->attrs, t.id, ix.id), flags, too_large(e, t.id, ix.id), t.line, t.col);
}

struct term elab_access(struct elab *e, int pattern, int label, int line, int col)
{
    int id;

    if (!elab_has_label(e, pattern, str(e, label)))
        return elab_fail(e, line, col, "%s has no attribute '%s'", pattern_word(e->r, pattern),
                         str(e, label));
    if (!vec_room(e->rs->mem, &e->access, 1))
        return elab_nomem(e);
    e->access.a[e->access.n++] = (struct access_place){ pattern, label, line, col };
    id = attr_access(&e->r->attrs, pattern, label);
    return wrap(e, id, ELAB_HAS_ACCESS, false, line, col);
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

static bool bind(struct elab *e, struct scope_entry entry)
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
        if (!bind(e,
                  (struct scope_entry){.name = e->syn->param.a[def->param + k], .def = -1, .term = arg[k]}))
            return elab_nomem(e);
    t = elab_expr(e, def->expr);
    e->env = caller;
    t.line = line;
    t.col = col;
    return t;
}

static struct term name_term(struct elab *e, const struct syntax_node *nd)
{
    const struct scope_entry *s = elab_find(e, nd->name);
    struct term t;

    if (!s && elab_reserved(str(e, nd->name)))
        return elab_fail(e, nd->line, nd->col, "'%s' must be applied to arguments", str(e, nd->name));
    if (!s)
        return elab_fail(e, nd->line, nd->col, "undefined name '%s'", str(e, nd->name));
    if (s->def >= 0)
        return elab_fail(e, nd->line, nd->col, "the macro '%s' must be applied to arguments",
                         str(e, nd->name));
    t = s->term;
    t.line = nd->line;
    t.col = nd->col;
    return t;
}

/* -1 and -0.5 are literals, so that they have their values' kinds. */
static struct term negative(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_node *a = &e->syn->node.a[nd->a];
    struct values *vs = e->rs->values;
    struct term t;

    if (a->kind == SYNTAX_INT)
        return elab_const(e, value_int(vs, -a->num), nd->line, nd->col);
    if (a->kind == SYNTAX_FLOAT)
        return elab_const(e, value_float(vs, -a->real), nd->line, nd->col);
    t = elab_expr(e, nd->a);
    if (t.kind == TERM_PATTERN)
        return elab_apply(e, OP_Neg, &t, 1, nd->line, nd->col);
    return t.kind == TERM_BAD ? t : elab_unary(e, ATTR_NEG, t);
}

static const struct { int syntax, attr, op; } infix[] = {
    { SYNTAX_ADD, ATTR_ADD, OP_Add },   { SYNTAX_SUB, ATTR_SUB, OP_Sub },
    { SYNTAX_MUL, ATTR_MUL, OP_Mul },   { SYNTAX_DIV, -1, OP_Div },
    { SYNTAX_FLOORDIV, ATTR_FLOORDIV, -1 }, { SYNTAX_MOD, ATTR_MOD, -1 },
    { SYNTAX_EQ, ATTR_EQ, -1 },         { SYNTAX_NE, ATTR_NE, -1 },
    { SYNTAX_LT, ATTR_LT, -1 },         { SYNTAX_LE, ATTR_LE, -1 },
    { SYNTAX_GT, ATTR_GT, -1 },         { SYNTAX_GE, ATTR_GE, -1 },
    { SYNTAX_AND, ATTR_AND, -1 },       { SYNTAX_OR, ATTR_OR, -1 },
};

static struct term binary(struct elab *e, const struct syntax_node *nd)
{
    const char *text = syntax_op_text(nd->op);
    struct term t[2];

    t[0] = elab_expr(e, nd->a);
    t[1] = t[0].kind == TERM_BAD ? t[0] : elab_expr(e, nd->b);
    if (t[1].kind == TERM_BAD)
        return t[1];
    for (size_t k = 0; k < sizeof infix / sizeof *infix; k++) {
        if (infix[k].syntax != nd->op)
            continue;
        if (t[0].kind == TERM_ATTR && t[1].kind == TERM_ATTR) {
            if (infix[k].attr < 0)
                return elab_fail(e, nd->line, nd->col, "'/' is not defined on attribute values; use '//'");
            return elab_binary(e, infix[k].attr, t[0], t[1]);
        }
        if (infix[k].op < 0)
            return elab_fail(e, nd->line, nd->col,
                             "'%s' is not defined on patterns, only on attribute values", text);
        return elab_apply(e, infix[k].op, t, 2, nd->line, nd->col);
    }
    return elab_fail(e, nd->line, nd->col, "'%s' is not supported yet", text);
}

static struct term subscript(struct elab *e, const struct syntax_node *nd)
{
    struct term t = elab_expr(e, nd->a), ix;
    struct pattern p;

    if (t.kind == TERM_BAD)
        return t;
    ix = elab_expr(e, nd->b);
    if (ix.kind == TERM_BAD)
        return ix;
    if (t.kind != TERM_PATTERN)
        return project(e, t, ix);
    if (ix.kind != TERM_ATTR)
        return elab_fail(e, ix.line, ix.col, "the index must be an attribute value, not a pattern");
    p = elab_blank(PATTERN_PROJ, nd->line, nd->col);
    p.kid = e->r->kid.n;
    p.nkid = 1;
    p.value = ix.id;
    p.closed = elab_is_closed(e, ix.id);
    if (!ints_push(e->rs->mem, &e->r->kid, t.id))
        return elab_nomem(e);
    t.id = elab_pattern(e, p);
    return t.id < 0 ? elab_nomem(e) : (struct term){ TERM_PATTERN, t.id, 0, nd->line, nd->col };
}

/* The elements' terms, freed by the caller; false after an error. */
static bool elements(struct elab *e, const struct syntax_node *nd, struct term *t, bool *patterns)
{
    *patterns = false;
    for (int k = 0; k < nd->narg; k++) {
        t[k] = elab_expr(e, e->syn->arg.a[nd->arg + k].expr);
        if (t[k].kind == TERM_BAD)
            return false;
        if (t[k].kind == TERM_ATTRS || t[k].kind == TERM_LIST) {
            elab_stray(e, t[k]);
            return false;
        }
        *patterns |= t[k].kind == TERM_PATTERN;
    }
    return true;
}

static struct term attr_tuple_term(struct elab *e, const struct syntax_node *nd, const struct term *t)
{
    const struct attr_node *a = e->r->attrs.node.a;
    struct ints ids = { NULL, 0, 0 };
    bool large = nd->narg > VALUE_LEN_MAX, ok = true;
    long size = 1;
    int flags = 0, id = -1;

    for (int k = 0; k < nd->narg && ok; k++) {
        flags |= e->flags.a[t[k].id];
        size += a[t[k].id].size;
        large |= a[t[k].id].depth >= ATTR_DEPTH_MAX || size > ATTR_SIZE_MAX;
        ok = ints_push(e->rs->mem, &ids, t[k].id);
    }
    if (ok)
        id = attr_tuple(&e->r->attrs, ids.a, ids.n);
    ints_free(&ids);
    return wrap(e, id, flags, ok && large, nd->line, nd->col);
}

static struct term list_term(struct elab *e, const struct syntax_node *nd, const struct term *t)
{
    struct term out = { TERM_LIST, e->item.n, nd->narg, nd->line, nd->col };

    if (!vec_room(e->rs->mem, &e->item, nd->narg))
        return elab_nomem(e);
    for (int k = 0; k < nd->narg; k++)
        e->item.a[e->item.n++] = t[k];
    return out;
}

static struct term tuple(struct elab *e, const struct syntax_node *nd)
{
    struct term *t = mem_zero(e->rs->mem, (size_t)nd->narg + 1, sizeof *t), out;
    bool patterns;

    if (!t)
        return elab_nomem(e);
    if (!elements(e, nd, t, &patterns))
        out = (struct term){ TERM_BAD, -1, 0, nd->line, nd->col };
    else if (!patterns)
        out = attr_tuple_term(e, nd, t);
    else if (nd->kind == SYNTAX_LIST)
        out = list_term(e, nd, t);
    else
        out = elab_apply(e, -1, t, nd->narg, nd->line, nd->col);
    mem_free(t);
    return out;
}

static struct term access_term(struct elab *e, const struct syntax_node *nd)
{
    struct term t = elab_expr(e, nd->a);

    if (t.kind == TERM_BAD)
        return t;
    if (t.kind != TERM_PATTERN)
        return elab_fail(e, nd->line, nd->col,
                         "only patterns have attributes: '.%s' follows an attribute value", str(e, nd->name));
    return elab_access(e, t.id, nd->name, nd->line, nd->col);
}

static struct term dispatch(struct elab *e, const struct syntax_node *nd)
{
    struct values *vs = e->rs->values;
    struct term t;

    switch (nd->kind) {
    case SYNTAX_INT:
        return elab_const(e, value_int(vs, nd->num), nd->line, nd->col);
    case SYNTAX_FLOAT:
        return elab_const(e, value_float(vs, nd->real), nd->line, nd->col);
    case SYNTAX_STRING:
        return elab_const(e, value_str(vs, nd->name), nd->line, nd->col);
    case SYNTAX_BOOL:
        return elab_const(e, value_bool(vs, nd->num != 0), nd->line, nd->col);
    case SYNTAX_NONE:
        return elab_const(e, value_none(vs), nd->line, nd->col);
    case SYNTAX_ANY:
        return wrap(e, attr_any(&e->r->attrs), ELAB_HAS_ANY, false, nd->line, nd->col);
    case SYNTAX_NAME:
        return name_term(e, nd);
    case SYNTAX_TUPLE:
    case SYNTAX_LIST:
        return tuple(e, nd);
    case SYNTAX_UNARY:
        if (nd->op == SYNTAX_NEG)
            return negative(e, nd);
        t = elab_expr(e, nd->a);
        return t.kind == TERM_BAD ? t : elab_unary(e, ATTR_NOT, t);
    case SYNTAX_BINARY:
        return binary(e, nd);
    case SYNTAX_ACCESS:
        return access_term(e, nd);
    case SYNTAX_INDEX:
        return subscript(e, nd);
    case SYNTAX_CALL:
        return elab_call(e, nd);
    case SYNTAX_SLICE:
        return elab_fail(e, nd->line, nd->col, "slices are not supported yet");
    default:
        return elab_fail(e, nd->line, nd->col, "'for' (families and reductions) is not supported yet");
    }
}

struct term elab_expr(struct elab *e, int expr)
{
    const struct syntax_node *nd = &e->syn->node.a[expr];
    struct term t;

    if (++e->steps > ELAB_STEPS_MAX || e->depth >= ELAB_DEPTH_MAX)
        return elab_fail(e, nd->line, nd->col, "the rule is too large once its macros are expanded");
    e->depth++;
    t = dispatch(e, nd);
    e->depth--;
    if (t.kind != TERM_BAD) {
        t.line = nd->line;
        t.col = nd->col;
    }
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
           bind(e, (struct scope_entry){ .name = s->name, .def = st, .line = s->line });
}

static bool add_output(struct elab *e, struct term t, struct ints *to, const char *what)
{
    if (t.kind != TERM_PATTERN && t.kind != TERM_BAD)
        elab_fail(e, t.line, t.col, "the %s must be a pattern, not an attribute value", what);
    if (e->status == CALQUE_OK && !ints_push(e->rs->mem, to, t.id))
        elab_nomem(e);
    return e->status == CALQUE_OK;
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
    static const char *const name[] = { "exact", "ring", "real" };

    for (int k = 0; k < 3; k++)
        if (strcmp(str(e, s->name), name[k]) == 0) {
            e->r->class = k;
            return true;
        }
    elab_fail(e, s->line, s->col, "unknown class '%s': exact, ring or real", str(e, s->name));
    return false;
}

static bool add_require(struct elab *e, const struct syntax_stmt *s)
{
    struct term t = elab_expr(e, s->expr);

    if (!elab_is_value(e, t, "the condition"))
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
    return bind(e, (struct scope_entry){ .name = s->name, .def = -1, .term = t, .line = s->line });
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
    e->flags.n = e->access.n = e->keyword.n = e->item.n = 0;
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
