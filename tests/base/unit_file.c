/* Files written as a set: all get their names or none, also when a name is refused at the end or memory is out. Numbers and quoted
   strings in texts, as printf has them. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "unit.h"

static char dir[UNIT_DIR];

static const char *in_dir(const char *name)
{
    static char path[UNIT_DIR + 64];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void put(const char *name, const char *text)
{
    struct diag d;

    CU_ASSERT_EQUAL(file_write(in_dir(name), text, strlen(text), &d), CALQUE_OK);
}

static bool holds(const char *name, const char *text)
{
    struct mem mem = MEM_INIT;
    struct diag d;
    char *data;
    size_t n;
    bool same;

    if (file_read(&mem, in_dir(name), &data, &n, &d) != CALQUE_OK)
        return false;
    same = n == strlen(text) && memcmp(data, text, n) == 0;
    mem_free(data);
    return same;
}

/* Is the directory empty, and gone then? */
static bool emptied(void)
{
    return rmdir(dir) == 0;
}

static void all_or_none(void)
{
    struct mem mem = MEM_INIT;
    struct file_set s;
    struct diag d;

    for (int refused = 0; refused < 2; refused++) {
        unit_dir(dir);
        put("old", "old");
        put("last", "old");
        file_set_init(&s, &mem);
        CU_ASSERT_EQUAL(file_set_add(&s, in_dir("old"), "1", 1, &d), CALQUE_OK);
        CU_ASSERT_EQUAL(file_set_add(&s, in_dir("new"), "2", 1, &d), CALQUE_OK);
        CU_ASSERT_EQUAL(file_set_add(&s, in_dir("last"), "3", 1, &d), CALQUE_OK);
        CU_ASSERT(holds("old", "old") && !holds("new", "2"));
        if (refused) { /* since it was looked at */
            CU_ASSERT_EQUAL(unlink(in_dir("last")), 0);
            CU_ASSERT_EQUAL(mkdir(in_dir("last"), 0777), 0);
        }
        diag_clear(&d);
        CU_ASSERT_EQUAL(file_set_commit(&s, &d), refused ? CALQUE_IO : CALQUE_OK);
        file_set_free(&s);
        if (refused) {
            CU_ASSERT(strstr(d.file, "last") != NULL);
            CU_ASSERT(holds("old", "old"));
            CU_ASSERT_EQUAL(access(in_dir("new"), F_OK), -1);
            CU_ASSERT_EQUAL(rmdir(in_dir("last")), 0);
        } else {
            CU_ASSERT(holds("old", "1") && holds("new", "2") && holds("last", "3"));
            unlink(in_dir("new"));
            unlink(in_dir("last"));
        }
        unlink(in_dir("old"));
        CU_ASSERT(emptied());
    }
}

static void memory_runs_out(void)
{
    struct file_set s;
    struct diag d;
    long k;

    unit_dir(dir);
    for (k = 0;; k++) {
        struct mem mem = { k, 0 };
        enum calque_status st = CALQUE_OK;
        file_set_init(&s, &mem);
        for (int i = 0; i < 3 && st == CALQUE_OK; i++)
            st = file_set_add(&s, in_dir(i == 0 ? "a" : i == 1 ? "b" : "c"), "x", 1, &d);
        if (st == CALQUE_OK)
            st = file_set_commit(&s, &d);
        file_set_free(&s);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT_EQUAL(st, CALQUE_NOMEM);
        CU_ASSERT_EQUAL(access(in_dir("a"), F_OK), -1);
    }
    CU_ASSERT(k >= 3);
    unlink(in_dir("a"));
    unlink(in_dir("b"));
    unlink(in_dir("c"));
    CU_ASSERT(emptied());
}

static void numbers_and_quotes(void)
{
    static const long number[] = { 0, 1, 9, 10, -1, -10, 1234567890123, INT_MIN, LONG_MAX, LONG_MIN, LONG_MIN + 1 };
    struct mem mem = MEM_INIT;
    struct text t;
    char want[32], all[256];
    int letters = 0;

    for (int i = 0; i < UNIT_COUNT(number); i++) {
        text_init(&t, &mem);
        text_int(&t, number[i]);
        snprintf(want, sizeof want, "%ld", number[i]);
        CU_ASSERT_STRING_EQUAL(t.a, want);
        text_free(&t);
    }
    for (int c = 0; c < 256; c++) {
        bool escaped = c == '"' || c == '\\' || c == '\n' || c == '\t';

        all[c] = (char)c;
        text_init(&t, &mem);
        text_quote(&t, &all[c], 1);
        snprintf(want, sizeof want, escaped ? "\"\\%c\"" : c < 32 || c > 126 ? "\"\\x%02x\"" : "\"%c\"",
                 c == '\n' ? 'n' : c == '\t' ? 't' : c);
        CU_ASSERT_STRING_EQUAL(t.a, want);
        letters += t.n - 2;
        text_free(&t);
    }
    text_init(&t, &mem);
    text_quote(&t, all, sizeof all);
    CU_ASSERT_EQUAL(t.n, 2 + letters);
    text_free(&t);
}

static const struct unit_case cases[] = {
    { "all or none", all_or_none },
    { "memory runs out", memory_runs_out },
    { "numbers and quotes", numbers_and_quotes },
};

int main(void)
{
    return unit_main("base/file", cases, UNIT_COUNT(cases));
}
