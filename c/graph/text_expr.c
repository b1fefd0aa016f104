/* Expressions and attributes in .graph text. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/text_internal.h"
#include "tensor/op.h"

/* What a call has collected: its slices of the reader's stacks. */
struct call {
    int op;
    struct place at;
    int type;             /* opaque: the operator's name, string id */
    int args, attrs;      /* where the slices start */
    int outputs;          /* -1: not written */
    int raw;              /* number in g->raw, or -1 */
};

static int pop(struct ints *stack, int to)
{
    int n = stack->n - to;

    stack->n = to;
    return n;
}

/* Elements up to the closing bracket; the tuple's id or -1. *many: it is a tuple, not one parenthesised
   value. Recursion is bounded by reader_enter. */
static int read_value(struct reader *r);

static int value_items(struct reader *r, const char *close, bool *many)
{
    struct place at = reader_here(r);
    int base = r->elems.n, n, id;

    *many = false;
    while (!lex_is(&r->lx, close)) {
        id = read_value(r);
        if (id < 0)
            return -1;
        if (!ints_push(r->g->mem, &r->elems, id))
            return reader_nomem(r), -1;
        if (lex_accept(&r->lx, ","))
            *many = true;
        else if (!lex_is(&r->lx, close))
            return lex_expect(&r->lx, close), -1;
    }
    n = pop(&r->elems, base);
    if (n > VALUE_LEN_MAX)
        return reader_fail(r, CALQUE_LIMIT, at, "a tuple has at most %d elements", VALUE_LEN_MAX), -1;
    if (n == 1 && !*many)
        return r->elems.a[base];
    *many = true;
    id = value_tuple(r->g->values, n ? r->elems.a + base : NULL, n);
    return id >= 0 ? id : (reader_nomem(r), -1);
}

static int value_bracket(struct reader *r, const char *close)
{
    int id;
    bool many;

    if (!reader_enter(r))
        return -1;
    lex_next(&r->lx);
    id = value_items(r, close, &many);
    r->depth--;
    if (id < 0 || !lex_expect(&r->lx, close))
        return -1;
    if (*close == ']' && !many) /* [x] is a tuple of one */
        id = value_tuple(r->g->values, &id, 1);
    return id >= 0 ? id : (reader_nomem(r), -1);
}

/* One attribute value; its id or -1. */
static int read_value(struct reader *r)
{
    struct lex *lx = &r->lx;
    struct values *vs = r->g->values;
    struct number v;
    int id;

    if (lex_is(lx, "("))
        return value_bracket(r, ")");
    if (lex_is(lx, "["))
        return value_bracket(r, "]");
    if (lx->tok.kind == TOK_STRING) {
        id = reader_string(r, &lx->tok);
        if (id < 0)
            return -1;
        id = value_str(vs, id);
        lex_next(lx);
    } else if (lex_accept(lx, "true")) {
        id = value_bool(vs, true);
    } else if (lex_accept(lx, "false")) {
        id = value_bool(vs, false);
    } else if (lex_accept(lx, "none")) {
        id = value_none(vs);
    } else {
        if (!lex_is(lx, "-") && !lex_is(lx, "inf") && !lex_is(lx, "nan") && !lex_is(lx, "int_min") &&
            lx->tok.kind != TOK_INT && lx->tok.kind != TOK_FLOAT)
            return reader_expected(r, "an attribute value"), -1;
        if (!read_number(r, &v))
            return -1;
        id = v.real ? value_float(vs, v.x) : value_int(vs, v.i);
    }
    return id >= 0 ? id : (reader_nomem(r), -1);
}

/* Brings a value to the kind the operator's table wants, or says what it should be. */
static bool convert(struct reader *r, const struct op_attr_info *info, struct place at, int *value)
{
    static const char *const kinds[] = {"an integer", "a tuple of integers", "a float", "a string"};
    struct values *vs = r->g->values;
    const struct value *v = &vs->v[*value];
    bool good;

    if (info->kind == OP_ATTR_F && (v->kind == VALUE_INT || v->kind == VALUE_FLOAT)) {
        double x = v->kind == VALUE_INT ? (double)v->num : value_real(vs, *value);
        if (x >= 0x1.ffffffp+127 || x <= -0x1.ffffffp+127)
            x = x > 0 ? (double)INFINITY : (double)-INFINITY;
        *value = value_float(vs, (double)(float)x);
        return *value >= 0 || reader_nomem(r);
    }
    good = info->kind == OP_ATTR_I ? v->kind == VALUE_INT
           : info->kind == OP_ATTR_S ? v->kind == VALUE_STR
           : info->kind == OP_ATTR_IS && v->kind == VALUE_TUPLE;
    for (int i = 0; good && v->kind == VALUE_TUPLE && i < v->len; i++)
        good = vs->v[vs->pool[v->first + i]].kind == VALUE_INT;
    return good || reader_fail(r, CALQUE_BAD, at, "attribute '%s' of %s is %s", info->label,
                               op_info(info->op)->name, kinds[info->kind]);
}

/* LABEL '=' value */
static bool read_attr(struct reader *r, const struct call *c)
{
    struct place at = reader_here(r), value_at;
    int label = reader_string(r, &r->lx.tok), value, n = 0, k = 0;
    const struct op_attr_info *info = op_attrs(c->op, &n);
    const char *text;

    if (label < 0)
        return false;
    text = strs_text(r->g->strs, label);
    while (c->op != OP_Opaque && k < n && strcmp(info[k].label, text) != 0)
        k++;
    if (c->op != OP_Opaque && k == n)
        return reader_fail(r, CALQUE_BAD, at, "%s has no attribute '%.100s'", op_info(c->op)->name,
                           text);
    for (int i = c->attrs; i < r->attrs.n; i++)
        if (r->attrs.a[i].label == label)
            return reader_fail(r, CALQUE_BAD, at, "attribute '%.100s' is given twice", text);
    lex_next(&r->lx);
    if (!lex_expect(&r->lx, "="))
        return false;
    value_at = reader_here(r);
    value = read_value(r);
    if (value < 0 || (c->op != OP_Opaque && !convert(r, &info[k], value_at, &value)))
        return false;
    if (!vec_room(r->g->mem, &r->attrs, 1))
        return reader_nomem(r);
    r->attrs.a[r->attrs.n].label = label;
    r->attrs.a[r->attrs.n++].value = value;
    return true;
}

/* Is this the value of one tensor? */
static bool single(struct reader *r, const struct operand *x)
{
    if (x->node == OPERAND_NONE)
        return reader_fail(r, CALQUE_BAD, x->at, "'none' stands only for an absent optional input");
    if (graph_multi(r->g, x->node))
        return reader_fail(r, CALQUE_BAD, x->at,
                           "a single value is needed here: take one output, like t[0]");
    return true;
}

/* An expression as an input or a tuple's field, pushed on the stack. */
static bool push_arg(struct reader *r, bool optional)
{
    struct operand x;

    if (!read_expr(r, &x))
        return false;
    if (x.node == OPERAND_NONE && optional)
        x.node = -1;
    else if (!single(r, &x))
        return false;
    return ints_push(r->g->mem, &r->args, x.node) || reader_nomem(r);
}

static bool read_raw(struct reader *r, struct call *c)
{
    struct place at = reader_here(r);
    int n;

    if (r->lx.tok.kind != TOK_STRING)
        return reader_expected(r, "a string of bytes");
    if (c->raw >= 0)
        return reader_fail(r, CALQUE_BAD, at, "'raw' is given twice");
    r->scratch.n = 0;
    if (!vec_room(r->g->mem, &r->scratch, r->lx.tok.len + 1))
        return reader_nomem(r);
    n = lex_unescape(&r->lx.tok, r->scratch.a);
    c->raw = graph_raw(r->g, r->scratch.a, (size_t)n);
    if (c->raw < 0)
        return reader_nomem(r);
    return lex_next(&r->lx);
}

/* What follows ';' in a call. */
static bool read_settings(struct reader *r, struct call *c)
{
    struct lex *lx = &r->lx;

    do {
        struct place at = reader_here(r);
        if (lex_accept(lx, "outputs")) {
            if (!lex_expect(lx, "="))
                return false;
            if (lx->tok.kind != TOK_INT || lx->tok.num > INT_MAX / 4)
                return reader_expected(r, "a number of outputs");
            if (c->outputs >= 0)
                return reader_fail(r, CALQUE_BAD, at, "'outputs' is given twice");
            c->outputs = (int)lx->tok.num;
            lex_next(lx);
        } else if (c->op == OP_Opaque && lex_accept(lx, "raw")) {
            if (!lex_expect(lx, "=") || !read_raw(r, c))
                return false;
        } else {
            return reader_expected(r, c->op == OP_Opaque ? "'outputs' or 'raw'" : "'outputs'");
        }
    } while (lex_accept(lx, ","));
    return true;
}

/* '(' args [';' settings] ')' */
static bool read_args(struct reader *r, struct call *c)
{
    struct lex *lx = &r->lx;

    bool more;

    if (!lex_is(lx, "("))
        return lex_expect(lx, "(");
    lex_next(lx);
    for (more = !lex_is(lx, ")") && !lex_is(lx, ";"); more; more = lex_accept(lx, ",")) {
        struct place at = reader_here(r);
        if (reader_at_setting(r)) {
            if (!read_attr(r, c))
                return false;
        } else if (r->attrs.n > c->attrs) {
            return reader_fail(r, CALQUE_BAD, at, "an input after an attribute");
        } else if (!push_arg(r, true)) {
            return false;
        }
        if (!lex_is(lx, ")") && !lex_is(lx, ";") && !lex_is(lx, ","))
            return lex_expect(lx, ",");
    }
    if (lex_accept(lx, ";") && !read_settings(r, c))
        return false;
    return lex_expect(lx, ")");
}

static bool check_arity(struct reader *r, const struct call *c, int nin)
{
    const struct op_info *info = op_info(c->op);
    char want[64];

    if (info->most < 0)
        snprintf(want, sizeof want, "at least %d", info->least);
    else if (info->most > info->least)
        snprintf(want, sizeof want, "%d to %d", info->least, info->most);
    else
        snprintf(want, sizeof want, "%d", info->least);
    if (nin < info->least || (info->most >= 0 && nin > info->most))
        return reader_fail(r, CALQUE_BAD, c->at, "%s takes %s input%s, got %d", info->name, want,
                           info->most == 1 ? "" : "s", nin);
    for (int k = 0; k < nin && c->op != OP_Opaque; k++)
        if (r->args.a[c->args + k] < 0 && (k < info->least || info->most < 0))
            return reader_fail(r, CALQUE_BAD, c->at, "input %d of %s is not optional", k, info->name);
    return true;
}

/* Number of outputs of the node to be made, or -1. */
static int outputs_of(struct reader *r, const struct call *c)
{
    const struct values *vs = r->g->values;

    if (c->op == OP_Opaque)
        return c->outputs < 0 ? 1 : c->outputs;
    if (!(op_info(c->op)->traits & OP_MULTI)) {
        if (c->outputs < 0 || c->outputs == 1)
            return 1;
        return reader_fail(r, CALQUE_BAD, c->at, "%s has one output", op_info(c->op)->name), -1;
    }
    if (c->outputs > 0)
        return c->outputs;
    for (int i = c->attrs; i < r->attrs.n; i++)
        if (strcmp(strs_text(r->g->strs, r->attrs.a[i].label), "split") == 0 &&
            vs->v[r->attrs.a[i].value].len > 0)
            return vs->v[r->attrs.a[i].value].len;
    return reader_fail(r, CALQUE_BAD, c->at, "the number of outputs of %s is unknown: write 'outputs=N'",
                       op_info(c->op)->name),
           -1;
}

/* The bytes of an opaque node: those written must have its operator, else the least NodeProto. */
static bool set_raw(struct reader *r, struct call *c, int node)
{
    const char *type = strs_text(r->g->strs, c->type), *got;
    size_t len = (size_t)strs_len(r->g->strs, c->type), n;

    if (c->raw < 0) {
        r->scratch.n = 0;
        opaque_minimal(&r->scratch, type, len);
        if (r->scratch.failed)
            return reader_nomem(r);
        c->raw = graph_raw(r->g, r->scratch.a, (size_t)r->scratch.n);
        if (c->raw < 0)
            return reader_nomem(r);
    }
    r->g->node.a[node].data = c->raw;
    got = graph_opaque_type(r->g, node, &n);
    return (n == len && memcmp(got, type, n) == 0) ||
           reader_fail(r, CALQUE_BAD, c->at, "'raw' is a node of operator '%.*s'",
                       n < 100 ? (int)n : 100, got);
}

/* Makes the node of a call from the top slices of the stacks, which are popped. */
static bool make(struct reader *r, struct call *c, struct operand *out)
{
    int nin = r->args.n - c->args, nattr = r->attrs.n - c->attrs, nout, node;
    enum calque_status st;
    struct diag d;

    if (!check_arity(r, c, nin) || (nout = outputs_of(r, c)) < 0)
        return false;
    node = graph_op(r->g, c->op, -1, nin ? r->args.a + c->args : NULL, nin,
                    nattr ? r->attrs.a + c->attrs : NULL, nattr, nout);
    if (node < 0)
        return reader_nomem(r);
    r->args.n = c->args;
    r->attrs.n = c->attrs;
    if (c->op == OP_Opaque && !set_raw(r, c, node))
        return false;
    diag_clear(&d);
    st = op_infer(r->g, node, &d);
    if (st == CALQUE_NOMEM)
        return reader_nomem(r);
    if (st != CALQUE_OK)
        return reader_fail(r, st, c->at, "%s", d.text);
    *out = (struct operand){node, true, c->at};
    return true;
}

static struct call call_of(const struct reader *r, int op, struct place at)
{
    return (struct call){.op = op, .at = at, .type = -1, .args = r->args.n, .attrs = r->attrs.n,
                         .outputs = -1, .raw = -1};
}

/* An application by infix or prefix sugar. */
static bool make_sugar(struct reader *r, int op, struct place at, const struct operand *a,
                       const struct operand *b, struct operand *out)
{
    struct call c = call_of(r, op, at);

    if (!single(r, a) || (b && !single(r, b)))
        return false;
    if (!ints_push(r->g->mem, &r->args, a->node) || (b && !ints_push(r->g->mem, &r->args, b->node)))
        return reader_nomem(r);
    return make(r, &c, out);
}

static bool read_call(struct reader *r, struct operand *out)
{
    struct call c = call_of(r, OP_Opaque, reader_here(r));
    const struct token t = r->lx.tok;

    if (!reader_enter(r))
        return false;
    lex_next(&r->lx);
    if (t.len == 6 && memcmp(t.start, "opaque", 6) == 0) {
        if (r->lx.tok.kind != TOK_STRING)
            return reader_expected(r, "the operator's name as a string");
        c.at = reader_here(r);
        c.type = reader_string(r, &r->lx.tok);
        if (c.type < 0)
            return false;
        lex_next(&r->lx);
    } else {
        c.op = op_find(t.start, (size_t)t.len);
        if (c.op < 0)
            return reader_fail(r, CALQUE_BAD, c.at, "unknown operator '%.*s'",
                               t.len > 100 ? 100 : t.len, t.start);
    }
    if (!read_args(r, &c) || !make(r, &c, out))
        return false;
    r->depth--;
    return true;
}

/* '(' expr ')' or a tuple */
static bool read_paren(struct reader *r, struct operand *out)
{
    struct place at = reader_here(r);
    int base = r->args.n, n;
    bool tuple;

    if (!reader_enter(r))
        return false;
    lex_next(&r->lx);
    tuple = lex_is(&r->lx, ")");
    if (!tuple) {
        if (!read_expr(r, out))
            return false;
        tuple = lex_is(&r->lx, ",");
        if (tuple && (!single(r, out) || !(ints_push(r->g->mem, &r->args, out->node) || reader_nomem(r))))
            return false;
        while (lex_accept(&r->lx, ",") && !lex_is(&r->lx, ")"))
            if (!push_arg(r, false))
                return false;
    }
    r->depth--;
    if (!lex_expect(&r->lx, ")"))
        return false;
    if (!tuple)
        return true;
    n = pop(&r->args, base);
    *out = (struct operand){graph_tuple(r->g, n ? r->args.a + base : NULL, n), true, at};
    return out->node >= 0 || reader_nomem(r);
}

/* Is the name defined further on? Then its use is one before the definition: a cycle or wrong order. */
static bool defined_later(struct reader *r, int name)
{
    struct lex probe = r->lx;
    bool found = false, start = false;

    probe.diag = NULL;
    while (!found && probe.tok.kind != TOK_END && probe.status == CALQUE_OK) {
        if (start && (lex_is(&probe, "input") || lex_is(&probe, "param") || lex_is(&probe, "const")))
            lex_next(&probe);
        if (start && (probe.tok.kind == TOK_NAME || probe.tok.kind == TOK_STRING)) {
            int id = reader_string(r, &probe.tok);
            if (id < 0)
                return false;
            lex_next(&probe);
            found = id == name && (lex_is(&probe, "=") || lex_is(&probe, ":"));
        }
        start = probe.tok.kind == TOK_NEWLINE;
        lex_next(&probe);
    }
    return found;
}

static bool read_reference(struct reader *r, struct operand *out)
{
    struct place at = reader_here(r);
    int name = reader_string(r, &r->lx.tok), node;
    const char *text;

    if (name < 0)
        return false;
    node = by_name_get(&r->def, name);
    if (node < 0) {
        const char *why = name == r->own || defined_later(r, name)
                              ? "is used before its definition is complete (a graph has no cycles)"
                              : "is not defined";
        text = strs_text(r->g->strs, name);
        return reader_ok(r) && reader_fail(r, CALQUE_BAD, at, "'%.200s' %s", text, why);
    }
    *out = (struct operand){node, false, at};
    return lex_next(&r->lx);
}

static bool read_atom(struct reader *r, struct operand *out)
{
    struct lex *lx = &r->lx;
    const struct token *t = &lx->tok;

    if (lex_is(lx, "("))
        return read_paren(r, out);
    if (t->kind == TOK_STRING)
        return read_reference(r, out);
    if (lex_is(lx, "none")) {
        *out = (struct operand){OPERAND_NONE, false, reader_here(r)};
        return lex_next(lx);
    }
    if (lex_is(lx, "opaque"))
        return read_call(r, out);
    if (t->kind == TOK_NAME) {
        struct lex next = *lx;
        next.diag = NULL;
        lex_next(&next);
        if (lex_is(&next, "("))
            return read_call(r, out);
        if (!is_keyword(t->start, (size_t)t->len))
            return read_reference(r, out);
    }
    if (t->kind == TOK_INT || t->kind == TOK_FLOAT)
        return reader_fail(r, CALQUE_BAD, reader_here(r), "a number is no value: declare a const");
    return reader_expected(r, "a value");
}

/* atom {'[' INT ']'} */
static bool read_postfix(struct reader *r, struct operand *out)
{
    struct lex *lx = &r->lx;
    enum calque_status st;
    struct diag d;

    if (!read_atom(r, out))
        return false;
    while (lex_is(lx, "[")) {
        struct place at;
        const struct node *n;
        int outputs, node;
        if (out->node == OPERAND_NONE || !graph_multi(r->g, out->node))
            return reader_fail(r, CALQUE_BAD, reader_here(r),
                               "only a tuple or a multi-output operator has fields");
        lex_next(lx);
        at = reader_here(r);
        if (lx->tok.kind != TOK_INT)
            return reader_expected(r, "an output's number");
        n = &r->g->node.a[out->node];
        outputs = n->kind == NODE_TUPLE ? n->nin : n->index;
        if (lx->tok.num >= outputs)
            return reader_fail(r, CALQUE_BAD, at, "there are %d outputs: no number %ld", outputs,
                               lx->tok.num);
        node = graph_proj(r->g, out->node, (int)lx->tok.num, -1);
        if (node < 0 || (st = op_infer(r->g, node, &d)) == CALQUE_NOMEM)
            return reader_nomem(r);
        if (st != CALQUE_OK)
            return reader_fail(r, st, at, "%s", d.text);
        out->node = node;
        out->fresh = true;
        lex_next(lx);
        if (!lex_expect(lx, "]"))
            return false;
    }
    return true;
}

static bool unary(struct reader *r, struct operand *out)
{
    struct place at = reader_here(r);

    if (!lex_is(&r->lx, "-"))
        return read_postfix(r, out);
    if (!reader_enter(r))
        return false;
    lex_next(&r->lx);
    if (!unary(r, out))
        return false;
    r->depth--;
    return make_sugar(r, OP_Neg, at, out, NULL, out);
}

static bool product(struct reader *r, struct operand *out)
{
    if (!unary(r, out))
        return false;
    while (lex_is(&r->lx, "*") || lex_is(&r->lx, "/")) {
        int op = lex_is(&r->lx, "*") ? OP_Mul : OP_Div;
        struct place at = reader_here(r);
        struct operand b;
        lex_next(&r->lx);
        if (!unary(r, &b) || !make_sugar(r, op, at, out, &b, out))
            return false;
    }
    return true;
}

bool read_expr(struct reader *r, struct operand *out)
{
    if (!product(r, out))
        return false;
    while (lex_is(&r->lx, "+") || lex_is(&r->lx, "-")) {
        int op = lex_is(&r->lx, "+") ? OP_Add : OP_Sub;
        struct place at = reader_here(r);
        struct operand b;
        lex_next(&r->lx);
        if (!product(r, &b) || !make_sugar(r, op, at, out, &b, out))
            return false;
    }
    return true;
}
