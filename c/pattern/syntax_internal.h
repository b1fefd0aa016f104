/* What the files of the .gsl parser share. */
#ifndef CALQUE_PATTERN_SYNTAX_INTERNAL_H
#define CALQUE_PATTERN_SYNTAX_INTERNAL_H

#include "base/lex.h"
#include "pattern/syntax.h"

struct parser {
    struct syntax *s;
    struct lex lx;
    int depth; /* of brackets, prefix operators and call arguments open now */
    bool nomem;
};

/* An expression: its node, or -1 after an error was recorded. */
int syntax_take_expr(struct parser *p);
/* Takes the current name; its string id or -1. */
int syntax_take_name(struct parser *p, const char *what);
/* Records that memory is out; -1. */
int syntax_take_nomem(struct parser *p);

#endif
