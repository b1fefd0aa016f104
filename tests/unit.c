#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unit_dir(char dir[UNIT_DIR])
{
    size_t n = (size_t)snprintf(dir, UNIT_DIR, "/tmp/calque-");

    memset(dir + n, 'X', 6);
    dir[n + 6] = '\0';
    CU_ASSERT_FATAL(mkdtemp(dir) != NULL);
}

int unit_share(void)
{
    const char *s = getenv("UNIT_SHARE");
    int n = s ? atoi(s) : 1;

    return n > 1 ? n : 1;
}

/* Is the file's content text? */
static bool same_as_file(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "rb");
    bool same = f != NULL;

    for (size_t i = 0; same && i < n; i++)
        same = fgetc(f) == (unsigned char)text[i];
    same = same && fgetc(f) == EOF;
    if (f)
        fclose(f);
    return same;
}

void unit_golden(const char *dir, const char *name, const char *text, size_t n)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s.txt", dir, name);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "wb");

        CU_ASSERT_FATAL(f != NULL);
        CU_ASSERT(fwrite(text, 1, n, f) == n);
        CU_ASSERT(fclose(f) == 0);
    } else if (!same_as_file(path, text, n)) {
        fprintf(stderr, "%s: differs from\n%.*s", path, (int)n, text);
        CU_FAIL("golden text");
    }
}

int unit_main(const char *suite, const struct unit_case *cases, int n)
{
    CU_pSuite s;
    unsigned failed;

    if (CU_initialize_registry() != CUE_SUCCESS || !(s = CU_add_suite(suite, NULL, NULL))) {
        printf("FAIL %s (CUnit did not start)\n", suite);
        return 1;
    }
    for (int i = 0; i < n; i++)
        if (!CU_add_test(s, cases[i].name, cases[i].run)) {
            printf("FAIL %s (test %s not added)\n", suite, cases[i].name);
            return 1;
        }
    CU_run_all_tests();
    for (CU_pFailureRecord r = CU_get_failure_list(); r; r = r->pNext)
        fprintf(stderr, "%s:%u: %s: %s\n", r->strFileName, r->uiLineNumber,
                r->pTest ? r->pTest->pName : "?", r->strCondition);
    failed = CU_get_number_of_failures();
    printf("%s %s (%u tests, %u asserts, %u failed)\n", failed ? "FAIL" : "PASS", suite,
           CU_get_number_of_tests_run(), CU_get_number_of_asserts(), failed);
    CU_cleanup_registry();
    return failed ? 1 : 0;
}
