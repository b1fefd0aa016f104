/* The protobuf wire format: a cursor, the check that makes a message safe to hand to protobuf-c (bounded nesting, no
   NUL in strings), and the allocator that puts protobuf-c on top of mem.h. */
#ifndef CALQUE_ONNX_WIRE_H
#define CALQUE_ONNX_WIRE_H

#include "base/mem.h"
#include "base/status.h"
#include "base/text.h"

#include <protobuf-c/protobuf-c.h>

enum { WIRE_DEPTH_MAX = 64 }; /* nested messages; a subgraph costs three */

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LEN = 2, WIRE_32 = 5 };

struct wire {
    const unsigned char *at, *end;
};

struct wire_field {
    unsigned number;
    enum wire_type type;
    uint64_t num;              /* WIRE_VARINT */
    const unsigned char *data; /* WIRE_LEN: n bytes */
    size_t n;
};

/* Reads the next field; false (w unchanged) when it is malformed or runs over the end. */
bool wire_next(struct wire *w, struct wire_field *f);
/* Walks a message of the given type; CALQUE_BAD with the byte offset, CALQUE_LIMIT when nested too deep. */
enum calque_status wire_check(const ProtobufCMessageDescriptor *type, const char *file,
                              const unsigned char *data, size_t n, struct diag *d);
void wire_put_varint(struct text *out, uint64_t x);
/* A length-delimited field. */
void wire_put_bytes(struct text *out, unsigned number, const void *data, size_t n);
void wire_put_message(struct text *out, unsigned number, const ProtobufCMessage *m);

/* Memory for protobuf-c; failed tells "out of memory" from "malformed" after an unpack gave NULL. */
struct wire_alloc {
    ProtobufCAllocator base;
    struct mem *mem;
    bool failed;
};
void wire_alloc_init(struct wire_alloc *a, struct mem *mem);
/* Checks and unpacks a message; the caller frees it with protobuf_c_message_free_unpacked(m, &a->base). */
enum calque_status wire_unpack(struct wire_alloc *a, const ProtobufCMessageDescriptor *type,
                               const char *file, const unsigned char *data, size_t n,
                               ProtobufCMessage **m, struct diag *d);
/* Appends the packed message (without tag). */
void wire_pack(struct text *out, const ProtobufCMessage *m);

#endif
