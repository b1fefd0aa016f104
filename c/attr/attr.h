/* Attribute expressions in one arena: constants, `_`, accesses p.l, operations, tuples,
   projections; children have smaller ids. GSL thesis, figures attr_eval and attr_match. */
#ifndef CALQUE_ATTR_ATTR_H
#define CALQUE_ATTR_ATTR_H

#include "attr/value.h"

/* ORDER attr_kind: keep with coq/attr/Attr.v and acsl/attr/eval.acsl */
enum attr_kind {
    ATTR_CONST,
    ATTR_ANY,
    ATTR_ACCESS,
    ATTR_UNARY,
    ATTR_BINARY,
    ATTR_TUPLE,
    ATTR_PROJ,
    ATTR_SYMBOL,
    ATTR_INST,
    ATTR_VAR,
    ATTR_MAP,
    ATTR_REDUCE,
    ATTR_COND,
    ATTR_MATCH,
    ATTR_FUNC
};

/* ORDER attr_unary */
enum attr_unary_op {
#define ATTR_UNARY_OP(name, text, meaning) ATTR_##name,
#include "attr/attr_ops.def"
    ATTR_UNARY_OPS
};

/* ORDER attr_binary */
enum attr_binary_op {
#define ATTR_BINARY_OP(name, text, meaning) ATTR_##name,
#include "attr/attr_ops.def"
    ATTR_BINARY_OPS
};

/* ORDER attr_reduction */
enum attr_reduction {
#define ATTR_REDUCTION(name, text, meaning) ATTR_##name,
#include "attr/attr_ops.def"
    ATTR_REDUCTIONS
};

/* ORDER attr_func */
enum attr_func_op {
#define ATTR_FUNC_OP(name, text, meaning) ATTR_##name,
#include "attr/attr_ops.def"
    ATTR_FUNC_OPS
};

enum {
    ATTR_COUNT_MAX = 65536,   /* of range and var: more has no value */
    ATTR_SYMBOL_MAX = 65536,  /* symbols are smaller */
    ATTR_DEPTH_MAX = 200,     /* nesting */
    ATTR_SIZE_MAX = 1 << 20   /* nodes of the expression written as a tree */
};

struct attr_node {
    int kind;  /* enum attr_kind */
    int op;    /* unary, binary, reduce, func; symbol, var, map: the symbol; match: the Alt pattern */
    int a, b;  /* const: value a; access: slot a; unary, reduce: child a; binary, proj: children a, b;
                  tuple, cond, match, func: children kid[a .. a+b-1]; inst: slot a, index child b;
                  var: length a (or an ANY), body b; map: tuple a, body b */
    int depth; /* 1 + the deepest child's, 0 for a leaf */
    int size;  /* 1 + the sum of the children's */
};

struct attr_slot {
    int pattern, label; /* label: string id */
};

struct attrs {
    struct mem *mem;
    struct values *values;
    struct {
        struct attr_node *a;
        int n, cap;
    } node;
    struct ints kid;
    struct {
        struct attr_slot *a;
        int n, cap;
    } slot;
    int nsymbol; /* 1 + the greatest symbol */
};

enum attr_result {
    ATTR_VALUE = 0,
    ATTR_STUCK, /* the expression has no value */
    ATTR_FULL   /* memory or a limit exceeded: no claim */
};

/* What the patterns' attributes are: slot[s] is the value of slot s (in a template: of the current instance),
   or -1: unbound. symbol[s] likewise. The callbacks are functions of their arguments; inst may append to the arena
   of values, and may be asked for more instances than the expression needs. */
struct attr_env {
    int *slot;
    int n;
    int *symbol;
    int nsymbol;
    /* The value of `label` of instance k of a pattern, in *out, or ATTR_STUCK; NULL: there are no instances. */
    enum attr_result (*inst)(void *ctx, int pattern, long k, int label, int *out);
    /* The alternative that an Alt pattern matched by, or -1; NULL: none. */
    int (*taken)(void *ctx, int pattern);
    void *ctx;
};

void attrs_init(struct attrs *t, struct values *values, struct mem *mem);
void attrs_free(struct attrs *t);
/* Constructors: the id, or -1 when memory or a limit is exceeded or an argument is no id. Their contracts: attr.c. */
int attr_const(struct attrs *t, int value);
int attr_any(struct attrs *t);
int attr_access(struct attrs *t, int pattern, int label);
int attr_unary(struct attrs *t, int op, int a);
int attr_binary(struct attrs *t, int op, int a, int b);
int attr_tuple(struct attrs *t, const int *kids, int n);
int attr_proj(struct attrs *t, int a, int b);
int attr_symbol(struct attrs *t, int symbol);
int attr_inst(struct attrs *t, int pattern, int a, int label);   /* src(p, a).label */
int attr_var(struct attrs *t, int symbol, int n, int a);         /* [a for symbol in range(n)]; n may be an ANY */
int attr_map(struct attrs *t, int symbol, int tuple, int a);     /* [a for symbol in tuple] */
int attr_reduce(struct attrs *t, int op, int a);                 /* op: enum attr_reduction */
int attr_cond(struct attrs *t, int c, int a, int b);             /* lazy */
int attr_choice(struct attrs *t, int pattern, const int *kids, int n); /* kids[taken(pattern)], lazy */
int attr_func(struct attrs *t, int op, const int *kids, int n);  /* op: enum attr_func_op */
/* Are the children of nodes of this kind kid[a .. a+b-1]? */
bool attr_has_kids(int kind);
/* The slot of (pattern, label), added when new; -1 when memory is out. */
int attr_slot(struct attrs *t, int pattern, int label);
/* The slot of (pattern, label), or -1. */
int attr_slot_find(const struct attrs *t, int pattern, int label);

/* AE: the value of expression a, appended to the arena of values. */
enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out);
/* AM: does expression a match the value? Stuck is `no`; the result is ATTR_VALUE or ATTR_FULL. */
enum attr_result attr_match(struct attrs *t, const struct attr_env *env, int a, int value,
                            bool *yes);
/* Canonical text. */
void attr_print(struct text *out, const struct attrs *t, const struct strs *strs, int a);
const char *attr_unary_name(int op);
const char *attr_binary_name(int op);
const char *attr_reduction_name(int op);
const char *attr_func_name(int op);

#endif
