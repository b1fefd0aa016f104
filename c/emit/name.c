/* The names of emitted C: parameters, sizes and loop variables of programs, kernels and models. A name stays as it is where C
   can have it. A reserved word, an upper-case word of three letters or more (macros), and what our own variables are called
   (i3, v3) get an underscore, also when they have some already: what was different stays different. Names that are one
   identifier are numbered. Coq has levels in the place of names; ORDER c_name: oracle/dpia.ml has the same rules. */
#include "emit/minic.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that emitted C uses or cannot use as a name of its own: keywords of C11, C23 and C++, names of the standard headers and of
   mathematics libraries, macros that compilers define, what emitted code calls its own. Strictly increasing in ASCII, for a
   binary search; ORDER c_name: oracle/dpia.ml has the same words. */
static const char *const reserved[] = {
"I", "L_ctermid", "L_cuserid", "L_tmpnam", "P_tmpdir", "abort", "abs", "acos", "acosf", "acosh", "acoshf",
"acoshl", "acosl", "acospi", "acospif", "acospil", "alignas", "aligned_alloc", "alignof", "alloca", "and",
"and_eq", "asin", "asinf", "asinh", "asinhf", "asinhl", "asinl", "asinpi", "asinpif", "asinpil", "asm",
"assert", "at_quick_exit", "atan", "atan2", "atan2f", "atan2l", "atan2pi", "atan2pif", "atan2pil", "atanf",
"atanh", "atanhf", "atanhl", "atanl", "atanpi", "atanpif", "atanpil", "atexit", "atof", "atoi", "atol",
"atoll", "auto", "bcmp", "bcopy", "bitand", "bitor", "bool", "break", "bsearch", "bzero", "calloc", "case",
"catch", "cbrt", "cbrtf", "cbrtl", "ceil", "ceilf", "ceill", "char", "char16_t", "char32_t", "char8_t",
"class", "clearerr", "clock_t", "co_await", "co_return", "co_yield", "compl", "complex", "compoundn",
"compoundnf", "compoundnl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
"continue", "copysign", "copysignf", "copysignl", "cos", "cosf", "cosh", "coshf", "coshl", "cosl", "cospi",
"cospif", "cospil", "decltype", "default", "delete", "div", "div_t", "do", "double", "double_t", "dprintf",
"drand48", "drem", "dynamic_cast", "else", "enum", "environ", "erf", "erfc", "erfcf", "erfcl", "erff", "erfl",
"errno", "exception", "exit", "exp", "exp10", "exp10f", "exp10l", "exp10m1", "exp10m1f", "exp10m1l", "exp2",
"exp2f", "exp2l", "exp2m1", "exp2m1f", "exp2m1l", "expf", "expl", "explicit", "expm1", "expm1f", "expm1l",
"export", "extern", "fabs", "fabsf", "fabsl", "failed", "false", "far", "fclose", "fdim", "fdimf", "fdiml",
"fdopen", "feof", "ferror", "fflush", "ffs", "fgetc", "fgetpos", "fgets", "fileno", "final", "finite",
"float", "float_t", "floor", "floorf", "floorl", "fma", "fmaf", "fmal", "fmax", "fmaxf", "fmaximum",
"fmaximumf", "fmaximuml", "fmaxl", "fmin", "fminf", "fminimum", "fminimumf", "fminimuml", "fminl", "fmod",
"fmodf", "fmodl", "fopen", "for", "fortran", "fpclassify", "fpos_t", "fprintf", "fputc", "fputs", "fread",
"free", "freopen", "frexp", "frexpf", "frexpl", "friend", "fscanf", "fseek", "fsetpos", "ftell", "fwrite",
"gamma", "gammaf", "getc", "getchar", "getdelim", "getenv", "getline", "gets", "gid_t", "goto", "hppa",
"hypot", "hypotf", "hypotl", "i386", "if", "ilogb", "ilogbf", "ilogbl", "imaginary", "index", "inline", "int",
"int16_t", "int32_t", "int64_t", "int8_t", "int_fast16_t", "int_fast32_t", "int_fast64_t", "int_fast8_t",
"int_least16_t", "int_least32_t", "int_least64_t", "int_least8_t", "intmax_t", "intptr_t", "iscanonical",
"isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal", "islessgreater", "isnan",
"isnormal", "issignaling", "issubnormal", "isunordered", "iszero", "j0", "j0f", "j1", "j1f", "jn", "jnf",
"labs", "ldexp", "ldexpf", "ldexpl", "ldiv", "ldiv_t", "lgamma", "lgammaf", "lgammal", "linux", "llabs",
"lldiv", "lldiv_t", "llrint", "llrintf", "llrintl", "llround", "llroundf", "llroundl", "log", "log10",
"log10f", "log10l", "log10p1", "log10p1f", "log10p1l", "log1p", "log1pf", "log1pl", "log2", "log2f", "log2l",
"log2p1", "log2p1f", "log2p1l", "logb", "logbf", "logbl", "logf", "logl", "logp1", "logp1f", "logp1l", "long",
"lrint", "lrintf", "lrintl", "lround", "lroundf", "lroundl", "m68k", "main", "malloc", "math_errhandling",
"max_align_t", "mblen", "mbstowcs", "mbtowc", "memccpy", "memchr", "memcmp", "memcpy", "memmove", "memset",
"memset_explicit", "mips", "mode_t", "modf", "modff", "modfl", "mutable", "namespace", "nan", "nanf", "nanl",
"near", "nearbyint", "nearbyintf", "nearbyintl", "new", "nextafter", "nextafterf", "nextafterl", "nextdown",
"nextdownf", "nextdownl", "nexttoward", "nexttowardf", "nexttowardl", "nextup", "nextupf", "nextupl",
"noexcept", "noreturn", "not", "not_eq", "nullptr", "nullptr_t", "off_t", "offsetof", "operator", "or",
"or_eq", "override", "pclose", "perror", "pid_t", "pixel", "popen", "pow", "powf", "powl", "pown", "pownf",
"pownl", "powr", "powrf", "powrl", "printf", "private", "protected", "ptrdiff_t", "public", "putc", "putchar",
"putenv", "puts", "qsort", "quick_exit", "rand", "random", "realloc", "register", "reinterpret_cast",
"remainder", "remainderf", "remainderl", "remove", "remquo", "remquof", "remquol", "rename", "requires",
"restrict", "return", "rewind", "rindex", "rint", "rintf", "rintl", "rootn", "rootnf", "rootnl", "round",
"roundeven", "roundevenf", "roundevenl", "roundf", "roundl", "rsqrt", "rsqrtf", "rsqrtl", "scalb", "scalbln",
"scalblnf", "scalblnl", "scalbn", "scalbnf", "scalbnl", "scanf", "setbuf", "setenv", "setjmp", "setvbuf",
"short", "signbit", "signed", "signgam", "significand", "sin", "sinf", "sinh", "sinhf", "sinhl", "sinl",
"sinpi", "sinpif", "sinpil", "size_t", "sizeof", "snprintf", "sparc", "sprintf", "sqrt", "sqrtf", "sqrtl",
"srand", "srandom", "sscanf", "ssize_t", "static", "static_assert", "static_cast", "std", "stderr", "stdin",
"stdout", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror", "strlen",
"strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr", "strspn", "strstr", "strtod",
"strtof", "strtok", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "struct", "strxfrm", "sun",
"switch", "system", "tan", "tanf", "tanh", "tanhf", "tanhl", "tanl", "tanpi", "tanpif", "tanpil", "template",
"tgamma", "tgammaf", "tgammal", "this", "thread_local", "throw", "time_t", "tmpfile", "tmpnam", "true",
"trunc", "truncf", "truncl", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "uid_t",
"uint16_t", "uint32_t", "uint64_t", "uint8_t", "uint_fast16_t", "uint_fast32_t", "uint_fast64_t",
"uint_fast8_t", "uint_least16_t", "uint_least32_t", "uint_least64_t", "uint_least8_t", "uintmax_t",
"uintptr_t", "ungetc", "union", "unix", "unsetenv", "unsigned", "using", "va_arg", "va_copy", "va_end",
"va_list", "va_start", "vax", "vector", "vfprintf", "vfscanf", "virtual", "void", "volatile", "vprintf",
"vscanf", "vsnprintf", "vsprintf", "vsscanf", "wchar_t", "wcstombs", "wctomb", "while", "wint_t", "xor",
"xor_eq", "y0", "y0f", "y1", "y1f", "yn", "ynf",
};

static int compare(const void *key, const void *word)
{
    return strcmp(key, *(const char *const *)word);
}

bool print_is_reserved(const char *s)
{
    return bsearch(s, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, compare) != NULL;
}

/* The name as an identifier: t before it when it begins with no letter, an underscore for what is no letter or digit. */
static bool has_prefix(const char *s)
{
    return !isalpha((unsigned char)s[0]);
}

static size_t length(const char *s)
{
    return strlen(s) + has_prefix(s);
}

static char char_at(const char *s, size_t i)
{
    if (has_prefix(s) && i == 0)
        return 't';
    return (char)(isalnum((unsigned char)s[i - has_prefix(s)]) ? s[i - has_prefix(s)] : '_');
}

static bool same_identifier(const char *a, const char *b)
{
    size_t n = length(a);

    if (n != length(b))
        return false;
    for (size_t i = 0; i < n; i++)
        if (char_at(a, i) != char_at(b, i))
            return false;
    return true;
}

/* STEM and a number. */
static bool is_numbered(const char *s, const char *stem)
{
    size_t k = strlen(stem);

    return strncmp(s, stem, k) == 0 && s[k] && strspn(s + k, "0123456789") == strlen(s + k);
}

/* Does the identifier, but for underscores at its end, have a use in emitted C? */
static bool is_taken(const char *s)
{
    char word[64];
    size_t n = length(s);
    bool upper = true;

    while (n > 0 && char_at(s, n - 1) == '_')
        n--;
    for (size_t i = 0; i < n; i++)
        upper = upper && !islower((unsigned char)char_at(s, i));
    if (upper && n > 2)
        return true;
    if (n >= sizeof word)
        return strncmp(s, "calque_", 7) == 0;
    for (size_t i = 0; i < n; i++)
        word[i] = char_at(s, i);
    word[n] = '\0';
    return strncmp(word, "calque_", 7) == 0 || is_numbered(word, "i") || is_numbered(word, "v") || is_numbered(word, "arg_") ||
           is_numbered(word, "size_") || print_is_reserved(word);
}

static void put_name(struct text *t, const char *s)
{
    size_t n = length(s);

    for (size_t i = 0; i < n; i++) {
        char c = char_at(s, i);
        text_put(t, &c, 1);
    }
    if (is_taken(s))
        text_puts(t, "_");
}

static const char *size_name(const struct prog *p, int i)
{
    return strs_text(p->strs, p->size_name.a[i]);
}

static const char *param_name(const struct prog *p, int i)
{
    return strs_text(p->strs, p->param.a[i].name);
}

/* Has another size (than `size`) or parameter (than `param`) the same identifier? */
static bool is_shared(const struct prog *p, const char *s, int size, int param)
{
    if (prog_named(p, s) <= (size >= 0 || param >= 0))
        return false;
    for (int i = 0; i < p->size_name.n; i++)
        if (i != size && same_identifier(s, size_name(p, i)))
            return true;
    for (int i = 0; i < p->param.n; i++)
        if (i != param && same_identifier(s, param_name(p, i)))
            return true;
    return false;
}

void print_size_var(struct text *t, const struct prog *p, int size)
{
    if (is_shared(p, size_name(p, size), size, -1))
        text_printf(t, "size_%d", size);
    else
        put_name(t, size_name(p, size));
}

void print_param(struct text *t, const struct prog *p, int param)
{
    if (is_shared(p, param_name(p, param), -1, param))
        text_printf(t, "arg_%d", param);
    else
        put_name(t, param_name(p, param));
}

/* A loop's variable is called after the program's, for people: letters and its level. */
static void put_loop(struct text *t, const struct prog *p, const char *hint, int level)
{
    size_t n = strspn(hint, "abcdefghijklmnopqrstuvwxyz");
    char name[32];

    if (n > 0 && n <= 8) {
        snprintf(name, sizeof name, "%.*s%d", (int)n, hint, level);
        if (!is_taken(name) && !is_shared(p, name, -1, -1)) {
            text_puts(t, name);
            return;
        }
    }
    text_printf(t, "i%d", level);
}

void print_var(const struct printer *q, int level)
{
    const struct prog *p = q->m->code->prog;
    const struct code *c = q->m->code;
    const struct level *l = &c->level.a[level < c->level.n ? level : q->m->alias.a[level - c->level.n]];

    if (level < p->param.n)
        print_param(q->t, p, level);
    else if (l->type >= 0)
        text_printf(q->t, "v%d", q->m->plain && q->m->number ? q->m->number[level] : level);
    else if (q->m->plain)
        text_printf(q->t, "i%d", q->m->number ? q->m->number[level] : level);
    else
        put_loop(q->t, p, l->hint >= 0 ? strs_text(p->strs, l->hint) : "", level);
}
