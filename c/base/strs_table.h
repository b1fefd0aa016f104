/* The proved part of the table of strings: finding, and adding where there is room. */
#ifndef CALQUE_BASE_STRS_TABLE_H
#define CALQUE_BASE_STRS_TABLE_H

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

#endif
