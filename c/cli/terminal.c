/* Names come from files that others made: control characters in them must not reach a terminal. Messages have them as \xHH
   always, the standard output when it is a terminal; files and pipes get the bytes as they are. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"

struct filter {
    int fd;
    bool c2; /* the last byte was 0xc2, which with 0x80 to 0x9f is a control character too */
};

static size_t escaped(char *out, unsigned c)
{
    static const char hex[] = "0123456789abcdef";

    out[0] = '\\';
    out[1] = 'x';
    out[2] = hex[c >> 4];
    out[3] = hex[c & 15];
    return 4;
}

static ssize_t filter_write(void *cookie, const char *s, size_t n)
{
    struct filter *f = cookie;
    char out[1024];
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned c = (unsigned char)s[i];
        if (f->c2) {
            bool control = c >= 0x80 && c < 0xa0;
            k += control ? escaped(out + k, 0xc2) : 1;
            if (!control)
                out[k - 1] = (char)0xc2;
            k += control ? escaped(out + k, c) : 0;
            f->c2 = false;
            if (control)
                continue;
        }
        if (c == 0xc2)
            f->c2 = true;
        else if ((c < 32 && c != '\n' && c != '\t') || c == 127)
            k += escaped(out + k, c);
        else
            out[k++] = (char)c;
        if (k > sizeof out - 16) {
            if (!file_put(f->fd, out, k))
                return 0;
            k = 0;
        }
    }
    return file_put(f->fd, out, k) ? (ssize_t)n : 0;
}

static FILE *filtered(struct filter *f)
{
    return fopencookie(f, "w", (cookie_io_functions_t){ .write = filter_write });
}

void cli_guard_terminal(void)
{
    static struct filter out = { STDOUT_FILENO, false }, err = { STDERR_FILENO, false };
    FILE *f = filtered(&err);

    if (f) {
        setvbuf(f, NULL, _IONBF, 0);
        stderr = f;
    }
    if (isatty(STDOUT_FILENO) && (f = filtered(&out)) != NULL) {
        setvbuf(f, NULL, _IOLBF, 0);
        stdout = f;
    }
}
