/* Attribute values: none, bool, int64, binary64 (opaque bits), string, tuple. They live in one
   arena; a tuple's elements have smaller ids than the tuple. GSL thesis, figure attr_eval. */
#ifndef CALQUE_ATTR_VALUE_H
#define CALQUE_ATTR_VALUE_H

#include "base/mem.h"

struct strs;
struct text;

/* ORDER value_kind: keep with coq/attr/Attr.v and acsl/attr/values.acsl */
enum value_kind { VALUE_NONE, VALUE_BOOL, VALUE_INT, VALUE_FLOAT, VALUE_STR, VALUE_TUPLE };

/* Limits on resources: what exceeds them is refused, never wrong. They bound recursion and the
   work of comparing and printing (a tuple may share its elements). */
enum {
    VALUE_DEPTH_MAX = 200,     /* nesting of tuples */
    VALUE_LEN_MAX = 65536,     /* elements of one tuple */
    VALUE_SIZE_MAX = 1 << 22,  /* nodes of the value written as a tree */
    VALUE_ARENA_MAX = 1 << 24  /* entries of each array of the arena */
};

struct value {
    int kind;  /* enum value_kind */
    int len;   /* tuple: its elements are pool[first .. first+len-1], each id < own id */
    int first;
    int depth; /* 0; tuple: 1 + the deepest element's, 1 when empty */
    int size;  /* 1; tuple: 1 + the sum of the elements' */
    long num;  /* bool 0 or 1, int, the 64 bits of a float, string id; else 0 */
};

struct values {
    struct mem *mem;
    struct value *v;
    int n, cap;
    int *pool;
    int npool, cappool;
    unsigned *stack; /* evaluation's scratch: ids of the elements of unfinished tuples */
    int capstack;
    unsigned long *symbol; /* evaluation's scratch: 1 + the value of each symbol in scope, or 0 */
    int capsymbol;
    const struct strs *strs; /* the strings, for `remap`; NULL: it exceeds the limits */
};

void values_init(struct values *vs, struct mem *mem);
void values_free(struct values *vs);
/* Constructors: the id, or -1 when memory or a limit is exceeded. Their contracts: value_internal.h. */
int value_none(struct values *vs);
int value_bool(struct values *vs, bool b);
int value_int(struct values *vs, long z);
int value_float(struct values *vs, double x);
int value_float_bits(struct values *vs, long bits);
int value_str(struct values *vs, int str_id);
int value_tuple(struct values *vs, const int *elems, int n);
int value_ints(struct values *vs, const long *x, int n);
/* Structural, strict on kinds (true is not 1, 1 is not 1.0). */
bool value_equal(const struct values *vs, int a, int b);
/* The number a VALUE_FLOAT stands for. */
double value_real(const struct values *vs, int id);
/* Drops the values from `first` on, and their elements (pool[np] on), but for those that id[0 .. n-1] are made of; these ids
   are set to the new ones. False, and nothing done, when memory is out. */
bool values_keep(struct values *vs, int first, int np, int *id, int n);
/* Makes the arena larger by at least half; false when memory or VALUE_ARENA_MAX is exceeded. */
bool values_enlarge(struct values *vs);
/* Canonical text. Its contract: print.h. */
void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id);

#endif
