/* Unit tests with CUnit: each tests/<room>/unit_<name>.c is one program whose main calls unit_main. */
#ifndef CALQUE_TESTS_UNIT_H
#define CALQUE_TESTS_UNIT_H

#include <CUnit/CUnit.h>
#include <stddef.h>

struct unit_case {
    const char *name;
    void (*run)(void);
};

/* Runs the cases; prints one line `PASS <suite> (...)` or `FAIL <suite> ...` with each failed assertion before it on
   stderr. The exit status of the program. */
int unit_main(const char *suite, const struct unit_case *cases, int n);

/* A new empty directory; the caller removes it. Fails the test when there is none. */
enum { UNIT_DIR = 32 };
void unit_dir(char dir[UNIT_DIR]);

/* UNIT_SHARE of the environment, 1 without: of what is compiled by another compiler, or is one of many random cases, a unit
   takes one in so many; all of it is still made. */
int unit_share(void);

/* The text is that of the file DIR/NAME.txt; with UPDATE_GOLDEN=1 in the environment it is written there instead. */
void unit_golden(const char *dir, const char *name, const char *text, size_t n);

#define UNIT_COUNT(cases) ((int)(sizeof(cases) / sizeof *(cases)))

#endif
