/* Text in a growing buffer. Invariant: after a failed allocation the buffer takes nothing more and text_status says
   so, so that callers look once, at the end. Floats are hexadecimal, so that they read back exactly. */
#include "base/text.h"

#include <errno.h>
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

void text_int(struct text *t, long z)
{
    char digits[24];
    size_t at = sizeof digits;
    unsigned long rest = z < 0 ? 0 - (unsigned long)z : (unsigned long)z;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (z < 0)
        digits[--at] = '-';
    text_put(t, digits + at, sizeof digits - at);
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

void text_quote(struct text *t, const char *s, size_t n)
{
    text_puts(t, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\')
            text_printf(t, "\\%c", c);
        else if (c == '\n')
            text_puts(t, "\\n");
        else if (c == '\t')
            text_puts(t, "\\t");
        else if (c < 32 || c > 126)
            text_printf(t, "\\x%02x", c);
        else
            text_put(t, s + i, 1);
    }
    text_puts(t, "\"");
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
