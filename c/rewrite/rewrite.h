/* Rewriting a graph by rules, in a fixed order: passes; in a pass, rules as listed; for a rule, the nodes
   that were there when its turn came, in topological order; one match at a time, on the graph as the previous
   rewrite left it, so that what was replaced is matched no more and every match is convex in the graph it is applied
   to. Before the first pass and after each rule's turn, what has become constant is folded. */
#ifndef CALQUE_REWRITE_REWRITE_H
#define CALQUE_REWRITE_REWRITE_H

#include "graph/graph.h"
#include "graph/use_list.h"
#include "pattern/gsl.h"
#include "pattern/match.h"
#include "tensor/op.h"

#define REWRITE_FUEL 10000L

/* Parameter folding: an operator whose present inputs are all constants (also Shape of a node of known shape,
   and ConstantOfShape) is evaluated by its kernel and becomes a constant. A tensor larger than the limit is
   made only if it is no larger than the constants it is made from; what was skipped is counted. */

#define FOLD_LIMIT ((size_t)64 << 20)

struct fold_stats {
    long count[OP_COUNT];   /* applications folded */
    long skipped[OP_COUNT]; /* larger than the limit */
    long failed[OP_COUNT];  /* without a kernel for these element types */
    size_t skipped_bytes;   /* of the tensors not made */
};

/* Folds the nodes from `first` on and whatever becomes constant thereby. Keeps u in step. */
enum calque_status fold_nodes(struct graph *g, struct uses *u, int first, size_t limit, int threads,
                              struct fold_stats *stats, struct diag *d);
/* The whole of g, then graph_compact. */
enum calque_status fold_graph(struct graph *g, size_t limit, int threads, struct fold_stats *stats,
                              struct diag *d);

/* What became of each node (record.c). */
struct trace_event {
    int rule;             /* or -1: a node was folded */
    int from, nfrom;      /* what it replaced or read: range of pool; a folded node is the first of these itself */
    int nto, nkept;       /* behind them: what it made, and which nodes that were there took an output's place */
};
struct trace {
    struct mem *mem;
    int read, numbers;  /* nodes as read, which have their numbers there; numbers given so far */
    struct ints number; /* of each node of the graph */
    struct ints made;   /* of each number: the event that made it, or -1: it was read */
    struct ints pool;
    struct ints was;    /* kind and inputs of each node before folding */
    struct { struct trace_event *a; int n, cap; } event;
};
enum calque_status trace_begin(struct trace *t, const struct graph *g, struct diag *d);
void trace_free(struct trace *t);
/* A match is about to be replaced: root and the nodes from `first` on are its target. */
enum calque_status trace_rewrite(struct trace *t, const struct matcher *m, const struct graph *g, const int *root, int first,
                                 struct diag *d);
enum calque_status trace_before_fold(struct trace *t, const struct graph *g, struct diag *d);
enum calque_status trace_after_fold(struct trace *t, const struct graph *g, struct diag *d);
enum calque_status trace_compact(struct trace *t, struct graph *g, struct diag *d); /* graph_compact, and the numbers move */
/* reached[x]: number x has something of it; taken[i]: event i replaced it, or what was made from it. One for each number, one for
   each event. False: memory is out. */
bool trace_follow(const struct trace *t, int number, bool *reached, bool *taken);

struct rewrite_options {
    struct trace *trace; /* NULL, or begun: what is done is noted in it */
    bool once;         /* one pass; otherwise until a pass changes nothing */
    int only;          /* 1 + the number of the only rule to be applied; 0: all */
    bool no_fold;      /* leave constant operators alone */
    long fuel;         /* most rewrites; 0: REWRITE_FUEL plus the number of nodes */
    size_t fold_limit; /* bytes; 0: FOLD_LIMIT */
    int threads;       /* for folding; 0: 1 */
    /* Called with a well-formed graph after each turn of a rule that rewrote something. */
    enum calque_status (*after)(void *ctx, const struct graph *g, int rule, struct diag *d);
    void *ctx;
};

enum { REWRITE_REASON = 200 };
/* Of one rule. */
struct rewrite_count {
    long candidates; /* nodes of an operator at which the rule may start */
    long matches;
    long applied;
    long refused_use;       /* would match but for a use outside */
    long refused_convex;    /* ... for something it or its target reads that is computed from an output */
    long refused_require;   /* ... for a condition that is false */
    long refused_injective; /* ... for two patterns on one node */
    long refused_type;      /* matched: the target has not the source's type */
    long refused_stuck;     /* an attribute or a condition has no value */
    long refused_identity;  /* matched: the target is the source */
    long refused_opset;     /* matched: the model's opset lacks an operator of the target */
    long refused_limit;
    char reason[REWRITE_REASON]; /* of the last refused_type or refused_opset: the attribute, the types or the operator */
    long spent;             /* of the budget its searches share: pattern/match_internal.h */
    bool given_up;          /* it is used up */
    double seconds;
};

struct rewrite_stats {
    struct mem *mem;
    struct rewrite_count *rule; /* one for each rule */
    int rules;
    struct fold_stats fold;
    double fold_seconds;
    int passes;
    long applied;
    bool out_of_fuel;
};

enum calque_status rewrite_stats_init(struct rewrite_stats *st, const struct rules *rules, struct diag *d);
void rewrite_stats_free(struct rewrite_stats *st);
/* Rewrites g, whose types are inferred. CALQUE_OK: a fixed point (or one pass, with `once`); CALQUE_LIMIT:
   the fuel ran out, g is well formed and equal in value; else g is only fit for graph_free. stats
   (initialised) is added to. */
enum calque_status rewrite_fix(struct graph *g, const struct rules *rules, const struct rewrite_options *opt,
                               struct rewrite_stats *stats, struct diag *d);

/* What a rewritten graph says of how it was made: the rules applied and how often, and the weakest of their classes
   (graph.h: rules, class; in ONNX the model's metadata). A graph that was rewritten before keeps what it said. */

/* The weakest class of the rules that were applied, or -1: none was. */
int rewrite_class(const struct rules *rules, const struct rewrite_stats *stats);
/* Adds what `stats` counted to what g says. */
enum calque_status rewrite_record(struct graph *g, const struct rules *rules, const struct rewrite_stats *stats,
                                  struct diag *d);

/* What of a model the theorems of coq/theorems/Opt.v do not speak about, or only under a condition. */
enum { COVER_TEXT = 320, COVER_NAME = 121 };
struct cover {
    bool outside;          /* a node has no meaning there: it is opaque, or of no element type */
    char name[COVER_NAME]; /* of the first such node: as much as fits of its name */
    bool gathers;          /* a Gather reads indices that come from the inputs */
    bool literals;         /* a Cast, comparison or condition may read cells that are made from literals alone: in Coq's Mixed.v
                              these have a reading in each element type, not only in that of their tensor */
};
/* Of the model as it was read; adds to what *out says. CALQUE_NOMEM. */
enum calque_status rewrite_cover(const struct graph *g, struct cover *out, struct diag *d);
/* The theorem that covers rewriting by rules of this class (-1: by none) and folding, and its condition. */
void rewrite_theorem(const struct cover *x, int class, char out[COVER_TEXT]);
/* The theorem that covers the run of these rules, and its condition, or what none covers. */
void rewrite_covering(const struct cover *x, const struct rules *r, const struct rewrite_stats *s, char out[COVER_TEXT]);

/* Building the target of a rule for one match: the judgement M;p => e (coq/rewrite/Rewrite.v). What the match binds is
   looked up and never rebuilt; every other address is built once. */

/* Why a match was not rewritten. */
enum refusal {
    REFUSE_NO,
    REFUSE_TYPE,     /* the target has no type, or not the source's */
    REFUSE_STUCK,    /* an attribute of the target has no value */
    REFUSE_IDENTITY, /* the target is the source */
    REFUSE_OPSET,    /* an operator of the target does not exist at the model's opset */
    REFUSE_CYCLE,    /* the target reads what is computed from an output it replaces */
    REFUSE_LIMIT     /* a limit was exceeded */
};

/* Appends the new nodes of the target to g and types them; root (n = m->outs.n of them, room made by the caller) are
   the nodes that replace m->outs. When *why is not REFUSE_NO the graph is as before; of REFUSE_TYPE
   and REFUSE_OPSET the text of d says which attribute, type or operator is not as it must be. CALQUE_OK or CALQUE_NOMEM. */
enum calque_status build_target(struct matcher *m, struct graph *g, int *root, enum refusal *why, struct diag *d);

#endif
