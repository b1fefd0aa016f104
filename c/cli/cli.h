/* The calque command: the only place that prints and the only caller of exit. */
#ifndef CALQUE_CLI_CLI_H
#define CALQUE_CLI_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "attr/value.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"
#include "dpia/parse.h"
#include "emit/emit.h"
#include "graph/graph.h"
#include "onnx/onnx.h"
#include "kernel/kernel.h"
#include "pattern/gsl.h"
#include "rewrite/rewrite.h"

#define CALQUE_VERSION "0.1.0"

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_INPUT = 2, EXIT_INTERNAL = 3 };

/* Sizes of open dimensions, as cli_given takes them. */
enum { CLI_GIVEN = 64 };
struct cli_given {
    struct onnx_size size[CLI_GIVEN];
    struct onnx_input_shape shape[CLI_GIVEN];
    int nsize, nshape;
};

/* What every subcommand shares. */
struct cli {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct cli_given given;
    struct onnx_reasons reasons; /* of the ONNX model that was read last */
    bool json, external; /* external: ONNX models are saved with the data of large initializers beside them */
    const char *program;
};

int cmd_check(struct cli *c, int argc, char **argv);
int cmd_match(struct cli *c, int argc, char **argv);
int cmd_opt(struct cli *c, int argc, char **argv);
int cmd_equiv(struct cli *c, int argc, char **argv);
int cmd_emit(struct cli *c, int argc, char **argv);
int cmd_grad(struct cli *c, int argc, char **argv);
int cmd_inline(struct cli *c, int argc, char **argv);
int cmd_report(struct cli *c, int argc, char **argv);
int cmd_run(struct cli *c, int argc, char **argv);
int cmd_dump(struct cli *c, int argc, char **argv);
int cmd_ops(struct cli *c, int argc, char **argv);
int cmd_profile(struct cli *c, int argc, char **argv);
int cmd_rules(struct cli *c, int argc, char **argv);

/* Prints the diagnostic (file:line:col: error: text, the line, a caret) to stderr; the exit status for it. */
int cli_fail(const struct diag *d);
/* "calque CMD: text" plus a hint at --help; EXIT_INPUT. */
int cli_usage(const char *command, const char *format, ...) CALQUE_PRINTF(2, 3);
/* Options of a command that has --json and --help alone: its exit status, or -1 to go on with the arguments from optind on. */
int cli_json_option(struct cli *c, int argc, char **argv, int (*usage)(FILE *f, int status));
/* The answer of --json to stdout; takes the reference. EXIT_INTERNAL when memory was out while it was made. */
int cli_json(json_t *answer, int status);
int cli_json_put(json_t *answer, size_t flags, int status); /* with these flags, without a newline */
void cli_json_init(void);
bool cli_json_failed(void); /* was memory out for an answer? */
/* A text of any bytes: those that are not UTF-8 as \xHH. */
json_t *cli_text(const char *s);
/* The same of the file STEM.npy. */
json_t *cli_npy(const char *stem);
/* To an array, to an object; takes the item. What fails is an error of cli_json. */
void cli_append(json_t *array, json_t *item);
void cli_set(json_t *object, const char *key, json_t *item);
/* From now on no control character of a name reaches a terminal. */
void cli_guard_terminal(void);

/* getopt's long options and help for the sizes of open dimensions, which cli_load gives them. */
enum { CLI_DIM = 1100, CLI_INPUT_SHAPE };
#define CLI_GIVEN_OPTIONS {"dim", 1, 0, CLI_DIM}, {"input-shape", 1, 0, CLI_INPUT_SHAPE}
#define CLI_GIVEN_HELP                                                                                                \
    "  --dim NAME=N       ONNX: the size of the open dimensions called NAME; may be repeated\n"                      \
    "  --input-shape NAME=D,..  ONNX: the shape of input NAME, whose open dimensions get these sizes; may be repeated\n"
/* Takes option key; false when it is not one of these. *status: EXIT_YES, or that of a usage error, which is printed. */
bool cli_given(struct cli *c, const char *command, int key, const char *arg, int *status);
/* CALQUE_BAD when sizes were given, though the input (what: in words) has no open dimensions. */
enum calque_status cli_given_none(const struct cli *c, const char *path, const char *what, struct diag *d);
void cli_given_free(struct cli *c);

/* Reads a model: .onnx, or .graph text (by content when the name is "-" or has neither ending); FILE.gsl:NAME is a graph of
   a rule file, FILE.gsl its only one. */
enum calque_status cli_load(struct cli *c, const char *path, struct graph *g, struct diag *d);
/* After CALQUE_BAD from emission or the interpreter, file at path: when operators that g's outputs need have no meaning, d says
   which, how many of each, and why, instead of the first consequence. */
void cli_unsupported(struct cli *c, const char *path, const struct graph *g, struct diag *d);
/* Writes a model by the ending of path; "-" is .graph text. */
enum calque_status cli_save(struct cli *c, const char *path, const struct graph *g, struct diag *d);
/* Reads a kernel: .json in the PKU form, else .kern text. k is initialised in any case. */
enum calque_status cli_kernel(struct cli *c, const char *path, struct kernel *k, struct diag *d);
/* Sizes given as --size NAME=NUMBER; cli_size: false when malformed or too many. Not to be moved after use. */
enum { CLI_SIZES = 32 };
struct cli_sizes {
    char name[CLI_SIZES][64];
    struct dpia_size size[CLI_SIZES];
    int n;
};
bool cli_size(struct cli_sizes *s, const char *arg);
/* --math=libm or --math=calque: the float functions. */
#define CLI_MATH_HELP                                                                                                 \
    "      --math=calque  exp, log, tanh, erf, pow by Calque's own functions, the same bits on every machine and fast in\n" \
    "                   vectors; --math=libm (the default): those of C's library\n"
enum { CLI_MATH = 1200, CLI_SUMS, CLI_FMA };
#define CLI_MATH_OPTION {"math", 1, 0, CLI_MATH}
bool cli_math(const char *arg, enum kernel_math *math); /* false: neither */
const char *cli_math_name(enum kernel_math math);
/* --sums=sequential or --sums=lanes: the order of sums. */
#define CLI_SUMS_HELP                                                                                                 \
    "      --sums=lanes   sums of 32 or more cells next to one another as 16 partial sums, which are fast in vectors: other\n" \
    "                   bits, the same in run, emit and the oracle; --sums=sequential (the default): one cell after the other\n"
#define CLI_SUMS_OPTION {"sums", 1, 0, CLI_SUMS}
bool cli_sums(const char *arg, enum kernel_sums *sums); /* false: neither */
const char *cli_sums_name(enum kernel_sums sums);
/* --fma: products of sums are not rounded. */
#define CLI_FMA_HELP                                                                                                  \
    "      --fma        sums of products add each one by a fused multiply-add, rounded once: other bits, the same in run, emit\n" \
    "                   and the oracle; emitted code wants a processor that has the instruction\n"
#define CLI_FMA_OPTION {"fma", 0, 0, CLI_FMA}
/* Reads a .dpia program. p is initialised in any case. */
enum calque_status cli_prog(struct cli *c, const char *path, const struct cli_sizes *s, struct prog *p, struct diag *d);
/* The rules asked for: those of the files, and of the built-in sets; with neither the standard sets (all sets when
   rules are named); of them those named; of them those of the classes named. */
enum { CLI_LIST = 64 };
struct cli_pick {
    const char *file[CLI_LIST], *set[CLI_LIST], *rule[CLI_LIST], *class[CLI_LIST];
    int files, sets, rules, classes;
    int left_out; /* by cli_rules: rules that are not of these classes */
};
/* getopt's long options and help for them; key 'r' or one of these. */
enum { CLI_SET = 1000, CLI_RULE, CLI_CLASS, CLI_EXACT };
#define CLI_PICK_OPTIONS                                                                                              \
    {"rules", 1, 0, 'r'}, {"set", 1, 0, CLI_SET}, {"rule", 1, 0, CLI_RULE}, {"class", 1, 0, CLI_CLASS},               \
    {"exact-only", 0, 0, CLI_EXACT}
#define CLI_PICK_HELP                                                                                                 \
    "  -r, --rules FILE   rules of this file; may be repeated\n"                                                      \
    "  --set NAME,..      rules of these built-in sets (see calque rules; also `standard`, `all`)\n"                  \
    "  --rule NAME,..     of the rules asked for (default: all built-in ones) only these\n"     \
    "  --class NAME,..    of these only rules of class exact (bit for bit), ring (exact in integers) or real\n"       \
    "                     (reassociates floats; also any rule of a file that does not say its class)\n"              \
    "  --exact-only       --class exact\n"
/* Takes option key; false when it is not one of these. *full: there are too many. */
bool cli_pick(struct cli_pick *p, int key, const char *arg, bool *full);
enum calque_status cli_rules(struct cli *c, struct cli_pick *pick, struct rules *r, struct diag *d);
bool cli_ends(const char *s, const char *ending);

/* Deterministic inputs of g: f32 uniform in [-1, 1), i64 in 0..3. */
enum calque_status cli_random(struct cli *c, const struct graph *g, unsigned long seed, struct tensor *inputs,
                              struct diag *d);
/* Which tensors a model's inputs get: all from the seed when random, then those of bind, each INPUT=FILE.npy. */
struct cli_inputs {
    const char *model;
    char **bind;
    int nbind;
    bool random;
    unsigned long seed;
};
/* in: one for each input, zero before; inputs that get none stay so. */
enum calque_status cli_bind(struct cli *c, const struct cli_inputs *o, const struct graph *g, struct tensor *in, struct diag *d);
enum calque_status cli_npy_read(struct cli *c, const char *path, struct tensor *out, struct diag *d);
/* DIR/STEM.npy */
enum calque_status cli_npy_write(struct cli *c, const char *dir, const char *stem, const struct tensor *t, struct diag *d);
/* How far b is from a; of others than floats: is it another? */
struct cli_diff {
    double abs, rel; /* greatest |a-b|, and |a-b| / greatest |a| */
    long outside;    /* elements with |a-b| > atol + rtol * greatest |a| (or a NaN on one side only) */
    long elems;
    bool identical;  /* bit for bit */
    bool comparable; /* same type and shape */
};
struct cli_diff cli_compare(const struct tensor *a, const struct tensor *b, double rtol, double atol);
void cli_free_tensors(struct tensor *t, int n);
/* An option's value as a count, or -1; as any number of 64 bits; as a tolerance, finite and not negative. */
long cli_count(const char *s);
bool cli_seed(const char *s, unsigned long *n);
bool cli_real(const char *s, double *x);

/* ---- calque report: what is in trace.json, and its readable forms, which are made from it alone ---- */

/* A graph's operators, {id, name, operator, outputs, type, reads}: ids are those of nodes; reads: operators and inputs, each once. */
json_t *report_graph(const struct graph *g);
json_t *report_inputs(const struct graph *g);

/* What is known after a run. */
struct report {
    struct cli *c;
    const char *model;
    json_t *read, *inputs; /* of the model as read: report_graph, report_inputs */
    const struct graph *g; /* the model as emitted */
    const struct rules *rules;
    const struct rewrite_stats *stats;
    const struct cover *cover;
    const struct trace *trace;
    const struct emit_files *files;
};
/* The whole of trace.json; adds to read. NULL: memory is out. */
json_t *report_trace(struct report *r);

/* Access to it: never NULL, "" or 0 where something is missing. */
const char *report_text(const json_t *x, const char *key);
long report_int(const json_t *x, const char *key);
const json_t *report_list(const json_t *x, const char *key);
/* The object of a list whose id it is, or NULL. */
json_t *report_by_id(const json_t *list, long id);

/* TRACE.md. */
void report_markdown(struct text *t, const json_t *trace);
/* report.html; code, contracts: the text of NAME.c and, with contracts, NAME_kernels.c, else NULL. */
void report_page(struct text *t, const json_t *trace, const char *code, const char *contracts);
/* The graph as read or as emitted as SVG; false: there is no program dot, or it failed. */
bool report_drawing(struct text *t, const json_t *trace, bool emitted);
/* The arena over the calls as SVG. */
void report_memory(struct text *t, const json_t *trace);
/* A number for a rule's colour, 0 .. 11; -1: it was not applied. */
int report_colour(const json_t *trace, const char *rule);
/* Text in HTML, without control characters. */
void report_escape(struct text *t, const char *s);

#endif
