/* Reverse-mode gradients of kernels (spec autodiff section 6; Coq: Calque.kernel.GradientProgram). The result is again a kernel: one
   statement for each adjoint, with plain left-hand indices, each cell written once (gather form).

   The specification is the scatter form: with v the adjoint of a statement's output and w(I) the weight that the reverse
   sweep gives to an occurrence X[e(I)] for the values I of the output and reduction variables around it,
   dX[e(I)] += w(I) for every I. Weights at points without derivative: max(a, b) and min(a, b) give all to the argument
   that is their value (a when they are equal), abs gives 0 at 0, amax shares equally among the places that attain it. */
#ifndef CALQUE_KERNEL_GRAD_H
#define CALQUE_KERNEL_GRAD_H

#include "kernel/kernel.h"

/* All zero: the defaults. */
struct grad_options {
    bool universal; /* no variable is eliminated: every contribution is a sum over its whole box under guards */
    bool values;    /* the outputs of k are outputs of the gradient too, before the d<x> */
    bool no_split;  /* reductions inside other operations stay where they are (amax is still split off) */
};

/* The gradient of k's outputs with respect to the initial values of the n tensors wrt[]: g (initialised here, kernel_free
   by the caller in any case) takes the inputs of k it needs, in their order, and d<out> for each output it depends on, and
   stores d<x> for each x of wrt, in order. An output that is also differentiated by has one tensor d<x>, in and out. Names
   that are taken get a number. Forward values needed are computed again in temporaries. CALQUE_NO when k cannot be
   differentiated by a tensor (integer quotients and remainders, amax of integers); the diag tells the statement. */
enum calque_status kernel_grad(struct kernel *g, const struct kernel *k, const int *wrt, int n,
                               const struct grad_options *o, struct diag *d);

/* The C++ prototype of the PKU form: void NAME(float (&B)[4][16], float &alpha, ...); */
void kernel_prototype(struct text *t, const struct kernel *k, const char *name);

#endif
