/* The .graph text of a computation graph: reading and canonical printing.

   file  := 'graph' [NAME] ['(' 'opset' '=' INT [',' 'model' '=' STRING] ')'] '{' {stmt} '}'
   stmt  := 'input' NAME ':' type
          | 'param' NAME ':' type ['=' data]
          | 'const' NAME ':' type '=' data
          | NAME '=' expr [':' type]
          | 'return' [NAME '='] expr {',' [NAME '='] expr}         the last statement
   type  := (ELEMENT | '?') '[' ['?' | INT {',' INT}] ']'           f32[1, 3], f32[] (scalar), ?[?]
   expr  := sums and products with + - * / (Add Sub Mul Div), prefix - (Neg), of
            NAME | expr '[' INT ']' | '(' expr ')' | call
            | '(' [expr ',' {expr ','} [expr]] ')'                  tuple: (), (a,), (a, b)
   call  := OPERATOR '(' args [';' 'outputs' '=' INT] ')'
          | 'opaque' STRING '(' args [';' ['outputs' '=' INT] [',' 'raw' '=' STRING]] ')'
   args  := inputs, then attributes LABEL '=' value; an absent optional input is 'none'
   value := number | STRING | 'true' | 'false' | 'none' | tuple of values in ( ) or [ ]
   number := ['-'] (INT | FLOAT | 'inf' | 'nan') | 'int_min'
   data  := number | '[' data {',' data} ']' | STRING

   A newline ends a statement (not inside brackets); `#` starts a comment. NAME may be any non-empty string
   without NUL: quoted when it is no identifier or a keyword. A name is defined before it is used, once.
   - Nested calls make unnamed nodes. Attributes that are missing get their defaults, types are inferred; a
     written type must agree and completes what inference leaves unknown (after opaque operators).
   - Floats of attributes are rounded to binary32, as in ONNX. Integers are accepted where a float is wanted.
     int_min is the least 64-bit integer.
   - `opaque "Type"(..)` stands for a NodeProto: `raw` is its bytes, whose op_type must be Type; without raw
     they are the NodeProto that has nothing but this op_type. `outputs` is the number of outputs when it is
     not 1 (for Split: when it is not the length of `split`); outputs are read by projection t[i].
   - data lists numbers in row-major order, flat or nested like the shape; a lone number fills the tensor; a
     string holds the little-endian bytes of any element type. A `param` without data is pseudo-random:
     splitmix64 seeded with the 64-bit FNV-1a hash of its name gives for each element u = the next output's
     top 24 bits: f32: u / 2^23 - 1, uniform in [-1, 1); i64: u mod 16 - 8. param and const are the same kind
     of node and print as const.
   - `return NAME = expr` gives the graph output a name other than its node's. Unnamed outputs get a fresh
     name.
   - Nesting of brackets and prefix - is at most GRAPH_TEXT_DEPTH.
   ONNX node names and provenance are not part of the text. */
#ifndef CALQUE_GRAPH_TEXT_H
#define CALQUE_GRAPH_TEXT_H

#include "base/text.h"
#include "graph/graph.h"

enum { GRAPH_TEXT_DEPTH = 200 };
/* Most elements of a `param` without data. */
#define GRAPH_TEXT_FILL_MAX ((long)1 << 28)

/* Reads one graph from src[0..n-1] into g, which is initialised and empty, and stays so on an error. Errors
   carry file, line and column. */
enum calque_status graph_text_read(struct graph *g, const char *file, const char *src, size_t n,
                                   struct diag *d);

/* Appends the canonical text: one statement per node (inputs first, then in id order), calls not nested,
   every attribute and known type written, floats in hexadecimal, unnamed nodes named as graph_fill_names
   would. Reading it gives a graph that prints the same, provided the types are those of graph_infer.
   g satisfies graph_check. */
void graph_text_write(struct text *out, const struct graph *g);

/* Appends a type as above. */
void graph_type_write(struct text *out, int dtype, const struct shape *shape);

/* A computation graph as S-expressions, the form the oracle exchanges, and as a drawing. */

/* Appends (graph NAME node .. (outputs (NAME ID) ..)); a node is (ID NAME TYPE FORM): (input), (const [VALUE]) (see graph_const_attr),
   (op Conv (ID or - ..) ((LABEL VALUE) ..)), (proj ID K), (tuple ID ..). Values are in the canonical text of the attr room. */
void graph_sexp(struct text *out, const struct graph *g);
/* Appends (data (ID CELL ..) ..): inputs that have a tensor (dtype not 0), in the order of g->input, then constants. Cells as in
   tensor/npy.h. */
void graph_sexp_data(struct text *out, const struct graph *g, const struct tensor *inputs);
/* Appends (output NAME TYPE CELL ..) for each output, one a line. */
void graph_sexp_outputs(struct text *out, const struct graph *g, const struct tensor *outputs);

/* Appends a digraph: a box per operator and tuple ("op, name, shape"), small grey ellipses for constants,
   ellipses for graph inputs and outputs, edges labelled with the type they carry. Projections are edges
   ("[i] type"). A node with provenance is filled with a colour that depends only on the rule (the text
   before ':'), its tooltip is the provenance. The same graph gives the same text. g satisfies graph_check. */
void graph_dot(struct text *out, const struct graph *g);

#endif
