/* What emitted contracts rest on: scalar operations, conversions, the contents of arrays, lemmas about indices. */
#include "emit/contract_internal.h"
#include "emit/minic.h"
#include "emit/module.h"

/* What stands for the letters of a template: ~T the C type, ~L the type in ACSL, ~U the unsigned type, ~S the name of the element
   type, ~E that of its sequences, ~N the function; of a conversion ~F, ~M, ~R the type it is from, as ~T, ~L, ~S. */
struct names {
    int elem, from;
    const char *fn;
};

static const char *name_of(const struct names *n, char letter)
{
    static const char *const wrap[ACSL_ELEMS] = {
        [ELEM_I32] = "unsigned int", [ELEM_I64] = "unsigned long", [ELEM_I8] = "uint8_t", [ELEM_U8] = "uint8_t",
    };

    switch (letter) {
    case 'T': return print_elem(n->elem);
    case 'L': return acsl_type(n->elem);
    case 'U': return wrap[n->elem];
    case 'S': return elem_name(n->elem);
    case 'E': return acsl_suffix(n->elem);
    case 'F': return print_elem(n->from);
    case 'M': return acsl_type(n->from);
    case 'R': return elem_name(n->from);
    default: return n->fn;
    }
}

static void put_names(struct text *t, const struct names *n, const char *s)
{
    for (; *s; s++) {
        if (*s == '~')
            text_puts(t, name_of(n, *++s));
        else
            text_put(t, s, 1);
    }
}

static void put_template(struct text *t, int elem, const char *s)
{
    put_names(t, &(struct names){ .elem = elem }, s);
}

static const char head_text[] =
    "/* Emitted by calque: what the contracts beside it are written in. Proved by `make wp`.\n"
    "   seq_T, vec_T, at_T for an element type T: finite sequences, the content of an array as one, its element i. The model\n"
    "   of their axioms: a sequence is the list of the array's first n elements. Truth values are bytes, u8. */\n"
    "#ifndef CALQUE_ACSL_H\n"
    "#define CALQUE_ACSL_H\n"
    "\n"
    "#include <stdint.h>\n";

static const char parallel_text[] =
    "\n"
    "#if defined(_OPENMP) && !defined(__FRAMAC__) /* cells: below so many, starting threads does not pay */\n"
    "#define CALQUE_DO(text) _Pragma(#text)\n"
    "#define CALQUE_PARALLEL_FOR(cells) CALQUE_DO(omp parallel for if ((cells) >= 1024))\n"
    "#else\n"
    "#define CALQUE_PARALLEL_FOR(cells)\n"
    "#endif\n"
    "\n";

static const char vec_text[] =
    "/*@ axiomatic Vec_~S {\n"
    "      type seq_~S;\n"
    "      logic ~L at_~S(seq_~S v, integer i);\n"
    "      logic seq_~S vec_~S{L}(~L *a, integer n) reads a[0 .. n - 1];\n"
    "      axiom vec_~S_at{L}: \\forall ~L *a, integer n, i; 0 <= i < n ==> same_~S(at_~S(vec_~S(a, n), i), a[i]);\n"
    "      axiom vec_~S_same{K, L}: \\forall ~L *a, integer n;\n"
    "        (\\forall integer i; 0 <= i < n ==> same_~S(\\at(a[i], K), \\at(a[i], L))) ==> vec_~S{K}(a, n) == vec_~S{L}(a, n);\n"
    "    } */\n\n";

static const char real_text[] =
    "/* The scalar operations stand for those of IEEE 754: the C operators and these logic functions are the same symbols\n"
    "   (calque.driver), of which nothing is known (calque.mlw): what is proved holds bit for bit, NaN payloads excepted,\n"
    "   whatever the operations compute, so for the rounding to nearest of IEEE too. same: the same value, +0 is not -0. */\n"
    "/*@ axiomatic Real_~S {\n"
    "      predicate same_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L add_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L sub_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L mul_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L div_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L neg_~S(~L a) reads \\nothing;\n"
    "      logic boolean lt_~S(~L a, ~L b) reads \\nothing;\n"
    "      logic ~L inf_~S reads \\nothing;\n"
    "      logic ~L minus_inf_~S reads \\nothing;\n"
    "      logic ~L minus_zero_~S reads \\nothing;\n"
    "      logic ~L nan_~S reads \\nothing;\n"
    "    } */\n\n";

static const char integer_text[] =
    "/* Integers wrap around, exactly as the C does. */\n"
    "/*@ predicate same_~S(~L a, ~L b) = a == b; */\n\n";

/* A function that Frama-C knows by its contract only. */
#define TRUSTED(name, params, c_params, args, body)                                                          \
    "/* Taken on trust: it is a function of its arguments, named " name "_~S in contracts. */\n"               \
    "/*@ axiomatic Of_" name "_~S { logic ~L " name "_~S(" params ") reads \\nothing; } */\n"                 \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~S(\\result, " name "_~S(" args ")); */\n" \
    "#ifdef __FRAMAC__\n~T calque_" name "_~S(" c_params ");\n#else\n"                                        \
    "static inline ~T calque_" name "_~S(" c_params ")\n{\n    " body "\n}\n#endif\n\n"
#define SPECIAL(name, value)                                                                                 \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~S(\\result, " name "_~S); */\n" \
    "#ifdef __FRAMAC__\n~T calque_" name "_~S(void);\n#else\n"                                                \
    "static inline ~T calque_" name "_~S(void)\n{\n    return (~T)" value ";\n}\n#endif\n\n"
/* A function that is proved to be its logic definition. */
#define PROVED(name, params, c_params, args, definition, body)                                               \
    "/*@ logic ~L " name "_~S(" params ") = " definition "; */\n"                                             \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~S(\\result, " name "_~S(" args ")); */\n" \
    "static inline ~T calque_" name "_~S(" c_params ")\n{\n    " body "\n}\n\n"

static const char special_text[] =
    SPECIAL("inf", "INFINITY") SPECIAL("minus_inf", "-INFINITY") SPECIAL("minus_zero", "-0.0") SPECIAL("nan", "NAN");

/* Infix ones have no text. The volatile keeps a constant from the compiler, which would evaluate libm's in its own way. */
#define LIBM1(name, f) TRUSTED(name, "~L a", "~T a", "a", "volatile ~T x = a;\n    return (~T)" f "(x);")
#define CHOICE(name, value) TRUSTED(name, "~L a, ~L b", "~T a, ~T b", "a, b", "return " value ";")
static const char *const real_op[2][FN_COUNT] = {
    {
        [FN_MAX] = PROVED("max", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(a, b) ? b : a", "return a < b ? b : a;"),
        [FN_MIN] = PROVED("min", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(b, a) ? b : a", "return b < a ? b : a;"),
        [FN_LESS] = PROVED("less", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(a, b) ? (~L)(1.0) : (~L)(0.0)",
                           "return a < b ? 1.0f : 0.0f;"),
        [FN_EQUAL] = CHOICE("equal", "a == b ? 1.0f : 0.0f"), [FN_WHEN] = CHOICE("when", "a == 0.0f ? 0.0f : b"),
        [FN_ORELSE] = CHOICE("orelse", "a == 0.0f && !signbit(a) ? b : a"),
        [FN_POW] = TRUSTED("pow", "~L a, ~L b", "~T a, ~T b", "a, b", "volatile ~T x = a, y = b;\n    return powf(x, y);"),
        [FN_EXP] = LIBM1("exp", "expf"), [FN_LOG] = LIBM1("log", "logf"), [FN_SQRT] = LIBM1("sqrt", "sqrtf"),
        [FN_TANH] = LIBM1("tanh", "tanhf"), [FN_ABS] = LIBM1("abs", "fabsf"), [FN_ERF] = LIBM1("erf", "erff"),
    },
    {
        [FN_MAX] = PROVED("max", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(a, b) ? b : a", "return a < b ? b : a;"),
        [FN_MIN] = PROVED("min", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(b, a) ? b : a", "return b < a ? b : a;"),
        [FN_LESS] = PROVED("less", "~L a, ~L b", "~T a, ~T b", "a, b", "lt_~S(a, b) ? (~L)(1.0) : (~L)(0.0)",
                           "return a < b ? 1.0 : 0.0;"),
        [FN_EQUAL] = CHOICE("equal", "a == b ? 1.0 : 0.0"), [FN_WHEN] = CHOICE("when", "a == 0.0 ? 0.0 : b"),
        [FN_ORELSE] = CHOICE("orelse", "a == 0.0 && !signbit(a) ? b : a"),
        [FN_POW] = TRUSTED("pow", "~L a, ~L b", "~T a, ~T b", "a, b", "volatile ~T x = a, y = b;\n    return pow(x, y);"),
        [FN_EXP] = LIBM1("exp", "exp"), [FN_LOG] = LIBM1("log", "log"), [FN_SQRT] = LIBM1("sqrt", "sqrt"),
        [FN_TANH] = LIBM1("tanh", "tanh"), [FN_ABS] = LIBM1("abs", "fabs"), [FN_ERF] = LIBM1("erf", "erf"),
    },
};

#define WRAP(name, op)                                                                                       \
    PROVED(name, "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(~U)((~U)a " op " (~U)b)", "return (~T)((~U)a " op " (~U)b);")
static const char *const integer_op[FN_COUNT] = {
    [FN_ADD] = WRAP("add", "+"), [FN_SUB] = WRAP("sub", "-"), [FN_MUL] = WRAP("mul", "*"),
    [FN_DIV] = PROVED("div", "~L a, ~L b", "~T a, ~T b", "a, b",
                      "(~L)(b == 0 ? 0 : b == -1 ? (~L)(~U)(0 - (~U)a) :\n"
                      "      a / b - (a % b != 0 && ((a < 0 && b > 0) || (a > 0 && b < 0)) ? 1 : 0))",
                      "if (b == 0 || b == -1)\n        return b == 0 ? 0 : (~T)((~U)0 - (~U)a);\n"
                      "    return a / b - (a % b != 0 && (a < 0) != (b < 0));"),
    [FN_MOD] = PROVED("mod", "~L a, ~L b", "~T a, ~T b", "a, b",
                      "(~L)(b == 0 || b == -1 ? 0 :\n"
                      "      a % b != 0 && ((a < 0 && b > 0) || (a > 0 && b < 0)) ? a % b + b : a % b)",
                      "if (b == 0 || b == -1)\n        return 0;\n"
                      "    return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;"),
    [FN_MAX] = PROVED("max", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(a < b ? b : a)", "return a < b ? b : a;"),
    [FN_MIN] = PROVED("min", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(b < a ? b : a)", "return b < a ? b : a;"),
    [FN_NEG] = PROVED("neg", "~L a", "~T a", "a", "(~L)(~U)(0 - (~U)a)", "return (~T)((~U)0 - (~U)a);"),
    [FN_ABS] = PROVED("abs", "~L a", "~T a", "a", "(~L)(a < 0 ? (~L)(~U)(0 - (~U)a) : a)",
                      "return a < 0 ? (~T)((~U)0 - (~U)a) : a;"),
    [FN_LESS] = PROVED("less", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(a < b ? 1 : 0)", "return a < b;"),
    [FN_EQUAL] = PROVED("equal", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(a == b ? 1 : 0)", "return a == b;"),
    [FN_WHEN] = PROVED("when", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(a == 0 ? 0 : b)", "return a == 0 ? 0 : b;"),
    [FN_ORELSE] = PROVED("orelse", "~L a, ~L b", "~T a, ~T b", "a, b", "(~L)(a == 0 ? b : a)", "return a == 0 ? b : a;"),
};

static const char floor_text[] =
    "/*@ logic integer floor_div(integer a, integer b) = a / b - (a % b < 0 ? 1 : 0);\n"
    "    logic integer floor_mod(integer a, integer b) = a % b < 0 ? a % b + b : a % b; */\n"
    "/*@ requires positive: b > 0; terminates \\true; exits \\false; assigns \\nothing;\n"
    "    ensures value: \\result == floor_div(a, b); */\n"
    "static inline long calque_floor_div(long a, long b)\n{\n    return a / b - (a % b < 0);\n}\n\n"
    "/*@ requires positive: b > 0; terminates \\true; exits \\false; assigns \\nothing;\n"
    "    ensures value: \\result == floor_mod(a, b); */\n"
    "static inline long calque_floor_mod(long a, long b)\n{\n    return a % b < 0 ? a % b + b : a % b;\n}\n\n";

/* Non-linear facts about row-major indices: each is proved once and used by ghost calls. */
static const char lemma_text[] =
    "/* Row i, column j of n rows of m: the place is inside. */\n"
    "/*@ ghost\n"
    "  /@ requires bounds: 0 <= i < n && 0 <= j < m;\n"
    "     terminates \\true; exits \\false; assigns \\nothing;\n"
    "     ensures place: 0 <= i * m && 0 <= i * m + j < n * m && i * m + m <= n * m; @/\n"
    "  void lemma_index(long i, long j, long n, long m)\n"
    "  {\n"
    "    /@ assert next: (i + 1) * m <= n * m; @/\n"
    "    /@ assert here: 0 <= i * m; @/\n"
    "  }\n"
    "*/\n"
    "/* Row and column of the place. */\n"
    "/*@ ghost\n"
    "  /@ requires bounds: 0 <= i && 0 <= j < m;\n"
    "     terminates \\true; exits \\false; assigns \\nothing;\n"
    "     ensures parts: (i * m + j) / m == i && (i * m + j) % m == j; @/\n"
    "  void lemma_div(long i, long j, long m)\n"
    "  {\n"
    "    /@ assert here: 0 <= i * m; @/\n"
    "  }\n"
    "*/\n"
    "/* Row i is inside, and ends where the next one starts. */\n"
    "/*@ ghost\n"
    "  /@ requires bounds: 0 <= i < n && 0 <= m;\n"
    "     terminates \\true; exits \\false; assigns \\nothing;\n"
    "     ensures row: 0 <= i * m && i * m + m <= n * m && (i + 1) * m == i * m + m; @/\n"
    "  void lemma_row(long i, long n, long m)\n"
    "  {\n"
    "    /@ assert next: (i + 1) * m <= n * m; @/\n"
    "  }\n"
    "*/\n"
    "/* A place in row a of s is not in row b. */\n"
    "/*@ ghost\n"
    "  /@ requires bounds: 0 <= a && 0 <= b && 0 <= s && a != b && a * s <= o < a * s + s;\n"
    "     terminates \\true; exits \\false; assigns \\nothing;\n"
    "     ensures apart: !(b * s <= o < b * s + s); @/\n"
    "  void lemma_apart(long a, long b, long s, long o)\n"
    "  {\n"
    "    /@ assert before: a < b ==> (a + 1) * s <= b * s; @/\n"
    "    /@ assert after: b < a ==> (b + 1) * s <= a * s; @/\n"
    "  }\n"
    "*/\n\n";

static const char at_text[] =
    "/* The place of row i, column j of n rows of m. */\n"
    "/*@ requires bounds: 0 <= i < n && 0 <= j < m;\n"
    "    requires size: n * m <= 0x7fffffff;\n"
    "    terminates \\true; exits \\false; assigns \\nothing;\n"
    "    ensures value: \\result == i * m + j;\n"
    "    ensures inside: 0 <= \\result < n * m; */\n"
    "static inline long calque_at(long i, long j, long n, long m)\n{\n    (void)n;\n"
    "    /*@ ghost lemma_index(i, j, n, m); */\n    return i * m + j;\n}\n\n";

/* Calque's functions, in the place of libm's or of none: the text above, which Frama-C does not look at, has them. */
#define OWN(params, c_params, args)                                                                          \
    "/* Taken on trust: it is a function of its arguments, named ~N_~S in contracts. */\n"                   \
    "/*@ axiomatic Of_~N_~S { logic ~L ~N_~S(" params ") reads \\nothing; } */\n"                          \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~S(\\result, ~N_~S(" args ")); */\n" \
    "#ifdef __FRAMAC__\n~T calque_~N_~S(" c_params ");\n#endif\n\n"
static const char *const own_text[] = { OWN("~L a", "~T a", "a"), OWN("~L a, ~L b", "~T a, ~T b", "a, b") };

static bool is_real(int elem)
{
    return elem == ELEM_F32 || elem == ELEM_F64;
}

static bool is_own(enum kernel_math math, int elem, int fn)
{
    return is_real(elem) && (fn == FN_ROUND || (math == MATH_CALQUE && acsl_is_own(fn)));
}

/* What is computed on the type. */
static void put_type(struct text *t, int elem, enum kernel_math math, const struct acsl_used *used)
{
    unsigned ops = 0;

    put_template(t, elem, is_real(elem) ? real_text : integer_text);
    if (used->sequences >> elem & 1)
        put_template(t, elem, vec_text);
    for (int k = 0; k <= KERNEL_I64; k++)
        if (kernel_own((enum kernel_type)k) == elem) {
            ops = used->ops[k];
            put_template(t, elem, used->special >> k & 1 ? special_text : "");
        }
    for (int op = 0; op < FN_COUNT; op++) {
        const char *s = is_real(elem) ? real_op[elem == ELEM_F64][op] : integer_op[op];
        if (!(ops >> op & 1))
            continue;
        if (is_own(math, elem, op))
            put_names(t, &(struct names){ .elem = elem, .fn = fn_info(op)->text }, own_text[fn_info(op)->args - 1]);
        else if (s)
            put_template(t, elem, s);
    }
}

/* Conversions, as put_conversion of emit/print.c has them (kernel_convert). What has a float on one side is taken on trust, but
   that a truth value is 0 or 1; integers keep their low bits. */
#define CONVERSION(definition, body)                                                                         \
    "/*@ logic ~L from_~R_~S(~M a) = " definition "; */\n"                                                   \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~E(\\result, from_~R_~S(a)); */\n" \
    "static inline ~T calque_from_~R_~S(~F a)\n{\n    return " body ";\n}\n\n"
#define TRUSTED_CONVERSION(body)                                                                             \
    "/* Taken on trust: it is a function of its argument, named from_~R_~S in contracts. */\n"               \
    "/*@ axiomatic Of_from_~R_~S { logic ~L from_~R_~S(~M a) reads \\nothing; } */\n"                      \
    "/*@ terminates \\true; exits \\false; assigns \\nothing; ensures value: same_~E(\\result, from_~R_~S(a)); */\n" \
    "#ifdef __FRAMAC__\n~T calque_from_~R_~S(~F a);\n#else\n"                                              \
    "static inline ~T calque_from_~R_~S(~F a)\n{\n    return " body ";\n}\n#endif\n\n"

/* Has every number of the one type its value in the other? */
static bool holds(int to, int from)
{
    return to == ELEM_I64 || (to == ELEM_I32 && (from == ELEM_I8 || from == ELEM_U8));
}

static void put_conversion(struct text *t, int from, int to)
{
    const struct names n = { .elem = to, .from = from };
    const char *s;

    if (from == ELEM_BOOL)
        s = is_real(to) ? CONVERSION("a != 0 ? (~L)(1.0) : (~L)(0.0)", "a != 0 ? (~T)1.0 : (~T)0.0")
                        : CONVERSION("(~L)(a != 0 ? 1 : 0)", "a != 0");
    else if (is_real(from) && !is_real(to))
        s = to == ELEM_BOOL ? TRUSTED_CONVERSION("calque_bool_~R(a)") : TRUSTED_CONVERSION("calque_to_~S_~R(a)");
    else if (is_real(from) || is_real(to))
        s = TRUSTED_CONVERSION("(~T)a");
    else if (to == ELEM_BOOL)
        s = CONVERSION("(~L)(a != 0 ? 1 : 0)", "a != 0");
    else
        s = holds(to, from) ? CONVERSION("(~L)a", "a") : CONVERSION("(~L)(~U)a", "(~T)(~U)a");
    put_names(t, &n, s);
}

/* Does the code call the library of C, or name an infinity? */
static bool needs_math(enum kernel_math math, const struct acsl_used *used)
{
    unsigned ops = used->ops[KERNEL_F32] | used->ops[KERNEL_F64];

    for (int op = 0; op < FN_COUNT; op++)
        if ((ops >> op & 1) && (op == FN_ORELSE || ((fn_is_float(op) || op == FN_ABS) && !is_own(math, ELEM_F32, op))))
            return true;
    return used->special != 0;
}

static bool converts(const struct acsl_used *used, int from, int to)
{
    return used->conversions[from] >> to & 1;
}

/* What the code calls that Frama-C knows by contracts only. */
static void put_hidden(struct text *t, enum kernel_math math, const struct acsl_used *used)
{
    static const char *const stem[ACSL_ELEMS] = {
        [ELEM_I32] = "to_i32", [ELEM_I64] = "to_i64", [ELEM_I8] = "to_i8", [ELEM_U8] = "to_u8", [ELEM_BOOL] = "bool",
    };
    unsigned long helpers = 0, own = 0;

    for (int from = ELEM_F32; from <= ELEM_F64; from++)
        for (int to = ELEM_I32; to < ACSL_ELEMS; to++)
            if (converts(used, from, to))
                print_helper(stem[to], elem_name(from), &helpers);
    for (int op = 0; op < FN_COUNT; op++)
        for (int f64 = 0; f64 < 2; f64++)
            if ((used->ops[f64 ? KERNEL_F64 : KERNEL_F32] >> op & 1) && is_own(math, ELEM_F32, op))
                own |= 1ul << (2 * op + f64);
    if (helpers == 0 && own == 0)
        return;
    text_puts(t, "#ifndef __FRAMAC__ /* called by what is taken on trust */\n");
    print_helpers(t, helpers, own);
    text_puts(t, "#endif\n\n");
}

void acsl_use(struct acsl_used *used, const struct acsl_used *more)
{
    used->types |= more->types;
    used->sequences |= more->sequences;
    for (int i = 0; i < ACSL_ELEMS; i++)
        used->conversions[i] |= more->conversions[i];
    used->special |= more->special;
    for (int k = 0; k <= KERNEL_I64; k++)
        used->ops[k] |= more->ops[k];
    used->lemmas |= more->lemmas;
    used->floor_index |= more->floor_index;
    used->guards |= more->guards;
}

void acsl_theory(struct text *t, bool symbolic, enum kernel_math math, const struct acsl_used *used)
{
    text_puts(t, head_text);
    if (needs_math(math, used))
        text_puts(t, "#ifndef __FRAMAC__\n#include <math.h>\n#endif\n");
    text_puts(t, parallel_text);
    module_print_math(t, math);
    text_puts(t, "#ifndef __FRAMAC__\n");
    print_checks(t);
    text_puts(t, "#endif\n\n");
    put_hidden(t, math, used);
    for (int elem = ELEM_F32; elem < ACSL_TYPES; elem++)
        if (used->types >> elem & 1)
            put_type(t, elem, math, used);
    for (int from = ELEM_F32; from < ACSL_ELEMS; from++)
        for (int to = ELEM_F32; to < ACSL_ELEMS; to++)
            if (converts(used, from, to))
                put_conversion(t, from, to);
    text_puts(t, used->floor_index ? floor_text : "");
    text_puts(t, symbolic || used->lemmas ? lemma_text : "");
    text_puts(t, symbolic ? at_text : "");
    text_puts(t, "#endif\n");
}

void acsl_driver(struct text *t)
{
    static const char *const sfx[] = { "f32", "f64" }, *const type[] = { "float32", "float64" };
    static const char *const two[] = { "add", "sub", "mul", "div" };

    text_puts(t, "library cfloat:\nwhy3.file := \"calque.mlw\";\nwhy3.import := \"calque.Calque\";\n");
    for (int k = 0; k < 2; k++) {
        text_printf(t, "predicate \"same_%s\"(%s,%s) = \"same_%s\";\n", sfx[k], type[k], type[k], sfx[k]);
        for (size_t i = 0; i < sizeof two / sizeof *two; i++)
            text_printf(t, "logic %s \"%s_%s\"(%s,%s) = \"%s_%s\";\n", type[k], two[i], sfx[k], type[k], type[k], two[i],
                        sfx[k]);
        text_printf(t, "logic %s \"neg_%s\"(%s) = \"neg_%s\";\n", type[k], sfx[k], type[k], sfx[k]);
        text_printf(t, "logic boolean \"lt_%s\"(%s,%s) = \"lt_%sb\";\n", sfx[k], type[k], type[k], sfx[k]);
    }
}

void acsl_why3(struct text *t)
{
    static const char *const sfx[] = { "f32", "f64" }, *const bits[] = { "8 24", "11 53" };
    static const char *const two[] = { "add", "sub", "mul", "div" }, *const cmp[] = { "eq", "ne", "le", "lt" };
    static const char *const class[] = { "is_finite", "is_NaN", "is_infinite", "is_positive_infinite",
                                         "is_negative_infinite" };

    text_puts(t, "(* Emitted by calque: the symbols of Frama-C's theory of floats without its axioms, which are not needed. *)\n"
                 "theory Calque\n  use real.Real\n");
    for (int k = 0; k < 2; k++) {
        const char *s = sfx[k];
        text_printf(t, "  type %s = <float %s>\n  function of_%s %s : real\n  function to_%s real : %s\n", s, bits[k], s, s, s, s);
        for (size_t i = 0; i < sizeof class / sizeof *class; i++)
            text_printf(t, "  predicate %s_%s %s\n", class[i], s, s);
        for (size_t i = 0; i < sizeof cmp / sizeof *cmp; i++)
            text_printf(t, "  predicate %s_%s %s %s\n  function %s_%sb (x y: %s) : bool = %s_%s x y\n", cmp[i], s, s, s, cmp[i],
                        s, s, cmp[i], s);
        for (size_t i = 0; i < sizeof two / sizeof *two; i++)
            text_printf(t, "  function %s_%s %s %s : %s\n", two[i], s, s, s, s);
        text_printf(t, "  function neg_%s %s : %s\n  predicate same_%s (x y: %s) = x = y\n", s, s, s, s, s);
    }
    text_puts(t, "end\n");
}

void acsl_make(struct text *t, const char *file)
{
    text_printf(t,
                "\n"
                "# Proves %s with Debian's frama-c-base, why3, z3 and cvc4: every contract, no access out of bounds, no\n"
                "# overflow, termination. Prints `N / N goals`; wp.log has each of them.\n"
                "WP_TIMEOUT = 30\n"
                "WP_PAR = 2\n"
                "WP_CACHE = none\n"
                "WP_FLAGS =\n"
                "WP = frama-c -warn-special-float none -wp -wp-rte -wp-driver calque.driver -wp-prover cvc4,z3 \\\n"
                "    -wp-timeout $(WP_TIMEOUT) -wp-par $(WP_PAR) -wp-cache $(WP_CACHE) $(WP_FLAGS)\n"
                "\n"
                "wp:\n"
                "\t@WHY3CONFIG=$(CURDIR)/why3.conf; export WHY3CONFIG; rm -f why3.conf; \\\n"
                "\twhy3 config detect >why3.log 2>&1 || { cat why3.log; exit 3; }; \\\n"
                "\t$(WP) %s >wp.log 2>&1; \\\n"
                "\tsed -n 's|^\\[wp\\] Proved goals: *\\([0-9]*\\) */ *\\([0-9]*\\).*|\\1 / \\2 goals|p' wp.log | grep . || cat wp.log; \\\n"
                "\tif grep -E -A2 'Warning|User Error|\\[(Failed|Timeout|Unknown)' wp.log; then exit 1; fi; \\\n"
                "\tgrep -q '^\\[wp\\] Proved goals: *\\([0-9]*\\) */ *\\1$$' wp.log\n"
                "\n"
                ".PHONY: wp\n", file, file);
}
