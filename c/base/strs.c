#include "base/strs.h"

#include <string.h>

void strs_init(struct strs *s, struct mem *mem)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
}

void strs_free(struct strs *s)
{
    mem_free(s->text.a);
    mem_free(s->entry.a);
    mem_free(s->bucket);
    strs_init(s, s->mem);
}

static unsigned hash(const char *text, size_t len)
{
    unsigned h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static bool rehash(struct strs *s)
{
    int buckets = s->buckets ? s->buckets * 2 : 64;
    int *b = mem_resize(s->mem, NULL, (size_t)buckets, sizeof *b);
    if (!b)
        return false;
    for (int i = 0; i < buckets; i++)
        b[i] = -1;
    for (int i = 0; i < s->entry.n; i++) {
        struct str_entry *e = &s->entry.a[i];
        unsigned h = e->hash & (unsigned)(buckets - 1);
        if (e->next == STRS_ALONE)
            continue;
        e->next = b[h];
        b[h] = i;
    }
    mem_free(s->bucket);
    s->bucket = b;
    s->buckets = buckets;
    return true;
}

int strs_find(const struct strs *s, const char *text, size_t len)
{
    unsigned h = hash(text, len);

    if (!s->buckets)
        return -1;
    for (int i = s->bucket[h & (unsigned)(s->buckets - 1)]; i >= 0; i = s->entry.a[i].next) {
        const struct str_entry *e = &s->entry.a[i];
        if (e->hash == h && (size_t)e->len == len && (len == 0 || memcmp(s->text.a + e->start, text, len) == 0))
            return i;
    }
    return -1;
}

int strs_append(struct strs *s, const char *text, size_t len)
{
    struct str_entry *e;
    int id;

    if (len > INT32_MAX / 4 || !vec_room(s->mem, &s->text, (int)len + 1) || !vec_room(s->mem, &s->entry, 1))
        return -1;
    id = s->entry.n++;
    e = &s->entry.a[id];
    e->start = (size_t)s->text.n;
    e->len = (int)len;
    if (len)
        memcpy(s->text.a + s->text.n, text, len);
    s->text.a[s->text.n + (int)len] = '\0';
    s->text.n += (int)len + 1;
    e->hash = 0;
    e->next = STRS_ALONE;
    return id;
}

int strs_add(struct strs *s, const char *text, size_t len)
{
    int id = strs_find(s, text, len);
    struct str_entry *e;
    unsigned h;

    if (id >= 0)
        return id;
    if ((s->entry.n >= s->buckets && !rehash(s)) || (id = strs_append(s, text, len)) < 0)
        return -1;
    e = &s->entry.a[id];
    e->hash = hash(text, len);
    h = e->hash & (unsigned)(s->buckets - 1);
    e->next = s->bucket[h];
    s->bucket[h] = id;
    return id;
}

int strs_addz(struct strs *s, const char *text)
{
    return strs_add(s, text, strlen(text));
}

const char *strs_text(const struct strs *s, int id)
{
    return id >= 0 && id < s->entry.n ? s->text.a + s->entry.a[id].start : "";
}

int strs_len(const struct strs *s, int id)
{
    return id >= 0 && id < s->entry.n ? s->entry.a[id].len : 0;
}
