/* Between the files of the builder. */
#ifndef CALQUE_REWRITE_INSTANTIATE_INTERNAL_H
#define CALQUE_REWRITE_INSTANTIATE_INTERNAL_H

#include "rewrite/instantiate.h"

struct build_goal {
    int pattern, instance;
    bool planned; /* its children are on the stack above it, or done */
};

struct builder {
    struct matcher *m;
    const struct rule *r;
    struct graph *g;
    struct addresses built; /* address -> node that stands for it in the target, or PATTERN_ABSENT */
    struct { struct build_goal *a; int n, cap; } goal;
    struct attr_memo memo; /* of the whole target, if the rule's plan allows it */
    struct ints in; /* scratch: inputs of a new node */
    int old;        /* nodes of the graph before */
    struct diag *d; /* its text: what is wrong, of REFUSE_TYPE and REFUSE_OPSET */
    enum refusal why;
    enum calque_status status;
};

/* Always false. */
bool build_refuse(struct builder *b, enum refusal why);
/* REFUSE_TYPE, with what is wrong in words. Always false. */
bool build_ill_typed(struct builder *b, const char *format, ...) CALQUE_PRINTF(2, 3);
bool build_nomem(struct builder *b);
/* M;expr => value in instance k */
bool build_eval(struct builder *b, int expr, int k, int *value);
/* The node of p in instance k if it is looked up or built already, else PATTERN_UNBOUND; false: refused. */
bool build_known(struct builder *b, int p, int k, int *node);
/* The kids of q in instance k: one after another, or the instances of a variadic pattern. *n of them. */
bool build_parts(struct builder *b, const struct pattern *q, int k, int *n);
struct build_goal build_part(const struct builder *b, const struct pattern *q, int k, int j);

/* New nodes, from children that are known: each sets *out or refuses. */
bool build_const(struct builder *b, const struct pattern *q, int k, int *out);
bool build_default(struct builder *b, const struct pattern *q, int k, int *out);
bool build_call(struct builder *b, const struct pattern *q, int k, int *out);
bool build_tuple(struct builder *b, const struct pattern *q, int k, int *out);
bool build_proj(struct builder *b, const struct pattern *q, int k, int *out);

#endif
