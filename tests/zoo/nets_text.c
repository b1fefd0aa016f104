/* Language models of Hugging Face's library in the form that PyTorch exports. */
#include "torch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const batch_sequence[3] = {"batch", "sequence", NULL};

/* Sizes of the inputs, scalars: torch.export computes them once. */
struct symbols {
    struct val batch, sequence, past;
};

static struct val number(struct torch *t, double x) { return torch_number(t, TORCH_FLOAT, x); }

/* ---- BERT ---- */

struct bert {
    long d, heads, head, vocabulary, positions;
    struct symbols s;
    struct val mask; /* what is added to the scores, or booleans for scaled_dot_product_attention */
};

static struct val size_of(struct torch *t, const struct val *symbol, struct val x, long axis)
{
    return t->dynamo ? *symbol : torch_size(t, x, axis);
}

/* The numbers 0, 1, .. as a buffer [1, n]. */
static struct val positions(struct torch *t, const char *name, long n)
{
    struct val v = build_value(name, TORCH_INT64, 2, (long[]){1, n});
    double *x = malloc((size_t)n * sizeof *x);

    if (!x) {
        fprintf(stderr, "zoo: out of memory\n");
        exit(3);
    }
    for (long i = 0; i < n; i++)
        x[i] = (double)i;
    build_numbers(t->b, &v, x);
    free(x);
    return v;
}

static struct val bert_embedded(struct torch *t, const struct bert *m, struct val ids, struct val types)
{
    struct val words = torch_weight(t, "bert.embeddings.word_embeddings.weight", 2, (long[]){m->vocabulary, m->d}, 1);
    struct val kinds = torch_weight(t, "bert.embeddings.token_type_embeddings.weight", 2, (long[]){2, m->d}, 0.5);
    struct val places = torch_weight(t, "bert.embeddings.position_embeddings.weight", 2, (long[]){m->positions, m->d}, 0.5);
    struct val place = positions(t, "bert.embeddings.position_ids", m->positions), zero, n, x, y;

    torch_scope(t, "/bert/embeddings");
    n = size_of(t, &m->s.sequence, ids, 1);
    zero = torch_ints(t, 1, (long[]){0});
    n = torch_list(t, n);
    place = torch_slice(t, place, 1, zero, n);
    torch_scope(t, "/bert/embeddings/word_embeddings");
    x = torch_take(t, "embedding", words, ids, 0);
    torch_scope(t, "/bert/embeddings/token_type_embeddings");
    y = torch_take(t, "embedding", kinds, types, 0);
    torch_scope(t, "/bert/embeddings");
    x = torch_binary(t, "Add", "add", x, y);
    torch_scope(t, "/bert/embeddings/position_embeddings");
    y = torch_take(t, "embedding", places, place, 0);
    torch_scope(t, "/bert/embeddings");
    x = torch_binary(t, "Add", "add", x, y);
    torch_scope(t, "/bert/embeddings/LayerNorm");
    return torch_layer_norm(t, x, "bert.embeddings.LayerNorm", m->d, 1e-12);
}

/* TorchScript: (1 - (j <= i) * mask[j]) times the least float, [N, 1, S, S]; the comparison repeated for each text. */
static struct val bert_added_mask(struct torch *t, struct val ids, struct val mask)
{
    struct val n, s, at, row, column, repeats, ones, one, m;

    torch_scope(t, "/bert");
    n = torch_size(t, ids, 0);
    s = torch_size(t, ids, 1);
    at = torch_arange(t, s);
    row = torch_unsqueeze(t, torch_unsqueeze(t, at, 1, (long[]){0}), 1, (long[]){1});
    repeats = torch_shape(t, 3, (struct extent[]){{&n, 0}, {&s, 0}, {NULL, 1}});
    one = torch_ints(t, 1, (long[]){3});
    ones = torch_op(t, "ConstantOfShape", NULL, ATTRS({"value", 't', TORCH_INT64, 0, (long[]){1}, 1, NULL}), 1, &one);
    row = torch_binary(t, "Tile", NULL, torch_binary(t, "Expand", NULL, row, ones), repeats);
    column = torch_unsqueeze(t, torch_unsqueeze(t, at, 1, (long[]){0}), 1, (long[]){2});
    m = torch_cast(t, torch_binary(t, "LessOrEqual", NULL, row, column), TORCH_INT64);
    m = torch_unsqueeze(t, m, 1, (long[]){1});
    mask = torch_unsqueeze(t, torch_unsqueeze(t, mask, 1, (long[]){1}), 1, (long[]){2});
    m = torch_cast(t, torch_binary(t, "Mul", NULL, m, mask), TORCH_FLOAT);
    one = number(t, 1);
    m = torch_binary(t, "Sub", NULL, one, m);
    return torch_binary(t, "Mul", NULL, m, number(t, -0x1.fffffep+127));
}

/* mask[i, j] where it is not 0, for all texts i and cells j: [N, 1, 1, S]. The row's and column's numbers come to GatherND. */
static struct val padding(struct torch *t, struct val mask, struct val n, struct val s)
{
    struct extent shape[4] = {{&n, 0}, {NULL, 1}, {NULL, 1}, {&s, 0}};
    struct val part[2], row, column;

    row = torch_unsqueeze(t, torch_arange(t, n), 3, (long[]){1, 2, 3});
    column = torch_unsqueeze(t, torch_arange(t, s), 3, (long[]){0, 1, 2});
    part[0] = torch_unsqueeze(t, torch_expand(t, row, 4, shape), 1, (long[]){-1});
    part[1] = torch_unsqueeze(t, torch_expand(t, column, 4, shape), 1, (long[]){-1});
    row = torch_concat(t, 2, part, -1);
    return torch_op(t, "GatherND", "index", ATTRS(torch_i("batch_dims", 0)), 2, &mask, &row);
}

/* torch.export: mask[j] and j <= past + i, booleans [N, 1, S, past + S]; past: NULL for none. */
static struct val boolean_mask(struct torch *t, const struct symbols *s, struct val mask)
{
    struct val all = s->sequence, place, row, column, m;

    if (s->past.name[0]) {
        all = torch_binary(t, "Add", "add", s->past, s->sequence);
        place = torch_number(t, TORCH_INT64, 1);
        place = torch_op(t, "Range", "arange", NULL, 3, &s->past, &all, &place);
    } else {
        place = torch_arange(t, s->sequence);
    }
    mask = torch_op(t, "Cast", "_to_copy", ATTRS(torch_i("to", TORCH_BOOL)), 1, &mask);
    column = torch_unsqueeze(t, torch_arange(t, all), 3, (long[]){0, 1, 2});
    row = torch_unsqueeze(t, place, 3, (long[]){0, 1, 3});
    m = torch_binary(t, "LessOrEqual", "le", column, row);
    m = torch_binary(t, "And", "bitwise_and", m, padding(t, mask, s->batch, all));
    return torch_expand(t, m, 4, (struct extent[]){{&s->batch, 0}, {NULL, 1}, {&s->sequence, 0}, {&all, 0}});
}

/* [N, S, heads * head] as [N, heads, S, head], or for the keys of a product [N, heads, head, S]. */
static struct val split_heads(struct torch *t, const struct symbols *s, struct val x, long heads, long head, int keys)
{
    struct val n = size_of(t, &s->batch, x, 0), m = size_of(t, &s->sequence, x, 1);

    x = torch_view(t, x, 4, (struct extent[]){{&n, 0}, {&m, 0}, {NULL, heads}, {NULL, head}});
    return torch_transpose(t, x, 4, keys ? (long[]){0, 2, 3, 1} : (long[]){0, 2, 1, 3});
}

static struct val merge_heads(struct torch *t, const struct symbols *s, struct val x, long width)
{
    struct val n, m;

    x = torch_transpose(t, x, 4, (long[]){0, 2, 1, 3});
    n = size_of(t, &s->batch, x, 0);
    m = size_of(t, &s->sequence, x, 1);
    return torch_view(t, x, 3, (struct extent[]){{&n, 0}, {&m, 0}, {NULL, width}});
}

/* softmax(q * k / sqrt(head) + mask) * v; k with its last two axes exchanged. */
static struct val attend(struct torch *t, struct val q, struct val k, struct val v, long head, struct val mask)
{
    struct val a = torch_binary(t, "MatMul", NULL, q, k);

    a = torch_binary(t, "Div", NULL, a, number(t, sqrt((double)head)));
    a = torch_softmax(t, torch_binary(t, "Add", NULL, a, mask));
    return torch_binary(t, "MatMul", NULL, a, v);
}

static struct val bert_attention(struct torch *t, const struct bert *m, struct val x, const char *module)
{
    static const char *const part[3] = {"query", "key", "value"};
    struct val p[3];
    char name[96];

    for (int i = 0; i < 3; i++) {
        torch_scope(t, "/%s/self/%s", module, part[i]);
        torch_name(name, sizeof name, "%s.self.%s", module, part[i]);
        p[i] = torch_linear(t, x, name, m->d, m->d, 1);
        torch_scope(t, "/%s/self", module);
        p[i] = split_heads(t, &m->s, p[i], m->heads, m->head, i == 1 && !t->dynamo);
    }
    x = t->dynamo ? torch_attention(t, p[0], p[1], p[2], m->head, &m->mask) : attend(t, p[0], p[1], p[2], m->head, m->mask);
    return merge_heads(t, &m->s, x, m->d);
}

/* A product, the residual, and their normalisation. */
static struct val bert_output(struct torch *t, struct val x, struct val residual, const char *module, long in, long out)
{
    char name[96];

    torch_scope(t, "/%s/dense", module);
    torch_name(name, sizeof name, "%s.dense", module);
    x = torch_linear(t, x, name, in, out, 1);
    torch_scope(t, "/%s", module);
    x = torch_binary(t, "Add", "add", x, residual);
    torch_scope(t, "/%s/LayerNorm", module);
    torch_name(name, sizeof name, "%s.LayerNorm", module);
    return torch_layer_norm(t, x, name, out, 1e-12);
}

static struct val bert_layer(struct torch *t, const struct bert *m, struct val x, int k)
{
    char module[64];
    struct val y;

    torch_name(module, sizeof module, "bert.encoder.layer.%d.attention", k);
    y = bert_attention(t, m, x, module);
    torch_name(module, sizeof module, "bert.encoder.layer.%d.attention.output", k);
    x = bert_output(t, y, x, module, m->d, m->d);
    torch_scope(t, "/bert/encoder/layer.%d/intermediate/dense", k);
    torch_name(module, sizeof module, "bert.encoder.layer.%d.intermediate.dense", k);
    y = torch_linear(t, x, module, m->d, 4 * m->d, 1);
    torch_scope(t, "/bert/encoder/layer.%d/intermediate/intermediate_act_fn", k);
    y = torch_gelu(t, y);
    torch_name(module, sizeof module, "bert.encoder.layer.%d.output", k);
    return bert_output(t, y, x, module, 4 * m->d, m->d);
}

/* BERT (Devlin et al. 2018) as a decoder: each token sees those before it; width 1 is the base model, 768 with 12 heads. Outputs: the
   last layer, and each next token's logits. */
void zoo_bert(struct build *b, long places)
{
    struct bert m = {.heads = 12, .head = build_width(b, 64), .positions = places, .vocabulary = build_width(b, 30522)};
    struct torch t;
    struct val ids, mask, types, x;

    m.d = m.heads * m.head;
    torch_init(&t, b);
    ids = torch_input(&t, "input_ids", TORCH_INT64, 2, (long[]){1, places}, batch_sequence);
    mask = torch_input(&t, "attention_mask", TORCH_INT64, 2, (long[]){1, places}, batch_sequence);
    types = torch_input(&t, "token_type_ids", TORCH_INT64, 2, (long[]){1, places}, batch_sequence);
    if (t.dynamo) {
        m.s.batch = torch_size(&t, ids, 0);
        m.s.sequence = torch_size(&t, ids, 1);
    }
    m.mask = t.dynamo ? boolean_mask(&t, &m.s, mask) : bert_added_mask(&t, ids, mask);
    x = bert_embedded(&t, &m, ids, types);
    for (int k = 0; k < b->depth; k++)
        x = bert_layer(&t, &m, x, k);
    torch_output(&t, x, "last_hidden_state", 3, (long[]){1, places, m.d}, batch_sequence);
    x = build_value("last_hidden_state", TORCH_FLOAT, 0, NULL);
    torch_scope(&t, "/cls/predictions/transform/dense");
    x = torch_linear(&t, x, "cls.predictions.transform.dense", m.d, m.d, 1);
    torch_scope(&t, "/cls/predictions/transform/transform_act_fn");
    x = torch_gelu(&t, x);
    torch_scope(&t, "/cls/predictions/transform/LayerNorm");
    x = torch_layer_norm(&t, x, "cls.predictions.transform.LayerNorm", m.d, 1e-12);
    torch_scope(&t, "/cls/predictions/decoder");
    x = torch_linear(&t, x, "cls.predictions.decoder", m.d, m.vocabulary, 1);
    torch_output(&t, x, "logits", 3, (long[]){1, places, m.vocabulary}, batch_sequence);
}

/* ---- LLaMA ---- */

struct llama {
    long d, heads, kv, head, inner, vocabulary, positions;
    struct symbols s;
    struct val mask, place; /* place: the numbers of the positions, [N, S] */
    struct val cos, sin;    /* torch.export: of each position, [N, 1, S, head] */
};

/* The table of cos or sin of positions times frequencies, [1, 1, positions, head], which older versions keep as a buffer. */
static struct val table(struct torch *t, const struct llama *m, const char *name, double (*f)(double))
{
    struct val v = build_value(name, TORCH_FLOAT, 4, (long[]){1, 1, m->positions, m->head});
    double *x = malloc((size_t)(m->positions * m->head) * sizeof *x);

    if (!x) {
        fprintf(stderr, "zoo: out of memory\n");
        exit(3);
    }
    for (long i = 0; i < m->positions; i++)
        for (long k = 0; k < m->head; k++)
            x[i * m->head + k] = f((double)i * pow(10000, -(double)(2 * (k % (m->head / 2))) / (double)m->head));
    build_numbers(t->b, &v, x);
    free(x);
    return v;
}

/* The rows of the table that the positions choose, of those up to the sequence's end: [N, 1, S, head]. */
static struct val looked_up(struct torch *t, const struct llama *m, const char *name, double (*f)(double), struct val end)
{
    struct val zero = torch_ints(t, 1, (long[]){0}), x;

    x = torch_slice(t, table(t, m, name, f), 2, zero, torch_list(t, end));
    x = torch_squeeze(t, torch_squeeze(t, x, 1), 0);
    x = torch_take(t, NULL, x, m->place, 0);
    return torch_unsqueeze(t, x, 1, (long[]){1});
}

/* torch.export: cos and sin of positions times frequencies, computed in the graph. */
static void computed(struct torch *t, struct llama *m)
{
    struct val v = build_value("model.rotary_emb.inv_freq", TORCH_FLOAT, 3, (long[]){1, m->head / 2, 1}), x, y, two[2];
    double f[512];

    for (long k = 0; k < m->head / 2; k++)
        f[k] = pow(10000, -(double)(2 * k) / (double)m->head);
    build_numbers(t->b, &v, f);
    x = torch_expand(t, v, 3, (struct extent[]){{&m->s.batch, 0}, {NULL, m->head / 2}, {NULL, 1}});
    y = torch_cast(t, torch_unsqueeze(t, m->place, 1, (long[]){1}), TORCH_FLOAT);
    x = torch_binary(t, "MatMul", "matmul", x, y);
    two[0] = torch_transpose(t, x, 3, (long[]){0, 2, 1});
    two[1] = two[0];
    x = torch_concat(t, 2, two, -1);
    m->cos = torch_unsqueeze(t, torch_unary(t, "Cos", "cos", x), 1, (long[]){1});
    m->sin = torch_unsqueeze(t, torch_unary(t, "Sin", "sin", x), 1, (long[]){1});
}

/* x * cos + (-second half, first half) * sin. */
static struct val rotated(struct torch *t, struct val x, long head, struct val c, struct val s)
{
    struct val half, zero = torch_ints(t, 1, (long[]){0}), all = torch_ints(t, 1, (long[]){INT64_MAX}), part[2], y;

    if (t->dynamo) {
        half = torch_ints(t, 1, (long[]){head / 2});
    } else {
        half = torch_size(t, x, 3);
        half = torch_binary(t, "Div", NULL, half, torch_number(t, TORCH_INT64, 2));
        half = torch_list(t, torch_cast(t, torch_cast(t, half, TORCH_INT64), TORCH_INT64));
    }
    part[1] = torch_slice(t, x, 3, zero, half);
    part[0] = torch_unary(t, "Neg", "neg", torch_slice(t, x, 3, half, all));
    y = torch_concat(t, 2, part, -1);
    x = torch_binary(t, "Mul", "mul", x, c);
    y = torch_binary(t, "Mul", "mul", y, s);
    return torch_binary(t, "Add", "add", x, y);
}

/* TorchScript: the least float where j > past + i, and where a token is masked, [N, 1, S, past + S]. */
static struct val llama_added_mask(struct torch *t, struct val ids, struct val mask, struct val past)
{
    struct val n, s, all, at, m, next, zero, least, part[2], one;

    torch_scope(t, "/model");
    n = torch_size(t, ids, 0);
    s = torch_size(t, ids, 1);
    past = torch_size(t, past, 2);
    all = torch_binary(t, "Add", NULL, s, past);
    m = torch_shape(t, 2, (struct extent[]){{&s, 0}, {&s, 0}});
    m = torch_op(t, "ConstantOfShape", NULL, ATTRS({"value", 't', TORCH_FLOAT, -0x1.fffffep+127, NULL, 1, NULL}), 1, &m);
    at = torch_arange(t, s);
    next = torch_binary(t, "Add", NULL, at, torch_number(t, TORCH_INT64, 1));
    next = torch_view(t, next, 2, (struct extent[]){{&s, 0}, {NULL, 1}});
    next = torch_binary(t, "Less", NULL, at, next);
    zero = number(t, 0);
    part[1] = torch_op(t, "Where", NULL, NULL, 3, &next, &zero, &m);
    m = torch_shape(t, 2, (struct extent[]){{&s, 0}, {&past, 0}});
    part[0] = torch_op(t, "ConstantOfShape", NULL, ATTRS({"value", 't', TORCH_FLOAT, 0, NULL, 1, NULL}), 1, &m);
    m = torch_concat(t, 2, part, -1);
    m = torch_unsqueeze(t, torch_unsqueeze(t, m, 1, (long[]){0}), 1, (long[]){1});
    m = torch_expand(t, m, 4, (struct extent[]){{&n, 0}, {NULL, 1}, {&s, 0}, {&all, 0}});
    mask = torch_unsqueeze(t, torch_unsqueeze(t, mask, 1, (long[]){1}), 1, (long[]){2});
    mask = torch_cast(t, torch_expand(t, mask, 4, (struct extent[]){{&n, 0}, {NULL, 1}, {&s, 0}, {&all, 0}}), TORCH_FLOAT);
    one = number(t, 1);
    mask = torch_binary(t, "Sub", NULL, one, mask);
    next = torch_cast(t, mask, TORCH_BOOL);
    least = number(t, -0x1.fffffep+127);
    mask = torch_op(t, "Where", NULL, NULL, 3, &next, &least, &mask);
    return torch_binary(t, "Add", NULL, mask, m);
}

/* Each head of keys or values as often as there are queries of it. */
static struct val repeated(struct torch *t, const struct llama *m, struct val x)
{
    long repeat = m->heads / m->kv;
    struct val n = size_of(t, &m->s.batch, x, 0), kv, length, all;

    if (t->dynamo) {
        length = torch_binary(t, "Add", "add", m->s.past, m->s.sequence);
        x = torch_unsqueeze(t, x, 1, (long[]){2});
        x = torch_expand(t, x, 5, (struct extent[]){{&n, 0}, {NULL, m->kv}, {NULL, repeat}, {&length, 0}, {NULL, m->head}});
        return torch_view(t, x, 4, (struct extent[]){{&n, 0}, {NULL, m->heads}, {&length, 0}, {NULL, m->head}});
    }
    kv = torch_size(t, x, 1);
    length = torch_size(t, x, 2);
    x = torch_unsqueeze(t, x, 1, (long[]){2});
    x = torch_expand(t, x, 5, (struct extent[]){{&n, 0}, {&kv, 0}, {NULL, repeat}, {&length, 0}, {NULL, m->head}});
    all = torch_binary(t, "Mul", NULL, kv, torch_number(t, TORCH_INT64, (double)repeat));
    return torch_view(t, x, 4, (struct extent[]){{&n, 0}, {&all, 0}, {&length, 0}, {NULL, m->head}});
}

/* cache: keys and values of the past, which become those of past and present. */
static struct val llama_attention(struct torch *t, const struct llama *m, struct val x, int layer, struct val *cache)
{
    static const char *const part[3] = {"q_proj", "k_proj", "v_proj"};
    struct val p[3], c = m->cos, s = m->sin, end, two[2];

    for (int i = 0; i < 3; i++) {
        long heads = i ? m->kv : m->heads;
        torch_scope(t, "/model/layers.%d/self_attn/%s", layer, part[i]);
        p[i] = torch_linear(t, x, "", m->d, heads * m->head, 0);
        torch_scope(t, "/model/layers.%d/self_attn", layer);
        p[i] = split_heads(t, &m->s, p[i], heads, m->head, 0);
    }
    if (!t->dynamo) {
        char name[80];
        end = torch_size(t, p[1], -2);
        end = torch_binary(t, "Add", NULL, end, torch_size(t, cache[0], -2));
        torch_scope(t, "/model/layers.%d/self_attn/rotary_emb", layer);
        torch_name(name, sizeof name, "model.layers.%d.self_attn.rotary_emb.cos_cached", layer);
        c = looked_up(t, m, name, cos, end);
        torch_name(name, sizeof name, "model.layers.%d.self_attn.rotary_emb.sin_cached", layer);
        s = looked_up(t, m, name, sin, end);
        torch_scope(t, "/model/layers.%d/self_attn", layer);
    }
    p[0] = rotated(t, p[0], m->head, c, s);
    p[1] = rotated(t, p[1], m->head, c, s);
    for (int i = 0; i < 2; i++) {
        two[0] = cache[i], two[1] = p[1 + i];
        cache[i] = torch_concat(t, 2, two, t->dynamo ? -2 : 2);
        p[1 + i] = repeated(t, m, cache[i]);
    }
    if (t->dynamo)
        x = torch_attention(t, p[0], p[1], p[2], m->head, &m->mask);
    else
        x = attend(t, p[0], torch_transpose(t, p[1], 4, (long[]){0, 1, 3, 2}), p[2], m->head, m->mask);
    x = merge_heads(t, &m->s, x, m->heads * m->head);
    torch_scope(t, "/model/layers.%d/self_attn/o_proj", layer);
    return torch_linear(t, x, "", m->heads * m->head, m->d, 0);
}

static struct val llama_layer(struct torch *t, const struct llama *m, struct val x, int k, struct val *cache)
{
    char name[64];
    struct val y, gate;

    torch_scope(t, "/model/layers.%d/input_layernorm", k);
    torch_name(name, sizeof name, "model.layers.%d.input_layernorm", k);
    y = torch_rms_norm(t, x, name, m->d, 1e-6);
    y = llama_attention(t, m, y, k, cache);
    torch_scope(t, "/model/layers.%d", k);
    x = torch_binary(t, "Add", "add", x, y);
    torch_scope(t, "/model/layers.%d/post_attention_layernorm", k);
    torch_name(name, sizeof name, "model.layers.%d.post_attention_layernorm", k);
    y = torch_rms_norm(t, x, name, m->d, 1e-6);
    torch_scope(t, "/model/layers.%d/mlp/gate_proj", k);
    gate = torch_linear(t, y, "", m->d, m->inner, 0);
    torch_scope(t, "/model/layers.%d/mlp/act_fn", k);
    gate = torch_binary(t, "Mul", "silu", gate, torch_unary(t, "Sigmoid", NULL, gate));
    torch_scope(t, "/model/layers.%d/mlp/up_proj", k);
    y = torch_linear(t, y, "", m->d, m->inner, 0);
    torch_scope(t, "/model/layers.%d/mlp", k);
    y = torch_binary(t, "Mul", "mul", gate, y);
    torch_scope(t, "/model/layers.%d/mlp/down_proj", k);
    y = torch_linear(t, y, "", m->inner, m->d, 0);
    torch_scope(t, "/model/layers.%d", k);
    return torch_binary(t, "Add", "add", x, y);
}

/* What the mask and the rotations of torch.export need is computed once, before the layers. */
static void llama_shared(struct torch *t, struct llama *m, struct val ids, struct val mask, struct val past)
{
    if (!t->dynamo) {
        m->mask = llama_added_mask(t, ids, mask, past);
        return;
    }
    m->s.batch = torch_size(t, ids, 0);
    m->s.sequence = torch_size(t, ids, 1);
    m->s.past = torch_size(t, past, 2);
    m->mask = boolean_mask(t, &m->s, mask);
    computed(t, m);
}

/* LLaMA (Touvron et al. 2023) with grouped queries and a cache of keys and values; width 1 is d 2048, 32 heads of 64, 4 of keys and
   values. */
void zoo_llama(struct build *b, long places)
{
    struct llama m = {.heads = 32, .kv = 4, .head = build_width(b, 64) / 2 * 2, .inner = build_width(b, 5632), .positions = places,
                      .vocabulary = build_width(b, 32000)};
    const char *const cached[4] = {"batch", NULL, "past_sequence", NULL}, *const all[2] = {"batch", "past_sequence + sequence"};
    const char *const present[4] = {"batch", NULL, "past_sequence + sequence", NULL};
    long shape[4] = {1, m.kv, 1, m.head};
    struct val *cache = calloc(2 * (size_t)b->depth, sizeof *cache), ids, mask, x;
    char name[64];
    struct torch t;

    if (!cache) {
        fprintf(stderr, "zoo: out of memory\n");
        exit(3);
    }
    m.d = m.heads * m.head;
    torch_init(&t, b);
    ids = torch_input(&t, "input_ids", TORCH_INT64, 2, (long[]){1, 1}, batch_sequence);
    mask = torch_input(&t, "attention_mask", TORCH_INT64, 2, (long[]){1, 1}, all);
    m.place = torch_input(&t, "position_ids", TORCH_INT64, 2, (long[]){1, 1}, batch_sequence);
    for (int k = 0; k < 2 * b->depth; k++) {
        torch_name(name, sizeof name, "past_key_values.%d.%s", k / 2, k % 2 ? "value" : "key");
        cache[k] = torch_input(&t, name, TORCH_FLOAT, 4, shape, cached);
    }
    llama_shared(&t, &m, ids, mask, cache[0]);
    torch_scope(&t, "/model/embed_tokens");
    x = torch_take(&t, "embedding", torch_weight(&t, "model.embed_tokens.weight", 2, (long[]){m.vocabulary, m.d}, 1), ids, 0);
    for (int k = 0; k < b->depth; k++)
        x = llama_layer(&t, &m, x, k, cache + 2 * k);
    torch_scope(&t, "/model/norm");
    x = torch_rms_norm(&t, x, "model.norm", m.d, 1e-6);
    torch_scope(&t, "/lm_head");
    x = torch_linear(&t, x, "", m.d, m.vocabulary, 0);
    torch_output(&t, x, "logits", 3, (long[]){1, 1, m.vocabulary}, batch_sequence);
    for (int k = 0; k < 2 * b->depth; k++) {
        torch_name(name, sizeof name, "present.%d.%s", k / 2, k % 2 ? "value" : "key");
        torch_output(&t, cache[k], name, 4, shape, present);
    }
    free(cache);
}
