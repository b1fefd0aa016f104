/* Requests of calque-oracle about graphs and tensors, read: what the text programs of this room share. */
#ifndef CALQUE_TESTS_TENSOR_REQUEST_H
#define CALQUE_TESTS_TENSOR_REQUEST_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "attr/read_request.h"
#include "tensor/op.h"

/* A graph that is built, and the text that is left. `bad`: it is not a request; `outside`: it is one, of what there is not. */
struct request {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct attrs attrs;
    struct graph g;
    struct diag d;
    struct attr_reader r;
    bool bad, outside;
};

static inline void request_init(struct request *q, const char *text, size_t n)
{
    memset(q, 0, sizeof *q);
    q->mem = (struct mem)MEM_INIT;
    strs_init(&q->strs, &q->mem);
    values_init(&q->values, &q->mem);
    attrs_init(&q->attrs, &q->values, &q->mem);
    q->values.strs = &q->strs;
    graph_init(&q->g, &q->mem, &q->strs, &q->values);
    attr_reader_init(&q->r, &q->attrs, &q->strs, text, n);
}

static inline void request_free(struct request *q)
{
    ints_free(&q->r.kid);
    graph_free(&q->g);
    attrs_free(&q->attrs);
    values_free(&q->values);
    strs_free(&q->strs);
}

static inline char request_next(struct request *q)
{
    struct attr_reader *r = &q->r;

    while (r->at < r->n && strchr(" \t\n", r->text[r->at]) && r->text[r->at])
        r->at++;
    return r->at < r->n ? r->text[r->at] : '\0';
}

/* Is this character next? Then it is taken. */
static inline bool request_sees(struct request *q, char c)
{
    bool yes = request_next(q) == c;

    q->r.at += yes;
    return yes;
}

static inline void request_take(struct request *q, char c)
{
    q->bad = !request_sees(q, c) || q->bad;
}

/* Up to a blank or a parenthesis, and no longer than the buffer. */
static inline const char *request_word(struct request *q, char *buf, int size)
{
    int n = 0;

    while (request_next(q), q->r.at < q->r.n && !strchr(" \t\n()", q->r.text[q->r.at]) && n < size - 1) {
        buf[n++] = q->r.text[q->r.at++];
        if (q->r.at < q->r.n && strchr(" \t\n", q->r.text[q->r.at]))
            break;
    }
    buf[n] = '\0';
    q->bad = q->bad || n == 0;
    return buf;
}

static inline long request_long(struct request *q)
{
    char word[32], *end;
    long v = strtol(request_word(q, word, sizeof word), &end, 10);

    q->bad = q->bad || *end;
    return v;
}

/* A node, - for none. */
static inline int request_node(struct request *q, int next)
{
    char word[32], *end;
    long v;

    if (strcmp(request_word(q, word, sizeof word), "-") == 0)
        return -1;
    v = strtol(word, &end, 10);
    if (*end || v < 0 || v >= next)
        return q->bad = true, -1;
    return (int)v;
}

/* A quoted string, or - for none. */
static inline int request_name(struct request *q)
{
    char word[8];
    int id;

    if (request_next(q) != '"')
        return q->bad = strcmp(request_word(q, word, sizeof word), "-") != 0 || q->bad, -1;
    id = attr_read_value(&q->r);
    if (id < 0)
        return q->bad = true, -1;
    return (int)q->values.v[id].num;
}

/* A value or a term that is passed over. */
static inline void request_skip(struct request *q)
{
    char word[128];
    int depth = 0;

    do {
        char c = request_next(q);
        if (c == '(' || c == ')') {
            q->r.at++;
            depth += c == '(' ? 1 : -1;
        } else if (c == '"') {
            q->bad = attr_read_value(&q->r) < 0 || q->bad;
        } else {
            request_word(q, word, sizeof word);
        }
    } while (depth > 0 && !q->bad);
}

/* "(DIM ..)" behind the opening parenthesis. */
static inline void request_dims(struct request *q, struct shape *s)
{
    s->rank = 0;
    while (!request_sees(q, ')') && !q->bad) {
        long d = request_long(q);
        if (s->rank == RANK_MAX)
            q->outside = true;
        else
            s->dim[s->rank++] = d;
        q->bad = q->bad || d < 0;
    }
}

/* "((LABEL VALUE) ..)" */
static inline void request_attrs(struct request *q, int node)
{
    char word[64];

    request_take(q, '(');
    while (!q->bad && request_sees(q, '(')) {
        int label = strs_addz(&q->strs, request_word(q, word, sizeof word)), value = attr_read_value(&q->r);
        q->bad = label < 0 || value < 0 || q->bad || !graph_set_attr(&q->g, node, label, value);
        request_take(q, ')');
    }
    request_take(q, ')');
}

#endif
