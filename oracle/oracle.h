/* liboracle: the oracle in your process. It answers the requests of calque-oracle(7), all languages that `calque-oracle diff`
   knows, and makes random ones. The code behind it is extracted from the Coq definitions.

       struct oracle_text t = ORACLE_TEXT_INIT;
       if (oracle_answer("attr", "(eval (add 1 2) ())", 19, &t) == ORACLE_OK)
           puts(t.a);
       oracle_text_free(&t);

   The first call starts the OCaml runtime, which stays until the process ends; calls come from one thread, the one that made the
   first. Evaluation uses the stack: give large models a large one (ulimit -s). Link liboracle.a with -lgmp -lm -ldl, or load
   liboracle.so. */
#ifndef CALQUE_ORACLE_H
#define CALQUE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum oracle_status {
    ORACLE_OK,
    ORACLE_NO_LANGUAGE,   /* the text says which there are */
    ORACLE_MALFORMED,     /* no request of the language; the text says why */
    ORACLE_NO_GENERATOR,  /* no random requests are made of the language */
    ORACLE_INTERNAL,      /* the oracle failed (a stack overflow, say); the text says how */
    ORACLE_NO_MEMORY
};

/* n bytes at a, and a zero behind them; cap: how many there is room for. A text is used again and grows. */
struct oracle_text {
    char *a;
    size_t n, cap;
};

#define ORACLE_TEXT_INIT { NULL, 0, 0 }

/* The answer to a request of n bytes, both without the line that ends them; otherwise what is wrong. */
enum oracle_status oracle_answer(const char *language, const char *request, size_t n, struct oracle_text *answer);

/* Cases number first to first + count - 1 of a seed, those of `calque-oracle diff --seed`: the requests and the answers as a process
   reads and writes them, each ended by the line that ends one. Otherwise requests says what is wrong. */
enum oracle_status oracle_cases(const char *language, int64_t seed, int64_t first, int64_t count, struct oracle_text *requests,
                                struct oracle_text *answers);

void oracle_text_free(struct oracle_text *t);

#ifdef __cplusplus
}
#endif
#endif
