#include "attr/attr.h"

#include "attr/words.h"
#include "base/strs.h"
#include "base/text.h"

const char *attr_unary_name(int op)
{
    return word_text(op >= 0 && op < ATTR_UNARY_OPS ? WORD_OF_UNARY + op : WORD_UNKNOWN);
}

const char *attr_binary_name(int op)
{
    return word_text(op >= 0 && op < ATTR_BINARY_OPS ? WORD_OF_BINARY + op : WORD_UNKNOWN);
}

const char *attr_reduction_name(int op)
{
    return word_text(op >= 0 && op < ATTR_REDUCTIONS ? WORD_OF_REDUCTION + op : WORD_UNKNOWN);
}

const char *attr_func_name(int op)
{
    return word_text(op >= 0 && op < ATTR_FUNC_OPS ? WORD_OF_FUNC + op : WORD_UNKNOWN);
}

static void print_const(struct text *out, const struct attrs *t, const struct strs *strs, int v)
{
    bool tuple = t->values->v[v].kind == VALUE_TUPLE;

    if (tuple)
        text_printf(out, "(%s ", word_text(WORD_CONST));
    value_print(out, t->values, strs, v);
    text_puts(out, tuple ? ")" : "");
}

static void print_label(struct text *out, const struct strs *strs, int label)
{
    text_put(out, strs_text(strs, label), (size_t)strs_len(strs, label));
}

/* What stands before the children. */
static void print_head(struct text *out, const struct attrs *t, const struct attr_node *nd)
{
    switch (nd->kind) {
    case ATTR_UNARY:
        text_puts(out, attr_unary_name(nd->op));
        break;
    case ATTR_BINARY:
        text_puts(out, attr_binary_name(nd->op));
        break;
    case ATTR_REDUCE:
        text_puts(out, attr_reduction_name(nd->op));
        break;
    case ATTR_FUNC:
        text_puts(out, attr_func_name(nd->op));
        break;
    case ATTR_TUPLE:
        text_puts(out, word_text(WORD_TUPLE));
        break;
    case ATTR_PROJ:
        text_puts(out, word_text(WORD_PROJ));
        break;
    case ATTR_COND:
        text_puts(out, word_text(WORD_COND));
        break;
    case ATTR_MATCH:
        text_printf(out, "%s %d", word_text(WORD_MATCH), nd->op);
        break;
    case ATTR_INST:
        text_printf(out, "%s %d", word_text(WORD_INST), t->slot.a[nd->a].pattern);
        break;
    default:
        text_printf(out, "%s %d", word_text(nd->kind == ATTR_VAR ? WORD_VAR : WORD_MAP), nd->op);
    }
}

static void print_call(struct text *out, const struct attrs *t, const struct strs *strs,
                       const struct attr_node *nd)
{
    const int own[2] = { nd->a, nd->b };
    const int *kid = own;
    int n = 2;

    text_puts(out, "(");
    print_head(out, t, nd);
    if (attr_has_kids(nd->kind)) {
        kid = nd->b ? t->kid.a + nd->a : own;
        n = nd->b;
    } else if (nd->kind == ATTR_UNARY || nd->kind == ATTR_REDUCE)
        n = 1;
    else if (nd->kind == ATTR_INST) {
        kid = own + 1;
        n = 1;
    }
    for (int k = 0; k < n; k++) {
        text_puts(out, " ");
        attr_print(out, t, strs, kid[k]);
    }
    if (nd->kind == ATTR_INST) {
        text_puts(out, " ");
        print_label(out, strs, t->slot.a[nd->a].label);
    }
    text_puts(out, ")");
}

/* Recursion is bounded by ATTR_DEPTH_MAX. */
void attr_print(struct text *out, const struct attrs *t, const struct strs *strs, int a)
{
    const struct attr_node *nd = &t->node.a[a];

    switch (nd->kind) {
    case ATTR_CONST:
        print_const(out, t, strs, nd->a);
        break;
    case ATTR_ANY:
        text_puts(out, word_text(WORD_ANY));
        break;
    case ATTR_ACCESS:
        text_printf(out, "(%s %d ", word_text(WORD_ACCESS), t->slot.a[nd->a].pattern);
        print_label(out, strs, t->slot.a[nd->a].label);
        text_puts(out, ")");
        break;
    case ATTR_SYMBOL:
        text_printf(out, "(%s %d)", word_text(WORD_SYMBOL), nd->op);
        break;
    default:
        print_call(out, t, strs, nd);
    }
}
