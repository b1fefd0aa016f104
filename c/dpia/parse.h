/* .dpia text: functional programs with strategies, named binders and implicit size variables.

       scalar f32                                     # or f64 i32 i64; f32 unless given
       in  xs, ys : n.num                             # n.t: array of n; (t x u): pair; n, (n*m), 6: sizes
       out r : num
       def dot as bs = reduceSeq (+) 0 (mapSeq (*) (zip as bs))
       r := dot xs ys

   item:  scalar T | size n [= 6], .. | in|out|temp a, b [: type] | def f p q (r : type) = e | a := e. A name in the type
          of an `in` (or after `size`) is a size variable. Without a type, an output has that of its first assignment.
          Assignments run in order. A def is written out at each call (size variables of its parameter types are found
          by comparing), it sees its parameters and what `size` and `in` name as sizes, and defs before it.
   e:     let b = e in e | if c then e else e | select(c, e, e) | e + e | e - e | e * e | e / e | e % e | -e | e[ix]
          | mapPar F a | mapSeq F a | generatePar size F | generateSeq size F | reduceSeq F init a (F takes element and
          accumulator; a may be `iota size`: then the element is an index) | zip a a | pair a a | (e, e) | fst a | snd a
          | split n a (n*m.t to m.n.t) | join a | transpose a | reverse a | reverseSeq a | copySeq a | copyPar a | transPar a
          | neg max min sqrt abs exp log .. (kernel/fn.def: f a b or f(a, b)) | f a b (a def) | x | 1.5 0x1p-3 inf nan
   a:     an argument: a name, literal, e in brackets, a[ix]
   F:     (fun b b -> e) | (+) | max | f | (f a): a function of two arguments takes a pair where one is given
   b:     x | _ | (b, b)
   ix:    index variables, integers, size variables with + - * // % (by a number) | c: ix < ix && .. (< <= > >= == !=)
   The text prog_print gives is of this language. Typing is that of Coq's dpia/Typing.v; each error names its rule. */
#ifndef CALQUE_DPIA_PARSE_H
#define CALQUE_DPIA_PARSE_H

#include "dpia/exp.h"

struct dpia_size {
    const char *name;
    long n;
};

enum { DPIA_DEPTH = 400, DPIA_CELLS = INT32_MAX, DPIA_NODES = 1000000 };

/* Parses and types. Sizes given here or in the file are numbers, the others stay symbolic (prog_is_symbolic). p is
   initialised here; prog_free by the caller (also after an error): CALQUE_BAD with the place; CALQUE_LIMIT beyond
   DPIA_DEPTH, DPIA_NODES expressions or DPIA_CELLS cells of an array; CALQUE_NOMEM. */
enum calque_status dpia_parse(struct prog *p, struct mem *mem, struct strs *strs, const char *file, const char *src, size_t n,
                              const struct dpia_size *sizes, int nsizes, struct diag *d);

#endif
