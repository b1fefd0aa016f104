/* The operator's name in the bytes of an opaque node. */
#ifndef CALQUE_GRAPH_GRAPH_OPAQUE_H
#define CALQUE_GRAPH_GRAPH_OPAQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was read of a message: a number, and where the rest begins. */
struct wire_part {
    bool ok;
    size_t at;
    uint64_t value;
};

#ifdef __FRAMAC__
#include "graph/opaque.acsl"
#endif

/* The bytes of the first op_type among the fields of a NodeProto; not ok when there is none before the message ends or is
   no message any more. */
/*@ requires bytes:    \valid_read(p + (0 .. n - 1)) && n < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  type:     \result.ok == 1 ==> is_type(p, n, \result.at, \result.value);
    ensures  none:     \result.ok == 0 ==> \exists integer at; begins(p, n, at) && no_field(p, n, at);
    ensures  range:    \result.ok == 1 ==> \result.at <= n && \result.value <= n - \result.at;
*/
struct wire_part graph_op_type(const unsigned char *p, size_t n);

#endif
