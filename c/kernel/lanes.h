/* Typed operations on lanes: n values side by side, at most LANES, computed in whole steps of LANE_STEP. */
#ifndef CALQUE_KERNEL_LANES_H
#define CALQUE_KERNEL_LANES_H

#include "kernel/kernel.h"

enum { LANES = 512, LANE_STEP = 16 };

/* n values at p, or one value for all lanes. */
struct lane_val {
    const void *p;
    bool uniform;
};

/* Destinations overlap no operand. A mask holds -1 for active lanes and 0 for the others; NULL: all are active. */
struct lane_ops {
    size_t size;
    /* One literal. */
    void (*literal)(void *dst, double num, long inum);
    /* dst[l] = src[v[l] + s mod 2^32]; src[0] for lanes that are not active. */
    void (*gather)(void *dst, const void *src, const int32_t *v, uint32_t s, const int32_t *mask, int n);
    /* The function on all lanes, on one if the operands are uniform; false: an active one of the first n divides by
       zero (lanes behind them hold anything). */
    bool (*apply)(int fn, void *dst, struct lane_val a, struct lane_val b, const int32_t *mask, int n);
    /* mask ? a : b */
    void (*blend)(void *dst, const int32_t *mask, struct lane_val a, struct lane_val b, int n);
    /* n copies of one value. */
    void (*spread)(void *dst, const void *src, int n);
    /* What a reduction starts with: one value. */
    void (*start)(int red, void *acc);
    /* acc = acc + v, or the greater one; one lane if n is 1. */
    void (*fold)(int red, void *acc, struct lane_val v, int n);
    /* acc = acc + a * b */
    void (*fold_product)(void *acc, struct lane_val a, struct lane_val b, int n);
};

const struct lane_ops *lane_ops(enum kernel_type type);

#endif
