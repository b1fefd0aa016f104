/* What the commands share: errors with their line, numbers and seeds of options, sizes of open dimensions (--dim
   NAME=N, --input-shape NAME=D,..), reading and writing graphs, choice of rules, the tensors of a model: its inputs' by
   NAME=FILE.npy and --random SEED; comparison of its outputs', bit for bit or within tolerances; NaN equals NaN. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "graph/text.h"
#include "onnx/onnx.h"
#include "rewrite/library.h"
#include "tensor/gen.h"
#include "tensor/npy.h"
#include "tensor/op.h"

/* The line of the source with a caret under col; nothing if the file cannot be read again. */
static void show_line(const struct diag *d)
{
    FILE *f = fopen(d->file, "rb");
    int line = 1, c, n = 0;
    char buf[200];

    if (!f)
        return;
    while (line < d->line && (c = getc(f)) != EOF)
        line += c == '\n';
    while ((c = getc(f)) != EOF && c != '\n' && n < (int)sizeof buf - 1)
        buf[n++] = (char)(c == '\t' ? ' ' : c);
    buf[n] = '\0';
    fclose(f);
    if (d->col <= n + 1)
        fprintf(stderr, "%s\n%*s^\n", buf, d->col > 0 ? d->col - 1 : 0, "");
}

int cli_fail(const struct diag *d)
{
    if (d->file[0] && d->line > 0) {
        fprintf(stderr, "%s:%d:%d: error: %s\n", d->file, d->line, d->col, d->text);
        show_line(d);
    } else if (d->file[0]) {
        fprintf(stderr, "%s: error: %s\n", d->file, d->text);
    } else {
        fprintf(stderr, "calque: error: %s\n", d->text);
    }
    switch (d->status) {
    case CALQUE_NO:
        return EXIT_NO;
    case CALQUE_OK: /* a failure that does not say why is no answer */
    case CALQUE_NOMEM:
    case CALQUE_INTERNAL:
        return EXIT_INTERNAL;
    default:
        return EXIT_INPUT;
    }
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list ap;
    fprintf(stderr, "calque %s: ", command);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fprintf(stderr, " (see calque %s --help)\n", command);
    return EXIT_INPUT;
}

int cli_json_option(struct cli *c, int argc, char **argv, int (*usage)(FILE *f, int status))
{
    static const struct option longs[] = {{"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    int k;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (k) {
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    return -1;
}

bool cli_ends(const char *s, const char *ending)
{
    size_t n = strlen(s), k = strlen(ending);
    return n >= k && strcmp(s + n - k, ending) == 0;
}

bool cli_math(const char *arg, enum kernel_math *math)
{
    *math = strcmp(arg, "calque") == 0 ? MATH_CALQUE : MATH_LIBM;
    return *math == MATH_CALQUE || strcmp(arg, "libm") == 0;
}

const char *cli_math_name(enum kernel_math math)
{
    return math == MATH_CALQUE ? "calque" : "libm";
}

bool cli_sums(const char *arg, enum kernel_sums *sums)
{
    *sums = strcmp(arg, "lanes") == 0 ? SUMS_LANES : SUMS_SEQUENTIAL;
    return *sums == SUMS_LANES || strcmp(arg, "sequential") == 0;
}

const char *cli_sums_name(enum kernel_sums sums)
{
    return sums == SUMS_LANES ? "lanes" : "sequential";
}

long cli_count(const char *s)
{
    unsigned long n;

    return cli_seed(s, &n) && n <= LONG_MAX ? (long)n : -1;
}

bool cli_seed(const char *s, unsigned long *n)
{
    char *stop;

    errno = 0;
    *n = strtoul(s, &stop, 10);
    return isdigit((unsigned char)*s) && !*stop && errno == 0;
}

bool cli_real(const char *s, double *x)
{
    char *stop;

    *x = strtod(s, &stop);
    return *s && !isspace((unsigned char)*s) && !*stop && isfinite(*x) && *x >= 0;
}

/* .graph text starts with a comment or the word graph; ONNX starts with a field tag byte. */
static bool looks_like_text(const char *data, size_t n)
{
    size_t i = 0;
    while (i < n && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r'))
        i++;
    return (i < n && data[i] == '#') || (n - i >= 5 && memcmp(data + i, "graph", 5) == 0);
}

/* FILE.gsl:NAME, or FILE.gsl when it has one graph. */
static enum calque_status load_from_rules(struct cli *c, const char *path, const char *colon, struct graph *g,
                                          struct diag *d)
{
    char *data = NULL, *file = mem_text(&c->mem, path, colon ? (size_t)(colon - path) : strlen(path));
    size_t n;
    enum calque_status st = file ? file_read(&c->mem, file, &data, &n, d) : diag_nomem(d);

    if (st == CALQUE_OK)
        st = rules_graph(g, colon ? colon + 1 : NULL, file, data, n, d);
    mem_free(data);
    mem_free(file);
    return st;
}

/* Data of its initializers may be in other files of its folder. */
static enum calque_status load_onnx(struct cli *c, const char *path, const char *data, size_t n, struct graph *g, struct diag *d)
{
    const char *slash = strrchr(path, '/');
    char *folder = mem_text(&c->mem, path, slash ? (size_t)(slash - path) + 1 : 0);
    const struct onnx_given given = {c->given.size, c->given.nsize, c->given.shape, c->given.nshape, folder};
    enum calque_status st = folder ? CALQUE_OK : diag_nomem(d);

    c->reasons.n = 0;
    if (st == CALQUE_OK)
        st = onnx_read_given(g, path, (const unsigned char *)data, n, &given, &c->reasons, d);
    mem_free(folder);
    return st;
}

enum calque_status cli_load(struct cli *c, const char *path, struct graph *g, struct diag *d)
{
    const char *gsl = strstr(path, ".gsl:");
    enum calque_status st;
    char *data;
    size_t n;

    graph_init(g, &c->mem, &c->strs, &c->values);
    if (gsl || cli_ends(path, ".gsl")) {
        st = cli_given_none(c, path, "shapes of a rule file's graphs are numbers", d);
        return st == CALQUE_OK ? load_from_rules(c, path, gsl ? gsl + 4 : NULL, g, d) : st;
    }
    st = file_read(&c->mem, path, &data, &n, d);
    if (st != CALQUE_OK)
        return st;
    if (cli_ends(path, ".graph") || (!cli_ends(path, ".onnx") && looks_like_text(data, n))) {
        st = cli_given_none(c, path, "shapes of a .graph are numbers", d);
        if (st == CALQUE_OK)
            st = graph_text_read(g, path, data, n, d);
    } else {
        st = load_onnx(c, path, data, n, g, d);
    }
    mem_free(data);
    return st;
}

/* The data of large initializers in PATH.data, beside the model. Both files are written, or none. */
static enum calque_status save_external(struct cli *c, const char *path, const struct graph *g, struct diag *d)
{
    static const char ending[] = ".data";
    char *beside = mem_resize(&c->mem, NULL, strlen(path) + sizeof ending, 1), *slash;
    struct onnx_external x = {NULL, NULL, 0};
    unsigned char *data = NULL;
    struct file_set set;
    size_t n = 0;
    enum calque_status st = beside ? CALQUE_OK : diag_nomem(d);

    if (st == CALQUE_OK) {
        memcpy(beside, path, strlen(path));
        memcpy(beside + strlen(path), ending, sizeof ending);
        slash = strrchr(beside, '/');
        x.location = slash ? slash + 1 : beside;
        st = onnx_write_external(g, &data, &n, &x, d);
    }
    file_set_init(&set, &c->mem);
    if (st == CALQUE_OK && x.n > 0)
        st = file_set_add(&set, beside, x.data, x.n, d);
    if (st == CALQUE_OK)
        st = file_set_add(&set, path, data, n, d);
    if (st == CALQUE_OK)
        st = file_set_commit(&set, d);
    file_set_free(&set);
    mem_free(data);
    mem_free(x.data);
    mem_free(beside);
    return st;
}

enum calque_status cli_save(struct cli *c, const char *path, const struct graph *g, struct diag *d)
{
    enum calque_status st;

    if (cli_ends(path, ".onnx") && (c->external || !onnx_fits(g))) {
        st = save_external(c, path, g, d);
    } else if (cli_ends(path, ".onnx")) {
        unsigned char *data = NULL;
        size_t n = 0;
        st = onnx_write(g, &data, &n, d);
        if (st == CALQUE_OK)
            st = file_write(path, data, n, d);
        mem_free(data);
    } else {
        struct text t;
        text_init(&t, &c->mem);
        graph_text_write(&t, g);
        st = text_status(&t, d);
        if (st == CALQUE_OK)
            st = file_write(path, t.a, (size_t)t.n, d);
        text_free(&t);
    }
    return st;
}

bool cli_pick(struct cli_pick *p, int key, const char *arg, bool *full)
{
    const char **list;
    int *n;

    switch (key) {
    case 'r': list = p->file, n = &p->files; break;
    case CLI_SET: list = p->set, n = &p->sets; break;
    case CLI_RULE: list = p->rule, n = &p->rules; break;
    case CLI_EXACT: arg = rule_class_name(RULE_EXACT); /* fall through */
    case CLI_CLASS: list = p->class, n = &p->classes; break;
    default: return false;
    }
    *full = *n == CLI_LIST;
    if (!*full)
        list[(*n)++] = arg;
    return true;
}

/* The lists of all the options as one. NULL: no memory. */
static char *join(struct cli *c, const char *const *list, int n)
{
    size_t len = 1;
    char *s;

    for (int k = 0; k < n; k++)
        len += strlen(list[k]) + 1;
    s = mem_zero(&c->mem, len, 1);
    for (int k = 0; s && k < n; k++) {
        strcat(s, list[k]);
        strcat(s, k + 1 < n ? "," : "");
    }
    return s;
}

static enum calque_status rules_of_file(struct cli *c, const char *path, struct rules *r, struct diag *d)
{
    char *data;
    size_t len;
    enum calque_status st = file_read(&c->mem, path, &data, &len, d);

    if (st != CALQUE_OK)
        return st;
    st = rules_parse(r, path, data, len, d);
    mem_free(data);
    return st;
}

/* A rule that was asked for by its name must be of the classes asked for. */
static enum calque_status keep_classes(struct cli_pick *pick, const char *classes, struct rules *r, struct diag *d)
{
    bool wanted[RULE_CLASSES] = {false};
    int n = rules_count(r);
    enum calque_status st = library_classes(classes, wanted, d);

    for (int k = 0; k < n && st == CALQUE_OK && pick->rules; k++)
        if (!wanted[r->rule.a[k].class])
            st = diag_set(d, CALQUE_BAD, "", 0, 0, "rule '%.200s' is of class %s, not of those asked for",
                          rules_name(r, k), rules_class(r, k));
    if (st == CALQUE_OK)
        st = library_keep_classes(r, wanted, d);
    pick->left_out = n - rules_count(r);
    return st;
}

enum calque_status cli_rules(struct cli *c, struct cli_pick *pick, struct rules *r, struct diag *d)
{
    const char *otherwise = pick->files ? "" : pick->rules ? "all" : "standard";
    char *sets = join(c, pick->sets ? pick->set : &otherwise, pick->sets ? pick->sets : 1);
    char *names = join(c, pick->rule, pick->rules), *classes = join(c, pick->class, pick->classes);
    enum calque_status st = sets && names && classes ? CALQUE_OK : diag_nomem(d);

    rules_init(r, &c->mem, &c->strs, &c->values);
    for (int i = 0; i < pick->files && st == CALQUE_OK; i++)
        st = rules_of_file(c, pick->file[i], r, d);
    if (st == CALQUE_OK)
        st = library_parse(r, sets, d);
    if (st == CALQUE_OK && pick->rules)
        st = library_keep(r, names, d);
    if (st == CALQUE_OK && pick->classes)
        st = keep_classes(pick, classes, r, d);
    mem_free(sets);
    mem_free(names);
    mem_free(classes);
    return st;
}

/* ---- sizes of open dimensions ---- */

enum { GIVEN_DIM_MAX = INT32_MAX };

/* A number at *s, which is moved behind it; false if there is none in 0..GIVEN_DIM_MAX. */
static bool number(const char **s, long *n)
{
    char *end;

    if (**s < '0' || **s > '9')
        return false;
    *n = strtol(*s, &end, 10);
    *s = end;
    return *n <= GIVEN_DIM_MAX;
}

/* The text before the last '=' (names may have one) as a string of its own; *rest is what follows. */
static char *name_part(struct cli *c, const char *arg, const char **rest)
{
    const char *eq = strrchr(arg, '=');

    if (!eq || eq == arg)
        return NULL;
    *rest = eq + 1;
    return mem_text(&c->mem, arg, (size_t)(eq - arg));
}

static bool dims(const char *s, struct shape *out)
{
    out->rank = 0;
    while (*s) {
        if (out->rank == RANK_MAX || !number(&s, &out->dim[out->rank++]))
            return false;
        if (*s == ',' && s[1])
            s++;
        else if (*s)
            return false;
    }
    return true;
}

bool cli_given(struct cli *c, const char *command, int key, const char *arg, int *status)
{
    struct cli_given *x = &c->given;
    const char *rest;
    char *name;
    bool ok;

    if (key != CLI_DIM && key != CLI_INPUT_SHAPE)
        return false;
    *status = EXIT_YES;
    if (x->nsize == CLI_GIVEN || x->nshape == CLI_GIVEN) {
        *status = cli_usage(command, "more than %d of one option", CLI_GIVEN);
        return true;
    }
    name = name_part(c, arg, &rest);
    if (name && key == CLI_DIM) {
        x->size[x->nsize].name = name;
        ok = number(&rest, &x->size[x->nsize].n) && !*rest;
        x->nsize++;
    } else if (name) {
        x->shape[x->nshape].input = name;
        ok = dims(rest, &x->shape[x->nshape].shape);
        x->nshape++;
    } else {
        ok = false;
    }
    if (!ok)
        *status = key == CLI_DIM ? cli_usage(command, "--dim takes NAME=NUMBER, not '%s'", arg)
                                 : cli_usage(command, "--input-shape takes NAME=D,D,.., not '%s'", arg);
    return true;
}

enum calque_status cli_given_none(const struct cli *c, const char *path, const char *what, struct diag *d)
{
    if (!c->given.nsize && !c->given.nshape)
        return CALQUE_OK;
    return diag_set(d, CALQUE_BAD, path, 0, 0, "%s is for ONNX models: %s", c->given.nsize ? "--dim" : "--input-shape", what);
}

void cli_given_free(struct cli *c)
{
    for (int i = 0; i < c->given.nsize; i++)
        mem_free((char *)(uintptr_t)c->given.size[i].name);
    for (int i = 0; i < c->given.nshape; i++)
        mem_free((char *)(uintptr_t)c->given.shape[i].input);
    mem_free(c->reasons.a);
}

/* ---- tensors ---- */

enum calque_status cli_npy_read(struct cli *c, const char *path, struct tensor *out, struct diag *d)
{
    char *data;
    size_t n;
    enum calque_status st = file_read(&c->mem, path, &data, &n, d);

    if (st == CALQUE_OK) {
        st = npy_read(&c->mem, path, data, n, out, d);
        mem_free(data);
    }
    return st;
}

enum calque_status cli_npy_write(struct cli *c, const char *dir, const char *stem, const struct tensor *t, struct diag *d)
{
    struct text path, bytes;
    enum calque_status st;

    text_init(&path, &c->mem);
    text_init(&bytes, &c->mem);
    text_printf(&path, "%s/%s.npy", dir, stem);
    st = npy_write(&bytes, t, d);
    if (st == CALQUE_OK)
        st = path.failed ? text_status(&path, d) : text_status(&bytes, d);
    if (st == CALQUE_OK)
        st = file_write(path.a, bytes.a, (size_t)bytes.n, d);
    text_free(&path);
    text_free(&bytes);
    return st;
}

/* The input that NAME=FILE names; -1: none. */
static int named(const struct graph *g, const char *arg)
{
    const char *eq = strchr(arg, '=');
    int at = -1;

    for (int i = 0; eq && i < g->input.n; i++) {
        const char *name = graph_name(g, g->input.a[i]);
        if (strlen(name) == (size_t)(eq - arg) && strncmp(name, arg, strlen(name)) == 0)
            at = i;
    }
    return at;
}

static enum calque_status bind_file(struct cli *c, const struct cli_inputs *o, const struct graph *g, const char *arg,
                                    struct tensor *in, struct diag *d)
{
    int at = named(g, arg);
    const char *path = at < 0 ? NULL : arg + strlen(graph_name(g, g->input.a[at])) + 1;
    const struct node *n = at < 0 ? NULL : &g->node.a[g->input.a[at]];
    enum calque_status st;

    if (at < 0)
        return diag_set(d, CALQUE_BAD, o->model, 0, 0, "'%s' is not INPUT=FILE.npy of an input of the model", arg);
    tensor_free(&in[at]);
    st = cli_npy_read(c, path, &in[at], d);
    if (st == CALQUE_OK && (in[at].dtype != n->dtype || !shape_equal(&in[at].shape, &n->shape)))
        st = diag_set(d, CALQUE_BAD, path, 0, 0, "type or shape differs from input %s", graph_name(g, g->input.a[at]));
    return st;
}

enum calque_status cli_bind(struct cli *c, const struct cli_inputs *o, const struct graph *g, struct tensor *in, struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    if (o->random)
        st = cli_random(c, g, o->seed, in, d);
    for (int b = 0; b < o->nbind && st == CALQUE_OK; b++)
        st = bind_file(c, o, g, o->bind[b], in, d);
    return st;
}

enum calque_status cli_random(struct cli *c, const struct graph *g, unsigned long seed, struct tensor *inputs,
                              struct diag *d)
{
    for (int i = 0; i < g->input.n; i++) {
        const struct node *n = &g->node.a[g->input.a[i]];
        enum calque_status st;

        if (dtype_elem(n->dtype) == ELEM_OWN)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "input %s: element type %s cannot be generated",
                            graph_name(g, g->input.a[i]), dtype_name(n->dtype));
        st = tensor_new(&c->mem, n->dtype, &n->shape, &inputs[i], d);
        if (st != CALQUE_OK)
            return st;
        st = graph_random(g, i, &inputs[i], &seed, d);
        if (st != CALQUE_OK)
            return st;
    }
    return CALQUE_OK;
}

static double real_at(const struct tensor *t, long i)
{
    return t->dtype == DTYPE_F32 ? (double)tensor_f32(t)[i] : ((const double *)t->data)[i];
}

static void compare_reals(const struct tensor *a, const struct tensor *b, double rtol, double atol, struct cli_diff *r)
{
    double most = 0;

    for (long k = 0; k < r->elems; k++)
        if (isfinite(real_at(a, k)))
            most = fmax(most, fabs(real_at(a, k)));
    for (long k = 0; k < r->elems; k++) {
        double x = real_at(a, k), y = real_at(b, k), e = x == y ? 0 : fabs(x - y); /* also equal infinities */
        if (isnan(x) && isnan(y))
            continue;
        if (isnan(e) || e > atol + rtol * most)
            r->outside++;
        r->abs = isnan(e) ? INFINITY : fmax(r->abs, e);
    }
    r->rel = most > 0 ? r->abs / most : r->abs;
}

struct cli_diff cli_compare(const struct tensor *a, const struct tensor *b, double rtol, double atol)
{
    struct cli_diff r = {0, 0, 0, 0, false, false};

    r.comparable = a->dtype == b->dtype && shape_equal(&a->shape, &b->shape) && a->bytes == b->bytes;
    if (!r.comparable)
        return r;
    r.elems = shape_elems(&a->shape);
    r.identical = a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0;
    if (a->dtype == DTYPE_F32 || a->dtype == DTYPE_F64)
        compare_reals(a, b, rtol, atol, &r);
    else
        r.outside = r.identical ? 0 : 1;
    return r;
}

void cli_free_tensors(struct tensor *t, int n)
{
    for (int i = 0; t && i < n; i++)
        tensor_free(&t[i]);
    mem_free(t);
}
