#include "unit.h"

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
