#include "rewrite/splice_find.h"

struct early_end splice_find(struct early_view v, struct match_key *key)
{
    struct early_end e = early_check(v);

    if (e.hit < 0)
        splice_early(v, e.done, key);
    return e;
}
