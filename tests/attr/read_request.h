/* The reader of the canonical text of values, expressions and environments (S-expressions on one line, as value_print and
   attr_print write them), from which the tests take what they evaluate. */
#ifndef CALQUE_TESTS_ATTR_READ_REQUEST_H
#define CALQUE_TESTS_ATTR_READ_REQUEST_H

#include "attr/attr.h"
#include "base/status.h"

enum { READER_DEPTH_MAX = ATTR_DEPTH_MAX + VALUE_DEPTH_MAX }; /* open parentheses */

struct word {
    const char *s;
    long n;
};

/* A form that is not read to its end: `(inst` with its pattern, or `(word` or `(word number` and operands. */
struct open_form {
    struct word word;
    int number;
    int first; /* its operands are kid.a[first ..] */
};

struct attr_reader {
    const char *text; /* text[at .. n-1] is left */
    long n, at;
    struct attrs *attrs;
    struct strs *strs;
    enum calque_status status; /* the first error: CALQUE_BAD malformed, CALQUE_LIMIT, CALQUE_NOMEM; it ends the reading */
    int depth;                 /* open parentheses, those of `form` among them */
    int nform;
    struct open_form form[READER_DEPTH_MAX];
    struct ints kid; /* empty between two calls */
};

/* What is bound to label `label` of instance k of a pattern: a value; label -1, k 0: the alternative it matched by. */
struct attr_named {
    int pattern, label;
    long k;
    int id;
};

/* An environment as read: value ids by slot and by symbol, -1: unbound; they may be shorter than the tables. */
struct attr_bindings {
    struct ints slot, symbol;
    struct {
        struct attr_named *a;
        int n, cap;
    } other;
};

/* Starts on text[0 .. n-1], which must outlive the reader. */
void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs, const char *text, size_t n);
/* The id of the value or expression read, or -1 with status set. */
int attr_read_value(struct attr_reader *r);
int attr_read(struct attr_reader *r);
/* Accepts "(word", ")" or the end of the text; false with status set when it is not there. */
bool attr_read_open(struct attr_reader *r, const char *word);
bool attr_read_close(struct attr_reader *r);
bool attr_read_end(struct attr_reader *r);
/* Reads a list of (P L v), (inst P K L v), (sym S v), (alt P K) in the place of *b, which stays on failure; the first
   binding of a name wins. */
bool attr_read_env(struct attr_reader *r, struct attr_bindings *b);
void attr_bindings_free(struct attr_bindings *b);
/* The environment, valid while b is not changed. */
struct attr_env attr_bindings_env(struct attr_bindings *b);

#endif
