/* Memory for the table of strings. Trusted: memory management; these contracts are what strs.c is proved from. */
#ifndef CALQUE_BASE_STRS_ROOM_H
#define CALQUE_BASE_STRS_ROOM_H

#include "base/strs_table.h"

#ifdef __FRAMAC__
#include "base/strs_room.acsl"
#endif

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

#endif
