/* The programs of tests/dpia/programs: the 22 of seed 002's Table 1, then the extensions of its section 2.3 and ours. */
#ifndef CALQUE_TESTS_TABLE_H
#define CALQUE_TESTS_TABLE_H

#include "base/text.h"
#include "dpia/parse.h"

#include <stdio.h>

static const char *const table_names[] = {
    "product", "product_split", "vec_add", "sum_vec", "norm1", "norm2", "scale_vec", "axpy_vec", "l_mul_dl", "dl_mul_l",
    "dl_mul_dl", "mat_add", "axpy_mat", "scale_mat", "sum_mat", "trans", "block_add", "block_dl_mul_dl", "scale_block",
    "axpy_block", "sum_block", "conv", "product_split_fused", "reverse", "reverse_seq", "copied", "copy_seq", "flatten",
    "swapped", "relu", "lower_sums", "window", "differences", "dl_mul_dl_rows",
};
enum { TABLE = sizeof table_names / sizeof *table_names };

/* Reads a program of the table, its scalar type replaced when type is not f32. */
static inline enum calque_status table_read(struct prog *p, struct mem *mem, struct strs *strs, const char *name,
                                            enum kernel_type type, const struct dpia_size *sizes, int n, struct diag *d)
{
    static const char *const scalar[] = { "f32", "f64", "i32", "i64" };
    char path[128], *src;
    enum calque_status st;
    struct text t;
    size_t len;

    prog_init(p, mem, strs, type);
    snprintf(path, sizeof path, "tests/dpia/programs/%s.dpia", name);
    st = file_read(mem, path, &src, &len, d);
    if (st != CALQUE_OK)
        return st;
    text_init(&t, mem);
    text_printf(&t, "scalar %s\n", scalar[type]);
    text_put(&t, src, len);
    st = t.failed ? diag_nomem(d) : dpia_parse(p, mem, strs, path, t.a, (size_t)t.n, sizes, n, d);
    text_free(&t);
    mem_free(src);
    return st;
}

#endif
