#include "attr/read_value.h"

#include "attr/value_room.h"

struct reading read_made(struct reading r, int id)
{
    if (id < 0)
        return read_fail(r, CALQUE_LIMIT);
    r.id = id;
    return r;
}

struct reading read_push(struct reading r, struct mem *m)
{
    int id = r.id;

    r = read_room(r, m);
    if (r.status == CALQUE_OK)
        r.ids[r.nids++] = (unsigned)id;
    return r;
}

/* One character of a string. Only the printed characters 32 .. 126 stand for themselves. */
static struct read_char read_letter(struct reading r)
{
    char c = r.text[r.at];
    struct read_char x = { r.at + 1, c };

    if (c == '\\') {
        r.at++;
        return read_escape(r);
    }
    if (c < 32 || c > 126)
        x.c = -1;
    return x;
}

/* Puts c behind the first n characters. */
static void put_letter(char *buffer, long n, int c)
{
    buffer[n] = (char)c;
}

/* The characters up to the quote, in the buffer; .number of them. */
static struct reading unquote(struct reading r, char *buffer)
{
    struct read_char x;

    r.number = 0;
    while (r.at < r.n && r.text[r.at] != '"') {
        x = read_letter(r);
        if (x.c < 0)
            return read_fail(r, CALQUE_BAD);
        put_letter(buffer, r.number, x.c);
        r.number++;
        r.at = x.at;
    }
    return r;
}

/* A string as value: its characters are in the buffer. */
static struct reading string_made(struct reading r, struct values *vs, struct strs *strs, const char *buffer)
{
    int id = read_intern(strs, buffer, r.number)
        /*@ ghost (r.text, r.n) */;

    return id < 0 ? read_fail(r, CALQUE_NOMEM) : read_made(r, value_str(vs, id));
}

struct reading read_string(struct reading r, struct values *vs, struct strs *strs)
{
    char *buffer = read_buffer(vs->mem, r.n - r.at)
        /*@ ghost (r.text, r.n) */;

    if (!buffer)
        return read_fail(r, CALQUE_NOMEM);
    r = unquote(r, buffer);
    if (r.status == CALQUE_OK)
        r = read_mark(r, '"');
    if (r.status == CALQUE_OK)
        r = string_made(r, vs, strs, buffer);
    read_buffer_free(buffer);
    return r;
}

/* Is the word read last one of a float: hexadecimal, inf, -inf, nan? */
static bool is_float(struct reading r)
{
    long first = r.word + (r.word < r.at && r.text[r.word] == '-');

    if (r.at - first < 3 || r.at - r.word > SCAN_NUMBER_MAX)
        return false;
    return (r.text[first] == '0' && r.text[first + 1] == 'x') || read_is(r, WORD_INF) || read_is(r, WORD_NEGINF) ||
           read_is(r, WORD_NAN);
}

static struct reading read_float(struct reading r, struct values *vs)
{
    struct read_double d;

    if (!is_float(r))
        return read_fail(r, CALQUE_BAD);
    d = read_strtod(r.text, r.n, r.word, r.at);
    return d.ok ? read_made(r, value_float(vs, d.x)) : read_fail(r, CALQUE_BAD);
}

struct reading read_scalar(struct reading r, struct values *vs)
{
    struct read_long x;

    if (read_is(r, WORD_NONE))
        return read_made(r, value_none(vs));
    if (read_is(r, WORD_TRUE))
        return read_made(r, value_bool(vs, true));
    if (read_is(r, WORD_FALSE))
        return read_made(r, value_bool(vs, false));
    x = read_long(r);
    return x.ok ? read_made(r, value_int(vs, x.z)) : read_float(r, vs);
}

/* The tuple of the ids from `first` on, which are taken off. */
static struct reading tuple_made(struct reading r, struct values *vs, int first)
{
    int n = r.nids - first;
    int *own = values_scratch(vs, n)
        /*@ ghost (0, 0) */;

    if (!own)
        return read_fail(r, CALQUE_NOMEM);
    for (int k = 0; k < n; k++)
        own[k] = (int)r.ids[first + k];
    r.nids = first;
    r = read_made(r, value_tuple(vs, own, n));
    values_scratch_free(own);
    return r;
}

/* After "(tuple": up to the closing parenthesis. */
static struct reading read_elements(struct reading r, struct values *vs, struct strs *strs)
{
    r = read_blanks(r);
    while (r.status == CALQUE_OK && !read_sees(r, ')')) {
        r = read_value(r, vs, strs);
        if (r.status == CALQUE_OK)
            r = read_push(r, vs->mem);
        if (r.status == CALQUE_OK)
            r = read_blanks(r);
    }
    return r;
}

/* After "(". */
static struct reading read_tuple(struct reading r, struct values *vs, struct strs *strs)
{
    int first = r.nids;

    r = read_word(r);
    if (!read_is(r, WORD_TUPLE))
        return read_fail(r, CALQUE_BAD);
    if (r.depth >= 2 * VALUE_DEPTH_MAX)
        return read_fail(r, CALQUE_LIMIT);
    r.depth++;
    r = read_elements(r, vs, strs);
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    if (r.status == CALQUE_OK)
        r = tuple_made(r, vs, first);
    r.depth--;
    r.nids = first;
    return r;
}

struct reading read_value(struct reading r, struct values *vs, struct strs *strs)
{
    r = read_blanks(r);
    if (read_sees(r, '"')) {
        r.at++;
        return read_string(r, vs, strs);
    }
    if (read_sees(r, '(')) {
        r.at++;
        return read_tuple(r, vs, strs);
    }
    r = read_word(r);
    return read_scalar(r, vs);
}
