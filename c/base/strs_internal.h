/* The parts of the table of strings: finding, adding where there is room, reading; its memory. */
#ifndef CALQUE_BASE_STRS_INTERNAL_H
#define CALQUE_BASE_STRS_INTERNAL_H

#include "base/strs.h"

/* The arrays of a struct strs. */
struct strs_view {
    char *text;
    struct str_entry *entry;
    int *bucket;
    int n, cap, ntext, captext, buckets;
};

#ifdef __FRAMAC__
#include "base/strs.acsl"
#endif

/*@ requires valid:    \valid_read(text + (0 .. len - 1));
    requires len:      len <= INT32_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hash:     \result == fnv(bytes_of(text, 0, len), len);
*/
unsigned strs_hash(const char *text, size_t len);

/* The id of the text, whose hash is h, or -1. */
/*@ requires valid:    valid_strs(v);
    requires wf:       wf_strs(v);
    requires text:     \valid_read(text + (0 .. len - 1)) && 0 <= len;
    requires hash:     h == fnv(bytes_of(text, 0, len), len);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> indexed(v, \result) && is_text(v, \result, text, len);
    ensures  only:     \forall integer i; indexed(v, i) ==> is_text(v, i, text, len) ==> i == \result;
    ensures  absent:   \result < 0 <==> absent(v, text, len);
*/
int strs_lookup(struct strs_view v, const char *text, int len, unsigned h);

/* Appends the text as an entry that is not to be found: the table with it. */
/*@ requires valid:    valid_strs(v);
    requires wf:       wf_strs(v);
    requires room:     0 <= len && v.n < v.cap && len < v.captext - v.ntext;
    requires text:     \valid_read(text + (0 .. len - 1));
    requires apart:    \separated(text + (0 .. len - 1), v.text + (v.ntext .. v.captext - 1));
    terminates \true;
    exits    never:    \false;
    assigns  v.text[v.ntext .. v.captext - 1], v.entry[v.n];
    ensures  more:     \result == {v \with .n = (int)(v.n + 1), .ntext = (int)(v.ntext + len + 1)};
    ensures  valid:    valid_strs(\result);
    ensures  wf:       wf_strs(\result);
    ensures  old:      same_texts{Pre,Post}(v, v.n);
    ensures  indexed:  \forall integer i; 0 <= i < v.n ==> (indexed(v, i) <==> indexed{Pre}(v, i));
    ensures  text:     text_of(v, v.n) == bytes_of{Pre}(text, 0, len) && v.entry[v.n].len == len;
    ensures  alone:    v.entry[v.n].next == STRS_ALONE;
*/
struct strs_view strs_put(struct strs_view v, const char *text, int len);

/* The last entry, whose text has hash h and is not to be found, is to be found. */
/*@ requires valid:    valid_strs(v);
    requires wf:       wf_strs(v);
    requires some:     0 < v.n && 0 < v.buckets;
    requires alone:    v.entry[v.n - 1].next == STRS_ALONE;
    requires hash:     h == fnv(text_of(v, v.n - 1), v.entry[v.n - 1].len);
    requires absent:   \forall integer i; indexed(v, i) ==> !same_text(v, i, v.n - 1);
    terminates \true;
    exits    never:    \false;
    assigns  v.entry[v.n - 1].hash, v.entry[v.n - 1].next, v.bucket[0 .. v.buckets - 1];
    ensures  wf:       wf_strs(v);
    ensures  texts:    same_texts{Pre,Post}(v, v.n);
    ensures  indexed:  \forall integer i; indexed(v, i) <==> i == v.n - 1 || indexed{Pre}(v, i);
*/
void strs_link(struct strs_view v, unsigned h);

/* Makes the index of a table whose buckets are new. */
/*@ requires valid:    valid_strs(v);
    requires some:     0 < v.buckets;
    requires texts:    texts_ok(v) && hashes_ok(v) && unique(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.entry[0 .. v.n - 1].next, v.bucket[0 .. v.buckets - 1];
    ensures  wf:       wf_strs(v);
    ensures  texts:    same_texts{Pre,Post}(v, v.n);
    ensures  indexed:  \forall integer i; indexed(v, i) <==> indexed{Pre}(v, i);
*/
void strs_index(struct strs_view v);

/* Memory for the table of strings. Trusted: memory management; these contracts are what strs.c is proved from. */
/* Room for an entry and so many characters; false, and what is there as it was, when memory is out. The caller's bytes
   own[0 .. n - 1] stay apart from it. */
/*@ requires held:     held_strs(s);
    requires count:    0 <= chars;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_bytes(s, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *p | char *p; \true }, { *q | struct str_entry *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_strs(s) && s->mem == \old(s->mem);
    ensures  moved:    moved_table{Pre,Post}(\old(table_of(s)), table_of(s));
    ensures  room:     \result == 1 ==> has_strs_room(s, chars);
    ensures  had:      \old(has_strs_room(s, chars)) ==> \result == 1;
    ensures  own:      apart_bytes(s, own, n) && same_bytes{Pre,Post}(own, n);
*/
bool strs_room(struct strs *s, int chars) /*@ ghost (const char *own, int n) */;

/* Other buckets, n of them, that hold anything; false, and what is there as it was, when memory is out. */
/*@ requires held:     held_strs(s);
    requires count:    0 < n;
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->mem, { *q | int *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_strs(s) && s->mem == \old(s->mem);
    ensures  rows:     moved_rows{Pre,Post}(\old(table_of(s)), table_of(s));
    ensures  texts:    s->text.a == \old(s->text.a) && s->text.cap == \old(s->text.cap);
    ensures  new:      \result == 1 ==> s->buckets == n;
    ensures  none:     \result == 0 ==> moved_table{Pre,Post}(\old(table_of(s)), table_of(s));
*/
bool strs_buckets(struct strs *s, int n);

/* Nothing is held any more. */
/*@ requires valid:    \valid(s) && \valid(s->mem) && \separated(s, s->mem);
    terminates \true;
    exits    never:    \false;
    assigns  *s;
    ensures  empty:    s->text.n == 0 && s->entry.n == 0 && s->buckets == 0;
    ensures  mem:      s->mem == \old(s->mem);
*/
void strs_free(struct strs *s);

/* Contracts of the functions that read the table of strings (proved in strs.c). */
#ifdef __FRAMAC__
#include <string.h>
#endif

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && wf_strs(table_of(s));
    requires text:     \valid_read(text + (0 .. len - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> indexed(table_of(s), \result) && is_text(table_of(s), \result, text, len);
    ensures  only:     \forall integer i; indexed(table_of(s), i) ==> is_text(table_of(s), i, text, len) ==> i == \result;
    ensures  absent:   \result < 0 <==> absent(table_of(s), text, len);
*/
int strs_find(const struct strs *s, const char *text, size_t len);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && wf_strs(table_of(s));
    requires text:     valid_read_string(text) && strlen(text) < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> indexed(table_of(s), \result) && is_text(table_of(s), \result, text, strlen(text));
    ensures  only:     \forall integer i; indexed(table_of(s), i) ==> is_text(table_of(s), i, text, strlen(text)) ==>
                       i == \result;
    ensures  absent:   \result < 0 <==> absent(table_of(s), text, strlen(text));
*/
int strs_findz(const struct strs *s, const char *text);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \result \from s, id;
    ensures  none:     !(0 <= id < s->entry.n) ==> \result[0] == 0;
    ensures  text:     0 <= id < s->entry.n ==> \result == s->text.a + s->entry.a[id].start &&
                       \result[s->entry.a[id].len] == 0;
    ensures  valid:    \valid_read(\result + (0 .. (0 <= id < s->entry.n ? s->entry.a[id].len : 0)));
*/
const char *strs_text(const struct strs *s, int id);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  len:      0 <= \result == (0 <= id < s->entry.n ? s->entry.a[id].len : 0);
*/
int strs_len(const struct strs *s, int id);

#endif
