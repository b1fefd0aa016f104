/* Open dimensions of a model's inputs: what is given for them takes their place before anything is read. A dimension may be called by a
   sum of products of names and numbers, as exporters do (`past_sequence + sequence`): unless a size is given for all of that text, it has
   the one that those of the names make. */
#include "onnx/onnx_internal.h"

#include "base/arith.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef Onnx__TensorShapeProto__Dimension Dimension;

/* A name (a string id: the model's own texts go when their dimensions are set) and the size that it stands for. */
struct dim_size {
    int name;
    long n;
};

/* The sizes that names stand for: given by name, then those that given shapes imply. */
struct fixing {
    const struct onnx_file *f;
    struct wire_alloc *alloc;
    Onnx__GraphProto *gp;
    struct { struct dim_size *a; int n, cap; } size;
};

static Onnx__TensorShapeProto *shape_of(const Onnx__ValueInfoProto *v)
{
    const Onnx__TypeProto *t = v->type;

    return t && t->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE && t->tensor_type ? t->tensor_type->shape : NULL;
}

/* The name of an open dimension; NULL when it is fixed or has none. */
static const char *open_name(const Dimension *x)
{
    return x->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM && x->dim_param[0] ? x->dim_param : NULL;
}

static void set_dim(const struct fixing *q, Dimension *x, long n)
{
    if (x->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
        q->alloc->base.free(q->alloc->base.allocator_data, x->dim_param);
    x->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    x->dim_value = n;
}

static const struct dim_size *find_text(const struct fixing *q, const char *name, size_t len)
{
    int id = strs_find(q->f->strs, name, len);

    for (int i = 0; id >= 0 && i < q->size.n; i++)
        if (q->size.a[i].name == id)
            return &q->size.a[i];
    return NULL;
}

static const struct dim_size *find_size(const struct fixing *q, const char *name)
{
    return find_text(q, name, strlen(name));
}

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.')
        n++;
    return n;
}

static const char *after_spaces(const char *s)
{
    return s + strspn(s, " ");
}

/* The product of names and numbers at *s, which ends at the next sign. */
static bool product(const struct fixing *q, const char **s, long *x)
{
    struct exact y = {true, 1};

    for (*s = after_spaces(*s);; *s = after_spaces(*s + 1)) {
        size_t n = word_length(*s);
        const struct dim_size *given = isdigit((unsigned char)**s) ? NULL : find_text(q, *s, n);
        struct exact k = {given && given->n >= 0, given ? given->n : 0};

        for (size_t i = 0; !given && i < n && (k.fits || i == 0); i++) {
            k.fits = isdigit((unsigned char)(*s)[i]) && k.z <= 1L << 40;
            k.z = k.z * 10 + ((*s)[i] - '0');
        }
        if (!k.fits || !(y = exact_mul(y.z, k.z)).fits)
            return false;
        *s = after_spaces(*s + n);
        if (**s != '*')
            break;
    }
    *x = y.z;
    return true;
}

/* The size that a name stands for which is a sum: of sizes that are given or implied, not negative. */
static bool sum_of_sizes(const struct fixing *q, const char *s, long *x)
{
    struct exact y = {true, 0};
    long sign = 1, k;

    for (;;) {
        if (!product(q, &s, &k) || !(y = exact_add(y.z, sign * k)).fits)
            return false;
        if (*s != '+' && *s != '-')
            break;
        sign = *s++ == '+' ? 1 : -1;
    }
    *x = y.z;
    return *s == '\0' && y.z >= 0;
}

static enum calque_status add_size(struct fixing *q, const char *name, long n)
{
    const struct dim_size *old = find_size(q, name);
    int id = old ? old->name : strs_addz(q->f->strs, name);
    char s[ONNX_SHOW];

    if (old && old->n != n)
        return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "dimension '%s' is given as %ld and as %ld",
                        onnx_show(s, name), old->n, n);
    if (old)
        return CALQUE_OK;
    if (id < 0 || !vec_room(q->f->mem, &q->size, 1))
        return diag_nomem(q->f->diag);
    q->size.a[q->size.n++] = (struct dim_size){id, n};
    return CALQUE_OK;
}

/* An initializer that is listed as an input has its own shape. */
static bool is_initializer(const struct fixing *q, const char *name)
{
    for (size_t i = 0; i < q->gp->n_initializer; i++)
        if (q->gp->initializer[i]->name && strcmp(q->gp->initializer[i]->name, name) == 0)
            return true;
    return false;
}

/* Dimension i of the input, given as n. */
static enum calque_status give_dim(struct fixing *q, const char *input, Dimension *x, size_t i, long n)
{
    char s[ONNX_SHOW];

    if (open_name(x))
        return add_size(q, open_name(x), n);
    if (onnx_dim_known(x) && x->dim_value != n)
        return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "graph input '%s': dimension %zu is %ld, not %ld",
                        onnx_show(s, input), i, (long)x->dim_value, n);
    set_dim(q, x, n);
    return CALQUE_OK;
}

/* An input without a shape gets one of its own. */
static enum calque_status fix_shape(struct fixing *q, Onnx__TypeProto__Tensor *t, const struct shape *given)
{
    ProtobufCAllocator *a = &q->alloc->base;
    size_t n = (size_t)given->rank;
    Onnx__TensorShapeProto *sp = a->alloc(a->allocator_data, sizeof *sp);

    if (!sp)
        return diag_nomem(q->f->diag);
    onnx__tensor_shape_proto__init(sp);
    t->shape = sp;
    sp->dim = n ? a->alloc(a->allocator_data, n * sizeof *sp->dim) : NULL;
    if (n && !sp->dim)
        return diag_nomem(q->f->diag);
    for (; sp->n_dim < n; sp->n_dim++) {
        Dimension *x = a->alloc(a->allocator_data, sizeof *x);
        if (!x)
            return diag_nomem(q->f->diag);
        onnx__tensor_shape_proto__dimension__init(x);
        sp->dim[sp->n_dim] = x;
        set_dim(q, x, given->dim[sp->n_dim]);
    }
    return CALQUE_OK;
}

static enum calque_status give_shape(struct fixing *q, const struct onnx_input_shape *given)
{
    enum calque_status st = CALQUE_OK;
    const Onnx__ValueInfoProto *v = NULL;
    Onnx__TensorShapeProto *sp;
    char s[ONNX_SHOW];

    for (size_t i = 0; i < q->gp->n_input && !v; i++)
        if (q->gp->input[i]->name && strcmp(q->gp->input[i]->name, given->input) == 0 && !is_initializer(q, given->input))
            v = q->gp->input[i];
    if (!v)
        return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "a shape is given for '%s', which is no input of the model",
                        onnx_show(s, given->input));
    if (!v->type || v->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE || !v->type->tensor_type)
        return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "a shape is given for '%s', which is no tensor",
                        onnx_show(s, given->input));
    sp = shape_of(v);
    if (!sp)
        return fix_shape(q, v->type->tensor_type, &given->shape);
    if (sp->n_dim != (size_t)given->shape.rank)
        return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "graph input '%s' has %zu dimensions, not %d",
                        onnx_show(s, given->input), sp->n_dim, given->shape.rank);
    for (size_t i = 0; i < sp->n_dim && !st; i++)
        st = give_dim(q, given->input, sp->dim[i], i, given->shape.dim[i]);
    return st;
}

/* Is it all of the text, or one of its words? */
static bool names(const char *text, const char *name)
{
    size_t len = strlen(name), n;

    if (strcmp(text, name) == 0)
        return true;
    for (; *text; text += n ? n : 1) {
        n = word_length(text);
        if (n && n == len && memcmp(text, name, n) == 0)
            return true;
    }
    return false;
}

/* Is it the name of a dimension of an input, or in one? */
static bool is_dim(const struct fixing *q, const char *name)
{
    for (size_t i = 0; i < q->gp->n_input; i++) {
        const Onnx__TensorShapeProto *sp = shape_of(q->gp->input[i]);
        for (size_t k = 0; sp && k < sp->n_dim; k++)
            if (open_name(sp->dim[k]) && names(open_name(sp->dim[k]), name))
                return true;
    }
    return false;
}

static void apply(const struct fixing *q, Onnx__ValueInfoProto **v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Onnx__TensorShapeProto *sp = shape_of(v[i]);
        for (size_t k = 0; sp && k < sp->n_dim; k++) {
            const char *name = open_name(sp->dim[k]);
            const struct dim_size *given = name ? find_size(q, name) : NULL;
            long sum;
            if (given)
                set_dim(q, sp->dim[k], given->n);
            else if (name && sum_of_sizes(q, name, &sum))
                set_dim(q, sp->dim[k], sum);
        }
    }
}

static enum calque_status unknown_dim(const struct fixing *q, const char *name)
{
    char s[ONNX_SHOW], open[ONNX_SHOW];

    onnx_show(s, name);
    for (size_t i = 0; i < q->gp->n_input; i++) {
        const Onnx__TensorShapeProto *sp = shape_of(q->gp->input[i]);
        for (size_t k = 0; sp && k < sp->n_dim; k++)
            if (open_name(sp->dim[k]))
                return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0,
                                "no input has a dimension '%s' (there is '%s')", s, onnx_show(open, open_name(sp->dim[k])));
    }
    return diag_set(q->f->diag, CALQUE_BAD, q->f->file, 0, 0, "no input has a dimension '%s': none is named", s);
}

static enum calque_status fix(struct fixing *q, const struct onnx_given *given)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < given->nsize && !st; i++)
        st = is_dim(q, given->size[i].name) ? add_size(q, given->size[i].name, given->size[i].n)
                                            : unknown_dim(q, given->size[i].name);
    for (int i = 0; i < given->nshape && !st; i++)
        st = give_shape(q, &given->shape[i]);
    if (st)
        return st;
    apply(q, q->gp->input, q->gp->n_input);
    apply(q, q->gp->output, q->gp->n_output);
    apply(q, q->gp->value_info, q->gp->n_value_info);
    return CALQUE_OK;
}

enum calque_status onnx_fix_dims(const struct onnx_file *f, struct wire_alloc *alloc, Onnx__GraphProto *gp,
                                 const struct onnx_given *given)
{
    struct fixing q = {.f = f, .alloc = alloc, .gp = gp};
    enum calque_status st = fix(&q, given);

    mem_free(q.size.a);
    return st;
}

enum calque_status onnx_open_dim(const struct onnx_file *f, const Onnx__ValueInfoProto *input)
{
    const Onnx__TensorShapeProto *sp = shape_of(input);
    const char *quote;
    char s[ONNX_SHOW], named[ONNX_SHOW + 8] = "", by_name[ONNX_SHOW + 24] = "", shape[RANK_MAX * 24] = "";
    size_t open = 0, at = 0;

    while (open < sp->n_dim && onnx_dim_known(sp->dim[open]))
        open++;
    if (open < sp->n_dim && open_name(sp->dim[open])) {
        snprintf(named, sizeof named, " ('%s')", onnx_show(s, open_name(sp->dim[open])));
        quote = strchr(s, ' ') ? "'" : "";
        snprintf(by_name, sizeof by_name, "--dim %s%s=N%s or ", quote, s, quote);
    }
    for (size_t k = 0; k < sp->n_dim; k++) {
        at += (size_t)snprintf(shape + at, sizeof shape - at, "%s", k ? "," : "");
        if (onnx_dim_known(sp->dim[k]))
            at += (size_t)snprintf(shape + at, sizeof shape - at, "%ld", (long)sp->dim[k]->dim_value);
        else
            at += (size_t)snprintf(shape + at, sizeof shape - at, "N");
    }
    onnx_show(s, input->name);
    return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0,
                    "graph input '%s': dimension %zu%s is not fixed (give it a size: %s--input-shape %s=%s)", s, open, named,
                    by_name, s, shape);
}
