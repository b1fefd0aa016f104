/* Rewrite rules and their text, the .gsl files.

   file  := { rule | def | graph }                        # a newline ends a statement, not inside ( [
   rule  := 'rule' NAME '{' { NAME '=' expr | 'source' expr | 'target' expr | 'require' expr
                              | 'class' ('exact' | 'ring' | 'real') | def } '}'
   def   := 'def' NAME '(' [ NAME {',' NAME} ] ')' '=' expr              # hygienic macro
   graph := a graph as in a .graph file (graph/text.h); FILE.gsl:NAME on the command line
   expr  := `or` of `and` of ['not'] cmp;  cmp := add [('=='|'!='|'<'|'<='|'>'|'>='|'in') add]
   add   := mul {('+'|'-') mul};  mul := una {('*'|'/'|'//'|'%') una};  una := ['-'] post
   post  := atom { '.' NAME | '[' expr ']' | '[' [expr] ':' [expr] [':' [expr]] ']' | '(' [arg {',' arg}] ')' }
   arg   := '**' expr | NAME '=' expr | expr ['for' NAME 'in' expr]
   atom  := INT | FLOAT | STRING | NAME | '_' | 'none' | 'true' | 'false' | '(' [expr {',' expr}] ')'
          | '[' [expr ('for' NAME 'in' expr | {',' expr})] ']'

   source and target: a pattern, a list [p, ..] of several outputs, or a Variadic. Outputs are used by no other part
   of the source; each has a pattern in common with earlier ones (they are reordered, the targets with them).

   Patterns (source: what is matched; target: what is built):
     Wildcard()  any value                     Variable()  a graph input or a constant tensor
     Const()     a constant tensor             Const(v)    one whose value is v (target: a new one)
       with shape= dtype= ndim= (attribute expressions matched) and shared=true: may stand for a graph
       node that another of these stands for too (otherwise patterns and nodes are one-to-one).
       A value is a number for a tensor of one element, a tuple for a vector of another length; floats are
       compared bit for bit (0.0 is not -0.0). An integer literal may stand for the float of that value; a float
       literal is rounded to the element type that it is compared with (binary32 for operators' attributes).
     Op(p, .., label=a, ..)  an operator of tensor/ops.def; + - * / and unary - are Add Sub Mul Div Neg;
       an attribute value among patterns stands for Const(value) of the neighbour's element type.
       Source: only the attributes given are compared. Target: others get the operator's defaults. Axes that are
       literals may count from the end: axis=-1, axes=[-2, -1].
     Op('Exp', 'Sqrt'), Op(trait=elementwise|broadcast|commutative|float)  an operator pattern f: f(p, ..) is an
       application of one of these operators, the same one wherever f is applied, in the target too.
     Optional(p [, d])  as an operator input: absent, or present and p. Where it is absent, its mention
       in the target builds Const(d), or without d is an absent input.  none: an absent input.
     (p, q)  tuple;  p[a]  field or output number a.
     Alt(p, q, ..)  source of a rule with one output: the first alternative that leads to a match.
     Match(alt, [e, ..])  by the alternative that was matched: a pattern (target only) or an attribute value. What is
       bound in some alternatives only may be mentioned in their clauses only.
     Cond(c, p, q)  target: p if c, else q; only that is built.
     Variadic(field, templates=[..], first=[..], index=i, length=n, min_len=k)  any number of patterns: field once for
       each instance. As the only source: outputs, as many as there are, at least min_len; the target is a Variadic
       then, built for each of them. As the only input of an operator that takes any number: its inputs, and (V,) or
       V[a]: the fields of a tuple; in a target there with a length. Templates are the parts that each instance has
       of its own (every user of a template inside the field is one); the others are common to all. first: the
       patterns that stand for the templates in instance 0 (_: the template itself). index: a Symbol(), the number of
       the instance, from 0; it stands only in templates. t.label inside a template is that of the same instance.
     v(t, a)  instance number a of template t of the source's Variadic v;  v.length  the number of instances.

   Attributes: numbers, strings, booleans, none, `_` (matches anything), tuples, t[i], t[a:b:c], + - * // % (integers,
   rounded down; tuples are added end to end), comparisons, `in`, and or not, p.shape, p.dtype ("f32"), p.ndim,
   c.value, t.index, v.length, b.present (of an Optional), and the operator's own attributes (they win over shape and
   dtype). Positions count from 0, negative ones from the end.
     [e for i in range(n)]  [e for a in t]     families; in a match n may be _
     sum prod max min all exists concat        of a tuple: sum(t), sum(e for a in t); max(a, b, ..), min(a, b, ..) too
     range(n) range(a, b [, step])  reversed(t)  zip(t, ..)  len(t)  gather(t, indices)  Cond(c, a, b), lazy
     layout_remap("NCHW", "NHWC")              where each letter of the second is in the first
     **same_attr(p, [l, ..])                   gives the attributes l=p.l, ...
   class: exact (bit for bit), ring (exact in integers), real (reassociates floats; the default).

   A rule is checked before any graph is seen: its expressions (names, arities, attributes, kinds of values), their
   context (what is mentioned is bound in every match that gets there), its shape (outputs, templates, inputs of the
   target). Patterns are numbered in the order of the text, children and first patterns before users; so are Symbol()s; a
   comprehension's symbol has the least number that no other symbol in its body has. */
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

/* From the strongest to the weakest. */
enum rule_class { RULE_EXACT, RULE_RING, RULE_REAL, RULE_CLASSES };
const char *rule_class_name(int class);
/* The class of that name, or -1. */
int rule_class_find(const char *name, size_t len);

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
    int library; /* 1 + the built-in set it is of (rewrite/library.h); 0: of a file that was read */
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

/* Operators that have no meaning here, in rules:

     Op('domain::Name')(p, .., label=a, ..)  an application of that operator of that domain ("ai.onnx": ONNX's own), bound
       or not: f = Op('com.acme::Fancy'). Its node says which it is: the attribute op_type is 'domain::Name'.
       Source: only the attributes given are compared, any inputs may be absent (none), p[k] is output number k.
       Target: one output; no attributes but those given: integers, floats (binary32), strings, tuples of one of these.

   What such a rule preserves cannot be tested: it is what the rule says, as is the type of what it replaces. */

/* The first application of such an operator, or -1. */
int rule_unknown(const struct rule *r);
/* "domain::Name" of that application. */
const char *rule_unknown_name(const struct rules *rs, const struct rule *r, int p);

#endif
