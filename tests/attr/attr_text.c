/* Answers the requests of the attr room on standard input, one line each, as
   `calque-oracle attr` does:
     (eval EXPR ENV)         the value, or `stuck`
     (match EXPR ENV VALUE)  `yes` or `no`
   With the argument `print`: the expression is printed again, and the rest of the line copied.
   With the argument `memo`: as without, but values are found with a memo, each several times, and compared with those
   found without; `differs` when they are not the same.
   A malformed line gets `error`, and then the exit status is 2; one that exceeds a limit gets `unsupported`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "attr/attr.h"
#include "attr/memo.h"
#include "attr/read_request.h"
#include "base/strs.h"
#include "base/text.h"

struct session {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct attrs attrs;
    struct attr_bindings env;
    struct text out;
};

static void session_init(struct session *s)
{
    s->mem = (struct mem)MEM_INIT;
    strs_init(&s->strs, &s->mem);
    values_init(&s->values, &s->mem);
    attrs_init(&s->attrs, &s->values, &s->mem);
    s->values.strs = &s->strs;
    s->env = (struct attr_bindings){ 0 };
    text_init(&s->out, &s->mem);
}

static void session_free(struct session *s)
{
    text_free(&s->out);
    attr_bindings_free(&s->env);
    attrs_free(&s->attrs);
    values_free(&s->values);
    strs_free(&s->strs);
}

static enum attr_result eval(struct session *s, int a)
{
    struct attr_env env = attr_bindings_env(&s->env);
    int v;
    enum attr_result res = attr_eval(&s->attrs, &env, a, &v);

    if (res == ATTR_VALUE)
        value_print(&s->out, &s->values, &s->strs, v);
    else if (res == ATTR_STUCK)
        text_puts(&s->out, "stuck");
    return res;
}

/* Is the value of expression a with the memo the one without? */
static bool memo_agrees(struct session *s, struct attr_memo *m, const struct attr_env *env, int a)
{
    int v = -1, w = -1;
    enum attr_result plain = attr_eval(&s->attrs, env, a, &v), memo = attr_eval_memo(&s->attrs, env, m, a, &w);

    if (plain == ATTR_FULL || memo == ATTR_FULL)
        return true; /* no claim */
    return plain == memo && (plain != ATTR_VALUE || value_equal(&s->values, v, w));
}

/* Expression a and a copy of it, in pairs and in comprehensions, all with one memo; the symbols of the environment change
   meanwhile. */
static bool memo_check(struct session *s, int a, int copy)
{
    struct attr_env env = attr_bindings_env(&s->env);
    int two[2] = { a, copy }, pair = attr_tuple(&s->attrs, two, 2), length = attr_const(&s->attrs, value_int(&s->values, 2));
    int family = attr_var(&s->attrs, 7, length, pair), outer = attr_var(&s->attrs, 0, length, family);
    int both[3] = { attr_symbol(&s->attrs, 7), attr_var(&s->attrs, 7, attr_symbol(&s->attrs, 7), a),
                    attr_var(&s->attrs, 7, attr_symbol(&s->attrs, 7), copy) };
    int hidden = attr_var(&s->attrs, 7, length, attr_tuple(&s->attrs, both, 3)); /* a free symbol 7 that looks bound */
    int all[5] = { a, outer, hidden, family, copy };
    struct attr_memo m;
    bool ok;

    attr_memo_init(&m, &s->mem);
    ok = attr_memo_start(&m, &s->attrs);
    for (int round = 0; round < 3 && ok; round++) {
        for (int k = 0; k < 5; k++)
            ok = ok && memo_agrees(s, &m, &env, all[k]);
        for (int k = 0; k < env.nsymbol; k++)
            env.symbol[k] = value_int(&s->values, round);
    }
    attr_memo_free(&m);
    return ok;
}

static enum attr_result match(struct session *s, int a, int value)
{
    struct attr_env env = attr_bindings_env(&s->env);
    bool yes = false;
    enum attr_result res = attr_match(&s->attrs, &env, a, value, &yes);

    text_puts(&s->out, res != ATTR_VALUE ? "" : yes ? "yes" : "no");
    return res;
}

/* Appends the answer to s->out; false when the line is no request. */
static bool answer(struct session *s, const char *line, size_t n)
{
    struct attr_reader r;
    enum attr_result res = ATTR_FULL;
    bool is_eval = strncmp(line, "(eval", 5) == 0;
    int a, v = -1;

    attr_reader_init(&r, &s->attrs, &s->strs, line, n);
    a = attr_read_open(&r, is_eval ? "eval" : "match") ? attr_read(&r) : -1;
    if (a >= 0 && attr_read_env(&r, &s->env) && !is_eval)
        v = attr_read_value(&r);
    if (r.status == CALQUE_OK && attr_read_close(&r) && attr_read_end(&r))
        res = is_eval ? eval(s, a) : match(s, a, v);
    if (res == ATTR_FULL)
        text_puts(&s->out, r.status == CALQUE_BAD ? "error" : "unsupported: a limit is exceeded");
    text_puts(&s->out, "\n");
    return res != ATTR_FULL || r.status != CALQUE_BAD;
}

/* `differs`, or the answer. */
static bool answer_memo(struct session *s, const char *line, size_t n)
{
    struct attr_reader r;
    struct session copy;
    bool ok;
    int a[2];

    session_init(&copy);
    attr_reader_init(&r, &copy.attrs, &copy.strs, line, n);
    a[0] = attr_read_open(&r, "eval") ? attr_read(&r) : -1;
    if (a[0] >= 0 && attr_read_env(&r, &copy.env)) {
        attr_reader_init(&r, &copy.attrs, &copy.strs, line, n);
        a[1] = attr_read_open(&r, "eval") ? attr_read(&r) : -1;
        ok = memo_check(&copy, a[0], a[1]);
    } else
        ok = true;
    session_free(&copy);
    if (ok)
        return answer(s, line, n);
    text_puts(&s->out, "differs\n");
    return false;
}

/* The line with its expression printed from the arena. */
static bool reprint(struct session *s, const char *line, size_t n)
{
    struct attr_reader r;
    bool is_eval = strncmp(line, "(eval", 5) == 0;
    int a;

    attr_reader_init(&r, &s->attrs, &s->strs, line, n);
    a = attr_read_open(&r, is_eval ? "eval" : "match") ? attr_read(&r) : -1;
    text_puts(&s->out, a < 0 ? "error" : is_eval ? "(eval " : "(match ");
    if (a >= 0) {
        attr_print(&s->out, &s->attrs, &s->strs, a);
        text_put(&s->out, r.text + r.at, (size_t)(r.n - r.at));
    }
    text_puts(&s->out, "\n");
    return a >= 0;
}

static int answers(FILE *in, FILE *out, bool (*to)(struct session *, const char *, size_t))
{
    struct session s;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int status = 0;

    while ((n = getline(&line, &cap, in)) >= 0) {
        if (n > 0 && line[n - 1] == '\n')
            line[--n] = '\0';
        session_init(&s);
        if (!to(&s, line, (size_t)n))
            status = 2;
        if (s.out.failed)
            status = 3;
        fwrite(s.out.a, 1, (size_t)s.out.n, out);
        if (out == stdout)
            fflush(out); /* who asked waits for it */
        session_free(&s);
    }
    free(line);
    return status;
}

int attr_answers(FILE *in, FILE *out)
{
    return answers(in, out, answer);
}

int main(int argc, char **argv)
{
    bool print = argc == 2 && strcmp(argv[1], "print") == 0, memo = argc == 2 && strcmp(argv[1], "memo") == 0;

    return print || memo ? answers(stdin, stdout, print ? reprint : answer_memo) : attr_answers(stdin, stdout);
}
