/* Interned strings: equal ones have one id, appended ones are apart; also after the table has grown. */
#include <stdio.h>
#include <string.h>

#include "base/strs.h"
#include "unit.h"

static void interned(void)
{
    struct mem mem = MEM_INIT;
    struct strs s;
    char text[32];

    strs_init(&s, &mem);
    CU_ASSERT_EQUAL(strs_find(&s, "a", 1), -1);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 1000; k++) {
            snprintf(text, sizeof text, "n%d", k);
            CU_ASSERT_EQUAL(strs_addz(&s, text), k);
        }
    CU_ASSERT_EQUAL(strs_find(&s, "n999", 4), 999);
    CU_ASSERT_EQUAL(strs_find(&s, "n1000", 5), -1);
    CU_ASSERT_EQUAL(strs_add(&s, "a\0b", 3), 1000);
    CU_ASSERT_EQUAL(strs_add(&s, "a\0c", 3), 1001);
    CU_ASSERT_EQUAL(strs_len(&s, 1001), 3);
    CU_ASSERT_STRING_EQUAL(strs_text(&s, -1), "");
    strs_free(&s);
}

static void appended(void)
{
    struct mem mem = MEM_INIT;
    struct strs s;
    char text[32];

    strs_init(&s, &mem);
    for (int k = 0; k < 500; k++) {
        int alone, id;
        snprintf(text, sizeof text, "%d", k / 2);
        alone = strs_append(&s, text, strlen(text));
        CU_ASSERT_EQUAL(alone, k + (k + 1) / 2);
        CU_ASSERT_STRING_EQUAL(strs_text(&s, alone), text);
        id = strs_addz(&s, text);
        CU_ASSERT_NOT_EQUAL(id, alone);
        CU_ASSERT_EQUAL(strs_find(&s, text, strlen(text)), id);
    }
    strs_free(&s);
}

static void memory_runs_out(void)
{
    int k, id = -1;

    for (k = 0; k < 20 && id < 0; k++) {
        struct mem mem = MEM_INIT;
        struct strs s;
        mem.fail_after = k;
        strs_init(&s, &mem);
        id = strs_append(&s, "x", 1);
        id = id < 0 ? id : strs_addz(&s, "x");
        strs_free(&s);
    }
    CU_ASSERT_EQUAL(id, 1);
    CU_ASSERT(k > 2);
}

static const struct unit_case cases[] = {
    { "interned", interned },
    { "appended", appended },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("base/strs", cases, UNIT_COUNT(cases));
}
