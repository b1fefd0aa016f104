/* Memory of the table of strings: growth keeps what is there, a failure changes nothing. Trusted by strs.c. */
#include "base/strs_internal.h"

void strs_free(struct strs *s)
{
    mem_free(s->text.a);
    mem_free(s->entry.a);
    mem_free(s->bucket);
    strs_init(s, s->mem);
}

bool strs_room(struct strs *s, int chars)
{
    return vec_room(s->mem, &s->text, chars) && vec_room(s->mem, &s->entry, 1);
}

bool strs_buckets(struct strs *s, int n)
{
    int *b = mem_resize(s->mem, NULL, (size_t)n, sizeof *b);

    if (!b)
        return false;
    mem_free(s->bucket);
    s->bucket = b;
    s->buckets = n;
    return true;
}
