/* A client of liboracle, of every function and status of oracle/oracle.h. */
#include <stdio.h>
#include <string.h>

#include "oracle.h"

static int failures;

static void check(int ok, const char *what, const struct oracle_text *t)
{
    if (ok)
        return;
    failures++;
    printf("FAIL %s: %s\n", what, t->a ? t->a : "");
}

static enum oracle_status ask(const char *language, const char *request, struct oracle_text *answer)
{
    return oracle_answer(language, request, strlen(request), answer);
}

/* The cases of a range are those of its parts, and their answers those that are given one by one. */
static void ranges(void)
{
    struct oracle_text whole = ORACLE_TEXT_INIT, answers = ORACLE_TEXT_INIT, part = ORACLE_TEXT_INIT, one = ORACLE_TEXT_INIT, t = ORACLE_TEXT_INIT;
    size_t at = 0, line = 0;

    check(oracle_cases("attr", 7, 10, 50, &whole, &answers) == ORACLE_OK, "cases", &whole);
    for (int k = 10; k < 60; k++) {
        check(oracle_cases("attr", 7, k, 1, &part, &one) == ORACLE_OK, "a case", &part);
        check(at + part.n <= whole.n && memcmp(whole.a + at, part.a, part.n) == 0, "the case of a range", &part);
        check(oracle_answer("attr", part.a, part.n - 1, &t) == ORACLE_OK && t.n + 1 == one.n && memcmp(t.a, one.a, t.n) == 0, "its answer", &t);
        check(line + one.n <= answers.n && memcmp(answers.a + line, one.a, one.n) == 0, "the answer of a range", &one);
        at += part.n;
        line += one.n;
    }
    check(at == whole.n && line == answers.n && strlen(whole.a) == whole.n, "the ends of a range", &whole);
    check(oracle_cases("attr", 7, 10, 0, &whole, &answers) == ORACLE_OK && whole.n == 0 && answers.n == 0, "no case", &whole);
    oracle_text_free(&whole);
    oracle_text_free(&answers);
    oracle_text_free(&part);
    oracle_text_free(&one);
    oracle_text_free(&t);
}

int main(void)
{
    struct oracle_text t = ORACLE_TEXT_INIT, u = ORACLE_TEXT_INIT;

    check(ask("attr", "(eval (add 1 2) ())", &t) == ORACLE_OK && strcmp(t.a, "3") == 0 && t.n == 1, "a value", &t);
    check(ask("attr", "(eval (add 1 none) ())", &t) == ORACLE_OK && strcmp(t.a, "stuck") == 0, "no value", &t);
    check(ask("attr", "(eval (add 1", &t) == ORACLE_MALFORMED && strchr(t.a, ':') != NULL, "half a request", &t);
    check(ask("attr", "", &t) == ORACLE_MALFORMED, "an empty request", &t);
    check(oracle_answer("attr", "(eval (tuple \"a\0b\") ())", 23, &t) == ORACLE_MALFORMED, "a zero byte", &t);
    check(ask("nonsense", "", &t) == ORACLE_NO_LANGUAGE && strstr(t.a, "opvalue") != NULL, "no language", &t);
    check(oracle_cases("nonsense", 1, 0, 1, &t, &u) == ORACLE_NO_LANGUAGE, "cases of no language", &t);
    check(ask("opvalue", "(Relu f32 () ((1) (f32 (bf800000))))", &t) == ORACLE_MALFORMED || t.n > 0, "an operator", &t);
    ranges();
    /* As many opening brackets as no stack has frames for. */
    static char deep[8 << 20];
    memset(deep, '(', sizeof deep);
    check(oracle_answer("attr", deep, sizeof deep, &t) != ORACLE_OK, "a deep request", &t);
    check(ask("attr", "(eval (add 1 2) ())", &t) == ORACLE_OK && strcmp(t.a, "3") == 0, "a value behind it", &t);
    oracle_text_free(&t);
    oracle_text_free(&u);
    check(t.a == NULL && t.n == 0 && t.cap == 0, "an emptied text", &t);
    puts(failures ? "failed" : "every status seen");
    return failures != 0;
}
