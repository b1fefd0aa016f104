/* In-process fuzzing: one function for each target of targets.def, called by libFuzzer or with files (replay.c). A target must end
   in a second, free what it has got and keep its properties (MUST), whatever the bytes are and whichever allocation fails.
   The first FUZZ_HEAD bytes choose: the allocations that still succeed ('0': all; else the square of the byte's distance from '0', by 4),
   then 16 switches, by distance from '0' as well, so that "000" and a text is an input of usual choices. Memory of an input is bounded: what asks
   for more than FUZZ_BYTES in all is told that there is none. */
#ifndef CALQUE_TESTS_FUZZ_H
#define CALQUE_TESTS_FUZZ_H

#include <stdlib.h>
#include <string.h>

#include "attr/value.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"
#include "emit/emit.h"
#include "graph/graph.h"
#include "kernel/kernel.h"
#include "pattern/gsl.h"

enum { FUZZ_HEAD = 3, FUZZ_BYTES = 64 << 20 };

enum { FUZZ_SETS = 8 }; /* standard, all, and the sets of the library */

/* What an input is read into: fresh for each, but where rules of the library are used and no allocation fails. */
struct fuzz {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct diag d;
    unsigned flags;   /* the switches */
    const char *src;  /* what follows them: n bytes, no NUL behind them */
    size_t n;
    struct rules library[FUZZ_SETS][2]; /* those that were asked for */
    bool keeps;       /* some were */
    int inputs;       /* that have used this */
};

/* Rules of the library: of set k, only the exact ones; NULL: memory is short. They are read once for many inputs. */
const struct rules *fuzz_library(struct fuzz *f, int k, bool exact);

#define TARGET(name, runs, words) void fuzz_##name(struct fuzz *f);
#include "fuzz/targets.def"

/* A property: ends the process where it does not hold. */
#define MUST(f, property) ((property) ? (void)0 : fuzz_broken(f, #property, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const struct fuzz *f, const char *property, const char *file, int line);

/* Was it done? What was not must say why, must not be our bug, and may be for want of memory only where memory was short. */
bool fuzz_ok(struct fuzz *f, enum calque_status st);
/* Is memory short: did an allocation fail? */
bool fuzz_short(const struct fuzz *f);
/* From now on no allocation fails but by the size: the properties of what there is can be looked at. */
void fuzz_relieve(struct fuzz *f);
static inline bool fuzz_flag(const struct fuzz *f, int k)
{
    return (f->flags >> k & 1) != 0;
}

/* The texts are one. */
void fuzz_same(const struct fuzz *f, const struct text *a, const struct text *b, const char *what);

/* Cells of all tensors of the graph; -1: not known, or too many. */
long fuzz_cells(const struct graph *g);
/* Printed, read and printed again it is the same; written as ONNX and read back it is as it was, printed. */
void fuzz_graph_prints(struct fuzz *f, const struct graph *g);
void fuzz_graph_writes(struct fuzz *f, const struct graph *g);
/* The configuration of emitted code that the switches choose, one that the command takes. */
struct emit_options fuzz_emit_options(const struct fuzz *f);
/* The same for a kernel: its outputs are those it has. */
void fuzz_kernel_prints(struct fuzz *f, const struct kernel *k);

#endif
