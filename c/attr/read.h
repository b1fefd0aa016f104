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

#ifdef __FRAMAC__
#include "attr/read_leaf.h"

#include "attr/reader.acsl"

#define READER_REQUIRES                                                                        \
    requires reader:   \valid(r) && fresh(*r);
#define READER_KEEPS                                                                           \
    ensures  fresh:    fresh(*r) && goes_on(\old(*r), *r) && SRC(r->in) == \old(SRC(r->in));
/* Where the reader stands apart from the arena, that has what it had. */
#define READER_OF \at(r->attrs, Pre)
#define READER_HAS                                                                             \
    ensures  code:     -1 <= \result && r->in.depth == \old(r->in.depth);                      \
    ensures  status:   \result >= 0 ? r->status == \old(r->status) : r->status != CALQUE_OK;   \
    ensures  old:      reader_apart(r, READER_OF) ==> ready_both(READER_OF) && kept_both{Pre,Post}(READER_OF);
#endif

/* Starts on text[0 .. n-1], which must outlive the reader. */
/*@ requires valid:    \valid(r) && n <= LONG_MAX && \valid_read(text + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    ensures  fresh:    fresh(*r) && r->status == CALQUE_OK && r->attrs == attrs && r->strs == strs;
    ensures  start:    r->in.text == text && r->in.n == n && r->in.at == 0 && r->in.depth == 0;
*/
void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs,
                      const char *text, size_t n);
/* The id of the value or expression read, or -1 with status set. */
/*@ READER_REQUIRES
    requires depth:    0 <= r->in.depth <= 2 * ATTR_DEPTH_MAX;
    requires ready:    ready_both(r->attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *r->attrs, *r->attrs->mem, *r->attrs->values, *r->attrs->values->mem, { *p | struct attr_node *p; \true },
             { *q | int *q; \true }, { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true };
    READER_KEEPS
    READER_HAS
    ensures  range:    \result >= 0 ==> reader_apart(r, READER_OF) ==> \result < READER_OF->values->n;
    ensures  value:    \result >= 0 ==> reader_apart(r, READER_OF) ==>
                       reads_value(SRC(r->in), \old(r->in.at), r->in.at, READER_OF, \result);
*/
int attr_read_value(struct attr_reader *r);
/*@ READER_REQUIRES
    requires depth:    0 <= r->in.depth <= 2 * ATTR_DEPTH_MAX;
    requires ready:    ready_both(r->attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *r->attrs, *r->attrs->mem, *r->attrs->values, *r->attrs->values->mem, { *p | struct attr_node *p; \true },
             { *q | int *q; \true }, { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true };
    READER_KEEPS
    READER_HAS
    ensures  text:     \result >= 0 ==> reader_apart(r, READER_OF) ==> \result < READER_OF->node.n &&
                       reads(SRC(r->in), \old(r->in.at), r->in.at, READER_OF, \result);
*/
int attr_read(struct attr_reader *r);
/* Accepts "(word", ")" or the end of the text; false with status set when it is not there. */
/*@ READER_REQUIRES
    requires depth:    r->in.depth < INT_MAX;
    requires word:     c_word(word);
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    READER_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  text:     \result == 1 ==> r->status == \old(r->status) && r->in.depth == \old(r->in.depth) + 1 &&
                       opened(SRC(r->in), \old(r->in.at), r->in.at, r->in.text, word);
    ensures  none:     \result == 0 ==> r->status != CALQUE_OK;
*/
bool attr_read_open(struct attr_reader *r, const char *word);
/*@ READER_REQUIRES
    requires depth:    INT_MIN < r->in.depth;
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    READER_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  text:     \result == 1 ==> r->status == \old(r->status) && r->in.depth == \old(r->in.depth) - 1 &&
                       marks(SRC(r->in), \old(r->in.at), r->in.at, ')');
    ensures  none:     \result == 0 ==> r->status != CALQUE_OK && \forall integer b; !marks(SRC(r->in), \old(r->in.at), b, ')');
*/
bool attr_read_close(struct attr_reader *r);
/*@ READER_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    READER_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  end:      \result == 1 ==> r->status == \old(r->status) && r->in.at == r->in.n;
    ensures  blanks:   \result == 1 <==> blanks_at(SRC(r->in), \old(r->in.at), r->in.n);
    ensures  none:     \result == 0 ==> r->status != CALQUE_OK;
*/
bool attr_read_end(struct attr_reader *r);
/* Reads a list of (P L v), (inst P K L v), (sym S v), (alt P K); the first binding of a name wins. */
bool attr_read_env(struct attr_reader *r, struct attr_bindings *b);
void attr_bindings_free(struct attr_bindings *b);
/* The environment, valid while b is not changed. */
struct attr_env attr_bindings_env(struct attr_bindings *b);

#endif
