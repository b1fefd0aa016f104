/* Einsum: operand by operand, each pair by one MatMul of the dimensions that both have. */
#include "onnx/onnx_internal.h"

#include <string.h>

/* A dimension's label: a letter, or for one of an ellipsis DOTS + its number from the right. */
enum { LABELS = 128, DOTS = 64 - RANK_MAX, OPERANDS_MAX = 16 };

struct term {
    int x, n;
    int label[RANK_MAX];
};

struct einsum {
    struct onnx_build *b;
    struct term operand[OPERANDS_MAX], out;
    int n, dots;       /* operands; the most dimensions of an ellipsis */
    long size[LABELS]; /* 0: no such label */
    int seen[LABELS];  /* how often in the operands */
};

static int bad(struct einsum *e, const char *text)
{
    if (!e->b->st)
        e->b->st = onnx_fail(e->b->n, CALQUE_BAD, "%s", text);
    return -1;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* One side's labels from s[0..n-1]; `rank` dimensions, or -1: an ellipsis is all of the operands'. */
static void read_term(struct einsum *e, struct term *t, const char *s, size_t n, int rank)
{
    int letters = 0, dots = -1;

    for (size_t i = 0; i < n; i++)
        letters += is_letter(s[i]);
    t->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == ' ')
            continue;
        if (i + 2 < n && dots < 0 && memcmp(s + i, "...", 3) == 0) {
            dots = rank < 0 ? e->dots : rank - letters;
            for (int k = dots; k > 0 && t->n < RANK_MAX; k--)
                t->label[t->n++] = DOTS + k - 1;
            i += 2;
        } else if (is_letter(s[i]) && t->n < RANK_MAX) {
            t->label[t->n++] = s[i];
        } else {
            bad(e, "equation: unexpected text");
            return;
        }
    }
    if (rank >= 0 && t->n != rank)
        bad(e, "equation: an operand has another rank");
    e->dots = dots > e->dots ? dots : e->dots;
}

static void note_sizes(struct einsum *e, const struct term *t)
{
    struct shape s = make_shape(e->b, t->x);

    for (int i = 0; i < t->n && !e->b->st; i++) {
        int l = t->label[i];
        for (int j = 0; j < i; j++)
            if (t->label[j] == l) /* a diagonal */
                make_no(e->b);
        if (e->size[l] && e->size[l] != s.dim[i]) { /* broadcasting, or wrong */
            if (e->size[l] == 1 || s.dim[i] == 1)
                make_no(e->b);
            else
                bad(e, "equation: a letter has two sizes");
        }
        e->size[l] = s.dim[i];
        e->seen[l]++;
    }
    if (!e->b->st && shape_elems(&s) == 0)
        make_no(e->b);
}

/* Without an arrow: the ellipsis, then the letters that occur once, in their order. */
static void implicit_out(struct einsum *e)
{
    e->out.n = 0;
    for (int k = e->dots; k > 0 && e->out.n < RANK_MAX; k--)
        e->out.label[e->out.n++] = DOTS + k - 1;
    for (int l = 'A'; l <= 'z' && e->out.n < RANK_MAX; l++)
        if (is_letter((char)l) && e->seen[l] == 1)
            e->out.label[e->out.n++] = l;
}

static void read_equation(struct einsum *e, const char *s, size_t n)
{
    struct onnx_build *b = e->b;
    size_t at = 0, end = n, arrow = n;

    for (size_t i = 0; i + 1 < n && arrow == n; i++)
        if (s[i] == '-' && s[i + 1] == '>')
            arrow = i;
    end = arrow;
    for (e->n = 0; e->n < b->n->in.n && e->n < OPERANDS_MAX && !b->st; e->n++) {
        struct term *t = &e->operand[e->n];
        size_t k = at;
        while (k < end && s[k] != ',')
            k++;
        if (at > end)
            bad(e, "equation: fewer operands than inputs");
        t->x = expand_in(b, e->n);
        if (!b->st)
            read_term(e, t, s + at, k - at, make_shape(b, t->x).rank);
        if (!b->st)
            note_sizes(e, t);
        at = k + 1;
    }
    if (!b->st && (e->n < b->n->in.n || at <= end))
        bad(e, "equation: another number of operands than inputs");
    if (arrow == n)
        implicit_out(e);
    else if (!b->st)
        read_term(e, &e->out, s + arrow + 2, n - arrow - 2, -1);
    for (int i = 0; i < e->out.n && !b->st; i++)
        if (!e->seen[e->out.label[i]])
            bad(e, "equation: the output has a letter that no operand has");
}

static bool has(const struct term *t, int label)
{
    for (int i = 0; i < t->n; i++)
        if (t->label[i] == label)
            return true;
    return false;
}

/* Is the label read after operand k? */
static bool needed(const struct einsum *e, int k, int label)
{
    for (k++; k < e->n; k++)
        if (has(&e->operand[k], label))
            return true;
    return has(&e->out, label);
}

/* Sums over the labels that nothing after operand k and not `other` has. */
static void sum_out(struct einsum *e, struct term *t, int k, const struct term *other)
{
    long axes[RANK_MAX];
    int gone = 0, kept = 0;

    for (int i = 0; i < t->n; i++) {
        if (needed(e, k, t->label[i]) || (other && has(other, t->label[i])))
            t->label[kept++] = t->label[i];
        else
            axes[gone++] = i;
    }
    t->n = kept;
    t->x = make_reduce(e->b, OP_ReduceSum, t->x, axes, gone, false);
}

static void order(struct einsum *e, struct term *t, const int *label)
{
    long perm[RANK_MAX];

    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            if (t->label[j] == label[i])
                perm[i] = j;
    memcpy(t->label, label, (size_t)t->n * sizeof *label);
    t->x = make_transpose(e->b, t->x, perm);
}

/* The labels of t in the classes that p names one after the other, and the product of the sizes of each. */
static void arrange(struct einsum *e, struct term *t, const int *class, const int *p, long *size)
{
    int label[RANK_MAX], n = 0;

    for (int c = 0; c < 3; c++) {
        size[c] = 1;
        for (int i = 0; i < t->n; i++)
            if (class[t->label[i]] == p[c]) {
                label[n++] = t->label[i];
                size[c] *= e->size[t->label[i]];
            }
    }
    order(e, t, label);
    t->x = make_reshape(e->b, t->x, size, 3);
}

enum { BATCH = 1, LEFT, RIGHT, INNER };

/* t = t times operand k: [batch, left, inner] by [batch, inner, right]. */
static void multiply(struct einsum *e, struct term *t, int k)
{
    static const int first[] = {BATCH, LEFT, INNER}, second[] = {BATCH, INNER, RIGHT};
    struct term o = e->operand[k], y = {.n = 0};
    int class[LABELS] = {0};
    long size[3], dim[RANK_MAX];

    sum_out(e, t, k, &o);
    sum_out(e, &o, k, t);
    for (int i = 0; i < t->n; i++)
        class[t->label[i]] = !has(&o, t->label[i]) ? LEFT : needed(e, k, t->label[i]) ? BATCH : INNER;
    for (int i = 0; i < o.n; i++)
        if (!has(t, o.label[i]))
            class[o.label[i]] = RIGHT;
    arrange(e, t, class, first, size);
    arrange(e, &o, class, second, size);
    for (int c = BATCH; c <= RIGHT; c++)
        for (int i = 0; i < t->n + o.n; i++) {
            int l = i < t->n ? t->label[i] : o.label[i - t->n];
            if (class[l] != c || has(&y, l))
                continue;
            if (y.n == RANK_MAX) {
                make_no(e->b);
                return;
            }
            dim[y.n] = e->size[l];
            y.label[y.n++] = l;
        }
    y.x = make_reshape(e->b, make_binary(e->b, OP_MatMul, t->x, o.x), dim, y.n);
    *t = y;
}

int expand_einsum(struct onnx_build *b)
{
    struct einsum e = {.b = b};
    const Onnx__AttributeProto *a = onnx_attr(b->n, "equation");
    struct term t;

    for (int k = 0; k < b->n->in.n; k++)
        if (!onnx_computed(make_dtype(b, expand_in(b, k))))
            make_no(b);
    if (b->n->in.n > OPERANDS_MAX)
        make_no(b);
    if (!b->st)
        read_equation(&e, (const char *)a->s.data, a->s.len);
    if (b->st)
        return -1;
    t = e.operand[0];
    for (int k = 1; k < e.n; k++)
        multiply(&e, &t, k);
    sum_out(&e, &t, e.n, NULL);
    if (!b->st && e.out.n != t.n)
        bad(&e, "equation: the output has a letter twice");
    if (!b->st)
        order(&e, &t, e.out.label);
    return t.x;
}
