/* Imperative commands (Coq: Calque.Dpia, definitions iexp, vexp, vacc, comm): views read memory through paths, acceptors
   write it, commands run. Memory roots and loop variables are levels from one counter, so names never clash. Flat arenas;
   children have smaller ids. Code is built by opening a block, emitting commands, closing it. */
#ifndef CALQUE_DPIA_COMM_H
#define CALQUE_DPIA_COMM_H

#include "dpia/exp.h"

/* ORDER vexp_kind, vacc_kind, comm_kind: keep with coq/dpia/Syntax.v */
enum vexp_kind {
    VEXP_ROOT, VEXP_LIT, VEXP_CALL, VEXP_ZIP, VEXP_SPLIT, VEXP_JOIN, VEXP_IDX, VEXP_PAIR, VEXP_FST, VEXP_SND,
    VEXP_REV, VEXP_TR, VEXP_ITE
};
struct vexp {
    int kind, op; /* CALL: enum fn */
    int a, b;     /* children; ROOT: a = level; IDX: b = index id */
    int first, len;
    long n;       /* SPLIT, JOIN: inner length; REV: length */
    double num;
    long inum;
};

enum vacc_kind {
    VACC_ROOT, VACC_ZIP1, VACC_ZIP2, VACC_SPLIT, VACC_JOIN, VACC_IDX, VACC_PAIR1, VACC_PAIR2, VACC_REV, VACC_TR
};
struct vacc {
    int kind, a, b; /* as vexp */
    long n;
};

enum comm_kind { COMM_SKIP, COMM_SEQ, COMM_ASSIGN, COMM_NEW, COMM_FOR, COMM_PAR, COMM_IF };
struct comm {
    int kind;
    int a, b;       /* ASSIGN: acceptor, view (of num); NEW FOR PAR: body a; IF: then a, else b */
    int level;      /* NEW FOR PAR */
    int free;       /* FOR: iterations are independent (from map, generate or a copy, not from a reduction) */
    bool copies;    /* FOR: of an assignment at array type */
    int first, len; /* SEQ: commands pool[first..]; IF: conds[first..] */
};

struct level {
    int hint;    /* string id or -1 */
    int type;    /* root: data id; loop variable: -1 */
    long extent; /* loop variable */
};

/* A block under construction: its commands so far are on the stack; opened NEWs take the rest as their body. */
struct code {
    struct mem *mem;
    const struct prog *prog; /* types, names, parameters: parameter k is root level k */
    enum calque_status status;
    struct { struct level *a; int n, cap; } level;
    struct { struct ix *a; int n, cap; } ix; /* IX_VAR: k is a level */
    struct { struct cond *a; int n, cap; } cond;
    struct { struct vexp *a; int n, cap; } vexp;
    struct { struct vacc *a; int n, cap; } vacc;
    struct { struct comm *a; int n, cap; } comm;
    struct ints pool;
    struct ints stack; /* of open blocks: command ids */
    int main;          /* the whole program */
};

void code_init(struct code *c, const struct prog *p);
void code_free(struct code *c);

/* Builders; -1 after a failure. */
int code_level(struct code *c, struct level l);
int code_ix(struct code *c, struct ix x);
int code_vexp(struct code *c, struct vexp v);
int code_vacc(struct code *c, struct vacc a);
int code_comm(struct code *c, struct comm x);

/* A block starts at the returned mark; block_emit appends; a NEW emitted with a = -1 scopes over the rest of the block;
   block_close makes one command of what was emitted since the mark. */
int block_open(struct code *c);
void block_emit(struct code *c, int comm);
int block_close(struct code *c, int mark);
bool block_empty(const struct code *c, int mark);

/* The acceptor/continuation translation of the whole program (Coq: trans, copy; seed rules a.1-a.15, c.1-c.13). c is
   initialised here; code_free by the caller (also after an error). p must outlive c. reuse: with three shortcuts that Coq
   has not, for emitted code: x := x is left out, a reduction that starts from a whole accumulator works on it, and so do
   nested generates that read only their own cell of the accumulator. */
enum calque_status trans_prog(const struct prog *p, bool reuse, struct code *c, struct diag *d);

/* Commands as text, one per line. numbers: level -> number to print, NULL: the level itself. */
void code_print(struct text *t, const struct code *c, const int *numbers);
/* The seed's numbering (cnt_var): one counter from 0, parameters not counted. An array by mem_free, or NULL. */
int *code_numbers(const struct code *c);

#endif
