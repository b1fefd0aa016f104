/* Rewrite rules and their text, the .gsl files.

   file  := { rule | def }                                # a newline ends a statement, not inside ( [
   rule  := 'rule' NAME '{' { NAME '=' expr | 'source' expr | 'target' expr | 'require' expr
                              | 'class' ('exact' | 'ring' | 'real') | def } '}'
   def   := 'def' NAME '(' [ NAME {',' NAME} ] ')' '=' expr              # hygienic macro
   expr  := `or` of `and` of ['not'] cmp;  cmp := add [('=='|'!='|'<'|'<='|'>'|'>='|'in') add]
   add   := mul {('+'|'-') mul};  mul := una {('*'|'/'|'//'|'%') una};  una := ['-'] post
   post  := atom { '.' NAME | '[' expr ']' | '(' [arg {',' arg}] ')' }
   arg   := '**' expr | NAME '=' expr | expr
   atom  := INT | FLOAT | STRING | NAME | '_' | 'none' | 'true' | 'false' | '(' exprs ')' | '[' exprs ']'

   Patterns (source: what is matched; target: what is built):
     Wildcard()  any value                     Variable()  a graph input or a constant tensor
     Const()     a constant tensor             Const(v)    one whose value is v (target: a new one)
       with shape= dtype= ndim= (attribute expressions matched) and shared=true: may stand for a graph
       node that another of these stands for too (otherwise patterns and nodes are one-to-one).
       A value is a number for a tensor of one element, a tuple for a vector of another length; floats are
       compared bit for bit (0.0 is not -0.0). An integer literal may stand for the float of that value.
     Op(p, .., label=a, ..)  an operator of tensor/ops.def; + - * / and unary - are Add Sub Mul Div Neg;
       an attribute value among patterns stands for Const(value) of the neighbour's element type.
       Source: only the attributes given are compared. Target: others get the operator's defaults.
     Optional(p [, d])  as an operator input: absent, or present and p. Where it is absent, its mention
       in the target builds Const(d), or without d is an absent input.  none: an absent input.
     (p, q)  tuple;  p[a]  field or output number a.
   Attributes: numbers, strings, booleans, none, `_` (matches anything), tuples, t[i], + - * // %,
   comparisons, and or not, len(t), gather(t, indices), min(a, b), max(a, b), p.shape, p.dtype ("f32"),
   p.ndim, c.value, t.index, b.present (of an Optional), and the operator's own attributes (they win over
   shape and dtype).
     **same_attr(p, [l, ..]) gives the attributes l=p.l, ... .
   class: exact (bit for bit), ring (exact in integers), real (reassociates floats; the default). */
#ifndef CALQUE_PATTERN_GSL_H
#define CALQUE_PATTERN_GSL_H

#include "attr/attr.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"

/* ORDER pattern_kind */
enum pattern_kind {
    PATTERN_WILDCARD,
    PATTERN_VARIABLE,
    PATTERN_CONST,    /* value: attribute expression, or -1: any constant */
    PATTERN_CALL,     /* op, kids, attrs */
    PATTERN_TUPLE,    /* kids */
    PATTERN_PROJ,     /* one kid, value: index expression */
    PATTERN_OPTIONAL, /* one kid, value: default expression or -1 */
    PATTERN_NONE,     /* an absent input */
    PATTERN_ALT,      /* kids: alternatives, in the order of preference */
    PATTERN_OP,       /* an operator pattern: any operator of rule.kid[kid .. kid+nkid-1] (operator numbers) */
    PATTERN_VARIADIC, /* one kid, the field; least, index; value: length expression or -1 */
    PATTERN_INST,     /* one kid, a template; value: index expression. src(t, k): looked up */
    PATTERN_COND,     /* targets: kids then, else; value: condition */
    PATTERN_MATCH     /* targets: the Alt pattern, then one kid for each alternative */
};

/* label = expr; expr is in the rule's attrs. closed: it reads no pattern's attribute. */
struct pattern_attr {
    int label, expr;
    bool closed;
    int line, col;
};

struct pattern {
    int kind;
    int op;          /* CALL: of tensor/ops.def, or -1: that of operator pattern opat */
    int opat;        /* CALL: pattern number of a PATTERN_OP, or -1 */
    int kid, nkid;   /* range of rule.kid: pattern numbers < own */
    int attr, nattr; /* range of rule.attr */
    int value;
    bool closed;     /* the value expression reads no pattern's attribute */
    int like;        /* CONST built for a target: the pattern whose element type it takes, or -1 */
    bool shared;
    bool template;   /* part of a variadic pattern: its address carries the instance */
    int first;       /* of a template: the pattern that instance 0 is instead, or -1 */
    int least;       /* VARIADIC: fewest instances of an output sequence */
    int index;       /* VARIADIC: symbol number of the instance, or -1; INST: the VARIADIC pattern */
    bool in_source;
    bool certain;    /* in the source outside every Optional: every match binds it */
    int name;        /* of its binding: string id, or -1 */
    int line, col;
};

enum rule_class { RULE_EXACT, RULE_RING, RULE_REAL };

struct rule_require {
    int expr;
    int line, col;
};

/* Patterns in topological order (kids, and a first pattern, before parents). The patterns of attribute accesses
   (attrs.slot) are pattern numbers; an address is a pattern number and, for a template, an instance: no template
   is ever copied. */
struct rule {
    int name, file; /* string ids */
    int line, col;
    int class;
    struct ints source, target; /* pattern numbers: the outputs, as many of either */
    struct { struct pattern *a; int n, cap; } pattern;
    struct ints kid;
    struct { struct pattern_attr *a; int n, cap; } attr;
    struct { struct rule_require *a; int n, cap; } require;
    struct attrs attrs;
};

struct rules {
    struct mem *mem;       /* shared, not owned */
    struct strs *strs;     /* shared, not owned */
    struct values *values; /* shared, not owned */
    struct { struct rule *a; int n, cap; } rule;
};

void rules_init(struct rules *rs, struct mem *mem, struct strs *strs, struct values *values);
void rules_free(struct rules *rs);
/* Parses and checks a rule file and appends its rules. A rule that passes refers to nothing that a match
   leaves undefined. CALQUE_BAD with the place; then no rule of the file was added. */
enum calque_status rules_parse(struct rules *rs, const char *file, const char *src, size_t n, struct diag *d);
int rules_count(const struct rules *rs);
const char *rules_name(const struct rules *rs, int rule);
const char *rules_file(const struct rules *rs, int rule);
int rules_line(const struct rules *rs, int rule);
/* exact, ring, real */
const char *rules_class(const struct rules *rs, int rule);
/* The number of the rule of that name, or -1. */
int rules_find(const struct rules *rs, const char *name);
/* Reads the graph of that name (NULL: the only one) of a rule file into g, which is initialised and empty. */
struct graph;
enum calque_status rules_graph(struct graph *g, const char *name, const char *file, const char *src, size_t n,
                               struct diag *d);
/* S-expression of rule's patterns, one per line; for dumps and tests. */
void rules_print(struct text *t, const struct rules *rs, int rule);
/* "Conv", "wildcard", ...: how messages call pattern p. */
const char *pattern_word(const struct rule *r, int p);
void rule_free(struct rule *r);

#endif
