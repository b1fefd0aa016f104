/* Programs as S-expressions (c/dpia/exp_sexp.c has the grammar), read: the requests of calque-oracle dpia. */
#ifndef CALQUE_TESTS_DPIA_READ_SEXP_H
#define CALQUE_TESTS_DPIA_READ_SEXP_H

#include "dpia/exp.h"

#include <stdlib.h>
#include <string.h>

enum { SEXP_VARS = 1 << 16, SEXP_WORD = 64 };

/* The text that is left, and what the numbers of variables in it are. */
struct sexp_reader {
    const char *s;
    struct prog *p;
    int *var; /* SEXP_VARS; -1: none */
    int depth;
    bool bad;
};

static inline char sexp_next(struct sexp_reader *r)
{
    while (*r->s == ' ' || *r->s == '\n')
        r->s++;
    return *r->s;
}

static inline bool sexp_sees(struct sexp_reader *r, char c)
{
    bool yes = sexp_next(r) == c;

    r->s += yes;
    return yes;
}

static inline void sexp_take(struct sexp_reader *r, char c)
{
    r->bad = !sexp_sees(r, c) || r->bad;
}

static inline const char *sexp_word(struct sexp_reader *r, char *buf)
{
    size_t n;

    sexp_next(r);
    n = strcspn(r->s, " \n()");
    r->bad = r->bad || n == 0 || n >= SEXP_WORD;
    n = n < SEXP_WORD ? n : SEXP_WORD - 1;
    memcpy(buf, r->s, n);
    buf[n] = '\0';
    r->s += n;
    return buf;
}

static inline long sexp_long(struct sexp_reader *r)
{
    char word[SEXP_WORD], *end;
    long k = strtol(sexp_word(r, word), &end, 10);

    r->bad = r->bad || *end;
    return k;
}

/* One term is passed over. */
static inline void sexp_skip(struct sexp_reader *r)
{
    char word[SEXP_WORD];
    int depth = 0;

    do {
        if (sexp_sees(r, '('))
            depth++;
        else if (sexp_sees(r, ')'))
            depth--;
        else
            sexp_word(r, word);
    } while (depth > 0 && !r->bad);
}

static inline long sexp_size(struct sexp_reader *r)
{
    char word[SEXP_WORD], *end;
    long n, sum = 0;

    if (!sexp_sees(r, '(')) {
        n = strtol(sexp_word(r, word), &end, 10);
        return *end ? size_var(r->p, strs_addz(r->p->strs, word)) : n;
    }
    r->bad = strcmp(sexp_word(r, word), "+") != 0 || r->bad;
    while (!r->bad && sexp_sees(r, '(')) {
        n = sexp_long(r);
        while (!r->bad && !sexp_sees(r, ')'))
            n = size_mul(r->p, n, size_var(r->p, strs_addz(r->p->strs, sexp_word(r, word))));
        sum = size_add(r->p, sum, n);
    }
    sexp_take(r, ')');
    return sum;
}

/* Deeper than this is no program. */
static inline bool sexp_deeper(struct sexp_reader *r)
{
    r->bad = r->bad || ++r->depth > EXP_DEPTH_MAX;
    return !r->bad;
}

static inline int sexp_type(struct sexp_reader *r)
{
    char word[SEXP_WORD];
    int type = -1, a;

    if (!sexp_deeper(r))
        return -1;
    if (!sexp_sees(r, '(')) {
        r->bad = strcmp(sexp_word(r, word), "num") != 0 || r->bad;
        type = data_num(r->p);
    } else if (strcmp(sexp_word(r, word), "ary") == 0) {
        long n = sexp_size(r);
        type = data_ary(r->p, n, sexp_type(r));
        sexp_take(r, ')');
    } else {
        r->bad = strcmp(word, "pair") != 0 || r->bad;
        a = sexp_type(r);
        type = data_pair(r->p, a, sexp_type(r));
        sexp_take(r, ')');
    }
    r->depth--;
    return type;
}

static inline int sexp_known(struct sexp_reader *r, long x)
{
    if (x < 0 || x >= SEXP_VARS || r->var[x] < 0)
        r->bad = true;
    return r->bad ? -1 : r->var[x];
}

static inline int sexp_bind(struct sexp_reader *r, long x, int var)
{
    if (x < 0 || x >= SEXP_VARS || var < 0)
        r->bad = true;
    else
        r->var[x] = var;
    return var;
}

static inline int sexp_ix(struct sexp_reader *r)
{
    static const char *const op[] = { "+", "-", "*", "//", "%" };
    static const int kind[] = { IX_ADD, IX_SUB, IX_MUL, IX_DIV, IX_MOD };
    char word[SEXP_WORD];
    int id = -1, a;

    if (!sexp_deeper(r))
        return -1;
    r->depth--;
    if (!sexp_sees(r, '('))
        return prog_ix_const(r->p, sexp_long(r));
    r->depth++;
    sexp_word(r, word);
    if (strcmp(word, "var") == 0) {
        a = sexp_known(r, sexp_long(r));
        id = r->bad ? -1 : prog_ix_var(r->p, a);
    } else if (strcmp(word, "size") == 0) {
        id = prog_ix(r->p, (struct ix){ IX_SIZE, -1, -1, sexp_size(r) });
    } else {
        int k = 0;
        while (k < 5 && strcmp(word, op[k]) != 0)
            k++;
        r->bad = r->bad || k == 5;
        a = sexp_ix(r);
        if (k < 2)
            id = prog_ix(r->p, (struct ix){ kind[k % 5], a, sexp_ix(r), 0 });
        else
            id = prog_ix(r->p, (struct ix){ kind[k % 5], a, 0, sexp_long(r) });
    }
    sexp_take(r, ')');
    r->depth--;
    return id;
}

static inline int sexp_exp(struct sexp_reader *r);

static inline int sexp_choice(struct sexp_reader *r)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };
    struct cond c[16];
    char word[SEXP_WORD];
    int n = 0, a;

    sexp_take(r, '(');
    while (!r->bad && sexp_sees(r, '(')) {
        int k = 0;
        sexp_word(r, word);
        while (k < 6 && strcmp(word, op[k]) != 0)
            k++;
        r->bad = r->bad || k == 6 || n == 16;
        if (r->bad)
            return -1;
        a = sexp_ix(r);
        c[n++] = (struct cond){ k, a, sexp_ix(r) };
        sexp_take(r, ')');
    }
    sexp_take(r, ')');
    sexp_type(r);
    a = sexp_exp(r);
    return exp_ite(r->p, c, n, a, sexp_exp(r));
}

/* Behind a body that is passed over: its array, or the start value and the array; then the body, whose variable is an element. */
static inline int sexp_element(struct sexp_reader *r, long x, const char **body, int *init, int *array)
{
    int type = -1;

    *body = r->s;
    sexp_skip(r);
    if (init)
        *init = sexp_exp(r);
    *array = sexp_exp(r);
    if (*array >= 0 && r->p->data.a[r->p->exp.a[*array].type].kind == DATA_ARY)
        type = r->p->data.a[r->p->exp.a[*array].type].a;
    return type < 0 ? (r->bad = true, -1) : sexp_bind(r, x, prog_var(r->p, -1, type));
}

static inline int sexp_loop(struct sexp_reader *r, const char *what)
{
    char word[SEXP_WORD];
    bool par = what[0] != 'r' && what[0] != 'f' && strcmp(sexp_word(r, word), "par") == 0;
    long n = sexp_size(r), k;
    int type = sexp_type(r), x, acc = -1, f, init = -1, array;
    const char *body, *end;

    k = sexp_long(r);
    if (what[0] == 'r' || what[0] == 'f')
        acc = sexp_bind(r, sexp_long(r), prog_var(r->p, -1, type));
    if (what[0] == 'g' || what[0] == 'f') {
        x = sexp_bind(r, k, prog_ivar(r->p, -1, n));
        f = sexp_exp(r);
        return what[0] == 'g' ? exp_gen(r->p, par, x, f) : exp_fold(r->p, x, acc, f, sexp_exp(r));
    }
    x = sexp_element(r, k, &body, what[0] == 'r' ? &init : NULL, &array);
    end = r->s;
    r->s = body;
    f = r->bad ? -1 : sexp_exp(r);
    r->s = end;
    if (r->bad)
        return -1;
    return what[0] == 'm' ? exp_map(r->p, par, x, f, array) : exp_red(r->p, x, acc, f, init, array);
}

static inline int sexp_call(struct sexp_reader *r)
{
    char word[SEXP_WORD];
    int fn = 0, a;

    sexp_word(r, word);
    while (fn < FN_COUNT && strcmp(fn_info(fn)->text, word) != 0)
        fn++;
    r->bad = r->bad || fn == FN_COUNT;
    a = sexp_exp(r);
    return r->bad ? -1 : exp_call(r->p, fn, a, sexp_next(r) == ')' ? -1 : sexp_exp(r));
}

static inline int sexp_lit(struct sexp_reader *r)
{
    char word[SEXP_WORD], *end;
    bool real = r->p->scalar == KERNEL_F32 || r->p->scalar == KERNEL_F64;
    double x = strtod(sexp_word(r, word), &end);

    r->bad = r->bad || (real && *end);
    return exp_lit(r->p, real ? x : 0, real ? 0 : strtol(word, NULL, 10));
}

/* Array views: of lengths that stand before the array. */
static inline int sexp_view(struct sexp_reader *r, const char *what)
{
    long n = sexp_size(r);
    int a;

    if (strcmp(what, "zip") == 0) {
        sexp_type(r);
        sexp_type(r);
        a = sexp_exp(r);
        return exp_zip(r->p, a, sexp_exp(r));
    }
    if (strcmp(what, "rev") == 0)
        return exp_rev(r->p, sexp_exp(r));
    sexp_size(r);
    a = sexp_exp(r);
    return what[0] == 's' ? exp_split(r->p, n, a) : what[0] == 'j' ? exp_join(r->p, a) : exp_tr(r->p, a);
}

static inline bool sexp_is(const char *word, const char *list)
{
    size_t n = strlen(word);

    for (const char *s = list; (s = strstr(s, word)); s += n)
        if ((s == list || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return true;
    return false;
}

static inline int sexp_exp(struct sexp_reader *r)
{
    char word[SEXP_WORD];
    int e = -1, a, type;
    long x;

    if (!sexp_deeper(r))
        return -1;
    sexp_take(r, '(');
    sexp_word(r, word);
    if (r->bad)
        return -1;
    if (sexp_is(word, "map gen red fold")) {
        e = sexp_loop(r, word);
    } else if (sexp_is(word, "zip rev split join tr")) {
        e = sexp_view(r, word);
    } else if (strcmp(word, "var") == 0) {
        a = sexp_known(r, sexp_long(r));
        e = r->bad ? -1 : exp_var(r->p, a);
    } else if (strcmp(word, "lit") == 0) {
        e = sexp_lit(r);
    } else if (strcmp(word, "call") == 0) {
        e = sexp_call(r);
    } else if (strcmp(word, "if") == 0) {
        e = sexp_choice(r);
    } else if (strcmp(word, "let") == 0) {
        type = sexp_type(r);
        x = sexp_long(r);
        a = sexp_exp(r);
        e = sexp_bind(r, x, prog_var(r->p, -1, type));
        e = exp_let(r->p, e, a, sexp_exp(r));
    } else if (strcmp(word, "idx") == 0) {
        a = sexp_exp(r);
        e = exp_idx(r->p, a, sexp_ix(r));
    } else if (strcmp(word, "pair") == 0) {
        a = sexp_exp(r);
        e = exp_pair(r->p, a, sexp_exp(r));
    } else if (strcmp(word, "fst") == 0) {
        e = exp_fst(r->p, sexp_exp(r));
    } else if (strcmp(word, "snd") == 0) {
        e = exp_snd(r->p, sexp_exp(r));
    } else {
        r->bad = true;
    }
    sexp_take(r, ')');
    r->depth--;
    return e;
}

/* A parameter or an assignment, behind its opening parenthesis. */
static inline void sexp_item(struct sexp_reader *r)
{
    char word[SEXP_WORD], name[SEXP_WORD];
    struct prog *p = r->p;

    sexp_word(r, word);
    if (strcmp(word, "set") == 0 || strcmp(word, "copy") == 0) {
        long k = sexp_long(r);
        int e = sexp_exp(r);
        r->bad = r->bad || k < 0 || k >= p->param.n;
        if (!r->bad)
            prog_assign(p, (int)k, e, word[0] == 'c');
    } else {
        int role = strcmp(word, "in") == 0 ? KERNEL_IN : strcmp(word, "out") == 0 ? KERNEL_OUT : KERNEL_TEMP, k;
        long x;
        r->bad = !sexp_is(word, "in out temp") || r->bad;
        sexp_word(r, name);
        x = sexp_long(r);
        k = prog_param(p, strs_addz(p->strs, name), role, sexp_type(r));
        if (k < 0)
            r->bad = true;
        else
            sexp_bind(r, x, p->param.a[k].var);
    }
    sexp_take(r, ')');
}

/* The program at *s, which is then behind it; false: there is none. p is initialised here. An ill-typed one has a status. */
static inline bool sexp_program(struct prog *p, struct mem *mem, struct strs *strs, const char **s)
{
    static int var[SEXP_VARS];
    static const char *const scalar[] = { "f32", "f64", "i32", "i64" };
    static const enum kernel_type type[] = { KERNEL_F32, KERNEL_F64, KERNEL_I32, KERNEL_I64 };
    struct sexp_reader r = { .s = *s, .p = p, .var = var };
    char word[SEXP_WORD];
    int k = 0;

    memset(var, -1, sizeof var);
    sexp_take(&r, '(');
    r.bad = strcmp(sexp_word(&r, word), "program") != 0 || r.bad;
    sexp_word(&r, word);
    while (k < 4 && strcmp(word, scalar[k]) != 0)
        k++;
    r.bad = r.bad || k == 4;
    prog_init(p, mem, strs, type[k % 4]);
    sexp_take(&r, '(');
    while (!r.bad && !sexp_sees(&r, ')'))
        size_var(p, strs_addz(strs, sexp_word(&r, word)));
    while (!r.bad && sexp_sees(&r, '('))
        sexp_item(&r);
    sexp_take(&r, ')');
    *s = r.s;
    return !r.bad;
}

#endif
