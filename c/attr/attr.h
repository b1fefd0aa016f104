/* Attribute expressions in one arena: constants, `_`, accesses p.l, operations, tuples,
   projections; children have smaller ids. GSL thesis, figures attr_eval and attr_match. */
#ifndef CALQUE_ATTR_ATTR_H
#define CALQUE_ATTR_ATTR_H

#include "attr/value.h"

/* ORDER attr_kind: keep with coq/Attr and acsl/attr/attr.acsl */
enum attr_kind {
    ATTR_CONST,
    ATTR_ANY,
    ATTR_ACCESS,
    ATTR_UNARY,
    ATTR_BINARY,
    ATTR_TUPLE,
    ATTR_PROJ
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

enum {
    ATTR_DEPTH_MAX = 200,     /* nesting */
    ATTR_SIZE_MAX = 1 << 20   /* nodes of the expression written as a tree */
};

struct attr_node {
    int kind;  /* enum attr_kind */
    int op;    /* unary, binary */
    int a, b;  /* const: value a; access: slot a; unary: child a; binary, proj: children a, b;
                  tuple: children kid[a .. a+b-1] */
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
};

/* What the patterns' attributes are: slot[s] is the value of slot s, or -1: unbound. */
struct attr_env {
    int *slot;
    int n;
};

enum attr_result {
    ATTR_VALUE = 0,
    ATTR_STUCK, /* the expression has no value */
    ATTR_FULL   /* memory or a limit exceeded: no claim */
};

void attrs_init(struct attrs *t, struct values *values, struct mem *mem);
void attrs_free(struct attrs *t);
/* Constructors: the id, or -1 when memory or a limit is exceeded or an argument is no id. */
int attr_const(struct attrs *t, int value);
int attr_any(struct attrs *t);
int attr_access(struct attrs *t, int pattern, int label);
int attr_unary(struct attrs *t, int op, int a);
int attr_binary(struct attrs *t, int op, int a, int b);
int attr_tuple(struct attrs *t, const int *kids, int n);
int attr_proj(struct attrs *t, int a, int b);
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

#endif
