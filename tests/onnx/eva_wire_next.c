/* Eva: the next field of every message of at most SIZE bytes: no access outside of it; the field's bytes are inside, and what
   is left starts behind them. */
#include "onnx/wire.c"

#include "__fc_builtin.h"

enum { SIZE = 24 }; /* two numbers of ten bytes, and some */

static int one(const unsigned char *data, int n)
{
    struct wire w = {data + SIZE - n, data + SIZE};
    struct wire_field f;

    if (!wire_next(&w, &f)) {
        //@ assert unchanged: w.at == data + SIZE - n;
        return 1;
    }
    //@ assert rest: data + SIZE - n < w.at <= w.end;
    //@ assert number: 0 < f.number < 0x20000000;
    if (f.type == WIRE_LEN && f.n > 0)
        return f.data[0] + f.data[f.n - 1];
    return 0;
}

int main(void)
{
    unsigned char data[SIZE];
    int any = 0;

    for (int i = 0; i < SIZE; i++)
        data[i] = (unsigned char)Frama_C_interval(0, 255);
    //@ loop unroll SIZE + 1;
    for (int n = 0; n <= SIZE; n++)
        any |= one(data, n);
    return any;
}
