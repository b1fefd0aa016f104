/* Plain C loops for normalisations, padding, broadcasting and what takes only a type; included by reference.h. */
#ifndef CALQUE_TESTS_TENSOR_REFERENCE_NORM_H
#define CALQUE_TESTS_TENSOR_REFERENCE_NORM_H

static int op_of(const struct job *j)
{
    return j->b->g.node.a[j->node].op;
}

static const char *word(const struct job *j, const char *label)
{
    return strs_text(&j->b->strs, (int)j->b->values.v[graph_attr(&j->b->g, j->node, label)].num);
}

static void ref_lrn(struct job *j)
{
    long size = attr(j, "size"), channels = j->in->shape.dim[1];

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        float sum = 0;
        long c;
        unflat(&j->in->shape, p, j->i);
        c = j->i[1];
        for (long q = c - (size - 1) / 2; q <= c + size / 2; q++) {
            j->i[1] = q;
            if (q >= 0 && q < channels)
                sum += *cell(j->in, j->i) * *cell(j->in, j->i);
        }
        tensor_f32(j->out)[p] = tensor_f32(j->in)[p] /
            powf(real(j, "bias") + real(j, "alpha") / (float)size * sum, real(j, "beta"));
    }
}

static void ref_batchnorm(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        long c;
        unflat(&j->in->shape, p, j->i);
        c = j->in->shape.rank > 1 ? j->i[1] : 0;
        tensor_f32(j->out)[p] = (tensor_f32(&j->in[0])[p] - tensor_f32(&j->in[3])[c]) /
            sqrtf(tensor_f32(&j->in[4])[c] + real(j, "epsilon")) * tensor_f32(&j->in[1])[c] + tensor_f32(&j->in[2])[c];
    }
}

/* The number of the group that cell p of X is normalised with. */
static long group_of(struct job *j, long p)
{
    const struct shape *s = &j->in->shape;
    long axes[2 * RANK_MAX], g = 0, axis;
    int n;

    unflat(s, p, j->i);
    switch (op_of(j)) {
    case OP_LayerNormalization:
    case OP_RMSNormalization:
        axis = attr(j, "axis");
        for (int i = 0; i < axis; i++)
            g = g * s->dim[i] + j->i[i];
        return g;
    case OP_InstanceNormalization:
        return j->i[0] * s->dim[1] + j->i[1];
    case OP_GroupNormalization:
        return j->i[0] * s->dim[1] + j->i[1] / (s->dim[1] / attr(j, "num_groups"));
    case OP_LpNormalization:
        j->i[attr(j, "axis")] = 0;
        return flat(s, j->i);
    default:
        n = attrs(j, "axes", axes);
        for (int i = 0; i < n; i++)
            j->i[axes[i]] = 0;
        return flat(s, j->i);
    }
}

enum { GROUPS = 4096 };

static void ref_moments(struct job *j)
{
    static float mean[GROUPS], var[GROUPS], count[GROUPS];
    const float *x = tensor_f32(j->in);
    long n = shape_elems(&j->in->shape);
    bool rms = op_of(j) == OP_RMSNormalization, layer = rms || op_of(j) == OP_LayerNormalization;

    for (int g = 0; g < GROUPS; g++)
        mean[g] = var[g] = count[g] = 0;
    for (long p = 0; p < n; p++) {
        mean[group_of(j, p)] += x[p];
        count[group_of(j, p)] += 1;
    }
    for (int g = 0; g < GROUPS; g++)
        mean[g] = rms ? 0.0f : mean[g] / count[g];
    for (long p = 0; p < n; p++) {
        long g = group_of(j, p);
        var[g] += (x[p] - mean[g]) * (x[p] - mean[g]);
    }
    for (long p = 0; p < n; p++) {
        long g = group_of(j, p), at;
        float y = (x[p] - mean[g]) / sqrtf(var[g] / count[g] + real(j, "epsilon"));
        unflat(&j->in->shape, p, j->i);
        at = layer ? spread(&j->in[1].shape, &j->out->shape, p) : j->i[1];
        y *= tensor_f32(&j->in[1])[at];
        if (j->nin > 2)
            y += tensor_f32(&j->in[2])[layer ? spread(&j->in[2].shape, &j->out->shape, p) : at];
        tensor_f32(j->out)[p] = y;
    }
}

static void ref_magnitude(struct job *j)
{
    static float sum[GROUPS];
    const float *x = tensor_f32(j->in);
    bool l2 = op_of(j) == OP_L2Normalize, one = !l2 && attr(j, "p") == 1;

    for (int g = 0; g < GROUPS; g++)
        sum[g] = 0;
    for (long p = 0; p < shape_elems(&j->in->shape); p++)
        sum[group_of(j, p)] += one ? fabsf(x[p]) : x[p] * x[p];
    for (long p = 0; p < shape_elems(&j->in->shape); p++) {
        float s = sum[group_of(j, p)], least = real(j, "epsilon");
        if (l2)
            tensor_f32(j->out)[p] = x[p] / sqrtf(s < least ? least : s);
        else
            tensor_f32(j->out)[p] = s == 0.0f ? 0.0f : x[p] / (one ? s : sqrtf(s));
    }
}

static void ref_pad(struct job *j)
{
    const struct shape *s = &j->in->shape;
    const char *mode = word(j, "mode");
    long pad[2 * RANK_MAX];

    attrs(j, "pads", pad);
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        bool inside = true;
        unflat(&j->out->shape, p, j->i);
        for (int i = 0; i < s->rank; i++) {
            long at = j->i[i] - pad[i];
            inside = inside && at >= 0 && at < s->dim[i];
            if (*mode == 'e')
                at = at < 0 ? 0 : at < s->dim[i] ? at : s->dim[i] - 1;
            else if (*mode == 'r')
                at = at < 0 ? -at : at < s->dim[i] ? at : 2 * (s->dim[i] - 1) - at;
            j->i[i] = at;
        }
        if (inside || *mode != 'c')
            put(j->out, p, j->in, flat(s, j->i));
        else if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = real(j, "value");
        else
            tensor_i64(j->out)[p] = (long)real(j, "value");
    }
}

static void ref_expand(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        put(j->out, p, j->in, spread(&j->in->shape, &j->out->shape, p));
}

static void ref_collapse(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->in->shape); p++) {
        long q = spread(&j->out->shape, &j->in->shape, p);
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[q] += tensor_f32(j->in)[p];
        else
            tensor_i64(j->out)[q] += tensor_i64(j->in)[p];
    }
}

static void ref_filled(struct job *j)
{
    int op = op_of(j);

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        bool one = op == OP_OnesLike;
        unflat(&j->out->shape, p, j->i);
        if (op == OP_EyeLike)
            one = j->i[1] - j->i[0] == attr(j, "k");
        if (op == OP_FullLike)
            put(j->out, p, &j->in[1], 0);
        else if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = one ? 1.0f : 0.0f;
        else
            tensor_i64(j->out)[p] = one;
    }
}

static void ref_layout(struct job *j)
{
    const char *from = word(j, "src_layout"), *to = word(j, "dst_layout");

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        unflat(&j->out->shape, p, j->i);
        for (int i = 0; i < j->in->shape.rank; i++)
            j->f[i] = j->i[strchr(to, from[i]) - to];
        put(j->out, p, j->in, flat(&j->in->shape, j->f));
    }
}

static void ref_bias(struct job *j)
{
    long axis = attr(j, "axis");

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        unflat(&j->out->shape, p, j->i);
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = tensor_f32(j->in)[p] + tensor_f32(&j->in[1])[j->i[axis]];
        else
            tensor_i64(j->out)[p] = tensor_i64(j->in)[p] + tensor_i64(&j->in[1])[j->i[axis]];
    }
}

static void ref_clip(struct job *j)
{
    float lo = real(j, "min"), hi = real(j, "max");

    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        if (j->out->dtype == DTYPE_F32) {
            float x = tensor_f32(j->in)[p];
            x = x < lo ? lo : x;
            tensor_f32(j->out)[p] = x > hi ? hi : x;
        } else {
            long x = tensor_i64(j->in)[p];
            x = (float)x < lo ? (long)lo : x;
            tensor_i64(j->out)[p] = (float)x > hi ? (long)hi : x;
        }
}

static void ref_leaky(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        float x = tensor_f32(j->in)[p];
        tensor_f32(j->out)[p] = x < 0 ? real(j, "alpha") * x : x;
    }
}

/* Activations with attributes. */
static float activation(const struct job *j, float x)
{
    float alpha = real(j, "alpha"), above = x < 0 ? 0 : x, below = 0 < x ? 0 : x, y;

    switch (j->b->g.node.a[j->node].op) {
    case OP_Elu:
        return above + alpha * (expf(below) - 1.0f);
    case OP_Selu:
        return real(j, "gamma") * (above + alpha * (expf(below) - 1.0f));
    case OP_Celu:
        return above + alpha * (expf(below / alpha) - 1.0f);
    case OP_ThresholdedRelu:
        return x > alpha ? x : 0;
    case OP_HardSigmoid:
        y = alpha * x + real(j, "beta");
        return y < 0 ? 0 : y > 1 ? 1 : y;
    case OP_Swish:
        return x * (1.0f / (1.0f + expf(-(alpha * x))));
    default: /* Gelu, by erf or by tanh */
        y = value_equal(&j->b->values, graph_attr(&j->b->g, j->node, "approximate"), attr_value(j->b, "'none'", 6))
                ? erff(x * 0x1.6a09e6p-1f) : tanhf((x + x * x * x * 0x1.6e4e26p-5f) * 0x1.988454p-1f);
        return x * 0.5f * (y + 1.0f);
    }
}

static void ref_activation(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        tensor_f32(j->out)[p] = activation(j, tensor_f32(j->in)[p]);
}

#endif
