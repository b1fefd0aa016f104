/* The operations of the lane interpreter, for each element type from one text (lanes_body.h), of floats with either functions. */
#include "kernel/program.h"

#include <limits.h>
#include <math.h>

#include "kernel/math.inc"

#define T float
#define U float
#define REAL 1
#define LEAST (-INFINITY)
#define NAME(x) f32_##x
#define MATH(x) x##f
#include "kernel/lanes_body.h"

#define T double
#define U double
#define REAL 1
#define LEAST ((double)-INFINITY)
#define NAME(x) f64_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

#define T float
#define U float
#define REAL 1
#define LEAST (-INFINITY)
#define NAME(x) f32_calque_##x
#define MATH(x) calque_##x##_f32
#include "kernel/lanes_body.h"

#define T double
#define U double
#define REAL 1
#define LEAST ((double)-INFINITY)
#define NAME(x) f64_calque_##x
#define MATH(x) calque_##x##_f64
#include "kernel/lanes_body.h"

#define T int32_t
#define U uint32_t
#define REAL 0
#define LEAST INT32_MIN
#define NAME(x) i32_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

#define T int64_t
#define U uint64_t
#define REAL 0
#define LEAST INT64_MIN
#define NAME(x) i64_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

const struct lane_ops *lane_ops(enum kernel_type type, enum kernel_math math)
{
    switch (type) {
    case KERNEL_F32:
        return math == MATH_CALQUE ? &f32_calque_ops : &f32_ops;
    case KERNEL_F64:
        return math == MATH_CALQUE ? &f64_calque_ops : &f64_ops;
    case KERNEL_I32:
        return &i32_ops;
    default:
        return &i64_ops;
    }
}
