#include "attr/form_print.h"

int attr_unary_word(int op)
{
    return op >= 0 && op < ATTR_UNARY_OPS ? WORD_OF_UNARY + op : WORD_UNKNOWN;
}

int attr_binary_word(int op)
{
    return op >= 0 && op < ATTR_BINARY_OPS ? WORD_OF_BINARY + op : WORD_UNKNOWN;
}

int attr_reduction_word(int op)
{
    return op >= 0 && op < ATTR_REDUCTIONS ? WORD_OF_REDUCTION + op : WORD_UNKNOWN;
}

int attr_func_word(int op)
{
    return op >= 0 && op < ATTR_FUNC_OPS ? WORD_OF_FUNC + op : WORD_UNKNOWN;
}

/* The word of an expression with children. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == head_word(kind, op) < WORDS;
*/
static int head_word(int kind, int op)
{
    switch (kind) {
    case ATTR_UNARY:
        return attr_unary_word(op);
    case ATTR_BINARY:
        return attr_binary_word(op);
    case ATTR_REDUCE:
        return attr_reduction_word(op);
    case ATTR_FUNC:
        return attr_func_word(op);
    case ATTR_TUPLE:
        return WORD_TUPLE;
    case ATTR_PROJ:
        return WORD_PROJ;
    case ATTR_COND:
        return WORD_COND;
    case ATTR_MATCH:
        return WORD_MATCH;
    case ATTR_INST:
        return WORD_INST;
    case ATTR_VAR:
        return WORD_VAR;
    default:
        return WORD_MAP;
    }
}

/* "(" and a word. */
/*@ PRINT_REQUIRES
    requires word:     0 <= w < WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_open(\old(printed(t)), w));
*/
static void form_open(struct text *t, const struct strs *strs, int w)
{
    (void)strs;
    text_letter(t, '(');
    word_put(t, w);
}

/* A blank and a number. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_number(\old(printed(t)), z));
*/
static void form_number(struct text *t, const struct strs *strs, int z)
{
    (void)strs;
    text_letter(t, ' ');
    text_int(t, z);
}

/* A blank and a label. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_label(\old(printed(t)), label));
*/
static void form_label(struct text *t, const struct strs *strs, int label)
{
    text_letter(t, ' ');
    name_put(t, strs, label);
}

void form_access(struct text *t, const struct strs *strs, int pattern, int label)
{
    form_open(t, strs, WORD_ACCESS);
    form_number(t, strs, pattern);
    form_label(t, strs, label);
    text_letter(t, ')');
}

void form_symbol(struct text *t, const struct strs *strs, int symbol)
{
    form_open(t, strs, WORD_SYMBOL);
    form_number(t, strs, symbol);
    text_letter(t, ')');
}

void form_start(struct text *t, const struct strs *strs, int kind, int op, int z)
{
    form_open(t, strs, head_word(kind, op));
    if (kind == ATTR_MATCH || kind == ATTR_INST || kind == ATTR_VAR || kind == ATTR_MAP)
        form_number(t, strs, z);
}

void form_finish(struct text *t, const struct strs *strs, int kind, int label)
{
    if (kind == ATTR_INST)
        form_label(t, strs, label);
    text_letter(t, ')');
}

void form_const(struct text *t, struct values vs, const struct strs *strs, int v)
{
    /*@ assert root: v_kind(val(VALS(vs), v)) == vs.v[v].kind; */
    if (vs.v[v].kind != VALUE_TUPLE) {
        value_write(t, vs, strs, v);
        return;
    }
    form_open(t, strs, WORD_CONST);
    text_letter(t, ' ');
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
    /*@ assert val:  val(VALS(vs), v) == \at(val(VALS(vs), v), Pre); */
    value_write(t, vs, strs, v);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ ghost Value: ; */
    text_letter(t, ')');
    /*@ assert nodes2: same_nodes{Value,Here}(vs.v, vs.n); */
    /*@ assert pool2: same_pool{Value,Here}(vs.pool, vs.npool); */
}
