#include "base/strs.h"

#include <string.h>

#include "base/strs_table.h"

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

static struct strs_view view(const struct strs *s)
{
    return (struct strs_view){ .text = s->text.a, .entry = s->entry.a, .bucket = s->bucket, .n = s->entry.n,
                               .cap = s->entry.cap, .ntext = s->text.n, .captext = s->text.cap, .buckets = s->buckets };
}

static bool rehash(struct strs *s)
{
    int buckets = s->buckets ? s->buckets * 2 : 64;
    int *b = mem_resize(s->mem, NULL, (size_t)buckets, sizeof *b);
    if (!b)
        return false;
    mem_free(s->bucket);
    s->bucket = b;
    s->buckets = buckets;
    strs_index(view(s));
    return true;
}

int strs_find(const struct strs *s, const char *text, size_t len)
{
    return s->buckets && len <= INT32_MAX ? strs_lookup(view(s), text, (int)len, strs_hash(text, len)) : -1;
}

int strs_append(struct strs *s, const char *text, size_t len)
{
    struct strs_view v;

    if (len > INT32_MAX / 4 || !vec_room(s->mem, &s->text, (int)len + 1) || !vec_room(s->mem, &s->entry, 1))
        return -1;
    v = strs_put(view(s), text, (int)len);
    s->text.n = v.ntext;
    s->entry.n = v.n;
    return v.n - 1;
}

int strs_add(struct strs *s, const char *text, size_t len)
{
    unsigned h;
    int id;

    if (len > INT32_MAX)
        return -1;
    h = strs_hash(text, len);
    id = s->buckets ? strs_lookup(view(s), text, (int)len, h) : -1;
    if (id >= 0)
        return id;
    if ((s->entry.n >= s->buckets && !rehash(s)) || (id = strs_append(s, text, len)) < 0)
        return -1;
    strs_link(view(s), h);
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
