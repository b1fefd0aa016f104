/* Inside the translation. */
#ifndef CALQUE_DPIA_TRANS_INTERNAL_H
#define CALQUE_DPIA_TRANS_INTERNAL_H

#include "dpia/comm.h"

/* May f update the accumulator variable acc of type d in place? Always at num, for arrays when f is elementwise. Otherwise a
   second buffer is used: the seed's a.9/c.7 would be wrong. reuse: also two forms that Coq has not. */
bool in_place(const struct prog *p, bool reuse, int d, int f, int acc);

#endif
