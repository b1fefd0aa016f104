/* Eva: what the lexer does on the last n bytes of a text, for every n up to SIZE and all bytes, in any state between two tokens:
   no access outside of the text, no overflow. The parts are analysed one by one on all bytes, the whole on bytes that are not
   blank. */
#include "base/lex.c"

#include "__fc_builtin.h"

enum { SIZE = 5 };

/* The message is not built. */
enum calque_status diag_set(struct diag *d, enum calque_status status, const char *file, int line, int col,
                            const char *format, ...)
{
    (void)d;
    (void)file;
    (void)line;
    (void)col;
    (void)format;
    return status;
}

/* The C standard's: the end is inside of the string. */
static char *end_of(const char *s)
{
    int n = 0;

    while (s[n] && Frama_C_interval(0, 1))
        n++;
    return (char *)s + n;
}

double strtod(const char *s, char **end)
{
    *end = end_of(s);
    return Frama_C_double_interval(0.0, 1e308);
}

long strtol(const char *s, char **end, int base)
{
    (void)base;
    *end = end_of(s);
    errno = Frama_C_nondet(0, ERANGE);
    return Frama_C_long_interval(0, LONG_MAX);
}

static volatile int sink;
static struct diag diag;

static struct lex start(const char *src, int n)
{
    struct lex lx = {0};

    lx.file = "file";
    lx.src = src;
    lx.end = src + SIZE;
    lx.at = lx.tok.start = lx.end - n;
    lx.line_start = src + Frama_C_interval(0, SIZE - n);
    lx.line = Frama_C_interval(1, INT32_MAX / 2);
    lx.nesting = Frama_C_interval(0, INT32_MAX / 2);
    lx.newlines = Frama_C_interval(0, 1);
    lx.diag = &diag;
    return lx;
}

static void blanks(const char *src, int n)
{
    struct lex lx = start(src, n);

    sink = skip(&lx);
    //@ assert rest: src + SIZE - n <= lx.at <= src + SIZE;
    //@ assert line: src <= lx.line_start <= src + SIZE;
}

static void numbers(const char *src, int n)
{
    struct lex lx = start(src, n);

    if (n > 0)
        sink = number(&lx);
}

static void strings(const char *src, int n)
{
    struct lex lx = start(src, n);
    char text[SIZE + 1];

    if (n > 0 && string(&lx))
        sink = lex_unescape(&lx.tok, text);
}

static void puncts(const char *src, int n)
{
    struct lex lx = start(src, n);

    if (n > 0)
        sink = punct(&lx);
}

static void tokens(const char *src, int n)
{
    struct lex lx = start(src, n);

    if (lex_next(&lx))
        sink = lex_is(&lx, "=>");
}

int main(void)
{
    char src[SIZE], dark[SIZE];
    int n = Frama_C_interval(0, SIZE), part = Frama_C_interval(0, 4);

    for (int i = 0; i < SIZE; i++) {
        src[i] = (char)Frama_C_interval(-128, 127);
        dark[i] = (char)Frama_C_interval('$', 127);
    }
    //@ split n;
    //@ split part;
    switch (part) {
    case 0:
        blanks(src, n);
        break;
    case 1:
        numbers(src, n);
        break;
    case 2:
        strings(src, n);
        break;
    case 3:
        puncts(src, n);
        break;
    default:
        tokens(dark, n);
    }
    return 0;
}
