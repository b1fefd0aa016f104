/* What every file of emitted C begins with. */
#include "emit/minic.h"

#include <stdio.h>
#include <string.h>

#include "math_text.h"

/* Helper functions of emitted code; bit i of a set is helper i. */
static const struct {
    const char *name, *text;
} helpers[] = {
#define TWO(name, type, body) { name, "static inline " type " " name "(" type " a, " type " b)\n{\n    " body "\n}\n" }
#define ONE(name, type, body) { name, "static inline " type " " name "(" type " a)\n{\n    " body "\n}\n" }
#define MAXMIN(sfx, type)                                                                                   \
    TWO("calque_max_" sfx, type, "return a < b ? b : a;"), TWO("calque_min_" sfx, type, "return b < a ? b : a;")
    MAXMIN("f32", "float"),
    MAXMIN("f64", "double"),
    MAXMIN("i32", "int32_t"),
    MAXMIN("i64", "int64_t"),
    MAXMIN("index", "long"),
    TWO("calque_div_index", "long", "return a / b - (a % b < 0);"),
    TWO("calque_mod_index", "long", "return a % b < 0 ? a % b + b : a % b;"),
#define INT_OPS(sfx, type, utype)                                                                           \
    TWO("calque_add_" sfx, type, "return (" type ")((" utype ")a + (" utype ")b);"),                        \
    TWO("calque_sub_" sfx, type, "return (" type ")((" utype ")a - (" utype ")b);"),                        \
    TWO("calque_mul_" sfx, type, "return (" type ")((" utype ")a * (" utype ")b);"),                        \
    TWO("calque_div_" sfx, type, "if (b == 0 || b == -1)\n        return b == 0 ? 0 : (" type ")(0 - (" utype \
        ")a);\n    return a / b - (a % b != 0 && (a < 0) != (b < 0));"),                                   \
    TWO("calque_mod_" sfx, type, "if (b == 0 || b == -1)\n        return 0;\n"                            \
        "    return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;"),                                \
    ONE("calque_neg_" sfx, type, "return (" type ")(0 - (" utype ")a);"),                                   \
    ONE("calque_abs_" sfx, type, "return a < 0 ? (" type ")(0 - (" utype ")a) : a;")
    INT_OPS("i32", "int32_t", "uint32_t"),
    INT_OPS("i64", "int64_t", "uint64_t"),
    /* keeps a constant from the compiler, which would evaluate libm functions of it in its own way */
    ONE("calque_hide_f32", "float", "volatile float b = a;\n    return b;"),
    ONE("calque_hide_f64", "double", "volatile double b = a;\n    return b;"),
    /* keeps a guard in a loop from gcc, whose loop splitting and if-conversion (12.2) miscompile some */
    ONE("calque_guard_index", "long", "\n#if defined __GNUC__ && !defined __clang__\n    __asm__(\"\" : \"+r\"(a));\n#endif\n    return a;"),
    TWO("calque_less_f32", "float", "return a < b ? 1.0f : 0.0f;"),
    TWO("calque_less_f64", "double", "return a < b ? 1.0 : 0.0;"),
    TWO("calque_less_i32", "int32_t", "return a < b;"),
    TWO("calque_less_i64", "int64_t", "return a < b;"),
#define CHOICE(sfx, type, minus)                                                                            \
    TWO("calque_equal_" sfx, type, "return a == b;"), TWO("calque_when_" sfx, type, "return a == 0 ? 0 : b;"), \
    TWO("calque_orelse_" sfx, type, "return a == 0" minus " ? b : a;")
    CHOICE("f32", "float", " && !signbit(a)"),
    CHOICE("f64", "double", " && !signbit(a)"),
    CHOICE("i32", "int32_t", ""),
    CHOICE("i64", "int64_t", ""),
#define TO_BOOL(sfx, type) { "calque_bool_" sfx, "static inline uint8_t calque_bool_" sfx "(" type " a)\n{\n    return a != 0;\n}\n" }
    TO_BOOL("f32", "float"),
    TO_BOOL("f64", "double"),
    TO_BOOL("i32", "int32_t"),
    TO_BOOL("i64", "int64_t"),
    /* towards zero, saturating, NaN to 0 */
#define TO_INT(sfx, type, from, real, lo, hi, least, power)                                                        \
    { "calque_to_" sfx "_" from, "static inline " type " calque_to_" sfx "_" from "(" real " a)\n{\n    return a != a ? 0 : a < " \
      least " ? " lo " : a >= " power " ? " hi " : (" type ")a;\n}\n" }
    TO_INT("i32", "int32_t", "f32", "float", "INT32_MIN", "INT32_MAX", "-0x1p31f", "0x1p31f"),
    TO_INT("i32", "int32_t", "f64", "double", "INT32_MIN", "INT32_MAX", "-0x1p31", "0x1p31"),
    TO_INT("i64", "int64_t", "f32", "float", "INT64_MIN", "INT64_MAX", "-0x1p63f", "0x1p63f"),
    TO_INT("i64", "int64_t", "f64", "double", "INT64_MIN", "INT64_MAX", "-0x1p63", "0x1p63"),
    TO_INT("i8", "int8_t", "f32", "float", "INT8_MIN", "INT8_MAX", "-0x1p7f", "0x1p7f"),
    TO_INT("i8", "int8_t", "f64", "double", "INT8_MIN", "INT8_MAX", "-0x1p7", "0x1p7"),
    TO_INT("u8", "uint8_t", "f32", "float", "0", "UINT8_MAX", "0.0f", "0x1p8f"),
    TO_INT("u8", "uint8_t", "f64", "double", "0", "UINT8_MAX", "0.0", "0x1p8"),
};
_Static_assert(sizeof helpers / sizeof *helpers <= 64, "a set of helpers is an unsigned long");

const char *print_type(enum kernel_type type)
{
    static const char *const name[] = { "float", "double", "int32_t", "int64_t" };

    return name[type];
}

const char *print_elem(int elem)
{
    static const char *const name[] = {
        [ELEM_F32] = "float", [ELEM_F64] = "double", [ELEM_I32] = "int32_t", [ELEM_I64] = "int64_t",
        [ELEM_I8] = "int8_t", [ELEM_U8] = "uint8_t", [ELEM_BOOL] = "uint8_t",
    };

    return name[elem];
}

#define FAST_MATH                                                                                           \
    "#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ || \\\n"      \
    "    (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0)\n"                                      \
    "#error \"-ffast-math, -Ofast and the like change results: compile without\"\n#endif\n"

void print_checks(struct text *t)
{
    text_puts(t, "#include <float.h>\n\n"
                 FAST_MATH
                 "#if !defined FLT_EVAL_METHOD || FLT_EVAL_METHOD != 0\n"
                 "#error \"float and double are to be computed in their own precision (x86: -msse2 -mfpmath=sse)\"\n#endif\n"
                 "#ifdef __clang__ /* gcc: -ffp-contract=off */\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n");
}

static void put_helpers(struct text *t, unsigned long used)
{
    for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (used >> i & 1) {
            text_puts(t, helpers[i].text);
            text_puts(t, "\n");
        }
}

/* ---- Calque's own functions (kernel/math.inc) ---- */

enum { OWN_MAX = 32 };
struct own {
    const char *start, *name; /* the comment before it; after "calque_" */
    int n, name_n;
};

/* The functions of the text, each from its comment to the brace at the margin, parted by empty lines, as the head of the file is. */
static int own_functions(struct own *f)
{
    const char *s = strstr((const char *)math_text, "\n\n");
    int n = 0;

    for (; s && n < OWN_MAX; n++) {
        const char *head = strstr(s, "static inline "), *end = head ? strstr(head, "\n}\n") : NULL;
        if (!end)
            break;
        f[n] = (struct own){ .start = s + 2, .n = (int)(end - s + 1), .name = strstr(head, "calque_") };
        f[n].name_n = (int)strcspn(f[n].name, "(");
        s = end + 2;
    }
    return n;
}

/* Does the text of f call g? */
static bool own_calls(const struct own *f, const struct own *g)
{
    for (const char *s = f->name + f->name_n; s < f->start + f->n - g->name_n; s++)
        if (s[g->name_n] == '(' && memcmp(s, g->name, (size_t)g->name_n) == 0)
            return true;
    return false;
}

/* The functions of the set and those that they call, which stand before them. */
static void put_own(struct text *t, unsigned long own)
{
    struct own f[OWN_MAX];
    bool used[OWN_MAX] = {false};
    int n = own ? own_functions(f) : 0;
    char name[32];

    for (int op = 0; op < FN_COUNT && own; op++)
        for (int f64 = 0; f64 < 2; f64++)
            if (own >> (2 * op + f64) & 1) {
                int k = snprintf(name, sizeof name, "calque_%s_%s", fn_info(op)->text, f64 ? "f64" : "f32");
                for (int i = 0; i < n; i++)
                    used[i] = used[i] || (f[i].name_n == k && memcmp(f[i].name, name, (size_t)k) == 0);
            }
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < i && used[i]; j++)
            used[j] = used[j] || own_calls(&f[i], &f[j]);
    for (int i = 0; i < n; i++)
        if (used[i]) {
            text_put(t, f[i].start, (size_t)f[i].n);
            text_puts(t, "\n");
        }
}

void print_helpers(struct text *t, unsigned long used, unsigned long own)
{
    put_helpers(t, used);
    put_own(t, own);
}

bool print_helpers_math(unsigned long used)
{
    for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if ((used >> i & 1) && strstr(helpers[i].text, "signbit("))
            return true;
    return false;
}

void print_libm(struct text *t, unsigned long libm)
{
    for (int op = 0; op < FN_COUNT; op++)
        for (int f64 = 0; f64 < 2; f64++)
            if (libm >> (2 * op + f64) & 1) {
                int n = (int)strcspn(fn_info(op)->c, "(");
                text_printf(t, " %.*s", f64 ? n - 1 : n, fn_info(op)->c); /* powf -> pow */
            }
}

/* FLT_EVAL_METHOD of a compiler that says it without float.h. */
void print_free_prelude(struct text *t, unsigned long used, unsigned long libm, unsigned long own)
{
    text_puts(t, FAST_MATH
                 "#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0\n"
                 "#error \"float and double are to be computed in their own precision (x86: -msse2 -mfpmath=sse)\"\n#endif\n"
                 "#if !defined __GNUC__ || defined __clang__ /* gcc: -std=c99 or -ffp-contract=off */\n"
                 "#pragma STDC FP_CONTRACT OFF\n#endif\n"
                 "#ifdef __GNUC__ /* each stays a function of its own: its time and its stack can be measured */\n"
                 "#define CALQUE_STEP static __attribute__((noinline))\n#else\n#define CALQUE_STEP static\n#endif\n\n");
    if (libm || print_helpers_math(used))
        text_puts(t, "#include <math.h>\n\n");
    print_helpers(t, used, own);
}

void print_prelude(struct text *t, unsigned long used, unsigned long own)
{
    text_puts(t, "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
                 "#ifdef __clang__ /* a loop marked simd may be left as it is */\n"
                 "#pragma clang diagnostic ignored \"-Wpass-failed\"\n#endif\n\n");
    print_helpers(t, used, own);
}

const char *print_helper(const char *stem, const char *sfx, unsigned long *used)
{
    size_t n = strlen(stem);

    for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const char *s = helpers[i].name + strlen("calque_");
        if (strncmp(s, stem, n) == 0 && s[n] == '_' && strcmp(s + n + 1, sfx) == 0) {
            *used |= 1ul << i;
            return helpers[i].name;
        }
    }
    return "calque_missing"; /* does not compile: fn.def has a function this file has not */
}
