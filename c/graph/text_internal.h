/* What the files of the .graph reader and writer share. */
#ifndef CALQUE_GRAPH_TEXT_INTERNAL_H
#define CALQUE_GRAPH_TEXT_INTERNAL_H

#include "base/lex.h"
#include "graph/text.h"

struct place {
    int line, col;
};

struct reader {
    struct lex lx;
    struct graph *g;
    struct diag *d;
    int depth;              /* nesting */
    int own;                /* name the current statement defines, or -1 */
    struct ints def;        /* by string id: the node of that name, or -1 */
    struct ints output;     /* by string id: 0 if a graph output has that name, or -1 */
    struct ints args;       /* stack: inputs of the calls and tuples being read */
    struct ints elems;      /* stack: values of the attribute tuples being read */
    struct { struct node_attr *a; int n, cap; } attrs; /* stack */
    struct text scratch;
};

struct number {
    bool real;
    long i;
    double x;
};

struct place reader_here(const struct reader *r);
/* Records the first error; false. Reading then sees the end of the text everywhere. */
bool reader_fail(struct reader *r, enum calque_status status, struct place at, const char *format, ...)
    CALQUE_PRINTF(4, 5);
bool reader_nomem(struct reader *r);
bool reader_ok(const struct reader *r);
/* Enters one more level of nesting; an error at the current token when it is too deep. */
bool reader_enter(struct reader *r);
/* "expected WHAT, got ..." at the current token; false. */
bool reader_expected(struct reader *r, const char *what);
/* The string id of the text of a TOK_NAME or TOK_STRING, or -1 with the error recorded. */
int reader_string(struct reader *r, const struct token *t);
/* Is the current token a name, bare or quoted, followed by '='? */
bool reader_at_setting(struct reader *r);
bool is_keyword(const char *s, size_t n);

/* One signed number. */
bool read_number(struct reader *r, struct number *out);
/* `type`; DTYPE_UNKNOWN and rank -1 where it has '?'. */
bool read_type(struct reader *r, int *dtype, struct shape *shape);
/* `data` of this type into a new tensor. at: the type's place. */
bool read_data(struct reader *r, int dtype, const struct shape *shape, struct place at,
               struct tensor *out);
/* The pseudo-random tensor of a parameter without data. */
bool fill_param(struct reader *r, int name, int dtype, const struct shape *shape, struct place at,
                struct tensor *out);
/* An expression. */
struct operand {
    int node;    /* id, or OPERAND_NONE for an absent input */
    bool fresh;  /* made by this expression, not a reference to a named node */
    struct place at;
};
enum { OPERAND_NONE = -2 };
bool read_expr(struct reader *r, struct operand *out);

/* Maps from string ids (reader.def, reader.output): -1 where undefined. */
int by_name_get(const struct ints *m, int name);

/* The data of a constant, as read_data reads it. */
void write_data(struct text *out, const struct tensor *t);
/* The bytes of a NodeProto that has only this op_type, appended. */
void opaque_minimal(struct text *out, const char *type, size_t n);

#endif
