/* Outcome of every library call that can fail, and where in the input it failed. */
#ifndef CALQUE_BASE_STATUS_H
#define CALQUE_BASE_STATUS_H

enum calque_status {
    CALQUE_OK = 0,
    CALQUE_NO,       /* a negative answer: no match, check failed, outputs differ */
    CALQUE_BAD,      /* bad input; the diag says where and why */
    CALQUE_LIMIT,    /* input is well formed but larger than a stated limit */
    CALQUE_NOMEM,    /* allocation failed */
    CALQUE_IO,       /* a file could not be read or written */
    CALQUE_INTERNAL  /* our bug: a broken invariant */
};

enum { DIAG_TEXT = 512, DIAG_FILE = 256 };

/* A located message. line and col are 1-based, 0 where the input has no lines (ONNX):
   then the text names the node or field. */
struct diag {
    enum calque_status status;
    int line, col;
    char file[DIAG_FILE];
    char text[DIAG_TEXT];
};

#if defined(__GNUC__)
#define CALQUE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CALQUE_PRINTF(f, a)
#endif

void diag_clear(struct diag *d);
/* Fills d (NULL allowed) and returns status, so that `return diag_set(...)` reads well. */
/*@ requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == status;
*/
enum calque_status diag_set(struct diag *d, enum calque_status status, const char *file, int line,
                            int col, const char *format, ...) CALQUE_PRINTF(6, 7);
/* The same for CALQUE_NOMEM, which has no place in the input. */
/*@ requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == CALQUE_NOMEM;
*/
enum calque_status diag_nomem(struct diag *d);

#endif
