/* Interned strings: equal strings have equal ids. Invariant: an entry is in the bucket of its hash. */
#include "base/strs.h"

#include "base/strs_internal.h"

unsigned strs_hash(const char *text, size_t len)
{
    unsigned h = 2166136261u; /* FNV-1a */

    /*@ loop invariant range: 0 <= i <= len;
        loop invariant hash:  h == fnv(bytes_of(text, 0, len), i);
        loop assigns i, h;
        loop variant len - i;
    */
    for (size_t i = 0; i < len; i++) {
        /*@ assert byte: bytes_at(bytes_of(text, 0, len), i) == text[i]; */
        /*@ assert step: fnv(bytes_of(text, 0, len), i + 1) ==
                         fnv_step((unsigned char)text[i], fnv(bytes_of(text, 0, len), i)); */
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    }
    return h;
}

/* The bucket of hash h. */
/*@ requires some:     0 < buckets;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    0 <= \result < buckets;
    ensures  home:     \result == h % buckets;
*/
static int slot(unsigned h, int buckets)
{
    return (int)(h % (unsigned)buckets);
}

/* Is the text of entry i this one? */
/*@ requires valid:    valid_strs(v);
    requires entry:    0 <= i < v.n && text_ok(v, i);
    requires text:     \valid_read(text + (0 .. len - 1)) && 0 <= len;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     \result == 1 <==> is_text(v, i, text, len);
*/
static int is_text(struct strs_view v, int i, const char *text, int len)
{
    const char *own = v.text + v.entry[i].start;

    if (v.entry[i].len != len)
        return 0;
    /*@ loop invariant range: 0 <= k <= len;
        loop invariant same:  \forall integer j; 0 <= j < k ==> own[j] == text[j];
        loop assigns k;
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        /*@ assert own:   bytes_at(text_of(v, i), k) == own[k]; */
        /*@ assert given: bytes_at(bytes_of(text, 0, len), k) == text[k]; */
        if (own[k] != text[k])
            return 0;
    }
    return 1;
}

int strs_lookup(struct strs_view v, const char *text, int len, unsigned h)
{
    int i;

    if (v.buckets == 0)
        return -1;
    i = v.bucket[slot(h, v.buckets)];
    /*@ loop invariant chain:  -1 <= i < v.n && (i >= 0 ==> indexed(v, i) && home(v, i) == h % v.buckets);
        loop invariant passed: \forall integer k; i < k ==> indexed(v, k) ==> !is_text(v, k, text, len);
        loop assigns i;
        loop variant i;
    */
    while (i >= 0) {
        /*@ assert next: last_before(v, v.entry[i].next, home(v, i), i); */
        if (v.entry[i].hash == h && is_text(v, i, text, len)) {
            /*@ assert same: \forall integer k; indexed(v, k) ==> is_text(v, k, text, len) ==> same_text(v, k, i); */
            return i;
        }
        i = v.entry[i].next;
    }
    return -1;
}

/* Copies len bytes to text[at ..], and a NUL behind. */
/*@ requires valid:    0 <= at && 0 <= len && at + len < INT32_MAX && \valid(text + (at .. at + len)) &&
                       \valid_read(from + (0 .. len - 1));
    requires apart:    \separated(from + (0 .. len - 1), text + (at .. at + len));
    terminates \true;
    exits    never:    \false;
    assigns  text[at .. at + len];
    ensures  copied:   bytes_of(text, at, len) == \old(bytes_of(from, 0, len));
    ensures  nul:      text[at + len] == 0;
*/
static void put_bytes(char *text, int at, const char *from, int len)
{
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant copied: \forall integer j; 0 <= j < k ==> text[at + j] == \at(from[j], Pre);
        loop invariant from:   \forall integer j; 0 <= j < len ==> from[j] == \at(from[j], Pre);
        loop assigns k, text[at .. at + len - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++)
        text[at + k] = from[k];
    text[at + len] = '\0';
}

struct strs_view strs_put(struct strs_view v, const char *text, int len)
{
    struct strs_view w = v;

    put_bytes(v.text, v.ntext, text, len);
    v.entry[v.n].start = (size_t)v.ntext;
    v.entry[v.n].len = len;
    v.entry[v.n].hash = 0;
    v.entry[v.n].next = STRS_ALONE;
    w.n = v.n + 1;
    w.ntext = v.ntext + len + 1;
    /*@ assert fields: \forall integer i; 0 <= i < v.n ==> v.entry[i].start == \at(v.entry[i].start, Pre) &&
                       v.entry[i].len == \at(v.entry[i].len, Pre) && v.entry[i].hash == \at(v.entry[i].hash, Pre) &&
                       v.entry[i].next == \at(v.entry[i].next, Pre); */
    /*@ assert bytes:  same_bytes{Pre,Here}(v.text, v.ntext); */
    /*@ assert texts:  \forall integer i; 0 <= i < v.n ==> text_ok{Pre}(v, i) && text_ok(v, i) && text_of(v, i) == text_of{Pre}(v, i); */
    /*@ assert old:    same_texts{Pre,Here}(v, v.n); */
    /*@ assert shown:  \forall integer i; indexed(w, i) <==> indexed{Pre}(v, i); */
    /*@ assert home:   \forall integer i; 0 <= i < v.n ==> home(w, i) == home{Pre}(v, i); */
    /*@ assert own:    v.entry[v.n].start == v.ntext; */
    /*@ assert copy:   bytes_of(v.text, v.entry[v.n].start, len) == bytes_of{Pre}(text, 0, len); */
    /*@ assert text:   text_of(v, v.n) == bytes_of{Pre}(text, 0, len); */
    /*@ assert end:    text_ok(w, v.n); */
    /*@ assert each:   \forall integer i; 0 <= i < v.n ==> text_ok(v, i) && text_ok(w, i); */
    /*@ assert index:  same_index{Pre,Here}(v, w, v.n); */
    /*@ assert ends:   texts_ok(w); */
    /*@ assert hashes: hashes_ok(w); */
    /*@ assert top:    \forall integer b; 0 <= b < v.buckets ==> last_before{Pre}(v, v.bucket[b], b, v.n) &&
                       last_before(w, w.bucket[b], b, w.n); */
    /*@ assert tops:   heads_ok(w, w.n); */
    /*@ assert was:    \forall integer i; indexed{Pre}(v, i) ==> w.entry[i].next == \at(v.entry[i].next, Pre) &&
                       home(w, i) == home{Pre}(v, i) &&
                       last_before{Pre}(v, w.entry[i].next, home(w, i), i); */
    /*@ assert next:   \forall integer i; indexed{Pre}(v, i) ==> last_before{Pre}(v, w.entry[i].next, home(w, i), i) &&
                       last_before(w, w.entry[i].next, home(w, i), i); */
    /*@ assert nexts:  nexts_ok(w, w.n); */
    /*@ assert pairs:  \forall integer i, j; 0 <= i < v.n ==> 0 <= j < v.n ==> same_text(w, i, j) ==> same_text{Pre}(v, i, j); */
    /*@ assert unique: unique(w); */
    return w;
}

void strs_link(struct strs_view v, unsigned h)
{
    int i = v.n - 1, b = slot(h, v.buckets);

    /*@ assert was:    last_before(v, v.bucket[b], b, v.n); */
    v.entry[i].hash = h;
    v.entry[i].next = v.bucket[b];
    v.bucket[b] = i;
    /*@ assert fields: \forall integer k; 0 <= k < i ==> v.entry[k].hash == \at(v.entry[k].hash, Pre) &&
                       v.entry[k].next == \at(v.entry[k].next, Pre); */
    /*@ assert lines:  \forall integer k; 0 <= k < v.n ==> v.entry[k].start == \at(v.entry[k].start, Pre) &&
                       v.entry[k].len == \at(v.entry[k].len, Pre); */
    /*@ assert texts:  same_texts{Pre,Here}(v, v.n); */
    /*@ assert pairs:  \forall integer j, k; 0 <= j < v.n ==> 0 <= k < v.n ==> same_text(v, j, k) ==> same_text{Pre}(v, j, k); */
    /*@ assert mine:   indexed(v, i) && home(v, i) == b; */
    /*@ assert shown:  \forall integer k; indexed(v, k) <==> k == i || indexed{Pre}(v, k); */
    /*@ assert home:   \forall integer k; 0 <= k < i ==> home(v, k) == home{Pre}(v, k); */
    /*@ assert each:   \forall integer k; 0 <= k < v.n ==> text_ok{Pre}(v, k) && text_ok(v, k); */
    /*@ assert ends:   texts_ok(v); */
    /*@ assert hashes: hashes_ok(v); */
    /*@ assert last:   last_before(v, v.entry[i].next, b, i); */
    /*@ assert top:    last_before(v, v.bucket[b], b, v.n); */
    /*@ assert rest:   \forall integer c; 0 <= c < v.buckets ==> c != b ==> v.bucket[c] == \at(v.bucket[c], Pre) &&
                       last_before{Pre}(v, v.bucket[c], c, i); */
    /*@ assert others: \forall integer c; 0 <= c < v.buckets ==> c != b ==> last_before(v, v.bucket[c], c, v.n); */
    /*@ assert tops:   heads_ok(v, v.n); */
    /*@ assert index:  same_index{Pre,Here}(v, v, i); */
    /*@ assert next:   \forall integer k; 0 <= k < i ==> indexed(v, k) ==> indexed{Pre}(v, k) &&
                       v.entry[k].next == \at(v.entry[k].next, Pre) && home(v, k) == home{Pre}(v, k) &&
                       last_before{Pre}(v, v.entry[k].next, home(v, k), k) && last_before(v, v.entry[k].next, home(v, k), k); */
    /*@ assert nexts:  nexts_ok(v, v.n); */
    /*@ assert unique: unique(v); */
}

/*@ requires valid:    valid_strs(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.bucket[0 .. v.buckets - 1];
    ensures  clear:    \forall integer b; 0 <= b < v.buckets ==> v.bucket[b] == -1;
*/
static void clear_buckets(struct strs_view v)
{
    /*@ loop invariant range: 0 <= b <= v.buckets;
        loop invariant clear: \forall integer c; 0 <= c < b ==> v.bucket[c] == -1;
        loop assigns b, v.bucket[0 .. v.buckets - 1];
        loop variant v.buckets - b;
    */
    for (int b = 0; b < v.buckets; b++)
        v.bucket[b] = -1;
}

/* Entry i comes first in its bucket, if it is to be found. */
/*@ requires valid:    valid_strs(v);
    requires some:     0 < v.buckets && 0 <= i < v.n;
    requires chains:   chains_ok(v, i);
    terminates \true;
    exits    never:    \false;
    assigns  v.entry[i].next, v.bucket[0 .. v.buckets - 1];
    ensures  chains:   chains_ok(v, i + 1);
    ensures  indexed:  \forall integer k; indexed(v, k) <==> indexed{Pre}(v, k);
*/
static void index_entry(struct strs_view v, int i)
{
    int b;

    if (v.entry[i].next == STRS_ALONE) {
        /*@ assert over: \forall integer c; 0 <= c < v.buckets ==> last_before(v, v.bucket[c], c, i) &&
                         last_before(v, v.bucket[c], c, i + 1); */
        /*@ assert stay: heads_ok(v, i + 1) && nexts_ok(v, i + 1); */
        return;
    }
    b = slot(v.entry[i].hash, v.buckets);
    v.entry[i].next = v.bucket[b];
    v.bucket[b] = i;
    /*@ assert fields: \forall integer k; 0 <= k < v.n ==> v.entry[k].hash == \at(v.entry[k].hash, Pre) &&
                       (k != i ==> v.entry[k].next == \at(v.entry[k].next, Pre)); */
    /*@ assert shown:  \forall integer k; indexed(v, k) <==> indexed{Pre}(v, k); */
    /*@ assert home:   \forall integer k; 0 <= k < v.n ==> home(v, k) == home{Pre}(v, k); */
    /*@ assert index:  same_index{Pre,Here}(v, v, i); */
    /*@ assert last:   last_before(v, v.entry[i].next, b, i); */
    /*@ assert tops:   heads_ok(v, i + 1); */
    /*@ assert next:   \forall integer k; 0 <= k < i ==> indexed(v, k) ==> v.entry[k].next == \at(v.entry[k].next, Pre) &&
                       home(v, k) == home{Pre}(v, k) && last_before{Pre}(v, v.entry[k].next, home(v, k), k) &&
                       last_before(v, v.entry[k].next, home(v, k), k); */
    /*@ assert nexts:  nexts_ok(v, i + 1); */
}

void strs_index(struct strs_view v)
{
    clear_buckets(v);
    /*@ loop invariant range:   0 <= i <= v.n;
        loop invariant chains:  chains_ok(v, i);
        loop invariant indexed: \forall integer k; indexed(v, k) <==> indexed{Pre}(v, k);
        loop assigns i, v.entry[0 .. v.n - 1].next, v.bucket[0 .. v.buckets - 1];
        loop variant v.n - i;
    */
    for (int i = 0; i < v.n; i++)
        index_entry(v, i);
    /*@ assert fields: \forall integer i; 0 <= i < v.n ==> v.entry[i].start == \at(v.entry[i].start, Pre) &&
                       v.entry[i].len == \at(v.entry[i].len, Pre) && v.entry[i].hash == \at(v.entry[i].hash, Pre); */
    /*@ assert texts:  same_texts{Pre,Here}(v, v.n); */
    /*@ assert pairs:  \forall integer j, k; 0 <= j < v.n ==> 0 <= k < v.n ==> same_text(v, j, k) ==> same_text{Pre}(v, j, k); */
    /*@ assert each:   \forall integer k; 0 <= k < v.n ==> text_ok{Pre}(v, k) && text_ok(v, k); */
    /*@ assert ends:   texts_ok(v); */
    /*@ assert hashes: hashes_ok(v); */
    /*@ assert unique: unique(v); */
}

/*@ requires valid:    \valid(s) && \valid(mem) && \separated(s, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *s;
    ensures  ready:    ready_strs(s) && s->mem == mem;
    ensures  empty:    s->text.n == 0 && s->entry.n == 0 && s->buckets == 0;
*/
void strs_init(struct strs *s, struct mem *mem)
{
    *s = (struct strs){ .mem = mem };
}

void strs_free(struct strs *s)
{
    mem_free(s->text.a);
    mem_free(s->entry.a);
    mem_free(s->bucket);
    strs_init(s, s->mem);
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

/* Memory of the table of strings: growth keeps what is there, a failure changes nothing. Trusted. */

bool strs_room(struct strs *s, int chars) /*@ ghost (const char *own, int n) */
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
