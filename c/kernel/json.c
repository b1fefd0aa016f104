/* PKU cases: an object with the strings name, data_type ("float", "double", "int", "int64") and kernel, the arrays of
   names ins and outs, and the optional arrays grad_to and inline and number parallel, which are only checked here. The
   tensors of the kernel are in the order of the signature: ins, outs not among them, then the rest. */
#include "kernel/parse.h"

#include <jansson.h>
#include <string.h>

struct json_case {
    struct kernel *k;
    const char *file, *src;
    size_t n;
    json_t *root;
    struct ints outs;
    struct diag *d;
};

static struct kpos place_of(const struct json_case *c, size_t at)
{
    struct kpos p = {1, 1};

    for (size_t i = 0; i < at && i < c->n; i++) {
        p.col++;
        if (c->src[i] == '\n')
            p = (struct kpos){p.line + 1, 1};
    }
    return p;
}

/* The end of the string whose quote is at i: the place of its other quote. The text is well-formed JSON. */
static size_t string_end(const struct json_case *c, size_t i)
{
    for (i++; i < c->n && c->src[i] != '"'; i++)
        if (c->src[i] == '\\')
            i++;
    return i;
}

static size_t skip_space(const struct json_case *c, size_t i)
{
    while (i < c->n && strchr(" \t\r\n", c->src[i]))
        i++;
    return i;
}

/* Where the value of a field of the root object starts; 0 if there is none. key: whether its name is wanted instead. */
static size_t find_field(const struct json_case *c, const char *name, bool key)
{
    bool fresh = false; /* after { or , of the root object */
    size_t end, len = strlen(name);
    int depth = 0;

    for (size_t i = 0; i < c->n; i++) {
        char x = c->src[i];
        if (x == '"') {
            end = string_end(c, i);
            if (depth == 1 && fresh && end - i - 1 == len && memcmp(c->src + i + 1, name, len) == 0)
                return key ? i : skip_space(c, skip_space(c, end + 1) + 1);
            fresh = false;
            i = end;
        } else if (x == '{' || x == '[') {
            fresh = ++depth == 1;
        } else if (x == '}' || x == ']') {
            depth--;
        } else if (x == ',') {
            fresh = depth == 1;
        }
    }
    return 0;
}

/* Where string number i of an array of strings starts. */
static size_t find_element(const struct json_case *c, const char *name, size_t i)
{
    size_t at = find_field(c, name, false);

    for (at++; at < c->n; at++)
        if (c->src[at] == '"') {
            if (i-- == 0)
                return at;
            at = string_end(c, at);
        }
    return 0;
}

static enum calque_status bad(const struct json_case *c, size_t at, const char *text, const char *name)
{
    struct kpos p = place_of(c, at);

    return diag_set(c->d, CALQUE_BAD, c->file, p.line, p.col, text, name);
}

static enum calque_status check_names(const struct json_case *c, const char *field, bool required)
{
    json_t *list = json_object_get(c->root, field), *x;
    size_t i;

    if (!list)
        return required ? bad(c, find_field(c, field, false), "the field %s is missing", field) : CALQUE_OK;
    if (!json_is_array(list))
        return bad(c, find_field(c, field, false), "%s is no array of names", field);
    json_array_foreach(list, i, x)
        if (!json_is_string(x))
            return bad(c, find_field(c, field, false), "%s is no array of names", field);
    return CALQUE_OK;
}

static enum calque_status check_fields(const struct json_case *c)
{
    static const char *const strings[] = {"name", "data_type", "kernel"};
    static const char *const known[] = {"name", "data_type", "kernel", "ins", "outs", "grad_to", "inline", "parallel"};
    enum calque_status st;
    const char *field;
    json_t *x;

    json_object_foreach(c->root, field, x) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(field, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            return bad(c, find_field(c, field, true), "unknown field %s", field);
    }
    for (size_t i = 0; i < 3; i++) {
        x = json_object_get(c->root, strings[i]);
        if (!x)
            return bad(c, 0, "the field %s is missing", strings[i]);
        if (!json_is_string(x))
            return bad(c, find_field(c, strings[i], false), "%s is no string", strings[i]);
    }
    x = json_object_get(c->root, "parallel");
    if (x && !json_is_integer(x))
        return bad(c, find_field(c, "parallel", false), "%s is no integer", "parallel");
    if ((st = check_names(c, "ins", true)) != CALQUE_OK || (st = check_names(c, "outs", true)) != CALQUE_OK ||
        (st = check_names(c, "grad_to", false)) != CALQUE_OK)
        return st;
    return check_names(c, "inline", false);
}

static bool read_type(struct json_case *c)
{
    static const char *const name[] = {"float", "double", "int", "int64"};
    static const enum kernel_type type[] = {KERNEL_F32, KERNEL_F64, KERNEL_I32, KERNEL_I64};
    const char *text = json_string_value(json_object_get(c->root, "data_type"));

    for (int i = 0; i < 4; i++)
        if (strcmp(text, name[i]) == 0) {
            c->k->type = type[i];
            return true;
        }
    return false;
}

/* Registers the names of ins or outs, shapes still unknown; outs are collected. */
static enum calque_status add_names(struct json_case *c, const char *field, bool outs)
{
    static const long none[1] = {0};
    json_t *x;
    size_t i;

    json_array_foreach(json_object_get(c->root, field), i, x) {
        int name = strs_add(c->k->strs, json_string_value(x), json_string_length(x));
        if (name < 0)
            return diag_nomem(c->d);
        if (kernel_find_tensor(c->k, name) < 0 && kernel_add_tensor(c->k, name, KERNEL_IN, -1, none) < 0)
            return diag_nomem(c->d);
        if (outs && !ints_push(c->k->mem, &c->outs, name))
            return diag_nomem(c->d);
    }
    if (outs && c->outs.n == 0)
        return bad(c, find_field(c, field, false), "%s is empty", field);
    return CALQUE_OK;
}

static unsigned long hex_digit(char c)
{
    return (unsigned long)(c >= '0' && c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

static int utf8_length(unsigned long x)
{
    return x < 0x80 ? 1 : x < 0x800 ? 2 : 3;
}

/* The place in the source of byte `col` (from 1) of line `line` of the decoded string that starts (quote) at `at`. */
static size_t map_place(const struct json_case *c, const char *text, size_t at, int line, int col)
{
    size_t want = 0, got = 0, i = at + 1;

    for (; line > 1 && text[want]; want++)
        line -= text[want] == '\n';
    want += (size_t)(col - 1);
    while (i < c->n && got < want) {
        if (c->src[i] != '\\') {
            got++;
            i++;
        } else if (c->src[i + 1] != 'u') {
            got++;
            i += 2;
        } else {
            unsigned long x = 0;
            for (size_t j = i + 2; j < i + 6 && j < c->n; j++)
                x = x * 16 + hex_digit(c->src[j]);
            got += (size_t)utf8_length(x);
            i += 6;
        }
    }
    return i;
}

static enum calque_status parse_text_field(struct json_case *c)
{
    json_t *x = json_object_get(c->root, "kernel");
    struct diag inner;
    enum calque_status st;

    diag_clear(&inner);
    st = kernel_parse_named(c->k, c->file, json_string_value(x), json_string_length(x), c->outs.a, c->outs.n, &inner);
    if (st != CALQUE_OK && inner.line > 0) {
        size_t at = map_place(c, json_string_value(x), find_field(c, "kernel", false), inner.line, inner.col);
        struct kpos p = place_of(c, at);
        inner.line = p.line;
        inner.col = p.col;
    }
    if (st != CALQUE_OK && c->d)
        *c->d = inner;
    return st;
}

/* Every name of the signature is used, every tensor the kernel takes is in the signature. */
static enum calque_status check_signature(const struct json_case *c)
{
    json_t *ins = json_object_get(c->root, "ins"), *x;
    size_t i;

    json_array_foreach(ins, i, x) {
        int t = kernel_find_tensor(c->k, strs_find(c->k->strs, json_string_value(x), json_string_length(x)));
        if (t < 0 || c->k->tensor.a[t].rank < 0)
            return bad(c, find_element(c, "ins", i), "the kernel does not use %s", json_string_value(x));
    }
    for (int t = 0; t < c->k->tensor.n; t++) {
        const char *name = strs_text(c->k->strs, c->k->tensor.a[t].name);
        bool found = c->k->tensor.a[t].role != KERNEL_IN;
        json_array_foreach(ins, i, x)
            found = found || strcmp(json_string_value(x), name) == 0;
        if (!found)
            return bad(c, find_field(c, "ins", false), "the kernel loads %s, which is not in ins", name);
    }
    return CALQUE_OK;
}

static enum calque_status parse_case(struct json_case *c)
{
    enum calque_status st;

    if (!json_is_object(c->root))
        return bad(c, skip_space(c, 0), "expected an object%s", "");
    if ((st = check_fields(c)) != CALQUE_OK)
        return st;
    if (!read_type(c))
        return bad(c, find_field(c, "data_type", false), "unknown data_type %s",
                   json_string_value(json_object_get(c->root, "data_type")));
    if ((st = add_names(c, "ins", false)) != CALQUE_OK || (st = add_names(c, "outs", true)) != CALQUE_OK)
        return st;
    if ((st = parse_text_field(c)) != CALQUE_OK)
        return st;
    return check_signature(c);
}

enum calque_status kernel_parse_json(struct kernel *k, struct mem *mem, struct strs *strs, const char *file,
                                     const char *src, size_t n, struct diag *d)
{
    struct json_case c = {.k = k, .file = file, .src = src, .n = n, .d = d};
    enum calque_status st;
    json_error_t error;

    kernel_init(k, mem, strs, KERNEL_F32);
    c.root = json_loadb(src, n, JSON_REJECT_DUPLICATES, &error);
    if (!c.root)
        return json_error_code(&error) == json_error_out_of_memory
                   ? diag_nomem(d)
                   : diag_set(d, CALQUE_BAD, file, error.line, error.column, "%s", error.text);
    st = parse_case(&c);
    ints_free(&c.outs);
    json_decref(c.root);
    return st;
}
