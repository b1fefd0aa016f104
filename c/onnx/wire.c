/* The protobuf wire format. Invariant: the cursor never passes the end; a message is handed to protobuf-c only after
   its nesting, lengths and strings are checked. Eva shows the absence of undefined behaviour
   (tests/onnx/eva_wire*.c). */
#include "onnx/wire.h"

#include <string.h>

static bool varint(struct wire *w, uint64_t *x)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (w->at == w->end)
            return false;
        v |= (uint64_t)(*w->at & 0x7f) << shift;
        if (*w->at++ < 0x80) {
            *x = v;
            return true;
        }
    }
    return false;
}

static bool skip(struct wire *w, struct wire_field *f, size_t n)
{
    //@ split w->end - w->at;
    if ((size_t)(w->end - w->at) < n)
        return false;
    //@ split n;
    f->data = w->at;
    f->n = n;
    w->at += n;
    return true;
}

bool wire_next(struct wire *w, struct wire_field *f)
{
    struct wire v = *w;
    uint64_t tag, len;

    memset(f, 0, sizeof *f);
    if (!varint(&v, &tag) || tag < 8 || tag > UINT32_MAX)
        return false;
    f->number = (unsigned)(tag >> 3);
    switch (tag & 7) {
    case WIRE_VARINT:
        f->type = WIRE_VARINT;
        if (!varint(&v, &f->num))
            return false;
        break;
    case WIRE_64:
        f->type = WIRE_64;
        if (!skip(&v, f, 8))
            return false;
        break;
    case WIRE_32:
        f->type = WIRE_32;
        if (!skip(&v, f, 4))
            return false;
        break;
    case WIRE_LEN:
        f->type = WIRE_LEN;
        if (!varint(&v, &len) || len > INT32_MAX || !skip(&v, f, (size_t)len))
            return false;
        break;
    default:
        return false;
    }
    *w = v;
    return true;
}

struct checker {
    const char *file;
    const unsigned char *start;
    struct diag *diag;
};

static enum calque_status check(const struct checker *c, const ProtobufCMessageDescriptor *type,
                                const unsigned char *data, size_t n, int depth)
{
    struct wire w = {data, data + n};
    struct wire_field f;
    enum calque_status st;

    if (depth > WIRE_DEPTH_MAX)
        return diag_set(c->diag, CALQUE_LIMIT, c->file, 0, 0,
                        "byte %zu: messages are nested deeper than %d", (size_t)(data - c->start),
                        WIRE_DEPTH_MAX);
    while (w.at < w.end) {
        const ProtobufCFieldDescriptor *fd;
        size_t offset = (size_t)(w.at - c->start);

        if (!wire_next(&w, &f))
            return diag_set(c->diag, CALQUE_BAD, c->file, 0, 0,
                            "byte %zu: malformed or truncated field of a %s", offset,
                            type->short_name);
        fd = protobuf_c_message_descriptor_get_field(type, f.number);
        if (!fd || f.type != WIRE_LEN)
            continue;
        if (fd->type == PROTOBUF_C_TYPE_STRING && f.n && memchr(f.data, 0, f.n))
            return diag_set(c->diag, CALQUE_BAD, c->file, 0, 0,
                            "byte %zu: the %s of a %s holds a NUL byte", offset, fd->name,
                            type->short_name);
        if (fd->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        st = check(c, fd->descriptor, f.data, f.n, depth + 1);
        if (st)
            return st;
    }
    return CALQUE_OK;
}

enum calque_status wire_check(const ProtobufCMessageDescriptor *type, const char *file,
                              const unsigned char *data, size_t n, struct diag *d)
{
    struct checker c = {file, data, d};

    return check(&c, type, data, n, 0);
}

void wire_put_varint(struct text *out, uint64_t x)
{
    char b[10];
    size_t n = 0;

    do {
        b[n++] = (char)((x & 0x7f) | (x > 0x7f ? 0x80 : 0));
        x >>= 7;
    } while (x);
    text_put(out, b, n);
}

void wire_put_bytes(struct text *out, unsigned number, const void *data, size_t n)
{
    wire_put_varint(out, (uint64_t)number << 3 | WIRE_LEN);
    wire_put_varint(out, n);
    text_put(out, data, n);
}

/* protobuf-c's own buffer interface, appending to a text. */
struct sink {
    ProtobufCBuffer base;
    struct text *out;
};

static void sink_append(ProtobufCBuffer *b, size_t n, const uint8_t *data)
{
    text_put(((struct sink *)b)->out, (const char *)data, n);
}

void wire_pack(struct text *out, const ProtobufCMessage *m)
{
    struct sink s = {{sink_append}, out};

    protobuf_c_message_pack_to_buffer(m, &s.base);
}

void wire_put_message(struct text *out, unsigned number, const ProtobufCMessage *m)
{
    wire_put_varint(out, (uint64_t)number << 3 | WIRE_LEN);
    wire_put_varint(out, protobuf_c_message_get_packed_size(m));
    wire_pack(out, m);
}

static void *alloc(void *data, size_t n)
{
    struct wire_alloc *a = data;
    void *p = mem_resize(a->mem, NULL, n, 1);

    if (!p)
        a->failed = true;
    return p;
}

static void release(void *data, void *p)
{
    (void)data;
    mem_free(p);
}

void wire_alloc_init(struct wire_alloc *a, struct mem *mem)
{
    a->base.alloc = alloc;
    a->base.free = release;
    a->base.allocator_data = a;
    a->mem = mem;
    a->failed = false;
}

enum calque_status wire_unpack(struct wire_alloc *a, const ProtobufCMessageDescriptor *type,
                               const char *file, const unsigned char *data, size_t n,
                               ProtobufCMessage **m, struct diag *d)
{
    enum calque_status st = wire_check(type, file, data, n, d);

    *m = NULL;
    if (st)
        return st;
    a->failed = false;
    *m = protobuf_c_message_unpack(type, &a->base, n, data);
    if (*m && a->failed) {
        protobuf_c_message_free_unpacked(*m, &a->base);
        *m = NULL;
    }
    if (*m)
        return CALQUE_OK;
    if (a->failed)
        return diag_nomem(d);
    return diag_set(d, CALQUE_BAD, file, 0, 0, "not a valid %s: a field has the wrong wire type",
                    type->short_name);
}
