#include "attr/read_form.h"

bool read_has_number(struct reading r)
{
    return read_is(r, WORD_MATCH) || read_is(r, WORD_VAR) || read_is(r, WORD_MAP);
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  form:     \result.kind == kind && \result.op == op;
*/
static struct read_form form(int kind, int op)
{
    return (struct read_form){ kind, op };
}

/* The operation with n operands that the word read last names. */
/*@ WORD_REQUIRES
    requires count:    0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kind:     \result.kind == -1 || \result.kind == ATTR_UNARY || \result.kind == ATTR_BINARY ||
                       \result.kind == ATTR_REDUCE || \result.kind == ATTR_FUNC;
    ensures  op:       \result.kind >= 0 ==> is_op(\result.kind, \result.op);
    ensures  form:     \result.kind >= 0 ==> arity(\result.kind, n) &&
                       spelled(SRC(r), r.word, r.at, head_word(\result.kind, \result.op));
    ensures  plain:    \result.kind >= 0 ==> !spelled(SRC(r), r.word, r.at, WORD_VAR) && !spelled(SRC(r), r.word, r.at, WORD_MAP);
    ensures  unary:    \result.kind < 0 ==> n == 1 ==> \forall integer op; 0 <= op < ATTR_UNARY_OPS ==>
                       !spelled(SRC(r), r.word, r.at, unary_word(op));
    ensures  binary:   \result.kind < 0 ==> n == 2 ==> \forall integer op; 0 <= op < ATTR_BINARY_OPS ==>
                       !spelled(SRC(r), r.word, r.at, binary_word(op));
    ensures  reduce:   \result.kind < 0 ==> n == 1 ==> \forall integer op; 0 <= op < ATTR_REDUCTIONS ==>
                       !spelled(SRC(r), r.word, r.at, reduction_word(op));
    ensures  func:     \result.kind < 0 ==> \forall integer op; 0 <= op < ATTR_FUNC_OPS ==>
                       !spelled(SRC(r), r.word, r.at, func_word(op));
*/
static struct read_form op_of(struct reading r, int n)
{
    int un = read_among(r, WORD_OF_UNARY, ATTR_UNARY_OPS);
    int bin = read_among(r, WORD_OF_BINARY, ATTR_BINARY_OPS);
    int red = read_among(r, WORD_OF_REDUCTION, ATTR_REDUCTIONS);
    int func = read_among(r, WORD_OF_FUNC, ATTR_FUNC_OPS);

    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= ATTR_BINARY_OPS;
       loop invariant none:  bin < 0 ==> \forall integer op; 0 <= op < k ==> !spelled(SRC(r), r.word, r.at, binary_word(op));
       loop assigns k;
       loop variant ATTR_BINARY_OPS - k;
    @/
    while (k < ATTR_BINARY_OPS) {
        /@ assert word:  binary_word(k) == WORD_OF_BINARY + k; @/
        /@ assert other: bin < 0 ==> !spelled(SRC(r), r.word, r.at, WORD_OF_BINARY + k); @/
        k++;
    }
    */
    if (un >= 0 && n == 1)
        return form(ATTR_UNARY, un);
    if (bin >= 0 && n == 2)
        return form(ATTR_BINARY, bin);
    if (red >= 0 && n == 1)
        return form(ATTR_REDUCE, red);
    return func >= 0 ? form(ATTR_FUNC, func) : form(-1, 0);
}

struct read_form read_form_of(struct reading r, int n, int z)
{
    if (read_is(r, WORD_TUPLE))
        return form(ATTR_TUPLE, 0);
    if (read_is(r, WORD_PROJ) && n == 2)
        return form(ATTR_PROJ, 0);
    if (read_is(r, WORD_COND) && n == 3)
        return form(ATTR_COND, 0);
    if (read_is(r, WORD_MATCH))
        return form(ATTR_MATCH, z);
    if (read_is(r, WORD_VAR) && n == 2)
        return form(ATTR_VAR, z);
    if (read_is(r, WORD_MAP) && n == 2)
        return form(ATTR_MAP, z);
    return op_of(r, n);
}
