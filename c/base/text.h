/* Text out (a growing buffer that remembers failure) and files in and out. */
#ifndef CALQUE_BASE_TEXT_H
#define CALQUE_BASE_TEXT_H

#include "base/mem.h"
#include "base/status.h"

/* Appends never fail visibly; `failed` stays set after the first allocation that did, and
   text_status reports it once at the end. The bytes are always NUL-terminated. */
struct text {
    struct mem *mem;
    char *a;
    int n, cap;
    bool failed;
};

void text_init(struct text *t, struct mem *mem);
void text_free(struct text *t);
void text_put(struct text *t, const char *s, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...) CALQUE_PRINTF(2, 3);
/* A double as C99 hexadecimal (0x1.8p+1), so that it reads back bit for bit; inf, -inf, nan. */
void text_hex(struct text *t, double x);
/* A quoted string with the escapes \\ \" \n \t \xHH. */
void text_quote(struct text *t, const char *s, size_t n);
enum calque_status text_status(const struct text *t, struct diag *d);

/* Reads a whole file ("-": standard input) into *data (NUL added, not counted). */
enum calque_status file_read(struct mem *mem, const char *path, char **data, size_t *n,
                             struct diag *d);
/* Writes a whole file through a temporary neighbour and rename, so that a failure leaves no
   partial output; "-" is standard output. */
enum calque_status file_write(const char *path, const void *data, size_t n, struct diag *d);

#endif
