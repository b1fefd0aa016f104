/* The lane operations of one type: T, its unsigned companion U for wrapping arithmetic, REAL, names by NAME(x) and
   functions by MATH(x). Loops run in steps of a constant so that they vectorise. Included by run.c only. */

#define EACH(n)                                                                              \
    for (int step = 0; step < (n); step += LANE_STEP)                                        \
        for (int l = step; l < step + LANE_STEP; l++)

static void NAME(literal)(void *dst, double num, long inum)
{
    (void)num;
    (void)inum;
    *(T *)dst = REAL ? (T)num : (T)inum;
}

static void NAME(gather)(void *dst, const void *src, const int32_t *restrict v, uint32_t s, const int32_t *mask, int n)
{
    T *restrict d = dst;
    const T *x = src;

    if (mask) {
        EACH(n) d[l] = x[((uint32_t)v[l] + s) & (uint32_t)mask[l]];
    } else {
        EACH(n) d[l] = x[(uint32_t)v[l] + s];
    }
}

static void NAME(spread)(void *dst, const void *src, int n)
{
    T *restrict d = dst;
    T x = *(const T *)src;

    EACH(n) d[l] = x;
}

static void NAME(blend)(void *dst, const int32_t *restrict mask, struct lane_val a, struct lane_val b, int n)
{
    T *restrict d = dst;
    const T *restrict x = a.p, *restrict y = b.p;
    T x0 = *x, y0 = *y;

    if (a.uniform && b.uniform) {
        EACH(n) d[l] = mask[l] ? x0 : y0;
    } else if (a.uniform) {
        EACH(n) d[l] = mask[l] ? x0 : y[l];
    } else if (b.uniform) {
        EACH(n) d[l] = mask[l] ? x[l] : y0;
    } else {
        EACH(n) d[l] = mask[l] ? x[l] : y[l];
    }
}

/* d = expression in p and q */
#define LOOP2(expression)                                                                    \
    do {                                                                                     \
        if (a.uniform && b.uniform) {                                                        \
            T p = *x, q = *y;                                                                \
            d[0] = (expression);                                                             \
        } else if (a.uniform) {                                                              \
            T p = *x;                                                                        \
            EACH(n) { T q = y[l]; d[l] = (expression); }                                     \
        } else if (b.uniform) {                                                              \
            T q = *y;                                                                        \
            EACH(n) { T p = x[l]; d[l] = (expression); }                                     \
        } else {                                                                             \
            EACH(n) { T p = x[l], q = y[l]; d[l] = (expression); }                           \
        }                                                                                    \
    } while (0)

#define LOOP1(expression)                                                                    \
    do {                                                                                     \
        if (a.uniform) {                                                                     \
            T p = *x;                                                                        \
            d[0] = (expression);                                                             \
        } else {                                                                             \
            EACH(n) { T p = x[l]; d[l] = (expression); }                                     \
        }                                                                                    \
    } while (0)

#if REAL
#define IS_ZERO(p) ((p) == 0 && !signbit(p))
#else
#define IS_ZERO(p) ((p) == 0)
#endif

#if REAL
static bool NAME(apply)(int fn, void *dst, struct lane_val a, struct lane_val b, const int32_t *mask, int n)
{
    T *restrict d = dst;
    const T *restrict x = a.p, *restrict y = b.p;

    (void)mask;
    switch (fn) {
    case FN_ADD: LOOP2(p + q); break;
    case FN_SUB: LOOP2(p - q); break;
    case FN_MUL: LOOP2(p * q); break;
    case FN_DIV: LOOP2(p / q); break;
    case FN_MAX: LOOP2(p < q ? q : p); break;
    case FN_MIN: LOOP2(q < p ? q : p); break;
    case FN_POW: LOOP2(MATH(pow)(p, q)); break;
    case FN_NEG: LOOP1(-p); break;
    case FN_EXP: LOOP1(MATH(exp)(p)); break;
    case FN_LOG: LOOP1(MATH(log)(p)); break;
    case FN_SQRT: LOOP1(sizeof(T) == 4 ? (T)sqrtf((float)p) : (T)sqrt((double)p)); break;
    case FN_TANH: LOOP1(MATH(tanh)(p)); break;
    case FN_ABS: LOOP1(sizeof(T) == 4 ? (T)fabsf((float)p) : (T)fabs((double)p)); break;
    case FN_ERF: LOOP1(MATH(erf)(p)); break;
    case FN_ROUND: LOOP1(sizeof(T) == 4 ? (T)calque_round_f32((float)p) : (T)calque_round_f64((double)p)); break;
    case FN_LESS: LOOP2(p < q ? (T)1 : (T)0); break;
    case FN_EQUAL: LOOP2(p == q ? (T)1 : (T)0); break;
    case FN_WHEN: LOOP2(p == 0 ? (T)0 : q); break;
    case FN_ORELSE: LOOP2(IS_ZERO(p) ? q : p); break;
    default: return false;
    }
    return true;
}
#else
/* Floor quotient or remainder; the least value over -1 wraps. */
static T NAME(divide)(T p, T q, bool remainder)
{
    T r;

    if (q == -1)
        return remainder ? 0 : (T)(0 - (U)p);
    r = p % q;
    if (remainder)
        return r != 0 && (r < 0) != (q < 0) ? r + q : r;
    return r != 0 && (r < 0) != (q < 0) ? p / q - 1 : p / q;
}

static bool NAME(divide_all)(void *dst, struct lane_val a, struct lane_val b, const int32_t *mask, int n, bool remainder)
{
    T *restrict d = dst;
    const T *restrict x = a.p, *restrict y = b.p;
    int last = a.uniform && b.uniform ? 1 : n;

    for (int l = 0; l < last; l++) {
        T p = x[a.uniform ? 0 : l], q = y[b.uniform ? 0 : l];
        if (q == 0 && (last == 1 || !mask || mask[l]))
            return false;
        d[l] = q == 0 ? 0 : NAME(divide)(p, q, remainder);
    }
    return true;
}

static bool NAME(apply)(int fn, void *dst, struct lane_val a, struct lane_val b, const int32_t *mask, int n)
{
    T *restrict d = dst;
    const T *restrict x = a.p, *restrict y = b.p;

    switch (fn) {
    case FN_ADD: LOOP2((T)((U)p + (U)q)); break;
    case FN_SUB: LOOP2((T)((U)p - (U)q)); break;
    case FN_MUL: LOOP2((T)((U)p * (U)q)); break;
    case FN_MAX: LOOP2(p < q ? q : p); break;
    case FN_MIN: LOOP2(q < p ? q : p); break;
    case FN_NEG: LOOP1((T)(0 - (U)p)); break;
    case FN_ABS: LOOP1(p < 0 ? (T)(0 - (U)p) : p); break;
    case FN_LESS: LOOP2(p < q ? (T)1 : (T)0); break;
    case FN_EQUAL: LOOP2(p == q ? (T)1 : (T)0); break;
    case FN_WHEN: LOOP2(p == 0 ? (T)0 : q); break;
    case FN_ORELSE: LOOP2(IS_ZERO(p) ? q : p); break;
    case FN_DIV:
    case FN_MOD:
        return NAME(divide_all)(dst, a, b, mask, n, fn == FN_MOD);
    default: return false;
    }
    return true;
}
#endif

#if REAL
#define PLUS(p, q) ((p) + (q))
#define TIMES(p, q) ((p) * (q))
#else
#define PLUS(p, q) ((T)((U)(p) + (U)(q)))
#define TIMES(p, q) ((T)((U)(p) * (U)(q)))
#endif

static void NAME(start)(int red, void *acc)
{
    *(T *)acc = red == RED_SUM ? 0 : LEAST;
}

static void NAME(fold)(int red, void *acc, struct lane_val v, int n)
{
    T *restrict s = acc;
    const T *restrict x = v.p;
    T p = *x;

    if (n == 1) {
        s[0] = red == RED_SUM ? PLUS(s[0], p) : s[0] < p ? p : s[0];
    } else if (red == RED_SUM && v.uniform) {
        EACH(n) s[l] = PLUS(s[l], p);
    } else if (red == RED_SUM) {
        EACH(n) s[l] = PLUS(s[l], x[l]);
    } else if (v.uniform) {
        EACH(n) s[l] = s[l] < p ? p : s[l];
    } else {
        EACH(n) s[l] = s[l] < x[l] ? x[l] : s[l];
    }
}

static void NAME(fold_product)(void *acc, struct lane_val a, struct lane_val b, int n)
{
    T *restrict s = acc;
    const T *restrict x = a.uniform ? b.p : a.p, *restrict y = a.uniform ? a.p : b.p;
    T q = *y;

    if (n == 1) {
        s[0] = PLUS(s[0], TIMES(*x, q));
    } else if (a.uniform && b.uniform) {
        T p = TIMES(*x, q);
        EACH(n) s[l] = PLUS(s[l], p);
    } else if (a.uniform || b.uniform) {
        EACH(n) s[l] = PLUS(s[l], TIMES(x[l], q));
    } else {
        EACH(n) s[l] = PLUS(s[l], TIMES(x[l], y[l]));
    }
}

#if REAL
#define FUSED(p, q, s) (sizeof(T) == 4 ? (T)fmaf((float)(p), (float)(q), (float)(s)) : (T)fma((double)(p), (double)(q), (double)(s)))

IN_BOTH static inline void NAME(fused)(void *acc, struct lane_val a, struct lane_val b, int n)
{
    T *restrict s = acc;
    const T *restrict x = a.uniform ? b.p : a.p, *restrict y = a.uniform ? a.p : b.p;
    T p = *x, q = *y;

    if (n == 1) {
        s[0] = FUSED(p, q, s[0]);
    } else if (a.uniform && b.uniform) {
        EACH(n) s[l] = FUSED(p, q, s[l]);
    } else if (a.uniform || b.uniform) {
        EACH(n) s[l] = FUSED(x[l], q, s[l]);
    } else {
        EACH(n) s[l] = FUSED(x[l], y[l], s[l]);
    }
}

static void NAME(fold_fused)(void *acc, struct lane_val a, struct lane_val b, int n)
{
    NAME(fused)(acc, a, b, n);
}

WITH_FMA static void NAME(fold_fused_fast)(void *acc, struct lane_val a, struct lane_val b, int n)
{
    NAME(fused)(acc, a, b, n);
}

#define FUSES(f) NAME(f)
#undef FUSED
#else
#define FUSES(f) NULL
#endif

static const struct lane_ops NAME(ops) = {sizeof(T),    NAME(literal), NAME(gather), NAME(apply),        NAME(blend),
                                          NAME(spread), NAME(start),   NAME(fold),   NAME(fold_product), FUSES(fold_fused),
                                          FUSES(fold_fused_fast)};

#undef FUSES
#undef EACH
#undef LOOP1
#undef LOOP2
#undef IS_ZERO
#undef PLUS
#undef TIMES
#undef T
#undef U
#undef REAL
#undef LEAST
#undef NAME
#undef MATH
