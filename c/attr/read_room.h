/* Memory for what is being read, strings' ids, and floats. Trusted: memory management, the table of strings (c/base/strs.h,
   opaque here: nothing that is proved from these contracts sees it) and strtod. */
#ifndef CALQUE_ATTR_READ_ROOM_H
#define CALQUE_ATTR_READ_ROOM_H

#include "attr/read_word.h"
#include "base/mem.h"

struct strs;

/* Room for one id more; CALQUE_NOMEM when memory is out. */
struct reading read_room(struct reading r, struct mem *m);
void read_room_free(struct reading r);

/* A buffer of n characters apart from the text; NULL when memory is out. */
char *read_buffer(struct mem *m, long n) /*@ ghost (const char *text, long len) */;
void read_buffer_free(char *buffer);

/* The id of the string s[0 .. n - 1]; -1 when memory is out. */
int read_intern(struct strs *strs, const char *s, long n) /*@ ghost (const char *text, long len) */;

/* What strtod makes of text[from .. to - 1], a word; not ok unless it takes all of it. */
struct read_double {
    bool ok;
    double x;
};
struct read_double read_strtod(const char *text, long n, long from, long to);

#endif
