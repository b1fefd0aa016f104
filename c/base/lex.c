/* The lexer: one token ahead. Invariant: the cursor never passes the end of the text, which need not end with a NUL;
   line and column are those of the token. Eva shows the absence of undefined behaviour (tests/base/eva_lex.c). */
#include "base/lex.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

void lex_init(struct lex *lx, const char *file, const char *src, size_t n, bool newlines,
              struct diag *d)
{
    memset(lx, 0, sizeof *lx);
    lx->file = file;
    lx->src = lx->at = lx->line_start = lx->tok.start = src;
    lx->end = n > LEX_MAX ? src : src + n;
    lx->line = 1;
    lx->newlines = newlines;
    lx->diag = d;
    if (n > LEX_MAX)
        lx->status = diag_set(d, CALQUE_LIMIT, file, 0, 0, "the text has more than %d bytes", LEX_MAX);
    lex_next(lx);
}

static enum calque_status vfail(struct lex *lx, int line, int col, const char *format, va_list ap)
{
    char text[DIAG_TEXT];
    if (lx->status != CALQUE_OK)
        return lx->status;
    vsnprintf(text, sizeof text, format, ap);
    lx->status = diag_set(lx->diag, CALQUE_BAD, lx->file, line, col, "%s", text);
    lx->tok.kind = TOK_END;
    lx->tok.len = 0;
    lx->at = lx->end;
    return lx->status;
}

enum calque_status lex_error(struct lex *lx, const char *format, ...)
{
    va_list ap;
    enum calque_status st;
    va_start(ap, format);
    st = vfail(lx, lx->tok.line, lx->tok.col, format, ap);
    va_end(ap);
    return st;
}

enum calque_status lex_error_at(struct lex *lx, int line, int col, const char *format, ...)
{
    va_list ap;
    enum calque_status st;
    va_start(ap, format);
    st = vfail(lx, line, col, format, ap);
    va_end(ap);
    return st;
}

static void newline(struct lex *lx)
{
    lx->line++;
    lx->line_start = lx->at;
}

/* Skips blanks and comments; says whether a significant newline was crossed. */
static bool skip(struct lex *lx)
{
    while (lx->at < lx->end) {
        char c = *lx->at;
        if (c == '#') {
            while (lx->at < lx->end && *lx->at != '\n')
                lx->at++;
        } else if (c == '\n') {
            if (lx->newlines && lx->nesting == 0)
                return true;
            lx->at++;
            newline(lx);
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lx->at++;
        } else {
            break;
        }
    }
    return false;
}

/* Is the point at p one between a number and a name, as in the type 6.num? */
static bool point_before_name(const struct lex *lx, const char *p)
{
    bool exponent = lx->end - p > 2 && (p[1] == 'e' || p[1] == 'E') && (is_digit(p[2]) || p[2] == '+' || p[2] == '-');

    return lx->end - p > 1 && is_alpha(p[1]) && !exponent;
}

static bool number(struct lex *lx)
{
    struct token *t = &lx->tok;
    const char *p = lx->at;
    char buf[128];
    char *stop = buf;
    bool real = false, hex = false;

    if (p + 1 < lx->end && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        hex = true;
        for (p += 2; p < lx->end && (is_hex(*p) || *p == '.'); p++)
            real = real || *p == '.';
    } else {
        for (; p < lx->end && (is_digit(*p) || (*p == '.' && !real && !point_before_name(lx, p))); p++)
            real = real || *p == '.';
    }
    if (p < lx->end && (hex ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        if (q < lx->end && (*q == '+' || *q == '-'))
            q++;
        if (q < lx->end && is_digit(*q)) {
            real = true;
            for (p = q; p < lx->end && is_digit(*p); p++)
                ;
        }
    }
    //@ split p - t->start;
    t->len = (int)(p - t->start);
    if ((p < lx->end && is_alpha(*p)) || (size_t)t->len >= sizeof buf)
        return lex_error(lx, "malformed number"), false;
    memcpy(buf, t->start, (size_t)t->len);
    buf[t->len] = '\0';
    errno = 0;
    if (real) {
        t->kind = TOK_FLOAT;
        t->real = strtod(buf, &stop);
    } else {
        t->kind = TOK_INT;
        t->num = strtol(buf, &stop, hex ? 16 : 10);
        if (errno == ERANGE)
            return lex_error(lx, "the integer does not fit in 64 bits"), false;
    }
    if (stop != buf + t->len)
        return lex_error(lx, "malformed number"), false;
    lx->at = p;
    return true;
}

static bool string(struct lex *lx)
{
    struct token *t = &lx->tok;
    char quote = *lx->at;
    const char *p = lx->at + 1;

    for (; p < lx->end && *p != quote; p++) {
        if (*p == '\n')
            break;
        if (*p == '\\' && p + 1 < lx->end)
            p++;
    }
    if (p >= lx->end || *p != quote)
        return lex_error(lx, "the string is not closed on its line"), false;
    //@ split p - lx->at;
    t->kind = TOK_STRING;
    t->start = lx->at + 1;
    t->len = (int)(p - t->start);
    lx->at = p + 1;
    return true;
}

static bool punct(struct lex *lx)
{
    static const char two[][3] = {"//", "==", "!=", "<=", ">=", "**", "&&", "->", "=>", "||"};
    struct token *t = &lx->tok;
    char c = *lx->at;

    t->kind = TOK_PUNCT;
    t->len = 1;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (lx->end - lx->at >= 2 && memcmp(lx->at, two[i], 2) == 0)
            t->len = 2;
    if (t->len == 1 && (c == '\0' || !strchr("()[]{}<>=+-*/%.,:;?!&|@^~", c))) {
        if ((unsigned char)c < 32 || (unsigned char)c > 126)
            return lex_error(lx, "unexpected byte 0x%02x", (unsigned char)c), false;
        return lex_error(lx, "unexpected character '%c'", c), false;
    }
    if (c == '(' || c == '[')
        lx->nesting++;
    if ((c == ')' || c == ']') && lx->nesting > 0)
        lx->nesting--;
    lx->at += t->len;
    return true;
}

bool lex_next(struct lex *lx)
{
    struct token *t = &lx->tok;
    bool nl;

    if (lx->status != CALQUE_OK)
        return false;
    nl = skip(lx);
    t->start = lx->at;
    t->len = 0;
    t->line = lx->line;
    t->col = (int)(lx->at - lx->line_start) + 1;
    if (nl) {
        t->kind = TOK_NEWLINE;
        lx->at++;
        newline(lx);
        return true;
    }
    if (lx->at >= lx->end) {
        t->kind = TOK_END;
        return true;
    }
    if (is_alpha(*lx->at)) {
        while (lx->at < lx->end && (is_alpha(*lx->at) || is_digit(*lx->at)))
            lx->at++;
        //@ split lx->at - t->start;
        t->kind = TOK_NAME;
        t->len = (int)(lx->at - t->start);
        return true;
    }
    if (is_digit(*lx->at) || (*lx->at == '.' && lx->at + 1 < lx->end && is_digit(lx->at[1])))
        return number(lx);
    if (*lx->at == '"' || *lx->at == '\'')
        return string(lx);
    return punct(lx);
}

bool lex_is(const struct lex *lx, const char *text)
{
    const struct token *t = &lx->tok;
    return (t->kind == TOK_NAME || t->kind == TOK_PUNCT) && (size_t)t->len == strlen(text) &&
           memcmp(t->start, text, (size_t)t->len) == 0;
}

bool lex_accept(struct lex *lx, const char *text)
{
    return lex_is(lx, text) && lex_next(lx);
}

bool lex_expect(struct lex *lx, const char *text)
{
    if (lex_is(lx, text))
        return lex_next(lx);
    if (lx->tok.kind == TOK_END)
        lex_error(lx, "expected '%s' before the end of the input", text);
    else if (lx->tok.kind == TOK_NEWLINE)
        lex_error(lx, "expected '%s' before the end of the line", text);
    else
        lex_error(lx, "expected '%s', got '%.*s'", text, lx->tok.len > 40 ? 40 : lx->tok.len,
                  lx->tok.start);
    return false;
}

static int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

int lex_unescape(const struct token *t, char *out)
{
    int n = 0;
    for (int i = 0; i < t->len; i++) {
        char c = t->start[i];
        if (c == '\\' && i + 1 < t->len) {
            c = t->start[++i];
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c == 'x' && i + 2 < t->len && is_hex(t->start[i + 1]) && is_hex(t->start[i + 2])) {
                c = (char)(hex_digit(t->start[i + 1]) * 16 + hex_digit(t->start[i + 2]));
                i += 2;
            }
        }
        out[n++] = c;
    }
    out[n] = '\0';
    return n;
}
