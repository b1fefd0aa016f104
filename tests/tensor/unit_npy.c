/* .npy files: what is read, what is written, what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/npy.h"
#include "tensor/op.h"
#include "unit.h"

static void check_round(int dtype, struct shape shape, const char *header)
{
    struct mem m = MEM_INIT;
    struct tensor t, back;
    struct text out;
    struct diag d;

    text_init(&out, &m);
    CU_ASSERT_EQUAL_FATAL(tensor_new(&m, dtype, &shape, &t, &d), CALQUE_OK);
    for (size_t i = 0; i < t.bytes; i++)
        ((unsigned char *)t.data)[i] = (unsigned char)(dtype == DTYPE_BOOL ? i % 2 : i * 7 + 1);
    CU_ASSERT_EQUAL_FATAL(npy_write(&out, &t, &d), CALQUE_OK);
    CU_ASSERT_EQUAL((size_t)out.n % 64, t.bytes % 64); /* aligned */
    CU_ASSERT_EQUAL(memcmp(out.a, "\x93NUMPY\x01\x00", 8), 0);
    CU_ASSERT_EQUAL(strncmp(out.a + 10, header, strlen(header)), 0);
    CU_ASSERT_EQUAL(out.a[10 + (unsigned char)out.a[8] + 256 * out.a[9] - 1], '\n');
    CU_ASSERT_EQUAL_FATAL(npy_read(&m, "f", out.a, (size_t)out.n, &back, &d), CALQUE_OK);
    CU_ASSERT(back.dtype == dtype && shape_equal(&back.shape, &shape) && back.bytes == t.bytes);
    CU_ASSERT(t.bytes == 0 || memcmp(back.data, t.data, t.bytes) == 0);
    tensor_free(&t);
    tensor_free(&back);
    text_free(&out);
}

static void test_round(void)
{
    check_round(DTYPE_F32, (struct shape){2, {2, 3}},
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ");
    check_round(DTYPE_I64, (struct shape){1, {5}},
                "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), } ");
    check_round(DTYPE_F32, (struct shape){0, {0}},
                "{'descr': '<f4', 'fortran_order': False, 'shape': (), } ");
    check_round(DTYPE_F32, (struct shape){2, {0, 4}},
                "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), } ");
    check_round(DTYPE_F64, (struct shape){1, {3}}, "{'descr': '<f8',");
    check_round(DTYPE_I32, (struct shape){1, {3}}, "{'descr': '<i4',");
    check_round(DTYPE_I8, (struct shape){1, {3}}, "{'descr': '|i1',");
    check_round(DTYPE_U8, (struct shape){1, {3}}, "{'descr': '|u1',");
    check_round(DTYPE_BOOL, (struct shape){2, {1, 2}}, "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), } ");
    check_round(DTYPE_I64, (struct shape){8, {1, 2, 1, 2, 1, 2, 1, 2}}, "{'descr': '<i8',");
    check_round(DTYPE_F32, (struct shape){3, {1000000, 1, 1}}, "{'descr': '<f4',");
}

/* A file of this version and header text, followed by data bytes. */
static char *make(int version, const char *header, size_t data, size_t *n)
{
    size_t len = strlen(header), start = version == 1 ? 10 : 12;
    char *a = calloc(start + len + data, 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    memcpy(a, "\x93NUMPY", 6);
    a[6] = (char)version;
    a[8] = (char)(len & 255);
    a[9] = (char)(len >> 8);
    memcpy(a + start, header, len);
    for (size_t i = 0; i < data; i++)
        a[start + len + i] = (char)i;
    *n = start + len + data;
    return a;
}

static enum calque_status read(int version, const char *header, size_t data, struct tensor *t, struct diag *d)
{
    struct mem m = MEM_INIT;
    size_t n;
    char *a = make(version, header, data, &n);
    enum calque_status st = npy_read(&m, "f.npy", a, n, t, d);

    free(a);
    return st;
}

static void test_read(void)
{
    static const char *const good[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }      \n",
        "{'shape': (2, 1), 'fortran_order': False, 'descr': '<f4'}",
        "{\"shape\":(2,1),\"descr\":\"<f4\",\"fortran_order\":True,}\n", /* one long axis: order is the same
                                                                          */
        " { 'shape' : ( 2 , 1 , ) , 'descr' : '<f4' , 'fortran_order' : False , } ",
    };
    struct tensor t;
    struct diag d;

    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            CU_ASSERT_EQUAL(read(version, good[i], 8, &t, &d), CALQUE_OK);
            CU_ASSERT(t.dtype == DTYPE_F32 && t.shape.rank == 2 && t.shape.dim[0] == 2 &&
                      t.shape.dim[1] == 1);
            CU_ASSERT(t.bytes == 8 && ((unsigned char *)t.data)[7] == 7);
            tensor_free(&t);
        }
}

#define F4 "{'descr': '<f4', 'fortran_order': False, "

static void test_refused(void)
{
    static const struct {
        int version;
        size_t data;
        const char *text, *header;
    } bad[] = {
        {4, 4, "unknown version 4.0 (byte 6)", F4 "'shape': (1,), }"},
        {0, 4, "unknown version 0.0", F4 "'shape': (1,), }"},
        {1, 3, "3 bytes of data from byte 67, expected 4", F4 "'shape': (1,), }"},
        {1, 5, "5 bytes of data", F4 "'shape': (1,), }"},
        {1, 2, "element type '<f2' (byte 20) is not supported",
         "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }"},
        {1, 4, "element type '>f4'", "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }"},
        {1, 4, "element type '<u2'", "{'descr': '<u2', 'fortran_order': False, 'shape': (4,), }"},
        {1, 3, "a boolean that is neither 0 nor 1 (byte 69)", "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"},
        {1, 4, "structured elements", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"},
        {1, 16, "Fortran order", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }"},
        {1, 4, "expected \"False\"", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }"},
        {1, 4, "no 'descr'", "{'fortran_order': False, 'shape': (1,), }"},
        {1, 4, "no 'fortran_order'", "{'descr': '<f4', 'shape': (1,), }"},
        {1, 4, "no 'shape'", "{'descr': '<f4', 'fortran_order': False}"},
        {1, 4, "no 'descr'", "{}"},
        {1, 4, "unknown or repeated key 'sha'", F4 "'sha': (1,), }"},
        {1, 4, "unknown or repeated key 'descr'", F4 "'descr': '<f4', 'shape': (1,), }"},
        {1, 4, "expected a dimension at byte 61", F4 "'shape': (-1,), }"},
        {1, 4, "expected a dimension", F4 "'shape': (,), }"},
        {1, 4, "expected \"(\"", F4 "'shape': 1, }"},
        {1, 4, "expected \"}\"", F4 "'shape': (1,)"},
        {1, 4, "expected \"{\" at byte 10", ""},
        {1, 4, "expected a string at byte 11", "{descr: 1}"},
        {1, 4, "is not closed", "{'descr"},
        {1, 4, "unexpected text", F4 "'shape': (1,), } x"},
        {1, 4, "more than 8 dimensions", F4 "'shape': (99999999999999999999999,), }"},
        {1, 4, "more than 8 dimensions", F4 "'shape': (1,1,1,1,1,1,1,1,1), }"},
        {1, 4, "more than 2147483648 elements", F4 "'shape': (65536,65536), }"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tensor t;
        struct diag d;
        enum calque_status st = read(bad[i].version, bad[i].header, bad[i].data, &t, &d);

        if ((st != CALQUE_BAD && st != CALQUE_LIMIT) || !strstr(d.text, bad[i].text)) {
            fprintf(stderr, "%s\nwant %s\ngot (%d) %s\n", bad[i].header, bad[i].text, st, d.text);
            CU_FAIL("wrong diagnosis");
        }
        CU_ASSERT_STRING_EQUAL(d.file, "f.npy");
        CU_ASSERT_PTR_NULL(t.data);
    }
}

/* Every prefix of a file, and every byte changed: refused or read, never out of bounds. */
static void test_damage(void)
{
    struct mem m = MEM_INIT;
    size_t n, accepted = 0;
    char *a = make(2, F4 "'shape': (2, 1), }\n", 8, &n);

    for (size_t i = 0; i < n; i++) {
        char *p = malloc(i ? i : 1);
        struct tensor t;
        struct diag d;
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        memcpy(p, a, i);
        CU_ASSERT_EQUAL(npy_read(&m, "f", p, i, &t, &d), CALQUE_BAD);
        free(p);
    }
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 256; b++) {
            struct tensor t;
            struct diag d;
            char old = a[i];
            a[i] = (char)b;
            accepted += npy_read(&m, "f", a, n, &t, &d) == CALQUE_OK;
            tensor_free(&t);
            a[i] = old;
        }
    CU_ASSERT(accepted > n && accepted < n * 100);
    free(a);
}

static void test_memory(void)
{
    struct mem m = MEM_INIT;
    struct shape one = {1, {100}};
    struct tensor t;
    struct text out;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    int k = 0;

    CU_ASSERT_EQUAL_FATAL(tensor_new(&m, DTYPE_F32, &one, &t, &d), CALQUE_OK);
    for (; st != CALQUE_OK && k < 50; k++) {
        struct tensor back = {0};
        m.fail_after = k;
        text_init(&out, &m);
        st = npy_write(&out, &t, &d);
        if (st == CALQUE_OK)
            st = npy_read(&m, "f", out.a, (size_t)out.n, &back, &d);
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        tensor_free(&back);
        text_free(&out);
    }
    CU_ASSERT(st == CALQUE_OK && k > 2);
    t.dtype = 10; /* f16 */
    m.fail_after = -1;
    text_init(&out, &m);
    CU_ASSERT_EQUAL(npy_write(&out, &t, &d), CALQUE_BAD);
    text_free(&out);
    tensor_free(&t);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"round trip", test_round}, {"read", test_read},     {"refused", test_refused},
        {"damage", test_damage},    {"memory", test_memory},
    };
    return unit_main("tensor/npy", cases, UNIT_COUNT(cases));
}
