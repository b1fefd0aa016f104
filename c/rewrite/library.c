#include "rewrite/library.h"

#include <string.h>

/* Generated from library_*.gsl: the bytes of library_NAME.gsl as the array text_NAME. */
#include "library_gsl.h"

static const struct library_set sets[] = {
#define RULE_SET(name, standard, words) { #name, "library_" #name ".gsl", words, standard },
#include "rewrite/library.def"
};

static const struct {
    const unsigned char *a;
    size_t n;
} texts[] = {
#define RULE_SET(name, standard, words) { text_##name, sizeof text_##name },
#include "rewrite/library.def"
};

static const struct {
    const char *name, *rule;
} published[] = {
#define PUBLISHED(name, rule) { #name, #rule },
#include "rewrite/library.def"
};

enum { SETS = sizeof sets / sizeof *sets, NAMES = sizeof published / sizeof *published };

int library_sets(void)
{
    return SETS;
}

const struct library_set *library_set(int set)
{
    return &sets[set];
}

static bool is(const char *s, const char *name, size_t len)
{
    return strlen(s) == len && memcmp(s, name, len) == 0;
}

int library_find(const char *name, size_t len)
{
    for (int k = 0; k < SETS; k++)
        if (is(sets[k].name, name, len))
            return k;
    return -1;
}

const char *library_text(int set, size_t *n)
{
    *n = texts[set].n;
    return (const char *)texts[set].a;
}

/* The length of the first name of a list. */
static size_t name_length(const char *list)
{
    return strcspn(list, ",");
}

static const char *next_name(const char *list)
{
    list += name_length(list);
    return *list ? list + 1 : list;
}

enum calque_status library_parse(struct rules *rs, const char *names, struct diag *d)
{
    bool want[SETS] = { false };
    enum calque_status st = CALQUE_OK;

    for (; *names; names = next_name(names)) {
        size_t len = name_length(names);
        int set = library_find(names, len);
        bool all = is("all", names, len), standard = is("standard", names, len);

        if (set < 0 && !all && !standard)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "there is no rule set '%.*s'", (int)(len < 200 ? len : 200), names);
        for (int k = 0; k < SETS; k++)
            want[k] |= k == set || all || (standard && sets[k].standard);
    }
    for (int k = 0; k < SETS && st == CALQUE_OK; k++)
        if (want[k])
            st = rules_parse(rs, sets[k].file, (const char *)texts[k].a, texts[k].n, d);
    return st;
}

int library_rule(const struct rules *rs, const char *name, size_t len)
{
    for (int k = 0; k < rules_count(rs); k++)
        if (is(rules_name(rs, k), name, len))
            return k;
    for (int k = 0; k < NAMES; k++)
        if (is(published[k].name, name, len))
            return rules_find(rs, published[k].rule);
    return -1;
}

int library_set_of(const struct rules *rs, int rule)
{
    for (int k = 0; k < SETS; k++)
        if (strcmp(sets[k].file, rules_file(rs, rule)) == 0)
            return k;
    return -1;
}

const char *library_published(const char *rule, int k)
{
    for (int j = 0; j < NAMES; j++)
        if (strcmp(published[j].rule, rule) == 0 && k-- == 0)
            return published[j].name;
    return NULL;
}

enum calque_status library_keep(struct rules *rs, const char *names, struct diag *d)
{
    int n = rules_count(rs), kept = 0;
    bool *keep = mem_zero(rs->mem, (size_t)n + 1, sizeof *keep);
    enum calque_status st = keep ? CALQUE_OK : diag_nomem(d);

    for (; *names && st == CALQUE_OK; names = next_name(names)) {
        size_t len = name_length(names);
        int rule = library_rule(rs, names, len);
        if (rule < 0)
            st = diag_set(d, CALQUE_BAD, "", 0, 0, "there is no rule '%.*s'", (int)(len < 200 ? len : 200), names);
        else
            keep[rule] = true;
    }
    for (int k = 0; k < n && st == CALQUE_OK; k++)
        if (keep[k])
            rs->rule.a[kept++] = rs->rule.a[k];
        else
            rule_free(&rs->rule.a[k]);
    if (st == CALQUE_OK)
        rs->rule.n = kept;
    mem_free(keep);
    return st;
}
