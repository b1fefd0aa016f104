/* Syntax trees of .gsl rule files (grammar: pattern/gsl.h). Flat arenas, children before parents;
   nothing is resolved yet: names are string ids, every node keeps its place. */
#ifndef CALQUE_PATTERN_SYNTAX_H
#define CALQUE_PATTERN_SYNTAX_H

#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"

enum { SYNTAX_DEPTH_MAX = 100 };

enum syntax_kind {
    SYNTAX_INT,    /* num */
    SYNTAX_FLOAT,  /* real */
    SYNTAX_STRING, /* name */
    SYNTAX_NAME,   /* name */
    SYNTAX_ANY,    /* _ */
    SYNTAX_NONE,
    SYNTAX_BOOL,   /* num */
    SYNTAX_TUPLE,  /* args: (e, ...) */
    SYNTAX_LIST,   /* args: [e, ...] */
    SYNTAX_UNARY,  /* op a */
    SYNTAX_BINARY, /* a op b */
    SYNTAX_ACCESS, /* a.name */
    SYNTAX_INDEX,  /* a[b] */
    SYNTAX_SLICE,  /* a[args]: three, an expr -1 where it is left out */
    SYNTAX_CALL,   /* a(args) */
    SYNTAX_FOR     /* [a for name in b] */
};

enum syntax_op {
    SYNTAX_ADD, SYNTAX_SUB, SYNTAX_MUL, SYNTAX_DIV, SYNTAX_FLOORDIV, SYNTAX_MOD,
    SYNTAX_EQ, SYNTAX_NE, SYNTAX_LT, SYNTAX_LE, SYNTAX_GT, SYNTAX_GE,
    SYNTAX_IN, SYNTAX_AND, SYNTAX_OR, SYNTAX_NEG, SYNTAX_NOT
};

struct syntax_node {
    int kind, op;
    int a, b;
    int arg, narg; /* range of syntax.arg */
    int name;
    int line, col;
    int depth;
    long num;
    double real;
};

enum syntax_arg_kind { SYNTAX_ARG_PLAIN, SYNTAX_ARG_KEYWORD, SYNTAX_ARG_SPLAT };

struct syntax_arg {
    int kind;
    int name; /* keyword */
    int expr;
    int line, col;
};

enum syntax_stmt_kind {
    SYNTAX_BIND, /* name = expr */
    SYNTAX_DEF,  /* def name(params) = expr */
    SYNTAX_SOURCE, SYNTAX_TARGET, SYNTAX_REQUIRE,
    SYNTAX_CLASS, /* class name */
    SYNTAX_RULE,  /* rule name { the statements that follow, up to stmt[end] } */
    SYNTAX_GRAPH  /* graph name {..}: the bytes start .. stop-1 of the file */
};

struct syntax_stmt {
    int kind;
    int name;
    int expr;
    int param, nparam; /* range of syntax.param: string ids */
    int end;
    int start, stop;
    int line, col; /* of the name, or of the keyword */
};

struct syntax {
    struct mem *mem;
    struct strs *strs;
    struct { struct syntax_node *a; int n, cap; } node;
    struct { struct syntax_arg *a; int n, cap; } arg;
    struct { struct syntax_stmt *a; int n, cap; } stmt;
    struct ints param;
};

void syntax_init(struct syntax *s, struct mem *mem, struct strs *strs);
void syntax_free(struct syntax *s);
/* Parses a whole file. CALQUE_BAD with the place of the first error. */
enum calque_status syntax_parse(struct syntax *s, const char *file, const char *src, size_t n,
                                struct diag *d);
/* As written in a rule file. */
const char *syntax_op_text(int op);

#endif
