/* The names of emitted C: parameters, sizes and loop variables of programs, kernels and models. A name stays as it is where C
   can have it. A word of names.def, an upper-case word of three letters or more (macros), and what our own variables are called
   (i3, v3) get an underscore, also when they have some already: what was different stays different. Names that are one
   identifier are numbered. Coq has levels in the place of names; ORDER c_name: oracle/dpia.ml has the same rules. */
#include "emit/minic.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const reserved[] = {
#include "emit/names.def"
};

static int compare(const void *key, const void *word)
{
    return strcmp(key, *(const char *const *)word);
}

bool print_is_reserved(const char *s)
{
    return bsearch(s, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, compare) != NULL;
}

/* The name as an identifier: t before it when it begins with no letter, an underscore for what is no letter or digit. */
static bool has_prefix(const char *s)
{
    return !isalpha((unsigned char)s[0]);
}

static size_t length(const char *s)
{
    return strlen(s) + has_prefix(s);
}

static char char_at(const char *s, size_t i)
{
    if (has_prefix(s) && i == 0)
        return 't';
    return (char)(isalnum((unsigned char)s[i - has_prefix(s)]) ? s[i - has_prefix(s)] : '_');
}

static bool same_identifier(const char *a, const char *b)
{
    size_t n = length(a);

    if (n != length(b))
        return false;
    for (size_t i = 0; i < n; i++)
        if (char_at(a, i) != char_at(b, i))
            return false;
    return true;
}

/* STEM and a number. */
static bool is_numbered(const char *s, const char *stem)
{
    size_t k = strlen(stem);

    return strncmp(s, stem, k) == 0 && s[k] && strspn(s + k, "0123456789") == strlen(s + k);
}

/* Does the identifier, but for underscores at its end, have a use in emitted C? */
static bool is_taken(const char *s)
{
    char word[64];
    size_t n = length(s);
    bool upper = true;

    while (n > 0 && char_at(s, n - 1) == '_')
        n--;
    for (size_t i = 0; i < n; i++)
        upper = upper && !islower((unsigned char)char_at(s, i));
    if (upper && n > 2)
        return true;
    if (n >= sizeof word)
        return strncmp(s, "calque_", 7) == 0;
    for (size_t i = 0; i < n; i++)
        word[i] = char_at(s, i);
    word[n] = '\0';
    return strncmp(word, "calque_", 7) == 0 || is_numbered(word, "i") || is_numbered(word, "v") || is_numbered(word, "arg_") ||
           is_numbered(word, "size_") || print_is_reserved(word);
}

static void put_name(struct text *t, const char *s)
{
    size_t n = length(s);

    for (size_t i = 0; i < n; i++) {
        char c = char_at(s, i);
        text_put(t, &c, 1);
    }
    if (is_taken(s))
        text_puts(t, "_");
}

static const char *size_name(const struct prog *p, int i)
{
    return strs_text(p->strs, p->size_name.a[i]);
}

static const char *param_name(const struct prog *p, int i)
{
    return strs_text(p->strs, p->param.a[i].name);
}

/* Has another size (than `size`) or parameter (than `param`) the same identifier? */
static bool is_shared(const struct prog *p, const char *s, int size, int param)
{
    if (prog_named(p, s) <= (size >= 0 || param >= 0))
        return false;
    for (int i = 0; i < p->size_name.n; i++)
        if (i != size && same_identifier(s, size_name(p, i)))
            return true;
    for (int i = 0; i < p->param.n; i++)
        if (i != param && same_identifier(s, param_name(p, i)))
            return true;
    return false;
}

void print_size_var(struct text *t, const struct prog *p, int size)
{
    if (is_shared(p, size_name(p, size), size, -1))
        text_printf(t, "size_%d", size);
    else
        put_name(t, size_name(p, size));
}

void print_param(struct text *t, const struct prog *p, int param)
{
    if (is_shared(p, param_name(p, param), -1, param))
        text_printf(t, "arg_%d", param);
    else
        put_name(t, param_name(p, param));
}

/* A loop's variable is called after the program's, for people: letters and its level. */
static void put_loop(struct text *t, const struct prog *p, const char *hint, int level)
{
    size_t n = strspn(hint, "abcdefghijklmnopqrstuvwxyz");
    char name[32];

    if (n > 0 && n <= 8) {
        snprintf(name, sizeof name, "%.*s%d", (int)n, hint, level);
        if (!is_taken(name) && !is_shared(p, name, -1, -1)) {
            text_puts(t, name);
            return;
        }
    }
    text_printf(t, "i%d", level);
}

void print_var(const struct printer *q, int level)
{
    const struct prog *p = q->m->code->prog;
    const struct code *c = q->m->code;
    const struct level *l = &c->level.a[level < c->level.n ? level : q->m->alias.a[level - c->level.n]];

    if (level < p->param.n)
        print_param(q->t, p, level);
    else if (l->type >= 0)
        text_printf(q->t, "v%d", q->m->plain && q->m->number ? q->m->number[level] : level);
    else if (q->m->plain)
        text_printf(q->t, "i%d", q->m->number ? q->m->number[level] : level);
    else
        put_loop(q->t, p, l->hint >= 0 ? strs_text(p->strs, l->hint) : "", level);
}
