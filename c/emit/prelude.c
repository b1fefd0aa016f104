/* What every file of emitted C begins with. */
#include "emit/minic.h"

#include <string.h>

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
    TWO("calque_less_f32", "float", "return a < b ? 1.0f : 0.0f;"),
    TWO("calque_less_f64", "double", "return a < b ? 1.0 : 0.0;"),
    TWO("calque_less_i32", "int32_t", "return a < b;"),
    TWO("calque_less_i64", "int64_t", "return a < b;"),
};
_Static_assert(sizeof helpers / sizeof *helpers <= 32, "a set of helpers is an unsigned");

const char *print_type(enum kernel_type type)
{
    static const char *const name[] = { "float", "double", "int32_t", "int64_t" };

    return name[type];
}

void print_prelude(struct text *t, unsigned used)
{
    text_puts(t, "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
                 "#ifdef __clang__ /* a loop marked simd may be left as it is */\n"
                 "#pragma clang diagnostic ignored \"-Wpass-failed\"\n#endif\n\n");
    for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (used >> i & 1) {
            text_puts(t, helpers[i].text);
            text_puts(t, "\n");
        }
}

const char *print_helper(const char *stem, const char *sfx, unsigned *used)
{
    size_t n = strlen(stem);

    for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const char *s = helpers[i].name + strlen("calque_");
        if (strncmp(s, stem, n) == 0 && s[n] == '_' && strcmp(s + n + 1, sfx) == 0) {
            *used |= 1u << i;
            return helpers[i].name;
        }
    }
    return "calque_missing"; /* does not compile: fn.def has a function this file has not */
}
