#include "base/strs.h"

#include "base/strs_get.h"

/*@ requires valid:    \valid(s) && \valid(mem) && \separated(s, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *s;
    ensures  ready:    ready_strs(s) && s->mem == mem;
    ensures  empty:    s->entry.n == 0;
*/
void strs_init(struct strs *s, struct mem *mem)
{
    *s = (struct strs){ .mem = mem };
}

/*@ requires valid:    \valid_read(s);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == table_of(s);
*/
static struct strs_view view(const struct strs *s)
{
    return (struct strs_view){ .text = s->text.a, .entry = s->entry.a, .bucket = s->bucket, .n = s->entry.n,
                               .cap = s->entry.cap, .ntext = s->text.n, .captext = s->text.cap, .buckets = s->buckets };
}

/* Twice as many buckets; false when memory is out. */
/*@ STRS_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *q | int *q; \true };
    STRS_KEEPS
    ensures  same:     same_strs{Pre,Post}(s);
    ensures  result:   \result == 0 || \result == 1;
    ensures  some:     \result == 1 ==> 0 < s->buckets;
    ensures  texts:    s->text.a == \old(s->text.a) && s->text.cap == \old(s->text.cap);
*/
static bool rehash(struct strs *s)
{
    bool r;

    if (s->buckets > INT32_MAX / 2)
        return false;
    r = strs_buckets(s, s->buckets ? s->buckets * 2 : 64);
    /*@ assert rows: texts_ok(table_of(s)) && hashes_ok(table_of(s)) && unique(table_of(s)); */
    /*@ assert kept: kept_strs{Pre,Here}(s) && same_strs{Pre,Here}(s); */
    if (!r)
        return false;
    /*@ ghost Rows: ; */
    strs_index(view(s));
    /*@ assert table: table_of(s) == \at(table_of(s), Rows); */
    /*@ assert texts: kept_strs{Rows,Here}(s) && same_strs{Rows,Here}(s); */
    /*@ assert old:   kept_strs{Pre,Here}(s); */
    return true;
}

int strs_find(const struct strs *s, const char *text, size_t len)
{
    if (len > INT32_MAX)
        return -1;
    return strs_lookup(view(s), text, (int)len, strs_hash(text, len));
}

/*@ STRS_REQUIRES
    requires text:     \valid_read(text + (0 .. len - 1)) && apart_bytes(s, text, len);
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *p | char *p; \true }, { *q | struct str_entry *q; \true };
    STRS_KEEPS
    ensures  code:     \result == -1 || \result == \old(s->entry.n);
    ensures  none:     \result == -1 ==> s->entry.n == \old(s->entry.n);
    ensures  found:    same_found{Pre,Post}(\old(table_of(s)), table_of(s), \old(s->entry.n));
    ensures  buckets:  s->buckets == \old(s->buckets);
    ensures  new:      \result >= 0 ==> s->entry.n == \result + 1 && s->entry.a[\result].next == STRS_ALONE &&
                       entry_is(table_of(s), \result, \old(bytes_of(text, 0, len)), len);
    ensures  room:     \old(has_strs_room(s, len + 1)) ==> len <= INT32_MAX / 4 ==> \result >= 0;
*/
int strs_append(struct strs *s, const char *text, size_t len)
{
    struct strs_view v;
    bool r;

    if (len > INT32_MAX / 4)
        return -1;
    r = strs_room(s, (int)len + 1) /*@ ghost (text, (int)len) */;
    /*@ assert wf:    wf_strs(table_of(s)); */
    /*@ assert kept:  kept_strs{Pre,Here}(s) && same_strs{Pre,Here}(s); */
    if (!r)
        return -1;
    /*@ assert bytes: bytes_of(text, 0, len) == \at(bytes_of(text, 0, len), Pre); */
    /*@ ghost Room: ; */
    v = strs_put(view(s), text, (int)len);
    /*@ assert put:   kept_entries{Room,Here}(\at(table_of(s), Room), v, v.n - 1); */
    /*@ assert found: same_found{Room,Here}(\at(table_of(s), Room), v, v.n - 1); */
    /*@ ghost Put: ; */
    s->text.n = v.ntext;
    s->entry.n = v.n;
    /*@ assert table: table_of(s) == v; */
    /*@ assert ents:  moved_entries{Put,Here}(v.entry, v.entry, v.n); */
    /*@ assert bucks: moved_buckets{Put,Here}(v.bucket, v.bucket, v.buckets); */
    /*@ assert moved: moved_table{Put,Here}(v, v); */
    /*@ assert wfs:   wf_strs(v); */
    /*@ assert held:  held_strs(s); */
    /*@ assert texts: kept_entries{Put,Here}(v, v, v.n) && same_found{Put,Here}(v, v, v.n); */
    /*@ assert since: kept_strs{Room,Here}(s); */
    /*@ assert old:   kept_strs{Pre,Here}(s); */
    return v.n - 1;
}

/* Adds the string, which is not to be found and has hash h. */
/*@ STRS_REQUIRES
    requires text:     \valid_read(text + (0 .. len - 1)) && apart_bytes(s, text, len) && len <= INT32_MAX;
    requires absent:   absent(table_of(s), text, len);
    requires hash:     h == fnv(bytes_of(text, 0, len), len);
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *p | char *p; \true }, { *q | struct str_entry *q; \true }, { *k | int *k; \true };
    STRS_KEEPS
    ensures  code:     \result == -1 || \result == \old(s->entry.n);
    ensures  none:     \result == -1 ==> same_strs{Pre,Post}(s);
    ensures  found:    same_found{Pre,Post}(\old(table_of(s)), table_of(s), \old(s->entry.n));
    ensures  new:      \result >= 0 ==> s->entry.n == \result + 1 && indexed(table_of(s), \result) &&
                       entry_is(table_of(s), \result, \old(bytes_of(text, 0, len)), len);
*/
static int add_new(struct strs *s, const char *text, size_t len, unsigned h)
{
    int id;

    if (s->entry.n >= s->buckets && !rehash(s))
        return -1;
    /*@ assert same:   kept_table{Pre,Here}(\at(table_of(s), Pre), table_of(s)); */
    /*@ assert absent: absent(table_of(s), text, len); */
    /*@ ghost Hash: ; */
    id = strs_append(s, text, len);
    /*@ assert old:    kept_strs{Pre,Here}(s); */
    if (id < 0)
        return -1;
    /*@ assert put:    kept_table{Hash,Here}(\at(table_of(s), Hash), table_of(s)); */
    /*@ assert others: \forall integer i; indexed(table_of(s), i) ==> !same_text(table_of(s), i, id); */
    /*@ ghost Put: ; */
    strs_link(view(s), h);
    /*@ assert table:  table_of(s) == \at(table_of(s), Put); */
    /*@ assert link:   kept_strs{Put,Here}(s); */
    return id;
}

/*@ STRS_REQUIRES
    requires text:     \valid_read(text + (0 .. len - 1)) && apart_bytes(s, text, len);
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *p | char *p; \true }, { *q | struct str_entry *q; \true }, { *k | int *k; \true };
    STRS_KEEPS
    ensures  code:     -1 <= \result < s->entry.n;
    ensures  same:     \result == -1 || \result < \old(s->entry.n) ==> same_strs{Pre,Post}(s);
    ensures  found:    \forall integer i; \old(indexed(table_of(s), i) && is_text(table_of(s), i, text, len)) ==> \result == i;
    ensures  others:   same_found{Pre,Post}(\old(table_of(s)), table_of(s), \old(s->entry.n));
    ensures  text:     \result >= 0 ==> indexed(table_of(s), \result) &&
                       entry_is(table_of(s), \result, \old(bytes_of(text, 0, len)), len);
    ensures  new:      \result >= \old(s->entry.n) ==> \result == \old(s->entry.n) && s->entry.n == \result + 1;
*/
int strs_add(struct strs *s, const char *text, size_t len)
{
    unsigned h;
    int id;

    if (len > INT32_MAX)
        return -1;
    h = strs_hash(text, len);
    id = strs_lookup(view(s), text, (int)len, h);
    if (id >= 0)
        return id;
    return add_new(s, text, len, h);
}

/* strlen: that of the proof tool's library does not say that it returns. */
/*@ requires string:   valid_read_string(text) && strlen(text) < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  length:   \result == strlen(text);
*/
static size_t length(const char *text)
{
    size_t n = 0;

    /*@ loop invariant range: 0 <= n <= strlen(text);
        loop assigns n;
        loop variant strlen(text) - n;
    */
    while (text[n] != '\0')
        n++;
    return n;
}

/*@ STRS_REQUIRES
    requires text:     valid_read_string(text) && strlen(text) < SIZE_MAX && apart_bytes(s, text, strlen(text));
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *p | char *p; \true }, { *q | struct str_entry *q; \true }, { *k | int *k; \true };
    STRS_KEEPS
    ensures  code:     -1 <= \result < s->entry.n;
    ensures  text:     \result >= 0 ==> indexed(table_of(s), \result) &&
                       entry_is(table_of(s), \result, \old(bytes_of(text, 0, strlen(text))), \old(strlen(text)));
*/
int strs_addz(struct strs *s, const char *text)
{
    return strs_add(s, text, length(text));
}

int strs_findz(const struct strs *s, const char *text)
{
    return strs_find(s, text, length(text));
}

static const char empty[1] = { 0 };

const char *strs_text(const struct strs *s, int id)
{
    /*@ assert ok: 0 <= id < s->entry.n ==> text_ok(table_of(s), id); */
    return id >= 0 && id < s->entry.n ? s->text.a + s->entry.a[id].start : empty;
}

int strs_len(const struct strs *s, int id)
{
    /*@ assert ok: 0 <= id < s->entry.n ==> text_ok(table_of(s), id); */
    return id >= 0 && id < s->entry.n ? s->entry.a[id].len : 0;
}
