/* What a check has found, as keys. */
#ifndef CALQUE_REWRITE_SPLICE_EARLY_H
#define CALQUE_REWRITE_SPLICE_EARLY_H

#include "rewrite/early.h"
#include "rewrite/splice_keys.h"

#ifdef __FRAMAC__
#include "pattern/keys.acsl"
#include "rewrite/splice_early.acsl"
#endif

/* What the walk of a check has taken, with its labels. */
/*@ requires valid:    valid_early(v) && \valid(key + (0 .. done - 1)) && off_early(\base_addr(key), v);
    requires passed:   check_passed(v, done);
    terminates \true;
    exits    never:    \false;
    assigns  key[0 .. done - 1];
    ensures  found:    keys_found(v, key, done);
*/
void splice_early(struct early_view v, int done, struct match_key *key);

#endif
