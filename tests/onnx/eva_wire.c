/* Eva: every message of at most SIZE bytes of any content, of types that may nest: no access outside of it. */
#include "onnx/wire.c"

#include "__fc_builtin.h"

enum { SIZE = 6 };

static const ProtobufCMessageDescriptor message;
static ProtobufCFieldDescriptor field;

const ProtobufCFieldDescriptor *protobuf_c_message_descriptor_get_field(const ProtobufCMessageDescriptor *m, unsigned number)
{
    (void)m;
    (void)number;
    field.name = "field";
    field.type = Frama_C_nondet(PROTOBUF_C_TYPE_STRING, Frama_C_nondet(PROTOBUF_C_TYPE_MESSAGE, PROTOBUF_C_TYPE_INT64));
    field.descriptor = &message;
    return Frama_C_nondet_ptr(NULL, &field);
}

enum calque_status diag_set(struct diag *d, enum calque_status status, const char *file, int line, int col,
                            const char *format, ...)
{
    (void)d;
    return status;
}

int main(void)
{
    unsigned char data[SIZE];
    struct diag d;
    size_t n = (size_t)Frama_C_interval(0, SIZE);

    //@ split n;
    for (int i = 0; i < SIZE; i++)
        data[i] = (unsigned char)Frama_C_interval(0, 255);
    return wire_check(&message, "file", data, n, &d);
}
