/* The built-in rules, from the text in the binary: sets, classes, theorems, and the choice of rules by them
   (library.def). */
#include "rewrite/library.h"

#include <string.h>

/* Generated from library_*.gsl: the bytes of library_NAME.gsl as the array text_NAME. */
#include "library_gsl.h"

static const struct library_set sets[] = {
#define RULE_SET(name, standard, early, words) { #name, "library_" #name ".gsl", words, standard, early },
#include "rewrite/library.def"
};

static const struct {
    const unsigned char *a;
    size_t n;
} texts[] = {
#define RULE_SET(name, standard, early, words) { text_##name, sizeof text_##name },
#include "rewrite/library.def"
};

static const struct {
    const char *name, *rule;
} published[] = {
#define PUBLISHED(name, rule) { #name, #rule },
#include "rewrite/library.def"
};

static const struct {
    const char *rule, *theorem;
} proved[] = {
#define PROVED(rule) { #rule, "rule_" #rule "_sound" },
#include "rewrite/library.def"
};

enum { SETS = sizeof sets / sizeof *sets, NAMES = sizeof published / sizeof *published,
       THEOREMS = sizeof proved / sizeof *proved };

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
    for (int k = 0; k < SETS && st == CALQUE_OK; k++) {
        int first = rs->rule.n;
        if (want[k])
            st = rules_parse(rs, sets[k].file, (const char *)texts[k].a, texts[k].n, d);
        for (int j = first; j < rs->rule.n; j++)
            rs->rule.a[j].library = k + 1;
    }
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
    return rs->rule.a[rule].library - 1;
}

const char *library_published(const char *rule, int k)
{
    for (int j = 0; j < NAMES; j++)
        if (strcmp(published[j].rule, rule) == 0 && k-- == 0)
            return published[j].name;
    return NULL;
}

const char *library_theorem(const struct rules *rs, int rule)
{
    for (int k = 0; k < THEOREMS; k++)
        if (rs->rule.a[rule].library && strcmp(proved[k].rule, rules_name(rs, rule)) == 0)
            return proved[k].theorem;
    return NULL;
}

enum calque_status library_classes(const char *list, bool wanted[RULE_CLASSES], struct diag *d)
{
    if (!*list)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "no class is named: exact, ring or real");
    for (; *list; list = next_name(list)) {
        size_t len = name_length(list);
        int class = rule_class_find(list, len);
        if (class < 0)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "there is no class '%.*s': exact, ring or real",
                            (int)(len < 200 ? len : 200), list);
        wanted[class] = true;
    }
    return CALQUE_OK;
}

static void keep_only(struct rules *rs, const bool *keep)
{
    int n = rules_count(rs), kept = 0;

    for (int k = 0; k < n; k++)
        if (keep[k])
            rs->rule.a[kept++] = rs->rule.a[k];
        else
            rule_free(&rs->rule.a[k]);
    rs->rule.n = kept;
}

enum calque_status library_keep_classes(struct rules *rs, const bool wanted[RULE_CLASSES], struct diag *d)
{
    bool *keep = mem_zero(rs->mem, (size_t)rules_count(rs) + 1, sizeof *keep);

    if (!keep)
        return diag_nomem(d);
    for (int k = 0; k < rules_count(rs); k++)
        keep[k] = wanted[rs->rule.a[k].class];
    keep_only(rs, keep);
    mem_free(keep);
    return CALQUE_OK;
}

enum calque_status library_keep(struct rules *rs, const char *names, struct diag *d)
{
    int n = rules_count(rs);
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
    if (st == CALQUE_OK)
        keep_only(rs, keep);
    mem_free(keep);
    return st;
}
