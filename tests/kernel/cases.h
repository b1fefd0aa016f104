/* The kernels of cases.kern, gradients.kern and inlinings.kern, read once; a file that is not there fails the test. */
#ifndef CALQUE_TESTS_KERNEL_CASES_H
#define CALQUE_TESTS_KERNEL_CASES_H

#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 32, CASES_NAMES = 8, CASES_NAME = 32 };

struct case_names {
    char name[CASES_NAMES][CASES_NAME];
    int n;
};
struct kernel_case {
    char name[CASES_NAME], type[CASES_NAME];
    struct case_names in, out, wrt, inlined;
    const char *text, *gives; /* gives, refused: NULL when there is none */
    const char *refused;
};
struct kernel_cases {
    char *data;
    struct kernel_case at[CASES_MOST];
    int n;
};

/* The names of a list with commas. */
static void cases_names(struct case_names *s, const char *list)
{
    for (s->n = 0; *list; list += *list == ',') {
        size_t n = strcspn(list, ",");
        CU_ASSERT_FATAL(n < CASES_NAME && s->n < CASES_NAMES);
        snprintf(s->name[s->n++], CASES_NAME, "%.*s", (int)n, list);
        list += n;
    }
}

/* `NAME KEY=VALUE ..`, a line that is ended. */
static void cases_head(struct kernel_case *c, char *line)
{
    struct case_names type;
    const struct {
        const char *key;
        struct case_names *names;
    } keys[] = {{"type", &type}, {"in", &c->in}, {"out", &c->out}, {"wrt", &c->wrt}, {"inline", &c->inlined}};
    char *rest = line;

    memset(c, 0, sizeof *c);
    type.n = 0;
    snprintf(c->name, sizeof c->name, "%s", strtok_r(line, " ", &rest));
    for (char *word; (word = strtok_r(NULL, " ", &rest));) {
        char *value = strchr(word, '=');
        bool known = false;
        CU_ASSERT_FATAL(value != NULL);
        *value = '\0';
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (strcmp(keys[i].key, word) == 0) {
                cases_names(keys[i].names, value + 1);
                known = true;
            }
        CU_ASSERT(known);
    }
    if (type.n == 1)
        memcpy(c->type, type.name[0], sizeof c->type);
}

/* The cases of the file tests/kernel/NAME, n of them. */
static void cases_read(struct kernel_cases *s, const char *name, int n)
{
    char path[64], *at;
    long size = 0;
    FILE *f;

    snprintf(path, sizeof path, "tests/kernel/%s", name);
    CU_ASSERT_FATAL((f = fopen(path, "rb")) != NULL);
    CU_ASSERT_FATAL(fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > 0 && fseek(f, 0, SEEK_SET) == 0);
    CU_ASSERT_FATAL((s->data = calloc((size_t)size + 1, 1)) != NULL);
    CU_ASSERT_FATAL(fread(s->data, 1, (size_t)size, f) == (size_t)size);
    fclose(f);
    s->n = 0;
    for (at = strstr(s->data, "\n## "); at;) {
        char *line = at + 4, *text = strchr(line, '\n');
        struct kernel_case *last = s->n > 0 ? &s->at[s->n - 1] : NULL;
        CU_ASSERT_FATAL(text != NULL);
        *at = *text++ = '\0';
        at = strstr(text, "\n## ");
        if (strcmp(line, "gives") == 0 && last) {
            last->gives = text;
        } else if (strncmp(line, "refused ", 8) == 0 && last) {
            last->refused = line + 8;
        } else {
            CU_ASSERT_FATAL(s->n < CASES_MOST);
            cases_head(&s->at[s->n], line);
            s->at[s->n++].text = text;
        }
    }
    CU_ASSERT_EQUAL(s->n, n);
}

static void cases_free(struct kernel_cases *s) { free(s->data); }

#endif
