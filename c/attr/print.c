/* Values and expressions as canonical text, which the oracle prints too. ORDER attr_ops: attr_ops.def; words.def has the rest. */
#include "attr/print.h"

#include "attr/funcs.h"

#define WORD(name, text) static const char word_##name[WORD_LETTERS + 1] = text;
#define ATTR_UNARY_OP(name, text, meaning) WORD(name, text)
#define ATTR_BINARY_OP(name, text, meaning) WORD(name, text)
#define ATTR_REDUCTION(name, text, meaning) WORD(name, text)
#define ATTR_FUNC_OP(name, text, meaning) WORD(name, text)
#include "attr/words.def"
#define WORD(name, text) static const char word_##name[WORD_LETTERS + 1] = text;
#include "attr/attr_ops.def"
#undef WORD

/* Letter by letter, for the provers, which need no table for it. */
#define LETTER(k) (p[k] == word_char(w, k))
/*@ requires valid:    \valid_read(p + (0 .. WORD_LETTERS));
    requires start:    LETTER(0) && LETTER(1) && LETTER(2) && LETTER(3) && LETTER(4);
    requires end:      LETTER(5) && LETTER(6) && LETTER(7) && LETTER(8);
    terminates \true;
    exits    never:    \false;
    assigns  \result \from p;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  letters:  spells(\result, w);
*/
static const char *spelled(const char *p, int w)
{
    (void)w;
    return p;
}

const char *word_text(int w)
{
    const char *p = word_UNKNOWN;

    switch (w) {
#define WORD(name, text)  \
    case WORD_##name:     \
        p = word_##name;  \
        break;
#define ATTR_UNARY_OP(name, text, meaning) WORD(name, text)
#define ATTR_BINARY_OP(name, text, meaning) WORD(name, text)
#define ATTR_REDUCTION(name, text, meaning) WORD(name, text)
#define ATTR_FUNC_OP(name, text, meaning) WORD(name, text)
#include "attr/words.def"
#define WORD(name, text)  \
    case WORD_##name:     \
        p = word_##name;  \
        break;
#include "attr/attr_ops.def"
#undef WORD
    }
    return spelled(p, w);
}

char word_letter(int w, int k)
{
    return word_text(w)[k];
}

void word_put(struct text *t, int w)
{
    char c;

    /*@ loop invariant range: 0 <= k <= WORD_LETTERS;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: \forall struct strs *s; apart_strs{Pre}(t, s) ==> apart_strs(t, s);
        loop invariant wrote: wrote{Pre,Here}(t, add_part(\at(printed(t), Pre), w, k));
        loop assigns k, c, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant WORD_LETTERS - k;
    */
    for (int k = 0; k < WORD_LETTERS; k++) {
        c = word_letter(w, k);
        if (c != '\0')
            text_letter(t, c);
    }
}

void name_put(struct text *t, const struct strs *strs, int id)
{
    const char *p = strs_text(strs, id);
    int n = strs_len(strs, id);

    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same:  add_chars(printed(t), p, k) == add_letters(printed(t), id, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n)
        k++;
    */
    text_put(t, p, (size_t)n);
}

void string_put(struct text *t, const struct strs *strs, int id)
{
    const char *p = strs_text(strs, id);
    int n = strs_len(strs, id);

    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same:  add_quote(printed(t), p, k) == add_inside(printed(t), id, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n)
        k++;
    */
    text_quote(t, p, (size_t)n);
}

#ifdef __FRAMAC__
/* On trust. */
/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    \forall integer bits; float_bits(x, bits) ==> wrote{Pre,Post}(t, add_float(\old(printed(t)), bits));
*/
void text_hex(struct text *t, double x);
#endif

/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_float(\old(printed(t)), bits));
*/
static void print_float(struct text *t, long bits)
{
    text_hex(t, value_unbits(bits));
}

/* A value that is no tuple. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= id < vs.n && vs.v[id].kind != VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_scalar(\old(printed(t)), \old(val(VALS(vs), id))));
*/
static void print_scalar(struct text *t, struct values vs, const struct strs *strs, int id)
{
    long num = vs.v[id].num;

    /*@ assert wf:   wf_value(vs.v, vs.pool, id); */
    /*@ assert root: is_root(val(VALS(vs), id), vs.v[id].kind, num); */
    switch (vs.v[id].kind) {
    case VALUE_NONE:
        word_put(t, WORD_NONE);
        break;
    case VALUE_BOOL:
        word_put(t, num ? WORD_TRUE : WORD_FALSE);
        break;
    case VALUE_INT:
        text_int(t, num);
        break;
    case VALUE_FLOAT:
        print_float(t, num);
        break;
    default:
        string_put(t, strs, (int)num);
    }
}

/* One letter. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, snoc(\old(printed(t)), c));
*/
static void print_letter(struct text *t, struct values vs, const struct strs *strs, char c)
{
    (void)vs;
    (void)strs;
    text_letter(t, c);
}

/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= id < vs.n && vs.v[id].kind == VALUE_TUPLE;
    terminates \true;
    decreases 2 * vs.v[id].depth;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, add_elements(\old(printed(t)), \old(val(VALS(vs), id)), \old(vs.v[id].len)));
*/
static void print_elements(struct text *t, struct values vs, const struct strs *strs, int id)
{
    int n = vs.v[id].len, e;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: apart_strs(t, strs);
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wrote: wrote{Pre,Here}(t, add_elements(\at(printed(t), Pre), \at(val(VALS(vs), id), Pre), k));
        loop assigns k, e, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert wf:  WF_VALUES(vs); */
        /*@ assert ids: string_ids(vs.v, vs.n); */
        print_letter(t, vs, strs, ' ');
        /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
        /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
        /*@ assert root: wf_value(vs.v, vs.pool, id) && vs.v[id].kind == VALUE_TUPLE && vs.v[id].len == n; */
        e = vs.pool[vs.v[id].first + k];
        /*@ assert deep: 0 <= e < vs.n && vs.v[e].depth < vs.v[id].depth == \at(vs.v[id].depth, Pre); */
        /*@ assert val:  val(VALS(vs), id) == \at(val(VALS(vs), id), Pre); */
        /*@ assert nth:  v_nth(val(VALS(vs), id), k) == val(VALS(vs), e); */
        /*@ assert e:    val(VALS(vs), e) == v_nth(\at(val(VALS(vs), id), Pre), k); */
        value_write(t, vs, strs, e);
    }
}

void value_write(struct text *t, struct values vs, const struct strs *strs, int id)
{
    /*@ assert root: v_kind(val(VALS(vs), id)) == vs.v[id].kind; */
    if (vs.v[id].kind != VALUE_TUPLE) {
        print_scalar(t, vs, strs, id);
        return;
    }
    /*@ assert len: v_len(val(VALS(vs), id)) == vs.v[id].len; */
    text_letter(t, '(');
    word_put(t, WORD_TUPLE);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
    /*@ assert val:  val(VALS(vs), id) == \at(val(VALS(vs), id), Pre); */
    print_elements(t, vs, strs, id);
    /*@ assert between: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    print_letter(t, vs, strs, ')');
    /*@ assert after: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
}

void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    value_write(t, *vs, strs, id);
}

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
    /*@ assert was:  \at(WF_VALUES(vs), Pre) && same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs) && string_ids(vs.v, vs.n); */
    /*@ assert val:  val(VALS(vs), v) == \at(val(VALS(vs), v), Pre); */
    value_write(t, vs, strs, v);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ ghost Value: ; */
    text_letter(t, ')');
    /*@ assert v_kind: \forall integer j; 0 <= j < vs.n ==> vs.v[j].kind == \at(vs.v[j].kind, Value); */
    /*@ assert v_len: \forall integer j; 0 <= j < vs.n ==> vs.v[j].len == \at(vs.v[j].len, Value); */
    /*@ assert v_first: \forall integer j; 0 <= j < vs.n ==> vs.v[j].first == \at(vs.v[j].first, Value); */
    /*@ assert v_depth: \forall integer j; 0 <= j < vs.n ==> vs.v[j].depth == \at(vs.v[j].depth, Value); */
    /*@ assert v_size: \forall integer j; 0 <= j < vs.n ==> vs.v[j].size == \at(vs.v[j].size, Value); */
    /*@ assert v_num: \forall integer j; 0 <= j < vs.n ==> vs.v[j].num == \at(vs.v[j].num, Value); */
    /*@ assert nodes2: same_nodes{Value,Here}(vs.v, vs.n); */
    /*@ assert pool2: same_pool{Value,Here}(vs.pool, vs.npool); */
}

/* An expression without children. */
/*@ EXPR_REQUIRES
    requires leaf:     0 <= i < es.n && leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_leaf(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_leaf(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, a = es.node[i].a;

    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind && x_op(tree(es, vs, i)) == es.node[i].op; */
    switch (kind) {
    case ATTR_CONST:
        /*@ assert const: x_const(tree(es, vs, i)) == val(VALS(vs), a); */
        form_const(t, vs, strs, a);
        break;
    case ATTR_ANY:
        word_put(t, WORD_ANY);
        break;
    case ATTR_ACCESS:
        /*@ assert slot: x_slot(tree(es, vs, i)) == a && 0 <= a < es.nslot; */
        form_access(t, strs, slot[a].pattern, slot[a].label);
        break;
    default:
        form_symbol(t, strs, es.node[i].op);
    }
    /*@ assert e_kind: \forall integer j; 0 <= j < es.n ==> es.node[j].kind == \at(es.node[j].kind, Pre); */
    /*@ assert e_op: \forall integer j; 0 <= j < es.n ==> es.node[j].op == \at(es.node[j].op, Pre); */
    /*@ assert e_a: \forall integer j; 0 <= j < es.n ==> es.node[j].a == \at(es.node[j].a, Pre); */
    /*@ assert e_b: \forall integer j; 0 <= j < es.n ==> es.node[j].b == \at(es.node[j].b, Pre); */
    /*@ assert e_depth: \forall integer j; 0 <= j < es.n ==> es.node[j].depth == \at(es.node[j].depth, Pre); */
    /*@ assert e_size: \forall integer j; 0 <= j < es.n ==> es.node[j].size == \at(es.node[j].size, Pre); */
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert v_kind: \forall integer j; 0 <= j < vs.n ==> vs.v[j].kind == \at(vs.v[j].kind, Pre); */
    /*@ assert v_len: \forall integer j; 0 <= j < vs.n ==> vs.v[j].len == \at(vs.v[j].len, Pre); */
    /*@ assert v_first: \forall integer j; 0 <= j < vs.n ==> vs.v[j].first == \at(vs.v[j].first, Pre); */
    /*@ assert v_depth: \forall integer j; 0 <= j < vs.n ==> vs.v[j].depth == \at(vs.v[j].depth, Pre); */
    /*@ assert v_size: \forall integer j; 0 <= j < vs.n ==> vs.v[j].size == \at(vs.v[j].size, Pre); */
    /*@ assert v_num: \forall integer j; 0 <= j < vs.n ==> vs.v[j].num == \at(vs.v[j].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* What stands before the children of i. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n && !leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_head(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_head(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, op = es.node[i].op, z = op;

    (void)vs;
    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind && x_op(tree(es, vs, i)) == op; */
    if (kind == ATTR_INST) {
        /*@ assert slot: x_slot(tree(es, vs, i)) == es.node[i].a && 0 <= es.node[i].a < es.nslot; */
        z = slot[es.node[i].a].pattern;
    }
    form_start(t, strs, kind, op, z);
    /*@ assert kinds: \forall integer j; 0 <= j < es.n ==> es.node[j].kind == \at(es.node[j].kind, Pre); */
    /*@ assert ops: \forall integer j; 0 <= j < es.n ==> es.node[j].op == \at(es.node[j].op, Pre); */
    /*@ assert as: \forall integer j; 0 <= j < es.n ==> es.node[j].a == \at(es.node[j].a, Pre); */
    /*@ assert bs: \forall integer j; 0 <= j < es.n ==> es.node[j].b == \at(es.node[j].b, Pre); */
    /*@ assert depths: \forall integer j; 0 <= j < es.n ==> es.node[j].depth == \at(es.node[j].depth, Pre); */
    /*@ assert sizes: \forall integer j; 0 <= j < es.n ==> es.node[j].size == \at(es.node[j].size, Pre); */
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert v_kind: \forall integer j; 0 <= j < vs.n ==> vs.v[j].kind == \at(vs.v[j].kind, Pre); */
    /*@ assert v_len: \forall integer j; 0 <= j < vs.n ==> vs.v[j].len == \at(vs.v[j].len, Pre); */
    /*@ assert v_first: \forall integer j; 0 <= j < vs.n ==> vs.v[j].first == \at(vs.v[j].first, Pre); */
    /*@ assert v_depth: \forall integer j; 0 <= j < vs.n ==> vs.v[j].depth == \at(vs.v[j].depth, Pre); */
    /*@ assert v_size: \forall integer j; 0 <= j < vs.n ==> vs.v[j].size == \at(vs.v[j].size, Pre); */
    /*@ assert v_num: \forall integer j; 0 <= j < vs.n ==> vs.v[j].num == \at(vs.v[j].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* What stands behind them. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n && !leaf_kind(es.node[i].kind);
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_tail(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
static void write_tail(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int kind = es.node[i].kind, label = 0;

    (void)vs;
    /*@ assert ok:   expr_ok(es, i); */
    /*@ assert root: x_kind(tree(es, vs, i)) == kind; */
    if (kind == ATTR_INST) {
        /*@ assert slot: x_slot(tree(es, vs, i)) == es.node[i].a && 0 <= es.node[i].a < es.nslot; */
        label = slot[es.node[i].a].label;
    }
    form_finish(t, strs, kind, label);
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/*@ EXPR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, snoc(\old(printed(t)), ' '));
*/
static void write_blank(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                        const struct strs *strs)
{
    (void)es;
    (void)vs;
    (void)slot;
    (void)strs;
    text_letter(t, ' ');
    /*@ assert roots: same_roots{Pre,Here}(es); */
    /*@ assert kids:  same_kids{Pre,Here}(es); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert slots: same_slots{Pre,Here}(slot, es.nslot); */
}

/* A blank and child k of i. */
/*@ EXPR_REQUIRES
    requires kid:      0 <= i < es.n && 0 <= k < n_kids(es, i);
    terminates \true;
    decreases 3 * es.node[i].depth;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_expr(snoc(\old(printed(t)), ' '), \old(SLOTS),
                                                   x_kid(\old(tree(es, vs, i)), k)));
*/
static void write_kid(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                      const struct strs *strs, int i, int k)
{
    int c = attr_kid(es, i, k);

    /*@ assert kid:   tree(es, vs, c) == x_kid(tree(es, vs, i), k); */
    /*@ ghost Kid: ; */
    write_blank(t, es, vs, slot, strs);
    /*@ assert same:  same_source{Pre,Here}(es, vs, slot); */
    /*@ assert wf:    wf_source(es, vs); */
    /*@ assert tree:  tree(es, vs, c) == \at(tree(es, vs, c), Kid); */
    /*@ assert slots: SLOTS == \at(SLOTS, Pre); */
    /*@ assert deep:  0 <= es.node[c].depth < es.node[i].depth == \at(es.node[i].depth, Pre); */
    expr_write(t, es, vs, slot, strs, c);
}

/* The children of i. */
/*@ EXPR_REQUIRES
    requires call:     0 <= i < es.n;
    terminates \true;
    decreases 3 * es.node[i].depth + 1;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_kids(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i)),
                                                   x_len(\old(tree(es, vs, i)))));
*/
static void write_kids(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                       const struct strs *strs, int i)
{
    int n = attr_kids(es, i);

    /*@ assert len: n == x_len(tree(es, vs, i)); */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: apart_strs(t, strs);
        loop invariant same:  same_source{Pre,Here}(es, vs, slot);
        loop invariant wrote: wrote{Pre,Here}(t, add_kids(\at(printed(t), Pre), \at(SLOTS, Pre), \at(tree(es, vs, i), Pre), k));
        loop assigns k, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert wf:    wf_source(es, vs); */
        /*@ assert tree:  tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
        /*@ assert slots: SLOTS == \at(SLOTS, Pre); */
        /*@ assert deep:  es.node[i].depth == \at(es.node[i].depth, Pre); */
        /*@ assert kids:  n_kids(es, i) == n; */
        /*@ ghost Turn: ; */
        write_kid(t, es, vs, slot, strs, i, k);
        /*@ assert same:  same_source{Turn,Here}(es, vs, slot); */
    }
}

void expr_write(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                const struct strs *strs, int i)
{
    int n = attr_kids(es, i);

    /*@ assert ok:     expr_ok(es, i) && x_kind(tree(es, vs, i)) == es.node[i].kind; */
    if (n == 0 && !attr_has_kids(es.node[i].kind)) {
        write_leaf(t, es, vs, slot, strs, i);
        return;
    }
    write_head(t, es, vs, slot, strs, i);
    /*@ assert wf:     wf_source(es, vs); */
    /*@ assert tree:   tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
    /*@ assert slots:  SLOTS == \at(SLOTS, Pre); */
    /*@ assert kind:   es.node[i].kind == \at(es.node[i].kind, Pre) && es.node[i].depth == \at(es.node[i].depth, Pre); */
    /*@ ghost Head: ; */
    write_kids(t, es, vs, slot, strs, i);
    /*@ assert same2:  same_source{Pre,Here}(es, vs, slot); */
    /*@ assert wf2:    wf_source(es, vs); */
    /*@ assert tree2:  tree(es, vs, i) == \at(tree(es, vs, i), Pre); */
    /*@ assert slots2: SLOTS == \at(SLOTS, Pre); */
    /*@ assert kind2:  es.node[i].kind == \at(es.node[i].kind, Pre); */
    write_tail(t, es, vs, slot, strs, i);
    /*@ assert same3:  same_source{Pre,Here}(es, vs, slot); */
}

#ifdef __FRAMAC__
#include "attr/arena.acsl"
#endif

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, unary_word(op));
*/
const char *attr_unary_name(int op)
{
    return word_text(attr_unary_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, binary_word(op));
*/
const char *attr_binary_name(int op)
{
    return word_text(attr_binary_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, reduction_word(op));
*/
const char *attr_reduction_name(int op)
{
    return word_text(attr_reduction_word(op));
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from op;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  name:     spells(\result, func_word(op));
*/
const char *attr_func_name(int op)
{
    return word_text(attr_func_word(op));
}

/* Appends the text of expression a. */
/*@ PRINT_REQUIRES
    requires exprs:    held_attrs(e) && wf_arena(arena_of(e));
    requires values:   valid_values(*e->values) && WF_VALUES(*e->values) && string_ids(e->values->v, e->values->n);
    requires apart:    apart_source(t, t->mem, arena_of(e), *e->values, e->slot.a);
    requires id:       0 <= a < e->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  same:     same_source{Pre,Post}(\old(arena_of(e)), \old(*e->values), \old(e->slot.a));
    ensures  wrote:    wrote{Pre,Post}(t, add_expr(\old(printed(t)), \old(slots_of(e->slot.a, e->slot.n)),
                                                   \old(expr_of(arena_of(e), VALS(*e->values), a))));
*/
void attr_print(struct text *t, const struct attrs *e, const struct strs *strs, int a)
{
    struct attr_put es = { .node = e->node.a, .kid = e->kid.a, .n = e->node.n, .cap = e->node.cap, .nkid = e->kid.n,
                           .capkid = e->kid.cap, .nvalue = e->values->n, .nslot = e->slot.n, .nsymbol = e->nsymbol };

    /*@ assert view: es == arena_of(e); */
    expr_write(t, es, *e->values, e->slot.a, strs, a);
}
