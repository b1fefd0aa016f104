/* What the names of an environment that was read are bound to, and the callbacks that say so. */
#ifndef CALQUE_ATTR_BINDINGS_ASK_H
#define CALQUE_ATTR_BINDINGS_ASK_H

#include "attr/read.h"

#ifdef __FRAMAC__
#define NAMES_REQUIRES                                                                         \
    requires valid:    \valid_read(b) && 0 <= b->other.n && \valid_read(b->other.a + (0 .. b->other.n - 1)); \
    requires ids:      \forall integer j; 0 <= j < b->other.n ==> 0 <= b->other.a[j].id;
#endif

/* What `label` of instance k of a pattern is bound to, in *out, by the first binding of this name. */
/*@ NAMES_REQUIRES
    requires out:      \valid(out);
    terminates \true;
    exits    never:    \false;
    assigns  *out;
    ensures  code:     \result == ATTR_VALUE || \result == ATTR_STUCK;
    ensures  bound:    \forall integer j; first_named{Pre}(\old(b->other.a), \old(b->other.n), j, pattern, label, k) ==>
                       \result == ATTR_VALUE && *out == \old(b->other.a)[j].id;
    ensures  stuck:    \result == ATTR_STUCK <==> unnamed{Pre}(\old(b->other.a), \old(b->other.n), pattern, label, k);
    ensures  none:     \result == ATTR_STUCK ==> *out == \old(*out);
*/
enum attr_result bindings_inst(const struct attr_bindings *b, int pattern, long k, int label, int *out);

/* The alternative that a pattern matched by, or -1. */
/*@ NAMES_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bound:    \forall integer j; first_named(b->other.a, b->other.n, j, pattern, -1, 0) ==> \result == b->other.a[j].id;
    ensures  none:     \result == -1 <==> unnamed(b->other.a, b->other.n, pattern, -1, 0);
*/
int bindings_taken(const struct attr_bindings *b, int pattern);

/* The same of the struct attr_bindings that ctx is. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  *out;
    ensures  code:     \result == ATTR_VALUE || \result == ATTR_STUCK;
*/
enum attr_result bindings_ask_inst(void *ctx, int pattern, long k, int label, int *out);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result;
*/
int bindings_ask_taken(void *ctx, int pattern);

/* The environment of these bindings, but for what its callbacks are to be asked of. */
/*@ requires valid:    \valid_read(b);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  slots:    \result.slot == b->slot.a && \result.n == b->slot.n;
    ensures  symbols:  \result.symbol == b->symbol.a && \result.nsymbol == b->symbol.n;
    ensures  inst:     \result.inst == &bindings_ask_inst;
    ensures  taken:    \result.taken == &bindings_ask_taken;
*/
struct attr_env bindings_env(const struct attr_bindings *b);

#endif
