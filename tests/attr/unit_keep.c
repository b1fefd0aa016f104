/* values_keep: what is kept is what it was, what is not is gone, and what was there before is untouched. */
#include <string.h>

#include "attr/value.h"
#include "base/strs.h"
#include "base/text.h"
#include "unit.h"

enum { OLD = 8, NEW = 60, KEPT = 6 };

static int random_value(struct values *vs, uint64_t *s, int n)
{
    int elem[4], len;

    *s = *s * 6364136223846793005u + 1442695040888963407u;
    if (n == 0 || (*s >> 60) < 6)
        return value_int(vs, (long)(*s >> 40));
    len = (int)((*s >> 33) % 5);
    for (int k = 0; k < len; k++) {
        *s = *s * 6364136223846793005u + 1442695040888963407u;
        elem[k % 4] = (int)((*s >> 33) % (unsigned)n);
    }
    return value_tuple(vs, elem, len > 4 ? 4 : len);
}

static void random_arenas(void)
{
    for (unsigned seed = 1; seed <= 300; seed++) {
        struct mem mem = MEM_INIT;
        struct strs strs;
        struct values vs;
        struct text before, after;
        uint64_t s = seed;
        int id[KEPT], first, pool, n;

        strs_init(&strs, &mem);
        values_init(&vs, &mem);
        text_init(&before, &mem);
        text_init(&after, &mem);
        while (vs.n < OLD)
            random_value(&vs, &s, vs.n);
        first = vs.n;
        pool = vs.npool;
        while (vs.n < NEW)
            random_value(&vs, &s, vs.n);
        for (int k = 0; k < KEPT; k++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            id[k] = (int)((s >> 33) % NEW);
            value_print(&before, &vs, &strs, id[k]);
        }
        for (int k = 0; k < first; k++)
            value_print(&before, &vs, &strs, k);
        CU_ASSERT(values_keep(&vs, first, pool, id, KEPT));
        for (int k = 0; k < KEPT; k++) {
            CU_ASSERT_FATAL(id[k] >= 0 && id[k] < vs.n);
            value_print(&after, &vs, &strs, id[k]);
        }
        for (int k = 0; k < first; k++)
            value_print(&after, &vs, &strs, k);
        CU_ASSERT_STRING_EQUAL(before.a, after.a);
        n = vs.n;
        for (int k = first; k < n; k++) /* children first, within the arena */
            for (int j = vs.v[k].first; vs.v[k].kind == VALUE_TUPLE && j < vs.v[k].first + vs.v[k].len; j++)
                CU_ASSERT(j < vs.npool && vs.pool[j] < k);
        CU_ASSERT(values_keep(&vs, first, pool, id, 0));
        CU_ASSERT(vs.n == first && vs.npool == pool);
        text_free(&before);
        text_free(&after);
        values_free(&vs);
        strs_free(&strs);
    }
}

static void memory_runs_out(void)
{
    struct mem mem = MEM_INIT;
    struct values vs;
    int id, one;

    values_init(&vs, &mem);
    one = value_int(&vs, 1);
    id = value_tuple(&vs, &one, 1);
    mem.fail_after = 0;
    CU_ASSERT_FALSE(values_keep(&vs, 0, 0, &id, 1));
    CU_ASSERT(vs.n == 2 && vs.npool == 1 && id == 1);
    mem.fail_after = -1;
    values_free(&vs);
}

static const struct unit_case cases[] = {
    { "random arenas", random_arenas },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("attr/keep", cases, UNIT_COUNT(cases));
}
