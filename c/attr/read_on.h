/* What readers are made of. */
#ifndef CALQUE_ATTR_READ_ON_H
#define CALQUE_ATTR_READ_ON_H

#include "attr/read.h"

/* The reader after this reading, which is over; the first error is the one that is reported. */
/*@ requires text:     readable(in);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  fresh:    fresh(\result);
    ensures  place:    \result.in.text == in.text && \result.in.n == in.n && \result.in.at == in.at &&
                       \result.in.depth == in.depth;
    ensures  for:      \result.attrs == r.attrs && \result.strs == r.strs;
    ensures  status:   \result.status == (r.status == CALQUE_OK ? in.status : r.status);
*/
struct attr_reader reader_on(struct attr_reader r, struct reading in);

/* x is the reader from now on. */
/*@ requires valid:    \valid(r);
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    ensures  set:      *r == x;
*/
void reader_set(struct attr_reader *r, struct attr_reader x);

#endif
