/* Text in a growing buffer. Invariant: after a failed allocation the buffer takes nothing more and text_status says
   so, so that callers look once, at the end. Floats are hexadecimal, so that they read back exactly. */
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_init(struct text *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
}

void text_free(struct text *t)
{
    mem_free(t->a);
    text_init(t, t->mem);
}

static bool room(struct text *t, size_t k)
{
    if (t->failed || k > (size_t)(INT32_MAX / 2 - t->n - 1))
        t->failed = true;
    else if (!vec_room(t->mem, t, (int)k + 1))
        t->failed = true;
    return !t->failed;
}

void text_put(struct text *t, const char *s, size_t n)
{
    if (!room(t, n))
        return;
    if (n)
        memcpy(t->a + t->n, s, n);
    t->n += (int)n;
    t->a[t->n] = '\0';
}

void text_letter(struct text *t, char c)
{
    text_put(t, &c, 1);
}

void text_puts(struct text *t, const char *s)
{
    text_put(t, s, strlen(s));
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list ap, again;
    int k;

    va_start(ap, format);
    va_copy(again, ap);
    k = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    if (k < 0)
        t->failed = true;
    else if (room(t, (size_t)k)) {
        vsnprintf(t->a + t->n, (size_t)k + 1, format, again);
        t->n += k;
    }
    va_end(again);
}

/* c in front of the n characters behind p. */
/*@ requires valid:    0 <= n && \valid(p + (0 .. n));
    terminates \true;
    exits    never:    \false;
    assigns  *p;
    ensures  front:    \forall letters s; add_chars(s, p, n + 1) == add_chars{Pre}(snoc(s, c), p + 1, n);
*/
static void put_front(char *p, char c) /*@ ghost (int n) */
{
    *p = c;
    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant front: \forall letters s; add_chars(s, p, k + 1) == add_chars{Pre}(snoc(s, c), p + 1, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n)
        k++;
    */
}

enum { DIGITS = 24 }; /* a sign, 19 digits of a long, and some room */

/* The number in decimal, at the end of DIGITS characters; the place of its first digit. */
/*@ requires valid:    \valid(digits + (0 .. DIGITS - 1));
    requires room:     rest < power_ten(19);
    terminates \true;
    exits    never:    \false;
    assigns  digits[0 .. DIGITS - 1];
    ensures  place:    1 <= \result < DIGITS;
    ensures  digits:   \forall letters s; add_chars(s, digits + \result, DIGITS - \result) == add_digits(s, \old(rest));
*/
static int put_digits(char *digits, unsigned long rest)
{
    int at = DIGITS;

    /*@ loop invariant range:  1 < at <= DIGITS && (at == DIGITS || rest > 0);
        loop invariant room:   rest < power_ten(at - 5);
        loop invariant digits: \forall letters s;
                               add_chars(add_digits(s, rest), digits + at, DIGITS - at) == add_digits(s, \at(rest, Pre));
        loop assigns at, rest, digits[0 .. DIGITS - 1];
        loop variant at;
    */
    do {
        at--;
        put_front(digits + at, (char)('0' + rest % 10)) /*@ ghost (DIGITS - 1 - at) */;
        rest /= 10;
    } while (rest > 0);
    return at;
}

void text_int(struct text *t, long z)
{
    char digits[DIGITS];
    unsigned long size = z < 0 ? (unsigned long)-(z + 1) + 1 : (unsigned long)z;
    int at;

    /*@ assert ten:   power_ten(7) == 10000000; */
    /*@ assert tens:  power_ten(13) == 10000000000000; */
    /*@ assert room:  power_ten(19) == 10000000000000000000; */
    /*@ assert size:  size == (z < 0 ? -z : z); */
    at = put_digits(digits, size);
    if (z < 0) {
        at--;
        put_front(digits + at, '-') /*@ ghost (DIGITS - 1 - at) */;
    }
    /* The digits are no part of the text: letter by letter it is as it was. */
    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= t->n;
       loop invariant same:  letters_of(t->a, k) == letters_of{Pre}(\at(t->a, Pre), k);
       loop assigns k;
       loop variant t->n - k;
    @/
    while (k < t->n)
        k++;
    */
    /*@ assert wrote: add_chars(printed(t), digits + at, DIGITS - at) == add_int(printed(t), z); */
    text_put(t, digits + at, (size_t)(DIGITS - at));
}

void text_hex(struct text *t, double x)
{
    if (isnan(x))
        text_puts(t, "nan");
    else if (isinf(x))
        text_puts(t, x < 0 ? "-inf" : "inf");
    else
        text_printf(t, "%a", x);
}

/*@ requires digit:    0 <= d < 16;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  letter:   \result == hex_letter(d);
*/
static char hex_digit(int d)
{
    return (char)(d < 10 ? '0' + d : 'a' + d - 10);
}

/* A character of a quoted string. */
/*@ TEXT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  others:   other_chars{Pre,Post}(t);
    ensures  wrote:    wrote{Pre,Post}(t, add_escaped(\old(printed(t)), c));
*/
static void put_escaped(struct text *t, char c)
{
    int u = c < 0 ? c + UCHAR_MAX + 1 : c;

    if (u >= 32 && u <= 126 && u != '"' && u != '\\') {
        text_letter(t, c);
        return;
    }
    text_letter(t, '\\');
    if (u == '"' || u == '\\') {
        text_letter(t, c);
    } else if (u == '\n') {
        text_letter(t, 'n');
    } else if (u == '\t') {
        text_letter(t, 't');
    } else {
        text_letter(t, 'x');
        text_letter(t, hex_digit(u / 16));
        text_letter(t, hex_digit(u % 16));
    }
}

void text_quote(struct text *t, const char *s, size_t n)
{
    text_letter(t, '"');
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant text:   held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart:  \forall struct strs *s; apart_strs{Pre}(t, s) ==> apart_strs(t, s);
        loop invariant others: other_chars{Pre,Here}(t);
        loop invariant wrote:  wrote{Pre,Here}(t, add_quote{Pre}(\at(printed(t), Pre), s, i));
        loop assigns i, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        put_escaped(t, s[i]);
    text_letter(t, '"');
}

enum calque_status text_status(const struct text *t, struct diag *d)
{
    return t->failed ? diag_nomem(d) : CALQUE_OK;
}

static enum calque_status read_all(struct mem *mem, FILE *f, const char *path, char **data,
                                   size_t *n, struct diag *d)
{
    char *buf = NULL, *grown;
    size_t cap = 0, len = 0, got;

    for (;;) {
        if (cap - len < 2) {
            size_t want = cap ? cap * 2 : 65536;
            grown = mem_resize(mem, buf, want, 1);
            if (!grown) {
                mem_free(buf);
                return diag_nomem(d);
            }
            buf = grown;
            cap = want;
        }
        got = fread(buf + len, 1, cap - len - 1, f);
        len += got;
        if (got == 0)
            break;
    }
    if (ferror(f)) {
        mem_free(buf);
        return diag_set(d, CALQUE_IO, path, 0, 0, "cannot read: %s", strerror(errno));
    }
    buf[len] = '\0';
    *data = buf;
    *n = len;
    return CALQUE_OK;
}

enum calque_status file_read(struct mem *mem, const char *path, char **data, size_t *n,
                             struct diag *d)
{
    enum calque_status st;
    FILE *f;

    *data = NULL;
    *n = 0;
    if (strcmp(path, "-") == 0)
        return read_all(mem, stdin, path, data, n, d);
    f = fopen(path, "rb");
    if (!f)
        return diag_set(d, CALQUE_IO, path, 0, 0, "cannot open: %s", strerror(errno));
    st = read_all(mem, f, path, data, n, d);
    fclose(f);
    return st;
}
