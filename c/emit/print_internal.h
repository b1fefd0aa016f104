/* Inside the printer of mini-C. */
#ifndef CALQUE_EMIT_PRINT_INTERNAL_H
#define CALQUE_EMIT_PRINT_INTERNAL_H

#include "emit/minic.h"

struct printer {
    struct text *t;
    const struct minic *m;
    const struct print_options *o;
    unsigned long used, libm;
    int loops;     /* around */
    bool parallel; /* inside a parallel loop */
    bool parts;    /* directly inside a parallel region of parts */
};

/* name.c */
void print_size_var(struct text *t, const struct prog *p, int size);
void print_param(struct text *t, const struct prog *p, int param);
void print_var(const struct printer *q, int level);

/* print_index.c */
void print_to_helper(struct printer *q, const char *stem, const char *sfx); /* its name, noted as used */
void print_size(struct text *t, const struct prog *p, long n);
void print_lin(struct printer *q, int id);
void print_place(struct printer *q, int id);      /* what follows a variable: [offset], or subscripts in a listing */
void print_declaration(struct printer *q, int level);

#endif
