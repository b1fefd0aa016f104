/* The check of programs against kernels, on texts, as `calque-oracle validate` does it by the extracted function: the same
   words, the same exit status. A program is taken as it is written, with the types it says, be it ill-typed: the check is to say so.
   usage: validate_text PROGRAMS KERNELS
   PROGRAMS as calque dump --stage=dpia --format=sexp prints them, KERNELS as --stage=kernel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dpia/exp.h"

static struct mem mem = MEM_INIT;

static void *need(void *p)
{
    if (!p)
        exit(3);
    return p;
}

/* An S-expression: an atom, or a list whose parts are sons, one after the other. */
struct tree {
    const char *atom;
    int len, n;
    struct tree *son;
};

static const char *blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *read_tree(const char *s, struct tree *t)
{
    memset(t, 0, sizeof *t);
    s = blank(s);
    if (*s != '(') {
        t->atom = s;
        t->len = (int)strcspn(s, " ()\n");
        return s + t->len;
    }
    for (s = blank(s + 1); *s && *s != ')'; s = blank(s)) {
        if ((t->n & (t->n - 1)) == 0)
            t->son = need(mem_resize(&mem, t->son, t->n ? 2 * (size_t)t->n : 1, sizeof *t->son));
        s = read_tree(s, &t->son[t->n++]);
    }
    return *s ? s + 1 : s;
}

static void tree_free(struct tree *t)
{
    for (int i = 0; i < t->n; i++)
        tree_free(&t->son[i]);
    mem_free(t->son);
}

/* A variable in scope: its number in the text, and in the program, where each binder has one of its own. */
struct name {
    long number;
    int var;
};

struct reader {
    struct prog p;
    const char *wrong; /* the text is no program */
    struct { struct name *a; int n, cap; } scope;
};

static const struct tree *part(struct reader *r, const struct tree *t, int i)
{
    static const struct tree none = {"", 0, 0, NULL};

    if (i < t->n)
        return &t->son[i];
    r->wrong = "a part is missing";
    return &none;
}

static bool is(const struct tree *t, const char *word)
{
    return t->atom && (int)strlen(word) == t->len && memcmp(t->atom, word, (size_t)t->len) == 0;
}

static long number(struct reader *r, const struct tree *t)
{
    if (!t->atom || t->len == 0 || !strchr("-0123456789", t->atom[0])) {
        r->wrong = "a number is missing";
        return 0;
    }
    return strtol(t->atom, NULL, 10);
}

static int find(struct reader *r, const struct tree *t, const char *const *word, int n)
{
    for (int i = 0; i < n; i++)
        if (is(t, word[i]))
            return i;
    r->wrong = "a word is not known";
    return 0;
}

static int read_type(struct reader *r, const struct tree *t)
{
    if (t->atom)
        return data_num(&r->p);
    if (is(part(r, t, 0), "ary"))
        return data_ary(&r->p, number(r, part(r, t, 1)), read_type(r, part(r, t, 2)));
    return data_pair(&r->p, read_type(r, part(r, t, 1)), read_type(r, part(r, t, 2)));
}

/* A variable from here on, of data or (type -1) an index; unbind takes it back. */
static int bind(struct reader *r, const struct tree *t, int type, long extent)
{
    struct name x = {number(r, t), r->p.var.n};

    need(vec_room(&mem, &r->p.var, 1) && vec_room(&mem, &r->scope, 1) ? r : NULL);
    r->p.var.a[r->p.var.n++] = (struct exp_var){-1, type, extent};
    r->scope.a[r->scope.n++] = x;
    return x.var;
}

static void unbind(struct reader *r, int n)
{
    r->scope.n -= n;
}

/* The variable of this number that is bound last. */
static int known(struct reader *r, const struct tree *t)
{
    long x = number(r, t);

    for (int i = r->scope.n - 1; i >= 0; i--)
        if (r->scope.a[i].number == x)
            return r->scope.a[i].var;
    r->wrong = "a variable is not known";
    return 0;
}

static int read_ix(struct reader *r, const struct tree *t)
{
    static const char *const op[] = {"+", "-", "*", "//", "%"};
    struct ix x = {IX_CONST, -1, -1, 0};

    if (t->atom) {
        x.k = number(r, t);
    } else if (is(part(r, t, 0), "var")) {
        x = (struct ix){IX_VAR, -1, -1, known(r, part(r, t, 1))};
    } else if (is(part(r, t, 0), "size")) {
        x = (struct ix){IX_SIZE, -1, -1, number(r, part(r, t, 1))};
    } else {
        x.kind = IX_ADD + find(r, part(r, t, 0), op, 5);
        x.a = read_ix(r, part(r, t, 1));
        if (x.kind <= IX_SUB)
            x.b = read_ix(r, part(r, t, 2));
        else
            x.k = number(r, part(r, t, 2));
    }
    need(vec_room(&mem, &r->p.ix, 1) ? r : NULL);
    r->p.ix.a[r->p.ix.n] = x;
    return r->p.ix.n++;
}

static void read_conds(struct reader *r, const struct tree *t, struct exp *e)
{
    static const char *const op[] = {"<", "<=", ">", ">=", "==", "!="};

    e->first = r->p.cond.n;
    e->len = t->n;
    for (int i = 0; i < t->n; i++) {
        struct cond c = {find(r, part(r, &t->son[i], 0), op, 6), read_ix(r, part(r, &t->son[i], 1)), read_ix(r, part(r, &t->son[i], 2))};
        need(vec_room(&mem, &r->p.cond, 1) ? r : NULL);
        r->p.cond.a[r->p.cond.n++] = c;
    }
}

static int type_of(const struct reader *r, int e)
{
    return r->p.exp.a[e].type;
}

/* The elements' type; num where it is no array. */
static int elem(struct reader *r, int type)
{
    return r->p.data.a[type].kind == DATA_ARY ? r->p.data.a[type].a : data_num(&r->p);
}

static int side(struct reader *r, int type, bool first)
{
    const struct data *d = &r->p.data.a[type];

    return d->kind == DATA_PAIR ? (first ? d->a : d->b) : data_num(&r->p);
}

static int add(struct reader *r, struct exp e)
{
    need(vec_room(&mem, &r->p.exp, 1) ? r : NULL);
    r->p.exp.a[r->p.exp.n] = e;
    return r->p.exp.n++;
}

static int read_exp(struct reader *r, const struct tree *t);

static void read_leaf(struct reader *r, const struct tree *t, struct exp *e)
{
    const struct tree *x = part(r, t, 1);

    if (e->kind == EXP_VAR) {
        e->x = known(r, x);
        e->type = r->wrong || r->p.var.a[e->x].type < 0 ? data_num(&r->p) : r->p.var.a[e->x].type;
        return;
    }
    e->type = data_num(&r->p);
    if (r->p.scalar == KERNEL_F32 || r->p.scalar == KERNEL_F64)
        e->num = strtod(x->atom ? x->atom : "", NULL);
    else
        e->inum = is(x, "-inf") ? LONG_MIN : number(r, x);
}

/* Binders, whose subexpressions are read before the bodies under them. */
static void read_binder(struct reader *r, const struct tree *t, struct exp *e)
{
    bool fold = e->kind == EXP_RED || e->kind == EXP_FOLD;
    int at = e->kind == EXP_LET ? 1 : fold ? 2 : 3, type = read_type(r, part(r, t, at));

    if (e->kind != EXP_LET)
        e->n = number(r, part(r, t, at - 1));
    e->op = is(part(r, t, 1), "par");
    switch (e->kind) {
    case EXP_MAP:
        e->b = read_exp(r, part(r, t, 6));
        e->x = bind(r, part(r, t, 4), elem(r, type_of(r, e->b)), 0);
        break;
    case EXP_GEN: e->x = bind(r, part(r, t, 4), -1, e->n); break;
    case EXP_RED: case EXP_FOLD:
        e->b = read_exp(r, part(r, t, 6));
        e->c = e->kind == EXP_RED ? read_exp(r, part(r, t, 7)) : -1;
        e->x = e->c < 0 ? bind(r, part(r, t, 3), -1, e->n) : bind(r, part(r, t, 3), elem(r, type_of(r, e->c)), 0);
        e->y = bind(r, part(r, t, 4), type, 0);
        break;
    default:
        e->a = read_exp(r, part(r, t, 3));
        e->x = bind(r, part(r, t, 2), type, 0);
        e->b = read_exp(r, part(r, t, 4));
        e->type = type_of(r, e->b);
        unbind(r, 1);
        return;
    }
    e->a = read_exp(r, part(r, t, 5));
    unbind(r, fold ? 2 : 1);
    e->type = fold ? type : data_ary(&r->p, e->n, type);
}

static void read_view(struct reader *r, const struct tree *t, struct exp *e)
{
    struct prog *p = &r->p;
    int in;

    e->n = number(r, part(r, t, 1));
    e->m = e->kind == EXP_REV ? 0 : number(r, part(r, t, 2));
    e->a = read_exp(r, part(r, t, e->kind == EXP_REV ? 2 : 3));
    in = elem(r, type_of(r, e->a));
    e->type = e->kind == EXP_SPLIT ? data_ary(p, e->m, data_ary(p, e->n, in))
              : e->kind == EXP_JOIN ? data_ary(p, size_mul(p, e->n, e->m), elem(r, in))
              : e->kind == EXP_TR   ? data_ary(p, e->m, data_ary(p, e->n, elem(r, in)))
                                    : data_ary(p, e->n, in);
}

static void read_other(struct reader *r, const struct tree *t, struct exp *e)
{
    struct prog *p = &r->p;

    switch (e->kind) {
    case EXP_CALL:
        for (e->op = 0; e->op < FN_COUNT && !is(part(r, t, 1), fn_info(e->op)->text); e->op++)
            ;
        e->a = read_exp(r, part(r, t, 2));
        e->b = t->n > 3 ? read_exp(r, part(r, t, 3)) : -1;
        e->type = data_num(p);
        break;
    case EXP_ZIP:
        e->n = number(r, part(r, t, 1));
        e->type = data_ary(p, e->n, data_pair(p, read_type(r, part(r, t, 2)), read_type(r, part(r, t, 3))));
        e->a = read_exp(r, part(r, t, 4));
        e->b = read_exp(r, part(r, t, 5));
        break;
    case EXP_IDX:
        e->a = read_exp(r, part(r, t, 1));
        e->b = read_ix(r, part(r, t, 2));
        e->type = elem(r, type_of(r, e->a));
        break;
    case EXP_PAIR:
        e->a = read_exp(r, part(r, t, 1));
        e->b = read_exp(r, part(r, t, 2));
        e->type = data_pair(p, type_of(r, e->a), type_of(r, e->b));
        break;
    case EXP_ITE:
        read_conds(r, part(r, t, 1), e);
        e->type = read_type(r, part(r, t, 2));
        e->a = read_exp(r, part(r, t, 3));
        e->b = read_exp(r, part(r, t, 4));
        break;
    default: /* EXP_FST, EXP_SND */
        e->a = read_exp(r, part(r, t, 1));
        e->type = side(r, type_of(r, e->a), e->kind == EXP_FST);
    }
}

static int read_exp(struct reader *r, const struct tree *t)
{
    static const char *const word[] = {"var", "lit", "call", "map", "gen", "red", "fold", "zip", "split", "join", "idx",
                                       "pair", "fst", "snd", "rev", "tr", "if", "let"};
    struct exp e = {.a = -1, .b = -1, .c = -1, .x = -1, .y = -1};

    e.kind = find(r, part(r, t, 0), word, sizeof word / sizeof *word);
    switch (e.kind) {
    case EXP_VAR: case EXP_LIT: read_leaf(r, t, &e); break;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD: case EXP_LET: read_binder(r, t, &e); break;
    case EXP_SPLIT: case EXP_JOIN: case EXP_REV: case EXP_TR: read_view(r, t, &e); break;
    default: read_other(r, t, &e);
    }
    return add(r, e);
}

static int name_id(struct strs *strs, const struct tree *t)
{
    return strs_add(strs, t->atom ? t->atom : "", (size_t)t->len);
}

static void read_program(struct reader *r, const struct tree *t, struct strs *strs)
{
    static const char *const scalar[] = {"f32", "f64", "i32", "i64"}, *const role[] = {"in", "out", "temp"};

    prog_init(&r->p, &mem, strs, KERNEL_F32);
    r->wrong = is(part(r, t, 0), "program") ? NULL : "no program";
    r->p.scalar = (enum kernel_type)find(r, part(r, t, 1), scalar, 4);
    for (int i = 3; i < t->n && !r->wrong; i++) {
        const struct tree *x = part(r, t, i);
        if (is(part(r, x, 0), "set") || is(part(r, x, 0), "copy")) {
            struct prog_stmt s = {(int)number(r, part(r, x, 1)), read_exp(r, part(r, x, 2)), is(part(r, x, 0), "copy")};
            need(vec_room(&mem, &r->p.stmt, 1) ? r : NULL);
            r->p.stmt.a[r->p.stmt.n++] = s;
        } else {
            struct prog_param q = {.role = find(r, part(r, x, 0), role, 3), .name = name_id(strs, part(r, x, 1)), .tensor = -1};
            q.var = bind(r, part(r, x, 2), read_type(r, part(r, x, 3)), 0);
            need(vec_room(&mem, &r->p.param, 1) ? r : NULL);
            r->p.param.a[r->p.param.n++] = q;
        }
    }
}

/* The tensor of each parameter, by its name; both store their elements alike. */
static void match_names(struct prog *p, const struct kernel *k)
{
    for (int i = 0; i < p->param.n; i++)
        for (int t = 0; t < k->tensor.n; t++)
            if (p->param.a[i].name == k->tensor.a[t].name) {
                p->param.a[i].tensor = t;
                p->param.a[i].elem = k->tensor.a[t].elem;
            }
}

struct counts {
    int equal, statements, looks, status;
};

static void complain(struct counts *c, int status, const char *what, const char *name, const char *why)
{
    printf("%s: %s: %s\n", what, name, why);
    c->status = status > c->status ? status : c->status;
}

static void compare(struct counts *c, const char *program, const char *name, const char *kernel, size_t n)
{
    struct reader r = {.wrong = NULL};
    struct kernel k;
    struct strs strs;
    struct tree t;
    struct diag d;

    if (strncmp(program, "(look-up)", 9) == 0) {
        c->looks++;
        return;
    }
    diag_clear(&d);
    strs_init(&strs, &mem);
    read_tree(program, &t);
    read_program(&r, &t, &strs);
    kernel_init(&k, &mem, &strs, r.p.scalar);
    if (r.wrong) {
        complain(c, 2, "unread", name, r.wrong);
    } else if (kernel_parse(&k, name, kernel, n, NULL, -1, &d) != CALQUE_OK) {
        complain(c, 2, "unread", name, d.text);
    } else {
        match_names(&r.p, &k);
        if (validate_program(&k, &r.p, &d) == CALQUE_OK) {
            c->equal++;
            c->statements += k.stmt.n;
        } else {
            complain(c, 1, "different", name, d.text);
        }
    }
    kernel_free(&k);
    prog_free(&r.p);
    mem_free(r.scope.a);
    tree_free(&t);
    strs_free(&strs);
}

/* The next line that is neither empty nor a comment, NUL-terminated; NULL: there is none. */
static char *next_program(char **at)
{
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        *at = *end ? end + 1 : end;
        *end = '\0';
        if (*line && *line != '#')
            return line;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct counts c = {0};
    char *programs, *kernels, *at, *p, *line, name[4096] = "kernel";
    struct diag d;
    size_t n;

    if (argc != 3 || file_read(&mem, argv[1], &programs, &n, &d) != CALQUE_OK || file_read(&mem, argv[2], &kernels, &n, &d) != CALQUE_OK) {
        fprintf(stderr, "usage: validate_text PROGRAMS KERNELS\n");
        return 2;
    }
    at = programs;
    for (line = kernels; *line;) {
        size_t head = strcspn(line, "\n");
        char *end;
        if (*line == '#') {
            snprintf(name, sizeof name, "%.*s", (int)head - 2, line + 2);
            line += head + (line[head] == '\n');
        }
        end = strstr(line, "\n#");
        end = *line == '#' ? line : end ? end + 1 : line + strlen(line);
        p = next_program(&at);
        if (!p)
            break;
        compare(&c, p, name, line, (size_t)(end - line));
        line = end;
    }
    if (*line || next_program(&at)) {
        fprintf(stderr, "validate_text: the numbers of programs and of kernels differ\n");
        return 2;
    }
    printf("equal: %d kernels, %d statements", c.equal, c.statements);
    if (c.looks > 0)
        printf("; %d look-ups by data are not looked at", c.looks);
    printf("\n");
    mem_free(programs);
    mem_free(kernels);
    return c.status;
}
