#include "attr/read.h"

#include "attr/read_on.h"
#include "attr/read_room.h"

void attr_reader_init(struct attr_reader *r, struct attrs *attrs, struct strs *strs,
                      const char *text, size_t n)
{
    *r = (struct attr_reader){ .in = { .text = text, .n = (long)n }, .attrs = attrs, .strs = strs };
}

struct attr_reader reader_on(struct attr_reader r, struct reading in)
{
    if (r.status == CALQUE_OK)
        r.status = in.status;
    read_room_free(in);
    in.status = CALQUE_OK;
    in.ids = NULL;
    in.nids = in.capids = 0;
    r.in = in;
    return r;
}

void reader_set(struct attr_reader *r, struct attr_reader x)
{
    *r = x;
}

bool attr_read_open(struct attr_reader *r, const char *word)
{
    struct attr_reader x = *r;
    struct reading in = read_mark(x.in, '(');

    if (in.status == CALQUE_OK) {
        in = read_word(in);
        in.depth++;
        if (!scan_is(in.text + in.word, in.at - in.word, word))
            in = read_fail(in, CALQUE_BAD);
    }
    reader_set(r, reader_on(x, in));
    return in.status == CALQUE_OK;
}

bool attr_read_close(struct attr_reader *r)
{
    struct attr_reader x = *r;
    struct reading in = read_mark(x.in, ')');

    in.depth -= in.status == CALQUE_OK;
    reader_set(r, reader_on(x, in));
    return in.status == CALQUE_OK;
}

bool attr_read_end(struct attr_reader *r)
{
    struct attr_reader x = *r;
    struct reading in = read_blanks(x.in);

    if (in.at < in.n)
        in = read_fail(in, CALQUE_BAD);
    reader_set(r, reader_on(x, in));
    return in.status == CALQUE_OK;
}
