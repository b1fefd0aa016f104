/* The reader of the canonical text of values, expressions and environments (S-expressions on
   one line, as value_print and attr_print write them). */
#ifndef CALQUE_ATTR_READ_H
#define CALQUE_ATTR_READ_H

#include "attr/attr.h"
#include "attr/read_env.h"
#include "attr/read_word.h"

struct attr_reader {
    struct reading in; /* its status is CALQUE_OK, it has no ids */
    struct attrs *attrs;
    struct strs *strs;
    enum calque_status status; /* the first error: CALQUE_BAD malformed, CALQUE_LIMIT, CALQUE_NOMEM */
};

/* An environment as read: value ids by slot and by symbol, -1: unbound; they may be shorter than the tables. */
struct attr_bindings {
    struct ints slot, symbol;
    struct attr_nameds other;
};

/* Starts on text[0 .. n-1], which must outlive the reader. */
void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs,
                      const char *text, size_t n);
/* The id of the value or expression read, or -1 with status set. */
int attr_read_value(struct attr_reader *r);
int attr_read(struct attr_reader *r);
/* Reads a list of (P L v), (inst P K L v), (sym S v), (alt P K); the first binding of a name wins. */
bool attr_read_env(struct attr_reader *r, struct attr_bindings *b);
void attr_bindings_free(struct attr_bindings *b);
/* The environment, valid while b is not changed. */
struct attr_env attr_bindings_env(struct attr_bindings *b);
/* Accepts "(word", ")" or the end of the text; false with status set when it is not there. */
bool attr_read_open(struct attr_reader *r, const char *word);
bool attr_read_close(struct attr_reader *r);
bool attr_read_end(struct attr_reader *r);

#endif
