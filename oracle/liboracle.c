/* The C side of liboracle: oracle.h says what it does, liboracle.ml does it. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#define CAML_NAME_SPACE
#include <caml/alloc.h>
#include <caml/callback.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

/* Starts the runtime at the first call. */
static const value *function(const char *name)
{
    static int started;

    if (!started) {
        static char program[] = "oracle", *argv[] = { program, NULL };
        caml_startup(argv);
        started = 1;
    }
    return caml_named_value(name);
}

static int put(struct oracle_text *t, value s)
{
    size_t n = caml_string_length(s);

    if (n + 1 > t->cap) {
        char *a = realloc(t->a, n + 1);
        if (!a)
            return 0;
        t->a = a;
        t->cap = n + 1;
    }
    memcpy(t->a, String_val(s), n);
    t->a[n] = '\0';
    t->n = n;
    return 1;
}

static enum oracle_status result(value r, struct oracle_text *first, struct oracle_text *second)
{
    CAMLparam1(r);
    enum oracle_status st = ORACLE_INTERNAL;

    if (!Is_exception_result(r))
        st = put(first, Field(r, 1)) && (!second || put(second, Field(r, 2))) ? (enum oracle_status)Int_val(Field(r, 0)) : ORACLE_NO_MEMORY;
    CAMLreturnT(enum oracle_status, st);
}

enum oracle_status oracle_answer(const char *language, const char *request, size_t n, struct oracle_text *answer)
{
    const value *f = function("calque_oracle_answer");
    CAMLparam0();
    CAMLlocal2(l, s);

    l = caml_copy_string(language);
    s = caml_alloc_initialized_string(n, request);
    CAMLreturnT(enum oracle_status, result(caml_callback2_exn(*f, l, s), answer, NULL));
}

enum oracle_status oracle_cases(const char *language, int64_t seed, int64_t first, int64_t count, struct oracle_text *requests,
                                struct oracle_text *answers)
{
    const value *f = function("calque_oracle_cases");
    CAMLparam0();
    CAMLlocal2(l, s);
    value arg[4];

    l = caml_copy_string(language);
    s = caml_copy_int64(seed);
    arg[0] = l;
    arg[1] = s;
    arg[2] = Val_long(first);
    arg[3] = Val_long(count);
    CAMLreturnT(enum oracle_status, result(caml_callbackN_exn(*f, 4, arg), requests, answers));
}

void oracle_text_free(struct oracle_text *t)
{
    free(t->a);
    t->a = NULL;
    t->n = t->cap = 0;
}
