/* Answers of --json. What could not be put into an answer (memory was out) makes it an error, never a shorter answer. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool failed;

static void *allocate(size_t n)
{
    void *p = malloc(n);

    failed = failed || !p;
    return p;
}

void cli_json_init(void)
{
    json_set_alloc_funcs(allocate, free);
}

bool cli_json_failed(void)
{
    return failed;
}

void cli_append(json_t *array, json_t *item)
{
    if (json_array_append_new(array, item) != 0)
        failed = true;
}

void cli_set(json_t *object, const char *key, json_t *item)
{
    if (json_object_set_new(object, key, item) != 0)
        failed = true;
}

/* The length of the UTF-8 sequence that s begins with; 0: it begins with none. */
static size_t sequence(const unsigned char *s)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xc0 && s[0] < 0xe0 ? 2 : 0;
    unsigned c = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* also the text's end */
            return 0;
        c = c << 6 | (s[i] & 0x3fu);
    }
    return n > 1 && (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) ? 0 : n;
}

json_t *cli_text(const char *s)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = (const unsigned char *)s;
    json_t *x = json_string(s);
    char *out;
    size_t n = 0;

    if (x || !(out = allocate(4 * strlen(s) + 1)))
        return x;
    while (*p) {
        size_t k = sequence(p);
        if (k > 0) {
            memcpy(out + n, p, k);
            n += k;
        } else {
            out[n++] = '\\';
            out[n++] = 'x';
            out[n++] = hex[*p >> 4];
            out[n++] = hex[*p & 15];
            k = 1;
        }
        p += k;
    }
    out[n] = '\0';
    x = json_string(out);
    free(out);
    return x;
}

int cli_json_put(json_t *answer, size_t flags, int status)
{
    bool whole = answer && !failed;

    if (whole && json_dumpf(answer, stdout, flags) != 0 && !ferror(stdout)) /* an error of the stream is main's */
        whole = false;
    json_decref(answer);
    if (whole && !failed)
        return status;
    fprintf(stderr, "calque: error: the JSON answer is not whole: out of memory\n");
    return EXIT_INTERNAL;
}

int cli_json(json_t *answer, int status)
{
    status = cli_json_put(answer, JSON_INDENT(2), status);
    putchar('\n');
    return status;
}

json_t *cli_npy(const char *stem)
{
    size_t n = strlen(stem) + sizeof ".npy";
    char *file = allocate(n);
    json_t *x;

    if (!file)
        return NULL;
    snprintf(file, n, "%s.npy", stem);
    x = cli_text(file);
    free(file);
    return x;
}
