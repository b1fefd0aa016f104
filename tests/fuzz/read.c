/* Targets that read attributes, rules, names and tensors. */
#include "attr/attr.h"
#include "attr/memo.h"
#include "attr/read_request.h"
#include "fuzz/fuzz.h"
#include "onnx/onnx.h"
#include "pattern/gsl.h"
#include "rewrite/library.h"
#include "rewrite/rulecheck.h"
#include "tensor/npy.h"

/* ---- attributes ---- */

struct session {
    struct fuzz *f;
    struct attrs attrs;
    struct attr_bindings env;
};

static void session_init(struct session *s, struct fuzz *f)
{
    s->f = f;
    attrs_init(&s->attrs, &f->values, &f->mem);
    s->env = (struct attr_bindings){ 0 };
}

static void session_free(struct session *s)
{
    attr_bindings_free(&s->env);
    attrs_free(&s->attrs);
}

/* With a memo the value is the one without. */
static void attr_agrees(struct session *s, int a)
{
    struct attr_env env = attr_bindings_env(&s->env);
    struct attr_memo m;
    int v = -1, w = -1;
    enum attr_result plain = attr_eval(&s->attrs, &env, a, &v), memo = ATTR_FULL;

    attr_memo_init(&m, &s->f->mem);
    if (attr_memo_start(&m, &s->attrs))
        memo = attr_eval_memo(&s->attrs, &env, &m, a, &w);
    attr_memo_free(&m);
    if (plain != ATTR_FULL && memo != ATTR_FULL) {
        MUST(s->f, plain == memo);
        MUST(s->f, plain != ATTR_VALUE || value_equal(&s->f->values, v, w));
    }
}

/* The text of an expression reads as an expression of that text. */
static void attr_prints(struct session *s, int a)
{
    struct attr_reader r;
    struct text first, second;
    int b;

    text_init(&first, &s->f->mem);
    text_init(&second, &s->f->mem);
    attr_print(&first, &s->attrs, &s->f->strs, a);
    if (text_status(&first, &s->f->d) == CALQUE_OK) {
        attr_reader_init(&r, &s->attrs, &s->f->strs, first.a, (size_t)first.n);
        b = attr_read(&r);
        MUST(s->f, b >= 0 || fuzz_short(s->f) || r.status == CALQUE_LIMIT);
        if (b >= 0)
            attr_print(&second, &s->attrs, &s->f->strs, b);
        if (b >= 0 && !second.failed)
            fuzz_same(s->f, &first, &second, "attribute");
        ints_free(&r.kid);
    }
    text_free(&first);
    text_free(&second);
}

void fuzz_attr(struct fuzz *f)
{
    struct session s;
    struct attr_reader r;
    bool is_eval = f->n >= 5 && memcmp(f->src, "(eval", 5) == 0, yes = false;
    int a, v;

    session_init(&s, f);
    attr_reader_init(&r, &s.attrs, &f->strs, f->src, f->n);
    a = attr_read_open(&r, is_eval ? "eval" : "match") ? attr_read(&r) : -1;
    if (a >= 0)
        attr_prints(&s, a);
    if (a >= 0 && attr_read_env(&r, &s.env)) {
        v = is_eval ? -1 : attr_read_value(&r);
        attr_agrees(&s, a);
        if (v >= 0) {
            struct attr_env env = attr_bindings_env(&s.env);
            attr_match(&s.attrs, &env, a, v, &yes);
        }
    }
    MUST(f, r.status != CALQUE_NOMEM || fuzz_short(f));
    ints_free(&r.kid);
    session_free(&s);
}

/* ---- rules ---- */

static bool go_on(void *ctx, long instances)
{
    (void)ctx;
    return instances < 8;
}

void fuzz_gsl(struct fuzz *f)
{
    struct rules r, again;
    struct rulecheck c;
    struct text first, second;
    struct graph g;
    struct rulecheck_options o = { .tries = 8, .seed = 1, .seconds = 0.1, .progress = go_on };

    rules_init(&r, &f->mem, &f->strs, &f->values);
    rules_init(&again, &f->mem, &f->strs, &f->values);
    graph_init(&g, &f->mem, &f->strs, &f->values);
    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (fuzz_ok(f, rules_parse(&r, "fuzz.gsl", f->src, f->n, &f->d)) &&
        fuzz_ok(f, rules_parse(&again, "fuzz.gsl", f->src, f->n, &f->d))) {
        MUST(f, rules_count(&r) == rules_count(&again));
        for (int k = 0; k < rules_count(&r); k++) {
            rules_print(&first, &r, k);
            rules_print(&second, &again, k);
        }
        if (!first.failed && !second.failed)
            fuzz_same(f, &first, &second, "rules");
        for (int k = 0; k < rules_count(&r) && fuzz_flag(f, 0); k++) {
            fuzz_ok(f, rulecheck(&r, k, &o, &c, &f->d));
            rulecheck_free(&c);
        }
    }
    MUST(f, again.rule.n == 0 || r.rule.n > 0);
    fuzz_ok(f, rules_graph(&g, fuzz_flag(f, 1) ? "g" : NULL, "fuzz.gsl", f->src, f->n, &f->d));
    text_free(&first);
    text_free(&second);
    graph_free(&g);
    rules_free(&again);
    rules_free(&r);
}

/* ---- names ---- */

void fuzz_names(struct fuzz *f)
{
    enum { MOST = 64 };
    struct rules r;
    struct npy_names files;
    const char *name[MOST];
    bool wanted[RULE_CLASSES] = { false };
    char *copy = mem_text(&f->mem, f->src, f->n), *rest = copy;
    int n = 0;

    rules_init(&r, &f->mem, &f->strs, &f->values);
    if (copy && fuzz_flag(f, 0)) { /* "SETS\nRULES\nCLASSES" */
        char *line[3] = { copy, NULL, NULL };
        for (int k = 1; k < 3; k++)
            if (line[k - 1] && (line[k] = strchr(line[k - 1], '\n')) != NULL)
                *line[k]++ = '\0';
        if (fuzz_ok(f, library_parse(&r, line[0], &f->d)) && line[1] && fuzz_ok(f, library_keep(&r, line[1], &f->d)))
            MUST(f, line[1][0] == 0 || rules_count(&r) > 0);
        if (line[2] && fuzz_ok(f, library_classes(line[2], wanted, &f->d)))
            fuzz_ok(f, library_keep_classes(&r, wanted, &f->d));
    } else if (copy) {
        for (size_t k = 0; k <= f->n && n < MOST; k++)
            if (copy[k] == '\0' || copy[k] == '\n') {
                copy[k] = '\0';
                name[n++] = rest;
                rest = copy + k + 1;
            }
        if (fuzz_ok(f, npy_names(&files, &f->mem, name, n, &f->d)))
            for (int k = 0; k < n; k++) {
                const char *stem = npy_stem(&files, k);
                MUST(f, stem[0] && stem[0] != '.' && !strchr(stem, '/') && strlen(stem) < 252);
                for (int j = 0; j < k; j++)
                    MUST(f, (strcmp(name[j], name[k]) == 0) == (strcmp(npy_stem(&files, j), stem) == 0));
            }
        npy_names_free(&files);
    }
    rules_free(&r);
    mem_free(copy);
}

/* ---- tensors ---- */

void fuzz_npy(struct fuzz *f)
{
    struct tensor t = { 0 }, again = { 0 };
    struct text first, second;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (fuzz_ok(f, npy_read(&f->mem, "fuzz.npy", f->src, f->n, &t, &f->d)) && fuzz_ok(f, npy_write(&first, &t, &f->d)) &&
        fuzz_ok(f, text_status(&first, &f->d)) && fuzz_ok(f, npy_read(&f->mem, "again.npy", first.a, (size_t)first.n, &again, &f->d)) &&
        fuzz_ok(f, npy_write(&second, &again, &f->d)) && fuzz_ok(f, text_status(&second, &f->d)))
        fuzz_same(f, &first, &second, "npy");
    text_free(&first);
    cells_text(&first, &t);
    text_free(&first);
    text_free(&second);
    tensor_free(&again);
    tensor_free(&t);
}

void fuzz_tensor(struct fuzz *f)
{
    struct tensor t = { 0 };
    struct text cells;
    int name = -1;

    text_init(&cells, &f->mem);
    if (fuzz_ok(f, onnx_tensor_read(&f->mem, &f->strs, "fuzz.pb", (const unsigned char *)f->src, f->n, &t, &name, &f->d))) {
        MUST(f, t.dtype == DTYPE_STR || shape_elems(&t.shape) >= 0);
        cells_type(&cells, t.dtype, &t.shape);
        cells_text(&cells, &t);
    }
    text_free(&cells);
    tensor_free(&t);
}
