/* Inside the printer of mini-C. */
#ifndef CALQUE_EMIT_PRINT_ROOM_H
#define CALQUE_EMIT_PRINT_ROOM_H

#include "emit/minic.h"

struct printer {
    struct text *t;
    const struct minic *m;
    const struct print_options *o;
    unsigned used;
    bool parallel; /* inside a parallel loop */
};

/* print_index.c */
void print_to_helper(struct printer *q, const char *stem, const char *sfx); /* its name, noted as used */
void print_name(struct text *t, const char *s);   /* of a .dpia program, as it is unless C has another use for it */
void print_param(struct text *t, const struct prog *p, int param, bool plain);
void print_var(const struct printer *q, int level);
void print_lin(struct printer *q, int id);
void print_place(struct printer *q, int id);      /* what follows a variable: [offset], or subscripts in a listing */
void print_declaration(struct printer *q, int level);

#endif
