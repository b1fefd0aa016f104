/* Kernels of comparisons, of truth values (1 and 0 of the type that is computed on; booleans are converted as they are loaded
   and stored) and of the choice by them. */
#include "tensor/gen.h"

/* Y0 = text, where a digit stands for the input of that number and # for 0. */
static enum calque_status formula(struct gen *x, const char *text)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    for (; *text; text++)
        if (*text >= '0' && *text <= '9')
            gen_spread(x, *text - '0');
        else if (*text == '#')
            gen_num(x, 0);
        else
            text_put(x->t, text, 1);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_Equal(struct gen *x) { return formula(x, "equal(0, 1)"); }
enum calque_status gen_Less(struct gen *x) { return formula(x, "less(0, 1)"); }
enum calque_status gen_Greater(struct gen *x) { return formula(x, "less(1, 0)"); }
/* Not the negation of the converse: with a NaN neither holds. */
enum calque_status gen_LessOrEqual(struct gen *x) { return formula(x, "less(0, 1) + equal(0, 1)"); }
enum calque_status gen_GreaterOrEqual(struct gen *x) { return formula(x, "less(1, 0) + equal(1, 0)"); }

enum calque_status gen_Not(struct gen *x) { return formula(x, "equal(0, #)"); }
enum calque_status gen_And(struct gen *x) { return formula(x, "min(0, 1)"); }
enum calque_status gen_Or(struct gen *x) { return formula(x, "max(0, 1)"); }
enum calque_status gen_Xor(struct gen *x) { return formula(x, "equal(equal(0, 1), #)"); }

/* One of the two parts is 0, so that the other one is what is left, bit for bit. */
enum calque_status gen_Where(struct gen *x) { return formula(x, "orelse(when(0, 1), when(equal(0, #), 2))"); }
