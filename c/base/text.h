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

#ifdef __FRAMAC__
#include "base/strs.h"
#include "base/letters.acsl"

/* The contracts of what writes. Trusted is that of text_put. */
#define TEXT_REQUIRES                                                                          \
    requires text:     held_text(t);
/* The buffer may move, so `assigns` cannot name where it will be: any character may be assigned. */
#define TEXT_KEEPS                                                                             \
    ensures  text:     held_text(t) && t->mem == \old(t->mem);                                 \
    ensures  apart:    \forall struct strs *s; apart_strs{Pre}(t, s) ==> apart_strs(t, s);
#endif

void text_init(struct text *t, struct mem *mem);
void text_free(struct text *t);
/*@ TEXT_REQUIRES
    requires chars:    \valid_read(s + (0 .. n - 1)) && \separated(s + (0 .. n - 1), t->a + (0 .. t->cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  others:   other_chars{Pre,Post}(t);
    ensures  wrote:    wrote{Pre,Post}(t, add_chars{Pre}(\old(printed(t)), s, n));
*/
void text_put(struct text *t, const char *s, size_t n);
/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  others:   other_chars{Pre,Post}(t);
    ensures  wrote:    wrote{Pre,Post}(t, snoc(\old(printed(t)), c));
*/
void text_letter(struct text *t, char c);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...) CALQUE_PRINTF(2, 3);
/* In decimal. */
/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_int(\old(printed(t)), z));
*/
void text_int(struct text *t, long z);
/* A double as C99 hexadecimal (0x1.8p+1), so that it reads back bit for bit; inf, -inf, nan. */
void text_hex(struct text *t, double x);
/* A quoted string with the escapes \\ \" \n \t \xHH. */
/*@ TEXT_REQUIRES
    requires chars:    \valid_read(s + (0 .. n - 1)) && \separated(s + (0 .. n - 1), t->a + (0 .. t->cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_quoted{Pre}(\old(printed(t)), s, n));
*/
void text_quote(struct text *t, const char *s, size_t n);
enum calque_status text_status(const struct text *t, struct diag *d);

/* Reads a whole file ("-": standard input) into *data (NUL added, not counted). */
enum calque_status file_read(struct mem *mem, const char *path, char **data, size_t *n,
                             struct diag *d);
/* Writes a whole file through a temporary neighbour and rename, so that a failure leaves no
   partial output; "-" is standard output. */
enum calque_status file_write(const char *path, const void *data, size_t n, struct diag *d);

#endif
