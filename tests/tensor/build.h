/* Small graphs from short descriptions, for the tests of the tensor room. */
#ifndef CALQUE_TESTS_TENSOR_BUILD_H
#define CALQUE_TESTS_TENSOR_BUILD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/op.h"

enum { BENCH_INPUTS = 300 };

struct bench {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct diag d;
};

static inline void bench_init(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->mem = (struct mem)MEM_INIT;
    strs_init(&b->strs, &b->mem);
    values_init(&b->values, &b->mem);
    graph_init(&b->g, &b->mem, &b->strs, &b->values);
}

static inline void bench_free(struct bench *b)
{
    graph_free(&b->g);
    values_free(&b->values);
    strs_free(&b->strs);
}

/* "f:2x3", "i:4", "d:" (f64 scalar), "b:3" (bool), "f:?" (unknown shape). */
static inline void type_parse(const char *s, int *dtype, struct shape *shape)
{
    *dtype = *s == 'f' ? DTYPE_F32 : *s == 'i' ? DTYPE_I64 : *s == 'd' ? 11 : *s == 'j' ? 6
             : *s == 'b' ? DTYPE_BOOL : DTYPE_UNKNOWN;
    shape->rank = s[2] == '?' ? -1 : 0;
    for (s += 2; *s >= '0' && *s <= '9'; s += *s == 'x')
        shape->dim[shape->rank++] = strtol(s, (char **)(void *)&s, 10);
}

static inline const char *type_print(int dtype, const struct shape *shape, char *buf)
{
    int at = sprintf(buf, "%c:", dtype == DTYPE_F32 ? 'f' : dtype == DTYPE_I64 ? 'i'
                                 : dtype == 11 ? 'd' : dtype == 6 ? 'j' : dtype == DTYPE_BOOL ? 'b' : '?');

    if (shape->rank < 0)
        sprintf(buf + at, "?");
    for (int i = 0; i < shape->rank; i++)
        at += sprintf(buf + at, i ? "x%ld" : "%ld", shape->dim[i]);
    return buf;
}

/* 3 is an int, 0.5 a float, 1,2 and 1, are tuples, () the empty one, 'x' a string. */
static inline int attr_value(struct bench *b, const char *s, size_t n)
{
    long v[64] = {0};
    int k = 0;

    if (*s == '\'')
        return value_str(&b->values, strs_add(&b->strs, s + 1, n - 2));
    if (*s == '(')
        return value_ints(&b->values, v, 0);
    if (memchr(s, ',', n)) {
        const char *end = s + n;
        while (s < end && k < 64) {
            v[k++] = strtol(s, (char **)(void *)&s, 10);
            s++;
        }
        return value_ints(&b->values, v, k);
    }
    if (memchr(s, '.', n))
        return value_float(&b->values, strtod(s, NULL));
    return value_int(&b->values, strtol(s, NULL, 10));
}

static inline bool attrs_parse(struct bench *b, int node, const char *s)
{
    while (*s) {
        size_t n = strcspn(s, "="), m = strcspn(s + n, " ");
        int label = strs_add(&b->strs, s, n), value = attr_value(b, s + n + 1, m - 1);
        if (label < 0 || value < 0 || !graph_set_attr(&b->g, node, label, value))
            return false;
        s += n + m;
        s += *s == ' ';
    }
    return true;
}

/* Inputs as in type_parse, separated by blanks, "-" for an absent one; ids of the new NODE_INPUTs (-1). */
static inline int inputs_parse(struct bench *b, const char *s, int *ids)
{
    int n = 0;

    while (*s && n < BENCH_INPUTS) {
        struct shape shape = {.rank = -1};
        int dtype = DTYPE_UNKNOWN;
        if (*s != '-')
            type_parse(s, &dtype, &shape);
        ids[n] = *s == '-' ? -1 : graph_input(&b->g, -1, dtype, &shape);
        if (*s != '-' && ids[n] < 0)
            return -1;
        n++;
        s += strcspn(s, " ");
        s += *s == ' ';
    }
    return n;
}

/* An operator over existing nodes, not inferred; -1 when memory is out. */
static inline int bench_op(struct bench *b, int op, const char *attrs, int nout, const int *in, int nin)
{
    int node = graph_op(&b->g, op, strs_addz(&b->strs, "it"), in, nin, NULL, 0, nout);

    return node >= 0 && attrs_parse(b, node, attrs) ? node : -1;
}

/* Numbers that are exact in few bits, of both signs; the same on every machine. */
static inline unsigned bench_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static inline enum calque_status random_tensor(struct bench *b, int dtype, const struct shape *shape, unsigned *seed,
                                               struct tensor *t)
{
    enum calque_status s = tensor_new(&b->mem, dtype, shape, t, &b->d);

    for (long i = 0; !s && i < shape_elems(shape); i++) {
        if (dtype == DTYPE_F32)
            tensor_f32(t)[i] = (float)((int)(bench_random(seed) % 4001) - 2000) / 731.0f;
        else if (dtype == DTYPE_BOOL)
            ((unsigned char *)t->data)[i] = bench_random(seed) & 1;
        else
            tensor_i64(t)[i] = (long)(bench_random(seed) % 41) - 20;
    }
    return s;
}

#endif
