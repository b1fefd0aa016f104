/* Plain C of whole models (Coq: Calque.model.Compile, Plan; `calque-oracle emit` prints the same bytes). Each operator is one
   call of a function of its own: its kernel as the translation rules give it, or a look-up that says whether an index is outside. What calls store lies in an arena, each tensor
   behind the one before, a number in every 8 bytes; constants are arrays of literals. Invariant: the parameters of a
   function are the operator's inputs in order and then what its statements store, in order. */
#include "emit/module.h"

#include <stdio.h>
#include <string.h>

#include "emit/minic.h"
#include "tensor/op.h"

enum { WEIGHTS_A_LINE = 8, CELL = 8 /* bytes */ };

/* Where a tensor is. */
enum place_kind { PLACE_ARENA /* at: cells before it */, PLACE_WEIGHTS /* at: node */, PLACE_INPUT /* at: number */ };
struct place {
    int kind, elem;
    long at, cells;
};

struct plain {
    const struct graph *g;
    const struct emit_options *o;
    struct mem *mem;
    struct { struct place *a; int n, cap; } place;
    int *first, *count;        /* node -> its places: one of a tensor, any number of a tuple; count -1: a tuple */
    int *fields;               /* node -> of a tuple: how many */
    int inputs, functions;
    long arena;                /* cells */
    unsigned long used, own;   /* helpers, functions of Calque's own */
    struct text functions_text, weights, calls;
};

static const char *name_of(const struct plain *p)
{
    return p->o->name ? p->o->name : "model";
}

static enum calque_status refuse(const struct plain *p, int node, const char *why, struct diag *d)
{
    const struct node *x = &p->g->node.a[node];
    bool op = x->kind == NODE_OP;
    const char *name = graph_name(p->g, node);

    return diag_set(d, CALQUE_BAD, "", 0, 0, "emit --plain: node %d%s%s%s: %s%s%s%s", node, op ? " (" : "", op ? op_info(x->op)->name : "",
                    op ? ")" : "", why, *name ? ", at '" : "", name, *name ? "'" : "");
}

/* ---- places ---- */

static bool add_place(struct plain *p, int kind, int elem, long at, long cells)
{
    if (!vec_room(p->mem, &p->place, 1))
        return false;
    p->place.a[p->place.n++] = (struct place){ kind, elem, at, cells };
    return true;
}

/* A tensor at a new place. */
static enum calque_status bind(struct plain *p, int node, int kind, long at, struct diag *d)
{
    const struct node *x = &p->g->node.a[node];

    p->first[node] = p->place.n;
    p->count[node] = 1;
    return add_place(p, kind, dtype_elem(x->dtype), at, shape_elems(&x->shape)) ? CALQUE_OK : diag_nomem(d);
}

/* What has no cells is nowhere: any pointer of its type. */
static void put_place(struct text *t, const struct place *x)
{
    switch (x->cells > 0 ? x->kind : PLACE_ARENA) {
    case PLACE_ARENA: text_printf(t, "(%s *)(arena + %ld)", print_elem(x->elem), x->cells > 0 ? CELL * x->at : 0); break;
    case PLACE_WEIGHTS: text_printf(t, "calque_w%ld", x->at); break;
    default: text_printf(t, "in%ld", x->at);
    }
}

/* ---- constants ---- */

static void put_cell(struct text *t, const struct tensor *x, long i)
{
    switch (x->dtype) {
    case DTYPE_F32: print_number(t, KERNEL_F32, (double)((const float *)x->data)[i], 0); break;
    case DTYPE_F64: print_number(t, KERNEL_F64, ((const double *)x->data)[i], 0); break;
    case DTYPE_I32: print_number(t, KERNEL_I32, 0, ((const int32_t *)x->data)[i]); break;
    case DTYPE_I64: print_number(t, KERNEL_I64, 0, ((const int64_t *)x->data)[i]); break;
    case DTYPE_I8: text_printf(t, "%d", (int)((const int8_t *)x->data)[i]); break;
    case DTYPE_U8: text_printf(t, "%d", (int)((const uint8_t *)x->data)[i]); break;
    default: text_puts(t, ((const unsigned char *)x->data)[i] ? "1" : "0");
    }
}

static enum calque_status add_constant(struct plain *p, int node, struct diag *d)
{
    const struct tensor *x = graph_tensor(p->g, node);
    long n = x ? shape_elems(&x->shape) : 0;

    if (!x)
        return refuse(p, node, "it has no data", d);
    if (n == 0)
        return bind(p, node, PLACE_WEIGHTS, node, d);
    text_printf(&p->weights, "static const %s calque_w%d[%ld] = {", print_elem(dtype_elem(x->dtype)), node, n);
    for (long i = 0; i < n; i++) {
        text_puts(&p->weights, i % WEIGHTS_A_LINE ? ", " : i ? ",\n    " : "\n    ");
        put_cell(&p->weights, x, i);
    }
    text_puts(&p->weights, "\n};\n");
    return bind(p, node, PLACE_WEIGHTS, node, d);
}

/* ---- functions ---- */

/* The last input that is there, and that all before it are. */
static enum calque_status operands(const struct plain *p, int node, int *n, struct diag *d)
{
    const struct node *x = &p->g->node.a[node];

    *n = x->nin;
    while (*n > 0 && graph_in(p->g, node, *n - 1) < 0)
        --*n;
    for (int i = 0; i < *n; i++) {
        int in = graph_in(p->g, node, i);
        if (in < 0)
            return refuse(p, node, "an input is absent before one that is there", d);
        if (p->count[in] != 1)
            return refuse(p, node, "an input is a tuple", d);
    }
    return CALQUE_OK;
}

/* Does the statement store a scalar? (kernel.h: its variable has no name.) */
static bool stores_scalar(const struct kernel *k, const struct kernel_stmt *s)
{
    return k->tensor.a[s->out].rank == 1 && strs_len(k->strs, k->var.a[s->var].name) == 0;
}

static int input_tensor(struct kernel *q, const struct plain *p, int node, int i)
{
    static const long one[] = { 1 };
    const struct node *x = &p->g->node.a[graph_in(p->g, node, i)];
    char name[16];
    int id;

    snprintf(name, sizeof name, "X%d", i);
    id = strs_addz(q->strs, name);
    if (id >= 0)
        id = x->shape.rank == 0 ? kernel_add_tensor(q, id, KERNEL_IN, 1, one)
                                : kernel_add_tensor(q, id, KERNEL_IN, x->shape.rank, x->shape.dim);
    if (id >= 0)
        q->tensor.a[id].elem = kernel_elem(q, dtype_elem(x->dtype));
    return id;
}

/* The kernel k of the node with its tensors in the order of the parameters, scalars without dimension. */
static enum calque_status in_order(const struct plain *p, int node, int n, const struct kernel *k, struct kernel *q, struct diag *d)
{
    int *map = mem_resize(p->mem, NULL, (size_t)k->tensor.n + 1, sizeof *map);
    enum calque_status st = map ? CALQUE_OK : diag_nomem(d);

    kernel_like(q, k);
    for (int t = 0; t < k->tensor.n && st == CALQUE_OK; t++)
        map[t] = -1;
    for (int i = 0; i < n && st == CALQUE_OK; i++) {
        int id = input_tensor(q, p, node, i), was = id < 0 ? -1 : kernel_find_tensor(k, q->tensor.a[id].name);
        if (id < 0)
            st = diag_nomem(d);
        else if (was >= 0)
            map[was] = id;
    }
    for (int s = 0; s < k->stmt.n && st == CALQUE_OK; s++) {
        const struct kernel_tensor *x = &k->tensor.a[k->stmt.a[s].out];
        map[k->stmt.a[s].out] = kernel_add_like(q, x->name, KERNEL_OUT, x);
        if (map[k->stmt.a[s].out] < 0)
            st = diag_nomem(d);
    }
    if (st == CALQUE_OK)
        st = kernel_append(q, k, map, d);
    for (int i = 0; i < n && st == CALQUE_OK; i++)
        if (p->g->node.a[graph_in(p->g, node, i)].shape.rank == 0)
            q->tensor.a[i].rank = 0;
    for (int s = 0; s < q->stmt.n && st == CALQUE_OK; s++)
        if (stores_scalar(q, &q->stmt.a[s]))
            q->tensor.a[q->stmt.a[s].out].rank = 0;
    mem_free(map);
    return st;
}

static enum calque_status add_function(struct plain *p, const struct kernel *q, struct diag *d)
{
    char name[32];
    struct print_options o = { .name = name, .pragmas = true, .is_static = true, .always = true, .used = &p->used,
                               .own = &p->own };
    struct code code;
    struct minic m;
    struct prog prog;
    enum calque_status st = lower_kernel(q, LOWER_PLAIN, &prog, d);

    memset(&code, 0, sizeof code);
    memset(&m, 0, sizeof m);
    snprintf(name, sizeof name, "calque_f%d", p->functions++);
    if (st == CALQUE_OK)
        st = trans_prog(&prog, false, &code, d);
    if (st == CALQUE_OK)
        st = codegen_plain(&code, false, NULL, &m, d);
    if (st == CALQUE_OK) {
        print_function(&p->functions_text, &m, &o);
        text_puts(&p->functions_text, "\n");
    }
    minic_free(&m);
    code_free(&code);
    prog_free(&prog);
    return st;
}

/* The places of the results: Y0, Y1, .. of q, which lie behind each other with the temporaries. */
static enum calque_status results(struct plain *p, int node, const struct kernel *q, int stored, struct diag *d)
{
    int outputs = p->g->node.a[node].index;
    int typed = graph_multi(p->g, node) ? graph_in(p->g, node, 0) : node; /* a Split's parts are of its input's type */
    int elem = dtype_elem(p->g->node.a[typed].dtype);

    if (!graph_multi(p->g, node))
        outputs = 1;
    p->first[node] = p->place.n;
    p->count[node] = graph_multi(p->g, node) ? -1 : 1;
    p->fields[node] = outputs;
    for (int j = 0; j < outputs; j++) {
        struct place x;
        char name[16];
        int id, t;
        snprintf(name, sizeof name, "Y%d", j);
        id = strs_addz(q->strs, name);
        t = id < 0 ? -1 : kernel_find_tensor(q, id);
        if (id < 0)
            return diag_nomem(d);
        if (t < 0) /* no statement stores what has no cells */
            x = (struct place){ PLACE_ARENA, elem, 0, 0 };
        else
            x = p->place.a[stored + t];
        if (!add_place(p, x.kind, x.elem, x.at, x.cells))
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

/* The call of the last function: the inputs' places, then new ones for what is stored. */
static enum calque_status add_call(struct plain *p, int node, int n, const struct kernel *q, struct diag *d)
{
    int stored = p->place.n;

    text_printf(&p->calls, "    calque_f%d(", p->functions - 1);
    for (int i = 0; i < q->tensor.n; i++) {
        struct place x;
        if (i < n) {
            x = p->place.a[p->first[graph_in(p->g, node, i)]];
        } else {
            x = (struct place){ PLACE_ARENA, kernel_stored(q, i), p->arena, kernel_elems(q, i) };
            p->arena += x.cells;
        }
        text_puts(&p->calls, i ? ", " : "");
        put_place(&p->calls, &x);
        if (!add_place(p, x.kind, x.elem, x.at, x.cells)) /* place stored + t: of tensor t */
            return diag_nomem(d);
    }
    text_puts(&p->calls, ");\n");
    return results(p, node, q, stored, d);
}

/* ---- look-ups ---- */

/* The place of a cell: the variable (i0 ..; at, from which on the dimension is that of at) times its stride, all added.
   first: of the variables, the one of dimension 0; skip: what the dimensions behind at add to theirs. */
static void put_position(struct text *t, const struct shape *x, int first, int axis, int skip)
{
    if (x->rank == 0)
        text_puts(t, "0");
    for (int i = 0; i < x->rank; i++) {
        long stride = 1;
        for (int k = i + 1; k < x->rank; k++)
            stride *= x->dim[k];
        text_puts(t, i ? " + " : "");
        if (i == axis)
            text_puts(t, "at");
        else
            text_printf(t, "i%d", first + i + (axis >= 0 && i > axis ? skip : 0));
        if (stride != 1)
            text_printf(t, " * %ld", stride);
    }
}

static void put_copy(struct text *t, const struct shape *x, const struct shape *ix, const struct shape *y, int axis)
{
    int in = y->rank + 1;

    for (int i = 0; i < y->rank; i++)
        text_printf(t, "%*sfor (long i%d = 0; i%d < %ld; i%d++) {\n", 4 * (i + 1), "", i, i, y->dim[i], i);
    text_printf(t, "%*slong at = X1[", 4 * in, "");
    put_position(t, ix, axis, -1, 0);
    text_printf(t, "];\n%*sat += at < 0 ? %ld : 0;\n%*sY0[", 4 * in, "", x->dim[axis], 4 * in, "");
    put_position(t, y, 0, -1, 0);
    text_puts(t, "] = X0[");
    put_position(t, x, 0, axis, ix->rank - 1);
    text_puts(t, "];\n");
    for (int i = y->rank; i > 0; i--)
        text_printf(t, "%*s}\n", 4 * i, "");
}

/* All indices are tested before a cell is copied (Coq: run_look of coq/model/Unit.v). */
static void put_look(struct plain *p, int node)
{
    const struct node *a = p->g->node.a, *x = &a[graph_in(p->g, node, 0)], *ix = &a[graph_in(p->g, node, 1)], *y = &a[node];
    const char *elem = print_elem(dtype_elem(x->dtype));
    int axis = (int)graph_attr_int(p->g, node, "axis", 0);
    struct text *t = &p->functions_text;
    long n = x->shape.dim[axis];

    text_printf(t, "static int calque_f%d(const %s *restrict X0, const %s *restrict X1, %s *restrict Y0)\n{\n", p->functions++, elem,
                print_elem(dtype_elem(ix->dtype)), elem);
    text_printf(t, "    for (long i = 0; i < %ld; i++) {\n        if (X1[i] < %ld || X1[i] >= %ld)\n            return 1;\n    }\n",
                shape_elems(&ix->shape), -n, n);
    if (shape_elems(&y->shape) > 0)
        put_copy(t, &x->shape, &ix->shape, &y->shape, axis);
    else
        text_puts(t, "    (void)X0;\n    (void)Y0;\n");
    text_puts(t, "    return 0;\n}\n\n");
}

static enum calque_status add_look(struct plain *p, int node, struct diag *d)
{
    const struct place *x = &p->place.a[p->first[graph_in(p->g, node, 0)]], *ix = &p->place.a[p->first[graph_in(p->g, node, 1)]];
    struct place y = { PLACE_ARENA, x->elem, p->arena, shape_elems(&p->g->node.a[node].shape) };

    put_look(p, node);
    text_printf(&p->calls, "    if (calque_f%d(", p->functions - 1);
    put_place(&p->calls, x);
    text_puts(&p->calls, ", ");
    put_place(&p->calls, ix);
    text_puts(&p->calls, ", ");
    put_place(&p->calls, &y);
    text_puts(&p->calls, "))\n        return 1;\n");
    p->arena += y.cells;
    return bind(p, node, PLACE_ARENA, y.at, d);
}

static enum calque_status add_operator(struct plain *p, int node, struct diag *d)
{
    struct kernel k, q;
    int n;
    enum calque_status st = operands(p, node, &n, d);

    if (st != CALQUE_OK)
        return st;
    kernel_init(&k, p->mem, p->g->strs, KERNEL_F32);
    kernel_init(&q, p->mem, p->g->strs, KERNEL_F32);
    st = op_kernel(p->g, node, &k, d);
    if (st == CALQUE_BAD)
        st = refuse(p, node, "it has no kernel", d);
    if (st == CALQUE_OK && op_looks_up(p->g, node)) {
        kernel_free(&k);
        kernel_free(&q);
        return add_look(p, node, d);
    }
    if (st == CALQUE_OK)
        st = in_order(p, node, n, &k, &q, d);
    if (st == CALQUE_OK)
        st = add_function(p, &q, d);
    if (st == CALQUE_OK)
        st = add_call(p, node, n, &q, d);
    kernel_free(&k);
    kernel_free(&q);
    return st;
}

/* ---- nodes ---- */

static enum calque_status add_field(struct plain *p, int node, struct diag *d)
{
    int of = graph_in(p->g, node, 0), k = p->g->node.a[node].index;

    if (of < 0 || p->count[of] >= 0 || k < 0 || k >= p->fields[of])
        return refuse(p, node, "it is a field of no tuple", d);
    p->first[node] = p->first[of] + k;
    p->count[node] = 1;
    return CALQUE_OK;
}

static enum calque_status add_tuple(struct plain *p, int node, struct diag *d)
{
    int n = p->g->node.a[node].nin;

    p->first[node] = p->place.n;
    p->count[node] = -1;
    p->fields[node] = n;
    for (int i = 0; i < n; i++) {
        int in = graph_in(p->g, node, i);
        struct place x;
        if (in < 0 || p->count[in] != 1)
            return refuse(p, node, "a field is no tensor", d);
        x = p->place.a[p->first[in]];
        if (!add_place(p, x.kind, x.elem, x.at, x.cells))
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

static enum calque_status add_node(struct plain *p, int node, struct diag *d)
{
    const struct node *x = &p->g->node.a[node];

    if (x->kind != NODE_TUPLE && !(x->kind == NODE_OP && graph_multi(p->g, node))) {
        if (dtype_elem(x->dtype) == ELEM_OWN || x->shape.rank < 0)
            return refuse(p, node, "its type is unknown, or none of f32, f64, i32, i64, i8, u8, bool", d);
    }
    switch (x->kind) {
    case NODE_INPUT: return bind(p, node, PLACE_INPUT, p->inputs++, d);
    case NODE_CONST: return add_constant(p, node, d);
    case NODE_OP: return add_operator(p, node, d);
    case NODE_PROJ: return add_field(p, node, d);
    default: return add_tuple(p, node, d);
    }
}

/* ---- the file ---- */

static const char file_head[] =
    "/* A model as plain C, emitted by calque: each operator's kernel as a function, as the translation rules give it, and\n"
    "   their calls. Coq: compile (coq/model/Compile.v), of which model_correct speaks. Arrays are dense and row-major; arena is\n"
    "   aligned for any type and overlaps nothing else; outputs overlap nothing else. The bits need -ffp-contract=off. Returned\n"
    "   is 0; 1 where an index of a look-up is outside, and then the outputs have no values. */\n";

static void put_signature(struct text *t, const struct plain *p)
{
    int n = 0;

    text_printf(t, "\nconst long %s_arena = %ld; /* bytes */\n\nint %s(unsigned char *arena", name_of(p), CELL * p->arena, name_of(p));
    for (int i = 0; i < p->g->node.n; i++)
        if (p->g->node.a[i].kind == NODE_INPUT)
            text_printf(t, ", const %s *in%d", print_elem(dtype_elem(p->g->node.a[i].dtype)), n++);
    for (int i = 0; i < p->g->output.n; i++)
        text_printf(t, ", %s *out%d", print_elem(p->place.a[p->first[p->g->output.a[i].node]].elem), i);
    text_puts(t, ")\n{\n");
}

static void put_unused(struct text *t, const struct plain *p)
{
    text_puts(t, "    (void)arena;\n");
    for (int i = 0; i < p->inputs; i++)
        text_printf(t, "    (void)in%d;\n", i);
}

static void put_outputs(struct text *t, const struct plain *p)
{
    for (int i = 0; i < p->g->output.n; i++) {
        const struct place *x = &p->place.a[p->first[p->g->output.a[i].node]];
        if (x->cells == 0) {
            text_printf(t, "    (void)out%d;\n", i);
            continue;
        }
        text_printf(t, "    memcpy(out%d, ", i);
        put_place(t, x);
        text_printf(t, ", %ld * sizeof(%s));\n", x->cells, print_elem(x->elem));
    }
    text_puts(t, "    return 0;\n}\n");
}

static enum calque_status source(struct plain *p, struct text *t, struct diag *d)
{
    for (int i = 0; i < p->g->output.n; i++)
        if (p->count[p->g->output.a[i].node] != 1)
            return refuse(p, p->g->output.a[i].node, "an output is a tuple", d);
    text_puts(t, file_head);
    print_prelude(t, p->used, p->own);
    t->failed |= p->functions_text.failed || p->weights.failed || p->calls.failed;
    if (p->functions_text.n > 0)
        text_put(t, p->functions_text.a, (size_t)p->functions_text.n);
    if (p->weights.n > 0)
        text_put(t, p->weights.a, (size_t)p->weights.n);
    put_signature(t, p);
    put_unused(t, p);
    if (p->calls.n > 0)
        text_put(t, p->calls.a, (size_t)p->calls.n);
    put_outputs(t, p);
    return text_status(t, d);
}

/* The text of the file; files gets the numbers. */
static enum calque_status plain_text(const struct graph *g, const struct emit_options *o, struct text *out,
                                     struct emit_files *files, struct diag *d)
{
    struct plain p = { .g = g, .o = o, .mem = g->mem };
    size_t n = (size_t)g->node.n + 1;
    enum calque_status st;

    text_init(&p.functions_text, g->mem);
    text_init(&p.weights, g->mem);
    text_init(&p.calls, g->mem);
    p.first = mem_zero(g->mem, n, sizeof *p.first);
    p.count = mem_zero(g->mem, n, sizeof *p.count);
    p.fields = mem_zero(g->mem, n, sizeof *p.fields);
    st = p.first && p.count && p.fields ? CALQUE_OK : diag_nomem(d);
    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++)
        st = add_node(&p, i, d);
    if (st == CALQUE_OK)
        st = source(&p, out, d);
    files->functions = files->steps = p.functions;
    files->arena = (size_t)(CELL * p.arena);
    for (int i = 0; i < g->tensor.n; i++)
        files->weights += g->tensor.a[i].bytes;
    text_free(&p.functions_text);
    text_free(&p.weights);
    text_free(&p.calls);
    mem_free(p.first);
    mem_free(p.count);
    mem_free(p.fields);
    mem_free(p.place.a);
    return st;
}

enum calque_status emit_plain(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    enum calque_status st = module_check_name(o, d);
    struct text t;

    memset(out, 0, sizeof *out);
    out->mem = g->mem;
    text_init(&t, g->mem);
    if (st == CALQUE_OK)
        st = plain_text(g, o, &t, out, d);
    if (st == CALQUE_OK)
        st = module_file(out, o->name ? o->name : "model", ".c", &t, d);
    else
        text_free(&t);
    if (st != CALQUE_OK)
        emit_files_free(out);
    return st;
}
